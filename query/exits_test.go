package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// corridorOf returns the exits of the last path of q.
func corridorOf(q *Query) []int32 {
	var exits []int32
	for i := range q.way.Legs {
		l := &q.way.Legs[i]
		if l.Hop != index.None {
			exits = append(exits, int32(q.ix.PortalLimit())+l.Hop)
		}
		for _, p := range q.way.Crossed[l.Begin:l.End] {
			exits = append(exits, int32(p))
		}
	}
	return exits
}

// TestThroughIsThePath checks that the corridor of a path, with and without links, leads along the same path. Points
// that the path passes straight may be present in only one of both.
func TestThroughIsThePath(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(61, 1))
	taken := 0
	for range 300 {
		g := newGrid(t, rng, 3+rng.IntN(7), 3+rng.IntN(7), 0.1+0.3*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
		w := newLinked(t, rng, g, rng.IntN(4), rng.IntN(2) == 0)
		q := NewIndex(w.mesh).NewQuery()
		other := q.own.NewQuery()
		for range 8 {
			a, ok := w.draw(rng)
			b, ok2 := w.draw(rng)
			if !ok || !ok2 {
				continue
			}
			start, ok := q.Locate(w.point(a))
			goal, ok2 := q.Locate(w.point(b))
			if !ok || !ok2 {
				t.Fatalf("%v or %v is not on the mesh", a, b)
			}
			path, err := q.PathBetween(t.Context(), start, goal)
			if err != nil || !path.Complete {
				continue
			}
			// The path may start in another region around the start.
			start.Ref, goal.Ref = path.Regions()[0], path.Regions()[len(path.Regions())-1]
			got, err := other.Through(start, goal, corridorOf(q))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range path.Crossings {
				if c.Link >= 0 {
					taken++
				}
			}
			last, tolerance := len(got.Points)-1, 1e-12*(1+path.Cost)
			if !got.Complete || !slices.Equal(got.Regions(), path.Regions()) || !slices.Equal(got.Crossings, path.Crossings) ||
				math.Abs(got.Length-path.Length) > tolerance || math.Abs(got.Cost-path.Cost) > tolerance ||
				got.Points[0] != path.Points[0] || got.Points[last] != path.Points[len(path.Points)-1] {
				t.Fatalf("from %v to %v: %+v, the path is %+v", start, goal, got, path)
			}
		}
	}
	if taken < 50 {
		t.Errorf("only %d links taken", taken)
	}
}

// TestExits compares with the arrays of the mesh: every portal and every open link is an exit once, and both sides of a
// portal name each other. Closed portals and links are no exits.
func TestExits(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for range 60 {
		g := newGrid(t, rng, 3+rng.IntN(5), 3+rng.IntN(5), 0.2, style(rng.IntN(int(styles))), lattice.Frame{})
		w := newLinked(t, rng, g, 2, false)
		ix := NewIndex(w.mesh)
		if ix.Mesh() != w.mesh {
			t.Fatal("another mesh")
		}
		tile := &w.mesh.Tiles[0]
		byID := map[int32]Exit{}
		links := 0
		for i := range tile.Regions {
			r := navmesh.MakeRef(0, i, tile.Generation)
			exits := ix.Exits(nil, r)
			for k, p := range tile.RegionPortals(i) {
				e := exits[k]
				if e.From != r || e.To.Index() != int(p.To) || e.Link != index.None || e.Left != tile.Vertices[p.Left] || e.Right != tile.Vertices[p.Right] {
					t.Fatalf("portal %d of region %d: %+v", k, i, e)
				}
			}
			for _, e := range exits {
				if _, twice := byID[e.ID]; twice {
					t.Fatalf("two exits are %d", e.ID)
				}
				byID[e.ID] = e
			}
			for _, e := range exits[len(tile.RegionPortals(i)):] {
				l := &w.mesh.Links[e.Link]
				links++
				if e.Back != index.None || e.From != l.From || e.To != l.To || e.Left.Point != l.Start[0].Point || e.Right != e.Left || e.End.Point != l.End[0].Point ||
					math.Abs(e.Cost-float64(l.Cost)) > 1e-6 {
					t.Fatalf("link %d: %+v", e.Link, e)
				}
			}
		}
		if links != len(w.mesh.Links) {
			t.Fatalf("%d of %d links are exits", links, len(w.mesh.Links))
		}
		for id, e := range byID {
			if e.Back == index.None {
				continue
			}
			back := byID[e.Back]
			if back.Back != id || back.From != e.To || back.To != e.From || back.Left.Point != e.Right.Point || back.Right.Point != e.Left.Point {
				t.Fatalf("%+v, and back %+v", e, back)
			}
		}
		shut, err := ix.With(Filter{Include: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for i := range tile.Regions {
			if exits := shut.Exits(nil, navmesh.MakeRef(0, i, tile.Generation)); len(exits) > 0 {
				t.Fatalf("closed, and %+v", exits)
			}
		}
	}
	ix := NewIndex(bridge(t, lattice.Frame{}))
	for _, r := range []navmesh.Ref{0, navmesh.MakeRef(0, 0, 9), navmesh.MakeRef(0, 99, 1), navmesh.MakeRef(3, 0, 1)} {
		if exits := ix.Exits(nil, r); exits != nil {
			t.Errorf("%v has exits %v", r, exits)
		}
		if p, ok := ix.Floor(r, geom.Vec{}); ok {
			t.Errorf("%v has floor at %v", r, p)
		}
	}
}

// TestCorners: the corners of a region are those of the mesh; regions that are closed, stale or foreign have none.
func TestCorners(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	ix := NewIndex(m)
	for slot := range m.Tiles {
		tile := &m.Tiles[slot]
		for i := range tile.Regions {
			ref := navmesh.MakeRef(slot, i, tile.Generation)
			got := ix.Corners(make([]lattice.Vertex, 1), ref)[1:]
			corners := tile.RegionCorners(i)
			if len(got) != len(corners) {
				t.Fatalf("region %v has %d corners, want %d", ref, len(got), len(corners))
			}
			for k, v := range corners {
				if got[k] != tile.Vertices[v] {
					t.Errorf("corner %d of region %v is %v, want %v", k, ref, got[k], tile.Vertices[v])
				}
			}
		}
	}
	for _, ref := range []navmesh.Ref{0, navmesh.MakeRef(0, 0, 99), navmesh.MakeRef(9, 0, 1)} {
		if got := ix.Corners(nil, ref); got != nil {
			t.Errorf("region %v has corners %v", ref, got)
		}
	}
	closed, err := ix.With(Filter{AreaCosts: map[uint8]float64{0: math.Inf(1)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := closed.Corners(nil, navmesh.MakeRef(0, 0, m.Tiles[0].Generation)); got != nil {
		t.Errorf("a closed region has corners %v", got)
	}
}

// TestFloorKeepsTheStorey checks that the floor belongs to the given region, not to the region below.
func TestFloorKeepsTheStorey(t *testing.T) {
	ix := NewIndex(bridge(t, lattice.Frame{}))
	for _, c := range []struct {
		region int
		want   float64
	}{{3, 0}, {6, 3}} { // below the deck, and the deck
		p, ok := ix.Floor(navmesh.MakeRef(0, c.region, 1), geom.FromGround(10, 10, 77))
		if x, y := geom.Ground(p); !ok || math.Abs(p.Y-c.want) > 1e-3 || x != 10 || y != 10 {
			t.Errorf("region %d: %v, want %g", c.region, p, c.want)
		}
	}
	if _, ok := ix.Floor(navmesh.MakeRef(0, 0, 1), geom.Vec{X: math.NaN()}); ok {
		t.Error("there is a floor at NaN")
	}
}

// TestThroughRefuses checks the errors for exits that form no corridor from start to goal.
func TestThroughRefuses(t *testing.T) {
	ix := NewIndex(bridge(t, lattice.Frame{}))
	q := ix.NewQuery()
	on := func(x, y float64) Position {
		p, ok := q.Locate(geom.FromGround(x, y, 0))
		if !ok {
			t.Fatalf("%g, %g is not on the floor", x, y)
		}
		return p
	}
	start, goal := on(1, 1), on(19, 19)
	if _, err := q.PathBetween(t.Context(), start, goal); err != nil {
		t.Fatal(err)
	}
	ways := corridorOf(q)
	if len(ways) == 0 {
		t.Fatal("no corridor")
	}
	last := ix.geo.Portal(uint32(ways[len(ways)-1])).Back
	for _, c := range []struct {
		exits []int32
		want  string
	}{
		{nil, "it ends in region"},
		{ways[:len(ways)-1], "it ends in region"},
		{append(slices.Clone(ways), int32(last)), "it ends in region"},
		{append([]int32{ways[0]}, ways...), "does not lead out of region"},
		{[]int32{-1}, "exit 0 is -1"},
		{[]int32{math.MaxInt32}, "exit 0 is 2147483647"},
	} {
		if _, err := q.Through(start, goal, c.exits); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.exits, err, c.want)
		}
	}
	if _, err := q.Through(Position{}, goal, ways); !errors.Is(err, ErrOffMesh) {
		t.Errorf("from nowhere: %v", err)
	}
	if _, err := q.Through(start, Position{Ref: goal.Ref, Point: geom.Vec{X: math.NaN()}}, ways); !errors.Is(err, ErrOffMesh) {
		t.Errorf("to nowhere: %v", err)
	}
}
