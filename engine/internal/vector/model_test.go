package vector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// topics is a corpus of documents, each about one of a few subjects: its words
// are those of the subject, and some that all subjects share.
func topics(r *rand.Rand, docs int) []string {
	subjects := [][]string{
		strings.Fields("car engine wheel road driver garage fuel tyre"),
		strings.Fields("bread oven flour dough baker yeast crust loaf"),
		strings.Fields("violin bow string orchestra concert tune score music"),
	}
	shared := strings.Fields("make take give new old good part time")
	out := make([]string, docs)
	for i := range out {
		s := subjects[i%len(subjects)]
		words := make([]string, 12)
		for j := range words {
			words[j] = s[r.IntN(len(s))]
			if r.IntN(3) == 0 {
				words[j] = shared[r.IntN(len(shared))]
			}
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}

func corpusOf(docs []string, order []int) *Corpus {
	c := NewCorpus()
	for _, i := range order {
		c.Begin(uint64(i)*2654435761 + 7)
		for _, w := range strings.Fields(docs[i]) {
			c.Add([]byte(w))
		}
	}
	return c
}

func ascending(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func trained(t *testing.T, c *Corpus, o Options) *Model {
	t.Helper()
	m, err := Train(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func document(m *Model, text string) Vector {
	t := m.Text()
	for _, w := range strings.Fields(text) {
		t.Add([]byte(w))
	}
	return t.Append(nil)
}

func queryOf(m *Model, words ...string) (Vector, bool) {
	var q []Weighted
	for _, w := range words {
		if n, ok := m.Number(w); ok {
			q = append(q, Weighted{n, 1})
		}
	}
	return m.Text().Query(q)
}

func TestDocumentsOfASubjectAreNearItsWords(t *testing.T) {
	const seed = 1
	docs := topics(rand.New(rand.NewPCG(seed, 0)), 300)
	m := trained(t, corpusOf(docs, ascending(len(docs))), Options{Dims: 6})
	for _, c := range []struct{ query, near, far string }{
		{"fuel", "wheel road garage", "yeast crust loaf"},
		{"dough", "oven baker crust", "bow string music"},
		{"concert", "violin tune score", "engine tyre driver"},
	} {
		q, ok := queryOf(m, c.query)
		if !ok {
			t.Fatalf("%q has no vector", c.query)
		}
		near, far := q.Cosine(document(m, c.near)), q.Cosine(document(m, c.far))
		if near < far+0.3 {
			t.Errorf("seed %d: %q is %.2f from %q and %.2f from %q, want it near the first", seed, c.query, near, c.near, far, c.far)
		}
		moved := m.Text().Toward(q, []Near{{document(m, c.far), 1}}, 1)
		if got := moved.Cosine(document(m, c.far)); got < far+0.2 {
			t.Errorf("seed %d: %q moved towards %q is %.2f from it, and was %.2f", seed, c.query, c.far, got, far)
		}
	}
	if _, ok := queryOf(m, "unheard"); ok {
		t.Error("a word that is in no document has a vector")
	}
	if got := document(m, "unheard of").Cosine(document(m, "fuel")); got != 0 {
		t.Errorf("a text of unknown words has the cosine %v, want 0", got)
	}
}

func TestTrainingDoesNotDependOnTheOrderOfDocuments(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	docs := topics(r, 120)
	want := trained(t, corpusOf(docs, ascending(len(docs))), Options{Dims: 5}).Encode()
	for range 3 {
		if got := trained(t, corpusOf(docs, r.Perm(len(docs))), Options{Dims: 5}).Encode(); !bytes.Equal(got, want) {
			t.Fatalf("seed %d: another order of the documents gives another model", seed)
		}
	}
}

// TestCompanyIsThatOfANaiveCount counts pairs by the definition.
func TestCompanyIsThatOfANaiveCount(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	docs := topics(r, 40)
	v := corpusOf(docs, ascending(len(docs))).vocabulary(1000)
	got, err := v.company(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	counts, sums := map[[2]uint32]float64{}, make([]float64, len(v.terms))
	for d := range v.documents() {
		text := v.tokens[v.start[d]:v.start[d+1]]
		for i, a := range text {
			for j, b := range text {
				if dist := max(i-j, j-i); a != none && b != none && a != b && dist <= window {
					counts[[2]uint32{a, b}] += math.Floor(nearness / float64(dist))
					sums[a] += math.Floor(nearness / float64(dist))
				}
			}
		}
	}
	smooth := 0.0
	for _, s := range sums {
		smooth += math.Pow(s, smoothing)
	}
	elements := 0
	for pair, n := range counts {
		a, b := pair[0], pair[1]
		pmi := func(x, y uint32) float64 { return math.Log(n / sums[x] / (math.Pow(sums[y], smoothing) / smooth)) }
		want := (pmi(a, b) + pmi(b, a)) / 2
		if want <= 1e-9 {
			continue
		}
		elements++
		row := got.cols[got.start[a]:got.start[a+1]]
		at, ok := slices.BinarySearch(row, b)
		if !ok || math.Abs(float64(got.vals[got.start[a]+at])-want) > 1e-5 {
			t.Fatalf("seed %d: %s beside %s: found %v, want %v", seed, v.terms[a], v.terms[b], ok, want)
		}
	}
	if elements != len(got.vals) {
		t.Errorf("seed %d: %d elements, want %d", seed, len(got.vals), elements)
	}
}

func TestCosineOfStepsIsNearThatOfFloats(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n := 2 + 2*r.IntN(80)
		rows := [2][]float32{}
		var vectors [2]Vector
		for i := range rows {
			row := make([]float32, n)
			for j := range row {
				row[j] = float32(r.NormFloat64())
			}
			toUnit(row[:n/2])
			toUnit(row[n/2:])
			rows[i], vectors[i] = row, appendVector(nil, row)
		}
		want := max(0, dot(rows[0], rows[1])/2)
		if got := vectors[0].Cosine(vectors[1]); math.Abs(got-want) > 0.02 {
			t.Fatalf("seed %d: %d dimensions: cosine %v, want %v", seed, n, got, want)
		}
		if got := vectors[0].Cosine(vectors[0]); math.Abs(got-1) > 0.02 {
			t.Fatalf("seed %d: %d dimensions: cosine with itself %v", seed, n, got)
		}
	}
}

func TestVocabularyKeepsTheMostFrequentTerms(t *testing.T) {
	docs := []string{"a b c d", "a b c", "a b", "once a", ""}
	v := corpusOf(docs, ascending(len(docs))).vocabulary(2)
	if want := []string{"a", "b"}; !slices.Equal(v.terms, want) || !slices.Equal(v.df, []int{4, 3}) {
		t.Errorf("terms %v in %v documents, want %v in 4 and 3", v.terms, v.df, want)
	}
	if v.documents() != len(docs) {
		t.Errorf("%d documents, want %d", v.documents(), len(docs))
	}
}

func TestCorpusWithoutSharedTerms(t *testing.T) {
	for _, docs := range [][]string{{}, {"a"}, {"a b", "c d"}, {"a", "a"}} {
		m := trained(t, corpusOf(docs, ascending(len(docs))), Options{})
		again, err := Decode(m.Encode())
		if err != nil {
			t.Fatalf("%q: %v", docs, err)
		}
		if v := document(again, "a b"); len(v) != again.Size() {
			t.Errorf("%q: a vector of %d bytes, want %d", docs, len(v), again.Size())
		}
	}
}

func TestEncodingGivesTheSameModel(t *testing.T) {
	const seed = 5
	docs := topics(rand.New(rand.NewPCG(seed, 0)), 60)
	m := trained(t, corpusOf(docs, ascending(len(docs))), Options{Dims: 4})
	b := m.Encode()
	again, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Encode(), b) {
		t.Error("decoded and encoded again, a model is another")
	}
	if a, b := document(m, docs[0]), document(again, docs[0]); !bytes.Equal(a, b) {
		t.Errorf("a document has the vector %x before and %x after", a, b)
	}
	for n := range b {
		if _, err := Decode(b[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v is not ErrCorrupt", n, len(b), err)
		}
	}
	if _, err := Decode(append(b, 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte too many: %v is not ErrCorrupt", err)
	}
}

func FuzzDecode(f *testing.F) {
	docs := topics(rand.New(rand.NewPCG(6, 0)), 30)
	m, err := Train(context.Background(), corpusOf(docs, ascending(len(docs))), Options{Dims: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Encode())
	f.Add([]byte{})
	f.Add([]byte{modelFormat, 0, 0, 0, 0})
	f.Add([]byte{modelFormat, 1, 1, 1, 2, 0, 1, 'a', 1, 1, 'b'})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%x: %v is not ErrCorrupt", b, err)
			}
			return
		}
		v := document(m, "a b car")
		if c := v.Cosine(v); math.IsNaN(c) || c < 0 {
			t.Errorf("%x: cosine %v", b, c)
		}
	})
}

func BenchmarkCosine(b *testing.B) {
	for _, dims := range []int{64, 100} {
		b.Run(fmt.Sprint(2*dims), func(b *testing.B) {
			row := make([]float32, 2*dims)
			for i := range row {
				row[i] = float32(i%7) - 3
			}
			v := Vector(appendVector(nil, row))
			for b.Loop() {
				v.Cosine(v)
			}
		})
	}
}
