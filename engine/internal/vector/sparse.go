package vector

// sparse is a matrix most of whose elements are 0, row by row (compressed
// sparse rows): the elements of row i are vals[start[i]:start[i+1]], in the
// columns cols of the same range, ascending.
type sparse struct {
	rows, columns int
	start         []int
	cols          []uint32
	vals          []float32
}

// dense is a matrix row by row: element (i, j) is at i*columns+j.
type dense struct {
	rows, columns int
	vals          []float32
}

func newDense(rows, columns int) *dense {
	return &dense{rows, columns, make([]float32, rows*columns)}
}

func (d *dense) row(i int) []float32 { return d.vals[i*d.columns : (i+1)*d.columns] }

// times sets dst to m*x, in O(elements of m * columns of x).
func (m *sparse) times(x, dst *dense) {
	clear(dst.vals)
	for i := range m.rows {
		to := dst.row(i)
		for k := m.start[i]; k < m.start[i+1]; k++ {
			addScaled(to, m.vals[k], x.row(int(m.cols[k])))
		}
	}
}

// timesTransposed sets dst to the transpose of m, times x.
func (m *sparse) timesTransposed(x, dst *dense) {
	clear(dst.vals)
	for i := range m.rows {
		from := x.row(i)
		for k := m.start[i]; k < m.start[i+1]; k++ {
			addScaled(dst.row(int(m.cols[k])), m.vals[k], from)
		}
	}
}

// addScaled adds f*x to dst, which is as long as x.
func addScaled(dst []float32, f float32, x []float32) {
	dst = dst[:len(x)]
	for len(x) >= 4 { // four sums at a time: the loop's own work is as much as an addition
		d, s := (*[4]float32)(dst), (*[4]float32)(x)
		d[0] += f * s[0]
		d[1] += f * s[1]
		d[2] += f * s[2]
		d[3] += f * s[3]
		dst, x = dst[4:], x[4:]
	}
	for i, v := range x {
		dst[i] += f * v
	}
}

// dot returns the sum of the products of two rows of one length, added up in
// double precision.
func dot(a, b []float32) float64 {
	b = b[:len(a)]
	var s0, s1 float64
	i := 0
	for ; i+1 < len(a); i += 2 {
		s0 += float64(a[i]) * float64(b[i])
		s1 += float64(a[i+1]) * float64(b[i+1])
	}
	if i < len(a) {
		s0 += float64(a[i]) * float64(b[i])
	}
	return s0 + s1
}
