package engine

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/query"
)

// maxSuggestedTitle is how many letters a title has at most that is suggested.
const maxSuggestedTitle = 150

// begunTitle is a title that is being typed.
type begunTitle struct {
	text  string
	worth uint16
}

// titles returns the titles that a text begins, those first that begin with it and of which the
// most is typed: no more than are wanted. Only records that satisfy the filter count, as if no
// others were there.
func (g *suggester) titles(text string) (out []Suggestion, err error) {
	s := g.searcher(strings.TrimRight(text, " "))
	s.req.Prefix = PrefixLast
	if err := s.prepare(&Result{}); errors.Is(err, ErrInvalid) {
		return nil, nil // the last word begins too many to look for
	} else if err != nil {
		return nil, err
	}
	var found []begunTitle
	for _, run := range s.runs {
		of, err := run.begunTitles()
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	if err := s.used(); err != nil {
		return nil, err
	}
	g.e.pages.give(s.pages)
	g.e.rooms.leave(s.runs)
	slices.SortStableFunc(found, func(a, b begunTitle) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), strings.Compare(a.text, b.text))
	})
	seen := map[string]bool{strings.ToLower(s.req.Query): true} // nothing is left to type of that
	for _, t := range found {
		key := strings.ToLower(t.text)
		if len(out) == g.limit || seen[key] {
			continue
		}
		seen[key] = true
		tree, err := query.ParseSimple(t.text, s.queryLimits())
		if b, ok := tree.(query.Bool); err != nil || ok && len(b.Must)+len(b.MustNot) > 0 {
			continue // it means something else as a query, or is too long for one
		}
		n, err := g.count(t.text)
		if errors.Is(err, ErrInvalid) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out = append(out, Suggestion{Text: t.text, Count: n, Title: true})
		}
	}
	return out, nil
}

// begunTitles returns the titles of the index that the query begins, also where some hold all of
// its words as they stand.
func (run *searchRun) begunTitles() (out []begunTitle, err error) {
	if !run.res.begins() {
		return nil, nil
	}
	err = run.eachBegun(true, func(b *begunSearch) error {
		docs, _, err := b.find()
		if err != nil {
			return err
		}
		for _, d := range bestBegun(docs) {
			texts, _, err := run.titleTexts(d.doc, b.title)
			if err != nil {
				return err
			}
			for _, text := range texts {
				text = strings.Join(strings.Fields(text), " ")
				if worth := b.worthOf(run.titleWords(b.title, text)); worth > 0 && utf8.RuneCountInString(text) <= maxSuggestedTitle {
					out = append(out, begunTitle{text, worth})
				}
			}
		}
		return nil
	})
	return out, err
}
