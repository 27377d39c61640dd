package httpapi

import (
	"fmt"

	"github.com/quarry-search/quarry/engine"
)

// answerRoom takes the memory of the answer to searches from the server's budget
// until the exchange ends, as the engine finds the records of it: before it reads
// them, so that nobody makes the service hold more than it may by asking for many
// large records at a time.
type answerRoom struct {
	s      *Server
	x      *exchange
	copies int64 // of a record that are held at a time
	bytes  int64 // of records so far
	held   int64 // what of their copies is taken from the budget
}

// answerFree is the memory of an answer that nobody counts: that of most is less.
const answerFree = 256 << 10

// Reserve is that of engine.Reserver.
func (r *answerRoom) Reserve(bytes int) error {
	r.bytes += int64(bytes)
	need := r.bytes*r.copies - r.held
	if need <= answerFree {
		return nil
	}
	if r.bytes*r.copies > r.s.budget.limit {
		return &problem{code: engine.CodeLimitExceeded, detail: fmt.Sprintf("the records of the answer are larger than the service can hold, %d bytes; ask for fewer at a time", r.s.budget.limit/r.copies)}
	}
	if !r.s.budget.take(need) {
		return &problem{code: codeOverloaded, detail: "the service holds as many bodies and answers as it may"}
	}
	r.held += need
	r.x.hold += need
	return nil
}
