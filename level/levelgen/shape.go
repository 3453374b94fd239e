package levelgen

import "math"

// shape holds the sums over a plan's outline for the area eroded by a radius, by Steiner's formula. Shapes
// add up: a door between two rooms adds its difference.
//
// Source: J. Steiner, Über parallele Flächen, 1840, turned inwards and with reflex corners.
//
// Idea: a border of length L takes L·r off the area. Two borders that meet in a convex corner of
// angle α count a kite of r²·cot(α/2) twice. Around a reflex corner that turns by θ, a sector of
// r²·θ/2 is lost besides.
//
// Guarantees: the areas equal those of sampled levels, TestFloorsAgreeWithSamples.
//
// Degenerate cases: the formula holds as long as no border vanishes. Each maker names the radii.
type shape struct {
	area   float64 // m²
	border float64 // m
	kites  float64 // sum of cot(α/2) over the convex corners
	turn   float64 // sum of the turns at the reflex corners, radians
}

// plus returns the shape of both.
func (s shape) plus(t shape) shape {
	return shape{s.area + t.area, s.border + t.border, s.kites + t.kites, s.turn + t.turn}
}

// times returns the shape of n alike.
func (s shape) times(n int) shape {
	f := float64(n)
	return shape{f * s.area, f * s.border, f * s.kites, f * s.turn}
}

// inset returns the area of the shape moved in by r.
func (s shape) inset(r float64) float64 {
	return s.area - float64(s.border*r) + float64((s.kites-s.turn/2)*r*r)
}

// storey returns the storey of a shape moved in by r.
func (s shape) storey(height, r float64) Storey {
	return Storey{Height: height, Area: s.inset(r), Turn: s.turn}
}

// rectangle is the shape of a rectangle.
func rectangle(w, d float64) shape { return shape{w * d, 2 * (w + d), 4, 0} }

// block is the difference made by a rectangular obstacle.
func block(w, d float64) shape { return shape{-w * d, 2 * (w + d), 0, 2 * math.Pi} }

// door is the difference that an opening in a wall of a thickness makes.
func door(width, thickness float64) shape {
	return shape{width * thickness, 2*thickness - 2*width, 0, 2 * math.Pi}
}
