package engine

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/intent"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// Bounds of what a valueLexicon takes.
const (
	// maxValueBytes and maxValueWords are those of a value that a query can
	// name.
	maxValueBytes = 128
	maxValueWords = 8
	// maxFieldValues is how many values of a field a segment may have. A field
	// with more has names or numbers of things, not kinds of them, and none of
	// its values in that segment is understood.
	maxFieldValues = 1 << 16
)

// valueLexicon is the values of a segment's facets, by the words of queries
// that mean them. It is immutable and safe for concurrent use.
type valueLexicon struct {
	keys    packedBytes // of all values, ascending
	raw     packedBytes // values as they are stored
	fields  []uint16
	firsts  []uint64   // a bit for the hash of each first word, a power of two of them
	letters [16]uint64 // a bit for each first letter of a key, by its last bits
	longest int        // words of a key
}

// packedBytes is strings one after the other.
type packedBytes struct {
	data []byte
	ends []uint32
}

func (p *packedBytes) add(b []byte) {
	p.data = append(p.data, b...)
	p.ends = append(p.ends, uint32(len(p.data)))
}

func (p *packedBytes) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.data[from:p.ends[i]]
}

// clip gives back what was allocated beyond the strings, and returns what is left.
func (p *packedBytes) clip() (size int) {
	p.data, p.ends = bytes.Clone(p.data), slices.Clone(p.ends)
	return cap(p.data) + 4*cap(p.ends)
}

// lexiconKey names a valueLexicon.
type lexiconKey struct {
	segment    uint64 // segmentRef.uid
	vocabulary string // intentTables.vocabulary
}

// valuesOf returns the lexicon of a segment. It is kept as long as memory allows.
func (e *Engine) valuesOf(ctx context.Context, s *segmentRef, t *intentTables) (*valueLexicon, error) {
	return e.values.load(lexiconKey{s.uid, t.vocabulary}, func() (*valueLexicon, int, error) {
		l := &valueLexicon{}
		type entry struct {
			key   []byte
			field uint16
			raw   []byte
		}
		var all []entry
		for _, f := range t.categories {
			from, n := len(all), 0
			it := s.reader.Scan(segment.Key(nil, segment.SpaceValues+uint16(f), nil), segment.Key(nil, segment.SpaceValues+uint16(f)+1, nil))
			for it.Next() {
				if n++; n > maxFieldValues {
					all = all[:from]
					break
				}
				if n%4096 == 0 {
					if err := ctx.Err(); err != nil {
						return nil, 0, err
					}
				}
				raw := it.Key()[2:]
				if len(raw) > maxValueBytes {
					continue
				}
				key, words := t.cues.Key(nil, string(raw))
				if words == 0 || words > maxValueWords {
					continue
				}
				l.longest = max(l.longest, words)
				all = append(all, entry{key, uint16(f), bytes.Clone(raw)})
				for _, other := range t.cues.CalledAlso(t.names[f], string(raw)) {
					key, words := t.cues.Key(nil, other)
					l.longest = max(l.longest, words)
					all = append(all, entry{key, uint16(f), all[len(all)-1].raw})
				}
			}
			if err := it.Err(); err != nil {
				return nil, 0, err
			}
		}
		slices.SortStableFunc(all, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
		bits := 64
		for bits < 16*len(all) {
			bits *= 2
		}
		l.firsts = make([]uint64, bits/64)
		for _, e := range all {
			l.keys.add(e.key)
			l.raw.add(e.raw)
			l.fields = append(l.fields, e.field)
			first, _, _ := bytes.Cut(e.key, []byte{' '})
			h := hashOf(string(first)) & uint32(bits-1)
			l.firsts[h>>6] |= 1 << (h & 63)
			letter, _ := utf8.DecodeRune(first)
			l.letters[letter>>6&15] |= 1 << (letter & 63)
		}
		return l, l.keys.clip() + l.raw.clip() + 2*cap(l.fields) + bits/8, nil
	})
}

// hashOf is FNV-1a.
func hashOf(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// mayBegin tells whether a key may begin with a word.
func (l *valueLexicon) mayBegin(word string) bool {
	if len(l.fields) == 0 {
		return false
	}
	h := hashOf(word) & uint32(64*len(l.firsts)-1)
	return l.firsts[h>>6]>>(h&63)&1 != 0
}

// mayBeginWith tells whether a key may begin with a letter.
func (l *valueLexicon) mayBeginWith(letter rune) bool {
	return l.letters[letter>>6&15]>>(letter&63)&1 != 0
}

// find calls f for the values with a key.
func (l *valueLexicon) find(key []byte, f func(field int, raw []byte)) {
	i := sort.Search(len(l.fields), func(i int) bool { return bytes.Compare(l.keys.at(i), key) >= 0 })
	for ; i < len(l.fields) && bytes.Equal(l.keys.at(i), key); i++ {
		f(int(l.fields[i]), l.raw.at(i))
	}
}

// facetWords is the values of the facets of the indexes of a search, as far as
// the request may see the records that have them.
type facetWords struct {
	s    *searcher
	cues *intent.Cues
	of1  [1]facetRun // memory for runs
	runs []facetRun
}

// facetRun is the values of an index.
type facetRun struct {
	*searchRun
	seen     *sight // nil: it has not been asked for
	tables   *intentTables
	lexicons []*valueLexicon // by segment; nil: they have not been asked for
}

// facetWords returns those of the indexes of the search; nil if none of them has any, nor
// fields of numbers or dates.
func (s *searcher) facetWords(cues *intent.Cues) intent.Vocabulary {
	v := &facetWords{s: s, cues: cues}
	v.runs = v.of1[:0]
	some := false
	for _, run := range s.runs {
		t := run.iv.schema.intentTables(s.e)
		v.runs = append(v.runs, facetRun{searchRun: run, tables: t})
		some = some || len(t.fields) > 0
	}
	if !some {
		return nil
	}
	return v
}

// values returns the lexicons of the segments of an index.
func (v *facetWords) values(r *facetRun) (_ []*valueLexicon, err error) {
	if r.lexicons == nil {
		r.lexicons = make([]*valueLexicon, len(r.iv.segs))
		for i, s := range r.iv.segs {
			if r.lexicons[i], err = v.s.e.valuesOf(v.s.ctx, s, r.tables); err != nil {
				r.lexicons = nil
				return nil, err
			}
		}
	}
	return r.lexicons, nil
}

// sightOf is what the request may see of an index.
func (v *facetWords) sightOf(r *facetRun) *sight {
	if r.seen == nil {
		r.seen = v.s.sight(r.searchRun)
	}
	return r.seen
}

// Longest implements intent.Vocabulary.
func (v *facetWords) Longest(words, bases []string) (int, []intent.Value, error) {
	longest := 0
	for i := range v.runs {
		run := &v.runs[i]
		first := bases[0]
		if run.tables.cues != v.cues {
			first = run.tables.cues.Base(words[0])
		}
		lexicons, err := v.values(run)
		if err != nil {
			return 0, nil, err
		}
		for _, l := range lexicons {
			if l.mayBegin(first) {
				longest = max(longest, l.longest)
			}
		}
	}
	return v.longest(longest, words, bases, fewCategory)
}

// longest is Longest for values of at most so many words, those of text fields that so many
// records have.
func (v *facetWords) longest(most int, words, bases []string, least int64) (int, []intent.Value, error) {
	for n := min(most, len(words)); n > 0; n-- {
		found, err := v.of(words[:n], bases[:n], least)
		if err != nil || len(found) > 0 {
			return n, found, err
		}
	}
	return 0, nil, nil
}

// of returns the values that words name, those of text fields that so many records have.
func (v *facetWords) of(words, bases []string, least int64) ([]intent.Value, error) {
	type named struct{ field, text string }
	var order []named
	type held struct {
		n    int64 // records of all indexes
		text bool  // the field is one of texts
	}
	var counts map[named]held
	written := strings.Join(words, " ")
	for i := range v.runs {
		run := &v.runs[i]
		t, c := run.tables, run.iv.schema
		key := strings.Join(bases, " ")
		if t.cues != v.cues {
			own := make([]string, len(words))
			for j, w := range words {
				own[j] = t.cues.Base(w)
			}
			key = strings.Join(own, " ")
		}
		var seen map[int][][]byte // values by field
		lexicons, err := v.values(run)
		if err != nil {
			return nil, err
		}
		for _, l := range lexicons {
			l.find([]byte(key), func(field int, raw []byte) {
				if !slices.ContainsFunc(seen[field], func(r []byte) bool { return bytes.Equal(r, raw) }) {
					if seen == nil {
						seen = map[int][][]byte{}
					}
					seen[field] = append(seen[field], raw)
				}
			})
		}
		if len(seen) == 0 {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(seen)) {
			for _, raw := range seen[field] {
				n, err := v.sightOf(run).df(segment.SpaceValues+uint16(field), raw)
				if err != nil {
					return nil, err
				}
				if n == 0 {
					continue
				}
				f := &c.Fields[field]
				k := named{f.Name, string(raw)}
				if counts == nil {
					counts = map[named]held{}
				}
				h := counts[k]
				if h.n == 0 {
					order = append(order, k)
				}
				counts[k] = held{h.n + n, h.text || f.Type == Text && f.Search}
			}
		}
	}
	common := int64(0) // records whose texts hold the word
	if len(order) > 0 && len(words) == 1 {
		var err error
		if common, err = v.inTexts(words[0]); err != nil {
			return nil, err
		}
	}
	out := make([]intent.Value, 0, len(order))
	for _, k := range order {
		h := counts[k]
		if common > commonWord*h.n || h.text && h.n < least {
			continue
		}
		exact, _ := v.cues.Words(nil, k.text)
		out = append(out, intent.Value{Field: k.field, Text: k.text, Count: h.n, Exact: string(exact) == written})
	}
	return out, nil
}

// inTexts returns the number of records whose texts hold a word.
func (v *facetWords) inTexts(word string) (n int64, err error) {
	for i := range v.runs {
		run := &v.runs[i]
		most := int64(0)
		for _, g := range run.iv.schema.groups {
			for _, t := range v.s.texts.tokens(g.analyzer, word) {
				df, err := v.sightOf(run).df(segment.SpaceText, t.Term)
				if err != nil {
					return 0, err
				}
				most = max(most, df)
			}
		}
		n += most
	}
	return n, nil
}

// commonWord is how many times as many records as have a value may hold its
// word in their texts. A word that is said more often is a plain word: two
// records of the type "Adapter" do not make it one of theirs.
const commonWord = 50

// fewCategory is the records from which a value of a text field, whose words
// are found anyhow, is a kind of thing and not the name of one.
const fewCategory = 2
