package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/quarry-search/quarry/httpapi"
	"github.com/spf13/cobra"
)

// usageCommand is quarry usage.
func (p *program) usageCommand() *cobra.Command {
	t := target{reads: true}
	var q usageQuery
	var asJSON bool
	c := &cobra.Command{
		Use:   "usage",
		Short: "Show what each API key has used, by day",
		Long: `Show what each API key has used, by day of UTC: searches, records written, and
the most records and bytes that were stored then. Days that are over are links
of a chain of hashes; quarry usage verify recomputes it.`,
		Example: `  quarry usage --from 2026-11-01 --to 2026-12-01
  quarry usage --group key
  quarry usage --json > usage.json`,
		Args: wants(0, 0, "no arguments"),
		RunE: t.run(func(cmd *cobra.Command, c *client, _ []string) error {
			u, err := c.usage(cmd.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(u)
			}
			return u.write(p.stdout)
		}),
	}
	f := c.Flags()
	f.StringVar(&q.from, "from", "", "first `DAY`, such as 2026-11-01 (default: the first there is)")
	f.StringVar(&q.to, "to", "", "`DAY` after the last one (default: no end)")
	f.StringVar(&q.group, "group", "key,day", "what a row is about: key,day or key or day")
	f.BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	c.AddCommand(p.usageVerifyCommand())
	return c
}

func (p *program) usageVerifyCommand() *cobra.Command {
	t := target{reads: true}
	var noted []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Recompute the chain of all usage and name the rows that were altered",
		Long: `Recompute the chain of the usage of all days that are over: as the server shows
it, or as quarry usage --json has written it to FILE (- is standard input).
Exit code 1 if a row was altered, is missing or was added. A head that was noted
down earlier shows with --head that what led to it is still the same.`,
		Example: `  quarry usage verify
  quarry usage verify --head sha256:5f1c…
  quarry usage verify usage.json`,
		Args: wants(0, 1, "at most one file"),
	}
	verify := func(body []byte, whole bool) error {
		v, err := httpapi.VerifyUsage(body, noted...)
		if err != nil {
			return err
		}
		if whole && !v.Whole && len(v.Flaws) == 0 {
			v.Flaws = append(v.Flaws, "the server does not show the whole chain")
		}
		return p.writeVerdict(v, asJSON)
	}
	fromServer := t.run(func(cmd *cobra.Command, c *client, _ []string) error {
		u, err := c.usage(cmd.Context(), usageQuery{})
		if err != nil {
			return err
		}
		body, err := json.Marshal(u)
		if err != nil {
			return err
		}
		return verify(body, true)
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fromServer(cmd, args)
		}
		body, err := p.readFile(args[0])
		if err != nil {
			return err
		}
		return verify(body, false)
	}
	f := c.Flags()
	f.StringSliceVar(&noted, "head", nil, "`HASH` that was the head or a row's chain earlier; may be repeated")
	f.BoolVar(&asJSON, "json", false, "as JSON")
	t.flags(c)
	return c
}

// readFile reads a file or, for -, standard input.
func (p *program) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.stdin)
	}
	return os.ReadFile(name)
}

// writeVerdict prints what was found; the error says that the chain is broken.
func (p *program) writeVerdict(v *httpapi.UsageVerdict, asJSON bool) error {
	var err error
	if asJSON {
		err = json.NewEncoder(p.stdout).Encode(map[string]any{
			"intact": len(v.Flaws) == 0, "rows": v.Links, "open_rows": v.Open, "whole": v.Whole, "head": v.Head, "flaws": append([]string{}, v.Flaws...),
		})
	} else {
		var b strings.Builder
		for _, f := range v.Flaws {
			fmt.Fprintln(&b, f)
		}
		part := ""
		if !v.Whole {
			part = ", a part of the chain,"
		}
		if len(v.Flaws) == 0 {
			fmt.Fprintf(&b, "%d rows%s are intact; %d of days that are not over\n", v.Links, part, v.Open)
		}
		if v.Head != "" {
			fmt.Fprintf(&b, "head %s\n", v.Head)
		}
		_, err = io.WriteString(p.stdout, b.String())
	}
	if len(v.Flaws) > 0 {
		noun := "flaws"
		if len(v.Flaws) == 1 {
			noun = "flaw"
		}
		return fmt.Errorf("the usage was altered: %d %s in the chain", len(v.Flaws), noun)
	}
	return err
}

// usageQuery says which usage is asked for.
type usageQuery struct{ from, to, group string }

// usageRow is a row of usage, as the interface writes it.
type usageRow struct {
	Day        string  `json:"day,omitempty"`
	Key        string  `json:"key,omitempty"`
	Searches   int64   `json:"searches"`
	Writes     int64   `json:"writes"`
	RecordsMax int64   `json:"records_max"`
	BytesMax   int64   `json:"bytes_max"`
	Seq        *int64  `json:"seq"`
	Chain      *string `json:"chain"`
}

// usageAnswer is an answer of GET /v1/usage.
type usageAnswer struct {
	Rows   []usageRow `json:"rows"`
	Base   *string    `json:"base"`
	Head   *string    `json:"head"`
	Length int64      `json:"chain_length"`
	Next   *string    `json:"next_cursor"`
}

// usage returns the answer with the rows of all pages.
func (c *client) usage(ctx context.Context, q usageQuery) (*usageAnswer, error) {
	params := url.Values{"limit": {"100000"}}
	for name, v := range map[string]string{"from": q.from, "to": q.to, "group": q.group} {
		if v != "" {
			params.Set(name, v)
		}
	}
	var all *usageAnswer
	for {
		body, err := c.call(ctx, http.MethodGet, "/v1/usage?"+params.Encode(), "", nil, nil)
		if err != nil {
			return nil, err
		}
		page := &usageAnswer{}
		if err := json.Unmarshal(body, page); err != nil {
			return nil, err
		}
		switch {
		case all == nil:
			all = page
		case all.Length != page.Length: // a day was closed in between: begin again
			all = nil
			params.Del("cursor")
			continue
		default:
			all.Rows, all.Next = append(all.Rows, page.Rows...), page.Next
		}
		if all.Next == nil {
			return all, nil
		}
		params.Set("cursor", *all.Next)
	}
}

// write prints the rows as a table.
func (u *usageAnswer) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DAY\tKEY\tSEARCHES\tWRITES\tRECORDS\tSIZE\tCHAIN")
	var searches, writes int64
	for _, r := range u.Rows {
		chain := ""
		if r.Chain != nil {
			chain = shortHash(*r.Chain)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", orAll(r.Day), orAll(r.Key), formatCount(r.Searches), formatCount(r.Writes),
			formatCount(r.RecordsMax), formatBytes(r.BytesMax), chain)
		searches += r.Searches
		writes += r.Writes
	}
	fmt.Fprintf(w, "total\t\t%s\t%s\n", formatCount(searches), formatCount(writes))
	if err := w.Flush(); err != nil || u.Head == nil {
		return err
	}
	_, err := fmt.Fprintf(out, "head %s\n", *u.Head)
	return err
}

func orAll(name string) string {
	if name == "" {
		return "all"
	}
	return name
}

// shortHash is the beginning of a hash, enough to find it by eye.
func shortHash(hash string) string { return hash[:min(len(hash), len("sha256:")+12)] }
