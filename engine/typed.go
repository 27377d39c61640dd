package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Index is an index of records that are values of a Go type T, a struct. Bind
// returns one. It is a view of the engine's index and holds nothing but its
// name: all methods may be called at the same time, an index may be bound any
// number of times, and there is nothing to close.
//
// A record is what encoding/json makes of a value, in UTF-8, and what it makes
// of that again is the value: integers are exact to 64 bits, times to the
// nanosecond and with their offset, but interfaces get float64 for numbers. So the names of fields, in filters as in Field.Name, are those of
// JSON: those of the json tags, or else of the Go fields, nested ones with
// dots. Fields that encoding/json leaves out are not in the index.
//
// The id is the field named "id" or "ID", a string or an integer.
//
// What a field is for follows from its Go type:
//
//	string                  words: searched; with facet, filter or sort in its tag
//	                        also matched as a whole
//	integers, floats, bool  filters, facets, sorting
//	time.Time               the same, to the microsecond
//	TextMarshaler           a keyword: one value, filters, facets, sorting
//	Point                   a place: filters and sorting by distance
//	struct                  its fields, as author.name
//	map, interface          fields that the records bring, as Schema.Dynamic says
//	[]byte, RawMessage      stored and returned, no more
//
// A pointer stands for what it points to, and a slice or array for several
// values of its element. Fields named title, name, headline, subject or label
// weigh 5, other text 1.
//
// A tag says otherwise, by options with commas between them:
//
//	quarry:"id"             this is the id
//	quarry:"-"              stored and returned, no more
//	quarry:"keyword"        another Type, by its name: a string as a keyword, a date
//	                        or a geo; an integer as a date, in seconds; a struct
//	                        with the members lat and lon as a geo; …
//	quarry:"facet"          also search, filter, sort; a minus takes away: -search
//	quarry:"weight=2"       also b=, language=, analyzer=: see Field
type Index[T any] struct {
	e    *Engine
	name string
	at   *Snapshot // nil: the newest state
}

// Bind returns the index of this name for records of type T, and makes it if it
// is not there. What T says of fields is brought into force: where a struct has
// changed in a way that what is stored does not serve, such as a new field, the
// index is rebuilt from its records before Bind returns, as by UpdateIndex.
// Fields that T does not have stay as they are. So types that are bound to one
// index have to agree on the fields that they share.
//
// settings are what a schema says besides: Language, Synonyms, Rules and so on.
// Its Fields, if any, take the place of what T says of fields of these names.
// nil leaves the settings of an index that is there as they are.
//
// An engine that is ReadOnly binds an index as it is.
//
// Errors: an *InvalidError for mistakes in T and its tags (see SchemaOf) and in
// settings, or when records that are there do not fit; ErrReadOnly and
// ErrNotFound if the index is not there and cannot be made; ErrStorageFull,
// ErrClosed, and the context's.
func Bind[T any](ctx context.Context, e *Engine, name string, settings *Schema) (*Index[T], error) {
	of, err := SchemaOf[T]()
	if err != nil {
		return nil, err
	}
	if err := e.bind(ctx, name, of, settings); err != nil {
		return nil, err
	}
	return &Index[T]{e: e, name: name}, nil
}

// bind brings the schema of a type into force.
func (e *Engine) bind(ctx context.Context, name string, of Schema, settings *Schema) error {
	for {
		info, err := e.Index(name)
		missing := errors.Is(err, ErrNotFound)
		if err != nil && (!missing || e.opts.ReadOnly) || e.opts.ReadOnly {
			return err
		}
		want := joinSchemas(info.Schema, of, settings)
		e.useAnalyzers(&want)
		switch {
		case missing:
			_, err = e.CreateIndex(ctx, name, want)
		case bytes.Equal(encodeSchema(&want), encodeSchema(&info.Schema)):
		default:
			_, err = e.UpdateIndex(ctx, name, want)
		}
		// Somebody else may create or delete the index at the same time.
		if missing && errors.Is(err, ErrIndexExists) || !missing && errors.Is(err, ErrNotFound) {
			continue
		}
		return err
	}
}

// joinSchemas returns the schema of an index that has old after a type with the
// schema of was bound to it.
func joinSchemas(old, of Schema, settings *Schema) Schema {
	s := *old.clone()
	if settings != nil {
		s = *settings.clone()
		s.Dynamic = s.Dynamic || old.Dynamic
		s.Fields = slices.Clone(old.Fields)
	}
	s.PrimaryKey, s.Dynamic = of.PrimaryKey, s.Dynamic || of.Dynamic
	set := func(fields []Field) {
		for _, f := range fields {
			if i := s.Field(f.Name); i >= 0 {
				s.Fields[i] = f
			} else {
				s.Fields = append(s.Fields, f)
			}
		}
	}
	set(of.Fields)
	if settings != nil {
		set(settings.Fields)
	}
	return s.inheriting(&old)
}

// Name returns the name of the index, as in Request.Indexes.
func (x *Index[T]) Name() string { return x.name }

// Put inserts or replaces records, all of them or none. When it returns without
// an error they are durable, and seen by every search that begins later. It
// costs a synced write, however many records there are: hand over many at a
// time, up to Limits.BatchOps and BatchBytes, and larger collections in parts,
// as slices.Chunk makes them.
//
// Every record has its id set: the empty string is an *InvalidError. Only where
// encoding/json leaves an empty id out, for its tag says omitempty, the engine
// makes one, which Put does not tell: BatchResult.IDs has those of Add and
// Engine.Apply.
//
// Errors: an *InvalidError whose problems have the number of the record as
// Position (errors.Is ErrTooLarge where it is about a limit), ErrReadOnly for an
// index of At too, ErrStorageFull, ErrClosed, and the context's.
func (x *Index[T]) Put(ctx context.Context, records ...T) error {
	var b Batch
	if err := x.Add(&b, records...); err != nil {
		return err
	}
	return x.apply(ctx, &b)
}

// Delete deletes the records that have these ids, all of them or none. Ids that
// no record has are passed over. Errors: those of Put.
func (x *Index[T]) Delete(ctx context.Context, ids ...string) error {
	var b Batch
	for _, id := range ids {
		b.Delete(x.name, id)
	}
	return x.apply(ctx, &b)
}

func (x *Index[T]) apply(ctx context.Context, b *Batch) error {
	if x.at != nil {
		return ErrReadOnly
	}
	_, err := x.e.Apply(ctx, b)
	return err
}

// Add adds operations that put records to a batch, which Engine.Apply carries
// out: for batches that delete, too, that concern several indexes, or of which
// the BatchResult is wanted. The error is an *InvalidError for values that
// encoding/json cannot write, such as NaN, and for text that is not UTF-8; the
// batch is then as it was.
func (x *Index[T]) Add(b *Batch, records ...T) error {
	var p problems
	ops := make([]Op, 0, len(records))
	for i := range records {
		record, err := encodeRecord(&records[i])
		if err != nil {
			p.add(Problem{Code: CodeInvalidRequest, Position: len(b.Ops) + i, Detail: err.Error()})
		}
		ops = append(ops, Op{Kind: OpPut, Index: x.name, Record: record})
	}
	if err := p.orNil(); err != nil {
		return err
	}
	b.Ops = append(b.Ops, ops...)
	return nil
}

// Get returns the record with an id; an integer is written in decimal digits.
// Errors: ErrNotFound; ErrClosed; that of encoding/json if the record, which
// somebody else has written, does not fit T.
func (x *Index[T]) Get(ctx context.Context, id string) (T, error) {
	var r Record
	var err error
	if x.at != nil {
		r, err = x.at.Record(x.name, id)
	} else {
		r, err = x.e.Record(ctx, x.name, id)
	}
	if err != nil {
		var none T
		return none, err
	}
	return decodeRecord[T](x.name, id, r.JSON)
}

// Records yields the records by id, as they were when the iteration began, in
// one pass and without a search. It ends with the first error: one of Get, an
// *InvalidError for a filter, or the context's.
func (x *Index[T]) Records(ctx context.Context, o RecordsOptions) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		records := x.e.Records
		if x.at != nil {
			records = x.at.Records
		}
		for r, err := range records(ctx, x.name, o) {
			var value T
			if err == nil {
				value, err = decodeRecord[T](x.name, r.ID, r.JSON)
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}

// At returns the index as a snapshot sees it, to read from: Put and Delete
// return ErrReadOnly, and everything ErrClosed once the snapshot is closed.
func (x *Index[T]) At(s *Snapshot) *Index[T] {
	return &Index[T]{e: x.e, name: x.name, at: s}
}

// HitOf is one record found.
type HitOf[T any] struct {
	Record T // in place of the JSON of Hit.Record; the zero value with NoRecord
	Hit
}

// ResultOf is the answer to a Request to an Index: Total, Facets, Next and the
// other members of Result, with the records of the hits as values.
type ResultOf[T any] struct {
	Hits []HitOf[T]
	Result
}

// Search answers a request, of which Indexes is not looked at. Hits in a Group
// have their records as JSON. Errors: those of Engine.Search, and that of
// encoding/json if a record that was found does not fit T.
func (x *Index[T]) Search(ctx context.Context, r *Request) (*ResultOf[T], error) {
	r = r.in(x.name)
	search := x.e.Search
	if x.at != nil {
		search = x.at.Search
	}
	res, err := search(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &ResultOf[T]{Result: *res, Hits: make([]HitOf[T], len(res.Hits))}
	out.Result.Hits = nil // in one place only
	for i, h := range res.Hits {
		if out.Hits[i], err = hitOf[T](h); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Hits yields all hits of a request, as Engine.Hits does. It ends with the first
// error; they are those of Search.
func (x *Index[T]) Hits(ctx context.Context, r *Request) iter.Seq2[HitOf[T], error] {
	return func(yield func(HitOf[T], error) bool) {
		hits := x.e.Hits
		if x.at != nil {
			hits = x.at.Hits
		}
		for h, err := range hits(ctx, r.in(x.name)) {
			var hit HitOf[T]
			if err == nil {
				hit, err = hitOf[T](h)
			}
			if !yield(hit, err) || err != nil {
				return
			}
		}
	}
}

// in returns a copy of a request, which may be nil, for one index.
func (r *Request) in(index string) *Request {
	var c Request
	if r != nil {
		c = *r
	}
	c.Indexes = []string{index}
	return &c
}

func hitOf[T any](h Hit) (out HitOf[T], err error) {
	out.Hit = h
	if h.Record != nil {
		out.Record, err = decodeRecord[T](h.Index, h.ID, h.Record)
	}
	return out, err
}

// decodeRecord makes a value of a stored record.
func decodeRecord[T any](index, id string, record []byte) (value T, err error) {
	if err := json.Unmarshal(record, &value); err != nil {
		var none T
		return none, fmt.Errorf("index %q: record %q: %w", index, id, err)
	}
	return value, nil
}
