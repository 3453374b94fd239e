package query

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// steiner finds the cheapest way on a mesh of one tile by brute force: points close together on all portals, and
// straight ways between the points of each region. The answer is never below the truth.
type steiner struct {
	mesh  *navmesh.Mesh
	costs map[uint8]float64
	at    [][2]float64
	of    [][]int // the points of each region
	links []int   // the point at the start of each link, followed by the point at its end
}

func newSteiner(m *navmesh.Mesh, costs map[uint8]float64, apart float64) *steiner {
	s := &steiner{mesh: m, costs: costs, of: make([][]int, len(m.Tiles[0].Regions))}
	t := &m.Tiles[0]
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			if int(p.To) < i {
				continue
			}
			a, b := t.Vertices[p.Right].Point, t.Vertices[p.Left].Point
			n := int(math.Ceil(index.Distance(a, b) / metre / apart))
			dx, dy := index.Sub(b, a)
			for k := range n + 1 {
				f := float64(k) / float64(n)
				s.add([2]float64{float64(a.X) + f*dx, float64(a.Y) + f*dy}, i, int(p.To))
			}
		}
	}
	for _, l := range m.Links {
		s.links = append(s.links, len(s.at))
		s.add(index.Floats(l.Start[0].Point), l.From.Index())
		s.add(index.Floats(l.End[0].Point), l.To.Index())
	}
	return s
}

func (s *steiner) add(p [2]float64, regions ...int) {
	for _, r := range regions {
		s.of[r] = append(s.of[r], len(s.at))
	}
	s.at = append(s.at, p)
}

func (s *steiner) cost(r int) float64 {
	if c, ok := s.costs[s.mesh.Tiles[0].Regions[r].Area]; ok {
		return c
	}
	return 1
}

// around returns the open regions around a point of region r, without regions that only touch the point.
func (s *steiner) around(p lattice.Point, r int) []int {
	t := &s.mesh.Tiles[0]
	list := []int{r}
	for i := 0; i < len(list); i++ {
		for _, o := range t.RegionPortals(list[i]) {
			if lattice.OnSegment(p, t.Vertices[o.Left].Point, t.Vertices[o.Right].Point) && !slices.Contains(list, int(o.To)) && !math.IsInf(s.cost(int(o.To)), 1) {
				list = append(list, int(o.To))
			}
		}
	}
	return list
}

// least returns the least cost of a way between points of two regions, in metres of plain ground.
func (s *steiner) least(start, goal lattice.Point, from, to int) float64 {
	n := len(s.at)
	of := make([][]int, len(s.of))
	copy(of, s.of)
	for k, regions := range [][]int{s.around(start, from), s.around(goal, to)} {
		for _, r := range regions {
			of[r] = append(slices.Clone(of[r]), n+k)
		}
	}
	at := append(slices.Clone(s.at), index.Floats(start), index.Floats(goal))
	in := make([][]int, len(at))
	for r := range of {
		for _, p := range of[r] {
			in[p] = append(in[p], r)
		}
	}
	dist := make([]float64, len(at))
	done := make([]bool, len(at))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[n] = 0
	for {
		best := -1
		for i := range dist {
			if !done[i] && (best < 0 || dist[i] < dist[best]) {
				best = i
			}
		}
		if best == n+1 || math.IsInf(dist[best], 1) {
			return dist[n+1]
		}
		done[best] = true
		for _, r := range in[best] {
			if math.IsInf(s.cost(r), 1) {
				continue
			}
			for _, i := range of[r] {
				dist[i] = min(dist[i], dist[best]+s.cost(r)*math.Hypot(at[best][0]-at[i][0], at[best][1]-at[i][1])/metre)
			}
		}
		for l, from := range s.links {
			if from == best {
				dist[best+1] = min(dist[best+1], dist[best]+float64(s.mesh.Links[l].Cost))
			}
		}
	}
}

// walk returns the cost of the ground along the points of a path, links included at their costs; along a border the
// cheaper side counts.
func (s *steiner) walk(t *testing.T, path Path) (sum float64) {
	tile := &s.mesh.Tiles[0]
	links := 0
	for i := 1; i < len(path.Points); i++ {
		for links < len(path.Crossings) && path.Crossings[links].Link < 0 {
			links++
		}
		if links < len(path.Crossings) && path.Crossings[links].From == path.Points[i-1] && path.Crossings[links].To == path.Points[i] {
			sum += float64(s.mesh.Links[path.Crossings[links].Link].Cost)
			links++
			continue
		}
		ax, ay, _ := s.mesh.Frame.Local(path.Points[i-1])
		bx, by, _ := s.mesh.Frame.Local(path.Points[i])
		long := math.Hypot(bx-ax, by-ay)
		if long == 0 {
			continue
		}
		type part struct{ from, to, cost float64 }
		var parts []part
		cuts := []float64{0, 1}
		for r := range tile.Regions {
			p := part{0, 1, s.cost(r)}
			corners := tile.RegionCorners(r)
			for k := range corners {
				c, d := tile.Vertices[corners[k]].Point, tile.Vertices[corners[(k+1)%len(corners)]].Point
				ex, ey := index.Sub(d, c)
				l := math.Hypot(ex, ey)
				side := func(x, y float64) float64 { return (ex*(y-float64(c.Y)) - ey*(x-float64(c.X))) / l }
				da, db := side(ax, ay)+0.02, side(bx, by)+0.02 // tolerance: points up to a fiftieth of a unit beside the region count
				switch {
				case da < 0 && db < 0:
					p.to = -1
				case da < 0:
					p.from = max(p.from, da/(da-db))
				case db < 0:
					p.to = min(p.to, da/(da-db))
				}
			}
			if p.from < p.to {
				parts = append(parts, p)
				cuts = append(cuts, p.from, p.to)
			}
		}
		slices.Sort(cuts)
		for k := 1; k < len(cuts); k++ {
			middle, least := (cuts[k]+cuts[k-1])/2, math.Inf(1)
			for _, p := range parts {
				if p.from <= middle && middle <= p.to {
					least = min(least, p.cost)
				}
			}
			if cuts[k] > cuts[k-1] {
				if math.IsInf(least, 1) && (cuts[k]-cuts[k-1])*long < 1 {
					least = 1
				}
				sum += least * (cuts[k] - cuts[k-1]) * long / metre
			}
		}
	}
	return sum
}

// paint gives the regions of a world random areas below n, in patches of neighbours.
func paint(rng *rand.Rand, m *navmesh.Mesh, n int) {
	t := &m.Tiles[0]
	for i := range t.Regions {
		t.Regions[i].Area = uint8(rng.IntN(n))
		if ps := t.RegionPortals(i); len(ps) > 0 && rng.IntN(2) == 0 {
			t.Regions[i].Area = t.Regions[ps[rng.IntN(len(ps))].To].Area
		}
	}
}

// withCosts returns an index under costs.
func withCosts(t testing.TB, m *navmesh.Mesh, costs map[uint8]float64) *Index {
	t.Helper()
	ix, err := NewIndex(m).With(Filter{AreaCosts: costs})
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// preparedCells returns an index with bounds of cells of a length in metres, and of at most across sources from side to side.
func preparedCells(t testing.TB, ix *Index, long, across float64) *Index {
	t.Helper()
	gates, err := ix.gates.PrepareCells(t.Context(), long*lattice.UnitsPerMetre, across)
	if err != nil {
		t.Fatal(err)
	}
	out := *ix
	out.gates = gates
	return &out
}

// checkWeighted checks the cost, bound and grounds of a path.
func checkWeighted(t *testing.T, s *steiner, path Path) {
	t.Helper()
	// Along a border a path may be on the more expensive side, as far as ε allows.
	if cost := s.walk(t, path); cost > path.Cost+1e-6*(1+cost) || cost < path.LowerBound-1e-4*(1+cost) {
		t.Errorf("cost %v, the points say %v: %v", path.Cost, cost, path.Points)
	}
	length, cost := 0.0, 0.0
	for i, g := range path.Grounds {
		length += g.Length
		cost += g.Cost
		if i > 0 && path.Grounds[i-1].Area == g.Area && path.Grounds[i-1].To == g.From {
			t.Errorf("ground %d goes on as %d: %+v", i-1, i, path.Grounds)
		}
	}
	for _, c := range path.Crossings {
		if c.Link >= 0 {
			a, b := c.From, c.To
			length += math.Hypot(b.X-a.X, b.Z-a.Z)
			cost += float64(s.mesh.Links[c.Link].Cost)
		}
	}
	if len(path.Grounds) > 0 && (math.Abs(length-path.Length) > 1e-3*(1+length) || math.Abs(cost-path.Cost) > 1e-3*(1+cost)) {
		t.Errorf("length %v and cost %v, the grounds say %v and %v", path.Length, path.Cost, length, cost)
	}
	if path.LowerBound > path.Cost || path.Ratio() < 1 {
		t.Errorf("cost %v, bound %v, ratio %v", path.Cost, path.LowerBound, path.Ratio())
	}
}

// TestAreaCostsAgainstSteinerPoints compares costs on random worlds with brute force: costs exceed brute force by at
// most ε, and bounds never exceed brute force, also of prepared indexes.
func TestAreaCostsAgainstSteinerPoints(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(77, 5))
	asked, bent, apart := 0, 0, 0
	for k := range 60 {
		var w world
		var g *gridWorld
		if k%3 == 2 {
			w = newSoup(t, rng, 4+rng.IntN(4), 4+rng.IntN(4), 0.1+0.2*rng.Float64(), lattice.Frame{})
		} else {
			g = newGrid(t, rng, 2+rng.IntN(5), 2+rng.IntN(5), 0.3*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
			w = g
		}
		m := w.theMesh()
		paint(rng, m, 4)
		costs := map[uint8]float64{}
		for a := range uint8(4) {
			if c := []float64{1, 2, 0.5, 5, 1.1, 0.1, math.Inf(1)}[rng.IntN(7)]; c != 1 {
				costs[a] = c
			}
		}
		if g != nil && k%2 == 0 {
			newLinked(t, rng, g, rng.IntN(4), rng.IntN(2) == 0)
		}
		s := newSteiner(m, costs, 1.0/16)
		ix := withCosts(t, m, costs)
		q := ix.NewQuery()
		q.Epsilon = []float64{0, 0.001, 0.1}[rng.IntN(3)]
		both := []*Query{q}
		if ix.gates != nil {
			both = append(both, preparedCells(t, ix, []float64{1, 2, 32}[rng.IntN(3)], []float64{math.Inf(1), 4, 1}[k%3]).NewQuery())
			both[1].Epsilon = q.Epsilon
		}
		epsilon := q.Epsilon
		if epsilon == 0 {
			epsilon = DefaultEpsilon
		}
		for range 6 {
			a, ok := w.draw(rng)
			b, ok2 := w.draw(rng)
			if !ok || !ok2 {
				continue
			}
			pa, pb := w.point(a), w.point(b)
			la, _, _ := m.Frame.FromWorld(pa)
			lb, _, _ := m.Frame.FromWorld(pb)
			in, ok := q.Locate(pa)
			to, ok2 := q.Locate(pb)
			if !ok || !ok2 {
				continue // closed
			}
			want := s.least(la, lb, in.Ref.Index(), to.Ref.Index())
			for _, q := range both {
				path, err := q.Path(context.Background(), pa, pb)
				if err != nil {
					t.Fatal(err)
				}
				if path.Complete != !math.IsInf(want, 1) {
					t.Fatalf("world %d, %v to %v: complete is %v, brute force says %v", k, la, lb, path.Complete, want)
				}
				if !path.Complete {
					apart++
					continue
				}
				asked++
				if len(path.Points) > 2 {
					bent++
				}
				if path.LowerBound > want*(1+1e-6)+1e-6 {
					t.Errorf("world %d, %v to %v: the bound %v is above %v", k, la, lb, path.LowerBound, want)
				}
				if path.Cost > want*(1+epsilon)+1e-6 || path.Ratio() > 1+epsilon+1e-9 {
					t.Errorf("world %d, %v to %v: cost %v, ratio %v; brute force says %v", k, la, lb, path.Cost, path.Ratio(), want)
				}
				checkWeighted(t, s, path)
			}
		}
	}
	if bent < 160 || apart < 20 {
		t.Errorf("%d paths, %d bent, %d apart: too few for a test", asked, bent, apart)
	}
}
