package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/internal/segment"
)

// A record that is refused leaves no fields behind, whatever else its batch does.
func TestRefusedRecordsAddNoFields(t *testing.T) {
	d := newDisk(t, Options{Limits: Limits{IndexFields: 4}})
	b := &Batch{Partial: true}
	b.Put("i", []byte(`{"id":"1","a":1,"wrong":{},"late":"x","id2":[1,"x"]}`))
	b.Put("i", []byte(`{"id":"2","late":5,"a":2.5}`))
	b.Put("i", []byte(`{"id":"3","b":"some text","id":["x"]}`))
	b.Put("i", []byte(`{"id":"4","c":"some text","a":1}`))
	b.Put("i", []byte(`{"id":"5","d":"x","e":"x","f":"x","g":"x"}`))
	b.Put("i", []byte(`{"id":"6","h":"other text"}`))
	res := apply(t, d.e, b)
	if res.Put != 3 || res.Failed != 3 {
		t.Errorf("%+v", res)
	}
	d.states("i", func(t *testing.T, e *Engine) {
		info, err := e.Index("i")
		if err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, f := range info.Schema.Fields {
			fields = append(fields, f.Name+" "+f.Type.String())
		}
		if got := strings.Join(fields, ", "); got != "late int, a float, c text, h text" {
			t.Errorf("fields %s", got)
		}
		for q, want := range map[string]string{"some": "4", "other": "6", "text": "4 6"} {
			if got := sortWords(idsOf(find(t, e, &Request{Query: q}))); got != want {
				t.Errorf("%s: %s, want %s", q, got, want)
			}
		}
	})
}

// More fields that are searched than a segment can have are refused, before
// anything is written.
func TestSearchedFieldsAreLimited(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{Limits: Limits{IndexFields: 1 << 15}})
	s := Schema{Dynamic: true}
	for i := range segment.MaxTextFields {
		s.Fields = append(s.Fields, Field{Name: fmt.Sprint("f", i), Type: Text, Search: true})
	}
	create(t, d.e, "i", s)
	apply(t, d.e, puts("i", fmt.Sprintf(`{"id":"1","f0":"some text","f%d":"more text"}`, segment.MaxTextFields-1)))
	_, err := d.e.Apply(ctx, puts("i", `{"id":"2","more":"text"}`))
	wantProblem(t, err, CodeLimitExceeded, "/record/more")
	apply(t, d.e, puts("i", `{"id":"2","number":5}`))
	s.Fields = append(s.Fields, Field{Name: "more", Type: Text, Search: true})
	_, err = d.e.CreateIndex(ctx, "j", s)
	wantProblem(t, err, CodeLimitExceeded, "/fields")
	if err := d.e.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	d.reopen()
	if n := find(t, d.e, &Request{Query: "text", Limit: -1}).Total; n != 1 {
		t.Errorf("%d records found", n)
	}
}

// The records that patches make count towards the size of a batch.
func TestPatchesCountTheirRecords(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{BatchBytes: 100}})
	long := strings.Repeat("x", 40)
	apply(t, e, puts("i", `{"id":"1","t":"`+long+`"}`))
	patch := func(times int) *Batch {
		b := &Batch{}
		for n := range times {
			b.Patch("i", "1", fmt.Appendf(nil, `{"n":%d}`, n))
		}
		return b
	}
	if _, err := e.Apply(ctx, patch(1)); err != nil {
		t.Error(err)
	}
	_, err := e.Apply(ctx, patch(2))
	if inv := wantProblem(t, err, CodeLimitExceeded, "/record"); inv != nil && inv.Problems[0].Position != 1 {
		t.Errorf("%+v", inv.Problems)
	}
	apply(t, e, puts("i", `{"id":"2","t":"`+long+`"}`))
	// A patch by a filter that does not fit leaves room for others.
	b := &Batch{Partial: true, Ops: []Op{{Kind: OpPatchWhere, Index: "i", Filter: `t = "` + long + `"`, Record: []byte(`{"n":3}`)}}}
	b.Patch("i", "2", []byte(`{"n":4}`))
	res := apply(t, e, b)
	if res.Failed != 1 || res.Patched != 1 || res.Errors[0].Pointer != "/filter" || res.Errors[0].Position != 0 {
		t.Errorf("%+v", res)
	}
	for id, want := range map[string]string{"1": "0", "2": "4"} {
		rec, err := e.Record(ctx, "i", id)
		if err != nil || !strings.Contains(string(rec.JSON), `"n":`+want) {
			t.Errorf("record %s: %s, %v", id, rec.JSON, err)
		}
	}
}
