package anavmg

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// pillar returns a clockwise ring of n points.
func pillar(n int, x, y, r float64) lattice.Ring {
	var ring lattice.Ring
	for i := range n {
		a := -2 * math.Pi * float64(i) / float64(n)
		ring = append(ring, lattice.Point{X: int32(math.Round(x + r*math.Cos(a))), Y: int32(math.Round(y + r*math.Sin(a)))})
	}
	return ring
}

func room(pillars ...lattice.Ring) *plan.Domain {
	return gentest.Domain(append([]lattice.Ring{gentest.Ring(0, 0, 40960, 0, 40960, 40960, 0, 40960)}, pillars...)...)
}

// TestRelaxedCellsStayInside lets the border move by distances from a unit to more than the world.
func TestRelaxedCellsStayInside(t *testing.T) {
	passed := 0
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(3) > 0 {
			return
		}
		for _, edges := range d.Edges {
			for i := range edges {
				if rng.IntN(8) == 0 {
					edges[i] = plan.ChainID(i)
				}
			}
		}
		box := d.Box()
		w, _ := box.Size()
		units := math.Pow(float64(w), rng.Float64())
		res := decompose(t, Generator{Options{ConvexDistance: units * lattice.Unit}}, d)
		if err := gentest.CheckInside(d, res); err != nil {
			t.Errorf("moved by up to %v units: %v\n%v", units, err, d.Rings)
		}
		if err := lostFarFrom(d, res, units); err != nil {
			t.Errorf("moved by up to %v units: %v\n%v", units, err, d.Rings)
		}
		passed += res.Report.Counts["passed"]
	})
	if passed == 0 {
		t.Error("no notch was given up")
	}
}

// lostFarFrom checks that every corner is on the old border, or at most units plus two for rounding away.
func lostFarFrom(d *plan.Domain, res gen.Result, units float64) error {
	for _, c := range res.Cells {
		for _, k := range c.Corners {
			least := math.Inf(1)
			for _, r := range d.Rings {
				for i := range r {
					least = min(least, lattice.SegmentDistance2(k.Point, r[i], r[(i+1)%len(r)]).Sqrt())
				}
			}
			if least > units+2 {
				return errAt{k.Point, least}
			}
		}
	}
	return nil
}

type errAt struct {
	p lattice.Point
	d float64
}

func (e errAt) Error() string {
	return "the corner at " + e.p.String() + " is too far from the border: " + big.NewFloat(e.d).String()
}

// TestRelaxedPillars is the shape of figure 15: round obstacles need fewer cells the farther the border may
// move, and the prolongations bound the lost area.
func TestRelaxedPillars(t *testing.T) {
	d := room(pillar(64, 10000, 10000, 6000), pillar(64, 28000, 12000, 5000), pillar(48, 18000, 30000, 7000))
	cells := math.MaxInt
	for _, distance := range []float64{0, 0.01, 0.02, 0.1, 0.4} {
		res := decompose(t, Generator{Options{ConvexDistance: distance}}, d)
		if err := gentest.CheckInside(d, res); err != nil {
			t.Fatalf("%v m: %v", distance, err)
		}
		t.Logf("%v m: %d cells, %d notches, %.4f m² lost", distance, len(res.Cells), res.Report.Counts["notches"],
			lattice.SquareMetres(res.Report.Lost))
		if len(res.Cells) >= cells {
			t.Errorf("%v m: %d cells, no fewer than with less", distance, len(res.Cells))
		}
		cells = len(res.Cells)
		// The border is 2πr long and moves by no more than the distance.
		if limit := 2 * 2 * math.Pi * 18000 * (distance + 2*lattice.Unit) * lattice.UnitsPerMetre; float64(res.Report.Lost) > limit {
			t.Errorf("%v m: %d lost, more than the border can pass", distance, res.Report.Lost)
		}
	}
}

// TestRelaxationLeavesGaps has two pillars whose prolongations would meet in the gap between them.
func TestRelaxationLeavesGaps(t *testing.T) {
	d := room(pillar(32, 15000, 20000, 4000), pillar(32, 23050, 20000, 4000))
	res := decompose(t, Generator{Options{ConvexDistance: 1}}, d)
	if err := gentest.CheckInside(d, res); err != nil {
		t.Fatal(err)
	}
	if res.Report.Counts["passed"] == 0 {
		t.Error("no notch was given up")
	}
}

// TestRelaxationStopsAtWalls has a pillar whose prolongations meet in front of a wall, on the wall, and behind it.
func TestRelaxationStopsAtWalls(t *testing.T) {
	for _, c := range []struct {
		floor  int32
		passed bool
	}{{-50, true}, {-1, true}, {0, false}, {1, false}, {150, false}} {
		// The prolongations of the sides meet at (500, 0); the prolongations of the rest meet too far away.
		d := gentest.Domain(gentest.Ring(0, c.floor, 1000, c.floor, 1000, 900, 0, 900),
			gentest.Ring(400, 200, 300, 400, 500, 401, 700, 400, 600, 200))
		res := decompose(t, Generator{Options{ConvexDistance: 201 * lattice.Unit}}, d)
		if err := gentest.CheckInside(d, res); err != nil {
			t.Errorf("floor at %d: %v", c.floor, err)
		}
		at := func(p lattice.Point) bool {
			return slices.ContainsFunc(res.Cells, func(cell plan.Cell) bool {
				return slices.ContainsFunc(cell.Corners, func(k plan.Corner) bool { return k.Point == p })
			})
		}
		if got := at(lattice.Point{X: 500}); got != c.passed {
			t.Errorf("floor at %d: the border reaches (500, 0): %v, want %v", c.floor, got, c.passed)
		}
	}
}

// TestRelaxationSeesOtherObstacles has a post beside a pillar, where the prolongations of the pillar's sides meet, before and after the pillar in
// the order of rings.
func TestRelaxationSeesOtherObstacles(t *testing.T) {
	whole := pillar(8, 20000, 20000, 4000)
	stopped := 0
	for k := range whole {
		a, b := whole[k], whole[(k+1)%len(whole)]
		// Outside of the middle of a side, at several distances.
		for _, away := range []float64{0.02, 0.05, 0.1, 0.15} {
			x := float64(a.X+b.X)/2 + away*(float64(a.X+b.X)/2-20000)
			y := float64(a.Y+b.Y)/2 + away*(float64(a.Y+b.Y)/2-20000)
			post := pillar(4, x, y, 20)
			for _, rings := range [][]lattice.Ring{{whole, post}, {post, whole}} {
				d := room(rings...)
				res := decompose(t, Generator{Options{ConvexDistance: 0.4}}, d)
				if err := gentest.CheckInside(d, res); err != nil {
					t.Errorf("side %d, post %g away: %v", k, away, err)
				}
				// The post's four corners are corners of cells, as nothing may swallow the post.
				for _, p := range post {
					if !slices.ContainsFunc(res.Cells, func(c plan.Cell) bool {
						return slices.ContainsFunc(c.Corners, func(q plan.Corner) bool { return q.Point == p })
					}) {
						stopped--
					}
				}
				stopped += 4
			}
		}
	}
	if stopped < 4*8*4*2*9/10 {
		t.Errorf("%d corners of posts are left", stopped)
	}
}

// TestRelaxationSeesItsOwnRing has a spike of the same ring in front of a bump. The prolongations of the bump's sides meet at (500, 400).
func TestRelaxationSeesItsOwnRing(t *testing.T) {
	for _, c := range []struct {
		tip    int32
		passed bool
	}{{330, false}, {399, false}, {400, false}, {420, true}} {
		for start := range 10 {
			ring := gentest.Ring(0, 0, 300, 0, 400, 200, 500, 260, 600, 200, 700, 0, 1000, 0, 1000, 900, 500, c.tip, 0, 900)
			d := gentest.Domain(slices.Concat(ring[start:], ring[:start]))
			res := decompose(t, Generator{Options{ConvexDistance: 201 * lattice.Unit}}, d)
			if err := gentest.CheckInside(d, res); err != nil {
				t.Errorf("tip at %d: %v", c.tip, err)
			}
			at := slices.ContainsFunc(res.Cells, func(cell plan.Cell) bool {
				return slices.ContainsFunc(cell.Corners, func(k plan.Corner) bool { return k.Point == lattice.Point{X: 500, Y: 400} })
			})
			// A tip at the meeting point is a corner there too.
			if at != c.passed && c.tip != 400 {
				t.Errorf("tip at %d, start %d: the border reaches (500, 400): %v", c.tip, start, at)
			}
		}
	}
}

func TestRelaxationKeepsChains(t *testing.T) {
	d := room(pillar(32, 20000, 20000, 4000))
	for i := range d.Edges[1] {
		d.Edges[1][i] = 3
	}
	res := decompose(t, Generator{Options{ConvexDistance: 1}}, d)
	if err := gentest.Check(d, res); err != nil {
		t.Fatal(err)
	}
	if res.Report.Lost != 0 || res.Report.Counts["passed"] != 0 {
		t.Errorf("%d lost, %v", res.Report.Lost, res.Report.Counts)
	}
}

// TestPublishedCells checks the invariants of the published relaxation: the cells' areas still add up to that
// of the domain, every obstacle is tied to the rest, and the more is ignored, the fewer cells there are.
func TestPublishedCells(t *testing.T) {
	d := room(pillar(64, 10000, 10000, 6000), pillar(64, 28000, 12000, 5000), pillar(48, 18000, 30000, 7000),
		pillar(12, 36000, 36000, 100))
	cells := math.MaxInt
	for _, distance := range []float64{0, 0.02, 0.1, 0.4} {
		res := decompose(t, Generator{Options{distance, true}}, d)
		checkPublished(t, d, res)
		t.Logf("%v m: %d cells, %d concave corners", distance, len(res.Cells), res.Report.Counts["concave"])
		if len(res.Cells) >= cells {
			t.Errorf("%v m: %d cells, no fewer than with less", distance, len(res.Cells))
		}
		cells = len(res.Cells)
		if (res.Report.Counts["concave"] > 0) != (distance > 0) {
			t.Errorf("%v m: %d concave corners", distance, res.Report.Counts["concave"])
		}
	}
}

func TestPublishedRandomWorlds(t *testing.T) {
	eachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(3) > 0 {
			return
		}
		box := d.Box()
		w, _ := box.Size()
		units := math.Pow(float64(w), rng.Float64())
		checkPublished(t, d, decompose(t, Generator{Options{units * lattice.Unit, true}}, d))
	})
}

// TestPublishedTies has an obstacle with a mouth. When the distance is larger than the obstacle, only
// the two notches in the mouth stay, and their portal ties the obstacle to itself.
func TestPublishedTies(t *testing.T) {
	d := room(gentest.Ring(20000, 20000, 20000, 21000, 21000, 21000, 21000, 20000, 20600, 20000, 20600, 20500, 20400, 20500, 20400, 20000))
	checkPublished(t, d, decompose(t, Generator{Options{1, true}}, d))
	w := newBench(t, d)
	w.ignore(lattice.UnitsPerMetre)
	if err := w.mendAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(w.cells(), func(c plan.Cell) bool { return area2(c) <= 0 }) {
		t.Error("the obstacle is tied without more ado, so that nothing was tested")
	}
}

// TestPublishedRings: the notches that the published form ignores around an obstacle do not depend on where its ring starts.
func TestPublishedRings(t *testing.T) {
	for _, n := range []int{9, 12, 17} {
		whole := pillar(n, 20000, 20000, 4000)
		var want []lattice.Point
		for start := range n {
			d := room(slices.Concat(whole[start:], whole[:start]))
			w := newBench(t, d)
			w.ignore(0.3 * lattice.UnitsPerMetre)
			var ignored []lattice.Point
			for v, passed := range w.passed {
				if passed {
					ignored = append(ignored, w.P[v])
				}
			}
			slices.SortFunc(ignored, lattice.Point.Compare)
			if start == 0 {
				want = ignored
			}
			if len(ignored) == 0 || !slices.Equal(ignored, want) {
				t.Errorf("%d corners from the one at %v on: %v are ignored, not %v", n, whole[start], ignored, want)
			}
		}
	}
}

func checkPublished(t *testing.T, d *plan.Domain, res gen.Result) {
	t.Helper()
	sum := big.NewInt(res.Report.Lost)
	for i, c := range res.Cells {
		a := area2(c)
		if a <= 0 {
			t.Errorf("cell %d at %v is turned inside out", i, c.Corners[0].Point)
		}
		sum.Add(sum, big.NewInt(a))
	}
	if sum.Cmp(big.NewInt(d.Area2())) != 0 {
		t.Errorf("cells and what is lost make %v, want %d", sum, d.Area2())
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, distance := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := Generator{Options{ConvexDistance: distance}}.Decompose(context.Background(), gen.Input{Domain: room()})
		if err == nil || !strings.Contains(err.Error(), "convex distance") {
			t.Errorf("%v: error %v", distance, err)
		}
	}
}
