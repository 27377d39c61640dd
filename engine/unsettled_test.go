package engine

import (
	"context"
	"errors"
	"testing"
)

// TestWriteThatFailsBehindTheLog: a batch that is in the log but cannot be made
// visible is told apart from those that have changed nothing.
func TestWriteThatFailsBehindTheLog(t *testing.T) {
	ctx := context.Background()
	d := newDisk(t, Options{})
	apply(t, d.e, puts("i", `{"id":"1","t":"red"}`, `{"id":"2","t":"blue"}`))
	// The view is made to disagree with what writers know, as damage would.
	if err := d.e.publish(nil, nil, func(v *view) error {
		iv := v.indexes["i"].clone()
		v.indexes["i"] = iv
		return iv.count(nil, []uint32{0})
	}); err != nil {
		t.Fatal(err)
	}
	_, err := d.e.Apply(ctx, &Batch{Ops: []Op{{Kind: OpDelete, Index: "i", ID: "1"}, {Kind: OpPut, Index: "i", Record: []byte(`{"id":"new"}`)}}})
	if !errors.Is(err, ErrUnsettled) || !errors.Is(err, ErrCorrupt) {
		t.Errorf("the batch fails with %v, want ErrUnsettled for ErrCorrupt", err)
	}
	if _, err := d.e.Apply(ctx, puts("i", `{"id":"later"}`)); err == nil || errors.Is(err, ErrUnsettled) {
		t.Errorf("the next batch, which is in no log, fails with %v", err)
	}
	if err := d.e.PutRows(ctx, []Row{{Key: "k", Value: []byte("v")}}); err == nil || errors.Is(err, ErrUnsettled) {
		t.Errorf("rows after it fail with %v", err)
	}
	d.reopen()
	for id, there := range map[string]bool{"1": false, "2": true, "new": true, "later": false} {
		if _, err := d.e.Record(ctx, "i", id); (err == nil) != there {
			t.Errorf("opened again, record %s: %v, want it there: %t", id, err, there)
		}
	}
}
