package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"
)

func (p *program) indexesSwapCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:   "swap INDEX INDEX",
		Short: "Exchange the names of two indexes in one step",
		Long: `Exchange the names of two indexes in one step: no search sees only one of them
changed. Whether a name is visible stays with the name, everything else goes
with the index. So an index can be built beside the one it is to replace.`,
		Example:     "  quarry indexes swap products products_v2",
		Args:        wants(2, 2, "the names of two indexes"),
		Annotations: map[string]string{argument + "a": "the first INDEX", argument + "b": "the second INDEX"},
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if args[0] == args[1] {
				return usagef("%s needs the names of two indexes, and %q is one", cmd.CommandPath(), args[0])
			}
			body, err := json.Marshal(map[string]string{"a": args[0], "b": args[1]})
			if err != nil {
				return err
			}
			if _, err := c.call(cmd.Context(), http.MethodPost, "/v1/indexes/swap", mediaJSON, body, nil); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "swapped %s and %s\n", args[0], args[1])
			return err
		}),
	}
	t.flags(c)
	return c
}

// rebuild is how far the rebuild of an index is, or why the last one failed.
type rebuild struct {
	State string    `json:"state"`
	Done  int64     `json:"done"`
	Total int64     `json:"total"`
	Error *apiError `json:"error"`
}

func (r *rebuild) String() string {
	if r.Error != nil {
		return "failed: " + r.Error.Error()
	}
	percent := int64(0)
	if r.Total > 0 {
		percent = 100 * r.Done / r.Total
	}
	return fmt.Sprintf("%s of %s records (%d %%)", formatCount(r.Done), formatCount(r.Total), percent)
}

func (p *program) indexesRebuildCommand() *cobra.Command {
	var t target
	var cancel, asJSON bool
	c := &cobra.Command{
		Use:   "rebuild INDEX",
		Short: "Show how far the rebuild of an index is, or cancel it",
		Long: `Show how far the rebuild of an index is. A change of a schema that what is
stored does not serve rebuilds the index in the background; searches and writes
go on with the old schema until it is done, or if it is cancelled.`,
		Example: "  quarry indexes rebuild products\n  quarry indexes rebuild products --cancel",
		Args:    wants(1, 1, "the name of an index"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if cancel {
				if _, err := c.call(cmd.Context(), http.MethodDelete, indexPath(args[0])+"/rebuild", "", nil, nil); err != nil {
					return err
				}
				_, err := fmt.Fprintf(p.stdout, "cancelled the rebuild of %s\n", args[0])
				return err
			}
			info, err := c.index(cmd.Context(), args[0])
			if err != nil {
				return indexError(args[0], err)
			}
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(info.Rebuild)
			}
			if info.Rebuild == nil {
				_, err = fmt.Fprintf(p.stdout, "%s is %s\n", args[0], info.State)
			} else {
				_, err = fmt.Fprintf(p.stdout, "%s is %s: %s\n", args[0], info.State, info.Rebuild)
			}
			return err
		}),
	}
	c.Flags().BoolVar(&cancel, "cancel", false, "give it up: the index keeps the schema that it has")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it; null if there is no rebuild")
	t.flags(c)
	return c
}
