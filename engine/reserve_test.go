package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// room is a Reserver of so many bytes.
type room struct{ left, asked int }

var errNoRoom = errors.New("no room")

func (r *room) Reserve(n int) error {
	if r.asked++; n > r.left {
		return errNoRoom
	}
	r.left -= n
	return nil
}

// TestHitsReserveTheirMemory: a search asks for room for each record before it
// reads it, and ends where there is none.
func TestHitsReserveTheirMemory(t *testing.T) {
	e := newEngine(t, nil)
	size := 0
	for i := range 10 {
		record := fmt.Sprintf(`{"id":"%d","k":"k%d","t":"red %s"}`, i, i%2, strings.Repeat("x", 1000*i))
		apply(t, e, puts("a", record))
		size += len(record)
	}
	for _, c := range []struct {
		r    Request
		want int // bytes
	}{
		{Request{Query: "red"}, size},
		{Request{}, size},
		{Request{Query: "red", Highlight: &HighlightRequest{}}, 2 * size},
		{Request{Query: "red", NoRecord: true}, 0},
		{Request{Query: "red", Limit: -1}, 0},
	} {
		plain := find(t, e, &c.r)
		all := &room{left: 1 << 30}
		c.r.Memory = all
		if res := find(t, e, &c.r); len(res.Hits) != len(plain.Hits) || 1<<30-all.left != c.want {
			t.Errorf("%+v: %d hits take %d bytes, want %d hits and %d bytes", c.r, len(res.Hits), 1<<30-all.left, len(plain.Hits), c.want)
		}
		if c.want == 0 {
			continue
		}
		few := &room{left: c.want - 1}
		c.r.Memory = few
		if _, err := e.Search(t.Context(), &c.r); err != errNoRoom || few.asked > 10 {
			t.Errorf("%+v without room: %v after %d times", c.r, err, few.asked)
		}
	}
}
