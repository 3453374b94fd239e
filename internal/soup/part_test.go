package soup

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestPart takes every third triangle of a tower, and compares the triangles in the world and the numbers of their vertices.
func TestPart(t *testing.T) {
	lvl, err := levelgen.Generate("tower", levelgen.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Read(lvl, geom.Agent{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	var ids []int32
	for i := 7; i < len(whole.Triangles); i += 3 {
		ids = append(ids, int32(i))
	}
	part := whole.Part(ids)
	low := [3]int32{1 << 30, 1 << 30, 1 << 30}
	at := map[uint32]lattice.Vertex{}
	for n, i := range ids {
		was, is := &whole.Triangles[i], &part.Triangles[n]
		if was.Walkable != is.Walkable || was.Area != is.Area {
			t.Fatalf("triangle %d changes its kind", n)
		}
		for k, v := range is.V {
			if whole.Frame.ToWorld(was.V[k].Point, was.V[k].Z) != part.Frame.ToWorld(v.Point, v.Z) {
				t.Fatalf("triangle %d moves", n)
			}
			if known, ok := at[is.ID[k]]; ok && known != v {
				t.Fatalf("triangle %d: vertex %d is at two places", n, is.ID[k])
			}
			at[is.ID[k]] = v
			low = [3]int32{min(low[0], v.X), min(low[1], v.Y), min(low[2], v.Z)}
		}
	}
	if low != [3]int32{} {
		t.Errorf("the least coordinates are %v", low)
	}
	if len(at) != part.Vertices {
		t.Errorf("%d different numbers, %d vertices", len(at), part.Vertices)
	}
	// The order of the numbers is the order of the places, as in a soup that was read.
	inOrder := slices.IsSortedFunc(part.Triangles, func(a, b Triangle) int { return int(int64(a.ID[0]) - int64(b.ID[0])) })
	if !inOrder {
		t.Error("the triangles are out of order")
	}
	if none := whole.Part(nil); len(none.Triangles) != 0 || none.Frame != whole.Frame {
		t.Errorf("no triangles give %+v", none)
	}
}
