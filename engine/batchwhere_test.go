package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func patchWhere(index, filter, patch string) Op {
	return Op{Kind: OpPatchWhere, Index: index, Filter: filter, Record: []byte(patch)}
}

func TestPatchWhere(t *testing.T) {
	d := newDisk(t, Options{FlushRecords: 25})
	var b Batch
	for i := range 30 {
		b.Put("i", fmt.Appendf(nil, `{"id":"r%02d","n":%d,"k":"k%d"}`, i, i, i%3))
	}
	apply(t, d.e, &b)
	res := apply(t, d.e, &Batch{Ops: []Op{
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r00","n":100}`)}, // leaves the filter
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r99","n":1}`)},   // comes into it
		{Kind: OpDelete, Index: "i", ID: "r02"},
		patchWhere("i", "n < 5", `{"n":50,"k":null,"seen":"yes"}`), // r01, r03, r04, r99
		patchWhere("i", "n = 50", `{"n":51}`),                      // the same again
		patchWhere("i", "n = 7777", `{"n":1}`),                     // none
		{Kind: OpDeleteWhere, Index: "i", Filter: `seen = "yes" AND n = 51`},
		{Kind: OpPut, Index: "i", Record: []byte(`{"id":"r04","n":4}`)},
		patchWhere("i", "n >= 4 AND n < 7", `{"n":-1}`), // r04, r05, r06
	}})
	if res.Patched != 4+4+3 || res.Put != 3 || res.Deleted != 1+4 {
		t.Errorf("patched %d, put %d, deleted %d", res.Patched, res.Put, res.Deleted)
	}
	if res.IDs[3] != "" {
		t.Errorf("id of a patch by filter: %q", res.IDs[3])
	}
	d.states("i", func(t *testing.T, e *Engine) {
		if got := filtered(t, e, "i", "n = -1"); got != "r04 r05 r06" {
			t.Errorf("patched: %q", got)
		}
		rec, err := e.Record(context.Background(), "i", "r05")
		if err != nil || string(rec.JSON) != `{"id":"r05","n":-1,"k":"k2"}` || rec.Version != res.Version {
			t.Errorf("r05 is %s of version %d, %v", rec.JSON, rec.Version, err)
		}
		if info, _ := e.Index("i"); info.Records != 31-5+1 {
			t.Errorf("%d records", info.Records)
		}
	})
}

// TestPatchWhereKeepsTheOrder: records that one operation patches come newest
// first in the order that they had, whatever else is in the batch.
func TestPatchWhereKeepsTheOrder(t *testing.T) {
	e := newEngine(t, nil)
	apply(t, e, puts("i", `{"id":"a","n":1}`, `{"id":"b","n":1}`, `{"id":"c","n":1}`))
	b := puts("i", `{"id":"z","n":1}`, `{"id":"y","n":1}`)
	b.Ops = append(b.Ops, patchWhere("i", "n = 1", `{"n":2}`))
	apply(t, e, b)
	first := idsOf(find(t, e, &Request{}))
	for range 5 {
		apply(t, e, &Batch{Ops: []Op{patchWhere("i", "n = 2", `{"n":2}`)}})
		if again := idsOf(find(t, e, &Request{})); again != first {
			t.Errorf("order %q became %q", first, again)
		}
	}
}

func TestPatchWhereMistakes(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, &Options{Limits: Limits{BatchOps: 10, BatchBytes: 2000, RecordBytes: 1000}})
	create(t, e, "i", Schema{Fields: []Field{{Name: "n", Type: Int, Filter: true}, {Name: "t", Type: Text, Filter: true}}})
	for i := range 20 {
		apply(t, e, puts("i", fmt.Sprintf(`{"id":"r%02d","n":%d}`, i, i)))
	}
	long := fmt.Sprintf(`{"t":%q}`, strings.Repeat("x", 300))
	for _, c := range []struct {
		op            Op
		code, pointer string
	}{
		{patchWhere("i", "", `{"n":1}`), CodeInvalidFilter, "/filter"},
		{patchWhere("i", "n <", `{"n":1}`), CodeInvalidFilter, "/filter"},
		{patchWhere("i", "m = 1", `{"n":1}`), CodeUnknownField, "/filter"},
		{patchWhere("i", "n = 1", `[1]`), CodeInvalidRequest, "/record"},
		{patchWhere("i", "n = 1", `{"n":`), CodeMalformedJSON, "/record"},
		{patchWhere("i", "n = 1000", `{"n"`), CodeMalformedJSON, "/record"},
		{patchWhere("i", "n = 1", `{"n":"one"}`), CodeInvalidFieldType, "/record/n"},
		{patchWhere("i", "n = 1", `{"id":"other"}`), CodeInvalidRequest, "/record/id"},
		{patchWhere("i", "n < 11", `{"n":1}`), CodeLimitExceeded, "/filter"},
		{patchWhere("i", "n < 8", long), CodeLimitExceeded, "/filter"},
		{patchWhere("none", "n = 1", `{"n":1}`), CodeIndexNotFound, "/index"},
	} {
		_, err := e.Apply(ctx, &Batch{Ops: []Op{c.op}})
		wantProblem(t, err, c.code, c.pointer)
		res, err := e.Apply(ctx, &Batch{Partial: true, Ops: []Op{
			{Kind: OpPatch, Index: "i", ID: "r19", Record: []byte(`{"n":19}`)}, c.op,
			patchWhere("i", "n = 19", `{"n":19}`),
		}})
		if err != nil || res.Failed != 1 || res.Patched != 2 || res.Errors[0].Code != c.code || res.Errors[0].Position != 1 {
			t.Errorf("%s, partial: %+v, %v", c.op.Filter, res, err)
		}
	}
	if got := filtered(t, e, "i", "n < 11"); len(strings.Fields(got)) != 11 {
		t.Errorf("what failed has changed something: %q", got)
	}
}
