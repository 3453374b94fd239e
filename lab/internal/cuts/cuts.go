// Package cuts divides a triangulated domain along arbitrary segments: the borders of cells found in another
// way, on a grid or from points.
//
// Idea: both ends of a cut become vertices, wherever they are. The cut then goes from vertex to vertex
// straight towards its end. Where the cut meets a wall, the wall gets a corner, a lattice point on it or
// beside it in the free space; two cuts that meet both get a corner. Behind a wall the cut continues without
// a trace, until it comes out again. Cuts that separate nothing in the end are taken back, and the rest of
// the triangulation serves to cut the parts convex.
//
// Guarantees, whatever is cut and in whatever order:
//  1. all decisions use existing lattice points: the walls with their constructed corners are a valid domain
//     at any time, and no cut crosses a wall or another cut (TestAnyCuts);
//  2. a constructed corner is at most two units from its wall, in the free space, and exactly on it if the
//     wall belongs to a chain; Lost is the lost area (TestAnyCuts);
//  3. after [Domain.Settle] there are different parts on both sides of every cut, and every part is
//     the faces that are connected without crossing a cut (TestSettle);
//  4. every cut ends: each step gets nearer to its end (TestAnyCuts).
//
// Degenerate cases: a cut along a wall leaves none; through a vertex it has two parts; a wall without room
// for a corner, or a chain without a lattice point, leads the cut to one of its ends; if that is not possible
// either, the cut stops and separates nothing.
//
// Cost: a cut visits the triangles in its way; finding the place of a point takes a walk from the last one.
package cuts

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Domain is a triangulated domain with cuts.
type Domain struct {
	*cdt.Domain
	// Snap is how near to the end of a wall a cut goes through the end instead, in lattice units.
	Snap        float64
	Lost        int64 // twice the area that walls gave up to constructed corners
	Constructed int   // corners made on walls
	Refused     int   // cuts that stopped before their end
	Led         int   // times that a wall without room for a corner led a cut away from its line

	firstNew int32         // vertices from here on are no points of the rings
	on       []plan.EdgeID // of vertex firstNew+i
	mark     int32         // of cuts; walls have lower ones
	near     int32         // a vertex near the place that was looked for last
	notch    []bool        // of vertices of the rings, once asked for
}

// New returns dom, which nothing else may change from now on, without cuts.
func New(dom *cdt.Domain) *Domain {
	return &Domain{Domain: dom, firstNew: int32(len(dom.P)), mark: int32(len(dom.Walls))}
}

// On returns the edge of the domain that vertex v was constructed on, or plan.NoEdge.
func (d *Domain) On(v int32) plan.EdgeID {
	if v < d.firstNew {
		return plan.NoEdge
	}
	return d.on[v-d.firstNew]
}

// note remembers that vertex v, the newest, was made on an edge with a mark.
func (d *Domain) note(v, mark int32) int32 {
	on := plan.NoEdge
	if mark != cdt.Free && mark < d.mark {
		on = d.Walls[mark].EdgeID
		d.Constructed++
	}
	d.on = append(d.on, on)
	return v
}

// Place makes p, in the domain's box, a vertex unless it is one. It may lie in the domain, on a wall or
// behind a wall.
func (d *Domain) Place(p lattice.Point) int32 {
	e, zeros := d.Locate(p, d.Edge[d.near])
	switch {
	case zeros == 2:
		d.near = d.H[e].V
	case zeros == 1 && d.H[e].Mark != cdt.Free:
		mark := d.H[e].Mark
		d.near = d.note(d.Split(e, p), mark)
	default:
		d.near = d.note(d.Insert(e, p), cdt.Free)
	}
	return d.near
}

// Find returns a half-edge of a triangle with p inside or on its border.
func (d *Domain) Find(p lattice.Point) int32 {
	e, _ := d.Locate(p, d.Edge[d.near])
	d.near = d.H[e].V
	return e
}

// Free tells whether p lies in the interior of the domain. It is found by a walk from vertex near.
func (d *Domain) Free(p lattice.Point, near int32) bool {
	e, zeros := d.Locate(p, d.Edge[near])
	switch zeros {
	case 2:
		for f := e; ; {
			if m := d.H[f].Mark; m != cdt.Free && m < d.mark {
				return false
			}
			if f = d.CCW(f); f == e || f < 0 {
				return d.Inside[e/3]
			}
		}
	case 1:
		if m := d.H[e].Mark; m != cdt.Free && m < d.mark {
			return false
		}
	}
	return d.Inside[e/3]
}
