package navmesh_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/navmesh"
)

// flatMesh builds the mesh of a domain without chains from its cells.
func flatMesh(t testing.TB, p lattice.Polygon, in []plan.Cell) *navmesh.Mesh {
	t.Helper()
	m, _, err := join.Build(context.Background(), &plan.Plan{Layers: []plan.Layer{{Domains: []plan.Domain{{Polygon: p}}}}},
		[][][]plan.Cell{{in}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// grid is an n by n floor of squares with sides of 10.
func grid(t testing.TB, n int32) *navmesh.Mesh {
	t.Helper()
	var rings []lattice.Ring
	for y := range n {
		for x := range n {
			rings = append(rings, square(10*x, 10*y, 10*x+10, 10*y+10))
		}
	}
	return flatMesh(t, lattice.Polygon{Rings: []lattice.Ring{square(0, 0, 10*n, 10*n)}}, cells(rings...))
}

func TestClearanceOfGrid(t *testing.T) {
	tests := []struct {
		n, from, to uint32
		want        int32
	}{
		{2, 0, 1, 10},                  // one end is inside the floor, 10 from every wall
		{3, 3, 4, 10},                  // both ends are, and the wall of region 3 is 10 away
		{5, 12, 13, navmesh.Unbounded}, // no walls on both regions
	}
	for _, test := range tests {
		m := grid(t, int32(test.n))
		p := m.Tiles[0].Portals[portal(t, m, test.from, test.to)]
		if p.Clearance != test.want {
			t.Errorf("%d by %d: portal from %d to %d has clearance %d, want %d", test.n, test.n, test.from, test.to, p.Clearance, test.want)
		}
	}
	// The middle of a 5 by 5 floor has no walls near: every passage through it is unbounded.
	m := grid(t, 5)
	r := m.Tiles[0].Regions[12]
	for _, p := range m.Tiles[0].Passages[r.FirstPassage : r.FirstPassage+r.PortalCount-1] {
		if p.Clearance != navmesh.Unbounded {
			t.Errorf("passage %+v in the middle of an open floor", p)
		}
	}
}

// TestClearanceOfLongPortal has a corridor of 100 m split along its middle: every place of the portal between the
// halves is equally far from the walls. The test is fast only if the search is independent of the portal's length.
func TestClearanceOfLongPortal(t *testing.T) {
	const length, width = 100 * lattice.UnitsPerMetre, 2 * lattice.UnitsPerMetre
	m := flatMesh(t, lattice.Polygon{Rings: []lattice.Ring{square(0, 0, length, 2*width)}},
		cells(square(0, 0, length, width), square(0, width, length, 2*width)))
	for range 200 {
		m.Tiles[0].Derive()
	}
	if c := m.Tiles[0].Portals[0].Clearance; c != width {
		t.Errorf("clearance %d, want %d", c, width)
	}
}

// TestClearanceOfSlantedPortal has a slanted portal between parallel walls: the disc that fits through is as wide as
// the corridor, not as long as the portal.
func TestClearanceOfSlantedPortal(t *testing.T) {
	ring := lattice.Ring{{X: 0, Y: 0}, {X: 300, Y: 0}, {X: 300, Y: 30}, {X: 0, Y: 30}}
	m := flatMesh(t, lattice.Polygon{Rings: []lattice.Ring{ring}}, cells(
		lattice.Ring{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 200, Y: 30}, {X: 0, Y: 30}},
		lattice.Ring{{X: 100, Y: 0}, {X: 300, Y: 0}, {X: 300, Y: 30}, {X: 200, Y: 30}}))
	if c := m.Tiles[0].Portals[0].Clearance; c != 15 {
		t.Errorf("clearance %d, want 15", c)
	}
}

// TestPassagesOfHall has a hall with doors on three sides. From west to east the hall is 40 wide, as the door in the
// north wall is no obstacle; to the door the hall is as wide as the door.
func TestPassagesOfHall(t *testing.T) {
	ring := lattice.Ring{
		{X: 0, Y: 0},
		{X: 300, Y: 0},
		{X: 300, Y: 40},
		{X: 160, Y: 40},
		{X: 160, Y: 80},
		{X: 150, Y: 80},
		{X: 150, Y: 40},
		{X: 0, Y: 40},
	}
	m := flatMesh(t, lattice.Polygon{Rings: []lattice.Ring{ring}}, cells(
		square(0, 0, 100, 40), square(100, 0, 200, 40), square(200, 0, 300, 40), square(150, 40, 160, 80)))
	p := passages(m, 1)
	tile := &m.Tiles[0]
	r := tile.Regions[1]
	at := func(to uint32) int { return portal(t, m, 1, to) - int(r.FirstPortal) }
	for _, test := range []struct {
		a, b uint32
		want int32
	}{{0, 2, 20}, {0, 3, 5}, {2, 3, 5}} {
		if got := p[at(test.a)][at(test.b)]; got != test.want {
			t.Errorf("from %d to %d: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// passages reads the matrix of a region's widest discs off its bottleneck tree.
func passages(m *navmesh.Mesh, region int) [][]int32 {
	t := &m.Tiles[0]
	r := t.Regions[region]
	k := int(r.PortalCount)
	out := make([][]int32, k)
	for i := range out {
		out[i] = make([]int32, k)
		// Walk the tree from portal i.
		out[i][i] = navmesh.Unbounded
		seen := map[int]bool{i: true}
		for grown := true; grown; {
			grown = false
			for _, p := range t.Passages[r.FirstPassage : int(r.FirstPassage)+k-1] {
				for _, d := range [][2]int{{int(p.A), int(p.B)}, {int(p.B), int(p.A)}} {
					if seen[d[0]] && !seen[d[1]] {
						seen[d[1]], grown = true, true
						out[i][d[1]] = min(out[i][d[0]], p.Clearance)
					}
				}
			}
		}
	}
	return out
}

// piece is an elementary stretch of a region's border: a portal, a wall, or a vertex between two portals on the border
// of the polygon.
type piece struct {
	a, b   lattice.Point
	portal int // counted from the region's first, -1 for walls
}

// border cuts the border of a region into its pieces.
func border(m *navmesh.Mesh, polygon lattice.Polygon, region int) []piece {
	t := &m.Tiles[0]
	corners := t.RegionCorners(region)
	portals := t.RegionPortals(region)
	var out []piece
	for e, c := range corners {
		at := t.Vertices[c].Point
		wall := func(to lattice.Point) {
			if at != to || polygon.Locate(at) == lattice.OnBoundary {
				out = append(out, piece{at, to, -1})
			}
			at = to
		}
		for j, p := range portals {
			if int(p.Edge) == e {
				wall(t.Vertices[p.Right].Point)
				at = t.Vertices[p.Left].Point
				out = append(out, piece{t.Vertices[p.Right].Point, at, j})
			}
		}
		wall(t.Vertices[corners[(e+1)%len(corners)]].Point)
	}
	return out
}

// halved reports whether c is half the root of d2, rounded down.
func halved(c int32, d2 lattice.Ratio) bool {
	r := uint64(c)
	return d2.CompareInt(4*r*r) >= 0 && d2.CompareInt(4*(r+1)*(r+1)) < 0
}

// randomMesh is the mesh of a random polygon in cells with many portals.
func randomMesh(t testing.TB, seed uint64, points, holes int) (*navmesh.Mesh, lattice.Polygon) {
	t.Helper()
	p := corpus.Polygon(seed, points, holes)
	d := plan.Domain{Polygon: p}
	for _, r := range p.Rings {
		edges := make([]plan.ChainID, len(r))
		for i := range edges {
			edges[i] = plan.Wall
		}
		d.Edges = append(d.Edges, edges)
	}
	res, err := anavmg.Generator{}.Decompose(context.Background(), gen.Input{Domain: &d})
	if err != nil {
		t.Fatal(err)
	}
	return flatMesh(t, p, res.Cells), p
}

// TestPassagesAgainstBruteForce compares the bottleneck tree with its definition: half the smallest distance between
// the walls on either side of two portals. The corner pieces of the brute force are vertices of the polygon;
// constructed vertices, which may lie beside its border, are skipped.
func TestPassagesAgainstBruteForce(t *testing.T) {
	checked := 0
	for seed := range uint64(48) {
		m, polygon := randomMesh(t, seed, 60, int(seed)%4)
		for i := range m.Tiles[0].Regions {
			pieces := border(m, polygon, i)
			matrix := passages(m, i)
			for a := range matrix {
				for b := range a {
					want, constructed := separation(pieces, polygon, a, b)
					if constructed {
						continue
					}
					got := matrix[a][b]
					if matrix[b][a] != got {
						t.Fatalf("seed %d, region %d: the tree says %d from portal %d to %d and %d back", seed, i, got, a, b, matrix[b][a])
					}
					if want == nil && got != navmesh.Unbounded || want != nil && !halved(got, *want) {
						t.Fatalf("seed %d, region %d: portals %d and %d: %d, want half of %v", seed, i, a, b, got, want)
					}
					checked++
				}
			}
		}
	}
	if checked < 400 {
		t.Errorf("only %d pairs of portals", checked)
	}
}

// separation returns the squared distance of the walls on both sides of the way between two portals, nil if a side has
// no walls. constructed reports a constructed vertex.
func separation(pieces []piece, polygon lattice.Polygon, a, b int) (d2 *lattice.Ratio, constructed bool) {
	var sides [2][]piece
	side := 0
	for _, p := range pieces {
		if p.portal == a || p.portal == b {
			side = 1 - side
		}
		if p.portal < 0 {
			sides[side] = append(sides[side], p)
		}
		constructed = constructed || p.portal >= 0 && (polygon.Locate(p.a) == lattice.Outside || polygon.Locate(p.b) == lattice.Outside ||
			!isVertex(polygon, p.a) || !isVertex(polygon, p.b))
	}
	for _, p := range sides[0] {
		for _, q := range sides[1] {
			if r := lattice.SegmentsDistance2(p.a, p.b, q.a, q.b); d2 == nil || r.Compare(*d2) < 0 {
				d2 = &r
			}
		}
	}
	return d2, constructed
}

// isVertex reports whether p is a vertex of the polygon.
func isVertex(polygon lattice.Polygon, p lattice.Point) bool {
	for _, r := range polygon.Rings {
		for _, v := range r {
			if v == p {
				return true
			}
		}
	}
	return false
}

// TestClearanceAgainstBruteForce compares the clearance of a portal with many places on the portal: no place is farther
// from the walls of the two regions than the clearance, and some place is as far.
func TestClearanceAgainstBruteForce(t *testing.T) {
	const places = 512
	checked := 0
	for seed := range uint64(32) {
		m, polygon := randomMesh(t, seed, 40, int(seed)%3)
		tile := &m.Tiles[0]
		for i := range tile.Regions {
			for _, p := range tile.RegionPortals(i) {
				if int(p.To) < i || !isVertex(polygon, tile.Vertices[p.Left].Point) || !isVertex(polygon, tile.Vertices[p.Right].Point) {
					continue
				}
				var walls []piece
				for _, q := range append(border(m, polygon, i), border(m, polygon, int(p.To))...) {
					if q.portal < 0 {
						walls = append(walls, q)
					}
				}
				a, b := tile.Vertices[p.Right].Point, tile.Vertices[p.Left].Point
				best := 0.0
				for s := range places + 1 {
					f := float64(s) / places
					best = max(best, distanceTo(walls, float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)))
				}
				step := math.Sqrt(float64(a.Distance2(b))) / places
				if got := float64(p.Clearance); got > best+step+1e-6 || got < math.Floor(best)-1 {
					t.Errorf("seed %d: portal from %v to %v has clearance %g, places on it %g", seed, a, b, got, best)
				}
				checked++
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d portals", checked)
	}
}

// distanceTo returns the distance of a point to the nearest wall.
func distanceTo(walls []piece, x, y float64) float64 {
	best := math.Inf(1)
	for _, w := range walls {
		ax, ay := float64(w.a.X), float64(w.a.Y)
		dx, dy := float64(w.b.X)-ax, float64(w.b.Y)-ay
		s := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			s = min(max(((x-ax)*dx+(y-ay)*dy)/l, 0), 1)
		}
		best = min(best, math.Hypot(x-ax-s*dx, y-ay-s*dy))
	}
	return best
}

// TestDeriveOnDoesNotDependOnJobs derives a tile of several blocks of regions on several goroutines, and checks that a
// context can stop the work.
func TestDeriveOnDoesNotDependOnJobs(t *testing.T) {
	want := &grid(t, 30).Tiles[0]
	for _, jobs := range []int{0, 1, 3} {
		got := navmesh.Tile{
			Vertices: want.Vertices, Corners: want.Corners, Layers: want.Layers,
			Regions: slices.Clone(want.Regions), Portals: slices.Clone(want.Portals),
		}
		for i := range got.Portals {
			p := &got.Portals[i]
			p.Clearance, p.LeftCorner, p.RightCorner = 0, !p.LeftCorner, !p.RightCorner
		}
		if err := got.DeriveOn(t.Context(), jobs); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Regions, want.Regions) || !slices.Equal(got.Portals, want.Portals) || !slices.Equal(got.Passages, want.Passages) {
			t.Errorf("%d jobs: another tile", jobs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := want.DeriveOn(ctx, 2); err != context.Canceled {
		t.Errorf("stopped: error %v", err)
	}
}
