package intent

import (
	"slices"
	"strings"

	"github.com/quarry-search/quarry/engine/query"
)

// Some records tell for how many people, or from what age on, something is, in fields of the least
// and the most: players_min and players_max, age_from. A number of people, or an age, is then within.

// interval makes a part of a number of people or of an age, if fields of the least or the most
// of them are the only ones.
func (r *reader) interval(q *quantity) (p Part, ok bool) {
	if !r.d.limits || len(q.units) != 1 || q.plus || q.about != nil || q.units[0].kind != people && q.units[0].kind != age {
		return p, false
	}
	u := &q.units[0]
	var least, most *field
	for i := range r.d.fields {
		f := &r.d.fields[i]
		if _, ok := f.measure(u.kind, u.code); !ok || f.Type != Number {
			continue
		}
		side := &most
		switch {
		case !f.limit:
			return p, false
		case r.d.cues.isLeast(f.Name):
			side = &least
		}
		if *side != nil {
			return p, false
		}
		*side = f
	}
	var all query.And
	if least != nil {
		p.Field = least.Name
		all.Nodes = append(all.Nodes, compare(least.Name, atMost, q.value))
	}
	if most != nil {
		p.Field = most.Name
		all.Nodes = append(all.Nodes, compare(most.Name, atLeast, q.value))
	}
	switch len(all.Nodes) {
	case 0:
		return p, false
	case 1:
		p.Filter = all.Nodes[0]
	default:
		p.Filter = all
	}
	p.Certain, p.Ambiguous = true, true
	return p, true
}

// isLeast tells whether the name of a field that is a limit says that it is the least of something.
func (c *Cues) isLeast(name string) bool {
	words := strings.Fields(strings.Join(nameWords(name), " "))
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(c.byFirst[w], func(q cue) bool {
			return len(q.words) == 1 && (q.kind == cueFrom || q.kind == cueBefore && q.kindOfUnit == "" && (q.rel == atLeast || q.rel == greater))
		})
	})
}
