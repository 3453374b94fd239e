package exact

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestNothingFreeDividesNothing has a splinter between two floors that shares an edge with both. With a free splinter,
// links lead to the splinter. Without a free part of the splinter, a link joins the two floors.
func TestNothingFreeDividesNothing(t *testing.T) {
	const thin = 2 * lattice.Unit
	s := &floortest.Scene{}
	at := func(x, y float64) geom.Vec { return geom.FromGround(x, y, 0) }
	s.Triangle(geom.FromGround(0, 0, 0.1), at(4, 0), at(4, 4)) // in another plane, or the three triangles would be one
	s.Triangle(at(4, 0), at(4+thin, 4), at(4, 4))
	s.Triangle(at(4, 0), at(8, 0), at(4+thin, 4))
	read, err := soup.Read(&s.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Triangles) != 3 {
		t.Fatalf("%d triangles", len(read.Triangles))
	}
	for name, free := range map[string]bool{"a free splinter": true, "no part free": false} {
		e := &extraction{soup: read, height: 4000, climb: 1600, gap: hairs}
		if err := e.plant(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		if err := e.expose(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		least, splinter := int64(1<<62), 0
		for i := range read.Triangles {
			v := &read.Triangles[i].V
			if a := lattice.Orient(v[0].Point, v[1].Point, v[2].Point); a < least {
				least, splinter = a, i
			}
		}
		if !free {
			e.exposed[splinter] = unseen
		}
		if err := e.findRims(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		linked := map[[2]int32]bool{}
		for l := range e.allLinks() {
			linked[[2]int32{min(l.from, l.to), max(l.from, l.to)}] = true
		}
		var floors []int32
		for i := range int32(3) {
			if int(i) != splinter {
				floors = append(floors, i)
			}
		}
		through := true
		for _, f := range floors {
			through = through && linked[[2]int32{min(f, int32(splinter)), max(f, int32(splinter))}]
		}
		if free && !through || !free && !linked[[2]int32{floors[0], floors[1]}] {
			t.Errorf("%s: links %v", name, slices.Collect(e.allLinks()))
		}
	}
}

// TestLedgesArePairs verifies that an edge divides or joins pairs of floors: a step onto a floor elsewhere joins the edge
// to no floor here.
func TestLedgesArePairs(t *testing.T) {
	const stepped, lower = 1, 2
	all := stretch{0, 1}
	r := rim{
		b:      lattice.Vertex{Point: lattice.Point{X: 4000}},
		beyond: []step{{stepped, all}, {lower, all}},
		joined: []step{{stepped, stretch{0, 0.5}}},
	}
	covered := r
	covered.joined = []step{{unassigned, all}}
	for _, c := range []struct {
		name string
		of   *rim
		here []int32
		want []stretch
	}{
		{"the floor stepped on and the lower one", &r, []int32{stepped, lower}, []stretch{{0.5, 1}}},
		{"the floor stepped on", &r, []int32{stepped}, []stretch{{0.5, 1}}},
		{"the lower floor, the other is elsewhere", &r, []int32{lower}, []stretch{{0, 1}}},
		{"none", &r, nil, nil},
		{"covered by another floor", &covered, []int32{lower}, nil},
	} {
		got := c.of.ledges(200, func(triangle int32) bool { return slices.Contains(c.here, triangle) })
		var want [][2]lattice.Point
		for _, s := range c.want {
			want = append(want, [2]lattice.Point{c.of.at(s.from).Point, c.of.at(s.to).Point})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: ledges %v, want %v", c.name, got, want)
		}
	}
}

// TestFansDivideNothing has the edge of a floor over the tips of a fan of floors, where the agent steps onto each tip along less
// than a millimetre of the edge.
func TestFansDivideNothing(t *testing.T) {
	const step, reach, over = 3, 3.0, 0.003
	for _, degrees := range []float64{0, 30} {
		s := turnedBy(degrees)
		rim := func(i int) geom.Vec {
			sin, cos := math.Sincos(geom.Degrees(float64(i * step)))
			return s.At(reach*cos, reach*sin, 0.1*float64(i&1))
		}
		for i := -28; i < 28; i++ {
			s.Triangle(s.At(0, 0, 0), rim(i), rim(i+1))
		}
		s.slab(-3, -3, over, 3, 0.05)
		inside := floortest.Inside(s.extract(t, stepper))
		for _, p := range [][2]float64{{0, 0}, {0.2, 0}, {-0.2, 0}, {0.1, 0.15}, {0.1, -0.15}} {
			if !inside(s.At(p[0], p[1], 0.05), 0.1) {
				t.Errorf("turned by %g°: no floor at %v", degrees, p)
			}
		}
	}
}
