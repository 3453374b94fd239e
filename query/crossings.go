package query

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// take adds a hop to a path whose points end at its start.
func (q *Query) take(h *index.Hop, path *Path) {
	ix := q.ix
	from, to := q.points[len(q.points)-1], ix.World(h.End, h.EndZ)
	path.Length += index.Distance(h.Start, h.End) * lattice.Unit
	path.Cost += h.Cost * lattice.Unit * ix.Ground.Metre
	q.named = append(q.named, Crossing{Link: int(h.Link), Mark: int(ix.Mesh.Links[h.Link].Mark) - 1, From: from, To: to})
}

// enterMarks records that the path enters region r at a place.
func (q *Query) enterMarks(r uint32, at geom.Vec) {
	marks := q.ix.MarksOf(r)
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
			q.named = append(q.named, Crossing{Link: index.None, Mark: int(m.Mark), From: at, To: at})
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

// leaveMarks ends a leg of the path at a place, and drops marks that the leg only touched. A path of one point keeps its
// marks.
func (q *Query) leaveMarks(at geom.Vec) {
	if q.ix.Marked == nil {
		return
	}
	for _, c := range q.inside {
		q.named[c].To = at
	}
	q.inside = q.inside[:0]
	if len(q.points) == 1 {
		return
	}
	q.named = slices.DeleteFunc(q.named, func(c Crossing) bool { return c.Link == index.None && c.From == c.To })
}
