package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The column oracle answers filters, sorting, distinct, groups and facets by
// looking at every record. It has its own values (exact rationals), its own
// comparisons and its own geometry, and shares nothing with the engine.

// cell is one value of a record.
type cell struct {
	text string   // of keywords and texts
	num  *big.Rat // of numbers; of dates, microseconds; of bools, 0 and 1
	kind byte     // 't', 'n', 'd', 'b' or 'g'
	real bool     // a number of a field that holds floats
	at   Point    // of 'g'
}

func (c cell) compare(d cell) int {
	if c.kind == 't' {
		return cmp.Compare(c.text, d.text)
	}
	return c.num.Cmp(d.num)
}

// key names the value: equal values have equal keys.
func (c cell) key() string {
	if c.kind == 't' {
		return "t" + c.text
	}
	return string(c.kind) + c.num.RatString()
}

// plain is the value as results show it.
func (c cell) plain() any {
	switch c.kind {
	case 't':
		return c.text
	case 'b':
		return c.num.Sign() != 0
	case 'd':
		return time.UnixMicro(c.num.Num().Int64()).UTC().Format(time.RFC3339Nano)
	}
	if f, exact := c.num.Float64(); c.real && exact {
		return f
	}
	if c.num.IsInt() && c.num.Num().IsInt64() {
		return c.num.Num().Int64()
	}
	f, _ := c.num.Float64()
	return f
}

// typed is the value as a person types it.
func (c cell) typed() string {
	if f, ok := c.plain().(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(c.plain())
}

type colRecord struct {
	index, id string
	batch     int
	cells     map[string][]cell
	members   map[string]json.RawMessage
}

// colField is a field of a random schema.
type colField struct {
	name  string
	typ   Type
	many  bool
	loose bool // not in the schema: inferred as Int, and a Float once a record holds one
}

type colWorld struct {
	*rand.Rand
	indexes []string
	fields  map[string][]colField            // by index
	loose   map[string]map[string]Type       // index, field: Float once it has met a float
	records map[string]map[string]*colRecord // index, id
	batch   int
	ascend  bool // ids mostly grow
	last    int  // id given out, if they do
}

var colTypes = [...]Type{Keyword, Keyword, Text, Int, Int, Float, Bool, Date, Geo}

func newColWorld(seed uint64) *colWorld {
	w := &colWorld{
		Rand: rand.New(rand.NewPCG(seed, 4711)), fields: map[string][]colField{},
		loose: map[string]map[string]Type{}, records: map[string]map[string]*colRecord{},
		ascend: seed%2 == 1,
	}
	var shared []colField
	for i := range 5 + w.IntN(5) {
		f := colField{name: fmt.Sprintf("f%d", i), typ: colTypes[w.IntN(len(colTypes))], many: w.IntN(3) == 0}
		if f.typ == Int && w.IntN(3) == 0 {
			f.loose = true
		}
		shared = append(shared, f)
	}
	shared = append(shared, colField{name: "place", typ: Geo, many: w.IntN(2) == 0}, colField{name: "rank", typ: Int})
	for n := range 1 + w.IntN(2) {
		name := fmt.Sprintf("ix%d", n)
		w.indexes = append(w.indexes, name)
		w.records[name], w.loose[name] = map[string]*colRecord{}, map[string]Type{}
		for _, f := range shared {
			if n > 0 && w.IntN(5) == 0 {
				continue // a field that only the other index has
			}
			if n > 0 && (f.typ == Int || f.typ == Float) && !f.loose && w.IntN(3) == 0 {
				f.typ = Int + Float - f.typ
			}
			w.fields[name] = append(w.fields[name], f)
		}
	}
	return w
}

func (w *colWorld) schema(index string) Schema {
	s := Schema{Dynamic: true, Fields: []Field{{Name: "body", Type: Text, Search: true}}}
	for _, f := range w.fields[index] {
		if f.loose {
			continue
		}
		s.Fields = append(s.Fields, Field{
			Name: f.name, Type: f.typ, Filter: true, Facet: f.typ != Geo, Sort: true, Search: f.typ == Text && w.IntN(2) == 0,
		})
	}
	return s
}

// field returns a field as an index has it.
func (w *colWorld) field(index, name string) (colField, bool) {
	i := slices.IndexFunc(w.fields[index], func(f colField) bool { return f.name == name })
	if i < 0 {
		return colField{}, false
	}
	return w.fields[index][i], true
}

var (
	colInts = [...]int64{
		math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1), 1<<62 + 1, 0, 1, -1, 2, 3, 4, 5,
	}
	colFloats = [...]float64{
		0, math.Copysign(0, -1), 0.1, 0.2, -0.5, 1, 2, 2.5, 3, 1e-300, -1e300, 1e300, 1 << 53, 1 << 63, -(1 << 63), 9.99, 1e15 + 0.5, 5e-324,
	}
	colWords = [...]string{"", "a", "B", "b", "Äpfel", "new york", "New Balance", "nik", "Nike", "émile", "z-last", "10", "true", "ab", "abc", "東京"}
	// Places near each other, at the date line, at the poles, and corners.
	colPlaces = [...]Point{
		{52.52, 13.405}, {52.5201, 13.4049}, {52.4, 13.1}, {48.8566, 2.3522}, {-17.7134, 178.065}, {-17.7, -179.9}, {0, 180}, {0, -180},
		{90, 0}, {-90, 77}, {89.999, 120}, {89.999, -60}, {0, 0}, {-33.8688, 151.2093}, {37.7749, -122.4194},
	}
)

func (w *colWorld) point() Point {
	p := colPlaces[w.IntN(len(colPlaces))]
	switch w.IntN(3) {
	case 0:
		p.Lat = min(90, max(-90, p.Lat+w.Float64()-0.5))
		p.Lon = min(180, max(-180, p.Lon+w.Float64()-0.5))
	case 1:
		p = Point{w.Float64()*180 - 90, w.Float64()*360 - 180}
	}
	return p
}

// value makes a random value of a type, as JSON and as a cell.
func (w *colWorld) value(f colField) (json.RawMessage, cell) {
	switch f.typ {
	case Text, Keyword:
		s := colWords[w.IntN(len(colWords))]
		b, _ := json.Marshal(s)
		return b, cell{kind: 't', text: s}
	case Int:
		if f.loose && w.IntN(4) == 0 {
			return w.float()
		}
		n := colInts[w.IntN(len(colInts))]
		if w.IntN(2) == 0 {
			n = int64(w.IntN(8))
		}
		return json.RawMessage(strconv.FormatInt(n, 10)), cell{kind: 'n', num: new(big.Rat).SetInt64(n)}
	case Float:
		if w.IntN(3) == 0 { // an integer, which the field turns into the nearest float
			n := colInts[w.IntN(len(colInts))]
			return json.RawMessage(strconv.FormatInt(n, 10)), cell{kind: 'n', real: true, num: new(big.Rat).SetFloat64(float64(n))}
		}
		return w.float()
	case Bool:
		if w.IntN(2) == 0 {
			return json.RawMessage("true"), cell{kind: 'b', num: big.NewRat(1, 1)}
		}
		return json.RawMessage("false"), cell{kind: 'b', num: new(big.Rat)}
	case Date:
		t := time.Date(1960+w.IntN(80), time.Month(1+w.IntN(3)), 1+w.IntN(3), 0, 0, 0, 0, time.UTC)
		switch w.IntN(3) {
		case 0:
			return json.RawMessage(strconv.FormatInt(t.Unix(), 10)), cell{kind: 'd', num: new(big.Rat).SetInt64(t.UnixMicro())}
		case 1:
			t = t.Add(time.Duration(w.IntN(1e6)) * time.Microsecond)
		}
		b, _ := json.Marshal(t.Format(time.RFC3339Nano))
		return b, cell{kind: 'd', num: new(big.Rat).SetInt64(t.UnixMicro())}
	}
	p := w.point()
	b := fmt.Appendf(nil, `{"lat":%v,"lon":%v}`, p.Lat, p.Lon)
	if w.IntN(3) == 0 {
		b = fmt.Appendf(nil, `"%v, %v"`, p.Lat, p.Lon)
	}
	return b, cell{kind: 'g', at: kept(p)}
}

func (w *colWorld) float() (json.RawMessage, cell) {
	f := colFloats[w.IntN(len(colFloats))]
	b, _ := json.Marshal(f)
	if !bytes.ContainsAny(b, ".eE") {
		b = append(b, ".0"...)
	}
	return b, cell{kind: 'n', real: true, num: new(big.Rat).SetFloat64(f)}
}

// kept is the point that the engine keeps of a point: coordinates in steps of
// 180 and 360 degrees divided by 2^32, the nearest one; 180 degrees east is 180
// degrees west, and at 90 degrees north the last step is kept.
func kept(p Point) Point {
	lat := math.Min(math.Round((p.Lat+90)/180*(1<<32)), 1<<32-1)
	lon := math.Mod(math.Round((p.Lon+180)/360*(1<<32)), 1<<32)
	return Point{lat*180/(1<<32) - 90, lon*360/(1<<32) - 180}
}

// metersBetween is the haversine formula on a sphere of the mean radius of the
// earth.
func metersBetween(a, b Point) float64 {
	const rad = math.Pi / 180
	sinLat, sinLon := math.Sin((b.Lat-a.Lat)*rad/2), math.Sin((b.Lon-a.Lon)*rad/2)
	h := sinLat*sinLat + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*sinLon*sinLon
	return 2 * 6371008.8 * math.Asin(math.Min(1, math.Sqrt(h)))
}

var colBody = [...]string{"red", "blue", "shoe", "hat", "river", "cat"}

// record makes a random record of an index.
func (w *colWorld) record(index, id string) *colRecord {
	r := &colRecord{index: index, id: id, batch: w.batch, cells: map[string][]cell{}, members: map[string]json.RawMessage{}}
	var words []string
	for range w.IntN(6) {
		words = append(words, colBody[w.IntN(len(colBody))])
	}
	r.members["body"], _ = json.Marshal(strings.Join(words, " "))
	r.members["id"], _ = json.Marshal(id)
	for _, f := range w.fields[index] {
		switch n := w.IntN(8); {
		case n == 0:
		case n == 1:
			r.members[f.name] = json.RawMessage([]string{"null", "[]", "[null]"}[w.IntN(3)])
		case f.many && n < 6:
			list := []json.RawMessage{}
			for range 1 + w.IntN(4) {
				raw, c := w.value(f)
				list = append(list, raw)
				r.cells[f.name] = append(r.cells[f.name], c)
			}
			r.members[f.name], _ = json.Marshal(list)
		default:
			raw, c := w.value(f)
			r.members[f.name], r.cells[f.name] = raw, []cell{c}
		}
		if f.loose {
			w.infer(index, f.name, r.cells[f.name])
		}
	}
	return r
}

// infer follows what an engine makes of the values of a field that no schema
// names: Int as long as all are integers; from the first other number on Float,
// where integers stay exact, or if that number was the very first value, are
// rounded.
func (w *colWorld) infer(index, field string, cells []cell) {
	types := w.loose[index]
	for i := range cells {
		c := &cells[i]
		switch {
		case types[field] == 0 && c.real:
			types[field] = roundedFloat
		case types[field] == 0:
			types[field] = Int
		case types[field] == Int && c.real:
			types[field] = Float
		}
		if types[field] == roundedFloat && !c.real {
			f, _ := c.num.Float64()
			*c = cell{kind: 'n', real: true, num: new(big.Rat).SetFloat64(f)}
		}
	}
}

// roundedFloat marks a field that was inferred from a number with a fraction.
const roundedFloat Type = 100

func (r *colRecord) json() []byte {
	b, err := json.Marshal(r.members)
	if err != nil {
		panic(err)
	}
	return b
}

// all returns the records of some indexes.
func (w *colWorld) all(indexes []string) (out []*colRecord) {
	for _, ix := range indexes {
		for _, id := range slices.Sorted(maps.Keys(w.records[ix])) {
			out = append(out, w.records[ix][id])
		}
	}
	return out
}

// values returns a record's values of a field. Where one of the indexes that
// are searched together has floats in it, integers are shown as floats.
func (w *colWorld) values(r *colRecord, field string, indexes []string) []cell {
	out := slices.Clone(r.cells[field])
	if w.floats(field, indexes) {
		for i := range out {
			out[i].real = true
		}
	}
	return out
}

func (w *colWorld) floats(field string, indexes []string) bool {
	return slices.ContainsFunc(indexes, func(ix string) bool {
		f, ok := w.field(ix, field)
		return ok && (f.typ == Float || w.loose[ix][field] >= Float)
	})
}

// best is the value that a record sorts by.
func best(cells []cell, desc bool) (cell, bool) {
	if len(cells) == 0 {
		return cell{}, false
	}
	if desc {
		return slices.MaxFunc(cells, cell.compare), true
	}
	return slices.MinFunc(cells, cell.compare), true
}

func nearestOf(cells []cell, from Point) (float64, bool) {
	least, found := math.Inf(1), false
	for _, c := range cells {
		least, found = min(least, metersBetween(from, c.at)), true
	}
	return least, found
}

// compare is the total order of a request without text.
func (w *colWorld) compare(a, b *colRecord, keys []SortKey) int {
	for _, k := range keys {
		c := 0
		if k.From != nil {
			da, oka := nearestOf(a.cells[k.Field], *k.From)
			db, okb := nearestOf(b.cells[k.Field], *k.From)
			c = missingLast(oka, okb, k.Desc, func() int { return cmp.Compare(da, db) })
		} else {
			va, oka := best(a.cells[k.Field], k.Desc)
			vb, okb := best(b.cells[k.Field], k.Desc)
			c = missingLast(oka, okb, k.Desc, func() int { return va.compare(vb) })
		}
		if c != 0 {
			return c
		}
	}
	if len(keys) == 0 && a.batch != b.batch {
		return cmp.Compare(b.batch, a.batch)
	}
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.id, b.id))
}

func missingLast(a, b, desc bool, f func() int) int {
	switch {
	case !a && !b:
		return 0
	case !a:
		return 1
	case !b:
		return -1
	case desc:
		return -f()
	}
	return f()
}

// distinctKey names what a record stands for under distinct: the least of its
// values, or itself.
func (w *colWorld) distinctKey(r *colRecord, field string) string {
	if v, ok := best(r.cells[field], false); ok {
		return v.key()
	}
	return "-" + r.index + "/" + r.id
}

// isNumber tells whether the searched indexes that have a field have it as one
// of numbers or dates.
func (w *colWorld) isNumber(field string, indexes []string) bool {
	for _, ix := range indexes {
		f, ok := w.field(ix, field)
		if ok && (f.typ == Int || f.typ == Float || f.typ == Date) {
			return true
		}
	}
	return false
}

// facet counts as Request.Facets does.
func (w *colWorld) facet(req FacetRequest, indexes []string, matches []*colRecord, in func(cell, FacetRange) bool) Facet {
	out := Facet{Exact: true}
	counts, of := map[string]int64{}, map[string]cell{}
	ranges := make([]int64, len(req.Ranges))
	sum, count := new(big.Rat), int64(0)
	var least, greatest *big.Rat
	unit, whole := big.NewRat(1, 1), false
	for _, r := range matches {
		cells := w.values(r, req.Field, indexes)
		if len(cells) == 0 {
			out.Missing++
		}
		seen := map[string]bool{}
		within := make([]bool, len(ranges))
		for _, c := range cells {
			if k := c.key(); !seen[k] {
				seen[k] = true
				counts[k]++
				if old, ok := of[k]; !ok || c.real && !old.real {
					of[k] = c
				}
			}
			for i, q := range req.Ranges {
				within[i] = within[i] || in(c, q)
			}
			if c.kind != 'n' && c.kind != 'd' {
				continue
			}
			if c.kind == 'd' {
				unit = big.NewRat(1, 1e6)
			}
			whole = c.kind == 'n' && !c.real
			sum.Add(sum, c.num)
			if count == 0 || c.num.Cmp(least) < 0 {
				least = c.num
			}
			if count == 0 || c.num.Cmp(greatest) > 0 {
				greatest = c.num
			}
			count++
		}
		for i, yes := range within {
			if yes {
				ranges[i]++
			}
		}
	}
	if count > 0 {
		sum.Mul(sum, unit)
		s := &FacetStats{Count: count}
		s.Min, _ = new(big.Rat).Mul(least, unit).Float64()
		s.Max, _ = new(big.Rat).Mul(greatest, unit).Float64()
		s.Sum, _ = sum.Float64()
		total := new(big.Int).Set(sum.Num())
		s.Avg, _ = sum.Quo(sum, new(big.Rat).SetInt64(count)).Float64()
		if whole {
			s.Ints = &IntStats{least.Num().Int64(), greatest.Num().Int64(), total}
		}
		out.Stats = s
	}
	if out.Stats == nil && w.isNumber(req.Field, indexes) {
		out.Stats = &FacetStats{}
	}
	for i, r := range req.Ranges {
		out.Ranges = append(out.Ranges, RangeCount{r, ranges[i]})
	}
	if len(req.Ranges) > 0 || req.Stats {
		return out
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if text := of[k].typed(); req.Query == "" || wordBegins(text, req.Query) {
			out.Values = append(out.Values, FacetValue{k, counts[k]})
		}
	}
	slices.SortFunc(out.Values, func(a, b FacetValue) int {
		c := of[a.Value.(string)].compare(of[b.Value.(string)])
		if req.Sort == FacetByValue {
			return c
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), c)
	})
	for i := range out.Values {
		out.Values[i].Value = of[out.Values[i].Value.(string)].plain()
	}
	limit := cmp.Or(req.Limit, 10)
	for _, v := range out.Values[min(limit, len(out.Values)):] {
		out.Other += v.Count
	}
	out.Values = out.Values[:min(limit, len(out.Values))]
	return out
}

// plainLetters is what the words of colWords fold to.
var plainLetters = strings.NewReplacer("ä", "a", "é", "e")

// wordBegins tells whether prefix stands at the beginning of a word of text,
// without regard to case and accents.
func wordBegins(text, prefix string) bool {
	fold := func(s string) string { return plainLetters.Replace(strings.ToLower(s)) }
	t, p := fold(text), fold(prefix)
	for i := range t {
		before := rune(' ')
		if i > 0 {
			before = []rune(t[:i])[len([]rune(t[:i]))-1]
		}
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) && strings.HasPrefix(t[i:], p) {
			return true
		}
	}
	return false
}
