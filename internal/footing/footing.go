// Package footing judges whether paths lie on the floor of a mesh. Package query has no part in it, so that the
// two can disagree.
//
// Source: no publication; the union of intervals on a line is textbook material.
//
// Idea: A straight piece of a path and a floor triangle give one interval of the piece: the places over the triangle
// where the piece is within the tolerance of the plane. The floor carries the piece where the union of these
// intervals covers the piece. All other stretches are off the floor, or over a crack without any floor.
//
// Input: a mesh that [navmesh.Mesh.Check] accepts, and the points of a path in world space.
//
// Guarantees:
//  1. A place farther than the tolerance from all floors is found, however short the stretch, if it is longer than
//     twice the reach (TestFloatingPathsAreFound, TestShortBumpsAreFound).
//  2. A path on the floor is accepted on slopes, steps and layers over each other (TestPathsOnTheFloor).
//  3. A piece over a crack is reported as a bridge with its length, and not as off the floor (TestCracks).
//  4. A vertical piece is a step: its ends must be on the floor, and its height is reported (TestStepsAreMeasured).
//
// Degenerate cases: pieces of no length in the plan are steps. A point alone is judged as a piece of no length. A
// layer without triangles has the regions themselves as its floor, each a fan of triangles.
//
// Cost: New takes O(n log² n) time and O(n) memory for n triangles. A piece takes O(log n + k log k) for k triangles near it.
//
// Departures: none.
package footing

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// reach is how far beside a triangle, in lattice units, its floor still carries: the points of meshes are rounded,
// and coordinates in world space are too.
const reach = 4

// Floor is the floor of a mesh, all layers together. It is immutable.
type Floor struct {
	frame     lattice.Frame
	storey    float64 // lattice units: nothing farther above or below is the floor of a path
	climb     float64 // lattice units: the highest step
	triangles []triangle
	nodes     []node
}

// triangle is a floor triangle with its box.
type triangle struct {
	x, y, z [3]float64
	low     [3]float64
	high    [3]float64
}

// node is a box around triangles [first, end). Inner nodes have children; the children of node i are child and child+1.
type node struct {
	low, high  [3]float64
	first, end int
	child      int
}

// Report says how a path lies on the floor. Places are in world space, lengths in metres.
type Report struct {
	// Off is the largest vertical distance from the path to the nearest floor on stretches that are farther away
	// than the tolerance, 0 where there are none; OffAt is the place.
	Off   float64
	OffAt geom.Vec
	// Bridged is the longest stretch without any floor above or below within a storey; BridgedAt is its start.
	Bridged   float64
	BridgedAt geom.Vec
	// Step is the highest vertical piece; StepAt is its first point.
	Step   float64
	StepAt geom.Vec
}

// New prepares the floor of a mesh.
func New(m *navmesh.Mesh) *Floor {
	f := &Floor{frame: m.Frame, climb: m.Agent.MaxClimb*lattice.UnitsPerMetre + reach, storey: max(m.Agent.Height/2, m.Agent.MaxClimb) * lattice.UnitsPerMetre}
	for t := range m.Tiles {
		tile := &m.Tiles[t]
		for l := range tile.Layers {
			tin := &tile.Layers[l].Floor
			for _, c := range tin.Triangles {
				f.add(tin.Vertices[c[0]], tin.Vertices[c[1]], tin.Vertices[c[2]])
			}
		}
		for i := range tile.Regions {
			if l := int(tile.Regions[i].Layer); l < len(tile.Layers) && len(tile.Layers[l].Floor.Triangles) > 0 {
				continue
			}
			ring := tile.RegionCorners(i)
			for k := 1; k+1 < len(ring); k++ {
				f.add(tile.Vertices[ring[0]], tile.Vertices[ring[k]], tile.Vertices[ring[k+1]])
			}
		}
	}
	if len(f.triangles) > 0 {
		f.nodes = append(f.nodes, node{})
		f.split(0, 0, len(f.triangles))
	}
	return f
}

// add adds a triangle unless it has no area in the plan.
func (f *Floor) add(a, b, c lattice.Vertex) {
	if lattice.Orient(a.Point, b.Point, c.Point) <= 0 {
		return
	}
	var t triangle
	for k, v := range [3]lattice.Vertex{a, b, c} {
		t.x[k], t.y[k], t.z[k] = float64(v.X), float64(v.Y), float64(v.Z)
	}
	for axis, c := range [3][3]float64{t.x, t.y, t.z} {
		t.low[axis], t.high[axis] = min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	}
	f.triangles = append(f.triangles, t)
}

// split makes node n the box of triangles [first, end) and divides more than leaf of them by their middles.
func (f *Floor) split(n, first, end int) {
	const leaf = 8
	low, high := f.triangles[first].low, f.triangles[first].high
	for _, t := range f.triangles[first:end] {
		for axis := range 3 {
			low[axis], high[axis] = min(low[axis], t.low[axis]), max(high[axis], t.high[axis])
		}
	}
	f.nodes[n] = node{low: low, high: high, first: first, end: end}
	if end-first <= leaf {
		return
	}
	axis := 0
	if high[1]-low[1] > high[0]-low[0] {
		axis = 1
	}
	slices.SortFunc(f.triangles[first:end], func(a, b triangle) int {
		return cmp.Or(cmp.Compare(a.low[axis]+a.high[axis], b.low[axis]+b.high[axis]), slices.Compare(a.low[:], b.low[:]))
	})
	child, middle := len(f.nodes), (first+end)/2
	f.nodes[n].child = child
	f.nodes = append(f.nodes, node{}, node{})
	f.split(child, first, middle)
	f.split(child+1, middle, end)
}

// span is the part [from, to] of a piece that a triangle is below or above. On the way the path's height over the
// floor goes from d0 to d1. The floor rises by as much as rise within reach: where a step is a steep strip of floor, rounding moves
// a path by nearly the whole step.
type span struct{ from, to, d0, d1, rise float64 }

// at returns the height of the path over the floor at a place.
func (s *span) at(place float64) float64 {
	if s.to > s.from {
		return s.d0 + (s.d1-s.d0)*(place-s.from)/(s.to-s.from)
	}
	return s.d0
}

// Check judges the straight pieces between points. The tolerance is vertical, in metres.
func (f *Floor) Check(points []geom.Vec, tolerance float64) Report {
	var r Report
	for i := range points {
		f.piece(points[max(i-1, 0)], points[i], tolerance*lattice.UnitsPerMetre, &r)
	}
	return r
}

// piece judges the piece from a to b.
func (f *Floor) piece(a, b geom.Vec, tolerance float64, r *Report) {
	ax, ay, az := f.frame.Local(a)
	bx, by, bz := f.frame.Local(b)
	run := math.Hypot(bx-ax, by-ay)
	at := func(t float64) geom.Vec { return a.Add(b.Sub(a).Scale(t)) }
	if run <= reach {
		if step := math.Abs(bz-az) * lattice.Unit; step > r.Step {
			r.Step, r.StepAt = step, a
		}
		bx, by, az = ax, ay, bz // the end stands for the piece; the start is the end of another one
		run = 0
	}
	spans := f.spans([3]float64{ax, ay, az}, [3]float64{bx, by, bz})
	near := 0.0 // how far along the path has had a floor within a storey
	// Between two neighbouring cuts, the same triangles carry and every height over the floor keeps its sign.
	cuts := []float64{0, 1}
	for _, s := range spans {
		cuts = append(cuts, s.from, s.to)
		for _, h := range [6]float64{-f.storey - s.rise, -tolerance - s.rise, 0, tolerance + s.rise, f.storey + s.rise, (s.d0 + s.d1) / 2} {
			if (s.d0-h)*(s.d1-h) < 0 {
				cuts = append(cuts, s.from+(s.to-s.from)*(h-s.d0)/(s.d1-s.d0))
			}
		}
	}
	slices.Sort(cuts)
	offFrom := math.NaN()
	worst, worstAt := 0.0, 0.0
	for i := 1; i < len(cuts); i++ {
		u, v := cuts[i-1], cuts[i]
		if v == u && i > 1 && i+1 < len(cuts) || u < 0 || v > 1 {
			continue
		}
		middle := (u + v) / 2
		least, above, below := math.Inf(1), math.Inf(1), math.Inf(1)
		for _, s := range spans {
			if s.from <= middle && middle <= s.to {
				d := s.at(middle)
				least = min(least, max(math.Abs(d)-s.rise, 0))
				if d >= 0 {
					above = min(above, d)
				} else {
					below = min(below, -d)
				}
			}
		}
		// Two floors of a step are both within reach only beside the step. A path that crosses the step aslant is long between them, but
		// still steep.
		if above+below <= f.climb && math.Abs(bz-az) > run {
			least = 0
		}
		if least <= f.storey {
			near = v
		} else if bridged := (v - near) * run * lattice.Unit; bridged > r.Bridged {
			r.Bridged, r.BridgedAt = bridged, at(near)
		}
		if least <= tolerance || math.IsInf(least, 1) || least > f.storey {
			offFrom, worst = math.NaN(), 0
			if least > f.storey && run == 0 && r.Off < tolerance {
				r.Bridged, r.BridgedAt = max(r.Bridged, lattice.Unit), a
			}
			continue
		}
		if math.IsNaN(offFrom) {
			offFrom = u
		}
		if least > worst {
			worst, worstAt = least, middle
		}
		// A stretch of twice the reach lies between triangles that carry it within their reach.
		if (v-offFrom)*run > 2*reach || run == 0 {
			if off := worst * lattice.Unit; off > r.Off {
				r.Off, r.OffAt = off, at(worstAt)
			}
		}
	}
}

// spans returns the part of the piece from a to b over each triangle.
func (f *Floor) spans(a, b [3]float64) []span {
	if len(f.nodes) == 0 {
		return nil
	}
	var low, high [3]float64
	for axis := range 3 {
		low[axis], high[axis] = min(a[axis], b[axis])-reach, max(a[axis], b[axis])+reach
	}
	low[2], high[2] = low[2]-f.storey, high[2]+f.storey
	var out []span
	wait := []int{0}
	for len(wait) > 0 {
		n := &f.nodes[wait[len(wait)-1]]
		wait = wait[:len(wait)-1]
		if !overlap(low, high, n.low, n.high) || beside(a, b, n.low, n.high) {
			continue
		}
		if n.child > 0 {
			wait = append(wait, n.child, n.child+1)
			continue
		}
		for i := n.first; i < n.end; i++ {
			t := &f.triangles[i]
			if overlap(low, high, t.low, t.high) {
				if s, ok := t.over(a, b); ok {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

func overlap(low, high, otherLow, otherHigh [3]float64) bool {
	for axis := range 3 {
		if low[axis] > otherHigh[axis] || otherLow[axis] > high[axis] {
			return false
		}
	}
	return true
}

// beside reports whether a box lies on one side of the line through a and b in the plan, farther than reach.
func beside(a, b, low, high [3]float64) bool {
	dx, dy := b[0]-a[0], b[1]-a[1]
	pad := reach * (math.Abs(dx) + math.Abs(dy))
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range [2]float64{low[0], high[0]} {
		for _, y := range [2]float64{low[1], high[1]} {
			side := dx*(y-a[1]) - dy*(x-a[0])
			least, most = min(least, side), max(most, side)
		}
	}
	return least > pad || most < -pad
}

// over returns the part of the piece from a to b that is over the triangle, widened by reach.
func (t *triangle) over(a, b [3]float64) (s span, ok bool) {
	from, to := 0.0, 1.0
	// clip keeps the part of the piece where a linear function, da at a and db at b, is not negative.
	clip := func(da, db float64) {
		switch {
		case da < 0 && db < 0:
			to = -1
		case da < 0:
			from = max(from, da/(da-db))
		case db < 0:
			to = min(to, da/(da-db))
		}
	}
	for k := range 3 {
		j := (k + 1) % 3
		ex, ey := t.x[j]-t.x[k], t.y[j]-t.y[k]
		pad := reach * math.Hypot(ex, ey)
		clip(ex*(a[1]-t.y[k])-ey*(a[0]-t.x[k])+pad, ex*(b[1]-t.y[k])-ey*(b[0]-t.x[k])+pad)
	}
	// The widened edges of a needle meet far beyond its tip.
	for axis := range 2 {
		for _, side := range [2]float64{1, -1} {
			limit := t.high[axis] + reach
			if side < 0 {
				limit = reach - t.low[axis]
			}
			clip(limit-side*a[axis], limit-side*b[axis])
		}
	}
	if from > to {
		return s, false
	}
	return span{from, to, t.above(a, b, from), t.above(a, b, to), t.rise()}, true
}

// rise returns how much the triangle's plane rises within reach, no more than the triangle itself.
func (t *triangle) rise() float64 {
	ux, uy, uz := t.x[1]-t.x[0], t.y[1]-t.y[0], t.z[1]-t.z[0]
	vx, vy, vz := t.x[2]-t.x[0], t.y[2]-t.y[0], t.z[2]-t.z[0]
	return min(reach*math.Hypot(uy*vz-uz*vy, uz*vx-ux*vz)/(ux*vy-uy*vx), t.high[2]-t.low[2])
}

// above returns the height over the triangle at a place of the piece from a to b. Beside the triangle the floor is
// as high as the plane, but within the triangle's heights.
func (t *triangle) above(a, b [3]float64, at float64) float64 {
	x, y, z := a[0]+at*(b[0]-a[0]), a[1]+at*(b[1]-a[1]), a[2]+at*(b[2]-a[2])
	ux, uy, uz := t.x[1]-t.x[0], t.y[1]-t.y[0], t.z[1]-t.z[0]
	vx, vy, vz := t.x[2]-t.x[0], t.y[2]-t.y[0], t.z[2]-t.z[0]
	area := ux*vy - uy*vx
	px, py := x-t.x[0], y-t.y[0]
	h := t.z[0] + ((px*vy-py*vx)*uz+(ux*py-uy*px)*vz)/area
	return z - min(max(h, t.low[2]), t.high[2])
}

// Worse makes each figure of r the worse one of r and other.
func (r *Report) Worse(other Report) {
	if other.Off > r.Off {
		r.Off, r.OffAt = other.Off, other.OffAt
	}
	if other.Bridged > r.Bridged {
		r.Bridged, r.BridgedAt = other.Bridged, other.BridgedAt
	}
	if other.Step > r.Step {
		r.Step, r.StepAt = other.Step, other.StepAt
	}
}
