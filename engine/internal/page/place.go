package page

import (
	"math"

	"github.com/quarry-search/quarry/engine/internal/geo"
)

// GeoValue returns a value of KindGeo.
func GeoValue(c geo.Code) Value { return Value{Kind: KindGeo, Int: keyInt(uint64(c))} }

// Code returns the place of a value of KindGeo.
func (v Value) Code() geo.Code { return geo.Code(intKey(v.Int)) }

// Within sets the bits of the documents that have a point in the area, as Range
// does for numbers. Blocks of 1,024 points whose cell lies inside or outside
// cost O(1). Nothing is set unless the column is of places.
func (col *Column) Within(area *geo.Area, words *[Size / 64]uint64, base int) {
	if col.kind != KindGeo {
		return
	}
	buf := make([]uint64, (col.vals.n+63)/64)
	some := false
	var values [packBlock]uint64
	for b := range col.vals.blocks {
		info, out := &col.vals.blocks[b], buf[b*packWords:]
		switch area.Cell(geo.Code(col.base+col.unit*info.min), geo.Code(col.base+col.unit*info.max)) {
		case geo.Inside:
			fillBits(out, min(packBlock, col.vals.n-b<<packShift))
			some = true
		case geo.Across:
			n := col.vals.unpack(b, &values)
			for k, v := range values[:n] {
				if area.Contains(geo.Code(col.base + col.unit*v)) {
					out[k>>6] |= 1 << (k & 63)
					some = true
				}
			}
		}
	}
	if some {
		col.spread(buf, words, base)
	}
}

// Nearest returns the meters from a point to the nearest point of document i,
// false when it has none.
func (col *Column) Nearest(from geo.Point, i int) (meters float64, ok bool) {
	meters = math.Inf(1)
	for k, to := col.span(i); k < to; k++ {
		meters = min(meters, geo.Distance(from, geo.Code(col.key(k)).Point()))
		ok = true
	}
	return meters, ok
}

// MayHold reports whether a point of the column can lie in the area: when it
// returns false, Column.Within sets no bit.
func (info *ColumnInfo) MayHold(area *geo.Area) bool {
	return info.Kind == KindGeo && area.Cell(info.Min.Code(), info.Max.Code()) != geo.Outside
}
