package worldcheck

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Maker makes random changes of a world at difficult places: on portals and seams, on stairs, at corners, over several
// layers, across each other, touching, tiny, huge, thin, and off the mesh. Maker number n of a mesh is the same on every
// machine.
type Maker struct {
	// Most is the number of things from which on the maker takes things away, by default 60.
	Most int
	// NoLinks and NoTriangles leave out links, and solids of triangles.
	NoLinks, NoTriangles bool

	base  *navmesh.Mesh
	rng   *rand.Rand
	floor *query.Query

	corners []geom.Vec
	rings   [][]geom.Vec  // regions
	portals [][2]geom.Vec // right and left end, as seen from the lower region
	seams   [][2]geom.Vec // portals between layers
	steep   []geom.Vec    // corners of regions that are not level
	marks   []string
	bounds  geom.Box

	count  int
	solids map[world.ID]world.Solid // of obstacles and modifiers
	things [3][]world.ID            // obstacles, modifiers, links
}

// The sorts of things in Maker.things.
const (
	obstacle = iota
	modifier
	link
)

// NewMaker returns the maker of a mesh for a seed.
func NewMaker(base *navmesh.Mesh, seed uint64) *Maker {
	m := &Maker{
		Most: 60, base: base, rng: rand.New(rand.NewPCG(seed, 0x776f726c64)), floor: query.NewIndex(base).NewQuery(),
		bounds: base.Bounds(), solids: map[world.ID]world.Solid{},
	}
	for i := range base.Tiles {
		t := &base.Tiles[i]
		at := func(v uint32) geom.Vec { return base.Frame.ToWorld(t.Vertices[v].Point, t.Vertices[v].Z) }
		for r := range t.Regions {
			var ring []geom.Vec
			for _, v := range t.RegionCorners(r) {
				ring = append(ring, at(v))
			}
			m.rings = append(m.rings, ring)
			m.corners = append(m.corners, ring...)
			for _, p := range ring[1:] {
				if math.Abs(p.Y-ring[0].Y) > 0.05 {
					m.steep = append(m.steep, ring...)
					break
				}
			}
			for _, p := range t.RegionPortals(r) {
				if int(p.To) < r {
					continue
				}
				ends := [2]geom.Vec{at(p.Right), at(p.Left)}
				m.portals = append(m.portals, ends)
				if t.Regions[p.To].Layer != t.Regions[r].Layer {
					m.seams = append(m.seams, ends)
				}
			}
		}
	}
	for _, k := range base.Marks {
		for _, name := range []string{k.Name, k.Kind} {
			if name != "" && !slices.Contains(m.marks, name) {
				m.marks = append(m.marks, name)
			}
		}
	}
	return m
}

// Next returns the next change: mostly one edit, else a batch of up to a hundred. The world must apply it, because the
// maker counts on the things that it put.
func (m *Maker) Next() []world.Edit {
	n := 1
	switch m.rng.IntN(20) {
	case 0, 1, 2:
		n = 2 + m.rng.IntN(9)
	case 3:
		if m.rng.IntN(5) == 0 {
			return m.crowd(10 + m.rng.IntN(91))
		}
	}
	var edits []world.Edit
	for range n {
		edits = append(edits, m.edit())
	}
	return edits
}

// Crowd returns a change that puts n obstacles in one place.
func (m *Maker) Crowd(n int) []world.Edit { return m.crowd(n) }

// TakeAll returns a change that takes all things and opens all marks.
func (m *Maker) TakeAll() []world.Edit {
	var edits []world.Edit
	for sort := range m.things {
		for len(m.things[sort]) > 0 {
			edits = append(edits, m.take(sort))
		}
	}
	for _, name := range m.marks {
		edits = append(edits, world.Open{Mark: name})
	}
	return edits
}

// edit returns one edit.
func (m *Maker) edit() world.Edit {
	standing := 0
	for _, ids := range m.things {
		standing += len(ids)
	}
	roll := m.rng.IntN(100)
	switch {
	case standing >= m.Most || roll < 25 && standing > 0:
		for {
			if sort := m.rng.IntN(len(m.things)); len(m.things[sort]) > 0 {
				return m.take(sort)
			}
		}
	case roll < 50 && len(m.things[obstacle]) > 0:
		return m.move()
	case roll < 80:
		return m.put(m.solid())
	case roll < 86:
		return m.paint()
	case roll < 89 && len(m.things[modifier]) > 0:
		id := pick(m.rng, m.things[modifier])
		m.solids[id] = m.volume()
		return world.Repaint{ID: id, Solid: m.solids[id], Brush: m.brush()}
	case roll < 92 && !m.NoLinks:
		return world.Connect{
			ID: m.name(link), From: m.onFloor(), To: m.onFloor(), Kind: navmesh.LinkKind(m.rng.IntN(int(navmesh.Boundary))),
			Cost: float64(m.rng.IntN(3)) * 2.5, BothWays: m.rng.IntN(2) == 0,
		}
	case len(m.marks) == 0:
		return m.put(m.solid())
	case roll < 96:
		return world.Close{Mark: pick(m.rng, m.marks)}
	}
	return world.Open{Mark: pick(m.rng, m.marks)}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// name makes the ID of a new thing.
func (m *Maker) name(sort int) world.ID {
	m.count++
	id := world.ID(fmt.Sprintf("%s%d", [...]string{"box", "paint", "link"}[sort], m.count))
	m.things[sort] = append(m.things[sort], id)
	return id
}

// put returns a put of a new obstacle.
func (m *Maker) put(s world.Solid) world.Edit {
	id := m.name(obstacle)
	m.solids[id] = s
	return world.Put{ID: id, Solid: s}
}

// paint returns a paint of a new modifier.
func (m *Maker) paint() world.Edit {
	s := m.volume()
	id := m.name(modifier)
	m.solids[id] = s
	return world.Paint{ID: id, Solid: s, Brush: m.brush()}
}

func (m *Maker) take(sort int) world.Edit {
	ids := m.things[sort]
	i := m.rng.IntN(len(ids))
	id := ids[i]
	m.things[sort] = slices.Delete(ids, i, i+1)
	delete(m.solids, id)
	return world.Take{ID: id}
}

// move moves an obstacle by about its own size, or anywhere, or changes its shape.
func (m *Maker) move() world.Edit {
	id := pick(m.rng, m.things[obstacle])
	if m.rng.IntN(3) == 0 {
		m.solids[id] = m.solid()
	} else {
		m.solids[id] = m.within(Moved(m.solids[id], geom.Vec{X: m.between(-1, 1), Z: m.between(-1, 1)}))
	}
	return world.Move{ID: id, Solid: m.solids[id]}
}

// Moved returns a solid moved by a vector.
func Moved(s world.Solid, by geom.Vec) world.Solid {
	switch s := s.(type) {
	case world.Box:
		s.Base = s.Base.Add(by)
		return s
	case world.Cylinder:
		s.Base = s.Base.Add(by)
		return s
	case world.Prism:
		s.Outline = slices.Clone(s.Outline)
		for i := range s.Outline {
			s.Outline[i] = s.Outline[i].Add(geom.Vec{X: by.X, Z: by.Z})
		}
		s.Bottom, s.Top = s.Bottom+by.Y, s.Top+by.Y
		return s
	case world.TriangleMesh:
		s.At = s.At.Add(by)
		return s
	}
	return s
}

// between draws a number from low to high, in steps of 1/256 m half of the time, so that coincidences happen.
func (m *Maker) between(low, high float64) float64 {
	v := low + (high-low)*m.rng.Float64()
	if m.rng.IntN(2) == 0 {
		v = math.Round(v*256) / 256
	}
	return v
}

// onFloor returns a place on the floor of the base.
func (m *Maker) onFloor() geom.Vec {
	at, _ := m.floor.RandomPoint(m.rng)
	return at.Point
}

// place returns the place for a thing: on the floor, at a corner, on a portal, on a seam, on stairs, at another thing, or
// anywhere in the bounds of the mesh.
func (m *Maker) place() geom.Vec {
	switch m.rng.IntN(9) {
	case 0:
		return pick(m.rng, m.corners)
	case 1, 2:
		if ends := m.portals; len(ends) > 0 {
			p := pick(m.rng, ends)
			return p[0].Lerp(p[1], float64(m.rng.IntN(5))/4)
		}
	case 3:
		if len(m.seams) > 0 {
			p := pick(m.rng, m.seams)
			return p[0].Lerp(p[1], m.rng.Float64())
		}
	case 4:
		if len(m.steep) > 0 {
			return pick(m.rng, m.steep)
		}
	case 5:
		if ids := m.things[obstacle]; len(ids) > 0 {
			return middle(m.solids[pick(m.rng, ids)])
		}
	case 6:
		if m.rng.IntN(4) == 0 {
			size := m.bounds.Size()
			return m.bounds.Min.Add(geom.Vec{X: size.X * m.rng.Float64(), Y: m.between(-3, 3), Z: size.Z * m.rng.Float64()})
		}
	}
	return m.onFloor()
}

// middle returns the middle of the bottom of a solid, for triangles their place.
func middle(s world.Solid) geom.Vec {
	switch s := s.(type) {
	case world.Box:
		return s.Base
	case world.Cylinder:
		return s.Base
	case world.Prism:
		var sum geom.Vec
		for _, p := range s.Outline {
			sum = sum.Add(p)
		}
		sum = sum.Scale(1 / float64(len(s.Outline)))
		return geom.Vec{X: sum.X, Y: s.Bottom, Z: sum.Z}
	case world.TriangleMesh:
		return s.At.Add(turned(s.Vertices[0], s.Yaw))
	}
	return geom.Vec{}
}

// volume makes a solid with an inside.
func (m *Maker) volume() world.Solid {
	for {
		s := m.solid()
		if t, ok := s.(world.TriangleMesh); !ok || isClosed(t) {
			return s
		}
	}
}

// within returns a solid over the bounds of the mesh: another in place of a solid whose middle is outside, or whose outline is
// not simple on the lattice. A world refuses both.
func (m *Maker) within(s world.Solid) world.Solid {
	at := middle(s)
	if p, ok := s.(world.Prism); ok && !m.simple(p.Outline) {
		at = m.bounds.Max
	}
	if at.X > m.bounds.Min.X && at.X < m.bounds.Max.X && at.Z > m.bounds.Min.Z && at.Z < m.bounds.Max.Z {
		return s
	}
	return m.box(m.onFloor(), geom.Vec{X: m.between(0.2, 2.5), Y: m.between(0.5, 3), Z: m.between(0.2, 2.5)})
}

// simple reports whether an outline has corners and no crossings after its points are rounded.
func (m *Maker) simple(outline []geom.Vec) bool {
	var ring lattice.Ring
	for _, v := range outline {
		p, _, ok := m.base.Frame.FromWorld(v)
		if !ok {
			return false
		}
		ring = append(ring, p)
	}
	if ring = slices.Compact(ring); ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	n := len(ring)
	for i := range ring {
		for k := i + 2; k < n; k++ {
			if (k+1)%n != i && lattice.SegmentContact(ring[i], ring[i+1], ring[k], ring[(k+1)%n]) != lattice.Disjoint {
				return false
			}
		}
	}
	return n >= 3 && ring.Area2() != 0
}

// solid makes a solid of a random shape.
func (m *Maker) solid() world.Solid { return m.within(m.anySolid()) }

func (m *Maker) anySolid() world.Solid {
	at := m.place()
	switch m.rng.IntN(16) {
	case 0:
		return m.alongPortal()
	case 1:
		return m.overRegion()
	case 2:
		return m.besideAnother(at)
	case 3: // over all layers
		at.Y = m.bounds.Min.Y - 1
		return m.box(at, geom.Vec{X: m.between(0.3, 2), Y: m.bounds.Size().Y + 4, Z: m.between(0.3, 2)})
	case 4: // at the limits of what blocks: the step, and the agent's height
		limit := [...]float64{m.base.Agent.MaxClimb, m.base.Agent.Height}[m.rng.IntN(2)]
		limit += [...]float64{0, lattice.Unit, -lattice.Unit, 0.01, -0.01}[m.rng.IntN(5)]
		if limit > m.base.Agent.Height/2 {
			at.Y += limit
			return m.box(at, geom.Vec{X: m.between(0.3, 2), Y: 1, Z: m.between(0.3, 2)})
		}
		return m.box(at, geom.Vec{X: m.between(0.3, 2), Y: max(lattice.Unit, limit), Z: m.between(0.3, 2)})
	case 5: // tiny
		return m.box(at, geom.Vec{X: m.between(0.004, 0.05), Y: 1, Z: m.between(0.004, 0.05)})
	case 6: // huge, but rarely, because it leaves little floor
		if m.rng.IntN(4) == 0 {
			size := m.bounds.Size()
			return m.box(at, geom.Vec{X: m.between(0.3, 1) * max(1, size.X), Y: 2, Z: m.between(0.05, 0.2) * max(1, size.Z)})
		}
	case 7: // thin
		return m.box(at, geom.Vec{X: m.between(0.004, 0.02), Y: 2, Z: m.between(1, 8)})
	case 8: // with sides on the lattice
		snapped := func(v float64) float64 { return math.Round(v*64) / 64 }
		half := geom.Vec{X: snapped(m.between(0.25, 2)), Z: snapped(m.between(0.25, 2))}
		return world.Box{Base: geom.Vec{X: snapped(at.X), Y: at.Y, Z: snapped(at.Z)}, Size: geom.Vec{X: 2 * half.X, Y: 2, Z: 2 * half.Z}}
	case 9, 10:
		return world.Cylinder{Base: at, Radius: m.between(0.05, 1.5), Height: m.between(0.5, 3)}
	case 11:
		return m.star(at)
	case 12:
		if !m.NoTriangles {
			return m.triangles(at)
		}
	}
	return m.box(at, geom.Vec{X: m.between(0.2, 2.5), Y: m.between(0.5, 3), Z: m.between(0.2, 2.5)})
}

// box makes a box, not turned, turned by a multiple of 15 degrees, or by any angle.
func (m *Maker) box(at, size geom.Vec) world.Solid {
	b := world.Box{Base: at, Size: size}
	switch m.rng.IntN(3) {
	case 0:
		b.Yaw = geom.Degrees(float64(15 * m.rng.IntN(24)))
	case 1:
		b.Yaw = geom.Degrees(360 * m.rng.Float64())
	}
	return b
}

// alongPortal makes a wall on a portal: with a side on its line, or across its middle.
func (m *Maker) alongPortal() world.Solid {
	if len(m.portals) == 0 {
		return m.box(m.onFloor(), geom.Vec{X: 1, Y: 2, Z: 1})
	}
	p := pick(m.rng, m.portals)
	a, b := p[0], p[1]
	along := b.Sub(a)
	along.Y = 0
	side := geom.Vec{X: along.Z, Z: -along.X}.Unit().Scale(m.between(0.05, 0.6))
	switch m.rng.IntN(3) {
	case 0: // longer than the portal, which closes the passage
		a, b = a.Sub(along.Scale(0.5)), b.Add(along.Scale(0.5))
	case 1:
		a, b = a.Lerp(b, 0.25), a.Lerp(b, 0.75)
	}
	start, end := a, b
	if m.rng.IntN(2) == 0 {
		start, end = a.Sub(side), b.Sub(side)
	}
	low := min(a.Y, b.Y)
	return world.Prism{Outline: []geom.Vec{start, end, b.Add(side), a.Add(side)}, Bottom: low, Top: low + 2 + math.Abs(a.Y-b.Y)}
}

// overRegion makes a prism over a region: its outline, wider, or narrower.
func (m *Maker) overRegion() world.Solid {
	ring := pick(m.rng, m.rings)
	low, high := ring[0].Y, ring[0].Y
	var sum geom.Vec
	for _, p := range ring {
		low, high, sum = min(low, p.Y), max(high, p.Y), sum.Add(p)
	}
	centre := sum.Scale(1 / float64(len(ring)))
	scale := [...]float64{1, 1.25, 0.3}[m.rng.IntN(3)]
	s := world.Prism{Bottom: low, Top: high + 1.5}
	for _, p := range ring {
		s.Outline = append(s.Outline, centre.Add(p.Sub(centre).Scale(scale)))
	}
	if m.rng.IntN(2) == 0 {
		slices.Reverse(s.Outline)
	}
	return s
}

// besideAnother makes a solid that touches another along a side, crosses another, or equals another.
func (m *Maker) besideAnother(at geom.Vec) world.Solid {
	var boxes []world.Box
	for _, id := range m.things[obstacle] {
		if b, ok := m.solids[id].(world.Box); ok {
			boxes = append(boxes, b)
		}
	}
	if len(boxes) == 0 {
		return m.box(at, geom.Vec{X: 1, Y: 2, Z: 1})
	}
	b := pick(m.rng, boxes)
	switch m.rng.IntN(4) {
	case 0:
		b.Base = b.Base.Add(turned(geom.Vec{X: b.Size.X}, b.Yaw))
	case 1: // with the agent between both
		b.Base = b.Base.Add(turned(geom.Vec{Z: b.Size.Z + 2*m.base.Agent.Radius}, b.Yaw))
	case 2:
		b.Yaw += geom.Degrees(90)
	}
	return b
}

// star makes a prism with a concave outline.
func (m *Maker) star(at geom.Vec) world.Solid {
	s := world.Prism{Bottom: at.Y, Top: at.Y + m.between(0.5, 3)}
	n, size := 2*(2+m.rng.IntN(6)), m.between(0.3, 2)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r := size
		if i%2 == 1 {
			r *= 0.3 + 0.7*m.rng.Float64()
		}
		s.Outline = append(s.Outline, at.Add(geom.Vec{X: r * cos, Z: -r * sin}))
	}
	if m.rng.IntN(2) == 0 {
		slices.Reverse(s.Outline)
	}
	return s
}

// triangles makes a tetrahedron, a wedge, or an open sheet.
func (m *Maker) triangles(at geom.Vec) world.Solid {
	w, h := m.between(0.5, 2), m.between(0.5, 2.5)
	s := world.TriangleMesh{At: at, Yaw: geom.Degrees(360 * m.rng.Float64())}
	switch m.rng.IntN(3) {
	case 0:
		s.Vertices = []geom.Vec{{}, {X: w}, {Z: -w}, {X: w / 4, Y: h, Z: -w / 4}}
		s.Triangles = [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	case 1: // a ramp
		s.Vertices = []geom.Vec{{}, {X: w}, {X: w, Z: -w}, {Z: -w}, {X: w, Y: h}, {X: w, Y: h, Z: -w}}
		s.Triangles = [][3]int32{{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {3, 5, 2}, {1, 2, 5}, {1, 5, 4}, {0, 4, 5}, {0, 5, 3}}
	case 2:
		s.Vertices = []geom.Vec{{}, {X: w, Y: h / 2}, {X: w, Y: h, Z: -w}, {Y: h / 2, Z: -w}}
		s.Triangles = [][3]int32{{0, 1, 2}, {0, 2, 3}}
	}
	return s
}

// crowd returns a batch of n obstacles around a place, some of them equal.
func (m *Maker) crowd(n int) []world.Edit {
	at := m.place()
	edits := make([]world.Edit, 0, n)
	var s world.Solid
	for i := range n {
		if i%7 != 3 {
			beside := at.Add(geom.Vec{X: m.between(-2, 2), Z: m.between(-2, 2)})
			s = m.within(m.box(beside, geom.Vec{X: m.between(0.1, 0.8), Y: m.between(0.5, 2), Z: m.between(0.1, 0.8)}))
		}
		edits = append(edits, m.put(s))
	}
	return edits
}

// brush makes the effect of a modifier.
func (m *Maker) brush() world.Brush {
	b := world.Brush{Priority: m.rng.IntN(3) - 1}
	names := append([]string{"mud", "ice", ""}, m.base.Areas...)
	b.Area = pick(m.rng, names)
	switch m.rng.IntN(4) {
	case 0:
		if b.Cost = float64(2 + m.rng.IntN(4)); m.rng.IntN(4) == 0 {
			b.Cost = math.Inf(1)
		}
	case 1:
		b.Set, b.Clear = 1<<(10+m.rng.IntN(4)), 1<<(10+m.rng.IntN(4))
	}
	if b.Area == "" && b.Cost == 0 && b.Set|b.Clear == 0 {
		b.Set = 1 << 15
	}
	return b
}

// Wrong returns a change that a world must refuse, because of one of its edits, and a word of the error to expect. The
// maker does not count on the change.
func (m *Maker) Wrong() ([]world.Edit, string) {
	good := world.Put{ID: "good", Solid: world.Box{Base: m.onFloor(), Size: geom.Vec{X: 1, Y: 1, Z: 1}}}
	nan := math.NaN()
	one := geom.Vec{X: 1, Y: 1, Z: 1}
	bad := func(s world.Solid) world.Edit { return world.Put{ID: "bad", Solid: s} }
	all := []world.Edit{
		bad(world.Box{Base: geom.Vec{X: nan}, Size: one}),
		bad(world.Box{Size: geom.Vec{X: 1, Y: -1, Z: 1}}),
		bad(world.Box{Size: one, Yaw: math.Inf(1)}),
		bad(world.Cylinder{Height: 1}),
		bad(world.Cylinder{Radius: 1, Height: nan}),
		bad(world.Prism{Top: 1}),
		bad(world.Prism{Outline: []geom.Vec{{}, {X: 1}}, Top: 1}),
		bad(world.Prism{Outline: []geom.Vec{{}, {X: 1}, {Z: 1}, {X: 1, Z: 1}}, Top: 1}),
		bad(world.Prism{Outline: []geom.Vec{{}, {X: 1}, {Z: 1}}, Bottom: 1, Top: 1}),
		bad(world.TriangleMesh{}),
		world.Paint{ID: "bad", Solid: world.TriangleMesh{Vertices: []geom.Vec{{}, {X: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 1, 2}}}, Brush: world.Brush{Set: 1 << 12}},
		bad(world.TriangleMesh{Vertices: []geom.Vec{{}, {X: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 1, 3}}}),
		bad(world.Box{Base: m.bounds.Max.Add(geom.Vec{X: 100}), Size: one}),
		bad(world.Cylinder{Base: m.bounds.Min.Sub(geom.Vec{Z: 100}), Radius: 1, Height: 1}),
		bad(nil),
		world.Put{ID: "", Solid: good.Solid},
		world.Put{ID: world.ID(strings.Repeat("bad", world.MaxID)), Solid: good.Solid},
		world.Put{ID: "bad\n", Solid: good.Solid},
		world.Put{ID: "good", Solid: good.Solid},
		world.Move{ID: "bad", Solid: good.Solid},
		world.Take{ID: "bad"},
		world.Repaint{ID: "bad", Solid: good.Solid},
		world.Paint{ID: "bad", Solid: good.Solid, Brush: world.Brush{Cost: -1}},
		world.Paint{ID: "bad", Solid: good.Solid, Brush: world.Brush{Cost: nan}},
		world.Close{Mark: "bad"},
		world.Open{Mark: "bad"},
		world.Connect{ID: "bad", From: geom.Vec{Y: 1e6}, To: m.onFloor()},
		world.Connect{ID: "bad", From: m.onFloor(), To: geom.Vec{X: nan}},
		world.Connect{ID: "bad", From: m.onFloor(), To: m.onFloor(), Cost: nan},
		nil,
	}
	all = slices.DeleteFunc(all, func(e world.Edit) bool {
		if p, ok := e.(world.Paint); ok {
			_, triangles := p.Solid.(world.TriangleMesh)
			return triangles && m.NoTriangles
		}
		p, ok := e.(world.Put)
		if _, triangles := p.Solid.(world.TriangleMesh); ok && triangles {
			return m.NoTriangles
		}
		_, ok = e.(world.Connect)
		return ok && m.NoLinks
	})
	edit := pick(m.rng, all)
	word := "bad"
	switch e := edit.(type) {
	case world.Put:
		switch e.ID {
		case "good":
			word = "good"
		case "":
			word = ""
		}
	case nil:
		word = ""
	}
	return []world.Edit{good, edit}, word
}
