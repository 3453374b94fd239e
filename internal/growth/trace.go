package growth

import (
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// tracing numbers regions for a tracer. Without one nothing of it is used.
type tracing struct {
	to      gen.Tracer
	next    int32   // the number of the next region
	growing int32   // the region that claims next, -1 for a nameless one
	names   []int32 // of every cell
}

// seeded tells of a region that begins, and returns its number.
func (t *tracing) seeded(b Box) int32 {
	t.growing = t.next
	t.next++
	t.to.Trace(gen.Event{Kind: gen.Seeded, Region: t.growing, Box: b.lattice()})
	return t.growing
}

// lattice returns b as a box of points; fronts that never end are at the end of the lattice.
func (b Box) lattice() lattice.Box {
	clamp := func(v int64) int32 { return int32(max(-lattice.MaxCoord, min(v, lattice.MaxCoord))) }
	return lattice.Box{Min: lattice.Point{X: clamp(-b[West]), Y: clamp(-b[South])}, Max: lattice.Point{X: clamp(b[East]), Y: clamp(b[North])}}
}

// directions are those of [gen.Event].
var directions = [4]int{West: 0, South: 1, East: 2, North: 3}

// TraceSeed tells a tracer of a region that begins with box b, and that claims next.
func (w *World) TraceSeed(b Box) {
	if w.trace.to != nil {
		w.trace.seeded(b)
	}
}

// TraceGrown tells a tracer that the region that claims next has box b.
func (w *World) TraceGrown(b Box) {
	if w.trace.to != nil {
		w.trace.to.Trace(gen.Event{Kind: gen.Grown, Region: w.trace.growing, Box: b.lattice()})
	}
}

// claimed tells of a new cell.
func (t *tracing) claimed(points []lattice.Point) {
	if t.growing < 0 {
		t.growing = t.next
		t.next++
	}
	t.names = append(t.names, t.growing)
	t.to.Trace(gen.Event{Kind: gen.Claimed, Region: t.growing, Points: points})
	t.growing = -1
}

// points are the places of a cell's corners.
func (w *World) points(c cell) []lattice.Point {
	out := make([]lattice.Point, len(c))
	for i, v := range c {
		out[i] = w.P[v]
	}
	return out
}
