package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// floodRegions returns the regions that portals and links lead to from a region, by the mesh alone. An end of a link on
// a portal belongs to the regions on both sides.
func floodRegions(m *navmesh.Mesh, from int) map[int]bool {
	t := &m.Tiles[0]
	reached := map[int]bool{from: true}
	for changed := true; changed; {
		changed = false
		join := func(a, b int) {
			if reached[a] && !reached[b] {
				reached[b], changed = true, true
			}
		}
		for i := range t.Regions {
			for _, p := range t.RegionPortals(i) {
				join(i, int(p.To))
			}
		}
		for _, l := range m.Links {
			join(l.From.Index(), l.To.Index())
		}
	}
	return reached
}

// ringDistance returns the horizontal distance of a point of the frame from a convex ring, in units.
func ringDistance(ring []lattice.Vertex, x, y float64) float64 {
	inside, least := true, math.Inf(1)
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		dx, dy := index.Sub(b.Point, a.Point)
		px, py := x-float64(a.X), y-float64(a.Y)
		inside = inside && dx*py-dy*px >= 0
		t := min(max((px*dx+py*dy)/(dx*dx+dy*dy), 0), 1)
		least = min(least, math.Hypot(px-t*dx, py-t*dy))
	}
	if inside {
		return 0
	}
	return least
}

// TestPartialPathAgainstBruteForce asks for goals on the mesh and beside the mesh. Complete paths equal the paths of
// Path; other paths end as near to the goal as any reachable region, and are the shortest.
func TestPartialPathAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	complete, partial, beside := 0, 0, 0
	for i := range 200 {
		w := newGrid(t, rng, 2+rng.IntN(9), 2+rng.IntN(9), 0.3+0.3*rng.Float64(), style(i%int(styles)), lattice.Frame{})
		if i%3 == 0 {
			newLinked(t, rng, w, rng.IntN(5), i%2 == 0)
		}
		q := NewIndex(w.mesh).NewQuery()
		for range 8 {
			a, ok := w.draw(rng)
			if !ok {
				continue
			}
			start, goal := w.point(a), w.point(lattice.Point{
				X: rng.Int32N(int32(w.width+6)*w.cell) - 3*w.cell, Y: rng.Int32N(int32(w.height+6)*w.cell) - 3*w.cell,
			})
			goal.Y = max(0, 6*rng.Float64()-4)
			want, wantErr := q.Path(t.Context(), start, goal)
			want = want.Clone()
			got, err := q.PartialPath(t.Context(), start, goal)
			if err != nil || got.Complete != want.Complete {
				t.Fatalf("world %d, %v to %v: complete is %v, of Path %v; %v", i, start, goal, got.Complete, want.Complete, err)
			}
			if want.Complete {
				if complete++; !equal(got, want) {
					t.Fatalf("world %d, %v to %v: %v, want %v", i, start, goal, got, want)
				}
				continue
			}
			partial++
			if wantErr != nil {
				beside++
			}
			x, y, _ := w.mesh.Frame.Local(goal)
			from, _ := q.Locate(start)
			least := math.Inf(1)
			for r := range floodRegions(w.mesh, from.Ref.Index()) {
				least = min(least, ringDistance(w.patches[r].ring, x, y))
			}
			end := got.Points[len(got.Points)-1]
			ex, ey, _ := w.mesh.Frame.Local(end)
			if d := math.Hypot(ex-x, ey-y); d > least+2 || d < least-2 {
				t.Fatalf("world %d, %v to %v: ends at %v, %v units from the goal, the nearest is %v", i, start, goal, end, d, least)
			}
			cost := got.Cost
			known, err := q.PathBetween(t.Context(), from, Position{got.Regions()[len(got.Regions())-1], end})
			if err != nil || !known.Complete || math.Abs(known.Cost-cost) > 1e-9*(1+cost) {
				t.Fatalf("world %d, %v to %v: cost %v, the shortest path to its end costs %v, %v", i, start, end, cost, known.Cost, err)
			}
		}
	}
	if complete < 100 || partial < 100 || beside < 100 {
		t.Errorf("%d complete, %d partial, %d of them beside the mesh", complete, partial, beside)
	}
}

// steps returns a low floor with a link to a high floor, and an unreachable floor between them at the height of the
// high floor.
func steps(t *testing.T) *navmesh.Mesh {
	t.Helper()
	patches := []patch{slab(0, 0, 0, 10, 4, 0, 0), slab(0, 20, 0, 24, 4, 4, 4), slab(0, 12, 0, 16, 4, 4, 4)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	link(m, navmesh.Climb, 0, 1, [2]lattice.Vertex{at(10, 2, 0), at(10, 2, 0)}, [2]lattice.Vertex{at(20, 2, 4), at(20, 2, 4)}, 20)
	return m
}

// TestPartialPathHeights checks that the nearest place depends on heights.
func TestPartialPathHeights(t *testing.T) {
	m := steps(t)
	q := NewIndex(m).NewQuery()
	for _, tt := range []struct {
		name     string
		x, z     float64 // of the goal
		endX     float64
		crossing int
	}{
		{"nearer to the low floor", 12.5, 4, 10, 0},
		{"nearer to the high floor, though seen from above the low one is", 14.5, 4, 20, 1},
		{"below it, beside the mesh", 14.5, 0, 10, 0},
	} {
		path, err := q.PartialPath(t.Context(), ground(m, at(1, 2, 0)), geom.FromGround(tt.x, 2, tt.z))
		if err != nil || path.Complete {
			t.Fatalf("%s: complete is %v, %v", tt.name, path.Complete, err)
		}
		end := path.Points[len(path.Points)-1]
		if math.Abs(end.X-tt.endX) > 0.001 || len(path.Crossings) != tt.crossing {
			t.Errorf("%s: ends at %v over %d links, want x %v, %d", tt.name, end, len(path.Crossings), tt.endX, tt.crossing)
		}
	}
}

// TestPartialPathOverManyParts has more parts with links than the Index tracks.
func TestPartialPathOverManyParts(t *testing.T) {
	const islands, broken = index.MaxReachable + 10, 70
	var patches []patch
	for i := range islands {
		x := float64(3 * i)
		patches = append(patches, slab(0, x, 0, x+2, 2, 0, 0))
	}
	m := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	for i := range islands - 1 {
		if x := float64(3 * i); i != broken {
			link(m, navmesh.Jump, i, i+1, [2]lattice.Vertex{at(x+2, 1, 0), at(x+2, 1, 0)}, [2]lattice.Vertex{at(x+3, 1, 0), at(x+3, 1, 0)}, 2)
		}
	}
	ix := NewIndex(m)
	if ix.geo.Reach.From != nil {
		t.Fatal("the index knows all parts")
	}
	q := ix.NewQuery()
	start, goal := geom.FromGround(1, 1, 0), geom.FromGround(3*islands-2, 1, 0)
	path, err := q.PartialPath(t.Context(), start, goal)
	if err != nil || path.Complete || len(path.Crossings) != broken {
		t.Fatalf("complete is %v, %d links, %v", path.Complete, len(path.Crossings), err)
	}
	if end := path.Points[len(path.Points)-1]; end != geom.FromGround(3*broken+2, 1, 0) {
		t.Errorf("ends at %v", end)
	}
	if path, err := q.PartialPath(t.Context(), start, geom.FromGround(4, 1, 0)); err != nil || !path.Complete {
		t.Errorf("next door: complete is %v, %v", path.Complete, err)
	}
}

// TestPartialPathErrors covers invalid ends.
func TestPartialPathErrors(t *testing.T) {
	ix := NewIndex(bridge(t, lattice.Frame{}))
	q, s := ix.NewQuery(), ix.NewSearch()
	on := geom.FromGround(10, 1, 0)
	for _, tt := range []struct {
		name        string
		start, goal geom.Vec
		want        string // "" for no error
	}{
		{"far away", on, geom.FromGround(-1000, 2000, 50), ""},
		{"start beside the mesh", geom.FromGround(-5, 0, 0), on, "query: off the mesh: start (-5.000, 0.000, 0.000) has no floor within 0.80 m"},
		{"not a number", on, geom.Vec{Y: math.NaN()}, "query: off the mesh: target (0.000, NaN, 0.000) is beyond the frame of the mesh"},
		{"infinite", on, geom.Vec{X: math.Inf(1)}, "query: off the mesh: target (+Inf, 0.000, 0.000) is beyond the frame of the mesh"},
		{"beyond the frame", on, geom.Vec{X: 1e6}, "query: off the mesh: target (1000000.000, 0.000, 0.000) is beyond the frame of the mesh"},
	} {
		path, err := q.PartialPath(t.Context(), tt.start, tt.goal)
		begun := s.Begin(tt.start, tt.goal)
		if tt.want == "" {
			if err != nil || begun != nil || path.Complete || len(path.Points) == 0 {
				t.Errorf("%s: %v, %v, %v", tt.name, path, err, begun)
			}
			continue
		}
		if !errors.Is(err, ErrOffMesh) || err.Error() != tt.want || begun == nil || begun.Error() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.name, err, begun, tt.want)
		}
		if !s.Advance(1) || s.Path().Points != nil {
			t.Errorf("%s: the search goes on", tt.name)
		}
	}
	empty := NewIndex(&navmesh.Mesh{}).NewQuery()
	if _, err := empty.PartialPath(t.Context(), on, on); !errors.Is(err, ErrOffMesh) {
		t.Errorf("a mesh without regions: %v", err)
	}
}

// TestNearestWithin has floors at three heights; the limits choose the floor.
func TestNearestWithin(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 4, 4, 0, 0), slab(1, 2, 0, 6, 4, 3, 3), slab(2, 0, 0, 1, 4, 6, 6)}
	floors := []lattice.TIN{floorOf(patches, 0), floorOf(patches, 1), floorOf(patches, 2)}
	q := NewIndex(stitch(t, lattice.Frame{}, testAgent, patches, floors)).NewQuery()
	for _, tt := range []struct {
		name                 string
		x, z                 float64 // of the point
		across, below, above float64
		wantX, wantZ         float64 // NaN for no place
	}{
		{"on the floor below", 3, 1, 0, 1, 0, 3, 0},
		{"on the floor above", 3, 1, 0, 0, 2, 3, 3},
		{"the nearer of both", 3, 2, 0, 5, 5, 3, 3},
		{"none that high", 3, 1, 0, 0.5, 1.5, math.NaN(), 0},
		{"beside", 7, 0, 4, 9, 9, 4, 0},
		{"beside, not so far", 7, 0, 2, 9, 9, 6, 3},
		{"beside, but only so far", 7, 0, 0.9, 9, 9, math.NaN(), 0},
		{"beside, and so high", 5, 0, 3, 1, 1, 4, 0},
		{"the highest", 3, 6, 2, 1, 1, 1, 6},
		{"at exactly the limits", 5, 0, 1, 0, 0, 4, 0},
		{"wherever", 1000, 500, math.Inf(1), math.Inf(1), math.Inf(1), 6, 3},
		{"a length below zero", 3, 1, -1, 1, 1, math.NaN(), 0},
		{"not a number", 3, 1, 1, math.NaN(), 1, math.NaN(), 0},
		{"no place", math.Inf(1), 1, 1, 1, 1, math.NaN(), 0},
	} {
		pos, ok := q.NearestWithin(geom.FromGround(tt.x, 2, tt.z), tt.across, tt.below, tt.above)
		if ok == math.IsNaN(tt.wantX) || ok && pos.Point.Distance(geom.FromGround(tt.wantX, 2, tt.wantZ)) > 0.001 {
			t.Errorf("%s: %v, %v, want %v at height %v", tt.name, pos, ok, tt.wantX, tt.wantZ)
		}
	}
}

// TestPartialPathUnderFilters closes regions at random: unreachable goals have partial paths to the nearest remaining
// place, and no path enters a closed region.
func TestPartialPathUnderFilters(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	partial := 0
	for i := range 60 {
		w := newGrid(t, rng, 4+rng.IntN(6), 4+rng.IntN(6), 0.1+0.2*rng.Float64(), style(i%int(styles)), lattice.Frame{})
		w.mesh.Marks = []navmesh.Mark{{Name: "shut"}}
		shut := map[int]bool{}
		for r := range w.patches {
			if rng.IntN(3) == 0 {
				shut[r] = true
				w.mesh.Tiles[0].Marked = append(w.mesh.Tiles[0].Marked, navmesh.Marked{Region: uint32(r)})
			}
		}
		ix, err := NewIndex(w.mesh).With(Filter{Closed: []int{0}})
		if err != nil {
			t.Fatal(err)
		}
		q, s := ix.NewQuery(), ix.NewSearch()
		for range 8 {
			a, ok := w.draw(rng)
			b, ok2 := w.draw(rng)
			if !ok || !ok2 {
				break
			}
			start, goal := w.point(a), w.point(b)
			from, ok := q.Locate(start)
			if !ok {
				continue // closed
			}
			path, err := q.PartialPath(t.Context(), start, goal)
			if err != nil {
				t.Fatal(err)
			}
			want := path.Clone()
			if err := s.Begin(start, goal); err != nil {
				t.Fatal(err)
			}
			for !s.Advance(3) {
			}
			if !equal(s.Path(), want) {
				t.Fatalf("world %d: in slices %+v, at once %+v", i, s.Path(), want)
			}
			// By the mesh alone: through portals between open regions.
			reached := map[int]bool{from.Ref.Index(): true}
			for changed := true; changed; {
				changed = false
				for r := range w.patches {
					for _, p := range w.mesh.Tiles[0].RegionPortals(r) {
						if k := int(p.To); reached[r] && !reached[k] && !shut[k] {
							reached[k], changed = true, true
						}
					}
				}
			}
			x, y, _ := w.mesh.Frame.Local(goal)
			least := math.Inf(1)
			for r := range reached {
				least = min(least, ringDistance(w.patches[r].ring, x, y))
			}
			end := want.Points[len(want.Points)-1]
			ex, ey, _ := w.mesh.Frame.Local(end)
			if d := math.Hypot(ex-x, ey-y); math.Abs(d-least) > 2 {
				t.Fatalf("world %d, %v to %v: ends %v units from the goal, the nearest is %v", i, start, goal, d, least)
			}
			for _, r := range want.Regions() {
				if shut[r.Index()] {
					t.Fatalf("world %d: the path goes through %v, which is closed", i, r)
				}
			}
			if least > 0 {
				partial++
			}
		}
	}
	if partial < 60 {
		t.Errorf("only %d partial paths", partial)
	}
}
