package vector

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// randomSparse returns a matrix of which about a share of the elements is not
// 0, and the same as a dense one.
func randomSparse(r *rand.Rand, rows, columns int, share float64) (*sparse, *dense) {
	m := &sparse{rows: rows, columns: columns, start: []int{0}}
	d := newDense(rows, columns)
	for i := range rows {
		for j := range columns {
			if r.Float64() < share {
				v := float32(r.NormFloat64())
				m.cols, m.vals = append(m.cols, uint32(j)), append(m.vals, v)
				d.vals[i*columns+j] = v
			}
		}
		m.start = append(m.start, len(m.cols))
	}
	return m, d
}

func TestProductsAreThoseOfTheDenseMatrix(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 30 {
		rows, columns, width := 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(9)
		m, d := randomSparse(r, rows, columns, 0.3)
		_, x := randomSparse(r, columns, width, 1)
		_, y := randomSparse(r, rows, width, 1)
		got, back := newDense(rows, width), newDense(columns, width)
		m.times(x, got)
		m.timesTransposed(y, back)
		for c := range width {
			for i := range rows {
				want := 0.0
				for j := range columns {
					want += float64(d.row(i)[j]) * float64(x.row(j)[c])
				}
				if math.Abs(want-float64(got.row(i)[c])) > 1e-4 {
					t.Fatalf("seed %d, round %d: product (%d, %d) = %v, want %v", seed, round, i, c, got.row(i)[c], want)
				}
			}
			for j := range columns {
				want := 0.0
				for i := range rows {
					want += float64(d.row(i)[j]) * float64(y.row(i)[c])
				}
				if math.Abs(want-float64(back.row(j)[c])) > 1e-4 {
					t.Fatalf("seed %d, round %d: transposed product (%d, %d) = %v, want %v", seed, round, j, c, back.row(j)[c], want)
				}
			}
		}
		twice := m.transpose().transpose()
		for k := range m.vals {
			if twice.vals[k] != m.vals[k] || twice.cols[k] != m.cols[k] {
				t.Fatalf("seed %d, round %d: transposed twice, element %d differs", seed, round, k)
			}
		}
	}
}

func TestEigenvectorsOfSymmetricMatrices(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 20 {
		n := 1 + r.IntN(25)
		_, d := randomSparse(r, n+r.IntN(5), n, 0.7)
		a := gram(d)
		values, vectors := eigen(append([]float64(nil), a...))
		for k := range n {
			if k > 0 && values[k] > values[k-1] {
				t.Fatalf("seed %d, round %d: eigenvalues ascend: %v", seed, round, values)
			}
			for i := range n {
				got := 0.0
				for j := range n {
					got += a[i*n+j] * vectors[j*n+k]
				}
				if want := values[k] * vectors[i*n+k]; math.Abs(got-want) > 1e-6*(1+values[0]) {
					t.Fatalf("seed %d, round %d: row %d of A*v%d is %v, want %v", seed, round, i, k, got, want)
				}
			}
		}
	}
}

// TestDecompositionIsTheBestOfItsRank compares with the singular values of the
// whole matrix, by its Gram matrix, and with what a matrix of low rank is made
// of.
func TestDecompositionIsTheBestOfItsRank(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 10 {
		rows, columns, k := 30+r.IntN(60), 30+r.IntN(60), 5
		m, d := randomSparse(r, rows, columns, 0.2)
		// A few strong directions, so that the first k stand out.
		for i := range k {
			for p := m.start[i*5]; p < m.start[i*5+1]; p++ {
				m.vals[p] *= float32(20 - 3*i)
				d.row(i * 5)[m.cols[p]] *= float32(20 - 3*i)
			}
		}
		squares, _ := eigen(gram(d))
		u, values, err := decompose(context.Background(), m, k)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if want := math.Sqrt(squares[i]); math.Abs(v-want) > 0.01*want {
				t.Errorf("seed %d, round %d: singular value %d is %v, want %v", seed, round, i, v, want)
			}
			for j := range values {
				sum, want := 0.0, 0.0
				for n := range rows {
					sum += float64(u.row(n)[i]) * float64(u.row(n)[j])
				}
				if i == j {
					want = 1
				}
				if math.Abs(sum-want) > 1e-3 {
					t.Errorf("seed %d, round %d: columns %d and %d have the product %v, want %v", seed, round, i, j, sum, want)
				}
			}
		}
	}
}

func TestDecompositionOfLowRank(t *testing.T) {
	// The outer product of two vectors has rank 1, and a matrix of zeros 0.
	m := &sparse{rows: 4, columns: 3, start: []int{0, 3, 6, 9, 12}}
	for i := range 4 {
		for j := range 3 {
			m.cols, m.vals = append(m.cols, uint32(j)), append(m.vals, float32((i+1)*(j+1)))
		}
	}
	u, values, err := decompose(context.Background(), m, 3)
	if err != nil || len(values) != 1 || u.columns != 1 {
		t.Fatalf("rank 1: values %v, %d columns, error %v", values, u.columns, err)
	}
	if want := math.Sqrt(30 * 14); math.Abs(values[0]-want) > 1e-3 {
		t.Errorf("rank 1: value %v, want %v", values[0], want)
	}
	for _, empty := range []*sparse{{rows: 3, columns: 2, start: []int{0, 0, 0, 0}}, {start: []int{0}}} {
		if u, values, err := decompose(context.Background(), empty, 2); err != nil || len(values) != 0 || u.columns != 0 {
			t.Errorf("%d by %d zeros: values %v, %d columns, error %v", empty.rows, empty.columns, values, u.columns, err)
		}
	}
}

func TestDecompositionEndsWithItsContext(t *testing.T) {
	m, _ := randomSparse(rand.New(rand.NewPCG(4, 0)), 20, 20, 0.5)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := decompose(ctx, m, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("decompose with a cancelled context: %v", err)
	}
}
