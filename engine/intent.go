package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
)

// IntentMode is what becomes of filters that the words of a query speak of.
type IntentMode uint8

// Intent modes.
const (
	IntentOn      IntentMode = iota // certain ones restrict the hits, others raise them
	IntentOff                       // words are words
	IntentExplain                   // they are told in QueryInfo, and change nothing
)

// Intent is how the words of a query may become filters. The zero value reads
// them: "nike shoes under $50" speaks of a brand and a price if the index has
// such fields, and "shoes not nike" of NOT brand = "Nike", which raises the shoes
// of others. Only words of SyntaxSimple that stand there without sign or quotes
// are read, and only with RankingDefault.
//
// What is understood are comparatives and ranges of numbers ("at least 4 stars",
// "between 20 and 40"), years and dates ("before 1990", "in june", "18th
// century"), numbers with a unit or beside the name of a field ("16 gb", "half an
// hour"), ages and numbers of people ("for 8 people"), values of fields ("science
// fiction"), names of yes-or-no fields ("in stock"), and what comes first
// ("cheapest"). A number belongs to the field whose name, or hint, says that it
// measures such a thing: price, weight_g, year. QueryInfo.Intent tells what was
// read.
type Intent struct {
	Mode IntentMode
	// Ignore are filters, as QueryInfo.FiltersFromIntent tells them, that this
	// request does not want: the words that they come from stay words. At most
	// 100.
	Ignore []string
}

const maxIgnored = 100

// checkIntent reports what is wrong with Request.Intent, and notes the filters
// to ignore in their canonical form.
func (s *searcher) checkIntent(p *problems) {
	r := &s.req.Intent
	if r.Mode > IntentExplain {
		p.addf(CodeInvalidRequest, "/intent", "there is no such choice")
	}
	if len(r.Ignore) > maxIgnored {
		p.addf(CodeLimitExceeded, "/intent/ignore", "there may be %d filters", maxIgnored)
		return
	}
	for i, text := range r.Ignore {
		n, err := s.e.parseFilter(text)
		if err != nil {
			p.addError(repoint(err, fmt.Sprintf("/intent/ignore/%d", i)))
			continue
		}
		s.ignored = append(s.ignored, query.FilterString(n))
	}
}

// IntentUse is what became of a filter that was understood.
type IntentUse uint8

// Uses of filters.
const (
	// IntentFilter restricts the hits; its words are not looked for.
	IntentFilter IntentUse = iota
	// IntentBoost raises the records that satisfy it. They also count as
	// holding its words, which are looked for as before. Where a query says
	// several things about fields and nothing else ("1970s thrillers"), and is not
	// the name of a record, records that satisfy all of them are raised once more.
	IntentBoost
	// IntentRelaxed is a filter that no record was left with, and so a boost.
	IntentRelaxed
	// IntentIgnored is one of Intent.Ignore, and changes nothing.
	IntentIgnored
	// IntentExplained changes nothing, since the mode is IntentExplain.
	IntentExplained
)

var intentUses = [...]string{"filter", "boost", "relaxed", "ignored", "explained"}

// String is the name of the use, such as "filter".
func (u IntentUse) String() string {
	if int(u) < len(intentUses) {
		return intentUses[u]
	}
	return fmt.Sprintf("use(%d)", uint8(u))
}

// Understood is a filter that words of a query speak of.
type Understood struct {
	Filter string // in the canonical form of filters
	Words  string // of the query
	Use    IntentUse
}

// IntentSettings is what a schema says about how queries are understood.
type IntentSettings struct {
	// Off leaves the words of queries as they are.
	Off bool
	// Skip are fields that queries do not speak of.
	Skip []string
	// Units are what the values of number fields are counted in, by field, if
	// their names do not say so: "gb", "cent", "stars".
	Units map[string][]string
	// Words are given a meaning.
	Words []IntentWords
}

// IntentWords makes words speak of a filter: "cheap" of "price < 20".
type IntentWords struct {
	Words  []string // each one or several words
	Filter string
	Boost  bool // the filter raises records and does not restrict the hits
}

// Bounds of IntentSettings.
const (
	maxIntentWords = 1_000
	maxIntentUnits = 16 // of a field
)

func (s *IntentSettings) clone() IntentSettings {
	c := *s
	c.Skip = slices.Clone(s.Skip)
	c.Units = maps.Clone(s.Units)
	for field, units := range c.Units {
		c.Units[field] = slices.Clone(units)
	}
	c.Words = slices.Clone(s.Words)
	for i := range c.Words {
		c.Words[i].Words = slices.Clone(c.Words[i].Words)
	}
	return c
}

// validateIntent reports what is wrong with the intent settings of a schema.
// Fields that a dynamic schema does not have yet may come.
func (s *Schema) validateIntent(l Limits, p *problems) {
	in := &s.Intent
	unknown := func(at, name string) bool {
		missing := s.Field(name) < 0
		if missing && !s.Dynamic {
			p.addf(CodeUnknownField, at, "there is no field %q", name)
		}
		return missing
	}
	if len(in.Skip) > l.IndexFields {
		p.addf(CodeLimitExceeded, "/intent/skip", "there may be %d fields", l.IndexFields)
		return
	}
	for i, name := range in.Skip {
		unknown(fmt.Sprintf("/intent/skip/%d", i), name)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Units)) {
		at := "/intent/units/" + pointerName(name)
		if units := in.Units[name]; len(units) == 0 || len(units) > maxIntentUnits {
			p.addf(CodeInvalidRequest, at, "a field has 1 to %d units", maxIntentUnits)
			continue
		}
		for i, u := range in.Units[name] {
			if !intent.KnownUnit(u) {
				p.addf(CodeInvalidRequest, fmt.Sprintf("%s/%d", at, i), "the unit is not known")
			}
		}
		if !unknown(at, name) {
			if t := s.Fields[s.Field(name)].Type; t != Int && t != Float {
				p.addf(CodeInvalidRequest, at, "units are for fields of numbers; %q is %s", name, article(t))
			}
		}
	}
	if len(in.Words) > maxIntentWords {
		p.addf(CodeLimitExceeded, "/intent/words", "there may be %d", maxIntentWords)
		return
	}
	for i, w := range in.Words {
		s.validateIntentWords(fmt.Sprintf("/intent/words/%d", i), &w, l, p)
	}
}

func (s *Schema) validateIntentWords(at string, w *IntentWords, l Limits, p *problems) {
	if len(w.Words) == 0 || len(w.Words) > maxAlternatives {
		p.addf(CodeInvalidRequest, at+"/words", "there are 1 to %d words", maxAlternatives)
	}
	for j, text := range w.Words {
		if strings.TrimSpace(text) == "" || len(text) > maxSettingBytes {
			p.addf(CodeInvalidRequest, fmt.Sprintf("%s/words/%d", at, j), "words have 1 to %d bytes of text", maxSettingBytes)
		}
	}
	if strings.TrimSpace(w.Filter) == "" {
		p.addf(CodeInvalidRequest, at+"/filter", "it takes a filter to say what the words mean")
		return
	}
	n, err := query.ParseFilter(w.Filter, query.Limits{MaxOperators: l.FilterOps, MaxDepth: l.FilterDepth})
	if err != nil {
		p.addError(fromQueryError(at+"/filter", err))
		return
	}
	c := &compiled{Schema: *s, byName: map[string]int{}}
	for i := range s.Fields {
		c.byName[s.Fields[i].Name] = i
	}
	_, err = bindText(c, n, func(string) bool { return s.Dynamic }, w.Filter)
	p.addError(repoint(err, at+"/filter"))
}

// addError takes over the problems of an error, which may be nil.
func (p *problems) addError(err error) {
	if inv, ok := err.(*InvalidError); ok {
		for _, problem := range inv.Problems {
			p.add(problem)
		}
	}
}

// pointerName is a name as it stands in a JSON pointer.
func pointerName(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// storedIntent is IntentSettings as they are stored.
type storedIntent struct {
	Off   bool                `json:"off,omitzero"`
	Skip  []string            `json:"skip,omitempty"`
	Units []storedUnits       `json:"units,omitempty"` // by field
	Words []storedIntentWords `json:"words,omitempty"`
}

type storedUnits struct {
	Field string   `json:"field"`
	Units []string `json:"units"`
}

type storedIntentWords struct {
	Words  []string `json:"words"`
	Filter string   `json:"filter"`
	Boost  bool     `json:"boost,omitzero"`
}

func storeIntent(s *IntentSettings) *storedIntent {
	if !s.Off && len(s.Skip)+len(s.Units)+len(s.Words) == 0 {
		return nil
	}
	out := &storedIntent{Off: s.Off, Skip: s.Skip}
	for _, field := range slices.Sorted(maps.Keys(s.Units)) {
		out.Units = append(out.Units, storedUnits{field, s.Units[field]})
	}
	for _, w := range s.Words {
		out.Words = append(out.Words, storedIntentWords(w))
	}
	return out
}

func (in *storedIntent) load(s *IntentSettings) {
	if in == nil {
		return
	}
	s.Off, s.Skip = in.Off, in.Skip
	for _, u := range in.Units {
		if s.Units == nil {
			s.Units = map[string][]string{}
		}
		s.Units[u.Field] = u.Units
	}
	for _, w := range in.Words {
		s.Words = append(s.Words, IntentWords(w))
	}
}
