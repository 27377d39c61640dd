package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quarry-search/quarry/storage"
)

// RepairReport tells what Repair has saved, and what it could not.
type RepairReport struct {
	Indexes []RepairedIndex // by name
	Rows    int64           // of the application
	Damage  []string        // what was met, in the order in which it was met
}

// RepairedIndex is what was saved of an index.
type RepairedIndex struct {
	Name    string
	Records int64
	// Lost counts the records that the id map names and that could not be read;
	// LostIDs are the ids of the first 1,000 of them.
	Lost    int64
	LostIDs []string
	// SchemaLost: the schema was damaged, and was inferred from the records.
	SchemaLost bool
}

// Whole tells whether nothing at all was damaged that cannot be derived.
func (r *RepairReport) Whole() bool { return len(r.Damage) == 0 }

// maxLostIDs bounds RepairedIndex.LostIDs.
const maxLostIDs = 1000

// Repair makes to a data directory of everything that can be read in from,
// which it does not change and which nobody may have open. What is derived
// from records, which is dictionaries, posting lists, columns, statistics and
// the lists of deleted documents, is not even looked at, but made anew: damage
// of those alone loses nothing. to must be new or empty, and outside from.
//
// What is lost are records whose stored blocks cannot be read, ids, rows,
// schemas and names of indexes whose entries cannot. Where the entry of an id is
// unreadable, the newest readable version of the record stands, and if the
// record was deleted it may be back. An index whose name is lost is called
// recovered-N. Numbers of versions go on where they were.
//
// A log or manifest of the store that is damaged so that it cannot be opened is
// beyond Repair: restore a backup then.
func Repair(ctx context.Context, from, to string) (*RepairReport, error) {
	return salvage(ctx, from, to, &Options{})
}

func salvage(ctx context.Context, from, to string, o *Options) (*RepairReport, error) {
	source, err := storage.Open(from, &storage.Options{ReadOnly: true, FS: o.fs})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if source.Nested(to) {
		return nil, fmt.Errorf("%s is inside the directory to repair, or around it", to)
	}
	e, err := Open(to, o)
	if err != nil {
		return nil, err
	}
	if e.Version() > 0 || len(e.Indexes()) > 0 {
		return nil, errors.Join(fmt.Errorf("%s is not empty", to), e.Close())
	}
	r := &repairer{ctx: ctx, from: source, e: e, report: &RepairReport{}}
	err = r.run()
	return r.report, errors.Join(err, e.Close())
}

// repairer copies what can be read of a store into an engine.
type repairer struct {
	ctx    context.Context
	from   *storage.Store
	e      *Engine
	report *RepairReport
}

func (r *repairer) damaged(format string, args ...any) {
	r.report.Damage = append(r.report.Damage, fmt.Sprintf(format, args...))
}

func (r *repairer) run() error {
	counted := r.meta()
	names := r.names(counted)
	if r.e.Version() == 0 {
		r.newest(names)
	}
	if err := r.rows(); err != nil {
		return err
	}
	for _, n := range names {
		if err := r.index(n.name, n.number); err != nil {
			return fmt.Errorf("index %q: %w", n.name, err)
		}
	}
	return nil
}

// meta takes over the version, and tells whether all indexes are in the
// catalogue.
func (r *repairer) meta() (complete bool) {
	var m meta
	b, err := r.from.Get(storage.MetaKey())
	if err == nil {
		err = decodeSealed("the row of the engine", b, &m)
	}
	if err != nil {
		r.damaged("the row of the engine: %v", err)
		return false
	}
	r.e.mu.Lock()
	r.e.version = m.Version
	r.e.mu.Unlock()
	lo, hi := storage.CatalogRange()
	now, err := tallyOf(r.from, lo, hi)
	if err != nil || m.Ledger != nil && m.Ledger.Catalog != now {
		r.damaged("the catalogue is not what it was")
		return false
	}
	return true
}

// newest takes over the highest version that a record has.
func (r *repairer) newest(names []named) {
	var most uint64
	for _, n := range names {
		lo, hi := storage.IDRange(n.number)
		r.scan(fmt.Sprintf("ids of index %q", n.name), lo, hi, func(_, value []byte) error {
			if _, version, err := decodeIDEntry(value); err == nil {
				most = max(most, version)
			}
			return nil
		})
	}
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	r.e.version = max(r.e.version, most)
}

// named is an index of the source.
type named struct {
	name   string
	number uint32
}

// names returns the indexes. If the catalogue is not complete, what it does
// not name gets a name.
func (r *repairer) names(complete bool) []named {
	var out []named
	known := map[uint32]bool{}
	taken := map[string]bool{}
	lo, hi := storage.CatalogRange()
	r.scan("catalogue", lo, hi, func(key, value []byte) error {
		name, err := storage.ParseCatalogKey(key)
		var entry catalogEntry
		if err == nil {
			err = decodeSealed("catalogue", value, &entry)
		}
		switch {
		case err != nil:
			r.damaged("entry %q of the catalogue: %v", name, err)
		case isHidden(name):
			known[entry.Number] = true
		case !known[entry.Number]:
			known[entry.Number], taken[name] = true, true
			out = append(out, named{name, entry.Number})
		}
		return nil
	})
	if complete {
		return out
	}
	lo, _ = storage.IndexRange(0)
	_, hi = storage.IndexRange(^uint32(0))
	it, err := r.from.Iter(lo, hi)
	if err != nil {
		r.damaged("indexes: %v", err)
		return out
	}
	defer it.Close()
	for ok := it.First(); ok; {
		n, err := storage.ParseIndex(it.Key())
		if err != nil {
			break
		}
		if !known[n] {
			name := fmt.Sprint("recovered-", n)
			for taken[name] {
				name += "x"
			}
			r.damaged("the name of an index is lost; it is called %s now", name)
			out = append(out, named{name, n})
		}
		_, to := storage.IndexRange(n)
		ok = it.SeekGE(to)
	}
	return out
}

// rows copies the application's rows.
func (r *repairer) rows() error {
	var list []Row
	size := 0
	write := func() error {
		r.report.Rows += int64(len(list))
		err := r.e.PutRows(r.ctx, list)
		list, size = nil, 0
		return err
	}
	lo, hi := storage.RowRange(nil)
	err := r.scan("rows of the application", lo, hi, func(key, value []byte) error {
		row, err := storage.ParseRowKey(key)
		if err != nil {
			return err
		}
		list = append(list, Row{Key: string(row), Value: append([]byte{}, value...)})
		if size += len(value); size >= rebuildBytes || len(list) >= rebuildOps {
			return write()
		}
		return nil
	})
	if err == nil && len(list) > 0 {
		err = write()
	}
	return err
}

// index copies the records of an index, in their order.
func (r *repairer) index(name string, number uint32) error {
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
	if err := schema.validate(r.e.opts.Limits, nil); err != nil {
		return err
	}
	// Its embedders are set up when it is in use again.
	if _, err := r.e.createIndex(r.ctx, name, *schema, nil); err != nil {
		return err
	}
	if err := r.records(name, number); err != nil {
		return err
	}
	if err := r.missing(number, &done); err != nil {
		return err
	}
	info, err := r.e.Index(name)
	done.Records = info.Records
	r.report.Indexes = append(r.report.Indexes, done)
	return err
}

// records puts every record whose block can be read, unless the id map says
// that another document has its id, or none.
func (r *repairer) records(name string, number uint32) error {
	b := repairBatch{repairer: r}
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
			id := string(block.ID(i))
			op := Op{Kind: OpPut, Index: name, ID: id, Record: bytes.Clone(block.Record(i))}
			entry, err := r.from.Get(storage.IDKey(number, id))
			switch {
			case translate(err) == ErrNotFound:
				continue // deleted
			case err != nil:
				r.damaged("index %q: the entry of a record of document %d: %v", name, first+uint32(i), err)
			default:
				doc, version, err := decodeIDEntry(entry)
				if err == nil && doc != first+uint32(i) {
					continue // a later document has the id
				}
				op.version = version
			}
			if err := b.add(op); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.apply()
}

// missing finds the records that the id map names and that are not there now.
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
	if done.Lost > 0 {
		r.damaged("index %q: %d records are lost", done.Name, done.Lost)
	}
	return err
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
