package growth

import (
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Claim claims the region in b around triangle start. It may claim less: fronts are drawn back until all corners
// have room on the lattice. It returns false for an empty claim.
//
// No front of the box may be beyond its event, see [World.Sweep].
func (w *World) Claim(start int32, b Box) bool {
	if !w.tighten(start, &b) {
		return false
	}
	inside, ok := w.fence(b)
	if !ok || !w.claim(inside) {
		return false
	}
	w.Counts["regions"]++
	return true
}

// ClaimTriangle claims the triangle beside half-edge e, which was exposed, where [World.Claim] failed. If
// something else has come to lie beside the edge meanwhile, it returns false; the space is exposed.
func (w *World) ClaimTriangle(e int32) bool {
	if !w.Inside[e/3] || w.H[e].Mark == cdt.Free {
		return false
	}
	w.trace.growing = -1
	for k := range int32(3) {
		if t := e/3*3 + k; w.H[t].Mark == cdt.Free {
			w.Connect(w.H[t].V, w.Head(t), w.cut)
		}
	}
	if !w.claim(e) {
		return false
	}
	w.Counts["triangles"]++
	return true
}

// claim claims the unclaimed space around half-edge e as a cell, if that is convex.
func (w *World) claim(e int32) bool {
	if !w.Inside[e/3] {
		return false
	}
	w.forget()
	w.seen(e / 3)
	todo := append(w.todo[:0], e/3)
	start, border := int32(-1), 0
	for i := 0; i < len(todo); i++ {
		for k := range int32(3) {
			e := 3*todo[i] + k
			h := w.H[e]
			if h.Mark != cdt.Free {
				start, border = e, border+1
			} else if !w.seen(h.Opp / 3) {
				todo = append(todo, h.Opp/3)
			}
		}
	}
	w.todo = todo
	if start < 0 {
		return false
	}
	c := w.corners[:0]
	for at := start; ; {
		next := cdt.Next(at)
		for w.H[next].Mark == cdt.Free {
			next = cdt.Next(w.H[next].Opp)
		}
		border--
		v := w.H[next].V
		switch turn := lattice.Orient(w.P[w.H[at].V], w.P[v], w.P[w.Head(next)]); {
		case turn < 0, turn == 0 && lattice.Dot(w.P[v], w.P[w.H[at].V], w.P[w.Head(next)]) > 0:
			return false
		case turn > 0:
			c = append(c, v)
		}
		if at = next; at == start {
			break
		}
	}
	w.corners = c
	// A separate border in one piece that only turns left goes around once.
	if border != 0 {
		return false
	}
	for _, t := range todo {
		w.Inside[t] = false
	}
	w.expose(todo)
	w.cells = append(w.cells, slices.Clone(c))
	w.show(c)
	if w.trace.to != nil {
		w.trace.claimed(w.points(c))
	}
	return true
}

// show gives the observer the border of a new cell.
func (w *World) show(c cell) {
	if w.watch == nil {
		return
	}
	segments := make([][2]lattice.Point, len(c))
	for i, v := range c {
		segments[i] = [2]lattice.Point{w.P[v], w.P[c[(i+1)%len(c)]]}
	}
	w.watch.Step("region", segments)
}

// Result returns the cells with the edges of their constructed corners.
func (w *World) Result(d *plan.Domain) gen.Result {
	res := gen.Result{Report: gen.Report{Lost: d.Area2(), Counts: w.Counts}}
	cells, total := 0, 0
	for _, c := range w.cells {
		if len(c) > 0 {
			cells, total = cells+1, total+len(c)
		}
	}
	res.Cells = make([]plan.Cell, 0, cells)
	corners := make([]plan.Corner, 0, total)
	for _, c := range w.cells {
		if len(c) == 0 {
			continue
		}
		first := len(corners)
		for i, v := range c {
			corners = append(corners, plan.Corner{Point: w.P[v], On: w.on[v]})
			res.Report.Lost -= lattice.Orient(w.P[c[0]], w.P[v], w.P[c[(i+1)%len(c)]])
		}
		res.Cells = append(res.Cells, plan.Cell{Corners: corners[first:len(corners):len(corners)]})
	}
	w.Counts["cells"] = cells
	for _, on := range w.on {
		if on != plan.NoEdge {
			w.Counts["constructed"]++
		}
	}
	return res
}
