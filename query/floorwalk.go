package query

// The floor along a straight piece of a path.
//
// Source: no publication; the upper envelope of segments in a plane is textbook material (M. de Berg and others,
// Computational Geometry, chapter 8). Here few segments overlap, so that the walk looks at each pair.
//
// Idea: A straight piece and a floor triangle have a span in common on which the height is linear. The walk goes from
// span to span, on the highest of the spans that are near the height of the path. The ends of the spans are the profile
// of the floor.
//
// Input: the region that a stretch of the piece lies in, and the height that the path comes from.
//
// Guarantees:
//  1. Every place of the profile is on a triangle of the floor, except over cracks (TestPathsLieOnTheFloor in the root
//     package, by independent code).
//  2. The profile of the way back is the same, bit by bit (TestPathsLieOnTheFloor, TestAlongAPortal).
//  3. A path stays on its storey where the floors of a layer lie above each other (TestOverCracks).
//  4. Nothing is allocated after the first few paths (TestNoAllocations).
//
// Degenerate cases: a stretch along the border of a region takes the triangles two units further inside, where the floor is
// steep or ends before the border (TestFloorEndsBesideTheBorder). A piece along
// an edge of triangles has the higher side. Spans no longer than needle are left out, and so are stretches as short. A
// region without triangles is a fan of its corners. A piece of no length keeps its height.
//
// Cost: time O(k·m) for k spans of which m overlap at a place, after finding the spans, see [lattice.Sampler.Along].
//
// Departures: an envelope has the highest span everywhere. The walk leaves out spans that are farther than half the
// agent's height above or below the path: these are of another storey.

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// needle is a length in lattice units: shorter spans come from triangles that rounding left in cracks and at steps, and
// shorter stretches need no floor of their own. aLittle is the length, and aLittleHigh the height difference, that the
// rounding of float64 explains.
const (
	needle      = index.SamplerReach
	aLittle     = 1.0 / 64
	aLittleHigh = 1.0 / 256
)

// follow adds samples of the floor of region r between the positions t0 and t1 of a piece.
//
// The walk follows the floor from triangle to triangle. Where a layer has several triangles at a place, the highest
// within half the agent's height of the path counts: the others are of another storey. A place without a triangle is a
// crack, and the path goes straight on to the floor behind. Where the floor near the path stays away for longer than
// crackReach, the path steps to the floor at hand. Time O(k) for k triangles over or below the stretch, as long as few
// triangles overlap.
func (f *profile) follow(ix *index.Index, r uint32, s *stretch, t0, t1 float64) {
	if (t1-t0)*s.run <= needle {
		return
	}
	if f.left <= 0 {
		x, y := s.at(t1)
		f.add(sample{t1, ix.HeightAt(r, x, y)})
		return
	}
	reg := ix.Region(r)
	if reg.Low == reg.High {
		f.add(sample{t0, float64(reg.Low)})
		f.add(sample{t1, float64(reg.Low)})
		return
	}
	f.spansAlong(ix, r, s, t0, t1)
	w := floorWalk{f: f, s: s, end: t1, reach: max(ix.Height/2, ix.Climb+index.MinJump), least: aLittle / s.run}
	for t := t0; t < t1-w.least && f.left > 0; {
		if k := w.choose(t); k >= 0 {
			t = w.follow(k, t)
		} else {
			t = w.cross(t)
		}
	}
}

// spansAlong finds the triangles of the floor of region r along a stretch of a piece. Beside the border of the region,
// spansAlong takes the triangles slightly further inside where a layer may touch itself, and where triangles end a little
// earlier than the region.
func (f *profile) spansAlong(ix *index.Index, r uint32, s *stretch, t0, t1 float64) {
	reg := ix.Region(r)
	piece := lattice.Piece{X: s.x, Y: s.y, DX: s.dx, DY: s.dy}
	f.spans = f.spans[:0]
	if int(reg.Floor) < len(ix.Floors) {
		floor := ix.Floors[reg.Floor]
		if float64(reg.High)-float64(reg.Low) > max(ix.Climb, index.MinJump) {
			f.spans = withoutNeedles(floor.Along(inside(ix, r, s, t0, t1), t0, t1, f.spans), s.run)
		} else {
			f.spans = withoutNeedles(floor.Along(piece, t0, t1, f.spans), s.run)
			if open := uncovered(f.spans, t0, t1); open*s.run > needle {
				n := len(f.spans)
				f.spans = floor.Along(inside(ix, r, s, t0, t1), t0, t1, f.spans)
				if inner := withoutNeedles(f.spans[n:], s.run); uncovered(inner, t0, t1) < open {
					n = copy(f.spans, inner)
				}
				f.spans = f.spans[:n]
			}
		}
	}
	if len(f.spans) > 0 {
		return
	}
	ring := reg.Ring
	for i := 1; i+1 < len(ring); i++ {
		if span, ok := piece.Over(&[3]lattice.Vertex{ring[0], ring[i], ring[i+1]}, t0, t1); ok {
			f.spans = append(f.spans, span)
		}
	}
}

// inside returns the piece of a stretch, if beside the border of region r two units further inside.
func inside(ix *index.Index, r uint32, s *stretch, t0, t1 float64) lattice.Piece {
	piece := lattice.Piece{X: s.x, Y: s.y, DX: s.dx, DY: s.dy}
	x, y := s.at((t0 + t1) / 2)
	if ix.DeepInside(r, x, y) {
		return piece
	}
	reg := ix.Region(r)
	by := index.SamplerReach / s.run
	if side := s.dx*(float64(reg.Center.Y)-y) - s.dy*(float64(reg.Center.X)-x); side < 0 {
		by = -by
	} else if side == 0 {
		by = 0
	}
	piece.X, piece.Y = s.x-float64(by*s.dy), s.y+float64(by*s.dx)
	return piece
}

// withoutNeedles leaves short spans out of a list.
func withoutNeedles(spans []lattice.Span, run float64) []lattice.Span {
	n := 0
	for i := range spans {
		if k := &spans[i]; (k.To-k.From)*run > needle {
			if n < i {
				spans[n] = *k
			}
			n++
		}
	}
	return spans[:n]
}

// uncovered returns how much of a stretch no span covers, as a part of the piece.
func uncovered(spans []lattice.Span, t0, t1 float64) (sum float64) {
	at := t0
	for i := range spans {
		sum += floats.Max(spans[i].From-at, 0)
		at = floats.Max(at, spans[i].To)
	}
	return sum + floats.Max(t1-at, 0)
}

// floorWalk follows the floor along a stretch of a piece.
type floorWalk struct {
	f     *profile
	s     *stretch
	end   float64 // end of the stretch
	reach float64 // maximum height step of the floor from the path, up or down, in lattice units
	least float64 // aLittle as a part of the piece
	done  int     // earlier spans end before the path's place
}

func heightOf(s *lattice.Span, t float64) float64 {
	if s.To <= s.From {
		return s.FromZ
	}
	part := floats.Part((t - s.From) / (s.To - s.From))
	return s.FromZ + float64(part*(s.ToZ-s.FromZ))
}

// choose returns the span that carries the path onwards from a place, or -1.
func (w *floorWalk) choose(t float64) int {
	spans := w.f.spans
	for w.done < len(spans) && spans[w.done].To <= t+w.least {
		w.done++
	}
	best, high := -1, math.Inf(-1)
	w.f.left--
	for k := w.done; k < len(spans) && spans[k].From <= t+w.least; k++ {
		if spans[k].To <= t+w.least {
			continue
		}
		if z := heightOf(&spans[k], t); z > high && math.Abs(z-w.f.z) <= w.reach {
			best, high = k, z
		}
	}
	return best
}

// follow walks along span k from a place on, until the span ends or a higher span takes over, and returns the new
// place.
func (w *floorWalk) follow(k int, t float64) float64 {
	spans, f := w.f.spans, w.f
	for {
		s := &spans[k]
		f.add(sample{t, heightOf(s, t)})
		end, over := floats.Min(s.To, w.end), -1
		for i := w.done; i < len(spans) && spans[i].From < end; i++ {
			f.left--
			o := &spans[i]
			u, v := floats.Max(t, o.From), floats.Min(end, o.To)
			if i == k || v-u <= w.least {
				continue
			}
			du, dv := heightOf(o, u)-heightOf(s, u), heightOf(o, v)-heightOf(s, v)
			if floats.Max(du, dv) <= aLittleHigh || du > w.reach {
				continue
			}
			if du < 0 {
				u += float64((v - u) * (du / (du - dv)))
			}
			if u < end-w.least && u >= t && (du <= aLittleHigh || u > t) {
				end, over = u, i
			}
		}
		f.add(sample{end, heightOf(s, end)})
		if over < 0 || f.left <= 0 {
			return end
		}
		k, t = over, end
	}
}

// cross walks from a place without floor to the next floor, and returns the new place.
func (w *floorWalk) cross(t float64) float64 {
	spans, f := w.f.spans, w.f
	next, other := w.end, -1
	for k := w.done; k < len(spans); k++ {
		f.left--
		s := &spans[k]
		if s.To-floats.Max(s.From, t) <= w.least {
			continue
		}
		if s.From > t && math.Abs(s.FromZ-f.z) <= w.reach {
			next = min(next, s.From)
			break
		}
		if other < 0 || s.From <= t && math.Abs(heightOf(s, t)-f.z) < math.Abs(heightOf(&spans[other], t)-f.z) {
			other = k
		}
	}
	way := (next - t) * w.s.run
	if f.lost+way <= index.CrackReach || other < 0 {
		if f.lost += way; next < w.end {
			f.lost = 0
		}
		return next
	}
	f.z, f.lost = heightOf(&spans[other], max(t, spans[other].From)), 0
	return max(t, spans[other].From)
}
