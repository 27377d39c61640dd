package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/tokenize"
)

// Where no spaces stand between words, values of fields stand beside each other and beside what they are
// said of: "小米手机" is a brand and a kind of thing, "京都で" a place and a particle.

const (
	// longestCut is how many letters a value may have that a word is cut at.
	longestCut = 12
	// mostCut is how many letters a word may have that is cut.
	mostCut = 32
	// leastRest is how many letters what is no value has to have to be a word, but for an ideograph behind a
	// particle.
	leastRest = 2
	// fewRest is how many it may have behind a particle for it to be a word, whether texts have it or not.
	fewRest = 6
)

// cutting is the best way to cut what begins at a place of a word.
type cutting struct {
	ok   bool
	rest int  // letters that belong to no value
	end  int  // of the first piece
	next int  // where the one after it begins, behind particles
	kind byte // of the first piece: v a value, n the name of a field, r what is neither
}

// cutsValues returns the pieces of a word, without particles, if values of fields cover it: the longest
// of them. Something else may stand before a value, if that is a word of texts, and what it stands beside
// shows that it is one: a particle, or what was cut off before, or behind. Behind a value, with no particle
// between, it is what the word names: "手机壳" is no 手机. nil: the word stays as it is.
func (s *searcher) cutsValues(text string, before, behind bool, cues *intent.Cues) ([][2]int, error) {
	v := s.earlyWords(cues)
	if v == nil || utf8.RuneCountInString(text) > mostCut {
		return nil, nil
	}
	begins, err := v.begins(text, cues)
	if err != nil || begins == nil {
		return nil, err
	}
	best := make([]cutting, len(text)+1)
	best[len(text)].ok = true
	for at := len(text) - 1; at >= 0; at-- {
		if !cutsAt(text, at) {
			continue
		}
		c, err := s.cutting(text, at, best, begins[at], v, cues)
		if err != nil {
			return nil, err
		}
		best[at] = c
	}
	begin := 0
	if before {
		if n := cues.Particle(text); n > 0 && n < len(text) && best[n].ok && best[n].kind == 'v' && (!best[0].ok || best[n].rest < best[0].rest) {
			begin = n
		}
	}
	if !best[begin].ok {
		return nil, nil
	}
	var pieces [][2]int
	values, beside := false, before || behind
	for at := begin; at < len(text); at = best[at].next {
		pieces = append(pieces, [2]int{at, best[at].end})
		values = values || best[at].kind == 'v'
		beside = beside || best[at].next > best[at].end
	}
	if !values || len(pieces) == 1 && pieces[0] == [2]int{0, len(text)} {
		return nil, nil
	}
	if best[begin].rest == 0 {
		return pieces, nil
	}
	if !beside {
		return nil, nil
	}
	if said, err := s.inTexts(text); said || err != nil {
		return nil, err
	}
	for at := begin; at < len(text); at = best[at].next {
		rest := text[at:best[at].end]
		if best[at].kind != 'r' || at > begin && utf8.RuneCountInString(rest) <= fewRest {
			continue
		}
		if said, err := s.inTexts(rest); !said || err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// cutting returns the best way to cut what begins at a place, where the best ways are known for all
// places behind it. begins tells whether a value or a name may begin there.
func (s *searcher) cutting(text string, at int, best []cutting, begins bool, v *facetWords, cues *intent.Cues) (out cutting, err error) {
	take := func(c cutting, rest int) {
		if next := &best[c.next]; next.ok {
			if rest += next.rest; !out.ok || rest < out.rest {
				out = c
				out.ok, out.rest = true, rest
			}
		}
	}
	var ends [longestCut]int
	letters := 0
	for end := at; begins && letters < longestCut && end < len(text); {
		_, n := utf8.DecodeRuneInString(text[end:])
		if end += n; cutsAt(text, end) {
			ends[letters] = end
			letters++
		}
	}
	for ; letters > 0; letters-- { // the longest first
		end := ends[letters-1]
		kind := byte('v')
		if cues.Names(text[at:end]) {
			kind = 'n'
		} else if some, err := v.hasValue(text[at:end], cues); err != nil {
			return out, err
		} else if !some {
			continue
		}
		next := end
		for next < len(text) {
			n := cues.Particle(text[next:])
			if n == 0 {
				break
			}
			next += n
		}
		single := utf8.RuneCountInString(text[at:end]) == 1
		if single && (next == end && (end == len(text) || best[end].kind != 'v' || utf8.RuneCountInString(text[end:best[end].end]) == 1) || !ideographs(text[at:end])) {
			continue // a letter is a value before a particle, or before another value
		}
		if next > end {
			take(cutting{end: end, next: next, kind: kind}, 0)
		}
		if best[end].kind != 'r' { // behind a value something else names the thing
			take(cutting{end: end, next: end, kind: kind}, 0)
		}
	}
	if !out.ok {
		for end := at; end < len(text); {
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
			if letters := utf8.RuneCountInString(text[at:end]); (letters >= leastRest || end == len(text) && at > 0 && ideographs(text[at:end])) && cutsAt(text, end) && best[end].ok && best[end].kind != 'r' {
				take(cutting{end: end, next: end, kind: 'r'}, letters)
			}
		}
	}
	return out, nil
}

// begins tells of each place of a text whether a value of a field, or the name of one, may begin there; nil if no
// value does anywhere, as in most texts.
func (v *facetWords) begins(text string, cues *intent.Cues) ([]bool, error) {
	out := make([]bool, len(text))
	some := false
	for at, letter := range text {
		if folded, _ := utf8.DecodeRune(tokenize.Fold(nil, []byte(string(letter)))); folded != utf8.RuneError {
			letter = folded
		}
		out[at] = cues.NameMayBegin(letter)
		for i := range v.runs {
			lexicons, err := v.values(&v.runs[i])
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(lexicons, func(l *valueLexicon) bool { return l.mayBeginWith(letter) }) {
				out[at], some = true, true
			}
		}
	}
	if !some {
		return nil, nil
	}
	return out, nil
}

// cutsAt tells whether a word may be cut at a place: at letters without spaces, and not within others.
func cutsAt(text string, at int) bool {
	if at == 0 || at == len(text) {
		return true
	}
	return utf8.RuneStart(text[at]) && (intent.Unspaced(lastLetter(text[:at])) || intent.Unspaced(firstLetter(text[at:])))
}

func firstLetter(text string) string {
	_, n := utf8.DecodeRuneInString(text)
	return text[:n]
}

func lastLetter(text string) string {
	_, n := utf8.DecodeLastRuneInString(text)
	return text[len(text)-n:]
}

// ideographs tells whether a text is of ideographs alone.
func ideographs(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !intent.Ideograph(r) })
}

// hasValue tells whether a text is a value of a field.
func (v *facetWords) hasValue(text string, cues *intent.Cues) (bool, error) {
	key, _ := cues.Key(nil, text)
	words := strings.Fields(string(key))
	if len(words) == 0 {
		return false, nil
	}
	some := false
	for i := range v.runs {
		lexicons, err := v.values(&v.runs[i])
		if err != nil {
			return false, err
		}
		some = some || slices.ContainsFunc(lexicons, func(l *valueLexicon) bool { return l.mayBegin(words[0]) })
	}
	if !some {
		return false, nil // as most are
	}
	found, err := v.of(words, words, fewCategory)
	return len(found) > 0, err
}
