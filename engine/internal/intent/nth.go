package intent

// mostNth is the greatest value of a field of which records are the first, second and so on.
const mostNth = 12

// nth reads an ordinal before the name of a field of few values: "third year", "2nd edition".
func (r *reader) nth(at int) (p Part, n int) {
	if r.not[at] || r.behindNegation(at) {
		return p, 0
	}
	value := 0.0
	if c, items := r.cue(at, func(c *cue) bool { return c.kind == cueNth }); c != nil {
		value, n = c.amount, items
	} else if v, ok := r.whole(at, 2); ok && r.ordinal(at+1) > 0 {
		value, n = float64(v), 2
	} else {
		return p, 0
	}
	f, items := r.mention(at+n, Number)
	if items == 0 || r.compares(at, n+items) || r.compares(at, n) {
		return p, 0
	}
	if least, greatest, known := r.span(f); !known || greatest > mostNth || value < least || value > greatest {
		return p, 0
	}
	return Part{Field: f.Name, Filter: compare(f.Name, equal, value)}, n + items
}
