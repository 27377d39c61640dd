package query

import "strconv"

// ValueKind says which field of a [Value] holds it.
type ValueKind uint8

// The kinds of values. The zero kind is KindNull, so that the zero Value is
// null.
const (
	KindNull   ValueKind = iota // nothing; the parsers turn comparisons with null into Empty and Exists
	KindString                  // Str
	KindInt                     // Int, exact to 64 bits
	KindFloat                   // Float, finite, and Str where that is not all of it
	KindBool                    // Bool
	KindDate                    // Str, an RFC 3339 date or date and time that was written without quotes
)

// String returns the kind's name in error messages, such as "string".
func (k ValueKind) String() string {
	names := [...]string{"null", "string", "int", "float", "bool", "date"}
	if int(k) < len(names) {
		return names[k]
	}
	return "ValueKind(" + strconv.Itoa(int(k)) + ")"
}

// Value is a constant of a filter or range as it was written. The fields that
// Kind does not name are zero, so values can be compared with ==.
//
// Whoever knows the type of the field converts it: a date in quotes is a
// KindString, and a number without a fraction a KindInt also where the field
// holds floats. Str of a KindFloat is the number as it was written, where it
// was rounded to a whole number (see [Value.Floor]) or is an integer beyond 64
// bits; otherwise "".
type Value struct {
	Kind  ValueKind
	Str   string
	Int   int64
	Float float64
	Bool  bool
}

// Op is a comparison of a filter.
type Op uint8

// The comparisons of a filter.
const (
	OpEqual Op = iota
	OpNotEqual
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
)

// String returns the operator as the filter grammar spells it, such as "<=".
func (op Op) String() string {
	names := [...]string{"=", "!=", "<", "<=", ">", ">="}
	if int(op) < len(names) {
		return names[op]
	}
	return "Op(" + strconv.Itoa(int(op)) + ")"
}
