package meadow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

// agreement is what came of asking two meshes for the same paths.
type agreement struct {
	asked    int
	unplaced int // ends that only one of the meshes has
	differ   int // paths that only one of the meshes has
	long     int // paths that differ in length by more than 0.5 %
}

// askBoth asks the mesh that was made wider and the one that was built for paths between random places of the latter.
func askBoth(t *testing.T, wide, built *meadow.Mesh, pairs int) (a agreement) {
	t.Helper()
	qw, qb := wide.NewQuery(), built.NewQuery()
	rng := rand.New(rand.NewPCG(1, 5))
	for range pairs {
		from, _ := qb.RandomPoint(rng)
		to, _ := qb.RandomPoint(rng)
		_, fromIn := qw.Locate(from.Point)
		_, toIn := qw.Locate(to.Point)
		if !fromIn || !toIn {
			a.unplaced++
			continue
		}
		a.asked++
		one, err := qw.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			t.Fatal(err)
		}
		other, err := qb.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case one.Complete != other.Complete:
			a.differ++
		case one.Complete && math.Abs(one.Length-other.Length) > 0.005*other.Length:
			a.long++
		}
	}
	return a
}

// TestWidenAgrees compares with the mesh that is built for the radius: what paths there are, and how long. Ends that
// one mesh has not lie between the chords around a corner. With MEADOW_WIDEN=all it takes all levels, four radii and
// 1,000 pairs for each: minutes.
func TestWidenAgrees(t *testing.T) {
	race.Skip(t)
	all := os.Getenv("MEADOW_WIDEN") == "all"
	kinds, files := []string{"rooms", "stairs", "spiral", "bridge", "arch", "urban"}, []string{"nav_test.obj", "dungeon.obj", "undulating.obj"}
	pairs, radii := 200, []float64{0.4, 1}
	switch {
	case all:
		kinds, files = nil, append(files, "oa_shouse.obj", "sthelens.obj")
		for _, k := range levelgen.Kinds() {
			if k.Name != "halls" { // where links begin is another question: see TestWidenKeeps
				kinds = append(kinds, k.Name)
			}
		}
		pairs, radii = 1000, []float64{0.2, 0.4, 0.6, 1}
	case race.Enabled || testing.Short():
		kinds, files = []string{"stairs", "spiral"}, nil
	}
	compare := func(lvl *level.Level, name string) {
		t.Run(name, func(t *testing.T) {
			opt := meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}, Simplify: -1, KeepAll: true}
			point, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range radii {
				wide, err := point.Widen(t.Context(), r, meadow.WidenOptions{})
				if err != nil {
					t.Fatal(err)
				}
				opt.Agent.Radius = r
				built, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
				if err != nil {
					t.Fatal(err)
				}
				a := askBoth(t, wide, built, pairs)
				t.Logf("radius %g: %+v, %d regions in %.2f s, built %d in %.2f s", r, a, wide.RegionCount(), wide.Report().Seconds.Total, built.RegionCount(), built.Report().Seconds.Total)
				if a.differ > 0 || a.long > 0 || a.unplaced > pairs/50 || a.asked == 0 {
					t.Errorf("radius %g: %+v", r, a)
				}
				if off := math.Abs(wide.Area()/built.Area() - 1); off > 0.001 {
					t.Errorf("radius %g: %.2f m², built %.2f m²", r, wide.Area(), built.Area())
				}
			}
		})
	}
	for _, kind := range kinds {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		compare(lvl, kind)
	}
	for _, name := range files {
		lvl, err := meadow.Open(reallevels.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		compare(lvl, name)
	}
}

// TestWidenKeepsDistance asks the mesh for a point how far walls are, over the floor that is connected: places nearer
// than the radius are not on the mesh that was made wider, and places farther than it and the tolerance of arcs are.
func TestWidenKeepsDistance(t *testing.T) {
	race.Skip(t)
	const arcs, rounding = 0.05, 0.002
	kinds := []string{"rooms", "stairs", "spiral", "carpark", "arch", "bridge"}
	if race.Enabled || testing.Short() {
		kinds = []string{"stairs", "spiral"}
	}
	for _, kind := range kinds {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		point, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := point.Validate(); len(faults) > 0 {
			t.Errorf("%s: %v", kind, faults)
		}
		q := point.NewQuery()
		for _, r := range []float64{0.3, 0.8} {
			wide, err := point.Widen(t.Context(), r, meadow.WidenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if faults := wide.Validate(); len(faults) > 0 {
				t.Errorf("%s, radius %g: %v", kind, r, faults)
			}
			qw := wide.NewQuery()
			rng := rand.New(rand.NewPCG(2, 3))
			in, out := 0, 0
			for range 4000 {
				p, _ := q.RandomPoint(rng)
				w, err := q.DistanceToWall(p, r+1)
				if err != nil {
					t.Fatal(err)
				}
				_, there := qw.Locate(p.Point)
				switch {
				case w.Found && w.Distance < r-rounding:
					out++
					if there {
						t.Errorf("%s, radius %g: %v is %.4f m from a wall at %v", kind, r, p.Point, w.Distance, w.Nearest.Point)
					}
				case !w.Found || w.Distance > r+arcs+rounding:
					in++
					if !there {
						t.Errorf("%s, radius %g: %v is left out, the next wall is %.4f m away at %v", kind, r, p.Point, w.Distance, w.Nearest.Point)
					}
				}
			}
			if in == 0 || out == 0 {
				t.Errorf("%s, radius %g: %d in, %d out", kind, r, in, out)
			}
		}
	}
}

// doorLevel is two rooms of 10 m and a passage of 2 m length between them, some metres wide.
func doorLevel(width float64) *level.Level {
	lvl := &level.Level{Name: "door"}
	quad := func(x0, x1, z0, z1 float64) {
		first := uint32(len(lvl.Vertices))
		for _, v := range [4][2]float64{{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}} {
			lvl.Vertices = append(lvl.Vertices, meadow.Vec{X: v[0], Z: v[1]})
		}
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: first, B: first + 1, C: first + 2, Material: level.NoMaterial}, level.Triangle{A: first, B: first + 2, C: first + 3, Material: level.NoMaterial})
	}
	quad(0, 10, 0, -10)
	quad(10, 12, -5, -5-width)
	quad(12, 22, 0, -10)
	return lvl
}

// TestWidenDoor: a door that is a lattice unit too narrow, just right, and a unit too wide, as for the mesh that is
// built for the radius.
func TestWidenDoor(t *testing.T) {
	const unit = 1.0 / 4096
	const r = 0.5
	for _, more := range []float64{-8, -1, 0, 1, 8} {
		lvl := doorLevel(2*r + more*unit)
		opt := meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}, Simplify: -1, KeepAll: true}
		point, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := point.Widen(t.Context(), r, meadow.WidenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opt.Agent.Radius = r
		built, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if wide.Components != built.Components || more < -4 && wide.Components != 2 || more > 4 && wide.Components != 1 {
			t.Errorf("%g units more than the agent is wide: %d parts, built %d", more, wide.Components, built.Components)
		}
	}
}

// TestWidenKeeps: areas, names, flags and marks are those of the mesh, at every place, and links of each kind are there.
func TestWidenKeeps(t *testing.T) {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	point, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// A mesh with flags of its own.
	flagged := *point.Mesh
	flagged.Tiles = append([]navmesh.Tile(nil), flagged.Tiles...)
	regions := append([]navmesh.Region(nil), flagged.Tiles[0].Regions...)
	for i := range regions {
		regions[i].Flags |= 1 << (8 + i%3)
		regions[i].Area = uint8(i % 2)
	}
	flagged.Tiles[0].Regions = regions
	flagged.Areas = []string{"floor", "carpet"}
	for _, m := range []*meadow.Mesh{point, meadow.Wrap(&flagged)} {
		wide, err := m.Widen(t.Context(), 0.3, meadow.WidenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := wide.Validate(); len(faults) > 0 {
			t.Fatal(faults[0])
		}
		if fmt.Sprint(wide.Marks, wide.Areas) != fmt.Sprint(m.Marks, m.Areas) {
			t.Errorf("%v %v became %v %v", m.Marks, m.Areas, wide.Marks, wide.Areas)
		}
		q, qw := m.NewQuery(), wide.NewQuery()
		rng := rand.New(rand.NewPCG(1, 1))
		for range 2000 {
			at, _ := qw.RandomPoint(rng)
			was, ok := q.Locate(at.Point)
			_, now, _ := wide.Region(at.Ref)
			_, before, found := m.Region(was.Ref)
			if !ok || !found || now.Flags != before.Flags || now.Area != before.Area {
				w, _ := q.DistanceToWall(was, 1)
				t.Fatalf("at %v: %+v, before %v %+v, wall %v", at.Point, now, found, before, w.Distance)
			}
		}
		kinds := map[navmesh.LinkKind]int{}
		for _, l := range wide.Links {
			kinds[l.Kind]++
			if l.Flags != l.Kind.Flag() || l.Mark == 0 || wide.Marks[l.Mark-1].Flags&l.Flags == 0 {
				t.Errorf("%+v", l)
			}
		}
		if kinds[navmesh.Ladder] != 2 || kinds[navmesh.Lift] != 2 || kinds[navmesh.Drop] == 0 {
			t.Errorf("links: %v", kinds)
		}
	}
}

// TestWidenFindsLinks: links are where a build for the wider agent has them. The ladder of the halls is 75 cm wide; it is there for
// everybody, like in a build. Who falls from the gallery comes down past its edge with the whole body.
func TestWidenFindsLinks(t *testing.T) {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opt := meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}, Simplify: -1}
	point, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, radius := range []float64{0.1, 0.25, 0.4, 0.6} {
		wide, err := point.Widen(t.Context(), radius, meadow.WidenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opt.Agent.Radius = radius
		built, err := meadow.BuildWith(t.Context(), lvl, opt, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k, l := range wide.Links {
			// Each starts and ends where one of the build does, up to chords around corners.
			least := math.Inf(1)
			for _, b := range built.Links {
				if b.Kind != l.Kind {
					continue
				}
				off := 0.0
				for i := range 2 {
					off = max(off, apart(l.Start[i].Point, b.Start), apart(l.End[i].Point, b.End))
				}
				least = min(least, off)
			}
			if most := 0.3; least > most {
				t.Errorf("radius %g: link %d, a %v from %v to %v, is %.2f m from any built", radius, k, l.Kind, l.Start, l.End, least)
			}
			if away := l.Start[0].Distance(l.End[0].Point) * lattice.Unit; l.Kind == navmesh.Drop && away < 2*radius-0.01 {
				t.Errorf("radius %g: link %d, a drop from %v to %v: the body does not pass the edge", radius, k, l.Start, l.End)
			}
		}
		wides, builts := widths(wide.Links), widths(built.Links)
		for _, kind := range []navmesh.LinkKind{navmesh.Ladder, navmesh.Lift, navmesh.Drop} {
			w, b := wides[kind], builts[kind]
			if w[1] != b[1] || math.Abs(w[0]-b[0]) > 0.1*b[0] || w == [2]float64{} {
				t.Errorf("radius %g: %v: %v m wide, and %v points; built %v, %v", radius, kind, w[0], w[1], b[0], b[1])
			}
		}
	}
}

// apart returns how far a point is from a segment, in metres.
func apart(p lattice.Point, s [2]lattice.Vertex) float64 {
	dx, dy := float64(s[1].X-s[0].X), float64(s[1].Y-s[0].Y)
	x, y := float64(p.X-s[0].X), float64(p.Y-s[0].Y)
	if long := dx*dx + dy*dy; long > 0 {
		t := min(max((x*dx+y*dy)/long, 0), 1)
		x, y = x-t*dx, y-t*dy
	}
	return math.Hypot(x, y) * lattice.Unit
}

// widths returns how wide the links of each kind are together, in metres, and how many points there are.
func widths(links []navmesh.Link) map[navmesh.LinkKind][2]float64 {
	out := map[navmesh.LinkKind][2]float64{}
	for _, l := range links {
		w := out[l.Kind]
		if long := l.Start[0].Distance(l.Start[1].Point) * lattice.Unit; long > 0 {
			w[0] += long
		} else {
			w[1]++
		}
		out[l.Kind] = w
	}
	return out
}

// TestWidenDoesNotDependOnJobs compares the files.
func TestWidenDoesNotDependOnJobs(t *testing.T) {
	lvl, err := levelgen.Generate("carpark", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	point, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: meadow.Agent{Radius: meadow.PointRadius, MaxGap: crack}}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var files [2]bytes.Buffer
	for i, jobs := range []int{1, 5} {
		wide, err := point.Widen(t.Context(), 0.5, meadow.WidenOptions{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if err := wide.Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("files differ")
	}
}

// TestWidenErrors tries what cannot be.
func TestWidenErrors(t *testing.T) {
	mesh, err := meadow.BuildWith(t.Context(), doorLevel(2), meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.4}}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	same, err := mesh.Widen(t.Context(), 0.4, meadow.WidenOptions{})
	if err != nil || same != mesh {
		t.Errorf("for its own radius: %v", err)
	}
	for _, r := range []float64{math.NaN(), math.Inf(1), -1, 0, 0.3, 1000} {
		if _, err := mesh.Widen(t.Context(), r, meadow.WidenOptions{}); err == nil {
			t.Errorf("radius %g", r)
		}
	}
	if _, err := mesh.Widen(t.Context(), 50, meadow.WidenOptions{}); !errors.Is(err, meadow.ErrTooWide) {
		t.Errorf("too wide: %v", err)
	}
	if _, err := mesh.Widen(t.Context(), 0.5, meadow.WidenOptions{Jobs: -1}); err == nil {
		t.Error("no such number of jobs")
	}
	if _, err := mesh.Widen(t.Context(), 0.5, meadow.WidenOptions{Simplify: math.NaN()}); err == nil {
		t.Error("simplified by no number")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mesh.Widen(ctx, 0.5, meadow.WidenOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	empty := meadow.Wrap(&navmesh.Mesh{Agent: mesh.Agent})
	if _, err := empty.Widen(t.Context(), 1, meadow.WidenOptions{}); !errors.Is(err, meadow.ErrTooWide) {
		t.Errorf("empty: %v", err)
	}
}
