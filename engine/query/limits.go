package query

import (
	"errors"
	"fmt"
)

// The values of Code in an [Error].
const (
	CodeInvalidFilter = "invalid_filter" // the text is not a filter
	CodeInvalidQuery  = "invalid_query"  // the text does not follow the syntax of ParseQuery
	CodeLimitExceeded = "limit_exceeded" // the text is larger than Limits allow
)

// ErrLimitExceeded is what errors.Is finds in every [Error] that reports a
// limit of [Limits].
var ErrLimitExceeded = errors.New("limit exceeded")

// Error is the error of all parsers of this package: what is wrong, and where.
//
// Detail quotes nothing of the input but the punctuation and the keywords of
// the grammar, never a word, a field or a value, because errors may be logged
// and what users look for may not.
type Error struct {
	Code   string // one of the Code constants
	Item   int    // which text of ParseFilterList, from 0; otherwise 0
	Column int    // where, in characters from 1; one past the last character if something is missing at the end
	Detail string // what, such as `expected a value after "="`
}

// Error returns the code, the column and the detail in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: column %d: %s", e.Code, e.Column, e.Detail)
}

// Is reports whether target is [ErrLimitExceeded] and e is about a limit.
func (e *Error) Is(target error) bool {
	return target == ErrLimitExceeded && e.Code == CodeLimitExceeded
}

// Limits bound the work that one text can cause. A field that is zero or
// negative means its default.
type Limits struct {
	MaxBytes     int // length of the text; default 4096 for queries, 1 MiB for filters, which may hold long lists
	MaxTerms     int // words of a query, those in phrases included; default 64
	MaxOperators int // AND, OR, NOT, +, -, boosts, comparisons and ranges; default 1000
	MaxDepth     int // parentheses and NOT inside each other; default 64, at most 1000
}

const (
	defaultMaxBytes       = 4096
	defaultMaxFilterBytes = 1 << 20
	defaultMaxTerms       = 64
	defaultMaxOperators   = 1000
	defaultMaxDepth       = 64

	// ceilingDepth is the most that MaxDepth can ask for. It keeps the
	// recursion of the parsers, and of whoever walks their trees, far from the
	// size of a goroutine's stack.
	ceilingDepth = 1000

	maxInValues   = 10_000 // values of one IN
	maxNumberSize = 64     // bytes of one number
	maxCount      = 1000   // the number after ~
)

// withDefaults fills in the limits that are not set.
func (lim Limits) withDefaults(maxBytes int) Limits {
	fill := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	fill(&lim.MaxBytes, maxBytes)
	fill(&lim.MaxTerms, defaultMaxTerms)
	fill(&lim.MaxOperators, defaultMaxOperators)
	fill(&lim.MaxDepth, defaultMaxDepth)
	lim.MaxDepth = min(lim.MaxDepth, ceilingDepth)
	return lim
}
