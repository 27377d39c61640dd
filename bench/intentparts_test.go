package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestIntentParts is TestParts for queries that speak of fields: of prices, years, colours, and what
// is newest.
func TestIntentParts(t *testing.T) {
	root := wanted(t)
	for name, schema := range intentSchemas() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
			if err != nil {
				t.Skip(err)
			}
			defer f.Close()
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			var records [][]byte
			lines := bufio.NewScanner(z)
			lines.Buffer(nil, 1<<24)
			for lines.Scan() {
				records = append(records, bytes.Clone(lines.Bytes()))
			}
			if err := lines.Err(); err != nil {
				t.Fatal(err)
			}
			var queries []string
			for _, c := range intentCases(t) {
				if c.Collection == name {
					queries = append(queries, c.Q)
				}
			}
			for _, q := range slices.Clone(queries[:20]) {
				queries = append(queries, "newest "+q, "cheapest "+q, "longest "+q)
			}
			partsOf(t, records, schema, queries)
		})
	}
}
