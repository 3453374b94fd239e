package polymesh

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// Meet finds the meetings of polygons in a file without neighbours: edges between the same two points in opposite directions,
// then edges along the same line with a common stretch whose heights differ by at most climb, in lattice units. Points at the same
// place must be the same point. Time O(n log n) for n corners.
func Meet(s *Soup, climb int32) []Meeting {
	type edge struct{ polygon, edge int32 }
	at := map[[2]uint32]edge{}
	for i := range s.Polygons {
		corners := s.Polygons[i].Corners
		for k, p := range corners {
			if ends := [2]uint32{p, corners[(k+1)%len(corners)]}; ends[0] != ends[1] {
				if _, ok := at[ends]; !ok { // a second polygon on the same side stays apart
					at[ends] = edge{int32(i), int32(k)}
				}
			}
		}
	}
	var out []Meeting
	var sides []planar.Side
	var owner []edge
	for i := range s.Polygons {
		corners := s.Polygons[i].Corners
		for k, p := range corners {
			q := corners[(k+1)%len(corners)]
			here := edge{int32(i), int32(k)}
			if p == q || at[[2]uint32{p, q}] != here {
				continue
			}
			if o, ok := at[[2]uint32{q, p}]; ok && o.polygon != here.polygon {
				if here.polygon < o.polygon {
					out = append(out, Meeting{here.polygon, o.polygon, here.edge, o.edge})
				}
				continue
			}
			if s.Points[p].Point != s.Points[q].Point {
				sides = append(sides, planar.Side{A: s.Points[p].Point, B: s.Points[q].Point})
				owner = append(owner, here)
			}
		}
	}
	height := func(e edge, at lattice.Point) int32 {
		corners := s.Polygons[e.polygon].Corners
		return between(s.Points[corners[e.edge]], s.Points[corners[(int(e.edge)+1)%len(corners)]], at).Z
	}
	planar.Match(sides, func(i, k int, a, b lattice.Point) {
		p, q := owner[i], owner[k]
		for _, at := range [2]lattice.Point{a, b} {
			if d := int64(height(p, at)) - int64(height(q, at)); max(d, -d) > int64(climb) {
				return
			}
		}
		if p.polygon != q.polygon {
			out = append(out, Meeting{p.polygon, q.polygon, p.edge, q.edge})
		}
	}, nil)
	return out
}
