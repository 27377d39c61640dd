package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// indexesCommand is quarry indexes.
func (p *program) indexesCommand() *cobra.Command {
	return group("indexes", "List, show, swap or delete indexes",
		p.indexesListCommand(), p.indexesShowCommand(), p.indexesSwapCommand(), p.indexesRebuildCommand(), p.indexesDeleteCommand())
}

func (p *program) indexesListCommand() *cobra.Command {
	t := target{reads: true}
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List all indexes",
		Example: "  quarry indexes list\n  quarry indexes list --json",
		Args:    wants(0, 0, "no arguments"),
		RunE: t.run(func(cmd *cobra.Command, c *client, _ []string) error {
			if asJSON {
				answer, err := c.call(cmd.Context(), http.MethodGet, "/v1/indexes?limit=1000", "", nil, nil)
				if err != nil {
					return err
				}
				_, err = p.stdout.Write(answer)
				return err
			}
			list, err := c.indexes(cmd.Context())
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "INDEX\tRECORDS\tSIZE\tFIELDS\tSTATE\tUPDATED")
			for _, i := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", i.Name, formatCount(i.Records), formatBytes(i.Bytes),
					len(i.Fields), i.state(), i.UpdatedAt.Local().Format(time.DateTime))
			}
			return w.Flush()
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

// state is the state of an index in a word or two.
func (i *indexInfo) state() string {
	if !i.Visible {
		return i.State + ", hidden"
	}
	return i.State
}

func (p *program) indexesShowCommand() *cobra.Command {
	t := target{reads: true}
	var asJSON bool
	c := &cobra.Command{
		Use:     "show INDEX",
		Short:   "Show an index and its fields",
		Example: "  quarry indexes show products\n  quarry indexes show products --json",
		Args:    wants(1, 1, "the name of an index"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if asJSON {
				answer, err := c.call(cmd.Context(), http.MethodGet, indexPath(args[0]), "", nil, nil)
				if err != nil {
					return indexError(args[0], err)
				}
				_, err = p.stdout.Write(answer)
				return err
			}
			info, err := c.index(cmd.Context(), args[0])
			if err != nil {
				return indexError(args[0], err)
			}
			return writeIndex(p.stdout, info)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (p *program) indexesDeleteCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:     "delete INDEX",
		Short:   "Delete an index with all its records, at once",
		Example: "  quarry indexes delete products",
		Args:    wants(1, 1, "the name of an index"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if _, err := c.call(cmd.Context(), http.MethodDelete, indexPath(args[0]), "", nil, nil); err != nil {
				return indexError(args[0], err)
			}
			_, err := fmt.Fprintf(p.stdout, "deleted %s\n", args[0])
			return err
		}),
	}
	t.flags(c)
	return c
}

func indexPath(name string) string { return "/v1/indexes/" + url.PathEscape(name) }

// indexError names the index that is not there.
func indexError(name string, err error) error {
	if isStatus(err, http.StatusNotFound) {
		return fmt.Errorf("there is no index %q; quarry indexes list shows all", name)
	}
	return err
}

func writeIndex(out io.Writer, info *indexInfo) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "index\t%s\n", info.Name)
	fmt.Fprintf(w, "records\t%s\n", formatCount(info.Records))
	fmt.Fprintf(w, "size\t%s\n", formatBytes(info.Bytes))
	fmt.Fprintf(w, "state\t%s\n", info.state())
	if info.Rebuild != nil {
		fmt.Fprintf(w, "rebuild\t%s\n", info.Rebuild)
	}
	fmt.Fprintf(w, "version\t%d\n", info.Version)
	fmt.Fprintf(w, "updated\t%s\n", info.UpdatedAt.Local().Format(time.DateTime))
	fmt.Fprintf(w, "id field\t%s\n", info.PrimaryKey)
	fmt.Fprintf(w, "language\t%s\n", info.Language)
	newFields := "only stored"
	if info.Dynamic {
		newFields = "become searchable"
	}
	fmt.Fprintf(w, "new fields\t%s\n", newFields)
	if err := w.Flush(); err != nil || len(info.Fields) == 0 {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintln(w, "FIELD\tTYPE\tWEIGHT\tUSES")
	for _, f := range info.Fields {
		var uses []string
		for _, use := range []struct {
			name string
			on   bool
		}{{"search", f.Search}, {"filter", f.Filter || f.Facet}, {"facet", f.Facet}, {"sort", f.Sort}} {
			if use.on {
				uses = append(uses, use.name)
			}
		}
		weight := ""
		if f.Weight != 0 {
			weight = fmt.Sprint(f.Weight)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Type, weight, strings.Join(uses, ", "))
	}
	return w.Flush()
}
