package usage

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

const chainPrefix = "sha256:"

// noLink is the chain before the first row.
var noLink = chainPrefix + strings.Repeat("0", 2*sha256.Size)

// link returns the chain of a row that follows the one with the chain before.
func link(before string, r *Row) string {
	b := append(make([]byte, 0, 256), before...)
	b = append(b, '\n')
	sum := sha256.Sum256(append(r.appendText(b), '\n'))
	return chainPrefix + hex.EncodeToString(sum[:])
}

// head is the end of the chain.
type head struct {
	seq   int64
	chain string
}

// Answer is the part of an answer of GET /v1/usage that [Verify] looks at.
type Answer struct {
	Rows   []Row
	Base   string // chain of the row before the first link; not needed if that is row 1
	Head   string // chain of the last link of all; "" if there is none
	Length int64  // number of links of all
}

// ParseAnswer reads the body of an answer of GET /v1/usage that is not grouped.
// Members that it does not know are passed over.
func ParseAnswer(body []byte) (*Answer, error) {
	var t struct {
		Rows   []rowText `json:"rows"`
		Base   *string   `json:"base"`
		Head   *string   `json:"head"`
		Length *int64    `json:"chain_length"`
	}
	if err := json.Unmarshal(body, &t); err != nil {
		return nil, fmt.Errorf("not an answer of GET /v1/usage: %w", err)
	}
	if t.Rows == nil || t.Length == nil {
		return nil, fmt.Errorf("not an answer of GET /v1/usage: it has no rows or no chain_length")
	}
	a := &Answer{Length: *t.Length}
	for i := range t.Rows {
		r, err := t.Rows[i].row()
		if err != nil || t.Rows[i].Key == "" {
			return nil, fmt.Errorf("row %d has no day or no key: only rows by key and day can be verified", i+1)
		}
		a.Rows = append(a.Rows, r)
	}
	if t.Base != nil {
		a.Base = *t.Base
	}
	if t.Head != nil {
		a.Head = *t.Head
	}
	return a, nil
}

// Verdict is the outcome of [Verify].
type Verdict struct {
	Links int    // rows whose place in the chain was verified
	Open  int    // rows of days that are not closed: there is nothing to verify
	Whole bool   // the answer holds all links there are
	Flaws []Flaw // in the order of the chain; none: what the answer holds is intact
}

// Flaw is a place where the chain does not hold.
type Flaw struct {
	Seq  int64  // of the row, from 1; 0 for the answer as a whole
	Row  *Row   // nil if it is missing
	What string // is wrong
}

// Verify recomputes the chain of an answer. A row that was changed is named
// alone: each link is computed from the chain that the row before it claims.
// noted are heads of earlier answers; each has to be the chain of a row, as
// otherwise the chain was made anew since.
//
// An answer that is not Whole, as of some days, is verified as far as it goes;
// rows that are left out between its first and its last one are flaws.
func Verify(a *Answer, noted ...string) Verdict {
	var v Verdict
	flaw := func(seq int64, r *Row, format string, args ...any) {
		v.Flaws = append(v.Flaws, Flaw{Seq: seq, Row: r, What: fmt.Sprintf(format, args...)})
	}
	var links []Row
	chains := map[string]bool{noLink: true, a.Base: true}
	for _, r := range a.Rows {
		if r.Seq == 0 && r.Chain == "" {
			v.Open++
			continue
		}
		links = append(links, r)
		chains[r.Chain] = true
	}
	slices.SortStableFunc(links, func(a, b Row) int { return cmp.Compare(a.Seq, b.Seq) })
	v.Links = len(links)
	v.Whole = int64(len(links)) == a.Length
	before, next := a.Base, int64(0)
	if len(links) > 0 {
		next = links[0].Seq
	}
	if next == 1 {
		before = noLink
	}
	for i := range links {
		r := &links[i]
		switch {
		case r.Seq < next:
			flaw(r.Seq, r, "is given twice")
			continue
		case r.Seq == next+1:
			flaw(next, nil, "is missing")
			before = ""
		case r.Seq > next:
			flaw(next, nil, "and all up to row %d are missing", r.Seq-1)
			before = ""
		}
		if before != "" && r.Chain != link(before, r) {
			flaw(r.Seq, r, "was changed: it does not fit its chain")
		}
		before, next = r.Chain, r.Seq+1
	}
	switch {
	case next > a.Length+1:
		flaw(0, nil, "there are more rows than chain_length says")
	case next == a.Length+1 && before != a.Head:
		flaw(0, nil, "head is not the chain of the last row")
	case a.Length > 0 != (a.Head != ""):
		flaw(0, nil, "head and chain_length do not belong together")
	}
	for _, h := range noted {
		if !chains[h] {
			flaw(0, nil, "no row has the chain %s", h)
		}
	}
	return v
}
