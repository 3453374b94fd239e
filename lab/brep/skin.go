package brep

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// merged returns pieces as regions: pieces of one plane and material are merged into convex unions.
func (w *world) merged(pieces [][]solid.Polygon) (*corners, []region) {
	c := newCorners(w.space)
	var regions []region
	at := 0
	for i := range w.bodies {
		b := &w.bodies[i]
		for f := range b.Faces {
			for _, p := range pieces[at] {
				regions = append(regions, c.region(p, int32(i), b.materials[f].index))
			}
			at++
		}
	}
	return c, c.merge(regions)
}

// dropHidden removes the pieces of unreachable faces. Between turned brushes, rounding leaves cracks thinner than the lattice;
// they then have no walls.
func (w *world) dropHidden(pieces [][]solid.Polygon) {
	for i := range w.bodies {
		for f, hidden := range w.bodies[i].hidden {
			if hidden {
				pieces[w.first[i]+f] = nil
			}
		}
	}
}

// skin returns the outer surface as a level: triangles with the materials of the faces. Of terrain it contains only the
// faces that look up, because prisms are at most [Terrain] thick. Triangles without a solid stay as they are.
func (w *world) skin(lvl *level.Level, c *corners, regions []region) (*level.Level, error) {
	out := &level.Level{Name: lvl.Name, Materials: lvl.Materials}
	for _, t := range w.sheets {
		tri, n := lvl.Triangles[t], uint32(len(out.Vertices))
		out.Vertices = append(out.Vertices, lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C])
		out.Triangles = append(out.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: tri.Material})
	}
	number := make(map[lattice.Vertex]uint32)
	for i := range regions {
		r := &regions[i]
		if w.bodies[r.body].terrain && w.space.Plane(r.Plane).N[2] <= 0 {
			continue
		}
		ids := make([]uint32, 0, len(r.ids))
		for _, id := range r.ids {
			v, ok := w.space.Round(&c.at[id])
			if !ok {
				return nil, fmt.Errorf("brep: level %q: a solid reaches out of the lattice at (%.0f, %.0f, %.0f) m of the frame",
					lvl.Name, c.at[id].At[0]*lattice.Unit, c.at[id].At[1]*lattice.Unit, c.at[id].At[2]*lattice.Unit)
			}
			n, ok := number[v]
			if !ok {
				n = uint32(len(out.Vertices))
				number[v] = n
				out.Vertices = append(out.Vertices, w.frame.ToWorld(v.Point, v.Z))
			}
			if k := len(ids); k == 0 || ids[k-1] != n && ids[0] != n {
				ids = append(ids, n)
			}
		}
		if w.space.Plane(r.Plane).N[2] > 0 && w.avoidedFace(&w.bodies[r.body], r.Plane) {
			slices.Reverse(ids) // a thing in the way, and no floor
		}
		for k := 2; k < len(ids); k++ {
			out.Triangles = append(out.Triangles, level.Triangle{A: ids[0], B: ids[k-1], C: ids[k], Material: r.label})
		}
	}
	return out, nil
}
