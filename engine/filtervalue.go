package engine

import (
	"strconv"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/query"
)

// value makes a column value of a constant, by the type of the field.
func (b *binder) value(f int, v query.Value) (page.Value, bool) {
	field := &b.schema.Fields[f]
	switch field.Type {
	case Geo:
		b.fail(CodeInvalidFilter, "places such as those of %q have no order and are not compared; use geo(%s, lat, lon, radius)", field.Name, field.Name)
		return page.Value{}, false
	case Text, Keyword:
		switch v.Kind {
		case query.KindString, query.KindDate:
			return page.KeywordValue(exactValue([]byte(v.Str))), true
		case query.KindInt:
			return page.KeywordValue(strconv.AppendInt(nil, v.Int, 10)), true
		case query.KindFloat:
			if v.BeyondInt() {
				return page.KeywordValue([]byte(v.Str)), true
			}
			return page.KeywordValue(strconv.AppendFloat(nil, v.Float, 'g', -1, 64)), true
		case query.KindBool:
			return page.KeywordValue(strconv.AppendBool(nil, v.Bool)), true
		}
	case Int, Float, Date:
		if pv, ok := numberValue(v, field.Type); ok {
			return pv, true
		}
	case Bool:
		if v.Kind == query.KindBool {
			return page.BoolValue(v.Bool), true
		}
	}
	if field.Type == Date && v.Kind != query.KindBool && (v.Kind != query.KindFloat || v.BeyondInt()) { // of a kind that dates are written in
		wrong := ""
		if v.Kind != query.KindString && v.Kind != query.KindDate {
			wrong = beyondSeconds(float64(v.Int) + v.Float)
		} else if at, ok := parseDate(v.Str); ok {
			wrong = beyondDates(at, false)
		}
		if wrong != "" {
			b.fail(CodeInvalidFilter, "the field %q: %s", field.Name, wrong)
			return page.Value{}, false
		}
		b.fail(CodeInvalidFilter, "the field %q is compared with %s; this is none of them", field.Name, dateForms)
		return page.Value{}, false
	}
	if field.Type == Int && v.BeyondInt() {
		b.fail(CodeInvalidFilter, "the field %q is an int, and this integer does not fit into 64 bits", field.Name)
		return page.Value{}, false
	}
	b.fail(CodeInvalidFilter, "the field %q is %s and cannot be compared with %s", field.Name, article(field.Type), articled(v.Kind.String()))
	return page.Value{}, false
}

// numberValue makes a column value of a constant for a field of numbers or
// dates.
func numberValue(v query.Value, t Type) (page.Value, bool) {
	switch {
	case t == Date && (v.Kind == query.KindDate || v.Kind == query.KindString):
		at, ok := parseDate(v.Str)
		return page.DateValue(at), ok && beyondDates(at, false) == ""
	case t == Date:
		return page.DateValue(v.Int * 1e6), v.Kind == query.KindInt && beyondSeconds(float64(v.Int)) == ""
	case v.Kind == query.KindInt:
		return page.IntValue(v.Int), true
	case t == Int && v.Kind == query.KindFloat && v.Str != "":
		n, exact, ok := v.Floor()
		if exact && ok {
			return page.IntValue(n), true
		}
		return page.FloatValue(v.Float), !v.BeyondInt()
	}
	return page.FloatValue(v.Float), v.Kind == query.KindFloat
}

// noInt tells whether a constant for a field of integers is none, and its float
// does not tell that or which ones it lies between, as it is rounded.
func (b *binder) noInt(f int, v query.Value) bool {
	if b.schema.Fields[f].Type != Int || v.Kind != query.KindFloat || v.Str == "" {
		return false
	}
	_, exact, ok := v.Floor()
	return !exact || !ok
}

// besideInts is the bound of integers that a constant between two of them, or
// beyond all, is.
func besideInts(v query.Value, upper bool) page.Bound {
	n, _, ok := v.Floor()
	switch {
	case !ok:
		return page.At(page.FloatValue(2 * v.Float))
	case upper:
		return page.At(page.IntValue(n))
	}
	return page.Beyond(page.IntValue(n))
}
