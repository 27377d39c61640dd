package vector

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// oversampling is how many dimensions more than asked for are computed, and
	// powerSteps how often the matrix is applied: Halko, Martinsson and Tropp
	// find 5 to 10, and 1 or 2, enough (section 1.6 of the paper below).
	oversampling = 10
	powerSteps   = 2
	// svdSeed makes the random start of a decomposition the same every time.
	svdSeed = 1
)

// decompose returns the k left singular vectors of m that belong to the
// largest singular values, as the columns of u, and these values, descending.
// Both have fewer than k where m has a lower rank. It takes O((elements +
// (rows+columns)*k)*k) steps, and returns early with ctx's error.
//
// It is the randomized algorithm of Halko, Martinsson and Tropp, Finding
// structure with randomness (SIAM Review 53, 2011): the range finder with
// power iteration, made orthonormal at each step (algorithm 4.4), then the
// decomposition within that range (5.1), here by the eigenvectors of the small
// matrix B*B', which is exact enough for vectors that end up in 8 bits.
func decompose(ctx context.Context, m *sparse, k int) (u *dense, values []float64, err error) {
	width := min(k+oversampling, m.rows, m.columns)
	if width == 0 {
		return newDense(m.rows, 0), nil, nil
	}
	random := rand.New(rand.NewPCG(svdSeed, 0))
	right, left := newDense(m.columns, width), newDense(m.rows, width)
	for i := range right.vals {
		right.vals[i] = float32(random.NormFloat64())
	}
	m.times(right, left)
	for range powerSteps {
		orthonormalize(left)
		m.timesTransposed(left, right)
		orthonormalize(right)
		m.times(right, left)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	orthonormalize(left)
	m.timesTransposed(left, right) // the transpose of B
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	squares, vectors := eigen(gram(right))
	for n := range min(k, width) {
		if squares[n] <= squares[0]*1e-10 {
			break
		}
		values = append(values, math.Sqrt(squares[n]))
	}
	u = newDense(m.rows, len(values))
	for i := range m.rows {
		from, to := left.row(i), u.row(i)
		for n := range values {
			sum := 0.0
			for j, v := range from {
				sum += float64(v) * vectors[j*width+n]
			}
			to[n] = float32(sum)
		}
	}
	return u, values, ctx.Err()
}

// orthonormalize makes the columns of d orthonormal without changing the space
// that they span (Gram-Schmidt, modified, and each column twice, which is
// enough: Giraud, Langou and Rozloznik, The loss of orthogonality in the
// Gram-Schmidt orthogonalization process, 2005). Columns that depend on those
// before them become 0.
func orthonormalize(d *dense) {
	// Columns are worked on as rows of the transpose, which lie together.
	t := transpose(d)
	for i := range t.rows {
		col := t.row(i)
		before := math.Sqrt(dot(col, col))
		for range 2 {
			for j := range i {
				other := t.row(j)
				addScaled(col, -float32(dot(col, other)), other)
			}
		}
		norm := math.Sqrt(dot(col, col))
		if norm <= before*1e-5 {
			clear(col)
			continue
		}
		for n := range col {
			col[n] = float32(float64(col[n]) / norm)
		}
	}
	transposeInto(t, d)
}

func transpose(d *dense) *dense {
	t := newDense(d.columns, d.rows)
	transposeInto(d, t)
	return t
}

func transposeInto(d, t *dense) {
	for i := range d.rows {
		for j, v := range d.row(i) {
			t.vals[j*t.columns+i] = v
		}
	}
}

// gram returns the product of d's transpose and d, square and row by row.
func gram(d *dense) []float64 {
	n := d.columns
	out := make([]float64, n*n)
	for i := range d.rows {
		row := d.row(i)
		for a, v := range row {
			if v == 0 {
				continue
			}
			to := out[a*n : a*n+n]
			for b := a; b < n; b++ {
				to[b] += float64(v) * float64(row[b])
			}
		}
	}
	for a := range n {
		for b := range a {
			out[a*n+b] = out[b*n+a]
		}
	}
	return out
}

// eigen returns the eigenvalues of a symmetric matrix, descending, and its
// eigenvectors as the columns of a matrix, by the cyclic Jacobi method (Golub
// and Van Loan, Matrix Computations, 8.5). It overwrites a, which is square and
// row by row. The sign of an eigenvector is that its largest element is
// positive, so that it is the same however it was found.
func eigen(a []float64) (values, vectors []float64) {
	n := int(math.Sqrt(float64(len(a))))
	v := make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	for range 60 { // sweeps; a dozen are enough for any matrix that is met
		var off, diagonal float64
		for i := range n {
			diagonal += a[i*n+i] * a[i*n+i]
			for j := range i {
				off += a[i*n+j] * a[i*n+j]
			}
		}
		if off <= 1e-24*diagonal || off == 0 {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, v, n, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case a[x*n+x] > a[y*n+y]:
			return -1
		case a[x*n+x] < a[y*n+y]:
			return 1
		}
		return 0
	})
	values, vectors = make([]float64, n), make([]float64, n*n)
	for to, from := range order {
		values[to] = max(0, a[from*n+from])
		sign, largest := 1.0, 0.0
		for i := range n {
			if x := v[i*n+from]; math.Abs(x) > largest {
				largest, sign = math.Abs(x), math.Copysign(1, x)
			}
		}
		for i := range n {
			vectors[i*n+to] = sign * v[i*n+from]
		}
	}
	return values, vectors
}

// rotate makes element (p, q) of a zero, and turns v with it.
func rotate(a, v []float64, n, p, q int) {
	apq := a[p*n+q]
	if apq == 0 {
		return
	}
	tau := (a[q*n+q] - a[p*n+p]) / (2 * apq)
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+t*t)
	s := t * c
	for i := range n {
		x, y := a[i*n+p], a[i*n+q]
		a[i*n+p], a[i*n+q] = c*x-s*y, s*x+c*y
	}
	for i := range n {
		x, y := a[p*n+i], a[q*n+i]
		a[p*n+i], a[q*n+i] = c*x-s*y, s*x+c*y
	}
	for i := range n {
		x, y := v[i*n+p], v[i*n+q]
		v[i*n+p], v[i*n+q] = c*x-s*y, s*x+c*y
	}
}
