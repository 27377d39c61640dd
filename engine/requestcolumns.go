package engine

// Point is a place on the earth, in degrees: Lat from -90 to 90, Lon from -180
// to 180.
type Point struct{ Lat, Lon float64 }

// Box is the places from South to North and from West eastwards to East, edges
// included, in degrees. It crosses the date line if West is above East.
type Box struct{ South, West, North, East float64 }

// GeoRequest restricts a search to the records with a point of a Geo field
// near From, within Box, or both, and gives hits their distance from From. It
// works as a geo condition of Filter does.
type GeoRequest struct {
	Field  string
	From   *Point  // distances are measured from here; nil: there are none
	Radius float64 // meters from From; 0 means any
	Box    *Box
}

// Distance is how far a record is away: the distance from the asked point to
// the nearest of the record's points, in meters on a sphere of the earth's
// mean radius.
type Distance struct {
	Field  string
	Meters float64
}

// GroupRequest asks for the best hits of each value of a field. The hits of
// the result are those of Distinct, and each carries its Group.
type GroupRequest struct {
	Field string
	Limit int // hits of a group, the one in the result included; 0 means 3
}

// Group is the matches that share a value with a hit.
type Group struct {
	Value any   // string, int64, float64 or bool; nil: the record has no value and stands for itself
	Total int64 // matches with the value
	Hits  []Hit // the best ones in the order of the request
}

// FacetSort is the order of a facet's values.
type FacetSort uint8

// Orders of facet values.
const (
	FacetByCount FacetSort = iota // most frequent first, then by value
	FacetByValue                  // ascending; text by bytes
)
