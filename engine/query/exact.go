package query

import (
	"math"
	"strconv"
	"strings"
)

// Floor returns the largest whole number that is not above a KindInt or
// KindFloat, and whether it is that number itself. ok is false for other kinds
// and for a number that does not fit into 64 bits.
func (v Value) Floor() (n int64, exact, ok bool) {
	switch {
	case v.Kind == KindInt:
		return v.Int, true, true
	case v.Kind != KindFloat:
		return 0, false, false
	case v.Str != "":
		return floorText(v.Str)
	}
	f := math.Floor(v.Float)
	if f < -1<<63 || f >= 1<<63 {
		return 0, false, false
	}
	return int64(f), f == v.Float, true
}

// BeyondInt reports whether v was written as an integer, without point and
// exponent, that does not fit into 64 bits.
func (v Value) BeyondInt() bool {
	return v.Kind == KindFloat && v.Str != "" && !strings.ContainsAny(v.Str, ".eE")
}

// float makes a Value of a number that is not an integer of 64 bits. It keeps
// the text where the nearest float does not tell all of it.
func float(text string) (Value, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Value{}, false
	}
	v := Value{Kind: KindFloat, Float: f}
	if _, isInt := numberForm(text); isInt {
		v.Str = text
	} else if f == math.Trunc(f) {
		// A whole number lies between no float that is none and what that one is
		// rounded from. One that is may be another than what was written.
		plain, exactly, fits := v.Floor()
		n, exact, ok := floorText(text)
		if n != plain || exact != exactly || ok != fits {
			v.Str = text
		}
	}
	return v, true
}

// floorText is Floor of a number as it is written: numberForm takes it.
func floorText(text string) (n int64, exact, ok bool) {
	mantissa, exponent := trimSign(text), 0
	negative := text[0] == '-'
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		e, err := strconv.Atoi(mantissa[i+1:])
		if err != nil || e < -1000 || e > 1000 { // the digits are far fewer
			e = 1000
			if mantissa[i+1] == '-' {
				e = -1000
			}
		}
		mantissa, exponent = mantissa[:i], e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	point := len(whole) + exponent // in digits, whose value is 0.digits times ten to it
	digits := strings.TrimRight(whole+fraction, "0")
	zeros := len(digits) - len(strings.TrimLeft(digits, "0"))
	digits, point = digits[zeros:], point-zeros
	switch {
	case digits == "":
		return 0, true, true
	case point <= 0:
		digits, exact = "0", false
	case point > 19: // digits of 1<<63
		return 0, false, false
	case point < len(digits):
		digits, exact = digits[:point], false
	default:
		digits, exact = digits+strings.Repeat("0", point-len(digits)), true
	}
	u, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, false, false
	}
	if !negative {
		return int64(u), exact, u < 1<<63
	}
	if !exact {
		u++
	}
	return int64(-u), exact, u <= 1<<63
}
