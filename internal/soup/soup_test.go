package soup

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// TestSlopeOfTheFile reads ramps of exactly 45° and of 0.1° to either side, in 64 directions, up to 10⁶ m from the origin. Their corners
// are off the lattice, and many triangles of 45° are steeper there.
func TestSlopeOfTheFile(t *testing.T) {
	agent := geom.Agent{MaxSlope: geom.Degrees(45)}.WithDefaults()
	rng := rand.New(rand.NewPCG(6, 1))
	steeper := 0
	for _, far := range []float64{0, 1e4, 1e5, 1e6} {
		for k := range 64 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 64)
			for _, off := range []float64{-0.1, 0, 0.1} {
				from := geom.Vec{X: far + 0.1 + rng.Float64(), Y: 0.1 + rng.Float64(), Z: rng.Float64() - far}
				up := math.Tan(geom.Degrees(45 + off))
				// The landing is a floor in any case. The ramp is higher than a step.
				lvl := &level.Level{Name: "ramp"}
				for _, p := range [][3]float64{{0, 0, 0}, {1.6, 0, 1}, {1.6, 2, 1}, {0, 2, 0}, {-1, 0, 0}, {-1, 2, 0}} {
					east, north := p[0]*cos-p[1]*sin, p[0]*sin+p[1]*cos
					lvl.Vertices = append(lvl.Vertices, from.Add(geom.FromGround(east, north, 1.6*p[2]*up)))
				}
				for _, c := range [][3]uint32{{0, 1, 2}, {0, 2, 3}, {4, 0, 3}, {4, 3, 5}} {
					lvl.Triangles = append(lvl.Triangles, level.Triangle{A: c[0], B: c[1], C: c[2], Material: level.NoMaterial})
				}
				s, err := Read(lvl, agent)
				if err != nil {
					t.Fatal(err)
				}
				for _, tri := range s.Triangles {
					n := Normal(tri.V)
					ramp := n[0]*n[0]+n[1]*n[1] > n[2]*n[2]/4
					if want := !ramp || off <= 0; tri.Walkable != want {
						t.Errorf("%g m from the origin, direction %d, %g° from the limit: walkable is %v", far, k, off, tri.Walkable)
					}
					if off == 0 && n[0]*n[0]+n[1]*n[1] > n[2]*n[2] {
						steeper++
					}
				}
			}
		}
	}
	if steeper < 100 {
		t.Errorf("only %d triangles are steeper than the limit on the lattice", steeper)
	}
}

// TestSlopeOfThinTriangles reads triangles whose direction depends on rounding, beside a floor: thin ones are floors only where
// they are no steeper than the limit on the lattice too, all others go by the level's coordinates.
func TestSlopeOfThinTriangles(t *testing.T) {
	const u = lattice.Unit
	agent := geom.Agent{MaxSlope: geom.Degrees(45), MaxClimb: geom.NoClimb}.WithDefaults()
	for _, c := range []struct {
		name    string
		corners [3]geom.Vec
		want    bool
	}{
		{"a needle that stays level", [3]geom.Vec{{X: 4}, {X: 8}, {X: 8, Z: -0.9 * u}}, true},
		{"a needle at 40° that is 63° when rounded", [3]geom.Vec{{X: 4, Y: 0.49 * u, Z: -0.29 * u}, {X: 8, Y: 0.49 * u, Z: -0.29 * u}, {X: 8, Y: 1.5 * u, Z: -1.49 * u}}, false},
		{"a narrow strip at 44° that is 48° when rounded", [3]geom.Vec{{X: 4, Y: 0.49 * u, Z: -0.1 * u}, {X: 8, Y: 0.49 * u, Z: -0.1 * u}, {X: 8, Y: 8.5 * u, Z: -8.4 * u}}, true},
		{"a narrow strip at 46° that is 45° when rounded", [3]geom.Vec{{X: 4}, {X: 8}, {X: 8, Y: 12.4 * u, Z: -11.9 * u}}, false},
		{"a line in the level", [3]geom.Vec{{X: 4, Y: 0.4 * u}, {X: 6, Y: 0.5 * u, Z: -0.5 * u}, {X: 8, Y: 0.6 * u, Z: -u}}, false},
		{"a small triangle at 40°", [3]geom.Vec{{X: 4}, {X: 4.01}, {X: 4, Y: 0.0083, Z: -0.01}}, true},
		{"a small triangle at 50°", [3]geom.Vec{{X: 4}, {X: 4.01}, {X: 4, Y: 0.0119, Z: -0.01}}, false},
		{"turned down by a hair", [3]geom.Vec{{X: 4}, {X: 4, Z: -1e-9}, {X: 5}}, false},
	} {
		lvl := &level.Level{Name: c.name, Vertices: append([]geom.Vec{{}, {X: 1}, {Z: -1}}, c.corners[:]...)}
		for _, k := range []uint32{0, 3} {
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: k, B: k + 1, C: k + 2, Material: level.NoMaterial})
		}
		s, err := Read(lvl, agent)
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for _, tri := range s.Triangles {
			got = got || tri.Walkable && tri.V[0].X > 0
		}
		if got != c.want {
			t.Errorf("%s: walkable is %v", c.name, got)
		}
	}
}

// TestFloorsWinOverTheirDoubles reads two triangles of 45° and of 45.3° that become the same on the lattice, in either order.
func TestFloorsWinOverTheirDoubles(t *testing.T) {
	agent := geom.Agent{MaxSlope: geom.Degrees(45), MaxClimb: geom.NoClimb}.WithDefaults()
	for _, second := range []uint32{2, 3} {
		lvl := &level.Level{Name: "doubles", Vertices: []geom.Vec{{}, {X: 0.01}, {Y: 0.01, Z: -0.01}, {Y: 0.0101, Z: -0.01}}}
		for _, apex := range []uint32{5 - second, second} {
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: 0, B: 1, C: apex, Material: level.NoMaterial})
		}
		s, err := Read(lvl, agent)
		if err != nil {
			t.Fatalf("vertex %d last: %v", second, err)
		}
		if len(s.Triangles) != 1 || !s.Triangles[0].Walkable {
			t.Errorf("vertex %d last: %+v", second, s.Triangles)
		}
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

// TestPatchesHangTogether reads steep patches of two parts, each lower than a step, that hang together by a splinter. The
// splinter collapses on the lattice, stands upright there, or is wide enough to be seen.
func TestPatchesHangTogether(t *testing.T) {
	agent := geom.Agent{Height: 2, MaxClimb: 0.5, MaxSlope: geom.Degrees(45)}
	for _, splinter := range []float64{1e-5, 1e-4, 3e-4, 1e-3, 2e-2} {
		for _, high := range []float64{0.45, 0.55} {
			at := func(x, y float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: -y / 2} }
			lvl := &level.Level{Name: "patch", Vertices: []geom.Vec{
				at(0, 0), at(2, 0), at(2, 0.1), at(0, 0.1), at(2, 0.1+splinter), at(0, high),
				{X: 5},
				{X: 5, Z: 1},
				{X: 6}, // floor elsewhere
			}}
			for _, t := range [][3]uint32{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}, {6, 7, 8}} {
				lvl.Triangles = append(lvl.Triangles, level.Triangle{A: t[0], B: t[1], C: t[2], Material: level.NoMaterial})
			}
			walkable := countWalkable(t, lvl, agent)
			if floor := walkable >= 4; floor != (high <= agent.MaxClimb) || !floor && walkable != 1 {
				t.Errorf("splinter of %g m, patch %g m high: %d triangles are walkable", splinter, high, walkable)
			}
		}
	}
}

// TestHairlinesAreNoPatches: a steep face as wide as a hairline, seen from above, is a wall; a wider one is a patch, by a width that the
// lattice cannot tell.
func TestHairlinesAreNoPatches(t *testing.T) {
	agent := geom.Agent{Height: 2, MaxClimb: 0.5, MaxSlope: geom.Degrees(45)}
	for _, c := range []struct {
		width float64
		want  int
	}{{0.001, 1}, {0.0015, 1}, {0.00199, 1}, {0.00201, 2}, {0.003, 2}, {0.02, 2}} {
		lvl := &level.Level{Name: "hairline", Vertices: []geom.Vec{
			{},
			{X: 2},
			{X: 2, Y: 0.2, Z: -c.width},
			{X: 5},
			{X: 5, Z: 1},
			{X: 6}, // floor elsewhere
		}}
		lvl.Triangles = []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 3, B: 4, C: 5, Material: level.NoMaterial}}
		if walkable := countWalkable(t, lvl, agent); walkable != c.want {
			t.Errorf("%g m wide: %d walkable triangles, want %d", c.width, walkable, c.want)
		}
	}
}

// countWalkable reads a level and counts the triangles to walk over.
func countWalkable(t *testing.T, lvl *level.Level, agent geom.Agent) int {
	t.Helper()
	s, err := Read(lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range s.Triangles {
		if s.Triangles[i].Walkable {
			n++
		}
	}
	return n
}

// TestReadOnDoesNotDependOnJobs reads a level of some parts, with triangles that are repeated, turned over and collapsed,
// and compares; and with a plainly sorted list of the remaining triangles.
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
