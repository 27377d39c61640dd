package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrUnsupported is returned by a [Searcher] for a query that its engine cannot
// express.
var ErrUnsupported = errors.New("unsupported")

// Occur says what a clause asks of a document.
type Occur byte

// The three kinds of clause; a query of Should clauses alone needs one to match.
const (
	Should  Occur = ' '
	Must    Occur = '+'
	MustNot Occur = '-'
)

// Clause is one part of a query: a word (one term) or a phrase.
type Clause struct {
	Occur Occur
	Terms []string // at least one
}

// ParseQuery reads the query syntax of the package comment. It has no errors: a
// quote that is not closed reaches to the end, a sign without a word is dropped.
func ParseQuery(q string) []Clause {
	var out []Clause
	for q = strings.TrimSpace(q); q != ""; q = strings.TrimSpace(q) {
		c := Clause{Occur: Should}
		if q[0] == byte(Must) || q[0] == byte(MustNot) {
			c.Occur, q = Occur(q[0]), q[1:]
		}
		var body string
		if quoted, ok := strings.CutPrefix(q, `"`); ok {
			body, q, _ = strings.Cut(quoted, `"`)
		} else if i := strings.IndexByte(q, ' '); i >= 0 {
			body, q = q[:i], q[i:]
		} else {
			body, q = q, ""
		}
		if c.Terms = strings.Fields(body); len(c.Terms) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// Command says what is to be answered about a query.
type Command struct {
	K     int  // hits to collect; 0 for COUNT
	Count bool // the exact number of matching documents is asked for
	IDs   bool // the hits are to be named
	All   bool // every match is to be scored, to check the hits of IDS_k
}

// ParseCommand reads COUNT, TOP_k, TOP_k_COUNT, IDS_k, IDS_k_COUNT and
// EXHAUSTIVE_k. The error for another name is [ErrUnsupported].
func ParseCommand(s string) (Command, error) {
	if s == "COUNT" {
		return Command{Count: true}, nil
	}
	var c Command
	rest, ok := strings.CutPrefix(s, "TOP_")
	if !ok {
		if rest, c.IDs = strings.CutPrefix(s, "IDS_"); !c.IDs {
			if rest, c.All = strings.CutPrefix(s, "EXHAUSTIVE_"); !c.All {
				return Command{}, ErrUnsupported
			}
			c.IDs = true
		}
	}
	rest, c.Count = strings.CutSuffix(rest, "_COUNT")
	k, err := strconv.Atoi(rest)
	if err != nil || k < 1 {
		return Command{}, fmt.Errorf("command %q: the number of hits is not a positive integer", s)
	}
	c.K = k
	return c, nil
}
