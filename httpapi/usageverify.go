package httpapi

import (
	"fmt"

	"github.com/quarry-search/quarry/httpapi/internal/usage"
)

// UsageVerdict tells what [VerifyUsage] has found.
type UsageVerdict struct {
	Links int      // rows in the chain
	Open  int      // rows of days that are not over: they are not in the chain yet
	Whole bool     // the answer holds the whole chain
	Head  string   // the chain of the last row; "" if the chain is empty
	Flaws []string // a line each; none: all rows in the chain are as they were written
}

// VerifyUsage recomputes the chain of an answer of GET /v1/usage, from its body
// alone; of several pages, the first with the rows of all. noted are heads that
// were noted down earlier and must still be in the chain. The error is that of
// a body that is no such answer.
//
// The hash of a row is the SHA-256 of the chain of the row before, a newline,
// the row as {"seq":1,"day":"2026-11-21","key":"key_7fGh2Kq9","searches":1200,
// "writes":31,"records_max":19547,"bytes_max":8123456} in this order without
// white space, and a newline. The first row follows "sha256:" and 64 zeros.
func VerifyUsage(body []byte, noted ...string) (*UsageVerdict, error) {
	a, err := usage.ParseAnswer(body)
	if err != nil {
		return nil, err
	}
	v := usage.Verify(a, noted...)
	out := &UsageVerdict{Links: v.Links, Open: v.Open, Whole: v.Whole, Head: a.Head}
	for _, f := range v.Flaws {
		switch {
		case f.Row != nil:
			out.Flaws = append(out.Flaws, fmt.Sprintf("row %d (%s, %s) %s", f.Seq, f.Row.Day, f.Row.Key, f.What))
		case f.Seq > 0:
			out.Flaws = append(out.Flaws, fmt.Sprintf("row %d %s", f.Seq, f.What))
		default:
			out.Flaws = append(out.Flaws, f.What)
		}
	}
	return out, nil
}
