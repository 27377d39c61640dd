package vector

// dotBytes is the inner product of signed bytes, of which b has as many as a. A product
// has 15 bits, so that 2^17 of them fit a sum.
func dotBytes(a, b []byte) int32 {
	b = b[:len(a)]
	n := 0
	var sum int32
	if wide {
		n = len(a) &^ (wideStep - 1)
		if n > 0 {
			sum = dotWide(&a[0], &b[0], n)
		}
	}
	return sum + dotPlain(a[n:], b[n:])
}

// dotPlain is dotBytes without instructions that not every processor has. Four sums are
// under way at a time, so that the processor need not wait for one before the next.
func dotPlain(a, b []byte) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += int32(int8(a[0]))*int32(int8(b[0])) + int32(int8(a[4]))*int32(int8(b[4]))
		s1 += int32(int8(a[1]))*int32(int8(b[1])) + int32(int8(a[5]))*int32(int8(b[5]))
		s2 += int32(int8(a[2]))*int32(int8(b[2])) + int32(int8(a[6]))*int32(int8(b[6]))
		s3 += int32(int8(a[3]))*int32(int8(b[3])) + int32(int8(a[7]))*int32(int8(b[7]))
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += int32(int8(x)) * int32(int8(b[i]))
	}
	return s0 + s1 + s2 + s3
}

// addSteps adds to a row as many signed bytes times f: each product and each sum is
// rounded, so that the row is the same on every processor.
func addSteps(to []float32, steps []byte, f float32) {
	to = to[:len(steps)]
	n := 0
	if wide {
		n = len(steps) &^ (addStep - 1)
		if n > 0 {
			addWide(&to[0], &steps[0], f, n)
		}
	}
	addPlain(to[n:], steps[n:], f)
}

// addPlain is addSteps without instructions that not every processor has.
func addPlain(to []float32, steps []byte, f float32) {
	for i, s := range steps {
		to[i] += float32(f * float32(int8(s)))
	}
}
