package meadow_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// TestHalls walks through the halls under all conditions, as every extractor and method makes them.
func TestHalls(t *testing.T) {
	race.Skip(t)
	lvl := generate(t, "halls")
	west, east, gallery, tower := levelgen.HallsWalks()
	for _, extract := range catalog.Extractors() {
		if extract == "brep" {
			continue // it takes solids
		}
		floor, err := meadow.FindFloor(t.Context(), lvl, meadow.FloorOptions{Extractor: extractor(t, extract)})
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range catalog.Names() {
			if method == "quadtree" {
				continue // it gives up the border, and with it the way through a door
			}
			mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{Generator: generator(t, method)})
			if err != nil {
				t.Fatalf("%s, %s: %v", extract, method, err)
			}
			for _, f := range mesh.Validate() {
				t.Fatalf("%s, %s: %v", extract, method, f)
			}
			if mesh.Components != 1 || mesh.Report().OffMesh != len(mesh.Links) {
				t.Errorf("%s, %s: %d components, %d links", extract, method, mesh.Components, mesh.Report().OffMesh)
			}
			for _, tt := range []struct {
				name        string
				allow, deny []string
				start, goal geom.Vec
				crossed     []string // names in their order; nil for no path
			}{
				{"through the door", nil, nil, west, east, []string{"runner", "halls"}},
				{"over the gallery", nil, []string{"door"}, west, east, []string{"gallery ladder", "gallery edge"}},
				{"not back", nil, []string{"door"}, east, west, nil},
				{"down the ladder", nil, []string{"drop"}, gallery, east, []string{"gallery ladder", "runner", "halls"}},
				{"nor the ladder", []string{"lift", "door"}, nil, gallery, east, nil},
				{"up the lift", []string{"lift"}, nil, east, tower, []string{"tower lift"}},
				{"down the lift", []string{"lift"}, nil, tower, east, []string{"tower lift"}},
				{"no lift", nil, []string{"tower lift"}, east, tower, nil},
			} {
				filter, err := mesh.Index().Names(tt.allow, tt.deny)
				if err != nil {
					t.Fatal(err)
				}
				ix, err := mesh.Index().With(filter)
				if err != nil {
					t.Fatal(err)
				}
				path, err := ix.NewQuery().Path(t.Context(), tt.start, tt.goal)
				if err != nil || path.Complete != (tt.crossed != nil) {
					t.Errorf("%s, %s, %s: complete is %v, %v", extract, method, tt.name, path.Complete, err)
					continue
				}
				if got := crossed(mesh, path); !slices.Equal(got, tt.crossed) {
					t.Errorf("%s, %s, %s: crossed %q, want %q", extract, method, tt.name, got, tt.crossed)
				}
			}
			path, err := mesh.NewQuery().Path(t.Context(), west, east)
			if err != nil || math.Abs(path.Cost-16) > 0.01 {
				t.Errorf("%s, %s: %.4f m through the door, %v", extract, method, path.Cost, err)
			}
		}
	}
}

// crossed names what a path crosses.
func crossed(m *meadow.Mesh, path query.Path) []string {
	var names []string
	for _, c := range path.Crossings {
		names = append(names, m.Marks[c.Mark].Name)
	}
	return names
}

// TestMarkersOnlyDivide covers levels with random areas: paths are as long as without, and the report has an
// outcome for every area.
func TestMarkersOnlyDivide(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(71, 1))
	for i, kind := range []string{"rooms", "carpark"} {
		lvl := generate(t, kind)
		box := lvl.Bounds()
		size := box.Size()
		for range 12 {
			at := box.Min.Add(geom.Vec{X: rng.Float64() * size.X, Y: rng.Float64() * size.Y, Z: rng.Float64() * size.Z})
			m := level.Marker{Kind: []string{"door", "mud", "water"}[rng.IntN(3)]}
			for range 8 {
				m.Hull = append(m.Hull, at.Add(geom.Vec{X: 5 * (rng.Float64() - 0.5), Y: 4 * (rng.Float64() - 0.5), Z: 5 * (rng.Float64() - 0.5)}))
			}
			lvl.Markers = append(lvl.Markers, m)
		}
		extractors := []string{"raster", "exact"}
		if !slow.Enabled() {
			extractors = extractors[i:][:1]
		}
		for _, extract := range extractors {
			plain, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Extractor: extractor(t, extract), NoMarkers: true}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			marked, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Extractor: extractor(t, extract)}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkValid(t, marked)
			if len(plain.Report().Markers) != 0 || len(marked.Report().Markers) != len(lvl.Markers) || len(marked.Tiles[0].Marked) == 0 {
				t.Errorf("%s, %s: %d and %d outcomes, %d marked regions", kind, extract, len(plain.Report().Markers), len(marked.Report().Markers), len(marked.Tiles[0].Marked))
			}
			q, q2 := plain.NewQuery(), marked.NewQuery()
			named := 0
			for range 60 {
				a, _ := q.RandomPoint(rng)
				b, _ := q.RandomPoint(rng)
				want, err := q.Path(t.Context(), a.Point, b.Point)
				if err != nil {
					t.Fatal(err)
				}
				got, err := q2.Path(t.Context(), a.Point, b.Point)
				if err != nil || got.Complete != want.Complete || math.Abs(got.Length-want.Length) > 0.005 || got.Cost != got.Length {
					t.Errorf("%s, %s: %v to %v is %v m with markers, %v m without, %v", kind, extract, a.Point, b.Point, got.Length, want.Length, err)
				}
				named += len(got.Crossings)
				for _, c := range got.Crossings {
					if c.Link >= 0 || c.Mark < 0 || c.From == c.To {
						t.Errorf("%s, %s: crossing %+v", kind, extract, c)
					}
				}
			}
			if named == 0 {
				t.Errorf("%s, %s: no path went through a marker", kind, extract)
			}
		}
	}
}

// TestMarkersMoveWithTheLevel moves the halls by whole lattice units: links and marks are the same.
func TestMarkersMoveWithTheLevel(t *testing.T) {
	var first *meadow.Mesh
	for _, by := range []geom.Vec{{}, {X: 1000.25, Y: -50, Z: 3}, {X: -7, Y: 0.5, Z: 1e6}} {
		lvl := generate(t, "halls")
		for i := range lvl.Vertices {
			lvl.Vertices[i] = lvl.Vertices[i].Add(by)
		}
		for i := range lvl.Markers {
			for k := range lvl.Markers[i].Hull {
				lvl.Markers[i].Hull[k] = lvl.Markers[i].Hull[k].Add(by)
			}
		}
		mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Extractor: extractor(t, "exact")}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = mesh
			continue
		}
		if !slices.Equal(mesh.Links, first.Links) || !slices.Equal(mesh.Marks, first.Marks) || !slices.Equal(mesh.Tiles[0].Marked, first.Tiles[0].Marked) {
			t.Errorf("moved by %v: links %+v, marks %v, marked %v", by, mesh.Links, mesh.Marks, mesh.Tiles[0].Marked)
		}
	}
}

// TestLinksSurviveTheFile saves and loads a mesh with links and marks.
func TestLinksSurviveTheFile(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), generate(t, "halls"), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	data := encode(t, mesh)
	loaded, err := meadow.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, loaded), data) || len(loaded.Links) == 0 || len(loaded.Marks) != 5 {
		t.Errorf("%d links, %d marks", len(loaded.Links), len(loaded.Marks))
	}
}

// A one-way door is passed in its direction only; in the other, the way leads around, or there is none. The direction is an
// angle from east, counter-clockwise seen from above.
func TestOneWayDoor(t *testing.T) {
	west, east, _, _ := levelgen.HallsWalks()
	for _, tt := range []struct {
		kind        string
		there, back []string // names in their order; nil for no path
	}{
		{"door", []string{"runner", "halls"}, []string{"runner", "halls"}},
		{"door to=0", []string{"runner", "halls"}, nil},
		{"gate to=30", []string{"runner", "halls"}, nil},
		{"door to=180", []string{"gallery ladder", "gallery edge"}, []string{"runner", "halls"}},
		{"door to=90", []string{"gallery ladder", "gallery edge"}, nil},
	} {
		lvl := generate(t, "halls")
		lvl.Markers[0].Kind = tt.kind
		mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range mesh.Validate() {
			t.Errorf("%s: %v", tt.kind, f)
		}
		crossed := func(from, to geom.Vec) (names []string) {
			path, err := mesh.NewQuery().Path(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			if path.Complete != (len(path.Crossings) > 0) {
				t.Errorf("%s: a path with %d crossings, complete: %v", tt.kind, len(path.Crossings), path.Complete)
			}
			for _, c := range path.Crossings {
				if name := mesh.Marks[c.Mark].Name; !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			return names
		}
		if got := crossed(west, east); !slices.Equal(got, tt.there) {
			t.Errorf("%s: there by %v, want %v", tt.kind, got, tt.there)
		}
		if got := crossed(east, west); !slices.Equal(got, tt.back) {
			t.Errorf("%s: back by %v, want %v", tt.kind, got, tt.back)
		}
	}
	// The way through the door is as long as if the door were open both ways.
	length := map[string]float64{}
	for _, kind := range []string{"door", "door to=0"} {
		lvl := generate(t, "halls")
		lvl.Markers[0].Kind = kind
		mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := mesh.NewQuery().Path(t.Context(), west.Add(geom.Vec{Z: -5}), east)
		if err != nil {
			t.Fatal(err)
		}
		length[kind] = path.Length
	}
	if a, b := length["door"], length["door to=0"]; math.Abs(a-b) > 0.02 {
		t.Errorf("%.4f m through the door, %.4f m if it is one-way", a, b)
	}
}

// A link costs by a filter what it costs in a mesh of a level with the same cost; a dear lift is left for the stairs, and
// the cost ends with the filter.
func TestMarkCosts(t *testing.T) {
	west, _, gallery, _ := levelgen.HallsWalks()
	cost := func(kind string, filter func(*meadow.Mesh) query.Filter) float64 {
		lvl := generate(t, "halls")
		lvl.Markers[2].Kind = kind
		mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ix, err := mesh.Index().With(filter(mesh))
		if err != nil {
			t.Fatal(err)
		}
		path, err := ix.NewQuery().Path(t.Context(), west, gallery)
		if err != nil {
			t.Fatal(err)
		}
		return path.Cost
	}
	none := func(*meadow.Mesh) query.Filter { return query.Filter{} }
	for kind, metres := range map[string]float64{"ladder cost=40": 40, "ladder cost=0": 0, "ladder cost=7.25": 7.25} {
		by := func(m *meadow.Mesh) query.Filter {
			marks, err := m.MarksCalled("gallery ladder")
			if err != nil {
				t.Fatal(err)
			}
			return query.Filter{MarkCosts: map[int]float64{marks[0]: metres}}
		}
		want, got, plain := cost(kind, none), cost("ladder", by), cost("ladder", none)
		if math.Abs(got-want) > 1e-4 || math.Abs(got-plain) < 1 {
			t.Errorf("%s: %.4f m in the mesh, %.4f m by the filter, %.4f m without", kind, want, got, plain)
		}
	}
	mesh, err := meadow.Build(t.Context(), generate(t, "halls"), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []map[int]float64{{-1: 1}, {99: 1}, {0: -1}, {0: math.NaN()}, {0: math.Inf(1)}} {
		if _, err := mesh.Index().With(query.Filter{MarkCosts: f}); err == nil {
			t.Errorf("no error for costs %v", f)
		}
	}
}
