package engine

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// unpack makes a data directory of an archive in testdata.
func unpack(t *testing.T, name string) (dir string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			var text []byte
			if text, err = io.ReadAll(in); err == nil {
				err = os.WriteFile(path, text, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFormat1 opens a directory that was written in format 1 and not closed:
// 100 records of which one is deleted and one was added later, a second index
// and a row. It is read, then written, then of the newest format.
func TestFormat1(t *testing.T) {
	dir := unpack(t, "format1.tar.gz")
	for round, o := range []*Options{{ReadOnly: true}, nil, nil} {
		e, err := Open(dir, o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := e.Check(context.Background()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if got := find(t, e, &Request{Indexes: []string{"products"}, Filter: "price >= 0", Limit: 200}); got.Total != 100 {
			t.Errorf("round %d: %d hits", round, got.Total)
		}
		if got := filtered(t, e, "products", "price > 98.5 AND price < 1000"); round < 2 && got != "p100 p99" || round == 2 && got != "p100" {
			t.Errorf("round %d: %q", round, got)
		}
		if value, err := e.Row("app/row"); string(value) != "kept" || err != nil {
			t.Errorf("round %d: row %q, %v", round, value, err)
		}
		if rec, err := e.Record(t.Context(), "later", "x"); err != nil || rec.Version == 0 {
			t.Errorf("round %d: %+v, %v", round, rec, err)
		}
		if round == 1 {
			apply(t, e, puts("products", `{"id":"p99","title":"green shoe","price":1}`))
		}
		if err := e.Close(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestFormat3 opens a directory that was written in format 3 and not closed: the
// indexes one, whose ids ascend and which has one text field, and two, whose ids
// do not and which has two; 600 records each, of which 300 are on disk in chunks
// with all their ids in one part. It is read, then written to, which makes blocks
// of ids, and read again.
func TestFormat3(t *testing.T) {
	dir := unpack(t, "format3.tar.gz")
	for round, o := range []*Options{{ReadOnly: true}, nil, nil} {
		e, err := Open(dir, o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, name := range []string{"one", "two"} {
			got := find(t, e, &Request{Indexes: []string{name}, Query: "shoe", Limit: 600, Ranking: RankingBM25})
			seen := map[string]bool{}
			for i, h := range got.Hits {
				seen[h.ID] = true
				if name == "one" && i > 0 && h.Score == got.Hits[i-1].Score && h.ID < got.Hits[i-1].ID {
					t.Errorf("round %d, %s: %s after %s", round, name, h.ID, got.Hits[i-1].ID)
				}
				if !strings.Contains(string(h.Record), fmt.Sprintf("%q", h.ID)) {
					t.Errorf("round %d, %s: %s has the record %s", round, name, h.ID, h.Record)
				}
			}
			if len(seen) != 600 {
				t.Errorf("round %d, %s: %d records, want 600", round, name, len(seen))
			}
		}
		if round == 1 {
			apply(t, e, puts("one", `{"id":"r007","title":"shoe","n":1}`))
			apply(t, e, puts("two", `{"id":"r007","title":"shoe","text":"newer"}`))
		}
		if err := e.Check(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if err := e.Close(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestFormat2 opens a directory that was written in format 2 and not closed:
// texts t0 to t299 in a segment on disk and t300 to t399 in the log, text i i
// times "so", then "red shoe" and i%3 times "red", so that long lists have
// positions of one and of two bytes. It is read, then merged, which packs the
// lists, and read again.
func TestFormat2(t *testing.T) {
	dir := unpack(t, "format2.tar.gz")
	for round, o := range []*Options{{ReadOnly: true}, nil, nil} {
		e, err := Open(dir, o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for query, want := range map[string]int64{"red": 400, `"red shoe"`: 400, `"shoe red"`: 266, `"shoe red red"`: 133, `"so red shoe"`: 399, `"so red so"`: 0} {
			if got := find(t, e, &Request{Query: query, Ranking: RankingBM25, Prefix: PrefixOff}); got.Total != want {
				t.Errorf("round %d: %s is in %d records, want %d", round, query, got.Total, want)
			}
		}
		if round == 1 {
			if err := e.Merge(t.Context(), "texts"); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Check(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if err := e.Close(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestFormat4 opens a directory that was written in format 4 and not closed:
// texts t0000 to t4999 in a segment on disk, text i i%7+1 times "so", then "red",
// then "shoe" if 11 divides i, so that lists have several bounds. It is read,
// then merged, which makes finer ones, and read again: with the same ranking.
func TestFormat4(t *testing.T) {
	var first []Hit
	readMergeRead(t, "format4.tar.gz", func(round int, e *Engine) {
		got := find(t, e, &Request{Query: "so shoe", Limit: 100, Match: MatchAny, NoRecord: true, Ranking: RankingBM25, Prefix: PrefixOff})
		all := find(t, e, &Request{Query: "so shoe", Limit: 100, Match: MatchAny, NoRecord: true, Ranking: RankingBM25, Prefix: PrefixOff, Exhaustive: true})
		if got.Total != 5000 || !reflect.DeepEqual(got.Hits, all.Hits) {
			t.Errorf("round %d: %d records, and the hits are %v, not %v", round, got.Total, got.Hits, all.Hits)
		}
		if first == nil {
			first = got.Hits
		}
		if !reflect.DeepEqual(got.Hits, first) {
			t.Errorf("round %d: hits %v, were %v", round, got.Hits, first)
		}
	})
}

// readMergeRead opens a directory of an archive in testdata read-only, then twice to
// write, and calls f each time; in the second round the index texts is then given a
// record and merged.
func readMergeRead(t *testing.T, archive string, f func(round int, e *Engine)) {
	t.Helper()
	dir := unpack(t, archive)
	for round, o := range []*Options{{ReadOnly: true}, nil, nil} {
		e, err := Open(dir, o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		f(round, e)
		if round == 1 {
			apply(t, e, puts("texts", `{"id":"t4999","text":"so so red"}`))
			if err := e.Merge(t.Context(), "texts"); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Check(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if err := e.Close(); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestFormat5 opens a directory that was written in format 5 and not closed: 5,000
// texts in a segment on disk, text i with the id of 1237i modulo 5000 and i%7+1
// times "so", then "red", then "shoe" if 11 divides i, so that thousands of texts
// have equal scores; and one record that was replaced. The best hits of one word
// are those of scoring everything before and after a merge, which orders the
// champions.
func TestFormat5(t *testing.T) {
	readMergeRead(t, "format5.tar.gz", func(round int, e *Engine) {
		for _, q := range []string{"so", "shoe", "red", "so shoe"} {
			for _, k := range []int{1, 10, 100, 1000} {
				r := Request{Query: q, Limit: k, Match: MatchAny, NoRecord: true, Ranking: RankingBM25, Prefix: PrefixOff}
				got := find(t, e, &r)
				r.Exhaustive = true
				if all := find(t, e, &r); got.Total != all.Total || !reflect.DeepEqual(got.Hits, all.Hits) {
					t.Errorf("round %d, %s, %d hits: %v, not %v", round, q, k, got.Hits, all.Hits)
				}
			}
		}
	})
}

// TestFormat6 opens a directory whose ids are in blocks of 256, packed by Zstandard.
func TestFormat6(t *testing.T) { testFormerIDs(t, "format6.tar.gz") }

// TestFormat7 opens one whose ids are in blocks of 16, packed likewise.
func TestFormat7(t *testing.T) { testFormerIDs(t, "format7.tar.gz") }

// testFormerIDs opens a directory that was not closed: 3,000 texts on disk, text i with
// the id of 1237i modulo 3000 and the words "so" and wi, and in the log one more and another
// text of t0007. Ids of hits, which come from the blocks, are those of their records before
// and after a merge, which writes the chunk again.
func testFormerIDs(t *testing.T, archive string) {
	readMergeRead(t, archive, func(round int, e *Engine) {
		got := find(t, e, &Request{Query: "so", Limit: 1000, Offset: 100, NoRecord: true, Ranking: RankingBM25, Prefix: PrefixOff})
		if got.Total != 3001+int64(min(1, round/2)) || len(got.Hits) != 1000 {
			t.Errorf("round %d: %d of %d hits", round, len(got.Hits), got.Total)
		}
		for _, h := range got.Hits {
			if rec, err := e.Record(t.Context(), "texts", h.ID); err != nil || !strings.Contains(string(rec.JSON), fmt.Sprintf("%q", h.ID)) {
				t.Fatalf("round %d: hit %q is the record %s, %v", round, h.ID, rec.JSON, err)
			}
		}
		for _, i := range []int{0, 15, 16, 31, 32, 255, 256, 1000, 2999} {
			id := fmt.Sprintf("t%04d", i*1237%3000)
			got := find(t, e, &Request{Query: fmt.Sprintf("w%d", i), NoRecord: true, Prefix: PrefixOff, Ranking: RankingBM25})
			if len(got.Hits) != 1 || got.Hits[0].ID != id {
				t.Errorf("round %d: w%d is in %v, want %s", round, i, got.Hits, id)
			}
		}
	})
}

// TestOpenedDirectoriesAreOfTheNewestFormat: what opens a directory to write it makes it one
// of its own format, so that an older program says that it is newer, and not that what a
// flush or a merge has written since is damaged. To read it changes nothing.
func TestOpenedDirectoriesAreOfTheNewestFormat(t *testing.T) {
	for format := 1; format < FormatVersion; format++ {
		dir := unpack(t, fmt.Sprintf("format%d.tar.gz", format))
		for _, o := range []*Options{{ReadOnly: true}, nil} {
			e, err := Open(dir, o)
			if err != nil {
				t.Fatalf("format %d: %v", format, err)
			}
			m, err := e.loadMeta()
			if err != nil {
				t.Fatalf("format %d: %v", format, err)
			}
			want := format
			if o == nil {
				want = FormatVersion
			}
			if m.Format != want || m.Version != e.Version() || want > 1 && m.Ledger == nil {
				t.Errorf("format %d, options %+v: the row is of format %d, version %d, ledger %v", format, o, m.Format, m.Version, m.Ledger)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
