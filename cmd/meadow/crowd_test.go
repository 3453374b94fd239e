package main

import (
	"bytes"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/geom"
)

// ran is a run of two agents, of whom the second leaves.
func ran() *crowdRun {
	at := func(x float32, s scenario.State) sample { return sample{[3]float32{x, 0.5, -0.25}, s} }
	return &crowdRun{
		cast:   &scenario.Cast{Scenario: &scenario.Scenario{Sources: []scenario.Source{{Name: `a,"b"`}}}, Actors: []scenario.Actor{{ID: 1}, {ID: 2}}},
		times:  []float64{0.05, 0.3},
		frames: [][]sample{{at(1, scenario.Walking), at(1.2, scenario.Waiting)}, {at(1.1, scenario.Done), at(1.2, scenario.Absent)}},
	}
}

// TestTracks compares the lines of a file of tracks.
func TestTracks(t *testing.T) {
	var out bytes.Buffer
	if err := ran().tracks(&out); err != nil {
		t.Fatal(err)
	}
	want := "time_s,agent,source,x_m,y_m,z_m,state\n" +
		"0.050,1,\"a,\"\"b\"\"\",1.000,0.500,-0.250,walking\n" +
		"0.050,2,\"a,\"\"b\"\"\",1.200,0.500,-0.250,waiting\n" +
		"0.300,1,\"a,\"\"b\"\"\",1.100,0.500,-0.250,done\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

// TestDensity: three places in two frames on a cell of a quarter of a square metre.
func TestDensity(t *testing.T) {
	order, persons, height := ran().density()
	if len(order) != 1 || math.Abs(persons[order[0]]-6) > 1e-9 || height[order[0]] != 0.5 {
		t.Errorf("cells %v, %v, %v", order, persons, height)
	}
	if s := (sample{at: [3]float32{1, 2, 3}}); s.vec() != (geom.Vec{X: 1, Y: 2, Z: 3}) {
		t.Errorf("a sample is at %v", s.vec())
	}
	if sixteenths(-1) != 0 || sixteenths(2.5) != 40 || sixteenths(1e9) != math.MaxUint16-1 {
		t.Error("pixels in sixteenths are wrong")
	}
}

// TestLegendHasRoom: the contents lie below the lines of the legend, for wide and for high contents.
func TestLegendHasRoom(t *testing.T) {
	for _, size := range []geom.Vec{{X: 100, Z: 4}, {X: 4, Z: 100}, {X: 100, Z: 70}} {
		box := below(geom.Box{Min: geom.Vec{X: 1, Z: 2}, Max: geom.Vec{X: 1 + size.X, Z: 2 + size.Z}}, 5)
		all := box.Size()
		if scale := min(pictureWidth/all.X, pictureHeight/all.Z); (all.Z-size.Z)*scale < 5*legendLine || all.X != size.X {
			t.Errorf("%v has %.1f pixels for the legend", size, (all.Z-size.Z)*scale)
		}
	}
}
