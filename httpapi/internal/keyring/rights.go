package keyring

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// Rights is what the bearer of a key or token may do.
type Rights struct {
	Scopes Scope
	// Indexes are lists of names of indexes and of beginnings of names with *
	// after them. An index may be used if every list has it; no list means
	// every index.
	Indexes [][]string
	// Filters let through the records that may be seen: those that match all
	// of them. Rights with filters have no scopes but search and read.
	Filters []string
	// Expires is the end of the rights; zero means none.
	Expires time.Time
	Rate    Rate  // of requests; zero means none
	Quota   int64 // searches in a month; 0 means no bound
}

// Allows tells whether an index of this name, there or not, may be used.
func (r *Rights) Allows(index string) bool {
	for _, list := range r.Indexes {
		if !slices.ContainsFunc(list, func(p string) bool { return covers(p, index) }) {
			return false
		}
	}
	return true
}

// Narrow returns names and patterns that stand for just those of the given
// ones that may be used. None given stand for all, none returned for none. A
// name may come from a pattern of the rights: it need not be that of an index.
func (r *Rights) Narrow(patterns []string) []string {
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	for _, list := range r.Indexes {
		patterns = intersect(patterns, list)
	}
	return patterns
}

// Identity is a short text that rights with other indexes or filters do not
// have, nil for rights without any. It tells whether what was begun under some
// rights may go on under others.
func (r *Rights) Identity() []byte {
	if len(r.Indexes) == 0 && len(r.Filters) == 0 {
		return nil
	}
	var b []byte
	for _, lists := range append([][]string{r.Filters}, r.Indexes...) {
		b = binary.AppendUvarint(b, uint64(len(lists)))
		for _, s := range lists {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// Beyond is what some rights have and others lack. The zero value is nothing.
type Beyond struct {
	Scopes  Scope
	Indexes []string // patterns that reach too far; "*" stands also for no list at all
	Filter  bool     // a filter of the others is missing
	Expires bool     // they end later
	Rate    bool     // more requests a second, or at once
	Quota   bool     // more searches a month
}

// Any tells whether there is anything.
func (b *Beyond) Any() bool {
	return b.Scopes != 0 || len(b.Indexes) > 0 || b.Filter || b.Expires || b.Rate || b.Quota
}

// Beyond tells what other has that r lacks: nobody may give it who has r.
func (r *Rights) Beyond(other *Rights) Beyond {
	b := Beyond{Scopes: other.Scopes &^ r.Scopes}
	given := other.Indexes
	if len(given) == 0 {
		given = [][]string{{"*"}}
	}
	for _, mine := range r.Indexes {
		// It takes one list of other that lies within mine.
		var least []string
		for i, list := range given {
			over := slices.DeleteFunc(slices.Clone(list), func(p string) bool {
				return slices.ContainsFunc(mine, func(q string) bool { return covers(q, p) })
			})
			if i == 0 || len(over) < len(least) {
				least = over
			}
		}
		for _, p := range least {
			if !slices.Contains(b.Indexes, p) {
				b.Indexes = append(b.Indexes, p)
			}
		}
	}
	for _, f := range r.Filters {
		b.Filter = b.Filter || !slices.Contains(other.Filters, f)
	}
	b.Expires = !r.Expires.IsZero() && (other.Expires.IsZero() || other.Expires.After(r.Expires))
	b.Rate = other.Rate.Within(r.Rate) != other.Rate
	b.Quota = r.Quota != 0 && (other.Quota == 0 || other.Quota > r.Quota)
	return b
}

// ValidPattern tells whether a text is the name of an index, or the beginning of
// names with * after it.
func ValidPattern(p string) bool {
	begin, open := strings.CutSuffix(p, "*")
	const longest = 64 // of the name of an index
	if len(begin) > longest || begin == "" && !open {
		return false
	}
	for i, c := range []byte(begin) {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		case i > 0 && (c == '_' || c == '-'):
		default:
			return false
		}
	}
	return true
}

// covers tells whether pattern a stands for all that pattern or name b stands
// for.
func covers(a, b string) bool {
	if begin, ok := strings.CutSuffix(a, "*"); ok {
		return strings.HasPrefix(b, begin)
	}
	return a == b
}

// intersect returns patterns for what both lists stand for. Of two patterns
// that have anything in common one covers the other.
func intersect(a, b []string) []string {
	out, known := []string{}, map[string]bool{}
	add := func(p string) {
		if !known[p] {
			known[p] = true
			out = append(out, p)
		}
	}
	for _, p := range a {
		for _, q := range b {
			switch {
			case covers(q, p):
				add(p)
			case covers(p, q):
				add(q)
			}
		}
	}
	return out
}
