package intent

import "github.com/quarry-search/quarry/engine/query"

// Some records tell for how many people, or from what age on, something is, in fields of the least
// and the most: players_min and players_max, age_from. A number of people, or an age, is then within.

// interval makes a part of a number of people or of an age, if fields of the least or the most
// of them are the only ones.
func (r *reader) interval(q *quantity, at int) (p Part, ok bool) {
	if q.plus {
		return p, false
	}
	if p, ok = r.within(equal, q, q); !ok {
		return p, false
	}
	// "for 8 people" wants it so; "3 men in a boat" may be a title.
	p.Certain = at > 0 && r.is(at-1, word) && r.d.cues.stops[r.items[at-1].text] || q.units[0].kind == age
	p.Ambiguous = true
	return p, true
}

// within makes a part of the numbers of people from one to another, of which records are for some: with
// a relation, of all that compare so with the first. Ages have one bound as a rule, which "12+" compares with.
func (r *reader) within(rel relation, from, to *quantity) (p Part, ok bool) {
	if !r.d.limits || len(from.units) != 1 || from.about != nil || from.units[0].kind != people && from.units[0].kind != age {
		return p, false
	}
	least, most := r.bounds(&from.units[0])
	if rel != equal && (least == nil || most == nil) {
		return p, false
	}
	var all query.And
	if least != nil && rel != atLeast && rel != greater {
		p.Field = least.Name
		bound := rel
		if rel == equal {
			bound = atMost
		}
		all.Nodes = append(all.Nodes, compare(least.Name, bound, to.value))
	}
	if most != nil && rel != atMost && rel != less {
		p.Field = most.Name
		bound := rel
		if rel == equal {
			bound = atLeast
		}
		all.Nodes = append(all.Nodes, compare(most.Name, bound, from.value))
	}
	switch len(all.Nodes) {
	case 0:
		return p, false
	case 1:
		p.Filter = all.Nodes[0]
	default:
		p.Filter = all
	}
	return p, true
}

// steps makes a part of the most that something may take, where records tell how long its steps do, such
// as preparing and cooking, and not how long all of it: none of them takes longer then.
func (r *reader) steps(rel relation, q *quantity) (p Part, ok bool) {
	if rel != less && rel != atMost || q.about != nil || q.aspect != "" || len(q.units) != 1 || q.units[0].kind != duration {
		return p, false
	}
	var all query.And
	for i := range r.d.fields {
		f := &r.d.fields[i]
		m, measured := f.measure(duration, "")
		if !measured || f.Type != Number {
			continue
		}
		if !r.d.cues.tells(f.words, "step") {
			return p, false
		}
		all.Nodes = append(all.Nodes, compare(f.Name, rel, m.of(q.value, &q.units[0])))
		p.Field = f.Name
	}
	p.Filter, p.Certain = all, true
	return p, len(all.Nodes) > 1
}

// bounds returns the fields of the least and the most of a unit, nil for what there is not; neither if
// there is another field of it, or several of one kind.
func (r *reader) bounds(u *unit) (least, most *field) {
	for i := range r.d.fields {
		f := &r.d.fields[i]
		if _, ok := f.measure(u.kind, u.code); !ok || f.Type != Number {
			continue
		}
		side := &most
		if r.d.cues.isLeast(f.Name) {
			side = &least
		}
		if !f.limit || *side != nil {
			return nil, nil
		}
		*side = f
	}
	return least, most
}

// isLeast tells whether the name of a field that is a limit says that it is the least of something.
func (c *Cues) isLeast(name string) bool {
	return c.anyCue(c.parts(nameWords(name)), func(q *cue) bool {
		return q.kind == cueFrom || q.kind == cueBefore && q.kindOfUnit == "" && (q.rel == atLeast || q.rel == greater)
	})
}
