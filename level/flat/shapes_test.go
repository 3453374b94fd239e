package flat

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// told writes shapes in a few words: their names, their rings and their area.
func told(shapes []Shape) string {
	var b strings.Builder
	for _, s := range shapes {
		area := 0.0
		for _, ring := range s.Rings {
			for i, p := range ring {
				q := ring[(i+1)%len(ring)]
				area += (p[0]*q[1] - p[1]*q[0]) / 2
			}
		}
		fmt.Fprintf(&b, "%s: %d, %.4g m²\n", strings.Join(s.Names, " "), len(s.Rings), area)
	}
	return b.String()
}

func TestDecodeShapes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"grid.map", "type octile\nheight 3\nwidth 4\nmap\n.SST\n.GW@\nTTWW\n",
			"ground .: 1, 8 m²\nground G: 1, 4 m²\nswamp S: 1, 8 m²\ntrees T: 2, 12 m²\nwater W: 1, 12 m²\n",
		},
		{"one.poly", "0 0\n4 0\n4 4\n0 4\n\n1 1\n1 2\n2 2\n2 1\n", ": 2, 60 m²\n"},
		{
			// Shapes overlap, lie in each other, and are obstacles.
			"town.geojson", `{"type": "FeatureCollection", "features": [
				{"type": "Feature", "properties": {"surface": "grass", "rank": 2, "walkable": true, "deep": {"a": 1}}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[9,0],[9,9],[0,9],[0,0]]]}},
				{"type": "Feature", "properties": {"highway": "primary", "name": "Main Street"}, "geometry": {"type": "MultiPolygon", "coordinates": [[[[1,1],[12,1],[12,2],[1,2],[1,1]]], [[[1,5],[1,6],[2,6],[2,5],[1,5]]]]}},
				{"type": "Feature", "properties": {"kind": "wall"}, "geometry": {"type": "Polygon", "coordinates": [[[3,3],[4,3],[4,4],[3,4],[3,3]], [[3.25,3.25],[3.75,3.25],[3.75,3.75],[3.25,3.75]]]}},
				{"type": "Feature", "properties": null, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1,1],[2,2]]]}}
			]}`,
			"rank=2 surface=grass grass walkable=true: 1, 324 m²\n" +
				"highway=primary name=Main Street Main Street: 1, 44 m²\nhighway=primary name=Main Street Main Street: 1, 4 m²\nkind=wall wall: 2, 3 m²\n",
		},
		{
			"world.svg", `<svg viewBox="0 0 9 9"><g id="layer1" inkscape:label="Water" xmlns:inkscape="x"><g class="deep cold"><rect id="lake" width="4" height="2"/></g></g><circle r="0"/><rect class="road" x="1" width="1" height="9"/></svg>`,
			"lake deep cold layer1 Water: 1, 32 m²\nroad: 1, 36 m²\n",
		},
		{
			"tiles.tmj", `{"orientation": "orthogonal", "width": 3, "height": 2, "tilewidth": 8, "tileheight": 8,
				"tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "class": "grass"}, {"id": 1, "type": "water", "properties": [{"name": "depth", "value": 3}]}, {"id": 3, "class": "grass"}]}],
				"layers": [{"type": "tilelayer", "name": "base", "width": 3, "height": 2, "data": [1, 2, 4, 0, 2, 3]},
					{"type": "group", "name": "more", "layers": [{"type": "objectgroup", "name": "roads", "class": "way", "objects": [{"id": 1, "name": "A1", "x": 0, "y": 0, "width": 16, "height": 8}]}]}]}`,
			"grass base: 2, 8 m²\nwater depth=3 base: 1, 8 m²\nbase: 1, 4 m²\nA1 roads way more: 1, 8 m²\n",
		},
	} {
		got, err := DecodeShapes(strings.NewReader(c.text), c.name, Options{Scale: 2})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s := told(got); s != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, s, c.want)
		}
	}
}

// TestShapesLieWhereThePlanIs: a map of one shape has the shape as its walkable area.
func TestShapesLieWhereThePlanIs(t *testing.T) {
	const text = "type octile\nheight 2\nwidth 2\nmap\n@.\n@@\n"
	m, err := read("a.map", text, Options{Scale: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := DecodeShapes(strings.NewReader(text), "a.map", Options{Scale: 0.5})
	if err != nil || len(shapes) != 1 {
		t.Fatalf("%v: %v", shapes, err)
	}
	for i, v := range corners(m)[0] {
		if p := shapes[0].Rings[0][i]; p != [2]float64{v.X, -v.Z} {
			t.Errorf("corner %d at %v, want %v", i, p, v)
		}
	}
}

func TestDecodeShapesErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.map", "type octile\nheight 1\nwidth 1\nmap\n?\n", "map: line 5: cell 0 of row 0 is '?'"},
		{"a.xyz", "", `flat: unsupported extension ".xyz"`},
		{"a.poly", "0 0\n1e300 0\n0 1\n", "invalid point"},
	} {
		if _, err := DecodeShapes(strings.NewReader(c.text), c.name, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestOvergrown: trees and water are walkable when rules are to say who may.
func TestOvergrown(t *testing.T) {
	const text = "type octile\nheight 1\nwidth 6\nmap\n.SWTO@\n"
	for _, c := range []struct {
		overgrown bool
		want      float64
	}{{false, 2}, {true, 4}} {
		m, err := read("a.map", text, Options{Overgrown: c.overgrown})
		if err != nil {
			t.Fatal(err)
		}
		if got := area(m); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("overgrown %v: %g m², want %g", c.overgrown, got, c.want)
		}
	}
}
