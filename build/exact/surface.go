package exact

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// The height surface of a layer consists of the free parts of its triangles, without another floor of the layer beneath
// or beside a domain. Patches lie wherever else a domain lies: over cracks, and over slivers that rounding left to
// another layer. Each place of a domain then has a single height, of the domain's own floor.

// surface returns the height surface of a layer, given the floorings of the layer.
func (e *extraction) surface(layer int32, floors []flooring) lattice.TIN {
	number := make([]uint32, e.soup.Vertices) // by vertex of the level, one more than the number in the layer
	t := lattice.TIN{Error: 1, Triangles: make([][3]uint32, 0, len(floors))}
	for _, f := range floors {
		s := &e.soup.Triangles[f.triangle]
		if !f.whole {
			first := uint32(len(t.Vertices))
			for _, r := range f.rings {
				for _, p := range r {
					t.Vertices = append(t.Vertices, lattice.Vertex{Point: p, Z: rounded(heightOn(&s.V, float64(p.X), float64(p.Y)))})
				}
			}
			t.Triangles = appendTriangles(t.Triangles, first, overlay.Triangulate(f.rings))
			continue
		}
		var ids [3]uint32
		for k, v := range s.ID {
			if number[v] == 0 {
				t.Vertices = append(t.Vertices, s.V[k])
				number[v] = uint32(len(t.Vertices))
			}
			ids[k] = number[v] - 1
		}
		t.Triangles = append(t.Triangles, ids)
	}
	for i := range e.patches[layer] {
		p := &e.patches[layer][i]
		first := uint32(len(t.Vertices))
		t.Vertices = append(t.Vertices, p.vertices...)
		t.Triangles = appendTriangles(t.Triangles, first, p.triangles)
	}
	return t
}

// appendTriangles appends triangles with corners numbered from the vertex first on.
func appendTriangles(to [][3]uint32, first uint32, triangles [][3]int32) [][3]uint32 {
	for _, c := range triangles {
		to = append(to, [3]uint32{first + uint32(c[0]), first + uint32(c[1]), first + uint32(c[2])})
	}
	return to
}

// whole reports whether nothing covers a triangle.
func (e *extraction) whole(i int32) bool {
	x := e.exposed[i]
	if !x.cut {
		return true
	}
	v, rings := &e.soup.Triangles[i].V, x.rings
	if len(rings) != 1 || len(rings[0]) != 3 {
		return false
	}
	r := rings[0]
	return r[0] == v[0].Point && r[1] == v[1].Point && r[2] == v[2].Point ||
		r.Area2() == lattice.Orient(v[0].Point, v[1].Point, v[2].Point)
}

// surfaces returns the height surfaces of all layers with areas.
func (e *extraction) surfaces(ctx context.Context, jobs int, areas []area) ([]lattice.TIN, error) {
	tins, used := make([]lattice.TIN, e.layers), make([]bool, e.layers)
	for i := range areas {
		used[areas[i].layer] = true
	}
	members := grouped(len(e.layer), e.layers, func(i int32) int32 { return e.layer[i] })
	err := par.For(ctx, jobs, len(tins), func(l int) error {
		if !used[l] {
			return nil
		}
		floors, err := e.flooringsOf(ctx, jobs, int32(l), &members)
		tins[l] = e.surface(int32(l), floors)
		return err
	})
	return tins, err
}
