package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// HeightError is the maximum distance, in metres, of the straight pieces of a path above or below the floor, for a
// floor of any roughness. Over a crack of the floor the path goes straight from edge to edge.
const HeightError = 0.05

// keptError is the tolerance of [profile.simplify] in lattice units. The remaining millimetre is for rounding and for
// samples joined by [profile.add].
const keptError = (HeightError - 0.001) * lattice.UnitsPerMetre

// sample is the height of the floor at a place of a straight piece of a path. Two samples at one place are the ends of
// a step.
type sample struct {
	t float64 // 0 at the start of the piece, 1 at its end
	z float64 // lattice units
}

// profile is the memory of [trail.raise].
type profile struct {
	samples []sample
	wait    [][2]int32 // spans of samples still to simplify
	spans   []lattice.Span
	z       float64 // the height of the path at the last sample
	left    int     // remaining comparisons of spans for the path
	lost    float64 // length walked since then without floor near the path's height, in lattice units
}

// raise lifts a lane from the plane to the floor and appends its points to the surface. Between the bends, raise adds
// points to keep the floor within [HeightError]. The result is the length over the floor in metres.
//
// Every straight piece is followed from region to region, see [floorWalk]. The profile of the floor is then simplified by
// repeated splitting at the farthest sample (U. Ramer, 1972; D. H. Douglas and T. K. Peucker, 1973), with distances
// measured vertically. Time O(s·p) for a piece with s samples and p kept samples.
func (t *trail) raise(n *lane) (length float64) {
	ix, f := t.ix, &t.scratch.profile
	start := n.place(0)
	t.surface = append(t.surface, ix.Mesh.Frame.FromLocal(start[0], start[1], n.z))
	f.z, f.lost = n.z, 0
	last := len(n.bends) - 1
	for i := range last {
		piece, g, end := n.piece(i)
		f.samples = append(f.samples[:0], sample{0, f.z})
		at := 0.0
		for ; g < end; g++ {
			next := floats.Min(floats.Max(at, n.crossing(ix, i, g, end)), 1) // rounding must not lead backwards
			f.follow(ix, n.through[g], &piece, at, next)
			at = next
		}
		to, r := n.place(i+1), n.through[g]
		f.follow(ix, r, &piece, at, 1)
		f.endPiece(ix, r, to, i+1 == last, n.goalZ)
		if i == 0 {
			f.settle()
		}
		length += f.length(piece.run)
		if i+1 == last {
			f.samples[len(f.samples)-1].z = n.goalZ
		}
		f.simplify(func(s sample) {
			x, y := piece.at(s.t)
			if s.t == 1 {
				x, y = to[0], to[1]
			}
			t.surface = append(t.surface, ix.Mesh.Frame.FromLocal(x, y, s.z))
		})
	}
	return length * lattice.Unit
}

// rounded is the maximum distance, in lattice units, of the height of a start or goal from the floor there; the length
// over the floor ignores such small steps.
const rounded = 1

// endPiece adds the last sample of a piece that ends at a place of region r.
func (f *profile) endPiece(ix *index.Index, r uint32, at [2]float64, goal bool, goalZ float64) {
	last := f.samples[len(f.samples)-1]
	switch {
	case goal && (last.t < 1 || math.Abs(last.z-goalZ) > rounded):
		f.add(sample{1, goalZ})
	case last.t < 1:
		z := last.z
		if h := ix.HeightAt(r, at[0], at[1]); math.Abs(h-z) <= ix.Height/2 {
			z = h
		}
		f.add(sample{1, z})
	}
}

// settle drops the first sample if its height is within rounded of the floor there.
func (f *profile) settle() {
	if len(f.samples) > 2 && f.samples[1].t == f.samples[0].t && math.Abs(f.samples[1].z-f.samples[0].z) <= rounded {
		f.samples = slices.Delete(f.samples, 0, 1)
	}
}

// add appends a sample. Three samples in a line become two.
func (f *profile) add(s sample) {
	f.z, f.lost = s.z, 0
	k := len(f.samples)
	if k > 0 && f.samples[k-1] == s {
		return
	}
	if k > 1 {
		const straight = 1.0 / 64 // lattice units
		a, b := &f.samples[k-2], &f.samples[k-1]
		if s.t > b.t && b.t > a.t && math.Abs(a.z+float64((s.z-a.z)*((b.t-a.t)/(s.t-a.t)))-b.z) <= straight {
			*b = s
			return
		}
	}
	f.samples = append(f.samples, s)
}

// length returns the length of the profile of a piece.
func (f *profile) length(run float64) float64 {
	sum := 0.0
	for i := 1; i < len(f.samples); i++ {
		a, b := &f.samples[i-1], &f.samples[i]
		sum += index.Length((b.t-a.t)*run, b.z-a.z)
	}
	return sum
}

// simplify calls emit for the samples to keep, in order, without the first one.
func (f *profile) simplify(emit func(sample)) {
	f.wait = f.wait[:0]
	last := len(f.samples) - 1
	for ; last > index.MaxSpan; last = (last - 1) / index.MaxSpan * index.MaxSpan {
		f.wait = append(f.wait, [2]int32{int32((last - 1) / index.MaxSpan * index.MaxSpan), int32(last)})
	}
	f.wait = append(f.wait, [2]int32{0, int32(last)})
	for len(f.wait) > 0 {
		span := f.wait[len(f.wait)-1]
		f.wait = f.wait[:len(f.wait)-1]
		a, b := f.samples[span[0]], f.samples[span[1]]
		worst, at := keptError, int32(index.None)
		for i := span[0] + 1; i < span[1]; i++ {
			s := f.samples[i]
			line := b.z
			if b.t > a.t {
				line = a.z + float64((b.z-a.z)*((s.t-a.t)/(b.t-a.t)))
			}
			if d := math.Abs(s.z - line); d > worst {
				worst, at = d, i
			}
		}
		if at == index.None {
			emit(b)
			continue
		}
		f.wait = append(f.wait, [2]int32{at, span[1]}, [2]int32{span[0], at})
	}
}
