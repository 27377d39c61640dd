package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/score"
	"github.com/quarry-search/quarry/tokenize"
)

// compiled is a schema made ready for use. It is immutable; a schema that
// grows becomes a new compiled that shares what did not change.
type compiled struct {
	Schema
	byName map[string]int
	text   []textField     // the searched text fields, by text ordinal
	textOf []int           // [field ordinal] = text ordinal, or -1
	groups []analyzerGroup // of all text fields
	titles []int           // the text fields, by their places in text, that weigh more than 1
	book   *score.Codebook
	words  *wordTables // see tables
	intent *intentTables
	stale  error // ErrOtherAnalyzer: the words are not those that are stored
}

// floatColumns is what is added to the number of a field for a second column.
// A field that was inferred as Int and has met a float becomes a Float field;
// its integers stay where they are, exact to 64 bits, and so do those to come,
// and the other numbers are in the second column.
const floatColumns = 1 << 15

// textField is a field that takes part in word search. Its place in
// compiled.text is its text ordinal, which postings and norms use; ordinals are
// given in the order of the fields and never change.
type textField struct {
	field    int // ordinal in Schema.Fields
	analyzer *tokenize.Analyzer
	id       int // fields with the same analyzer share an id
}

// compile prepares a valid schema. prev may be nil; its analyzers and codebook
// are used again where they fit. custom are Options.Analyzers; prev may have
// fields that are not among them.
func compile(s *Schema, prev *compiled, custom map[string]*tokenize.Analyzer) (*compiled, error) {
	c := &compiled{Schema: *s.clone(), byName: make(map[string]int, len(s.Fields)), textOf: make([]int, len(s.Fields))}
	c.words, c.intent = &wordTables{}, &intentTables{}
	known := map[setup]*textField{}
	if prev != nil {
		for i := range prev.text {
			t := &prev.text[i]
			f := &prev.Fields[t.field]
			known[prev.setupOf(f)] = t
		}
	}
	ids := len(known)
	for i := range c.Fields {
		f := &c.Fields[i]
		c.byName[f.Name] = i
		c.textOf[i] = -1
		if f.Type != Text || !f.Search {
			continue
		}
		key := c.setupOf(f)
		t, ok := known[key]
		if !ok {
			a, err := newAnalyzer(key.language, key.analyzer, custom)
			if err != nil {
				return nil, fmt.Errorf("field %q: %w", f.Name, err)
			}
			t = &textField{analyzer: a, id: ids}
			known[key] = t
			ids++
		}
		if now := s.rulesOf(f, custom); f.rules != now {
			c.stale = staleField(f, key, now)
		}
		c.textOf[i] = len(c.text)
		if f.weight() > 1 {
			c.titles = append(c.titles, len(c.text))
		}
		c.text = append(c.text, textField{field: i, analyzer: t.analyzer, id: t.id})
	}
	if prev != nil && prev.book.Fields() == len(c.text) {
		c.book = prev.book
	} else {
		c.book = score.NewCodebook(len(c.text))
	}
	if prev != nil && sameWords(&prev.Schema, s) && sameAnalyzers(prev.text, c.text) && sameAnalyzers(c.text, prev.text) {
		c.words = prev.words
	}
	c.groups = c.group(nil)
	return c, nil
}

// add appends a field. Of what compile makes of all fields nothing changes: it has to be called
// once all are there.
func (c *compiled) add(f Field) error {
	i, text := len(c.Fields), -1
	if f.Type == Text && f.Search {
		t := textField{field: i}
		key, ids := c.setupOf(&f), 0
		for _, o := range c.text {
			if c.setupOf(&c.Fields[o.field]) == key {
				t.analyzer, t.id = o.analyzer, o.id
				break
			}
			ids = max(ids, o.id+1)
		}
		if t.analyzer == nil {
			a, err := newAnalyzer(key.language, key.analyzer, nil)
			if err != nil {
				return fmt.Errorf("field %q: %w", f.Name, err)
			}
			t.analyzer, t.id = a, ids
		}
		text = len(c.text)
		c.text = append(c.text, t)
	}
	c.Fields, c.textOf = append(c.Fields, f), append(c.textOf, text)
	c.byName[f.Name] = i
	return nil
}

// staleField tells that the words of a field are by other rules than those of now.
func staleField(f *Field, key setup, now string) error {
	if key.analyzer == "" || key.analyzer == "code" {
		return fmt.Errorf("field %q: %w: another version of the program has indexed words of the language %q, by other rules; rebuild the index by sending its schema again", f.Name, ErrOtherAnalyzer, key.language)
	}
	return fmt.Errorf("field %q: analyzer %q: %w from version %s to %s; rebuild the index", f.Name, f.Analyzer, ErrOtherAnalyzer, f.rules, now)
}

// sameAnalyzers tells whether the fields of b have no analyzer that those of a
// lack.
func sameAnalyzers(a, b []textField) bool {
	return !slices.ContainsFunc(b, func(t textField) bool {
		return !slices.ContainsFunc(a, func(o textField) bool { return o.analyzer == t.analyzer })
	})
}

// columnsOf returns the numbers of the columns that a field may have.
func (s *Schema) columnsOf(field int) []uint16 {
	if s.Fields[field].widened {
		return []uint16{uint16(field), uint16(field) | floatColumns}
	}
	return []uint16{uint16(field)}
}

// setup is how texts are read: the same in any index.
type setup struct{ language, analyzer string }

func (a setup) compare(b setup) int {
	return cmp.Or(strings.Compare(a.language, b.language), strings.Compare(a.analyzer, b.analyzer))
}

// setupOf is that of a text field.
func (s *Schema) setupOf(f *Field) setup { return setup{s.languageOf(f), f.Analyzer} }

// languageOf is the effective language of a text field, "" for none.
func (s *Schema) languageOf(f *Field) string {
	l := f.Language
	if l == "" {
		l = s.Language
	}
	switch l {
	case "":
		return defaultLanguage
	case "none":
		return ""
	}
	return l
}

// newAnalyzer returns the analyzer of a name; custom are Options.Analyzers.
func newAnalyzer(language, name string, custom map[string]*tokenize.Analyzer) (*tokenize.Analyzer, error) {
	switch name {
	case "":
		return tokenize.New(tokenize.Options{Language: language})
	case "whitespace":
		return tokenize.New(tokenize.Options{Mode: tokenize.Whitespace})
	case "code":
		return tokenize.New(tokenize.Options{Language: language, Parts: true})
	}
	if a := custom[name]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("%w in Options.Analyzers: %q", ErrNoAnalyzer, name)
}

// params are the BM25F parameters of the default ranking under the given
// averages, by text ordinal.
func (c *compiled) params(avg []float64) score.Params {
	p := score.Params{K1: score.DefaultK1, Fields: make([]score.Field, len(c.text))}
	for i, t := range c.text {
		f := &c.Fields[t.field]
		p.Fields[i] = score.Field{Weight: f.weight(), B: f.b()}
		if i < len(avg) {
			p.Fields[i].AvgLen = avg[i]
		}
	}
	return p
}
