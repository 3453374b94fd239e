package join

import (
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// floor returns the heights of one layer.
type floor struct {
	near  *lattice.Sampler // all triangles within closeBy of the expected places
	all   func() *lattice.Sampler
	empty bool
}

// closeBy is the usual maximum distance of a place from its floor, in lattice units.
const closeBy = 2

// newFloor indexes the floor of a layer for some places on the floor. Most triangles of a fine floor are near none of
// the places and are left out, until a place is too far from the others.
func newFloor(tin *lattice.TIN, places []lattice.Point) floor {
	all := sync.OnceValue(func() *lattice.Sampler { return lattice.NewSampler(tin) })
	f := floor{all: all, empty: len(tin.Triangles) == 0}
	const many = 4 // triangles for each place
	switch {
	case len(tin.Triangles) < many*len(places):
		f.near = all()
	case len(places) > 0:
		f.near = lattice.NewSampler(around(tin, places))
	}
	return f
}

// around returns the triangles of a floor whose boxes are within closeBy of some places, plus a unit for rounding, and
// some triangles nearby.
func around(tin *lattice.TIN, places []lattice.Point) *lattice.TIN {
	box := lattice.BoxOf(places...)
	const margin, share = closeBy + 2, 32 // cells for each place
	shift := 3
	across := func() (w, h int64) {
		return (int64(box.Max.X)-int64(box.Min.X))>>shift + 3, (int64(box.Max.Y)-int64(box.Min.Y))>>shift + 3
	}
	w, h := across()
	for w*h > share*int64(len(places))+16 {
		shift++
		w, h = across()
	}
	// One more cell on all sides, for the margin.
	cell := func(x, y int64) (cx, cy int64) {
		return (x-int64(box.Min.X))>>shift + 1, (y-int64(box.Min.Y))>>shift + 1
	}
	asked := make([]bool, w*h)
	for _, p := range places {
		x0, y0 := cell(int64(p.X)-margin, int64(p.Y)-margin)
		x1, y1 := cell(int64(p.X)+margin, int64(p.Y)+margin)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				asked[y*w+x] = true
			}
		}
	}
	out := &lattice.TIN{Vertices: tin.Vertices}
	for _, t := range tin.Triangles {
		if int(max(t[0], t[1], t[2])) >= len(tin.Vertices) {
			continue // samplers also skip such triangles
		}
		a, b, c := tin.Vertices[t[0]], tin.Vertices[t[1]], tin.Vertices[t[2]]
		x0, y0 := cell(int64(min(a.X, b.X, c.X)), int64(min(a.Y, b.Y, c.Y)))
		x1, y1 := cell(int64(max(a.X, b.X, c.X)), int64(max(a.Y, b.Y, c.Y)))
		x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, w-1), min(y1, h-1)
		some := false
		for y := y0; y <= y1 && !some && x0 <= x1; y++ {
			some = slices.Contains(asked[y*w+x0:y*w+x1+1], true)
		}
		if some {
			out.Triangles = append(out.Triangles, t)
		}
	}
	return out
}

// inset is the distance inside a piece, in lattice units, at which the height of its border is taken. The distance is
// less than the error of rounding, and excludes the floor on the other side of the border.
const inset = 1.0 / 64

// deeper is the distance inside a piece, in lattice units, for a second search of its floor: rounding may have moved
// the border over a lower floor.
const deeper = 2 * closeBy

// height returns the rounded height of the floor at point p on the border of a convex piece: the highest triangle on
// the piece's side within the given bounds, else the nearest point of the floor within the bounds. ok is false without
// floor within the bounds.
func (f floor) height(p lattice.Point, piece []lattice.Point, within bounds) (z int32, ok bool) {
	if f.empty {
		return 0, false
	}
	var sx, sy int64
	for _, q := range piece {
		sx, sy = sx+int64(q.X), sy+int64(q.Y)
	}
	n := float64(len(piece))
	dx, dy := float64(sx)/n-float64(p.X), float64(sy)/n-float64(p.Y)
	far := max(dx, -dx, dy, -dy)
	inside := func(by float64) (x, y float64) {
		s := by / far
		return float64(p.X) + float64(s*dx), float64(p.Y) + float64(s*dy)
	}
	x, y := inside(inset)
	h, ok := f.near.HeightBelow(x, y, within.high, closeBy)
	if ok && h < within.low {
		x, y = inside(min(deeper, far))
		h, ok = f.all().HeightBelow(x, y, within.high, closeBy)
	}
	// Points beside the floor are mostly there by rounding. The search widens step by step, because its cost grows with
	// the square of its reach; with bounds from the plan the search ends soon.
	farthest := 4.0 * lattice.MaxCoord
	if within != unbounded {
		farthest = 2 * lattice.UnitsPerMetre
	}
	for reach := 4.0 * closeBy; !ok && reach <= farthest; reach *= 4 {
		h, ok = f.all().HeightBelow(x, y, within.high, reach)
	}
	return int32(math.Floor(h + 0.5)), ok && h >= within.low
}

// bounds limit the heights of a search, to exclude floors above and below.
type bounds struct{ low, high float64 }

var unbounded = bounds{math.Inf(-1), math.Inf(1)}

// expectation is the plan's information on the height of a vertex. At points of a domain the height equals the floor's
// to within a step; along an edge, the bounds hold all heights reachable from both ends.
type expectation struct {
	bounds
	height int32 // fallback
	known  bool  // false without information from the plan
}

// expectations holds the plan's information on the heights of its domains' borders.
type expectations struct {
	domains []domain
	known   [][]expectation // by domain, and the point's number in the domain
	// beyond lists the domains across the chains of each domain: only a neighbour across a seam knows the corners that
	// it has made.
	beyond [][]int32
}

func newExpectations(domains []domain, chains []plan.Chain, agentHeight float64) *expectations {
	e := &expectations{domains: domains, known: make([][]expectation, len(domains)), beyond: make([][]int32, len(domains))}
	number := map[plan.DomainID]int32{}
	for i := range domains {
		number[domains[i].id] = int32(i)
	}
	for _, c := range chains {
		left, right := number[c.Left], number[c.Right]
		e.beyond[left], e.beyond[right] = append(e.beyond[left], right), append(e.beyond[right], left)
	}
	// The greatest error of a known height: floors above each other are at least the agent's height apart.
	slack := agentHeight * lattice.UnitsPerMetre / 2
	for i := range domains {
		d := &domains[i]
		if len(d.Heights) == 0 {
			continue
		}
		set := func(p lattice.Point, x expectation) {
			k, _ := d.points.number(p)
			if n := len(d.points.points); len(e.known[i]) < n {
				e.known[i] = append(e.known[i], make([]expectation, n-len(e.known[i]))...)
			}
			e.known[i][k] = x
		}
		for _, m := range d.made {
			ring, heights := d.Rings[m.on.Ring], d.Heights[m.on.Ring]
			at, k := int(m.on.Index), (int(m.on.Index)+1)%len(ring)
			a, b := heights[at], heights[k]
			// Between the ends the floor may rise or fall at the steepest slope.
			from, to := m.Distance(ring[at]), m.Distance(ring[k])
			low := min(max(float64(a)-from, float64(b)-to), float64(min(a, b)))
			high := max(min(float64(a)+from, float64(b)+to), float64(max(a, b)))
			set(m.Point, expectation{bounds{low - slack, high + slack}, a/2 + b/2, true})
		}
		for r, ring := range d.Rings {
			for k, p := range ring {
				z := d.Heights[r][k]
				set(p, expectation{bounds{float64(z) - slack, float64(z) + slack}, z, true})
			}
		}
	}
	return e
}

// at returns the plan's information on a point of a domain.
func (e *expectations) at(domain int32, p lattice.Point) (x expectation, ok bool) {
	if k, ok := e.domains[domain].points.of(p); ok && int(k) < len(e.known[domain]) {
		x = e.known[domain][k]
	}
	return x, x.known
}

// of returns the plan's information on the height at p on the border of a piece; planar maps and points inside domains
// have none. For a merged piece only the cells with p on their border count: the domains of other cells may know the
// same place on another storey.
func (e *expectations) of(p lattice.Point, piece *piece) expectation {
	parts := piece.at(p)
	for _, c := range parts {
		if x, ok := e.at(c.domain, p); ok {
			return x
		}
	}
	// Storeys may have seams in the same place: the right storey is nearest in height to the cell's known point nearest
	// to p.
	near := uint64(math.MaxUint64)
	var here expectation
	for _, c := range parts {
		for _, q := range c.points {
			if x, ok := e.at(c.domain, q); ok && p.Distance2(q) < near {
				near, here = p.Distance2(q), x
			}
		}
	}
	best, found := expectation{bounds: unbounded}, false
	for _, c := range parts {
		for _, b := range e.beyond[c.domain] {
			if x, ok := e.at(b, p); ok && (!found || here.known && distance(x.height, here.height) < distance(best.height, here.height)) {
				best, found = x, true
			}
		}
	}
	if found || !here.known {
		return best
	}
	// Inside a domain the floor may rise or fall at the steepest slope from the nearest known place. The height of a corner that a
	// generator made on an edge is anywhere within bounds.
	away := math.Sqrt(float64(near))
	return expectation{bounds: bounds{here.low - away, here.high + away}, height: here.height}
}

func distance(a, b int32) int64 { return max(int64(a)-int64(b), int64(b)-int64(a)) }
