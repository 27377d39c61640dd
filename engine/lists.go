package engine

import (
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// entry returns the cached posting list of a term in a segment.
func (run *searchRun) entry(s *segmentRef, space uint16, term []byte, positions bool) (*listEntry, error) {
	var buf [80]byte
	key := string(segment.Key(buf[:0], space, term))
	return run.e.lists.load(listKey{segment: s.uid, key: key, pos: positions}, func() (*posting.List, int, error) {
		list, err := s.reader.List([]byte(key), segment.ListOptions{Positions: positions, Compact: run.e.lists.crowded()})
		if err != nil || list == nil {
			return nil, 0, err
		}
		return list, list.Bytes(), nil
	})
}

func (run *searchRun) list(s *segmentRef, space uint16, term []byte, positions bool) (*posting.List, error) {
	en, err := run.entry(s, space, term, positions)
	if err != nil {
		return nil, err
	}
	return en.list, nil
}

// expansion returns the cached list that a segment has for the beginning of a
// word, which create makes of the lists of its terms. Such a list has no
// frequencies, so it depends neither on the ranking nor on what is deleted.
func (run *searchRun) expansion(s *segmentRef, key string, create func() (*posting.List, error)) (*listEntry, error) {
	return run.e.lists.load(listKey{segment: s.uid, key: key, prefix: true}, func() (*posting.List, int, error) {
		list, err := create()
		if err != nil || list == nil {
			return nil, 0, err
		}
		return list, list.Bytes(), nil
	})
}

// live counts the live documents of a list that was made for this query.
func (run *searchRun) live(list *posting.List) int {
	n := list.DF
	if len(run.iv.dead) > 0 {
		for i := range list.Containers {
			if words := run.iv.deadWords(list.Containers[i].Page); words != nil {
				n -= list.Containers[i].AndCount(words)
			}
		}
	}
	return n
}
