package engine

import "fmt"

// absentIndexes is what a batch knows of the indexes that are not there and that it puts
// records into. There may be as many of them as there are operations.
type absentIndexes struct {
	records map[string][][]byte  // by index, that are to tell their language
	schemas map[string]*compiled // by language
	made    int                  // that have got a record
}

// newIndexSchema is the schema of an index that is made by its first records.
func newIndexSchema(language string) Schema { return Schema{Dynamic: true, Language: language} }

// puts tells whether an operation makes an index that is not there.
func (op *Op) puts() bool { return op.Kind == OpPut || op.Kind == OpPutNew }

// newIndex returns the schema of an index that the batch is the first to put something
// into: texts are of the language that its records there are in.
func (w *batchWork) newIndex(name string, schemas map[string]*compiled) (*compiled, *Problem) {
	switch {
	case w.e.opts.NoAutoCreate:
		return nil, noIndexFor(name)
	case !w.internal && w.absent.made >= w.e.opts.Limits.Indexes: // more could not be made in any case
		p := w.e.opts.Limits.tooManyIndexes()
		return nil, &p
	}
	if w.absent.records == nil {
		w.absent.records, w.absent.schemas = map[string][][]byte{}, map[string]*compiled{}
		for i := range w.batch.Ops {
			op := &w.batch.Ops[i]
			if op.puts() && schemas[op.Index] == nil {
				w.absent.records[op.Index] = append(w.absent.records[op.Index], op.Record)
			}
		}
	}
	s := newIndexSchema("")
	language := languageOf(w.absent.records[name], s.primaryKey())
	if c := w.absent.schemas[language]; c != nil {
		return c, nil
	}
	s = newIndexSchema(language)
	c, err := compile(&s, nil, nil)
	if err != nil {
		return nil, &Problem{Code: CodeInvalidRequest, Detail: err.Error()}
	}
	w.absent.schemas[language] = c
	return c, nil
}

// tooManyIndexes is what is wrong with an operation that would make one more than there may be.
func (l Limits) tooManyIndexes() Problem {
	return Problem{Code: CodeLimitExceeded, Pointer: "/index", Detail: fmt.Sprintf("there may be %d indexes", l.Indexes)}
}

// noIndexFor is what is wrong with an operation on an index that is not there.
func noIndexFor(name string) *Problem {
	return &Problem{Code: CodeIndexNotFound, Pointer: "/index", Detail: fmt.Sprintf("there is no index %q", name)}
}
