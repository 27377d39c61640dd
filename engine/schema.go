package engine

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/segment"
	"github.com/quarry-search/quarry/tokenize"
)

// Type is the type of a field.
type Type uint8

// Field types. A value may always be a list of values of the type, too.
const (
	Text    Type = iota + 1 // words: searched, highlighted; with Filter also matched as a whole
	Keyword                 // one value, matched as a whole: filters, facets, sorting
	Int                     // exact 64-bit integer, however it is written: 1000, 1000.0, 1e3
	Float                   // IEEE 754 binary64; NaN and infinities are refused
	Bool                    // true or false
	Date                    // RFC 3339, a date alone, or seconds since 1970 UTC, of the years 0 to 9999; kept to the microsecond
	JSON                    // stored and returned, never looked into
	Geo                     // place on the earth: {"lat":52.5,"lon":13.4} or "52.5,13.4"; kept to half a centimeter
	Vector                  // list of Dimensions numbers; searched by nearness, see SemanticRequest
)

var typeNames = [...]string{Text: "text", Keyword: "keyword", Int: "int", Float: "float", Bool: "bool", Date: "date", JSON: "json", Geo: "geo", Vector: "vector"}

// String is the name of the type in schemas, such as "text".
func (t Type) String() string {
	if int(t) < len(typeNames) && typeNames[t] != "" {
		return typeNames[t]
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType reads the name of a type, such as "keyword".
func ParseType(s string) (Type, bool) {
	for t, name := range typeNames {
		if name != "" && name == s {
			return Type(t), true
		}
	}
	return 0, false
}

// Field describes one field of an index. Nested objects are addressed by
// dots: "author.name".
type Field struct {
	Name string
	Type Type
	// Search puts a Text field among those that a query without field names
	// looks into.
	Search bool
	// Filter, Facet and Sort allow the field in filters, as a facet, in sort.
	// Facet implies Filter.
	Filter, Facet, Sort bool
	// Weight of a Text field in ranking; 0 means 1 (5 for a title, see Infer).
	Weight float64
	// B is how much the length of a Text field counts, 0 to 1; nil means 0.75,
	// and 0.5 for a field whose weight is above 1.
	B *float64
	// Language of a Text field: a code that tokenize knows; "" means the
	// schema's; "none" means neither stemming nor stop words.
	Language string
	// Analyzer of a Text field: "" (standard), "whitespace" (split at white
	// space only, byte for byte), "code" (also the parts of camelCase words), or
	// one of Options.Analyzers, for which Language says nothing. Package tokenize
	// tells the rules.
	Analyzer string

	// Dimensions of a Vector field, 1 to 4,096; 0 means those of its embedder.
	// Metric is what makes two vectors near.
	Dimensions int
	Metric     Metric
	// Embedder names one of Options.Embedders, which makes vectors of queries
	// for a Vector field, and, if From names fields with text, vectors of
	// records: of what these fields hold, in the background. Without From
	// records have to bring their vectors.
	Embedder string
	From     []string

	rules string // the version of the analyzer or of the language's rules, see rulesOf

	inferred bool // the type came from a record, and may widen
	widened  bool // from Int to Float: see floatColumns
}

// Schema describes the records of an index.
type Schema struct {
	// PrimaryKey is the name of the member that holds a record's id; "" means
	// "id". It is not among Fields. Records without it get an id of their own.
	// Filters compare it by =, != and IN.
	PrimaryKey string
	// Language of text fields that name none: "" means "en".
	Language string
	// Fields, in the order of their ordinals. Fields are never removed or
	// moved, only appended, while an index lives; a rebuild may do both.
	Fields []Field
	// Dynamic adds the fields of records that the schema does not have, with
	// types inferred from the first record that holds them. Without it such
	// fields are stored and returned, but cannot be searched.
	Dynamic bool
	// Hidden keeps the index out of searches and deletes that name no index.
	Hidden bool
	// Semantic decides whether the index learns vectors from its records, to
	// rank by meaning besides words. A change takes effect at once.
	Semantic Semantic
	// NoThesaurus leaves it to Synonyms alone what else words mean: nothing that
	// the engine itself knows stands for them (see Tuning.Thesaurus). A change takes
	// effect at once.
	NoThesaurus bool
	// Synonyms, StopWords, Rules and Intent shape queries. They take effect at once,
	// without a rebuild.
	Synonyms  []Synonym
	StopWords []string // filler words beside those of the language
	Rules     []Rule
	Intent    IntentSettings
	// Notes are texts of the application's own, by its keys, which the engine
	// keeps but never looks into. Together they may have 1 MiB.
	Notes map[string]string
}

// notesBytes bounds Schema.Notes: a schema is read and written as a whole.
const notesBytes = 1 << 20

var (
	indexName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	fieldName = regexp.MustCompile(`^[^\x00-\x1f\x7f]{1,256}$`)
)

// ValidIndexName tells whether a name may be given to an index: 1 to 64 lower
// case letters, digits, _ and -, beginning with a letter or digit.
func ValidIndexName(name string) bool { return indexName.MatchString(name) }

func validFieldName(name string) bool { return fieldName.MatchString(name) && utf8.ValidString(name) }

// Field returns the ordinal of the field with the given name, or -1.
func (s *Schema) Field(name string) int {
	return slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
}

// clone copies all that there is to a schema: a change of the copy is none of s.
func (s *Schema) clone() *Schema {
	c := *s
	c.Fields = slices.Clone(s.Fields)
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.B != nil {
			b := *f.B
			f.B = &b
		}
		f.From = slices.Clone(f.From)
	}
	c.cloneWords()
	c.Notes = maps.Clone(s.Notes)
	return &c
}

func (s *Schema) primaryKey() string {
	if s.PrimaryKey == "" {
		return "id"
	}
	return s.PrimaryKey
}

// validate reports what is wrong with a schema, with pointers into it.
// analyzers are the names that fields may give; nil: any.
func (s *Schema) validate(l Limits, analyzers []string) error {
	var p problems
	if len(s.Fields) > l.IndexFields {
		p.addf(CodeLimitExceeded, "/fields", "%d fields; an index may have %d", len(s.Fields), l.IndexFields)
		return p.orNil()
	}
	searched := 0
	for _, f := range s.Fields {
		if f.Search {
			searched++
		}
	}
	if searched > segment.MaxTextFields {
		p.addf(CodeLimitExceeded, "/fields", "%d fields that are searched; an index may have %d", searched, segment.MaxTextFields)
		return p.orNil()
	}
	if s.PrimaryKey != "" && !validFieldName(s.PrimaryKey) {
		p.addf(CodeInvalidRequest, "/primary_key", "a field name is 1 to 256 bytes of valid UTF-8 without control characters")
	}
	if !knownLanguage(s.Language) {
		p.addf(CodeInvalidRequest, "/language", "unknown language %q; known are none, %s", s.Language, strings.Join(tokenize.KnownLanguages(), ", "))
	}
	s.validateWords(&p)
	if s.Semantic > SemanticOn {
		p.addf(CodeInvalidRequest, "/semantic", "unknown choice; known are auto, off, on")
	}
	s.validateIntent(l, &p)
	notes := 0
	for key, text := range s.Notes {
		notes += len(key) + len(text)
	}
	if notes > notesBytes {
		p.addf(CodeLimitExceeded, "/notes", "%d bytes of notes; an index may have %d", notes, notesBytes)
	}
	s.countVectors(&p)
	seen := map[string]bool{}
	for i, f := range s.Fields {
		at := func(name string) string { return fmt.Sprintf("/fields/%d/%s", i, name) }
		if !validFieldName(f.Name) {
			p.addf(CodeInvalidRequest, at("name"), "a field name is 1 to 256 bytes of valid UTF-8 without control characters")
		}
		if f.Name == s.primaryKey() {
			p.addf(CodeInvalidRequest, at("name"), "the primary key %q is kept with every record and is no field", f.Name)
		}
		if seen[f.Name] {
			p.addf(CodeInvalidRequest, at("name"), "the field %q is listed twice", f.Name)
		}
		seen[f.Name] = true
		if f.Type < Text || f.Type > Vector {
			p.addf(CodeInvalidRequest, at("type"), "unknown type; known are text, keyword, int, float, bool, date, json, geo, vector")
		}
		if f.Search && f.Type != Text {
			p.addf(CodeInvalidRequest, at("search"), "only text fields can be searched")
		}
		if (f.Filter || f.Facet || f.Sort) && f.Type == JSON {
			p.addf(CodeInvalidRequest, at("filter"), "a json field is only stored")
		}
		if f.Facet && f.Type == Geo {
			p.addf(CodeInvalidRequest, at("facet"), "places have no facets; filter by distance or by box")
		}
		s.validateVector(&f, at, &p)
		if f.Weight < 0 || f.Weight > 1000 || math.IsNaN(f.Weight) {
			p.addf(CodeInvalidRequest, at("weight"), "a weight lies between 0 and 1000")
		}
		if f.B != nil && !(*f.B >= 0 && *f.B <= 1) {
			p.addf(CodeInvalidRequest, at("b"), "b lies between 0 and 1")
		}
		if !knownLanguage(f.Language) {
			p.addf(CodeInvalidRequest, at("language"), "unknown language %q; known are none, %s", f.Language, strings.Join(tokenize.KnownLanguages(), ", "))
		}
		if f.Analyzer != "" && analyzers != nil && !slices.Contains(analyzers, f.Analyzer) {
			p.addf(CodeInvalidRequest, at("analyzer"), "unknown analyzer %q; known are %s", f.Analyzer, strings.Join(analyzers, ", "))
		}
	}
	return p.orNil()
}

func knownLanguage(l string) bool {
	return l == "" || l == "none" || slices.Contains(tokenize.KnownLanguages(), l)
}

// weight is the effective weight of a text field.
func (f *Field) weight() float64 {
	if f.Weight == 0 {
		return 1
	}
	return f.Weight
}

// b is the effective length normalisation of a text field.
func (f *Field) b() float64 {
	switch {
	case f.B != nil:
		return *f.B
	case f.weight() > 1:
		return 0.5
	}
	return 0.75
}

// exact tells whether whole values of the field are indexed and kept in a
// column, for filters, facets and sorting.
func (f *Field) exact() bool { return f.Filter || f.Facet || f.Sort }
