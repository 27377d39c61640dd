package httpapi

import "github.com/quarry-search/quarry/engine"

// synonyms reads a list of groups {"words": [...]} and one-way synonyms
// {"from": "...", "to": [...]}.
func (d *reader) synonyms(v value, to *[]engine.Synonym) {
	if !d.want(v, "[", "a list of objects") {
		return
	}
	list := []engine.Synonym{}
	v.eachElement(func(e value) {
		var s engine.Synonym
		d.object(e, []member{
			{"words", func(v value) { d.strings(v, &s.Words) }},
			{"from", func(v value) { d.str(v, &s.From) }},
			{"to", func(v value) { d.strings(v, &s.To) }},
		})
		list = append(list, s)
	})
	*to = list
}

// rules reads a list of rules.
func (d *reader) rules(v value, to *[]engine.Rule) {
	if !d.want(v, "[", "a list of objects") {
		return
	}
	list := []engine.Rule{}
	v.eachElement(func(e value) {
		var r engine.Rule
		when := false
		object := d.object(e, []member{
			{"id", func(v value) { d.str(v, &r.ID) }},
			{"when", func(v value) {
				when = true
				d.object(v, []member{
					{"query", func(v value) { d.str(v, &r.Query) }},
					{"match", func(v value) { r.Contains = d.oneOf(v, "exact", "contains") == 1 }},
				})
			}},
			{"pin", func(v value) {
				if d.want(v, "[", "a list of record ids and objects") {
					v.eachElement(func(e value) { r.Pin = append(r.Pin, d.onePin(e, nil)) })
				}
			}},
			{"hide", func(v value) { d.recordIDs(v, &r.Hide) }},
		})
		if object && !when {
			d.at(e.at, engine.CodeInvalidRequest, "a rule says when it holds")
		}
		list = append(list, r)
	})
	*to = list
}

// words writes what a schema says about words, so that reading it gives the
// same.
func (w *jsonWriter) words(s *engine.Schema) {
	w.key("synonyms")
	w.open('[')
	for _, syn := range s.Synonyms {
		w.open('{')
		if syn.From != "" {
			w.textAt("from", syn.From)
			w.textsAt("to", syn.To)
		} else {
			w.textsAt("words", syn.Words)
		}
		w.close('}')
	}
	w.close(']')
	w.textsAt("stop_words", s.StopWords)
	w.key("rules")
	w.open('[')
	for i := range s.Rules {
		w.rule(&s.Rules[i])
	}
	w.close(']')
}

func (w *jsonWriter) rule(r *engine.Rule) {
	w.open('{')
	w.textAt("id", r.ID)
	w.key("when")
	w.open('{')
	w.textAt("query", r.Query)
	match := "exact"
	if r.Contains {
		match = "contains"
	}
	w.textAt("match", match)
	w.close('}')
	w.key("pin")
	w.open('[')
	for _, p := range r.Pin {
		w.open('{')
		w.textAt("id", p.ID)
		if p.Position > 0 {
			w.integerAt("position", int64(p.Position))
		}
		w.close('}')
	}
	w.close(']')
	w.textsAt("hide", r.Hide)
	w.close('}')
}
