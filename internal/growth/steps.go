package growth

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// GrowBySteps grows all regions until none can, as published: by rate lattice units in every step. A front
// whose step fails halves its own rate down to resolution, and then stops. rate is resolution times a power
// of two. It returns the number of tried steps.
//
// Every step looks at the whole region again: time is the number of passes times the triangles that
// regions have a part in.
func (r *Round) GrowBySteps(ctx context.Context, rate, resolution int64) (steps int, err error) {
	rates := make([][4]int64, len(r.regions))
	for i := range rates {
		rates[i] = [4]int64{rate, rate, rate, rate}
	}
	for growing := true; growing; {
		growing = false
		for i := range r.regions {
			if i%256 == 0 && ctx.Err() != nil {
				return steps, ctx.Err()
			}
			for _, d := range [4]int{West, South, East, North} {
				f := &r.regions[i].fronts[d]
				if f.stopped {
					continue
				}
				b := r.box(i)
				b[d] += rates[i][d]
				steps++
				switch grown, ok := r.grown(int32(i), d, b); {
				case ok:
					f.at = b[d]
					growing = growing || grown
				case rates[i][d] > resolution:
					rates[i][d] /= 2
					growing = true
				default:
					f.stopped = true
				}
			}
		}
	}
	return steps, nil
}

// box returns where the fronts of region i are.
func (r *Round) box(i int) (b Box) {
	for d, f := range r.regions[i].fronts {
		b[d] = f.at
	}
	return b
}

// grown tries b as the new box of region id, after a move of front d. A front closed in by walls may go on;
// the region has not grown then.
func (r *Round) grown(id int32, d int, b Box) (grown, ok bool) {
	if !r.try(id, b) {
		return false, false
	}
	strip := b
	strip[(d+2)%4] = -r.regions[id].fronts[d].at
	for _, t := range r.flood {
		grown = grown || r.w.shares(strip, b, t)
	}
	r.commit(id)
	return grown, true
}

// try finds the triangles of region id for box b, and reports whether b is allowed.
func (r *Round) try(id int32, b Box) bool {
	w := r.w
	w.forget()
	w.seen(r.regions[id].start)
	r.flood = append(r.flood[:0], r.regions[id].start)
	for i := 0; i < len(r.flood); i++ {
		t := r.flood[i]
		for v := r.first[t]; v >= 0; v = r.visits[v].before {
			if o := r.visits[v].region; o != id && w.shares(b, r.box(int(o)), t) {
				return false
			}
		}
		for e := 3 * t; e < 3*t+3; e++ {
			p, q := w.Ends(e)
			if b.holds(p) && r.isNotch(e) {
				return false
			}
			if !b.has(p, q) {
				continue
			}
			if r.blocks(e) {
				return false
			}
			if w.free(e) && !w.seen(w.H[e].Opp/3) {
				r.flood = append(r.flood, w.H[e].Opp/3)
			}
		}
	}
	return true
}

// has tells whether the interior of b has a point of the segment from p to q.
func (b Box) has(p, q lattice.Point) bool {
	for d, at := range bounds(p, q) {
		if b[d] <= at {
			return false
		}
	}
	return p.X == q.X || p.Y == q.Y || b.left(p, q) && b.left(q, p)
}

// left tells whether b has a point to the left of the line from p to q.
func (b Box) left(p, q lattice.Point) bool {
	x, y := b[East], b[North]
	if q.Y > p.Y {
		x = -b[West]
	}
	if q.X < p.X {
		y = -b[South]
	}
	// Fronts that walls close in go on beyond the frame.
	const edge = lattice.MaxCoord + 1
	return lattice.Orient(p, q, lattice.Point{X: int32(max(-edge, min(x, edge))), Y: int32(max(-edge, min(y, edge)))}) > 0
}

// shares tells whether a, b and triangle t have inner points in common.
func (w *World) shares(a, b Box, t int32) bool {
	for d := range a {
		a[d] = min(a[d], b[d])
	}
	if a[East]+a[West] <= 0 || a[North]+a[South] <= 0 {
		return false
	}
	p, q := w.Ends(3 * t)
	box, c := bounds(p, q), w.P[w.Apex(3*t)]
	for d, at := range bounds(c, c) {
		if a[d] <= min(box[d], at) {
			return false
		}
	}
	for e := 3 * t; e < 3*t+3; e++ {
		if p, q := w.Ends(e); !a.left(p, q) {
			return false
		}
	}
	return true
}
