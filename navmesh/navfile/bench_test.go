package navfile

import (
	"context"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// large is a mesh of n by n squares.
func large(b *testing.B, n int32) *navmesh.Mesh {
	b.Helper()
	var cells []plan.Cell
	for y := range n {
		for x := range n {
			var c plan.Cell
			for _, p := range []lattice.Point{{X: x, Y: y}, {X: x + 1, Y: y}, {X: x + 1, Y: y + 1}, {X: x, Y: y + 1}} {
				c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
			}
			cells = append(cells, c)
		}
	}
	m, _, err := join.Build(context.Background(), &plan.Plan{Layers: []plan.Layer{{Domains: make([]plan.Domain, 1)}}},
		[][][]plan.Cell{{cells}}, join.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func BenchmarkEncode(b *testing.B) {
	m := large(b, 200)
	var data []byte
	for b.Loop() {
		var err error
		if data, err = Encode(m); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(data)))
}

func BenchmarkDecode(b *testing.B) {
	m := large(b, 200)
	data, err := Encode(m)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		got, err := Decode(data)
		if err != nil || got.RegionCount() != m.RegionCount() {
			b.Fatal(got.RegionCount(), err)
		}
	}
}
