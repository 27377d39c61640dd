package engine

import (
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// runLists is the cached lists of a term, by segment, of the index of a search.
type runLists struct {
	run *searchRun
	termLists
}

// term returns the lists of a term.
func (run *searchRun) term(space uint16, term []byte, positions bool) runLists {
	return runLists{run, run.e.listsOf(run.iv, space, term, positions)}
}

// listsOf returns the lists of a term of an index.
func (e *Engine) listsOf(iv *indexView, space uint16, term []byte, positions bool) termLists {
	var buf [80]byte
	kind := listPlain
	if positions {
		kind = listPlaced
	}
	return e.lists.of(iv.ix.number, kind, segment.Key(buf[:0], space, term))
}

// entry returns what a segment has of the term.
func (t *runLists) entry(s *segmentRef) (*listEntry, error) { return t.of(t.run.iv, s) }

// of returns what a segment of a view of the index has of the term.
func (t *termLists) of(iv *indexView, s *segmentRef) (*listEntry, error) {
	return t.load(s.uid, iv.segs, func() (*posting.List, int, error) {
		o := segment.ListOptions{Positions: t.key.kind == listPlaced, Compact: t.cache.crowded()}
		list, err := s.reader.List([]byte(t.key.key), o)
		if err != nil || list == nil {
			return nil, 0, err
		}
		return list, list.Bytes(), nil
	})
}

// df returns how many live documents of the index hold the term.
func (t *runLists) df() (n int64, err error) {
	if r := t.kept(t.run.iv); r != nil {
		return r.df, nil
	}
	for _, s := range t.run.iv.segs {
		en, err := t.entry(s)
		if err != nil {
			return 0, err
		}
		n += int64(en.liveDF(t.run.iv))
	}
	return n, nil
}

// list is the list of an entry.
func (t *runLists) list(s *segmentRef) (*posting.List, error) {
	en, err := t.entry(s)
	if err != nil {
		return nil, err
	}
	return en.list, nil
}

// list returns the posting list of a term in one segment.
func (run *searchRun) list(s *segmentRef, space uint16, term []byte, positions bool) (*posting.List, error) {
	t := run.term(space, term, positions)
	return t.list(s)
}

// placed returns the list, with positions, of the term of a leaf.
func (run *searchRun) placed(s *segmentRef, l *leaf) (*posting.List, error) {
	if l.row != nil {
		if en := l.row.placed.Load().use(s.uid); en != nil {
			return en.list, nil
		}
	}
	t := run.e.lists.of(run.iv.ix.number, listPlaced, []byte(l.key))
	en, err := t.of(run.iv, s)
	if err != nil {
		return nil, err
	}
	if l.row != nil {
		for _, g := range [...]*listGroup{t.small, t.large} {
			if g.find(s.uid) == en {
				l.row.placed.Store(g)
			}
		}
	}
	return en.list, nil
}

// expansions returns the cached lists for the beginning of a word.
func (run *searchRun) expansions(key string) runLists {
	return runLists{run, run.e.lists.of(run.iv.ix.number, listPrefix, []byte(key))}
}

// phrases returns the cached lists for words that stand together.
func (run *searchRun) phrases(key string) runLists {
	return runLists{run, run.e.lists.of(run.iv.ix.number, listPhrase, []byte(key))}
}

// compounds returns the cached lists for parts of compounds.
func (run *searchRun) compounds(key string) runLists {
	return runLists{run, run.e.lists.of(run.iv.ix.number, listCompound, []byte(key))}
}

// expansion returns the list that a segment has for the beginning of a
// word, or for a phrase, which create makes of the lists of its terms. Such a list
// depends neither on the ranking nor on what is deleted.
func (t *runLists) expansion(s *segmentRef, create func() (*posting.List, error)) (*listEntry, error) {
	return t.load(s.uid, t.run.iv.segs, func() (*posting.List, int, error) {
		list, err := create()
		if err != nil || list == nil {
			return nil, 0, err
		}
		return list, list.Bytes(), nil
	})
}

// has tells whether the list of a segment is there.
func (t *runLists) has(s *segmentRef) bool {
	return t.askSmall().find(s.uid) != nil || t.askLarge().find(s.uid) != nil
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
