package engine

import (
	"context"
	"fmt"
)

// batchWork carries one batch through the steps prepare and resolve.
type batchWork struct {
	e     *Engine
	ctx   context.Context
	batch *Batch
	// locked: Engine.mu is held by the caller, and stays so. internal: records
	// that were stored before, so no limits of size hold, and names of indexes
	// that are being built are allowed.
	locked, internal bool
	only             *index // when not nil, the index that the batch is for

	analyses map[string]*preparedIndex
	absent   absentIndexes
	docs     []prepared
	stored   []storedID // by operation
	problems problems
	failed   map[int]bool // operations with a problem
	bytes    int          // of the records that patches write
	grew     map[int]bool // operations that added fields to a schema, or widened one
	vain     vainGrowth
	result   BatchResult
}

// preparedIndex is the batch's records for one index, inverted.
type preparedIndex struct {
	base     *compiled   // the schema that the analysis began with; nil: the index is not there
	analysis *analysis   // nil: the index is not there, and no record is put into it
	docs     []*document // by local number
	blocks   []storedBlock
}

// prepared is what prepare made of one operation.
type prepared struct {
	doc   *document
	local int
}

// prepareTries is how often a batch is analyzed without the lock while other
// batches keep changing the schema of its indexes.
const prepareTries = 3

func (w *batchWork) run() (*BatchResult, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if w.locked {
		if err := w.prepare(w.schemasLocked()); err != nil {
			return nil, err
		}
		return w.commit()
	}
	for try := 1; ; try++ {
		if try > prepareTries {
			if err := w.e.mu.LockWithin(w.ctx); err != nil {
				return nil, err
			}
			if err := w.prepare(w.schemasLocked()); err != nil {
				w.e.mu.Unlock()
				return nil, err
			}
			break
		}
		schemas, err := w.schemas()
		if err != nil {
			return nil, err
		}
		if err := w.prepare(schemas); err != nil {
			return nil, err
		}
		if err := w.e.mu.LockWithin(w.ctx); err != nil {
			return nil, err
		}
		if !w.stale() {
			break
		}
		w.e.mu.Unlock()
	}
	return w.commit()
}

// commit resolves the prepared batch and carries it out. Engine.mu is held,
// and given back unless w.locked.
func (w *batchWork) commit() (*BatchResult, error) {
	publish, err := w.apply()
	if err == nil {
		err = publish()
	}
	if err != nil {
		return nil, err
	}
	return &w.result, nil
}

// apply is the part of commit that needs Engine.mu, which it gives back unless
// w.locked, even if Finish panics.
func (w *batchWork) apply() (publish func() error, err error) {
	if !w.locked {
		defer w.e.mu.Unlock()
	}
	c, err := w.resolve()
	if err == nil && w.grewInVain() {
		c, err = w.resolveAgain()
	}
	w.rest()
	if err != nil {
		return nil, err
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	w.result.Version = c.version
	if f := w.batch.Finish; f != nil {
		c.rows = append(c.rows[:len(c.rows):len(c.rows)], f(&w.result)...)
	}
	return w.e.apply(c)
}

// endedEvery is after how many operations the context of a batch is looked at.
const endedEvery = 256

// ended returns the error of the context, of which it asks at some operations.
func (w *batchWork) ended(i int) error {
	if i%endedEvery != 0 {
		return nil
	}
	return w.ctx.Err()
}

// check tests what does not depend on the state of the engine.
func (w *batchWork) check() error {
	l := w.e.opts.Limits
	if w.internal {
		return nil
	}
	if n := len(w.batch.Ops); n > l.BatchOps {
		return invalid(CodeLimitExceeded, "", "%d operations; a batch may have %d", n, l.BatchOps)
	}
	size := 0
	for _, op := range w.batch.Ops {
		size += len(op.Record)
	}
	if size > l.BatchBytes {
		return invalid(CodeLimitExceeded, "", "%d bytes of records; a batch may have %d", size, l.BatchBytes)
	}
	return nil
}

// fail notes that operation i fails.
func (w *batchWork) fail(i int, p Problem) {
	p.Position = i
	w.failed[i] = true
	w.problems.insert(p) // some are found by prepare, others by resolve
	if w.grew[i] {
		w.vain.note(i, p)
	}
}

func (w *batchWork) failf(i int, code, pointer, format string, args ...any) {
	w.fail(i, Problem{Code: code, Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

func (w *batchWork) schemas() (map[string]*compiled, error) {
	if err := w.e.mu.LockWithin(w.ctx); err != nil {
		return nil, err
	}
	defer w.e.mu.Unlock()
	return w.schemasLocked(), nil
}

// schemasLocked returns the schemas of the batch's indexes that exist.
func (w *batchWork) schemasLocked() map[string]*compiled {
	out := map[string]*compiled{}
	for _, op := range w.batch.Ops {
		if ix := w.e.writers[op.Index]; ix != nil {
			out[op.Index] = ix.schema
		}
	}
	return out
}

// stale tells whether an index changed its schema since it was prepared for.
func (w *batchWork) stale() bool {
	for name, p := range w.analyses {
		var now *compiled
		if ix := w.e.writers[name]; ix != nil {
			now = ix.schema
		}
		if now != p.base {
			return true
		}
	}
	return false
}

// prepare analyzes and compresses the records of all puts.
func (w *batchWork) prepare(schemas map[string]*compiled) error {
	w.analyses, w.absent = map[string]*preparedIndex{}, absentIndexes{}
	w.docs = make([]prepared, len(w.batch.Ops))
	w.problems, w.failed, w.grew = problems{}, map[int]bool{}, map[int]bool{}
	for i := range w.batch.Ops {
		if err := w.ended(i); err != nil {
			return err
		}
		op := &w.batch.Ops[i]
		if again := w.vain.failed[i]; len(again) > 0 {
			for _, p := range again {
				w.fail(i, p)
			}
			continue
		}
		if !ValidIndexName(op.Index) && !w.internal {
			w.failf(i, CodeInvalidRequest, "/index", "an index name has 1 to 64 of the characters a-z, 0-9, _ and -, and begins with a letter or digit")
			continue
		}
		if op.Kind > OpPatchWhere {
			w.failf(i, CodeInvalidRequest, "/op", "there is no such operation")
			continue
		}
		if c := schemas[op.Index]; c != nil {
			if err := c.usable(op.Index); err != nil {
				return err
			}
		}
		if op.IfVersion != nil && (op.Kind == OpDeleteWhere || op.Kind == OpPatchWhere) {
			w.failf(i, CodeInvalidRequest, "/if_version", "a version is that of one record")
			continue
		}
		if op.ID != "" || op.Kind == OpPatch || op.Kind == OpDelete {
			if problem := idProblem(op.ID); problem != "" {
				w.failf(i, CodeInvalidRequest, "/id", "%s", problem)
				continue
			}
		}
		p, err := w.on(op, schemas)
		if err != nil {
			w.fail(i, *err)
			continue
		}
		if _, late := w.vain.late[i]; op.puts() && !late {
			w.analyze(i, p, op.Record, op.ID)
		}
	}
	w.rest()
	if w.problems.err.Total > 0 && !w.batch.Partial {
		return nil // the batch will be refused
	}
	for _, p := range w.analyses {
		err := w.ctx.Err()
		if err != nil {
			return err
		}
		if p.blocks, err = w.e.packBlocks(p.docs, 0); err != nil {
			return err
		}
	}
	return nil
}

// rest gives back what the analyses took, which they take again if there is more to do.
func (w *batchWork) rest() {
	for _, p := range w.analyses {
		if p.analysis != nil {
			p.analysis.rest()
		}
	}
}

// on returns the batch's preparation for the index of an operation.
func (w *batchWork) on(op *Op, schemas map[string]*compiled) (*preparedIndex, *Problem) {
	p := w.analyses[op.Index]
	if p == nil {
		p = &preparedIndex{base: schemas[op.Index]}
		w.analyses[op.Index] = p
	}
	if p.analysis != nil || p.base == nil && !op.puts() {
		return p, nil
	}
	schema := p.base
	if schema == nil {
		var err *Problem
		if schema, err = w.newIndex(op.Index, schemas); err != nil {
			return nil, err
		}
	}
	limits := w.e.opts.Limits
	if w.internal {
		limits = limits.forStored()
		limits.IndexFields = floatColumns
	}
	p.analysis = w.e.newAnalysis(schema, limits)
	p.analysis.stored = w.internal
	return p, nil
}

// analyze adds the record of operation i to its index's analysis.
func (w *batchWork) analyze(i int, p *preparedIndex, record []byte, id string) bool {
	var found problems
	before := p.analysis.schema
	d, ok := p.analysis.add(record, id, &found)
	for _, q := range found.err.Problems {
		q.Pointer = "/record" + q.Pointer
		w.fail(i, q)
	}
	if !ok {
		return false
	}
	if p.analysis.schema != before {
		w.grew[i] = true
	}
	if d.id == "" {
		d.id = w.e.ids.next()
	}
	d.json = withID(record, p.analysis.schema.primaryKey(), d.id, d.hasID)
	if p.base == nil && len(p.docs) == 0 {
		w.absent.made++
	}
	w.docs[i] = prepared{d, len(p.docs)}
	p.docs = append(p.docs, d)
	return true
}
