package page

import "math"

// Bound is one end of a range. The zero Bound is no bound: the range is open
// on that side. Numbers, dates and bools (0 and 1) are compared by their exact
// values whatever the kinds of bound and column are; a date is its
// microseconds. A keyword bound on a column of numbers, and the other way
// round, lets nothing through, and neither does NaN.
type Bound struct {
	Value     Value
	Exclusive bool // the value itself is outside
}

// At returns a bound that lets v through.
func At(v Value) Bound { return Bound{Value: v} }

// Beyond returns a bound that does not let v itself through.
func Beyond(v Value) Bound { return Bound{Value: v, Exclusive: true} }

func (b Bound) none() bool { return b.Value.Kind == 0 }

// leastInt returns the least integer that the lower bound b lets through,
// false when there is none.
func leastInt(b Bound) (int64, bool) {
	v := b.Value.Int
	switch {
	case b.none():
		return math.MinInt64, true
	case b.Value.Kind.integral():
	case b.Value.Kind == KindFloat:
		up := math.Ceil(b.Value.Float)
		if !(up < 1<<63) { // also NaN
			return 0, false
		}
		if up < -1<<63 {
			return math.MinInt64, true
		}
		v = int64(up)
		if up != b.Value.Float {
			return v, true
		}
	default:
		return 0, false
	}
	if !b.Exclusive {
		return v, true
	}
	return v + 1, v < math.MaxInt64
}

// greatestInt returns the greatest integer that the upper bound b lets
// through.
func greatestInt(b Bound) (int64, bool) {
	v := b.Value.Int
	switch {
	case b.none():
		return math.MaxInt64, true
	case b.Value.Kind.integral():
	case b.Value.Kind == KindFloat:
		down := math.Floor(b.Value.Float)
		if !(down >= -1<<63) {
			return 0, false
		}
		if down >= 1<<63 {
			return math.MaxInt64, true
		}
		v = int64(down)
		if down != b.Value.Float {
			return v, true
		}
	default:
		return 0, false
	}
	if !b.Exclusive {
		return v, true
	}
	return v - 1, v > math.MinInt64
}

// leastFloat returns the least float, infinities included, that the lower
// bound b lets through.
func leastFloat(b Bound) (float64, bool) {
	v := b.Value.Float
	switch {
	case b.none():
		return math.Inf(-1), true
	case b.Value.Kind.integral():
		v = float64(b.Value.Int)
		switch compareIntFloat(b.Value.Int, v) {
		case -1:
			return v, true
		case 1:
			return math.Nextafter(v, math.Inf(1)), true
		}
	case b.Value.Kind != KindFloat || math.IsNaN(v):
		return 0, false
	}
	if b.Exclusive {
		return math.Nextafter(v, math.Inf(1)) + 0, !math.IsInf(v, 1)
	}
	return v + 0, true // -0 becomes 0
}

// greatestFloat returns the greatest float that the upper bound b lets
// through.
func greatestFloat(b Bound) (float64, bool) {
	v := b.Value.Float
	switch {
	case b.none():
		return math.Inf(1), true
	case b.Value.Kind.integral():
		v = float64(b.Value.Int)
		switch compareIntFloat(b.Value.Int, v) {
		case -1:
			return math.Nextafter(v, math.Inf(-1)), true
		case 1:
			return v, true
		}
	case b.Value.Kind != KindFloat || math.IsNaN(v):
		return 0, false
	}
	if b.Exclusive {
		return math.Nextafter(v, math.Inf(-1)) + 0, !math.IsInf(v, -1)
	}
	return v + 0, true
}

// compareIntFloat compares v with the float nearest to it: f = float64(v).
func compareIntFloat(v int64, f float64) int {
	if f == 1<<63 {
		return -1
	}
	switch back := int64(f); {
	case v < back:
		return -1
	case v > back:
		return 1
	}
	return 0
}

// numberRange returns the least and the greatest key of a column of numbers
// that lie within the bounds, false when none can.
func (col *Column) numberRange(lo, hi Bound) (from, to uint64, ok bool) {
	if col.kind.integral() {
		l, ok1 := leastInt(lo)
		h, ok2 := greatestInt(hi)
		return intKey(l), intKey(h), ok1 && ok2
	}
	l, ok1 := leastFloat(lo)
	h, ok2 := greatestFloat(hi)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	if col.exponent == rawFloats {
		return floatKey(l), floatKey(h), true
	}
	n, m := scaledCeil(l, col.scale), scaledFloor(h, col.scale)
	return intKey(n), intKey(m), true
}

// scaledCeil returns the least n with n/scale >= v, or an n outside of
// [-maxScaled, maxScaled] on the same side of it.
func scaledCeil(v, scale float64) int64 {
	n := int64(max(-2*maxScaled, min(math.Ceil(v*scale), 2*maxScaled)))
	if n <= -2*maxScaled || n >= 2*maxScaled {
		return n
	}
	for float64(n)/scale < v { // v*scale was rounded
		n++
	}
	for float64(n-1)/scale >= v {
		n--
	}
	return n
}

// scaledFloor returns the greatest n with n/scale <= v, or one outside as
// scaledCeil does.
func scaledFloor(v, scale float64) int64 { return -scaledCeil(-v, scale) }

// ordRange returns the ordinals [from, to) of the dictionary within the
// bounds.
func (col *Column) ordRange(lo, hi Bound) (from, to int, ok bool) {
	from, to = 0, col.dict.Len()
	if !lo.none() {
		if lo.Value.Kind != KindKeyword {
			return 0, 0, false
		}
		ord, found := col.dict.lower(lo.Value.Str)
		if from = ord; found && lo.Exclusive {
			from++
		}
	}
	if !hi.none() {
		if hi.Value.Kind != KindKeyword {
			return 0, 0, false
		}
		ord, found := col.dict.lower(hi.Value.Str)
		if to = ord; found && !hi.Exclusive {
			to++
		}
	}
	return from, to, from < to
}
