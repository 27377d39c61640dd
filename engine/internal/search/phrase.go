package search

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Phrase is what a leaf has in place of a list if it stands for words that
// stand together. Which documents hold it is found out while queries run, for
// those documents only that a query asks about (phraseview.go); what is found
// out for a whole page is kept, so that a second query over the same segment,
// like the one that counts what the first has listed, need not read positions
// again. A Phrase is for one segment of one snapshot, under one table of
// impacts. It is safe for concurrent use.
type Phrase struct {
	words []phraseWord    // by ascending offset
	lists []*posting.List // of the words, each once
	field []bool          // by ordinal: the text fields that may hold the phrase; nil: any
	slop  int
	pages []atomic.Pointer[phrasePage] // by container of lists[0]; nil: not known
}

// phraseWord is one word of a phrase.
type phraseWord struct {
	list   int // in Phrase.lists
	offset int
	twin   int // the word before it that has the same list, or -1
}

// NewPhrase returns the phrase of words, which has the list of each word in
// one segment, with positions; a word that occurs twice has the same list
// twice. It returns nil if no document of the segment can hold the phrase. The
// error is marked ErrMalformed.
//
// A way to place the phrase gives each word i a position p[i] of the field at
// which its list has it; words with the same list stand in the order of their
// offsets. The words are out of place by max(p[i]-offset[i]) minus
// min(p[i]-offset[i]): 0 if they stand as in the phrase, 1 if there is a gap
// of one, 2 if neighbours are swapped, as in Lucene. The frequency of the
// phrase is the number of values that the minimum takes over all ways whose
// words are out of place by at most Slop; without slop, the number of places
// where the phrase stands.
func NewPhrase(words []*posting.List, o PhraseOptions) (*Phrase, error) {
	if o.Offsets != nil && len(o.Offsets) != len(words) {
		return nil, fmt.Errorf("%w: phrase of %d words with %d offsets", ErrMalformed, len(words), len(o.Offsets))
	}
	p := &Phrase{field: o.Fields, slop: max(o.Slop, 0)}
	for i, list := range words {
		if list == nil {
			return nil, nil
		}
		if !list.HasPos {
			return nil, fmt.Errorf("%w: phrase of lists without positions", ErrMalformed)
		}
		w := phraseWord{list: slices.Index(p.lists, list), offset: i, twin: -1}
		if w.list < 0 {
			w.list = len(p.lists)
			p.lists = append(p.lists, list)
		}
		if o.Offsets != nil {
			w.offset = o.Offsets[i]
		}
		// A word that is named twice for one place is one word.
		if !slices.Contains(p.words, w) {
			p.words = append(p.words, w)
		}
	}
	if len(p.words) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(p.words, func(a, b phraseWord) int { return a.offset - b.offset })
	for i := range p.words {
		for j := range i {
			if p.words[j].list == p.words[i].list {
				p.words[i].twin = j
			}
		}
	}
	p.pages = make([]atomic.Pointer[phrasePage], len(p.lists[0].Containers))
	return p, nil
}

// holds tells whether the phrase may stand in a field.
func (p *Phrase) holds(field uint16) bool {
	return p.field == nil || int(field) < len(p.field) && p.field[field]
}

// vector returns the frequencies of the phrase in a document, none if it does
// not hold it.
func (p *Phrase) vector(doc posting.DocID, book *score.Codebook) score.Vector {
	m := phraseMatcher{phrase: p}
	for _, list := range p.lists {
		rank, ok := list.Find(doc)
		if !ok {
			return nil
		}
		v := list.Vector(rank, book)
		posting := phrasePosting{vector: v, positions: list.Positions(rank, v, nil), read: true}
		if len(v) == 1 {
			posting.one[0] = v[0]
		}
		m.postings = append(m.postings, posting)
	}
	m.match()
	return m.freqs
}

// List returns the postings of the phrase, with its frequencies, of all documents of the
// segment. Their bounds are by im. It is nil if there are none, and looks at each document
// that holds the rarest word.
func (p *Phrase) List(im *posting.Impacts) (*posting.List, error) {
	rarest := p.lists[0]
	for _, list := range p.lists {
		if list.DF < rarest.DF {
			rarest = list
		}
	}
	book := im.Table.Book()
	b := posting.NewBuilder(posting.NewCoding(book), posting.KindFreqs)
	for _, doc := range rarest.All {
		if v := p.vector(doc, book); len(v) > 0 {
			if err := b.Add(doc, v, nil); err != nil {
				return nil, fmt.Errorf("search: list of a phrase: %w", err)
			}
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	return b.List(im)
}

// phraseMatcher finds out how often a phrase stands in one document.
type phraseMatcher struct {
	phrase   *Phrase
	postings []phrasePosting          // by Phrase.lists
	readers  []posting.PositionReader // the same
	words    []phraseState            // by Phrase.words
	freqs    score.Vector             // what match found

	spans   []posting.Span           // see locate
	parts   []phrasePart             // see stands
	inField [batchLists]posting.Span // see enterParts
	decoded int                      // positions read so far, for benchmarks
}

// phrasePosting is what a list has for the document.
type phrasePosting struct {
	rank      int
	code      uint8
	one       [1]score.Freq // if the word is in one field only, else its TF is 0
	vector    score.Vector  // if it is in several
	own       score.Vector  // memory for vector
	positions []uint32      // in all fields
	read      bool          // positions is up to date
	left      []uint32      // those in one field
}

// freqs returns the frequencies by field.
func (p *phrasePosting) freqs() score.Vector {
	if p.one[0].TF > 0 {
		return p.one[:]
	}
	return p.vector
}

// phraseState is a word while a field is looked at.
type phraseState struct {
	left []uint32 // positions that are still ahead
	at   int      // where twins are told apart: the position taken
}

// match sets freqs to the frequencies of the phrase in the document of m's
// postings, whose vectors are set. Positions are read when they are needed.
func (m *phraseMatcher) match() {
	m.freqs = m.freqs[:0]
	for _, f := range m.postings[0].freqs() {
		if m.phrase.holds(f.Field) && m.enter(f.Field) {
			m.add(f.Field)
		}
	}
}

// add adds the frequency in the field entered to freqs.
func (m *phraseMatcher) add(field uint16) {
	if n := m.count(); n > 0 {
		m.freqs = append(m.freqs, score.Freq{Field: field, TF: n})
	}
}

// has tells whether the word is in a field.
func (p *phrasePosting) has(field uint16) bool {
	if p.one[0].TF > 0 {
		return p.one[0].Field == field
	}
	return slices.ContainsFunc(p.vector, func(f score.Freq) bool { return f.Field == field })
}

// enter sets what is left of all words to their positions in a field. It
// returns false if one has none there.
func (m *phraseMatcher) enter(field uint16) bool {
	for i := range m.postings {
		if !m.postings[i].has(field) {
			return false
		}
	}
	for i := range m.postings {
		p := &m.postings[i]
		if !p.read {
			p.positions, p.read = m.readers[i].Read(p.rank, p.freqs().Total()), true
			m.decoded += len(p.positions)
		}
		from := 0
		for _, f := range p.freqs() {
			to := from + int(f.TF)
			if to > len(p.positions) {
				return false // only in a corrupt list
			}
			if f.Field == field {
				p.left = p.positions[from:to]
				break
			}
			from = to
		}
	}
	m.words = slices.Grow(m.words[:0], len(m.phrase.words))[:len(m.phrase.words)]
	for i := range m.words {
		m.words[i].left = m.postings[m.phrase.words[i].list].left
	}
	return true
}

// count returns the frequency of the phrase in the field entered.
func (m *phraseMatcher) count() uint32 {
	switch {
	case m.phrase.slop > 0:
		return m.countNear()
	case len(m.words) == 2:
		return countBeside(m.words[0].left, m.words[1].left, uint32(m.phrase.words[1].offset-m.phrase.words[0].offset))
	}
	return m.countTogether()
}

// countBeside returns for how many values of a there is one in b that is
// greater by gap. Both ascend and may hold a value several times.
func countBeside(a, b []uint32, gap uint32) (n uint32) {
	if len(a) == 1 && len(b) == 1 {
		if b[0]-a[0] == gap {
			return 1
		}
		return 0
	}
	// Which of the two goes on is a matter of chance, so there is no branch for it.
	last := uint64(math.MaxUint64)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at, here := uint64(a[i])+uint64(gap), uint64(b[j])
		if at == here && at != last {
			n++
			last = at
		}
		i, j = i+less(at, here+1), j+less(here, at+1)
	}
	return n
}

// less is 1 if a is less than b, else 0. Both are below 1<<63.
func less(a, b uint64) int { return int((a - b) >> 63) }

// countTogether is countBeside for any number of words. No two twins can be at
// the same position, since their offsets differ.
func (m *phraseMatcher) countTogether() (n uint32) {
	words := m.phrase.words
next:
	for i := 0; ; {
		// Where the phrase would have to begin for the first position of word i.
		if len(m.words[i].left) == 0 {
			return n
		}
		start := int(m.words[i].left[0]) - words[i].offset
		for j := range m.words {
			w := &m.words[j]
			for len(w.left) > 0 && int(w.left[0])-words[j].offset < start {
				w.left = w.left[1:]
			}
			if len(w.left) == 0 {
				return n
			}
			if int(w.left[0])-words[j].offset != start {
				i = j
				continue next
			}
		}
		n++
		first := &m.words[0]
		for at := first.left[0]; len(first.left) > 0 && first.left[0] == at; {
			first.left = first.left[1:]
		}
		i = 0
	}
}

// countNear is count for phrases with slop. It moves all words ahead together,
// as one merges sorted lists.
func (m *phraseMatcher) countNear() (n uint32) {
	words := m.phrase.words
	for {
		// The earliest way that is left.
		lo, hi := 0, 0
		for i := range m.words {
			w := &m.words[i]
			if len(w.left) == 0 {
				return n
			}
			d := int(w.left[0]) - words[i].offset
			if i == 0 {
				lo, hi = d, d
			}
			lo, hi = min(lo, d), max(hi, d)
		}
		next := lo + 1
		if hi-lo > m.phrase.slop {
			next = hi - m.phrase.slop // no way that begins earlier can reach hi
		} else if m.fits(lo) {
			n++
		}
		for i := range m.words {
			w := &m.words[i]
			for len(w.left) > 0 && int(w.left[0])-words[i].offset < next {
				w.left = w.left[1:]
			}
		}
	}
}

// fits tells whether the earliest way that gives twins different positions
// begins at lo and is within the slop. Without twins, the caller knows.
func (m *phraseMatcher) fits(lo int) bool {
	first := false
	for i := range m.words {
		w, word := &m.words[i], &m.phrase.words[i]
		left := w.left
		if word.twin >= 0 {
			for len(left) > 0 && int(left[0]) <= m.words[word.twin].at {
				left = left[1:]
			}
			if len(left) == 0 {
				return false
			}
		}
		w.at = int(left[0])
		d := w.at - word.offset
		if d-lo > m.phrase.slop {
			return false
		}
		first = first || d == lo
	}
	return first
}
