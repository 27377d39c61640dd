package query

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// numberOrDate interprets a value that stands without quotes. ok is false if
// text does not have the form of a number or date; problem is set if it has,
// but cannot be one.
func numberOrDate(text string) (v Value, ok bool, problem string) {
	if looksLikeDate(text) {
		if !validDate(text) {
			return Value{}, false, "this is not a date of RFC 3339, such as 2024-01-31 or 2024-01-31T10:00:00Z"
		}
		return Value{Kind: KindDate, Str: text}, true, ""
	}
	isNumber, isInt := numberForm(text)
	switch {
	case !isNumber:
		return Value{}, false, ""
	case len(text) > maxNumberSize:
		return Value{}, false, "a number may have at most " + strconv.Itoa(maxNumberSize) + " characters"
	case isInt:
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Value{Kind: KindInt, Int: i}, true, ""
		}
	}
	v, ok = float(text)
	if !ok {
		return Value{}, false, "this number is too large"
	}
	return v, true, ""
}

// numberForm reports whether text is a number of the form -12.5e+3, of which
// only the digits before or those after the point are required, and whether it
// has neither point nor exponent.
func numberForm(text string) (isNumber, isInt bool) {
	rest := trimSign(text)
	whole := leadingDigits(rest)
	rest = rest[whole:]
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		digits := leadingDigits(fraction)
		if digits == 0 {
			return false, false
		}
		rest = fraction[digits:]
	} else {
		if whole == 0 {
			return false, false
		}
		if rest == "" {
			return true, true
		}
	}
	if rest == "" {
		return true, false
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false, false
	}
	exponent := trimSign(rest[1:])
	return exponent != "" && leadingDigits(exponent) == len(exponent), false
}

func trimSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

// leadingDigits returns how many ASCII digits text begins with.
func leadingDigits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// looksLikeDate reports whether text begins as 2024-01-31 does.
func looksLikeDate(text string) bool {
	return matches(text, "dddd-dd-dd")
}

// validDate reports whether text is a full-date or a date-time of RFC 3339
// with T and Z, small or capital. The form is checked here because time.Parse is more
// lenient: it takes hours of one digit, and a comma before the fraction.
func validDate(text string) bool {
	const date, dateTime = "dddd-dd-dd", "dddd-dd-ddTdd:dd:dd"
	if len(text) == len(date) {
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	}
	text = strings.ToUpper(text)
	if !matches(text, dateTime) || strings.Contains(text, ",") {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// matches reports whether text begins with what form describes: a d stands for
// an ASCII digit, every other character for itself.
func matches(text, form string) bool {
	if len(text) < len(form) {
		return false
	}
	for i := range len(form) {
		isDigit := '0' <= text[i] && text[i] <= '9'
		if form[i] == 'd' && !isDigit || form[i] != 'd' && text[i] != form[i] {
			return false
		}
	}
	return true
}

// lengthUnits are the meters of the units that a radius can have.
var lengthUnits = [...]struct {
	name   string
	meters float64
}{
	{"km", 1000},
	{"mi", 1609.344}, // the international mile, by definition
	{"m", 1},
}

// radius interprets the radius of a geo filter, in meters. ok is false if text
// is not a number with or without a unit, or is negative or too large.
func radius(text string) (meters float64, ok bool) {
	factor := 1.0
	for _, unit := range lengthUnits {
		if size := len(text) - len(unit.name); size > 0 && strings.EqualFold(text[size:], unit.name) {
			text, factor = strings.TrimSpace(text[:size]), unit.meters
			break
		}
	}
	number, ok := plainNumber(text)
	meters = number * factor
	return meters, ok && meters >= 0 && !math.IsInf(meters, 0)
}

// plainNumber interprets text as a number of any form as a float.
func plainNumber(text string) (float64, bool) {
	if isNumber, _ := numberForm(text); !isNumber || len(text) > maxNumberSize {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}
