package page

import (
	"bytes"
	"cmp"
	"slices"
)

// patience is how many comparisons of ids of a chunk, for each of its
// documents, are made one by one before the order of all is worked out, after
// which a comparison costs a tenth. Working it out takes about as long as these.
const patience = 4

// CompareID compares the record id of document i with that of document j of
// other, bytewise as bytes.Compare does.
func (c *Chunk) CompareID(i int, other *Chunk, j int) (int, error) {
	if other == c {
		ascend, err := c.IDsAscend()
		if err != nil {
			return 0, err
		}
		if ascend {
			return cmp.Compare(i, j), nil
		}
		if ranks := c.idRanks.peek(); ranks != nil {
			return cmp.Compare((*ranks)[i], (*ranks)[j]), nil
		}
		if c.compared.Add(1)%int64(patience*c.n) == 0 {
			if err := c.rankIDs(); err != nil {
				return 0, err
			}
		}
	}
	a, err := c.Spot(i)
	if err != nil {
		return 0, err
	}
	b, err := other.Spot(j)
	var rooms [2][128]byte
	return bytes.Compare(a.ID(rooms[0][:]), b.ID(rooms[1][:])), err
}

// rankIDs works out where each document stands in the order of ids.
func (c *Chunk) rankIDs() error {
	_, err := c.idRanks.get(c, func() (*[]uint16, int, error) {
		id, err := c.allIDs()
		if err != nil {
			return nil, 0, err
		}
		ranks := ranks(c.n, id)
		return &ranks, 2 * len(ranks), nil
	})
	return err
}

// ranks returns for each of n strings how many different ones are below it. It
// sorts by the first eight bytes behind those that all have in common, as one
// number, and looks at the rest where these are equal.
func ranks(n int, at func(i int) []byte) []uint16 {
	var common []byte // to all but holes, which have no id
	first := true
	for i := range n {
		id := at(i)
		switch {
		case len(id) == 0:
		case first:
			common, first = id, false
		default:
			common = common[:shared(common, id)]
		}
	}
	items := make([]headed, n)
	for i := range items {
		items[i].i = uint32(i)
		if id := at(i); len(id) > 0 {
			items[i].head = head(id[len(common):])
		}
	}
	compare := func(a, b headed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(at(int(a.i)), at(int(b.i)))
	}
	slices.SortFunc(items, compare)
	ranks := make([]uint16, n)
	below := uint16(0)
	for k, it := range items {
		if k > 0 && compare(items[k-1], it) != 0 {
			below++
		}
		ranks[it.i] = below
	}
	return ranks
}

// shared returns the number of bytes that a and b have in common in front.
func shared(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
