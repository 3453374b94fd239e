package tiles

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

func generate(t testing.TB, kind string, opt levelgen.Options) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	return lvl
}

// plain finds all floor as it is.
var plain = floorplan.Options{KeepAll: true, Simplify: -1, Detail: -1}

// wholeMesh builds a level in one piece.
func wholeMesh(t testing.TB, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, *navmesh.Mesh) {
	t.Helper()
	ctx := context.Background()
	p, err := exact.Extract(ctx, lvl, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	results, err := gen.DecomposePlan(ctx, best.Generator{}, p, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := join.Build(ctx, p, gen.CellsOf(results), join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

func cutLevel(t testing.TB, lvl *level.Level, agent geom.Agent, opt floorplan.Options, size float64) *Cutting {
	t.Helper()
	c, err := Cut(context.Background(), lvl, Options{Size: size, Agent: agent, Floor: opt, Generator: best.Generator{}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// filesOf builds all tiles of a level.
func filesOf(t testing.TB, c *Cutting) [][]byte {
	t.Helper()
	var files [][]byte
	for _, e := range c.Tiles() {
		made, err := c.Build(context.Background(), e.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, made.Encode())
	}
	return files
}

func decodeAll(t testing.TB, files [][]byte) []*Tile {
	t.Helper()
	var all []*Tile
	for _, b := range files {
		tile, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tile)
	}
	return all
}

// tiledMesh builds a level in tiles, by way of their files.
func tiledMesh(t testing.TB, lvl *level.Level, agent geom.Agent, opt floorplan.Options, size float64) (*Joined, *navmesh.Mesh) {
	t.Helper()
	j, err := Join(context.Background(), decodeAll(t, filesOf(t, cutLevel(t, lvl, agent, opt, size))), nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := join.Build(context.Background(), j.Plan, j.Cells, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return j, m
}

// border returns the length of all borders of a plan in metres.
func border(p *plan.Plan) (length float64) {
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			for _, ring := range p.Layers[l].Domains[d].Rings {
				for i, a := range ring {
					length += a.Distance(ring[(i+1)%len(ring)]) * lattice.Unit
				}
			}
		}
	}
	return length
}

// partsOf counts the parts of a plan that are larger than the tolerance around a corner: a smaller part may be there or not.
func partsOf(p *plan.Plan) (parts int) {
	area := make([]float64, p.Components)
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			area[p.Layers[l].Domains[d].Component] += lattice.SquareMetres(p.Layers[l].Domains[d].Area2())
		}
	}
	for _, a := range area {
		if a > exact.OffsetTolerance*exact.OffsetTolerance {
			parts++
		}
	}
	return parts
}

// judge compares the floor of tiles with the floor of the whole level: the area within two units along all borders, the parts, and the laws
// of a mesh.
func judge(t *testing.T, lvl *level.Level, agent geom.Agent, opt floorplan.Options, size float64) {
	t.Helper()
	whole, w := wholeMesh(t, lvl, agent, opt)
	tiled, m := tiledMesh(t, lvl, agent, opt, size)
	tolerance := 2 * lattice.Unit * border(whole)
	if opt.Simplify >= 0 {
		tolerance = exact.DefaultSimplify * border(whole)
	}
	if d := math.Abs(m.Area() - w.Area()); d > tolerance {
		t.Errorf("radius %g, tiles of %g m: the area is off by %.4f m² of %.3f, tolerance %.4f", agent.Radius, size, d, w.Area(), tolerance)
	}
	if a, b := partsOf(whole), partsOf(tiled.Plan); a != b {
		t.Errorf("radius %g, tiles of %g m: %d parts, whole %d", agent.Radius, size, b, a)
	}
	if len(w.Validate()) > 0 {
		return // the whole mesh is no better
	}
	for i, f := range m.Validate() {
		if i < 3 {
			t.Errorf("radius %g, tiles of %g m: %v", agent.Radius, size, f)
		}
	}
}

// TestTilesAgainstWhole builds levels whole and in tiles of several sizes, for agents with and without a radius.
func TestTilesAgainstWhole(t *testing.T) {
	kinds := map[string]levelgen.Options{
		"rooms": {Seed: 2}, "stairs": {}, "tower": {Seed: 2}, "spiral": {}, "bridge": {}, "carpark": {Storeys: 2}, "catwalks": {}, "rough": {Seed: 2},
	}
	sizes, radii := []float64{4.7}, []float64{0.3, geom.PointRadius}
	if slow.Enabled() {
		for _, kind := range []string{"demo", "slots", "ramps", "pillars", "highrise", "halls", "arch", "random"} {
			kinds[kind] = levelgen.Options{}
		}
		sizes = []float64{3.3, 16}
	}
	for kind, opt := range kinds {
		t.Run(kind, func(t *testing.T) {
			lvl := generate(t, kind, opt)
			for _, radius := range radii {
				for _, size := range sizes {
					judge(t, lvl, geom.Agent{Radius: radius}.WithDefaults(), plain, size)
				}
			}
		})
	}
}

// TestTilesOfLevels builds random towers and rooms with the usual options: borders and heights are simplified in each tile.
func TestTilesOfLevels(t *testing.T) {
	seeds := uint64(1)
	if slow.Enabled() {
		seeds = 12
	}
	for seed := range seeds {
		for _, kind := range []string{"tower", "rooms", "rough"} {
			lvl := generate(t, kind, levelgen.Options{Seed: 100 + seed})
			judge(t, lvl, geom.Agent{Radius: 0.3}.WithDefaults(), floorplan.Options{KeepAll: true}, 3+float64(seed%7))
		}
	}
}

// TestOneTile builds a level inside of one tile: the floor is exactly the floor of the whole level.
func TestOneTile(t *testing.T) {
	lvl := generate(t, "carpark", levelgen.Options{})
	agent := geom.Agent{}.WithDefaults()
	whole, _ := wholeMesh(t, lvl, agent, plain)
	tiled, _ := tiledMesh(t, lvl, agent, plain, 1000)
	if len(tiled.Plan.Layers) != len(whole.Layers) {
		t.Fatalf("%d layers, whole %d", len(tiled.Plan.Layers), len(whole.Layers))
	}
	dx, dy := int32(whole.Frame.East-tiled.Plan.Frame.East), int32(whole.Frame.North-tiled.Plan.Frame.North)
	for l := range whole.Layers {
		for d := range whole.Layers[l].Domains {
			a, b := &whole.Layers[l].Domains[d], &tiled.Plan.Layers[l].Domains[d]
			for r, ring := range a.Rings {
				for i, p := range ring {
					if q := b.Rings[r][i]; q.X != p.X+dx || q.Y != p.Y+dy {
						t.Fatalf("layer %d, domain %d, ring %d: point %d is %v, whole %v", l, d, r, i, q, p)
					}
				}
			}
		}
	}
}

// box appends a box to a level, in lattice units: east, north and up.
func box(l *level.Level, low, high [3]int) {
	first := uint32(len(l.Vertices))
	for k := range 8 {
		c := low
		for axis := range 3 {
			if k>>axis&1 == 1 {
				c[axis] = high[axis]
			}
		}
		l.Vertices = append(l.Vertices, geom.FromGround(float64(c[0])*lattice.Unit, float64(c[1])*lattice.Unit, float64(c[2])*lattice.Unit))
	}
	for _, q := range [6][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		for k := 2; k < 4; k++ {
			l.Triangles = append(l.Triangles, level.Triangle{A: first + q[0], B: first + q[k-1], C: first + q[k], Material: level.NoMaterial})
		}
	}
}

const metre = lattice.UnitsPerMetre

// TestDoors builds two rooms with a door between them, of exactly the agent's width and a little more, in the tiles of a grid whose lines cross
// the door, run along its axis, and run along the faces of the wall. The rooms are one part, as in the whole level.
func TestDoors(t *testing.T) {
	agent := geom.Agent{Radius: 0.4}.WithDefaults()
	rng := rand.New(rand.NewPCG(1, 17))
	open, wide := 0, int(math.Ceil(2*agent.Radius*metre))
	rounds := 14
	if slow.Enabled() {
		rounds = 150
	}
	for k, extra := range []int{0, 1, 4, 40, 8, 12, 20} {
		turn := 0.0
		if k >= 4 {
			turn = 0.6
		}
		for n := range rounds {
			// The door's axis runs east at north = 0, its middle is at east = 0. The grid has a line there in any case.
			east, north := 0, 0
			switch n {
			case 0: // the lines cross in the middle of the door
			case 1: // along a face of the wall
				east = metre / 8
			case 2: // along the border of the free floor
				north = wide/2 - int(agent.Radius*metre)
			case 3: // along the border beside the wall
				east = metre/8 + int(math.Ceil(agent.Radius*metre))
			default:
				east, north = rng.IntN(metre)-metre/2, rng.IntN(metre)-metre/2
			}
			lvl := &level.Level{Name: "door"}
			box(lvl, [3]int{-5*metre + east, -3*metre + north, -metre}, [3]int{5*metre + east, 3*metre + north, 0})
			half := wide / 2
			box(lvl, [3]int{-metre/8 + east, -3*metre + north, 0}, [3]int{metre/8 + east, -half + north, 3 * metre})
			box(lvl, [3]int{-metre/8 + east, wide - half + extra + north, 0}, [3]int{metre/8 + east, 3*metre + north, 3 * metre})
			sin, cos := math.Sincos(turn)
			for i, v := range lvl.Vertices {
				x, y := geom.Ground(v)
				lvl.Vertices[i] = geom.FromGround(x*cos-y*sin, x*sin+y*cos, v.Y)
			}
			whole, _ := wholeMesh(t, lvl, agent, plain)
			tiled, m := tiledMesh(t, lvl, agent, plain, 2)
			if a, b := partsOf(whole), partsOf(tiled.Plan); a != b {
				t.Errorf("door wider by %d units, moved by %d and %d: %d parts, whole %d", extra, east, north, b, a)
			} else if b == 1 { // the top of the walls is too narrow
				open++
			}
			if f := m.Validate(); len(f) > 0 {
				t.Errorf("door wider by %d units, moved by %d and %d: %v", extra, east, north, f[0])
			}
		}
	}
	if open < 28 {
		t.Errorf("only %d doors are open", open)
	}
}

// TestStepsAndStoreys has a step on the line between two tiles, and a storey above, for an agent that climbs more than half of its height:
// every floor meets its own continuation.
func TestStepsAndStoreys(t *testing.T) {
	agent := geom.Agent{Radius: 0.2, Height: 1, MaxClimb: 0.6}.WithDefaults()
	for _, apart := range []int{metre + metre/10, metre + 7*metre/10} {
		lvl := &level.Level{Name: "storeys"}
		for storey := range 3 {
			up := storey * apart
			box(lvl, [3]int{-3 * metre, -2 * metre, up - metre/20}, [3]int{0, 2 * metre, up})
			box(lvl, [3]int{0, -2 * metre, up}, [3]int{3 * metre, 2 * metre, up + metre/2})
		}
		whole, w := wholeMesh(t, lvl, agent, plain)
		for _, size := range []float64{1, 3, 8} {
			tiled, m := tiledMesh(t, lvl, agent, plain, size)
			if a, b := partsOf(whole), partsOf(tiled.Plan); a != b || apart > 3*metre/2 && a != 3 {
				t.Errorf("storeys of %d units, tiles of %g m: %d parts, whole %d", apart, size, b, a)
			}
			if f := m.Validate(); len(f) > 0 {
				t.Errorf("storeys of %d units, tiles of %g m: %v", apart, size, f[0])
			}
			if d := m.Area() - w.Area(); math.Abs(d) > 0.01 {
				t.Errorf("storeys of %d units, tiles of %g m: %.4f m², whole %.4f m²", apart, size, m.Area(), w.Area())
			}
		}
	}
}

// TestDropOnTheLine has a low floor whose border lies on the line between two tiles, and a high floor with its border on the same line, from the
// other side. The floors do not meet, and keep their heights.
func TestDropOnTheLine(t *testing.T) {
	agent := geom.Agent{Radius: 0.5}.WithDefaults()
	reach, meet := metre/2, 0
	for low := -2; low <= 2; low++ {
		for high := -2; high <= 2; high++ {
			lvl := &level.Level{Name: "drop"}
			box(lvl, [3]int{-4 * metre, metre, -metre}, [3]int{reach + low, 5 * metre, 0})
			box(lvl, [3]int{-reach + high, metre, 2 * metre}, [3]int{4 * metre, 5 * metre, 2*metre + 16})
			j, m := tiledMesh(t, lvl, agent, plain, 8)
			if n := partsOf(j.Plan); n != 2 {
				t.Errorf("borders moved by %d and %d units: %d parts", low, high, n)
			}
			if f := m.Validate(); len(f) > 0 {
				t.Errorf("borders moved by %d and %d units: %v", low, high, f[0])
			}
			tile := &m.Tiles[0]
			lows, highs := false, false
			for r := range tile.Regions {
				for _, c := range tile.RegionCorners(r) {
					v := tile.Vertices[c]
					first := tile.Vertices[tile.RegionCorners(r)[0]]
					if v.Z != first.Z {
						t.Errorf("borders moved by %d and %d units: region %d has the heights %d and %d", low, high, r, first.Z, v.Z)
					}
					lows = lows || v.X == 8*metre && v.Z == tile.Vertices[tile.RegionCorners(0)[0]].Z
					highs = highs || v.X == 8*metre && v.Z != tile.Vertices[tile.RegionCorners(0)[0]].Z
				}
			}
			if lows && highs {
				meet++
				if n := len(j.Plan.Layers); n != 2 {
					t.Errorf("borders moved by %d and %d units: %d layers", low, high, n)
				}
			}
		}
	}
	if meet == 0 {
		t.Error("the borders of the two floors never lie on the line")
	}
}

// TestRegionsMerge builds a level floor in two tiles: the mesh has one region in one layer again, and no seam.
func TestRegionsMerge(t *testing.T) {
	lvl := &level.Level{Name: "floor"}
	box(lvl, [3]int{-5 * metre, metre, -metre}, [3]int{5 * metre, 6 * metre, 0})
	j, m := tiledMesh(t, lvl, geom.Agent{Radius: 0.5}.WithDefaults(), floorplan.Options{KeepAll: true}, 8)
	if n := len(j.Cells[0]); n != 2 {
		t.Fatalf("%d domains", n)
	}
	if n := m.RegionCount(); n != 1 {
		t.Errorf("%d regions", n)
	}
	if n := len(m.Tiles[0].Layers); n != 1 {
		t.Errorf("%d layers", n)
	}
}

// TestOrderDoesNotMatter joins tiles in several orders.
func TestOrderDoesNotMatter(t *testing.T) {
	ctx := context.Background()
	c := cutLevel(t, generate(t, "tower", levelgen.Options{Seed: 4}), geom.Agent{Radius: 0.3}.WithDefaults(), plain, 5)
	files := filesOf(t, c)
	rng := rand.New(rand.NewPCG(3, 3))
	var first *Joined
	for range 4 {
		j, err := Join(context.Background(), decodeAll(t, files), nil, plain)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = j
		} else if a, b := bytesOf(t, first), bytesOf(t, j); !bytes.Equal(a, b) {
			t.Error("another order of tiles gives another plan")
		}
		rng.Shuffle(len(files), func(a, b int) { files[a], files[b] = files[b], files[a] })
	}
	// One goroutine makes the same tiles.
	for k, e := range c.Tiles() {
		one, err := c.Build(ctx, e.ID, 1)
		if err != nil {
			t.Fatal(err)
		}
		many, err := c.Build(ctx, e.ID, 5)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Encode(), many.Encode()) {
			t.Errorf("tile %d depends on the number of goroutines", k)
		}
	}
}

// bytesOf writes a joined plan as if it were a tile.
func bytesOf(t *testing.T, j *Joined) []byte {
	t.Helper()
	return (&Tile{Plan: j.Plan, Cells: j.Cells}).Encode()
}

// TestLocalChange puts a crate into a level. Exactly the tiles whose halo meets the crate change their keys, and tiles with the same key have
// the same bytes.
func TestLocalChange(t *testing.T) {
	agent := geom.Agent{Radius: 0.3}.WithDefaults()
	before := generate(t, "rooms", levelgen.Options{Seed: 7})
	old := cutLevel(t, before, agent, floorplan.Options{}, 4)
	known := map[ID]int{}
	files := filesOf(t, old)
	for k, e := range old.Tiles() {
		known[e.ID] = k
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 4 {
		after := *before
		after.Vertices, after.Triangles = append([]geom.Vec{}, before.Vertices...), append([]level.Triangle{}, before.Triangles...)
		after.Ground = nil
		floor := before.Bounds()
		west, south := geom.Ground(geom.Vec{X: floor.Min.X, Z: floor.Max.Z})
		low := [3]int{int(west*metre) + metre + rng.IntN(20*metre), int(south*metre) + metre + rng.IntN(20*metre), 0}
		high := [3]int{low[0] + metre, low[1] + metre/2, metre}
		box(&after, low, high)
		c := cutLevel(t, &after, agent, floorplan.Options{}, 4)
		changed := 0
		for _, e := range c.Tiles() {
			k, ok := known[e.ID]
			if !ok {
				t.Fatalf("tile %v is new", e.ID)
			}
			size, halo := 4*metre, int(c.halo)
			meets := low[0] <= (int(e.East)+1)*size+halo && high[0] >= int(e.East)*size-halo && low[1] <= (int(e.North)+1)*size+halo && high[1] >= int(e.North)*size-halo
			if same := old.Tiles()[k].Key == e.Key; same == meets {
				t.Errorf("tile %v, crate from %v: the halo meets the crate: %v, the key is the same: %v", e.ID, low, meets, same)
			}
			if meets {
				changed++
				continue
			}
			made, err := c.Build(context.Background(), e.ID, 0)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(made.Encode(), files[k]) {
				t.Errorf("tile %v has the same key and other bytes", e.ID)
			}
		}
		if changed == 0 || changed > 6 {
			t.Errorf("a crate changes %d tiles", changed)
		}
	}
}

// TestKeysFollowTheHalo changes each option of a tile, and adds a slope far away that turns a near bevel into a cliff.
func TestKeysFollowTheHalo(t *testing.T) {
	lvl := generate(t, "stairs", levelgen.Options{})
	base := Options{Size: 8, Agent: geom.Agent{}.WithDefaults(), Generator: best.Generator{}}
	key := func(lvl *level.Level, opt Options) Key {
		c, err := Cut(context.Background(), lvl, opt)
		if err != nil {
			t.Fatal(err)
		}
		return c.Tiles()[0].Key
	}
	first := key(lvl, base)
	if key(lvl, base) != first {
		t.Fatal("two cuts give two keys")
	}
	for name, change := range map[string]func(*Options){
		"radius":   func(o *Options) { o.Agent.Radius += 0.01 },
		"climb":    func(o *Options) { o.Agent.MaxClimb += 0.01 },
		"gap":      func(o *Options) { o.Agent.MaxGap += 0.01 },
		"simplify": func(o *Options) { o.Floor.Simplify = 0.01 },
		"detail":   func(o *Options) { o.Floor.Detail = 0.01 },
		"seed":     func(o *Options) { o.Seed = 1 },
		"program":  func(o *Options) { o.Program = "other" },
		"settings": func(o *Options) { o.Settings = "other" },
	} {
		opt := base
		change(&opt)
		if key(lvl, opt) == first {
			t.Errorf("the key does not know the %s", name)
		}
	}
	for name, change := range map[string]func(*Options){
		"jobs": func(o *Options) { o.Floor.Jobs = 3 },
		"keep": func(o *Options) { o.Floor.KeepAll = true },
	} {
		opt := base
		change(&opt)
		if key(lvl, opt) != first {
			t.Errorf("the key knows the %s", name)
		}
	}
	// Doors and areas near a tile count, links and far doors do not.
	marker := func(kind string, at float64) level.Marker {
		m := level.Marker{Name: "m", Kind: kind}
		for k := range 8 {
			m.Hull = append(m.Hull, geom.FromGround(at+float64(k&1), at+float64(k>>1&1), float64(k>>2)))
		}
		return m
	}
	for _, m := range []struct {
		marker  level.Marker
		changes bool
	}{{marker("door", -3), true}, {marker("lawn", -3), true}, {marker("door", 40), false}, {marker("ladder", -3), false}, {marker("start", -3), false}} {
		opt := base
		opt.Markers = []level.Marker{m.marker}
		if changed := key(lvl, opt) != first; changed != m.changes {
			t.Errorf("a marker of kind %s at %v changes the key: %v", m.marker.Kind, m.marker.Hull[0], changed)
		}
	}
	// A bevel no higher than a step is floor, unless the patch goes on to a cliff, however far away.
	bevel := func(far float64) *level.Level {
		l := &level.Level{Name: "bevel"}
		box(l, [3]int{metre, metre, -metre}, [3]int{42 * metre, 2 * metre, 0})
		for k := range 4 {
			v := uint32(len(l.Vertices))
			rise := 0.2
			if k == 3 {
				rise = far
			}
			from, to := float64(1+10*k), float64(11+10*k)
			l.Vertices = append(l.Vertices, geom.FromGround(from, 2, 0), geom.FromGround(to, 2, 0), geom.FromGround(to, 2.1, rise), geom.FromGround(from, 2.1, 0.2))
			l.Triangles = append(l.Triangles, level.Triangle{A: v, B: v + 1, C: v + 2, Material: level.NoMaterial}, level.Triangle{A: v, B: v + 2, C: v + 3, Material: level.NoMaterial})
		}
		return l
	}
	if key(bevel(0.2), base) == key(bevel(3), base) {
		t.Error("the key does not know whether a bevel is floor")
	}
}

// TestTileErrors gives wrong options, and joins tiles that do not belong together.
func TestTileErrors(t *testing.T) {
	lvl := generate(t, "stairs", levelgen.Options{})
	agent := geom.Agent{}.WithDefaults()
	for _, size := range []float64{0, -1, math.NaN(), math.Inf(1), LeastSize / 2, MostSize * 2} {
		if _, err := Cut(context.Background(), lvl, Options{Size: size, Agent: agent, Generator: best.Generator{}}); err == nil {
			t.Errorf("a size of %g m is no error", size)
		}
	}
	far := generate(t, "stairs", levelgen.Options{})
	far.Vertices = append(far.Vertices, geom.Vec{X: 1e5}, geom.Vec{X: 1e5 + 1}, geom.Vec{X: 1e5, Z: -1e5})
	n := uint32(len(far.Vertices))
	far.Triangles = append(far.Triangles, level.Triangle{A: n - 3, B: n - 2, C: n - 1, Material: level.NoMaterial})
	far.Ground = nil
	if _, err := Cut(context.Background(), far, Options{Size: LeastSize, Agent: agent, Generator: best.Generator{}}); err == nil {
		t.Error("a level of 10¹¹ tiles is no error")
	}
	c := cutLevel(t, lvl, agent, plain, 6)
	if _, err := c.Build(context.Background(), ID{99, 0}, 0); err == nil {
		t.Error("a tile without floor is no error")
	}
	files := filesOf(t, c)
	spoiled := func(change func(tiles []*Tile) []*Tile) error {
		_, err := Join(context.Background(), change(decodeAll(t, files)), nil, plain)
		return err
	}
	for name, change := range map[string]func(tiles []*Tile) []*Tile{
		"none":   func([]*Tile) []*Tile { return nil },
		"twice":  func(tiles []*Tile) []*Tile { return append(tiles, tiles[0]) },
		"size":   func(tiles []*Tile) []*Tile { tiles[1].Size++; return tiles },
		"agent":  func(tiles []*Tile) []*Tile { tiles[1].Plan.Agent.Radius++; return tiles },
		"areas":  func(tiles []*Tile) []*Tile { tiles[1].Plan.Areas = []string{"x"}; return tiles },
		"far":    func(tiles []*Tile) []*Tile { tiles[1].East += 1 << 30; return tiles },
		"height": func(tiles []*Tile) []*Tile { tiles[1].Plan.Frame.Up += 1 << 31; return tiles },
	} {
		if err := spoiled(change); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := spoiled(func(tiles []*Tile) []*Tile { return tiles }); err != nil {
		t.Error(err)
	}
}
