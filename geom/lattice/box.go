package lattice

// Box is a closed axis-parallel rectangle. The zero Box is the point (0, 0); [EmptyBox] holds
// nothing.
type Box struct{ Min, Max Point }

// EmptyBox returns the box without points, from which [Box.Extend] grows.
func EmptyBox() Box {
	return Box{Point{1<<31 - 1, 1<<31 - 1}, Point{-1 << 31, -1 << 31}}
}

// IsEmpty reports whether b contains no point.
func (b Box) IsEmpty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y }

// Extend returns the smallest box around b and p.
func (b Box) Extend(p Point) Box {
	return Box{
		Point{min(b.Min.X, p.X), min(b.Min.Y, p.Y)},
		Point{max(b.Max.X, p.X), max(b.Max.Y, p.Y)},
	}
}

// Union returns the smallest box around b and c.
func (b Box) Union(c Box) Box {
	return Box{
		Point{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y)},
		Point{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y)},
	}
}

// Contains reports whether p is in b or on its border.
func (b Box) Contains(p Point) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y
}

// Overlaps reports whether b and c have a point in common, be it on their borders.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		!b.IsEmpty() && !c.IsEmpty()
}

// Size returns the width and the height of b, zero for an empty box.
func (b Box) Size() (width, height int64) {
	if b.IsEmpty() {
		return 0, 0
	}
	return b.Max.Sub(b.Min)
}

// BoxOf returns the smallest box around all points.
func BoxOf(points ...Point) Box {
	b := EmptyBox()
	for _, p := range points {
		b = b.Extend(p)
	}
	return b
}

// Box returns the smallest box around r.
func (r Ring) Box() Box { return BoxOf(r...) }

// Box returns the smallest box around p, including holes outside the outer ring.
func (p Polygon) Box() Box {
	b := EmptyBox()
	for _, r := range p.Rings {
		b = b.Union(r.Box())
	}
	return b
}

// Grown returns b with d more on all sides, as far as coordinates go.
func (b Box) Grown(d int32) Box {
	return Box{
		Point{max(b.Min.X, d-MaxCoord) - d, max(b.Min.Y, d-MaxCoord) - d},
		Point{min(b.Max.X, MaxCoord-d) + d, min(b.Max.Y, MaxCoord-d) + d},
	}
}
