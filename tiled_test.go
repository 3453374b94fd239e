package meadow_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
)

// comparePaths asks for random paths on the mesh of a whole level and on the mesh of its tiles. The same paths exist. The horizontal lengths differ
// by at most 10⁻⁶ and a unit of the lattice for each bend, or else by loose metres; the result is the share of the latter.
func comparePaths(t *testing.T, whole, tiled *meadow.Mesh, paths int, loose float64) float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 17))
	q, o := whole.NewQuery(), tiled.NewQuery()
	found, off := 0, 0
	for range 8 * paths {
		if found == paths {
			break
		}
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			t.Fatal("the mesh has no area")
		}
		a, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		length, complete, bends := a.Length, a.Complete, len(a.Points)
		b, err := o.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			t.Fatal(err)
		}
		if complete != b.Complete {
			t.Errorf("a path from %v to %v: whole %v, in tiles %v", from.Point, to.Point, complete, b.Complete)
		}
		if !complete || !b.Complete {
			continue
		}
		found++
		switch d := math.Abs(b.Length - length); {
		case d > loose:
			t.Errorf("from %v to %v: %.9g m whole, %.9g m in tiles", from.Point, to.Point, length, b.Length)
		case d > 1e-6*length+float64(bends)*lattice.Unit:
			off++
		}
	}
	if found < paths/2 {
		t.Fatalf("only %d paths", found)
	}
	return float64(off) / float64(found)
}

// TestTiledPaths compares paths on generated and real levels, built whole and in tiles. Without simplification, lengths agree but for rounding. Around
// a corner beside a seam of layers a border may be anywhere within [exact.OffsetTolerance], and so few lengths differ by more.
func TestTiledPaths(t *testing.T) {
	race.Skip(t)
	generated := func(kind string, opt levelgen.Options) func(*testing.T) *level.Level {
		return func(t *testing.T) *level.Level {
			lvl, err := levelgen.Generate(kind, opt)
			if err != nil {
				t.Fatal(err)
			}
			return lvl
		}
	}
	real := func(name string) func(*testing.T) *level.Level {
		return func(t *testing.T) *level.Level {
			lvl, err := meadow.Open(reallevels.Path(t, name+".obj"))
			if err != nil {
				t.Fatal(err)
			}
			return lvl
		}
	}
	for _, c := range []struct {
		name  string
		open  func(*testing.T) *level.Level
		share float64 // of paths around a corner beside a seam
		large bool
	}{
		{"rooms", generated("rooms", levelgen.Options{Seed: 2}), 0, false},
		{"bridge", generated("bridge", levelgen.Options{}), 0, true},
		{"rough", generated("rough", levelgen.Options{Seed: 2}), 0, false},
		{"tower", generated("tower", levelgen.Options{Seed: 5}), 0, false},
		{"carpark", generated("carpark", levelgen.Options{}), 0, true},
		{"spiral", generated("spiral", levelgen.Options{}), 0.5, false},
		{"demo", generated("demo", levelgen.Options{}), 0.1, true},
		{"highrise", generated("highrise", levelgen.Options{}), 0.2, true},
		{"nav_test", real("nav_test"), 0, false},
		{"dungeon", real("dungeon"), 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.large && !slow.Enabled() {
				t.Skip("takes long: make laws runs this test")
			}
			lvl := c.open(t)
			for _, simplify := range []float64{-1, 0} {
				floor := meadow.FloorOptions{Simplify: simplify, NoMarkers: true}
				whole, err := meadow.BuildWith(t.Context(), lvl, floor, meadow.MeshOptions{})
				if err != nil {
					t.Fatal(err)
				}
				tiled, err := meadow.BuildTiled(t.Context(), lvl, 7.3, floor, meadow.MeshOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if simplify == 0 {
					comparePaths(t, whole, tiled, 40, 20*exact.DefaultSimplify)
				} else if share := comparePaths(t, whole, tiled, 40, 2*exact.OffsetTolerance); share > c.share {
					t.Errorf("%.3f of all lengths differ by more than rounding", share)
				}
				a, b := whole.Report(), tiled.Report()
				if a.Components != b.Components || math.Abs(a.Area-b.Area) > 1e-3*a.Area {
					t.Errorf("%d parts of %.3f m², whole %d of %.3f m²", b.Components, b.Area, a.Components, a.Area)
				}
				if b.Settings.TileSize == 0 || b.Generator != a.Generator || b.Level != a.Level || b.Triangles != a.Triangles {
					t.Errorf("report %+v", b)
				}
				if f := tiled.Validate(); len(f) > 0 && len(whole.Validate()) == 0 {
					t.Error(f[0])
				}
			}
		})
	}
}

func bytesOfMesh(t *testing.T, m *meadow.Mesh) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// joinedTiles builds a level in tiles of a size, saves them, and joins the files: the mesh has the bytes of a build in one go.
func joinedTiles(t *testing.T, lvl *level.Level, size float64, floor meadow.FloorOptions) *meadow.Mesh {
	t.Helper()
	c, err := meadow.CutTiles(t.Context(), lvl, size, floor, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := c.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	tiled, err := meadow.JoinTiles(t.Context(), dir, meadow.KeepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	once, err := c.Mesh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOfMesh(t, once), bytesOfMesh(t, tiled)) {
		t.Errorf("tiles of %g m: a join has other bytes than a build in one go", size)
	}
	return tiled
}

// TestTilesInFolders saves tiles in several runs and orders, and changes the level: joins have the bytes of a build in one go, and only tiles near a change
// are built.
func TestTilesInFolders(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	floor := meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.3}}
	cut := func(lvl *level.Level, jobs int) *meadow.Tiles {
		floor := floor
		floor.Jobs = jobs
		c, err := meadow.CutTiles(t.Context(), lvl, 6, floor, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	save := func(c *meadow.Tiles, dir string, ids ...meadow.TileID) meadow.TileReport {
		r, err := c.Save(t.Context(), dir, ids...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	joined := func(dir string, jobs int) []byte {
		m, err := meadow.JoinTiles(t.Context(), dir, meadow.KeepOptions{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		return bytesOfMesh(t, m)
	}
	once, err := meadow.BuildTiled(t.Context(), lvl, 6, floor, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := bytesOfMesh(t, once)
	c, dir := cut(lvl, 0), t.TempDir()
	ids := c.IDs()
	if r := save(c, dir); r.Built != len(ids) || r.Unchanged != 0 {
		t.Errorf("%+v", r)
	}
	if !bytes.Equal(joined(dir, 0), want) || !bytes.Equal(joined(dir, 3), want) {
		t.Error("a join has other bytes than a build in one go")
	}
	if r := save(cut(lvl, 2), dir); r.Built != 0 || r.Unchanged != len(ids) {
		t.Errorf("%+v", r)
	}
	// One by one, from the last to the first, each from a cutting of its own.
	other := t.TempDir()
	for _, id := range slices.Backward(ids) {
		save(cut(lvl, 1), other, id)
	}
	if !bytes.Equal(joined(other, 1), want) {
		t.Error("tiles of many runs have other bytes")
	}
	// A moved wall.
	moved := *lvl
	moved.Vertices = slices.Clone(lvl.Vertices)
	at := moved.Vertices[len(moved.Vertices)-1]
	for i, v := range moved.Vertices {
		if v.Distance(at) < 3 {
			moved.Vertices[i].X += 0.25
		}
	}
	again, err := meadow.BuildTiled(t.Context(), &moved, 6, floor, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := save(cut(&moved, 0), dir); r.Built == 0 || r.Built > len(ids)/2 || r.Built+r.Unchanged != len(ids) {
		t.Errorf("a change of a few metres: %+v of %d tiles", r, len(ids))
	}
	if !bytes.Equal(joined(dir, 0), bytesOfMesh(t, again)) {
		t.Error("after a change, a join has other bytes than a build in one go")
	}
	// The sheet is of the new level, and a tile of the old one is noticed.
	for _, id := range ids {
		name := filepath.Base(tileFile(id))
		old, err := os.ReadFile(filepath.Join(other, name))
		if err != nil {
			t.Fatal(err)
		}
		now, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(old, now) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), old, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := meadow.JoinTiles(t.Context(), dir, meadow.KeepOptions{}); err == nil || !strings.Contains(err.Error(), "is of another level") {
			t.Errorf("a tile of another level: %v", err)
		}
		break
	}
}

func tileFile(id meadow.TileID) string { return strings.ReplaceAll(id.String(), ",", "_") + ".tile" }

// TestTiledParts chooses parts at the join: by place, by area, all, and by the starts of the level.
func TestTiledParts(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("catwalks", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []meadow.FloorOptions{{}, {KeepAll: true}, {KeepArea: 20}} {
		whole, err := meadow.BuildWith(t.Context(), lvl, keep, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		tiled, err := meadow.BuildTiled(t.Context(), lvl, 5, keep, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := whole.Report(), tiled.Report()
		if a.Components != b.Components || len(a.Dropped) != len(b.Dropped) || b.Reason() != a.Reason() {
			t.Errorf("%+v: %d parts and %d left out, whole %d and %d", keep, b.Components, len(b.Dropped), a.Components, len(a.Dropped))
		}
		for _, p := range a.Dropped[:min(3, len(a.Dropped))] {
			one := meadow.FloorOptions{Keep: []meadow.Vec{p.At}}
			m, err := meadow.BuildTiled(t.Context(), lvl, 5, one, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if r := m.Report(); math.Abs(r.Area-p.Area) > 0.02*p.Area+0.01 {
				t.Errorf("the part at %v has %.3f m², in tiles %.3f m²", p.At, p.Area, r.Area)
			}
		}
	}
	lvl.Markers = append(lvl.Markers, level.Marker{Kind: level.KindStart, Hull: []meadow.Vec{{X: 1, Y: 1, Z: 1}}}, level.Marker{Kind: level.KindStart, Hull: []meadow.Vec{{Y: 500}}})
	if _, err := meadow.BuildTiled(t.Context(), lvl, 5, meadow.FloorOptions{}, meadow.MeshOptions{}); err != nil {
		t.Error(err)
	}
}

// TestTiledGround classifies the ground: the areas of all kinds are those of the whole level, and methods and crossings are there.
func TestTiledGround(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("demo", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floor := meadow.FloorOptions{Terrain: meadow.AutoTerrain(), Simplify: -1, NoMarkers: true}
	whole, err := meadow.BuildWith(t.Context(), lvl, floor, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tiled := joinedTiles(t, lvl, 6, floor)
	a, b := whole.Report().Grounds, tiled.Report().Grounds
	if len(a) < 3 || len(a) != len(b) {
		t.Fatalf("grounds %v, whole %v", b, a)
	}
	for i := range a {
		if a[i].Name != b[i].Name || math.Abs(a[i].Area-b[i].Area) > 0.05+1e-3*a[i].Area {
			t.Errorf("%s: %.3f m², whole %s: %.3f m²", b[i].Name, b[i].Area, a[i].Name, a[i].Area)
		}
	}
	if len(tiled.Methods) != len(whole.Methods) || len(tiled.Crossings) != len(whole.Crossings) {
		t.Errorf("%d methods and %d crossings, whole %d and %d", len(tiled.Methods), len(tiled.Crossings), len(whole.Methods), len(whole.Crossings))
	}
	for i, m := range whole.Methods {
		if !slices.Equal(m.Costs, tiled.Methods[i].Costs) || !slices.Equal(m.Crossings, tiled.Methods[i].Crossings) {
			t.Errorf("method %s: %+v, whole %+v", m.Name, tiled.Methods[i], m)
		}
	}
	if f := tiled.Validate(); len(f) > 0 {
		t.Error(f[0])
	}
}

// TestTiledMarkers compares doors, areas and links of levels, built whole and in tiles.
func TestTiledMarkers(t *testing.T) {
	race.Skip(t)
	for _, radius := range []float64{0.3, meadow.PointRadius} {
		name := "halls"
		lvl, err := levelgen.Generate(name, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// An area on the floor, larger than a tile, and a marker that is nowhere.
		b := lvl.Bounds()
		middle := b.Min.Add(b.Max).Scale(0.5)
		var hull []meadow.Vec
		for k := range 8 {
			hull = append(hull, middle.Add(meadow.Vec{X: float64(k&1)*6.1 - 3, Y: float64(k>>1&1)*40 - 20, Z: float64(k>>2)*7.3 - 4}))
		}
		lvl.Markers = append(lvl.Markers, level.Marker{Name: "lawn", Kind: "grass", Hull: hull}, level.Marker{Kind: "door", Hull: []meadow.Vec{{X: math.NaN()}}})
		floor := meadow.FloorOptions{Simplify: -1, Agent: meadow.Agent{Radius: radius}}
		whole, err := meadow.BuildWith(t.Context(), lvl, floor, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{2.1, 3.7, 9} {
			tiled := joinedTiles(t, lvl, size, floor)
			a, b := whole.Report(), tiled.Report()
			if len(a.Markers) != len(b.Markers) || a.Components != b.Components || len(a.Markers) < 3 {
				t.Fatalf("%s: %d outcomes and %d parts, whole %d and %d", name, len(b.Markers), b.Components, len(a.Markers), a.Components)
			}
			for i, m := range a.Markers {
				o := b.Markers[i]
				if m.Marker != o.Marker || m.Name != o.Name || m.Kind != o.Kind || m.Warning != o.Warning || (m.Domains > 0) != (o.Domains > 0) || m.Links != o.Links {
					t.Errorf("%s, tiles of %g m: outcome %+v, whole %+v", name, size, o, m)
				}
			}
			if x, y := markedAreas(whole), markedAreas(tiled); len(x) != len(y) {
				t.Errorf("%s: marks %v, whole %v", name, y, x)
			} else {
				for mark, area := range x {
					if math.Abs(y[mark]-area) > 0.01+0.002*area {
						t.Errorf("%s, tiles of %g m: %s has %.3f m², whole %.3f m²", name, size, mark, y[mark], area)
					}
				}
			}
			for kind, width := range linkWidths(whole) {
				if d := linkWidths(tiled)[kind] - width; math.Abs(d) > 0.01 {
					t.Errorf("%s, tiles of %g m: links of kind %d are %.4f m wider", name, size, kind, d)
				}
			}
			if f := tiled.Validate(); len(f) > 0 && len(whole.Validate()) == 0 {
				t.Errorf("%s, tiles of %g m: %v", name, size, f[0])
			}
			comparePaths(t, whole, tiled, 30, 2*exact.OffsetTolerance)
		}
	}
}

// markedAreas returns the area under each name and kind of marks.
func markedAreas(m *meadow.Mesh) map[string]float64 {
	areas := map[string]float64{}
	for i := range m.Tiles {
		for _, k := range m.Tiles[i].Marked {
			areas[m.Marks[k.Mark].Name+"/"+m.Marks[k.Mark].Kind] += m.Tiles[i].RegionArea(int(k.Region))
		}
	}
	return areas
}

// linkWidths returns the sum of the widths of all links, by kind. A link from a point to a point counts as a metre.
func linkWidths(m *meadow.Mesh) map[navmesh.LinkKind]float64 {
	widths := map[navmesh.LinkKind]float64{}
	for _, l := range m.Links {
		if l.Start[0] == l.Start[1] {
			widths[l.Kind]++
		}
		widths[l.Kind] += l.Start[0].Distance(l.Start[1].Point) * lattice.Unit
	}
	return widths
}

// TestTileRefusals asks for tiles that cannot be, and for joins of broken folders.
func TestTileRefusals(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, build := range map[string]func() error{
		"tiles need the extractor exact": func() error {
			_, err := meadow.CutTiles(t.Context(), lvl, 5, meadow.FloorOptions{Extractor: raster.Extractor{}, NoMarkers: true}, meadow.MeshOptions{})
			return err
		},
		"the size is 0 m": func() error {
			_, err := meadow.CutTiles(t.Context(), lvl, 0, meadow.FloorOptions{NoMarkers: true}, meadow.MeshOptions{})
			return err
		},
		"the level is nil": func() error {
			_, err := meadow.CutTiles(t.Context(), nil, 5, meadow.FloorOptions{}, meadow.MeshOptions{})
			return err
		},
		"agent: radius": func() error {
			_, err := meadow.CutTiles(t.Context(), lvl, 5, meadow.FloorOptions{Agent: meadow.Agent{Radius: 1e6}, NoMarkers: true}, meadow.MeshOptions{})
			return err
		},
		"no walkable floor": func() error {
			_, err := meadow.BuildTiled(t.Context(), lvl, 5, meadow.FloorOptions{Agent: meadow.Agent{Radius: 60}, NoMarkers: true}, meadow.MeshOptions{})
			if !errors.Is(err, meadow.ErrNoFloor) {
				t.Errorf("%v is no ErrNoFloor", err)
			}
			return err
		},
		"KeepArea is -1": func() error {
			_, err := meadow.JoinTiles(t.Context(), t.TempDir(), meadow.KeepOptions{KeepArea: -1})
			return err
		},
	} {
		if err := build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	c, err := meadow.CutTiles(t.Context(), lvl, 5, meadow.FloorOptions{NoMarkers: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Save(t.Context(), t.TempDir(), meadow.TileID{East: 999}); !errors.Is(err, meadow.ErrNoTile) {
		t.Errorf("a tile that does not exist: %v", err)
	}
	if _, err := c.Save(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that does not exist is no error")
	}
	dir := t.TempDir()
	if _, err := c.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	sheet, err := os.ReadFile(filepath.Join(dir, "tiles.json"))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"of version 3":   {`"meadow_tiles": 1`, `"meadow_tiles": 3`},
		"sheet: ":        {`"tiles": [`, `"tiles": {`},
		"is no key":      {`"key": "`, `"key": "zz`},
		"not in order":   {`"tiles": [`, `"tiles": [{"east":99,"north":99,"key":"` + strings.Repeat("00", 32) + `"},`},
		"agent: radius":  {`"radius": 0.4`, `"radius": -4`},
		"unexpected end": {string(sheet[len(sheet)/2:]), ""},
		"is missing":     {`"tiles": [`, `"tiles": [{"east":-99,"north":-99,"key":"` + strings.Repeat("00", 32) + `"},`},
	} {
		if !strings.Contains(string(sheet), change[0]) {
			t.Fatalf("the sheet has no %s", change[0])
		}
		if err := os.WriteFile(filepath.Join(dir, "tiles.json"), []byte(strings.Replace(string(sheet), change[0], change[1], 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := meadow.JoinTiles(t.Context(), dir, meadow.KeepOptions{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
