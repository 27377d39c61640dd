package geo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomPoint(r *rand.Rand) Point {
	edges := [...]Point{{90, 0}, {-90, 180}, {0, 180}, {0, -180}, {0, 0}, {89.9999, -179.9999}, {-89.9999, 179.9999}, {45, 179.99999}}
	if r.IntN(4) == 0 {
		return edges[r.IntN(len(edges))]
	}
	return Point{r.Float64()*180 - 90, r.Float64()*360 - 180}
}

// A code is half a step off at most: 2.4 mm in latitude, 4.7 mm in longitude.
func TestCodesKeepHalfACentimeter(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 1))
	for range 20_000 {
		p := randomPoint(r)
		q := Encode(p).Point()
		if d := Distance(p, q); !(d < 0.0053) || !q.Valid() {
			t.Fatalf("seed %d: %v is kept as %v, %v m away", seed, p, q, d)
		}
		if again := Encode(q); again != Encode(p) {
			t.Fatalf("seed %d: the kept point %v has the code %x instead of %x", seed, q, again, Encode(p))
		}
	}
}

func TestDistances(t *testing.T) {
	quarter := math.Pi / 2 * Radius
	for _, c := range []struct {
		a, b Point
		want float64
	}{
		{Point{}, Point{}, 0},
		{Point{0, 0}, Point{90, 0}, quarter},
		{Point{90, 12}, Point{-90, 77}, 2 * quarter},
		{Point{0, 180}, Point{0, -180}, 0},
		{Point{0, 179.5}, Point{0, -179.5}, quarter / 90},
		{Point{10, 0}, Point{11, 0}, quarter / 90},
		{Point{60, 0}, Point{60, 0.001}, quarter / 90 / 1000 / 2},
		{Point{52.52, 13.405}, Point{48.8566, 2.3522}, 877_464}, // Berlin to Paris by other implementations of the formula
	} {
		if got := Distance(c.a, c.b); math.Abs(got-c.want) > 1+c.want*1e-5 || got != Distance(c.b, c.a) {
			t.Errorf("%v to %v: %v m, want %v", c.a, c.b, got, c.want)
		}
	}
}

// A circle contains the points at most its radius away, and no others: the box
// around it cuts nothing off.
func TestCirclesAreExact(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		center, meters := randomPoint(r), math.Pow(10, r.Float64()*7.4)
		area := Circle(center, meters)
		for range 50 {
			p := randomPoint(r)
			if r.IntN(2) == 0 { // near the edge
				angle := r.Float64() * 2 * math.Pi
				far := meters / Radius / radians * (0.999 + 0.002*r.Float64())
				p.Lat = min(90, max(-90, center.Lat+far*math.Cos(angle)))
				p.Lon = math.Remainder(center.Lon+far*math.Sin(angle)/max(1e-6, math.Cos(p.Lat*radians)), 360)
			}
			c := Encode(p)
			if got, want := area.Contains(c), Distance(center, c.Point()) <= meters; got != want {
				t.Fatalf("seed %d: %v within %v m of %v: %v, want %v (%v m)", seed, p, meters, center, got, want, Distance(center, c.Point()))
			}
		}
	}
}

func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		south, west, north, east float64
		in, out                  []Point
	}{
		{-1, -1, 1, 1, []Point{{0, 0}, {-1, -1}, {1, 1}}, []Point{{1.001, 0}, {0, -1.001}, {0, 180}}},
		{-10, 170, 10, -170, []Point{{0, 180}, {0, -180}, {0, 170}, {0, -170}}, []Point{{0, 169.9}, {0, -169.9}, {0, 0}}},
		{-10, 170, 10, 180, []Point{{0, 180}, {0, -180}, {0, 175}}, []Point{{0, -179.9}}},
		{-90, -180, 90, 180, []Point{{90, 0}, {-90, 5}, {0, 180}, {0, 0}}, nil},
		{80, -180, 90, 180, []Point{{90, 0}, {80, 1}}, []Point{{79.9, 0}}},
		{0, 20, 1, 10, []Point{{0, 20}, {0, 10}, {0, 180}, {0, 0}}, []Point{{0, 15}}},
		{0, 5, 0, 5, []Point{{0, 5}}, []Point{{0, 5.001}}},
	} {
		area := NewBox(c.south, c.west, c.north, c.east)
		for _, p := range c.in {
			if !area.Contains(Encode(p)) {
				t.Errorf("%v is outside of the box %v", p, c)
			}
		}
		for _, p := range c.out {
			if area.Contains(Encode(p)) {
				t.Errorf("%v is inside of the box %v", p, c)
			}
		}
	}
}

// What Cell says of a range of codes holds for each of them.
func TestCellsAgreeWithTheirPoints(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[Relation]int{}
	for range 20_000 {
		a, b := randomPoint(r), randomPoint(r)
		area := NewBox(min(a.Lat, b.Lat), a.Lon, max(a.Lat, b.Lat), b.Lon)
		if r.IntN(3) == 0 {
			area = Circle(a, math.Pow(10, r.Float64()*7.4))
		}
		lo := Encode(randomPoint(r))
		hi := lo + Code(r.Uint64()>>(r.IntN(64)))
		if hi < lo {
			hi = math.MaxUint64
		}
		said := area.Cell(lo, hi)
		seen[said]++
		for range 10 {
			c := lo
			if hi > lo {
				c += Code(r.Uint64() % uint64(hi-lo))
			}
			if in := area.Contains(c); in && said == Outside || !in && said == Inside {
				t.Fatalf("seed %d: cell %x to %x is %d, but %x: %v", seed, lo, hi, said, c, in)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("not all relations occurred: %v", seen)
	}
}
