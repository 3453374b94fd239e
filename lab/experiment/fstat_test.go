package experiment

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// TestBetaAgainstClosedForms: I_x(a, 1) = x^a, I_x(1, b) = 1-(1-x)^b, I_x(½, ½) = 2/π·asin √x, and for whole numbers
// the sum of binomial chances; I_x(a, b) + I_{1-x}(b, a) = 1.
func TestBetaAgainstClosedForms(t *testing.T) {
	near := func(what string, got, want, x, a, b float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-11 {
			t.Errorf("I_%g(%g, %g) is %.15g, %s gives %.15g", x, a, b, got, what, want)
		}
	}
	for _, x := range []float64{0, 1e-9, 0.01, 0.3, 0.5, 0.77, 0.999, 1} {
		for _, a := range []float64{0.5, 1, 2, 7, 31.5} {
			near("x^a", beta(x, a, 1), math.Pow(x, a), x, a, 1)
			near("1-(1-x)^b", beta(x, 1, a), 1-math.Pow(1-x, a), x, 1, a)
			for _, b := range []float64{0.5, 3, 40} {
				near("the mirror", beta(x, a, b)+beta(1-x, b, a), 1, x, a, b)
			}
		}
		near("the arcsine", beta(x, 0.5, 0.5), 2/math.Pi*math.Asin(math.Sqrt(x)), x, 0.5, 0.5)
		for a := 1; a <= 8; a++ {
			for b := 1; b <= 8; b++ {
				n, sum, choose := a+b-1, 0.0, 1.0
				for j := 0; j <= n; j++ {
					if j >= a {
						sum += choose * math.Pow(x, float64(j)) * math.Pow(1-x, float64(n-j))
					}
					choose = choose * float64(n-j) / float64(j+1)
				}
				near("the binomial sum", beta(x, float64(a), float64(b)), sum, x, float64(a), float64(b))
			}
		}
	}
}

// TestFTables compares with the 5 % and 1 % points that tables of the F distribution print.
func TestFTables(t *testing.T) {
	for _, c := range []struct {
		d1, d2 int
		f, p   float64
	}{
		{1, 1, 161.4476, 0.05},
		{1, 4, 7.7086, 0.05},
		{1, 9, 5.1174, 0.05},
		{2, 8, 4.4590, 0.05},
		{2, 18, 3.5546, 0.05},
		{3, 72, 2.7318, 0.05},
		{2, 78, 3.1138, 0.05},
		{5, 10, 3.3258, 0.05},
		{1, 4, 21.1977, 0.01},
		{2, 18, 6.0129, 0.01},
		{4, 20, 4.4307, 0.01},
	} {
		if p := upperF(c.f, c.d1, c.d2); math.Abs(p-c.p) > 2e-5 {
			t.Errorf("F(%d, %d) above %g: %.6f, tables have %g", c.d1, c.d2, c.f, p, c.p)
		}
	}
}

// TestRepeatedMeasures works an example by hand, and checks the test against its definition.
func TestRepeatedMeasures(t *testing.T) {
	// Four subjects, three treatments. Treatment means 3, 5, 7, subject means 4, 5, 5, 6, grand mean 5:
	// between treatments 4·(4+0+4) = 32 on 2, residual 6 on 6. F = 16/1.
	values := [][]float64{{2, 4, 2, 4}, {5, 4, 5, 6}, {5, 7, 8, 8}}
	got, err := RepeatedMeasures(values)
	if err != nil {
		t.Fatal(err)
	}
	// F with 2 degrees of freedom above has a closed form: (d2/(d2+2F))^(d2/2).
	want := FTest{F: 16, DF1: 2, DF2: 6, P: math.Pow(6.0/(6+32), 3)}
	if math.Abs(got.F-want.F) > 1e-12 || got.DF1 != 2 || got.DF2 != 6 || math.Abs(got.P-want.P) > 1e-12 {
		t.Errorf("%+v, want %+v", got, want)
	}

	// Two treatments: F is the square of the paired t.
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 2 + rng.IntN(9)
		a, b, d := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = rng.NormFloat64(), 1+rng.NormFloat64()
			d[i] = a[i] - b[i]
		}
		got, err := RepeatedMeasures([][]float64{a, b})
		if err != nil {
			t.Fatal(err)
		}
		mean, sd := meanSD(d)
		want := mean * mean / (sd * sd / float64(n))
		if math.Abs(got.F-want) > 1e-9*want || got.DF1 != 1 || got.DF2 != n-1 {
			t.Errorf("F %g of %d pairs, t² %g", got.F, n, want)
		}
		// Effects common to all treatments of a subject do not matter.
		for i := range n {
			shift := 100 * rng.Float64()
			a[i] += shift
			b[i] += shift
		}
		if moved, err := RepeatedMeasures([][]float64{a, b}); err != nil || math.Abs(moved.F-got.F) > 1e-6*got.F {
			t.Errorf("subjects moved: F %g, was %g (%v)", moved.F, got.F, err)
		}
	}
}

// TestFTestDegenerate: equal treatments, treatments with a constant difference, and invalid values.
func TestFTestDegenerate(t *testing.T) {
	same, err := RepeatedMeasures([][]float64{{1, 2, 3.3}, {1, 2, 3.3}})
	if err != nil || same.F != 0 || same.P != 1 {
		t.Errorf("the same twice: %+v, %v", same, err)
	}
	shifted, err := RepeatedMeasures([][]float64{{1, 2, 3}, {5, 6, 7}})
	if err != nil || !math.IsInf(shifted.F, 1) || shifted.P != 0 {
		t.Errorf("always 4 more: %+v, %v", shifted, err)
	}
	for _, values := range [][][]float64{
		nil, {{1, 2}}, {{1}, {2}}, {{1, math.NaN()}, {1, 2}}, {{1, 2}, {math.Inf(1), 2}},
	} {
		if _, err := RepeatedMeasures(values); !errors.Is(err, errFTest) {
			t.Errorf("%v: %v", values, err)
		}
	}
	if _, err := RepeatedMeasures([][]float64{{1, 2}, {1, 2, 3}}); err == nil {
		t.Error("three subjects beside two: no error")
	}
}
