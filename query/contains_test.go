package query

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestContainsAgainstOrientations asks for points in and around every region, on its corners and beside them, and
// compares with the orientations of all edges. Cores must be in their regions, and as wide as their regions allow.
func TestContainsAgainstOrientations(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	inside, outside, cores := 0, 0, 0
	for i := range 60 {
		ix := NewIndex(randomWorld(t, rng).theMesh())
		for r := range uint32(ix.geo.RegionLimit()) {
			ring := ix.geo.Ring(r)
			oracle := func(p lattice.Point) bool {
				for k := range ring {
					if lattice.Orient(ring[k].Point, ring[(k+1)%len(ring)].Point, p) < 0 {
						return false
					}
				}
				return true
			}
			b := lattice.EmptyBox()
			var asked []lattice.Point
			for _, v := range ring {
				b = b.Extend(v.Point)
				for _, d := range [5][2]int32{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					asked = append(asked, lattice.Point{X: v.X + d[0], Y: v.Y + d[1]})
				}
			}
			for range 20 {
				asked = append(asked, lattice.Point{X: b.Min.X + rng.Int32N(b.Max.X-b.Min.X+1), Y: b.Min.Y + rng.Int32N(b.Max.Y-b.Min.Y+1)})
			}
			if c := ix.geo.Region(r).Core; !c.IsEmpty() {
				cores++
				asked = append(asked, c.Min, c.Max, lattice.Point{X: c.Min.X, Y: c.Max.Y}, lattice.Point{X: c.Max.X, Y: c.Min.Y})
			}
			if c := ix.geo.Region(r).Core; !c.IsEmpty() {
				wide := c
				for side, room := range [4]*int32{&wide.Min.X, &wide.Min.Y, &wide.Max.X, &wide.Max.Y} {
					wide = c
					if *room += int32(4 * (side/2*2 - 1)); b.Contains(wide.Min) && b.Contains(wide.Max) && oracle(wide.Min) && oracle(wide.Max) &&
						oracle(lattice.Point{X: wide.Min.X, Y: wide.Max.Y}) && oracle(lattice.Point{X: wide.Max.X, Y: wide.Min.Y}) {
						t.Fatalf("world %d, region %d %v: the core %v has room for %v", i, r, ring, c, wide)
					}
				}
			}
			for _, p := range asked {
				want := oracle(p)
				if got := ix.geo.Contains(r, p); got != want {
					t.Fatalf("world %d, region %d %v: contains %v is %v", i, r, ring, p, got)
				}
				if want {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	if inside < 1000 || outside < 1000 || cores < 500 {
		t.Errorf("%d points inside, %d outside, %d cores", inside, outside, cores)
	}
}

// TestRimsCloseAroundRegions follows the rims of every region: the rims are the region's portals and walls, and each
// ends at the start of the next rim, in a circle.
func TestRimsCloseAroundRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	portals, walls := 0, 0
	for i := range 60 {
		ix := NewIndex(randomWorld(t, rng).theMesh())
		for r := range uint32(ix.geo.RegionLimit()) {
			reg, border := ix.geo.Region(r), ix.geo.RimsOf(r)
			if first, last := border[0].From, border[len(border)-1].From; first != last {
				t.Fatalf("world %d, region %d: from %v to %v", i, r, first, last)
			}
			ofWalls := ix.geo.WallsOf(r)
			ofPortals := int(reg.EndPortal - reg.FirstPortal)
			for k := range border[:len(border)-1] {
				from, to := border[k].From, border[k+1].From
				if n := border[k].Portal; n != index.None {
					p := ix.geo.Portal(uint32(n))
					if p.Right != from || p.Left != to || p.To != border[k].To || ix.geo.Portal(p.Back).To != r {
						t.Fatalf("world %d, region %d: rim %d from %v to %v is portal %+v", i, r, k, from, to, *p)
					}
					ofPortals--
					portals++
					continue
				}
				if len(ofWalls) == 0 || ofWalls[0] != (index.Wall{From: from, To: to}) {
					t.Fatalf("world %d, region %d: rim %d from %v to %v, next walls %v", i, r, k, from, to, ofWalls)
				}
				ofWalls = ofWalls[1:]
				walls++
			}
			if ofPortals != 0 || len(ofWalls) != 0 {
				t.Fatalf("world %d, region %d: %d portals and walls %v are left", i, r, ofPortals, ofWalls)
			}
		}
	}
	if portals < 500 || walls < 500 {
		t.Errorf("%d portals, %d walls", portals, walls)
	}
}

// TestFlatLeavesOutHeights compares rays, moves and walls with those of a Query with Flat: only heights differ, and
// [Index.Floor] returns the missing heights.
func TestFlatLeavesOutHeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	ix := NewIndex(spiral(t, lattice.Frame{}))
	q, flat := ix.NewQuery(), ix.NewQuery()
	flat.Flat = true
	raised := 0
	same := func(start, end, level Position) {
		t.Helper()
		onFloor, ok := ix.Floor(level.Ref, level.Point)
		if !ok || level.Ref != end.Ref || level.Point.Y != start.Point.Y || onFloor != end.Point {
			t.Fatalf("from %v: %v flat, floor %v, else %v", start, level, onFloor, end)
		}
		if end.Point.Y != start.Point.Y {
			raised++
		}
	}
	for range 500 {
		start, ok := q.RandomPoint(rng)
		if !ok {
			t.Fatal("no point")
		}
		to := start.Point.Add(geom.FromGround(4*rng.Float64()-2, 4*rng.Float64()-2, 0))
		ray, err := q.Raycast(start, to)
		level, err2 := flat.Raycast(start, to)
		if err != nil || err2 != nil || ray.Fraction != level.Fraction || ray.Normal != level.Normal {
			t.Fatalf("%+v, %v; flat %+v, %v", ray, err, level, err2)
		}
		same(start, ray.End, level.End)
		move, err := q.MoveAlongSurface(start, to)
		slid, err2 := flat.MoveAlongSurface(start, to)
		if err != nil || err2 != nil || move.Arrived != slid.Arrived {
			t.Fatalf("%+v, %v; flat %+v, %v", move, err, slid, err2)
		}
		same(start, move.End, slid.End)
		w, err := q.DistanceToWall(start, 10)
		v, err2 := flat.DistanceToWall(start, 10)
		if err != nil || err2 != nil || w.Distance != v.Distance || w.Normal != v.Normal {
			t.Fatalf("%+v, %v; flat %+v, %v", w, err, v, err2)
		}
		same(start, w.Nearest, v.Nearest)
	}
	if raised < 500 {
		t.Errorf("only %d ends are at another height", raised)
	}
}
