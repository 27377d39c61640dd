package engine

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// colFilter is a filter as text and as a function.
type colFilter struct {
	text  string
	holds func(r *colRecord) bool
	field string      // the only field that it concerns; "" if there are several or none
	and   []colFilter // what AND joins
}

// constant makes a random constant that a field can be compared with. It may
// lie between the values that records have.
func (w *colWorld) constant(f colField) (string, cell) {
	switch f.typ {
	case Text, Keyword:
		s := colWords[w.IntN(len(colWords))]
		return strconv.Quote(s), cell{kind: 't', text: s}
	case Int, Float:
		if w.IntN(2) == 0 {
			raw, c := w.float()
			if c.num.IsInt() && c.num.Num().BitLen() <= 64 {
				raw = append(c.num.Num().Append(nil, 10), ".0"...) // not the shortest text that is rounded to it
			}
			return string(raw), c
		}
		n := colInts[w.IntN(len(colInts))]
		return strconv.FormatInt(n, 10), cell{kind: 'n', num: new(big.Rat).SetInt64(n)}
	case Bool:
		b := w.IntN(2)
		return []string{"false", "true"}[b], cell{kind: 'b', num: big.NewRat(int64(b), 1)}
	}
	t := time.Date(1960+w.IntN(80), time.Month(1+w.IntN(3)), 1+w.IntN(3), 0, 0, w.IntN(2), w.IntN(2)*1000, time.UTC)
	c := cell{kind: 'd', num: new(big.Rat).SetInt64(t.UnixMicro())}
	switch {
	case t.Nanosecond() == 0 && w.IntN(3) == 0:
		return strconv.FormatInt(t.Unix(), 10), c
	case w.IntN(2) == 0:
		return t.Format(time.RFC3339Nano), c
	}
	return strconv.Quote(t.Format(time.RFC3339Nano)), c
}

func only(field, text string, holds func(r *colRecord) bool) colFilter {
	return colFilter{text: text, holds: holds, field: field}
}

// anyValue is a condition on one value of a field.
func (w *colWorld) anyValue(field, text string, f func(c cell) bool) colFilter {
	return only(field, text, func(r *colRecord) bool { return slices.ContainsFunc(r.cells[field], f) })
}

// filter makes a random filter over the fields of the world.
func (w *colWorld) filter(depth int) colFilter {
	if depth > 0 && w.IntN(2) == 0 {
		switch w.IntN(3) {
		case 0:
			a := w.filter(depth - 1)
			return only(a.field, "NOT ("+a.text+")", func(r *colRecord) bool { return !a.holds(r) })
		case 1:
			return w.join("AND", depth)
		default:
			return w.join("OR", depth)
		}
	}
	f := w.anyField()
	switch n := w.IntN(10); {
	case n == 0:
		return w.anyValue(f.name, "EXISTS "+f.name, func(cell) bool { return true })
	case n == 1:
		return only(f.name, f.name+" = null", func(r *colRecord) bool { return len(r.cells[f.name]) == 0 })
	case n == 2:
		return only(f.name, "EMPTY "+f.name, func(r *colRecord) bool { return len(r.cells[f.name]) == 0 })
	case f.typ == Geo:
		return w.geoFilter(f.name)
	case n == 3 && (f.typ == Text || f.typ == Keyword):
		p := []string{"", "a", "N", "new", "é", "東"}[w.IntN(6)]
		return w.anyValue(f.name, fmt.Sprintf("%s STARTS WITH %q", f.name, p), func(c cell) bool { return strings.HasPrefix(c.text, p) })
	case n == 4:
		var texts []string
		var list []cell
		for range w.IntN(4) {
			t, c := w.constant(f)
			texts, list = append(texts, t), append(list, c)
		}
		return w.anyValue(f.name, f.name+" IN ["+strings.Join(texts, ", ")+"]", func(c cell) bool {
			return slices.ContainsFunc(list, func(d cell) bool { return c.compare(d) == 0 })
		})
	case n == 5 && f.typ != Bool:
		lt, lo := w.constant(f)
		ht, hi := w.constant(f)
		return w.anyValue(f.name, f.name+" "+lt+".."+ht, func(c cell) bool { return c.compare(lo) >= 0 && c.compare(hi) <= 0 })
	case n == 6:
		t, d := w.constant(f)
		return only(f.name, f.name+" != "+t, func(r *colRecord) bool {
			return !slices.ContainsFunc(r.cells[f.name], func(c cell) bool { return c.compare(d) == 0 })
		})
	}
	t, d := w.constant(f)
	op := []string{"=", "<", "<=", ">", ">="}[w.IntN(5)]
	return w.anyValue(f.name, f.name+" "+op+" "+t, func(c cell) bool {
		n := c.compare(d)
		return n == 0 && strings.Contains(op, "=") || n < 0 && op[0] == '<' || n > 0 && op[0] == '>'
	})
}

func (w *colWorld) join(op string, depth int) colFilter {
	a, b := w.filter(depth-1), w.filter(depth-1)
	out := colFilter{text: "(" + a.text + ") " + op + " (" + b.text + ")"}
	if a.field == b.field {
		out.field = a.field
	}
	if op == "AND" {
		out.and = []colFilter{a, b}
	}
	out.holds = func(r *colRecord) bool {
		if op == "AND" {
			return a.holds(r) && b.holds(r)
		}
		return a.holds(r) || b.holds(r)
	}
	return out
}

// geoFilter makes a circle or a box.
func (w *colWorld) geoFilter(field string) colFilter {
	p := w.point()
	if w.IntN(2) == 0 {
		radius := []float64{0, 1, 50, 3e4, 2e5, 3e6, 1e7, 2.1e7}[w.IntN(8)] * (0.5 + w.Float64())
		return w.anyValue(field, fmt.Sprintf("geo(%s, %v, %v, %v)", field, p.Lat, p.Lon, radius), func(c cell) bool {
			return metersBetween(p, c.at) <= radius
		})
	}
	q := w.point()
	south, north := min(p.Lat, q.Lat), max(p.Lat, q.Lat)
	return w.anyValue(field, fmt.Sprintf("geo(%s, %v, %v, %v, %v)", field, south, p.Lon, north, q.Lon), func(c cell) bool {
		return insideBox(c.at, south, p.Lon, north, q.Lon)
	})
}

// insideBox is of the kept form of the corners, as points are.
func insideBox(p Point, south, west, north, east float64) bool {
	sw, ne := kept(Point{south, west}), kept(Point{north, east})
	if p.Lat < sw.Lat || p.Lat > ne.Lat {
		return false
	}
	switch w, e := sw.Lon, ne.Lon; {
	case east-west == 360, west > east && w == e && west-east < 360:
		return true
	case w <= e:
		return p.Lon >= w && p.Lon <= e
	default: // over the date line
		return p.Lon >= w || p.Lon <= e
	}
}

// anyField picks a field that some index has; loose ones only when a record
// brought them in.
func (w *colWorld) anyField() colField {
	for {
		ix := w.indexes[w.IntN(len(w.indexes))]
		f := w.fields[ix][w.IntN(len(w.fields[ix]))]
		if !f.loose || w.met(ix, f.name) {
			return f
		}
	}
}

// met tells whether a record of the index has ever had a value of the field.
func (w *colWorld) met(index, field string) bool {
	if _, ok := w.field(index, field); !ok {
		return false
	}
	for _, r := range w.records[index] {
		if len(r.cells[field]) > 0 {
			return true
		}
	}
	return false
}
