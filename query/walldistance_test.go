package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestDistanceToWallAgainstBruteForce compares the nearest wall with a loop over the whole border of the world,
// exactly: on one storey the nearest piece of all is always in sight.
func TestDistanceToWallAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	found, none := 0, 0
	for i := range 150 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		q := ix.NewQuery()
		borders := bordersOf(w)
		for range 30 {
			p, ok := w.draw(rng)
			if !ok {
				break
			}
			pos := mustLocate(t, q, w.point(p))
			at, _ := stand(ix.geo, pos)
			want := lattice.SegmentDistance2(at.At, borders[0].From, borders[0].To)
			for _, b := range borders[1:] {
				if d2 := lattice.SegmentDistance2(at.At, b.From, b.To); d2.Compare(want) < 0 {
					want = d2
				}
			}
			if _, _, got, ok := q.nearestWall(at, math.MaxUint64); !ok || got.Compare(want) != 0 {
				t.Fatalf("world %d: from %v the nearest wall is %v units away, want %v", i, pos, got.Sqrt(), want.Sqrt())
			}
			reach := rng.Float64() * 2
			got, err := q.DistanceToWall(pos, reach)
			if err != nil || got.Found != (want.CompareInt(squareUnits(reach)) <= 0) {
				t.Fatalf("world %d: %+v within %v m, %v; the wall is %v away", i, got, reach, err, want.Sqrt()*lattice.Unit)
			}
			if !got.Found {
				none++
				continue
			}
			found++
			checkWallPoint(t, q, got, pos)
		}
	}
	if found < 500 || none < 500 {
		t.Errorf("%d walls found, %d not: too few of a kind", found, none)
	}
}

// checkWallPoint checks the promises of a result of DistanceToWall.
func checkWallPoint(tb testing.TB, q *Query, got WallPoint, from Position) {
	tb.Helper()
	if _, err := stand(q.ix, got.Nearest); err != nil {
		tb.Fatal(err)
	}
	x0, y0 := geom.Ground(got.Nearest.Point)
	x, y := geom.Ground(from.Point)
	nx, ny := geom.Ground(got.Normal)
	if math.Abs(math.Hypot(nx, ny)-1) > 1e-12 || math.Hypot(x0+nx*got.Distance-x, y0+ny*got.Distance-y) > 2*lattice.Unit {
		tb.Fatalf("from %v: %+v", from, got)
	}
}

// TestDistanceToWallCases asks on the bridge and on the spiral: only walls of the storey count.
func TestDistanceToWallCases(t *testing.T) {
	b := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	s := NewIndex(spiral(t, lattice.Frame{})).NewQuery()
	on := func(turn float64) geom.Vec { // on spoke 1/2 of a turn, 1.2 m from its inner side
		sin, cos := math.Sincos(math.Pi / spiralSides)
		inner := 2 * math.Cos(math.Pi/spiralSides)
		return geom.FromGround((inner+1.2)*cos, (inner+1.2)*sin, spiralRise*(turn+0.5/spiralSides))
	}
	tests := []struct {
		name   string
		q      *Query
		at     geom.Vec
		reach  float64
		want   float64 // NaN for no wall
		normal geom.Vec
	}{
		{"on the road, from below the bridge", b, geom.FromGround(10, 10, 0), math.Inf(1), 4, geom.FromGround(-1, 0, 0)},
		{"on the deck", b, geom.FromGround(10, 10.25, 3), 9, 0.75, geom.FromGround(0, -1, 0)},
		{"at the wall", b, geom.FromGround(0, 5, 0), 0, 0, geom.FromGround(1, 0, 0)},
		{"just out of reach", b, geom.FromGround(1, 5, 0), 0.999, math.NaN(), geom.Vec{}},
		{"just in reach", b, geom.FromGround(1, 5, 0), 1, 1, geom.FromGround(1, 0, 0)},
		{"negative reach", b, geom.FromGround(0, 5, 0), -1, math.NaN(), geom.Vec{}},
		{"reach not a number", b, geom.FromGround(0, 5, 0), math.NaN(), math.NaN(), geom.Vec{}},
		{"spiral, middle turn", s, on(1), 9, 1.2, geom.FromGround(math.Cos(math.Pi/spiralSides), math.Sin(math.Pi/spiralSides), 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.q.DistanceToWall(mustLocate(t, tt.q, tt.at), tt.reach)
			if err != nil || got.Found == math.IsNaN(tt.want) {
				t.Fatalf("%+v, %v", got, err)
			}
			if got.Found && (math.Abs(got.Distance-tt.want) > 1e-3 || got.Normal.Distance(tt.normal) > 1e-3) {
				t.Errorf("%+v, want %v m, normal %v", got, tt.want, tt.normal)
			}
		})
	}
}
