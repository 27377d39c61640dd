package vector

import (
	"context"
	"math"
	"slices"
)

// Options bound a Model.
type Options struct {
	Terms int // of the vocabulary, the most frequent ones; 0 means 30,000
	Dims  int // of each of the two parts of a vector; 0 means 64
}

func (o Options) withDefaults() Options {
	if o.Terms == 0 {
		o.Terms = 30_000
	}
	if o.Dims == 0 {
		o.Dims = 64
	}
	return o
}

// Model gives terms, and by them texts, their vectors. It is immutable and safe
// for concurrent use.
type Model struct {
	documents int
	dims      [2]int // of the parts
	terms     []string
	numbers   map[string]uint32
	idf       []float32
	scales    []float32 // two of each term: the value of a step in each part
	steps     []byte    // of each term, signed, the parts one behind the other
}

// Train makes a Model of a corpus. The result depends on the documents and
// their keys alone, on one kind of processor to the last bit. It takes
// O(tokens*window*dimensions + terms*dimensions^2) steps and returns early
// with the error of ctx. A corpus without terms that documents share gives a
// Model without terms.
func Train(ctx context.Context, c *Corpus, o Options) (*Model, error) {
	o = o.withDefaults()
	v := c.vocabulary(o.Terms)
	m := &Model{documents: v.documents(), terms: v.terms, idf: v.idf()}
	company, err := v.company(ctx)
	if err != nil {
		return nil, err
	}
	first, values, err := decompose(ctx, company, o.Dims)
	if err != nil {
		return nil, err
	}
	// The square roots of the singular values: between the raw vectors and
	// those of the matrix itself, as Levy, Goldberg and Dagan advise.
	for i := range first.rows {
		row := first.row(i)
		for j := range row {
			row[j] *= float32(math.Sqrt(values[j]))
		}
	}
	second, _, err := decompose(ctx, v.occurrence(m.idf), o.Dims)
	if err != nil {
		return nil, err
	}
	m.dims = [2]int{first.columns, second.columns}
	m.quantize(first, second)
	m.index()
	return m, nil
}

// quantize keeps the vectors of the terms in steps of a hundred and
// twenty-seventh of the largest element of each part.
func (m *Model) quantize(parts ...*dense) {
	m.scales = make([]float32, 0, 2*len(m.terms))
	m.steps = make([]byte, 0, m.Dims()*len(m.terms))
	for t := range m.terms {
		for _, p := range parts {
			var scale float32
			m.steps, scale = appendSteps(m.steps, p.row(t))
			m.scales = append(m.scales, scale)
		}
	}
}

// appendSteps appends a row as whole numbers of steps, and returns the step.
func appendSteps(dst []byte, row []float32) ([]byte, float32) {
	largest := float32(0)
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return append(dst, make([]byte, len(row))...), 0
	}
	step := largest / math.MaxInt8
	for _, x := range row {
		dst = append(dst, byte(int8(math.RoundToEven(float64(x)/float64(step)))))
	}
	return dst, step
}

func (m *Model) index() {
	m.numbers = make(map[string]uint32, len(m.terms))
	for i, t := range m.terms {
		m.numbers[t] = uint32(i)
	}
}

// Dims is the number of dimensions of a vector.
func (m *Model) Dims() int { return m.dims[0] + m.dims[1] }

// Documents is the number of documents that the model was trained on.
func (m *Model) Documents() int { return m.documents }

// Terms is the number of terms that have a vector.
func (m *Model) Terms() int { return len(m.terms) }

// Bytes is about the memory that the model takes.
func (m *Model) Bytes() int {
	n := len(m.steps) + 4*len(m.scales) + 4*len(m.idf)
	for _, t := range m.terms {
		n += len(t) + 64 // its header, and its place in the map
	}
	return n
}

// Text adds up the vector of a text, term by term. It is used by one goroutine
// and may be used for one text after another.
type Text struct {
	model   *Model
	numbers []uint32 // of the terms of a document
	sum     []float32
}

// Text returns an empty text.
func (m *Model) Text() *Text { return &Text{model: m, sum: make([]float32, m.Dims())} }

// Add adds a term of a document; terms without a vector are passed over.
func (t *Text) Add(term []byte) {
	if n, ok := t.model.numbers[string(term)]; ok {
		t.numbers = append(t.numbers, n)
	}
}

// Append appends the vector of the document whose terms were added, as Size
// says, and empties the text. Terms count by their idf and the logarithm of
// their frequency; in which order they were added does not matter.
func (t *Text) Append(dst []byte) []byte {
	slices.Sort(t.numbers)
	for i := 0; i < len(t.numbers); {
		n, from := t.numbers[i], i
		for i < len(t.numbers) && t.numbers[i] == n {
			i++
		}
		t.model.addTo(t.sum, n, 1+math.Log(float64(i-from)))
	}
	t.numbers = t.numbers[:0]
	return t.finish(dst)
}

// Number is the number by which a model knows a term; ok is false if it has no vector.
func (m *Model) Number(term string) (n uint32, ok bool) {
	n, ok = m.numbers[term]
	return n, ok
}

// Weighted is a term of a query, by its number, and what it counts there beside its idf.
type Weighted struct {
	Term   uint32
	Weight float64
}

// Query returns the vector of a query; ok is false if it has no terms, or they cancel out.
func (t *Text) Query(terms []Weighted) (v Vector, ok bool) {
	for _, w := range terms {
		t.model.addTo(t.sum, w.Term, w.Weight)
	}
	v = Vector(t.finish(nil))
	return v, v.step() > 0
}

// addTo adds the vector of a term to a sum.
func (m *Model) addTo(sum []float32, term uint32, weight float64) {
	weight *= float64(m.idf[term])
	steps := m.steps[int(term)*m.Dims():][:m.Dims()]
	for part, dims := range m.dims {
		f := float32(weight * float64(m.scales[2*int(term)+part]))
		addSteps(sum[:dims], steps[:dims], f)
		sum, steps = sum[dims:], steps[dims:]
	}
}

// finish makes a vector of the sum, whose parts count alike, and clears it.
func (t *Text) finish(dst []byte) []byte {
	t.model.toUnits(t.sum)
	dst = appendVector(dst, t.sum)
	clear(t.sum)
	return dst
}

// Near is a document that a query's vector is moved towards, and what it
// counts among others.
type Near struct {
	Vector Vector
	Weight float64
}

// Toward returns the vector of a query moved towards the middle of some
// documents: by weight 1 half of the way.
func (t *Text) Toward(query Vector, near []Near, weight float64) Vector {
	m := t.model
	for _, n := range near {
		n.Vector.addTo(t.sum, n.Weight)
	}
	m.toUnits(t.sum)
	for i := range t.sum {
		t.sum[i] = float32(weight * float64(t.sum[i]))
	}
	query.addTo(t.sum, 1)
	return t.finish(nil)
}

// toUnits gives each part of a row the length 1.
func (m *Model) toUnits(row []float32) {
	toUnit(row[:m.dims[0]])
	toUnit(row[m.dims[0]:])
}
