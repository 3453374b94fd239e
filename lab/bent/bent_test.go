package bent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/bent"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/concave"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
)

// meshOf decomposes a domain.
func meshOf(t *testing.T, d *plan.Domain, method string) *navmesh.Mesh {
	t.Helper()
	p := &plan.Plan{Agent: geom.Agent{Radius: geom.PointRadius}.WithDefaults(), Layers: []plan.Layer{{Domains: []plan.Domain{*d}}}, Components: 1}
	g, err := catalog.Generator(method)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gen.DecomposePlan(t.Context(), g, p, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := join.Build(t.Context(), p, [][][]plan.Cell{{r[0][0].Cells}}, join.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// levelMesh builds a made level, with its doors and links.
func levelMesh(t *testing.T, kind string) *navmesh.Mesh {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	return m.Mesh
}

// world is a mesh with a name.
type world struct {
	name string
	mesh *navmesh.Mesh
}

// worlds are random domains by two generators, long times as many as usual, and levels with storeys, doors, areas and round pillars.
func worlds(t *testing.T, long int) []world {
	t.Helper()
	var all []world
	some := map[string]int{"tiny": 6, "crowded": 2, "circles": 1, "mixed obstacles": 2, "spirals": 1, "stars": 1, "blocks": 2}
	found := 0
	for k, kind := range gentest.Worlds {
		count := some[kind.Name]
		if count > 0 {
			found++
		}
		for i := range long * count {
			d := kind.New(rand.New(rand.NewPCG(uint64(i), uint64(k))))
			method := []string{"hertelmehlhorn", "wavefront"}[i%2]
			all = append(all, world{fmt.Sprintf("%s %d by %s", kind.Name, i, method), meshOf(t, d, method)})
		}
	}
	if found != len(some) {
		t.Fatalf("%d of %d kinds of worlds are there", found, len(some))
	}
	for _, kind := range []string{"rooms", "halls", "carpark"} {
		all = append(all, world{kind, levelMesh(t, kind)})
	}
	return all
}

// TestMerge: the convex regions are divided among the bent ones, which keep to the bound and to what filters tell apart.
func TestMerge(t *testing.T) {
	fewer := 0
	for _, w := range worlds(t, slow.Count(1, 20)) {
		box := w.mesh.Bounds()
		size := max(box.Max.X-box.Min.X, box.Max.Z-box.Min.Z)
		for _, bound := range []float64{0, size / 200, size / 20} {
			m, err := bent.Merge(t.Context(), w.mesh, bound)
			if err != nil {
				t.Fatalf("%s: %v", w.name, err)
			}
			seen := map[[2]int]bool{}
			for n, r := range m.Regions {
				tile := &w.mesh.Tiles[r.Tile]
				area := 0.0
				for _, c := range r.Convex {
					if seen[[2]int{r.Tile, c}] {
						t.Fatalf("%s: convex region %d is in two bent ones", w.name, c)
					}
					seen[[2]int{r.Tile, c}] = true
					area += tile.RegionArea(c)
					a, b := tile.Regions[c], tile.Regions[r.Convex[0]]
					if a.Layer != b.Layer || int(a.Layer) != r.Layer || a.Area != b.Area || a.Flags != b.Flags || !slices.EqualFunc(tile.MarksOf(c), tile.MarksOf(r.Convex[0]), func(x, y navmesh.Marked) bool { return x.Mark == y.Mark }) {
						t.Errorf("%s: convex regions %d and %d are in one bent region", w.name, c, r.Convex[0])
					}
					if got, ok := m.Of(navmesh.MakeRef(r.Tile, c, tile.Generation)); !ok || got != n {
						t.Errorf("%s: convex region %d is in %d, %v", w.name, c, got, ok)
					}
				}
				ring := lattice.Polygon{Rings: []lattice.Ring{r.Ring}}
				if err := ring.Validate(); err != nil {
					t.Errorf("%s: region %d: %v", w.name, n, err)
				}
				if got := lattice.SquareMetres(ring.Area2()); math.Abs(got-area) > 1e-6*area {
					t.Errorf("%s: region %d has %g m², its convex regions %g", w.name, n, got, area)
				}
				if got := concave.Concavity2(r.Ring); got.Compare(r.Depth2) != 0 || r.Concavity() > bound {
					t.Errorf("%s: region %d has a concavity of %g m, the bound is %g", w.name, n, r.Concavity(), bound)
				}
			}
			if len(seen) != w.mesh.RegionCount() {
				t.Errorf("%s: %d of %d convex regions", w.name, len(seen), w.mesh.RegionCount())
			}
			if bound == 0 && m.Bent() > 0 {
				t.Errorf("%s: %d bent regions with a bound of 0", w.name, m.Bent())
			}
			if bound > 0 && m.Bent() > 0 {
				fewer++
			}
		}
		if _, ok := bentOf(t, w.mesh, 0).Of(0); ok {
			t.Error("the zero Ref is in a region")
		}
	}
	if fewer < 10 {
		t.Errorf("only %d meshes have a bent region", fewer)
	}
	if _, err := bent.Merge(t.Context(), levelMesh(t, "halls"), math.NaN()); err == nil {
		t.Error("a bound of NaN is accepted")
	}
}

func bentOf(t *testing.T, m *navmesh.Mesh, bound float64) *bent.Mesh {
	t.Helper()
	b, err := bent.Merge(t.Context(), m, bound)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStore: a stored mesh is read with the same regions, and is the same mesh for everyone else.
func TestStore(t *testing.T) {
	for _, w := range worlds(t, slow.Count(1, 20)) {
		b := bentOf(t, w.mesh, 0.2)
		stored, err := b.Store()
		if err != nil {
			t.Fatal(err)
		}
		data, err := navfile.Encode(stored)
		if err != nil {
			t.Fatal(err)
		}
		read, err := navfile.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		again, err := bent.Restore(read)
		if err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		if again.Bound != b.Bound || fmt.Sprint(again.Regions) != fmt.Sprint(b.Regions) {
			t.Errorf("%s: the regions changed in the file", w.name)
		}
		one, err := navfile.Encode(read.WithoutRecord())
		if err != nil {
			t.Fatal(err)
		}
		if two, err := navfile.Encode(w.mesh.WithoutRecord()); err != nil || string(one) != string(two) {
			t.Errorf("%s: the mesh changed in the file: %v", w.name, err)
		}
	}
	if _, err := bent.Restore(levelMesh(t, "halls")); !errors.Is(err, bent.ErrNone) {
		t.Errorf("a mesh without bent regions: %v", err)
	}
}

// TestRestoreRefuses changes records.
func TestRestoreRefuses(t *testing.T) {
	base := levelMesh(t, "rooms")
	b := bentOf(t, base, 0.2)
	stored, err := b.Store()
	if err != nil {
		t.Fatal(err)
	}
	type record struct {
		Bent    int     `json:"bent"`
		Bound   float64 `json:"bound_m"`
		Regions []int   `json:"regions"`
	}
	var good record
	if err := json.Unmarshal(stored.Record, &good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(r *record)
		want   string
	}{
		{func(r *record) {}, ""},
		{func(r *record) { r.Bound = 0 }, "has a concavity of"},
		{func(r *record) { r.Bound = -1 }, "a bound of -1"},
		{func(r *record) { r.Regions = r.Regions[1:] }, "convex regions, the mesh has"},
		{func(r *record) { r.Regions[0] = 7 }, "convex region 0 is in bent region 7"},
		{func(r *record) { r.Regions[3] = -1 }, "convex region 3 is in bent region -1"},
		{func(r *record) {
			for i := range r.Regions {
				r.Regions[i] = 0
			}
		}, "region 0"},
	} {
		r := good
		r.Regions = slices.Clone(good.Regions)
		c.change(&r)
		m := *base
		if m.Record, err = json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		if _, err := bent.Restore(&m); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	// Regions of two kinds are no region, whatever their border.
	halls := *levelMesh(t, "halls")
	if halls.Record, err = json.Marshal(record{1, 100, make([]int, halls.RegionCount())}); err != nil {
		t.Fatal(err)
	}
	if _, err := bent.Restore(&halls); err == nil || !strings.Contains(err.Error(), "is in bent region 0") {
		t.Errorf("regions of all kinds in one: %v", err)
	}
	m := *base
	m.Record = []byte(`{"bent":1,"bound_m":0.2`)
	if _, err := bent.Restore(&m); err == nil {
		t.Error("half a record is accepted")
	}
}

// TestPaths compares paths over bent regions with the shortest of the mesh without links.
func TestPaths(t *testing.T) {
	joined, apart, equal := 0, 0, 0
	for i, w := range worlds(t, slow.Count(1, 20)) {
		plain := *w.mesh
		plain.Links = nil
		plain.Tiles = slices.Clone(w.mesh.Tiles)
		plain.Connect()
		q := query.NewIndex(&plain).NewQuery()
		box := w.mesh.Bounds()
		b := bentOf(t, w.mesh, max(box.Max.X-box.Min.X, box.Max.Z-box.Min.Z)/100)
		f, err := bent.NewFinder(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		for range 20 {
			from, ok := q.RandomPoint(rng)
			to, also := q.RandomPoint(rng)
			if !ok || !also {
				t.Fatalf("%s: no random place", w.name)
			}
			exact, err := q.PathBetween(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			regions := slices.Clone(exact.Regions())
			path, err := f.Between(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			if path.Found != exact.Complete {
				t.Fatalf("%s: from %v to %v found %v, the mesh says %v", w.name, from.Point, to.Point, path.Found, exact.Complete)
			}
			if !path.Found {
				apart++
				continue
			}
			joined++
			const slack = 1e-6 // the middles of portals are rounded on both sides
			if path.Length < exact.Length*(1-1e-12)-1e-9 || path.Length > path.Raw*(1+slack)+0.01 {
				t.Errorf("%s: from %v to %v: %g m, the shortest is %g, on the graph %g", w.name, from.Point, to.Point, path.Length, exact.Length, path.Raw)
			}
			back, err := f.Between(t.Context(), to, from)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(back.Raw-path.Raw) > slack*path.Raw+0.01 {
				t.Errorf("%s: from %v to %v %g m on the graph, back %g m", w.name, from.Point, to.Point, path.Raw, back.Raw)
			}
			inside := true
			for _, r := range regions {
				n, _ := b.Of(r)
				inside = inside && slices.Contains(path.Regions, n)
			}
			if inside {
				equal++
				if path.Length > exact.Length+1e-9 {
					t.Errorf("%s: %g m inside of regions with a path of %g", w.name, path.Length, exact.Length)
				}
			}
			first, _ := b.Of(from.Ref)
			last, _ := b.Of(to.Ref)
			if path.Regions[0] != first || path.Regions[len(path.Regions)-1] != last || path.Points[0] != exact.Points[0] {
				t.Errorf("%s: regions %v of a path from %d to %d", w.name, path.Regions, first, last)
			}
		}
	}
	if joined < 100 || apart < 1 || equal < joined/2 {
		t.Errorf("%d pairs are joined, %d are not, %d exact paths are inside of the regions", joined, apart, equal)
	}
}

// TestOneRegion: a floor without holes and a large bound make one region, whose paths are the shortest.
func TestOneRegion(t *testing.T) {
	ring := lattice.Ring{{}, {X: 8192}, {X: 8192, Y: 8192}, {X: 6144, Y: 8192}, {X: 6144, Y: 2048}, {X: 2048, Y: 2048}, {X: 2048, Y: 8192}, {Y: 8192}}
	d := plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Edges: [][]plan.ChainID{slices.Repeat([]plan.ChainID{plan.Wall}, len(ring))}}
	m := meshOf(t, &d, "delaunay")
	b := bentOf(t, m, 10)
	f, err := bent.NewFinder(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Regions) != 1 || b.Bent() != 1 || f.Nodes() != 0 || f.Edges() != 0 {
		t.Fatalf("%d regions, %d bent, %d nodes", len(b.Regions), b.Bent(), f.Nodes())
	}
	from, to := m.Frame.FromLocal(1024, 8000, 0), m.Frame.FromLocal(7168, 8000, 0)
	path, err := f.Path(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := query.NewIndex(m).NewQuery().Path(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if !path.Found || path.Length != exact.Length || len(path.Points) != 4 {
		t.Errorf("%+v, the shortest is %g m", path, exact.Length)
	}
	if _, err := f.Path(t.Context(), from, m.Frame.FromLocal(4096, 8000, 0)); !errors.Is(err, query.ErrOffMesh) {
		t.Errorf("a goal between the arms: %v", err)
	}
}
