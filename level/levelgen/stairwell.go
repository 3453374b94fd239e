package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// RandomTower makes a tower by lot: storeys, thickness of floors, overlaps of flights with landings of up
// to 5 cm, its turn about the vertical, its place, mirrored or not. The truth tells components for radii below
// 0.7 m: one, and the roof. For a point the truth is silent about turned towers, whose corners on the
// lattice leave slits of a lattice unit between walls and floors.
func RandomTower(seed uint64) (*level.Level, Truth) {
	r := rand.New(rand.NewPCG(seed, 3))
	b := newBuilder("random tower")
	s := randomSite(r)
	p := towerPlan{storeys: 2 + r.IntN(5), slab: 0.03 + float64(0.12*r.Float64())}
	if r.IntN(3) > 0 {
		p.overlap = float64(1+r.IntN(5)) / 100
	}
	b.object("yard")
	s.box(b, -towerSite/2, -towerSite/2, -0.25, towerSite/2, towerSite/2, 0, skin{"paving", "dirt"})
	b.tower(s, p, plain("plaster"))
	return b.finish(), Truth{Kind: "random tower", Layers: p.storeys, Floor: func(radius, _ float64) (Floor, bool) {
		return Floor{Components: 2}, radius < 0.7 && (radius > 0.01 || radius == 0 && s.cos*s.sin == 0)
	}}
}

// randomSite turns about the vertical, by a Pythagorean pair or a quarter, and moves aside by up to 2 m.
func randomSite(r *rand.Rand) site {
	turn := [...]pt{{1, 0}, {0, 1}, {0.8, 0.6}, {5.0 / 13, 12.0 / 13}, {15.0 / 17, -8.0 / 17}, {-20.0 / 29, 21.0 / 29}}[r.IntN(6)]
	s := site{cos: turn.x, sin: turn.y, mirror: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		s.at = pt{float64(4*r.Float64()) - 2, float64(4*r.Float64()) - 2}
	}
	return s
}

// stairwell is a random stairwell: flights rise to the east in one lane and back to the west in the other,
// with landings at both ends.
type stairwell struct {
	site
	flights     int
	width       float64 // of a flight in metres
	depth       float64 // of a landing
	run, rise   float64 // of a flight
	well        float64 // between the lanes
	treads      int     // of a flight, 0 for a ramp
	slab        float64 // thickness, 0 for sheets
	split       float64 // by how much the second half of a landing is higher, 0 for landings of one piece
	wall, shaft bool    // between the lanes; around all
}

// RandomStairwell makes a stairwell by lot: 2 to 10 flights as ramps or steps, their width and run, the depth of
// landings, the well between flights, thickness, direction, split landings, walls, turn and place. Flights and
// landings overlap by 1 to 5 cm, touch, or leave a gap of 1 to 30 cm, with steps of up to 8 cm.
//
// Known beforehand: an agent narrower than every piece walks from piece to piece wherever it steps over the gap.
// Each wider gap adds a component, if the well is more than twice as wide as the agent's gap. A narrower well is
// a way around the gap, and the truth is silent. Storeys are 2.7 m high and more, which leaves
// the agent's height. Gaps within 2 mm of the widest one, and pieces less than 4 cm wider than the agent, are
// left open.
func RandomStairwell(seed uint64) (*level.Level, Truth) {
	lvl, s, gaps := randomStairwell(seed)
	least := math.Min(s.width, s.depth)
	if s.split > 0 {
		least -= widestJoint / 2 // half a landing ends before the well
	}
	return lvl, Truth{Kind: "random stairwell", Layers: s.flights / 2, Floor: func(radius, gap float64) (Floor, bool) {
		f := Floor{Components: 1}
		known := radius >= 0 && least > 2*radius+0.04
		for _, g := range gaps {
			known = known && math.Abs(g-gap) > 0.002
			if g > gap {
				f.Components++
			}
		}
		if f.Components > 1 {
			known = known && s.well > 2*gap+0.01
		}
		return f, known
	}}
}

// randomStairwell returns a level, how it was made, and the gaps between consecutive pieces.
func randomStairwell(seed uint64) (*level.Level, stairwell, []float64) {
	r := rand.New(rand.NewPCG(seed, 4))
	s := stairwell{
		site: randomSite(r), flights: 2 + r.IntN(9), width: 0.9 + float64(1.1*r.Float64()), depth: 0.9 + float64(1.1*r.Float64()),
		rise: 1.35 + float64(0.5*r.Float64()), wall: r.IntN(4) == 0, shaft: r.IntN(3) == 0,
	}
	s.run = s.rise * (1.3 + r.Float64())
	switch r.IntN(4) {
	case 1:
		s.well = 0.01 * float64(1+r.IntN(6))
	case 2:
		s.well = 0.1 + float64(0.5*r.Float64())
	case 3:
		s.well = 0.5
	}
	if r.IntN(2) == 0 {
		s.treads = 7 + r.IntN(4)
	}
	if r.IntN(2) == 0 {
		s.slab = 0.03 + float64(0.1*r.Float64())
	}
	if r.IntN(4) == 0 {
		s.split = 0.05 + float64(0.15*r.Float64())
	}
	if r.IntN(4) == 0 { // round numbers, as people take
		s.width, s.depth, s.run, s.rise = snapTo(s.width, 0.1), snapTo(s.depth, 0.1), snapTo(s.run, 0.2)+0.2, 1.5
	}
	b := &sheets{slab: s.slab, random: r}
	gaps := s.build(b, r)
	b.lvl.Name = "random stairwell"
	return &b.lvl, s, gaps
}

// snapTo returns the multiple of a step nearest to x.
func snapTo(x, step float64) float64 { return math.Round(x/step) * step }

// widestJoint is the widest gap between pieces in metres.
const widestJoint = 0.3

// joint draws the gap between a piece and its predecessor, negative for an overlap, and the step between them, in
// metres.
func joint(r *rand.Rand) (gap, step float64) {
	switch r.IntN(12) {
	case 0:
		gap = widestJoint * float64(1+r.IntN(30)) / 30
	case 1, 2:
		gap = 0.04 * r.Float64()
	case 3, 4, 5, 6, 7:
		gap = -float64(1+r.IntN(5)) / 100
	}
	if r.IntN(3) == 0 {
		step = 0.16 * (r.Float64() - 0.5)
	}
	return gap, step
}

// build adds all pieces and returns the gaps between consecutive ones.
func (s *stairwell) build(b *sheets, r *rand.Rand) (gaps []float64) {
	middle := s.width + s.well/2 // of the well; the first lane starts at y = 0
	north := 2*s.width + s.well
	x, h := 0.0, 0.0                   // where the last piece ends
	ends := [2]float64{0, math.Inf(1)} // of the well, west and east
	box := [2]float64{-s.depth, s.run} // west and east of all
	place := func(x0, x1, y0, y1, h0, h1 float64) {
		if x0 > x1 {
			x0, x1, h0, h1 = x1, x0, h1, h0
		}
		box = [2]float64{min(box[0], x0), max(box[1], x1)}
		b.plate(s.site, x0, y0, x1, y1, h0, h1)
	}
	join := func(along float64) {
		gap, step := joint(r)
		gaps = append(gaps, gap)
		x += along * gap
		h += step
	}
	place(-s.depth, 0, 0, north, 0, 0)
	for k := range s.flights {
		along, y := 1.0, 0.0
		if k%2 == 1 {
			along, y = -1, s.width+s.well
		}
		join(along)
		if s.treads == 0 {
			place(x, x+along*s.run, y, y+s.width, h, h+s.rise)
		}
		for i := range s.treads {
			from, to := float64(i)/float64(s.treads), float64(i+1)/float64(s.treads)
			place(x+float64(along*s.run*from), x+float64(along*s.run*to), y, y+s.width, h+float64(s.rise*from), h+float64(s.rise*from))
		}
		x += along * s.run
		h += s.rise
		join(along)
		if k%2 == 0 {
			ends[1] = min(ends[1], x)
		} else {
			ends[0] = max(ends[0], x)
		}
		far := x + along*s.depth
		if s.split == 0 {
			place(x, far, 0, north, h, h)
			continue
		}
		between, _ := joint(r)
		gaps = append(gaps, between)
		south, upper := middle-between/2, middle+between/2
		if k%2 == 0 {
			place(x, far, 0, south, h, h)
			place(x, far, upper, north, h+s.split, h+s.split)
		} else {
			place(x, far, upper, north, h, h)
			place(x, far, 0, south, h+s.split, h+s.split)
		}
		h += s.split
	}
	top := h + 3
	if s.wall {
		b.wall(s.site, ends[0]+0.1, middle, ends[1]-0.1, middle, -0.5, top)
	}
	if s.shaft {
		b.wall(s.site, box[0], 0, box[1], 0, -0.5, top)
		b.wall(s.site, box[1], 0, box[1], north, -0.5, top)
		b.wall(s.site, box[1], north, box[0], north, -0.5, top)
		b.wall(s.site, box[0], north, box[0], 0, -0.5, top)
	}
	return gaps
}

// sheets collects plates as triangles, off the lattice: closed with a thickness, or without.
type sheets struct {
	lvl    level.Level
	slab   float64
	random *rand.Rand // of the diagonals
}

// plate adds a rectangle that rises from h0 at x0 to h1 at x1.
func (b *sheets) plate(s site, x0, y0, x1, y1, h0, h1 float64) {
	corner := func(x, y, h float64) geom.Vec {
		p := s.place(x, y)
		return geom.FromGround(p.x, p.y, h)
	}
	top := [4]geom.Vec{corner(x0, y0, h0), corner(x1, y0, h1), corner(x1, y1, h1), corner(x0, y1, h0)}
	if s.mirror {
		top[1], top[3] = top[3], top[1]
	}
	b.quad(top)
	if b.slab == 0 {
		return
	}
	bottom := top
	for i := range bottom {
		bottom[i].Y -= b.slab
	}
	b.quad([4]geom.Vec{bottom[0], bottom[3], bottom[2], bottom[1]})
	for i := range top {
		j := (i + 1) % 4
		b.quad([4]geom.Vec{bottom[i], bottom[j], top[j], top[i]})
	}
}

// wall adds an upright rectangle without thickness.
func (b *sheets) wall(s site, x0, y0, x1, y1, low, high float64) {
	p, q := s.place(x0, y0), s.place(x1, y1)
	b.quad([4]geom.Vec{geom.FromGround(p.x, p.y, low), geom.FromGround(q.x, q.y, low), geom.FromGround(q.x, q.y, high), geom.FromGround(p.x, p.y, high)})
}

// quad adds a flat quadrangle, counter-clockwise from its front, with a diagonal by lot.
func (b *sheets) quad(c [4]geom.Vec) {
	n := uint32(len(b.lvl.Vertices))
	k := uint32(b.random.IntN(2))
	b.lvl.Vertices = append(b.lvl.Vertices, c[:]...)
	for _, i := range []uint32{1, 2} {
		b.lvl.Triangles = append(b.lvl.Triangles, level.Triangle{A: n + k, B: n + (k+i)%4, C: n + (k+i+1)%4, Material: level.NoMaterial})
	}
}
