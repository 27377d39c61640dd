package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// checkCommand is quarry check.
func (p *program) checkCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "check",
		Short: "Verify a data directory that no server holds",
		Long: `Verify every checksum, cross-count and invariant of a data directory that no
server holds. Nothing is changed. The exit code is 0 only if all of it holds.`,
		Example: "  quarry check --data /var/lib/quarry",
		Args:    wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := openToRead(data)
			if err != nil {
				return err
			}
			start := time.Now()
			err = e.Check(cmd.Context())
			var records, bytes int64
			indexes := e.Indexes()
			for _, i := range indexes {
				records += i.Records
				bytes += i.Bytes
			}
			if err := errors.Join(err, e.Close()); err != nil {
				list := flattenErrors(err)
				for _, e := range list {
					fmt.Fprintln(p.stdout, oneLine(e.Error()))
				}
				return fmt.Errorf("data directory %s: %d things are wrong, beginning with: %w", data, len(list), list[0])
			}
			_, err = fmt.Fprintf(p.stdout, "%s: all is well: %d indexes, %s records, %s, verified in %v\n",
				data, len(indexes), formatCount(records), formatBytes(bytes), time.Since(start).Round(time.Millisecond))
			return err
		},
	}
	c.Flags().StringVar(&data, "data", defaultData, "data `DIR`")
	return c
}

// openToRead opens a data directory so that it stays as it is.
func openToRead(dir string) (*engine.Engine, error) {
	if err := existing(dir); err != nil {
		return nil, err
	}
	e, err := engine.Open(dir, &engine.Options{ReadOnly: true})
	if err != nil {
		return nil, openError(dir, err)
	}
	return e, nil
}

// flattenErrors takes joined errors apart.
func flattenErrors(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	// An error that wraps several, but has a text of its own, is one.
	if all := joined.Unwrap(); len(all) > 0 && err.Error() == errors.Join(all...).Error() {
		var out []error
		for _, e := range all {
			out = append(out, flattenErrors(e)...)
		}
		return out
	}
	return []error{err}
}
