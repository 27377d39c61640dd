package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestThesaurusInCompounds: where no record holds a word, what stands for it is found in compounds, too:
// behind records that have it as a word, and before those that have compounds which only begin with it.
func TestThesaurusInCompounds(t *testing.T) {
	for _, c := range []struct {
		language, records, query, want, told string
	}{
		{"de", "Lampe/Kreditkarte/Ratenkredit/Kredit", "Darlehen", "4 3 2", "[{Darlehen kredit} {Darlehen *kredit} {Darlehen kredit*}]"},
		{"de", "Lampe/Hyperinflation/Inflationsrate", "Geldentwertung", "2 3", "[{Geldentwertung *inflation} {Geldentwertung inflation*}]"},
		{"de", "Lampe/Ratenkredit", "günstiges Darlehen", "2", "[{Darlehen *kredit}]"},
		{"de", "Lampe/Ratenkredit/Darlehen", "Darlehen", "3", "[]"}, // a record has the word
		{"de", "Lampe/Ratenkredit", "Lampe", "1", "[]"},
		{"de", "Lampe/Kinderfahrrad", "Rad", "2", "[]"}, // compounds of "Fahrrad" are compounds of "Rad"
		{"nl", "Tafel/Hypotheekkrediet", "lening", "2", "[{lening *krediet}]"},
		{"sv", "Lampa/Raggsockor", "strumpor", "2", "[{strumpor *sockor}]"},
		{"da", "Lampe/Uldsokker", "strømper", "2", "[{strømper *sokker}]"},
		{"no", "Lampe/Ullsokker", "strømper", "2", "[{strømper *sokker}]"},
		{"en", "Lamp/Houseboat", "ship", "", "[]"},
	} {
		e := titled(t, c.language, strings.Split(c.records, "/")...)
		for range 2 { // the second time it is remembered
			res := find(t, e, &Request{Query: c.query, Prefix: PrefixOff, Match: MatchAny})
			if got := idsOf(res); got != c.want || fmt.Sprint(res.Query.Thesaurus) != c.told {
				t.Errorf("%s: %q found %q, told of %v, want %q and %s", c.language, c.query, got, res.Query.Thesaurus, c.want, c.told)
			}
		}
		for _, req := range []Request{{NoSynonyms: true}, {Tuning: Tuning{Thesaurus: -1}}, {Tuning: Tuning{Compound: -1}}, {Ranking: RankingBM25}} {
			req.Query, req.Prefix = c.query, PrefixOff
			if res := find(t, e, &req); strings.Contains(fmt.Sprint(res.Query.Thesaurus), "*") {
				t.Errorf("%s: %q, %+v: told of %v", c.language, c.query, req, res.Query.Thesaurus)
			}
		}
	}
}

// TestThesaurusInCompoundsExplained: what is found in a compound of what stands for a word counts as much less
// than that as a compound of the word does than the word, and is highlighted.
func TestThesaurusInCompoundsExplained(t *testing.T) {
	e := titled(t, "de", "Lampe", "ein Ratenkredit", "Kreditkarte")
	res := find(t, e, &Request{Query: "Darlehen", Explain: true, Highlight: &HighlightRequest{}})
	for i, want := range []struct {
		term, marked string
		penalty      float64
	}{
		{"*kredit", "ein <mark>Ratenkredit</mark>", 0.9 * compoundShare},
		{"kredit*", "<mark>Kreditkarte</mark>", 0.9 * compoundShare * frontShare},
	} {
		h := res.Hits[i]
		if p := h.Explain.Parts[0]; p.Term != want.term || p.From != "darlehen" || p.Penalty != want.penalty {
			t.Errorf("explained by %+v, want %+v", p, want)
		}
		if len(h.Highlight) != 1 || h.Highlight[0].Text != want.marked {
			t.Errorf("highlight %+v, want %q", h.Highlight, want.marked)
		}
	}
}

// TestThesaurusInCompoundsElsewhere: several indexes answer as one that holds all records, and records out of
// sight are as if there were none.
func TestThesaurusInCompoundsElsewhere(t *testing.T) {
	schema := Schema{Language: "de", Fields: []Field{{Name: "text", Type: Text, Search: true}, {Name: "tenant", Type: Int, Filter: true}}}
	e := newEngine(t, nil)
	for _, name := range []string{"a", "b", "all", "seen"} {
		create(t, e, name, schema)
	}
	for i, text := range []string{"Ratenkredit", "Lampe", "Inflationsrate", "Dispokredit", "Hyperinflation", "Kreditkarte", "Kredit", "Tisch", "Darlehen"} {
		record := fmt.Sprintf(`{"id":"%d","text":%q,"tenant":%d}`, i, text, i%3)
		apply(t, e, puts([]string{"a", "b"}[i%2], record))
		apply(t, e, puts("all", record))
		if i%3 == 0 {
			apply(t, e, puts("seen", record))
		}
	}
	for _, query := range []string{"Darlehen", "Geldentwertung", "Teuerung", "Geldentwertung Kredit", "Inflation Darlehen"} {
		for range 2 {
			if got, want := compoundAnswer(t, e, query, nil, "a", "b"), compoundAnswer(t, e, query, nil, "all"); got != want {
				t.Errorf("%q: in two indexes %s, in one %s", query, got, want)
			}
			ids := func(index string, restrict ...string) string {
				res := find(t, e, &Request{Indexes: []string{index}, Query: query, Match: MatchAny, Prefix: PrefixOff, Restrict: restrict})
				return fmt.Sprint(sortWords(idsOf(res)), res.Query.Compounds, res.Query.Thesaurus)
			}
			if got, want := ids("all", "tenant = 0"), ids("seen"); got != want {
				t.Errorf("%q: %s where others hold it, %s where nobody does", query, got, want)
			}
		}
	}
}
