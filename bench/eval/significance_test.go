package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// tailByIntegration is the two-sided p of t by Simpson's rule over the density
// of Student's distribution.
func tailByIntegration(t float64, df int) float64 {
	n := float64(df)
	scale := math.Exp(lgamma((n+1)/2)-lgamma(n/2)) / math.Sqrt(n*math.Pi)
	density := func(x float64) float64 { return scale * math.Pow(1+x*x/n, -(n+1)/2) }
	const steps = 8000
	h := t / steps
	sum := density(0) + density(t)
	for i := 1; i < steps; i++ {
		sum += density(float64(i)*h) * float64(2+2*(i%2))
	}
	return 1 - 2*sum*h/3
}

func TestBetaGivesStudentsTails(t *testing.T) {
	for _, df := range []int{1, 2, 3, 5, 10, 34, 115, 499, 1184, 20000} {
		for _, x := range []float64{0.001, 0.1, 0.5, 1, 1.96, 3, 6, 12} {
			n := float64(df)
			got := betaRegularized(n/(n+x*x), n/2, 0.5)
			if want := tailByIntegration(x, df); math.Abs(got-want) > 1e-9 {
				t.Errorf("df %d, t %v: p = %.12f, by integration %.12f", df, x, got, want)
			}
		}
	}
	// Closed forms: df 1 is Cauchy's distribution, df 2 has p = 1 - t/sqrt(2+t^2).
	for _, x := range []float64{0.3, 1, 4, 100} {
		if got, want := betaRegularized(1/(1+x*x), 0.5, 0.5), 1-2/math.Pi*math.Atan(x); math.Abs(got-want) > 1e-13 {
			t.Errorf("df 1, t %v: %v, want %v", x, got, want)
		}
		if got, want := betaRegularized(2/(2+x*x), 1, 0.5), 1-x/math.Sqrt(2+x*x); math.Abs(got-want) > 1e-13 {
			t.Errorf("df 2, t %v: %v, want %v", x, got, want)
		}
	}
}

// Differences 1 2 3 4 5: mean 3, variance 2.5, so t = 3/sqrt(2.5/5) = 4.2426...
// with 4 degrees of freedom. For df 4 the tail has a closed form: with
// s = t/sqrt(4+t*t) = 0.90453403, p = 1 - s*(3 - s*s)/2 = 0.01324050.
func TestPairedTHandComputed(t *testing.T) {
	base := []float64{10, 20, 30, 40, 50}
	value := []float64{11, 22, 33, 44, 55}
	tt, p := PairedT(value, base)
	s := tt / math.Sqrt(4+tt*tt)
	if !near(tt, 3/math.Sqrt(0.5)) || !near(p, 1-s*(3-s*s)/2) {
		t.Errorf("t %.10f p %.10f", tt, p)
	}
	if back, q := PairedT(base, value); !near(back, -tt) || !near(q, p) {
		t.Errorf("exchanged: t %v p %v, want %v and %v", back, q, -tt, p)
	}
	for _, test := range []struct {
		value, base []float64
		t, p        float64
	}{
		{nil, nil, 0, 1},
		{[]float64{1}, []float64{0}, 0, 1},
		{[]float64{1, 2}, []float64{1, 2}, 0, 1},
		{[]float64{1, 2}, []float64{0, 1}, math.Inf(1), 0},
		{[]float64{0, 1}, []float64{1, 2}, math.Inf(-1), 0},
	} {
		if tt, p := PairedT(test.value, test.base); tt != test.t || p != test.p {
			t.Errorf("PairedT(%v, %v) = %v, %v, want %v, %v", test.value, test.base, tt, p, test.t, test.p)
		}
	}
}

// randomizationExact goes through all exchanges.
func randomizationExact(value, base []float64) float64 {
	n := len(value)
	observed := 0.0
	for i := range value {
		observed += value[i] - base[i]
	}
	extreme := 0
	for mask := range 1 << n {
		sum := 0.0
		for i := range value {
			if mask>>i&1 == 1 {
				sum -= value[i] - base[i]
			} else {
				sum += value[i] - base[i]
			}
		}
		if math.Abs(sum) >= math.Abs(observed)-1e-12 {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<n)
}

func TestRandomizationApproachesTheExactTest(t *testing.T) {
	const seed = 3
	rnd := rand.New(rand.NewPCG(seed, 0))
	for round := range 20 {
		n := 2 + rnd.IntN(9)
		value, base := make([]float64, n), make([]float64, n)
		for i := range value {
			value[i], base[i] = rnd.Float64()+0.2, rnd.Float64()
			if rnd.IntN(4) == 0 {
				value[i] = base[i]
			}
		}
		got, want := Randomization(value, base, 50000, 1), randomizationExact(value, base)
		if math.Abs(got-want) > 0.015 { // 6 standard errors at p = .5
			t.Errorf("seed %d round %d: p %.4f, exact %.4f for %v and %v", seed, round, got, want, value, base)
		}
		if again := Randomization(value, base, 50000, 1); again != got {
			t.Errorf("the same seed gave %v and %v", got, again)
		}
	}
	if p := Randomization([]float64{1, 2}, []float64{1, 2}, 100, 1); p != 1 {
		t.Errorf("without a difference p = %v, want 1", p)
	}
}

// More than 64 differences need more than one draw of random bits.
func TestRandomizationOfManyQueries(t *testing.T) {
	value, base := make([]float64, 200), make([]float64, 200)
	for i := range value {
		value[i] = float64(i%2) * 0.1
		base[i] = float64((i+1)%2) * 0.1
	}
	if p := Randomization(value, base, 1000, 1); p != 1 { // gains and losses cancel
		t.Errorf("balanced: p = %v, want 1", p)
	}
	for i := range value {
		value[i] = base[i] + 0.01
	}
	if p := Randomization(value, base, 999, 1); !near(p, 0.001) {
		t.Errorf("gain everywhere: p = %v, want .001, the least that 999 rounds can show", p)
	}
}
