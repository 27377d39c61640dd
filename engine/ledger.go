package engine

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/quarry-search/quarry/storage"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The engine's own values are stored sealed: a byte that says so, a CRC-32C of
// the rest, little endian, and the rest. Values of format 1 had no seal; they
// begin with a brace, or with a byte above 0x7f in the batch log.
const sealed = 0x01

// seal returns a value as it is stored.
func seal(b []byte) []byte {
	out := make([]byte, 5, 5+len(b))
	out[0] = sealed
	binary.LittleEndian.PutUint32(out[1:], crc32.Checksum(b, castagnoli))
	return append(out, b...)
}

// unseal is the inverse of seal. It returns values of format 1 as they are.
func unseal(what string, b []byte) ([]byte, error) {
	switch {
	case len(b) > 0 && (b[0] == '{' || b[0] > 0x7f):
		return b, nil
	case len(b) < 5 || b[0] != sealed:
		return nil, corruptf("%s: it has no checksum", what)
	case binary.LittleEndian.Uint32(b[1:]) != crc32.Checksum(b[5:], castagnoli):
		return nil, corruptf("%s: its checksum is not right", what)
	}
	return b[5:], nil
}

// ledger says what entries there are of the kinds that nothing else counts. It
// is a part of the engine's own row, so that a missing index or row of the
// application is found out.
type ledger struct {
	Catalog tally `json:"catalog"`
	Rows    tally `json:"rows"`
}

// A tally stands for a set of entries: their number, and the sum of their
// checksums, which does not depend on their order.
type tally struct {
	Count int64  `json:"count"`
	Sum   uint64 `json:"sum"`
}

func (t *tally) add(key, value []byte) {
	t.Count++
	t.Sum += entrySum(key, value)
}

func (t *tally) remove(key, value []byte) {
	t.Count--
	t.Sum -= entrySum(key, value)
}

func entrySum(key, value []byte) uint64 {
	sum := crc32.Checksum(key, castagnoli)
	return uint64(sum)<<32 | uint64(crc32.Update(sum, castagnoli, value))
}

// tallyOf counts the entries with lo <= key < hi.
func tallyOf(kv storage.Reader, lo, hi []byte) (tally, error) {
	it, err := kv.Iter(lo, hi)
	if err != nil {
		return tally{}, err
	}
	defer it.Close()
	var t tally
	for ok := it.First(); ok; ok = it.Next() {
		t.add(it.Key(), it.Value())
	}
	return t, it.Err()
}

// ledgerOf counts everything that a ledger says.
func ledgerOf(kv storage.Reader) (l ledger, err error) {
	lo, hi := storage.CatalogRange()
	if l.Catalog, err = tallyOf(kv, lo, hi); err != nil {
		return l, err
	}
	lo, hi = storage.RowRange(nil)
	l.Rows, err = tallyOf(kv, lo, hi)
	return l, err
}

// entries writes entries that are in the ledger into a batch of the store.
// Engine.mu is held from its making until the batch is applied.
type entries struct {
	e      *Engine
	kv     *storage.Batch
	ledger ledger
	fresh  map[string][]byte // what this batch has written so far; nil: deleted
}

func (e *Engine) newEntries(kv *storage.Batch) *entries {
	return &entries{e: e, kv: kv, ledger: e.ledger, fresh: map[string][]byte{}}
}

// catalog writes the entry of an index; nil deletes it.
func (w *entries) catalog(name string, value []byte) error {
	if value != nil {
		value = seal(value)
	}
	return w.set(&w.ledger.Catalog, storage.CatalogKey(name), value)
}

// rows writes rows of the application.
func (w *entries) rows(rows []Row) error {
	for _, r := range rows {
		if err := w.set(&w.ledger.Rows, storage.RowKey([]byte(r.Key)), r.Value); err != nil {
			return err
		}
	}
	return nil
}

func (w *entries) set(t *tally, key, value []byte) error {
	if old, known := w.fresh[string(key)]; known {
		if old != nil {
			t.remove(key, old)
		}
	} else {
		err := w.e.store.View(key, func(old []byte) error {
			t.remove(key, old)
			return nil
		})
		if err != nil && translate(err) != ErrNotFound {
			return err
		}
	}
	w.fresh[string(key)] = value
	if value == nil {
		w.kv.Delete(key)
		return nil
	}
	t.add(key, value)
	w.kv.Set(key, value)
	return nil
}

// close writes the engine's own row. Nothing can be set afterwards.
func (w *entries) close(version uint64) {
	w.kv.Set(storage.MetaKey(), seal(encodeMeta(meta{Version: version, Ledger: &w.ledger})))
}
