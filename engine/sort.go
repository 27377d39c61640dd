package engine

import (
	"fmt"
	"math"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/geo"
	"github.com/quarry-search/quarry/engine/internal/page"
)

// scoreKey is the name of the score among sort keys.
const scoreKey = "_score"

// sortKey is a sort key bound to an index.
type sortKey struct {
	score   bool // the score in place of a field
	desc    bool
	columns []uint16 // of the field
	from    *geo.Point
}

// sortKeys binds the sort keys of the request to an index.
func (s *searcher) sortKeys(run *searchRun) ([]sortKey, error) {
	var p problems
	out := make([]sortKey, len(s.req.Sort))
	for i, k := range s.req.Sort {
		out[i] = sortKey{score: k.Field == scoreKey, desc: k.Desc}
		if k.Field == scoreKey {
			continue
		}
		at := fmt.Sprintf("/sort/%d", i)
		n, ok := run.iv.schema.byName[k.Field]
		if !ok && s.known(k.Field) {
			continue // its records come last
		}
		if !ok {
			detail := s.noField(k.Field)
			if field, direction, _ := strings.Cut(k.Field, " "); s.known(field) && (strings.EqualFold(direction, "asc") || strings.EqualFold(direction, "desc")) {
				detail = fmt.Sprintf("a direction stands behind a colon, as in %q", field+":"+strings.ToLower(direction))
			}
			p.addf(CodeInvalidSort, at, "%s", detail)
			continue
		}
		f := &run.iv.schema.Fields[n]
		switch {
		case !f.Sort:
			p.addf(CodeNotSortable, at, "%sthe field %q cannot be sorted by; set sort in the schema", s.of(run.name), k.Field)
		case (f.Type == Geo) != (k.From != nil):
			p.addf(CodeInvalidSort, at, "%s%s", s.of(run.name), wrongGeoSort(f))
		}
		out[i].columns = run.iv.schema.columnsOf(n)
		if k.From != nil {
			out[i].from = &geo.Point{Lat: k.From.Lat, Lon: k.From.Lon}
		}
	}
	return out, p.orNil()
}

// keyValue is a SortValue whose text still belongs to a column.
type keyValue struct {
	missing bool
	i       int64
	f       float64
	s       []byte
}

func (v *keyValue) sortValue() SortValue {
	return SortValue{Missing: v.missing, Int: v.i, Float: v.f, Str: string(v.s)}
}

// value is the value that a document sorts by: of several the least when
// ascending, the greatest when descending.
func (k *sortKey) value(c *page.Chunk, place int) (keyValue, error) {
	var best page.Value
	found := false
	for _, number := range k.columns {
		col, err := c.Column(number)
		if err != nil {
			return keyValue{}, err
		}
		if col == nil {
			continue
		}
		if k.from != nil {
			meters, ok := col.Nearest(*k.from, place)
			return keyValue{missing: !ok, f: meters}, nil
		}
		if v, ok := col.Extreme(place, k.desc); ok && (!found || (compareValues(v, best) < 0) != k.desc) {
			best, found = v, true
		}
	}
	if !found {
		return keyValue{missing: true}, nil
	}
	return keyOfValue(best), nil
}

// beyondInts is the text of the sort value of 2^63, one more than the greatest
// integer, which no Float and no Int tells apart from it.
var beyondInts = []byte("+")

// keyOfValue makes a sort value. Int and float columns of one field compare by
// Float, then by Int, which is exact where the floats are equal but for 2^63.
func keyOfValue(v page.Value) keyValue {
	switch v.Kind {
	case page.KindKeyword:
		return keyValue{s: v.Str}
	case page.KindFloat:
		k := keyValue{f: v.Float, i: truncated(v.Float)}
		if v.Float == 1<<63 {
			k.s = beyondInts
		}
		return k
	}
	return keyValue{i: v.Int, f: float64(v.Int)}
}

// bound makes of a sort value a bound for columns of a kind: no bound where
// values of the kind are ordered otherwise.
func (v *SortValue) bound(k page.Kind) page.Bound {
	switch {
	case v.Missing:
	case k == page.KindKeyword:
		if v.Int == 0 && v.Float == 0 {
			return page.At(page.KeywordValue([]byte(v.Str)))
		}
	case v.Str == "" && float64(v.Int) == v.Float:
		return page.At(page.IntValue(v.Int))
	case v.Str == "" || v.Float == 1<<63:
		return page.At(page.FloatValue(v.Float))
	}
	return page.Bound{}
}

// truncated is the integer part of f, or the nearest 64-bit integer to it.
func truncated(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < -1<<63:
		return math.MinInt64
	}
	return int64(f)
}

// compareSort orders two values of a key: -1 if a comes first.
func compareSort(a, b SortValue, desc bool) int {
	return compareKey(&keyValue{missing: a.Missing, i: a.Int, f: a.Float, s: []byte(a.Str)}, &b, desc)
}

func compareKey(a *keyValue, b *SortValue, desc bool) int {
	switch {
	case a.missing && b.Missing:
		return 0
	case a.missing:
		return 1
	case b.Missing:
		return -1
	}
	c := cmpOrdered(a.f, b.Float)
	if c == 0 {
		c = cmpOrdered(a.i, b.Int)
	}
	if c == 0 && (len(a.s) > 0 || b.Str != "") {
		c = strings.Compare(string(a.s), b.Str)
	}
	if desc {
		return -c
	}
	return c
}
