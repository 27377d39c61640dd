package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// fieldTag is what the quarry tag of a struct field says.
type fieldTag struct {
	skip bool // stored and returned, never looked into
	id   bool
	typ  Type // 0: that of the Go type
	on   []string
	off  []string
	// As in Field.
	weight             float64
	b                  *float64
	language, analyzer string
}

// flag returns what the option of this name switches on, and with a minus off,
// or nil if it is no flag.
func (f *Field) flag(name string) *bool {
	switch name {
	case "search":
		return &f.Search
	case "filter":
		return &f.Filter
	case "facet":
		return &f.Facet
	case "sort":
		return &f.Sort
	}
	return nil
}

func isFlag(name string) bool { return (&Field{}).flag(name) != nil }

// tagOptions is the whole language of tags, for errors.
const tagOptions = "-, id, text, keyword, int, float, bool, date, geo, json, search, filter, facet, sort, weight=, b=, language=, analyzer="

// tagError is a mistake in a tag.
type tagError struct {
	column int // in characters, from 1
	detail string
}

// parseTag reads the value of a quarry tag: options separated by commas, each
// a word, a flag with a minus that switches it off, or a name with a value.
// White space around options means nothing. Options that are mistaken are in wrong,
// all of them, and t has the others.
func parseTag(tag string) (t fieldTag, wrong []tagError) {
	if !utf8.ValidString(tag) {
		return t, []tagError{{1, "the tag is not valid UTF-8"}}
	}
	if strings.TrimSpace(tag) == "" {
		return t, nil
	}
	seen, at := []string{}, 0
	for option := range strings.SplitSeq(tag, ",") {
		start := at + len(option) - len(strings.TrimLeft(option, " \t"))
		at += len(option) + 1
		column := utf8.RuneCountInString(tag[:start]) + 1
		name, value, valued := strings.Cut(strings.TrimSpace(option), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		key := name
		if flag := strings.TrimPrefix(name, "-"); isFlag(flag) {
			key = flag
		}
		if key != "" && slices.Contains(seen, key) {
			wrong = append(wrong, tagError{column, fmt.Sprintf("%q stands twice", key)})
			continue
		}
		seen = append(seen, key)
		if detail := t.option(name, value, valued); detail != "" {
			wrong = append(wrong, tagError{column, detail})
		}
	}
	if (t.id || t.skip) && len(seen) > 1 {
		wrong = append(wrong, tagError{1, `"id" and "-" take no other options`})
	}
	return t, wrong
}

// option takes one option; detail says what is wrong with it, or is "".
func (t *fieldTag) option(name, value string, valued bool) (detail string) {
	if typ, ok := ParseType(name); ok && !valued {
		if t.typ != 0 {
			return fmt.Sprintf("a field has one type, and %s is the second", typ)
		}
		t.typ = typ
		return ""
	}
	flag, minus := strings.CutPrefix(name, "-")
	switch known := isFlag(flag); {
	case name == "":
		return "an option is missing"
	case known && valued:
		return fmt.Sprintf("%q takes no value", name)
	case known && minus:
		t.off = append(t.off, flag)
		return ""
	case known:
		t.on = append(t.on, flag)
		return ""
	}
	switch name {
	case "-", "id":
		if valued {
			return fmt.Sprintf("%q takes no value", name)
		}
		t.skip, t.id = t.skip || name == "-", t.id || name == "id"
	case "weight":
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || !(w > 0 && w <= 1000) {
			return "a weight is a number above 0, at most 1000"
		}
		t.weight = w
	case "b":
		b, err := strconv.ParseFloat(value, 64)
		if err != nil || !(b >= 0 && b <= 1) {
			return "b is a number from 0 to 1"
		}
		b = math.Abs(b) // -0 is 0
		t.b = &b
	case "language":
		if value == "" || !knownLanguage(value) {
			return fmt.Sprintf("unknown language %q; known are none, %s", value, strings.Join(tokenize.KnownLanguages(), ", "))
		}
		t.language = value
	case "analyzer":
		if !ValidIndexName(value) {
			return fmt.Sprintf("an analyzer is called %s, or as one of Options.Analyzers", strings.Join(ownAnalyzers[:], ", "))
		}
		t.analyzer = value
	default:
		return fmt.Sprintf("unknown option %q; known are %s", name, tagOptions)
	}
	return ""
}

// field makes the field of a tag; natural is the type that goes with the Go
// type. What is searched, filtered and so on by default depends on the type
// alone. details say what of the tag does not fit.
func (t *fieldTag) field(name string, natural Type) (f Field, details []string) {
	f = Field{Name: name, Type: natural, Weight: t.weight, B: t.b, Language: t.language, Analyzer: t.analyzer}
	if t.typ != 0 {
		f.Type = t.typ
	}
	switch f.Type {
	case Text:
		f.Search = true
		if f.Weight == 0 && isTitle(name, math.MaxInt) {
			f.Weight = titleWeight
		}
	case JSON:
	case Geo:
		f.Filter, f.Sort = true, true
	default:
		f.Filter, f.Facet, f.Sort = true, true, true
	}
	for _, name := range t.on {
		*f.flag(name) = true
	}
	for _, name := range t.off {
		*f.flag(name) = false
	}
	if f.Type != Text && (t.weight != 0 || t.b != nil || t.language != "" || t.analyzer != "" || f.Search) {
		details = append(details, fmt.Sprintf("search, weight, b, language and analyzer are for text, and the field is %s", article(f.Type)))
	}
	if f.Type == JSON && len(t.on) > 0 {
		details = append(details, "a json field is only stored")
	}
	if f.Type == Geo && f.Facet {
		details = append(details, "places have no facets; filter by distance or by box")
	}
	return f, details
}
