package httpapi

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/quarry-search/quarry/httpapi/internal/keyring"
)

// sees tells whether a key may see the answer about a batch, which tells ids
// of records in all indexes of the batch, whatever is in the records.
func sees(key *keyring.Grant, answer []byte) bool {
	if len(key.Filters) > 0 {
		return false
	}
	if len(key.Indexes) == 0 {
		return true
	}
	var batch struct {
		Indexes []string `json:"indexes"`
	}
	if json.Unmarshal(answer, &batch) != nil || batch.Indexes == nil {
		return false
	}
	return !slices.ContainsFunc(batch.Indexes, func(name string) bool { return !key.Allows(name) })
}

// batchAnswer is the answer about a batch to a key. A batch whose indexes the
// key may not use is not there, nor, without the scope read, one that another
// key has sent.
func (s *Server) batchAnswer(key *keyring.Grant, id string) ([]byte, error) {
	answer, sender := s.queue.show(id)
	if answer == nil {
		var err error
		if answer, sender, err = s.batches.lookup(id); err != nil {
			return nil, err
		}
	}
	if !sees(key, answer) || key.Scopes&ScopeRead == 0 && sender != key.ID {
		return nil, batchNotFound()
	}
	return answer, nil
}

// batchesLooked bounds how many batches are looked at for one page of those
// that a key may see.
const batchesLooked = 1000

// batchPage is a part of the list of batches.
type batchPage struct {
	answers [][]byte
	last    string // id of the last one that was looked at
	more    bool
	total   int // -1 if not all may be seen: then nobody counts them
}

// batchPage returns the newest batches before an id, "" for all, that a key may
// see. The page of a key that may not see all may be short, though there are
// more.
func (s *Server) batchPage(key *keyring.Grant, before string, limit int) (*batchPage, error) {
	confined := len(key.Indexes) > 0 || len(key.Filters) > 0
	look := limit
	if confined {
		look = batchesLooked
	}
	p := &batchPage{}
	var ids []string
	if ids, p.more, p.total = s.batches.before(before, look); confined {
		p.total = -1
	}
	for _, id := range ids {
		if len(p.answers) == limit {
			p.more = true
			break
		}
		p.last = id
		answer, err := s.batchAnswer(key, id)
		var gone *problem // forgotten meanwhile, or not to be seen
		switch {
		case err == nil:
			p.answers = append(p.answers, answer)
		case !errors.As(err, &gone):
			return nil, err
		}
	}
	return p, nil
}
