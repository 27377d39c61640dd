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

// frames finds phrases by their first words, the longest first: the words behind these.
type frames map[string][][]string

// frameTable returns the frames of some languages; nil if there are none.
func frameTable(languages ...string) frames {
	var out frames
	for _, l := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		for _, phrase := range tokenize.Frames(l) {
			var room [maxFrameWord]byte
			var words []string
			for at := 0; at < len(phrase); {
				var word []byte
				if word, _, at = nextFrameWord(room[:0], phrase, at); len(word) > 0 {
					words = append(words, string(word))
				}
			}
			if out == nil {
				out = frames{}
			}
			out[words[0]] = append(out[words[0]], words[1:])
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
}

// maxFrameWord is the bytes of a word of a frame at most.
const maxFrameWord = 32

// nextFrameWord returns the next word of a text, in lower case without apostrophes, and where it
// begins and ends; nothing at the end, or for a word that is too long for a frame. It is appended to room.
func nextFrameWord(room []byte, text string, at int) (word []byte, start, end int) {
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
func (f frames) around(query string, cues *intent.Cues) (spans [][2]int) {
	var room [maxFrameWord]byte
	for at := 0; at < len(query); {
		word, start, end := nextFrameWord(room[:0], query, at)
		at = end
		for _, phrase := range f[string(word)] {
			if end := endOfFrame(query, at, phrase); end > 0 {
				spans = append(spans, [2]int{start, end})
				at = end
				break
			}
		}
	}
	if spans == nil {
		return nil
	}
	next := 0
	for at := 0; at < len(query); {
		word, start, end := nextFrameWord(room[:0], query, at)
		switch {
		case next < len(spans) && start >= spans[next][0]:
			end = spans[next][1]
			next++
		case len(word) > 0 && !cues.Filler(string(word)), len(word) == 0 && end > start:
			return spans
		}
		at = end
	}
	return nil
}

// endOfFrame returns where words end that stand in a text from a place on; 0 if others do.
func endOfFrame(text string, at int, words []string) int {
	var room [maxFrameWord]byte
	for _, w := range words {
		word, _, end := nextFrameWord(room[:0], text, at)
		if string(word) != w {
			return 0
		}
		at = end
	}
	return at
}

// isFrame tells whether a word of a clause belongs to a frame.
func (r *resolver) isFrame(t *query.Text, tok *tokenize.Token) bool {
	if r.literal || r.derived || t.End == 0 || t.Quoted {
		return false
	}
	if !r.looked {
		r.looked = true
		r.framed = r.frames()
	}
	at := t.Start + tok.Start
	for _, span := range r.framed {
		if span[0] <= at && at < span[1] {
			return true
		}
	}
	return false
}

// frames returns the bytes of the query that are frames.
func (r *resolver) frames() [][2]int {
	text := r.req.Query
	if r.req.NoStopWords || r.req.Ranking != RankingDefault || !hasWords(text, leastFramed) {
		return nil
	}
	c := r.run.iv.schema
	table := c.tables().frames
	if r.req.Language != "" {
		table = frameTable(r.req.Language)
	}
	if table == nil {
		return nil
	}
	return table.around(text, c.intentTables(r.run.e).cues)
}

// leastFramed is the words of a query from which on it has frames.
const leastFramed = 3

// hasWords tells whether a text has at least n words, whatever spaces are between them.
func hasWords(text string, n int) bool {
	for range strings.FieldsSeq(text) {
		if n--; n == 0 {
			return true
		}
	}
	return false
}
