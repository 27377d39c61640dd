package httpapi

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine"
)

// intentModes are the names of engine.IntentMode, in its order.
var intentModes = [...]string{"on", "off", "only_explain"}

// intent reads a mode, or an object with one and the filters that are not
// wanted.
func (p *searchParser) intent(v value) {
	mode := func(v value) { p.Intent.Mode = choice[engine.IntentMode](p, v, intentModes[:]...) }
	if v.raw.Kind() != '{' {
		if p.want(v, `"{`, `"on", "off", "only_explain" or an object`) {
			mode(v)
		}
		return
	}
	p.object(v, []member{
		{"mode", mode},
		{"ignore", func(v value) { p.strings(v, &p.Intent.Ignore) }},
	})
}

// intentIdentity is what of the request's intent decides which records match.
func (q *searchRequest) intentIdentity(b []byte) []byte {
	return appendStrings(append(b, byte(q.Intent.Mode)), q.Intent.Ignore)
}

// understood writes what the words of a query say about fields.
func (w *jsonWriter) understood(list []engine.Understood) {
	if len(list) == 0 {
		return
	}
	w.key("intent")
	w.open('[')
	for _, u := range list {
		w.open('{')
		w.textAt("filter", u.Filter)
		w.textAt("words", u.Words)
		w.textAt("used", u.Use.String())
		w.close('}')
	}
	w.close(']')
}

// intentSettings reads what an index says about how queries are understood;
// null takes it all back.
func (d *reader) intentSettings(v value, to *engine.IntentSettings) {
	if v.raw.Kind() == 'n' {
		*to = engine.IntentSettings{}
		return
	}
	var s engine.IntentSettings
	d.object(v, []member{
		{"off", func(v value) { d.boolean(v, &s.Off) }},
		{"skip", func(v value) { d.strings(v, &s.Skip) }},
		{"units", func(v value) {
			if !d.want(v, "{", "an object of units by field") {
				return
			}
			s.Units = map[string][]string{}
			eachMember(v.raw, func(name string, raw jsontext.Value) {
				var units []string
				if d.strings(value{raw, v.child(name)}, &units) {
					s.Units[name] = units
				}
			})
		}},
		{"words", func(v value) {
			if d.want(v, "[", "a list of objects") {
				v.eachElement(func(e value) { s.Words = append(s.Words, d.intentWords(e)) })
			}
		}},
	})
	*to = s
}

func (d *reader) intentWords(v value) (w engine.IntentWords) {
	d.object(v, []member{
		{"words", func(v value) { d.strings(v, &w.Words) }},
		{"filter", func(v value) { d.str(v, &w.Filter) }},
		{"boost", func(v value) { d.boolean(v, &w.Boost) }},
	})
	return w
}

// intentSettings writes what intentSettings reads; nothing if there is nothing
// to say.
func (w *jsonWriter) intentSettings(s *engine.IntentSettings) {
	if !s.Off && len(s.Skip)+len(s.Units)+len(s.Words) == 0 {
		return
	}
	w.key("intent")
	w.open('{')
	w.booleanAt("off", s.Off)
	w.textsAt("skip", s.Skip)
	w.key("units")
	w.open('{')
	for _, field := range slices.Sorted(maps.Keys(s.Units)) {
		w.keyText(field)
		w.open('[')
		for _, u := range s.Units[field] {
			w.text(u)
		}
		w.close(']')
	}
	w.close('}')
	w.key("words")
	w.open('[')
	for _, words := range s.Words {
		w.open('{')
		w.textsAt("words", words.Words)
		w.textAt("filter", words.Filter)
		if words.Boost {
			w.booleanAt("boost", true)
		}
		w.close('}')
	}
	w.close(']')
	w.close('}')
}
