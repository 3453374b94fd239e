package navgraph_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen/gentest"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navgraph"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// oracle answers the length of the shortest way along a graph of points from the arrays of a mesh of one tile, by relaxing all
// edges until nothing changes. Points are complex numbers in metres.
type oracle struct {
	tile *navmesh.Tile
	kind navgraph.Kind
}

// middle returns the centroid of a region, as the mean of a fan of triangles around the first corner.
func (o *oracle) middle(r int) complex128 {
	var sum complex128
	var area float64
	c := o.tile.RegionCorners(r)
	at := func(i int) complex128 {
		v := o.tile.Vertices[c[i]]
		return complex(float64(v.X), float64(v.Y))
	}
	for i := 1; i+1 < len(c); i++ {
		a, b := at(i)-at(0), at(i+1)-at(0)
		double := real(a)*imag(b) - imag(a)*real(b)
		sum += (at(0) + at(i) + at(i+1)) / 3 * complex(double, 0)
		area += double
	}
	return sum / complex(area, 0) * lattice.Unit
}

// length returns the length from a point in one region to a point in another, +Inf where there is no way.
func (o *oracle) length(start complex128, from int, goal complex128, to int) float64 {
	abs := func(c complex128) float64 { return math.Hypot(real(c), imag(c)) }
	if from == to {
		return abs(goal - start)
	}
	t := o.tile
	n := len(t.Regions)
	points := make([]complex128, n, n+len(t.Portals))
	for r := range points {
		points[r] = o.middle(r)
	}
	points[from], points[to] = start, goal
	type edge struct {
		a, b int
		long float64
	}
	var edges []edge
	gates := make([][]int, n)
	join := func(a, b int) { edges = append(edges, edge{a, b, abs(points[a] - points[b])}) }
	for r := range n {
		for _, p := range t.RegionPortals(r) {
			if int(p.To) < r {
				continue
			}
			if o.kind == navgraph.Centroids {
				join(r, int(p.To))
				continue
			}
			a, b := t.Vertices[p.Left], t.Vertices[p.Right]
			points = append(points, complex(float64(a.X)+float64(b.X), float64(a.Y)+float64(b.Y))/2*lattice.Unit)
			g := len(points) - 1
			for _, side := range []int{r, int(p.To)} {
				if o.kind == navgraph.Both || side == from || side == to {
					join(side, g)
				}
				if o.kind == navgraph.Midpoints {
					for _, other := range gates[side] {
						join(other, g)
					}
				}
				gates[side] = append(gates[side], g)
			}
		}
	}
	best := make([]float64, len(points))
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[from] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if d := best[e.a] + e.long; d < best[e.b] {
				best[e.b], changed = d, true
			}
			if d := best[e.b] + e.long; d < best[e.a] {
				best[e.a], changed = d, true
			}
		}
	}
	return best[to]
}

// TestPathsAgainstBruteForce compares lengths with those of an oracle that knows nothing but the arrays of the mesh. Enhanced with
// no region large enough is Centroids, and with all of them and one node on every portal Midpoints.
func TestPathsAgainstBruteForce(t *testing.T) {
	for k, kind := range gentest.Worlds {
		for i := range min(someKinds[kind.Name], 6) {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			ix := query.NewIndex(meshOf(t, kind.New(rng), lattice.Frame{}, []string{"delaunay", "best", "anavmg"}[i%3]))
			w := newWorld(t, kind.Name, ix)
			for _, c := range []struct {
				opt navgraph.Options
				as  navgraph.Kind
			}{
				{navgraph.Options{Kind: navgraph.Centroids}, navgraph.Centroids},
				{navgraph.Options{Kind: navgraph.Midpoints}, navgraph.Midpoints},
				{navgraph.Options{Kind: navgraph.Both}, navgraph.Both},
				{navgraph.Options{Kind: navgraph.Enhanced, Large: 1e9}, navgraph.Centroids},
				{navgraph.Options{Kind: navgraph.Enhanced, Large: 1e-9, Spacing: 1e9}, navgraph.Midpoints},
			} {
				g, err := navgraph.New(ix, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				f := g.NewFinder()
				o := &oracle{&w.mesh.Tiles[0], c.as}
				for range 8 {
					start, goal := w.draw(t, rng), w.draw(t, rng)
					route, err := f.Path(t.Context(), start, goal)
					if err != nil {
						t.Fatal(err)
					}
					plane := func(p query.Position) complex128 {
						at := vertex(w, p)
						return complex(float64(at.X), float64(at.Y)) * lattice.Unit
					}
					want := o.length(plane(start), start.Ref.Index(), plane(goal), goal.Ref.Index())
					if route.Found != !math.IsInf(want, 1) || route.Found && math.Abs(route.Cost-want) > 1e-9*(1+want) {
						t.Fatalf("%s %d, %+v from %v to %v: %v, want %v", kind.Name, i, c.opt, start, goal, route.Cost, want)
					}
				}
			}
		}
	}
}
