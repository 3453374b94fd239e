package floats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAgainstBuiltIn compares with the built-in functions, for all pairs of some numbers and for random pairs.
func TestAgainstBuiltIn(t *testing.T) {
	numbers := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, 0.5, 1, 2, math.MaxFloat64, math.Inf(1)}
	rng := rand.New(rand.NewPCG(1, 18))
	for range 50 {
		numbers = append(numbers, rng.NormFloat64())
	}
	for _, a := range numbers {
		for _, b := range numbers {
			if Min(a, b) != min(a, b) || Max(a, b) != max(a, b) {
				t.Errorf("of %v and %v: %v and %v", a, b, Min(a, b), Max(a, b))
			}
		}
		if Part(a) != min(max(a, 0), 1) {
			t.Errorf("part %v of %v", Part(a), a)
		}
	}
	nan := math.NaN()
	if Min(nan, 1) != 1 || Max(nan, 1) != 1 || !math.IsNaN(Min(1, nan)) || Part(nan) != 0 {
		t.Error("a NaN first is not left out")
	}
}
