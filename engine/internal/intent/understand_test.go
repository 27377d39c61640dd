package intent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry-search/quarry/engine/query"
)

// values is a Vocabulary of "field: value, value" lines, each value in one
// record, or in as many as "value*9" says.
type values struct {
	cues  *Cues
	by    map[string][]Value
	spans map[string][2]float64
}

func (v values) Span(field string) (least, greatest float64, known bool) {
	s, known := v.spans[field]
	return s[0], s[1], known
}

func vocabularyOf(c *Cues, lines ...string) values {
	v := values{c, map[string][]Value{}, map[string][2]float64{}}
	for _, line := range lines {
		field, list, _ := strings.Cut(line, ": ")
		for text := range strings.SplitSeq(list, ", ") {
			count := int64(1)
			if name, n, ok := strings.Cut(text, "*"); ok {
				text = name
				fmt.Sscan(n, &count)
			}
			key, _ := c.Key(nil, text)
			v.by[string(key)] = append(v.by[string(key)], Value{Field: field, Text: text, Count: count})
		}
	}
	return v
}

func (v values) Longest(words, bases []string) (int, []Value, error) {
	for n := len(words); n > 0; n-- {
		if found := v.by[strings.Join(bases[:n], " ")]; len(found) > 0 {
			out := slices.Clone(found)
			for i := range out {
				out[i].Exact = strings.EqualFold(out[i].Text, strings.Join(words[:n], " "))
			}
			return n, out, nil
		}
	}
	return 0, nil, nil
}

func (v values) Unwanted(words, bases []string) (n int, out []Value, err error) {
	if n, out, err = v.Longest(words, bases); n > 0 {
		return n, out, err
	}
	part := " " + strings.Join(bases, " ") + " "
	for key, found := range v.by {
		if strings.Contains(" "+key+" ", part) {
			out = append(out, found...)
		}
	}
	if len(out) == 0 {
		return 0, nil, nil
	}
	return len(words), out, nil
}

// shop is the fields of a shop.
var shop = []Field{
	{Name: "brand", Type: Category}, {Name: "color", Type: Category}, {Name: "type", Type: Category}, {Name: "made_in", Type: Category},
	{Name: "price", Type: Number}, {Name: "list_price", Type: Number}, {Name: "rating", Type: Number}, {Name: "weight_g", Type: Number},
	{Name: "screen_in", Type: Number}, {Name: "cores", Type: Number}, {Name: "memory", Type: Number, Units: []string{"gb"}},
	{Name: "size", Type: Number}, {Name: "released", Type: Date}, {Name: "in_stock", Type: Bool}, {Name: "wireless", Type: Bool},
}

func shopValues(c *Cues) values {
	return vocabularyOf(c,
		"brand: Nike*9, Hewlett-Packard*5, Black & Decker*3, Orange*2, StarTech.com*2, The North Face*2, On*2",
		"color: Red*20, Dark Red*4, Black*30, Orange*7, Blue*8", "type: Shoes*40, T-Shirt*10, Laptop*20, Dishes*3",
		"made_in: USA*9, 7*3, U*2")
}

func understood(t *testing.T, d *Domain, v Vocabulary, text string) string {
	t.Helper()
	parts, err := d.Understand(text, [][2]int{{0, len(text)}}, v)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var out []string
	for _, p := range parts {
		sign := "~"
		if p.Certain {
			sign = "!"
		}
		out = append(out, fmt.Sprintf("%s%s (%s)", sign, query.FilterString(p.Filter), text[p.Start:p.End]))
	}
	return strings.Join(out, "; ")
}

// In these tables ! is a certain part and ~ another one; what it comes from is
// in parentheses.
func TestUnderstand(t *testing.T) {
	c := NewCues("en")
	cheap, _ := query.ParseFilter("price < 20", query.Limits{})
	d := NewDomain(c, shop, []Hint{{Words: []string{"cheap", "low budget"}, Filter: cheap}, {Words: []string{"bargain"}, Filter: cheap, Boost: true}})
	v := shopValues(c)
	for _, tt := range []struct{ q, want string }{
		{"nike red shoes", `~brand = "Nike" (nike); ~color = "Red" (red); ~type = "Shoes" (shoes)`},
		{"red running shoe under $50", `~color = "Red" (red); ~type = "Shoes" (shoe); !price < 50 (under $50)`},
		{"dark red t shirts", `~color = "Dark Red" (dark red); ~type = "T-Shirt" (t shirts)`},
		{"hewlett packard laptop", `~brand = "Hewlett-Packard" (hewlett packard); ~type = "Laptop" (laptop)`},
		{"black & decker drill", `~brand = "Black & Decker" (black & decker)`},
		{"startech.com cable", `~brand = "StarTech.com" (startech.com)`},
		{"north face", ``},
		{"the north face jacket", `~brand = "The North Face" (the north face)`},
		// Two fields hold it, and none of them in four times as many records.
		{"orange shoes", `~type = "Shoes" (shoes)`},
		{"color orange", `~color = "Orange" (color orange)`},
		{"orange brand shoes", `~brand = "Orange" (orange brand); ~type = "Shoes" (shoes)`},
		// Filler words, numbers and single letters.
		{"shoes on sale", `~type = "Shoes" (shoes)`},
		{"7 shoes", `~type = "Shoes" (shoes)`},
		{"u shoes", `~type = "Shoes" (shoes)`},

		{"under 50", `~price < 50 (under 50)`},
		{"under $50", `!price < 50 (under $50)`},
		{"under 50$", `!price < 50 (under 50$)`},
		{"below 50 dollars", `!price < 50 (below 50 dollars)`},
		{"less than fifty", ``},
		{"between $20 and $40", `!price 20..40 (between $20 and $40)`},
		{"between 20 and 40 dollars", `!price 20..40 (between 20 and 40 dollars)`},
		{"$20-$40", `!price 20..40 ($20-$40)`},
		{"20-40 euros", `!price 20..40 (20-40 euros)`},
		{"from 20 to 40", `~price 20..40 (from 20 to 40)`},
		{"20-40", ``},
		{"1,000.50 to 2,000 dollars", `!price 1000.5..2000 (1,000.50 to 2,000 dollars)`},
		{"cheaper than 99.90", `!price < 99.9 (cheaper than 99.90)`},
		{"up to 2k dollars", `!price <= 2000 (up to 2k dollars)`},
		{"at least 30 pounds", ``},
		{"more than 3 kg", `!weight_g > 3000 (more than 3 kg)`},
		{"over 100 g", `!weight_g > 100 (over 100 g)`},
		{"lighter than 1.5kg", `!weight_g < 1500 (lighter than 1.5kg)`},
		{"at least 4 stars", `!rating >= 4 (at least 4 stars)`},
		{"4 stars and up", `!rating >= 4 (4 stars and up)`},
		{"4+ stars", `!rating >= 4 (4+ stars)`},
		{"rated 4 or higher", `!rating >= 4 (rated 4 or higher)`},
		{"rating above 4", `!rating > 4 (rating above 4)`},
		{"price under 50", `!price < 50 (price under 50)`},
		{"list price under 50", `!list_price < 50 (list price under 50)`},
		{"at least 8 cores", `!cores >= 8 (at least 8 cores)`},
		{"8 cores", `~cores = 8 (8 cores)`},
		{"8 core laptop", `~cores = 8 (8 core); ~type = "Laptop" (laptop)`},
		{"16 gb laptop", `~memory = 16 (16 gb); ~type = "Laptop" (laptop)`},
		{"16gb", `~memory = 16 (16gb)`},
		{"at least 512 mb", `!memory >= 0.512 (at least 512 mb)`},
		{`17" laptop`, `~screen_in = 17 (17"); ~type = "Laptop" (laptop)`},
		{"15.6-inch laptop", `~screen_in = 15.6 (15.6-inch); ~type = "Laptop" (laptop)`},
		{"screen over 15 inches", `!screen_in > 15 (screen over 15 inches)`},
		{"size 42", `~size = 42 (size 42)`},
		{"size: 42", `~size = 42 (size: 42)`},
		{"< 50", `~price < 50 (< 50)`},
		{"price <= 50", `!price <= 50 (price <= 50)`},
		{"≥ 4 stars", `!rating >= 4 (≥ 4 stars)`},
		{"50 dollars or less", `!price <= 50 (50 dollars or less)`},
		{"no more than 50 dollars", `!price <= 50 (no more than 50 dollars)`},

		{"before 1990", `!released < 1990-01-01 (before 1990)`},
		{"since 2015", `!released >= 2015-01-01 (since 2015)`},
		{"after 2015", `!released >= 2016-01-01 (after 2015)`},
		{"until 2015", `!released < 2016-01-01 (until 2015)`},
		{"in 1994", `~released >= 1994-01-01 AND released < 1995-01-01 (in 1994)`},
		{"from the 1980s", `!released >= 1980-01-01 AND released < 1990-01-01 (from the 1980s)`},
		{"80s shoes", `~released >= 1980-01-01 AND released < 1990-01-01 (80s); ~type = "Shoes" (shoes)`},
		{"between 1980 and 1989", `!released >= 1980-01-01 AND released < 1990-01-01 (between 1980 and 1989)`},
		{"since May 2015", `!released >= 2015-05-01 (since May 2015)`},
		{"after 2015-05-31", `!released >= 2015-06-01 (after 2015-05-31)`},
		{"before 1 May 2015", `!released < 2015-05-01 (before 1 May 2015)`},
		{"before May 1, 2015", `!released < 2015-05-01 (before May 1, 2015)`},
		{"1994", ``},
		{"windows 2000", ``},
		{"under 2000", `~price < 2000 (under 2000)`},

		{"in stock", `~in_stock = true (in stock)`},
		{"wireless red shoes", `~wireless = true (wireless); ~color = "Red" (red); ~type = "Shoes" (shoes)`},
		{"shoes without wireless", `~type = "Shoes" (shoes); ~NOT wireless = true (without wireless)`},
		{"not red shoes", `~NOT color = "Red" (not red); ~type = "Shoes" (shoes)`},
		{"not dark red shoes", `~NOT color = "Dark Red" (not dark red); ~type = "Shoes" (shoes)`},
		{"shoes, not red", `~type = "Shoes" (shoes); ~NOT color = "Red" (not red)`},
		{"shoes but not the red", `~type = "Shoes" (shoes); ~NOT color = "Red" (but not the red)`},
		{"shoes not brand orange", `~type = "Shoes" (shoes); ~NOT brand = "Orange" (not brand orange)`},
		// Years that are not a time.
		{"laptop 3 years warranty", `~type = "Laptop" (laptop)`},
		{"less than 3 years old laptop", `~type = "Laptop" (laptop)`},
		// Decades in words.
		{"laptop from the eighties", `~type = "Laptop" (laptop); !released >= 1980-01-01 AND released < 1990-01-01 (from the eighties)`},
		{"eighties laptop", `~released >= 1980-01-01 AND released < 1990-01-01 (eighties); ~type = "Laptop" (laptop)`},
		{"laptop since the nineties", `~type = "Laptop" (laptop); !released >= 1990-01-01 (since the nineties)`},
		// Times that could be prices.
		{"starting from 2015", `!released >= 2015-01-01 (starting from 2015)`},
		{"starting from 2000", `~price >= 2000 (starting from 2000)`},
		{"starting from 150", `~price >= 150 (starting from 150)`},
		{"price starting from 2015", `!price >= 2015 (price starting from 2015)`},
		{"not 16 gb laptop", `~type = "Laptop" (laptop)`},
		{"cheap shoes", `!price < 20 (cheap); ~type = "Shoes" (shoes)`},
		{"low budget", `!price < 20 (low budget)`},
		{"bargain", `~price < 20 (bargain)`},
		{"2 fast 2 furious", ``},
		{"under the skin", ``},
		{"between two ferns", ``},
		{"", ``}, {"$", ``}, {"under", ``}, {"under $", ``}, {"between 20 and", ``}, {"1.2.3", ``},
	} {
		if got := understood(t, d, v, tt.q); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.q, got, tt.want)
		}
	}
}
