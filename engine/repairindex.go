package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/storage"
)

// index copies the records of an index, in their order.
func (r *repairer) index(n named) error {
	name, number := n.name, n.number
	done := RepairedIndex{Name: name}
	schema := &Schema{Dynamic: true}
	b, err := r.from.Get(storage.SchemaKey(number))
	if err == nil {
		b, err = unseal("schema", b)
	}
	if err == nil {
		schema, err = decodeSchema(b)
	}
	if err == nil {
		_, err = compile(schema, nil, r.e.opts.Analyzers)
	}
	if errors.Is(err, ErrNoAnalyzer) {
		return fmt.Errorf("index %q: %w", name, err)
	}
	if err != nil {
		r.damaged("index %q: its schema: %v", name, err)
		done.SchemaLost, schema = true, &Schema{Dynamic: true}
	}
	if err := schema.validate(r.e.opts.Limits.forStored(), nil); err != nil {
		return err
	}
	if err := r.create(n, *schema); err != nil {
		return err
	}
	if err := r.records(name, number); err != nil {
		return err
	}
	info, err := r.e.Index(name)
	if err != nil {
		return err
	}
	done.Records = info.Records
	err = r.missing(number, &done)
	r.report.Indexes = append(r.report.Indexes, done)
	return err
}

// create makes an index as it was, with the time of its making, and with the schema
// that is noted for it. Its embedders are set up when it is in use again. Limits were
// looked at when it was made first.
func (r *repairer) create(n named, s Schema) error {
	r.e.mu.Lock()
	c := r.e.newCommit()
	created := c.now
	if !n.entry.Created.IsZero() {
		created = n.entry.Created
	}
	ix, err := c.createAs(n.name, s, created)
	if err != nil {
		r.e.mu.Unlock()
		return err
	}
	if err := ix.loadUpdate(n.entry); err != nil {
		r.damaged("index %q: the schema that was noted for it: %v", n.name, err)
	}
	return r.e.finish(c)
}

// records puts every record whose block can be read, unless the id map says
// that another document has its id, or none.
func (r *repairer) records(name string, number uint32) error {
	b := repairBatch{repairer: r}
	var dead deadDocs // read when it is needed
	unknown := 0
	lo, hi := storage.BlockRange(number, 0, ^uint32(0))
	err := r.scan(fmt.Sprintf("records of index %q", name), lo, hi, func(key, value []byte) error {
		_, first, err := storage.ParseBlockKey(key)
		if err != nil {
			return err
		}
		block, err := r.e.blocks.Decode(value)
		if err != nil {
			r.damaged("index %q: the records from document %d on: %v", name, first, err)
			return nil
		}
		for i := range block.Len() {
			id, doc := string(block.ID(i)), first+uint32(i)
			op := Op{Kind: OpPut, Index: name, ID: id, Record: bytes.Clone(block.Record(i))}
			state, version := r.entry(number, id, doc)
			if state == entryGone {
				continue
			}
			if state == entryUnknown || !r.sure(storage.IDKey(number, id)) {
				if dead == nil {
					dead = r.deadDocs(number)
				}
				if dead.has(doc) {
					continue
				}
			}
			if state == entryUnknown {
				unknown++
			}
			op.version = version
			if err := b.add(op); err != nil {
				return err
			}
		}
		return nil
	})
	if unknown > 0 {
		r.damaged("index %q: the entries of %d records that can be read cannot; deleted ones may be back, and some be an older version", name, unknown)
	}
	if err != nil {
		return err
	}
	return b.apply()
}

// An entryState is what the id map says about a document.
type entryState int

const (
	entryHere    entryState = iota // its id leads to it
	entryGone                      // its id leads to a later document, or nowhere
	entryUnknown                   // what is there cannot be read, or may be an older entry
)

// entry looks up the id of a document.
func (r *repairer) entry(number uint32, id string, doc uint32) (state entryState, version uint64) {
	key := storage.IDKey(number, id)
	value, err := r.from.Get(key)
	if translate(err) == ErrNotFound {
		if r.sure(key) {
			return entryGone, 0 // deleted
		}
		return entryUnknown, 0
	}
	if err != nil {
		return entryUnknown, 0
	}
	at, version, err := decodeIDEntry(value)
	switch {
	case err != nil, at < doc && !r.sure(key):
		return entryUnknown, 0
	case at != doc:
		return entryGone, 0
	}
	return entryHere, version
}

// missing finds the records that the id map names and that are not there now, and
// counts those that the statistics know of beyond them.
func (r *repairer) missing(number uint32, done *RepairedIndex) error {
	lo, hi := storage.IDRange(number)
	err := r.scan(fmt.Sprintf("ids of index %q", done.Name), lo, hi, func(key, _ []byte) error {
		_, id, err := storage.ParseIDKey(key)
		if err != nil {
			return err
		}
		_, err = r.e.Record(r.ctx, done.Name, id)
		if errors.Is(err, ErrNotFound) {
			if done.Lost++; done.Lost <= maxLostIDs {
				done.LostIDs = append(done.LostIDs, strings.Clone(id))
			}
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if docs, known := r.counted(number); known {
		done.Lost = max(done.Lost, docs-done.Records)
	} else {
		from, to := storage.BlockRange(number, 0, ^uint32(0))
		done.LostUnknown = !r.sureOf(lo, hi) || !r.sureOf(from, to)
	}
	if done.Lost > 0 {
		r.damaged("index %q: %d records are lost", done.Name, done.Lost)
	}
	if done.LostUnknown {
		r.damaged("index %q: how many records are lost cannot be told", done.Name)
	}
	return nil
}

// counted returns how many records the statistics of an index count, if what they
// are made of can be read.
func (r *repairer) counted(number uint32) (docs int64, known bool) {
	m := newManifest()
	key := storage.ManifestKey(number)
	b, err := r.from.Get(key)
	if err == nil {
		err = decodeSealed("manifest", b, &m)
	}
	if err != nil && translate(err) != ErrNotFound || !r.sure(key) {
		return 0, false
	}
	lo, hi := storage.BatchLogRange(number, m.Flushed+1, ^uint64(0))
	if !r.sureOf(lo, hi) {
		return 0, false
	}
	docs = m.Stats.Docs
	_, err = r.forward(lo, hi, func(_, value []byte) error {
		b, err := unseal("batch log", value)
		if err != nil {
			return err
		}
		entry, err := decodeLogEntry(b)
		docs += int64(entry.Docs) - int64(len(entry.Killed))
		return err
	})
	return docs, err == nil
}

// deadDocs is the documents that are known to be deleted or replaced, by page.
type deadDocs map[uint16]*page.Dead

func (d deadDocs) has(doc uint32) bool {
	p := d[uint16(doc>>16)]
	return p != nil && p.Contains(uint16(doc))
}

// deadDocs reads what can be read of the lists of deleted documents and of the
// batch log. Numbers are never given out again, so that what they say holds, also
// where they are old.
func (r *repairer) deadDocs(number uint32) deadDocs {
	out := deadDocs{}
	lo, hi := storage.TombstoneRange(number)
	_, _ = r.forward(lo, hi, func(key, value []byte) error { // what is damaged is made anew
		_, p, err := storage.ParseTombstoneKey(key)
		if err != nil {
			return nil
		}
		if d, err := page.DecodeDead(value); err == nil {
			out[p] = d
		}
		return nil
	})
	lo, hi = storage.BatchLogRange(number, 0, ^uint64(0))
	_, _ = r.forward(lo, hi, func(_, value []byte) error {
		b, err := unseal("batch log", value)
		if err != nil {
			return nil
		}
		entry, err := decodeLogEntry(b)
		if err != nil {
			return nil
		}
		for _, doc := range entry.Killed {
			p := uint16(doc >> 16)
			if out[p] == nil {
				out[p] = &page.Dead{}
			}
			out[p] = out[p].With([]uint16{uint16(doc)})
		}
		return nil
	})
	return out
}

// repairBatch is the operations that are to be applied next. A record that
// cannot be taken in is left out; missing finds it.
type repairBatch struct {
	*repairer
	ops  []Op
	size int
}

func (b *repairBatch) add(op Op) error {
	b.ops = append(b.ops, op)
	if b.size += len(op.Record); len(b.ops) >= rebuildOps || b.size >= rebuildBytes {
		return b.apply()
	}
	return nil
}

func (b *repairBatch) apply() error {
	if len(b.ops) == 0 {
		return nil
	}
	w := &batchWork{e: b.e, ctx: b.ctx, batch: &Batch{Ops: b.ops, Partial: true}, internal: true}
	_, err := w.run()
	b.ops, b.size = nil, 0
	return err
}
