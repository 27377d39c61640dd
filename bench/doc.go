// Package bench measures Quarry through its public API: how fast it indexes
// and answers, and how well it ranks. Its benchmarks report both side by side,
// so that a change which makes one better and the other worse is seen at once.
//
//	go test -bench . ./bench
//
// testdata/kitchen is a judged collection that ships with the project. Others
// are found by environment variables: QUARRY_JUDGED lists directories in the
// layout of BEIR (corpus.jsonl[.gz], queries.jsonl, qrels.tsv) or of TREC, and
// QUARRY_COLLECTIONS is a directory of directories in that of BEIR, some of
// which are for measuring time alone. README.md teaches how to measure.
//
// Package eval loads collections and computes the measures, package protocol
// speaks with the driver in peers, which runs other engines on the same work.
package bench
