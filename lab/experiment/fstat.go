package experiment

import (
	"errors"
	"fmt"
	"math"
)

// FTest is the outcome of a test of equal means.
type FTest struct {
	F        float64 // infinite where the subjects agree exactly on a difference
	DF1, DF2 int     // degrees of freedom: of the treatments, of the error
	// P is the chance of an F at least as large if all means were equal. Its last digits depend on the machine's
	// logarithm; no decision uses more than two digits.
	P float64
}

var errFTest = errors.New("needs two treatments and two subjects or more, all with numbers")

// RepeatedMeasures tests whether treatments have the same mean, by a one-way analysis of variance with repeated
// measures: values[t][s] is the result of treatment t on subject s, so differences between subjects do not
// count as error. No correction for sphericity is made, as the sources name none. Reference: R. A. Fisher,
// Statistical Methods for Research Workers, randomised blocks. Time O(values).
func RepeatedMeasures(values [][]float64) (FTest, error) {
	k := len(values)
	if k < 2 || len(values[0]) < 2 {
		return FTest{}, fmt.Errorf("experiment: an F-test %w", errFTest)
	}
	n := len(values[0])
	rows, columns := make([]float64, k), make([]float64, n)
	grand := 0.0
	for t, row := range values {
		if len(row) != n {
			return FTest{}, fmt.Errorf("experiment: treatment %d has %d subjects, the first %d", t, len(row), n)
		}
		for s, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return FTest{}, fmt.Errorf("experiment: treatment %d, subject %d is %g: an F-test %w", t, s, v, errFTest)
			}
			rows[t] += v / float64(n)
			columns[s] += v / float64(k)
			grand += v / float64(n*k)
		}
	}
	var between, residual float64
	for t, row := range values {
		d := rows[t] - grand
		between += float64(n) * float64(d*d)
		for s, v := range row {
			e := v - rows[t] - columns[s] + grand
			residual += float64(e * e)
		}
	}
	f := FTest{DF1: k - 1, DF2: (k - 1) * (n - 1), P: 1}
	// The rest of equal sums is rounding, of the size of the values.
	rounding := 1e-24 * float64(grand*grand) * float64(n*k)
	switch {
	case between <= rounding:
	case residual <= rounding:
		f.F, f.P = math.Inf(1), 0
	default:
		f.F = between / float64(f.DF1) / (residual / float64(f.DF2))
		f.P = upperF(f.F, f.DF1, f.DF2)
	}
	return f, nil
}

// upperF is the chance that an F of d1 and d2 degrees of freedom is f or more.
func upperF(f float64, d1, d2 int) float64 {
	return beta(float64(d2)/(float64(d2)+float64(d1)*f), float64(d2)/2, float64(d1)/2)
}

// beta is the regularised incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1 and positive a and b, to about 11 digits after
// the point.
// It evaluates the continued fraction of Abramowitz and Stegun, 26.5.8, by the method of W. J. Lentz, Applied
// Optics 15 (1976), on the side of the mean where that converges fast.
func beta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - beta(1-x, b, a)
	}
	lab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(lab - la - lb + float64(a*math.Log(x)) + float64(b*math.Log1p(-x)))
	// 1/(1+ d1/(1+ d2/(1+ …))), every step multiplied on.
	const tiny = 1e-300
	c, d := 1.0, 1-float64((a+b)*x)/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	h := d
	for m := 1.0; m < 1000; m++ {
		for _, step := range [2]float64{
			m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
			-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)),
		} {
			d, c = 1+float64(step*d), 1+step/c
			if math.Abs(d) < tiny {
				d = tiny
			}
			if math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			h *= float64(c * d)
		}
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return front * h / a
}

// meanSD returns the mean and the sample's estimate of the standard deviation, NaN for fewer than two values.
func meanSD(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if len(values) < 2 {
		return mean, math.NaN()
	}
	for _, v := range values {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / (n - 1))
}
