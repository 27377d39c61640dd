package engine

import (
	"math/big"
	"time"

	"github.com/quarry-search/quarry/engine/query"
)

// Syntax is how the text of a query is read.
type Syntax uint8

// Syntaxes.
const (
	SyntaxSimple Syntax = iota // words, "phrases", +must, -not, OR, prefix*
	SyntaxQuery                // AND OR NOT, parentheses, field:, ranges, boosts, slop
)

// Ranking chooses how hits are ranked.
type Ranking uint8

// Rankings.
const (
	RankingDefault Ranking = iota // BM25F over the weighted fields, filler words weighed down, exact forms preferred
	RankingBM25                   // plain BM25 over all text fields as one, every word alike
)

// Prefix chooses which words of a simple query also match as beginnings of
// words: those of two characters or more, which are no filler words. A single
// one is a word like others, unless it is written as "h*".
type Prefix uint8

// Prefix modes.
const (
	PrefixLast Prefix = iota // the last word, while it may still be being typed: nothing is behind it, and no stop or question mark
	PrefixAll                // every word
	PrefixOff                // none: words match as they are, and in their forms
)

// Match chooses which records a simple query matches. A phrase counts as one
// word; filler words count only with MatchAll, or where there are no others.
type Match uint8

// Match modes.
const (
	// MatchAuto: the records that hold every content word; where these, in all
	// searched indexes together, are fewer than Limit, all that hold at least one.
	// If ten or more hold all, these come first then, so that the first hits are the
	// same however many are asked for, from ten on; not where Sort or vectors of a
	// field are the order. They are counted before MinScore, Distinct and Group.
	// Beside words with a +, which are always required, it asks for all of the
	// others or, where there is one or too few records hold them, for none.
	// RankingBM25 reads it as MatchAny, and as asking for none beside a +.
	MatchAuto Match = iota
	MatchAll        // every word, filler words included
	MatchAny        // at least one content word, besides those with a +
)

// Request is one search. The zero value matches every record, newest first.
type Request struct {
	// Indexes to search, by name; a name may end in * and then stands for all
	// that begin with it. Empty means every index that is not Hidden. What several
	// indexes hold is scored as if all of it were in one, but for the vectors that
	// each of them has learnt, and what the name of one index says of its records.
	Indexes []string
	Query   string
	Syntax  Syntax
	Filter  string // in the language of query.ParseFilter; "" matches everything
	// Restrict are further filter expressions that the caller imposes, such as
	// those bound to a key. They are ANDed and never shown in errors.
	Restrict  []string
	Sort      []SortKey
	Fields    []FieldWeight // text fields to search, with weights; empty means the schema's
	Limit     int           // hits wanted; 0 means 20, negative means none
	Offset    int
	After     *Position // hits that come after this one; excludes Offset
	Facets    []FacetRequest
	Geo       *GeoRequest   // nearness to a point or within a box; see there
	Distinct  string        // field of which each value gives its best hit alone; see Group
	Group     *GroupRequest // Distinct with the next best hits of each value
	Highlight *HighlightRequest
	Ranking   Ranking
	Prefix    Prefix
	Match     Match
	Typo      Typo   // which words may be repaired
	Intent    Intent // whether words may speak of filters
	// Semantic is how much records count that mean what the query means in
	// other words, where the index has learnt that.
	Semantic SemanticRequest
	// Vector asks for the records whose vectors are nearest to it, in the field
	// that Semantic names: beside those that Query finds, or alone. It has as
	// many numbers as the field has dimensions. It excludes Sort, Similar,
	// MinScore and RankingBM25.
	Vector []float32
	// NoSynonyms and NoStopWords make words stand for themselves alone, and
	// filler words count like others.
	NoSynonyms, NoStopWords bool
	// Tuning changes what the stages of the default ranking are worth, or
	// leaves them out.
	Tuning Tuning
	// Language decides which words of the query are filler: a code that
	// tokenize knows, "none", or "" for that of each field.
	Language string
	// Similar asks for records like one, in place of Query.
	Similar  *Similar
	Pin      []Pin    // records to put at fixed places of the hits; at most 100
	Hide     []string // ids of records to leave out; at most 1,000
	Explain  bool
	NoTotal  bool // Total need not be counted
	NoRecord bool // hits come without Record
	// Members are those members of records, as dotted paths such as
	// "author.name", that the caller is going to take out of the hits, which hold
	// whole records all the same. A path that no searched index knows is an error if
	// it is like one that is known, and so likely misspelt, unless one of them is not
	// Dynamic: its records may have members that its schema does not tell of.
	Members []string
	// Exhaustive scores every record that matches, in place of those alone that
	// can be among the hits. Hits and their scores are the same, only later: it
	// is there to check just that.
	Exhaustive bool
	// MinScore leaves out hits below it, which are not counted. It is about
	// scores of terms alone: with it, no bonuses are given (see Tuning). It is
	// finite, and below 0 as 0.
	MinScore float64
	// MinVersion waits (until the context ends) for the engine to have this
	// version.
	MinVersion uint64
	// Timeout bounds the work: when it has passed, what was found so far is
	// returned with TimedOut set. 0 means no bound but the context's; a negative one
	// is an error.
	Timeout time.Duration
	// Memory is asked for room for the record of each hit, and as much again for
	// its highlights, before that is read. nil: there is room for all.
	Memory Reserver
}

// SortKey is one key of the order of hits. "_score" as the field sorts by
// score. Records without the field come last in either direction.
type SortKey struct {
	Field string
	Desc  bool
	From  *Point // for a Geo field, and for no other: sort by the distance from here
}

// FieldWeight names a text field and its weight in this request; 0 means the
// schema's weight.
type FieldWeight struct {
	Field  string
	Weight float64
}

// Position is the place of a hit in the total order of a request, from which
// the next page goes on.
type Position struct {
	Score uint64      // in the units of the engine
	Sort  []SortValue // one a sort key
	Index string
	ID    string
	// Complete: it is one of the records that hold all words of the query, which come
	// first if there are ten or more (MatchAuto). Score is without what they get for that.
	Complete bool

	// Beside pinned records, whose places are not of the order of the others,
	// Seen is the number of hits before the next page, and Pinned that of the
	// pinned ones among them. Begin tells that they were all pinned; what is
	// above then does not count.
	Seen, Pinned int
	Begin        bool
}

// SortValue is a value of a sort key.
type SortValue struct {
	Missing bool
	Int     int64
	Float   float64
	Str     string
}

// FacetRequest asks for counts of a field's values among all matches.
type FacetRequest struct {
	Field  string
	Limit  int          // values wanted, in the order of Sort; 0 means 10, at most Limits.FacetValues
	Ranges []FacetRange // counts by range instead, of a number or date field
	// Disjunctive counts as if those members of Request.Filter that concern
	// this field alone were not there, members being what it joins by AND: the
	// counts that a list of check boxes shows.
	Disjunctive bool
	// Query keeps the values in which this text stands at the beginning of a
	// word, letter case and accents aside. Missing and Stats do not depend on
	// it, Other counts values that it keeps.
	Query string
	Sort  FacetSort
	Stats bool // Stats alone, of a number or date field, without values
}

// FacetRange is From <= value < To, finite numbers; nil is open. Dates are seconds since 1970
// UTC, taken to the nearest microsecond. FromValue and ToValue stand in place
// of From and To unless they are null: integers beyond 2^53, dates as text.
type FacetRange struct {
	From, To           *float64
	FromValue, ToValue query.Value
}

// HighlightRequest asks for fields with the matching words marked. Of a text of more than some
// 16,000 words a fragment is from the first part of that length, or the next ones, with any of them.
// Highlights take no more than three quarters of the time that the search has, by Timeout or its
// context: the hits that are left then have none, and Result.TimedOut is set.
type HighlightRequest struct {
	Fields    []string // empty means every searched text field
	Pre, Post string   // default <mark> and </mark>
	Words     int      // length of the fragment in words; 0 means the whole field
	Escape    Escape   // of the text around Pre and Post
}

// Escape is how the text of a highlight is written.
type Escape uint8

// Escapes.
const (
	EscapeHTML Escape = iota // & < > " ' as character references, so that Text is HTML
	EscapeNone               // as it is stored
)

// Result is the answer to a Request.
type Result struct {
	Hits       []Hit
	Total      int64            // matches in all
	TotalExact bool             // false only after a timeout or with NoTotal
	TimedOut   bool             // Request.Timeout has passed; Hits is what was found until then, or lacks highlights
	Facets     map[string]Facet // by field
	Query      QueryInfo
	Next       *Position // for Request.After of the next page; nil when there is none
	Version    uint64    // of the last batch that the search has seen
	Took       time.Duration
}

// Hit is one record found.
type Hit struct {
	Index     string
	ID        string
	Score     float64      // comparable among the hits of one request; 0 if Sort does not ask for it
	Record    []byte       // the JSON object as written, with its id
	Highlight []Highlight  // with Request.Highlight
	Explain   *Explanation // with Request.Explain
	Geo       []Distance   // by the fields of Request.Geo and of geo sort keys that the record has
	Group     *Group       // with Request.Group
	Pinned    bool         // by the request, or by a rule of the index
}

// Facet is the counts of one field.
type Facet struct {
	Values  []FacetValue // in the order of FacetRequest.Sort
	Ranges  []RangeCount // in the order of FacetRequest.Ranges
	Other   int64        // matches with values that are not listed, counted by value
	Missing int64        // matches without the field
	Stats   *FacetStats  // with FacetRequest.Stats
	Exact   bool         // false only after a timeout
}

// FacetValue is a value and the number of matches that have it.
type FacetValue struct {
	Value any // string, int64, float64 or bool
	Count int64
}

// RangeCount is a range and the number of matches with a value in it.
type RangeCount struct {
	FacetRange
	Count int64
}

// FacetStats sums up a number field over the matches; dates are in seconds.
// Sum and Avg are the floats nearest to the exact ones.
type FacetStats struct {
	Min, Max, Avg, Sum float64 // 0 where Count is
	Count              int64
	Ints               *IntStats // of an Int field with values; nil otherwise
}

// IntStats are the exact figures of an Int field. The sum may be beyond 64
// bits.
type IntStats struct {
	Min, Max int64
	Sum      *big.Int
}

// Highlight is a field's text with the matches marked. Of a field with several
// texts it is the one that shows most, the first of several such.
type Highlight struct {
	Field   string
	Item    int      // which of the field's texts it is from, from 0
	Start   int      // where the fragment begins in that text, in characters
	Text    string   // with Pre and Post around each match; what is stored is escaped
	Matches [][2]int // start and length of each match in the stored text of the fragment, in characters, before marking
	// More are the other texts of the field with matches, in their order, the
	// first 100 of them. They have no More themselves.
	More []Highlight
}

// QueryInfo tells how the text of a query was understood.
type QueryInfo struct {
	Text              string   // what was searched for: repaired, without the words of filters
	FiltersFromIntent []string // those of Intent that are not ignored
	// SortFromIntent is the key that a superlative of the query sorts by ("cheapest"), where
	// the request has none; else nil. Hits hold all other words of the query then.
	SortFromIntent []SortKey
	Intent         []Understood // in the order of their words
	Corrections    []Correction
	DidYouMean     string
	Semantic       *SemanticInfo // nil if hits are ranked by words alone
	Compounds      []Correction  // words that were also looked for joined, or split, or in compounds: "*jacke" is whatever ends so
	Thesaurus      []Correction  // what was also looked for in place of words that few records hold, "*jacke" as in Compounds
	Without        []string      // words that were taken as not wanted
}

// Correction is a word that was read as another. A repaired word is told of as records write it,
// accents included.
type Correction struct{ From, To string }

// Explanation takes a score apart. The parts' scores add up to Score exactly.
type Explanation struct {
	Score float64
	Parts []ScorePart
}

// ScorePart is the contribution of one term in one field, or of a stage. The
// formula is that of the package comment.
type ScorePart struct {
	Field   string
	Term    string
	From    string // the word of the query, where it differs from Term
	Edits   int    // by which From was repaired
	TF      int    // how often the term stands in the field of the record
	DF      int64  // records with the term, of all indexes of the search
	IDF     float64
	Norm    float64 // 1/(1-b+b*length/average)
	Weight  float64 // of the field
	Penalty float64 // factor for words that count less; 1 otherwise
	// Similarity is, of StageVector, the product of the vectors, which is their
	// cosine if that is the metric; nil if the record has no vector yet.
	Similarity *float64
	Stage      string // what gave Score, if it is not the term: StageTitle and so on
	Score      float64
}

// IndexInfo describes an index.
type IndexInfo struct {
	Name      string
	Records   int64
	Bytes     int64  // about: on disk, and in segments in memory
	State     string // "ready", "rebuilding" or, see ErrOtherAnalyzer, "stale"
	Version   uint64 // of the last batch that changed it
	CreatedAt time.Time
	UpdatedAt time.Time
	Schema    Schema // in force
	// LearntFrom is the number of records of the last training of vectors; 0 if
	// there are no vectors.
	LearntFrom int64
	// Embedded tells of the fields whose vectors an embedder makes.
	Embedded []EmbeddedField
	Rebuild  *RebuildInfo // nil if there is nothing to tell
}

// EmbeddedField tells how far an embedder is with the records of an index.
type EmbeddedField struct {
	Field   string
	Pending int64 // records that it has not seen to yet
}

// RebuildInfo tells of the schema that an index is to get, and how far it is
// on the way there.
type RebuildInfo struct {
	// Schema that the index gets when all of its records fit; the zero value
	// during an UpdateIndex, whose caller knows.
	Schema Schema
	// Done and Total are numbers of records. Records that are written meanwhile
	// are counted again.
	Done, Total int64
	// Err is why the last rebuild came to nothing: an *InvalidError that says
	// which records do not fit. The index is ready then and has the schema that
	// it had before. It is kept until the next schema is given, or CancelUpdate.
	Err error
}

// Record is one stored record.
type Record struct {
	Index   string
	ID      string
	JSON    []byte // the object as written, with its id
	Version uint64 // of the batch that wrote it, as for Op.IfVersion
}
