package levelgen

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// variants are the levels for the tests of all laws: every kind with its defaults, another seed, and its
// smallest size.
func variants(t *testing.T, each func(t *testing.T, k Kind, opt Options, lvl *level.Level)) {
	t.Helper()
	for _, k := range Kinds() {
		for _, opt := range []Options{
			{},
			{Seed: 7, Size: math.Min(k.MaxSize, 1.37*k.Size)},
			{Seed: math.MaxUint64, Size: k.MinSize, Storeys: k.MinStoreys},
			{Seed: 3, Storeys: min(k.MaxStoreys, 7)},
		} {
			lvl, err := Generate(k.Name, opt)
			if err != nil {
				t.Fatalf("%s %+v: %v", k.Name, opt, err)
			}
			t.Run(k.Name, func(t *testing.T) { each(t, k, opt, lvl) })
		}
	}
}

func TestLevelsAreValid(t *testing.T) {
	variants(t, func(t *testing.T, k Kind, _ Options, lvl *level.Level) {
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
		if lvl.Name != k.Name {
			t.Errorf("name %q", lvl.Name)
		}
	})
}

// Law 1: coordinates are multiples of the lattice unit.
func TestCoordinatesLieOnTheLattice(t *testing.T) {
	variants(t, func(t *testing.T, _ Kind, _ Options, lvl *level.Level) {
		for i, v := range lvl.Vertices {
			for _, c := range [3]float64{v.X, v.Y, v.Z} {
				if u := c * lattice.UnitsPerMetre; u != math.Trunc(u) {
					t.Fatalf("vertex %d at %v is between lattice points", i, v)
				}
			}
		}
	})
}

// A distant level is the near level at another place, with its solids and markers.
func TestFarLevels(t *testing.T) {
	for _, kind := range []string{"tower", "halls"} {
		near, err := Generate(kind, Options{})
		if err != nil {
			t.Fatal(err)
		}
		far, err := Generate(kind, Options{Far: MostFar})
		if err != nil {
			t.Fatal(err)
		}
		by := geom.Vec{X: MostFar, Z: MostFar}
		for i, v := range far.Vertices {
			if v != near.Vertices[i].Add(by) {
				t.Fatalf("%s: vertex %d at %v, near the origin at %v", kind, i, v, near.Vertices[i])
			}
		}
		for i := range far.Solids {
			for k, p := range far.Solids[i].Planes {
				if q := near.Solids[i].Planes[k]; p.Normal != q.Normal || math.Abs(p.Offset-q.Offset-p.Normal.Dot(by)) > 1e-9 {
					t.Fatalf("%s: solid %d, plane %d: %v, near the origin %v", kind, i, k, p, q)
				}
			}
		}
		for i := range far.Markers {
			for k, v := range far.Markers[i].Hull {
				if v != near.Markers[i].Hull[k].Add(by) {
					t.Fatalf("%s: marker %d has a corner at %v", kind, i, v)
				}
			}
		}
	}
}

// Law 2: in every object each directed edge has its opposite, as often as it occurs itself, and the
// enclosed volume is positive.
func TestObjectsAreClosedAndOutward(t *testing.T) {
	type edge struct{ from, to geom.Vec }
	variants(t, func(t *testing.T, _ Kind, _ Options, lvl *level.Level) {
		for i, o := range lvl.Objects {
			count := map[edge]int{}
			var volume float64
			for _, tri := range lvl.Triangles[o.First : o.First+o.Count] {
				p := [3]geom.Vec{lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]}
				for k := range p {
					count[edge{p[k], p[(k+1)%3]}]++
				}
				volume += p[0].Dot(p[1].Cross(p[2])) / 6
			}
			for e, n := range count {
				if back := count[edge{e.to, e.from}]; back != n {
					t.Fatalf("object %d %q: edge %v-%v: %d faces on one side, %d on the other", i, o.Name, e.from, e.to, n, back)
				}
			}
			if volume <= 0 {
				t.Errorf("object %d %q: volume %g m³", i, o.Name, volume)
			}
		}
	})
}

// No triangle is without area: snapping folds nothing.
func TestNoTriangleIsDegenerate(t *testing.T) {
	variants(t, func(t *testing.T, _ Kind, _ Options, lvl *level.Level) {
		for i, tri := range lvl.Triangles {
			a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
			if area := b.Sub(a).Cross(c.Sub(a)).Norm() / 2; area < 1e-7 {
				t.Fatalf("triangle %d %v %v %v: area %g m²", i, a, b, c, area)
			}
		}
	})
}

// Law 3: the same input gives the same level, and where the plan is drawn by lot, another seed
// gives another level.
func TestGenerateIsDeterministic(t *testing.T) {
	variants(t, func(t *testing.T, k Kind, opt Options, lvl *level.Level) {
		again, err := Generate(k.Name, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(lvl, again) {
			t.Error("two runs differ")
		}
		opt.Seed++
		other, err := Generate(k.Name, opt)
		if err != nil {
			t.Fatal(err)
		}
		if fixed := k.MinSize == k.MaxSize; reflect.DeepEqual(lvl, other) != fixed {
			t.Errorf("another seed: the plan is fixed: %v, the level is the same: %v", fixed, !fixed)
		}
	})
}

// Law 4: materials and objects cover all triangles.
func TestMaterialsAndObjectsCoverAllTriangles(t *testing.T) {
	variants(t, func(t *testing.T, _ Kind, _ Options, lvl *level.Level) {
		for i, tri := range lvl.Triangles {
			if tri.Material == level.NoMaterial {
				t.Fatalf("triangle %d has no material", i)
			}
		}
		next := 0
		for i, o := range lvl.Objects {
			if o.First != next || o.Count == 0 || o.Name == "" {
				t.Fatalf("object %d %+v, want it to begin at %d", i, o, next)
			}
			next += o.Count
		}
		if next != len(lvl.Triangles) {
			t.Errorf("objects cover %d of %d triangles", next, len(lvl.Triangles))
		}
		for i, m := range lvl.Materials {
			if _, known := palette[m.Name]; !known || m.Color[3] != 1 {
				t.Errorf("material %d %+v is not in the palette", i, m)
			}
		}
	})
}

func TestLevelsHaveFloorOfTheAskedSize(t *testing.T) {
	variants(t, func(t *testing.T, k Kind, opt Options, lvl *level.Level) {
		side := opt.Size
		if side == 0 {
			side = k.Size
		}
		var up float64
		for _, tri := range lvl.Triangles {
			a := lvl.Vertices[tri.A]
			n := lvl.Vertices[tri.B].Sub(a).Cross(lvl.Vertices[tri.C].Sub(a))
			if n.Y > 0.7*n.Norm() {
				up += n.Y / 2
			}
		}
		if up < 0.2*side*side {
			t.Errorf("%.0f m² of floor on %g m × %g m", up, side, side)
		}
		size := lvl.Bounds().Size()
		if w := math.Max(size.X, size.Z); w < 0.6*side || w > side+2*roomYard {
			t.Errorf("%.2f m wide, asked for %g m", w, side)
		}
	})
}

// free tells for every square of 0.25 m of a plan whether it is outside of all solids at a height of 1 m: the
// vertical ray from there crosses an even number of faces.
func free(lvl *level.Level, side float64) (squares []bool, n int) {
	const pitch = 0.25
	n = int(side / pitch)
	crossings := make([]int, n*n)
	for _, tri := range lvl.Triangles {
		a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
		box := geom.EmptyBox().Extend(a).Extend(b).Extend(c)
		if box.Max.Y < 1 {
			continue
		}
		// The middles are a little aside of all walls, which stand on multiples of a lattice unit.
		index := func(v float64) int { return int(math.Floor(v / pitch)) }
		for j := max(index(-box.Max.Z), 0); j <= min(index(-box.Min.Z), n-1); j++ {
			for i := max(index(box.Min.X), 0); i <= min(index(box.Max.X), n-1); i++ {
				at := geom.FromGround((float64(i)+0.5003)*pitch, (float64(j)+0.4998)*pitch, 0)
				if h, over := heightOver(at, a, b, c); over && h > 1 {
					crossings[j*n+i]++
				}
			}
		}
	}
	squares = make([]bool, n*n)
	for k, c := range crossings {
		squares[k] = c%2 == 0
	}
	return squares, n
}

// Every room and every corridor is reached by an agent of 0.6 m: squares without a wall within this distance
// are one connected part.
func TestRoomsAndMazesAreConnected(t *testing.T) {
	for _, kind := range []string{"rooms", "maze"} {
		for seed := range uint64(12) {
			size := 12 + 3*float64(seed)
			lvl, err := Generate(kind, Options{Seed: seed, Size: size})
			if err != nil {
				t.Fatal(err)
			}
			squares, n := free(lvl, math.Min(size, lvl.Bounds().Max.X)) // a maze is whole cells
			const reach = 3                                             // squares: 0.75 m along the axes
			roomy := make([]bool, n*n)
			first, total := -1, 0
			for j := range n {
				for i := range n {
					ok := true
					for v := max(j-reach, 0); v <= min(j+reach, n-1); v++ {
						for u := max(i-reach, 0); u <= min(i+reach, n-1); u++ {
							near := (u-i)*(u-i)+(v-j)*(v-j) <= 6 // 0.6 m
							ok = ok && (!near || squares[v*n+u])
						}
					}
					if roomy[j*n+i] = ok; ok {
						first, total = j*n+i, total+1
					}
				}
			}
			stack := []int{first}
			roomy[first] = false
			reached := 0
			for len(stack) > 0 {
				k := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				reached++
				for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					if i, j := k%n+d[0], k/n+d[1]; i >= 0 && j >= 0 && i < n && j < n && roomy[j*n+i] {
						roomy[j*n+i] = false
						stack = append(stack, j*n+i)
					}
				}
			}
			if reached != total || total < n*n/5 {
				t.Errorf("%s, seed %d, %g m: %d of %d squares are reached, of %d", kind, seed, size, reached, total, n*n)
			}
		}
	}
}

func TestStoreysStackUp(t *testing.T) {
	for _, c := range []struct {
		kind    string
		storeys int
		top     float64
	}{
		{"carpark", 2, 3 + 1.125},
		{"carpark", 0, 9 + 1.125},
		{"carpark", 9, 24 + 1.125},
		{"spiral", 1, 3 + 1.5},
		{"spiral", 0, 6 + 1.5},
		{"spiral", 5, 15 + 1.5},
		{"tower", 2, 6},
		{"tower", 0, 12},
		{"highrise", 5, 15},
		{"catwalks", 4, 10},
	} {
		lvl, err := Generate(c.kind, Options{Storeys: c.storeys})
		if err != nil {
			t.Fatal(err)
		}
		if got := lvl.Bounds().Max.Y; got != c.top {
			t.Errorf("%s with %d storeys: top at %g m, want %g m", c.kind, c.storeys, got, c.top)
		}
	}
}

func TestGenerateRefusesBadOptions(t *testing.T) {
	for _, c := range []struct {
		kind string
		opt  Options
		want string
	}{
		{"castle", Options{}, `unknown kind "castle"; kinds: rooms, maze`},
		{"", Options{}, `unknown kind ""`},
		{"rooms", Options{Size: 3}, "rooms: size is 3 m, must be 10 to 400"},
		{"rooms", Options{Size: math.NaN()}, "rooms: size is NaN m"},
		{"rooms", Options{Size: math.Inf(1)}, "rooms: size is +Inf m"},
		{"rooms", Options{Storeys: 2}, "rooms: 2 storeys, must be 1"},
		{"bridge", Options{Size: 65}, "bridge: size is 65 m, must be 64"},
		{"carpark", Options{Storeys: 1}, "carpark: 1 storeys, must be 2 to 40"},
		{"spiral", Options{Storeys: -1}, "spiral: -1 storeys"},
		{"tower", Options{Storeys: 61}, "tower: 61 storeys, must be 2 to 60"},
		{"tower", Options{Storeys: -2}, "tower: -2 storeys, must be 2 to 60"},
		{"highrise", Options{Size: 1e4}, "highrise: size is 10000 m, must be 56 to 560"},
		{"rough", Options{Steepness: 81}, "rough: steepness is 81°, must be 1 to 80"},
		{"rough", Options{Steepness: -5}, "rough: steepness is -5°"},
		{"rough", Options{Steepness: math.NaN()}, "rough: steepness is NaN°"},
		{"tower", Options{Steepness: 30}, "tower: steepness is 30°, but the kind has none"},
		{"tower", Options{Steepness: math.NaN()}, "tower: steepness is NaN°, but the kind has none"},
		{"ramps", Options{Far: 2e6}, "ramps: 2e+06 m far from the origin, must be -1e+06 to 1e+06"},
		{"ramps", Options{Far: math.NaN()}, "ramps: NaN m far from the origin"},
	} {
		lvl, err := Generate(c.kind, c.opt)
		if err == nil || lvl != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %q", c.kind, c.opt, err, c.want)
		}
	}
}

func TestTriangulateKeepsArea(t *testing.T) {
	for name, ring := range map[string][]pt{
		"triangle":         {{0, 0}, {1, 0}, {0, 1}},
		"square":           rect(0, 0, 2, 2),
		"notch":            {{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}},
		"straight corners": {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {0, 2}, {0, 1}},
		"comb":             {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
		"ring sector":      sector(3, 1, 3),
		"quarter":          quarter(2, 3, 7),
	} {
		tris := triangulate(ring)
		if len(tris) != len(ring)-2 {
			t.Errorf("%s: %d triangles", name, len(tris))
		}
		twice := func(a, b, c pt) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
		var want, got float64
		for i := range ring {
			want += twice(ring[0], ring[i], ring[(i+1)%len(ring)])
		}
		for _, tri := range tris {
			a := twice(ring[tri[0]], ring[tri[1]], ring[tri[2]])
			if a < 0 {
				t.Errorf("%s: triangle %v is turned over", name, tri)
			}
			got += a
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: area %g, want %g", name, got/2, want/2)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, kind := range []string{"rooms", "city", "terrain"} {
		b.Run(kind, func(b *testing.B) {
			n := 0
			for b.Loop() {
				lvl, err := Generate(kind, Options{})
				if err != nil {
					b.Fatal(err)
				}
				n = len(lvl.Triangles)
			}
			if n == 0 {
				b.Fatal("no triangles")
			}
			b.ReportMetric(float64(n), "triangles")
		})
	}
}
