package query

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// bordersOf returns the pieces of a world's border, with the free space on their left, from the world's cells or
// triangles alone.
func bordersOf(w world) []index.Wall {
	var out []index.Wall
	switch w := w.(type) {
	case *gridWorld:
		c := w.cell
		for i, blocked := range w.blocked {
			if blocked {
				continue
			}
			x, y := i%w.width, i/w.width
			x0, y0 := int32(x)*c, int32(y)*c
			add := func(free bool, ax, ay, bx, by int32) {
				if !free {
					out = append(out, index.Wall{From: w.vertex(ax, ay).Point, To: w.vertex(bx, by).Point})
				}
			}
			add(!w.at(x, y-1), x0, y0, x0+c, y0)
			add(!w.at(x+1, y), x0+c, y0, x0+c, y0+c)
			add(!w.at(x, y+1), x0+c, y0+c, x0, y0+c)
			add(!w.at(x-1, y), x0, y0+c, x0, y0)
		}
	case *soup:
		for _, tri := range w.free {
			for k := range 3 {
				if a, b := tri[k], tri[(k+1)%3]; w.walls[[2]lattice.Point{b, a}] {
					out = append(out, index.Wall{From: a, To: b})
				}
			}
		}
	}
	return out
}

// sees reports whether the straight way between two points of a world is free.
func sees(w world, a, b lattice.Point) bool {
	switch w := w.(type) {
	case *gridWorld:
		if w.oracle == nil {
			w.oracle = newOracle(w)
		}
		return w.oracle.visible(a, b)
	case *soup:
		return a == b || w.visible(soupNode{at: a}, soupNode{at: b})
	}
	return false
}

// inMesh returns a point of a world's plane in the lattice of its mesh.
func inMesh(w world, p lattice.Point) lattice.Point {
	at, _, _ := w.theMesh().Frame.FromWorld(w.point(p))
	return at
}

// mustLocate returns the place at p.
func mustLocate(tb testing.TB, q *Query, p geom.Vec) Position {
	tb.Helper()
	pos, ok := q.Locate(p)
	if !ok {
		tb.Fatalf("%v is not on the mesh", p)
	}
	return pos
}

// checkCorridor checks that regions follow each other through portals, from one region to another.
func checkCorridor(tb testing.TB, ix *Index, regions []navmesh.Ref, from, to navmesh.Ref) {
	tb.Helper()
	if len(regions) == 0 || regions[0] != from || regions[len(regions)-1] != to {
		tb.Fatalf("the corridor %v does not lead from %v to %v", regions, from, to)
	}
	for i := 1; i < len(regions); i++ {
		t, _, ok := ix.geo.Mesh.Region(regions[i-1])
		if !ok || !slices.ContainsFunc(t.RegionPortals(regions[i-1].Index()), func(p navmesh.Portal) bool {
			return int(p.To) == regions[i].Index()
		}) {
			tb.Fatalf("regions %v and %v are no neighbours", regions[i-1], regions[i])
		}
	}
}

// TestWallsAreTheBorder compares the walls of all regions with the border of the world: their lengths are equal on
// every line and side.
func TestWallsAreTheBorder(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 1))
	for i := range 60 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		type face struct {
			line
			up bool
		}
		count := func(walls []index.Wall) map[face]float64 {
			sums := map[face]float64{}
			for _, v := range walls {
				l, from, to := lineOf(v.From, v.To)
				sums[face{l, from < to}] += math.Abs(float64(to - from))
			}
			return sums
		}
		var walls []index.Wall
		for r := range uint32(ix.geo.RegionLimit()) {
			walls = append(walls, ix.geo.WallsOf(r)...)
		}
		got, want := count(walls), count(bordersOf(w))
		for l := range want {
			if got[l] != want[l] {
				t.Fatalf("world %d: on %v walls of %v, border of %v", i, l, got[l], want[l])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("world %d: walls on %d lines, border on %d", i, len(got), len(want))
		}
	}
}

// TestPositionErrors covers positions of other meshes and targets outside the frame, for all queries that start from a
// position.
func TestPositionErrors(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	q := NewIndex(m).NewQuery()
	in := mustLocate(t, q, geom.FromGround(10, 1, 0))
	other := mustLocate(t, q, geom.FromGround(1, 15, 0))
	to := geom.FromGround(5, 5, 0)
	tests := []struct {
		name string
		from Position
		to   geom.Vec
		want string
	}{
		{"stale", Position{navmesh.MakeRef(0, 0, 9), in.Point}, to, "query: off the mesh: no region is called 0:0@9"},
		{"no such tile", Position{navmesh.MakeRef(3, 0, 1), in.Point}, to, "query: off the mesh: no region is called 3:0@1"},
		{"no such region", Position{navmesh.MakeRef(0, 99, 1), in.Point}, to, "query: off the mesh: no region is called 0:99@1"},
		{"another region", Position{other.Ref, in.Point}, to, "query: off the mesh: region 0:1@1 does not contain (10.000, 0.000, -1.000)"},
		{"position not a number", Position{in.Ref, geom.Vec{X: math.NaN()}}, to, "query: off the mesh: region 0:0@1 does not contain (NaN, 0.000, 0.000)"},
		{"target not a number", in, geom.Vec{X: math.NaN()}, "query: off the mesh: target (NaN, 0.000, 0.000) is beyond the frame of the mesh"},
		{"target out of the frame", in, geom.Vec{X: 3e5}, "query: off the mesh: target (300000.000, 0.000, 0.000) is beyond the frame of the mesh"},
	}
	for _, tt := range tests {
		for name, ask := range positionQueries {
			err := ask(q, tt.from, tt.to)
			if tt.from == in && !aims[name] {
				continue
			}
			if !errors.Is(err, ErrOffMesh) || err.Error() != tt.want {
				t.Errorf("%s: %s: error %v, want %s", tt.name, name, err, tt.want)
			}
		}
	}
}

// positionQueries are the queries that start from a position; queries listed in aims also have a target.
var positionQueries = map[string]func(*Query, Position, geom.Vec) error{
	"Raycast": func(q *Query, from Position, to geom.Vec) error { _, err := q.Raycast(from, to); return err },
	"MoveAlongSurface": func(q *Query, from Position, to geom.Vec) error {
		_, err := q.MoveAlongSurface(from, to)
		return err
	},
	"RandomPointInCircle": func(q *Query, from Position, _ geom.Vec) error {
		_, err := q.RandomPointInCircle(from, 1, rand.New(rand.NewPCG(1, 1)))
		return err
	},
	"PathBetween": func(q *Query, from Position, _ geom.Vec) error {
		_, err := q.PathBetween(context.Background(), from, from)
		return err
	},
	"DistanceToWall": func(q *Query, from Position, _ geom.Vec) error { _, err := q.DistanceToWall(from, 1); return err },
}

var aims = map[string]bool{"Raycast": true, "MoveAlongSurface": true}
