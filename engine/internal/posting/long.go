package posting

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// Widths of the long form; see the package comment. Part of the format.
const (
	longVersion   = 1 // the documents as Roaring's portable format
	packedVersion = 2 // the documents packed
	fineVersion   = 3 // and finer bounds, and more champions in longer lists
	rankedVersion = 5 // and champions in order, as ranks, in more lists
	memoryVersion = 6 // 5 without the documents: of lists in memory, never on disk
	longHeader    = 20
	orderedFlag   = 0x80 // in the byte of the kind
	maxChampions  = 128
	someChampions = 32    // of short lists
	perChampion   = 8     // postings for each champion, in lists that have more
	perChampion3  = 128   // the same in version 3
	arrayMax      = 4096  // postings in the largest array container
	wordsSize     = 8192  // bytes of a bitmap container
	ranksSize     = 256   // bytes of its ranks in longVersion
	roaringCookie = 12346 // Roaring's serial cookie without run containers
)

// AppendLong appends the list, packed, as the value that Parse reads, without
// positions. Bounds and champions are those of im; without im every bound is
// the largest and there are no champions. It fails if im does.
func (b *Builder) AppendLong(dst []byte, im *Impacts) ([]byte, error) {
	return b.appendLong(dst, im, rankedVersion)
}

// appendLong is AppendLong in one of the versions.
func (b *Builder) appendLong(dst []byte, im *Impacts, version byte) ([]byte, error) {
	keep := championsOf(len(b.docs), version)
	if err := b.weigh(im, func(card int) uint { return b.boundShift(card, version) }, keep); err != nil {
		return dst, err
	}
	if err := b.orderStrong(version); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, version, byte(b.kind))
	if len(b.strong) > 0 && b.before != nil && ranked(version) {
		dst[start+1] |= orderedFlag
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(b.strong)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b.docs)))
	dst = append(dst, make([]byte, longHeader-8)...)
	if ranked(version) {
		dst = b.appendChampions(dst)
	} else {
		for _, c := range b.strong {
			dst = binary.LittleEndian.AppendUint32(dst, c.doc)
		}
	}
	at := len(dst)
	containers := 0
	switch {
	case version == memoryVersion:
		for from := 0; from < len(b.docs); from = pageEnd(b.docs, from) {
			containers++
		}
	case version == longVersion:
		dst, containers = appendRoaring(dst, b.docs)
	default:
		dst, containers = appendPages(dst, b.docs)
	}
	binary.LittleEndian.PutUint32(dst[start+8:], uint32(containers))
	binary.LittleEndian.PutUint32(dst[start+12:], uint32(len(dst)-at))
	binary.LittleEndian.PutUint32(dst[start+16:], uint32(len(b.escapes)))
	if version == longVersion {
		dst = appendRanks(dst, b.docs)
	}
	dst = b.appendBounds(dst, version)
	if b.kind != KindDocs {
		dst = b.appendCodes(dst)
	}
	return dst, nil
}

// ranked tells whether champions of lists of a version are ranks in order.
func ranked(version byte) bool { return version >= rankedVersion }

// championsOf returns how many champions a list of df documents may have.
func championsOf(df int, version byte) int {
	switch {
	case version < fineVersion:
		return someChampions
	case version == fineVersion:
		return min(max(someChampions, df/perChampion3), maxChampions)
	}
	return min(max(someChampions, df/perChampion), maxChampions)
}

// orderStrong sorts b.strong: the strongest first or, before rankedVersion, the 32
// strongest by document, and then the others.
func (b *Builder) orderStrong(version byte) error {
	slices.SortFunc(b.strong, func(x, y champion) int {
		if x == y {
			return 0
		} else if b.weaker(y, x) {
			return -1
		}
		return 1
	})
	if !ranked(version) {
		byDoc := func(x, y champion) int { return cmp.Compare(x.doc, y.doc) }
		first := min(len(b.strong), someChampions)
		slices.SortFunc(b.strong[:first], byDoc)
		slices.SortFunc(b.strong[first:], byDoc)
	}
	return b.err
}

// appendBounds appends the bounds of each container, and before them what
// spares a reader to look for the largest: see the package comment.
func (b *Builder) appendBounds(dst []byte, version byte) []byte {
	bounds := b.bounds
	for from := 0; from < len(b.docs); {
		to := pageEnd(b.docs, from)
		shift := b.boundShift(to-from, version)
		n := PageSize >> shift
		switch {
		case coarse(shift, version):
			for window := range slices.Chunk(bounds[:n], n/coarseBounds) {
				dst = append(dst, slices.Max(window))
			}
		case n > 1:
			dst = append(dst, slices.Max(bounds[:n]))
		}
		dst = append(dst, bounds[:n]...)
		bounds = bounds[n:]
		from = to
	}
	return dst
}

// boundShift is boundShift for the builder's kind.
func (b *Builder) boundShift(card int, version byte) uint {
	if b.kind == KindDocs {
		return 16
	}
	return boundShift(card, version)
}

// appendCodes appends the packed codes and the escapes.
func (b *Builder) appendCodes(dst []byte) []byte {
	blocks := (len(b.codes) + codeBlock - 1) / codeBlock
	super := len(dst)
	dir := super + (blocks-1)/superBlock*4
	base := dir + 2*blocks
	dst = append(dst, make([]byte, base-super)...)
	origin := 0
	for block := range blocks {
		values := b.codes[block*codeBlock : min(len(b.codes), (block+1)*codeBlock)]
		offset := (len(dst) - base) / codeUnit
		if s := block / superBlock; s > 0 && block%superBlock == 0 {
			origin = offset
			binary.LittleEndian.PutUint32(dst[super+4*(s-1):], uint32(offset))
		}
		kind := kindOf(values)
		binary.LittleEndian.PutUint16(dst[dir+2*block:], uint16(uint(offset-origin)<<3|kind))
		dst = appendPacked(dst, values, kind)
	}
	for _, e := range b.escapes {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(e.rank))
	}
	for _, e := range b.escapes {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(e.end))
	}
	return append(dst, b.vectors...)
}

// Parse reads the long form, of any version. The list points into data, which
// must not change while the list is in use. It checks every length and offset
// that the accessors rely on, which costs O(containers), and unpacks the
// documents; that the contents make sense is for Validate. The error is marked
// ErrCorrupt.
func Parse(data []byte, coding *Coding) (*List, error) {
	return parse(data, coding, nil, unpacking{max: compactMax})
}

// Unpack is Parse for a list that queries will use: it has a copy of all that it needs
// of data (but in version 1), of which the documents, now unpacked, are most, and unless
// it is to be compact, it takes more room so as to be faster.
func Unpack(data []byte, coding *Coding, compact bool) (*List, error) {
	o := unpacking{max: unpackedMax, apart: true}
	if compact {
		o.max = compactMax
	}
	return parse(data, coding, nil, o)
}

// parse is Parse or Unpack, and reads memoryVersion if the documents of the list are
// given.
func parse(data []byte, coding *Coding, documents []DocID, o unpacking) (*List, error) {
	if len(data) < longHeader || data[0] < longVersion || data[0] > memoryVersion || data[0] == 4 || data[0] == memoryVersion != (documents != nil) {
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	}
	kind, ordered := Kind(data[1]), false
	if ranked(data[0]) {
		kind, ordered = kind&^orderedFlag, kind&orderedFlag != 0
	}
	if kind > KindPositions {
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	}
	kept := int(binary.LittleEndian.Uint16(data[2:]))
	df := int(binary.LittleEndian.Uint32(data[4:]))
	containers := int(binary.LittleEndian.Uint32(data[8:]))
	docsSize := int(binary.LittleEndian.Uint32(data[12:]))
	escapes := int(binary.LittleEndian.Uint32(data[16:]))
	l := &List{DF: df, HasFreqs: kind != KindDocs}
	c := cursor{data: data[longHeader:]}
	if df <= 0 || containers <= 0 || docsSize < 0 || escapes < 0 { // below 0 where an int has 32 bits
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	}
	if kept > championsOf(df, data[0]) || containers > PageSize || kind != KindDocs && coding == nil {
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	}
	if err := l.champions.take(&c, kept, df, data[0]); err != nil {
		return nil, err
	}
	l.champions.ordered = ordered
	docs := c.take(docsSize)
	if c.short {
		return nil, fmt.Errorf("%w: %d bytes do not hold champions and documents", ErrCorrupt, len(data))
	}
	if o.apart = o.apart && data[0] != longVersion; o.apart {
		l.champions.data, c.data = slices.Clone(l.champions.data), slices.Clone(c.data)
	}
	var ranks []byte
	if documents != nil {
		if len(documents) != df {
			return nil, fmt.Errorf("%w: %d documents, want %d", ErrCorrupt, len(documents), df)
		}
		if err := l.fromDocs(documents, containers); err != nil {
			return nil, err
		}
	} else if data[0] == longVersion {
		l.roaring = docs
		bitmaps, err := l.parseRoaring(containers)
		if err != nil {
			return nil, err
		}
		ranks = c.take(ranksSize * bitmaps)
	} else if err := l.parsePages(docs, containers, o); err != nil {
		return nil, err
	}
	for i := range l.Containers {
		con := &l.Containers[i]
		con.Shift = 16
		if l.HasFreqs {
			con.Shift = uint8(boundShift(con.Card, data[0]))
		}
		if coarse(uint(con.Shift), data[0]) {
			con.Coarse = c.take(coarseBounds)
		} else if con.Shift < 16 {
			con.Coarse = c.take(1)
		}
		con.Bounds = c.take(PageSize >> con.Shift)
		if c.short {
			return nil, fmt.Errorf("%w: bounds of page %d are cut off", ErrCorrupt, con.Page)
		}
		if con.Max = con.Bounds[0]; con.Coarse != nil {
			con.Max = slices.Max(con.Coarse)
		}
		if len(con.Coarse) < coarseBounds {
			con.Coarse = nil
		}
		if con.Words != nil && len(ranks) > 0 {
			for i := 0; i < len(con.Ranks); i += 8 {
				if binary.LittleEndian.Uint16(ranks[i/4:]) != con.Ranks[i] {
					return nil, fmt.Errorf("%w: page %d: rank before place %d", ErrCorrupt, con.Page, i<<6)
				}
			}
			ranks = ranks[ranksSize:]
		}
	}
	if l.HasFreqs {
		l.codes.coding = coding
		l.codes.parse(&c, df, escapes)
	} else if escapes != 0 {
		return nil, fmt.Errorf("%w: escapes without frequencies", ErrCorrupt)
	}
	if c.short || len(c.data) != 0 {
		return nil, fmt.Errorf("%w: %d bytes are not the length of the list", ErrCorrupt, len(data))
	}
	return l, nil
}

// parse takes the packed codes and the escapes, which end the value.
func (p *codes) parse(c *cursor, df, escapes int) {
	blocks := (df + codeBlock - 1) / codeBlock
	p.super = c.take((blocks - 1) / superBlock * 4)
	p.dir = c.take(2 * blocks)
	if c.short {
		return
	}
	kind, start := p.block(uint(blocks - 1))
	p.data = c.take(int(start) + packedSize(df-(blocks-1)*codeBlock, kind))
	p.escRanks = c.take(4 * escapes)
	p.escEnds = c.take(4 * escapes)
	size := 0
	if !c.short && escapes > 0 {
		size = int(binary.LittleEndian.Uint32(p.escEnds[4*(escapes-1):]))
	}
	p.vectors = c.take(size)
}

// cursor hands out the parts of a value from front to back.
type cursor struct {
	data  []byte
	short bool // more was asked for than there is
}

// take returns the next n bytes, or nil once they run short.
func (c *cursor) take(n int) []byte {
	if c.short || n < 0 || n > len(c.data) {
		c.short = true
		return nil
	}
	out := c.data[:n:n]
	c.data = c.data[n:]
	return out
}
