package score

import "math"

// DefaultK1 and DefaultB are the constants of BM25 that hold unless a request
// or schema says otherwise. Lucene uses the same.
const (
	DefaultK1 = 1.2
	DefaultB  = 0.75
)

// MaxImpact is the largest impact.
const MaxImpact = 65535

// one is the fixed-point unit of x in the formula of the package comment.
const one = 1 << 24

// Field is what BM25F needs to know of one text field.
type Field struct {
	Weight float64 // 0 leaves the field out
	B      float64 // how much length matters, 0 to 1
	AvgLen float64 // average decoded length over the documents that have the field; 0 if none has
}

// ShareUnit is the fixed-point unit of what Table.Shares returns.
const ShareUnit = one

// Params fixes the document part of the formula. It is a value: two equal
// Params give equal impacts everywhere.
type Params struct {
	K1     float64
	Fields []Field // by ordinal
}

// Table computes impacts under one Params for one number of text fields. It is
// immutable and safe for concurrent use.
type Table struct {
	book  *Codebook
	k1    uint64        // K1 in units of 1/one
	share [][256]uint64 // [field][norm] = weight/(1-b+b*len/avg), in units of 1/one
	field [256]uint16   // [code] = the field of a one-field vector, or several
	rows  []uint16      // [code<<8|norm] for one-field codes
	mask  [256]bool     // codes that hold none of the fields with a weight
}

const several = 0xffff

// NewTable prepares the impacts of every code of book under p. Fields of book
// beyond p.Fields weigh nothing.
func NewTable(book *Codebook, p Params) *Table { return NewTableUpTo(book, p, 255) }

// NewTableUpTo is NewTable for documents whose norms are at most longest in
// every field, which saves most of the work where texts are short: of 256
// norms the upper 180 are of texts of more than 400 words.
func NewTableUpTo(book *Codebook, p Params, longest byte) *Table {
	t := &Table{
		book:  book,
		k1:    fixed(p.K1),
		share: make([][256]uint64, book.Fields()),
		rows:  make([]uint16, book.Len()<<8),
	}
	for f := range t.share {
		if f >= len(p.Fields) || !(p.Fields[f].Weight > 0) {
			continue
		}
		for n := range t.share[f] {
			t.share[f][n] = max(1, fixed(lengthShare(p.Fields[f], byte(n))))
		}
	}
	for c := range t.field {
		t.field[c] = several
	}
	for c := range book.Len() {
		v := book.Vector(uint8(c))
		if len(v) == 1 {
			t.field[c] = v[0].Field
			for n := range int(longest) + 1 {
				t.rows[c<<8|n] = t.saturate(uint64(v[0].TF) * t.share[v[0].Field][n])
			}
		}
		t.mask[c] = true
		for _, f := range v {
			if t.share[f.Field][0] > 0 {
				t.mask[c] = false
			}
		}
	}
	return t
}

// lengthShare is weight/(1-b+b*len/avg). The conversions keep the compiler
// from fusing operations, which would round differently on some processors.
func lengthShare(f Field, norm byte) float64 {
	ratio := 1.0
	if f.AvgLen > 0 {
		ratio = float64(float64(DecodeNorm(norm)) / f.AvgLen)
	}
	return float64(f.Weight / float64(float64(1-f.B)+float64(f.B*ratio)))
}

// fixed converts to units of 1/one, saturating far above what BM25 needs.
func fixed(x float64) uint64 {
	if !(x > 0) {
		return 0
	}
	return uint64(math.Min(math.Round(x*one), 1<<36))
}

// saturate is x/(k1+x) as an impact. A term that occurs has an impact of at
// least 1, so that "holds the term" and "scores" are the same.
func (t *Table) saturate(x uint64) uint16 {
	if x == 0 {
		return 0
	}
	x = min(x, 1<<46)
	return uint16(max(1, x*MaxImpact/(t.k1+x)))
}

// Book returns the codebook that the codes belong to.
func (t *Table) Book() *Codebook { return t.book }

// Norms gives the norms of a run of documents by field: Norms[f][i] belongs to
// document i of the run. A nil slice stands for lengths of zero.
type Norms [][]byte

func (n Norms) at(field uint16, i int) byte {
	if int(field) < len(n) && n[field] != nil {
		return n[field][i]
	}
	return 0
}

// Impact returns the impact of a posting with the given code, not Escape, in
// document i of norms.
func (t *Table) Impact(code uint8, norms Norms, i int) uint16 {
	if impact, ok := t.Quick(code, norms, i); ok {
		return impact
	}
	return t.ImpactOf(t.book.Vector(code), norms, i)
}

// Quick is Impact for the codes whose impacts are a matter of looking them up,
// those of one field. It is small enough to become part of its caller.
func (t *Table) Quick(code uint8, norms Norms, i int) (impact uint16, ok bool) {
	f := t.field[code]
	if int(f) >= len(norms) || norms[f] == nil {
		return 0, false
	}
	return t.rows[int(code)<<8|int(norms[f][i])], true
}

// ImpactOf is Impact for a vector that is written out.
func (t *Table) ImpactOf(v Vector, norms Norms, i int) uint16 {
	var x uint64
	for _, f := range v {
		if int(f.Field) < len(t.share) {
			x += uint64(f.TF) * t.share[f.Field][norms.at(f.Field, i)]
		}
	}
	return t.saturate(x)
}

// Shares returns, for each entry of v, its part of x in the formula in units
// of 1/ShareUnit, so that an explanation can divide an impact among the fields.
func (t *Table) Shares(v Vector, norms Norms, i int) []uint64 {
	out := make([]uint64, len(v))
	for j, f := range v {
		if int(f.Field) < len(t.share) {
			out[j] = uint64(f.TF) * t.share[f.Field][norms.at(f.Field, i)]
		}
	}
	return out
}

// Silent tells whether postings with this code have an impact of zero because
// none of their fields has a weight.
func (t *Table) Silent(code uint8) bool { return t.mask[code] }

// Bounds translates upper bounds of impacts that were computed under the
// Params built into upper bounds under now, for bounds kept as one byte b
// that stands for impacts up to b*256+255. It returns the new bound per byte.
//
// If every field's share grew by at most the factor r, then x grew by at most
// r, and x/(k1+x) is monotonic in x.
func Bounds(built, now Params) [256]uint16 {
	r := 1.0
	exact := built.K1 == now.K1 && len(built.Fields) == len(now.Fields)
	for f := range now.Fields {
		if !(now.Fields[f].Weight > 0) {
			exact = false
			continue
		}
		if f >= len(built.Fields) || !(built.Fields[f].Weight > 0) {
			// Nothing was known of this field when the bounds were made.
			var all [256]uint16
			for b := range all {
				all[b] = MaxImpact
			}
			return all
		}
		exact = exact && built.Fields[f] == now.Fields[f]
		// The ratio of two linear functions of the length is largest at an end.
		for _, n := range [...]byte{0, 255} {
			r = math.Max(r, lengthShare(now.Fields[f], n)/lengthShare(built.Fields[f], n))
		}
	}
	var out [256]uint16
	for b := range out {
		top := float64(b*256 + 255)
		out[b] = uint16(top)
		if exact || b == 255 {
			continue
		}
		g := (top + 1) / (MaxImpact + 1)
		x := r * built.K1 * g / (1 - g)
		bound := x/(now.K1+x)*MaxImpact + 3 // 3: the rounding of both fixed-point computations
		out[b] = uint16(math.Min(math.Ceil(bound), MaxImpact))
	}
	return out
}

// IDF returns ln(1 + (docs-df+0.5)/(df+0.5)), which is positive for every
// df <= docs. docs is the number of live documents, df of those with the term.
func IDF(docs, df uint64) float64 {
	if df > docs {
		df = docs
	}
	n, d := float64(docs), float64(df)
	return math.Log(1 + (n-d+0.5)/(d+0.5))
}
