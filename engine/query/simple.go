package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseSimple reads what people type into a search box:
//
//	red shoes        records about red and shoes (see MinShould of Bool)
//	"red shoes"      the phrase; typographic double quotes work as well
//	+red -shoes      with red, without shoes; both signs also before a phrase
//	red OR blue      one of them; OR in capitals, between words or phrases
//	sho*             words that begin with sho
//	*                as the whole text: every record; so does a blank text
//
// Everything else is text: a colon, a sign or quote that stands alone, a quote
// inside a word (12" pipe), OR where it joins nothing, a minus before a single
// letter or digit (tar -x, at -5 degrees), one that stands for a part of a
// word after "und" and the like (Privatschulen und -lehrer), one between a quote
// and a word ("Model C"-schools), and any minus in what is the line of a command:
// with a word that has two (rsync -avz --delete), with a path or a dot alone
// (find . -name x, ls -la /tmp). If a quote is not closed, plain words follow it.
// So the only errors are those about MaxBytes and MaxTerms of lim.
func ParseSimple(text string, lim Limits) (Node, error) {
	s := &scanner{code: CodeInvalidQuery, lim: lim.withDefaults(defaultMaxBytes)}
	if err := s.begin(text); err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "*" {
		return All{}, nil
	}
	var room [12]simpleItem // most queries have no more
	items := s.simpleItems(room[:0])
	c := clauses{Bool{Should: make([]Node, 0, len(items))}}
	for len(items) > 0 {
		n := joinedByOR(items)
		for i := 0; i < n; i += 2 { // every second item is OR
			if err := s.countTerms(items[i].text.Start, items[i].text.words()); err != nil {
				return nil, err
			}
		}
		if n == 1 {
			c.add(items[0].sign, items[0].text)
		} else {
			group := Bool{MinShould: 1}
			for i := 0; i < n; i += 2 {
				group.Should = append(group.Should, items[i].text)
			}
			c.add(items[0].sign, group)
		}
		items = items[n:]
	}
	if c.empty() {
		return All{}, nil
	}
	if len(c.list.Should) == 0 {
		c.list.Should = nil
	}
	return c.node(), nil
}

// simpleItem is a word or phrase and the sign before it, or 0.
type simpleItem struct {
	sign byte
	text Text
}

// isOR reports whether the item is the word that joins its neighbours.
func (it simpleItem) isOR() bool {
	return it.sign == 0 && it.text.Text == "OR" && !it.text.Quoted && !it.text.Prefix
}

// joinedByOR returns how many of the items, from the first on, are words
// joined by OR, with the ORs between them; 1 if there is no OR to join them. A
// sign before the first word is the sign of all; another word with a sign, or
// an OR, is not joined.
func joinedByOR(items []simpleItem) int {
	n := 1
	if items[0].sign == '-' || items[0].isOR() {
		return n
	}
	for n+1 < len(items) && items[n].isOR() && items[n+1].sign == 0 && !items[n+1].isOR() {
		n += 2
	}
	return n
}

// simpleItems cuts the text into words and phrases, which it appends to items.
func (s *scanner) simpleItems(items []simpleItem) []simpleItem {
	items = slices.Grow(items, min(1+strings.Count(s.text, " "), 64))
	s.command = isCommand(s.text)
	for s.skipSpace(); !s.atEnd(); s.skipSpace() {
		var last *simpleItem
		if n := len(items); n > 0 {
			last = &items[n-1]
		}
		if item, ok := s.simpleItem(last); ok {
			items = append(items, item)
		}
	}
	return items
}

// simpleItem reads the next word or phrase, behind the last one. ok is false for a phrase without
// words, which asks for nothing.
func (s *scanner) simpleItem(last *simpleItem) (item simpleItem, ok bool) {
	if s.atAny("+-") && s.signAt(s.pos) && !(s.text[s.pos] == '-' && (s.command || s.lone(s.pos+1) || s.hangs() || s.continues(last))) {
		item.sign = s.text[s.pos]
		s.pos++
	}
	if phrase, ok := s.simplePhrase(); ok {
		item.text = phrase
		return item, phrase.words() > 0
	}
	if r, width := s.peek(); isQuote(r) && s.pos+width < len(s.text) {
		if next, _ := utf8.DecodeRuneInString(s.text[s.pos+width:]); !unicode.IsSpace(next) {
			s.pos += width // an opening quote that nothing closes
		}
	}
	start := s.pos
	word := s.skipTo(unicode.IsSpace)
	item.text = Text{Text: word, Start: start, End: s.pos}
	if stem := strings.TrimRight(word, "*"); stem != "" && stem != word {
		item.text = Text{Text: stem, Prefix: true, Start: start, End: start + len(stem)}
	}
	return item, true
}

// signAt reports whether the + or - at byte offset at is a sign: a word or
// phrase follows, and not another sign.
func (s *scanner) signAt(at int) bool {
	next, width := utf8.DecodeRuneInString(s.text[at+1:])
	return width > 0 && !unicode.IsSpace(next) && next != '+' && next != '-'
}

// isCommand reports whether a text has what only the lines of commands have: a word with two
// hyphens before it, a path, or a dot alone.
func isCommand(text string) bool {
	if !strings.Contains(text, " -") {
		return false // it has no sign that this is asked for
	}
	for word := range strings.FieldsSeq(text) {
		switch {
		case word == "." || word == "..":
			return true
		case len(word) > 2 && strings.HasPrefix(word, "--") && 'a' <= word[2]|0x20 && word[2]|0x20 <= 'z':
			return true
		case strings.HasPrefix(word, "./"), strings.HasPrefix(word, "../"), strings.HasPrefix(word, "~/"), strings.HasPrefix(word, "/"):
			return true
		}
	}
	return false
}

// lone reports whether the word at byte offset at is a letter or a digit alone.
// With a minus it is an option of a command, or a number: few people write a
// query to exclude the letter v, and many ask what "grep -v" does. What stands
// behind the letter has to be such as ends a word, or it may be -C++.
func (s *scanner) lone(at int) bool {
	if c := s.text[at] | 0x20; (c < 'a' || c > 'z') && (s.text[at] < '0' || s.text[at] > '9') {
		return false
	}
	next, width := utf8.DecodeRuneInString(s.text[at+1:])
	if next == '\'' || next == '’' { // -l'oreal is a word
		if after, _ := utf8.DecodeRuneInString(s.text[at+1+width:]); unicode.IsLetter(after) {
			return false
		}
	}
	return width == 0 || unicode.IsSpace(next) || strings.ContainsRune(".,;:!?)]}>'`’/", next) || isQuote(next)
}

// hangs reports whether the word before the sign here is one after which German
// and its kin leave out the first part of a compound: Privatpersonen und
// -organisationen. What is left of a compound is no phrase.
func (s *scanner) hangs() bool {
	if next, _ := utf8.DecodeRuneInString(s.text[s.pos+1:]); isQuote(next) {
		return false
	}
	before := strings.TrimRightFunc(s.text[:s.pos], unicode.IsSpace)
	switch strings.ToLower(before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]) {
	case "und", "oder", "bzw.", "sowie", "en", "og", "och", "eller":
		return true
	}
	return false
}

// continues reports whether the sign here joins a word to the quoted ones before it, the last
// item, as the hyphen of a compound does: "Model C"-schools.
func (s *scanner) continues(last *simpleItem) bool {
	if last == nil || !last.text.Quoted || last.sign != 0 || s.pos < 1 {
		return false
	}
	_, width := utf8.DecodeLastRuneInString(s.text[:s.pos]) // the quote
	next, _ := utf8.DecodeRuneInString(s.text[s.pos+1:])
	return s.pos-width == last.text.End && !isQuote(next)
}

// simplePhrase reads a phrase, if a quote stands here and another one follows.
func (s *scanner) simplePhrase() (Text, bool) {
	r, width := s.peek()
	if !isQuote(r) {
		return Text{}, false
	}
	start := s.pos + width
	length := strings.IndexFunc(s.text[start:], isQuote)
	if length < 0 {
		return Text{}, false
	}
	end := start + length
	_, width = utf8.DecodeRuneInString(s.text[end:])
	s.pos = end + width
	return Text{Text: s.text[start:end], Quoted: true, Start: start, End: end}, true
}

// isQuote reports whether r is a straight or typographic double quote. Which of
// them opens and which closes differs between languages, so any pair will do.
func isQuote(r rune) bool {
	switch r {
	case '"', '“', '”', '„', '‟':
		return true
	}
	return false
}

// words returns how many words t has, as far as spaces tell.
func (t Text) words() int {
	if !t.Quoted {
		return 1
	}
	return len(strings.Fields(t.Text))
}
