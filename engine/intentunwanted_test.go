package engine

import (
	"fmt"
	"reflect"
	"testing"
)

// TestDenialsOverIndexes: what is denied is the same in one index and in several with its records.
func TestDenialsOverIndexes(t *testing.T) {
	e := newEngine(t, nil)
	for _, name := range []string{"one", "a", "b"} {
		create(t, e, name, Schema{Fields: []Field{
			{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "text", Type: Text, Search: true}, {Name: "kind", Type: Keyword, Facet: true},
		}})
	}
	var b Batch
	for i := range 400 {
		kind, to := "Other", "b"
		if i%50 == 0 {
			kind = "Chicken Breast"
		}
		if i%200 == 0 {
			to = "a"
		}
		record := fmt.Appendf(nil, `{"id":"%03d","title":"dinner %d","text":"good with chicken","kind":%q}`, i, i, kind)
		b.Put("one", record)
		b.Put(to, record)
	}
	apply(t, e, &b)
	for _, q := range []string{"dinner not chicken", "dinner without chicken", "chicken free dinner"} {
		one := find(t, e, &Request{Query: q, Indexes: []string{"one"}}).Query
		for _, names := range [][]string{{"a", "b"}, {"b", "a"}} {
			if several := find(t, e, &Request{Query: q, Indexes: names}).Query; !reflect.DeepEqual(one, several) {
				t.Errorf("%q in %q: %+v, in one index %+v", q, names, several, one)
			}
		}
		if len(one.Intent) == 0 {
			t.Errorf("%q denies nothing", q)
		}
	}
}
