package meadow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// timeless compares reports without their times.
var timeless = cmpopts.IgnoreFields(meadow.Report{}, "Seconds")

// reread returns the mesh after writing and reading.
func reread(t *testing.T, m *meadow.Mesh) *meadow.Mesh {
	t.Helper()
	got, err := meadow.Read(bytes.NewReader(encode(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestReportSurvivesTheFile builds every kind of level, and compares the reports before saving and after loading.
func TestReportSurvivesTheFile(t *testing.T) {
	race.Skip(t)
	dropped, marked, grounds := 0, 0, 0
	for _, kind := range levelgen.Kinds() {
		lvl, err := levelgen.Generate(kind.Name, levelgen.Options{Size: min(kind.Size, max(kind.MinSize, 40))})
		if err != nil {
			t.Fatal(err)
		}
		floor, err := meadow.FindFloor(t.Context(), lvl, meadow.FloorOptions{Terrain: meadow.AutoTerrain()})
		if err != nil {
			continue // a level without floor
		}
		mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{Seed: 7, Cleanup: true})
		if err != nil {
			t.Fatal(err)
		}
		want, got := mesh.Report(), reread(t, mesh).Report()
		if d := cmp.Diff(want, got, timeless); d != "" {
			t.Errorf("%s: %s", kind.Name, d)
		}
		if want.Seconds.Total <= 0 || got.Seconds != (meadow.Seconds{}) {
			t.Errorf("%s: seconds %v before and %v after", kind.Name, want.Seconds, got.Seconds)
		}
		if got.Level != lvl.Name || got.Triangles != len(lvl.Triangles) || got.Extractor != "exact" || got.Generator != "best" || got.Regions != mesh.RegionCount() || got.Counts["cells"] == 0 {
			t.Errorf("%s: report %+v", kind.Name, got)
		}
		if s := got.Settings; !s.Terrain || s.Seed != 7 || !s.Cleanup || s.KeepAll {
			t.Errorf("%s: settings %+v", kind.Name, s)
		}
		if d := cmp.Diff(floor.Plan.Dropped, got.Dropped); d != "" {
			t.Errorf("%s: parts left out: %s", kind.Name, d)
		}
		if (got.Reason() == "") != (len(got.Dropped) == 0) {
			t.Errorf("%s: %d parts are left out, the reason is %q", kind.Name, len(got.Dropped), got.Reason())
		}
		dropped, marked, grounds = dropped+len(got.Dropped), marked+len(got.Markers), grounds+len(got.Grounds)
	}
	if dropped == 0 || marked == 0 || grounds == 0 {
		t.Errorf("%d parts left out, %d markers and %d grounds try nothing", dropped, marked, grounds)
	}
}

// TestSettingsInTheReport reads the options of a build from a loaded mesh.
func TestSettingsInTheReport(t *testing.T) {
	keep := []meadow.Vec{{X: 1, Y: 0.5, Z: -2.25}, {}}
	floor := meadow.FloorOptions{
		Extractor: raster.Extractor{CellSize: 0.125}, Keep: keep, KeepArea: 3, Simplify: 0.07, Detail: -1, NoMarkers: true,
	}
	lvl := square(0, 0, 9)
	found, err := meadow.FindFloor(t.Context(), lvl, floor)
	if err != nil {
		t.Fatal(err)
	}
	keep[0].X = 99 // the caller's again
	mesh, err := found.Mesh(t.Context(), meadow.MeshOptions{Generator: anavmg.Generator{Options: anavmg.Options{ConvexDistance: 0.2}}, Seed: math.MaxUint64})
	if err != nil {
		t.Fatal(err)
	}
	want := meadow.Settings{
		Keep: []meadow.Vec{{X: 1, Y: 0.5, Z: -2.25}, {}}, KeepArea: 3, Simplify: 0.07, Detail: -1, NoMarkers: true,
		Extractor: "cells of 0.125 m", ConvexDistance: 0.2, Seed: math.MaxUint64,
	}
	for name, m := range map[string]*meadow.Mesh{"built": mesh, "loaded": reread(t, mesh)} {
		if d := cmp.Diff(want, m.Report().Settings); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	wide, err := reread(t, mesh).Widen(t.Context(), 1, meadow.WidenOptions{Simplify: 0.01, ConvexDistance: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	want.ConvexDistance, want.Seed, want.WidenedFrom, want.WidenSimplify = 0.3, 0, mesh.Agent.Radius, 0.01
	r := reread(t, wide).Report()
	if d := cmp.Diff(want, r.Settings); d != "" {
		t.Errorf("widened: %s", d)
	}
	if r.Agent.Radius != 1 || r.Extractor != "raster" || r.Level != lvl.Name || r.Area >= mesh.Area() {
		t.Errorf("widened: %+v", r)
	}
}

// TestReasons checks that a report tells why a part of the floor was left out.
func TestReasons(t *testing.T) {
	two := square(0, 0, 9)
	two.Vertices = append(two.Vertices, square(20, 0, 3).Vertices...)
	two.Triangles = append(two.Triangles, level.Triangle{A: 4, B: 5, C: 6, Material: level.NoMaterial}, level.Triangle{A: 4, B: 6, C: 7, Material: level.NoMaterial})
	for _, c := range []struct {
		floor meadow.FloorOptions
		parts int
		want  string
	}{
		{meadow.FloorOptions{}, 1, "smaller than the largest part, without a start"},
		{meadow.FloorOptions{KeepArea: 20}, 1, "at most 20 m²"},
		{meadow.FloorOptions{Keep: []meadow.Vec{{X: 20}}}, 1, "no place to keep lies there"},
		{meadow.FloorOptions{Keep: []meadow.Vec{{}}, KeepArea: 30}, 1, "no place to keep lies there, at most 30 m²"},
		{meadow.FloorOptions{KeepAll: true}, 0, ""},
	} {
		mesh, err := meadow.BuildWith(t.Context(), two, c.floor, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r := reread(t, mesh).Report(); len(r.Dropped) != c.parts || r.Reason() != c.want {
			t.Errorf("%+v: %d parts left out: %q, want %d: %q", c.floor, len(r.Dropped), r.Reason(), c.parts, c.want)
		}
	}
}

// TestReportWithoutRecord counts a mesh that nobody has noted anything about.
func TestReportWithoutRecord(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), generate(t, "stairs"), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	plain := *mesh.Mesh
	plain.Record = nil
	want := mesh.Report()
	want = meadow.Report{
		Agent: want.Agent, Layers: want.Layers, Components: want.Components, Regions: want.Regions, Vertices: want.Vertices,
		Portals: want.Portals, OffMesh: want.OffMesh, Area: want.Area, Grounds: want.Grounds,
	}
	if d := cmp.Diff(want, meadow.Wrap(&plain).Report()); d != "" || want.Regions == 0 {
		t.Error(d)
	}
}

// TestForeignRecords wraps and loads meshes with records of others, of other versions, and damaged ones.
func TestForeignRecords(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), square(0, 0, 9), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	own := string(mesh.Record)
	for _, c := range []struct{ record, level, fault string }{
		{own, "square", ""},
		{"", "", ""},
		{"notes of another program", "", ""},
		{strings.Replace(own, `{"meadow":1`, `{"meadow":2`, 1), "", ""},
		{`{"meadow":2,"level":[]}`, "", ""},
		{`{"meadow":1,"level":"a","later":{"b":[1]}}`, "a", ""},
		{own[:len(own)-1], "", "record: unexpected end of JSON input"},
		{own + own, "", "record: invalid character '{' after top-level value"},
		{`{"meadow":`, "", "record: unexpected end"},
		{`{"meadow":"1"}`, "", "record: json: cannot unmarshal string"},
		{`{"meadow":1,"level":7}`, "", "record: json: cannot unmarshal number"},
		{`{"meadow":1,"lost":1e999}`, "", "record: json: cannot unmarshal number 1e999"},
		{`{"meadow":1,"dropped":[{"area":1,"at":7}]}`, "", "record: json: cannot unmarshal number"},
		{`{"meadow":1,"counts":` + strings.Repeat(`{"a":`, 20000), "", "record: "},
	} {
		m := *mesh.Mesh
		m.Record = []byte(c.record)
		name := fmt.Sprintf("%.40q", c.record)
		wrapped := meadow.Wrap(&m)
		_, asked := wrapped.IndexWith(t.Context())
		file, err := navfile.Encode(&m)
		if err != nil {
			t.Fatal(err)
		}
		loaded, read := meadow.Read(bytes.NewReader(file))
		for way, err := range map[string]error{"wrapped": asked, "read": read} {
			if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) || len(err.Error()) > 300) {
				t.Errorf("%s %s: error %v, want %q", name, way, err, c.fault)
			}
		}
		if c.fault != "" || read != nil {
			continue
		}
		if a, b := wrapped.Report(), loaded.Report(); a.Level != c.level || b.Level != c.level || a.Regions != 1 {
			t.Errorf("%s: levels %q and %q, want %q", name, a.Level, b.Level, c.level)
		}
		if !bytes.Equal(encode(t, loaded), file) {
			t.Errorf("%s: the record changes when the mesh is written again", name)
		}
	}
}

// TestLongReports builds with lists and texts beyond the bounds of a record, and with texts that are no text.
func TestLongReports(t *testing.T) {
	race.Skip(t)
	lvl := square(0, 0, 9)
	lvl.Name = "a\x00\xff\n" + strings.Repeat("ü", 5000)
	corner := meadow.Vec{X: 1e300, Y: math.NaN(), Z: math.Inf(-1)}
	lvl.Markers = []level.Marker{{Name: "a\x1b[2J", Kind: "door", Hull: []meadow.Vec{corner, corner}}, {Name: "far", Kind: "door", Hull: []meadow.Vec{{X: -1e300, Y: 1e308}}}}
	for range 70000 {
		lvl.Markers = append(lvl.Markers, level.Marker{Name: strings.Repeat("n", 300), Kind: "door"})
	}
	mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{Generator: counting{5}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(mesh.Record); n > navfile.MaxRecord || n < navfile.MaxRecord/4 {
		t.Errorf("the record has %d bytes of %d", n, navfile.MaxRecord)
	}
	want, got := mesh.Report(), reread(t, mesh).Report()
	if d := cmp.Diff(want, got, timeless); d != "" {
		t.Error(d)
	}
	if got.Omitted == 0 || len(got.Markers)+got.Omitted != len(lvl.Markers) {
		t.Errorf("%d markers and %d omitted, the level has %d", len(got.Markers), got.Omitted, len(lvl.Markers))
	}
	for _, s := range []string{got.Level, got.Generator, got.Markers[0].Name, got.Settings.Generator} {
		if len(s) > 1<<10+64 || strings.ContainsAny(s, "\x00\x1b\n") || !utf8.ValidString(s) || s == "" {
			t.Errorf("text %.60q of %d bytes", s, len(s))
		}
	}
	for i, m := range got.Markers[:2] {
		if !m.At.IsFinite() {
			t.Errorf("marker %d is at %v", i, m.At)
		}
	}
}

// counting is a generator with a long name, settings in words, and as many counts as it says.
type counting struct{ counts int }

func (counting) Name() string     { return strings.Repeat("my own ", 1000) }
func (counting) Settings() string { return "seven\tthings" }

func (c counting) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	r, err := anavmg.Generator{}.Decompose(ctx, in)
	for i := range c.counts {
		r.Report.Counts[fmt.Sprint("things ", i)] = i
	}
	return r, err
}

// TestRecordsMove compares the records of a level and of the same level elsewhere, with parts left out and markers.
func TestRecordsMove(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"stairs", "demo"} {
		lvl := generate(t, kind)
		moved := *lvl
		by := meadow.Vec{X: 1e6, Y: -300, Z: 12345}
		moved.Vertices, moved.Markers = nil, nil
		for _, v := range lvl.Vertices {
			moved.Vertices = append(moved.Vertices, v.Add(by))
		}
		for _, m := range lvl.Markers {
			hull := m.Hull
			m.Hull = nil
			for _, v := range hull {
				m.Hull = append(m.Hull, v.Add(by))
			}
			moved.Markers = append(moved.Markers, m)
		}
		first, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
		if err != nil {
			t.Fatal(err)
		}
		start, _ := first.Center(first.Refs()[0])
		var records [2]*meadow.Mesh
		for i, l := range []*level.Level{lvl, &moved} {
			keep := []meadow.Vec{start}
			if i == 1 {
				keep[0] = keep[0].Add(by)
			}
			if records[i], err = meadow.BuildWith(t.Context(), l, meadow.FloorOptions{Keep: keep, Jobs: 1 + 3*i}, meadow.MeshOptions{Jobs: 1 + 3*i}); err != nil {
				t.Fatal(err)
			}
		}
		if string(records[0].Record) != string(records[1].Record) {
			t.Errorf("%s: records\n%s\n%s", kind, records[0].Record, records[1].Record)
		}
		a, b := records[0].Report(), records[1].Report()
		for i := range a.Dropped {
			if d := b.Dropped[i].At.Sub(a.Dropped[i].At); d != by {
				t.Errorf("%s: part %d moves by %v", kind, i, d)
			}
		}
	}
}

// TestRecordIsWhole checks that no field of the report is forgotten: a report in which each field has a value loses none.
func TestRecordIsWhole(t *testing.T) {
	var s meadow.Settings
	v := reflect.ValueOf(&s).Elem()
	fields := map[string]json.RawMessage{}
	mesh, err := meadow.BuildWith(t.Context(), square(0, 0, 9), meadow.FloorOptions{}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"keep":[[4096,0,0]],"keep_all":true,"keep_area":1,"simplify":2,"detail":3,"terrain":true,"no_markers":true,"extractor":"x","generator":"g",
		"convex_distance":4,"cleanup":true,"seed":5,"tile_size":16,"widened_from":6,"widen_simplify":7}`), &fields); err != nil {
		t.Fatal(err)
	}
	if v.NumField() != len(fields) {
		t.Errorf("Settings has %d fields, the record %d", v.NumField(), len(fields))
	}
	text, err := json.Marshal(map[string]any{"settings": fields, "seams": 8, "omitted": 9})
	if err != nil {
		t.Fatal(err)
	}
	m := *mesh.Mesh
	m.Record = []byte(`{"meadow":1,` + string(text[1:]))
	r := reread(t, meadow.Wrap(&m)).Report()
	v = reflect.ValueOf(r.Settings)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is lost", v.Type().Field(i).Name)
		}
	}
	if r.Seams != 8 || r.Omitted != 9 {
		t.Errorf("%d seams, %d omitted", r.Seams, r.Omitted)
	}
	wide, err := meadow.Wrap(&m).Widen(t.Context(), 1, meadow.WidenOptions{Simplify: 0.5, ConvexDistance: 0.5, Cleanup: true, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	v = reflect.ValueOf(reread(t, wide).Report().Settings)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Generator" { // the default generator tells no settings
			t.Errorf("%s is lost", name)
		}
	}
}

// TestPlansWithBadParts checks that parts left out at no place are faults of a plan.
func TestPlansWithBadParts(t *testing.T) {
	floor, err := meadow.FindFloor(t.Context(), square(0, 0, 9), meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []plan.Part{{Area: math.NaN()}, {Area: -1}, {Area: math.Inf(1)}, {At: meadow.Vec{Y: math.NaN()}}} {
		p := *floor.Plan
		p.Dropped = []plan.Part{bad}
		if _, err := (&meadow.Floor{Plan: &p}).Mesh(t.Context(), meadow.MeshOptions{}); err == nil || !strings.Contains(err.Error(), "dropped part 0") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// FuzzRecord gives a mesh damaged records. A report that is read can be written and read again.
func FuzzRecord(f *testing.F) {
	mesh, err := meadow.Build(context.Background(), square(0, 0, 9), meadow.Agent{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(mesh.Record)
	f.Add(mesh.Record[:len(mesh.Record)/2])
	f.Add([]byte(`{"meadow":1,"settings":{"keep":[[1e300,-1e300,5]]},"dropped":[{"area":-1e308,"at":[1,2]}],"markers":[{"name":"\u0000\ud800"}],"warnings":["\u202e"],"counts":{"\u0001":1,"\\x01":2}}`))
	f.Add([]byte(`{"meadow":2}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		m := *mesh.Mesh
		m.Record = record
		var out bytes.Buffer
		if err := meadow.Wrap(&m).Write(&out); err != nil {
			return
		}
		again, err := meadow.Read(&out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Record, record) {
			t.Error("the record has changed")
		}
		a, b := meadow.Wrap(&m).Report(), again.Report()
		if d := cmp.Diff(a, b); d != "" {
			t.Error(d)
		}
		wide, err := again.Widen(t.Context(), 1, meadow.WidenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(wide.Report(), reread(t, wide).Report(), timeless); d != "" {
			t.Error(d)
		}
	})
}
