package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// Synonym makes words stand for others in queries. It is either a group, all
// of whose Words stand for each other, or goes one way: From also stands for
// each of To. A word may be several words, which then stand for, and are found
// as, a phrase. Words are compared as queries are, by their stems.
type Synonym struct {
	Words []string
	From  string
	To    []string
}

// Rule puts records first, or leaves them out, for certain queries.
type Rule struct {
	ID string // names the rule in error messages; unique in a schema
	// Query is compared with the words of a query, by their stems and without
	// regard to case. Empty means the query without text.
	Query string
	// Contains makes the rule hold for every query in which the words of Query
	// stand together; otherwise they have to be the whole query.
	Contains bool
	Pin      []Pin
	Hide     []string // record ids
}

// Bounds of what a schema says about words. They keep the work of a query,
// and the size of a schema, within reason.
const (
	maxSynonyms     = 10_000 // and each with up to maxAlternatives words
	maxAlternatives = 100
	maxSettingBytes = 256 // of a synonym, stop word, or the query of a rule
	maxStopWords    = 10_000
	maxRules        = 1_000
	maxPins         = 100
	maxHidden       = 1_000
)

// validateWords reports what is wrong with the synonyms, stop words and rules
// of a schema.
func (s *Schema) validateWords(p *problems) {
	text := func(at, what, value string) {
		if strings.TrimSpace(value) == "" || len(value) > maxSettingBytes || !utf8.ValidString(value) {
			p.addf(CodeInvalidRequest, at, "%s has 1 to %d bytes of text", what, maxSettingBytes)
		}
	}
	most := func(at, what string, n, limit int) bool {
		if n > limit {
			p.addf(CodeLimitExceeded, at, "there may be %d %s", limit, what)
		}
		return n <= limit
	}
	if most("/synonyms", "synonyms", len(s.Synonyms), maxSynonyms) {
		for i, syn := range s.Synonyms {
			at := fmt.Sprintf("/synonyms/%d", i)
			group, oneWay := len(syn.Words) > 0, syn.From != "" || len(syn.To) > 0
			switch {
			case group == oneWay:
				p.addf(CodeInvalidRequest, at, "a synonym has either words, or from and to")
			case group && len(syn.Words) < 2:
				p.addf(CodeInvalidRequest, at+"/words", "a group has at least two words")
			case oneWay && (syn.From == "" || len(syn.To) == 0):
				p.addf(CodeInvalidRequest, at, "a one-way synonym has from and to")
			}
			if oneWay && syn.From != "" {
				text(at+"/from", "a synonym", syn.From)
			}
			for name, list := range map[string][]string{"words": syn.Words, "to": syn.To} {
				if most(at+"/"+name, "words in a synonym", len(list), maxAlternatives) {
					for j, w := range list {
						text(fmt.Sprintf("%s/%s/%d", at, name, j), "a synonym", w)
					}
				}
			}
		}
	}
	if most("/stop_words", "stop words", len(s.StopWords), maxStopWords) {
		for i, w := range s.StopWords {
			at := fmt.Sprintf("/stop_words/%d", i)
			if text(at, "a stop word", w); strings.ContainsAny(strings.TrimSpace(w), " \t\n") {
				p.addf(CodeInvalidRequest, at, "a stop word is a single word")
			}
		}
	}
	if most("/rules", "rules", len(s.Rules), maxRules) {
		s.validateRules(p)
	}
}

func (s *Schema) validateRules(p *problems) {
	seen := map[string]bool{}
	for i, r := range s.Rules {
		at := fmt.Sprintf("/rules/%d", i)
		if r.ID == "" || len(r.ID) > maxSettingBytes || seen[r.ID] {
			p.addf(CodeInvalidRequest, at+"/id", "a rule has an id of its own, of up to %d bytes", maxSettingBytes)
		}
		seen[r.ID] = true
		if len(r.Query) > maxSettingBytes || !utf8.ValidString(r.Query) {
			p.addf(CodeInvalidRequest, at+"/when/query", "the query of a rule has up to %d bytes", maxSettingBytes)
		}
		if r.Contains && strings.TrimSpace(r.Query) == "" {
			p.addf(CodeInvalidRequest, at+"/when/query", "every query contains the empty one; name some words")
		}
		if len(r.Pin)+len(r.Hide) == 0 {
			p.addf(CodeInvalidRequest, at, "a rule pins or hides something")
		}
		for j, pin := range r.Pin {
			if pin.Index != "" {
				p.addf(CodeInvalidRequest, fmt.Sprintf("%s/pin/%d/index", at, j), "a rule pins records of its own index")
			}
		}
		checkPins(p, at+"/pin", r.Pin)
		checkHidden(p, at+"/hide", r.Hide)
	}
}

// cloneWords copies what a caller might change.
func (s *Schema) cloneWords() {
	s.Synonyms = slices.Clone(s.Synonyms)
	for i := range s.Synonyms {
		s.Synonyms[i].Words = slices.Clone(s.Synonyms[i].Words)
		s.Synonyms[i].To = slices.Clone(s.Synonyms[i].To)
	}
	s.StopWords = slices.Clone(s.StopWords)
	s.Intent = s.Intent.clone()
	s.Rules = slices.Clone(s.Rules)
	for i := range s.Rules {
		s.Rules[i].Pin = slices.Clone(s.Rules[i].Pin)
		s.Rules[i].Hide = slices.Clone(s.Rules[i].Hide)
	}
}

// sameWords tells whether two schemas say the same about words, so that what
// was made of one serves the other.
func sameWords(a, b *Schema) bool {
	return slices.EqualFunc(a.Synonyms, b.Synonyms, func(x, y Synonym) bool {
		return x.From == y.From && slices.Equal(x.Words, y.Words) && slices.Equal(x.To, y.To)
	}) && slices.Equal(a.StopWords, b.StopWords) && slices.EqualFunc(a.Rules, b.Rules, func(x, y Rule) bool {
		return x.ID == y.ID && x.Query == y.Query && x.Contains == y.Contains && slices.Equal(x.Pin, y.Pin) && slices.Equal(x.Hide, y.Hide)
	})
}

// wordTables are the synonyms, stop words and rules of a schema in the form in
// which queries look them up. They are made when a query first needs them, and
// never change.
type wordTables struct {
	once     sync.Once
	stops    map[string]bool
	synonyms map[*tokenize.Analyzer]*phraseTable // whose values are numbers of alternatives
	others   [][]string                          // by those numbers
	rules    map[*tokenize.Analyzer]*phraseTable // whose values are numbers of rules
	cues     map[string][]tokenize.Cue           // see resolver.negations
	lacks    map[string][]tokenize.Cue           // by language; see resolver.lacking
	has      map[string][]tokenize.Cue           // the same; see resolver.having
	common   map[string]bool                     // see speller.meantAsWritten
	frames   *frames
}

// tables returns the tables of the schema.
func (c *compiled) tables() *wordTables {
	w := c.words
	w.once.Do(func() {
		w.stops = stopTable(c.StopWords)
		var languages []string
		for _, t := range c.text {
			languages = append(languages, c.languageOf(&c.Fields[t.field]))
		}
		w.cues = cueTable(languages...)
		w.lacks, w.has = map[string][]tokenize.Cue{}, map[string][]tokenize.Cue{}
		for _, l := range languages {
			w.lacks[l], w.has[l] = tokenize.Lacks(l), tokenize.Has(l)
		}
		w.common = commonTable(languages...)
		w.frames = frameTable(languages...)
		w.synonyms, w.rules = map[*tokenize.Analyzer]*phraseTable{}, map[*tokenize.Analyzer]*phraseTable{}
		var phrases []string
		for _, s := range c.Synonyms {
			if s.From != "" {
				phrases, w.others = append(phrases, s.From), append(w.others, s.To)
			}
			for i, word := range s.Words {
				phrases = append(phrases, word)
				w.others = append(w.others, slices.Concat(s.Words[:i], s.Words[i+1:]))
			}
		}
		for _, t := range c.text {
			if w.synonyms[t.analyzer] != nil {
				continue
			}
			w.synonyms[t.analyzer] = newPhraseTable(t.analyzer, phrases)
			queries := make([]string, len(c.Rules))
			for i, r := range c.Rules {
				queries[i] = r.Query
			}
			w.rules[t.analyzer] = newPhraseTable(t.analyzer, queries)
		}
	})
	return w
}

// stopTable returns words in the form of Token.Word.
func stopTable(words []string) map[string]bool {
	if len(words) == 0 {
		return nil
	}
	set := make(map[string]bool, len(words))
	for _, w := range words {
		folded := string(tokenize.Fold(nil, []byte(tokenize.Plain(strings.TrimSpace(w)))))
		set[strings.NewReplacer("'", "", "’", "").Replace(folded)] = true
	}
	return set
}

// phraseTable finds phrases by their terms.
type phraseTable struct {
	terms   [][]string       // by phrase
	byFirst map[string][]int // numbers of phrases by their first terms, the longest first
}

func newPhraseTable(a *tokenize.Analyzer, phrases []string) *phraseTable {
	t := &phraseTable{terms: make([][]string, len(phrases)), byFirst: map[string][]int{}}
	for i, p := range phrases {
		for _, tok := range a.AnalyzeQuery(p) {
			if !tok.Part {
				t.terms[i] = append(t.terms[i], string(tok.Term))
			}
		}
		if len(t.terms[i]) > 0 {
			t.byFirst[t.terms[i][0]] = append(t.byFirst[t.terms[i][0]], i)
		}
	}
	for _, list := range t.byFirst {
		slices.SortStableFunc(list, func(a, b int) int { return len(t.terms[b]) - len(t.terms[a]) })
	}
	return t
}

// longest returns the longest phrase that terms begin with, and those that are
// the same.
func (t *phraseTable) longest(terms []string) (phrases []int) {
	if len(terms) == 0 {
		return nil
	}
	for _, i := range t.byFirst[terms[0]] {
		n := len(t.terms[i])
		if len(phrases) > 0 && n < len(t.terms[phrases[0]]) {
			break
		}
		if n <= len(terms) && slices.Equal(t.terms[i], terms[:n]) {
			phrases = append(phrases, i)
		}
	}
	return phrases
}
