package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// pair is a start and a goal.
type pair struct{ start, goal geom.Vec }

// pairs draws pairs of points of a world.
func pairs(rng *rand.Rand, w world, n int) []pair {
	var out []pair
	for range n {
		a, ok := w.draw(rng)
		b, ok2 := w.draw(rng)
		if ok && ok2 {
			out = append(out, pair{w.point(a), w.point(b)})
		}
	}
	return out
}

// TestPathErrors covers ends off the mesh: the error names the end and its position, and ends near enough are no error.
func TestPathErrors(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	q := NewIndex(m).NewQuery()
	on := geom.FromGround(10, 1, 0)
	tests := []struct {
		name        string
		start, goal geom.Vec
		want        string // "" for no error
	}{
		{"both on the mesh", on, geom.FromGround(1, 1, 0), ""},
		{"within radius and climb", geom.FromGround(-0.79, 1, 0), on, ""},
		{"start too far", geom.FromGround(-0.81, 1, 0), on, "query: off the mesh: start (-0.810, 0.000, -1.000) has no floor within 0.80 m"},
		{"goal too far", on, geom.FromGround(10, 1, -0.9), "query: off the mesh: goal (10.000, -0.900, -1.000) has no floor within 0.80 m"},
		{"not a number", geom.Vec{X: math.NaN()}, on, "query: off the mesh: start (NaN, 0.000, 0.000) has no floor within 0.80 m"},
		{"infinite", on, geom.Vec{Y: math.Inf(-1)}, "query: off the mesh: goal (0.000, -Inf, 0.000) has no floor within 0.80 m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, err := q.Path(context.Background(), tt.start, tt.goal)
			if tt.want == "" {
				if err != nil || !path.Complete {
					t.Errorf("complete is %v, error %v", path.Complete, err)
				}
				return
			}
			if !errors.Is(err, ErrOffMesh) || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if path.Complete || path.Points != nil {
				t.Errorf("there is a path: %v", path)
			}
		})
	}
}

// TestUnreachable checks that a goal in another part is no error and needs no search.
func TestUnreachable(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 4, 4, 0, 0), slab(0, 5, 0, 9, 4, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	q := NewIndex(m).NewQuery()
	for _, way := range ways {
		path, err := way.find(q, context.Background(), geom.FromGround(1, 1, 0), geom.FromGround(8, 1, 0))
		if err != nil || !reflect.DeepEqual(path, Path{}) {
			t.Errorf("%s: %v, %v; want nothing", way.name, path, err)
		}
	}
}

// TestPathToItself checks that a path from a place to itself is a point.
func TestPathToItself(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	q := NewIndex(m).NewQuery()
	for _, v := range []lattice.Vertex{at(10, 1, 0), at(2, 10, 0), at(8, 9, 3)} {
		path := mustPath(t, q, ground(m, v), ground(m, v))
		if len(path.Points) != 1 || path.Length != 0 || path.SurfaceLength() != 0 || len(path.Regions()) != 1 {
			t.Errorf("%v: %v", v, path)
		}
	}
}

// TestPathWithoutCorners removes the corner flags of a mesh: paths are still found, though not the shortest.
func TestPathWithoutCorners(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	for i := range m.Tiles[0].Portals {
		p := &m.Tiles[0].Portals[i]
		p.LeftCorner, p.RightCorner = false, false
	}
	q := NewIndex(m).NewQuery()
	for _, goal := range []lattice.Vertex{at(10, 10, 0), at(1, 1, 0), at(19, 10, 0)} {
		mustPath(t, q, ground(m, at(10, 10, 3)), ground(m, goal))
	}
}

// TestPathIsCancelled checks that a nontrivial search checks its context.
func TestPathIsCancelled(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	w := newGrid(t, rng, 20, 20, 0.1, cells, lattice.Frame{})
	q := NewIndex(w.mesh).NewQuery()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := pair{}
	for _, c := range pairs(rng, w, 50) {
		path := mustPath(t, q, c.start, c.goal)
		if len(path.Regions()) > 10 {
			p = c
		}
	}
	for _, way := range ways {
		path, err := way.find(q, ctx, p.start, p.goal)
		if !errors.Is(err, context.Canceled) || path.Complete || !strings.HasPrefix(err.Error(), "query: path: ") {
			t.Errorf("%s: complete is %v, error %v", way.name, path.Complete, err)
		}
	}
	mustPath(t, q, p.start, p.goal)
}

// TestSeveralTiles checks that regions, portals and floors of later tiles have the right Refs.
func TestSeveralTiles(t *testing.T) {
	left := []patch{slab(0, 0, 0, 4, 4, 0, 0), slab(0, 4, 0, 5, 4, 0, 1)}
	right := []patch{slab(0, 10, 0, 12, 4, 2, 2), slab(0, 12, 0, 14, 2, 2, 2), slab(0, 12, 2, 14, 4, 2, 2)}
	m := stitch(t, lattice.Frame{}, testAgent, left, []lattice.TIN{floorOf(left, 0)})
	second := stitch(t, lattice.Frame{}, testAgent, right, []lattice.TIN{floorOf(right, 0)}).Tiles[0]
	second.Generation = 7
	m.Tiles = append(m.Tiles, second)
	q := NewIndex(m).NewQuery()
	path, err := q.Path(context.Background(), geom.FromGround(11, 1, 2), geom.FromGround(13, 3, 2))
	if err != nil || !path.Complete || path.Regions()[0] != navmesh.MakeRef(1, 0, 7) || math.Abs(path.Length-2*math.Sqrt2) > 1e-9 {
		t.Errorf("%+v, %v", path, err)
	}
	if pos, ok := q.Locate(geom.FromGround(4.5, 1, 0.5)); !ok || pos.Ref != navmesh.MakeRef(0, 1, 1) || pos.Point.Y != 0.5 {
		t.Errorf("%+v, %v", pos, ok)
	}
	if path, err := q.Path(context.Background(), geom.FromGround(1, 1, 0), geom.FromGround(13, 3, 2)); err != nil || path.Complete {
		t.Errorf("a path between tiles that nothing joins: %+v, %v", path, err)
	}
}

// TestEveryReachablePairHasAPath checks Complete against a flood over the cells of large worlds.
func TestEveryReachablePairHasAPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for _, density := range []float64{0.2, 0.4, 0.45} {
		w := newGrid(t, rng, 40, 40, density, rectangles, lattice.Frame{})
		part := w.flood()
		q := NewIndex(w.mesh).NewQuery()
		for range 300 {
			a, b := rng.IntN(len(part)), rng.IntN(len(part))
			if part[a] < 0 || part[b] < 0 {
				continue
			}
			middle := func(i int) geom.Vec {
				return w.point(lattice.Point{X: int32(i%w.width)*w.cell + w.cell/2, Y: int32(i/w.width)*w.cell + w.cell/2})
			}
			for _, way := range ways {
				path, err := way.find(q, context.Background(), middle(a), middle(b))
				if err != nil || path.Complete != (part[a] == part[b]) {
					t.Fatalf("%s from cell %d to %d: complete is %v, %v; parts %d and %d", way.name, a, b, path.Complete, err, part[a], part[b])
				}
				if path.Complete {
					checkPath(t, q, path, middle(a), middle(b))
				}
			}
		}
	}
}

// flood numbers the connected parts of a world's cells, -1 for blocked ones.
func (w *gridWorld) flood() []int {
	part := make([]int, len(w.blocked))
	for i := range part {
		part[i] = -1
	}
	for i := range part {
		if part[i] >= 0 || w.blocked[i] {
			continue
		}
		wait := []int{i}
		part[i] = i
		for len(wait) > 0 {
			c := wait[len(wait)-1]
			wait = wait[:len(wait)-1]
			x, y := c%w.width, c/w.width
			for _, n := range [4][2]int{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
				if k := n[1]*w.width + n[0]; !w.at(n[0], n[1]) && part[k] < 0 {
					part[k] = i
					wait = append(wait, k)
				}
			}
		}
	}
	return part
}

// TestPathIsNeverLongerThanOthers compares the two searches on worlds too large for the oracle: the shortest path is
// not longer than the corridor's path, and the corridor's path is not shorter than the straight line.
func TestPathIsNeverLongerThanOthers(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(22, 1))
	worlds := []world{
		newGrid(t, rng, 60, 60, 0.3, rectangles, lattice.Frame{}),
		newGrid(t, rng, 60, 60, 0.15, triangles, lattice.Frame{}),
		newSoup(t, rng, 40, 40, 0.25, lattice.Frame{}),
	}
	for i, w := range worlds {
		q := NewIndex(w.theMesh()).NewQuery()
		for _, c := range pairs(rng, w, 300) {
			path, err := q.Path(context.Background(), c.start, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			shortest := path.Length
			estimate := q.one.Best * lattice.Unit
			if path.Expanded > 0 && math.Abs(estimate-shortest) > 1e-9*(1+shortest) {
				t.Fatalf("world %d: the search promises %v, the path has %v", i, estimate, shortest)
			}
			other, err := q.AStarPath(context.Background(), c.start, c.goal)
			if err != nil || other.Complete != path.Complete {
				t.Fatalf("world %d: complete is %v and %v, %v", i, path.Complete, other.Complete, err)
			}
			if shortest > other.Length*(1+1e-12) {
				t.Fatalf("world %d: %v to %v: %v, but there is a path of %v", i, c.start, c.goal, shortest, other.Length)
			}
		}
	}
}

// TestPathIsSymmetric checks that the way back is as long.
func TestPathIsSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	for i := range 60 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		for _, c := range pairs(rng, w, 20) {
			there, err := q.Path(context.Background(), c.start, c.goal)
			back, err2 := q.Path(context.Background(), c.goal, c.start)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if there.Complete != back.Complete || math.Abs(there.Length-back.Length) > 1e-12*(1+there.Length) {
				t.Fatalf("world %d: there %v, back %v", i, there.Length, back.Length)
			}
		}
	}
}

// TestPathMovesWithTheFrame checks that a mesh a million metres away, or with all its vertices moved
// within the frame, gives the same paths, bit by bit.
func TestPathMovesWithTheFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	for i := range 40 {
		w := newGrid(t, rng, 12, 12, 0.3, style(i%int(styles)), lattice.Frame{})
		near := NewIndex(w.mesh).NewQuery()
		away := *w.mesh
		away.Frame = lattice.Frame{East: 1e6*metre + 1, North: -1e6 * metre, Up: 777}
		far := NewIndex(&away).NewQuery()
		shift := lattice.Point{X: 1 << 28, Y: -1<<28 - 1}
		shifted := NewIndex(shiftMesh(w.mesh, shift)).NewQuery()
		for _, c := range pairs(rng, w, 20) {
			want, err := near.Path(context.Background(), c.start, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			move := away.Frame.ToWorld(lattice.Point{}, 0)
			got, err := far.Path(context.Background(), c.start.Add(move), c.goal.Add(move))
			samePath(t, want, got, err, move)
			move = w.mesh.Frame.ToWorld(shift, 0)
			got, err = shifted.Path(context.Background(), c.start.Add(move), c.goal.Add(move))
			samePath(t, want, got, err, move)
		}
	}
}

// shiftMesh moves all vertices of a level mesh of one tile.
func shiftMesh(m *navmesh.Mesh, by lattice.Point) *navmesh.Mesh {
	tile := m.Tiles[0]
	tile.Vertices = slices.Clone(tile.Vertices)
	for i := range tile.Vertices {
		tile.Vertices[i].X += by.X
		tile.Vertices[i].Y += by.Y
	}
	tile.Layers = []navmesh.Layer{{}}
	return &navmesh.Mesh{Agent: m.Agent, Tiles: []navmesh.Tile{tile}}
}

func samePath(t *testing.T, want, got Path, err error, move geom.Vec) {
	t.Helper()
	if err != nil || want.Complete != got.Complete || want.Length != got.Length || want.Expanded != got.Expanded ||
		!slices.Equal(want.Regions(), got.Regions()) || len(want.Points) != len(got.Points) || len(want.Surface()) != len(got.Surface()) {
		t.Fatalf("moved by %v: %+v, %v, want %+v", move, got, err, want)
	}
	for i, p := range want.Surface() {
		if got.Surface()[i].Distance(p.Add(move)) > 1e-9 {
			t.Fatalf("moved by %v: point %d is %v, want %v moved", move, i, got.Surface()[i], p)
		}
	}
}

// TestPathsOnTheLattice has a corner that the straight line misses by less than 10⁻⁹ units on one side or on the other,
// or meets exactly. Consecutive Fibonacci numbers give directions whose cross product is 1, a difference lost in
// float64 products of this size.
func TestPathsOnTheLattice(t *testing.T) {
	const f41, f42, f43 = 165580141, 267914296, 433494437
	v := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	const m = 1 << 29
	patches := []patch{
		{ring: []lattice.Vertex{v(-m, -m), v(0, 0), v(0, m), v(-m, m)}},
		{ring: []lattice.Vertex{v(0, 0), v(m, 0), v(m, m), v(0, m)}},
		// A second way gives the search work to do.
		{ring: []lattice.Vertex{v(-m, m), v(0, m), v(0, m+1), v(-m, m+1)}},
		{ring: []lattice.Vertex{v(0, m), v(m, m), v(m, m+1), v(0, m+1)}},
	}
	mesh := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	q := NewIndex(mesh).NewQuery()
	tests := []struct {
		name        string
		start, goal lattice.Point
		side        int64 // of the line, with the corner; 1 is left, where the way bends
	}{
		{"the corner is left of the line", lattice.Point{X: -f42, Y: -f41}, lattice.Point{X: f43, Y: f42}, 1},
		{"the corner is on the line", lattice.Point{X: -f42, Y: -f41}, lattice.Point{X: f42, Y: f41}, 0},
		{"the corner is right of the line", lattice.Point{X: -f43, Y: -f42}, lattice.Point{X: f42, Y: f41}, -1},
	}
	for _, tt := range tests {
		o, bends := lattice.Orient(tt.start, tt.goal, lattice.Point{}), tt.side > 0
		if o != tt.side {
			t.Fatalf("%s: it is on side %d", tt.name, o)
		}
		for _, back := range []bool{false, true} {
			a, b := mesh.Frame.ToWorld(tt.start, 0), mesh.Frame.ToWorld(tt.goal, 0)
			if back {
				a, b = b, a
			}
			path, err := q.Path(context.Background(), a, b)
			if err != nil || !path.Complete {
				t.Fatal(err)
			}
			seen := false
			for _, v := range q.one.Views {
				way := index.Towards(q.one.Roots[v.Root].At, q.one.Goal)
				seen = seen || v.Root == 0 && index.Cross(v.Right, way) >= 0 && index.Cross(way, v.Left) >= 0
			}
			if seen == bends {
				t.Errorf("%s, back %v: the start sees the goal is %v, the corner's side %v", tt.name, back, seen, o)
			}
			if len(corners(q.way.Bends)) == 3 != bends {
				t.Errorf("%s, back %v: path %v, the corner's side %v", tt.name, back, q.way.Bends, o)
			}
		}
	}
}

// TestQueriesDoNotDependOnHistory asks the same questions in two orders and a fresh Query each.
func TestQueriesDoNotDependOnHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 1))
	w := newGrid(t, rng, 20, 20, 0.3, rectangles, lattice.Frame{})
	ix := NewIndex(w.mesh)
	asked := pairs(rng, w, 100)
	for _, way := range ways {
		ask := func(q *Query, p pair) Path {
			path, err := way.find(q, context.Background(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			return path.Clone()
		}
		used := ix.NewQuery()
		var want []Path
		for _, p := range asked {
			want = append(want, ask(used, p))
		}
		for _, i := range rng.Perm(len(asked)) {
			if got := ask(used, asked[i]); !equal(got, want[i]) {
				t.Fatalf("%s: again %v, before %v", way.name, got, want[i])
			}
			if got := ask(ix.NewQuery(), asked[i]); !equal(got, want[i]) {
				t.Fatalf("%s: fresh %v, before %v", way.name, got, want[i])
			}
		}
	}
}

// TestQueriesAtOnce asks 64 Queries of one Index, plain and prepared, at the same time. The race detector watches.
func TestQueriesAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 1))
	w := newGrid(t, rng, 20, 20, 0.25, rectangles, lattice.Frame{})
	asked := pairs(rng, w, 40)
	plain := NewIndex(w.mesh)
	prepared, err := plain.Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, ix := range map[string]*Index{"plain": plain, "prepared": prepared} {
		var want []Path
		q := ix.NewQuery()
		for _, p := range asked {
			path, err := q.Path(context.Background(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, path.Clone())
		}
		var wg sync.WaitGroup
		failures := make([]error, 64)
		for g := range failures {
			wg.Go(func() {
				q := ix.NewQuery()
				for i := range asked {
					i = (i + 13*g) % len(asked)
					path, err := q.Path(context.Background(), asked[i].start, asked[i].goal)
					if err != nil || !equal(path, want[i]) {
						failures[g] = fmt.Errorf("goroutine %d, query %d: %v, %w", g, i, path, err)
					}
					pos, ok := q.Locate(asked[i].start)
					if !ok || pos.Ref == 0 {
						failures[g] = fmt.Errorf("goroutine %d: %v is not on the mesh", g, asked[i].start)
					}
					if ray, err := q.Raycast(pos, asked[i].goal); err != nil || ray.Hit == (ray.Fraction == 1) {
						failures[g] = fmt.Errorf("goroutine %d, ray %d: %v, %w", g, i, ray, err)
					}
					if wall, err := q.DistanceToWall(pos, math.Inf(1)); err != nil || !wall.Found {
						failures[g] = fmt.Errorf("goroutine %d, wall %d: %v, %w", g, i, wall, err)
					}
				}
			})
		}
		wg.Wait()
		if err := errors.Join(failures...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCloneIsACopy checks that a Clone outlives the next question.
func TestCloneIsACopy(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	q := NewIndex(m).NewQuery()
	path, _ := q.Path(context.Background(), geom.FromGround(1, 10, 0), geom.FromGround(19, 10, 0))
	kept := path.Clone()
	want := slices.Clone(kept.Points)
	if _, err := q.Path(context.Background(), geom.FromGround(10, 19, 0), geom.FromGround(10, 1, 0)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept.Points, want) || slices.Equal(path.Points, want) {
		t.Errorf("kept %v, want %v; the first answer is now %v", kept.Points, want, path.Points)
	}
}

// TestNoAllocations checks that queries allocate nothing after the first few.
func TestNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	w := newGrid(t, rng, 24, 24, 0.3, rectangles, lattice.Frame{})
	h := hills(t, rng)
	ctx := context.Background()
	tests := []struct {
		name string
		m    *navmesh.Mesh
		ask  []pair
	}{
		{"grid", w.mesh, pairs(rng, w, 20)},
		{"hills", h, []pair{{geom.FromGround(1, 1, 1), geom.FromGround(29, 29, 1)}, {geom.FromGround(1, 29, 1), geom.FromGround(29, 3, 1)}}},
	}
	for _, tt := range tests {
		q := NewIndex(tt.m).NewQuery()
		for i := range tt.ask {
			p := &tt.ask[i]
			for _, end := range []*geom.Vec{&p.start, &p.goal} {
				if at, ok := q.Nearest(*end, 5); ok {
					*end = at.Point
				}
			}
		}
		asks := map[string]func(p pair) bool{
			"Locate":  func(p pair) bool { _, ok := q.Locate(p.start); return ok },
			"Nearest": func(p pair) bool { _, ok := q.Nearest(p.start.Add(geom.Vec{X: 0.3, Y: 0.2}), 2); return ok },
			"Path":    func(p pair) bool { _, err := q.Path(ctx, p.start, p.goal); return err == nil },
			"Surface": func(p pair) bool {
				path, err := q.Path(ctx, p.start, p.goal)
				return err == nil && (!path.Complete || len(path.Surface()) > 0 && path.SurfaceLength() >= 0 && len(path.Regions()) > 0)
			},
			"Corridor": func(p pair) bool { _, err := q.AStarPath(ctx, p.start, p.goal); return err == nil },
			"Raycast": func(p pair) bool {
				pos, _ := q.Locate(p.start)
				_, err := q.Raycast(pos, p.goal)
				return err == nil
			},
			"MoveAlongSurface": func(p pair) bool {
				pos, _ := q.Locate(p.start)
				_, err := q.MoveAlongSurface(pos, p.goal)
				return err == nil
			},
			"DistanceToWall": func(p pair) bool {
				pos, _ := q.Locate(p.start)
				_, err := q.DistanceToWall(pos, math.Inf(1))
				return err == nil
			},
			"PathBetween": func(p pair) bool {
				from, _ := q.Locate(p.start)
				to, _ := q.Locate(p.goal)
				_, err := q.PathBetween(ctx, from, to)
				return err == nil
			},
			"RandomPoint": func(pair) bool { _, ok := q.RandomPoint(rng); return ok },
			"RandomPointInCircle": func(p pair) bool {
				pos, _ := q.Locate(p.start)
				_, err := q.RandomPointInCircle(pos, 3, rng)
				return err == nil
			},
		}
		for _, name := range []string{"Locate", "Nearest", "Path", "Surface", "PathBetween", "Corridor", "Raycast", "MoveAlongSurface", "DistanceToWall", "RandomPoint", "RandomPointInCircle"} {
			run := func() {
				for _, p := range tt.ask {
					if !asks[name](p) {
						t.Fatalf("%s of %v failed", name, p)
					}
				}
			}
			run()
			if n := testing.AllocsPerRun(5, run); n != 0 {
				t.Errorf("%s: %s allocates %v times in %d queries", tt.name, name, n, len(tt.ask))
			}
		}
	}
}

// FuzzPath compares the shortest path with the oracle on worlds and ends drawn by the fuzzer.
func FuzzPath(f *testing.F) {
	f.Add(uint64(1), uint64(0x0123456789abcdef), uint8(8), uint16(0), uint16(0xffff))
	f.Add(uint64(2), uint64(0x8421084210842108), uint8(5), uint16(77), uint16(0x1234))
	f.Fuzz(func(t *testing.T, seed, bits uint64, shape uint8, from, to uint16) {
		rng := rand.New(rand.NewPCG(seed, bits))
		width := 1 + int(shape%8)
		blocked := make([]bool, width*(64/width))
		for i := range blocked {
			blocked[i] = bits>>i&1 != 0
		}
		w := gridOf(t, rng, width, 64/width, blocked, style(seed%uint64(styles)), maps[seed%uint64(len(maps))], lattice.Frame{})
		end := func(n uint16) (lattice.Point, bool) {
			c := int(n) % len(blocked)
			p := lattice.Point{X: int32(c%width) * metre, Y: int32(c/width) * metre}
			p.X += int32(n>>6&7) * metre / 7
			p.Y += int32(n>>9&7) * metre / 7
			return p, !blocked[c] && !w.pinched(p)
		}
		a, ok := end(from)
		b, ok2 := end(to)
		if !ok || !ok2 {
			return
		}
		q := NewIndex(w.mesh).NewQuery()
		path, err := q.Path(context.Background(), w.point(a), w.point(b))
		if err != nil {
			t.Fatal(err)
		}
		want := w.shortest(a, b)
		if path.Complete == math.IsInf(want, 1) || path.Complete && math.Abs(path.Length-want) > 1e-9*(1+want) {
			t.Fatalf("%v to %v: complete is %v, length %v, want %v", a, b, path.Complete, path.Length, want)
		}
		if path.Complete {
			checkPath(t, q, path, w.point(a), w.point(b))
		}
	})
}
