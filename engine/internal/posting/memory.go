package posting

// List returns the postings added since Reset as a list in memory, with
// positions if the kind has them; the empty list if there are none. Without im
// every bound is the largest. It fails if im does.
func (b *Builder) List(im *Impacts) (*List, error) {
	if len(b.docs) == 0 {
		return &List{HasFreqs: b.kind != KindDocs}, nil
	}
	data, err := b.appendLong(nil, im, memoryVersion)
	if err != nil {
		return nil, err
	}
	l, err := parse(data, b.coding, b.docs, unpacking{})
	if err != nil || b.kind != KindPositions {
		return l, err
	}
	if data, err = b.AppendPositions(nil); err != nil {
		return nil, err
	}
	return l.WithPositions(data)
}

// FromDocs returns a list of documents only: the matches of something that is
// no term, like a prefix. docs must ascend; it panics if their pages do not. It
// does not keep docs.
func FromDocs(docs []DocID) *List {
	if len(docs) == 0 {
		return &List{}
	}
	b := Builder{docs: docs}
	return b.mustList()
}

// mustList is List for builders of documents only, for which nothing can fail.
func (b *Builder) mustList() *List {
	l, err := b.List(nil)
	if err != nil {
		panic(err)
	}
	return l
}

// Translate replaces the bounds of a list that nobody else has, each byte by what
// to has for it, and what Ranking says of the last champion in the same units.
func (l *List) Translate(to *[256]byte) {
	for i := range l.Containers {
		c := &l.Containers[i]
		for _, bounds := range [...][]byte{c.Bounds, c.Coarse} {
			for j, bound := range bounds {
				bounds[j] = to[bound]
			}
		}
		c.Max = to[c.Max]
	}
	l.champions.least = uint16(to[l.champions.least>>8])<<8 | 0xff
}
