package geo

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// Area is a circle, a box, or both at once. It is immutable; Circle and NewBox
// make one.
type Area struct {
	// The box: latitudes from south to north; longitudes from west on for
	// width steps more.
	south, north uint32
	west, width  uint32
	circle       bool
	center       Point
	meters       float64
}

// Relation says how the points of a cell lie to an area.
type Relation uint8

// Relations.
const (
	Outside Relation = iota // no point of the cell is in the area
	Across                  // some may be
	Inside                  // all are
)

// NewBox returns the area from south to north and from west eastwards to east,
// edges included; it goes over the date line if west is above east. The edges
// are rounded as points are, so a point that was given as a corner is inside.
func NewBox(south, west, north, east float64) Area {
	a := Area{south: latSteps(south), north: latSteps(north), west: lonSteps(west)}
	a.width = lonSteps(east) - a.west
	if east-west == 360 || a.width == 0 && west > east && west-east < 360 {
		a.width = math.MaxUint32 // around the earth
	}
	return a
}

// margin widens the box around a circle, in steps, for what rounding may have
// taken away: where a meridian almost touches a pole, an error of 1e-16 in the
// sine is one of 1e-8 in the angle, tens of steps.
const margin = 1024

// Circle returns the area of the points whose Distance from center is at most
// meters.
func Circle(center Point, meters float64) Area {
	a := Area{north: math.MaxUint32, width: math.MaxUint32, circle: true, center: center, meters: meters}
	angle := meters / Radius // from the center, in radians
	if angle >= math.Pi {
		return a
	}
	south, north := center.Lat-angle/radians, center.Lat+angle/radians
	if south > -90 {
		a.south = latSteps(south) - min(margin, latSteps(south))
	}
	if north < 90 {
		a.north = latSteps(north) + min(margin, math.MaxUint32-latSteps(north))
	}
	if south <= -90 || north >= 90 {
		return a // a pole is inside, and so are all longitudes
	}
	// The meridians that touch the circle: sin Δλ = sin angle / cos φ.
	s := math.Sin(angle) / math.Cos(center.Lat*radians)
	if s >= 1 {
		return a
	}
	half := uint64(math.Ceil(math.Asin(s)/radians/360*steps)) + margin
	if 2*half < math.MaxUint32 {
		a.west = lonSteps(center.Lon) - uint32(half)
		a.width = uint32(2 * half)
	}
	return a
}

// Contains tells whether a point lies in the area.
func (a *Area) Contains(c Code) bool {
	lat, lon := c.split()
	if lat < a.south || lat > a.north || lon-a.west > a.width {
		return false
	}
	return !a.circle || Distance(a.center, Point{latDegrees(lat), lonDegrees(lon)}) <= a.meters
}

// Cell judges the codes from lo to hi by the smallest cell of the grid that
// holds both.
func (a *Area) Cell(lo, hi Code) Relation {
	free := uint(bits.Len64(uint64(lo ^ hi))) // bits in which codes of the cell differ
	mask := uint64(math.MaxUint64)
	if free < 64 {
		mask = 1<<free - 1
	}
	south, west := Code(uint64(lo) &^ mask).split()
	north, east := Code(uint64(lo) | mask).split()
	if north < a.south || south > a.north {
		return Outside
	}
	// Longitudes count from the west edge of the area on; a cell that wraps
	// around there holds it.
	from, to := west-a.west, east-a.west
	if from <= to && from > a.width {
		return Outside
	}
	if a.circle || from > to || to > a.width || south < a.south || north > a.north {
		return Across
	}
	return Inside
}

// Append appends bytes that are the same for equal areas only.
func (a *Area) Append(b []byte) []byte {
	for _, n := range [...]uint32{a.south, a.north, a.west, a.width} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for _, f := range [...]float64{a.center.Lat, a.center.Lon, a.meters} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return strconv.AppendBool(b, a.circle)
}
