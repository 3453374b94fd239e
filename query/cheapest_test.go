package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
)

// halves is a mesh of two squares of 10 m side by side, of areas 0 and 1.
func halves(t testing.TB) *navmesh.Mesh {
	patches := []patch{slab(0, 0, 0, 10, 10, 0, 0), slab(0, 10, 0, 20, 10, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	m.Tiles[0].Regions[1].Area = 1
	return m
}

// TestSnell checks the law of refraction at a straight border: sines are inversely proportional to costs.
func TestSnell(t *testing.T) {
	m := halves(t)
	rng := rand.New(rand.NewPCG(8, 1))
	for _, cost := range []float64{2, 1.01, 0.5, 7, 0.02} {
		q := withCosts(t, m, map[uint8]float64{1: cost}).NewQuery()
		for range 20 {
			from, to := geom.FromGround(9*rng.Float64(), 3+4*rng.Float64(), 0), geom.FromGround(11+9*rng.Float64(), 3+4*rng.Float64(), 0)
			path := mustPath(t, q, from, to)
			if len(path.Points) != 3 || math.Abs(path.Points[1].X-10) > 1e-9 {
				t.Fatalf("cost %v: %v", cost, path.Points)
			}
			if y := -path.Points[1].Z; y < 0.01 || y > 9.99 {
				continue // over the end of the border
			}
			sine := func(a, b geom.Vec) float64 { return (b.Z - a.Z) / math.Hypot(b.X-a.X, b.Z-a.Z) }
			in, out := sine(path.Points[0], path.Points[1]), sine(path.Points[1], path.Points[2])
			if math.Abs(in-cost*out) > 1e-6*max(1, cost) {
				t.Errorf("cost %v: sines %v and %v, %v", cost, in, out, path.Points)
			}
		}
	}
}

// TestAlongTheBorder has a way that costs less along the far side of a border than straight: out, along, and back.
func TestAlongTheBorder(t *testing.T) {
	m := halves(t)
	q := withCosts(t, m, map[uint8]float64{0: 5}).NewQuery()
	q.Epsilon = 1e-5
	path := mustPath(t, q, geom.FromGround(9, 1, 0), geom.FromGround(9, 9, 0))
	// At the critical angle the sine is 1/5: each way to the border costs 5/cos, and saves its tangent.
	cos := math.Sqrt(1 - 1.0/25)
	want := 2*5/cos + 8 - 2*0.2/cos
	if math.Abs(path.Cost-want) > 1e-6*want {
		t.Errorf("cost %v, want %v: %v", path.Cost, want, path.Points)
	}
	areas := []uint8{}
	for _, g := range path.Grounds {
		areas = append(areas, g.Area)
	}
	if !slices.Equal(areas, []uint8{0, 1, 0}) {
		t.Errorf("grounds %+v", path.Grounds)
	}
}

// TestCorridorKnowsTheLastGround has costly ground around the goal: the corridor search goes around the ground, not straight
// through.
func TestCorridorKnowsTheLastGround(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 2, 12, 0, 0), slab(0, 2, 0, 22, 2, 0, 0), slab(0, 22, 0, 24, 12, 0, 0), slab(0, 2, 2, 22, 12, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	m.Tiles[0].Regions[3].Area = 1
	q := withCosts(t, m, map[uint8]float64{1: 10}).NewQuery()
	path, err := q.AStarPath(t.Context(), geom.FromGround(1, 7, 0), geom.FromGround(21.5, 7, 0))
	if err != nil || !path.Complete || !(path.Cost < 45) {
		t.Errorf("a way of cost %v, error %v: around the costly ground a way costs about 36, straight through 196", path.Cost, err)
	}
}

// TestGrounds checks the grounds of a path over three strips.
func TestGrounds(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 4, 4, 0, 0), slab(0, 4, 0, 6, 4, 0, 0), slab(0, 6, 0, 7, 4, 0, 0), slab(0, 7, 0, 9, 4, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	for i, a := range []uint8{7, 3, 3, 7} {
		m.Tiles[0].Regions[i].Area = a
	}
	from, to := geom.FromGround(1, 2, 0), geom.FromGround(8, 2, 0)
	want := []Ground{
		{7, from, geom.FromGround(4, 2, 0), 3, 3},
		{3, geom.FromGround(4, 2, 0), geom.FromGround(7, 2, 0), 3, 3},
		{7, geom.FromGround(7, 2, 0), to, 1, 1},
	}
	plain := NewIndex(m)
	if path := mustPath(t, plain.NewQuery(), from, to); !slices.Equal(path.Grounds, want) || len(path.Points) != 2 {
		t.Errorf("%+v", path)
	}
	q := withCosts(t, m, map[uint8]float64{3: 4}).NewQuery()
	for i := range want {
		if want[i].Area == 3 {
			want[i].Cost *= 4
		}
	}
	path := mustPath(t, q, from, to)
	if len(path.Grounds) != len(want) || len(path.Points) != 4 || path.Cost != 16 {
		t.Fatalf("%+v", path)
	}
	for i, g := range path.Grounds {
		w := want[i]
		if g.Area != w.Area || g.From.Distance(w.From) > 1e-6 || g.To.Distance(w.To) > 1e-6 || math.Abs(g.Length-w.Length) > 1e-6 || math.Abs(g.Cost-w.Cost) > 1e-6 {
			t.Errorf("ground %d is %+v, want %+v", i, g, w)
		}
	}
	if path := mustPath(t, q, from, from); path.Cost != 0 || path.Ratio() != 1 || len(path.Grounds) != 1 {
		t.Errorf("to itself: %+v", path)
	}
	kept := path.Clone()
	mustPath(t, q, geom.FromGround(1, 1, 0), geom.FromGround(2, 1, 0))
	if kept.Grounds[1].Area != 3 {
		t.Errorf("the copy is %+v", kept.Grounds)
	}
}

// TestEvenGround checks that equal costs of all areas scale the exact search, with links at their own costs.
func TestEvenGround(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for world := range 60 {
		g := newGrid(t, rng, 2+rng.IntN(6), 2+rng.IntN(6), 0.3*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
		paint(rng, g.mesh, 3)
		w := newLinked(t, rng, g, rng.IntN(4), world%2 == 0)
		full := NewIndex(g.mesh)
		if ix, err := full.With(Filter{AreaCosts: map[uint8]float64{0: 1, 2: 1}}); err != nil || ix != full {
			t.Fatalf("costs of 1 make another index: %v", err)
		}
		cost := []float64{0.25, 3}[rng.IntN(2)]
		ix := withCosts(t, g.mesh, map[uint8]float64{0: cost, 1: cost, 2: cost})
		scaled := *g.mesh
		scaled.Links = slices.Clone(scaled.Links)
		for i := range scaled.Links {
			scaled.Links[i].Cost /= float32(cost)
		}
		w.mesh = &scaled
		o := newOracle(g)
		q, plain := ix.NewQuery(), full.NewQuery()
		for range 10 {
			a, ok := g.draw(rng)
			b, ok2 := g.draw(rng)
			if !ok || !ok2 {
				continue
			}
			path := q.mustPath(t, g.point(a), g.point(b))
			want := cost * w.least(o, a, b, func(int) bool { return true })
			if path.Complete == math.IsInf(want, 1) {
				t.Fatalf("world %d, %v to %v: complete is %v, the oracle says %v", world, a, b, path.Complete, want)
			}
			if path.Complete && (math.Abs(path.Cost-want) > 1e-6*(1+want) || path.LowerBound != path.Cost) {
				t.Errorf("world %d, %v to %v: cost %v, bound %v, the oracle says %v", world, a, b, path.Cost, path.LowerBound, want)
			}
			if len(g.mesh.Links) == 0 {
				exact := plain.mustPath(t, g.point(a), g.point(b))
				if !slices.Equal(exact.Points, path.Points) || path.Length != exact.Length {
					t.Errorf("world %d, %v to %v: %v, at a cost of 1 %v", world, a, b, path.Points, exact.Points)
				}
			}
		}
	}
}

func (q *Query) mustPath(t *testing.T, from, to geom.Vec) Path {
	t.Helper()
	path, err := q.Path(context.Background(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNearlyEvenGround has nearly equal costs; costs must agree with the shortest-path search.
func TestNearlyEvenGround(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	asked := 0
	for range 30 {
		w := randomWorld(t, rng)
		paint(rng, w.theMesh(), 2)
		full := NewIndex(w.theMesh())
		q, plain := withCosts(t, w.theMesh(), map[uint8]float64{1: 1 + 1e-12}).NewQuery(), full.NewQuery()
		q.Epsilon = 0.002
		for _, c := range pairs(rng, w, 8) {
			want := plain.mustPath(t, c.start, c.goal)
			path := q.mustPath(t, c.start, c.goal)
			if path.Complete != want.Complete || path.Cost > want.Cost*(1+q.Epsilon) || path.Cost < want.Cost*(1-1e-9) || path.LowerBound > want.Cost*(1+1e-9) {
				t.Errorf("%v to %v: cost %v, bound %v, the shortest path costs %v", c.start, c.goal, path.Cost, path.LowerBound, want.Cost)
			}
			if len(path.Points) > 2 {
				asked++
			}
		}
	}
	if asked < 50 {
		t.Errorf("%d paths bend: too few for a test", asked)
	}
}

// patchwork is a world of three areas, and costs for them.
func patchwork(t testing.TB, rng *rand.Rand, side int) (*gridWorld, map[uint8]float64) {
	g := newGrid(t, rng, side, side, 0.15, rectangles, lattice.Frame{})
	paint(rng, g.mesh, 3)
	return g, map[uint8]float64{1: 2, 2: 4}
}

// TestCheapestLaws checks laws of paths over uneven ground. The way back costs as much, up to ε. A mesh in another
// frame gives the same path, and at another place of the frame the same cost up to ε. A query has no memory. Neither
// corridors nor shortest paths cost less than the proved bound.
func TestCheapestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	g, costs := patchwork(t, rng, 12)
	ix := withCosts(t, g.mesh, costs)
	q, plain := ix.NewQuery(), NewIndex(g.mesh).NewQuery()
	away := *g.mesh
	away.Frame = lattice.Frame{East: 1e6*metre + 1, North: -1e6 * metre, Up: 777}
	far := withCosts(t, &away, costs).NewQuery()
	shift := lattice.Point{X: 1 << 28, Y: -1<<28 - 1}
	shifted := withCosts(t, shiftMesh(g.mesh, shift), costs).NewQuery()
	s := newSteiner(g.mesh, costs, 1)
	for _, c := range pairs(rng, g, 60) {
		there := q.mustPath(t, c.start, c.goal).Clone()
		if !there.Complete {
			continue
		}
		back := q.mustPath(t, c.goal, c.start)
		if there.Cost > back.Cost*(1+DefaultEpsilon) || back.Cost > there.Cost*(1+DefaultEpsilon) || there.LowerBound > back.Cost || back.LowerBound > there.Cost {
			t.Errorf("%v to %v: cost %v, back %v", c.start, c.goal, there.Cost, back.Cost)
		}
		fresh := ix.NewQuery().mustPath(t, c.start, c.goal)
		if !slices.Equal(fresh.Points, there.Points) || fresh.LowerBound != there.LowerBound {
			t.Errorf("%v to %v: %v, a fresh query says %v", c.start, c.goal, there, fresh)
		}
		move := away.Frame.ToWorld(lattice.Point{}, 0)
		if got := far.mustPath(t, c.start.Add(move), c.goal.Add(move)); got.Cost != there.Cost || got.LowerBound != there.LowerBound {
			t.Errorf("%v to %v: %v, in another frame %v", c.start, c.goal, there.Cost, got.Cost)
		}
		move = g.mesh.Frame.ToWorld(shift, 0)
		if got := shifted.mustPath(t, c.start.Add(move), c.goal.Add(move)); got.Cost > there.Cost*(1+DefaultEpsilon) || there.Cost > got.Cost*(1+DefaultEpsilon) {
			t.Errorf("%v to %v: %v, shifted %v", c.start, c.goal, there.Cost, got.Cost)
		}
		corridor, err := q.AStarPath(context.Background(), c.start, c.goal)
		if err != nil || corridor.Cost < there.LowerBound*(1-1e-9) || corridor.LowerBound != 0 {
			t.Errorf("%v to %v: cost %v, by corridor %+v, %v", c.start, c.goal, there.Cost, corridor, err)
		}
		checkCosted(t, s, corridor)
		if shortest := plain.mustPath(t, c.start, c.goal); s.walk(t, shortest) < there.LowerBound*(1-1e-6) || shortest.Length > there.Length*(1+1e-9) {
			t.Errorf("%v to %v: the shortest path is %v long, the cheapest %v", c.start, c.goal, shortest.Length, there.Length)
		}
	}
}

// checkCosted checks a path's cost by its points. The points may cost less where the path is on the more expensive side
// of borders.
func checkCosted(t *testing.T, s *steiner, path Path) {
	t.Helper()
	if cost := s.walk(t, path); cost > path.Cost+1e-6*(1+cost) || cost < path.Cost/2 {
		t.Errorf("cost %v, the points say %v: %v", path.Cost, cost, path.Points)
	}
}

// TestEffort checks the bound of a search that is cut short.
func TestEffort(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	g, costs := patchwork(t, rng, 16)
	q := withCosts(t, g.mesh, costs).NewQuery()
	open := 0
	for _, c := range pairs(rng, g, 30) {
		q.Effort = 0
		full := q.mustPath(t, c.start, c.goal)
		if !full.Complete {
			continue
		}
		cost, bound := full.Cost, full.LowerBound
		for effort := 1; effort <= 4096; effort *= 4 {
			q.Effort = effort
			path := q.mustPath(t, c.start, c.goal)
			if !path.Complete || path.LowerBound > cost*(1+1e-9) || path.Cost < bound*(1-1e-9) || path.LowerBound < 0 {
				t.Errorf("%v to %v by %d: cost %v, bound %v; in full %v, %v", c.start, c.goal, effort, path.Cost, path.LowerBound, cost, bound)
			}
			if path.Ratio() > 1+DefaultEpsilon {
				open++
			}
		}
	}
	if open < 20 {
		t.Errorf("%d paths were cut short: too few for a test", open)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := q.Path(ctx, geom.FromGround(0.5, 0.5, 0), geom.FromGround(15.5, 15.5, 0)); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrOffMesh) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCircleOfGates asks for paths in a world where the bound of coarse cells leads around a circle of gates. A search without
// a way through these gates keeps a bound that is too high, and cuts cells without end.
func TestCircleOfGates(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 32))
	w := newSoup(t, rng, 14, 14, 0.15, lattice.Frame{})
	paint(rng, w.mesh, 4)
	q := withCosts(t, w.mesh, map[uint8]float64{1: 1.2, 2: 2, 3: 4}).NewQuery()
	q.Epsilon, q.Effort = 0.003, 4000
	for _, c := range pairs(rng, w, 20) {
		if path := q.mustPath(t, c.start, c.goal); path.Complete && path.Ratio() > 1+q.Epsilon+1e-9 {
			t.Errorf("%v to %v: a ratio of %v after %d nodes", c.start, c.goal, path.Ratio(), path.Expanded)
		}
	}
}

// TestAreaCostErrors has invalid costs and invalid query limits.
func TestAreaCostErrors(t *testing.T) {
	m := halves(t)
	ix := NewIndex(m)
	for cost, want := range map[float64]string{
		0: "area 1 costs 0 a metre", -1: "area 1 costs -1 a metre", 1e-9: "area 1 costs 1e-09 a metre, at least",
		1e9: "area 1 costs 1e+09 a metre, at most 1048576 or +Inf", math.Inf(-1): "area 1 costs -Inf a metre",
	} {
		if _, err := ix.With(Filter{AreaCosts: map[uint8]float64{0: 2, 1: cost}}); err == nil || !strings.HasPrefix(err.Error(), "query: filter: "+want) {
			t.Errorf("%v: %v", cost, err)
		}
	}
	if _, err := ix.With(Filter{AreaCosts: map[uint8]float64{200: math.NaN()}}); err == nil || !strings.Contains(err.Error(), "area 200 costs NaN") {
		t.Errorf("NaN: %v", err)
	}
	from, to := geom.FromGround(1, 1, 0), geom.FromGround(19, 9, 0)
	q := withCosts(t, m, map[uint8]float64{1: 2}).NewQuery()
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		q.Epsilon = bad
		if _, err := q.Path(context.Background(), from, to); err == nil || !strings.HasPrefix(err.Error(), "query: path: an Epsilon of") {
			t.Errorf("an Epsilon of %v: %v", bad, err)
		}
	}
	q.Epsilon, q.Effort = 0, -1
	if _, err := q.Path(context.Background(), from, to); err == nil || err.Error() != "query: path: an Effort of -1" {
		t.Errorf("an Effort of -1: %v", err)
	}
	// +Inf closes an area.
	closed := withCosts(t, m, map[uint8]float64{1: math.Inf(1), 0: 3})
	if path, err := closed.NewQuery().Path(context.Background(), from, to); path.Complete || !errors.Is(err, ErrOffMesh) {
		t.Errorf("into a closed area: %+v, %v", path, err)
	}
	if path := mustPath(t, closed.NewQuery(), from, geom.FromGround(4, 5, 0)); path.Cost != 15 || path.LowerBound != 15 {
		t.Errorf("beside a closed area: %+v", path)
	}
	// A second filter gives the same result, and closed areas stay closed.
	again, err := closed.With(Filter{AreaCosts: map[uint8]float64{1: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if path, err := again.NewQuery().Path(context.Background(), from, to); path.Complete || !errors.Is(err, ErrOffMesh) {
		t.Errorf("into an area closed before: %+v, %v", path, err)
	}
}

// TestWideLinkOverUnevenGround takes a wide drop at its best place.
func TestWideLinkOverUnevenGround(t *testing.T) {
	m := island(t)
	m.Tiles[0].Regions[1].Area = 1
	link(m, navmesh.Drop, 0, 1, [2]lattice.Vertex{at(4, 0.5, 2), at(4, 3.5, 2)}, [2]lattice.Vertex{at(5, 0.5, 0), at(5, 3.5, 0)}, 2.25)
	q := withCosts(t, m, map[uint8]float64{1: 3}).NewQuery()
	for _, y := range [][2]float64{{0.25, 0.25}, {1, 3}, {2, 2}, {3.9, 3.9}, {0.1, 3.9}, {1.07, 1.3}} {
		path := q.mustPath(t, geom.FromGround(1, y[0], 2), geom.FromGround(8, y[1], 0))
		best := math.Inf(1)
		for s := 0.5; s <= 3.5; s += 1.0 / 512 {
			best = min(best, math.Hypot(3, s-y[0])+2.25+3*math.Hypot(3, y[1]-s))
		}
		if path.Cost < best-1e-3 || path.Cost > best+1e-3 || len(path.Crossings) != 1 || path.LowerBound > best {
			t.Errorf("%v: cost %v, bound %v, at best %v", y, path.Cost, path.LowerBound, best)
		}
	}
}

// TestStoreysOverUnevenGround crosses over or under a bridge, depending on costs.
func TestStoreysOverUnevenGround(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	for i := 5; i < 8; i++ {
		m.Tiles[0].Regions[i].Area = 1 // the ramps and the deck
	}
	from, to := geom.FromGround(1, 10, 0), geom.FromGround(19, 10, 0)
	for _, cost := range []float64{0.5, 1.01, 5} {
		path := mustPath(t, withCosts(t, m, map[uint8]float64{1: cost}).NewQuery(), from, to)
		over := 2 + 16*cost
		under := 2*math.Hypot(1, 1) + 16 // around the foot of the ramps: the corners at y = 9
		if want := min(over, under); math.Abs(path.Cost-want) > 0.01*want || path.LowerBound > want*(1+1e-9) {
			t.Errorf("cost %v: %v, bound %v, want %v: %v", cost, path.Cost, path.LowerBound, want, path.Points)
		}
	}
}

// TestOthersOverUnevenGround compares searches in slices and searches for many goals with Path.
func TestOthersOverUnevenGround(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	g, costs := patchwork(t, rng, 10)
	ix := withCosts(t, g.mesh, costs)
	q, many, s := ix.NewQuery(), ix.NewQuery(), ix.NewSearch()
	for _, c := range pairs(rng, g, 30) {
		want := q.mustPath(t, c.start, c.goal)
		if !want.Complete {
			continue
		}
		if err := s.Begin(c.start, c.goal); err != nil {
			t.Fatal(err)
		}
		for !s.Advance(1 + rng.IntN(20)) {
			path, bound := s.Path(), s.Bound()
			if bound > want.Cost*(1+1e-9) || path.Complete && (path.Cost < want.LowerBound*(1-1e-9) || path.LowerBound > bound*(1+1e-9)) {
				t.Errorf("%v to %v: on the way to %v: %v, bound %v", c.start, c.goal, want.Cost, path.Cost, bound)
			}
		}
		path := s.Path()
		if !slices.Equal(path.Points, want.Points) || path.Cost != want.Cost || path.LowerBound != want.LowerBound || s.Bound() != want.LowerBound {
			t.Errorf("%v to %v: %+v, in slices %+v", c.start, c.goal, want, path)
		}
		fan, err := many.ToMany(context.Background(), c.start, []geom.Vec{c.goal, c.start})
		if err != nil {
			t.Fatal(err)
		}
		if path, err := fan.Path(context.Background(), 0); err != nil || path.Cost != want.Cost || math.Abs(fan.Costs[0]-want.Cost) > 1e-9*want.Cost || fan.Costs[1] != 0 {
			t.Errorf("%v to %v: %v, among many %v, %v, %v", c.start, c.goal, want.Cost, fan.Costs, path.Cost, err)
		}
	}
	if s.Epsilon = -1; s.Begin(geom.FromGround(1, 1, 0), geom.FromGround(2, 1, 0)) == nil {
		t.Error("an Epsilon of -1 is taken")
	}
}

// TestNoAllocationsOverUnevenGround checks that searches allocate nothing after the first few.
func TestNoAllocationsOverUnevenGround(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(13, 1))
	g, costs := patchwork(t, rng, 16)
	newLinked(t, rng, g, 3, false)
	ix := withCosts(t, g.mesh, costs)
	asked := pairs(rng, g, 20)
	for _, q := range []*Query{ix.NewQuery(), preparedCells(t, ix, 4, math.Inf(1)).NewQuery()} {
		run := func() {
			for _, c := range asked {
				path, err := q.Path(context.Background(), c.start, c.goal)
				if err != nil || path.Complete && len(path.Surface()) == 0 {
					t.Fatal(path, err)
				}
			}
		}
		run()
		run()
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%v allocations in %d queries", n, len(asked))
		}
	}
}

// TestPreparedGround compares an index prepared for uneven ground with the index itself: the bounds agree, and the searches
// are shorter.
func TestPreparedGround(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(31, 1))
	g, costs := patchwork(t, rng, 16)
	newLinked(t, rng, g, 6, true)
	ix := withCosts(t, g.mesh, costs)
	ready, err := ix.Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plain, fine := ix.NewQuery(), ready.NewQuery()
	for _, epsilon := range []float64{0.1, 0.01} {
		plain.Epsilon, fine.Epsilon = epsilon, epsilon
		nodes, fewer := 0, 0
		for _, c := range pairs(rng, g, 60) {
			want, got := plain.mustPath(t, c.start, c.goal), fine.mustPath(t, c.start, c.goal)
			if got.Complete != want.Complete || got.Ratio() > 1+epsilon+1e-9 || got.LowerBound > want.Cost*(1+1e-9) || want.LowerBound > got.Cost*(1+1e-9) {
				t.Errorf("%v to %v: %v to %v, prepared %v to %v", c.start, c.goal, want.LowerBound, want.Cost, got.LowerBound, got.Cost)
			}
			nodes, fewer = nodes+want.Expanded, fewer+got.Expanded
		}
		if 4*fewer > 3*nodes {
			t.Errorf("at %g: %d nodes, prepared %d", epsilon, nodes, fewer)
		}
	}
	p, ok := ready.Prepared()
	if !ok || p.Bounds == 0 || p.Bytes == 0 || p.Table {
		t.Errorf("prepared: %+v, %v", p, ok)
	}
	if p, ok := ix.Prepared(); ok {
		t.Errorf("not prepared: %+v", p)
	}
	if again, err := ready.Prepare(t.Context()); err != nil || again.gates != ready.gates {
		t.Errorf("prepared twice: %v", err)
	}
	if _, err := ix.PrepareWithin(t.Context(), 1000); !errors.Is(err, ErrUnprepared) {
		t.Errorf("without room: %v", err)
	}
	other, err := ready.With(Filter{AreaCosts: map[uint8]float64{1: 7}})
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := other.Prepared(); ok {
		t.Errorf("other costs: %+v", p)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := ix.Prepare(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPreparedGroundNeedsFewSearches counts the paths that the bounds of a prepared index find and prove without a search.
func TestPreparedGroundNeedsFewSearches(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	g, costs := patchwork(t, rng, 14)
	newLinked(t, rng, g, 6, true)
	q := preparedCells(t, withCosts(t, g.mesh, costs), 1, math.Inf(1)).NewQuery()
	q.Epsilon = 0.1
	paths, none := 0, 0
	for _, c := range pairs(rng, g, 200) {
		path := q.mustPath(t, c.start, c.goal)
		if !path.Complete || len(path.Regions()) < 4 {
			continue
		}
		if paths++; path.Expanded == 0 {
			none++
		}
	}
	if paths < 100 || 10*none < 6*paths {
		t.Errorf("%d of %d paths need no search", none, paths)
	}
}

// TestPreparedGroundIsTheSame prepares uneven ground on one processor and on several.
func TestPreparedGroundIsTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	side := 12
	if race.Enabled {
		side = 6
	}
	g, costs := patchwork(t, rng, side)
	newLinked(t, rng, g, 4, true)
	ix := withCosts(t, g.mesh, costs)
	many := preparedCells(t, ix, 2, 8)
	before := runtime.GOMAXPROCS(1)
	one := preparedCells(t, ix, 2, 8)
	runtime.GOMAXPROCS(max(before, 4))
	more := preparedCells(t, ix, 2, 8)
	runtime.GOMAXPROCS(before)
	if !reflect.DeepEqual(one.gates, many.gates) || !reflect.DeepEqual(one.gates, more.gates) {
		t.Error("bounds depend on the number of processors")
	}
}

// TestLongSources prepares with too little memory for short sources: cells stay short, sources get longer, and the bounds hold.
func TestLongSources(t *testing.T) {
	race.Skip(t)
	var patches []patch
	for i := range 6 {
		x := 10 * float64(i)
		patches = append(patches, slab(0, x, 0, x+10, 100, 0, 0))
	}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	for i := range m.Tiles[0].Regions {
		m.Tiles[0].Regions[i].Area = uint8(i % 3)
	}
	ix := withCosts(t, m, map[uint8]float64{1: 1.5, 2: 2.5})
	every, few := preparedCells(t, ix, 4, math.Inf(1)), preparedCells(t, ix, 4, 12)
	all, _ := every.Prepared()
	want, _ := few.Prepared()
	if want.Bounds >= all.Bounds || want.Bytes >= all.Bytes {
		t.Fatalf("%d long sources of %d bytes, %d short ones of %d", want.Bounds, want.Bytes, all.Bounds, all.Bytes)
	}
	ready, err := ix.PrepareWithin(t.Context(), want.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := ready.Prepared(); got != want {
		t.Errorf("prepared %+v, want %+v", got, want)
	}
	plain, q := ix.NewQuery(), ready.NewQuery()
	nodes, fewer := 0, 0
	rng := rand.New(rand.NewPCG(33, 1))
	for range 60 {
		from, to := geom.FromGround(10*rng.Float64(), 100*rng.Float64(), 0), geom.FromGround(50+10*rng.Float64(), 100*rng.Float64(), 0)
		want, got := plain.mustPath(t, from, to), q.mustPath(t, from, to)
		if got.Ratio() > 1+DefaultEpsilon+1e-9 || got.LowerBound > want.Cost*(1+1e-9) || want.LowerBound > got.Cost*(1+1e-9) {
			t.Errorf("%v to %v: %v to %v, prepared %v to %v", from, to, want.LowerBound, want.Cost, got.LowerBound, got.Cost)
		}
		nodes, fewer = nodes+want.Expanded, fewer+got.Expanded
	}
	if 4*fewer > 3*nodes {
		t.Errorf("%d nodes, prepared %d", nodes, fewer)
	}
}

// BenchmarkCheapest asks for paths on worlds of doubling side over ground of one area and of three.
func BenchmarkCheapest(b *testing.B) {
	for _, side := range benchSides {
		rng := rand.New(rand.NewPCG(uint64(side), 1))
		g, costs := patchwork(b, rng, side)
		plain, uneven := NewIndex(g.mesh).NewQuery(), withCosts(b, g.mesh, costs).NewQuery()
		for _, tt := range []struct {
			name string
			q    *Query
		}{{"plain", plain}, {"uneven", uneven}} {
			b.Run(fmt.Sprintf("%s/%d", tt.name, side), func(b *testing.B) {
				ctx := context.Background()
				var asked []pair
				for _, p := range pairs(rand.New(rand.NewPCG(1, 1)), g, 100) {
					if path, err := tt.q.Path(ctx, p.start, p.goal); err == nil && path.Complete && len(asked) < 32 {
						asked = append(asked, p)
					}
				}
				b.ReportAllocs()
				expanded, n := 0, 0
				for b.Loop() {
					p := asked[n%len(asked)]
					path, err := tt.q.Path(ctx, p.start, p.goal)
					if err != nil || path.Ratio() > 1+DefaultEpsilon+1e-9 {
						b.Fatalf("%v: ratio %v, %v", p, path.Ratio(), err)
					}
					expanded += path.Expanded
					n++
				}
				b.ReportMetric(float64(expanded)/float64(n), "expanded/op")
			})
		}
	}
}

// TestSteepCosts has the least and the greatest costs of a metre beside each other. Bounds and paths keep the promise
// against brute force, also where the start is on the costly ground.
func TestSteepCosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	asked, costly := 0, 0
	for range 20 {
		g := newGrid(t, rng, 2+rng.IntN(3), 2+rng.IntN(3), 0.2*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
		paint(rng, g.mesh, 3)
		costs := map[uint8]float64{1: MinAreaCost, 2: MaxAreaCost}
		s := newSteiner(g.mesh, costs, 1.0/16)
		q := withCosts(t, g.mesh, costs).NewQuery()
		for _, c := range pairs(rng, g, 4) {
			a, _, _ := g.mesh.Frame.FromWorld(c.start)
			b, _, _ := g.mesh.Frame.FromWorld(c.goal)
			in, ok := q.Locate(c.start)
			to, ok2 := q.Locate(c.goal)
			path := q.mustPath(t, c.start, c.goal)
			if !ok || !ok2 || !path.Complete {
				continue
			}
			asked++
			if g.mesh.Tiles[0].Regions[in.Ref.Index()].Area == 2 {
				costly++
			}
			want := s.least(a, b, in.Ref.Index(), to.Ref.Index())
			if path.LowerBound > want*(1+1e-6)+1e-6 || path.Cost > want*(1+DefaultEpsilon)+1e-6 || path.Ratio() > 1+DefaultEpsilon+1e-9 {
				t.Errorf("%v to %v: cost %v, bound %v; brute force says %v", a, b, path.Cost, path.LowerBound, want)
			}
		}
	}
	if asked < 40 || costly < 10 {
		t.Errorf("%d paths, %d from costly ground: too few for a test", asked, costly)
	}
}

// TestPulledOnce compares the places of a path with a second pull through the same corridor.
func TestPulledOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	g, costs := patchwork(t, rng, 10)
	ix := withCosts(t, g.mesh, costs)
	q, asked := ix.NewQuery(), 0
	for _, c := range pairs(rng, g, 40) {
		path := q.mustPath(t, c.start, c.goal)
		if len(path.Points) < 3 {
			continue
		}
		asked++
		from, _ := q.snapped(c.start)
		to, _ := q.snapped(c.goal)
		known := slices.Clone(q.cheap.Pull(ix.gates, &q.way, from, to))
		again := new(Query).ready()
		pulled := again.cheap.Pull(ix.gates, &q.way, from, to)
		for i := range pulled {
			if known[i].T != pulled[i].T {
				t.Fatalf("%v to %v: gate %d is crossed at %v, by another pull at %v", c.start, c.goal, i, known[i].T, pulled[i].T)
			}
		}
		// The same corridor between other places is pulled anew.
		other := slices.Clone(q.cheap.Pull(ix.gates, &q.way, to, from))
		for i, g := range new(Query).ready().cheap.Pull(ix.gates, &q.way, to, from) {
			if other[i].T != g.T {
				t.Fatalf("%v to %v: gate %d is crossed at %v, by another pull at %v", c.goal, c.start, i, other[i].T, g.T)
			}
		}
	}
	if asked < 15 {
		t.Errorf("%d paths bend: too few for a test", asked)
	}
}

// TestHeldCellsAreCut checks on random worlds that cells keep the known bounds where the waves of a round are lower. The next
// round must cut these cells: only shorter cells can have waves above the known bounds.
func TestHeldCellsAreCut(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(21, 1))
	held := 0
	for range 40 {
		w := newGrid(t, rng, 6+rng.IntN(6), 6+rng.IntN(6), 0.1, style(rng.IntN(int(styles))), lattice.Frame{})
		paint(rng, w.mesh, 4)
		q := withCosts(t, w.mesh, map[uint8]float64{0: 1, 1: 1.3, 2: 2.2, 3: 4}).NewQuery()
		q.Epsilon = 1e-5
		for _, c := range pairs(rng, w, 10) {
			if _, err := q.Path(t.Context(), c.start, c.goal); err != nil {
				t.Fatal(err)
			}
			n, whole := q.cheap.Held()
			if held += n; whole > 0 {
				t.Fatalf("%v to %v: %d held cells are as long as before", c.start, c.goal, whole)
			}
		}
	}
	if held < 1000 {
		t.Errorf("%d held cells: too few for a test", held)
	}
}
