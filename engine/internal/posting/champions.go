package posting

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sort"
)

// Champion is a posting that was one of the strongest of its list.
type Champion struct {
	Doc  DocID
	Rank int // in the list
}

// champions are the strongest postings of a list. They stay as they are on disk,
// since lists that are kept in memory are many and few of them are asked.
type champions struct {
	data    []byte
	n       int
	ranked  bool   // data has ranks of width bits, strongest first, and not documents
	ordered bool   // with ranked: there was an Impacts.Before
	width   uint8  // with ranked
	least   uint16 // with ranked: the impact of the last one
}

// Champions returns how many champions the list has: some of the postings with
// the highest impacts at build time.
func (l *List) Champions() int { return l.champions.n }

// Ranking tells what is known of the order of champions: whether they come by
// descending impact, those of equal impact as Impacts.Before says if ordered, else
// by document; and least, the impact of the last one, which no posting that is not
// a champion is above. Lists of versions before 5 know the 32 strongest, by
// document, and then the others, by document.
func (l *List) Ranking() (ranked, ordered bool, least uint16) {
	return l.champions.ranked, l.champions.ordered, l.champions.least
}

// Champion returns champion i, which there is; not ok in a damaged list.
func (l *List) Champion(i int) (c Champion, ok bool) {
	if l.champions.ranked {
		rank := l.champions.rank(i)
		doc, ok := l.docAt(rank)
		return Champion{doc, rank}, ok
	}
	doc := binary.LittleEndian.Uint32(l.champions.data[4*i:])
	rank, ok := l.Find(doc)
	return Champion{doc, rank}, ok
}

// AppendChampions appends the first n champions, or all that there are.
func (l *List) AppendChampions(dst []Champion, n int) []Champion {
	for i := range min(n, l.champions.n) {
		if c, ok := l.Champion(i); ok {
			dst = append(dst, c)
		}
	}
	return dst
}

// rank returns the rank of champion i.
func (c *champions) rank(i int) int {
	at := i * int(c.width)
	var x uint64
	if from := at >> 3; from+8 <= len(c.data) {
		x = binary.LittleEndian.Uint64(c.data[from:])
	} else {
		for k, b := range c.data[from:] {
			x |= uint64(b) << (8 * k)
		}
	}
	return int(x >> (at & 7) & (1<<c.width - 1))
}

// take takes the champions of a list of df documents in one of the versions.
func (c *champions) take(from *cursor, n, df int, version byte) error {
	c.n = n
	if !ranked(version) {
		c.data = from.take(4 * n)
	} else if head := from.take(2); head != nil {
		c.least = binary.LittleEndian.Uint16(head)
		c.ranked, c.width = true, uint8(bits.Len(uint(df-1)))
		c.data = from.take((n*int(c.width) + 7) / 8)
	}
	if from.short {
		return fmt.Errorf("%w: champions are cut off", ErrCorrupt)
	}
	if c.ranked {
		for i := range n {
			if rank := c.rank(i); rank >= df {
				return fmt.Errorf("%w: champion %d has rank %d of %d", ErrCorrupt, i, rank, df)
			}
		}
	}
	return nil
}

// appendChampions appends b.strong, the strongest first, as take takes them: the
// impact of the last one, and the ranks of all, in as few bits as the last rank of
// the list takes.
func (b *Builder) appendChampions(dst []byte) []byte {
	least := uint16(0)
	if n := len(b.strong); n > 0 {
		least = b.strong[n-1].impact
	}
	dst = binary.LittleEndian.AppendUint16(dst, least)
	width := bits.Len(uint(len(b.docs) - 1))
	at := len(dst)
	dst = append(dst, make([]byte, (len(b.strong)*width+7)/8)...)
	for i, c := range b.strong {
		for bit := range width {
			dst[at+(i*width+bit)>>3] |= byte(c.rank>>bit&1) << ((i*width + bit) & 7)
		}
	}
	return dst
}

// docAt returns the document of a rank.
func (l *List) docAt(rank int) (DocID, bool) {
	i := sort.Search(len(l.Containers), func(i int) bool { return l.Containers[i].First > rank }) - 1
	if i < 0 {
		return 0, false
	}
	c := &l.Containers[i]
	page, n := DocID(c.Page)<<16, rank-c.First
	if c.Words == nil {
		if 2*n+1 >= len(c.Array) {
			return 0, false
		}
		return page | DocID(binary.LittleEndian.Uint16(c.Array[2*n:])), true
	}
	// The last word with at most n documents before it.
	at := sort.Search(len(c.Ranks), func(i int) bool { return int(c.Ranks[i]) > n }) - 1
	if at < 0 {
		return 0, false
	}
	x := c.Words[at]
	for n -= int(c.Ranks[at]); n > 0; n-- {
		x &= x - 1
	}
	return page | DocID(at<<6|bits.TrailingZeros64(x)), x != 0
}

// contest verifies that champions are what Ranking says.
type contest struct {
	list *List
	b    Builder     // for its order
	at   map[int]int // index among the champions, by rank
	seen []champion  // by the same index
	best champion    // of all others
	any  bool        // there are others
}

// newContest returns nil if there is nothing to verify.
func (l *List) newContest(im *Impacts) *contest {
	if im == nil || !l.champions.ranked || l.champions.n == 0 || l.champions.ordered != (im.Before != nil) {
		return nil
	}
	c := &contest{list: l, b: Builder{before: im.Before}, at: map[int]int{}, seen: make([]champion, l.champions.n)}
	for i := range l.champions.n {
		c.at[l.champions.rank(i)] = i
	}
	return c
}

// see takes a posting.
func (c *contest) see(p champion) {
	if c == nil {
		return
	}
	if i, ok := c.at[p.rank]; ok {
		c.seen[i] = p
	} else if !c.any || c.b.weaker(c.best, p) {
		c.best, c.any = p, true
	}
}

// end tells what is wrong after all postings.
func (c *contest) end() error {
	if c == nil {
		return nil
	}
	last := c.seen[len(c.seen)-1]
	for i := 1; i < len(c.seen); i++ {
		if c.b.weaker(c.seen[i-1], c.seen[i]) {
			return fmt.Errorf("%w: champion %d is stronger than the one before", ErrCorrupt, c.seen[i].doc)
		}
	}
	switch {
	case last.impact != c.list.champions.least:
		return fmt.Errorf("%w: the impact of the last champion is %d, not %d", ErrCorrupt, last.impact, c.list.champions.least)
	case c.any && c.b.weaker(last, c.best):
		return fmt.Errorf("%w: document %d is stronger than champion %d", ErrCorrupt, c.best.doc, last.doc)
	}
	return c.b.err
}
