package draw

import (
	"math"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
)

func TestAreas(t *testing.T) {
	m := &navmesh.Mesh{Areas: []string{"ground", "grass", "road"}, Tiles: []navmesh.Tile{{Regions: []navmesh.Region{{Area: 2}, {Area: 0}, {Area: 2}, {Area: 17}}}}}
	colors := areaColors(m)
	want := []Entry{{hues[0], "ground"}, {colors[2], "road"}, {colors[17], "area 17"}}
	if got := Areas(m); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A legend lies in the picture and changes nothing else, from any direction.
func TestLegend(t *testing.T) {
	for _, view := range []View{{}, {Width: 300}, {Tilt: 1, Yaw: 2}, {Focus: geom.Box{Min: geom.Vec{X: 1}, Max: geom.Vec{X: 5, Y: 1, Z: 4}}}} {
		list := &List{Triangles: []Triangle{{P: [3]geom.Vec{{}, {X: 10, Y: 2}, {X: 3, Z: 7}}}}}
		before, err := NewCamera(list, view)
		if err != nil {
			t.Fatal(err)
		}
		if err := list.Legend(view, []Entry{{hues[0], "one"}, {hues[1], "two"}}); err != nil {
			t.Fatal(err)
		}
		after, err := NewCamera(list, view)
		if err != nil || after.Scale != before.Scale || after.Width != before.Width {
			t.Errorf("%+v: another camera, error %v", view, err)
		}
		if len(list.Points) != 2 || len(list.Labels) != 2 || list.Labels[1].Text != "two" || list.Points[0].Color != hues[0] {
			t.Fatalf("%+v: %v, %v", view, list.Points, list.Labels)
		}
		x0, y0, _ := after.Pixel(list.Points[0].P)
		x1, y1, _ := after.Pixel(list.Points[1].P)
		if x0 < 0 || y0 < 0 || y1 > float64(after.Height) || math.Abs(x0-x1) > 1e-6 || y1-y0 < legendLine-1e-6 || y1-y0 > legendLine+1e-6 {
			t.Errorf("%+v: at (%g, %g) and (%g, %g)", view, x0, y0, x1, y1)
		}
	}
	if err := new(List).Legend(View{Tilt: -1}, nil); err == nil {
		t.Error("no error for a view out of range")
	}
	if err := new(List).Legend(View{}, []Entry{{hues[0], "alone"}}); err != nil {
		t.Errorf("nothing else to see: %v", err)
	}
}
