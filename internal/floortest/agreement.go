package floortest

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Inside returns a function that reports whether a place is inside a domain of p whose layer has a floor
// there within a step (m). It is safe for concurrent use.
func Inside(p *plan.Plan) func(at geom.Vec, step float64) bool {
	layers := make([]bands, len(p.Layers))
	samplers := make([]*lattice.Sampler, len(p.Layers))
	for l := range p.Layers {
		layers[l] = newBands(&p.Layers[l])
		samplers[l] = lattice.NewSampler(&p.Layers[l].Floor)
	}
	return func(at geom.Vec, step float64) bool {
		x, y, h := p.Frame.Local(at)
		step *= lattice.UnitsPerMetre
		q := lattice.Point{X: int32(math.Round(x)), Y: int32(math.Round(y))}
		for l := range layers {
			if !layers[l].contains(q) {
				continue
			}
			// A layer covers a place only once, so the highest triangle is its floor.
			if z, ok := samplers[l].HeightBelow(x, y, math.Inf(1), crack); ok && math.Abs(z-h) <= step {
				return true
			}
		}
		return false
	}
}

// crack is how far from its floor, in units, a layer may have a domain where it steps over a crack.
const crack = 256

// bands lists the edges of a layer's domains by strips of the plane, so a question examines few.
type bands struct {
	low, size int32
	edges     [][][2]lattice.Point
}

func newBands(l *plan.Layer) bands {
	var all [][2]lattice.Point
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	for _, d := range l.Domains {
		for _, ring := range d.Rings {
			for i, a := range ring {
				all = append(all, [2]lattice.Point{a, ring[(i+1)%len(ring)]})
				low, high = min(low, a.Y), max(high, a.Y)
			}
		}
	}
	n := int32(max(1, len(all)/4))
	b := bands{low: low, size: (high-low)/n + 1, edges: make([][][2]lattice.Point, n+1)}
	for _, e := range all {
		from, to := min(e[0].Y, e[1].Y), max(e[0].Y, e[1].Y)
		for k := (from - low) / b.size; k <= (to-low)/b.size; k++ {
			b.edges[k] = append(b.edges[k], e)
		}
	}
	return b
}

// contains reports whether q is inside of an odd number of rings, or on one: a point on a seam is in both layers.
func (b *bands) contains(q lattice.Point) bool {
	k := int((q.Y - b.low) / b.size)
	if q.Y < b.low || k >= len(b.edges) {
		return false
	}
	inside := false
	for _, e := range b.edges[k] {
		turn := lattice.Orient(e[0], e[1], q)
		if turn == 0 && lattice.SegmentDistance2(q, e[0], e[1]).Sqrt() == 0 {
			return true
		}
		if (e[0].Y <= q.Y) == (e[1].Y <= q.Y) {
			continue
		}
		if (turn > 0) == (e[1].Y > e[0].Y) {
			inside = !inside
		}
	}
	return inside
}
