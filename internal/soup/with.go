package soup

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// With returns a soup with further triangles, in the frame of s: each triangle states whether it is walkable. Triangles that
// are lines on the lattice are left out. The extent covers the further triangles; none may have a coordinate below 0 or above
// [lattice.MaxCoord]. Time O(n log n).
func (s *Soup) With(more []Triangle) *Soup {
	all := make([]Triangle, 0, len(s.Triangles)+len(more))
	all = append(append(all, s.Triangles...), more...)
	corners := make([]snapped, 3*len(all))
	box := latticeBox{hi: [3]int64{int64(s.Size.X), int64(s.Size.Y), int64(s.Size.Z)}}
	for i := range corners {
		v := all[i/3].V[i%3]
		corners[i] = snapped{world: [3]int64{int64(v.X), int64(v.Y), int64(v.Z)}, used: true, inside: true}
		for k, c := range corners[i].world {
			box.hi[k] = max(box.hi[k], c)
		}
	}
	at, id, vertices := number(corners, box)
	flat := make([]bool, len(all))
	for i := range all {
		t := level.Triangle{A: uint32(3 * i), B: uint32(3*i + 1), C: uint32(3*i + 2)}
		r, f := canonical(t, at, id)
		all[i].V, all[i].ID, flat[i] = r.V, r.ID, f
	}
	triangles, _ := sorted(context.Background(), 1, all, flat, vertices) // never cancelled
	return &Soup{
		Frame:     s.Frame,
		Size:      lattice.Vertex{Point: lattice.Point{X: int32(box.hi[0]), Y: int32(box.hi[1])}, Z: int32(box.hi[2])},
		Triangles: triangles,
		Vertices:  vertices,
	}
}
