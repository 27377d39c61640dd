package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/quarry-search/quarry/engine"
	"github.com/spf13/cobra"
)

// inspectCommand is quarry inspect.
func (p *program) inspectCommand() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use:   "inspect [INDEX...]",
		Short: "Show what a data directory that no server holds is made of",
		Long: `Show what a data directory that no server holds is made of: its indexes, their
segments with terms and postings, and the bytes of each part. Those on disk are
estimated to within a few blocks of 16 KiB; where several parts lie in one block,
as in small indexes, each gets a share of it. Nothing is changed.`,
		Example: "  quarry inspect\n  quarry inspect products --data /var/lib/quarry/data",
		Args:    wants(0, -1, ""),
		RunE: func(_ *cobra.Command, names []string) error {
			e, err := openToRead(data)
			if err != nil {
				return err
			}
			stats := e.Stats()
			if len(names) > 0 {
				stats.Indexes, err = pick(stats.Indexes, names)
			}
			if err == nil {
				if asJSON {
					err = json.NewEncoder(p.stdout).Encode(inspected(data, &stats))
				} else {
					err = writeStats(p.stdout, data, &stats)
				}
			}
			return errors.Join(err, e.Close())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().StringVar(&data, "data", defaultData, "data `DIR`")
	return c
}

// pick returns the named indexes in the order of names.
func pick(all []engine.IndexStats, names []string) ([]engine.IndexStats, error) {
	var known []string
	byName := map[string]engine.IndexStats{}
	for _, i := range all {
		known = append(known, i.Name)
		byName[i.Name] = i
	}
	var out []engine.IndexStats
	for _, name := range names {
		i, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("there is no index %q%s", name, didYouMean(name, known))
		}
		out = append(out, i)
	}
	return out, nil
}

func writeStats(out io.Writer, data string, s *engine.Stats) error {
	fmt.Fprintf(out, "%s  version %d, %s on disk, %s of it log\n",
		data, s.Version, formatBytes(s.Storage.DiskBytes), formatBytes(s.Storage.LogBytes))
	for _, i := range s.Indexes {
		var chunks int64
		for _, c := range i.Chunks {
			chunks += c.Bytes
		}
		fmt.Fprintf(out, "\n%s  %s records, %s deleted\n", i.Name, formatCount(i.Records), formatCount(i.Deleted))
		parts := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(parts, "  part\tbytes\ta record\t")
		var all int64
		for _, p := range i.Parts {
			partRow(parts, p.Name, p.Bytes, i.Records)
			all += p.Bytes
		}
		partRow(parts, "all", all, i.Records)
		if err := parts.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(out, "  %d chunks of pages, %s of them in memory\n", len(i.Chunks), formatBytes(chunks))
		if len(i.Segments) == 0 {
			continue
		}
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "  segment\tfirst\tlast\tdocuments\tterms\tpostings\tmeta\tdictionary\tlists\tpositions\t")
		var sum engine.SegmentStats
		for _, g := range i.Segments {
			id := fmt.Sprint(g.ID)
			if g.ID == 0 {
				id = "memory"
			}
			segmentRow(w, id, fmt.Sprint(g.MinDoc), fmt.Sprint(g.MaxDoc), &g)
			sum.Docs += g.Docs
			sum.Terms += g.Terms
			sum.Postings += g.Postings
			sum.MetaBytes += g.MetaBytes
			sum.BlockBytes += g.BlockBytes
			sum.ListBytes += g.ListBytes
			sum.PositionBytes += g.PositionBytes
		}
		if len(i.Segments) > 1 {
			segmentRow(w, "all", "", "", &sum)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func partRow(w io.Writer, name string, bytes, records int64) {
	each := "-"
	if records > 0 {
		each = fmt.Sprintf("%.1f", float64(bytes)/float64(records))
	}
	fmt.Fprintf(w, "  %s\t%s\t%s\t\n", name, formatBytes(bytes), each)
}

func segmentRow(w io.Writer, id, first, last string, g *engine.SegmentStats) {
	fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", id, first, last,
		formatCount(int64(g.Docs)), formatCount(int64(g.Terms)), formatCount(g.Postings),
		formatBytes(g.MetaBytes), formatBytes(g.BlockBytes), formatBytes(g.ListBytes), formatBytes(g.PositionBytes))
}

// inspectedData is what quarry inspect --json prints. Sizes are in bytes.
type inspectedData struct {
	Data      string           `json:"data"`
	Version   uint64           `json:"version"`
	DiskBytes int64            `json:"disk_bytes"`
	LogBytes  int64            `json:"log_bytes"`
	Indexes   []inspectedIndex `json:"indexes"`
}

type inspectedIndex struct {
	Name       string             `json:"name"`
	Records    int64              `json:"records"`
	Deleted    int64              `json:"deleted"`
	Parts      map[string]int64   `json:"parts"`
	Chunks     int                `json:"chunks"`
	ChunkBytes int64              `json:"chunk_bytes"` // in memory
	Segments   []inspectedSegment `json:"segments"`
}

type inspectedSegment struct {
	ID              uint32 `json:"id"` // 0: in memory only
	FirstDoc        uint32 `json:"first_document"`
	LastDoc         uint32 `json:"last_document"`
	Docs            int    `json:"documents"`
	Terms           int    `json:"terms"`
	Postings        int64  `json:"postings"`
	MetaBytes       int64  `json:"meta_bytes"`
	DictionaryBytes int64  `json:"dictionary_bytes"`
	ListBytes       int64  `json:"list_bytes"`
	PositionBytes   int64  `json:"position_bytes"`
}

func inspected(data string, s *engine.Stats) inspectedData {
	out := inspectedData{
		Data: data, Version: s.Version, DiskBytes: int64(s.Storage.DiskBytes), LogBytes: int64(s.Storage.LogBytes),
		Indexes: []inspectedIndex{},
	}
	for _, i := range s.Indexes {
		index := inspectedIndex{
			Name: i.Name, Records: i.Records, Deleted: i.Deleted, Parts: map[string]int64{},
			Chunks: len(i.Chunks), Segments: []inspectedSegment{},
		}
		for _, p := range i.Parts {
			index.Parts[p.Name] = p.Bytes
		}
		for _, c := range i.Chunks {
			index.ChunkBytes += c.Bytes
		}
		for _, g := range i.Segments {
			index.Segments = append(index.Segments, inspectedSegment{
				ID: g.ID, FirstDoc: g.MinDoc, LastDoc: g.MaxDoc, Docs: g.Docs, Terms: g.Terms, Postings: g.Postings,
				MetaBytes: g.MetaBytes, DictionaryBytes: g.BlockBytes, ListBytes: g.ListBytes, PositionBytes: g.PositionBytes,
			})
		}
		out.Indexes = append(out.Indexes, index)
	}
	return out
}
