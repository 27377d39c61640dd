package engine

import "context"

// SwapIndexes makes two indexes exchange their names in one step: whoever
// begins to search or write later finds the records, the schema and the notes
// of the one under the name of the other, and nobody ever sees only one of
// them changed. Hidden stays with the name: an index that is built beside the
// one that it is to replace is hidden until it takes its place. A rebuild
// under way goes on under the new name. The rows are written in the same
// commit. It returns the version of the swap.
func (e *Engine) SwapIndexes(ctx context.Context, a, b string, rows ...Row) (version uint64, err error) {
	defer e.tell(&err)
	if e.opts.ReadOnly {
		return 0, ErrReadOnly
	}
	if err := e.mu.LockWithin(ctx); err != nil {
		return 0, err
	}
	c, err := e.swap(a, b)
	if err != nil {
		e.mu.Unlock()
		return 0, err
	}
	c.rows = rows
	return c.version, e.finish(c)
}

// swap makes the commit of a swap. Engine.mu is held.
func (e *Engine) swap(a, b string) (*commit, error) {
	if err := e.storable(); err != nil {
		return nil, err
	}
	var p problems
	for _, x := range [...]struct{ pointer, name string }{{"/a", a}, {"/b", b}} {
		if e.writers[x.name] == nil || isHidden(x.name) {
			p.addf(CodeIndexNotFound, x.pointer, "there is no index %q", x.name)
		}
	}
	if p.err.Total == 0 && a == b {
		p.addf(CodeInvalidRequest, "/b", "an index cannot be swapped with itself")
	}
	if err := p.orNil(); err != nil {
		return nil, err
	}
	one, other := e.writers[a], e.writers[b]
	c := e.newCommit()
	c.swap(one, other)
	if h := one.schema.Hidden; h != other.schema.Hidden {
		for ix, hidden := range map[*index]bool{one: !h, other: h} {
			s := ix.schema.Schema
			s.Hidden = hidden
			if err := c.setSchema(ix, &s); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}
