package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestBatchMakesManyIndexes: a batch makes the indexes that it puts records into, each with
// the language of its own records wherever they stand in the batch; of too many, those that come after the limit are refused by name.
func TestBatchMakesManyIndexes(t *testing.T) {
	texts := map[string]string{
		"de": "Der Mann war im Haus, als die Frau mit den Kindern aus der Stadt kam, und ich weiß nicht, ob jemand dieses Auto kaufen will, das vor der Tür steht. ",
		"es": "El hombre estaba en la casa cuando la mujer llegó de la ciudad con sus hijos. No sé si hay alguien que quiera comprar este coche que está en la puerta. ",
		"":   "The man was in the house when the woman came from the city with her children. I do not know whether anybody wants to buy the car that is at the door. ",
	}
	const indexes = 30
	e := newEngine(t, &Options{Limits: Limits{Indexes: indexes}})
	var b Batch
	want := map[string]string{}
	for n := range 3 {
		for i := range indexes {
			name := fmt.Sprintf("new-%02d", i)
			want[name] = []string{"de", "es", ""}[i%3]
			b.Put(name, fmt.Appendf(nil, `{"id":"%d","text":%q}`, n, texts[want[name]]))
			b.Delete(name, "9")
		}
	}
	res, err := e.Apply(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.IndexesCreated) != indexes || res.Put != 3*indexes || res.Deleted != 0 {
		t.Errorf("%d indexes made, %d records put, %d deleted", len(res.IndexesCreated), res.Put, res.Deleted)
	}
	for name, language := range want {
		if info, err := e.Index(name); err != nil || info.Schema.Language != language || info.Records != 3 {
			t.Errorf("%s: language %q with %d records, %v; want %q", name, info.Schema.Language, info.Records, err, language)
		}
	}

	many := newEngine(t, &Options{Limits: Limits{Indexes: indexes}})
	b = Batch{Partial: true}
	b.Put("broken", []byte(`{"id":`)) // makes no index, so it takes the place of none
	for i := range 3 * indexes {
		b.Put(fmt.Sprintf("new-%02d", i), []byte(`{"id":"1"}`))
	}
	res, err = many.Apply(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	if res.Put != indexes || res.Failed != 2*indexes+1 || len(many.Indexes()) != indexes {
		t.Errorf("%d records put, %d failed, %d indexes; want %d, %d, %d", res.Put, res.Failed, len(many.Indexes()), indexes, 2*indexes+1, indexes)
	}
	for _, p := range res.Errors[1:] {
		if p.Code != CodeLimitExceeded || p.Pointer != "/index" || p.Position <= indexes || !strings.Contains(p.Detail, "30 indexes") {
			t.Errorf("refused with %+v", p)
			break
		}
	}

	b.Partial = false
	var inv *InvalidError
	if _, err := newEngine(t, &Options{NoAutoCreate: true}).Apply(t.Context(), &b); !errors.As(err, &inv) || inv.Total != 3*indexes+1 || inv.Problems[1].Code != CodeIndexNotFound {
		t.Errorf("indexes are not made, and a batch for new ones fails with %v", err)
	}
}

// TestIndexMadeWhileABatchIsPrepared: an index that was not there when a batch was prepared
// that only deletes from it, and that is there when its turn comes, loses the record.
func TestIndexMadeWhileABatchIsPrepared(t *testing.T) {
	e := newEngine(t, nil)
	var b Batch
	b.Delete("i", "1")
	w := &batchWork{e: e, ctx: t.Context(), batch: &b}
	schemas, err := w.schemas()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.prepare(schemas); err != nil {
		t.Fatal(err)
	}
	apply(t, e, puts("i", `{"id":"1"}`, `{"id":"2"}`))
	e.mu.Lock()
	stale := w.stale()
	e.mu.Unlock()
	if !stale {
		t.Error("what was prepared for an index that was not there is taken for good")
	}
	if res, err := w.run(); err != nil || res.Deleted != 1 {
		t.Errorf("deleted %+v, %v", res, err)
	}
}
