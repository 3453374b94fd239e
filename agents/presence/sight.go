package presence

// Sight through portals.
//
// Source: D. H. Hale, dissertation, 2011, section 8.2, which proposes portal culling in a navigation mesh for the
// perception of agents, and gives no algorithm; portal culling is C. B. Jones, A new approach to the 'hidden line'
// problem, The Computer Journal 14 (1971), and D. Luebke and C. Georges, Portals and mirrors, I3D 1995.
//
// Idea: A region is convex, so an eye in the region sees all of it. Through a portal the eye sees the wedge between the
// portal's ends, cut with the wedge before. A depth-first search follows the wedges until they are empty.
//
// Input: an eye on the floor of a mesh, a view cone.
//
// Guarantees:
//  1. A centre is in sight exactly where a ray of [query.Query.Raycast] reaches the centre and the view cone holds the
//     centre (TestSightIsARay).
//  2. A disc is in sight where a ray reaches some point of the disc, up to rounding (TestSightOfDiscs).
//  3. Sight is mutual between centres on level floor (TestSightIsMutual).
//
// Degenerate cases: eyes on a border or at a corner; a wedge of a single ray along a wall or through a corner counts, as
// the free space is closed.
//
// Cost: O(r·m) for r visits of regions with m portals and objects. Wedges do not overlap, so the visits of one region are
// at most as many as the corners in sight.
//
// Departures: none from a published algorithm. The mesh keeps the agent's radius away from walls and knows no ceilings, so
// obstacles hide what is behind their border on the mesh, and low obstacles hide as high ones do.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// ray is a direction: a difference of lattice points.
type ray struct{ x, y int64 }

// cross is positive for b on the left of a, exactly.
func cross(a, b ray) int64 { return a.x*b.y - a.y*b.x }

// shortest returns the shortest ray of integers in the direction of a.
func (a ray) shortest() ray {
	n := lattice.GCD(a.x, a.y)
	return ray{a.x / n, a.y / n}
}

// dot is positive for directions that differ by less than a right angle.
func dot(a, b ray) int64 { return a.x*b.x + a.y*b.y }

// wedge is a closed set of directions, counter-clockwise from right to left, of less than half a turn.
type wedge struct{ right, left ray }

// has reports whether a direction other than zero is in a wedge.
func (w wedge) has(d ray) bool {
	if cross(w.right, w.left) == 0 {
		return cross(w.right, d) == 0 && dot(w.right, d) > 0
	}
	return cross(w.right, d) >= 0 && cross(d, w.left) >= 0
}

// cut returns the common directions of two wedges; ok is false for none. The two wedges are together less than a turn, so
// the common directions are a wedge, whose ends are ends of the two.
func (w wedge) cut(o wedge) (c wedge, ok bool) {
	switch {
	case w.has(o.right):
		c.right = o.right
	case o.has(w.right):
		c.right = w.right
	default:
		return wedge{}, false
	}
	c.left = w.left
	if w.has(o.left) {
		c.left = o.left
	}
	return c, true
}

// turns are the quarters of a turn.
var turns = []wedge{
	{ray{1, 0}, ray{0, 1}},
	{ray{0, 1}, ray{-1, 0}},
	{ray{-1, 0}, ray{0, -1}},
	{ray{0, -1}, ray{1, 0}},
}

// coneOf returns a view cone as wedges of at most a third of a turn.
func coneOf(heading geom.Vec, view float64) []wedge {
	x, y := geom.Ground(heading)
	long := max(math.Abs(x), math.Abs(y))
	if !(view > 0 && view < 2*math.Pi && long > 0) {
		return turns
	}
	x, y = x/long, y/long
	n := 1 + int(view/(2*math.Pi/3))
	var cone []wedge
	at := func(angle float64) ray {
		sin, cos := geom.Sincos(angle)
		const scale = 1 << 28
		return ray{
			int64(math.Floor((float64(x*cos)-float64(y*sin))*scale + 0.5)),
			int64(math.Floor((float64(x*sin)+float64(y*cos))*scale + 0.5)),
		}
	}
	step := view / float64(n)
	right := at(-view / 2)
	for k := 1; k <= n; k++ {
		left := at(float64(step*float64(k)) - view/2)
		cone = append(cone, wedge{right, left})
		right = left
	}
	return cone
}

// sighted is an object in sight.
type sighted struct {
	object   int32
	whole    bool
	distance float64 // of the centre, seen from above, in lattice units
}

// visit is a region and the wedge that shows the region.
type visit struct {
	ref navmesh.Ref
	w   wedge
}

// gate is a portal on the way of sight.
type gate struct{ left, right lattice.Vertex }

// mostShapes bounds the regions whose shapes a Reader keeps from look to look.
const mostShapes = 1 << 14

// look is the memory of a search for all that is in sight.
type look struct {
	r       *Reader
	ix      *query.Index // of corners and exits
	first   navmesh.Ref
	at      lattice.Point
	eye     float64 // height, in lattice units above the frame
	cone    []wedge
	far     float64 // in lattice units
	centres bool    // only centres count
	draws   bool
	pieces  []Piece

	seen    []sighted
	found   map[int32]int // of an object in seen
	chain   []navmesh.Ref // regions from the eye to the present one
	gates   []gate        // between them
	corners map[navmesh.Ref][]lattice.Vertex
	exits   map[navmesh.Ref][]query.Exit
	visits  map[visit]bool
	clip    [2][]point
}

// point is a place relative to the eye.
type point struct{ x, y float64 }

// start sets a look from a place, with eyes on the floor.
func (l *look) start(r *Reader, from query.Position, heading geom.Vec, view, far float64) {
	l.r, l.first = r, from.Ref
	l.at, _ = r.v.frame.Beneath(from.Point)
	_, _, l.eye = r.v.frame.Local(from.Point)
	l.cone = coneOf(heading, view)
	l.far = far * lattice.UnitsPerMetre
	l.seen, l.chain, l.gates = l.seen[:0], l.chain[:0], l.gates[:0]
	if l.visits == nil {
		l.found, l.visits = map[int32]int{}, map[visit]bool{}
	}
	clear(l.found)
	clear(l.visits)
	if l.corners == nil || l.ix != r.v.ix || len(l.corners) > mostShapes {
		l.ix = r.v.ix
		l.corners, l.exits = map[navmesh.Ref][]lattice.Vertex{}, map[navmesh.Ref][]query.Exit{}
	}
}

// all follows all wedges of the view cone.
func (l *look) all() {
	for _, w := range l.cone {
		l.visit(l.first, w)
	}
}

// visit looks into a region by a wedge, and on through its portals. A ray through a corner goes around the corner on both
// sides; the memory of visits joins the two ways again.
func (l *look) visit(ref navmesh.Ref, w wedge) {
	w = wedge{w.right.shortest(), w.left.shortest()}
	if v := (visit{ref, w}); !l.visits[v] {
		l.visits[v] = true
	} else {
		return
	}
	if _, ok := l.corners[ref]; !ok {
		l.corners[ref] = l.r.v.ix.Corners(nil, ref)
		l.exits[ref] = l.r.v.ix.Exits(nil, ref)
	}
	l.chain = append(l.chain, ref)
	l.meet(ref, w)
	if l.draws {
		l.draw(ref, w)
	}
	for _, e := range l.exits[ref] {
		// A straight line enters a convex region once.
		if e.Link >= 0 || slices.Contains(l.chain, e.To) || l.beyond(e) {
			continue
		}
		if through, ok := l.through(e, w); ok {
			l.gates = append(l.gates, gate{e.Left, e.Right})
			l.visit(e.To, through)
			l.gates = l.gates[:len(l.gates)-1]
		}
	}
	l.chain = l.chain[:len(l.chain)-1]
}

// beyond reports whether a portal is out of range.
func (l *look) beyond(e query.Exit) bool {
	return lattice.SegmentDistance2(l.at, e.Left.Point, e.Right.Point).Sqrt() > l.far+1
}

// through returns the part of a wedge that a portal lets through.
func (l *look) through(e query.Exit, w wedge) (wedge, bool) {
	lx, ly := e.Left.Sub(l.at)
	rx, ry := e.Right.Sub(l.at)
	left, right := ray{lx, ly}, ray{rx, ry}
	switch turn := cross(right, left); {
	case lattice.OnSegment(l.at, e.Left.Point, e.Right.Point):
		return w, true // the eye is in both regions
	case turn > 0:
		return w.cut(wedge{right, left})
	case turn == 0: // the eye looks along the portal
		return w.cut(wedge{right, right})
	default:
		return wedge{}, false // from outside
	}
}

// meet adds the objects of a region that a wedge shows.
func (l *look) meet(ref navmesh.Ref, w wedge) {
	v := l.r.v
	c, ok := v.of[ref]
	if !ok {
		return
	}
	var clipped []point
	for _, e := range v.in(c) {
		o := &v.objects[e.object]
		k, known := l.found[e.object]
		if known && l.seen[k].whole {
			continue
		}
		distance := l.at.Distance(o.disc.at)
		if distance-float64(o.disc.radius) > l.far || l.centres && distance > l.far {
			continue
		}
		x, y := o.disc.at.Sub(l.at)
		d := ray{x, y}
		whole := inRing(v.cells[c].ring, o.disc.at) && (d == ray{} || w.has(d)) && distance <= l.far
		if !whole {
			if l.centres || known {
				continue
			}
			if clipped == nil {
				clipped = l.part(ref, w)
			}
			if !near(clipped, point{float64(x), float64(y)}, float64(o.disc.radius)) {
				continue
			}
		}
		if l.hidden(o) {
			continue
		}
		if known {
			l.seen[k].whole = true
			continue
		}
		l.found[e.object] = len(l.seen)
		l.seen = append(l.seen, sighted{e.object, whole, distance})
	}
}

// part returns the part of a region in a wedge, relative to the eye, counter-clockwise.
func (l *look) part(ref navmesh.Ref, w wedge) []point {
	from := l.clip[0][:0]
	for _, c := range l.corners[ref] {
		x, y := c.Sub(l.at)
		from = append(from, point{float64(x), float64(y)})
	}
	to := half(l.clip[1][:0], from, point{float64(w.right.x), float64(w.right.y)})
	from = half(from[:0], to, point{-float64(w.left.x), -float64(w.left.y)})
	l.clip = [2][]point{from, to}
	return from
}

// half appends the part of a convex polygon on the left of a line through the eye, or on the line.
func half(out, ring []point, along point) []point {
	if len(ring) == 0 {
		return out
	}
	side := func(p point) float64 { return float64(along.x*p.y) - float64(along.y*p.x) }
	a := ring[len(ring)-1]
	sa := side(a)
	for _, b := range ring {
		sb := side(b)
		if sa < 0 && sb > 0 || sa > 0 && sb < 0 {
			t := sa / (sa - sb)
			out = append(out, point{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y))})
		}
		if sb >= 0 {
			out = append(out, b)
		}
		a, sa = b, sb
	}
	return out
}

// near reports whether a point is at most reach away from a convex polygon, which may be a segment or a point.
func near(ring []point, p point, reach float64) bool {
	if len(ring) == 0 {
		return false
	}
	inside := len(ring) > 2
	a := ring[len(ring)-1]
	for _, b := range ring {
		dx, dy := b.x-a.x, b.y-a.y
		px, py := p.x-a.x, p.y-a.y
		inside = inside && float64(dx*py)-float64(dy*px) >= 0
		t := 0.0
		if length2 := float64(dx*dx) + float64(dy*dy); length2 > 0 {
			t = min(max((float64(px*dx)+float64(py*dy))/length2, 0), 1)
		}
		ex, ey := px-float64(t*dx), py-float64(t*dy)
		if float64(ex*ex)+float64(ey*ey) <= float64(reach*reach) {
			return true
		}
		a = b
	}
	return inside
}

// hidden reports whether the floor between the eye and the top of an object rises above the straight line. The floor is
// read where the line passes gates, and at every half metre of those regions whose floor may rise so high.
func (l *look) hidden(o *seen) bool {
	v := l.r.v
	top := float64(o.band.high)
	x, y := o.disc.at.Sub(l.at)
	dx, dy := float64(x), float64(y)
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	height := func(t float64) float64 { return l.eye + float64(t*(top-l.eye)) }
	before := 0.0 // the part of the way up to the region
	for i, ref := range l.chain {
		after := 1.0
		if i < len(l.gates) {
			g := l.gates[i]
			t, floor, ok := g.crossing(l.at, dx, dy)
			if ok && height(t)+1 < floor {
				return true
			}
			if ok {
				after = t
			}
		}
		_, high, _ := v.ix.HeightRange(ref)
		if after > before && min(height(before), height(after)) < float64(high) {
			const step = lattice.UnitsPerMetre / 2
			n := math.Ceil((after - before) * length / step)
			for k := 1.0; k < n; k++ {
				t := before + float64((after-before)*(k/n))
				at := v.frame.FromLocal(float64(l.at.X)+float64(t*dx), float64(l.at.Y)+float64(t*dy), 0)
				floor, ok := v.ix.Floor(ref, at)
				if _, _, z := v.frame.Local(floor); ok && height(t)+1 < z {
					return true
				}
			}
		}
		before = max(before, after)
	}
	return false
}

// crossing returns where a line from the eye crosses a gate: the part of the way, and the height of the floor.
func (g gate) crossing(eye lattice.Point, dx, dy float64) (t, floor float64, ok bool) {
	lx, ly := g.left.Sub(eye)
	rx, ry := g.right.Sub(eye)
	ax, ay := float64(rx), float64(ry)
	ex, ey := float64(lx-rx), float64(ly-ry)
	det := float64(dx*ey) - float64(dy*ex)
	if det == 0 {
		return 0, 0, false
	}
	t = (float64(ax*ey) - float64(ay*ex)) / det
	s := (float64(ax*dy) - float64(ay*dx)) / det
	if !(t >= 0 && t <= 1) {
		return 0, 0, false
	}
	s = min(max(s, 0), 1)
	return t, float64(g.right.Z) + float64(s*float64(int64(g.left.Z)-int64(g.right.Z))), true
}

// draw keeps the part of a region that a wedge shows.
func (l *look) draw(ref navmesh.Ref, w wedge) {
	var outline []geom.Vec
	for _, p := range l.part(ref, w) {
		at := l.r.v.frame.FromLocal(float64(l.at.X)+p.x, float64(l.at.Y)+p.y, 0)
		floor, _ := l.r.v.ix.Floor(ref, at)
		outline = append(outline, floor)
	}
	if len(outline) > 2 {
		l.pieces = append(l.pieces, Piece{ref, outline})
	}
}
