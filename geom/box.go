package geom

import "math"

// Box is an axis-aligned box. The zero Box is the point at the origin; [EmptyBox] holds nothing.
type Box struct{ Min, Max Vec }

// EmptyBox returns the box without points, from which [Box.Extend] grows.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Vec{inf, inf, inf}, Vec{-inf, -inf, -inf}}
}

// IsEmpty reports whether b contains no point.
func (b Box) IsEmpty() bool {
	return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z
}

// Extend returns the smallest box around b and v.
func (b Box) Extend(v Vec) Box {
	return Box{
		Vec{min(b.Min.X, v.X), min(b.Min.Y, v.Y), min(b.Min.Z, v.Z)},
		Vec{max(b.Max.X, v.X), max(b.Max.Y, v.Y), max(b.Max.Z, v.Z)},
	}
}

// Size returns the edge lengths of b, zero for an empty box.
func (b Box) Size() Vec {
	if b.IsEmpty() {
		return Vec{}
	}
	return b.Max.Sub(b.Min)
}

// Center returns the middle of b.
func (b Box) Center() Vec { return b.Min.Add(b.Max).Scale(0.5) }
