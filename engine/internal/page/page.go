package page

import (
	"errors"
	"strconv"
)

// Size is the number of documents of a page: one Roaring container.
const Size = 1 << 16

// AllFields asks Chunk.Norms for the norms of the sum of all text fields.
const AllFields = -1

// ErrCorrupt marks every error about bytes that are not what an encoder of
// this package wrote.
var ErrCorrupt = errors.New("corrupt data")

// ErrInvalid marks errors about values that cannot be stored: numbers that are
// not finite, values of a kind that is not the column's, documents over the
// limits of a page.
var ErrInvalid = errors.New("invalid values")

// Kind is the type of a column. The zero Kind is none.
type Kind uint8

// The kinds of columns. They are part of the format and must not change.
const (
	KindInt     Kind = 1 // int64
	KindFloat   Kind = 2 // float64, finite; -0 is stored as 0
	KindBool    Kind = 3 // 0 or 1
	KindDate    Kind = 4 // int64, microseconds since 1970-01-01 00:00 UTC
	KindKeyword Kind = 5 // bytes, ordered bytewise
	KindGeo     Kind = 6 // a geo.Code with its highest bit turned, as int64; its order means nothing
)

// String returns the kind's name, such as "int".
func (k Kind) String() string {
	names := [...]string{"none", "int", "float", "bool", "date", "keyword", "geo"}
	if int(k) < len(names) {
		return names[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// integral reports whether the values of the kind are in Value.Int.
func (k Kind) integral() bool { return k == KindInt || k == KindBool || k == KindDate || k == KindGeo }

func (k Kind) valid() bool { return k >= KindInt && k <= KindGeo }

// Value is one value of a column. Kind says which of the other fields holds it.
type Value struct {
	Kind  Kind
	Int   int64   // KindInt, KindDate, KindGeo; KindBool as 0 or 1
	Float float64 // KindFloat
	Str   []byte  // KindKeyword
}

// IntValue returns a value of KindInt.
func IntValue(v int64) Value { return Value{Kind: KindInt, Int: v} }

// FloatValue returns a value of KindFloat.
func FloatValue(v float64) Value { return Value{Kind: KindFloat, Float: v} }

// DateValue returns a value of KindDate: microseconds since 1970 UTC.
func DateValue(micros int64) Value { return Value{Kind: KindDate, Int: micros} }

// KeywordValue returns a value of KindKeyword that shares the bytes of v.
func KeywordValue(v []byte) Value { return Value{Kind: KindKeyword, Str: v} }

// BoolValue returns a value of KindBool.
func BoolValue(v bool) Value {
	if v {
		return Value{Kind: KindBool, Int: 1}
	}
	return Value{Kind: KindBool}
}

// ColumnValues are the values of one document in one column, in the order in
// which the record has them. An empty list is as if the column were not named.
type ColumnValues struct {
	Field  uint16
	Kind   Kind
	Values []Value
}

// Doc is a document as a Builder takes it.
type Doc struct {
	ID      []byte
	Lengths []uint32       // words by ordinal of the text field; missing ones are 0
	Columns []ColumnValues // each field at most once, in any order
	Absent  bool           // a number that no document has: a hole; the rest is ignored
}
