package brep

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
)

// The laws of all extractors, on scenes that are of solids and of terrain.

func TestExtractSquare(t *testing.T) { floortest.ExtractSquare(t, Extract) }

func TestBorderDistance(t *testing.T) { floortest.BorderDistance(t, Extract, exact.OffsetTolerance) }
func TestPassageWidth(t *testing.T)   { floortest.PassageWidth(t, Extract) }
func TestStepsAndClimb(t *testing.T)  { floortest.StepsAndClimb(t, Extract) }
func TestHeadroom(t *testing.T)       { floortest.Headroom(t, Extract) }
func TestExtractValidPlans(t *testing.T) {
	race.Skip(t)
	floortest.ExtractValidPlans(t, Extract)
}
func TestKeepAndSeeds(t *testing.T) { floortest.KeepAndSeeds(t, Extract) }
func TestTreadsNarrowerThanTheAgent(t *testing.T) {
	floortest.TreadsNarrowerThanTheAgent(t, Extract)
}

// Changes that must not affect a plan, for triangles without solids.
func TestExtractDoesNotDependOn(t *testing.T) { floortest.ExtractDoesNotDependOn(t, Extract) }

// Nor does the order of solids and of their planes, nor the names of materials that are not there.
func TestOrderOfSolidsDoesNotMatter(t *testing.T) {
	race.Skip(t)
	s := scattered(3, 40)
	opt := floorplan.Options{KeepAll: true}
	want, err := Extract(t.Context(), &s.Level, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(s.Solids), func(i, j int) { s.Solids[i], s.Solids[j] = s.Solids[j], s.Solids[i] })
	for i := range s.Solids {
		p := s.Solids[i].Planes
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	}
	opt.Jobs = 3
	got, err := Extract(t.Context(), &s.Level, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Error("another plan")
	}
}

func TestErrors(t *testing.T) {
	open := &floortest.Scene{Level: level.Level{Name: "open"}}
	open.Floor(0, 0, 5, 5, 0)
	first := len(open.Triangles)
	open.Wall(1, 1, 4, 4, 0, 3)
	open.Objects = []level.Object{{Name: "floor", Count: first}, {Name: "screen", First: first, Count: 2}}

	endless := &scene{level.Level{Name: "endless"}}
	endless.block(0, 0, 0, 1, 1, 1)
	endless.Solids[0].Planes = endless.Solids[0].Planes[:5]
	long := &scene{level.Level{Name: "long"}}
	long.block(0, 0, 0, 1, 1, 1)
	long.Solids[0].Planes[2].Normal = geom.Vec{X: 3}
	thin := &scene{level.Level{Name: "thin"}}
	thin.block(0, 0, 0, 1, 1, 1e-5)
	distant := &floortest.Scene{Level: level.Level{Name: "distant"}}
	distant.Floor(0, 0, 1, 1, 0)
	distant.Floor(300000, 0, 300001, 1, 0)
	narrow := &scene{level.Level{Name: "narrow"}}
	narrow.block(0, 0, 0, 0.5, 9, 1)
	for _, c := range []struct {
		lvl  *level.Level
		want string
	}{
		{&level.Level{Name: "empty"}, `level "empty" has no triangles`},
		{&open.Level, `brep: level "open": object 1 "screen" is neither solid nor terrain: triangle 2 at (1.000, 0.000, -1.000) has an edge that no other`},
		{&endless.Level, `brep: level "endless": solid 0: the solid has no end`},
		{&long.Level, `brep: level "long": solid 0: plane 2 of normal (3`},
		{&thin.Level, `thinner than the lattice`},
		{&distant.Level, `300001 m long along x, the lattice holds`},
		{&narrow.Level, "no place for the agent's radius"},
	} {
		_, err := Extract(t.Context(), c.lvl, floortest.Agent, floorplan.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.lvl.Name, err, c.want)
		}
	}
}

// A solid whose triangles all face inwards is a solid.
func TestInsideOut(t *testing.T) {
	s := &floortest.Scene{}
	s.Box(0, 0, 0, 5, 5, 1)
	want, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, tri := range s.Triangles {
		s.Triangles[i].B, s.Triangles[i].C = tri.C, tri.B
	}
	got, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Error("another plan")
	}
}

// Triangles besides the solids take part: a heap of them is an obstacle, terrain is floor.
func TestTrianglesBesidesSolids(t *testing.T) {
	s := &scene{level.Level{Name: "besides"}}
	s.block(0, 0, -1, 10, 10, 0)
	before, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(v ...geom.Vec) {
		n := uint32(len(s.Vertices))
		s.Vertices = append(s.Vertices, v...)
		for k := 2; k < len(v); k++ {
			s.Triangles = append(s.Triangles, level.Triangle{A: n, B: n + uint32(k) - 1, C: n + uint32(k), Material: level.NoMaterial})
		}
	}
	at := geom.FromGround
	add(at(5, 0, 0), at(5, 10, 0), at(5, 10, 3), at(5, 0, 3))           // a screen across
	add(at(10, 0, 0), at(15, 0, 0.5), at(15, 10, 0.5), at(10, 10, 0))   // a slope that goes on
	add(at(15, 0, 0.5), at(15, 0, -1), at(15, 10, -1), at(15, 10, 0.5)) // its end
	after, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	if after.Components != 2 {
		t.Errorf("%d components beside the screen", after.Components)
	}
	if a, b := floortest.Area(before), floortest.Area(after); b < a+5*9.2-2*0.8*9.2 {
		t.Errorf("area %.1f, then %.1f", a, b)
	}
}

// The floor of solids equals the floor of their triangles by the exact extractor: as many components, and areas
// within the tolerance of both borders.
func TestAgreementWithExact(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 5)) {
		s := scattered(seed, 20+int(seed*7%40))
		opt := floorplan.Options{KeepArea: 2}
		ours, err := Extract(t.Context(), &s.Level, floortest.Agent, opt)
		if err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
		theirs, err := exact.Extract(t.Context(), &s.Level, floortest.Agent, opt)
		if err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
		floortest.CheckPlan(t, ours)
		a, b := floortest.Area(ours), floortest.Area(theirs)
		if ours.Components != theirs.Components || a < 0.97*b || a > 1.03*b {
			t.Errorf("scene %d: %d components, %.2f m²; exact: %d, %.2f m²", seed, ours.Components, a, theirs.Components, b)
		}
	}
}

// A closed map: a face without triangles is no floor.
func TestFacesWithoutTrianglesAreNoFloor(t *testing.T) {
	s := &scene{level.Level{Name: "closed"}}
	s.block(0, 0, -1, 10, 10, 0)
	s.block(0, 0, 3, 10, 10, 4)
	for _, w := range [][4]float64{{-1, -1, 0, 11}, {10, -1, 11, 11}, {-1, -1, 11, 0}, {-1, 10, 11, 11}} {
		s.block(w[0], w[1], -1, w[2], w[3], 4)
	}
	opt := floorplan.Options{KeepAll: true}
	whole, err := Extract(t.Context(), &s.Level, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMesh(t.Context(), &s.Level, floortest.Agent, MeshOptions{Rule: Sphere})
	if err != nil {
		t.Fatal(err)
	}
	if a := floortest.Area(whole); whole.Components != 2 || a < 200 || m.area(0) < 200 {
		t.Errorf("with its roof: %d components, %.1f m², a mesh of %.1f m²", whole.Components, a, m.area(0))
	}
	// Only the triangles visible from inside.
	s.Triangles = slices.DeleteFunc(s.Triangles, func(tri level.Triangle) bool {
		a, b, c := s.Vertices[tri.A], s.Vertices[tri.B], s.Vertices[tri.C]
		return b.Sub(a).Cross(c.Sub(a)).Dot(geom.FromGround(5, 5, 1.5).Sub(a)) < 0
	})
	inner, err := Extract(t.Context(), &s.Level, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	if a := floortest.Area(inner); inner.Components != 1 || a < 84 || a > 85 {
		t.Errorf("from inside: %d components, %.1f m²", inner.Components, a)
	}
	if m, err = NewMesh(t.Context(), &s.Level, floortest.Agent, MeshOptions{Rule: Sphere}); err != nil {
		t.Fatal(err)
	}
	if a := m.area(0); a < 84 || a > 85 {
		t.Errorf("from inside: a mesh of %.1f m²", a)
	}
}

// Real solids: the floor of a Quake 3 map equals the floor of its triangles.
func TestBrushes(t *testing.T) {
	file, err := os.Open("../../level/bsp/testdata/room.bsp")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lvl, err := bsp.Decode(file, "room", bsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The format has other units and axes; the agent is a player in the format's units.
	for i, v := range lvl.Vertices {
		lvl.Vertices[i] = geom.Vec{X: v.X, Y: v.Z, Z: -v.Y}.Scale(bsp.Unit)
	}
	for i := range lvl.Solids {
		for k, p := range lvl.Solids[i].Planes {
			lvl.Solids[i].Planes[k].Normal, lvl.Solids[i].Planes[k].Offset = geom.Vec{X: p.Normal.X, Y: p.Normal.Z, Z: -p.Normal.Y}, p.Offset*bsp.Unit
		}
	}
	opt := floorplan.Options{KeepArea: 1}
	ours, err := Extract(t.Context(), lvl, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := exact.Extract(t.Context(), lvl, floortest.Agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := floortest.Area(ours), floortest.Area(theirs); math.Abs(a-b) > 0.2 || a < 200 || ours.Components != theirs.Components {
		t.Errorf("%d components, %.2f m²; exact: %d, %.2f m²", ours.Components, a, theirs.Components, b)
	}
}
