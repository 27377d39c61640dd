package page

import (
	"math"
	"sync"
	"sync/atomic"
)

// Column holds the values of one field for the documents of a chunk, by
// document: i counts from the chunk's base. It is immutable and safe for
// concurrent use, and stays valid after the chunk has dropped it.
type Column struct {
	kind     Kind
	n        int       // documents of the chunk
	docs     int       // documents with a value
	present  *presence // nil: all documents have one
	ends     *packed   // nil: one value each; else docs+1 places in vals
	vals     packed    // numbers: (key-base)/unit; keywords: ordinals
	base     uint64    // numbers: least key
	unit     uint64    // numbers: greatest common divisor of the keys' distances to base
	exponent uint8     // floats: keys are value*10^exponent, or rawFloats
	scale    float64   // floats: 10^exponent
	dict     *Dict     // keywords

	once sync.Once // makes all
	all  []uint32  // see allCounts

	scans   atomic.Int32 // of ranges; see byValue
	sorting sync.Once
	sorted  atomic.Pointer[[]uint16]
}

// Kind returns the kind of the column's values.
func (col *Column) Kind() Kind { return col.kind }

// Len returns the number of documents of the chunk.
func (col *Column) Len() int { return col.n }

// Docs returns the number of documents that have a value.
func (col *Column) Docs() int { return col.docs }

// NumValues returns the number of values of all documents.
func (col *Column) NumValues() int { return col.vals.n }

// MultiValued reports whether some document has more than one value.
func (col *Column) MultiValued() bool { return col.ends != nil }

// Has reports whether document i has a value.
func (col *Column) Has(i int) bool { return col.present == nil || col.present.has(i) }

// Count returns the number of values of document i.
func (col *Column) Count(i int) int {
	from, to := col.span(i)
	return to - from
}

// span returns the places [from, to) in vals of document i.
func (col *Column) span(i int) (from, to int) {
	if col.present != nil {
		if !col.present.has(i) {
			return 0, 0
		}
		i = col.present.rank(i)
	}
	if col.ends == nil {
		return i, i + 1
	}
	return int(col.ends.at(i)), int(col.ends.at(i + 1))
}

// key returns the key of the number at place k.
func (col *Column) key(k int) uint64 { return col.base + col.unit*col.vals.at(k) }

func (col *Column) keyValue(key uint64) Value {
	if col.kind == KindFloat {
		return FloatValue(col.float(key))
	}
	return Value{Kind: col.kind, Int: keyInt(key)}
}

func (col *Column) float(key uint64) float64 {
	if col.exponent == rawFloats {
		return keyFloat(key)
	}
	return float64(keyInt(key)) / col.scale
}

// value returns the value at place k.
func (col *Column) value(k int) Value {
	if col.kind == KindKeyword {
		return KeywordValue(col.dict.At(int(col.vals.at(k))))
	}
	return col.keyValue(col.key(k))
}

// First returns the first value of document i in the order of its record,
// false when it has none. The bytes of a keyword must not be changed.
func (col *Column) First(i int) (Value, bool) {
	from, to := col.span(i)
	if from == to {
		return Value{}, false
	}
	return col.value(from), true
}

// FirstInt is First for ints, bools and dates.
func (col *Column) FirstInt(i int) (int64, bool) {
	from, to := col.span(i)
	if from == to || !col.kind.integral() {
		return 0, false
	}
	return keyInt(col.key(from)), true
}

// FirstFloat is First for floats.
func (col *Column) FirstFloat(i int) (float64, bool) {
	from, to := col.span(i)
	if from == to || col.kind != KindFloat {
		return 0, false
	}
	return col.float(col.key(from)), true
}

// FirstOrd is First for keywords: the ordinal of the value.
func (col *Column) FirstOrd(i int) (int, bool) {
	from, to := col.span(i)
	if from == to || col.kind != KindKeyword {
		return 0, false
	}
	return int(col.vals.at(from)), true
}

// Values appends the values of document i, in the order of its record, to dst.
// A keyword is given once even if the record repeats it.
func (col *Column) Values(dst []Value, i int) []Value {
	for from, to := col.span(i); from < to; from++ {
		dst = append(dst, col.value(from))
	}
	return dst
}

// Ints is Values for ints, bools and dates; it appends nothing for other
// kinds.
func (col *Column) Ints(dst []int64, i int) []int64 {
	if !col.kind.integral() {
		return dst
	}
	for from, to := col.span(i); from < to; from++ {
		dst = append(dst, keyInt(col.key(from)))
	}
	return dst
}

// Floats is Values for floats; it appends nothing for other kinds.
func (col *Column) Floats(dst []float64, i int) []float64 {
	if col.kind != KindFloat {
		return dst
	}
	for from, to := col.span(i); from < to; from++ {
		dst = append(dst, col.float(col.key(from)))
	}
	return dst
}

// Ords is Values for keywords: their distinct ordinals. It appends nothing for
// other kinds.
func (col *Column) Ords(dst []int, i int) []int {
	if col.kind != KindKeyword {
		return dst
	}
	for from, to := col.span(i); from < to; from++ {
		dst = append(dst, int(col.vals.at(from)))
	}
	return dst
}

// Dict returns the dictionary of a keyword column, nil for other kinds.
func (col *Column) Dict() *Dict { return col.dict }

// Min returns the least value of the column.
func (col *Column) Min() Value {
	if col.kind == KindKeyword {
		return KeywordValue(col.dict.At(0))
	}
	return col.keyValue(col.base)
}

// Max returns the greatest value of the column.
func (col *Column) Max() Value {
	if col.kind == KindKeyword {
		return KeywordValue(col.dict.At(col.dict.Len() - 1))
	}
	return col.keyValue(col.base + col.unit*col.vals.max)
}

// ColumnInfo describes a column without reading it.
type ColumnInfo struct {
	Field    uint16
	Kind     Kind
	Docs     int   // documents with a value
	Values   int   // values of all documents
	Distinct int   // keywords: number of distinct values
	Min, Max Value // numbers: least and greatest value
}

// MayMatch reports whether a value of the column can lie between the bounds:
// when it returns false, Column.Range sets no bit. It is always true for
// keywords.
func (info *ColumnInfo) MayMatch(lo, hi Bound) bool {
	switch {
	case info.Kind == KindFloat:
		l, ok1 := leastFloat(lo)
		h, ok2 := greatestFloat(hi)
		return ok1 && ok2 && l <= h && l <= info.Max.Float && h >= info.Min.Float
	case info.Kind.integral():
		l, ok1 := leastInt(lo)
		h, ok2 := greatestInt(hi)
		return ok1 && ok2 && l <= h && l <= info.Max.Int && h >= info.Min.Int
	}
	return true
}

// bits returns the value as it is written in a summary.
func (info *ColumnInfo) bits() (lo, hi uint64) {
	switch {
	case info.Kind == KindFloat:
		return math.Float64bits(info.Min.Float), math.Float64bits(info.Max.Float)
	case info.Kind.integral():
		return uint64(info.Min.Int), uint64(info.Max.Int)
	}
	return 0, uint64(info.Distinct)
}

// setBits is the inverse of bits.
func (info *ColumnInfo) setBits(lo, hi uint64) {
	switch {
	case info.Kind == KindFloat:
		info.Min, info.Max = FloatValue(math.Float64frombits(lo)), FloatValue(math.Float64frombits(hi))
	case info.Kind.integral():
		info.Min, info.Max = Value{Kind: info.Kind, Int: int64(lo)}, Value{Kind: info.Kind, Int: int64(hi)}
	default:
		info.Distinct = int(hi)
	}
}
