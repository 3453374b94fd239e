package query

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// addMarks lists the marks of every region, if any has one.
func (ix *geometry) addMarks() {
	any := false
	for i := range ix.mesh.Tiles {
		any = any || len(ix.mesh.Tiles[i].Marked) > 0
	}
	if !any {
		return
	}
	ix.marked = make([][]navmesh.Marked, len(ix.regions))
	for slot := range ix.mesh.Tiles {
		t := &ix.mesh.Tiles[slot]
		for i := range t.Regions {
			ix.marked[ix.first[slot]+uint32(i)] = t.MarksOf(i)
		}
	}
}

// take adds a hop to a path whose points end at its start.
func (q *Query) take(h *hop, path *Path) {
	ix := q.ix
	from, to := q.points[len(q.points)-1], ix.world(h.end, h.endZ)
	path.Length += plane.Distance(h.start, h.end) * lattice.Unit
	path.SurfaceLength += from.Distance(to)
	path.Cost += h.cost * lattice.Unit * ix.ground.metre
	q.named = append(q.named, Crossing{Link: int(h.link), Mark: int(ix.mesh.Links[h.link].Mark) - 1, From: from, To: to})
}

// enterMarks records that the path enters region r at a place.
func (q *Query) enterMarks(r uint32, at geom.Vec) {
	marks := q.ix.marked[r]
	kept := q.inside[:0]
	for _, c := range q.inside {
		if q.named[c].To = at; contains(marks, q.named[c].Mark) {
			kept = append(kept, c)
		}
	}
	q.inside = kept
	for _, m := range marks {
		known := false
		for _, c := range q.inside {
			known = known || q.named[c].Mark == int(m.Mark)
		}
		if !known {
			q.inside = append(q.inside, int32(len(q.named)))
			q.named = append(q.named, Crossing{Link: none, Mark: int(m.Mark), From: at, To: at})
		}
	}
}

func contains(marks []navmesh.Marked, mark int) bool {
	for _, m := range marks {
		if int(m.Mark) == mark {
			return true
		}
	}
	return false
}

// leaveMarks ends a leg of the path at the last of its points, and drops marks that the leg only touched. A path of one
// point keeps its marks.
func (q *Query) leaveMarks() {
	if q.ix.marked == nil {
		return
	}
	for _, c := range q.inside {
		q.named[c].To = q.points[len(q.points)-1]
	}
	q.inside = q.inside[:0]
	if len(q.points) == 1 {
		return
	}
	kept := q.named[:0]
	for _, c := range q.named {
		if c.Link != none || c.From != c.To {
			kept = append(kept, c)
		}
	}
	q.named = kept
}
