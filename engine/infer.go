package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quarry-search/quarry/tokenize"
)

// defaultLanguage is that of texts of which nothing is said.
const defaultLanguage = "en"

// shortValue is the length, in bytes, up to which the first value of a new
// text field makes the field one that can be filtered, faceted and sorted,
// too: names, brands and colours are short, descriptions are not.
const shortValue = 64

// titleNames are the names of fields that say what a record is, in some languages. Matches
// there weigh titleWeight times as much, which was chosen on judged collections.
var titleNames = []string{
	"title", "name", "headline", "subject", "label", "product_name", "productname", "product_title", "item_name", "display_name",
	"titel", "überschrift", "bezeichnung", "produktname", // German, Dutch, Swedish, Danish
	"titre", "nom", "intitulé", "intitule", "título", "titulo", "nombre", "nome", "titolo",
	"naam", "namn", "navn", "tittel", "nimi", "otsikko", "név", "cím", "titlu", "denumire",
	"название", "наименование", "заголовок", "назва", "başlık", "baslik", "isim", "ürün_adı", "urun_adi",
	"nazwa", "tytuł", "tytul", "název", "nazev",
	"タイトル", "名前", "商品名", "製品名", "名称", "标题", "標題", "名稱", "产品名称", "제목", "이름", "상품명",
	"عنوان", "العنوان", "اسم", "الاسم", "اسم_المنتج", "பெயர்", "தலைப்பு",
}

// topicNames are the names of fields that say what a record is about, if that is short: a
// question that is answered is a title, and one of many sentences is none.
var topicNames = []string{
	"question", "heading", "topic", "issue", "frage", "betreff", "thema", "sujet", "objet", "sujet_question", "pregunta", "asunto", "tema",
	"pergunta", "assunto", "domanda", "oggetto", "argomento", "vraag", "onderwerp", "fråga", "ämne", "spørgsmål", "emne", "spørsmål",
	"kysymys", "aihe", "kérdés", "tárgy", "întrebare", "subiect", "вопрос", "тема", "питання", "pytanie", "temat", "otázka", "soru", "konu",
	"質問", "件名", "题目", "問題", "问题", "主题", "질문", "السؤال", "سؤال", "الموضوع",
}

const (
	titleWeight = 5
	// longestTopic is the length, in characters, up to which a topic is a title.
	longestTopic = 200
)

// isTitle tells whether a field, by the last part of its name and the length of its longest known
// value, in characters, is a title.
func isTitle(name string, longest int) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return slices.Contains(titleNames, name) || strings.HasSuffix(name, "_title") || longest <= longestTopic && slices.Contains(topicNames, name)
}

// inferred returns the field that a new name gets from a first value.
func inferred(name string, v scalar) Field {
	f := Field{Name: name}
	switch v.kind {
	case scalarBool:
		f.Type, f.Filter, f.Facet, f.Sort = Bool, true, true, true
	case scalarInt:
		f.Type, f.Filter, f.Facet, f.Sort = Int, true, true, true
	case scalarFloat:
		f.Type, f.Filter, f.Facet, f.Sort = Float, true, true, true
	default:
		if looksLikeDate(v.str) {
			f.Type, f.Filter, f.Facet, f.Sort = Date, true, true, true
			return f
		}
		f.Type, f.Search = Text, true
		if len(v.str) <= shortValue {
			f.Filter, f.Facet, f.Sort = true, true, true
		}
		if isTitle(name, utf8.RuneCount(v.str)) {
			f.Weight = titleWeight
		}
	}
	return f
}

// looksLikeDate tells whether a string is a date in a form that ParseDate
// reads without doubt: a full date or a date with a time.
func looksLikeDate(s []byte) bool {
	if len(s) < len("2006-01-02") || len(s) > 40 || s[4] != '-' || s[7] != '-' {
		return false
	}
	_, ok := parseDate(string(s))
	return ok
}

// dateLayouts are the forms of dates that records and filters may use.
var dateLayouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01"}

// parseDate reads a date as microseconds since 1970 UTC. Times without a zone
// are UTC.
func parseDate(s string) (int64, bool) {
	if strings.ContainsAny(s, "tz") { // small letters are allowed by RFC 3339, not by package time
		s = strings.ToUpper(s)
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMicro(), true
		}
	}
	return 0, false
}

// Infer proposes a schema for sample records, JSON objects: the types of the
// fields from all the samples, in the order of their first appearance. A field
// of strings that are all short can be filtered and faceted as well as
// searched; one whose values are dates is a date. Language is that of the texts, "none" if they are
// in one that has no stemmer, "" where they do not tell or are English (see tokenize.Guesser). primaryKey is "" for "id". The
// error is an *InvalidError for samples that are no records, with their numbers
// as Position.
func Infer(records [][]byte, primaryKey string) (Schema, error) {
	s := Schema{PrimaryKey: primaryKey, Dynamic: true}
	longest := map[string]int{}
	var p problems
	for n, r := range records {
		err := walkRecord(r, Limits{}.orDefaults(), func(path string, _ pointer, v scalar) error {
			if path == s.primaryKey() || v.kind == scalarNull {
				return nil
			}
			f := inferred(path, v)
			i := s.Field(path)
			if i < 0 {
				s.Fields = append(s.Fields, f)
				i = len(s.Fields) - 1
			}
			if v.kind == scalarString {
				longest[path] = max(longest[path], utf8.RuneCount(v.str))
			}
			s.Fields[i] = widen(s.Fields[i], f)
			return nil
		})
		if err != nil {
			code := CodeMalformedJSON
			if err == errNotObject {
				code = CodeInvalidRequest
			}
			p.add(Problem{Code: code, Position: n, Detail: err.Error()})
		}
	}
	if err := p.orNil(); err != nil {
		return Schema{}, err
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Type == Text && longest[f.Name] > shortValue {
			f.Filter, f.Facet, f.Sort = false, false, false
			if !isTitle(f.Name, longest[f.Name]) {
				f.Weight = 0
			}
		}
	}
	s.Language = languageOf(records, s.primaryKey())
	return s, nil
}

const (
	// languageSample is how many records are looked at for their language, of all parts of
	// those that there are.
	languageSample = 1000
	// languageBytes is how long records are, together, that may tell: one with a name, a
	// description and a colour does, mostly.
	languageBytes = 40
)

// errEnough ends a walk through a record.
var errEnough = errors.New("enough")

// languageOf guesses the language of the texts of records, whose ids are no text; "none" for one
// that is known not to be English, but has no stemmer, "" where they do not tell, or are English,
// which is the default.
func languageOf(records [][]byte, primaryKey string) string {
	bytes := 0
	for _, record := range records {
		if bytes += len(record); bytes >= languageBytes {
			break
		}
	}
	if bytes < languageBytes {
		return ""
	}
	g, more := tokenize.NewGuesser(), true
	step := (len(records) + languageSample - 1) / languageSample
	for i := 0; i < len(records) && more; i += step {
		_ = walkRecord(records[i], Limits{}.orDefaults(), func(path string, _ pointer, v scalar) error {
			if v.kind == scalarString && path != primaryKey {
				more = g.Add(v.str)
			}
			if !more {
				return errEnough
			}
			return nil
		}) // what is no record is told of elsewhere
	}
	switch l := g.Language(); {
	case l == "" && g.Foreign():
		return "none"
	case l != defaultLanguage:
		return l
	}
	return ""
}

// widen is the type that holds the values of both fields: int and float give
// float, anything else that differs gives text.
func widen(a, b Field) Field {
	switch {
	case a.Type == b.Type:
		return a
	case a.Type == Int && b.Type == Float:
		return b
	case a.Type == Float && b.Type == Int:
		return a
	}
	return inferred(a.Name, scalar{kind: scalarString})
}

// dateForms are the forms of dates that records and filters may use, in words.
const dateForms = `dates as "2026-11-21" or "2026-11", times as "2026-11-21T13:05:00Z", "2026-11-21T13:05:00+01:00" or, for UTC, without a zone ("2026-11-21T13:05:00", "2026-11-21T13:05", "2026-11-21 13:05:00"), or seconds since 1970`

// The microseconds of the first and the last moment that RFC 3339 can write in
// UTC, the years 0 and 9999.
const (
	firstDate = -62167219200 * 1e6
	lastDate  = 253402300800*1e6 - 1
)

// beyondDates says what is wrong with a date that RFC 3339 cannot write; "" if
// it can. seconds tells that it was given as a number.
func beyondDates(micros int64, seconds bool) string {
	switch {
	case micros >= firstDate && micros <= lastDate:
		return ""
	case seconds && micros > 0:
		return "the date lies after the year 9999: it looks like milliseconds, and seconds since 1970 are what is taken"
	case micros > 0:
		return "the date lies after the year 9999"
	}
	return "the date lies before the year 0"
}

// beyondSeconds is beyondDates of a number of seconds.
func beyondSeconds(s float64) string {
	const most = 1 << 43 // far beyond, and its microseconds are no more than an int64 holds
	return beyondDates(int64(math.Round(min(max(s, -most), most)*1e6)), true)
}

// formatDate is the inverse of parseDate: RFC 3339 in UTC.
func formatDate(micros int64) string {
	return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
}
