package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
	"github.com/meadow-nav/meadow/floorplan/internal/soup"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

// TestNothingFreeDividesNothing has a splinter between two floors that shares an edge with both and of which no
// part is free: they are linked all the same, as they are with the splinter.
func TestNothingFreeDividesNothing(t *testing.T) {
	const thin = 2 * lattice.Unit
	s := &floortest.Scene{}
	at := func(x, y float64) geom.Vec { return geom.FromGround(x, y, 0) }
	s.Triangle(at(0, 0), at(4, 0), at(4, 4))
	s.Triangle(at(4, 0), at(4+thin, 4), at(4, 4))
	s.Triangle(at(4, 0), at(8, 0), at(4+thin, 4))
	read, err := soup.Read(&s.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Triangles) != 3 {
		t.Fatalf("%d triangles", len(read.Triangles))
	}
	for name, free := range map[string]bool{"a free splinter": true, "nothing of it free": false} {
		e := &extraction{soup: read, height: 4000, climb: 1600, gap: GapReach * lattice.UnitsPerMetre}
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
			e.exposed[splinter].rings = nil
		}
		if err := e.findRims(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		linked := map[[2]int32]bool{}
		for _, l := range e.links {
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
			t.Errorf("%s: links %v", name, e.links)
		}
	}
}
