package wavefront

import (
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/growth"
)

// region is a region in growth: the part of the box to the left of its walls.
type region struct {
	counts map[string]int
	edges  []edge // of obstructions and regions
	seed   lattice.Point
	box    growth.Box
	walls  []edge
	ceased [4]bool
}

// newRegion returns the region of a unit square. The result is false without room: the square meets an edge that it
// cannot follow.
func newRegion(w *growth.World, box growth.Box) (r *region, ok bool) {
	r = &region{counts: w.Counts, edges: edges(w), box: box}
	r.seed, ok = r.corner()
	if !ok {
		return nil, false
	}
	walls, collided := r.settle(box)
	r.walls = walls
	return r, collided == nil
}

// corner returns the corner of the square that is farthest to the left of all edges through the square; false if no
// corner is to the left of all.
func (r *region) corner() (best lattice.Point, ok bool) {
	var through []edge
	for _, e := range r.edges {
		if r.enters(e) {
			through = append(through, e)
		}
	}
	most := int64(0)
	for d := range r.box {
		p := growth.TurnedBack(d, r.box[d], r.box[(d+1)%4])
		least := int64(math.MaxInt64)
		for _, e := range through {
			least = min(least, lattice.Orient(e.a, e.b, p))
		}
		if least > most {
			most, best = least, p
		}
	}
	return best, most > 0
}

// growToEvents is algorithm 7.2: it grows the region to every event in turn, until all fronts have ceased.
func (r *region) growToEvents() {
	r.counts["looks"] += len(r.edges)
	r.counts["classified"] += len(r.edges)
	events := classify(r.edges, r.seed)
	r.counts["events"] += len(events)
	for _, e := range events {
		if r.ceased == [4]bool{true, true, true, true} {
			break
		}
		r.growTo(e.at)
	}
	r.counts["splits"] += len(r.walls)
}

// growTo moves all fronts short of p to p at once. If the region then collides, the fronts move one by one, and each
// colliding front retreats and ceases.
func (r *region) growTo(p lattice.Point) {
	var rates growth.Box // how far every front has to move
	fronts := 0
	for d := range rates {
		if u, _ := growth.Turned(d, p); !r.ceased[d] && u > r.box[d] {
			rates[d] = u - r.box[d]
			fronts++
		}
	}
	if fronts == 0 {
		return
	}
	box := r.box
	for d, rate := range rates {
		box[d] += rate
	}
	if walls, collided := r.settle(box); collided == nil {
		r.box, r.walls = box, walls
		return
	}
	for _, d := range order {
		if rates[d] > 0 {
			r.adjudicate(d, r.box[d]+rates[d])
		}
	}
}

// adjudicate moves front d to a place, or as far as it comes; then the front ceases.
func (r *region) adjudicate(d int, at int64) {
	for at > r.box[d] {
		box := r.box
		box[d] = at
		walls, collided := r.settle(box)
		if collided == nil {
			r.box, r.walls = box, walls
			return
		}
		r.ceased[d] = true
		r.counts["collisions"]++
		retreat := r.box[d]
		if u, _ := growth.Turned(d, *collided); u < at {
			retreat = max(retreat, u)
		}
		at = retreat
	}
}

// settle finds the walls of the region for a box. It returns a vertex of an edge that the region collides with, nil for
// none: an edge parallel to an axis, or a wall that ends inside the region.
//
// Of all edges that enter the region the closest to the seed is followed first, because it may hide others.
func (r *region) settle(box growth.Box) (walls []edge, collided *lattice.Point) {
	t := region{box: box}
	r.counts["looks"] += len(r.edges)
	var entering []edge
	for _, e := range r.edges {
		if t.enters(e) {
			entering = append(entering, e)
		}
	}
	for {
		var first *edge
		least := 0.0
		for i, e := range entering {
			if distance := e.distance(r.seed); t.enters(e) && (first == nil || distance < least) {
				first, least = &entering[i], distance
			}
		}
		if first == nil {
			break
		}
		if first.a.X == first.b.X || first.a.Y == first.b.Y || !first.faces(r.seed) {
			return nil, r.nearest(first, box)
		}
		t.walls = append(t.walls, *first)
	}
	for i := range t.walls {
		if end := t.overrun(i); end != nil {
			return nil, end
		}
	}
	return t.walls, nil
}

// nearest returns the end of an edge that the box comes to first, measured from the present box.
func (r *region) nearest(e *edge, box growth.Box) *lattice.Point {
	for d := range box {
		if box[d] > r.box[d] {
			au, _ := growth.Turned(d, e.a)
			if bu, _ := growth.Turned(d, e.b); bu < au {
				return &e.b
			}
			return &e.a
		}
	}
	return &e.a
}

func (e edge) distance(seed lattice.Point) float64 {
	_, distance := e.closest(seed)
	return distance
}

// enters reports whether the edge has a point inside the region.
func (r *region) enters(e edge) bool {
	return r.span(e, -1, share{0, 1}, share{1, 1}).hasLength()
}

// overrun returns the end of wall i inside the region or on its border from which on the border of the region would
// follow the line of the wall without the wall; nil for none.
func (r *region) overrun(i int) *lattice.Point {
	const far = 1 << 62
	s := r.span(r.walls[i], i, share{-far, 1}, share{far, 1})
	switch {
	case !s.hasLength():
		return nil
	case s.lo.before(share{0, 1}):
		return &r.walls[i].a
	case (share{1, 1}).before(s.hi):
		return &r.walls[i].b
	}
	return nil
}

// share is a place on the line of an edge as a share of the edge, num/den with den above 0: 0 at its start, 1 at its end.
type share struct{ num, den int64 }

// before reports whether s is a smaller share than t, exactly.
func (s share) before(t share) bool {
	// Of different signs, or both 0 or more, or both below 0.
	if s.num < 0 != (t.num < 0) {
		return s.num < 0
	}
	a, b := max(s.num, -s.num), max(t.num, -t.num)
	ahi, alo := bits.Mul64(uint64(a), uint64(t.den))
	bhi, blo := bits.Mul64(uint64(b), uint64(s.den))
	less, more := ahi < bhi || ahi == bhi && alo < blo, ahi > bhi || ahi == bhi && alo > blo
	if s.num < 0 {
		return more
	}
	return less
}

// piece is a part of the line of an edge.
type piece struct{ lo, hi share }

// hasLength reports whether the piece is more than a point.
func (p piece) hasLength() bool { return p.lo.before(p.hi) }

// span returns the part from lo to hi of the line of e that is inside the region, without regard to wall number except.
func (r *region) span(e edge, except int, lo, hi share) piece {
	p := piece{lo, hi}
	for d := range r.box {
		au, _ := growth.Turned(d, e.a)
		bu, _ := growth.Turned(d, e.b)
		p.clip(r.box[d]-au, r.box[d]-bu)
	}
	for i, w := range r.walls {
		if i != except {
			p.clip(lattice.Orient(w.a, w.b, e.a), lattice.Orient(w.a, w.b, e.b))
		}
	}
	return p
}

// clip keeps the part of the piece where a linear function is above 0, by its values at the ends of the edge.
func (p *piece) clip(a, b int64) {
	switch {
	case a == b && a <= 0:
		p.hi = p.lo
	case a < b:
		if s := (share{-a, b - a}); p.lo.before(s) {
			p.lo = s
		}
	case a > b:
		if s := (share{a, a - b}); s.before(p.hi) {
			p.hi = s
		}
	}
}
