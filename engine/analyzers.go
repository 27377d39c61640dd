package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quarry-search/quarry/tokenize"
)

// Analyzers of the application's own, Options.Analyzers, are known by their
// names. A schema keeps the name and, with it, the version that its records
// were analyzed under, so that words are never looked for that other rules have
// made. Without the analyzer nothing can be opened: a batch in the log could not
// be inverted. With another version the index is stale: it opens, its records
// can be read, and a rebuild makes it good; searches and writes are refused, and
// nothing of it is flushed, since the log may be replayed under other rules than
// those that the version in the schema names.

// ownAnalyzers are those that Field.Analyzer takes in any case; see newAnalyzer.
var ownAnalyzers = [...]string{"whitespace", "code"}

// checkAnalyzers reports what is wrong with Options.Analyzers.
func (o *Options) checkAnalyzers(p *problems) {
	for _, name := range slices.Sorted(maps.Keys(o.Analyzers)) {
		switch a := o.Analyzers[name]; {
		case !ValidIndexName(name):
			p.addf(CodeInvalidRequest, "/Analyzers", "%q: a name has 1 to 64 of the characters a-z, 0-9, _ and -, and begins with a letter or digit", name)
		case slices.Contains(ownAnalyzers[:], name):
			p.addf(CodeInvalidRequest, "/Analyzers", "the names %s are taken", strings.Join(ownAnalyzers[:], ", "))
		case a == nil:
			p.addf(CodeInvalidRequest, "/Analyzers", "%q is nil", name)
		}
	}
}

// analyzerNames returns the names that Field.Analyzer takes.
func (e *Engine) analyzerNames() []string {
	return append(slices.Clone(ownAnalyzers[:]), slices.Sorted(maps.Keys(e.opts.Analyzers))...)
}

// useAnalyzers notes in a schema which versions of analyzers there are: what is
// indexed from now on is by their rules.
func (e *Engine) useAnalyzers(s *Schema) {
	s.Fields = slices.Clone(s.Fields)
	for i := range s.Fields {
		f := &s.Fields[i]
		f.rules = s.rulesOf(f, e.opts.Analyzers)
	}
}

// rulesOf returns the version of the rules that a field of the schema has its words by; ""
// if they have always been the same.
func (s *Schema) rulesOf(f *Field, custom map[string]*tokenize.Analyzer) string {
	switch {
	case f.Type != Text:
		return ""
	case f.Analyzer == "" || f.Analyzer == "code":
		return tokenize.Rules(s.languageOf(f))
	case custom[f.Analyzer] != nil:
		return custom[f.Analyzer].Version()
	}
	return ""
}

// checkWords reports the texts of a record whose analyzer fails. Records that
// are read again have passed it.
func (a *analysis) checkWords(p *problems) {
	if a.fixed {
		return
	}
	for _, v := range a.values {
		t := &a.schema.text[a.schema.textOf[v.field]]
		if !t.analyzer.Custom() {
			continue
		}
		stream := a.stream(t)
		if stream.Reset(a.textBytes[v.from:v.to]); stream.Err() != nil {
			f := &a.schema.Fields[v.field]
			p.addf(CodeInvalidRequest, "", "the field %q cannot be indexed: the analyzer %q gave %s", f.Name, f.Analyzer, stream.Err())
		}
	}
}

// usable returns why an index can neither be searched nor written to, or nil.
func (c *compiled) usable(index string) error {
	if c.stale == nil {
		return nil
	}
	return fmt.Errorf("index %q: %w", index, c.stale)
}

// queryTokens analyzes text of a query.
func (r *resolver) queryTokens(text string, g analyzerGroup) []tokenize.Token {
	if err := g.analyzer.Check(text, true); err != nil {
		r.fail(invalid(CodeInvalidQuery, "/q", "an analyzer of this index gave %s", err))
		return nil
	}
	return r.texts.tokens(g.analyzer, text)
}

// custom tells whether a text field has an analyzer of the application.
func (c *compiled) custom() bool {
	return slices.ContainsFunc(c.text, func(t textField) bool { return t.analyzer.Custom() })
}

// plainest returns an analyzer under which words are words, if the schema has
// one. It has some text field.
func (c *compiled) plainest() *tokenize.Analyzer {
	for _, t := range c.text {
		if !t.analyzer.Custom() {
			return t.analyzer
		}
	}
	return c.text[0].analyzer
}
