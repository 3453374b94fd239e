package growth

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Round is a phase of growth of many regions in turn: in every pass every region, in the order of the seeds,
// moves each of its fronts by a step, and a front whose step fails stops. A step fails if the region would
// have a notch of the unclaimed space inside of its box, would come to lie behind a wall parallel to the
// front, or would overlap another region. Where a slanted wall enters the box the region follows it.
//
// Guarantees of [Round.GrowByEvents] and [Round.GrowBySteps]: every region is convex and no two overlap
// (TestRoundsClaimWhatTheyGrew); events equal steps of one lattice unit (TestEventsAreUnitSteps, and
// TestRoundAgainstCells without any triangulation).
//
// The world must not change between the first seed and [Round.Claim].
// After a claim, or when it has changed, [Round.Reset] begins the next round.
type Round struct {
	w          *World
	rectangles bool   // any wall inside of the box is a fault, so that regions stay rectangles
	stops      []bool // the walls inside of the box that are a fault, by their marks; nil for none
	regions    []region
	first      []int32 // of every triangle: its latest visit, -1 for none
	visits     []visit // the visits of triangles
	notch      []int8  // of every half-edge: whether it starts at a notch, 1 or -1 once that is known
	known      []int32 // the half-edges with known events
	period     int64   // turns of a pass
	events     []event // a heap
	flood      []int32 // triangles of a step that is being tried
	reaching   []event // events of the same step
}

// visit is a region's part in a triangle, with the triangle's previous visit.
type visit struct{ region, before, triangle int32 }

// region is a growing region: the space inside its fronts that is connected to its seed.
type region struct {
	place  Place
	start  int32 // the triangle there
	fronts [4]front
	name   int32 // for a tracer
}

// front is a side of a growing region.
type front struct {
	at      int64 // its start, or its stop; as in Box
	own     int64 // its turn within every pass
	stopped bool
}

// rank is the order of turns of a region's fronts: around the square from its north-western corner,
// counter-clockwise.
var rank = [4]int64{East: 2, North: 3, West: 0, South: 1}

// NewRound returns a round of w without regions. With rectangles, regions stop at any wall in place of
// following it.
func (w *World) NewRound(rectangles bool) *Round {
	w.noting = true
	r := &Round{w: w, rectangles: rectangles}
	r.extend()
	return r
}

// StopAt makes regions stop at the edges of the domain that stop names, in place of following them.
func (r *Round) StopAt(stop func(plan.EdgeID) bool) {
	r.stops = make([]bool, r.w.cut+1) // the last for fronts of claimed regions
	for i, wall := range r.w.Walls {
		r.stops[i] = stop(wall.EdgeID)
	}
}

// extend makes room for new triangles.
func (r *Round) extend() {
	for len(r.first) < len(r.w.Inside) {
		r.first = append(r.first, -1)
		r.notch = append(r.notch, 0, 0, 0)
	}
}

// Reset makes r the next round of the same world, with no regions. It costs as much as the last round
// touched.
func (r *Round) Reset() {
	for _, v := range r.visits {
		r.first[v.triangle] = -1
	}
	for _, e := range r.known {
		r.notch[e] = 0
	}
	r.visits, r.known, r.regions, r.events = r.visits[:0], r.known[:0], r.regions[:0], r.events[:0]
	r.extend()
}

// Len returns the number of regions.
func (r *Round) Len() int { return len(r.regions) }

// Add seeds a region. It returns false without room.
func (r *Round) Add(p Place) bool {
	start, ok := r.w.start(p)
	if !ok {
		return false
	}
	id := int32(len(r.regions))
	g := region{place: p, start: start}
	for d := range 4 {
		g.fronts[d] = front{at: p.box[d], own: 4*int64(id) + rank[d]}
	}
	r.regions = append(r.regions, g)
	if !r.try(id, p.box) {
		r.regions = r.regions[:id]
		return false
	}
	r.commit(id)
	if r.w.trace.to != nil {
		r.regions[id].name = r.w.trace.seeded(p.box)
	}
	return true
}

// visited tells whether region id has a part in triangle t.
func (r *Round) visited(id, t int32) bool {
	for v := r.first[t]; v >= 0; v = r.visits[v].before {
		if r.visits[v].region == id {
			return true
		}
	}
	return false
}

// commit makes region id a visitor of the triangles of the step that was tried.
func (r *Round) commit(id int32) {
	for _, t := range r.flood {
		if !r.visited(id, t) {
			r.visits = append(r.visits, visit{id, r.first[t], t})
			r.first[t] = int32(len(r.visits) - 1)
		}
	}
}

// blocks reports whether an edge stops a front in front of it: a wall or an edge of a region parallel to an
// axis, an edge of [Round.StopAt], or any edge if regions stay rectangles.
func (r *Round) blocks(e int32) bool {
	a, b := r.w.Ends(e)
	mark := r.w.H[e].Mark
	return mark != cdt.Free && (r.rectangles || a.X == b.X || a.Y == b.Y || r.stops != nil && r.stops[mark])
}

// isNotch is [World.isNotch] with a memory.
func (r *Round) isNotch(e int32) bool {
	if r.notch[e] == 0 {
		r.known = append(r.known, e)
		r.notch[e] = -1
		if r.w.isNotch(e) {
			r.notch[e] = 1
		}
	}
	return r.notch[e] > 0
}

// Claim claims the regions in order and returns the number of successes. Corners on walls may draw fronts
// back and so make the claim of a later region fail; its space is left unclaimed.
func (r *Round) Claim() (claimed int) {
	w := r.w
	for _, g := range r.regions {
		start, ok := w.start(g.place)
		if !ok {
			continue
		}
		var b Box
		for d, f := range g.fronts {
			b[d] = f.at
			if !f.stopped {
				b[d] = Never
			}
		}
		w.collect(start, b)
		b = w.closed(b)
		if w.notched(b) {
			continue
		}
		w.trace.growing = g.name
		if w.Claim(start, b) {
			claimed++
		}
	}
	return claimed
}

// closed returns b with the fronts that walls close in, which never end, drawn back behind the collected
// triangles.
func (w *World) closed(b Box) Box {
	for d := range b {
		if b[d] < Never {
			continue
		}
		b[d] = -Never
		for _, t := range w.triangles {
			for k := range int32(3) {
				u, _ := Turned(d, w.P[w.H[3*t+k].V])
				b[d] = max(b[d], u)
			}
		}
	}
	return b
}

// notched reports whether a collected triangle has a notch in the interior of b.
func (w *World) notched(b Box) bool {
	for _, t := range w.triangles {
		for k := range int32(3) {
			if e := 3*t + k; b.holds(w.P[w.H[e].V]) && w.isNotch(e) {
				return true
			}
		}
	}
	return false
}

// holds tells whether p is in the interior of b.
func (b Box) holds(p lattice.Point) bool {
	x, y := int64(p.X), int64(p.Y)
	return -b[West] < x && x < b[East] && -b[South] < y && y < b[North]
}

// CombineAll combines until no two cells can be: rows of cells are merged, then columns of rows.
func (w *World) CombineAll() {
	for before := -1; before != w.Counts["combined"]; {
		before = w.Counts["combined"]
		w.Combine()
	}
}
