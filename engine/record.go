package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/storage"
)

// withID returns the record with its id as a member.
func withID(record []byte, primaryKey, id string, has bool) []byte {
	if has {
		return record
	}
	open := bytes.IndexByte(record, '{')
	out := append([]byte{'{'}, mustQuote(primaryKey)...)
	out = append(append(out, ':'), mustQuote(id)...)
	rest := record[open+1:]
	if c := bytes.TrimLeft(rest, " \t\r\n"); len(c) > 0 && c[0] != '}' {
		// A null id that the record brings gives way to the one it gets.
		if name, cut := cutNullMember(record, primaryKey); name {
			return withID(cut, primaryKey, id, false)
		}
		out = append(out, ',')
	}
	return append(out, rest...)
}

// cutNullMember removes a member that is null from a record.
func cutNullMember(record []byte, name string) (bool, []byte) {
	members, err := splitObject(record)
	if err != nil {
		return false, nil
	}
	for i, m := range members {
		if m.name == name {
			return true, joinObject(append(members[:i:i], members[i+1:]...))
		}
	}
	return false, nil
}

func mustQuote(s string) []byte {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil { // ids and field names are valid UTF-8
		return []byte(`""`)
	}
	return b
}

// member is a name and value of a JSON object.
type member struct {
	name  string
	value []byte
}

// splitObject takes the top level of a JSON object apart.
func splitObject(object []byte) ([]member, error) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if d.PeekKind() != '{' {
		if _, err := d.ReadValue(); err != nil {
			return nil, malformed(err)
		}
		return nil, errNotObject
	}
	d.ReadToken()
	var out []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, malformed(err)
		}
		m := member{name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			return nil, malformed(err)
		}
		m.value = bytes.Clone(v)
		out = append(out, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, malformed(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, &syntaxError{"more after the object"}
	}
	return out, nil
}

func joinObject(members []member) []byte {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, mustQuote(m.name)...), ':')
		out = append(out, m.value...)
	}
	return append(out, '}')
}

// mergePatch replaces top-level members of a record; null removes one.
func mergePatch(record, patch []byte) ([]byte, error) {
	members, err := splitObject(record)
	if err != nil {
		return nil, corruptf("a stored record: %w", err)
	}
	changes, err := splitObject(patch)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(members))
	for i, m := range members {
		at[m.name] = i
	}
	removed := map[int]bool{}
	for _, c := range changes {
		i, known := at[c.name]
		switch {
		case string(c.value) == "null":
			if known {
				removed[i] = true
			}
		case known:
			members[i].value = c.value
		default:
			members = append(members, c)
		}
	}
	kept := members[:0]
	for i, m := range members {
		if !removed[i] {
			kept = append(kept, m)
		}
	}
	return joinObject(kept), nil
}

// hashedValue is the form of a long value that equality can be decided on.
func hashedValue(s []byte) []byte {
	sum := sha256.Sum256(s)
	cut := orderedValue
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	out := append([]byte(nil), s[:cut]...)
	return hex.AppendEncode(out, sum[:hashBytes])
}

// Record returns one record. ErrNotFound if the index or the record is not
// there, or if one of the filters in restrict, which are as in
// Request.Restrict, does not match it.
func (e *Engine) Record(ctx context.Context, index, id string, restrict ...string) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	v, err := e.acquire()
	if err != nil {
		return Record{}, err
	}
	defer e.release(v)
	return e.recordIn(v, index, id, restrict)
}

// recordIn is Record in a view that the caller holds.
func (e *Engine) recordIn(v *view, index, id string, restrict []string) (rec Record, err error) {
	defer e.tell(&err)
	iv := v.indexes[index]
	if iv == nil {
		return Record{}, noIndex(index)
	}
	sel, err := e.selectIn(v, iv, "", restrict)
	if err != nil {
		return Record{}, err
	}
	doc, version, ok, err := v.lookup(iv, id)
	if ok {
		ok, err = sel.has(doc)
	}
	if err != nil {
		return Record{}, err
	}
	if !ok {
		return Record{}, fmt.Errorf("record of index %q: %w", index, ErrNotFound)
	}
	_, json, err := e.storedRecord(v.kv, iv.ix.number, doc)
	return Record{Index: index, ID: id, JSON: json, Version: version}, err
}

// lookup returns the document number and version of a record.
func (v *view) lookup(iv *indexView, id string) (doc posting.DocID, version uint64, ok bool, err error) {
	entry, err := v.kv.Get(storage.IDKey(iv.ix.number, id))
	if translate(err) == ErrNotFound {
		return 0, 0, false, nil
	}
	if err != nil {
		return 0, 0, false, err
	}
	doc, version, err = decodeIDEntry(entry)
	return doc, version, err == nil, err
}

// Holders returns the names of those of the given indexes that hold a record
// with this id, sorted. nil stands for all indexes that are not hidden; names
// may end in * as in a Request. Records that a filter in restrict does not
// match do not count; an index to which such a filter cannot be applied holds
// none.
func (e *Engine) Holders(ctx context.Context, id string, indexes []string, restrict ...string) (holders []string, err error) {
	defer e.tell(&err)
	if indexes != nil && len(indexes) == 0 {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(v)
	among, err := v.resolveNames(indexes)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(among))
	for _, name := range among {
		iv := v.indexes[name]
		doc, _, ok, err := v.lookup(iv, id)
		if ok && len(restrict) > 0 {
			var sel *selection
			if sel, err = e.selectIn(v, iv, "", restrict); errors.Is(err, ErrInvalid) {
				continue
			}
			if err == nil {
				ok, err = sel.has(doc)
			}
		}
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, name)
		}
	}
	return out, nil
}

// RecordsOptions choose among the records of an index. The zero value stands
// for all of them.
type RecordsOptions struct {
	After    string   // the id after which to begin
	Filter   string   // filter expression; "" matches everything
	Restrict []string // further filters, as in a Request
}

// Records yields the records of an index by id, as they were when the
// iteration began. A filter costs 8 KiB for each 65,536 documents while it
// lasts, and no records are read that it does not match.
func (e *Engine) Records(ctx context.Context, index string, o RecordsOptions) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		v, err := e.acquire()
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer e.release(v)
		e.recordsIn(ctx, v, index, o)(yield)
	}
}

// recordsIn is Records in a view that the caller holds.
func (e *Engine) recordsIn(ctx context.Context, v *view, index string, o RecordsOptions) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		iv := v.indexes[index]
		if iv == nil {
			yield(Record{}, noIndex(index))
			return
		}
		if err := e.records(ctx, v, iv, index, o, yield); err != nil {
			yield(Record{}, e.told(err))
		}
	}
}

func (e *Engine) records(ctx context.Context, v *view, iv *indexView, index string, o RecordsOptions, yield func(Record, error) bool) error {
	sel, err := e.selectIn(v, iv, o.Filter, o.Restrict)
	if err != nil {
		return err
	}
	lo, hi := storage.IDRange(iv.ix.number)
	ids, err := v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer ids.Close()
	stored := e.storedReader(v.kv, iv.ix.number)
	defer stored.Close()
	ok := ids.First()
	if o.After != "" {
		ok = ids.SeekGE(storage.IDKey(iv.ix.number, o.After))
	}
	for ; ok; ok = ids.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, id, err := storage.ParseIDKey(ids.Key())
		if err != nil {
			return err
		}
		if id <= o.After {
			continue
		}
		doc, version, err := decodeIDEntry(ids.Value())
		if err != nil {
			return err
		}
		if ok, err := sel.has(doc); err != nil {
			return err
		} else if !ok {
			continue
		}
		json, err := stored.record(doc)
		if err != nil {
			return err
		}
		if !yield(Record{Index: index, ID: id, JSON: json, Version: version}, nil) {
			return nil
		}
	}
	return ids.Err()
}
