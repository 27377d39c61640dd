package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/vector"
	"github.com/quarry-search/quarry/storage"
)

// TextKind says what a text is that an Embedder gets: some models treat the two
// differently.
type TextKind uint8

// Kinds of texts.
const (
	RecordText TextKind = iota
	QueryText
)

// Embedder makes vectors of texts. It is safe for concurrent use.
//
// The engine hands it queries while somebody waits, and the texts of records in
// the background, up to 64 at once. It does not look into errors, except that
// one marked ErrTextRefused is about the texts, so that trying again is of no
// use. Errors must not repeat texts: they are reported to Events.Background.
type Embedder interface {
	// Dimensions is the length of every vector.
	Dimensions() int
	// Embed returns a vector of each text, in their order; nil for a text of
	// which it has nothing to say.
	Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error)
}

// ErrTextRefused marks errors of an Embedder about texts that it will never
// make vectors of.
var ErrTextRefused = errors.New("the text is refused")

const (
	// embedTexts is how many texts of records an embedder gets at once.
	embedTexts = 64
	// embedBytes bounds the text of a record that an embedder gets. Models look
	// at the first few hundred words alone.
	embedBytes = 32 << 10
	// embedPatience bounds the pause after an embedder failed, which doubles
	// from retryAfter each time.
	embedPatience = time.Minute
)

// checkEmbedders reports what is wrong with Options.Embedders.
func (o *Options) checkEmbedders(p *problems) {
	for _, name := range slices.Sorted(maps.Keys(o.Embedders)) {
		switch m := o.Embedders[name]; {
		case !ValidIndexName(name):
			p.addf(CodeInvalidRequest, "/Embedders", "%q: a name has 1 to 64 of the characters a-z, 0-9, _ and -, and begins with a letter or digit", name)
		case m == nil:
			p.addf(CodeInvalidRequest, "/Embedders", "%q is nil", name)
		}
	}
}

// useEmbedders completes the Vector fields of a schema whose length their
// embedder knows.
func (e *Engine) useEmbedders(s *Schema) {
	s.Fields = slices.Clone(s.Fields)
	for i := range s.vectorFields() {
		f := &s.Fields[i]
		if m := e.opts.Embedders[f.Embedder]; m != nil && f.Dimensions == 0 {
			f.Dimensions = m.Dimensions()
		}
	}
}

// checkEmbedders reports embedders that are not there, or are of another length
// than their field. What the index has already is left alone, so that its other
// settings can be changed while an embedder is missing.
func (e *Engine) checkEmbedders(s, now *Schema) error {
	var p problems
	for i := range s.vectorFields() {
		f := &s.Fields[i]
		if f.Embedder == "" {
			continue
		}
		if now != nil {
			if j := now.Field(f.Name); j >= 0 && now.Fields[j].Embedder == f.Embedder && now.Fields[j].Dimensions == f.Dimensions {
				continue
			}
		}
		m := e.opts.Embedders[f.Embedder]
		switch {
		case m == nil && len(e.opts.Embedders) == 0:
			p.addf(CodeInvalidRequest, fmt.Sprintf("/fields/%d/embedder", i), "there is no embedder %q; none is set up", f.Embedder)
		case m == nil:
			p.addf(CodeInvalidRequest, fmt.Sprintf("/fields/%d/embedder", i), "there is no embedder %q; known are %s", f.Embedder, strings.Join(e.embedderNames(), ", "))
		case m.Dimensions() != f.Dimensions:
			p.addf(CodeInvalidRequest, fmt.Sprintf("/fields/%d/dimensions", i), "the embedder %q gives vectors of %d dimensions", f.Embedder, m.Dimensions())
		}
	}
	return p.orNil()
}

func (e *Engine) embedderNames() (names []string) {
	for name := range e.opts.Embedders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkRows tests what an embedder gave for some texts.
func (f *Field) checkRows(rows [][]float32, texts int) error {
	if len(rows) != texts {
		return fmt.Errorf("embedder %q gave %d vectors for %d texts", f.Embedder, len(rows), texts)
	}
	for _, r := range rows {
		if r != nil && len(r) != f.Dimensions {
			return fmt.Errorf("embedder %q gave a vector of %d dimensions, the field %q has %d", f.Embedder, len(r), f.Name, f.Dimensions)
		}
	}
	return nil
}

// embedRound makes vectors of the records that have none, in all indexes. It
// fails as often as an embedder does, after a pause.
func (e *Engine) embedRound(ctx context.Context) error {
	v, err := e.acquire()
	if err != nil {
		return nil // closing
	}
	var due []*index
	for name, iv := range v.indexes {
		if isHidden(name) {
			continue
		}
		for field := range iv.schema.vectorFields() {
			f := &iv.schema.Fields[field]
			if f.embeds() && e.opts.Embedders[f.Embedder] != nil {
				if !slices.Contains(due, iv.ix) {
					due = append(due, iv.ix)
				}
			}
		}
	}
	e.release(v)
	var errs []error
	for _, ix := range due {
		errs = append(errs, e.embedIndex(ctx, ix))
	}
	err = errors.Join(errs...)
	if err == nil || ctx.Err() != nil {
		e.embedPause = 0
		return err
	}
	e.embedPause = min(max(2*e.embedPause, retryAfter), embedPatience)
	select {
	case <-ctx.Done():
	case <-time.After(e.embedPause - retryAfter):
	}
	return err
}

// EmbedRecords makes vectors of all records of an index that have none yet, and
// returns when searches use them. It does what the background does by itself
// after writes. An embedder that is not set up is an error.
func (e *Engine) EmbedRecords(ctx context.Context, index string) (err error) {
	defer e.tell(&err)
	if e.opts.ReadOnly {
		return ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	iv, err := e.newest(index)
	if err != nil {
		return err
	}
	if err := e.storable(); err != nil {
		return err
	}
	return e.embedIndex(ctx, iv.ix)
}

// embedIndex makes the vectors that are missing in an index.
func (e *Engine) embedIndex(ctx context.Context, ix *index) error {
	ix.embedding.work.Lock()
	defer ix.embedding.work.Unlock()
	for {
		v, iv, err := e.acquireIndex(ix)
		if err != nil || iv == nil {
			return err
		}
		more := false
		for field := range iv.schema.vectorFields() {
			if !iv.schema.Fields[field].embeds() {
				continue
			}
			did, err := e.embedSome(ctx, v, iv, field)
			if err != nil {
				e.release(v)
				return err
			}
			more = more || did
		}
		e.release(v)
		if !more {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// embedSome makes the next vectors of a field, and tells whether there were any
// to be made.
func (e *Engine) embedSome(ctx context.Context, v *view, iv *indexView, field int) (did bool, err error) {
	f := &iv.schema.Fields[field]
	next, err := e.embeddedUpTo(iv.ix, field, f.Dimensions)
	if err != nil || next >= iv.nextDoc {
		return false, err
	}
	m := e.opts.Embedders[f.Embedder]
	if m == nil {
		return false, fmt.Errorf("field %q: there is no embedder %q", f.Name, f.Embedder)
	}
	// One run: the documents from next on, up to the end of a block.
	to := min(iv.nextDoc, (next/fieldBlockDocs+1)*fieldBlockDocs)
	var docs []posting.DocID
	for doc := next; doc < to; doc++ {
		if len(docs) == embedTexts {
			to = doc
			break
		}
		if iv.chunkOf(doc) != nil && !iv.isDead(doc) {
			docs = append(docs, doc)
		}
	}
	r := vectorRun{first: next, docs: int(to - next), size: vector.RowSize(f.Dimensions)}
	r.data = make([]byte, r.docs*r.size)
	if err := e.embedInto(ctx, v, iv, f, m, docs, &r); err != nil {
		return false, fmt.Errorf("index %q: field %q: %w", v.nameOf(iv.ix), f.Name, err)
	}
	if len(docs) > 0 {
		b := e.store.NewBatch()
		b.Set(storage.FieldRunKey(iv.ix.number, uint16(field), r.first), encodeRun(field, r))
		if err := e.store.Commit(b); err != nil {
			return false, err
		}
	}
	iv.ix.embedding.advance(field, to)
	return true, nil
}

// embedInto fills in the vectors of some documents of a run.
func (e *Engine) embedInto(ctx context.Context, v *view, iv *indexView, f *Field, m Embedder, docs []posting.DocID, r *vectorRun) error {
	var of []posting.DocID // the documents of texts
	var texts []string
	if err := e.eachStored(ctx, v, iv.ix.number, docs, func(i int, record []byte) {
		if text := textToEmbed(record, iv.schema, f); text != "" {
			of, texts = append(of, docs[i]), append(texts, text)
		}
	}); err != nil || len(texts) == 0 {
		return err
	}
	rows, err := m.Embed(ctx, RecordText, texts)
	if errors.Is(err, ErrTextRefused) && len(texts) > 1 {
		// Which of them is refused shows when they come one by one.
		rows = make([][]float32, len(texts))
		for i := range texts {
			one, err := m.Embed(ctx, RecordText, texts[i:i+1])
			if err == nil {
				err = f.checkRows(one, 1)
			}
			switch {
			case errors.Is(err, ErrTextRefused):
			case err != nil:
				return err
			default:
				rows[i] = one[0]
			}
		}
		err = nil
	} else if errors.Is(err, ErrTextRefused) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := f.checkRows(rows, len(texts)); err != nil {
		return err
	}
	for i, row := range rows {
		if row != nil && f.rowProblem(row) == "" {
			copy(r.data[int(of[i]-r.first)*r.size:], f.quantize(row))
		}
	}
	return nil
}

// textToEmbed is what the fields of Field.From hold, in their order, a line for
// each text; at most embedBytes of it.
func textToEmbed(record []byte, c *compiled, f *Field) string {
	texts := map[string][]string{}
	// The record was valid when it was stored.
	_ = walkRecord(record, Limits{}.orDefaults().forStored(), func(path string, _ pointer, v scalar) error {
		if v.kind != scalarNull && slices.Contains(f.From, path) {
			if value, ok := convert(&c.Fields[c.byName[path]], v); ok {
				texts[path] = append(texts[path], string(value.Str))
			}
		}
		return nil
	})
	var lines []string
	for _, name := range f.From {
		for _, t := range texts[name] {
			if t = strings.TrimSpace(t); t != "" {
				lines = append(lines, t)
			}
		}
	}
	text := strings.Join(lines, "\n")
	if len(text) <= embedBytes {
		return text
	}
	end := embedBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// embedded tells how far the embedders of an index are.
func (e *Engine) embedded(iv *indexView) (out []EmbeddedField) {
	for field := range iv.schema.vectorFields() {
		f := &iv.schema.Fields[field]
		if !f.embeds() {
			continue
		}
		next, err := e.embeddedUpTo(iv.ix, field, f.Dimensions)
		if err != nil {
			next = 0
		}
		out = append(out, EmbeddedField{f.Name, iv.liveFrom(next)})
	}
	return out
}

// liveFrom counts the live documents from a number on.
func (v *indexView) liveFrom(from posting.DocID) (n int64) {
	for _, c := range v.chunks {
		for doc := max(from, c.base()); doc < c.end(); doc++ {
			if !v.isDead(doc) {
				n++
			}
		}
	}
	return n
}

// embedState is what the engine knows of the vectors that are made for an index.
type embedState struct {
	work sync.Mutex // held by who makes vectors
	mu   sync.Mutex
	next map[int]posting.DocID // by field; see embeddedUpTo. Guarded by mu
}

func (s *embedState) set(field int, next posting.DocID) {
	if s.next == nil {
		s.next = map[int]posting.DocID{}
	}
	s.next[field] = next
}

func (s *embedState) advance(field int, next posting.DocID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(field, next)
}

// embeddedUpTo returns the number below which all documents have been seen to by
// the embedder of a field.
func (e *Engine) embeddedUpTo(ix *index, field, dims int) (posting.DocID, error) {
	s := &ix.embedding
	s.mu.Lock()
	defer s.mu.Unlock()
	if next, ok := s.next[field]; ok {
		return next, nil
	}
	lo, hi := storage.FieldRunRange(ix.number, uint16(field), 0, math.MaxUint32)
	it, err := e.store.Iter(lo, hi)
	if err != nil {
		return 0, err
	}
	defer it.Close()
	next := posting.DocID(0)
	if it.SeekLT(hi) {
		_, _, first, err := storage.ParseFieldRunKey(it.Key())
		if err != nil {
			return 0, err
		}
		r, err := decodeRun(it.Value(), field, dims, first)
		if err != nil {
			return 0, err
		}
		next = first + uint32(r.docs)
	}
	if err := it.Err(); err != nil {
		return 0, err
	}
	s.set(field, next)
	return next, nil
}
