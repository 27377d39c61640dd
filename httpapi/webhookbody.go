package httpapi

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine"
	"github.com/quarry-search/quarry/httpapi/internal/webhook"
)

// parseWebhook reads the body of a request about an endpoint. With state, which
// takes the member of that name, url may be missing.
func (s *Server) parseWebhook(body value, spec *webhook.Spec, state *webhook.State) error {
	var d reader
	given := false
	members := []member{
		{"url", func(v value) {
			if given = true; !d.str(v, &spec.URL) {
				return
			}
			if wrong := s.outbox.CheckURL(spec.URL); wrong != "" {
				d.at(v.at, engine.CodeInvalidRequest, "%s", wrong)
			}
		}},
		{"events", func(v value) {
			if d.patterns(v, &spec.Events, maxEventPatterns, checkEventPattern); v.raw.Kind() == '[' && len(spec.Events) == 0 {
				d.at(v.at, engine.CodeInvalidRequest, `names no event; "*" stands for all`)
			}
		}},
		{"indexes", func(v value) { d.patterns(v, &spec.Indexes, maxIndexPatterns, checkIndexPattern) }},
	}
	if state != nil {
		members = append(members, member{"state", func(v value) {
			states := []string{string(webhook.Active), string(webhook.Disabled)}
			if i := d.oneOf(v, states...); i >= 0 {
				*state = webhook.State(states[i])
			}
		}})
	}
	if !d.object(body, members) {
		return d.err()
	}
	if !given && state == nil {
		d.at("/url", engine.CodeInvalidRequest, "is missing")
	}
	return d.err()
}

// patterns reads a pattern or a list of them; check says what is wrong with one.
func (d *reader) patterns(v value, to *[]string, most int, check func(string) string) {
	list := []string{}
	if !d.strings(v, &list) {
		return
	}
	if len(list) > most {
		d.at(v.at, engine.CodeLimitExceeded, "may have %d patterns", most)
		return
	}
	i := 0
	each := func(e value) {
		if wrong := check(list[i]); wrong != "" {
			d.at(e.at, engine.CodeInvalidRequest, "%s", wrong)
		}
		i++
	}
	if v.raw.Kind() == '"' {
		each(v)
	} else {
		v.eachElement(each)
	}
	*to = list
}

func checkEventPattern(p string) string {
	known := webhookEvents()
	begin, open := strings.CutSuffix(p, "*")
	if open && (begin == "" || strings.HasSuffix(begin, ".")) &&
		slices.ContainsFunc(known, func(e string) bool { return strings.HasPrefix(e, begin) }) || slices.Contains(known, p) {
		return ""
	}
	wrong := `must be an event, a group of events such as "batch.*", or "*"`
	if like := nearest(p, known); like != "" {
		wrong += `; did you mean "` + like + `"?`
	}
	return wrong
}

func checkIndexPattern(p string) string {
	begin, open := strings.CutSuffix(p, "*")
	if engine.ValidIndexName(begin) || open && begin == "" {
		return ""
	}
	return "must be the name of an index, or its beginning followed by *"
}
