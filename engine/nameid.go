package engine

import (
	"strings"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/search"
	"github.com/quarry-search/quarry/engine/query"
)

// Who types the id of a record, and nothing else, wants that record, whether or not a text of
// it says the id: so it is a match, and it comes first, as a record does that is called so. Ids
// are also typed in other letters, small ones or capitals, and with a # before them. Of digits alone many are typed that are
// something else, such as a year: the record with that id is only one of the matches.

// id returns the id that the query may be, as it was typed: one word. One that is repaired
// stands for another word. "" is none.
func (r *resolver) id() string {
	if len(r.name) != 1 {
		return ""
	}
	text := r.name[0].(query.Text).Text
	if len(r.repairs) > 0 {
		fix, ok := r.repairs[strings.ToLower(text)]
		if !ok {
			return ""
		}
		text = fix.word
	}
	if len(text) > maxIDBytes {
		return ""
	}
	return text
}

// isNumber tells whether the query is digits alone.
func (r *resolver) isNumber() bool {
	id := r.id()
	for i := range len(id) {
		if !isDigit(id[i]) {
			return false
		}
	}
	return id != ""
}

// withID returns the documents that have the query as their id. Whether the caller sees them is
// not asked.
func (run *searchRun) withID() (docs []posting.DocID, err error) {
	typed := run.res.id()
	if typed == "" {
		return nil, nil
	}
	facts := run.e.facts
	key := facts.key(run.iv, factID, typed)
	if f := facts.find(&key); f != nil {
		return f.docs, nil
	}
	bare := strings.TrimPrefix(typed, "#")
	lower, upper := strings.ToLower(bare), strings.ToUpper(bare)
	for i, id := range [...]string{typed, bare, lower, upper, "#" + lower} {
		if id == "" || i > 0 && id == typed || i == 3 && upper == lower {
			continue
		}
		if doc, ok, err := run.docOf(run.kv, id); err != nil {
			return nil, err
		} else if ok {
			docs = append(docs, doc)
			break
		}
	}
	key.word = strings.Clone(typed) // of a text that may be long
	facts.add(&wordFact{key: key, docs: docs})
	return docs, nil
}

// addID makes a match of the record whose id the query is.
func (s *searcher) addID() error {
	for _, run := range s.runs {
		docs, err := run.withID()
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			continue
		}
		set := run.withSet(docs)
		if run.begunSet != nil {
			set = &search.Expr{Op: search.OpOr, Kids: []*search.Expr{run.begunSet, set}}
		}
		run.begunSet = set
	}
	return nil
}
