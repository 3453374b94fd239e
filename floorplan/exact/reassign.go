package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/floorplan/internal/cut"
)

// Whole sheets go to another layer where a corner of them lies over something, and the seam is then all of their
// border. The least that has to be cut is found layer by layer: which triangles had better be in this one, given where
// the others are, is a least cut of the graph of triangles, for a seam costs what it is long.
//
// Source: Y. Boykov, O. Veksler and R. Zabih, Fast approximate energy minimization via graph cuts, PAMI 23 (2001): the
// expansion move.

// seamCorner is what a link between layers costs besides its length, in units: a seam of many edges has many corners.
const seamCorner = 1024

// reassign moves triangles to other layers for as long as that makes the seams shorter.
func (e *extraction) reassign(over lists) {
	const sweeps = 4
	idle := 0 // layers in a row that nothing moved to
	for l := range int32(sweeps * e.layers) {
		if e.expand(l%int32(e.layers), over) {
			idle = 0
		} else if idle++; idle == e.layers {
			return
		}
	}
}

// expand moves those triangles to a layer whose seams are shorter then, and reports whether there are any.
func (e *extraction) expand(to int32, over lists) bool {
	// Only what is linked to a seam by what could move has a reason to.
	node := make([]int32, len(e.layer)) // by triangle, unassigned for what does not move
	for i := range node {
		node[i] = unassigned
	}
	var movers []int32
	reach := func(t int32) {
		if node[t] != unassigned || e.layer[t] == to || !e.fits(t, to, over) {
			return
		}
		node[t] = int32(len(movers))
		movers = append(movers, t)
	}
	for _, l := range e.links {
		if a, b := e.layer[l.from], e.layer[l.to]; a != unassigned && b != unassigned && a != b {
			reach(l.from)
			reach(l.to)
		}
	}
	for i := 0; i < len(movers); i++ {
		for _, t := range e.linked.of(movers[i]) {
			reach(t)
		}
	}
	if len(movers) == 0 {
		return false
	}
	// Of two that lie over each other one stays at least: the one that was reached later.
	g := cut.New(len(movers))
	const never = math.MaxInt64 / 4
	for i, t := range movers {
		if slices.ContainsFunc(over.of(t), func(o int32) bool { return node[o] != unassigned && node[o] < int32(i) }) {
			g.Sink(int32(i), never)
		}
	}
	for _, l := range e.links {
		a, b := e.layer[l.from], e.layer[l.to]
		if a == unassigned || b == unassigned {
			continue
		}
		u, v := node[l.from], node[l.to]
		if u == unassigned {
			a, b, u, v = b, a, v, u
		}
		if u == unassigned {
			continue
		}
		cost := int64(l.a.Distance(l.b.Point)) + seamCorner
		switch {
		case b == to:
			g.Source(u, cost)
		case v == unassigned && a == b:
			g.Sink(u, cost)
		case v == unassigned:
		case a == b:
			g.Edge(u, v, cost, cost)
		default: // a seam already, which only goes if both move
			g.Source(v, cost)
			g.Edge(v, u, cost, 0)
		}
	}
	changed := false
	for i, moves := range g.Cut() {
		if moves {
			e.layer[movers[i]] = to
			changed = true
		}
	}
	return changed
}

// fits reports whether a triangle lies over nothing in a layer.
func (e *extraction) fits(t, layer int32, over lists) bool {
	return e.layer[t] != unassigned && !slices.ContainsFunc(over.of(t), func(o int32) bool { return e.layer[o] == layer })
}
