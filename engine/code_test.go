package engine

import "testing"

// TestCodesAreFoundHoweverTheyAreWritten: a code is found by the row of its letters and digits,
// whatever stands between them in the query and in the records, and nothing else is found by it.
func TestCodesAreFoundHoweverTheyAreWritten(t *testing.T) {
	e := titled(t, "en", "Bolt HX-M8X40-A2", "Cable PC-CAT6-10", "Sensor IS-M12-4NO", "Bosch GSR 12V-15", "Bosch GSR 18V-55",
		"Bearing 20 x 47 x 14 mm", "Rivet 4.8 x 12", "Washer 8.4 x 16 x 1.6 mm", "Rod M10 x 1000 mm", "M8x60 bolt", "M8x45 bolt",
		"Cable 3 x 1.5 mm²", "Motor 1.5 kW", "Strip of 15 mm", "Strip of 2.5mm", "M20x1.5 gland", "Bush 12×14×10", "Galaxy S23", "Galaxy S22",
		"HXM8X50A4", "A 20 and 47 with 14", "Lotion SPF 50+")
	for _, c := range []struct{ query, ids string }{
		{"hxm8x40a2", "1"},
		{"hx-m8x40-a2", "1"},
		{"HX M8x40 A2", "1"},
		{"hxm8x40 a2", "1"},
		{"hxm8x40a4", ""},
		{"hx-m8x50-a4", "20"},
		{"hx m8x50a4", "20"},
		{"pccat610", "2"},
		{"pccat6-10", "2"},
		{"ism124no", "3"},
		{"gsr12v15", "4"},
		{"gsr12v-15", "4"},
		{"GSR12V-15", "4"},
		{"gsr 12v15", "4"},
		{"gsr18v55", "5"},
		{"gsr18v15", ""},
		{"20x47x14", "21 6"}, // the numbers of a size may be apart
		{"20x47x14mm", "21 6"},
		{"20x47x16", ""},
		{"20×47×14", "21 6"}, // all words as they stand
		{"20x47", "6"},
		{"20x14", ""},
		{"4.8x12", "7"},
		{"8.4x16", "8"},
		{"8.4 x 16", "8"},
		{"84x16", ""},
		{"M10X1000", "9"},
		{"m10 x 1000", "9"},
		{"m8 x 60", "10"},
		{"m8 60", "10"},
		{"m8 x 45 bolt", "11"},
		{"3x1.5", "12"},
		{"3x1.5mm²", "12"},
		{"3 x 1,5mm2", "12"},
		{"3x1,5mm2", "12"},
		{"1.5kw", "13"},
		{"15mm", "14"},
		{"2.5 mm", "15"},
		{"m20 x 1.5", "16"},
		{"12x14x10", "17"},
		{"spf50+", "22"},
		{"s 23", "18"},
		{"s23", "18"},
		{"galaxy s 23", "18"},
	} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff, Limit: 40})
		if got := sortWords(idsOf(res)); got != c.ids {
			t.Errorf("%q: %q by %v, want %q", c.query, got, res.Query.Compounds, c.ids)
		}
		if len(res.Query.Corrections) > 0 || res.Query.DidYouMean != "" {
			t.Errorf("%q was repaired: %v, %q", c.query, res.Query.Corrections, res.Query.DidYouMean)
		}
	}
}

// TestLettersApart: a letter that is written to a word stands beside it in some record, or it is
// part of the word.
func TestLettersApart(t *testing.T) {
	e := titled(t, "en", "USB-C cable", "USB-A cable", "USB hub", "E-bike", "Drag'n'drop", "Drag n drop", "Bikes", "Plan a man", "Vitamin C")
	for _, c := range []struct{ query, ids, fix string }{
		{"usbc cable", "1", ""},
		{"usbc", "1", ""},
		{"usba cable", "2", ""},
		{"ebike", "4", ""},
		{"drag'n'drop", "5", ""},
		{"drag’n’drop", "5", ""},
		{"usbb", "1 2 3", "usb"},
		{"planm", "8", "plan"},
		{"plana", "8", "plan"},
		{"cvitamin", "9", "vitamin"},
	} {
		res := find(t, e, &Request{Query: c.query, Match: MatchAll, Prefix: PrefixOff})
		fix := ""
		if len(res.Query.Corrections) > 0 {
			fix = res.Query.Corrections[0].To
		}
		if got := sortWords(idsOf(res)); got != sortWords(c.ids) || fix != c.fix {
			t.Errorf("%q: %q by %v and %v, want %q", c.query, got, res.Query.Compounds, res.Query.Corrections, c.ids)
		}
	}
	e = titled(t, "en", "Drag n drop", "Drag a drop")
	if got := idsOf(find(t, e, &Request{Query: "drag'n'drop"})); got != "1" {
		t.Errorf("what stands between apostrophes: %q", got)
	}
}

// TestSizesOfManyNumbers: records that say what each number of a size is are found by it, behind those
// that have it as it is, and before those that have only some of its numbers.
func TestSizesOfManyNumbers(t *testing.T) {
	for _, language := range []string{"en", "de", "none"} {
		e := titled(t, language, "Ring 20, 47, 12", "Ring 25, 52, 15", "Ring 20 outside 47 width 14", "Ring 20 x 47 x 14", "Ring 14 x 20")
		for _, query := range []string{"ring 20x47x14", "20X47×14mm ring"} {
			if got := idsOf(find(t, e, &Request{Query: query, Match: MatchAny, Limit: 2})); got != "4 3" {
				t.Errorf("%s: %q found %q, want 4 3", language, query, got)
			}
		}
		if got := idsOf(find(t, e, &Request{Query: "20x47", Match: MatchAll})); got != "4" {
			t.Errorf("%s: a size of two numbers found %q, want 4", language, got)
		}
	}
}
