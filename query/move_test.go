package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestMoveAgainstBruteForce compares moves with their definition, by loops over all regions and portals.
func TestMoveAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	arrived, slid := 0, 0
	for i := range 150 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		q := ix.NewQuery()
		for range 30 {
			a, ok := w.draw(rng)
			if !ok {
				break
			}
			from := mustLocate(t, q, w.point(a))
			reach := 4 * rng.Float64()
			to := from.Point.Add(geom.FromGround(reach*(2*rng.Float64()-1), reach*(2*rng.Float64()-1), 3))
			move, err := q.MoveAlongSurface(from, to)
			if err != nil {
				t.Fatal(err)
			}
			checkCorridor(t, ix, move.Regions, from.Ref, move.End.Ref)
			end, err := stand(ix.geo, move.End)
			if err != nil {
				t.Fatal(err)
			}
			start, _ := stand(ix.geo, from)
			target, _, _ := ix.geo.Mesh.Frame.FromWorld(to)
			got := index.Distance(end.At, target)
			if got > index.Distance(start.At, target) || move.Arrived != (end.At == target) {
				t.Fatalf("world %d: the move from %v to %v ends at %v, arrived is %v", i, from, to, move.End, move.Arrived)
			}
			if move.Arrived {
				arrived++
			} else {
				slid++
			}
			if want := bruteMove(ix, start, target); math.Abs(got-want) > 2 {
				t.Fatalf("world %d: the move from %v to %v ends %v units before it, want %v", i, from, to, got, want)
			}
		}
	}
	if arrived < 500 || slid < 500 {
		t.Errorf("%d moves arrived, %d did not: too few of a kind", arrived, slid)
	}
}

// bruteMove returns the least distance from a target in the regions joined by portals over the disc.
func bruteMove(ix *Index, start index.Place, target lattice.Point) float64 {
	mx, my := math.Floor(float64(start.At.X+target.X)/2), math.Floor(float64(start.At.Y+target.Y)/2)
	toSegment := func(x, y float64, a, b lattice.Point) float64 {
		ax, ay, dx, dy := float64(a.X), float64(a.Y), float64(b.X-a.X), float64(b.Y-a.Y)
		s := min(max(((x-ax)*dx+(y-ay)*dy)/(dx*dx+dy*dy), 0), 1)
		return math.Hypot(ax+s*dx-x, ay+s*dy-y)
	}
	radius := max(math.Hypot(float64(start.At.X)-mx, float64(start.At.Y)-my), math.Hypot(float64(target.X)-mx, float64(target.Y)-my))
	reached := make([]bool, ix.geo.RegionLimit())
	reached[start.Region] = true
	for changed := true; changed; {
		changed = false
		for i := range uint32(ix.geo.PortalLimit()) {
			p := ix.geo.Portal(i)
			if p.Back != i && reached[ix.geo.Portal(p.Back).To] && !reached[p.To] && toSegment(mx, my, p.Left, p.Right) <= radius+1e-9 {
				reached[p.To], changed = true, true
			}
		}
	}
	best := math.Inf(1)
	for r, ok := range reached {
		if !ok {
			continue
		}
		if ix.geo.Contains(uint32(r), target) {
			return 0
		}
		ring := ix.geo.Ring(uint32(r))
		for k := range ring {
			best = min(best, toSegment(float64(target.X), float64(target.Y), ring[k].Point, ring[(k+1)%len(ring)].Point))
		}
	}
	return best
}

// TestMoveCases covers sliding along a wall, corners, thin obstacles and storeys.
func TestMoveCases(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	tests := []struct {
		name           string
		from, to, want geom.Vec
		arrived        bool
	}{
		{"nowhere", geom.FromGround(1, 1, 0), geom.FromGround(1, 1, 0), geom.FromGround(1, 1, 0), true},
		{"free", geom.FromGround(1, 1, 0), geom.FromGround(2, 5, 9), geom.FromGround(2, 5, 0), true},
		{"up the ramp", geom.FromGround(1, 10, 0), geom.FromGround(5, 10, 0), geom.FromGround(5, 10, 1.5), true},
		{"slides along the outer wall", geom.FromGround(1, 1, 0), geom.FromGround(-2, 3, 0), geom.FromGround(0, 3, 0), false},
		{"stops in the corner", geom.FromGround(1, 1, 0), geom.FromGround(-2, -1, 0), geom.FromGround(0, 0, 0), false},
		{"slides along the deck", geom.FromGround(9, 10, 3), geom.FromGround(11, 12, 3), geom.FromGround(11, 11, 3), false},
		{"not through the ramp", geom.FromGround(4, 8.5, 0), geom.FromGround(4, 11.5, 0), geom.FromGround(4, 9, 0), false},
		{"stays at the wall", geom.FromGround(0, 5, 0), geom.FromGround(-1, 5, 0), geom.FromGround(0, 5, 0), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			move, err := q.MoveAlongSurface(mustLocate(t, q, tt.from), tt.to)
			if err != nil || move.Arrived != tt.arrived || move.End.Point.Distance(tt.want) > 1e-3 {
				t.Errorf("%+v, %v, want %v", move, err, tt.want)
			}
		})
	}
}

// TestMoveInSmallSteps walks up the spiral in steps towards a circling point: the mover stays on its storey and arrives
// at the top.
func TestMoveInSmallSteps(t *testing.T) {
	q := NewIndex(spiral(t, lattice.Frame{})).NewQuery()
	at, ok := q.Nearest(geom.FromGround(3, 0.1, 0), 0.5)
	if !ok {
		t.Fatal("the foot of the spiral is not there")
	}
	const steps = 40 // to a turn
	for i := 1; i < steps*spiralTurns; i++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		move, err := q.MoveAlongSurface(at, geom.FromGround(3*cos, 3*sin, 0))
		if err != nil || !move.Arrived {
			t.Fatalf("step %d from %v: %+v, %v", i, at, move, err)
		}
		at = move.End
		if want := spiralRise * float64(i) / steps; math.Abs(at.Point.Y-want) > 0.1 {
			t.Fatalf("step %d is at height %v, want %v", i, at.Point.Y, want)
		}
	}
}
