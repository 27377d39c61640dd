package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzDecodeLogEntry(f *testing.F) {
	f.Add([]byte{})
	f.Add(logEntry{Time: time.UnixMicro(1700000000000000), Base: 70000, Docs: 3, Fields: 2, Killed: []uint32{1, 69999, 70001}}.encode())
	f.Add(logEntry{Killed: []uint32{1<<32 - 1}}.encode())
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := decodeLogEntry(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%x: %v is not ErrCorrupt", b, err)
			}
			return
		}
		again, err := decodeLogEntry(l.encode())
		if err != nil || !again.Time.Equal(l.Time) || again.Base != l.Base || again.Docs != l.Docs || again.Fields != l.Fields || !slices.Equal(again.Killed, l.Killed) {
			t.Fatalf("%x is %+v, which encodes to %+v (%v)", b, l, again, err)
		}
	})
}

func FuzzDecodeIDEntry(f *testing.F) {
	f.Add(appendIDEntry(nil, 7, 1<<40))
	f.Add([]byte("too short"))
	f.Fuzz(func(t *testing.T, b []byte) {
		doc, version, err := decodeIDEntry(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%x: %v is not ErrCorrupt", b, err)
			}
			return
		}
		if again := appendIDEntry(nil, doc, version); !bytes.Equal(again, b) {
			t.Fatalf("%x encodes to %x", b, again)
		}
	})
}

func FuzzDecodeSchema(f *testing.F) {
	half := 0.5
	s := shopSchema()
	s.Fields[0].B, s.Fields[1].Language, s.Fields[1].Analyzer = &half, "de", "code"
	s.Fields[4].inferred, s.Fields[4].widened = true, true
	f.Add(encodeSchema(&s))
	f.Add(encodeSchema(&Schema{PrimaryKey: "sku", Language: "none", Dynamic: true, Hidden: true}))
	f.Add([]byte(`{"fields":[{"name":"a","type":"none"}]}`))
	f.Add([]byte(`{"format":"x"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := decodeSchema(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s: %v is not ErrCorrupt", b, err)
			}
			return
		}
		if s.validate(Limits{}.orDefaults(), ownAnalyzers[:]) != nil {
			return // no schema that was stored
		}
		first := encodeSchema(s)
		again, err := decodeSchema(first)
		if err != nil || !bytes.Equal(encodeSchema(again), first) {
			t.Fatalf("%s decodes to %+v and then to %+v (%v)", b, s, again, err)
		}
		if _, err := compile(again, nil, nil); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
	})
}

func FuzzDecodeManifest(f *testing.F) {
	f.Add(manifest{Flushed: 3, NextDoc: 9, NextPart: 2, Segments: []segmentDesc{{ID: 1, Bytes: 100}}, Chunks: []chunkDesc{{ID: 2, Len: 9}}, Stats: stats{Docs: 9, Fields: []fieldStat{{9, 90}}}}.encode())
	f.Add([]byte(`{"segments":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m manifest
		if err := decodeJSON("manifest", b, &m); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s: %v is not ErrCorrupt", b, err)
			}
			return
		}
		var again manifest
		if err := decodeJSON("manifest", m.encode(), &again); err != nil || !bytes.Equal(again.encode(), m.encode()) {
			t.Fatalf("%s: %+v, then %+v (%v)", b, m, again, err)
		}
	})
}

// FuzzRecord puts any bytes as a record. Either the record is refused with the
// reason, and nothing changes, or it is stored and read back as it was.
func FuzzRecord(f *testing.F) {
	addRecords(f)
	var e *Engine // of some inputs; each has an index of its own
	f.Cleanup(func() {
		if e != nil {
			e.Close()
		}
	})
	inputs := 0
	f.Fuzz(func(t *testing.T, record []byte, dynamic bool) {
		if inputs++; inputs%500 == 0 {
			checkAndClose(t, e)
			e = nil
		}
		if e == nil {
			var err error
			if e, err = Open("", nil); err != nil {
				t.Fatal(err)
			}
		}
		defer func() { // also when the test has failed: the next input makes it again
			if err := e.DeleteIndex(context.Background(), "i"); err != nil {
				t.Error(err)
			}
		}()
		if id := putAny(t, e, record, dynamic); id != "" {
			readAny(t, e, id, record)
		}
	})
}

// FuzzRecordReplay is FuzzRecord with a crash after it: when the log is
// replayed, the record is taken apart as it was.
func FuzzRecordReplay(f *testing.F) {
	addRecords(f)
	f.Fuzz(func(t *testing.T, record []byte, dynamic bool) {
		d := newDisk(t, Options{})
		id := putAny(t, d.e, record, dynamic)
		if id == "" {
			return
		}
		before := readAny(t, d.e, id, record)
		d.crash()
		after := readAny(t, d.e, id, record)
		if after.Total != before.Total || !equalJSON(before.Facets, after.Facets) {
			t.Fatalf("%q: facets %+v, before %+v", record, after.Facets, before.Facets)
		}
	})
}

// addRecords adds seeds: texts of records, and whether new fields become known.
func addRecords(f *testing.F) {
	for _, r := range shopRecords {
		f.Add([]byte(r), false)
	}
	for _, r := range []string{
		`{"id":[]}`, `{"id":{"id":1}}`, `{"":{"id":"x"}}`, `{"id":"a","x":[1,[2,{"y":3.5}],null,"z"]}`, `{"id":1e1}`, `{"a.b":1,"a":{"b":2}}`,
		`{"id":"1","d":"2020-01-01","n":9007199254740993,"n2":-0.0}`, "{\"id\":\"\\u0000\"}", `{"id":"1","t":"日本語 ทดสอบ 👩‍👩‍👧"}`, `[]`, ``, `{"a":1}x`,
		`{"x":"\ud83d\ude00","y":1E+2,"z":123456789012345678901}`, `{"t":1.5,"t2":true}`, `{"text":["a",2,true,{"b":[]}]}`,
	} {
		f.Add([]byte(r), true)
	}
}

// putAny creates the index i and puts a record that is in order and one of any
// bytes. It returns the id of the second, empty if it was refused.
func putAny(t *testing.T, e *Engine, record []byte, dynamic bool) string {
	t.Helper()
	s := inputSchema()
	s.Dynamic = dynamic
	create(t, e, "i", s)
	version := e.Version()
	b := &Batch{}
	b.Put("i", []byte(`{"id":"first","text":"a first record","n":1}`))
	b.Put("i", record)
	res, err := e.Apply(context.Background(), b)
	if err != nil {
		var inv *InvalidError
		if !errors.As(err, &inv) || e.Version() != version {
			t.Fatalf("%q: %v, version %d, before %d", record, err, e.Version(), version)
		}
		return ""
	}
	if !json.Valid(record) || !utf8.Valid(record) {
		t.Fatalf("%q was stored and is not JSON", record)
	}
	return res.IDs[1]
}

// readAny holds what is stored under an id to the record that was put, checks
// the engine, and returns what a search finds.
func readAny(t *testing.T, e *Engine, id string, record []byte) *Result {
	t.Helper()
	ctx := context.Background()
	rec, err := e.Record(ctx, "i", id)
	if err != nil {
		t.Fatalf("%q: %v", record, err)
	}
	if !bytes.Equal(rec.JSON, record) && !json.Valid(rec.JSON) {
		t.Fatalf("%q was stored as %q", record, rec.JSON)
	}
	var given, stored map[string]any
	if json.Unmarshal(record, &given); given["id"] != nil && !bytes.Equal(rec.JSON, record) {
		t.Fatalf("%q has an id and was stored as %q", record, rec.JSON)
	}
	if err := json.Unmarshal(rec.JSON, &stored); err != nil || len(stored) < len(given) {
		t.Fatalf("%q was stored as %q (%v)", record, rec.JSON, err)
	}
	if err := e.Check(ctx); err != nil {
		t.Fatalf("%q: %v", record, err)
	}
	return find(t, e, &Request{Facets: []FacetRequest{{Field: "key"}, {Field: "int"}, {Field: "float"}}})
}

func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// FuzzRequest sends any texts as query, filter and sort key. The answer is a
// result that agrees with itself, or an *InvalidError.
func FuzzRequest(f *testing.F) {
	for _, q := range []string{"red shoes", `"running shoes" -hat`, "title:(a OR b) AND price:[1 TO 2}", "sho*", "東京", "a^0.5 b~2", `+"`, "((((", "NOT", "-", "*:*", "price:>3 brand:Nike", "\x00\xff"} {
		for i, filter := range []string{"", `brand = "Nike" AND NOT price > 3`, "tags IN [\"a\"", "price 1..2 OR EMPTY since", "geo(x,1,2,3km)", "stock = 1 OR stock != 9007199254740993", "new = true", `since > "2024"`} {
			f.Add(q, filter, []string{"price", "_score", "brand", "nothing"}[i%4], uint8(i*37))
		}
	}
	e, err := Open("", &Options{Limits: Limits{QueryTerms: 10, FilterOps: 20}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { e.Close() })
	ctx := context.Background()
	if _, err := e.CreateIndex(ctx, "shop", shopSchema()); err != nil {
		f.Fatal(err)
	}
	if _, err := e.Apply(ctx, puts("shop", shopRecords...)); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, q, filter, key string, bits uint8) {
		r := &Request{
			Query: q, Filter: filter, Syntax: Syntax(bits & 1), Match: Match(bits >> 1 & 3), Prefix: Prefix(bits >> 3 & 3), Ranking: Ranking(bits >> 5 & 1),
			Explain: true, Highlight: &HighlightRequest{Words: 3}, Facets: []FacetRequest{{Field: "brand"}, {Field: "price"}}, Limit: 3,
		}
		if bits>>6&1 == 1 {
			r.Sort = []SortKey{{Field: key, Desc: bits>>7 == 1}}
		}
		total, seen := int64(-1), map[string]bool{}
		for {
			res, err := e.Search(ctx, r)
			var inv *InvalidError
			if errors.As(err, &inv) && total < 0 {
				return
			}
			if err != nil {
				t.Fatalf("%q %q: %v", q, filter, err)
			}
			if total >= 0 && res.Total != total {
				t.Fatalf("%q %q: total %d on one page and %d on another", q, filter, total, res.Total)
			}
			total = res.Total
			for _, h := range res.Hits {
				sum := 0.0
				for _, p := range h.Explain.Parts {
					sum += p.Score
				}
				if seen[h.ID] || sum != h.Score {
					t.Fatalf("%q %q: hit %s (again: %t) has score %v and parts of %v", q, filter, h.ID, seen[h.ID], h.Score, sum)
				}
				seen[h.ID] = true
			}
			if r.After = res.Next; r.After == nil {
				break
			}
		}
		if int64(len(seen)) != total {
			t.Fatalf("%q %q: %d hits by pages of a total of %d", q, filter, len(seen), total)
		}
	})
}
