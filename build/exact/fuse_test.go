package exact

import (
	"math"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// gallery has a stair to a gallery, whose edge, at 8 m, hangs over the floor below as far as a wall.
func gallery(wall float64) *floortest.Scene {
	s := &floortest.Scene{}
	s.Floor(0, 0, wall, 10, 0)
	s.Wall(wall, 0, wall, 10, 0, 2.7)
	s.Box(8, 0, 2.7, 16, 10, 3)
	for k := range 10 {
		x := 3 + 0.5*float64(k)
		s.Box(x, 4, 0, x+0.5, 6, 0.3*float64(k+1))
	}
	return s
}

// TestFuseKeepsStoreysApart verifies that ramps from storey to storey still lead from storey to storey. The upper end
// of each ramp is right above the start, over nothing, and beside the floor at the start.
func TestFuseKeepsStoreysApart(t *testing.T) {
	lvl, err := levelgen.Generate("carpark", levelgen.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Extract(t.Context(), lvl, geom.Agent{}.WithDefaults(), floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floortest.CheckPlan(t, p)
	heights := map[int32]bool{} // of storeys, in metres
	for l := range p.Layers {
		for _, d := range p.Layers[l].Domains {
			for _, hs := range d.Heights {
				for _, h := range hs {
					heights[int32(math.Round(p.Frame.ToWorld(lattice.Point{}, h).Y))] = true
				}
			}
		}
	}
	for _, h := range []int32{0, 3, 6, 9} {
		if !heights[h] {
			t.Errorf("the storey at %d m cannot be reached", h)
		}
	}
}

// TestFuse verifies that floors over each other only where no centre comes are a single layer without a seam. Each
// floor keeps its own heights. Floors over each other elsewhere stay two layers.
func TestFuse(t *testing.T) {
	p, err := Extract(t.Context(), &gallery(8.3).Level, floortest.Agent, floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floortest.CheckPlan(t, p)
	if len(p.Layers) != 1 || len(p.Chains) != 0 || len(p.Layers[0].Domains) != 1 {
		t.Fatalf("%d layers, %d seams, %d domains in the first", len(p.Layers), len(p.Chains), len(p.Layers[0].Domains))
	}
	for _, c := range []struct{ x, y, height float64 }{{2, 2, 0}, {7.7, 2, 0}, {8.5, 2, 3}, {5.2, 5, 1.5}, {8, 5, 3}, {15, 9, 3}} {
		at, _, _ := p.Frame.FromWorld(geom.FromGround(c.x, c.y, 0))
		if !p.Layers[0].Domains[0].Contains(at) {
			t.Errorf("no floor at %g, %g", c.x, c.y)
		}
		low, high := heightsOf(&p.Layers[0].Floor, at)
		if want := c.height * lattice.UnitsPerMetre; low < want-few || high > want+few {
			t.Errorf("heights from %g to %g units at %g, %g: not %g m", low, high, c.x, c.y, c.height)
		}
	}
	// Without the wall an agent walks below.
	s := gallery(8.3)
	s.Floor(8.3, 0, 16, 10, 0)
	s.Triangles = append(s.Triangles[:2:2], s.Triangles[4:]...)
	if p, err = Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{}); err != nil {
		t.Fatal(err)
	}
	if floortest.CheckPlan(t, p); len(p.Layers) != 2 || len(p.Chains) != 1 {
		t.Errorf("%d layers, %d seams over a storey", len(p.Layers), len(p.Chains))
	}
}

// TestFuseKeepsApart verifies that floors stay apart if only a few units of the floors lie over each other, or the
// floors only touch.
func TestFuseKeepsApart(t *testing.T) {
	const radius = 0.25 // exact on the lattice
	for _, units := range []float64{0, 1, 2, 5, 12, 40} {
		agent := floortest.Agent
		agent.Radius = radius
		p, err := Extract(t.Context(), &gallery(8+2*radius+units*lattice.Unit).Level, agent, floorplan.Options{Simplify: -1})
		if err != nil {
			t.Fatal(err)
		}
		if floortest.CheckPlan(t, p); len(p.Layers) != 2 || len(p.Chains) != 1 {
			t.Errorf("over each other by %g units: %d layers, %d seams", units, len(p.Layers), len(p.Chains))
		}
	}
}

// TestFuseAll verifies that every remaining seam is needed: neither side could go to the layer of the other.
func TestFuseAll(t *testing.T) {
	race.Skip(t)
	seams := 0
	for seed := range uint64(12) {
		s := floortest.RandomScene(seed, 14, 40)
		agent := floortest.Agent
		agent.Radius, agent.MaxClimb = 0.3, 0.7
		p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: -1, Detail: -1})
		if err != nil {
			t.Fatal(err)
		}
		over := func(id plan.DomainID, layer int32) bool {
			for _, d := range p.Layers[layer].Domains {
				both, err := overlay.Intersection(p.Layers[id.Layer].Domains[id.Domain].Rings, d.Rings)
				if err != nil {
					t.Fatal(err)
				}
				if len(both) > 0 {
					return true
				}
			}
			return false
		}
		seams += len(p.Chains)
		for i, c := range p.Chains {
			if !over(c.Left, c.Right.Layer) || !over(c.Right, c.Left.Layer) {
				t.Errorf("scene %d: seam %d between %v and %v is not needed", seed, i, c.Left, c.Right)
			}
		}
	}
	if seams < 5 {
		t.Errorf("only %d seams", seams)
	}
}

// TestStartsOffTheFloor verifies that starts on no floor change nothing, on a level whose layers are fused.
func TestStartsOffTheFloor(t *testing.T) {
	s := gallery(8.5)
	good := geom.FromGround(1, 1, 0)
	want, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{Starts: []geom.Vec{good}})
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []geom.Vec{geom.FromGround(1, 1, 9), geom.FromGround(0.1, 1, 0), geom.FromGround(99, 99, 0)} {
		got, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{Starts: []geom.Vec{off, good}})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("a start at %v changes the plan", off)
		}
	}
}

// TestCorners lists islands of two layers that touch in a point. A seam through the point joins the seam's two islands.
func TestCorners(t *testing.T) {
	square := func(x, y, side, layer int32, labels ...int32) island {
		ring := lattice.Ring{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
		o := overlay.Outline{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Labels: [][]int32{labels}}
		return island{Outline: o, from: layer, to: layer, box: o.Box()}
	}
	walls := []int32{wall, wall, wall, wall}
	for _, c := range []struct {
		name    string
		islands []island
		want    [][2]int32
	}{
		{"corner to corner", []island{square(0, 0, 10, 0, walls...), square(10, 10, 10, 1, walls...)}, [][2]int32{{0, 1}}},
		{"corner on an edge", []island{square(0, 0, 10, 0, walls...), square(4, 10, 2, 1, walls...)}, [][2]int32{{0, 1}}},
		{"just beside", []island{square(0, 0, 10, 0, walls...), square(10, 10+besideStorey, 10, 1, walls...)}, [][2]int32{{0, 1}}},
		{"apart", []island{square(0, 0, 10, 0, walls...), square(10, 11+besideStorey, 10, 1, walls...)}, nil},
		{"of one layer", []island{square(0, 0, 10, 0, walls...), square(10, 10, 10, 0, walls...)}, nil},
		{
			"along a seam",
			[]island{square(0, 0, 10, 0, wall, 1, wall, wall), square(10, 0, 10, 1, wall, wall, wall, 0)},
			nil,
		},
		{
			"far beyond the end of a seam",
			[]island{
				{
					Outline: overlay.Outline{
						Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}, {X: 2, Y: 500}, {X: 0, Y: 500}}}},
						Labels:  [][]int32{{wall, 1, wall, wall, wall}},
					},
				},
				{
					Outline: overlay.Outline{
						Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: 10, Y: 0}, {X: 20, Y: 0}, {X: 20, Y: 500}, {X: 2, Y: 501}, {X: 10, Y: 10}}}},
						Labels:  [][]int32{{wall, wall, wall, wall, 0}},
					},
					from: 1, to: 1,
				},
			},
			[][2]int32{{0, 1}},
		},
		{
			"at the end of a seam with another island",
			[]island{square(0, 0, 10, 0, wall, 1, wall, wall), square(10, 0, 10, 1, wall, wall, wall, 0), square(10, 10, 10, 2, walls...)},
			[][2]int32{{0, 2}, {1, 2}},
		},
	} {
		if got := corners(c.islands, bordersOf(c.islands)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
