package flat

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// ldtkOf is a project with the definitions that the tests need. Cells have 8 pixels; tiles of set 5 have 16.
func ldtkOf(layout, levels string) string {
	return `{"__header__":{"fileType":"LDtk Project JSON"},"jsonVersion":"1.5.3","worldLayout":"` + layout + `","defaultGridSize":16,"worlds":[],"defs":{"layers":[
{"identifier":"Things","type":"Entities","uid":9,"gridSize":16},
{"identifier":"Grid","type":"IntGrid","uid":1,"gridSize":8,"intGridValues":[{"value":1,"identifier":"Wall_1","groupUid":0},{"value":2,"identifier":"grass","groupUid":0},{"value":3,"identifier":null,"groupUid":7},{"value":4,"identifier":"path","groupUid":0}],"intGridValuesGroups":[{"uid":7,"identifier":"solid"}]},
{"identifier":"Collisions","type":"IntGrid","uid":2,"gridSize":8,"intGridValues":[{"value":1,"identifier":"stone"}]},
{"identifier":"Plain","type":"IntGrid","uid":3,"gridSize":8,"intGridValues":[{"value":1,"identifier":null}]}],
"tilesets":[{"uid":4,"tileGridSize":8,"enumTags":[{"enumValueId":"Wall","tileIds":[6,7]},{"enumValueId":"Water","tileIds":[8]}],"customData":[{"tileId":9,"data":"blocked"}]},{"uid":5,"tileGridSize":16,"enumTags":[{"enumValueId":"Wall","tileIds":[1]}],"customData":[]}]},
"levels":[` + levels + `]}`
}

// ldtkLevelOf is a level of 3 × 2 cells.
func ldtkLevelOf(name string, x, y int, layers ...string) string {
	return fmt.Sprintf(`{"identifier":%q,"worldX":%d,"worldY":%d,"worldDepth":0,"pxWid":24,"pxHei":16,"externalRelPath":null,"layerInstances":[%s]}`, name, x, y, strings.Join(layers, ","))
}

// ldtkLayerOf is a layer of 3 × 2 cells.
func ldtkLayerOf(kind, name string, def int, more string) string {
	return fmt.Sprintf(`{"__identifier":%q,"__type":%q,"__cWid":3,"__cHei":2,"__gridSize":8,"__pxTotalOffsetX":0,"__pxTotalOffsetY":0,"__tilesetDefUid":4,"layerDefUid":%d,%s}`, name, kind, def, more)
}

func ldtkGrid(def int, csv string) string {
	name := [...]string{1: "Grid", 2: "Collisions", 3: "Plain"}[def]
	return ldtkLayerOf("IntGrid", name, def, `"intGridCsv":[`+csv+`],"autoLayerTiles":[],"gridTiles":[],"entityInstances":[]`)
}

func ldtkTiles(kind, name, tiles string) string {
	list := "gridTiles"
	if kind == "AutoLayer" {
		list = "autoLayerTiles"
	}
	return ldtkLayerOf(kind, name, 8, `"`+list+`":[`+tiles+`]`)
}

func ldtkEntities(name, list string) string {
	return ldtkLayerOf("Entities", name, 9, `"entityInstances":[`+list+`]`)
}

// TestLDtkFiles reads projects of every layout, with every kind of layer.
func TestLDtkFiles(t *testing.T) {
	one := func(layers ...string) string { return ldtkOf("Free", ldtkLevelOf("A", 0, 0, layers...)) }
	const crate = `{"__identifier":"Wall","__pivot":[0.5,1],"px":[12,8],"width":8,"height":8,"fieldInstances":[]}`
	full := ldtkGrid(1, "0,0,0,0,0,0")
	two := func(layout string) string {
		return ldtkOf(layout, ldtkLevelOf("A", 0, 0, ldtkGrid(1, "0,0,0,0,0,1"))+","+ldtkLevelOf("B", 24, 0, ldtkGrid(1, "0,1,0,0,0,0")))
	}
	for _, c := range []struct {
		name, text string
		opt        Options
		domains    int
		area       float64
		warnings   int
	}{
		{"no layer", one(), Options{}, 1, 6, 0},
		{"a named value", one(ldtkGrid(1, "0,1,0,2,0,2")), Options{}, 1, 5, 0},
		{"a named group", one(ldtkGrid(1, "0,3,0,0,3,0")), Options{}, 2, 4, 0},
		{"floor by name", one(ldtkGrid(1, "4,1,0,4,2,4")), Options{}, 2, 3, 0},
		{"an obstacle layer", one(ldtkGrid(2, "0,1,0,0,0,0")), Options{}, 1, 5, 0},
		{"a wall among others of an obstacle layer", one(ldtkLayerOf("IntGrid", "Walls", 1, `"intGridCsv":[0,1,0,0,2,0]`)), Options{}, 1, 5, 0},
		{"drawn on an obstacle layer", one(ldtkLayerOf("IntGrid", "Collisions", 2, `"intGridCsv":[0,1,0,0,0,0],"autoLayerTiles":[{"px":[16,8],"t":0}]`)), Options{}, 1, 5, 0},
		{"a tile between cells", one(ldtkTiles("Tiles", "Deco", `{"px":[4,0],"t":6}`)), Options{}, 1, 5, 0},
		{"cut off at the level", ldtkOf("Free", strings.Replace(ldtkLevelOf("A", 0, 0, ldtkGrid(1, "0,0,1,0,0,0")), `OffsetX":0`, `OffsetX":8`, 1)+","+ldtkLevelOf("B", 24, 0)), Options{}, 1, 12, 0},
		{"no name at all", one(ldtkGrid(3, "0,1,0,0,5,0")), Options{}, 2, 4, 0},
		{"two layers", one(ldtkGrid(1, "0,1,0,0,0,0"), ldtkGrid(2, "0,1,1,0,0,0")), Options{}, 1, 4, 0},
		{"a moved layer", one(strings.Replace(ldtkGrid(1, "1,0,1,0,0,0"), `OffsetX":0`, `OffsetX":4`, 1)), Options{}, 1, 4.5, 0},
		{"a layer moved out", one(strings.Replace(ldtkGrid(1, "1,1,1,1,1,1"), `OffsetY":0`, `OffsetY":-99`, 1)), Options{}, 1, 6, 0},
		{"tags of tiles", one(ldtkTiles("Tiles", "Deco", `{"px":[0,0],"t":6},{"px":[8,0],"t":8},{"px":[16,8],"t":9},{"px":[16,8],"t":8}`)), Options{}, 1, 4, 0},
		{"tags of drawn tiles", one(ldtkTiles("AutoLayer", "Deco", `{"px":[8,3],"t":7}`)), Options{}, 1, 5, 0},
		{"tiles of an obstacle layer", one(ldtkTiles("AutoLayer", "Walls", `{"px":[8,8],"t":0},{"px":[-8,0],"t":0}`)), Options{}, 1, 5, 0},
		{"tiles of floor", one(ldtkTiles("Tiles", "Ground", `{"px":[0,0],"t":0},{"px":[8,0],"t":0},{"px":[8,0],"t":7}`)), Options{}, 1, 1, 0},
		{"large tiles", one(strings.Replace(ldtkTiles("Tiles", "Deco", `{"px":[8,0],"t":1}`), `DefUid":4`, `DefUid":5`, 1)), Options{}, 1, 2, 0},
		{"drawn on numbers", one(ldtkLayerOf("IntGrid", "Grid", 1, `"intGridCsv":[0,1,0,0,0,0],"autoLayerTiles":[{"px":[8,0],"t":0},{"px":[8,8],"t":0},{"px":[16,0],"t":6}]`)), Options{}, 1, 4, 0},
		{"an entity", one(ldtkEntities("Things", crate)), Options{}, 1, 5, 0},
		{"entities by fields and tags", one(ldtkEntities("Things", `{"__identifier":"Door","__tags":[],"__pivot":[0,0],"px":[0,0],"width":8,"height":4,"fieldInstances":[{"__identifier":"walkable","__type":"Bool","__value":false}]},
			{"__identifier":"Box","__tags":["obstacle"],"px":[16,0],"width":8,"height":4,"fieldInstances":[{"__identifier":"at","__value":{"cx":1}}]},
			{"__identifier":"Start","__pivot":[0,0],"px":[0,8],"width":8,"height":8,"fieldInstances":[{"__identifier":"solid","__value":null}]}`)), Options{}, 1, 5, 1},
		{"levels side by side", two("Free"), Options{}, 1, 10, 0},
		{"levels of a grid", two("GridVania"), Options{}, 1, 10, 0},
		{"levels in a row", two("LinearHorizontal"), Options{}, 2, 10, 0},
		{"levels in a column", two("LinearVertical"), Options{}, 2, 10, 0},
		{"one level", two("Free"), Options{Level: "B"}, 1, 5, 0},
		{"one depth", ldtkOf("Free", strings.Replace(ldtkLevelOf("A", 0, 0), `Depth":0`, `Depth":1`, 1)+","+ldtkLevelOf("B", 0, 0, ldtkGrid(1, "0,1,0,0,0,0"))), Options{}, 1, 5, 1},
		{"no depth 0", strings.ReplaceAll(two("Free"), `Depth":0`, `Depth":-1`), Options{}, 1, 10, 0},
		{"one level of a depth", strings.Replace(two("Free"), `Depth":0`, `Depth":1`, 1), Options{Level: "A"}, 1, 5, 0},
		{"one world", strings.Replace(strings.Replace(two("Free"), `"worlds":[]`, `"worlds":[{"identifier":"W","worldLayout":"Free","levels":[`+ldtkLevelOf("C", 0, 0, full)+`]}]`, 1), `"worldLayout":"Free"`, `"worldLayout":null`, 1), Options{}, 1, 6, 0},
		{"a scale", one(ldtkGrid(1, "0,1,0,0,0,0")), Options{Scale: 2}, 1, 20, 0},
	} {
		m, err := read("a.ldtk", c.text, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkDomains(t, m.Plan)
		if len(m.Plan.Layers[0].Domains) != c.domains || math.Abs(area(m)-c.area) > 1e-3 || len(m.Warnings) != c.warnings {
			t.Errorf("%s: %d domains, area %g, warnings %q; want %d, %g, %d", c.name, len(m.Plan.Layers[0].Domains), area(m), m.Warnings, c.domains, c.area, c.warnings)
		}
	}
}

// TestLDtkPlaces puts a cell at its place in the world, in pixels of the first layer of numbers.
func TestLDtkPlaces(t *testing.T) {
	m, err := read("a.ldtk", ldtkOf("Free", ldtkLevelOf("A", -16, 80, ldtkGrid(1, "0,0,4,0,0,0"))), Options{Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := corners(m)[0], []geom.Vec{{X: 0, Z: 22}, {X: 2, Z: 22}, {X: 2, Z: 20}, {X: 0, Z: 20}}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
}

// TestLDtkPivot puts an entity at its place: the pivot is the place that the file states.
func TestLDtkPivot(t *testing.T) {
	m, err := read("a.ldtk", ldtkOf("Free", ldtkLevelOf("A", 0, 0, ldtkEntities("Things", `{"__identifier":"Floor","__pivot":[0.5,1],"px":[12,8],"width":8,"height":4}`))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := corners(m)[0], []geom.Vec{{X: 1, Z: 1}, {X: 2, Z: 1}, {X: 2, Z: 0.5}, {X: 1, Z: 0.5}}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
}

// TestLDtkLevelFiles reads levels in files of their own, in the folder of the project and below.
func TestLDtkLevelFiles(t *testing.T) {
	many := []byte(`{"layerInstances":[],"fieldInstances":[` + strings.Repeat("{},", maxParts/2) + "{}]}")
	files := fstest.MapFS{
		"maps/p/D.ldtkl": {Data: many}, "maps/p/E.ldtkl": {Data: many},
		"maps/p/A.ldtkl": {Data: []byte(ldtkLevelOf("A", 0, 0, ldtkGrid(1, "0,1,0,0,0,0")))},
		"maps/p/B.ldtkl": {Data: []byte("{\n]")},
		"maps/p/C.ldtkl": {Data: []byte(ldtkLevelOf("C", 0, 0, ldtkGrid(1, "0,1")))},
	}
	at := func(name string, x int) string {
		return strings.NewReplacer(`"externalRelPath":null`, `"externalRelPath":"p/`+name+`.ldtkl"`, `"layerInstances":[]`, `"layerInstances":null`).Replace(ldtkLevelOf(name, x, 0))
	}
	m, err := read("maps/a.ldtk", ldtkOf("Free", at("A", 0)+","+at("None", 24)+","+at("../../Up", 48)), Options{Files: files})
	if err != nil || area(m) != 5 || len(m.Warnings) != 2 || !strings.Contains(m.Warnings[0], `level "None" is left out: its file "p/None.ldtkl" is not read`) {
		t.Errorf("area %g of 5, warnings %q, %v", area(m), m.Warnings, err)
	}
	if _, err := read("maps/a.ldtk", ldtkOf("Free", at("D", 0)+","+at("E", 24)), Options{Files: files}); err == nil || !strings.Contains(err.Error(), `level "E": file "p/E.ldtkl": 10486`) {
		t.Errorf("two files of many objects: %v", err)
	}
	for name, want := range map[string]string{
		"None": "no polygon in the file", "B": `level "B": file "p/B.ldtkl": line 2: invalid character`, "C": `level "C": layer "Grid": 2 values, not 3 × 2`,
	} {
		if _, err := read("maps/a.ldtk", ldtkOf("Free", at(name, 0)), Options{Files: files}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// TestOldLDtk reads a project of version 0.9, which has no worlds, depths, groups and tags.
func TestOldLDtk(t *testing.T) {
	text := ldtkOf("Free", ldtkLevelOf("A", 0, 0, ldtkGrid(1, "1,0,0,0,0,0")))
	for _, c := range []struct{ old, new string }{{`"1.5.3"`, `"0.9.3"`}, {`"worlds":[],`, ``}, {`"worldDepth":0,`, ``}, {`,"groupUid":0`, ``}} {
		if !strings.Contains(text, c.old) {
			t.Fatal(c.old)
		}
		text = strings.ReplaceAll(text, c.old, c.new)
	}
	text = strings.ReplaceAll(text, `"value":2,"identifier":"grass"`, `"value":2,"identifier":"bush"`)
	m, err := Decode(strings.NewReader(strings.ReplaceAll(text, `"identifier":"path"`, `"identifier":"moss"`)), "a.ldtk", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := area(m); math.Abs(a-5) > 1e-6 {
		t.Errorf("%g m², want 5", a)
	}
}

// TestLDtkShapes names cells, tiles and entities for rules.
func TestLDtkShapes(t *testing.T) {
	text := ldtkOf("Free", ldtkLevelOf("A", 0, 0, ldtkGrid(1, "2,1,2,0,0,0"), ldtkTiles("Tiles", "Deco", `{"px":[0,0],"t":8},{"px":[0,0],"t":8}`),
		ldtkEntities("Things", `{"__identifier":"Door","__tags":["exit"],"__pivot":[0,0],"px":[8,8],"width":8,"height":8,"fieldInstances":[{"__identifier":"key","__value":"red"}]}`)))
	shapes, err := DecodeShapes(strings.NewReader(text), "a.ldtk", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(shapes[0].Rings); n != 2 {
		t.Errorf("the first shape has %d rings, not 2", n)
	}
	var names []string
	for _, s := range shapes {
		names = append(names, strings.Join(s.Names, " "))
	}
	if want := []string{"grass Grid A", "Wall_1 Grid A", "Water Deco A", "Door exit key=red Things A"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}

func TestBadLDtk(t *testing.T) {
	one := func(layers ...string) string { return ldtkOf("Free", ldtkLevelOf("A", 0, 0, layers...)) }
	entity := func(more string) string { return one(ldtkEntities("Things", `{"__identifier":"Door",`+more+`}`)) }
	for _, c := range []struct{ name, text, want string }{
		{"empty", " ", "ldtk: the file is empty"},
		{"no JSON", "{\n}}", "line 2: invalid character"},
		{"an array", "[]", "found array; want an object"},
		{"a type", `{"levels":[{"pxWid":"3"}]}`, "pxWid is a string"},
		{"old", `{"jsonVersion":"0.8.1"}`, `unsupported version "0.8.1" of the project; supported: 0.9 and 1`},
		{"future", `{"jsonVersion":"0.91.0"}`, `unsupported version "0.91.0" of the project`},
		{"worlds", strings.Replace(one(), `"worlds":[]`, `"worlds":[{"identifier":"A"},{"identifier":"B"}]`, 1), `2 worlds, the first are "A" and "B"`},
		{"no level", ldtkOf("Free", ""), "the project has no level"},
		{"a layout", strings.Replace(one(), `"Free"`, `"Round"`, 1), `unsupported layout "Round"`},
		{"a size", strings.Replace(one(), `"pxWid":24`, `"pxWid":-1`, 1), `level "A": -1 × 16 pixels`},
		{"a cell size", strings.ReplaceAll(one(), `"gridSize":8`, `"gridSize":0`), "cells of 0 pixels"},
		{"a layer's cell size", strings.ReplaceAll(one(ldtkGrid(1, "")), `__gridSize":8`, `__gridSize":0`), `level "A": layer "Grid": cells of 0 pixels`},
		{"a kind", one(ldtkLayerOf("Sound", "S", 1, `"x":0`)), `level "A": layer "S": unknown type "Sound"`},
		{"cells", strings.Replace(one(ldtkGrid(1, "")), `"__cWid":3`, `"__cWid":9000000`, 1), `layer "Grid": 9000000 × 2 cells`},
		{"values", one(ldtkGrid(1, "1,2")), `level "A": layer "Grid": 2 values, not 3 × 2`},
		{"a value", one(ldtkGrid(1, "0,0,0,0,-4,0")), `level "A": layer "Grid": cell 1, 1: value -4`},
		{"a tile", one(ldtkTiles("Tiles", "T", `{"px":[0,0],"t":6},{"px":[1]}`)), `level "A": layer "T": tile 1: 1 coordinates, not 2`},
		{"an entity", entity(`"px":[1]`), `level "A": layer "Things": entity 0, "Door": 1 coordinates and a pivot of 0, not 2`},
		{"far away", strings.Replace(one(), `"worldX":0`, `"worldX":1e300`, 1), `level "A": invalid point 0`},
		{"all blocked", one(ldtkGrid(1, "1,1,1,1,1,1")), "nothing is walkable"},
		{"objects", one(ldtkTiles("Tiles", "T", strings.Repeat("{},", maxParts)+"{}")), "JSON objects; the limit is 1048576"},
		{"many cells", strings.Replace(one(strings.Repeat(ldtkTiles("Tiles", "T", "")+",", 2)+ldtkTiles("Tiles", "T", "")), `"__cWid":3,"__cHei":2`, `"__cWid":4096,"__cHei":4096`, -1), `layer "T": the layers of all levels have more than 33554432 cells`},
		{"large tiles", strings.Replace(strings.Replace(one(ldtkTiles("Tiles", "T", strings.Repeat(`{"px":[0,0],"t":0},`, 7)+`{"px":[0,0],"t":0}`)), `"__cWid":3,"__cHei":2`, `"__cWid":2048,"__cHei":2048`, 1), `"uid":4,"tileGridSize":8`, `"uid":4,"tileGridSize":1e9`, 1), `tile 7 in cell 0, 0: the layers`},
	} {
		if _, err := read("a.ldtk", c.text, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %.300v, want %q", c.name, err, c.want)
		}
	}
	if _, err := read("a.ldtk", one(), Options{Level: "B"}); err == nil || !strings.Contains(err.Error(), `no level "B"; the first of 1 is "A"`) {
		t.Errorf("a level that is not there: %v", err)
	}
	if _, err := read("a.ldtk", one(ldtkGrid(1, "2,0,2,0,5,0")), Options{Shapes: true, Limits: level.Limits{Triangles: 8}}); err == nil || !strings.Contains(err.Error(), `layer "Grid": more than 8 points in the map`) {
		t.Errorf("too many points: %v", err)
	}
}

// FuzzLDtk feeds the reader with anything: no panic, and every plan keeps its promises.
func FuzzLDtk(f *testing.F) {
	all := ldtkLevelOf("A", 0, 0, ldtkGrid(1, "0,1,0,2,4,3"), ldtkGrid(2, "0,1,0,0,0,0"), ldtkTiles("Tiles", "Walls", `{"px":[8,3],"t":7}`), ldtkTiles("AutoLayer", "Deco", `{"px":[16,0],"t":6}`),
		ldtkEntities("Things", `{"__identifier":"Wall","__pivot":[0.5,1],"px":[12,8],"width":7,"height":8,"fieldInstances":[{"__identifier":"solid","__value":true}]}`))
	for _, layout := range []string{"Free", "GridVania", "LinearHorizontal", "LinearVertical"} {
		f.Add([]byte(ldtkOf(layout, all+","+ldtkLevelOf("B", 20, 4, ldtkGrid(3, "0,1,0,0,0,0")))), "B", true)
	}
	f.Add([]byte(ldtkOf("Free", `{"identifier":"A","pxWid":24,"pxHei":16,"externalRelPath":"A.ldtkl"}`)), "", false)
	files := fstest.MapFS{"A.ldtkl": {Data: []byte(all)}}
	f.Fuzz(func(t *testing.T, data []byte, name string, shapes bool) {
		m, err := Decode(strings.NewReader(string(data)), "fuzz.ldtk", Options{Level: name, Shapes: shapes, Files: files})
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		checkDomains(t, m.Plan)
	})
}
