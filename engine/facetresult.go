package engine

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/collect"
	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/tokenize"
)

func (c *facetCount) result() Facet {
	out := Facet{Missing: c.matches - c.present, Exact: true}
	for i, r := range c.req.Ranges {
		out.Ranges = append(out.Ranges, RangeCount{r, c.ranges[i]})
	}
	if !c.mixed && (c.typ == Int || c.typ == Float || c.typ == Date) {
		out.Stats = c.sums()
	}
	if len(c.req.Ranges) > 0 || c.req.Stats {
		return out
	}
	values := c.values()
	var best collect.Best[*facetValue]
	best.Reset(c.req.Limit, func(a, b *facetValue) bool {
		if c.req.Sort == FacetByCount && a.count != b.count {
			return a.count > b.count
		}
		return a.less(b)
	})
	for i := range values {
		out.Other += values[i].count
		best.Add(&values[i])
	}
	for _, v := range best.Items() {
		out.Other -= v.count
		out.Values = append(out.Values, FacetValue{v.plain(), v.count})
	}
	return out
}

// facetValue is a counted value: a number, or a word if kind is KindKeyword.
type facetValue struct {
	number
	word  string
	count int64
}

func (v *facetValue) plain() any {
	if v.kind == page.KindKeyword {
		return v.word
	}
	return v.number.plain()
}

// less orders the values of a facet: text by bytes, numbers by value. Those of
// different types, which only fields of several indexes have, stand by type.
func (v *facetValue) less(w *facetValue) bool {
	a, b := v.kind, w.kind
	if a == page.KindFloat {
		a = page.KindInt
	}
	if b == page.KindFloat {
		b = page.KindInt
	}
	switch {
	case a != b:
		return a < b
	case v.kind == page.KindKeyword:
		return v.word < w.word
	}
	return compareValues(v.value(), w.value()) < 0
}

// values returns what was counted and what Query of the request keeps of it.
func (c *facetCount) values() []facetValue {
	begins := beginsWord(c.req.Query)
	var out []facetValue
	for w, n := range c.words {
		if begins == nil || begins(w) {
			out = append(out, facetValue{number{kind: page.KindKeyword}, w, *n})
		}
	}
	for kind, m := range c.numbers {
		for key, n := range m {
			v := number{kind: page.Kind(kind), i: key}
			if v.kind == page.KindFloat {
				v = number{kind: v.kind, f: math.Float64frombits(uint64(key))}
			}
			if begins == nil || begins(v.text()) {
				out = append(out, facetValue{number: v, count: n})
			}
		}
	}
	return out
}

// sums makes statistics of the sums of integers and floats.
func (c *facetCount) sums() *FacetStats {
	unit := big.NewRat(1, 1)
	if c.typ == Date {
		unit = big.NewRat(1, 1e6)
	}
	var least, greatest *big.Rat
	s := &FacetStats{}
	for i := range c.stats {
		st := &c.stats[i]
		if st.Count == 0 {
			continue
		}
		if v := exactNumber(st.Min); least == nil || v.Cmp(least) < 0 {
			least = v
		}
		if v := exactNumber(st.Max); greatest == nil || v.Cmp(greatest) > 0 {
			greatest = v
		}
		s.Count += int64(st.Count)
	}
	if s.Count == 0 {
		return s
	}
	sum := page.Sum(&c.stats[0], &c.stats[1])
	sum.Mul(sum, unit)
	s.Min, s.Max = nearestFloat(least.Mul(least, unit)), nearestFloat(greatest.Mul(greatest, unit))
	s.Sum = nearestFloat(sum)
	if c.typ == Int {
		s.Ints = &IntStats{c.stats[1].Min.Int, c.stats[1].Max.Int, new(big.Int).Set(sum.Num())}
	}
	s.Avg = nearestFloat(sum.Quo(sum, new(big.Rat).SetInt64(s.Count)))
	return s
}

func exactNumber(v page.Value) *big.Rat {
	if v.Kind == page.KindFloat {
		return new(big.Rat).SetFloat64(v.Float)
	}
	return new(big.Rat).SetInt64(v.Int)
}

// nearestFloat rounds to a finite float.
func nearestFloat(v *big.Rat) float64 {
	f, _ := v.Float64()
	return min(math.MaxFloat64, max(-math.MaxFloat64, f))
}

// number is a value of a number, bool or date field.
type number struct {
	kind page.Kind
	i    int64
	f    float64
}

// numberOf returns the key of a value. In a float field an integer is the float
// that it equals, if there is one.
func numberOf(v page.Value, typ Type) number {
	if f := float64(v.Int); typ == Float && v.Kind == page.KindInt && compareIntFloat(v.Int, f) == 0 {
		return number{kind: page.KindFloat, f: f}
	}
	return number{v.Kind, v.Int, v.Float}
}

func (v number) value() page.Value { return page.Value{Kind: v.kind, Int: v.i, Float: v.f} }

// plain is the value as results show it: dates in RFC 3339.
func (v number) plain() any {
	switch v.kind {
	case page.KindFloat:
		return v.f
	case page.KindBool:
		return v.i != 0
	case page.KindDate:
		return formatDate(v.i)
	}
	return v.i
}

// text is the value as a person types it.
func (v number) text() string {
	switch v.kind {
	case page.KindFloat:
		return strconv.FormatFloat(v.f, 'f', -1, 64)
	case page.KindBool:
		return strconv.FormatBool(v.i != 0)
	case page.KindDate:
		return formatDate(v.i)
	}
	return strconv.FormatInt(v.i, 10)
}

// beginsWord returns whether a text has a word, or several in a row, that
// begin with prefix, letter case and accents aside; nil if there is nothing to
// look for.
func beginsWord(prefix string) func(text string) bool {
	want := bytes.TrimSpace(tokenize.Fold(nil, []byte(prefix)))
	if len(want) == 0 {
		return nil
	}
	var buf []byte
	return func(text string) bool {
		buf = tokenize.Fold(buf[:0], []byte(text))
		for at := 0; ; at++ {
			i := bytes.Index(buf[at:], want)
			if i < 0 {
				return false
			}
			at += i
			if r, _ := utf8.DecodeLastRune(buf[:at]); at == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				return true
			}
		}
	}
}
