package query

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestFloorIsExact(t *testing.T) {
	for _, text := range []string{
		"0", "0.0", "-0.0", "0e999999", "1e-999999999999999999999", "-1e-400", "5.5", "-5.5", "-5.0", "+7.0", "1e3", "12.5e1", "12.55e1", "-12.55e1", ".5", "-.5",
		"9007199254740993", "9007199254740993.0", "9007199254740993e0", "900719925474099.3e1", "9007199254740992.5", "-9007199254740992.5", "4503599627370497.3",
		"0.99999999999999999999", "5.0000000000000000001", "-5.0000000000000000001",
		"9223372036854775807.0", "9223372036854775807.5", "9223372036854775808", "9223372036854775808.0", "-9223372036854775808.0", "-9223372036854775808.5", "-9223372036854775809.0",
		"0000000000000000000000001.5e0", "0.00000000000000000000015e23", "1e19", "1e300", "18446744073709551616",
	} {
		v, ok, problem := numberOrDate(text)
		if !ok || problem != "" {
			t.Fatalf("%s: %v %q", text, ok, problem)
		}
		n, exact, fits := v.Floor()
		if len(text) > 20 && text[1] == 'e' || text == "-1e-400" { // too much for the judge
			if want := -int64(b2i(text[0] == '-')); n != want || exact || !fits {
				t.Errorf("%s: %d %v %v", text, n, exact, fits)
			}
			continue
		}
		r, _ := new(big.Rat).SetString(text)
		floor := new(big.Int).Div(r.Num(), r.Denom())
		if floor.IsInt64() != fits || fits && (floor.Int64() != n || r.IsInt() != exact) {
			t.Errorf("%s: %d %v %v, want %v %v", text, n, exact, fits, floor, r.IsInt())
		}
	}
}

// What a float says is not said again in text, so that constants can be
// compared.
func TestTextIsKeptOfRoundedNumbersOnly(t *testing.T) {
	for text, want := range map[string]string{
		"39.9": "", "1e3": "", "5.0": "", "1e300": "", "0.1": "", "9007199254740992.0": "", "9223372036854775807": "",
		"20000000000000008.0": "", "-20000000000000008.0": "", "9223372036854774784.0": "", "-9223372036854775808.0": "", "9e18": "",
		"9007199254740993.0": "9007199254740993.0", "2.000000000000001e+16": "2.000000000000001e+16", "9223372036854775808": "9223372036854775808",
	} {
		v, _, _ := numberOrDate(text)
		if v.Str != want || v.BeyondInt() != (text == "9223372036854775808") {
			t.Errorf("%s: %+v", text, v)
		}
		if n, err := ParseFilter("a = "+String(Compare{"a", OpEqual, v})[len("a = "):], Limits{}); err != nil || n != (Compare{"a", OpEqual, v}) {
			t.Errorf("%s: printed as %s", text, String(Compare{"a", OpEqual, v}))
		}
	}
}

func TestConditionColumns(t *testing.T) {
	for text, want := range map[string][]int{
		"":                                nil,
		"*":                               nil,
		"a = 1":                           {1},
		" a=1 OR (ä != 2 and NOT b < 3) ": {2, 10, 25},
		`EXISTS a AND empty "`:            nil,
		"a IN [1, null] AND b NOT IN [2]": {1, 1, 20},
		"a IN [null] AND b 1..2":          {1, 17},
		"geo(a, 1, 2, 3) AND NOT a STARTS WITH \"x\" AND NOT *": {1, 25},
		"x:[1 TO 2] OR empty x AND x = null":                    {1, 15, 27},
	} {
		got := ConditionColumns(text, Limits{})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
		n, err := ParseFilter(text, Limits{})
		if err != nil {
			continue
		}
		leaves := 0
		Walk(n, func(n Node) bool {
			switch n.(type) {
			case And, Or, Not, All, None:
			default:
				leaves++
			}
			return true
		})
		if leaves != len(got) {
			t.Errorf("%s: %d conditions, %d columns", text, leaves, len(got))
		}
	}
}

// Whatever number is written, the text of a filter says it again.
func TestNumbersSurviveTheirText(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	for range 20_000 {
		digits := strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		if at := r.IntN(len(digits) + 1); r.IntN(3) > 0 {
			digits = digits[:at] + "." + digits[at:] + strconv.Itoa(r.IntN(2))
		}
		if r.IntN(3) == 0 {
			digits += "e" + strconv.Itoa(r.IntN(30)-10)
		}
		if r.IntN(2) == 0 {
			digits = "-" + digits
		}
		v, ok, problem := numberOrDate(digits)
		if !ok || problem != "" {
			continue
		}
		text := String(Compare{"a", OpEqual, v})
		if n, err := ParseFilter(text, Limits{}); err != nil || n != (Compare{"a", OpEqual, v}) {
			t.Fatalf("%s: %+v is printed as %s", digits, v, text)
		}
	}
}
