package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/quarry-search/quarry/engine/internal/page"
	"github.com/quarry-search/quarry/engine/internal/posting"
	"github.com/quarry-search/quarry/engine/internal/vector"
	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/tokenize"
)

const (
	// retrainShare is how many documents have to be written since a training,
	// for each record that it looked at, until there is another.
	retrainShare = 0.5
	// learnQuiet is how long an index must not have been written to before it
	// learns, so that an import is not slowed down; learnPatience is how many
	// times as long it waits at most.
	learnQuiet    = time.Second
	learnPatience = 30
	// sampleRecords is how many records a training looks at, at most, however
	// short they are: its memory grows with them, too.
	sampleRecords = 50_000
)

// TrainVectors learns the vectors of an index from its records as they are
// now, whether that is due or not, and returns when searches use them. It does
// what the background does by itself a moment after writes. After it, the
// ranking depends on the live records alone, and not on the order in which
// they were written, on segments or on earlier trainings. An index that does
// not learn (see VectorOptions, Schema.Semantic) has no vectors afterwards.
func (e *Engine) TrainVectors(ctx context.Context, index string) (err error) {
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
	iv.ix.vectors.training.Lock()
	defer iv.ix.vectors.endTraining()
	return e.train(ctx, iv.ix)
}

// learns tells whether an index ranks by meaning.
func (e *Engine) learns(iv *indexView) bool {
	o := &e.opts.Vectors
	switch {
	case iv.schema.embedder() >= 0: // which ranks by meaning in its place
		return false
	case iv.schema.stale != nil || o.Off || iv.schema.Semantic == SemanticOff || len(iv.schema.text) == 0:
		return false
	case iv.schema.Semantic == SemanticOn:
		return true
	}
	return iv.stats.Docs >= o.Records && iv.stats.All.avg() >= o.Words
}

// trainDue tells whether an index should be trained, foldDue whether it has
// documents that need vectors.
func (e *Engine) trainDue(iv *indexView, h *vectorHead) bool {
	return e.learns(iv) && iv.stats.Docs > 0 &&
		(h.Last == 0 || float64(iv.nextDoc-h.Trained) >= retrainShare*float64(h.Records))
}

func (e *Engine) foldDue(iv *indexView, h *vectorHead) bool {
	return h.Model != 0 && iv.nextDoc > h.NextDoc && e.learns(iv)
}

// learnDue returns the indexes that have something to learn, with their versions.
func (e *Engine) learnDue() (map[*index]uint64, error) {
	v, err := e.acquire()
	if err != nil {
		return nil, nil // closing
	}
	defer e.release(v)
	out := map[*index]uint64{}
	for name, iv := range v.indexes {
		if isHidden(name) || !e.learns(iv) {
			continue
		}
		h, err := e.vectorHeadOf(iv.ix)
		if err != nil {
			return nil, fmt.Errorf("index %q: vectors: %w", name, err)
		}
		if e.trainDue(iv, h) || e.foldDue(iv, h) {
			out[iv.ix] = iv.version
		}
	}
	return out, nil
}

// vectorRound trains and folds in where it is due, in all indexes, each when it
// has not been written to for a while.
func (e *Engine) vectorRound(ctx context.Context) error {
	waited := map[*index]int{}
	before := map[*index]uint64{}
	for {
		due, err := e.learnDue()
		if err != nil || len(due) == 0 {
			return err
		}
		var errs []error
		for ix, version := range due {
			if waited[ix]++; before[ix] == version && waited[ix] > 1 || waited[ix] > learnPatience {
				delete(waited, ix)
				errs = append(errs, e.learn(ctx, ix))
			}
		}
		if err := errors.Join(errs...); err != nil || ctx.Err() != nil {
			return err
		}
		before = due
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(e.opts.learnQuiet):
		}
	}
}

// learn does what is due in an index.
func (e *Engine) learn(ctx context.Context, ix *index) error {
	ix.vectors.training.Lock()
	defer ix.vectors.endTraining()
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	h, err := e.vectorHeadOf(ix)
	switch {
	case err != nil:
		return err
	case e.trainDue(iv, h):
		return e.train(ctx, ix)
	case e.foldDue(iv, h):
		return e.fold(ctx, v, iv)
	}
	return nil
}

// train makes a new model of an index and the vectors of all of its records.
// ix.vectors.training is held.
func (e *Engine) train(ctx context.Context, ix *index) error {
	start := time.Now()
	v, iv, err := e.acquireIndex(ix)
	if err != nil || iv == nil {
		return err
	}
	defer e.release(v)
	old, err := e.vectorHeadOf(ix)
	if err != nil {
		return err
	}
	head := vectorHead{Last: old.Last + 1, Records: iv.stats.Docs, Trained: iv.nextDoc}
	o := &e.opts.Vectors
	if !e.learns(iv) || iv.vectorPlaces()*(2*64+4) > o.Memory/2 {
		if old.Model == 0 && old.Last == 0 && !e.learns(iv) {
			return nil // nothing to take back
		}
		return e.setVectors(ix, head, nil)
	}
	c, err := e.corpus(ctx, v, iv)
	if err != nil {
		return err
	}
	model, err := vector.Train(ctx, c, vector.Options{Terms: o.Terms})
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	data := model.Encode()
	head.Model, head.NextDoc, head.Bytes = head.Last, iv.nextDoc, len(data)
	fresh := &vectors{head: head, model: model}
	if fresh.blocks, err = e.embed(ctx, v, iv, model, nil, 0); err != nil {
		return err
	}
	if model.Terms() == 0 || int64(fresh.bytes()) > o.Memory/2 {
		head.Model, head.NextDoc, head.Bytes = 0, 0, 0
		return e.setVectors(ix, head, nil)
	}
	if err := e.putVectors(ix.number, fresh, 0, data); err != nil {
		return err
	}
	if err := e.setVectors(ix, head, fresh); err != nil {
		return err
	}
	e.learnt(iv, v.nameOf(ix), int(iv.stats.Docs), start)
	return nil
}

// fold gives the documents that came since the last time their vectors.
// ix.vectors.training is held.
func (e *Engine) fold(ctx context.Context, v *view, iv *indexView) error {
	start := time.Now()
	now, err := e.vectorsOf(iv.ix)
	if err != nil || now == nil {
		return err
	}
	head := now.head
	first := head.NextDoc
	head.NextDoc = iv.nextDoc
	fresh := &vectors{head: head, model: now.model}
	if fresh.blocks, err = e.embed(ctx, v, iv, now.model, now.blocks, first); err != nil {
		return err
	}
	if int64(fresh.bytes()) > e.opts.Vectors.Memory/2 {
		head.Model, head.NextDoc, head.Bytes = 0, 0, 0
		return e.setVectors(iv.ix, head, nil)
	}
	if err := e.putVectors(iv.ix.number, fresh, first, nil); err != nil {
		return err
	}
	if err := e.setVectors(iv.ix, head, fresh); err != nil {
		return err
	}
	e.learnt(iv, v.nameOf(iv.ix), int(head.NextDoc-first), start)
	return nil
}

// embed returns the blocks of vectors up to iv.nextDoc, of which the documents
// below first are in blocks already. One in which no document lives is nil.
func (e *Engine) embed(ctx context.Context, v *view, iv *indexView, m *vector.Model, blocks [][]byte, first posting.DocID) ([][]byte, error) {
	size := m.Size()
	out := make([][]byte, (int(iv.nextDoc)+vectorBlock-1)/vectorBlock)
	copy(out, blocks[:first/vectorBlock])
	room := func(n posting.DocID) []byte {
		if out[n] == nil {
			out[n] = make([]byte, int(min(vectorBlock, iv.nextDoc-n*vectorBlock))*size)
		}
		return out[n]
	}
	if n := first / vectorBlock; int(n) < len(blocks) && blocks[n] != nil {
		copy(room(n), blocks[n]) // what has a vector already
	}
	var docs []posting.DocID
	for _, c := range iv.chunks {
		for doc := max(first, c.base()); doc < c.end(); doc++ {
			if !iv.isDead(doc) {
				docs = append(docs, doc)
			}
		}
	}
	text := m.Text()
	return out, e.eachText(ctx, v, iv, docs, text.Add, func(i int) {
		at := int(docs[i]%vectorBlock) * size
		text.Append(room(docs[i] / vectorBlock)[at:at])
	})
}

// corpus returns the texts of an index, of a large one those of a sample: the
// records whose ids have the lowest hashes.
func (e *Engine) corpus(ctx context.Context, v *view, iv *indexView) (*vector.Corpus, error) {
	sample, err := e.sample(ctx, iv)
	if err != nil {
		return nil, err
	}
	docs := make([]posting.DocID, len(sample))
	for i, s := range sample {
		docs[i] = s.doc
	}
	c := vector.NewCorpus()
	if len(sample) > 0 {
		c.Begin(sample[0].key)
	}
	return c, e.eachText(ctx, v, iv, docs, c.Add, func(i int) {
		if i+1 < len(sample) {
			c.Begin(sample[i+1].key)
		}
	})
}

// sampled is a document with the hash of its id.
type sampled struct {
	key uint64
	doc posting.DocID
}

// sample returns the documents that a training looks at, by their numbers.
func (e *Engine) sample(ctx context.Context, iv *indexView) ([]sampled, error) {
	all := make([]sampled, 0, iv.stats.Docs)
	h := fnv.New64a()
	for _, c := range iv.chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range c.chunk.Len() {
			if iv.isDead(c.base() + uint32(i)) {
				continue
			}
			id, err := c.chunk.ID(i)
			if err != nil {
				return nil, err
			}
			h.Reset()
			h.Write(id)
			all = append(all, sampled{mix(h.Sum64()), c.base() + uint32(i)})
		}
	}
	most := min(sampleRecords, int(float64(e.opts.Vectors.Sample)/max(1, iv.stats.All.avg())))
	if len(all) > most {
		slices.SortFunc(all, func(a, b sampled) int { return cmp.Compare(a.key, b.key) })
		all = all[:most]
		slices.SortFunc(all, func(a, b sampled) int { return cmp.Compare(a.doc, b.doc) })
	}
	return all, nil
}

// mix spreads the differences of similar ids, which FNV keeps in the lower
// half, over all bits (the finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// eachText calls add with the content words of each of some documents, which
// come by their numbers: the fields in their order, and in each the words as
// the query's analyzer finds them. After each document it calls done with its
// place in docs.
func (e *Engine) eachText(ctx context.Context, v *view, iv *indexView, docs []posting.DocID, add func(term []byte), done func(i int)) error {
	streams := map[*tokenize.Analyzer]*tokenize.Stream{}
	for _, t := range iv.schema.text {
		if streams[t.analyzer] == nil {
			streams[t.analyzer] = t.analyzer.NewStream()
		}
	}
	return e.eachStored(ctx, v, iv.ix.number, docs, func(i int, record []byte) {
		texts := textsOf(record, iv.schema)
		for _, t := range iv.schema.text {
			s := streams[t.analyzer]
			for _, text := range texts[iv.schema.Fields[t.field].Name] {
				s.ResetQuery([]byte(text))
				for tok, ok := s.Next(); ok; tok, ok = s.Next() {
					if !tok.Stop && !tok.Part && tok.Kind != tokenize.KindUnigram {
						add(tok.Term)
					}
				}
			}
		}
		done(i)
	})
}

// eachStored calls f with the records of some documents, which come by their
// numbers. It reads each block once, and leaves those in memory alone that
// searches have use for.
func (e *Engine) eachStored(ctx context.Context, v *view, ix uint32, docs []posting.DocID, f func(i int, record []byte)) error {
	lo, hi := storage.BlockRange(ix, 0, ^uint32(0))
	it, err := v.kv.Iter(lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	var block *page.Block
	var first posting.DocID
	for i, doc := range docs {
		if block == nil || int(doc-first) >= block.Len() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !it.SeekLT(storage.BlockKey(ix, doc+1)) {
				if err := it.Err(); err != nil {
					return err
				}
				return corruptf("document %d of index %d has no stored block", doc, ix)
			}
			if _, first, err = storage.ParseBlockKey(it.Key()); err != nil {
				return err
			}
			if block, err = e.blocks.Decode(it.Value()); err != nil {
				return corruptf("stored block %d of index %d: %w", first, ix, err)
			}
			if int(doc-first) >= block.Len() {
				return corruptf("document %d of index %d is beyond stored block %d", doc, ix, first)
			}
		}
		f(i, block.Record(int(doc-first)))
	}
	return it.Err()
}
