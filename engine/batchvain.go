package engine

// vainGrowth is how a batch of which some operations fail is resolved a second
// time, so that those add no fields: what records bring is known before it is known
// whether the conditions of their operations hold.
type vainGrowth struct {
	late   map[int]string    // ids of puts that are analyzed once their conditions hold, by operation
	failed map[int][]Problem // what is wrong with other operations that grew a schema, by operation
	found  map[int][]Problem // the same, of all operations, as they fail
}

func (v *vainGrowth) note(i int, p Problem) {
	if v.found == nil {
		v.found = map[int][]Problem{}
	}
	v.found[i] = append(v.found[i], p)
}

// grewInVain tells whether an operation that has failed has changed a schema that
// others will use.
func (w *batchWork) grewInVain() bool {
	return w.batch.Partial && w.vain.late == nil && len(w.vain.found) > 0
}

// resolveAgain prepares and resolves the batch anew. Engine.mu is held since it
// was resolved, so what was found out about conditions is still so.
func (w *batchWork) resolveAgain() (*commit, error) {
	found := w.vain.found
	w.vain = vainGrowth{late: map[int]string{}, failed: map[int][]Problem{}}
	for i := range w.batch.Ops {
		op := &w.batch.Ops[i]
		switch {
		case len(found[i]) == 0: // what it brings is known in its turn, as it was
		case op.puts() && w.docs[i].doc != nil && (op.Kind == OpPutNew || op.IfVersion != nil):
			w.vain.late[i] = w.docs[i].doc.id
		case !op.puts():
			w.vain.failed[i] = found[i]
		}
	}
	w.result, w.bytes = BatchResult{}, 0
	if err := w.prepare(w.schemasLocked()); err != nil {
		return nil, err
	}
	return w.resolve()
}
