package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
)

// intentTables is what the queries of an index may speak of, made when one
// first needs it. It never changes.
type intentTables struct {
	once       sync.Once
	languages  string // codes, with spaces between them
	cues       *intent.Cues
	fields     []intent.Field
	hints      []intent.Hint
	domain     *intent.Domain
	categories []int  // ordinals of the fields whose values are understood
	vocabulary string // names languages and categories
	id         string
	names      []string        // of all fields
	things     map[string]bool // see intent.Cues.Things
	others     sync.Map        // otherNames by the name of the index: []string
}

// intentTables returns those of the schema.
func (c *compiled) intentTables(e *Engine) *intentTables {
	t := c.intent
	t.once.Do(func() {
		t.id = strconv.FormatUint(e.uids.Add(1), 36)
		t.languages = strings.Join(c.spoken(), " ")
		if !slices.ContainsFunc(c.Fields, func(f Field) bool {
			typ, ok := f.spokenOf(&c.Intent)
			return ok && (typ == intent.Number || typ == intent.Date)
		}) {
			t.languages += " " + intent.Texts
		}
		t.cues = e.cuesOf(t.languages)
		t.names = make([]string, len(c.Fields))
		for i := range c.Fields {
			t.names[i] = c.Fields[i].Name
		}
		t.things = t.cues.Things(t.names)
		for i := range c.Fields {
			f := &c.Fields[i]
			typ, ok := f.spokenOf(&c.Intent)
			if !ok {
				continue
			}
			t.fields = append(t.fields, intent.Field{Name: f.Name, Type: typ, Units: c.Intent.Units[f.Name]})
			if typ == intent.Category {
				t.categories = append(t.categories, i)
			}
		}
		for _, w := range c.Intent.Words {
			if n, err := e.parseFilter(w.Filter); err == nil {
				t.hints = append(t.hints, intent.Hint{Words: w.Words, Filter: n, Boost: w.Boost})
			}
		}
		t.vocabulary = fmt.Sprint(t.languages, t.categories)
		t.domain = intent.NewDomain(t.cues, t.fields, t.hints)
	})
	return t
}

// spoken returns the languages of an index that there are cue words for.
func (c *compiled) spoken() []string {
	languages := []string{c.languageOf(&Field{})}
	for _, t := range c.text {
		languages = append(languages, c.languageOf(&c.Fields[t.field]))
	}
	slices.Sort(languages)
	return slices.DeleteFunc(slices.Compact(languages), func(l string) bool { return l == "" })
}

// spokenOf tells whether queries may speak of a field, and as what.
func (f *Field) spokenOf(s *IntentSettings) (intent.FieldType, bool) {
	if s.Off || slices.Contains(s.Skip, f.Name) {
		return 0, false
	}
	switch f.Type {
	case Int, Float:
		return intent.Number, f.Filter || f.Facet
	case Date:
		return intent.Date, f.Filter || f.Facet
	case Bool:
		return intent.Bool, f.Facet
	case Keyword:
		return intent.Category, f.Facet
	case Text:
		// A title names one record, and its words are found anyhow.
		title := f.Search && (f.weight() > 1 || isTitle(f.Name, math.MaxInt))
		return intent.Category, f.Facet && !title
	}
	return 0, false
}

// cuesOf returns the cue words of some languages.
func (e *Engine) cuesOf(languages string) *intent.Cues {
	if c, ok := e.cues.Load(languages); ok {
		return c.(*intent.Cues)
	}
	c, _ := e.cues.LoadOrStore(languages, intent.NewCues(strings.Fields(languages)...))
	return c.(*intent.Cues)
}

// domain returns what a query over the indexes of the search may speak of, and
// the cue words that it is read with.
func (s *searcher) domain() (*intent.Domain, *intent.Cues) {
	if len(s.runs) == 1 {
		t := s.runs[0].iv.schema.intentTables(s.e)
		return t.domain, t.cues
	}
	var ids, languages []string
	for _, run := range s.runs {
		t := run.iv.schema.intentTables(s.e)
		ids = append(ids, t.id)
		languages = append(languages, strings.Fields(t.languages)...)
	}
	slices.Sort(languages)
	languages = slices.Compact(languages)
	if slices.ContainsFunc(s.runs, func(run *searchRun) bool {
		return !strings.HasSuffix(run.iv.schema.intentTables(s.e).languages, intent.Texts)
	}) {
		languages = slices.DeleteFunc(languages, func(l string) bool { return l == intent.Texts })
	}
	cues := s.e.cuesOf(strings.Join(languages, " "))
	d, _ := s.e.domains.load(strings.Join(ids, " "), func() (*intent.Domain, int, error) {
		var fields []intent.Field
		var hints []intent.Hint
		for _, run := range s.runs {
			t := run.iv.schema.intentTables(s.e)
			fields = append(fields, t.fields...)
			for _, h := range t.hints {
				if !slices.ContainsFunc(hints, func(o intent.Hint) bool { return sameHint(&o, &h) }) {
					hints = append(hints, h)
				}
			}
		}
		return intent.NewDomain(cues, fields, hints), 256 * (len(fields) + len(hints)), nil
	})
	return d, cues
}

func sameHint(a, b *intent.Hint) bool {
	return a.Boost == b.Boost && slices.Equal(a.Words, b.Words) && query.Equal(a.Filter, b.Filter)
}
