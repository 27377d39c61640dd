// Package engine is a search engine as a Go library: it keeps records in a
// directory, or in memory, and finds them by words, ranked, with filters,
// facets, sorting, highlights and explanations. There is no server, nothing to
// configure, and a record is found as soon as it is put.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/quarry-search/quarry/engine"
//	)
//
//	type Product struct {
//		ID    string
//		Title string
//		Brand string `quarry:"facet"`
//		Price float64
//	}
//
//	func main() {
//		ctx := context.Background()
//		e, err := engine.Open("data", nil) // "" keeps everything in memory
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer e.Close()
//		products, err := engine.Bind[Product](ctx, e, "products", nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		err = products.Put(ctx, Product{"1", "Red running shoes", "Nike", 39.5}, Product{"2", "Blue hat", "Asics", 9})
//		if err != nil {
//			log.Fatal(err)
//		}
//		res, err := products.Search(ctx, &engine.Request{Query: "runing shoe", Filter: "Price < 50"})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, hit := range res.Hits {
//			fmt.Println(hit.Score, hit.Record.Title)
//		}
//	}
//
// # Words
//
// A record is a JSON object with an id, a string or an integer. An index is a
// named set of records with a schema, which says of each field what type it has
// and what it is for: words to be searched, values for filters, facets and
// sorting. An [Engine] holds any number of indexes. A [Batch] is a list of puts,
// patches and deletes in any of them that happens as one. A [Request] is a
// search; a [Result] has its hits, best first, their number in all, and facets:
// how many matches there are of each value of a field. A [Snapshot] is the state
// after one batch, which stays as it is for as long as it is open.
//
// # The ways in
//
// With a Go type: [Bind] makes an [Index] of a struct; its fields and their tags
// are the schema, and values go in and come out. This is the way to begin.
//
// With JSON: [Engine.Apply] carries out a Batch of records as they are, and
// [Engine.Search] looks in one, some or all indexes. The first record that is
// put into an index makes the index and its schema, in the language of its batch; [Engine.CreateIndex] gives
// a schema beforehand, and [Infer] proposes one from samples. Both ways lead to
// the same indexes and may be mixed.
//
// What people type goes into Request.Query: words, "phrases", +required and
// -excluded ones. Misspelt words are repaired, the last word may be unfinished,
// and words may speak of fields, as in "nike shoes under $50"; each of these can
// be switched off in the Request, and [QueryInfo] tells what was understood.
// What programs ask goes into Request.Filter, in the language of
// [query.ParseFilter]: brand = "Nike" AND price < 50. [query.Quote] writes a text
// as a value there, so that nothing that users typed becomes a part of it.
//
// What a word is, each text field decides: by its language, or by an analyzer of
// the application's own in [Options.Analyzers], as the example customAnalyzer
// shows.
//
// # What is promised
//
// A write that has returned is durable and seen by every search that begins
// later; there is no refresh to wait for. A batch happens as a whole or not at
// all. Totals, facets and 64-bit integers are exact. Hits have one order: by
// score or sort keys, without either the newest first, then by the names of indexes
// and the ids of records. The
// parts of an explanation add up to the score. A limit that is met is an error
// that names it (see [Limits]); nothing is cut silently.
//
// All methods of an Engine, an Index and a Snapshot may be called at the same
// time. Searches do not wait for writes, nor writes for searches.
// Writes are prepared side by side and committed in one order. Values that are
// passed in, such as a Request, may not be changed until the call returns; what
// is returned belongs to the caller. One process at a time may have a directory
// open, which a lock sees to.
//
// The package does not log, keeps no package-level state and speaks no protocol;
// [Events] tells of work in the background. When nobody may go on because
// storage failed, it ends the process with a line on standard error, which
// Events.Fatal can take over.
//
// # What it costs
//
// A batch costs a synced write to disk, a millisecond or several, whatever its
// size: put many records at a time. A field with facet, filter or sort keeps its
// values besides its words, so do not ask for that in long texts. Caches take up
// to Options.Memory, by default 256 MiB, and searches and batches under way what
// they need besides. The lengths of texts are always kept, a byte for each Text field
// of a record. Opening after a Close hardly depends on the number of records; after
// a crash the last batches are indexed again: those of Options.FlushBytes, and under
// load as many again that came during a flush. A few goroutines flush, merge and
// learn in the background, and none is left after Close.
//
// In memory, which is what Open makes of "", everything is the same but Backup.
// Opening takes milliseconds, so each test can have an engine of its own.
//
// # Errors
//
// Each method says which errors it gives besides those that all methods of an
// Engine do. What is wrong with an input comes as an [*InvalidError], all of it
// at once, with JSON pointers, columns and stable codes; all other decisions
// that a caller can take have a sentinel for errors.Is, from ErrNotFound on.
//
// # Ranking
//
// The score of a record is the sum over the words of the query, with k1 = 1.2
// and, for each field f of the record, its [Field] weight and b:
//
//	idf * (k1+1) * x / (k1 + x)
//	x   = sum over f of weight * frequency / (1 - b + b * length/average length)
//	idf = ln(1 + (records - n + 0.5) / (n + 0.5)), n records having the word
//
// This is BM25F after Zaragoza, Craswell, Taylor, Saria and Robertson, "Microsoft
// Cambridge at TREC 13" (2004). The stages of [Tuning] are added, and nearness of
// meaning, by vectors that are learnt from the records of an index alone: see
// [VectorOptions]. A [ScorePart] has each number that went into a score.
package engine
