package intent

import (
	"fmt"
	"math"
	"strconv"

	"github.com/quarry-search/quarry/engine/query"
)

// Part is a piece of a query that says something about a field.
type Part struct {
	Filter     query.Node
	Start, End int    // bytes of the query, from the first cue word to the last
	Certain    bool   // so plain that it may restrict what is found
	Field      string // "" if a hint's filter is about several
	Value      string // of a Category, as records have it; else ""

	// Ambiguous tells that the words may as well be the end of a name and what
	// follows it: "max 256 gb" behind "iphone 13 pro".
	Ambiguous bool

	// Order is 1 where the records with the least values of the field are wanted first
	// ("cheapest"), -1 for the greatest ("newest"), else 0. The filter is of those that have
	// a value then.
	Order int

	// Denied tells that the query does not want what its bytes Named, from the
	// first to before the second, name: Filter is the NOT of it, and the other
	// words of the part deny it, before those ("not red") or behind ("egg free").
	Denied bool
	Named  [2]int

	// Listed tells that it is denied by what denies the part before it.
	Listed bool
}

// Value is a value of a field.
type Value struct {
	Field string
	Text  string // as records have it
	Count int64  // records that have it
	Exact bool   // its words are those that were asked for, endings included
}

// Vocabulary is the values of fields. The domain's methods call it from one
// goroutine.
type Vocabulary interface {
	// Longest returns the values whose words, without endings, are the first
	// words of those given, of the most words that there are such values of,
	// and that number of words. words and bases are as long: the folded words,
	// and these without endings. It keeps neither.
	// They are of fields of type [Category].
	Longest(words, bases []string) (n int, values []Value, err error)

	// Unwanted is Longest for words that are denied: however few records have a value,
	// it is one that may not be wanted. If the words name none, values that have all
	// of them side by side do, unless these deny them, too: "egg" of "egg noodles" and
	// not of "egg-free".
	Unwanted(words, bases []string) (n int, values []Value, err error)

	// Span returns the least and the greatest value of a field of numbers; of one
	// of dates, the years of its first and last. It is not known of all fields.
	Span(field string) (least, greatest float64, known bool)
}

// numeral is a number for a filter: an integer if it is one.
func numeral(f float64) query.Value {
	// Twelve digits are more than people write, and take away what converting
	// units adds.
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return query.Value{Kind: query.KindInt, Int: int64(f)}
	}
	return query.Value{Kind: query.KindFloat, Float: f}
}

var operators = [...]query.Op{equal: query.OpEqual, less: query.OpLess, atMost: query.OpLessEqual, greater: query.OpGreater, atLeast: query.OpGreaterEqual}

// compare is the filter that a number gives.
func compare(field string, rel relation, f float64) query.Node {
	return query.Compare{Field: field, Op: operators[rel], Value: numeral(f)}
}

// between is the filter of a range, ends included.
func between(field string, lo, hi float64) query.Node {
	return query.Range{Field: field, Low: query.Bound{Value: numeral(lo), Inclusive: true}, High: query.Bound{Value: numeral(hi), Inclusive: true}}
}

// tolerance is how far from a converted number values may be that it names.
const tolerance = 0.02

// roughly is the filter of values that a converted number names, as people round them. Its
// ends have three digits, since nobody needs to read more.
func roughly(field string, f float64) query.Node {
	short := func(f float64) float64 {
		f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 3, 64), 64)
		return f
	}
	return between(field, short(f*(1-tolerance)), short(f*(1+tolerance)))
}

// day is a day, the first of a month or year if no more is known of it.
type day struct{ year, month, day int }

func (d day) value() query.Value {
	return query.Value{Kind: query.KindDate, Str: fmt.Sprintf("%04d-%02d-%02d", d.year, max(d.month, 1), max(d.day, 1))}
}

// next is the day after what d stands for: a day, a month or a year.
func (d day) next() day {
	switch {
	case d.day > 0:
		d.day++
		if d.day > daysOf(d.year, d.month) {
			d.month, d.day = d.month+1, 1
		}
		if d.month > 12 {
			d.year, d.month = d.year+1, 1
		}
	case d.month > 0:
		d.month++
		if d.month > 12 {
			d.year, d.month = d.year+1, 1
		}
	default:
		d.year++
	}
	return d
}

func daysOf(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// before tells whether d begins before e does.
func (d day) before(e day) bool {
	if d.year != e.year {
		return d.year < e.year
	}
	if d.month != e.month {
		return d.month < e.month
	}
	return d.day < e.day
}

// times is the filter that one day, month or year gives, or the span from one
// to another, both included.
func (f *field) times(rel relation, from, to day) query.Node {
	if f.Type == Number {
		switch {
		case rel != equal:
			return compare(f.Name, rel, float64(from.year))
		case from.year == to.year:
			return compare(f.Name, equal, float64(from.year))
		}
		return between(f.Name, float64(from.year), float64(to.year))
	}
	at := func(op query.Op, d day) query.Node { return query.Compare{Field: f.Name, Op: op, Value: d.value()} }
	switch rel {
	case less:
		return at(query.OpLess, from)
	case atMost:
		return at(query.OpLess, from.next())
	case greater:
		return at(query.OpGreaterEqual, from.next())
	case atLeast:
		return at(query.OpGreaterEqual, from)
	}
	return query.And{Nodes: []query.Node{at(query.OpGreaterEqual, from), at(query.OpLess, to.next())}}
}
