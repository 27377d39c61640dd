package httpapi

import (
	"testing"

	"github.com/quarry-search/quarry/engine"
)

// lender gives the inputs of a fuzz target one service between them: to start
// one takes a hundred times as long as to answer. A new one comes after some
// inputs, so that what they leave behind does not pile up.
type lender struct {
	engine  *memEngine
	service *service
	lent    int
}

// lend makes the lender of a fuzz target.
func lend(f *testing.F) *lender {
	l := &lender{}
	f.Cleanup(l.close)
	return l
}

// to lends the service to an input. It holds someRecords and moreRecords, and
// what the inputs before have done.
func (l *lender) to(t *testing.T) *service {
	t.Helper()
	if l.lent++; l.lent > 500 {
		l.close()
	}
	if l.service == nil {
		e, err := engine.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		l.engine = &memEngine{Engine: e}
		l.service, l.lent = startService(t, l.engine), 1
		l.service.want(201, "POST", "/v1/batch", someRecords)
		l.service.want(201, "POST", "/v1/batch", moreRecords)
	}
	s := *l.service
	s.t = t
	return &s
}

func (l *lender) close() {
	if l.service != nil {
		l.service.server.Close()
		l.engine.Close()
		l.service = nil
	}
}
