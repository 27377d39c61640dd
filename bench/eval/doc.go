// Package eval measures ranking quality: it reads judged collections, runs
// their queries through a search function and computes the measures of
// trec_eval, so that its numbers stand beside published ones.
//
// A [Collection] is what [Open] finds in a folder: the [Query] list, the
// [Judgments] and a stream of [Document] records, or what [New] makes of values
// and of a file of one's own judgments ([ReadJudgments]). A [Searcher] is the
// system under test, once it has indexed those documents. [Evaluate] asks it every query
// and returns a [Report] of the [Measure] values per query, their means and the
// latency; [EvaluateRun] does the same for a [Run] that was read from a file.
// [Report.Compare] tells whether the difference between two reports could be
// chance.
//
// # Folder layouts
//
// BEIR: three files, of which the first may be gzipped (corpus.jsonl.gz).
//
//	corpus.jsonl   {"_id": "d1", "title": "…", "text": "…", "price": 4995}   one a line, any fields
//	queries.jsonl  {"_id": "q1", "text": "red shoes"}                        one a line
//	qrels.tsv      query-id <tab> corpus-id <tab> score                      after a header line
//
// In place of qrels.tsv there may be a folder qrels with one such file a split, as the
// published collections have it: qrels/test.tsv is read unless [OpenOptions] name another.
//
// TREC: any file names, in any subfolders, plain or gzipped. What a file holds
// is told by how it begins; files that begin otherwise are passed over.
//
//	topics     <top><num> Number: 301 <title> international crime <desc> … </top>
//	documents  <DOC><DOCNO> FT911-3 </DOCNO><TEXT> … </TEXT></DOC>
//	qrels      301 0 FT911-3 1                                               query, iteration, document, score
//
// A TREC document becomes a JSON record: "_id" is its DOCNO and every other
// element directly below DOC is a string field of the same name in lower case,
// with inner tags dropped; an element that occurs more than once is joined by
// line feeds. A topic's text is its title, or its desc where it has no title.
//
// # Measures
//
// A document is relevant if its judgment is 1 or more; unjudged documents and
// those judged 0 or less are not. Queries without a relevant document are left
// out, and queries for which nothing was found count as 0. With rel(i) the
// judgment at rank i, R the number of relevant documents and n the depth of the
// ranking:
//
//	nDCG@k    sum of rel(i)/log2(i+1) for i <= k, over the same sum for the best possible ranking of all that is judged
//	MAP       sum of P@i over the ranks i of relevant documents, divided by R
//	MRR       1 / rank of the first relevant document
//	P@k       relevant documents among the first k, divided by k
//	Recall@k  relevant documents among the first k, divided by R
//	judged@k  judged documents among the first k, divided by min(k, n)
//
// They equal trec_eval's ndcg_cut_k, map, recip_rank, P_k and recall_k (Buckley
// and Voorhees, in TREC: Experiment and Evaluation in Information Retrieval,
// MIT Press 2005). trec_eval has no judged@k; it says how much of the ranking
// the other numbers rest on.
//
// # Order of equal scores
//
// A Searcher's own order is taken as it is. trec_eval ignores the ranks in a run
// file and sorts by score, which it keeps as a 32-bit float, then by document
// number descending; [ReadRun] does the same. [WriteRun] therefore lowers a
// score by the least possible step where it would tie, so that a written run is
// read back, here and by trec_eval, in the order in which it was ranked.
//
// Nothing in this package is safe for concurrent use while it is being changed;
// values that are only read may be shared.
package eval
