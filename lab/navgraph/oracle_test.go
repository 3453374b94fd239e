package navgraph_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// oracle answers the length of the shortest way along a graph of points from the arrays of a mesh of one tile, by relaxing all
// edges until nothing changes. Points are complex numbers in metres. Links are between points.
type oracle struct {
	mesh *navmesh.Mesh
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

// length returns the length from a point in one region to a point in another, +Inf where there is no way. In every region ways lead
// from sources to sinks: directly, or by the centroid; portals and the ends of links are the sources, portals and the
// starts of links the sinks.
func (o *oracle) length(start complex128, from int, goal complex128, to int) float64 {
	abs := func(c complex128) float64 { return math.Hypot(real(c), imag(c)) }
	type edge struct {
		a, b int
		long float64
	}
	t := o.tile
	n := len(t.Regions)
	var points []complex128
	var edges []edge
	join := func(a, b int) { edges = append(edges, edge{a, b, abs(points[a] - points[b])}) }
	point := func(v lattice.Vertex) complex128 { return complex(float64(v.X), float64(v.Y)) * lattice.Unit }
	for r := range n {
		points = append(points, o.middle(r))
	}
	points = append(points, start, goal)
	sources, sinks := make([][]int, n), make([][]int, n)
	for r := range n {
		for _, p := range t.RegionPortals(r) {
			if o.kind == navgraph.Centroids {
				join(r, int(p.To))
				// Start and goal take part as the centroids do.
				if r == from {
					join(n, int(p.To))
				}
				if int(p.To) == to {
					join(r, n+1)
				}
				if r == from && int(p.To) == to {
					join(n, n+1)
				}
			} else if int(p.To) > r {
				points = append(points, (point(t.Vertices[p.Left])+point(t.Vertices[p.Right]))/2)
				for _, side := range []int{r, int(p.To)} {
					sources[side], sinks[side] = append(sources[side], len(points)-1), append(sinks[side], len(points)-1)
				}
			}
		}
	}
	for i := range o.mesh.Links {
		l := &o.mesh.Links[i]
		k := len(points)
		points = append(points, point(l.Start[0]), point(l.End[0]))
		sinks[l.From.Index()] = append(sinks[l.From.Index()], k)
		sources[l.To.Index()] = append(sources[l.To.Index()], k+1)
		edges = append(edges, edge{k, k + 1, float64(l.Cost)})
	}
	for r := range n {
		for _, a := range sources[r] {
			if r == to {
				join(a, n+1)
			}
			if o.kind == navgraph.Midpoints {
				for _, b := range sinks[r] {
					join(a, b)
				}
			} else {
				join(a, r)
			}
		}
		for _, b := range sinks[r] {
			if r == from {
				join(n, b)
			}
			if o.kind != navgraph.Midpoints {
				join(r, b)
			}
		}
	}
	if from == to {
		join(n, n+1)
	}
	best := make([]float64, len(points))
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[n] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if d := best[e.a] + e.long; d < best[e.b] {
				best[e.b], changed = d, true
			}
		}
	}
	return best[n+1]
}

// linked returns a mesh with links between random places, cheaper than they are long or dearer, as they are in the order of regions.
func linked(t *testing.T, mesh *navmesh.Mesh, rng *rand.Rand, n int) *navmesh.Mesh {
	t.Helper()
	w := &world{mesh: mesh, ix: query.NewIndex(mesh)}
	w.q = w.ix.NewQuery()
	out := *mesh
	for range n {
		a, b := w.draw(t, rng), w.draw(t, rng)
		v, u := vertex(w, a), vertex(w, b)
		out.Links = append(out.Links, navmesh.Link{
			From: a.Ref, To: b.Ref, Start: [2]lattice.Vertex{v, v}, End: [2]lattice.Vertex{u, u}, Flags: navmesh.Jump.Flag(),
			Cost: float32(v.Distance(u.Point) * lattice.Unit * 2 * rng.Float64()),
		})
	}
	slices.SortStableFunc(out.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
	return &out
}

// TestPathsAgainstBruteForce compares lengths, over links too, with an oracle that uses only the arrays of the mesh. It also
// checks that the tight path is not longer than the links and the ways between them along the graph. Enhanced with no region
// large enough equals Centroids, and with all regions and one node on every portal Midpoints.
func TestPathsAgainstBruteForce(t *testing.T) {
	taken := 0
	for k, kind := range gentest.Worlds {
		for i := range min(someKinds[kind.Name], 6) {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			mesh := meshOf(t, kind.New(rng), lattice.Frame{}, []string{"delaunay", "best", "anavmg"}[i%3])
			ix := query.NewIndex(linked(t, mesh, rng, i%3*4))
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
				o := &oracle{w.mesh, &w.mesh.Tiles[0], c.as}
				for range 12 {
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
					if !route.Found {
						continue
					}
					tight, err := w.q.Through(start, goal, route.Exits)
					if err != nil || c.as != navgraph.Centroids && tight.Cost > route.Cost+1e-6*(1+route.Cost) {
						t.Fatalf("%s %d, %+v from %v to %v: %v along the nodes, %v tight: %v", kind.Name, i, c.opt, start, goal, route.Cost, tight.Cost, err)
					}
					for _, x := range tight.Crossings {
						if x.Link >= 0 {
							taken++
						}
					}
				}
			}
		}
	}
	if taken < 200 {
		t.Errorf("only %d links taken", taken)
	}
}
