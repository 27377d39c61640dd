package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// checkCommand is quarry check.
func (p *program) checkCommand() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use:   "check",
		Short: "Verify a data directory that no server holds",
		Long: `Verify every checksum, cross-count and invariant of a data directory that no
server holds, or of a backup, which must be a finished one. Nothing is changed.
The exit code is 0 only if all of it holds.`,
		Example: "  quarry check --data /var/lib/quarry/data\n  quarry check --json",
		Args:    wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			start := time.Now()
			damage, err := checkBackup(cmd.Context(), data)
			if err != nil {
				return err
			}
			e, err := openToRead(data)
			if err != nil {
				return errors.Join(damage, err)
			}
			err = errors.Join(damage, e.Check(cmd.Context()))
			var records, bytes int64
			indexes := e.Indexes()
			for _, i := range indexes {
				records += i.Records
				bytes += i.Bytes
			}
			verdict := checkVerdict{
				Data: data, OK: true, Indexes: len(indexes), Records: records, Bytes: bytes,
				Wrong: []string{}, TookMillis: time.Since(start).Milliseconds(),
			}
			if err = errors.Join(err, e.Close()); err != nil {
				verdict.OK = false
				for _, e := range flattenErrors(err) {
					verdict.Wrong = append(verdict.Wrong, oneLine(e.Error()))
				}
			}
			if err := verdict.write(p.stdout, asJSON); err != nil {
				return err
			}
			if n := len(verdict.Wrong); n > 0 {
				return fmt.Errorf("data directory %s: %d things are wrong, beginning with: %w", data, n, flattenErrors(err)[0])
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().StringVar(&data, "data", defaultData, "data `DIR`")
	return c
}

// checkBackup compares the files of a directory with the checksums of its
// manifest if it is a backup, whether or not they would open. damage is what
// differs; err says that it cannot be told.
func checkBackup(ctx context.Context, dir string) (damage, err error) {
	if err := existing(dir); err != nil {
		return nil, err
	}
	_, err = engine.VerifyBackup(ctx, dir)
	switch {
	case errors.Is(err, engine.ErrUnfinished):
		return nil, unfinishedBackup(dir)
	case err == nil, errors.Is(err, engine.ErrForeign): // a data directory, or what Open has to say about it
		return nil, nil
	case errors.Is(err, engine.ErrCorrupt):
		return err, nil
	}
	return nil, err
}

// checkVerdict is what quarry check has found.
type checkVerdict struct {
	Data       string   `json:"data"`
	OK         bool     `json:"ok"`
	Indexes    int      `json:"indexes"`
	Records    int64    `json:"records"`
	Bytes      int64    `json:"bytes"`
	Wrong      []string `json:"wrong"`
	TookMillis int64    `json:"took_ms"`
}

func (v *checkVerdict) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(v)
	}
	for _, line := range v.Wrong {
		fmt.Fprintln(out, line)
	}
	if !v.OK {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: all is well: %d indexes, %s records, %s, verified in %v\n",
		v.Data, v.Indexes, formatCount(v.Records), formatBytes(v.Bytes), time.Duration(v.TookMillis)*time.Millisecond)
	return err
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
