package streamfile

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// openAll opens a mesh in tiles of some regions and composes all tiles.
func openAll(t *testing.T, m *navmesh.Mesh, regions int) (*File, *Part) {
	t.Helper()
	data, err := Encode(m, Options{Regions: regions})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f, composeSome(t, f, func(int) bool { return true })
}

func composeSome(t *testing.T, f *File, chosen func(tile int) bool) *Part {
	t.Helper()
	var tiles []*Tile
	for i := range f.Tiles() {
		if chosen(i) {
			tile, err := f.Tile(i)
			if err != nil {
				t.Fatal(err)
			}
			tiles = append(tiles, tile)
		}
	}
	p, err := Compose(tiles)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// linked is a mesh of squares with random links of one way each, some of which cost less than their length.
func linked(t *testing.T, rng *rand.Rand) *navmesh.Mesh {
	t.Helper()
	m := squares(t, 6)
	tile := &m.Tiles[0]
	m.Links = m.Links[:0]
	near := 0
	if rng.IntN(2) == 0 {
		near = 60
	}
	for k := range near + 1 + rng.IntN(8) {
		l := navmesh.Link{Kind: navmesh.Jump, Flags: 2}
		from, to := rng.IntN(len(tile.Regions)), rng.IntN(len(tile.Regions))
		if k < near { // most within a tile
			to = min(from+1+rng.IntN(2), len(tile.Regions)-1)
		}
		l.From, l.To = navmesh.MakeRef(0, from, 1), navmesh.MakeRef(0, to, 1)
		a, b := tile.RegionCorners(from), tile.RegionCorners(to)
		l.Start = [2]lattice.Vertex{tile.Vertices[a[0]], tile.Vertices[a[rng.IntN(2)]]}
		l.End = [2]lattice.Vertex{tile.Vertices[b[0]], tile.Vertices[b[rng.IntN(2)]]}
		straight := distance(l.Start[0].Point, l.End[0].Point) * lattice.Unit
		l.Cost = float32(straight * []float64{0, 0.3, 1, 3}[rng.IntN(4)])
		m.Links = append(m.Links, l)
	}
	slices.SortStableFunc(m.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
	m.Connect()
	return m
}

// TestBoundsWithLinks compares bounds with the costs of paths over links of one way, cheap ones among them. No bound means no path.
func TestBoundsWithLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	none, over := 0, 0
	for range slow.Count(30, 500) {
		m := linked(t, rng)
		f, p := openAll(t, m, 4)
		q := query.NewIndex(p.Mesh).NewQuery()
		for range 40 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			ta, _ := p.TileOf(a.Ref)
			tb, _ := p.TileOf(b.Ref)
			path, err := q.PathBetween(t.Context(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			bounds := f.Bounds(End{a.Point, []int{ta}}, End{b.Point, []int{tb}}, 1)
			if !path.Complete {
				if len(bounds.Below(math.Inf(1))) == 0 {
					none++
				}
				continue
			}
			if len(path.Crossings) > 0 {
				over++
			}
			for _, r := range path.Regions() {
				tile, _ := p.TileOf(r)
				if bounds.Tiles[tile] > path.Cost*(1+1e-9)+1e-9 {
					t.Fatalf("a path of %g m over %d links from tile %d to %d visits tile %d, whose bound is %g m", path.Cost, len(path.Crossings), ta, tb, tile, bounds.Tiles[tile])
				}
			}
		}
	}
	if none == 0 || over < 20 {
		t.Errorf("%d pairs without a bound, %d paths over links", none, over)
	}
}

// TestOneWay finds bounds for paths to an island, and none for paths back.
func TestOneWay(t *testing.T) {
	m := squares(t, 3)
	f, p := openAll(t, m, 2)
	island, _ := p.TileOf(navmesh.MakeRef(0, len(m.Tiles[0].Regions)-1, 1))
	home, _ := p.TileOf(navmesh.MakeRef(0, 0, 1))
	there := f.Bounds(End{Tiles: []int{home}}, End{Tiles: []int{island}}, 1)
	back := f.Bounds(End{Tiles: []int{island}}, End{Tiles: []int{home}}, 1)
	if len(there.Below(math.Inf(1))) == 0 || len(back.Below(math.Inf(1))) > 0 {
		t.Errorf("bounds there %v, back %v", there.Tiles, back.Tiles)
	}
}

// TestBoundsAreTight checks that bounds in the open, where paths are straight, are near the costs of paths.
func TestBoundsAreTight(t *testing.T) {
	m := squares(t, 30)
	m.Links = nil
	m.Connect()
	f, p := openAll(t, m, 9)
	q := query.NewIndex(p.Mesh).NewQuery()
	rng := rand.New(rand.NewPCG(8, 8))
	sum, n := 0.0, 0
	for range 200 {
		a, _ := q.RandomPoint(rng)
		b, _ := q.RandomPoint(rng)
		ta, _ := p.TileOf(a.Ref)
		tb, _ := p.TileOf(b.Ref)
		path, err := q.PathBetween(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		if !path.Complete || path.Cost < 5 {
			continue
		}
		bounds := f.Bounds(End{a.Point, []int{ta}}, End{b.Point, []int{tb}}, 1)
		sum += bounds.Tiles[ta] / path.Cost
		n++
		if half := f.Bounds(End{a.Point, []int{ta}}, End{b.Point, []int{tb}}, 0.5); math.Abs(half.Tiles[ta]-bounds.Tiles[ta]/2) > 1e-9 {
			t.Fatalf("at half the cost the bound is %g m, before %g m", half.Tiles[ta], bounds.Tiles[ta])
		}
	}
	if mean := sum / float64(n); mean < 0.6 || mean > 1 {
		t.Errorf("bounds are %g of the costs of %d paths", mean, n)
	}
}

// TestCrowdedTile finds bounds through a tile with thousands of borders, which is crossed at no cost.
func TestCrowdedTile(t *testing.T) {
	const around = 20000
	f := &File{head: &navmesh.Mesh{}, entries: make([]Entry, around+1)}
	at := func(k int) lattice.Point { return lattice.Point{X: int32(k) * 4096} }
	for k := 1; k <= around; k++ {
		box := lattice.BoxOf(at(k))
		f.borders = append(f.borders, Border{Tiles: [2]int{0, k}, Boxes: [2]lattice.Box{box, box}})
	}
	f.linkSides()
	f.cheap = true // a link somewhere
	b := f.Bounds(End{geom.Vec{X: 1, Z: 3}, []int{1}}, End{geom.Vec{X: 500, Z: 4}, []int{500}}, 1)
	for k, bound := range b.Tiles {
		want := 7.0 // 3 m to the hub, nothing through it, 4 m from it
		if k > 1 && k != 500 {
			want = b.Tiles[k] // and out of the hub to the tile and back
		}
		if math.Abs(bound-want) > 1e-9 {
			t.Fatalf("tile %d: %g m, want %g m", k, bound, want)
		}
	}
}

// TestFloorBeyondTheBorder asks for heights in a crack of the floor at the border of a tile. The nearest floor is that of the
// neighbour.
func TestFloorBeyondTheBorder(t *testing.T) {
	m := squares(t, 2)
	v := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	m.Tiles[0].Layers[0].Floor = lattice.TIN{
		Vertices:  []lattice.Vertex{v(-9, -9, 50), v(4000, -9, 50), v(4000, 9000, 50), v(-9, 9000, 50), v(4900, -9, 80), v(40000, -9, 80), v(40000, 9000, 80), v(4900, 9000, 80)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}},
	}
	f, all := openAll(t, m, 1)
	whole := query.NewIndex(all.Mesh)
	asked := 0
	for k := range f.Tiles() {
		p := composeSome(t, f, func(tile int) bool { return tile == k })
		ix := query.NewIndex(p.Mesh)
		r := navmesh.MakeRef(0, 0, 1)
		origin, _ := p.Origin(r)
		box, _, _ := boxOf(&p.Mesh.Tiles[0], 0)
		for x := int32(3900); x <= 4900; x += 49 {
			for _, y := range []int32{100, 5000} {
				if !box.Contains(lattice.Point{X: x, Y: y}) {
					continue
				}
				at := m.Frame.ToWorld(lattice.Point{X: x, Y: y}, 60)
				got, ok := ix.Floor(r, at)
				want, ok2 := whole.Floor(origin, at)
				if got != want || ok != ok2 {
					t.Errorf("tile %d at %v: %v %t, whole %v %t", k, at, got, ok, want, ok2)
				}
				if ok {
					asked++
				}
			}
		}
	}
	if asked < 20 {
		t.Errorf("%d heights", asked)
	}
}

// TestGates checks the ends of gates at links and at portals.
func TestGates(t *testing.T) {
	m := squares(t, 2)
	f, all := openAll(t, m, 1)
	home, _ := all.TileOf(navmesh.MakeRef(0, 0, 1))
	p := composeSome(t, f, func(tile int) bool { return tile == home })
	portals, links := 0, 0
	for _, g := range p.Gates {
		var found bool
		for _, l := range m.Links {
			if to, _ := all.TileOf(l.To); to == g.Tile && l.Start == g.Ends {
				found = true
				links++
			}
		}
		for _, o := range m.Tiles[0].RegionPortals(0) {
			ends := [2]lattice.Vertex{m.Tiles[0].Vertices[o.Left], m.Tiles[0].Vertices[o.Right]}
			if to, _ := all.TileOf(navmesh.MakeRef(0, int(o.To), 1)); to == g.Tile && ends == g.Ends {
				found = true
				portals++
			}
		}
		if !found || g.Region != navmesh.MakeRef(0, 0, 1) {
			t.Errorf("%+v is the gate of no portal and no link", g)
		}
	}
	if portals != 2 || links != 2 {
		t.Errorf("%d gates at portals and %d at links, want 2 and 2", portals, links)
	}
}
