package httpapi

import (
	"strconv"
	"strings"
	"time"
)

// preferences are those of the header Prefer (RFC 7240) that the service
// knows. Others, and those that are malformed, are left alone as the RFC has it.
type preferences struct {
	async   bool          // respond-async
	wait    time.Duration // wait=seconds
	hasWait bool
}

// preferAsync asks for an answer before the work is done.
const preferAsync = "respond-async"

// mostWait bounds how long a client may ask a request to wait.
const mostWait = 60 * time.Second

func preferred(headers []string) (p preferences) {
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		token, _, _ := strings.Cut(part, ";")
		name, v, _ := strings.Cut(token, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case preferAsync:
			p.async = true
		case "wait":
			n, err := strconv.Atoi(strings.Trim(strings.TrimSpace(v), `"`))
			if err == nil && n >= 0 && !p.hasWait {
				p.wait, p.hasWait = min(time.Duration(min(n, 1<<20))*time.Second, mostWait), true
			}
		}
	}
	return p
}

// applied notes in the answer that a preference was honoured.
func (x *exchange) applied(preference string) {
	x.w.Header().Add("Preference-Applied", preference)
}
