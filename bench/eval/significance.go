package eval

import (
	"math"
	"math/rand/v2"
)

// PairedT is Student's paired t-test of the hypothesis that value and base have
// the same mean, value by value: t is positive where value is larger, p is the
// two-sided probability of a |t| at least as large. The slices must be of one
// length. Fewer than two pairs, or no difference anywhere, give t 0 and p 1; the
// same difference everywhere gives an infinite t and p 0.
func PairedT(value, base []float64) (t, p float64) {
	n := float64(len(value))
	if n < 2 {
		return 0, 1
	}
	mean, same := 0.0, true
	for i := range value {
		d := value[i] - base[i]
		mean += d / n
		same = same && d == value[0]-base[0]
	}
	if same {
		if value[0] == base[0] {
			return 0, 1
		}
		return math.Inf(1) * (value[0] - base[0]), 0
	}
	variance := 0.0
	for i := range value {
		d := value[i] - base[i] - mean
		variance += d * d / (n - 1)
	}
	t = mean / math.Sqrt(variance/n)
	df := n - 1
	// Abramowitz and Stegun 26.7.1 with 26.5.27: P(|T| >= |t|) = I_x(df/2, 1/2).
	return t, betaRegularized(df/(df+t*t), df/2, 0.5)
}

// Randomization is the paired randomization test (Fisher's; Smucker, Allan and
// Carterette, A comparison of statistical significance tests for information
// retrieval evaluation, CIKM 2007): the share of random exchanges of value and
// base within the pairs after which the means differ at least as much as they
// do, counting the observed one. The same seed gives the same answer. The slices
// must be of one length.
func Randomization(value, base []float64, rounds int, seed uint64) float64 {
	var diffs []float64
	observed := 0.0
	for i := range value {
		if d := value[i] - base[i]; d != 0 { // an exchange of equals changes nothing
			diffs = append(diffs, d)
			observed += d
		}
	}
	// Sums of the same numbers in other signs differ by rounding alone.
	least := math.Abs(observed) * (1 - 1e-12)
	rnd := rand.New(rand.NewPCG(seed, 0))
	extreme := 1
	for range rounds {
		sum := 0.0
		var bits uint64
		for i, d := range diffs {
			if i%64 == 0 {
				bits = rnd.Uint64()
			}
			// The lowest bit becomes the sign.
			sum += math.Float64frombits(math.Float64bits(d) ^ bits<<63)
			bits >>= 1
		}
		if math.Abs(sum) >= least {
			extreme++
		}
	}
	return float64(extreme) / float64(rounds+1)
}

// betaRegularized is the regularised incomplete beta function I_x(a, b) for x
// in [0, 1] and positive a and b, by its continued fraction (NIST Digital Library
// of Mathematical Functions, 8.17.22), evaluated from its tail.
func betaRegularized(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // beyond, the fraction converges slowly
		return 1 - betaRegularized(1-x, b, a)
	}
	// The number of terms that matter grows with the root of the larger
	// parameter (ibidem, after 8.17.24).
	fraction := 1.0
	for m := math.Ceil(60 + 6*math.Sqrt(max(a, b))); m >= 0; m-- {
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		fraction = 1 + odd/fraction
		if m > 0 {
			even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
			fraction = 1 + even/fraction
		}
	}
	lnBeta := lgamma(a) + lgamma(b) - lgamma(a+b)
	return math.Exp(a*math.Log(x)+b*math.Log1p(-x)-lnBeta) / (a * fraction)
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
