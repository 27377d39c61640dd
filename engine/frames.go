package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// What people put around what they ask for is filler: "i am looking for information about
// pensions, thanks in advance" asks for pensions, though records say "looking", "information"
// and "advance". Such phrases are told by their words (tokenize.Frames), each of which
// may be content elsewhere.

// frames are those of some languages.
type frames struct {
	words  map[string][][]string // by the first word of a phrase, the longest first: the words behind it
	begins []string              // what a query begins with where no spaces are written, the longest first
	ends   []string              // what it ends with
}

// frameTable returns the frames of some languages; nil if there are none.
func frameTable(languages ...string) *frames {
	var out *frames
	for _, l := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		for _, phrase := range tokenize.Frames(l) {
			if out == nil {
				out = &frames{words: map[string][][]string{}}
			}
			out.add(phrase)
		}
	}
	if out == nil {
		return nil
	}
	longest := func(a, b string) int { return len(b) - len(a) }
	slices.SortStableFunc(out.begins, longest)
	slices.SortStableFunc(out.ends, longest)
	for _, list := range out.words {
		slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
}

// add adds a line of tokenize.Frames.
func (f *frames) add(phrase string) {
	text := strings.TrimLeft(phrase, begins+ends)
	mark := phrase[:len(phrase)-len(text)]
	if r, _ := utf8.DecodeRuneInString(text); mark != "" && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		if mark == begins {
			f.begins = append(f.begins, text)
		} else {
			f.ends = append(f.ends, text)
		}
		return
	}
	var room [maxFrameWord]byte
	var words []string
	for at := 0; at < len(text); {
		var word []byte
		if word, _, at = nextFrameWord(room[:0], text, at); len(word) > 0 {
			words = append(words, string(word))
		}
	}
	if strings.HasSuffix(phrase, pause) {
		mark = pause
	}
	if mark != "" {
		words = append(words, mark)
	}
	f.words[words[0]] = append(f.words[words[0]], words[1:])
}

// Where a phrase has to stand, as its last word: at the beginning or the end of the query or of a part
// of it, or before a pause: "hello, ..." greets, and "hello kitty" does not.
const (
	begins = "^"
	ends   = "$"
	pause  = ","
)

// maxFrameWord is the bytes of a word of a frame at most.
const maxFrameWord = 32

// nextFrameWord returns the next word of a text, folded and without apostrophes, and where it
// begins and ends; nothing at the end, or for a word that is too long for a frame. It is appended to room.
func nextFrameWord(room []byte, text string, at int) (word []byte, start, end int) {
	word, start, end = nextLetters(room, text, at)
	for _, b := range word {
		if b >= utf8.RuneSelf {
			var folded [4 * maxFrameWord]byte
			return append(room, tokenize.Fold(folded[:0], word)...), start, end
		}
	}
	return word, start, end
}

// nextLetters is nextFrameWord with accents.
func nextLetters(room []byte, text string, at int) (word []byte, start, end int) {
	word, start = room, -1
	long := false // it is none of a frame
	for end = at; end < len(text); {
		r, n := rune(text[end]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[end:])
		}
		switch letter := r | 0x20; {
		case letter >= 'a' && letter <= 'z' && r < utf8.RuneSelf:
			word = append(word, byte(letter))
		case isApostrophe(r) && start >= 0:
		case r >= '0' && r <= '9', r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r)):
			word = utf8.AppendRune(word, unicode.ToLower(r))
		case start >= 0:
			if long {
				word = room
			}
			return word, start, end
		default:
			end += n
			continue
		}
		if start < 0 {
			start = end
		}
		if end += n; len(word) > maxFrameWord-utf8.UTFMax {
			word, long = room, true
		}
	}
	if start < 0 {
		start = end
	}
	if long {
		word = room
	}
	return word, start, end
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// around returns the bytes of a query that frames are, in pairs of beginning and end; nil if there
// are none, or nothing is left beside them but filler.
func (f *frames) around(query string, cues *intent.Cues) (spans [][2]int) {
	from, to := f.unspaced(query)
	if from > 0 {
		spans = append(spans, [2]int{0, from})
	}
	var room [maxFrameWord]byte
	last := from
	for at := from; at < to; {
		word, start, end := nextFrameWord(room[:0], query[:to], at)
		at = end
		for _, phrase := range f.words[string(word)] {
			if end := f.endOfFrame(query[:to], last, start, at, phrase, maxLast); end > 0 {
				spans = append(spans, [2]int{start, end})
				at, last = end, end
				break
			}
		}
	}
	if to < len(query) {
		spans = append(spans, [2]int{to, len(query)})
	}
	if spans == nil {
		return nil
	}
	next := 0
	for at := 0; at < len(query); {
		for next < len(spans) && at >= spans[next][1] {
			next++
		}
		part := query
		if next < len(spans) && at < spans[next][0] {
			part = query[:spans[next][0]]
		}
		word, start, end := nextFrameWord(room[:0], part, at)
		switch {
		case next < len(spans) && start >= spans[next][0]:
			end = spans[next][1]
		case len(word) > 0 && !cues.Filler(string(word)), len(word) == 0 && end > start:
			return spans
		}
		at = end
	}
	return nil
}

// unspaced returns where what a query asks for begins and ends, between what stands at its beginning
// and its end without spaces.
func (f *frames) unspaced(query string) (from, to int) {
	to = len(query)
	if len(f.begins) == 0 && len(f.ends) == 0 {
		return 0, to
	}
	for again := true; again; {
		again = false
		rest := strings.TrimLeftFunc(query[from:to], isBesideWords)
		for _, text := range f.begins {
			if strings.HasPrefix(rest, text) {
				from, again = to-len(rest)+len(text), true
				break
			}
		}
		rest = strings.TrimRightFunc(query[from:to], isBesideWords)
		for _, text := range f.ends {
			if strings.HasSuffix(rest, text) {
				to, again = from+len(rest)-len(text), true
				break
			}
		}
	}
	return from, to
}

func isBesideWords(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// endOfFrame returns where the words of a frame end that stand in a text from a place on, behind its
// first one, which begins at start; 0 if others do. The frame before it ends at from, and behind it
// there may be so many others.
func (f *frames) endOfFrame(text string, from, start, at int, words []string, others int) int {
	var room [maxFrameWord]byte
	for _, w := range words {
		fits := true
		switch w {
		case begins:
			before := strings.TrimRightFunc(text[from:start], unicode.IsSpace)
			fits = before == "" || isPause(before[len(before)-1])
		case ends:
			fits = f.isOver(text, at, others)
		case pause:
			fits = at < len(text) && isPause(text[at])
		default:
			word, _, end := nextFrameWord(room[:0], text, at)
			fits, at = string(word) == w, end
		}
		if !fits {
			return 0
		}
	}
	return at
}

// isOver tells whether nothing follows a place in a text but a pause, or so many frames.
func (f *frames) isOver(text string, at, frames int) bool {
	if at == len(text) || isPause(text[at]) || strings.TrimLeftFunc(text[at:], isBesideWords) == "" {
		return true
	}
	if frames == 0 {
		return false
	}
	var room [maxFrameWord]byte
	word, start, at := nextFrameWord(room[:0], text, at)
	return slices.ContainsFunc(f.words[string(word)], func(phrase []string) bool {
		end := f.endOfFrame(text, start, start, at, phrase, frames-1)
		return end > 0 && f.isOver(text, end, frames-1)
	})
}

// maxLast is how many frames may stand behind one that a query ends with: "... zien, aub".
const maxLast = 2

// isPause tells whether a mark parts what is said.
func isPause(b byte) bool { return strings.IndexByte(",;:.!?", b) >= 0 }

// isFrame tells whether a word of a clause belongs to a frame.
func (r *resolver) isFrame(t *query.Text, tok *tokenize.Token) bool {
	if r.derived || t.End == 0 || t.Quoted {
		return false
	}
	return r.framedAt(t.Start + tok.Start)
}

// framedAt tells whether a frame is at a place in the query. A pair of characters that reaches into one is
// one of text, too: 湖は of 湖はどこ.
func (r *resolver) framedAt(at int) bool {
	if r.literal {
		return false
	}
	if !r.looked {
		r.looked = true
		r.framed = r.run.frames(r.req, r.req.Query)
	}
	return inSpans(r.framed, at)
}

// inSpans tells whether a place lies in a span.
func inSpans(spans [][2]int, at int) bool {
	return slices.ContainsFunc(spans, func(span [2]int) bool { return span[0] <= at && at < span[1] })
}

// frames returns the bytes of a text of a request that are frames in the languages of the index.
func (run *searchRun) frames(req *Request, text string) [][2]int {
	if req.NoStopWords || req.Ranking != RankingDefault {
		return nil
	}
	c := run.iv.schema
	table := c.tables().frames
	if req.Language != "" {
		table = frameTable(req.Language)
	}
	if table == nil || len(table.begins) == 0 && !hasWords(text, leastFramed) {
		return nil
	}
	return table.around(text, c.intentTables(run.e).cues)
}

// framed returns what tells whether a word of a text belongs to a frame in each index of the search.
func (s *searcher) framed(text string) func(query.Text) bool {
	spans := make([][][2]int, len(s.runs))
	for i, run := range s.runs {
		spans[i] = run.frames(s.req, text)
	}
	return func(t query.Text) bool {
		return !t.Quoted && !slices.ContainsFunc(spans, func(of [][2]int) bool { return !inSpans(of, t.Start) })
	}
}

// leastFramed is the words of a query from which on it has frames.
const leastFramed = 2

// hasWords tells whether a text has at least n words, whatever spaces are between them.
func hasWords(text string, n int) bool {
	for range strings.FieldsSeq(text) {
		if n--; n == 0 {
			return true
		}
	}
	return false
}
