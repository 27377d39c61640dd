package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/score"
)

// Writer inverts the documents of a batch. Give it the terms of document 0, 1,
// 2 and so on with Text, Word and Value, then Build; Reset makes it ready for
// the next batch and keeps its memory. Mistakes in the calls come back from
// Build. It is not safe for concurrent use.
//
// Terms are copied once into an arena and numbered through a hash table;
// occurrences are kept as eight bytes each, in the order in which they come,
// and Build distributes them to their terms by counting. Nothing is allocated
// for an occurrence.
type Writer struct {
	fields int
	seed   maphash.Seed
	table  []uint64 // open addressing: hash<<32 | number of the term + 1
	terms  []term
	arena  []byte // the keys of the terms
	tokens []token
	runs   []run
	docs   []uint32 // that have a term
	err    error    // the first mistake

	// Memory of Build.
	order   []sortKey
	slots   []slot
	vector  score.Vector
	places  []uint32
	builder posting.Builder
}

// term is a distinct key.
type term struct {
	start, size uint32 // in arena
	hash        uint32
	count       uint32 // occurrences, then in Build the end of the term's slots
}

// token is an occurrence of a term.
type token struct {
	term uint32
	pos  uint32
}

// run is the tokens from start on, up to the next run, of one field of one
// document.
type run struct {
	start uint32
	doc   uint32
	field int
}

// slot is a token after sorting by term.
type slot struct {
	run uint32
	pos uint32
}

// sortKey orders terms: the first eight bytes of a key decide nearly always.
type sortKey struct {
	prefix uint64
	term   uint32
}

// minTable is the size of the smallest hash table.
const minTable = 1 << 8

// NewWriter returns a writer for documents with the given number of text
// fields.
func NewWriter(textFields int) *Writer {
	return &Writer{fields: textFields, seed: maphash.MakeSeed(), table: make([]uint64, minTable)}
}

// Reset forgets all documents and sets the number of text fields.
func (w *Writer) Reset(textFields int) {
	if len(w.terms) > len(w.table)/16 {
		clear(w.table)
	} else {
		// A small batch after a large one must not pay for the large table.
		mask := uint32(len(w.table) - 1)
		for id, t := range w.terms {
			i := t.hash & mask
			for uint32(w.table[i]) != uint32(id)+1 {
				i = (i + 1) & mask
			}
			w.table[i] = 0
		}
	}
	w.fields, w.err = textFields, nil
	w.terms, w.arena = w.terms[:0], w.arena[:0]
	w.tokens, w.runs, w.docs = w.tokens[:0], w.runs[:0], w.docs[:0]
}

// Grow raises the number of text fields to fields, for documents to come. It
// never lowers it.
func (w *Writer) Grow(fields int) { w.fields = max(w.fields, fields) }

// Text adds an occurrence of a term of a text field. doc never descends;
// positions never descend within a field of a document. It does not keep term.
func (w *Writer) Text(doc uint32, term []byte, field int, pos uint32) {
	if field < 0 || field >= w.fields {
		w.fail(fmt.Errorf("segment: document %d: text field %d of %d", doc, field, w.fields))
		return
	}
	w.add(doc, SpaceText, term, field, pos)
}

// Word adds an occurrence of a word as it was written in a text field. It
// does not keep word.
func (w *Writer) Word(doc uint32, word []byte, field int) {
	if field < 0 || field >= w.fields {
		w.fail(fmt.Errorf("segment: document %d: text field %d of %d", doc, field, w.fields))
		return
	}
	w.add(doc, SpaceWord, word, field, 0)
}

// Value adds a value of keyword field number field. Repeating it changes
// nothing. It does not keep value.
func (w *Writer) Value(doc uint32, field int, value []byte) {
	if field < 0 || field > 1<<16-1-int(SpaceValues) {
		w.fail(fmt.Errorf("segment: document %d: keyword field %d", doc, field))
		return
	}
	w.add(doc, SpaceValues+Space(field), value, 0, 0)
}

// fail keeps the first mistake.
func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// add appends a token.
func (w *Writer) add(doc uint32, space Space, term []byte, field int, pos uint32) {
	if n := len(w.runs); n == 0 || w.runs[n-1].doc != doc || w.runs[n-1].field != field {
		if n == 0 || w.runs[n-1].doc < doc {
			w.docs = append(w.docs, doc)
		} else if w.runs[n-1].doc > doc {
			w.fail(fmt.Errorf("segment: document %d after %d", doc, w.runs[n-1].doc))
			return
		}
		w.runs = append(w.runs, run{start: uint32(len(w.tokens)), doc: doc, field: field})
	}
	if len(term) > MaxTerm || uint64(len(w.arena)) > math.MaxUint32-MaxTerm-2 || uint64(len(w.tokens)) == math.MaxUint32 {
		w.fail(fmt.Errorf("segment: document %d: a term of %d bytes does not fit", doc, len(term)))
		return
	}
	w.tokens = append(w.tokens, token{term: w.number(space, term), pos: pos})
}

// number returns the number of a term and counts the occurrence.
func (w *Writer) number(space Space, key []byte) uint32 {
	hash := uint32(maphash.Bytes(w.seed, key)) ^ uint32(space)*0x9e3779b1
	mask := uint32(len(w.table) - 1)
	i := hash & mask
	for ; w.table[i] != 0; i = (i + 1) & mask {
		if uint32(w.table[i]>>32) != hash {
			continue
		}
		id := uint32(w.table[i]) - 1
		t := &w.terms[id]
		k := w.arena[t.start : t.start+t.size]
		if binary.BigEndian.Uint16(k) == space && string(k[2:]) == string(key) {
			t.count++
			return id
		}
	}
	id := uint32(len(w.terms))
	start := len(w.arena)
	w.arena = Key(w.arena, space, key)
	w.terms = append(w.terms, term{start: uint32(start), size: uint32(len(w.arena) - start), hash: hash, count: 1})
	w.table[i] = uint64(hash)<<32 | uint64(id+1)
	if 2*len(w.terms) > len(w.table) {
		w.enlarge()
	}
	return id
}

// enlarge doubles the hash table.
func (w *Writer) enlarge() {
	w.table = make([]uint64, 2*len(w.table))
	mask := uint32(len(w.table) - 1)
	for id, t := range w.terms {
		i := t.hash & mask
		for w.table[i] != 0 {
			i = (i + 1) & mask
		}
		w.table[i] = uint64(t.hash)<<32 | uint64(id+1)
	}
}

// Bytes returns how much memory the writer holds for the documents so far,
// with what Build will add to it.
func (w *Writer) Bytes() int {
	return 8*len(w.table) + (16+16)*len(w.terms) + len(w.arena) + (8+8)*len(w.tokens) + 16*len(w.runs) + 4*len(w.docs)
}

// Build returns the segment of the documents, in which local document i is
// base+i. im.Table must be for the writer's number of text fields. The writer
// must be Reset before it takes another document.
func (w *Writer) Build(base posting.DocID, im *Impacts) (*Parts, error) {
	if w.err != nil {
		return nil, w.err
	}
	if fields := im.Table.Book().Fields(); fields != w.fields {
		return nil, fmt.Errorf("segment: impacts are for %d text fields, documents have %d", fields, w.fields)
	}
	docs := roaring.New()
	first := base
	if n := len(w.docs); n > 0 {
		if uint64(base)+uint64(w.docs[n-1]) > 1<<32-1 {
			return nil, fmt.Errorf("segment: no document numbers after %d", base)
		}
		for i := range w.docs {
			w.docs[i] += base
		}
		docs.AddMany(w.docs)
		first = w.docs[0]
	}
	w.sort()
	w.scatter()
	parts := &Parts{}
	a, err := newAssembler(parts, im, first)
	if err != nil {
		return nil, err
	}
	from := uint32(0)
	for _, o := range w.order {
		t := w.terms[o.term]
		key := w.arena[t.start : t.start+t.size]
		if err := w.collect(a, kindOf(key), w.slots[from:t.count], base); err != nil {
			return nil, fmt.Errorf("%s: %w", place(key), err)
		}
		if err := a.add(key, &w.builder); err != nil {
			return nil, fmt.Errorf("%s: %w", place(key), err)
		}
		from = t.count
	}
	if _, err := a.finish(docs); err != nil {
		return nil, err
	}
	return parts, nil
}

// sort puts the terms in the order of their keys.
func (w *Writer) sort() {
	w.order = w.order[:0]
	for id, t := range w.terms {
		var prefix [8]byte
		copy(prefix[:], w.arena[t.start:t.start+t.size])
		w.order = append(w.order, sortKey{binary.BigEndian.Uint64(prefix[:]), uint32(id)})
	}
	slices.SortFunc(w.order, func(x, y sortKey) int {
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		s, t := w.terms[x.term], w.terms[y.term]
		return bytes.Compare(w.arena[s.start:s.start+s.size], w.arena[t.start:t.start+t.size])
	})
}

// scatter distributes the tokens to slots by term, in the order of w.order,
// and leaves in each term's count where its slots end.
func (w *Writer) scatter() {
	w.slots = slices.Grow(w.slots[:0], len(w.tokens))[:len(w.tokens)]
	at := uint32(0)
	for _, o := range w.order {
		t := &w.terms[o.term]
		t.count, at = at, at+t.count
	}
	for r := range w.runs {
		end := len(w.tokens)
		if r+1 < len(w.runs) {
			end = int(w.runs[r+1].start)
		}
		for _, tok := range w.tokens[w.runs[r].start:end] {
			t := &w.terms[tok.term]
			w.slots[t.count] = slot{uint32(r), tok.pos}
			t.count++
		}
	}
}

// collect puts the postings of one term into w.builder.
func (w *Writer) collect(a *assembler, kind posting.Kind, slots []slot, base posting.DocID) error {
	b := &w.builder
	b.Reset(a.coding, kind)
	for len(slots) > 0 {
		first := slots[0].run
		doc := w.runs[first].doc
		n := 1
		for n < len(slots) && (slots[n].run == first || w.runs[slots[n].run].doc == doc) {
			n++
		}
		w.vector, w.places = w.vector[:0], w.places[:0]
		switch {
		case kind == posting.KindDocs:
		case slots[n-1].run == first: // in one field only, as nearly always
			w.vector = append(w.vector, score.Freq{Field: uint16(w.runs[first].field), TF: uint32(n)})
			for _, s := range slots[:n] {
				w.places = append(w.places, s.pos)
			}
		default:
			w.gather(slots[:n])
		}
		if kind != posting.KindPositions {
			w.places = w.places[:0]
		}
		if err := b.Add(base+doc, w.vector, w.places); err != nil {
			return err
		}
		slots = slots[n:]
	}
	return nil
}

// gather puts the slots of one term in one document into w.vector and
// w.places, which are empty. Runs of one field need not stand together.
func (w *Writer) gather(slots []slot) {
	byField := func(x, y slot) int { return w.runs[x.run].field - w.runs[y.run].field }
	if !slices.IsSortedFunc(slots, byField) {
		slices.SortStableFunc(slots, byField)
	}
	for _, s := range slots {
		field := uint16(w.runs[s.run].field)
		if n := len(w.vector); n > 0 && w.vector[n-1].Field == field {
			w.vector[n-1].TF++
		} else {
			w.vector = append(w.vector, score.Freq{Field: field, TF: 1})
		}
		w.places = append(w.places, s.pos)
	}
}
