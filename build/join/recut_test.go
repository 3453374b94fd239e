package join

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/navmesh"
)

func TestDivideNamed(t *testing.T) {
	for _, c := range []struct {
		name string
		ring []lattice.Point
		want int // the fewest convex pieces with cuts between corners
	}{
		{"a square", pts(0, 0, 10, 0, 10, 10, 0, 10), 1},
		{"a corner that is straight", pts(0, 0, 5, 0, 10, 0, 10, 10, 0, 10), 1},
		{"an L", pts(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20), 2},
		{"notches that see each other", pts(0, 0, 30, 0, 30, 10, 20, 10, 20, 20, 10, 20, 10, 10, 0, 10), 2},
		{"a plus", pts(10, 0, 20, 0, 20, 10, 30, 10, 30, 20, 20, 20, 20, 30, 10, 30, 10, 20, 0, 20, 0, 10, 10, 10), 3},
		{"a cut along a side", pts(0, 0, 30, 0, 30, 10, 20, 10, 20, 20, 0, 20), 2},
	} {
		if got := fewest(c.ring); got != c.want {
			t.Errorf("%s: %d pieces, want %d", c.name, got, c.want)
		}
	}
}

// fewest returns the least number of pieces that divide makes.
func fewest(ring []lattice.Point) int {
	for n := 1; ; n++ {
		if _, ok := divide(ring, n); ok {
			return n
		}
	}
}

// TestDivide divides random polygons: the pieces are convex and fill the polygon, and their number is the minimum found
// by a search over all cuts.
func TestDivide(t *testing.T) {
	most := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 6))
		ring := randomRing(rng, 4+rng.IntN(5))
		n := fewest(ring)
		most = max(most, n)
		way, _ := divide(ring, n)
		if want := allCuts(ring); n != want || len(way.rings) != n {
			t.Errorf("%d and %d pieces, want %d", n, len(way.rings), want)
		}
		area := -lattice.Ring(ring).Area2()
		for i, r := range way.rings {
			area += lattice.Ring(r).Area2()
			if fault, at := planar.Fault(r); fault != "" {
				t.Errorf("piece %d: %s at %d", i, fault, at)
			}
			for _, o := range way.rings[:i] {
				if planar.Overlap(r, o) {
					t.Error("pieces overlap")
				}
			}
		}
		if area != 0 {
			t.Errorf("twice the area of the pieces is off by %d", area)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, ring)
		}
	}
	if most < 4 {
		t.Errorf("no polygon needs more than %d pieces", most)
	}
}

// randomRing returns a simple polygon around the origin.
func randomRing(rng *rand.Rand, n int) []lattice.Point {
	for {
		var ring []lattice.Point
		for range n {
			ring = append(ring, lattice.Point{X: rng.Int32N(41) - 20, Y: rng.Int32N(41) - 20})
		}
		if (lattice.Polygon{Rings: []lattice.Ring{ring}}).Validate() == nil {
			return ring
		}
	}
}

// allCuts returns the least number of convex pieces by trying every cut between two corners.
func allCuts(ring []lattice.Point) int {
	if fault, _ := planar.Fault(ring); fault == "" {
		return 1
	}
	least := len(ring)
	for i := range ring {
		for j := i + 2; j < len(ring); j++ {
			a, b := arc(ring, i, j), arc(ring, j, i)
			inside := lattice.Ring(a).Area2() > 0 && lattice.Ring(b).Area2() > 0
			for k := range ring {
				next := (k + 1) % len(ring)
				contact := lattice.SegmentContact(ring[i], ring[j], ring[k], ring[next])
				touching := k == i || k == j || next == i || next == j
				inside = inside && (contact == lattice.Disjoint || touching && contact == lattice.SharedEnd)
			}
			if inside {
				least = min(least, allCuts(a)+allCuts(b))
			}
		}
	}
	return least
}

// tJoint is a floor in two layers. The generator cut the eastern layer at a notch beside the seam. The cut ends on the
// seam, in the middle of the western region's side.
func tJoint(t testing.TB) world {
	west, east := pts(0, 0, 100, 0, 100, 100, 0, 100), pts(100, 0, 300, 0, 300, 140, 150, 140, 110, 100, 100, 100)
	w := twoLayers(walled(west), walled(east), []plan.Cell{cellOf(west...)}, []plan.Cell{
		cell(100, 0, 300, 0, 300, 140, 150, 140, 100, 90), cell(100, 90, 110, 100, 100, 100),
	})
	w.plan.Layers[0].Floor = flat(0, 0, 100, 100, 10)
	w.plan.Layers[1].Floor = slope(100, 0, 300, 140, 10, 60)
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 100))
	return w
}

func TestRecutRemovesTJoint(t *testing.T) {
	w := tJoint(t)
	before, report := w.build(t, Options{KeepSeams: true})
	if report.Regions != 3 || joints(before) != 1 {
		t.Fatalf("%+v, %d joints", report, joints(before))
	}
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.Regions != 2 || report.RecutSeams != 1 || report.Portals != 1 || joints(m) != 0 {
		t.Errorf("%+v, %d joints", report, joints(m))
	}
	if area2(m) != area2(before) {
		t.Errorf("twice the area is %d, was %d", area2(m), area2(before))
	}
	// Every region finds its own floor in its layer.
	tile := &m.Tiles[0]
	for i := range tile.Regions {
		s := lattice.NewSampler(&tile.Layers[tile.Regions[i].Layer].Floor)
		for _, c := range tile.RegionCorners(i) {
			v := tile.Vertices[c]
			want := 10 + max(0, float64(v.X)-100)/4
			if z, ok := s.Height(float64(v.X), float64(v.Y)); !ok || z < want-1 || z > want+1 || v.Z != int32(z+0.5) {
				t.Errorf("region %d: the floor at %v is %g, %v, the vertex at %d, want %g", i, v.Point, z, ok, v.Z, want)
			}
		}
	}
}

// TestRecutNotSafe puts other ground, floors or regions in the way: the regions at a T-joint stay.
func TestRecutNotSafe(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(w *world)
	}{
		{"other ground", func(w *world) { w.plan.Layers[1].Domains[0].Area = 1 }},
		{"floors above", func(w *world) {
			add(&w.plan.Layers[0].Floor, flat(102, 2, 290, 99, 5000))
			add(&w.plan.Layers[1].Floor, flat(2, 2, 98, 98, 5000))
		}},
		{"regions below", func(w *world) {
			for l, c := range []plan.Cell{cell(101, 1, 120, 1, 120, 95, 101, 95), cell(10, 1, 99, 1, 99, 99, 10, 99)} {
				w.plan.Layers[l].Domains = append(w.plan.Layers[l].Domains, plan.Domain{})
				w.cells[l] = append(w.cells[l], []plan.Cell{c})
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := tJoint(t)
			test.change(&w)
			_, before := w.build(t, Options{KeepSeams: true})
			_, report := w.build(t, Options{})
			if report.Regions != before.Regions || report.RecutSeams != 0 {
				t.Errorf("%+v, %+v with seams kept", report, before)
			}
		})
	}
}

// joints counts the points with portals all around: for every region there, the border begins with a portal in both
// directions.
func joints(m *navmesh.Mesh) int {
	t := &m.Tiles[0]
	found := map[lattice.Point]bool{}
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			for _, v := range [...]uint32{p.Left, p.Right} {
				at := t.Vertices[v].Point
				found[at] = found[at] || isJoint(m, i, at)
			}
		}
	}
	n := 0
	for _, is := range found {
		if is {
			n++
		}
	}
	return n
}

// isJoint goes from region to region around a point and reports whether the walk returns.
func isJoint(m *navmesh.Mesh, from int, at lattice.Point) bool {
	t := &m.Tiles[0]
	ends := func(i int) (list []navmesh.Portal) {
		for _, p := range t.RegionPortals(i) {
			if t.Vertices[p.Left].Point == at || t.Vertices[p.Right].Point == at {
				list = append(list, p)
			}
		}
		return list
	}
	came, here := -1, from
	for range t.Regions {
		list := ends(here)
		if len(list) != 2 {
			return false
		}
		p := list[0]
		if int(p.To) == came {
			p = list[1]
		}
		came, here = here, int(p.To)
		if here == from {
			return true
		}
	}
	return false
}
