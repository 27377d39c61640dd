package httpapi

import (
	"regexp"
	"strconv"
	"strings"
)

// verbs are what details begin with that have no subject of their own: it is
// what the fault points to.
var verbs = regexp.MustCompile(`^(must|is|has|have|names?|may|needs?|does|cannot)( |$)`)

// sentence is the detail of a fault with its subject, for where it stands alone:
// "url" is missing.
func (f *fault) sentence() string {
	if !verbs.MatchString(f.detail) {
		return f.detail
	}
	subject := f.parameter
	if subject == "" {
		subject = strings.TrimPrefix(f.pointer, "/")
	}
	if subject == "" {
		return "the body " + f.detail
	}
	return strconv.Quote(subject) + " " + f.detail
}
