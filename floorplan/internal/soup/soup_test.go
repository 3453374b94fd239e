package soup

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/level"
)

func TestSlopeLimitIsExact(t *testing.T) {
	limit := newSlopeLimit(geom.Degrees(45))
	const big = 1 << 61 // far beyond what float64 tells apart
	for _, c := range []struct {
		n    [3]int64
		want bool
	}{
		{[3]int64{1, 0, 1}, true},
		{[3]int64{2, 0, 1}, false},
		{[3]int64{3, 4, 5}, true},
		{[3]int64{big, 0, big}, true},
		{[3]int64{big, 0, big - 1}, false},
		{[3]int64{big - 1, 0, big}, true},
	} {
		if got := limit.admits(c.n); got != c.want {
			t.Errorf("%v: %v", c.n, got)
		}
	}
	if newSlopeLimit(0).admits([3]int64{1, 0, 1 << 40}) || !newSlopeLimit(0).admits([3]int64{0, 0, 1}) {
		t.Error("a limit of 0 admits level faces only")
	}
}

// TestUpright tells walls that rounding makes lean from steep floors.
func TestUpright(t *testing.T) {
	at := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	for _, c := range []struct {
		name string
		v    [3]lattice.Vertex
		want bool
	}{
		{"a wall", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 0, 4000)}, true},
		{"a wall that rounding leans", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 1, 4000)}, true},
		{"a low one", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 2, 200)}, true},
		{"a high one that leans by one in a thousand", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 20, 20000)}, true},
		{"a batter", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 40, 4000)}, false},
		{"a bevel", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 600, 1200)}, false},
		{"a narrow floor", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 100, 100)}, false},
	} {
		if got := (&Triangle{V: c.v}).upright(Normal(c.v)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestReadOnDoesNotDependOnJobs reads a level of some parts, with triangles that are repeated, turned over and collapsed,
// and compares; and with a plainly sorted list of what is left.
func TestReadOnDoesNotDependOnJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	lvl := &level.Level{Name: "random"}
	for range 6000 {
		lvl.Vertices = append(lvl.Vertices, geom.Vec{X: 40 * rng.Float64(), Y: 3 * rng.Float64(), Z: 40 * rng.Float64()})
	}
	for range 10000 {
		a, b, c := rng.Uint32N(6000), rng.Uint32N(6000), rng.Uint32N(6000)
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: a, B: b, C: c, Material: level.NoMaterial})
		if rng.IntN(4) == 0 {
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: b, B: c, C: a, Material: level.NoMaterial}, level.Triangle{A: a, B: a, C: c, Material: level.NoMaterial})
		}
	}
	agent := geom.Agent{}.WithDefaults()
	want, err := Read(lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{0, 2, 7} {
		if got, err := ReadOn(t.Context(), lvl, agent, jobs); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d jobs: another soup, %v", jobs, err)
		}
	}
	seen := map[[3]lattice.Vertex]bool{}
	for i, tri := range want.Triangles {
		if seen[tri.V] || Normal(tri.V) == [3]int64{} || slices.Max(tri.ID[:]) >= uint32(want.Vertices) {
			t.Fatalf("triangle %d, %v, is repeated or collapsed, or has vertices that are not there", i, tri)
		}
		if i > 0 && slices.Compare(want.Triangles[i-1].ID[:], tri.ID[:]) >= 0 {
			t.Fatalf("triangle %d is not behind the one before", i)
		}
		seen[tri.V] = true
	}
	if n := len(want.Triangles); n < 9900 || n > 10000 {
		t.Errorf("%d triangles of 10000", n)
	}
}

// TestInOrder compares with plain sorting, for extents of no digit and of several.
func TestInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, extent := range [][3]int64{{0, 0, 0}, {1, 0, 2047}, {2048, 5, 0}, {1 << 22, 1 << 11, 300}, {lattice.MaxCoord, lattice.MaxCoord, lattice.MaxCoord}} {
		var vertices []numbered
		for i := range uint32(500) {
			v := numbered{index: i}
			v.X, v.Y, v.Z = int32(rng.Int64N(extent[0]+1)), int32(rng.Int64N(extent[1]+1)), int32(rng.Int64N(extent[2]+1))
			vertices = append(vertices, v)
		}
		want := slices.Clone(vertices)
		slices.SortStableFunc(want, func(a, b numbered) int {
			return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
		})
		if got := inOrder(vertices, extent); !slices.Equal(got, want) {
			t.Errorf("extent %v: another order", extent)
		}
	}
}
