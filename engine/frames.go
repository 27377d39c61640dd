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
	words  frameNode         // the phrases by their words
	begins map[rune][]string // what a query begins with where no spaces are written, by its first character, the longest first
	ends   map[rune][]string // what it ends with, by its last one
	toned  bool              // words are told apart by their accents, where they are typed with some
}

// frameNode is the words that phrases have in common from their first one on.
type frameNode struct {
	next  map[string]*frameNode
	marks []string // where the phrase has to stand that these words are; "": anywhere; nil: they are none
}

// frameTable returns the frames of some languages; nil if there are none.
func frameTable(languages ...string) *frames {
	out := &frames{begins: map[rune][]string{}, ends: map[rune][]string{}}
	languages = slices.Compact(slices.Sorted(slices.Values(languages)))
	out.toned = slices.Contains(languages, "vi")
	for _, l := range languages {
		for _, phrase := range tokenize.Frames(l) {
			out.add(phrase)
			if out.toned {
				out.add(string(tokenize.Fold(nil, []byte(phrase)))) // as it is typed without accents
			}
		}
	}
	if out.words.next == nil && len(out.begins) == 0 {
		return nil
	}
	for _, by := range [...]map[rune][]string{out.begins, out.ends} {
		for _, list := range by {
			slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
		}
	}
	return out
}

// framesOf returns the frames of one language.
func (e *Engine) framesOf(language string) *frames {
	if f, ok := e.frames.Load(language); ok {
		return f.(*frames)
	}
	f, _ := e.frames.LoadOrStore(language, frameTable(language))
	return f.(*frames)
}

// add adds a line of tokenize.Frames.
func (f *frames) add(phrase string) {
	text := strings.TrimLeft(phrase, begins+ends)
	mark := phrase[:len(phrase)-len(text)]
	first, _ := utf8.DecodeRuneInString(text)
	if mark != "" && unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		if mark == begins {
			f.begins[first] = append(f.begins[first], text)
		} else {
			last, _ := utf8.DecodeLastRuneInString(text)
			f.ends[last] = append(f.ends[last], text)
		}
		return
	}
	if strings.HasSuffix(phrase, pause) {
		mark = pause
	}
	node := &f.words
	var room [maxFrameWord]byte
	for at := 0; at < len(text); {
		var word []byte
		if word, _, at = f.nextWord(room[:0], text, at); len(word) == 0 {
			continue
		}
		if node.next == nil {
			node.next = map[string]*frameNode{}
		}
		if node.next[string(word)] == nil {
			node.next[string(word)] = &frameNode{}
		}
		node = node.next[string(word)]
	}
	node.marks = append(node.marks, mark)
}

// Where a phrase has to stand: at the beginning or the end of the query or of a part
// of it, or before a pause: "hello, ..." greets, and "hello kitty" does not.
const (
	begins = "^"
	ends   = "$"
	pause  = ","
)

// maxFrameWord is the bytes of a word of a frame at most.
const maxFrameWord = 64

// nextWord returns the next word of a text, folded, but for accents that tell words apart, and without
// apostrophes, and where it begins and ends; nothing at the end, or for a word that is too long for a frame.
// It is appended to room.
func (f *frames) nextWord(room []byte, text string, at int) (word []byte, start, end int) {
	word, start, end = nextLetters(room, text, at)
	if !f.toned && slices.ContainsFunc(word, func(b byte) bool { return b >= utf8.RuneSelf }) {
		var folded [4 * maxFrameWord]byte
		word = append(room, tokenize.Fold(folded[:0], word)...)
	}
	return word, start, end
}

// nextLetters is nextWord in lower case only.
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
	for at := from; at < to && f.words.next != nil; {
		word, start, end := f.nextWord(room[:0], query[:to], at)
		at = end
		if end := f.endOfFrame(query[:to], f.words.next[string(word)], last, start, at, maxLast); end > 0 {
			spans = append(spans, [2]int{start, end})
			at, last = end, end
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
		word, start, end := f.nextWord(room[:0], part, at)
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
		first, _ := utf8.DecodeRuneInString(rest)
		for _, text := range f.begins[first] {
			if strings.HasPrefix(rest, text) {
				from, again = to-len(rest)+len(text), true
				break
			}
		}
		rest = strings.TrimRightFunc(query[from:to], isBesideWords)
		last, _ := utf8.DecodeLastRuneInString(rest)
		for _, text := range f.ends[last] {
			if strings.HasSuffix(rest, text) {
				to, again = from+len(rest)-len(text), true
				break
			}
		}
	}
	return from, to
}

func isBesideWords(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// endOfFrame returns where the longest frame ends of which the first word stands in a text from start to
// at, of a node; 0 if there is none. The frame before it ends at from, and behind it there may be so many others.
func (f *frames) endOfFrame(text string, node *frameNode, from, start, at, others int) (end int) {
	var room [maxFrameWord]byte
	for node != nil {
		if slices.ContainsFunc(node.marks, func(mark string) bool { return f.stands(mark, text, from, start, at, others) }) {
			end = at
		}
		if node.next == nil {
			break
		}
		word, _, next := f.nextWord(room[:0], text, at)
		node, at = node.next[string(word)], next
	}
	return end
}

// stands tells whether words from start to at stand where a phrase has to.
func (f *frames) stands(mark, text string, from, start, at, others int) bool {
	switch mark {
	case begins:
		before := strings.TrimRightFunc(text[from:start], unicode.IsSpace)
		last, _ := utf8.DecodeLastRuneInString(before)
		return before == "" || isPause(last)
	case ends:
		return f.isOver(text, at, others)
	case pause:
		return pauses(text, at)
	}
	return true
}

// isOver tells whether nothing follows a place in a text but a pause, or so many frames.
func (f *frames) isOver(text string, at, frames int) bool {
	if at == len(text) || pauses(text, at) || strings.TrimLeftFunc(text[at:], isBesideWords) == "" {
		return true
	}
	if frames == 0 {
		return false
	}
	var room [maxFrameWord]byte
	word, start, at := f.nextWord(room[:0], text, at)
	end := f.endOfFrame(text, f.words.next[string(word)], start, start, at, frames-1)
	return end > 0 && f.isOver(text, end, frames-1)
}

// maxLast is how many frames may stand behind one that a query ends with: "... zien, aub".
const maxLast = 2

// isPause tells whether a mark parts what is said, in any script that frames are written in or beside:
// an Arabic keyboard has no ASCII comma, and a Chinese one writes it in full width.
func isPause(r rune) bool {
	return strings.ContainsRune(",;:.!?،؛؟、。，；：．！？､｡।…", r)
}

// pauses tells whether a mark that parts what is said stands at a place in a text.
func pauses(text string, at int) bool {
	r, n := utf8.DecodeRuneInString(text[at:])
	return n > 0 && isPause(r)
}

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
		table = run.e.framesOf(req.Language)
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
