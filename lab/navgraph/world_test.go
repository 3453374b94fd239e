package navgraph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// world is a mesh to ask, with graphs of all kinds.
type world struct {
	name   string
	mesh   *navmesh.Mesh
	ix     *query.Index
	q      *query.Query
	graphs []*navgraph.Graph
}

// newWorld makes the graphs of a mesh. In most worlds both kinds of regions occur, and portals of several nodes.
func newWorld(t testing.TB, name string, ix *query.Index) *world {
	t.Helper()
	w := &world{name: name, mesh: ix.Mesh(), ix: ix, q: ix.NewQuery()}
	box := w.mesh.Bounds()
	size := max(box.Max.X-box.Min.X, 1e-3)
	for _, k := range navgraph.Kinds() {
		g, err := navgraph.New(ix, navgraph.Options{Kind: k, Large: size / 4, Spacing: size / 16})
		if err != nil {
			t.Fatal(err)
		}
		w.graphs = append(w.graphs, g)
	}
	return w
}

// meshOf decomposes a domain in a frame.
func meshOf(t testing.TB, d *plan.Domain, frame lattice.Frame, method string) *navmesh.Mesh {
	t.Helper()
	p := &plan.Plan{
		Frame: frame, Agent: geom.Agent{Radius: geom.PointRadius}.WithDefaults(),
		Layers: []plan.Layer{{Domains: []plan.Domain{*d}}}, Components: 1,
	}
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

// someKinds are the random domains that are asked, by their names in gentest, and how many of each.
var someKinds = map[string]int{
	"tiny": 30, "tiny and touching": 30, "crowded": 8, "the whole frame": 8, "the whole frame, shaken": 8, "corner of the frame": 4,
	"nearly on the axes": 8, "mixed obstacles": 4, "mixed obstacles, fine": 2, "needles": 4, "circles": 1, "blocks": 8, "spirals": 2, "combs": 2, "stars": 2,
}

// worlds are the worlds of eachWorld, made by the first test.
var worlds []*world

// eachWorld calls f with random floors decomposed by several methods, and with levels of several storeys, doors and links.
func eachWorld(t *testing.T, f func(t *testing.T, w *world, rng *rand.Rand)) {
	t.Helper()
	if worlds == nil {
		makeWorlds(t)
	}
	for i, w := range worlds {
		f(t, w, rand.New(rand.NewPCG(uint64(i), 99)))
		if t.Failed() {
			t.Fatal(w.name)
		}
	}
}

func makeWorlds(t *testing.T) {
	t.Helper()
	found := 0
	for k, kind := range gentest.Worlds {
		count := someKinds[kind.Name]
		if count > 0 {
			found++
		}
		for i := range count {
			d := kind.New(rand.New(rand.NewPCG(uint64(i), uint64(k))))
			method := []string{"delaunay", "hertelmehlhorn", "best", "anavmg"}[i%4]
			name := fmt.Sprintf("%s %d by %s", kind.Name, i, method)
			worlds = append(worlds, newWorld(t, name, query.NewIndex(meshOf(t, d, lattice.Frame{}, method))))
		}
	}
	if found != len(someKinds) {
		t.Fatalf("%d of %d kinds of worlds are there", found, len(someKinds))
	}
	for _, kind := range []string{"halls", "bridge", "carpark", "rooms"} {
		worlds = append(worlds, newWorld(t, kind, levelMesh(t, kind).Index()))
	}
}

// built are the levels of levelMesh.
var built = map[string]*meadow.Mesh{}

// levelMesh builds a made level, with its doors and links.
func levelMesh(t testing.TB, kind string) *meadow.Mesh {
	t.Helper()
	if m, ok := built[kind]; ok {
		return m
	}
	opt := levelgen.Options{}
	if kind == "carpark" {
		opt.Storeys = 2
	}
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)})
	if err != nil {
		t.Fatal(err)
	}
	built[kind] = m
	return m
}

// realLevel builds one of the real levels, or skips the test.
func realLevel(t testing.TB, file string) *meadow.Mesh {
	t.Helper()
	lvl, err := meadow.Open(reallevels.Path(t, file))
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// draw returns a place: often any, else the corner of a region, the end or the middle of a portal.
func (w *world) draw(t *testing.T, rng *rand.Rand) query.Position {
	t.Helper()
	p, ok := w.q.RandomPoint(rng)
	if !ok {
		t.Fatalf("%s: no area", w.name)
	}
	if rng.IntN(3) == 0 {
		return p
	}
	tile, _, _ := w.mesh.Region(p.Ref)
	corners := tile.RegionCorners(p.Ref.Index())
	v := tile.Vertices[corners[rng.IntN(len(corners))]]
	if exits := w.ix.Exits(nil, p.Ref); len(exits) > 0 && rng.IntN(2) == 0 {
		e := exits[rng.IntN(len(exits))]
		v = e.Left
		if rng.IntN(2) == 0 {
			// The middle, if it is a lattice point of the region.
			v.X, v.Y = int32((int64(e.Left.X)+int64(e.Right.X))>>1), int32((int64(e.Left.Y)+int64(e.Right.Y))>>1)
		}
	}
	at, _ := w.ix.Floor(p.Ref, w.mesh.Frame.ToWorld(v.Point, v.Z))
	if corner := (query.Position{Ref: p.Ref, Point: at}); w.isPlace(corner) {
		return corner
	}
	return p
}

// isPlace reports whether queries take a position.
func (w *world) isPlace(p query.Position) bool {
	_, err := w.q.Raycast(p, p.Point)
	return err == nil
}
