// Package geo is the arithmetic of places on the earth: points as numbers of
// 64 bits, distances, and areas that tell which points lie within them. It
// knows nothing of records and columns.
//
// A Code is a point kept to 1/2^32 of 180 degrees of latitude and of 360
// degrees of longitude: a step is 4.7 mm north or south, and 9.3 mm east or
// west at the equator, so a point is off by half a step at most. The bits of
// the two numbers alternate (Morton, "A computer oriented geodetic data base
// and a new technique in file sequencing", IBM 1966): codes that begin with
// the same bits lie in one cell of a grid, which lets Area judge many points
// at once.
//
// Distances are great-circle distances on a sphere of the earth's mean radius,
// by the haversine formula: 2R asin(sqrt(sin²(Δφ/2) + cos φ1 cos φ2
// sin²(Δλ/2))), R = 6,371,008.8 m. The earth is flattened by 1/298, so they
// are off by up to 0.56 % against a geodesic on the ellipsoid.
package geo

import "math"

// Radius is the mean radius of the earth in meters, (2a+b)/3 of the axes of
// WGS 84 (Moritz, "Geodetic Reference System 1980").
const Radius = 6371008.8

// Point is a place in degrees: Lat from -90 to 90, Lon from -180 to 180.
type Point struct{ Lat, Lon float64 }

// Valid tells whether the coordinates are numbers in range.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lon >= -180 && p.Lon <= 180
}

// Code is a point in 64 bits: latitude in the odd bits, longitude in the even
// ones.
type Code uint64

const steps = 1 << 32

// Encode returns the code nearest to a valid point. A longitude of 180 is that
// of -180; the north pole is kept half a step south of where it is.
func Encode(p Point) Code {
	return interleave(latSteps(p.Lat), lonSteps(p.Lon))
}

func latSteps(lat float64) uint32 {
	return uint32(min(math.Round((lat+90)/180*steps), steps-1))
}

// lonSteps wraps around: 180 gives 0.
func lonSteps(lon float64) uint32 {
	return uint32(uint64(math.Round((lon + 180) / 360 * steps)))
}

func latDegrees(n uint32) float64 { return float64(n)*180/steps - 90 }
func lonDegrees(n uint32) float64 { return float64(n)*360/steps - 180 }

// Point returns the point that the code stands for, exactly.
func (c Code) Point() Point {
	lat, lon := c.split()
	return Point{latDegrees(lat), lonDegrees(lon)}
}

func interleave(lat, lon uint32) Code { return Code(spread(lat)<<1 | spread(lon)) }

func (c Code) split() (lat, lon uint32) { return gather(uint64(c) >> 1), gather(uint64(c)) }

// spread puts a zero bit before every bit of v.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// gather takes the even bits of x together, the inverse of spread.
func gather(x uint64) uint32 {
	x &= 0x5555555555555555
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

const radians = math.Pi / 180

// Distance returns the meters from a to b.
func Distance(a, b Point) float64 {
	lat, lon := math.Sin((b.Lat-a.Lat)*radians/2), math.Sin((b.Lon-a.Lon)*radians/2)
	h := lat*lat + math.Cos(a.Lat*radians)*math.Cos(b.Lat*radians)*lon*lon
	return 2 * Radius * math.Asin(min(1, math.Sqrt(h)))
}
