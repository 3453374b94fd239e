package level

import "math"

// White is the colour of uncoloured vertices beside coloured ones.
var White = [4]float32{1, 1, 1, 1}

// PadColors extends the colours to n vertices with [White].
func PadColors(colors [][4]float32, n int) [][4]float32 {
	for len(colors) < n {
		colors = append(colors, White)
	}
	return colors
}

// Linear turns a channel of sRGB, from 0 to 1, into linear light. Machines may differ in the last bits.
func Linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// SRGB is the inverse of [Linear].
func SRGB(c float64) float64 {
	if c <= 0.0031308 {
		return c * 12.92
	}
	return float64(1.055*math.Pow(c, 1/2.4)) - 0.055
}
