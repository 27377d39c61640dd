package engine

import (
	"slices"
	"strings"
	"unicode"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/query"
	"github.com/quarry-search/quarry/tokenize"
)

// What people put around what they ask for is filler: "i am looking for information about
// pensions, thanks in advance" asks for pensions, though records say "looking", "information"
// and "advance". Such phrases are told by their words (tokenize.Frames), each of which
// may be content elsewhere.

// frames finds phrases by their first words, the longest first.
type frames map[string][][]string

// frameTable returns the frames of some languages; nil if there are none.
func frameTable(languages ...string) frames {
	var out frames
	for _, l := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		for _, phrase := range tokenize.Frames(l) {
			words := frameWords(phrase)
			if out == nil {
				out = frames{}
			}
			first := words[0].text
			texts := make([]string, len(words))
			for i, w := range words {
				texts[i] = w.text
			}
			out[first] = append(out[first], texts)
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
}

// frameWord is a word of a text, in lower case without apostrophes, and where it stands.
type frameWord struct {
	text       string
	start, end int
}

// frameWords returns the words of a text.
func frameWords(text string) (words []frameWord) {
	for at := 0; at < len(text); {
		end := at + strings.IndexFunc(text[at:]+" ", func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !isApostrophe(r)
		})
		if end > at {
			word := strings.ToLower(strings.Map(func(r rune) rune {
				if isApostrophe(r) {
					return -1
				}
				return r
			}, text[at:end]))
			if word != "" {
				words = append(words, frameWord{word, at, end})
			}
			at = end
			continue
		}
		at++
	}
	return words
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// around returns the bytes of a query that frames are, in pairs of beginning and end; nil if there
// are none, or nothing is left beside them but filler.
func (f frames) around(query string, cues *intent.Cues) (spans [][2]int) {
	if f == nil {
		return nil
	}
	words := frameWords(query)
	left := false
	for i := 0; i < len(words); {
		n := 0
		for _, phrase := range f[words[i].text] {
			if len(phrase) <= len(words)-i && begins(words[i:], phrase) {
				n = len(phrase)
				break
			}
		}
		if n == 0 {
			left = left || !cues.Filler(words[i].text)
			i++
			continue
		}
		spans = append(spans, [2]int{words[i].start, words[i+n-1].end})
		i += n
	}
	if !left {
		return nil
	}
	return spans
}

// begins tells whether words begin with a phrase.
func begins(words []frameWord, phrase []string) bool {
	for i, text := range phrase {
		if words[i].text != text {
			return false
		}
	}
	return true
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
	if r.req.NoStopWords || r.req.Ranking != RankingDefault || strings.Count(text, " ") < leastFramed {
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

// leastFramed is the words, less one, of a query from which on it has frames.
const leastFramed = 2
