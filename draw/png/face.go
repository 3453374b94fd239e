package png

import (
	"math"

	"github.com/meadow-nav/meadow/draw"
)

const (
	// subBits is the number of fractional bits of a corner's position, in samples.
	subBits = 6
	subUnit = 1 << subBits
	// reach bounds positions, in subunits: edge functions are sums of two products of differences
	// below 2³⁰ and stay below 2⁶².
	reach = 1 << 29
)

// face is a triangle on the sample grid. Corners are in the order of positive doubled area (clockwise on the
// picture, because rows count downwards).
type face struct {
	x, y [3]int32 // subunits
	// The depth at the middle of sample (i, j) is z + i·zx + j·zy.
	z, zx, zy float64
	// For a translucent face: its blended colour, and the number of its shape, from 1. Faces of one shape follow
	// each other in the list with the same fill; where they overlap, the shape is blended once.
	color draw.Color
	shape int32
	light draw.Light
}

// newFace places t on a grid with n samples a pixel side. ok is false if nothing needs filling.
func newFace(c *draw.Camera, t *draw.Triangle, n int) (f face, ok bool) {
	var z [3]float64
	for k, p := range t.P {
		x, y, depth := c.Pixel(p)
		u, v := x*float64(n)*subUnit, y*float64(n)*subUnit
		if !(math.Abs(u) < reach && math.Abs(v) < reach && depth-depth == 0) {
			return f, false
		}
		f.x[k], f.y[k], z[k] = int32(math.Round(u)), int32(math.Round(v)), depth+t.Bias
	}
	// From the front the corners turn counter-clockwise, which is negative with rows counted downwards.
	if t.OneSided && f.area2() > 0 {
		return f, false
	}
	return f, f.settle(&z)
}

// settle orders the corners and finds the plane through them, given their depths. It returns false for a face
// without area.
func (f *face) settle(z *[3]float64) bool {
	area := f.area2()
	if area == 0 {
		return false
	}
	if area < 0 {
		f.x[1], f.x[2] = f.x[2], f.x[1]
		f.y[1], f.y[2] = f.y[2], f.y[1]
		z[1], z[2] = z[2], z[1]
		area = -area
	}
	ux, uy := float64(f.x[1]-f.x[0])/subUnit, float64(f.y[1]-f.y[0])/subUnit
	vx, vy := float64(f.x[2]-f.x[0])/subUnit, float64(f.y[2]-f.y[0])/subUnit
	det := float64(area) / (subUnit * subUnit)
	f.zx = (float64((z[1]-z[0])*vy) - float64((z[2]-z[0])*uy)) / det
	f.zy = (float64((z[2]-z[0])*ux) - float64((z[1]-z[0])*vx)) / det
	x0, y0 := float64(f.x[0])/subUnit-0.5, float64(f.y[0])/subUnit-0.5
	f.z = z[0] - float64(x0*f.zx) - float64(y0*f.zy)
	return true
}

// area2 is twice the signed area in square subunits.
func (f *face) area2() int64 {
	return int64(f.x[1]-f.x[0])*int64(f.y[2]-f.y[0]) - int64(f.y[1]-f.y[0])*int64(f.x[2]-f.x[0])
}

// rows returns the first and the last row of samples whose middles the face may cover.
func (f *face) rows() (first, last int) {
	return sampleAbove(min(f.y[0], f.y[1], f.y[2])), sampleBelow(max(f.y[0], f.y[1], f.y[2]))
}

// columns is like rows.
func (f *face) columns() (first, last int) {
	return sampleAbove(min(f.x[0], f.x[1], f.x[2])), sampleBelow(max(f.x[0], f.x[1], f.x[2]))
}

// sampleAbove is the first sample with its middle at or after position p, sampleBelow the last at or before
// it.
func sampleAbove(p int32) int { return int((p - subUnit/2 + subUnit - 1) >> subBits) }
func sampleBelow(p int32) int { return int((p - subUnit/2) >> subBits) }

// span returns the samples [first, last] of a row that the face covers, within [0, width). A sample with its
// middle exactly on an edge belongs to one of the two faces there: the edge counts if its inside is to the
// right, or for a level edge below. Two faces see their common edge in opposite directions, so exactly one
// counts it.
func (f *face) span(row, width int) (first, last int) {
	lo, hi := int64(0), int64(width-1)
	y := int64(row)<<subBits + subUnit/2
	for a := range 3 {
		b := a + 1
		if b == 3 {
			b = 0
		}
		// The edge function at column i is i·step + start; inside it is positive.
		dx, dy := int64(f.x[b])-int64(f.x[a]), int64(f.y[b])-int64(f.y[a])
		step := -dy << subBits
		start := dx*(y-int64(f.y[a])) - dy*(subUnit/2-int64(f.x[a]))
		if step < 0 || step == 0 && dx < 0 {
			start--
		}
		switch {
		case step > 0:
			lo = max(lo, -floorDiv(start, step))
		case step < 0:
			hi = min(hi, floorDiv(start, -step))
		case start < 0:
			return 0, -1
		}
	}
	return int(lo), int(hi)
}

// floorDiv is ⌊a/b⌋ for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
