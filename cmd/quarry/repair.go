package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// repairCommand is quarry repair.
func (p *program) repairCommand() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use:   "repair NEWDIR",
		Short: "Save what can be read of a damaged data directory",
		Long: `Make NEWDIR a data directory of everything that can be read in a damaged one,
which no server may hold and which stays as it is. Dictionaries, posting lists,
columns and statistics are made anew from the stored records: damage of those
loses nothing. Records that cannot be read are lost; their ids are listed. Where
the entry of a deleted record cannot be read, the record may be back. A file of
the store that is missing or of which nothing can be read is left out and named,
with what may have been in it; records, keys and other rows that were changed in
it may be as they were before: look through the keys.

NEWDIR must not be there, or be empty. One that was half made, because the
command was interrupted, is refused by all others; the same command makes it
anew. If there is a backup that is new enough, restore it instead. The exit code is 0
only if nothing was lost.`,
		Example: "  quarry repair --data /var/lib/quarry/data /var/lib/quarry/new",
		Args:    wants(1, 1, "the directory to make"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := existing(data); err != nil {
				return err
			}
			var about *fs.PathError // NEWDIR
			report, err := engine.Repair(cmd.Context(), data, args[0], func() error { return keepSecrets(data, args[0]) })
			switch {
			case errors.Is(err, fs.ErrExist), errors.Is(err, engine.ErrStorageFull):
				return err // about NEWDIR: of the other nothing is written
			case errors.Is(err, engine.ErrLocked) && errors.As(err, &about):
				return openError(args[0], engine.ErrLocked)
			case err != nil:
				return openError(data, err)
			}
			if asJSON {
				err = json.NewEncoder(p.stdout).Encode(repairVerdict(args[0], report))
			} else {
				var b strings.Builder
				for _, i := range report.Indexes {
					least := ""
					if i.LostUnknown {
						least = "at least "
					}
					fmt.Fprintf(&b, "%s: %s records, %s%s lost\n", i.Name, formatCount(i.Records), least, formatCount(i.Lost))
					if len(i.LostIDs) > 0 {
						fmt.Fprintf(&b, "  lost: %s\n", strings.Join(i.LostIDs, " "))
					}
				}
				for _, d := range report.Damage {
					fmt.Fprintln(&b, oneLine(d))
				}
				for _, d := range report.Derived {
					fmt.Fprintf(&b, "%s; what it held is made anew\n", oneLine(d))
				}
				_, err = io.WriteString(p.stdout, b.String())
			}
			if err == nil && !report.Whole() {
				err = fmt.Errorf("%s holds what could be saved; %d things were damaged, beginning with: %s", args[0], len(report.Damage), oneLine(report.Damage[0]))
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().StringVar(&data, "data", defaultData, "damaged data `DIR`")
	return c
}

// repairedData is what quarry repair --json prints.
type repairedData struct {
	Data    string          `json:"data"`
	Whole   bool            `json:"whole"`
	Rows    int64           `json:"rows"`
	Indexes []repairedIndex `json:"indexes"`
	Damage  []string        `json:"damage"`
	Derived []string        `json:"made_anew"` // files that held nothing but what is derived
}

type repairedIndex struct {
	Name        string   `json:"name"`
	Records     int64    `json:"records"`
	Lost        int64    `json:"lost"`
	LostIDs     []string `json:"lost_ids"`     // the first 1,000
	LostUnknown bool     `json:"lost_unknown"` // lost is the least that may be
	SchemaLost  bool     `json:"schema_lost"`
}

func repairVerdict(dir string, r *engine.RepairReport) repairedData {
	out := repairedData{Data: dir, Whole: r.Whole(), Rows: r.Rows, Indexes: []repairedIndex{}, Damage: append([]string{}, r.Damage...), Derived: append([]string{}, r.Derived...)}
	for _, i := range r.Indexes {
		out.Indexes = append(out.Indexes, repairedIndex{i.Name, i.Records, i.Lost, append([]string{}, i.LostIDs...), i.LostUnknown, i.SchemaLost})
	}
	return out
}

// keepSecrets copies the root key and the certificates that stand beside the
// data of a server, durably but for the names in to.
func keepSecrets(from, to string) error {
	if err := copySecret(filepath.Join(from, rootKeyName), filepath.Join(to, rootKeyName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	certificates := filepath.Join(from, tlsName)
	if _, err := os.Stat(certificates); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	copies := filepath.Join(to, tlsName)
	if err := os.MkdirAll(copies, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(certificates)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		if err := copySecret(filepath.Join(certificates, f.Name()), filepath.Join(copies, f.Name())); err != nil {
			return err
		}
	}
	dir, err := os.Open(copies)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// copySecret copies a file that its owner alone may read.
func copySecret(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
