package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// snapshotPoll is how often quarry backup asks for a snapshot that takes long.
const snapshotPoll = 500 * time.Millisecond

// snapshotInfo is a snapshot, as the interface describes it.
type snapshotInfo struct {
	ID      string    `json:"id"`
	Path    string    `json:"path"`
	State   string    `json:"state"`
	Version uint64    `json:"version"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	SHA256  string    `json:"sha256"`
	Error   *apiError `json:"error,omitempty"`
}

// backupCommand is quarry backup.
func (p *program) backupCommand() *cobra.Command {
	var t target
	var asJSON bool
	c := &cobra.Command{
		Use:   "backup TARGET",
		Short: "Copy everything that is stored, while the server runs",
		Long: `Make the directory TARGET a backup, with the checksums of all of its files. A
server makes it while it goes on answering: TARGET is a path on the server's
machine, outside its data directory, and the key needs the scope admin. It holds
every write that was acknowledged before. With --data it is a backup of a
directory that no server holds.

On the file system of the data directory it takes little time and room, as files
that do not change are hard links; copy it to another machine to be safe from
the loss of this one. It holds no root key and no certificates.`,
		Example: `  quarry backup /var/backups/quarry/$(date +%F)
  quarry backup --data /var/lib/quarry/data /mnt/backup
  quarry check --data /mnt/backup
  quarry restore --data /var/lib/quarry/new /mnt/backup`,
		Args: wants(1, 1, "the directory to make"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			path, err := t.serverPath(args[0])
			if err != nil {
				return err
			}
			made, err := c.snapshot(cmd.Context(), path)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(made)
			}
			_, err = fmt.Fprintf(p.stdout, "%s: %d files, %s, version %d\n", made.Path, made.Files, formatBytes(made.Bytes), made.Version)
			return err
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server describes it")
	t.flags(c)
	return c
}

// serverPath makes a path absolute where that is the same on the server's
// machine.
func (t *target) serverPath(path string) (string, error) {
	u, err := url.Parse(t.url)
	if filepath.IsAbs(path) || t.data == "" && (err != nil || !isLoopback(u.Hostname())) {
		return path, nil // the server has the last word
	}
	return filepath.Abs(path)
}

// snapshot makes a snapshot and waits until it is complete.
func (c *client) snapshot(ctx context.Context, path string) (*snapshotInfo, error) {
	body, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		return nil, err
	}
	header := http.Header{"Prefer": {"wait=60"}}
	answer, err := c.call(ctx, http.MethodPost, "/v1/snapshots", mediaJSON, body, header)
	var refused *apiError
	if errors.As(err, &refused) && len(refused.Faults) == 1 && refused.Faults[0].Pointer == "/path" {
		return nil, fmt.Errorf("%s: %s", path, refused.Faults[0].Detail)
	}
	for {
		if err != nil {
			return nil, err
		}
		made := &snapshotInfo{}
		if err := json.Unmarshal(answer, made); err != nil {
			return nil, err
		}
		switch made.State {
		case "complete":
			return made, nil
		case "failed":
			return nil, fmt.Errorf("backup to %s: %w", path, made.Error)
		}
		select {
		case <-time.After(snapshotPoll):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		answer, err = c.call(ctx, http.MethodGet, "/v1/snapshots/"+url.PathEscape(made.ID), "", nil, nil)
	}
}

// restoreCommand is quarry restore.
func (p *program) restoreCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "restore BACKUP",
		Short: "Make a data directory of a backup",
		Long: `Make a data directory of a backup. Every byte of the backup is verified before
anything is made. The directory named with --data must not be there, or be
empty; nothing is ever replaced. One that was half made, because the command was
interrupted, is refused by all others; the same command makes it anew.

The backup stays as it is. It holds no root key and no certificates: the server
makes new ones at its first start, unless those of the old directory (root.key,
tls) are copied over. API keys, webhooks and usage are those of the backup.`,
		Example: "  quarry restore --data /var/lib/quarry/new /mnt/backup",
		Args:    wants(1, 1, "the directory of a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := engine.RestoreBackup(cmd.Context(), args[0], data)
			if err != nil {
				return backupError(args[0], err)
			}
			e, err := openToRead(data)
			if err != nil {
				return err
			}
			var records int64
			indexes := e.Indexes()
			for _, i := range indexes {
				records += i.Records
			}
			_, err = fmt.Fprintf(p.stdout, "%s: %d indexes, %s records, %s, backup of %s\n",
				data, len(indexes), formatCount(records), formatBytes(info.Bytes), info.Created.Format(time.RFC3339))
			return errors.Join(err, e.Close())
		},
	}
	c.Flags().StringVar(&data, "data", defaultData, "`DIR` to make, new or empty")
	return c
}

// backupError says in a line why a directory is not a backup.
func backupError(dir string, err error) error {
	if errors.Is(err, engine.ErrUnfinished) {
		return unfinishedBackup(dir)
	}
	if errors.Is(err, engine.ErrForeign) {
		return fmt.Errorf("%s is not a complete backup: %w", dir, err)
	}
	return err
}
