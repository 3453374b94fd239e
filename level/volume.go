package level

import "github.com/meadow-nav/meadow/geom"

// Volume returns a marker in the shape of a box along the axes, between two opposite corners in metres. The kind says what
// the marker means: "door", "ladder up", "jump cost=3"; see docs/algorithms/links.md.
func Volume(kind, name string, a, b geom.Vec) Marker {
	m := Marker{Name: name, Kind: kind}
	for i := range 8 {
		c := a
		if i&1 != 0 {
			c.X = b.X
		}
		if i&2 != 0 {
			c.Y = b.Y
		}
		if i&4 != 0 {
			c.Z = b.Z
		}
		m.Hull = append(m.Hull, c)
	}
	return m
}
