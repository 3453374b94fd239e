package chart

import (
	"math"
	"strconv"
)

// Scale says how the values of an axis are spread.
type Scale uint8

// The scales.
const (
	Linear Scale = iota
	// Log spreads values above 0 by their logarithm.
	Log
	// SignedLog spreads v by the logarithm of 1+|v|, negative values to the other side: of width over
	// height less one, 1 and -1 are twice as wide and twice as high.
	SignedLog
)

func (s Scale) spread(v float64) float64 {
	switch s {
	case Log:
		return math.Log10(math.Max(v, 1e-12))
	case SignedLog:
		return math.Copysign(math.Log10(1+math.Abs(v)), v)
	default:
		return v
	}
}

// axis maps values to pixels.
type axis struct {
	scale     Scale
	low, high float64 // spread
	from, to  float64 // pixels
}

// newAxis fits the values from low to high between two pixels, with some room at both ends.
func newAxis(scale Scale, low, high, from, to float64) axis {
	a := axis{scale, scale.spread(low), scale.spread(high), from, to}
	if !(a.high > a.low) {
		a.low, a.high = a.low-0.5, a.low+0.5
	}
	room := 0.04 * (a.high - a.low)
	if scale != Linear || low != 0 {
		a.low -= room
	}
	a.high += room
	return a
}

func (a *axis) at(v float64) float64 {
	return a.from + float64((a.scale.spread(v)-a.low)/(a.high-a.low)*(a.to-a.from))
}

// ticks returns round values on the axis, about as many as asked for.
func (a *axis) ticks(about int) []float64 {
	var out []float64
	add := func(v float64) {
		if s := a.scale.spread(v); s >= a.low-1e-9 && s <= a.high+1e-9 {
			out = append(out, v)
		}
	}
	switch a.scale {
	case Log:
		steps := []float64{1, 3}
		if a.high-a.low > 4 {
			steps = steps[:1]
		}
		for e := math.Floor(a.low); e <= a.high; e++ {
			for _, s := range steps {
				add(s * math.Pow(10, e))
			}
		}
	case SignedLog:
		values := []float64{0, 1, 3, 10, 30, 100, 300, 1000, 1e4, 1e5, 1e6}
		for i := len(values) - 1; i > 0; i-- {
			add(-values[i])
		}
		for _, v := range values {
			add(v)
		}
	default:
		step := roundStep((a.high - a.low) / float64(max(about, 1)))
		for k := math.Ceil(a.low / step); k*step <= a.high; k++ {
			add(k * step)
		}
	}
	return out
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is not below least.
func roundStep(least float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= least*(1-1e-9) {
			return m * unit
		}
	}
	return 10 * unit
}

// figures writes a value with at most four digits; greater powers of ten as such.
func figures(v float64) string {
	e := math.Round(math.Log10(math.Abs(v)))
	switch {
	case math.Abs(v) < 1e-9:
		return "0"
	case math.Abs(v) >= 1e4 && math.Abs(v) < 1e7 && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case (e >= 7 || e <= -4) && math.Abs(math.Abs(v)/math.Pow(10, e)-1) < 1e-9:
		sign := ""
		if v < 0 {
			sign = "-"
		}
		return sign + "10" + superscript(int(e))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	out := ""
	for _, r := range strconv.Itoa(n) {
		if r == '-' {
			out += "⁻"
		} else {
			out += string(digits[r-'0'])
		}
	}
	return out
}
