package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// batchCommand is quarry batch.
func (p *program) batchCommand() *cobra.Command {
	return group("batch", "List or show batches, or cancel one that is queued",
		p.batchListCommand(), p.batchShowCommand(), p.batchCancelCommand())
}

// batchInfo is a batch, as the interface describes it.
type batchInfo struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Atomic  bool   `json:"atomic"`
	Version uint64 `json:"version"`
	Counts  struct {
		Put     int64 `json:"put"`
		Patched int64 `json:"patched"`
		Deleted int64 `json:"deleted"`
		Failed  int64 `json:"failed"`
	} `json:"counts"`
	Made     []string `json:"indexes_created"`
	Progress *struct {
		Done  int64 `json:"done"`
		Total int64 `json:"total"`
	} `json:"progress"`
	Errors []struct {
		Position *int   `json:"position"`
		Pointer  string `json:"pointer"`
		Detail   string `json:"detail"`
	} `json:"errors"`
	CreatedAt time.Time  `json:"created_at"`
	AppliedAt *time.Time `json:"applied_at"`
}

func batchPath(id string) string { return "/v1/batch/" + url.PathEscape(id) }

func (p *program) batchListCommand() *cobra.Command {
	t := target{reads: true}
	var limit int
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the newest batches, newest first",
		Example: "  quarry batch list\n  quarry batch list --limit 100 --json",
		Args:    wants(0, 0, "no arguments"),
		RunE: t.run(func(cmd *cobra.Command, c *client, _ []string) error {
			answer, err := c.call(cmd.Context(), http.MethodGet, fmt.Sprintf("/v1/batch?limit=%d", limit), "", nil, nil)
			if err != nil {
				return err
			}
			if asJSON {
				_, err = p.stdout.Write(answer)
				return err
			}
			var list struct {
				Batches []batchInfo `json:"batches"`
			}
			if err := json.Unmarshal(answer, &list); err != nil {
				return err
			}
			w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "BATCH\tSTATE\tPROGRESS\tPUT\tPATCHED\tDELETED\tFAILED\tCREATED")
			for i := range list.Batches {
				b := &list.Batches[i]
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", b.ID, b.State, b.progress(), formatCount(b.Counts.Put), formatCount(b.Counts.Patched),
					formatCount(b.Counts.Deleted), formatCount(b.Counts.Failed), b.CreatedAt.Local().Format(time.DateTime))
			}
			return w.Flush()
		}),
	}
	c.Flags().IntVar(&limit, "limit", 20, "`NUMBER` of batches, at most 100")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

// progress of a batch that went through the queue; "" for others.
func (b *batchInfo) progress() string {
	if b.Progress == nil {
		return ""
	}
	return formatCount(b.Progress.Done) + "/" + formatCount(b.Progress.Total)
}

func (p *program) batchShowCommand() *cobra.Command {
	t := target{reads: true}
	var asJSON bool
	c := &cobra.Command{
		Use:     "show BATCH",
		Short:   "Show what a batch did",
		Example: "  quarry batch show bat_01M7ZS9YVW214FWRXX43F4P853",
		Args:    wants(1, 1, "the id of a batch"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			answer, err := c.call(cmd.Context(), http.MethodGet, batchPath(args[0]), "", nil, nil)
			if err != nil {
				return err
			}
			if asJSON {
				_, err = p.stdout.Write(answer)
				return err
			}
			var b batchInfo
			if err := json.Unmarshal(answer, &b); err != nil {
				return err
			}
			return b.write(p.stdout)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (b *batchInfo) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "batch\t%s\n", b.ID)
	fmt.Fprintf(w, "state\t%s\n", b.State)
	if b.Progress != nil {
		fmt.Fprintf(w, "operations\t%s\n", b.progress())
	}
	for _, n := range []struct {
		name  string
		count int64
	}{{"put", b.Counts.Put}, {"patched", b.Counts.Patched}, {"deleted", b.Counts.Deleted}, {"failed", b.Counts.Failed}} {
		fmt.Fprintf(w, "%s\t%s\n", n.name, formatCount(n.count))
	}
	for _, name := range b.Made {
		fmt.Fprintf(w, "new index\t%s\n", name)
	}
	if b.Version > 0 {
		fmt.Fprintf(w, "version\t%d\n", b.Version)
	}
	fmt.Fprintf(w, "created\t%s\n", b.CreatedAt.Local().Format(time.DateTime))
	if b.AppliedAt != nil {
		fmt.Fprintf(w, "%s\t%s\n", b.State, b.AppliedAt.Local().Format(time.DateTime))
	}
	for _, e := range b.Errors {
		at := e.Pointer
		if at == "" && e.Position != nil {
			at = fmt.Sprintf("operation %d", *e.Position+1)
		}
		fmt.Fprintf(w, "error\t%s: %s\n", at, e.Detail)
	}
	return w.Flush()
}

func (p *program) batchCancelCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:   "cancel BATCH",
		Short: "Cancel a batch that is queued",
		Long: `Cancel a batch that is queued: it is never applied. One that is not atomic and
is being applied stops before its next chunk; quarry batch show tells what was
applied by then.`,
		Example: "  quarry batch cancel bat_01M7ZS9YVW214FWRXX43F4P853",
		Args:    wants(1, 1, "the id of a batch"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if _, err := c.call(cmd.Context(), http.MethodDelete, batchPath(args[0]), "", nil, nil); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.stdout, "cancelled %s\n", args[0])
			return err
		}),
	}
	t.flags(c)
	return c
}
