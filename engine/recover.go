package engine

import (
	"fmt"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/storage"
)

// recover brings the engine to the state after the last batch in the log.
func (e *Engine) recover() error {
	kv := &sharedSnapshot{Snapshot: e.store.NewSnapshot()}
	kv.refs.Store(1)
	v := &view{indexes: map[string]*indexView{}, kv: kv}
	v.refs.Store(1)
	if err := e.load(v); err != nil {
		kv.release()
		return err
	}
	e.version = v.version
	e.live[v.number] = struct{}{}
	e.view.Store(v)
	return nil
}

func (e *Engine) load(v *view) error {
	m, err := e.loadMeta()
	if err != nil || m == nil {
		return err
	}
	v.version = m.Version
	lo, hi := storage.CatalogRange()
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	known := map[uint32]bool{}
	var hidden []string // rebuilds that did not come to their end
	for ok := it.First(); ok; ok = it.Next() {
		name, err := storage.ParseCatalogKey(it.Key())
		if err != nil {
			return err
		}
		var entry catalogEntry
		if err := decodeSealed("catalogue", it.Value(), &entry); err != nil {
			return err
		}
		e.nextIndex = max(e.nextIndex, entry.Number+1)
		if isHidden(name) {
			hidden = append(hidden, name)
			continue
		}
		known[entry.Number] = true
		iv, err := e.loadIndex(name, entry)
		if err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
		if err := iv.ix.loadUpdate(entry); err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
		e.writers[name] = iv.ix
		v.indexes[name] = iv
	}
	if err := it.Err(); err != nil {
		return err
	}
	return e.dropOrphanIndexes(known, hidden, m)
}

// loadMeta reads the engine's own row and verifies the ledger in it; nil for a
// new directory. What the ledger misses must be known before anything that
// seems to belong to no index is deleted.
func (e *Engine) loadMeta() (*meta, error) {
	now, err := ledgerOf(e.store)
	if err != nil {
		return nil, err
	}
	e.ledger = now
	b, err := e.store.Get(storage.MetaKey())
	if translate(err) == ErrNotFound {
		if now.Catalog.Count > 0 {
			return nil, corruptf("there are %d indexes, and the row of the engine is missing", now.Catalog.Count)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &meta{}
	if err := decodeSealed("the row of the engine", b, m); err != nil {
		return nil, err
	}
	switch {
	case m.Format > FormatVersion:
		return nil, fmt.Errorf("%w: format %d, this release knows %d", ErrNewerFormat, m.Format, FormatVersion)
	case m.Ledger == nil && m.Format >= 2:
		return nil, corruptf("the row of the engine has no ledger")
	case m.Ledger != nil && m.Ledger.Catalog != now.Catalog:
		return nil, corruptf("the catalogue has %d indexes, and not the %d that the ledger says, or others", now.Catalog.Count, m.Ledger.Catalog.Count)
	case m.Ledger != nil && m.Ledger.Rows != now.Rows:
		return nil, corruptf("there are %d rows of the application, and not the %d that the ledger says, or others", now.Rows.Count, m.Ledger.Rows.Count)
	}
	return m, nil
}

// loadIndex opens what is flushed of an index and replays the rest.
func (e *Engine) loadIndex(name string, entry catalogEntry) (*indexView, error) {
	b, err := e.store.Get(storage.SchemaKey(entry.Number))
	if translate(err) == ErrNotFound {
		return nil, corruptf("the schema is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if b, err = unseal("schema", b); err != nil {
		return nil, err
	}
	s, err := decodeSchema(b)
	if err != nil {
		return nil, err
	}
	schema, err := compile(s, nil, e.opts.Analyzers)
	if err != nil {
		return nil, err
	}
	ix := &index{number: entry.Number, name: name, schema: schema, created: entry.Created}
	b, err = e.store.Get(storage.ManifestKey(entry.Number))
	switch {
	case translate(err) == ErrNotFound: // nothing was flushed yet
		ix.disk = newManifest()
		if err := e.needsLog(ix.number); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		if err := decodeSealed("manifest", b, &ix.disk); err != nil {
			return nil, err
		}
	}
	m := &ix.disk
	ix.saved = m.savedFilter()
	iv := &indexView{
		ix: ix, schema: schema, created: entry.Created, updated: m.Updated,
		version: m.Flushed, stats: m.Stats.clone(), nextDoc: m.NextDoc,
	}
	for _, d := range m.Segments {
		ref, err := e.openSegment(ix.number, d)
		if err != nil {
			return nil, err
		}
		iv.segs = append(iv.segs, ref)
	}
	for _, d := range m.Chunks {
		ref, err := e.openChunk(ix.number, d)
		if err != nil {
			return nil, err
		}
		iv.chunks = append(iv.chunks, ref)
	}
	if err := e.loadDead(iv); err != nil {
		return nil, err
	}
	if err := e.replay(iv); err != nil {
		return nil, fmt.Errorf("batch log: %w", err)
	}
	ix.nextDoc = iv.nextDoc
	return iv, nil
}

// needsLog returns an error if an index has nothing in its log: the commit that
// made it is there until the first flush, which writes the manifest.
func (e *Engine) needsLog(ix uint32) error {
	lo, hi := storage.BatchLogRange(ix, 0, ^uint64(0))
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	if it.First() {
		return nil
	}
	if err := it.Err(); err != nil {
		return err
	}
	return corruptf("the manifest is missing")
}

func (e *Engine) loadDead(iv *indexView) error {
	lo, hi := storage.TombstoneRange(iv.ix.number)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	iv.dead = map[uint16]*page.Dead{}
	for ok := it.First(); ok; ok = it.Next() {
		_, p, err := storage.ParseTombstoneKey(it.Key())
		if err != nil {
			return err
		}
		if iv.dead[p], err = page.DecodeDead(it.Value()); err != nil {
			return fmt.Errorf("deleted documents of page %d: %w", p, err)
		}
	}
	return it.Err()
}
