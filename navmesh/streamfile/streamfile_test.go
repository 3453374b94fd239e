package streamfile_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query"
)

// meshes are meshes of levels with storeys, links, areas and rough floors.
func meshes(t testing.TB) map[string]*navmesh.Mesh {
	t.Helper()
	out := map[string]*navmesh.Mesh{}
	for _, kind := range []string{"maze", "halls", "tower", "terrain", "urban"} {
		out[kind] = generated(t, kind, levelgen.Options{Seed: 5})
	}
	return out
}

func generated(t testing.TB, kind string, opt levelgen.Options) *navmesh.Mesh {
	t.Helper()
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	return m.Mesh
}

// opened is a mesh in tiles of about regions regions.
func opened(t testing.TB, m *navmesh.Mesh, regions int) *streamfile.File {
	t.Helper()
	data, err := streamfile.Encode(m, streamfile.Options{Regions: regions})
	if err != nil {
		t.Fatal(err)
	}
	f, err := streamfile.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// compose reads some tiles and composes them.
func compose(t testing.TB, f *streamfile.File, tiles ...int) *streamfile.Part {
	t.Helper()
	var list []*streamfile.Tile
	for _, n := range tiles {
		tile, err := f.Tile(n)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, tile)
	}
	p, err := streamfile.Compose(list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func allTiles(f *streamfile.File) []int {
	var all []int
	for i := range f.Tiles() {
		all = append(all, i)
	}
	return all
}

// TestAllTilesAreTheMesh composes all tiles, in any order, and compares the mesh with the mesh that was written.
func TestAllTilesAreTheMesh(t *testing.T) {
	for name, m := range meshes(t) {
		for _, regions := range []int{1, 7, 40, 1 << 20} {
			if regions == 1 && m.RegionCount() > 500 {
				continue
			}
			f := opened(t, m, regions)
			all := allTiles(f)
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
			p := compose(t, f, all...)
			if diff := cmp.Diff(m, p.Mesh); diff != "" {
				t.Errorf("%s, %d regions in a tile: %.2000s", name, regions, diff)
			}
			if len(p.Gates) > 0 || f.Regions() != m.RegionCount() {
				t.Errorf("%s: %d gates, %d regions", name, len(p.Gates), f.Regions())
			}
			if least := m.RegionCount() / regions; regions < m.RegionCount() && len(all) < least/2 || regions > m.RegionCount() && len(all) != 1 {
				t.Errorf("%s: %d tiles of %d regions", name, len(all), regions)
			}
		}
	}
}

// TestPartsAreValid composes random parts. Their regions are those of the mesh, with the same floor, portals and clearances;
// Validate finds no faults; gates are exactly the ways to regions that are absent.
func TestPartsAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for name, m := range meshes(t) {
		f := opened(t, m, 12)
		whole := query.NewIndex(m)
		for range 6 {
			var tiles []int
			for i := range f.Tiles() {
				if rng.IntN(3) > 0 {
					tiles = append(tiles, i)
				}
			}
			if len(tiles) == 0 {
				continue
			}
			p := compose(t, f, tiles...)
			for _, fault := range p.Mesh.Validate() {
				// Clearances are those of the whole mesh: portals into absent tiles are no walls there.
				if fault.Kind != navmesh.BadClearance && fault.Kind != navmesh.BadPassages {
					t.Errorf("%s: %v", name, fault)
				}
			}
			checkPart(t, name, m, p, whole, rng)
		}
	}
}

func checkPart(t *testing.T, name string, m *navmesh.Mesh, p *streamfile.Part, whole *query.Index, rng *rand.Rand) {
	t.Helper()
	ix := query.NewIndex(p.Mesh)
	gates := 0
	for i := range p.Mesh.Tiles[0].Regions {
		r := navmesh.MakeRef(0, i, 1)
		origin, ok := p.Origin(r)
		back, ok2 := p.Find(origin)
		tile, ok3 := p.TileOf(r)
		if !ok || !ok2 || !ok3 || back != r || !slices.Contains(p.Tiles, tile) {
			t.Fatalf("%s: region %v is %v is %v, in tile %d", name, r, origin, back, tile)
		}
		region, was := &p.Mesh.Tiles[0].Regions[i], &m.Tiles[0].Regions[origin.Index()]
		if region.Layer != was.Layer || region.Area != was.Area || region.Flags != was.Flags {
			t.Fatalf("%s: region %v is %v, was %v", name, origin, region, was)
		}
		corners, before := p.Mesh.Tiles[0].RegionCorners(i), m.Tiles[0].RegionCorners(origin.Index())
		for k := range corners {
			if p.Mesh.Tiles[0].Vertices[corners[k]] != m.Tiles[0].Vertices[before[k]] {
				t.Fatalf("%s: region %v has another corner", name, origin)
			}
		}
		if a, b := len(p.Mesh.Tiles[0].MarksOf(i)), len(m.Tiles[0].MarksOf(origin.Index())); a != b {
			t.Fatalf("%s: region %v has %d marks, had %d", name, origin, a, b)
		}
		gates += checkWays(t, name, m, p, i, origin.Index())
		// Heights anywhere in the region, and a little beside.
		b, _ := ix.Center(r)
		for range 3 {
			v := p.Mesh.Tiles[0].Vertices[corners[rng.IntN(len(corners))]]
			at, share := p.Mesh.Frame.ToWorld(v.Point, v.Z), 1.01*rng.Float64()
			at = b.Point.Add(at.Sub(b.Point).Scale(share))
			h1, ok1 := ix.Floor(r, at)
			h2, ok2 := whole.Floor(origin, at)
			if ok1 != ok2 || h1 != h2 {
				t.Fatalf("%s: region %v at %v: floor %v %t, whole %v %t", name, origin, at, h1, ok1, h2, ok2)
			}
		}
	}
	for _, g := range p.Gates {
		if slices.Contains(p.Tiles, g.Tile) {
			t.Errorf("%s: a gate into tile %d, which is there", name, g.Tile)
		}
	}
	if gates != len(p.Gates) {
		t.Errorf("%s: %d gates, want %d", name, len(p.Gates), gates)
	}
}

// checkWays compares the portals, passages and links of a region with those of the whole mesh, and returns the number of ways to
// absent regions.
func checkWays(t *testing.T, name string, m *navmesh.Mesh, p *streamfile.Part, i, origin int) (gates int) {
	t.Helper()
	part, whole := &p.Mesh.Tiles[0], &m.Tiles[0]
	left := part.RegionPortals(i)
	var open []int // portals of the whole mesh
	for k, o := range whole.RegionPortals(origin) {
		to, here := p.Find(navmesh.MakeRef(0, int(o.To), 1))
		if !here {
			gates++
			continue
		}
		if len(left) == 0 || int(left[0].To) != to.Index() || left[0].Clearance != o.Clearance || left[0].Edge != o.Edge {
			t.Fatalf("%s: region %d lost its portal to region %d", name, origin, o.To)
		}
		left, open = left[1:], append(open, k)
	}
	if len(left) > 0 {
		t.Fatalf("%s: region %d has %d new portals", name, origin, len(left))
	}
	for a := range open {
		for b := range a {
			if got, want := narrowest(part, i, b, a), narrowest(whole, origin, open[b], open[a]); got != want {
				t.Fatalf("%s: region %d: the passage from portal %d to %d is %d wide, was %d", name, origin, open[b], open[a], got, want)
			}
		}
	}
	links := p.Mesh.LinksFrom(navmesh.MakeRef(0, i, 1))
	for _, l := range m.LinksFrom(navmesh.MakeRef(0, origin, 1)) {
		if to, here := p.Find(l.To); !here {
			gates++
		} else {
			l.From, l.To = navmesh.MakeRef(0, i, 1), to
			if len(links) == 0 || links[0] != l {
				t.Fatalf("%s: region %d lost its link to %v", name, origin, to)
			}
			links = links[1:]
		}
	}
	return gates
}

// narrowest returns the clearance of the way between two portals of a region by its bottleneck tree.
func narrowest(t *navmesh.Tile, region, a, b int) int32 {
	r := &t.Regions[region]
	tree := t.Passages[r.FirstPassage:][:max(r.PortalCount, 1)-1]
	best := map[uint32]int32{uint32(a): navmesh.Unbounded}
	for range tree {
		for _, p := range tree {
			for _, d := range [2][2]uint32{{p.A, p.B}, {p.B, p.A}} {
				if from, ok := best[d[0]]; ok {
					best[d[1]] = max(best[d[1]], min(from, p.Clearance))
				}
			}
		}
	}
	return best[uint32(b)]
}

// TestBoundsAreLower compares the bounds of tiles with the costs of paths in the whole mesh.
func TestBoundsAreLower(t *testing.T) {
	for name, m := range meshes(t) {
		rng := rand.New(rand.NewPCG(3, 3))
		f := opened(t, m, 12)
		p := compose(t, f, allTiles(f)...)
		q := query.NewIndex(p.Mesh).NewQuery()
		far, tight, sum, paths := 0, 0.0, 0.0, 0
		for range 100 {
			start, ok1 := q.RandomPoint(rng)
			goal, ok2 := q.RandomPoint(rng)
			path, err := q.PathBetween(t.Context(), start, goal)
			if err != nil || !ok1 || !ok2 {
				t.Fatal(err)
			}
			a, _ := p.TileOf(start.Ref)
			b, _ := p.TileOf(goal.Ref)
			bounds := f.Bounds(streamfile.End{Place: start.Point, Tiles: []int{a}}, streamfile.End{Place: goal.Point, Tiles: []int{b}}, 1)
			if !path.Complete {
				continue
			}
			if d := goal.Point.Sub(start.Point); a == b && bounds.Onward(a, start.Point) > math.Hypot(d.X, d.Z)*(1+1e-9) {
				t.Fatalf("%s: the bound within tile %d is %g m", name, a, bounds.Onward(a, start.Point))
			}
			for _, r := range path.Regions() {
				tile, _ := p.TileOf(r)
				if bounds.Tiles[tile] > path.Cost*(1+1e-9) {
					t.Fatalf("%s: a path of %g m from tile %d to %d visits tile %d, whose bound is %g m", name, path.Cost, a, b, tile, bounds.Tiles[tile])
				}
			}
			tight = max(tight, bounds.Tiles[a]/path.Cost)
			sum, paths = sum+bounds.Tiles[a]/path.Cost, paths+1
			if len(bounds.Below(path.Cost)) < len(f.Tiles()) {
				far++
			}
		}
		if mean := sum / float64(paths); far == 0 || tight < 0.5 || mean < 0.6 || mean > 1 {
			t.Errorf("%s: bounds leave out tiles of %d paths; they are %g of the costs in the mean, at most %g", name, far, mean, tight)
		}
	}
}

// TestBytes writes a mesh twice, and checks the default size of tiles.
func TestBytes(t *testing.T) {
	m := generated(t, "tower", levelgen.Options{Seed: 5})
	var a, b bytes.Buffer
	if err := streamfile.Write(&a, m, streamfile.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := streamfile.Write(&b, m, streamfile.Options{Regions: streamfile.DefaultRegions}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two files of one mesh differ")
	}
}

// TestNear compares the tiles near places with their boxes.
func TestNear(t *testing.T) {
	m := generated(t, "tower", levelgen.Options{Seed: 5})
	f := opened(t, m, 12)
	p := compose(t, f, allTiles(f)...)
	ix := query.NewIndex(p.Mesh)
	for i := range m.Tiles[0].Regions {
		pos, _ := ix.Center(navmesh.MakeRef(0, i, 1))
		tile, _ := p.TileOf(pos.Ref)
		if near := f.Near(pos.Point, 0.01, 0.01); !slices.Contains(near, tile) || len(near) == len(f.Tiles()) {
			t.Fatalf("region %d in tile %d, near it are %v", i, tile, near)
		}
	}
	if near := f.Near(geom.Vec{X: 1e6}, 10, 10); len(near) > 0 {
		t.Errorf("tiles %v in the void", near)
	}
	if near := f.Near(geom.Vec{}, 1e9, 1e9); len(near) != len(f.Tiles()) {
		t.Errorf("%d of %d tiles everywhere", len(near), len(f.Tiles()))
	}
}
