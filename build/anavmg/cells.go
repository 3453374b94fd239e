package anavmg

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// cells walks around the faces between walls and portals: first the faces at the walls, in the order of the
// rings, then the faces between portals.
func (w *work) cells() []plan.Cell {
	// The first half-edge of every wall and portal from which a face is walked.
	start := make([]int32, len(w.Walls)+len(w.portals))
	for i := range start {
		start[i] = -1
	}
	for e, h := range w.H {
		if h.Mark == cdt.Free || !w.Inside[e/3] {
			continue
		}
		from := w.portalStart(h.Mark)
		if start[h.Mark] < 0 || h.V == from {
			start[h.Mark] = int32(e)
		}
	}
	done := make([]bool, len(w.H))
	var cells []plan.Cell
	corners := make([]plan.Corner, 0, len(w.Walls)+2*len(w.portals))
	walk := func(e int32) {
		if e < 0 || done[e] || !w.Inside[e/3] {
			return
		}
		begin := len(corners)
		for at := e; !done[at]; {
			done[at] = true
			next := w.follow(at)
			if v := w.H[next].V; !w.idle(v, at, next) {
				corners = append(corners, plan.Corner{Point: w.P[v], On: w.on(v)})
			}
			at = next
		}
		cells = append(cells, plan.Cell{Corners: corners[begin:len(corners):len(corners)]})
	}
	for _, e := range start {
		walk(e)
		if e >= 0 {
			walk(w.H[e].Opp)
		}
	}
	// A touching vertex divides a wall too: a face may have only later parts of walls around it.
	for e, h := range w.H {
		if h.Mark != cdt.Free {
			walk(int32(e))
		}
	}
	return cells
}

// portalStart returns the vertex that the wall or portal with a mark starts at.
func (w *work) portalStart(mark int32) int32 {
	if mark < int32(len(w.Walls)) {
		return w.Walls[mark].From
	}
	return w.portals[mark-int32(len(w.Walls))].from
}

// follow returns the next half-edge of the face to the left of e.
func (w *work) follow(e int32) int32 {
	e = cdt.Next(e)
	for w.H[e].Mark == cdt.Free {
		e = cdt.Next(w.H[e].Opp)
	}
	return e
}

// on returns the edge on which vertex v was constructed.
func (w *work) on(v int32) plan.EdgeID {
	if v < w.firstNew {
		return plan.NoEdge
	}
	return w.constructed[v-w.firstNew]
}

// idle reports whether the face that comes to vertex v by half-edge at and leaves by next can do without v: v
// was constructed, has lost its portals, and the wall is straight there.
func (w *work) idle(v, at, next int32) bool {
	wall := int32(len(w.Walls))
	return v >= w.firstNew && w.H[at].Mark < wall && w.H[next].Mark < wall &&
		lattice.Orient(w.P[w.H[at].V], w.P[v], w.P[w.Head(next)]) == 0
}
