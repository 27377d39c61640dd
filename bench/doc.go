// Package bench measures Quarry through its public API: how fast it indexes
// and answers, and how well it ranks. Its benchmarks report both side by side,
// so that a change which makes one better and the other worse is seen at once.
//
//	go test -bench . ./bench
//
// The collections are found by the environment variable QUARRY_COLLECTIONS, a
// directory of directories in BEIR layout (corpus.jsonl[.gz], queries.jsonl,
// qrels.tsv). Package eval loads collections and computes the measures,
// package protocol speaks with the driver in peers, which runs other engines
// on the same work.
package bench
