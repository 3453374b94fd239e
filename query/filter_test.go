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
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestClosedRegionsAgainstOracle closes random regions, by marks and by flags, and some links. Costs must equal the
// costs of an oracle that blocks the cells of the closed regions.
func TestClosedRegionsAgainstOracle(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(41, 5))
	const locked = 1 << 9
	asked, apart := 0, 0
	for world := range 200 {
		g := newGrid(t, rng, 3+rng.IntN(6), 3+rng.IntN(6), 0.1+0.2*rng.Float64(), style(rng.IntN(2)), lattice.Frame{})
		w := newLinked(t, rng, g, rng.IntN(5), rng.IntN(2) == 0)
		tile := &g.mesh.Tiles[0]
		g.mesh.Marks = []navmesh.Mark{{Name: "never closed"}, {Name: "gate", Kind: "door", Flags: navmesh.Door.Flag()}}
		blocked := slices.Clone(g.blocked)
		for i := range tile.Regions {
			tile.Marked = append(tile.Marked, navmesh.Marked{Region: uint32(i), Mark: 0})
			if rng.IntN(4) > 0 {
				continue
			}
			if rng.IntN(2) == 0 {
				tile.Marked = append(tile.Marked, navmesh.Marked{Region: uint32(i), Mark: 1})
			} else {
				tile.Regions[i].Flags |= locked
			}
			for c := range blocked {
				middle := w.vertex(int32(c%g.width)*g.cell+g.cell/2, int32(c/g.width)*g.cell+g.cell/2).Point
				if (lattice.Polygon{Rings: []lattice.Ring{ringOf(g.patches[i])}}).Contains(middle) {
					blocked[c] = true
				}
			}
		}
		if !slices.Contains(blocked, false) {
			continue
		}
		shut := gridOf(t, rng, g.width, g.height, blocked, cells, g.m, lattice.Frame{})
		for i, e := range w.ends {
			// At a point where free cells touch only across a corner the oracle would change sides.
			if rng.IntN(4) == 0 || shut.pinched(e[0]) || shut.pinched(e[1]) {
				g.mesh.Links[i].Mark = 2
			}
		}
		full := NewIndex(g.mesh)
		ix, err := full.With(Filter{Exclude: locked, Closed: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		// Two steps give the same result.
		half, err := full.With(Filter{Closed: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		if half, err = half.With(Filter{Exclude: locked}); err != nil {
			t.Fatal(err)
		}
		o := newOracle(shut)
		q, q2 := ix.NewQuery(), half.NewQuery()
		open := func(l int) bool {
			k := &g.mesh.Links[l]
			for _, r := range [2]int{k.From.Index(), k.To.Index()} {
				if tile.Regions[r].Flags&locked != 0 || len(tile.MarksOf(r)) > 1 {
					return false
				}
			}
			return k.Mark == 0
		}
		for range 10 {
			a, ok := shut.draw(rng)
			b, ok2 := shut.draw(rng)
			if !ok || !ok2 {
				continue
			}
			want := w.least(o, a, b, open)
			path, err := q.Path(context.Background(), g.point(a), g.point(b))
			if err != nil {
				t.Fatal(err)
			}
			if path.Complete != !math.IsInf(want, 1) {
				t.Fatalf("world %d, %v to %v: complete is %v, the oracle says %v", world, a, b, path.Complete, want)
			}
			again, err := q2.Path(context.Background(), g.point(a), g.point(b))
			if err != nil || again.Cost != path.Cost {
				t.Errorf("world %d, %v to %v: closed in two steps %v, %v, in one %v", world, a, b, again.Cost, err, path.Cost)
			}
			if !path.Complete {
				apart++
				continue
			}
			asked++
			if math.Abs(path.Cost-want) > 1e-6*(1+want) {
				t.Errorf("world %d, %v to %v: cost %v, the oracle says %v", world, a, b, path.Cost, want)
			}
			checkCosts(t, g.mesh, path)
			for _, r := range path.Regions() {
				if tile.Regions[r.Index()].Flags&locked != 0 || len(tile.MarksOf(r.Index())) > 1 {
					t.Errorf("world %d, %v to %v: through %v, which is closed", world, a, b, r)
				}
			}
		}
	}
	if asked < 500 || apart < 50 {
		t.Errorf("%d paths, %d apart: too few for a test", asked, apart)
	}
}

func ringOf(p patch) lattice.Ring {
	ring := make(lattice.Ring, len(p.ring))
	for i, v := range p.ring {
		ring[i] = v.Point
	}
	return ring
}

// doorway is a mesh of two rooms of 4 m by 4 m with a door of 1 m by 0.5 m between them. A ladder leads from the first
// room to a gallery over the second.
func doorway(t testing.TB) *navmesh.Mesh {
	patches := []patch{
		slab(0, 0, 0, 4, 4, 0, 0), slab(0, 4, 1.5, 4.5, 2.5, 0, 0), slab(0, 4.5, 0, 8.5, 4, 0, 0), slab(1, 4.5, 0, 8.5, 2, 3, 3),
	}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0), floorOf(patches, 1)})
	m.Marks = []navmesh.Mark{
		{Name: "front", Kind: "door", Flags: navmesh.Door.Flag()}, {Name: "", Kind: "ladder", Flags: navmesh.Ladder.Flag()}, {Name: "carpet", Kind: "area"},
	}
	m.Tiles[0].Regions[3].FirstPortal, m.Tiles[0].Regions[3].FirstPassage = 4, 1
	m.Tiles[0].Regions[1].Flags |= navmesh.Door.Flag()
	m.Tiles[0].Marked = []navmesh.Marked{{Region: 0, Mark: 2}, {Region: 1, Mark: 0}, {Region: 1, Mark: 2}}
	foot, head := [2]lattice.Vertex{at(3, 1, 0), at(3, 1, 0)}, [2]lattice.Vertex{at(4.5, 1, 3), at(4.5, 1, 3)}
	link(m, navmesh.Ladder, 0, 3, foot, head, 4)
	link(m, navmesh.Ladder, 3, 0, head, foot, 4)
	for i := range m.Links {
		m.Links[i].Mark = 2
	}
	m.Connect()
	if f := m.Validate(); f != nil {
		t.Fatal(f)
	}
	return m
}

// TestDoor closes a door for paths and for all other queries, and opens the door again.
func TestDoor(t *testing.T) {
	m := doorway(t)
	ix := NewIndex(m)
	from, to := geom.FromGround(1, 2, 0), geom.FromGround(8, 2, 0)
	path := mustPath(t, ix.NewQuery(), from, to)
	want := []Crossing{
		{Link: -1, Mark: 2, From: from, To: geom.FromGround(4.5, 2, 0)},
		{Link: -1, Mark: 0, From: geom.FromGround(4, 2, 0), To: geom.FromGround(4.5, 2, 0)},
	}
	if !slices.Equal(path.Crossings, want) {
		t.Errorf("crossings %+v, want %+v", path.Crossings, want)
	}
	for name, f := range map[string]Filter{
		"by its mark":         {Closed: []int{0}},
		"by its flag":         {Exclude: navmesh.Door.Flag()},
		"too narrow":          {Radius: testAgent.Radius + 0.51},
		"only who may climb":  {Include: navmesh.Ladder.Flag()},
		"nobody, with a flag": {Include: 1 << 20},
	} {
		closed, err := ix.With(f)
		if err != nil {
			t.Fatal(err)
		}
		q := closed.NewQuery()
		if path, err := q.Path(context.Background(), from, to); path.Complete || path.Expanded != 0 || err != nil && !errors.Is(err, ErrOffMesh) {
			t.Errorf("%s: %+v, %v", name, path, err)
		}
		if f.Closed == nil {
			continue
		}
		if pos, ok := q.Locate(geom.FromGround(4.25, 2, 0)); ok {
			t.Errorf("%s: the closed door is at %v", name, pos)
		}
		if pos, ok := q.Nearest(geom.FromGround(4.25, 2, 0), 1); !ok || pos.Ref.Index() == 1 {
			t.Errorf("%s: the closed door is nearest: %v", name, pos)
		}
		start, _ := q.Locate(from)
		if ray, err := q.Raycast(start, to); err != nil || !ray.Hit || math.Abs(ray.End.Point.X-4) > 1e-3 {
			t.Errorf("%s: a ray goes to %v, %v", name, ray, err)
		}
		if move, err := q.MoveAlongSurface(start, to); err != nil || move.Arrived || move.End.Point.X > 4.001 {
			t.Errorf("%s: a move ends at %v, %v", name, move, err)
		}
		wall, err := q.DistanceToWall(Position{start.Ref, geom.FromGround(3.5, 2, 0)}, 10)
		if err != nil || math.Abs(wall.Distance-0.5) > 1e-3 {
			t.Errorf("%s: the wall is at %+v, %v", name, wall, err)
		}
		if _, err := q.Raycast(Position{navmesh.MakeRef(0, 1, 1), geom.FromGround(4.25, 2, 0)}, to); !errors.Is(err, ErrOffMesh) {
			t.Errorf("%s: a ray from the closed door: %v", name, err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			if pos, ok := q.RandomPoint(rng); !ok || pos.Ref.Index() == 1 {
				t.Fatalf("%s: a random place in the closed door", name)
			}
		}
	}
	for name, f := range map[string]Filter{
		"nothing": {}, "wide enough": {Radius: 0.5}, "narrower than the mesh": {Radius: 0.1}, "not there": {Exclude: 1 << 30},
		"the ladder": {Exclude: navmesh.Ladder.Flag()},
	} {
		open, err := ix.With(f)
		if err != nil {
			t.Fatal(err)
		}
		if same := open == ix; same != (name != "the ladder" && name != "wide enough") {
			t.Errorf("%s: the same index is %v", name, same)
		}
		if path := mustPath(t, open.NewQuery(), from, to); math.Abs(path.Cost-7) > 1e-9 {
			t.Errorf("%s: %v", name, path.Cost)
		}
	}
	if _, err := ix.With(Filter{Closed: []int{3}}); err == nil || err.Error() != "query: filter: mark 3 of 3" {
		t.Errorf("a mark that is not there: %v", err)
	}
}

// TestNames makes filters of names and kinds.
func TestNames(t *testing.T) {
	ix := NewIndex(doorway(t))
	tests := []struct {
		name        string
		allow, deny []string
		closed      []int
		err         string
	}{
		{name: "all"},
		{name: "a door by name", deny: []string{"Front"}, closed: []int{0}},
		{name: "doors by kind", deny: []string{"door"}, closed: []int{0}},
		{name: "an area", deny: []string{"carpet"}, closed: []int{2}},
		{name: "only doors", allow: []string{"door"}, closed: []int{1}},
		{name: "only ladders", allow: []string{"ladder"}, closed: []int{0}},
		{name: "both, but one", allow: []string{"ladder", "door"}, deny: []string{"front", "carpet"}, closed: []int{0, 2}},
		{name: "unknown", deny: []string{"back"}, err: `query: filter: navmesh: no mark is called "back", there are "front", "door", "ladder", "carpet", "area"`},
	}
	for _, tt := range tests {
		f, err := ix.Names(tt.allow, tt.deny)
		if err != nil && err.Error() != tt.err || err == nil && (tt.err != "" || !slices.Equal(f.Closed, tt.closed)) {
			t.Errorf("%s: %+v, %v", tt.name, f, err)
		}
	}
}
