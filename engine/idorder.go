package engine

import (
	"bytes"
	"sort"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/segment"
)

// byID makes champions of equal impact follow in the order of hits, by id. What
// is short-lived, or in a hurry, does without.
func byID(im *segment.Impacts, iv *indexView) error {
	runs, err := idRunsOf(iv.chunks)
	if err != nil || len(runs) == 1 && runs[0].ascend {
		return err // without Before it is by number, which is the same
	}
	im.Before = func(a, b posting.DocID) (bool, error) {
		if i := runs.of(a); i < len(runs) && runs[i].ascend && i == runs.of(b) {
			return a < b, nil
		}
		ca, cb := iv.chunkOf(a), iv.chunkOf(b)
		if ca == nil || cb == nil {
			return false, corruptf("document %d or %d is in no chunk", a, b)
		}
		order, err := ca.chunk.CompareID(int(a-ca.base()), cb.chunk, int(b-cb.base()))
		return order < 0 || order == 0 && a < b, err // a record that was replaced has its id too
	}
	return nil
}

// idRuns divides the documents of an index into runs, by ascending number. In many
// indexes records come in the order of their ids, a file of them at a time, and then
// numbers tell the order of two without a look at their ids.
type idRuns []idRun

type idRun struct {
	end    posting.DocID // behind the last document
	ascend bool          // the id of each document is above that of the one before
}

// idRunsOf returns the runs of chunks, by ascending base. It reads two ids of each.
func idRunsOf(chunks []*chunkRef) (idRuns, error) {
	var runs idRuns
	var last []byte // the last id of the run before, if it ascends
	for _, c := range chunks {
		run := idRun{end: c.end()}
		var err error
		if run.ascend, err = c.chunk.IDsAscend(); err != nil {
			return nil, err
		}
		if !run.ascend {
			runs, last = append(runs, run), nil
			continue
		}
		first, err := c.chunk.ID(0)
		if err != nil {
			return nil, err
		}
		if last != nil && bytes.Compare(last, first) < 0 {
			runs[len(runs)-1].end = run.end
		} else {
			runs = append(runs, run)
		}
		if last, err = c.chunk.ID(c.chunk.Len() - 1); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// of returns the index of the run of a document.
func (r idRuns) of(doc posting.DocID) int {
	return sort.Search(len(r), func(i int) bool { return r[i].end > doc })
}
