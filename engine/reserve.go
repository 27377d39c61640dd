package engine

import (
	"bytes"

	"github.com/quarry-search/quarry/engine/internal/posting"
)

// A Reserver knows how much memory the hits of a request may take. Reserve is
// asked for each before it is made, on the goroutine of the search; its error ends
// the search, whose error it is.
type Reserver interface{ Reserve(bytes int) error }

// recordWithin is record if m, which may be nil, has room for so many times its
// size.
func (r *storedReader) recordWithin(doc posting.DocID, m Reserver, times int) ([]byte, error) {
	b, i, err := r.find(doc)
	if err != nil {
		return nil, err
	}
	record := b.Record(i)
	if m != nil {
		if err := m.Reserve(times * len(record)); err != nil {
			return nil, err
		}
	}
	return bytes.Clone(record), nil
}
