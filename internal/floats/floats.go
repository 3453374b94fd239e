// Package floats compares numbers in inner loops.
//
// The built-in min and max of float64 are single instructions on most processors. For js/wasm the compiler makes a call
// of each, which takes ten times as long as the comparison. The functions of this package are comparisons on every
// processor, and equal the built-in functions for all numbers but NaN and zeros of different signs.
package floats

// Min returns the smaller of two numbers, and b if one is NaN.
func Min(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// Max returns the larger of two numbers, and b if one is NaN.
func Max(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// Part returns the nearest number from 0 to 1, and 0 for NaN.
func Part(t float64) float64 { return Min(Max(t, 0), 1) }
