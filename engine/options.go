package engine

import (
	"time"

	"github.com/quarry-search/quarry/storage"
	"github.com/quarry-search/quarry/tokenize"
)

// Options sets up an Engine. The zero value works; nil is the zero value. What
// makes no sense, such as a negative size where none is spoken of, is an
// *InvalidError of Open.
type Options struct {
	// Memory bounds the caches, in bytes: what was read of the index, its values,
	// words and records, and is kept for the next search. Default 256 MiB, at least
	// 16 MiB. Lengths of texts, a byte for each Text field of a record, are always
	// kept, also where they alone are more. What searches and batches under way
	// need comes on top, and what no flush has written yet: see FlushBytes. Of
	// batches with more than 1 MiB of records, those that have an eighth of Memory
	// together are carried out at a time, or one that is larger.
	Memory int64
	// ReadOnly opens an existing directory without changing it.
	ReadOnly bool
	// NoAutoCreate makes a write to an unknown index fail instead of creating
	// the index.
	NoAutoCreate bool
	// MinFreeBytes is the free space below which writes fail with
	// ErrStorageFull. Default 64 MiB; negative switches the check off.
	MinFreeBytes int64
	// FlushBytes and FlushRecords bound what is searchable from memory only:
	// past either of them the newest records' part of the index is written to
	// disk in the background. They bound the work of opening after a crash.
	// Defaults 8 MiB and 200,000.
	FlushBytes   int64
	FlushRecords int
	// NoMerge keeps the background from merging segments on disk, so that they
	// stay as flushes made them. Searches get slower with every flush: it is for
	// measuring how much, and for filling an index that Merge makes one
	// segment of in the end.
	NoMerge bool
	// Limits bound what one record, batch or query may ask for.
	Limits Limits
	// Vectors bounds what is learnt from the records for ranking.
	Vectors VectorOptions
	// Analyzers are rules of the application's own for what the words of Text
	// fields are: Field.Analyzer names one of them. Names are like those of
	// indexes, other than those that Field.Analyzer knows anyway. A name that is
	// in use by an index has to be here when the engine is opened again: see
	// ErrNoAnalyzer and ErrOtherAnalyzer.
	Analyzers map[string]*tokenize.Analyzer
	// Embedders make vectors of texts for the Vector fields that name one, by
	// these names; see Field.Embedder. Names are like those of indexes.
	Embedders map[string]Embedder
	// Events tells of what goes on in the background.
	Events Events
	// Now is the clock; default time.Now. Only times that are shown to people
	// depend on it.
	Now func() time.Time

	fs         storage.FS // tests of this package inject faults here
	unfinished bool       // storage.Options.Unfinished, for Repair
	// Tests of this package, whose chunks are small, set these to 1: see
	// fewDocs and cachedDocs.
	fewDocs, cachedDocs int
	learnQuiet          time.Duration // see there
	// caches, other than 0, is what tests let all caches take together, which may
	// be next to nothing.
	caches int64
}

// Limits of inputs; each zero means its default. A limit that is met is an
// error that names it; nothing is ever cut.
type Limits struct {
	RecordBytes  int // one record; default 1 MiB
	RecordDepth  int // nesting of a record; default 32
	BatchOps     int // operations in a batch; default 100,000
	BatchBytes   int // sum of the records of a batch; default 64 MiB
	IndexFields  int // fields of an index; default 1,000, at most 32,768, 4,096 of them searched
	Indexes      int // indexes of an engine; default 1,000
	QueryBytes   int // text of a query; default 4 KiB
	QueryTerms   int // words of a query; default 64
	FilterOps    int // operators of a filter; default 1,000
	FilterDepth  int // nesting of a filter; default 64
	Hits         int // limit of a request; default 1,000
	Window       int // offset + limit; default 10,000 (beyond: a cursor)
	Facets       int // facets of a request; default 32
	FacetValues  int // values of a facet; default 1,000
	PrefixTerms  int // terms that a prefix may stand for; default 65,536
	KeywordBytes int // one keyword value; default 32,766
}

func orDefault[T int | int64](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

// withDefaults returns a copy with every zero replaced.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Memory = orDefault(c.Memory, 256<<20)
	c.FlushBytes = orDefault(c.FlushBytes, 8<<20)
	c.FlushRecords = orDefault(c.FlushRecords, 200_000)
	l := &c.Limits
	l.RecordBytes = orDefault(l.RecordBytes, 1<<20)
	l.RecordDepth = orDefault(l.RecordDepth, 32)
	l.BatchOps = orDefault(l.BatchOps, 100_000)
	l.BatchBytes = orDefault(l.BatchBytes, 64<<20)
	l.IndexFields = min(orDefault(l.IndexFields, 1000), floatColumns)
	l.Indexes = orDefault(l.Indexes, 1000)
	l.QueryBytes = orDefault(l.QueryBytes, 4096)
	l.QueryTerms = orDefault(l.QueryTerms, 64)
	l.FilterOps = orDefault(l.FilterOps, 1000)
	l.FilterDepth = orDefault(l.FilterDepth, 64)
	l.Hits = orDefault(l.Hits, 1000)
	l.Window = orDefault(l.Window, 10_000)
	l.Facets = orDefault(l.Facets, 32)
	l.FacetValues = orDefault(l.FacetValues, 1000)
	l.PrefixTerms = orDefault(l.PrefixTerms, 65_536)
	l.KeywordBytes = orDefault(l.KeywordBytes, 32_766)
	c.Vectors = c.Vectors.withDefaults(c.Memory)
	c.fewDocs = orDefault(c.fewDocs, fewDocs)
	c.cachedDocs = orDefault(c.cachedDocs, cachedDocs)
	if c.learnQuiet == 0 {
		c.learnQuiet = learnQuiet
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Events are calls about what goes on. Each may be nil. They are made on the
// goroutine that meets what they tell of, the engine's own or one that is in a
// method of the engine, and must return quickly.
//
// Flushed, Merged, Learnt, Words and EmbedderDown may call the engine, but not
// its Close. The others may come out of the storage, which holds locks, so they
// must not.
type Events struct {
	Corruption   func(error)                                          // damaged bytes were met, by the background or by a method that returns ErrCorrupt
	Background   func(error)                                          // some work in the background failed and will be tried again; at most one a second of each kind of work
	EmbedderDown func(name string, err error)                         // a query was ranked by words alone, as this embedder failed; at most one a second
	Flushed      func(index string, records int, took time.Duration)  // so many live records that were in memory only are on disk
	Merged       func(index string, segments int, took time.Duration) // so many segments on disk have become one, or none
	Learnt       func(index string, records int, took time.Duration)  // vectors of so many records are new
	Words        func(index string, words int, took time.Duration)    // so many words of a segment were read, for misspelt queries to come
	LowDisk      func(freeBytes uint64)                               // so little space is left on the file system
	WriteStall   func(begin bool, reason string)                      // writes wait for the disk, from the call with begin to the next one
	SlowDisk     func(file, operation string, since time.Duration)    // a write or sync is under way for seconds; at most one a second
	// Fatal is called when storage failed in a way after which no promise can
	// be kept. It must end the process; the default writes one line to
	// standard error and exits with code 70.
	Fatal func(error)
}

// orDefaults returns l with every zero replaced.
func (l Limits) orDefaults() Limits {
	return (&Options{Limits: l}).withDefaults().Limits
}
