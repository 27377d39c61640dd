package query

// Node is one node of a query tree. The set is closed: Text, Bool, Boost and
// Range are what a query is made of; And, Or, Not, Compare, In, Range, Exists,
// Empty, StartsWith, Geo and GeoBox what a filter is made of; All and None belong to
// both. Nodes are values, so a type switch names the types without a pointer.
//
// A tree is plain data: it is safe for concurrent use as long as nobody
// changes its slices.
type Node interface {
	node() // keeps the set closed
}

// Text is a word, or a phrase, to look for in the text fields of a record. Its
// words are as the user wrote them; the analyzer of the field turns them into
// terms later, so that one Text may become several terms, or none.
type Text struct {
	Text   string // the words, without quotes, signs, escapes and the final *
	Field  string // "" means the default fields of the request
	Quoted bool   // a phrase: its words stand together and in this order
	Slop   int    // how many positions the words of a phrase may be out of place; 0 unless Quoted
	Prefix bool   // the word is the beginning of the words looked for; false if Quoted

	// Start and End are the byte offsets in the input of what Text was read
	// from, without quotes, signs and the final *. Both are 0 in a node that
	// was not parsed. [Equal] and [String] do not look at them.
	Start, End int
}

// Bool joins queries. A record matches if it matches every node of Must, none
// of MustNot, and at least MinShould of Should. A Bool whose Must and Should
// are empty matches every record that MustNot does not exclude.
type Bool struct {
	Must    []Node
	Should  []Node
	MustNot []Node

	// MinShould is how many of Should have to match. 0 leaves it to the
	// request (its parameter "match"), which is what juxtaposed words mean.
	MinShould int
}

// Boost multiplies the score of Node by Factor, which is finite and not
// negative.
type Boost struct {
	Node   Node
	Factor float64
}

// Range matches the records that have a value of Field between Low and High.
// If both bounds are open it matches the records that have any value of Field.
type Range struct {
	Field     string
	Low, High Bound
}

// Bound is one end of a [Range].
type Bound struct {
	Value     Value // not looked at if Open
	Inclusive bool  // Value itself belongs to the range; false if Open
	Open      bool  // there is no bound on this side
}

// Compare matches the records of which at least one value of Field stands in
// the relation Op to Value. OpNotEqual is the exception: it is the negation of
// OpEqual, and so also matches the records without a value of Field.
type Compare struct {
	Field string
	Op    Op
	Value Value
}

// In matches the records that have at least one of Values in Field. Without
// values it matches nothing.
type In struct {
	Field  string
	Values []Value
}

// Exists matches the records that have a value of Field.
type Exists struct{ Field string }

// Empty matches the records that have no value of Field: it is missing, null
// or an empty list. It is the negation of [Exists].
type Empty struct{ Field string }

// StartsWith matches the records that have a value of Field whose first bytes
// are Prefix.
type StartsWith struct{ Field, Prefix string }

// Geo matches the records that have a point of Field within RadiusMeters of
// the point at Lat and Lon, which are degrees in [-90, 90] and [-180, 180].
type Geo struct {
	Field        string
	Lat, Lon     float64
	RadiusMeters float64
}

// GeoBox matches the records that have a point of Field between the latitudes
// South and North and between the longitudes West and East, in degrees, edges
// included. It crosses the date line if West is above East.
type GeoBox struct {
	Field                    string
	South, West, North, East float64
}

// And matches the records that all Nodes match; without Nodes, every record.
type And struct{ Nodes []Node }

// Or matches the records that one of Nodes matches; without Nodes, none.
type Or struct{ Nodes []Node }

// Not matches the records that Node does not match.
type Not struct{ Node Node }

// All matches every record.
type All struct{}

// None matches no record.
type None struct{}

func (Text) node()       {}
func (Bool) node()       {}
func (Boost) node()      {}
func (Range) node()      {}
func (Compare) node()    {}
func (In) node()         {}
func (Exists) node()     {}
func (Empty) node()      {}
func (StartsWith) node() {}
func (Geo) node()        {}
func (GeoBox) node()     {}
func (And) node()        {}
func (Or) node()         {}
func (Not) node()        {}
func (All) node()        {}
func (None) node()       {}
