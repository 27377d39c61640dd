package engine

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// TestOptionsThatMakeNoSense: they are told before anything is made, all at once.
func TestOptionsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want []string // pointers
	}{
		{Options{Memory: 1}, []string{"/Memory"}},
		{Options{Memory: -5}, []string{"/Memory"}},
		{Options{Memory: leastMemory - 1}, []string{"/Memory"}},
		{Options{FlushBytes: -1, FlushRecords: -1}, []string{"/FlushBytes", "/FlushRecords"}},
		{Options{Limits: Limits{Hits: -1, KeywordBytes: -2}}, []string{"/Limits/Hits", "/Limits/KeywordBytes"}},
		{Options{Vectors: VectorOptions{Memory: -1, Words: math.NaN()}}, []string{"/Vectors/Memory", "/Vectors/Words"}},
		{Options{Embedders: map[string]Embedder{"own": nil}}, []string{"/Embedders"}},
	} {
		dir := t.TempDir() + "/data"
		e, err := Open(dir, &c.o)
		if err == nil {
			t.Errorf("%+v: no error", c.o)
			e.Close()
			continue
		}
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v, want an InvalidError", c.o, err)
			continue
		}
		var got []string
		for _, p := range invalid.Problems {
			got = append(got, p.Pointer)
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%+v: problems at %q, want %q", c.o, got, c.want)
		}
		if _, err := Open(dir, &Options{ReadOnly: true}); err == nil {
			t.Errorf("%+v: a directory was made", c.o)
		}
	}
	e := newEngine(t, &Options{Memory: leastMemory, MinFreeBytes: -1})
	if e.Limits().Hits != 1000 {
		t.Errorf("limits %+v", e.Limits())
	}
}

// TestNegativeLimits: a number that must not be negative is told so, in the
// words of the number that is meant.
func TestNegativeLimits(t *testing.T) {
	e := newEngine(t, nil)
	ctx := context.Background()
	if _, err := e.CreateIndex(ctx, "i", Schema{Fields: []Field{{Name: "brand", Type: Keyword, Facet: true, Filter: true}}}); err != nil {
		t.Fatal(err)
	}
	search := func(r Request) error { _, err := e.Search(ctx, &r); return err }
	_, suggested := e.Suggest(ctx, &SuggestRequest{Query: "a", Limit: -1})
	for _, c := range []struct {
		err     error
		pointer string
	}{
		{search(Request{Timeout: -1}), "/timeout_ms"},
		{search(Request{Query: "a", Limit: -1, Ranking: RankingBM25, Timeout: -time.Second}), "/timeout_ms"},
		{search(Request{Facets: []FacetRequest{{Field: "brand", Limit: -1}}}), "/facets/0/limit"},
		{search(Request{Group: &GroupRequest{Field: "brand", Limit: -1}}), "/group/limit"},
		{search(Request{Offset: -1}), "/offset"},
		{suggested, "/limit"},
	} {
		var invalid *InvalidError
		if !errors.As(c.err, &invalid) || len(invalid.Problems) != 1 || invalid.Problems[0].Pointer != c.pointer || invalid.Problems[0].Code != CodeInvalidRequest {
			t.Errorf("%v, want one problem at %s", c.err, c.pointer)
		}
	}
}

// TestEmptyIDs: an empty id is an error; one that is left out is made, and told
// by Apply.
func TestEmptyIDs(t *testing.T) {
	e := newEngine(t, nil)
	ctx := context.Background()
	type named struct{ ID, Title string }
	type maybe struct {
		ID    string `json:"id,omitempty"`
		Title string
	}
	n, err := Bind[named](ctx, e, "named", nil)
	if err != nil {
		t.Fatal(err)
	}
	var invalid *InvalidError
	if err := n.Put(ctx, named{"1", "a"}, named{"", "b"}); !errors.As(err, &invalid) || invalid.Problems[0].Position != 1 {
		t.Errorf("an empty id: %v, want an InvalidError of record 1", err)
	}
	m, err := Bind[maybe](ctx, e, "maybe", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Put(ctx, maybe{Title: "a"}); err != nil {
		t.Errorf("an id that is left out: %v", err)
	}
	var b Batch
	if err := m.Add(&b, maybe{Title: "b"}); err != nil {
		t.Fatal(err)
	}
	res, err := e.Apply(ctx, &b)
	if err != nil || len(res.IDs) != 1 || res.IDs[0] == "" {
		t.Fatalf("%+v, %v", res, err)
	}
	if got, err := m.Get(ctx, res.IDs[0]); err != nil || got.Title != "b" || got.ID != res.IDs[0] {
		t.Errorf("the record of the id that was made: %+v, %v", got, err)
	}
}
