package detail_test

import (
	"testing"

	"github.com/meadow-nav/meadow/geom/detail"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// FuzzSimplify reads triangles from bytes, three for the place of a corner on a small lattice so that all
// kinds of coincidence happen.
func FuzzSimplify(f *testing.F) {
	f.Add([]byte{3, 0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 0, 0, 4, 4, 0, 0, 4, 0})
	f.Add([]byte{1, 0, 0, 0, 9, 0, 0, 5, 5, 1, 9, 0, 0, 9, 9, 0, 5, 5, 1, 9, 9, 0, 0, 9, 0, 5, 5, 1, 0, 9, 0, 0, 0, 0, 5, 5, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 300 {
			return
		}
		limit, data := int32(data[0]&31), data[1:]
		block := 1 + int(limit&3)*4
		tin := &lattice.TIN{}
		for ; len(data) >= 9; data = data[9:] {
			n := uint32(len(tin.Vertices))
			var v [3]lattice.Vertex
			for k := range 3 {
				v[k] = vertex(int32(data[3*k]&31), int32(data[3*k+1]&31), int32(data[3*k+2]&15))
			}
			if lattice.Orient(v[0].Point, v[1].Point, v[2].Point) > 0 {
				tin.Vertices = append(tin.Vertices, v[:]...)
				tin.Triangles = append(tin.Triangles, [3]uint32{n, n + 1, n + 2})
			}
		}
		out, err := detail.InBlocks(t.Context(), tin, detail.Options{Error: limit, Jobs: 2}, block)
		if err != nil {
			t.Fatal(err)
		}
		if out.Error > limit {
			t.Fatalf("an error of %d, asked for %d", out.Error, limit)
		}
		checkSheets(t, tin, &out, int64(limit))
	})
}
