package engine

import (
	"slices"
	"testing"
)

// TestVietnamese: words with accents find what has these; words without find what has any, also
// those of two letters; both places of a tone are one.
func TestVietnamese(t *testing.T) {
	e := newEngine(t, nil)
	create(t, e, "vi", Schema{Language: "vi", Dynamic: true})
	apply(t, e, puts("vi",
		`{"id":"1","t":"tôi muốn đi Hà Nội"}`, `{"id":"2","t":"cho mượn sách"}`, `{"id":"3","t":"đến muộn rồi"}`,
		`{"id":"4","t":"muôn năm"}`, `{"id":"5","t":"cà phê đá"}`, `{"id":"6","t":"hòa bình"}`, `{"id":"7","t":"hoà nhạc"}`,
		`{"id":"8","t":"rửa bát"}`, `{"id":"9","t":"rùa biển"}`))
	for query, want := range map[string]string{
		"muon": "1 2 3 4", "muốn": "1", "muon sach": "2", "ha noi": "1", "HÀ NỘI": "1", "ca": "5", "ca phe da": "5",
		"hoa": "6 7", "hòa": "6 7", "hoà": "6 7", "rua": "8 9", "rửa": "8", "rùa": "9", "+muon +sach": "2",
	} {
		if got := sortWords(idsOf(find(t, e, &Request{Query: query, Match: MatchAll, Prefix: PrefixOff}))); got != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}

// TestCompoundsOfOptions: what is remembered of compounds is not asked of requests for which other words
// are filler.
func TestCompoundsOfOptions(t *testing.T) {
	records := []string{
		`{"t":"Der Hof liegt hinter dem Haus"}`, `{"t":"Die Schuhe der Kinder"}`, `{"t":"Ein Hund"}`, `{"t":"Das Dach über dem Kopf"}`,
		`{"t":"Welches Jahr"}`, `{"t":"ohne Sorgen leben"}`, `{"t":"Haben Seite"}`,
	}
	open := func() *Engine {
		e := newEngine(t, nil)
		create(t, e, "de", Schema{Language: "de", Dynamic: true})
		apply(t, e, puts("de", records...))
		return e
	}
	titles := func(e *Engine, r Request) (out []string) {
		for _, h := range find(t, e, &r).Hits {
			out = append(out, string(h.Record[len(h.Record)-20:]))
		}
		return out
	}
	for _, query := range []string{"Kinderschuhe", "Hinterhof", "Habenseite", "Überdach", "Ohnesorgen"} {
		for _, r := range []Request{{NoStopWords: true}, {Language: "none"}, {Language: "fr"}} {
			r.Query = query
			want := titles(open(), r)
			e := open()
			titles(e, Request{Query: query})
			if got := titles(e, r); !slices.Equal(got, want) {
				t.Errorf("%q in %q, %v: %q after another request, and %q by itself", query, r.Language, r.NoStopWords, got, want)
			}
		}
	}
}

// TestFailedOperationKeepsTheOrder: that an operation fails for a condition changes nothing of what
// the others bring.
func TestFailedOperationKeepsTheOrder(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("i", `{"id":"r0","t":"a"}`))
	res, err := e.Apply(t.Context(), &Batch{Partial: true, Ops: []Op{
		{Kind: OpPutNew, Index: "i", ID: "a", Record: []byte(`{"x":"abc"}`)},
		{Kind: OpPut, Index: "i", ID: "b", Record: []byte(`{"x":1}`)},
		{Kind: OpPutNew, Index: "i", ID: "r0", Record: []byte(`{"z":1}`)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Put != 2 || res.Failed != 1 {
		t.Errorf("%d records put and %d operations failed, want 2 and 1: %+v", res.Put, res.Failed, res.Errors)
	}
}
