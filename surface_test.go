package meadow_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/meshio"
	"github.com/meadow-nav/meadow/level/terrain"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// TestZeroValues calls every function of the front door with nothing: each says what is missing, and none panics.
func TestZeroValues(t *testing.T) {
	ctx := t.Context()
	var noMesh *meadow.Mesh
	var noFloor *meadow.Floor
	var noTerrain *meadow.Terrain
	noRings := &plan.Plan{Layers: []plan.Layer{{Domains: make([]plan.Domain, 1)}}}
	one := func(_ any, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"build", one(meadow.Build(ctx, nil, meadow.Agent{})), "the level is nil"},
		{"find", one(meadow.FindFloor(ctx, nil, meadow.FloorOptions{})), "the level is nil"},
		{"map", one(meadow.BuildMap(ctx, nil, meadow.FloorOptions{}, meadow.MeshOptions{})), "the map is empty"},
		{"floor of a map", one(meadow.FloorOfMap(ctx, new(flat.Map), meadow.FloorOptions{})), "the map is empty"},
		{"map without floor", one(meadow.FloorOfMap(ctx, &flat.Map{Plan: new(plan.Plan)}, meadow.FloorOptions{})), "no walkable floor"},
		{"floor", one(new(meadow.Floor).Mesh(ctx, meadow.MeshOptions{})), "the floor is empty"},
		{"no floor", one(noFloor.Mesh(ctx, meadow.MeshOptions{})), "the floor is empty"},
		{"widen", one(new(meadow.Mesh).Widen(ctx, 1, meadow.WidenOptions{})), "the mesh is empty"},
		{"widen nothing", one(noMesh.Widen(ctx, 1, meadow.WidenOptions{})), "the mesh is empty"},
		{"index", one(new(meadow.Mesh).IndexWith(ctx)), "the mesh is empty"},
		{"write", meadow.Wrap(nil).Write(io.Discard), "the mesh is empty"},
		{"write nowhere", meadow.Wrap(new(navmesh.Mesh)).Write(nil), "the writer is nil"},
		{"save", new(meadow.Mesh).Save(filepath.Join(t.TempDir(), "a.mesh")), "the mesh is empty"},
		{"read", one(meadow.Read(nil)), "the reader is nil"},
		{"read nothing", one(meadow.Read(strings.NewReader(""))), "navfile"},
		{"save a level", meadow.SaveLevel(filepath.Join(t.TempDir(), "a.obj"), nil), "the level is nil"},
		{"open", one(meadow.OpenFS(nil, "a.obj")), "the file system is nil"},
		{"terrain", one(new(meadow.Terrain).Apply(square(0, 0, 1))), "no rules"},
		{"no terrain", one(noTerrain.Apply(square(0, 0, 1))), "no rules"},
		{"terrain of a map", one(noTerrain.ApplyMap(new(flat.Map))), "no rules"},
		{"terrain of no level", one(meadow.AutoTerrain().Apply(nil)), "the level is nil"},
		{"terrain of no map", one(meadow.AutoTerrain().ApplyMap(nil)), "the map is empty"},
		{"extractor without a plan", one(meadow.FindFloor(ctx, square(0, 0, 1), meadow.FloorOptions{Extractor: fakeExtractor{}})), "no walkable floor"},
		{"map without rings", one(meadow.FloorOfMap(ctx, &flat.Map{Plan: noRings}, meadow.FloorOptions{})), "domain 0: no rings"},
		{"floor without rings", one((&meadow.Floor{Plan: noRings}).Mesh(ctx, meadow.MeshOptions{})), "domain 0: no rings"},
		{"extractor without rings", one(meadow.FindFloor(ctx, square(0, 0, 1), meadow.FloorOptions{Extractor: fakeExtractor{plan: noRings}})), "extractor fake: plan: "},
		{"generator without cells", one(meadow.BuildWith(ctx, square(0, 0, 9), meadow.FloorOptions{}, meadow.MeshOptions{Generator: fakeGenerator{err: errors.New("no idea")}})), "no idea"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, c.err, c.want)
		}
	}
	broken := meadow.Wrap(&navmesh.Mesh{Tiles: []navmesh.Tile{{Generation: 1, Regions: []navmesh.Region{{First: 9, Count: 3}}}}})
	_, indexed := broken.IndexWith(ctx)
	_, widened := broken.Widen(ctx, 1, meadow.WidenOptions{})
	for name, err := range map[string]error{"indexed": indexed, "widened": widened, "written": broken.Write(io.Discard)} {
		if err == nil || !strings.Contains(err.Error(), "the mesh cannot be used") {
			t.Errorf("a mesh with an index out of range is %s: %v", name, err)
		}
	}
	for _, m := range []*meadow.Mesh{nil, {}, meadow.Wrap(nil), meadow.Wrap(new(navmesh.Mesh)), broken} {
		if _, err := m.NewQuery().Path(ctx, meadow.Vec{}, meadow.Vec{X: 1}); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("a path on an empty mesh: %v", err)
		}
		if len(m.Refs()) > 0 || m.Report().Regions > 0 || m.Index() == nil {
			t.Error("an empty mesh has regions")
		}
	}
}

// TestContextsOfTheFrontDoor calls every function with a context with none, and with one that has ended.
func TestContextsOfTheFrontDoor(t *testing.T) {
	lvl, m := square(0, 0, 9), octile(t)
	floor, err := meadow.FindFloor(t.Context(), lvl, meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mesh.Index() // made: a cancelled context is an error all the same
	calls := map[string]func(context.Context) error{
		"Build": func(ctx context.Context) error { _, err := meadow.Build(ctx, lvl, meadow.Agent{}); return err },
		"BuildWith": func(ctx context.Context) error {
			_, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{}, meadow.MeshOptions{})
			return err
		},
		"BuildMap": func(ctx context.Context) error {
			_, err := meadow.BuildMap(ctx, m, meadow.FloorOptions{}, meadow.MeshOptions{})
			return err
		},
		"FindFloor": func(ctx context.Context) error {
			_, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{})
			return err
		},
		"FloorOfMap": func(ctx context.Context) error {
			_, err := meadow.FloorOfMap(ctx, m, meadow.FloorOptions{})
			return err
		},
		"Mesh":      func(ctx context.Context) error { _, err := floor.Mesh(ctx, meadow.MeshOptions{}); return err },
		"IndexWith": func(ctx context.Context) error { _, err := mesh.IndexWith(ctx); return err },
		"Widen": func(ctx context.Context) error {
			_, err := mesh.Widen(ctx, mesh.Agent.Radius, meadow.WidenOptions{})
			return err
		},
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls {
		var none context.Context
		if err := call(none); err == nil || !strings.Contains(err.Error(), "the context is nil") {
			t.Errorf("%s: nil context: error %v", name, err)
		}
		if err := call(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled context: error %v", name, err)
		}
		if err := call(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func octile(tb testing.TB) *flat.Map {
	tb.Helper()
	m, err := flat.Decode(strings.NewReader("type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"), "ring.map", flat.Options{Shapes: true})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// fakeExtractor and fakeGenerator return what they are told to.
type fakeExtractor struct {
	plan *plan.Plan
	err  error
}

func (fakeExtractor) Name() string { return "fake" }

func (x fakeExtractor) Extract(context.Context, *level.Level, meadow.Agent, floorplan.Options) (*plan.Plan, error) {
	return x.plan, x.err
}

type fakeGenerator struct {
	result gen.Result
	err    error
}

func (fakeGenerator) Name() string { return "fake" }

func (g fakeGenerator) Decompose(context.Context, gen.Input) (gen.Result, error) {
	return g.result, g.err
}

// surface is the material of FuzzSurface: made once, changed by no call.
type surface struct {
	levels []*level.Level
	maps   []*flat.Map
	meshes []*meadow.Mesh
	floors []*meadow.Floor
	file   []byte
}

var surfaceOnce = sync.OnceValues(func() (*surface, error) {
	s := &surface{levels: []*level.Level{nil, {}, square(0, 0, 6), upsideDown(square(0, 0, 6))}}
	halls, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return nil, err
	}
	broken := square(0, 0, 6)
	broken.Triangles[0].A = 99
	far := square(0, 0, 6)
	far.Vertices[0].Y = math.NaN()
	s.levels = append(s.levels, halls, broken, far)
	s.maps = []*flat.Map{nil, {}, {Plan: new(plan.Plan)}, {Plan: &plan.Plan{Layers: []plan.Layer{{Domains: []plan.Domain{{}}}}}}}
	ring, err := flat.Decode(strings.NewReader("type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"), "ring.map", flat.Options{Shapes: true})
	if err != nil {
		return nil, err
	}
	s.maps = append(s.maps, ring)
	floor, err := meadow.FindFloor(context.Background(), halls, meadow.FloorOptions{})
	if err != nil {
		return nil, err
	}
	mesh, err := floor.Mesh(context.Background(), meadow.MeshOptions{})
	if err != nil {
		return nil, err
	}
	small, err := meadow.Build(context.Background(), square(0, 0, 6), meadow.Agent{})
	if err != nil {
		return nil, err
	}
	s.floors = []*meadow.Floor{nil, {}, {Plan: new(plan.Plan)}, floor}
	s.meshes = []*meadow.Mesh{nil, {}, meadow.Wrap(nil), meadow.Wrap(new(navmesh.Mesh)), mesh, small}
	var file bytes.Buffer
	err = mesh.Write(&file)
	s.file = file.Bytes()
	return s, err
})

// dice draws arguments from bytes, and zeros when these are used up.
type dice struct{ data []byte }

func (d *dice) n(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

var odd = []float64{
	0, 1, -1, 0.4, math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 1e300, -1e300, math.MaxFloat64, 1e-9, 0.05, 2, 100, -0.3, 1 << 31, math.Copysign(0, -1),
}

func (d *dice) float() float64 { return odd[d.n(len(odd))] }

func (d *dice) vec() meadow.Vec { return meadow.Vec{X: d.float(), Y: d.float(), Z: d.float()} }

func (d *dice) vecs() []meadow.Vec {
	out := make([]meadow.Vec, d.n(4))
	for i := range out {
		out[i] = d.vec()
	}
	return out
}

func (d *dice) jobs() int { return []int{0, 1, -1, 3, math.MinInt}[d.n(5)] }

func (d *dice) agent() meadow.Agent {
	if d.n(2) == 0 {
		return meadow.Agent{}
	}
	return meadow.Agent{Radius: d.float(), Height: d.float(), MaxClimb: d.float(), MaxSlope: d.float(), MaxGap: d.float()}
}

func (d *dice) terrain() *meadow.Terrain {
	return []*meadow.Terrain{
		nil,
		{},
		meadow.AutoTerrain(),
		{Rules: new(terrain.Rules)},
		{Rules: &terrain.Rules{Guess: d.float(), Groups: make([]terrain.Group, d.n(3))}},
		{Rules: &terrain.Rules{Paint: make([]terrain.Paint, 1)}},
	}[d.n(6)]
}

func (d *dice) extractor() floorplan.Extractor {
	return []floorplan.Extractor{
		nil,
		raster.Extractor{CellSize: d.float()},
		brep.Extractor{},
		fakeExtractor{},
		fakeExtractor{plan: new(plan.Plan)},
		fakeExtractor{err: io.ErrUnexpectedEOF},
		fakeExtractor{plan: &plan.Plan{Layers: make([]plan.Layer, 2)}},
	}[d.n(7)]
}

func (d *dice) generator() gen.Generator {
	names := append(catalog.Names(), catalog.Limited()...)
	named, err := catalog.Generator(names[d.n(len(names))])
	if err != nil {
		panic(err)
	}
	return []gen.Generator{nil, anavmg.Generator{Options: anavmg.Options{ConvexDistance: d.float()}}, fakeGenerator{}, fakeGenerator{err: io.ErrUnexpectedEOF}, named}[d.n(5)]
}

func (d *dice) floorOptions() meadow.FloorOptions {
	opt := meadow.FloorOptions{Agent: d.agent(), Extractor: d.extractor(), Terrain: d.terrain()}
	if d.n(2) == 1 {
		opt.Keep, opt.KeepAll, opt.KeepArea, opt.Simplify, opt.Detail = d.vecs(), d.n(2) == 1, d.float(), d.float(), d.float()
		opt.NoMarkers, opt.Jobs = d.n(2) == 1, d.jobs()
	}
	return opt
}

func (d *dice) meshOptions() meadow.MeshOptions {
	opt := meadow.MeshOptions{Generator: d.generator()}
	if d.n(2) == 1 {
		opt.ConvexDistance, opt.Cleanup, opt.Seed, opt.Jobs = d.float(), d.n(2) == 1, uint64(d.n(256)), d.jobs()
	}
	return opt
}

func isEmpty(m *meadow.Mesh) bool { return m == nil || m.Mesh == nil || len(m.Tiles) == 0 }

// broken wraps a copy of a mesh with a number changed, which may be sound all the same.
func broken(m *meadow.Mesh, d *dice) *meadow.Mesh {
	out := *m.Mesh
	out.Tiles = slices.Clone(m.Tiles)
	t := &out.Tiles[0]
	v := []uint32{0, 1, 7, 1 << 20, math.MaxUint32}[d.n(5)]
	switch d.n(10) {
	case 0:
		t.Regions = slices.Clone(t.Regions)
		t.Regions[d.n(len(t.Regions))].First = v
	case 1:
		t.Regions = slices.Clone(t.Regions)
		t.Regions[d.n(len(t.Regions))].Layer = uint16(v)
	case 2:
		t.Portals = slices.Clone(t.Portals)
		if n := len(t.Portals); n > 0 {
			t.Portals[d.n(n)].Back = v
		}
	case 3:
		t.Corners = slices.Clone(t.Corners)
		t.Corners[d.n(len(t.Corners))] = v
	case 4:
		t.Vertices = t.Vertices[:d.n(len(t.Vertices))]
	case 5:
		out.Agent.Radius = d.float()
	case 6:
		out.Links = make([]navmesh.Link, d.n(3))
	case 7:
		t.Generation = v
	case 8:
		out.Record = bytes.Clone(out.Record)
		if n := len(out.Record); n > 0 {
			out.Record[d.n(n)] = byte(v)
		}
	case 9:
		return &meadow.Mesh{Mesh: &out} // which nobody has checked
	}
	return meadow.Wrap(&out)
}

// call calls one function of the front door, or a query on a mesh, with arguments of the dice.
func (s *surface) call(ctx context.Context, d *dice) {
	switch d.n(5) {
	case 1:
		ctx = nil
	case 2:
		ended, cancel := context.WithCancel(ctx)
		cancel()
		ctx = ended
	}
	lvl, m := s.levels[d.n(len(s.levels))], s.maps[d.n(len(s.maps))]
	mesh, floor := s.meshes[d.n(len(s.meshes))], s.floors[d.n(len(s.floors))]
	if !isEmpty(mesh) && d.n(4) == 1 {
		mesh = broken(mesh, d)
	}
	if lvl != nil {
		mine := *lvl // Apply changes the level
		lvl = &mine
	}
	if m != nil {
		mine := *m
		m = &mine
	}
	switch d.n(16) {
	case 0:
		mesh, _ = meadow.Build(ctx, lvl, d.agent())
	case 1:
		mesh, _ = meadow.BuildWith(ctx, lvl, d.floorOptions(), d.meshOptions())
	case 2:
		floor, _ = meadow.FindFloor(ctx, lvl, d.floorOptions())
		mesh, _ = floor.Mesh(ctx, d.meshOptions())
	case 3:
		mesh, _ = meadow.BuildMap(ctx, m, d.floorOptions(), d.meshOptions())
	case 4:
		floor, _ = meadow.FloorOfMap(ctx, m, d.floorOptions())
		mesh, _ = floor.Mesh(ctx, d.meshOptions())
	case 5:
		mesh, _ = floor.Mesh(ctx, d.meshOptions())
	case 6:
		o := d.meshOptions()
		mesh, _ = mesh.Widen(ctx, d.float(), meadow.WidenOptions{
			Simplify: d.float(), Generator: o.Generator, ConvexDistance: o.ConvexDistance, Cleanup: o.Cleanup, Seed: o.Seed, Jobs: o.Jobs,
		})
	case 7:
		d.terrain().Apply(lvl)
	case 8:
		d.terrain().ApplyMap(m)
	case 9:
		changed := bytes.Clone(s.file)
		for range d.n(4) {
			changed[(d.n(256)*256+d.n(256))%len(changed)] = byte(d.n(256))
		}
		mesh, _ = meadow.Read(bytes.NewReader(changed[:len(changed)*(256-d.n(256))/256]))
	case 10:
		meadow.OpenFS([]fs.FS{nil, fstest.MapFS{}, fstest.MapFS{"a.obj": {Data: d.data}}}[d.n(3)], []string{"", "a.obj", ".", "../x", "a.\x00"}[d.n(5)])
		meadow.OpenWith([]string{"", "testdata", "testdata/ramp.obj", "none.obj", "a\x00"}[d.n(5)], meshio.Options{Scale: d.float()})
		meadow.OpenMap([]string{"", "testdata", "testdata/ramp.obj", "none.svg", "a\x00"}[d.n(5)], flat.Options{Scale: d.float()})
		meadow.OpenTerrain([]string{"", "testdata", "examples/terrain/rts.yaml", "a\x00"}[d.n(4)])
		meadow.IsMap([]string{"", ".", "a.svg"}[d.n(3)])
	default:
		mesh.Write([]io.Writer{nil, io.Discard}[d.n(2)])
	}
	s.ask(ctx, mesh, d)
}

// ask asks a mesh, which may be empty, with places and refs of other meshes.
func (s *surface) ask(ctx context.Context, mesh *meadow.Mesh, d *dice) {
	if r := mesh.Report(); r.Reason() == "" && len(r.Dropped) > 0 {
		panic("parts are left out for no reason")
	}
	refs := mesh.Refs()
	mesh.IndexWith(ctx)
	q := []*query.Query{nil, {}, mesh.NewQuery(), mesh.NewQuery()}[d.n(4)]
	a, b, n := d.vec(), d.vec(), d.float()
	if len(refs) > 0 && d.n(2) == 0 {
		a, _ = mesh.Center(refs[d.n(len(refs))])
	}
	q.Path(ctx, a, b)
	q.PartialPath(ctx, a, b)
	q.AStarPath(ctx, a, b)
	q.NearestOf(ctx, a, []meadow.Vec{b, a})
	fan, _ := q.ToMany(ctx, a, []meadow.Vec{b, a})
	fan.Path(ctx, d.n(4)-1)
	on, _ := q.Locate(a)
	foreign := query.Position{Ref: navmesh.MakeRef(d.n(3), d.n(256), uint32(d.n(3))), Point: b}
	q.PathBetween(ctx, on, foreign)
	q.Nearest(b, n)
	q.NearestWithin(b, n, d.float(), d.float())
	for _, at := range []query.Position{{}, on, foreign} {
		q.RegionsWithin(ctx, at, n)
		q.RegionsInCircle(at, n)
		q.RegionsInShape(at, append(d.vecs(), a, b))
		q.Neighbourhood(at, n)
		q.WallsOf(at.Ref)
		q.WallsAround(at, n)
		q.NearestIn(at.Ref, b)
		q.DistanceToWall(at, n)
		q.Raycast(at, b)
		q.MoveAlongSurface(at, b)
		q.RandomPointInCircle(at, n, nil)
		q.Through(at, on, []int32{int32(d.n(9)) - 1})
	}
	q.RandomPoint(nil)
	q.RegionsInBox(geom.Box{Min: a, Max: b})
	s.walk(ctx, mesh, q, on, a, b, d)
	ix := []*query.Index{nil, {}, mesh.Index(), mesh.Index()}[d.n(4)]
	f := query.Filter{Radius: n, Closed: []int{d.n(3) - 1}, AreaCosts: map[uint8]float64{uint8(d.n(3)): d.float()}, Exclude: uint32(d.n(256)), Crossings: []int{d.n(3) - 1}}
	if narrow, err := ix.With(f); err == nil {
		narrow.NewQuery().Path(ctx, a, b)
	}
	if prepared, err := ix.Prepare(ctx); err == nil {
		prepared.NewQuery().Path(ctx, a, b)
	}
	ix.Exits(nil, foreign.Ref)
	ix.Center(foreign.Ref)
	ix.Floor(foreign.Ref, a)
	ix.Methods(uint8(d.n(256)))
	ix.Names([]string{""}, []string{"gate"})
	if len(refs) > 0 {
		mesh.Center(foreign.Ref)
		mesh.MarksCalled("")
		mesh.Method("nobody")
	}
}

// walk follows a corridor with queries of several meshes, and runs a search by slices.
func (s *surface) walk(ctx context.Context, mesh *meadow.Mesh, q *query.Query, on query.Position, a, b meadow.Vec, d *dice) {
	search := []*query.Search{nil, {}, mesh.Index().NewSearch()}[d.n(3)]
	if d.n(2) == 0 {
		search.Begin(a, b)
	} else {
		search.BeginAt(on, b)
	}
	search.Advance(d.n(20) - 1)
	search.Bound()
	var c query.Corridor
	for range d.n(8) {
		q := []*query.Query{nil, {}, q, q, s.meshes[d.n(len(s.meshes))].NewQuery()}[d.n(5)]
		switch to := d.vec(); d.n(13) {
		case 0:
			c.Reset(on)
		case 1:
			c.Reset(query.Position{Ref: navmesh.MakeRef(d.n(3), d.n(256), uint32(d.n(3))), Point: to})
		case 2:
			c.Plan(ctx, q, b)
		case 3:
			c.Take(search)
		case 4:
			c.Valid(q, d.n(4)-1)
		case 5:
			c.Trim(q)
		case 6:
			c.MovePosition(q, to)
		case 7:
			c.MoveTarget(q, to)
		case 8:
			c.Corners(q, nil, d.n(4)-1)
		case 9:
			c.Ahead(q, d.float())
		case 10:
			c.OptimizeVisibility(q, to, d.float())
		case 11:
			c.OptimizeTopology(q, d.n(9)-1, d.n(9)-1)
		case 12:
			c.TakeLink(q)
		}
		c.AppendRegions(nil)
	}
	search.Path()
	search.Cancel()
}

// FuzzSurface calls the front door with arguments of all sorts, and asks the meshes. Nothing may panic.
func FuzzSurface(f *testing.F) {
	race.Skip(f)
	f.Add([]byte(nil))
	for op := range byte(16) {
		for kind := range byte(6) {
			f.Add([]byte{0, kind + 1, kind, kind, kind, op, kind, kind, kind, 1, kind, kind, kind, kind, kind})
		}
		f.Add([]byte{1, 2, 4, 4, 3, op})
		f.Add([]byte{2, 2, 4, 4, 3, op})
	}
	s, err := surfaceOnce()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		d := &dice{data}
		for range 3 {
			s.call(ctx, d)
		}
	})
}
