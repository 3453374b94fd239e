package query

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// linkedWorld is a gridWorld with links between points, and with an oracle of its own: the shortest path on the
// visibility graph of the corners and the ends of links.
type linkedWorld struct {
	*gridWorld
	ends [][2]lattice.Point // of the links, in the world's own plane
}

// newLinked adds n links to a world, with costs equal to, above or below their length.
func newLinked(t testing.TB, rng *rand.Rand, g *gridWorld, n int, cheap bool) *linkedWorld {
	t.Helper()
	w := &linkedWorld{gridWorld: g}
	ix := NewIndex(g.mesh)
	q := ix.NewQuery()
	type made struct {
		navmesh.Link
		ends [2]lattice.Point
	}
	var all []made
	for range n {
		a, ok := g.draw(rng)
		b, ok2 := g.draw(rng)
		if !ok || !ok2 {
			continue
		}
		from, ok := q.places.Locate(q.ix, g.point(a))
		to, ok2 := q.places.Locate(q.ix, g.point(b))
		if !ok || !ok2 {
			t.Fatalf("link ends %v, %v are not on the mesh", a, b)
		}
		straight := float32(index.Distance(from.At, to.At) / metre)
		cost := []float32{math.Nextafter32(straight, math.MaxFloat32), 1.5 * straight, straight + 3}[rng.IntN(3)]
		if cheap {
			cost = []float32{0, 0.5 * straight, straight - min(straight, 1), straight + 1}[rng.IntN(4)]
		}
		v, u := g.vertex(a.X, a.Y), g.vertex(b.X, b.Y)
		all = append(all, made{navmesh.Link{
			From: ix.geo.Region(from.Region).Ref, To: ix.geo.Region(to.Region).Ref,
			Start: [2]lattice.Vertex{v, v}, End: [2]lattice.Vertex{u, u}, Flags: navmesh.Jump.Flag(), Cost: cost,
		}, [2]lattice.Point{a, b}})
	}
	slices.SortStableFunc(all, func(a, b made) int {
		if a.From < b.From {
			return -1
		} else if a.From > b.From {
			return 1
		}
		return 0
	})
	for _, m := range all {
		w.mesh.Links = append(w.mesh.Links, m.Link)
		w.ends = append(w.ends, m.ends)
	}
	return w
}

// least returns the least cost of a way over the open links, in metres.
func (w *linkedWorld) least(o *oracle, start, goal lattice.Point, open func(link int) bool) float64 {
	points := append(slices.Clone(o.nodes), start, goal)
	n := len(o.nodes)
	for _, e := range w.ends {
		points = append(points, e[0], e[1])
	}
	dist := make([]float64, len(points))
	done := make([]bool, len(points))
	for i := range dist {
		dist[i] = math.Inf(1)
		done[i] = i >= n+2 && !open((i-n-2)/2) // at the end of a closed link a way must not change sides
	}
	dist[n] = 0
	sees := func(i, j int) bool {
		if i < n && j < n {
			return o.sees[i][j]
		}
		return points[i] == points[j] || o.visible(points[i], points[j])
	}
	for {
		best := -1
		for i := range dist {
			if !done[i] && (best < 0 || dist[i] < dist[best]) {
				best = i
			}
		}
		if best < 0 || best == n+1 || math.IsInf(dist[best], 1) {
			return dist[n+1]
		}
		done[best] = true
		for i := range dist {
			if !done[i] && sees(best, i) {
				p, q := w.vertex(points[best].X, points[best].Y), w.vertex(points[i].X, points[i].Y)
				dist[i] = min(dist[i], dist[best]+index.Distance(p.Point, q.Point)/metre)
			}
		}
		if k := best - n - 2; k >= 0 && k%2 == 0 && open(k/2) {
			dist[best+1] = min(dist[best+1], dist[best]+float64(w.mesh.Links[k/2].Cost))
		}
	}
}

// checkCosts checks that the measures of a path agree with its points and crossings.
func checkCosts(t *testing.T, m *navmesh.Mesh, path Path) {
	t.Helper()
	length, cost := 0.0, 0.0
	taken := 0
	for i := 1; i < len(path.Points); i++ {
		d := path.Points[i].Sub(path.Points[i-1])
		step := math.Hypot(d.X, d.Z)
		length += step
		for taken < len(path.Crossings) && path.Crossings[taken].Link < 0 {
			taken++
		}
		if taken < len(path.Crossings) && path.Crossings[taken].From == path.Points[i-1] && path.Crossings[taken].To == path.Points[i] {
			step = float64(m.Links[path.Crossings[taken].Link].Cost)
			taken++
		}
		cost += step
	}
	for taken < len(path.Crossings) && path.Crossings[taken].Link < 0 {
		taken++
	}
	if taken != len(path.Crossings) {
		t.Errorf("crossing %d, %+v, is not on the way %v", taken, path.Crossings[taken], path.Points)
	}
	if math.Abs(length-path.Length) > 1e-6*(1+length) || math.Abs(cost-path.Cost) > 1e-6*(1+cost) {
		t.Errorf("length %v and cost %v, the points say %v and %v", path.Length, path.Cost, length, cost)
	}
}

// TestLinksAgainstOracle compares costs on random worlds with an oracle that knows no regions: with links that cost
// their length or more, and with links that cost less or nothing.
func TestLinksAgainstOracle(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(31, 5))
	asked, used, apart := 0, 0, 0
	for world := range 300 {
		g := newGrid(t, rng, 2+rng.IntN(7), 2+rng.IntN(7), 0.15+0.4*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
		w := newLinked(t, rng, g, 1+rng.IntN(5), world%2 == 0)
		for _, f := range g.mesh.Validate() {
			if f.Kind == navmesh.LinkOffRegion || f.Kind == navmesh.LinkOrder {
				t.Fatal(f)
			}
		}
		o := newOracle(g)
		q := NewIndex(g.mesh).NewQuery()
		for range 12 {
			a, ok := g.draw(rng)
			b, ok2 := g.draw(rng)
			if !ok || !ok2 {
				continue
			}
			want := w.least(o, a, b, func(int) bool { return true })
			path, err := q.Path(context.Background(), g.point(a), g.point(b))
			if err != nil {
				t.Fatal(err)
			}
			if path.Complete != !math.IsInf(want, 1) {
				t.Fatalf("world %d, %v to %v: complete is %v, the oracle says %v", world, a, b, path.Complete, want)
			}
			if !path.Complete {
				apart++
				continue
			}
			asked++
			if len(path.Crossings) > 0 {
				used++
			}
			if math.Abs(path.Cost-want) > 1e-6*(1+want) {
				t.Errorf("world %d, %v to %v: cost %v, the oracle says %v; links %+v", world, a, b, path.Cost, want, g.mesh.Links)
			}
			checkCosts(t, g.mesh, path)
			other, err := q.AStarPath(context.Background(), g.point(a), g.point(b))
			if err != nil || !other.Complete || other.Cost < want-1e-6*(1+want) {
				t.Errorf("world %d, %v to %v: by corridor %v, %v", world, a, b, other.Cost, err)
			}
		}
	}
	if used < asked/8 || apart < 20 {
		t.Errorf("%d paths, %d over links, %d apart: too few for a test", asked, used, apart)
	}
}

// TestManyShortcuts has more links cheaper than their length than the table of chains holds.
func TestManyShortcuts(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(33, 5))
	g := newGrid(t, rng, 6, 6, 0.3, rectangles, lattice.Frame{})
	w := newLinked(t, rng, g, 3*index.MaxShortcuts/2, true)
	for i := range g.mesh.Links {
		l := &g.mesh.Links[i]
		l.Cost = float32(0.9 * index.Distance(l.Start[0].Point, l.End[0].Point) / metre)
	}
	ix := NewIndex(g.mesh)
	if ix.geo.Shortcuts != nil || !(math.Abs(ix.geo.Scale-0.9) < 1e-6) {
		t.Fatalf("%d shortcuts, scale %v", len(ix.geo.Shortcuts), ix.geo.Scale)
	}
	o, q := newOracle(g), ix.NewQuery()
	for range 20 {
		a, _ := g.draw(rng)
		b, _ := g.draw(rng)
		path, err := q.Path(context.Background(), g.point(a), g.point(b))
		want := w.least(o, a, b, func(int) bool { return true })
		if err != nil || path.Complete == math.IsInf(want, 1) || path.Complete && math.Abs(path.Cost-want) > 1e-6*(1+want) {
			t.Errorf("%v to %v: %v, %v, want %v", a, b, path.Cost, err, want)
		}
	}
}

// island is two floors apart: 4 m by 4 m each, a metre between them, the second two metres lower.
func island(t testing.TB) *navmesh.Mesh {
	patches := []patch{slab(0, 0, 0, 4, 4, 2, 2), slab(0, 5, 0, 9, 4, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	m.Connect()
	return m
}

// link adds a link to a mesh of one tile; ends are in metres.
func link(m *navmesh.Mesh, kind navmesh.LinkKind, from, to int, start, end [2]lattice.Vertex, cost float64) {
	m.Links = append(m.Links, navmesh.Link{
		From: navmesh.MakeRef(0, from, 1), To: navmesh.MakeRef(0, to, 1), Start: start, End: end,
		Kind: kind, Flags: kind.Flag(), Cost: float32(cost),
	})
}

// TestOneWay takes a drop down and finds no way back; a wide drop is taken at its best place.
func TestOneWay(t *testing.T) {
	m := island(t)
	link(m, navmesh.Drop, 0, 1, [2]lattice.Vertex{at(4, 0.5, 2), at(4, 3.5, 2)}, [2]lattice.Vertex{at(5, 0.5, 0), at(5, 3.5, 0)}, 2.25)
	q := NewIndex(m).NewQuery()
	for _, y := range [][2]float64{{0.25, 0.25}, {1, 3}, {2, 2}, {3.9, 3.9}, {0.1, 3.9}, {1.07, 1.3}} {
		path, err := q.Path(context.Background(), geom.FromGround(1, y[0], 2), geom.FromGround(8, y[1], 0))
		if err != nil || !path.Complete {
			t.Fatalf("%v: %+v, %v", y, path, err)
		}
		best := math.Inf(1)
		for s := 0.5; s <= 3.5; s += 1.0 / 512 {
			best = min(best, math.Hypot(3, s-y[0])+2.25+math.Hypot(3, y[1]-s))
		}
		if path.Cost < best-1e-3 || path.Cost > best+1e-3 {
			t.Errorf("%v: cost %v, at best %v", y, path.Cost, best)
		}
		if len(path.Crossings) != 1 || path.Crossings[0].Link != 0 || path.Crossings[0].Mark != -1 ||
			path.Crossings[0].From.Y != 2 || path.Crossings[0].To.Y != 0 {
			t.Errorf("%v: crossings %+v", y, path.Crossings)
		}
		if len(path.Regions()) != 2 {
			t.Errorf("%v: regions %v", y, path.Regions())
		}
		checkCosts(t, m, path)
	}
	path, err := q.Path(context.Background(), geom.FromGround(8, 1, 0), geom.FromGround(1, 1, 2))
	if err != nil || path.Complete || path.Points != nil || path.Expanded != 0 {
		t.Errorf("back up the drop: %+v, %v", path, err)
	}
}

// TestWideLinksInARow crosses two wide jumps, the second onto a shorter segment, and compares with all pairs of places
// along them.
func TestWideLinksInARow(t *testing.T) {
	m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 4, 6, 0, 0), slab(0, 5, 0, 9, 6, 0, 0), slab(0, 10, 0, 14, 6, 0, 0)}, nil)
	link(m, navmesh.Jump, 0, 1, [2]lattice.Vertex{at(4, 1, 0), at(4, 5, 0)}, [2]lattice.Vertex{at(5, 1, 0), at(5, 5, 0)}, 1)
	link(m, navmesh.Jump, 1, 2, [2]lattice.Vertex{at(9, 0, 0), at(9, 6, 0)}, [2]lattice.Vertex{at(10, 2, 0), at(10, 3, 0)}, 3.25)
	q := NewIndex(m).NewQuery()
	rng := rand.New(rand.NewPCG(37, 5))
	for range 20 {
		a, b := 6*rng.Float64(), 6*rng.Float64()
		path, err := q.Path(context.Background(), geom.FromGround(1, a, 0), geom.FromGround(13, b, 0))
		if err != nil || len(path.Crossings) != 2 {
			t.Fatalf("%+v, %v", path, err)
		}
		best := math.Inf(1)
		const parts = 400
		for i := range parts + 1 {
			y := 1 + 4*float64(i)/parts
			for k := range parts + 1 {
				s := float64(k) / parts
				best = min(best, math.Hypot(3, y-a)+1+math.Hypot(4, 6*s-y)+3.25+math.Hypot(3, b-2-s))
			}
		}
		if path.Cost < best-2e-3 || path.Cost > best+1e-3 {
			t.Errorf("%v to %v: cost %v, at best %v", a, b, path.Cost, best)
		}
		checkCosts(t, m, path)
	}
}

// TestChainsOfLinks crosses a row of islands joined only by links; no path crosses the gap of a missing link.
func TestChainsOfLinks(t *testing.T) {
	var patches []patch
	for i := range 8 {
		x := float64(3 * i)
		patches = append(patches, slab(0, x, 0, x+2, 2, 0, 0))
	}
	m := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	for i := range 7 {
		if i != 4 {
			v, u := at(float64(3*i+2), 1, 0), at(float64(3*i+3), 1, 0)
			link(m, navmesh.Jump, i, i+1, [2]lattice.Vertex{v, v}, [2]lattice.Vertex{u, u}, 1)
		}
	}
	q := NewIndex(m).NewQuery()
	for from := range 8 {
		for to := range 8 {
			path, err := q.Path(context.Background(), geom.FromGround(float64(3*from+1), 1, 0), geom.FromGround(float64(3*to+1), 1, 0))
			want := from <= to && (to <= 4 || from > 4)
			if err != nil || path.Complete != want || want && (len(path.Crossings) != to-from || math.Abs(path.Cost-3*float64(to-from)) > 1e-9) {
				t.Errorf("%d to %d: %+v, %v", from, to, path, err)
			}
			if !want && path.Expanded != 0 {
				t.Errorf("%d to %d: the search was begun", from, to)
			}
		}
	}
}

// TestNoAllocationsWithLinks checks that paths over links and through marks allocate nothing.
func TestNoAllocationsWithLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 5))
	g := newGrid(t, rng, 12, 12, 0.35, rectangles, lattice.Frame{})
	w := newLinked(t, rng, g, 12, true)
	w.mesh.Marks = []navmesh.Mark{{Name: "all"}}
	for i := range w.mesh.Tiles[0].Regions {
		if i%2 == 0 {
			w.mesh.Tiles[0].Marked = append(w.mesh.Tiles[0].Marked, navmesh.Marked{Region: uint32(i)})
		}
	}
	q := NewIndex(w.mesh).NewQuery()
	asked := pairs(rng, g, 50)
	named := 0
	ask := func() {
		for _, p := range asked {
			path, err := q.Path(context.Background(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			if named += len(path.Crossings); path.Complete && len(path.Surface()) == 0 {
				t.Fatal("a path without a floor")
			}
		}
	}
	ask()
	if n := testing.AllocsPerRun(5, ask); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if named == 0 {
		t.Error("nothing was crossed")
	}
}

// BenchmarkPathWithLinks is BenchmarkPath on a world with links: dear links, which leave estimates unchanged, and cheap
// links, which change them.
func BenchmarkPathWithLinks(b *testing.B) {
	for _, cheap := range []bool{false, true} {
		for _, n := range []int{0, 4, 16, 64} {
			b.Run(fmt.Sprintf("cheap=%v/%d", cheap, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(64, 1))
				g := newGrid(b, rng, 64, 64, 0.1, rectangles, lattice.Frame{})
				asked := pairs(rng, g, 200)
				w := newLinked(b, rng, g, n, cheap)
				q := NewIndex(w.mesh).NewQuery()
				b.ReportAllocs()
				i, expanded := 0, 0
				for b.Loop() {
					p := asked[i%len(asked)]
					i++
					path, err := q.Path(context.Background(), p.start, p.goal)
					if err != nil {
						b.Fatal(err)
					}
					expanded += path.Expanded
				}
				b.ReportMetric(float64(expanded)/float64(i), "expanded/op")
			})
		}
	}
}

// BenchmarkNoPath asks for a goal without a link towards it, though links lead from every part to some other part.
func BenchmarkNoPath(b *testing.B) {
	m := island(b)
	link(m, navmesh.Drop, 0, 1, [2]lattice.Vertex{at(4, 1, 2), at(4, 1, 2)}, [2]lattice.Vertex{at(5, 1, 0), at(5, 1, 0)}, 3)
	q := NewIndex(m).NewQuery()
	from, ok := q.Locate(geom.FromGround(8, 1, 0))
	to, ok2 := q.Locate(geom.FromGround(1, 1, 2))
	if !ok || !ok2 {
		b.Fatal("the ends are not on the mesh")
	}
	for b.Loop() {
		if path, err := q.PathBetween(context.Background(), from, to); err != nil || path.Complete {
			b.Fatal(path, err)
		}
	}
}

// BenchmarkWith closes one region in a hundred of a world.
func BenchmarkWith(b *testing.B) {
	for _, side := range benchSides {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(side), 1))
			g := newGrid(b, rng, side, side, 0.25, rectangles, lattice.Frame{})
			closed := 0
			for i := range g.mesh.Tiles[0].Regions {
				if i%100 == 0 {
					g.mesh.Tiles[0].Regions[i].Flags |= navmesh.Door.Flag()
					closed++
				}
			}
			ix := NewIndex(g.mesh)
			b.ReportAllocs()
			for b.Loop() {
				shut, err := ix.With(Filter{Exclude: navmesh.Door.Flag()})
				if err != nil || shut == ix {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.mesh.RegionCount()), "regions")
		})
	}
}
