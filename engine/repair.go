package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/quarry-search/quarry/storage"
)

// RepairReport tells what Repair has saved, and what it could not.
type RepairReport struct {
	Indexes []RepairedIndex // by name
	Rows    int64           // of the application
	Damage  []string        // what was met: first files that were left out, then the rest in its order
	Derived []string        // files that were left out and held nothing but what is made anew
}

// RepairedIndex is what was saved of an index.
type RepairedIndex struct {
	Name    string
	Records int64
	// Lost counts the records that the id map names and that could not be read,
	// and those that the statistics count beyond them; LostIDs are the ids of the
	// first 1,000 of the former.
	Lost    int64
	LostIDs []string
	// LostUnknown: more records than Lost may be gone, since what counts them could
	// not be read either.
	LostUnknown bool
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
// the lists of deleted documents, is made anew: damage of those alone loses
// nothing. to must be new or empty, and outside from, or what an interrupted
// Repair has left, which is made anew. It becomes a data directory at the very
// end, after beside, unless that is nil, was called and has returned no error:
// until then Open refuses it with ErrHalfMade.
//
// What is lost are records whose stored blocks cannot be read, ids, rows,
// schemas and names of indexes whose entries cannot. Where the entry of an id is
// unreadable, the newest readable version of the record stands, and if the
// record was deleted it may be back. An index whose name is lost is called
// recovered-N. Numbers of versions go on where they were.
//
// A table of the store that is missing or of which nothing can be read is left
// out, and so is what a log holds from a damaged place on: all that was in those
// is lost, and what they had changed may be as it was before. A manifest of the
// store that is damaged so that nobody knows which tables count is beyond
// Repair: restore a backup then.
//
// Errors: those of Open; [fs.ErrExist] if to holds something else; a [fs.PathError] of ErrLocked if it
// is to that is in use.
func Repair(ctx context.Context, from, to string, beside func() error) (*RepairReport, error) {
	return salvage(ctx, from, to, beside, &Options{})
}

func salvage(ctx context.Context, from, to string, beside func() error, o *Options) (*RepairReport, error) {
	source, err := storage.Open(from, &storage.Options{Salvage: true, FS: o.fs})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if source.Nested(to) {
		return nil, fmt.Errorf("%s is inside the directory to repair, or around it", to)
	}
	if err := storage.BeginDir(to, o.fs); errors.Is(err, ErrLocked) {
		return nil, &fs.PathError{Op: "repair", Path: to, Err: err} // it is not from that is locked
	} else if err != nil {
		return nil, err
	}
	making := *o
	making.unfinished = true
	e, err := Open(to, &making)
	if err != nil {
		return nil, err
	}
	r := &repairer{ctx: ctx, from: source, losses: source.Losses(), e: e, report: &RepairReport{}}
	if err := errors.Join(r.run(), e.Close()); err != nil {
		return nil, err
	}
	if beside != nil {
		if err := beside(); err != nil {
			return nil, err
		}
	}
	return r.report, storage.FinishDir(to, o.fs)
}

// repairer copies what can be read of a store into an engine.
type repairer struct {
	ctx    context.Context
	from   *storage.Store
	losses []storage.Loss // files of it that are left out
	e      *Engine
	report *RepairReport
	meta   *meta // the row of the engine; nil: it is lost, or may be an older one
}

func (r *repairer) damaged(format string, args ...any) {
	r.report.Damage = append(r.report.Damage, fmt.Sprintf(format, args...))
}

func (r *repairer) run() error {
	counted := r.readMeta()
	names := r.names(counted)
	r.tellLosses(names)
	if r.meta == nil {
		r.newest(names)
	}
	if err := r.rows(); err != nil {
		return err
	}
	for _, n := range names {
		if err := r.index(n); err != nil {
			return fmt.Errorf("index %q: %w", n.name, err)
		}
	}
	return nil
}

// readMeta takes over the version, and tells whether all indexes are in the
// catalogue.
func (r *repairer) readMeta() (complete bool) {
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
	if !r.sure(storage.MetaKey()) {
		return false
	}
	r.meta = &m
	lo, hi := storage.CatalogRange()
	now, err := tallyOf(r.from, lo, hi)
	if err != nil || m.Ledger != nil && m.Ledger.Catalog != now {
		r.damaged("the catalogue is not what it was")
		return false
	}
	return m.Ledger != nil || r.sureOf(lo, hi)
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
	entry  catalogEntry // zero: its name is lost
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
			out = append(out, named{name, entry.Number, entry})
		}
		return nil
	})
	if complete {
		return out
	}
	for _, n := range r.numbers() {
		if known[n] {
			continue
		}
		name := fmt.Sprint("recovered-", n)
		for taken[name] {
			name += "x"
		}
		r.damaged("the name of an index is lost; it is called %s now", name)
		out = append(out, named{name: name, number: n})
	}
	return out
}

// numbers returns the numbers of the indexes of which something can be read.
func (r *repairer) numbers() []uint32 {
	var out []uint32
	_, hi := storage.IndexRange(^uint32(0))
	failures := 0
	for n := uint32(0); failures < scanSteps; {
		lo, _ := storage.IndexRange(n)
		found, at, err := r.firstIndex(lo, hi)
		switch {
		case err != nil:
			// What it begins with is damaged; its records need not be.
			failures++
			blocks, end := storage.BlockRange(n, 0, ^uint32(0))
			if there, _, err := r.firstIndex(blocks, end); there && err == nil {
				out = append(out, n)
			}
		case !found:
			return out
		default:
			failures = 0
			out, n = append(out, at), at
		}
		if n++; n == 0 {
			break
		}
	}
	return out
}

// firstIndex returns the index of the first key with lo <= key < hi, if there is
// one.
func (r *repairer) firstIndex(lo, hi []byte) (found bool, n uint32, err error) {
	it, err := r.from.Iter(lo, hi)
	if err != nil {
		return false, 0, err
	}
	defer it.Close()
	if !it.First() {
		return false, 0, it.Err()
	}
	n, err = storage.ParseIndex(it.Key())
	return true, n, err
}

// rows copies the application's rows.
func (r *repairer) rows() error {
	var list []Row
	var all tally
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
		all.add(key, value)
		list = append(list, Row{Key: string(row), Value: append([]byte{}, value...)})
		if size += len(value); size >= rebuildBytes || len(list) >= rebuildOps {
			return write()
		}
		return nil
	})
	if err == nil && len(list) > 0 {
		err = write()
	}
	switch counted := r.meta != nil && r.meta.Ledger != nil; {
	case counted && r.meta.Ledger.Rows != all:
		r.damaged("rows of the application: %d are there, and not the %d that the ledger says, or others; keys that were revoked may be valid again", all.Count, r.meta.Ledger.Rows.Count)
	case !counted && !r.sureOf(lo, hi):
		r.damaged("rows of the application: some may be lost, or older than they were; keys that were revoked may be valid again")
	}
	return err
}
