package geom

import "math"

// Sincos returns the sine and the cosine of an angle in radians: the same bits on every machine, and exact for multiples
// of math.Pi/2. Both are off by a few units in the last place. math.Sincos may be fused.
func Sincos(angle float64) (sin, cos float64) {
	const right = math.Pi / 2
	angle = math.Mod(angle, 4*right) // exact, as is the remainder
	r := math.Remainder(angle, right)
	return sincos(r, math.Floor((angle-r)/right+0.5))
}

// SincosDegrees is [Sincos] for an angle in degrees, exact for multiples of 90.
func SincosDegrees(degrees float64) (sin, cos float64) {
	r := math.Mod(degrees, 360) // exact
	quarter := math.Floor(float64(r/90) + 0.5)
	return sincos(float64(r-float64(quarter*90))*(math.Pi/180), quarter)
}

// sincos returns the sine and the cosine of r plus a number of quarter turns; r is within ±π/4.
func sincos(r, quarters float64) (sin, cos float64) {
	term := 1.0
	for n := range 21 {
		switch n % 4 {
		case 0:
			cos += term
		case 1:
			sin += term
		case 2:
			cos -= term
		case 3:
			sin -= term
		}
		term = float64(term*r) / float64(n+1)
	}
	switch (int(quarters)%4 + 4) % 4 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
