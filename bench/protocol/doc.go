// Package protocol is our side of the conversation with the driver in
// bench/peers, which times search engines on the same work: the query syntax,
// the query loop and the write scenario.
//
// [Serve] answers queries through a [Searcher], [RunLive] plays the write scenario
// on a [Live] index, [Documents] reads the corpus. All of it is text, a line an
// item, so that engines in any language can take part.
//
// # Corpus
//
// A line "id<tab>text" for each document. The text is of lower-case runs of
// letters and digits with single spaces between, so that an engine that splits at
// spaces has the same terms as every other and counts agree exactly.
//
// # Queries
//
// The program prints READY with the nanoseconds it took to open the index, then
// answers one line with one line until its input ends:
//
//	READY<tab>1843210
//	COUNT<tab>+red +shoes                  ->  412<tab>18230
//	TOP_10<tab>red shoes                   ->  10<tab>30112
//	TOP_10_COUNT<tab>red -"old shoes"      ->  9120<tab>151009
//	IDS_2<tab>"red shoes"                  ->  2<tab>20551<tab>d17=9.81204 d3=9.44000
//	EXHAUSTIVE_2<tab>"red shoes"           ->  2<tab>90118<tab>d17=9.81204 d3=9.44000
//	COUNT<tab>what we cannot do            ->  UNSUPPORTED
//
// The first number is the count of matching documents, or for TOP_k and IDS_k
// the number of hits; the second is the time in nanoseconds from the text of the
// query to the answer. Errors are answered with ERROR and the reason.
//
// A query is a list of words and "phrases", each with an optional + (must match)
// or - (must not match) in front. The command names are those of the public
// search-benchmark-game, with two added: IDS_k names the hits, and EXHAUSTIVE_k
// names those that are found by scoring every match, for the driver to compare.
//
// # Writes
//
// RunLive prints one line for each measure: a name and a number, or a name and
// the quantiles "p50 1.20 p99 3.40 max 5.00".
package protocol
