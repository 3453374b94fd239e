package levelgen

// site is a place in the plan for a building: the building's own axes are mirrored, then turned,
// then moved.
type site struct {
	at       pt
	cos, sin float64
	mirror   bool // north and south change places
}

// place returns a point of the building in the level's plan.
func (s site) place(x, y float64) pt {
	if s.mirror {
		y = -y
	}
	return pt{s.at.x + float64(s.cos*x) - float64(s.sin*y), s.at.y + float64(s.sin*x) + float64(s.cos*y)}
}

// course is the height in metres after which an upright solid begins anew. Readers of triangles see a
// solid as a shell, and in a course there is no room to stand on the floor beneath.
const course = 1.5

// stack adds a box in courses.
func (s site) stack(b *builder, x0, y0, h0, x1, y1, h1 float64, k skin) {
	for h1-h0 > course {
		s.box(b, x0, y0, h0, x1, y1, h0+course, k)
		h0 += course
	}
	s.box(b, x0, y0, h0, x1, y1, h1, k)
}

// box adds an upright box along the building's axes.
func (s site) box(b *builder, x0, y0, h0, x1, y1, h1 float64, k skin) {
	if s.mirror {
		y0, y1 = y1, y0
	}
	b.prism([]pt{s.place(x0, y0), s.place(x1, y0), s.place(x1, y1), s.place(x0, y1)}, h0, h1, k)
}

// profile adds the solid of a profile over (x, h), simple and counter-clockwise, from y0 to y1.
func (s site) profile(b *builder, profile []pt, y0, y1 float64, k skin) {
	rings := [][]vec{make([]vec, len(profile)), make([]vec, len(profile))}
	for i, p := range profile {
		low, high := s.place(p.x, y0), s.place(p.x, y1)
		rings[0][i] = vec{low.x, low.y, p.y}
		rings[1][i] = vec{high.x, high.y, p.y}
	}
	b.loft(rings, triangulate(profile), k)
}

// doorway is an interval of a wall's length in metres.
type doorway struct{ from, to float64 }

// wall adds an upright wall over the rectangle, with doors of doorHeight and lintels over them. The
// openings are in order, along x where the wall is longer in x.
func (s site) wall(b *builder, x0, y0, x1, y1, low, high float64, k skin, doors ...doorway) {
	const doorHeight = 2.25
	along := x1-x0 > y1-y0
	part := func(from, to, h float64) {
		if along {
			s.stack(b, from, y0, h, to, y1, high, k)
		} else {
			s.stack(b, x0, from, h, x1, to, high, k)
		}
	}
	from, end := x0, x1
	if !along {
		from, end = y0, y1
	}
	for _, d := range doors {
		part(from, d.from, low)
		part(d.from, d.to, low+doorHeight)
		from = d.to
	}
	part(from, end, low)
}
