package engine

// storedWords is what a schema says about words as it is stored.
type storedWords struct {
	Synonyms  []storedSynonym `json:"synonyms,omitempty"`
	StopWords []string        `json:"stop_words,omitempty"`
	Rules     []storedRule    `json:"rules,omitempty"`
	Intent    *storedIntent   `json:"intent,omitempty"`
}

type storedSynonym struct {
	Words []string `json:"words,omitempty"`
	From  string   `json:"from,omitzero"`
	To    []string `json:"to,omitempty"`
}

type storedRule struct {
	ID       string      `json:"id"`
	Query    string      `json:"query"`
	Contains bool        `json:"contains,omitzero"`
	Pin      []storedPin `json:"pin,omitempty"`
	Hide     []string    `json:"hide,omitempty"`
}

type storedPin struct {
	ID       string `json:"id"`
	Position int    `json:"position,omitzero"`
}

func storeWords(s *Schema) storedWords {
	out := storedWords{StopWords: s.StopWords, Intent: storeIntent(&s.Intent)}
	for _, syn := range s.Synonyms {
		out.Synonyms = append(out.Synonyms, storedSynonym(syn))
	}
	for _, r := range s.Rules {
		rule := storedRule{ID: r.ID, Query: r.Query, Contains: r.Contains, Hide: r.Hide}
		for _, pin := range r.Pin {
			rule.Pin = append(rule.Pin, storedPin{pin.ID, pin.Position})
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

// load puts the stored words into a schema.
func (w *storedWords) load(s *Schema) {
	s.StopWords = w.StopWords
	w.Intent.load(&s.Intent)
	for _, syn := range w.Synonyms {
		s.Synonyms = append(s.Synonyms, Synonym(syn))
	}
	for _, r := range w.Rules {
		rule := Rule{ID: r.ID, Query: r.Query, Contains: r.Contains, Hide: r.Hide}
		for _, pin := range r.Pin {
			rule.Pin = append(rule.Pin, Pin{ID: pin.ID, Position: pin.Position})
		}
		s.Rules = append(s.Rules, rule)
	}
}
