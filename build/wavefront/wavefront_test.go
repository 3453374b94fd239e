package wavefront

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/growth"
	"github.com/meadow-nav/meadow/internal/slow"
)

func decompose(t testing.TB, g Generator, d *plan.Domain, seed uint64) gen.Result {
	t.Helper()
	res, err := g.Decompose(context.Background(), gen.Input{Domain: d, Seed: seed})
	if err != nil {
		t.Fatalf("%v\n%v", err, d.Rings)
	}
	return res
}

// check decomposes d and judges the result.
func check(t testing.TB, g Generator, d *plan.Domain, seed uint64) gen.Result {
	t.Helper()
	res := decompose(t, g, d, seed)
	if err := gentest.Check(d, res); err != nil {
		t.Fatalf("%v\n%v", err, d.Rings)
	}
	return res
}

func TestNamedDomains(t *testing.T) {
	square := gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100)
	cases := []struct {
		name   string
		domain *plan.Domain
		cells  int
	}{
		{"square", gentest.Domain(square), 1},
		{"triangle", gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10)), 1},
		{"smallest triangle", gentest.Domain(gentest.Ring(0, 0, 1, 0, 0, 1)), 1},
		{"slanted convex", gentest.Domain(gentest.Ring(0, 0, 10, 3, 10, 20, 0, 20)), 1},
		{"collinear points on all edges", gentest.Domain(gentest.Ring(0, 0, 5, 0, 10, 0, 10, 5, 10, 10, 5, 10, 0, 10, 0, 5)), 1},
		{"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), 2},
		{"square hole", gentest.Domain(square, gentest.Ring(40, 40, 40, 60, 60, 60, 60, 40)), 4},
		{"hole that touches the middle of a wall", gentest.Domain(square, gentest.Ring(50, 0, 30, 40, 70, 40)), -1},
		{"hole that touches the middle of a slanted wall", gentest.Domain(gentest.Ring(0, 0, 100, 50, 100, 200, 0, 200), gentest.Ring(50, 25, 29, 81, 71, 83)), -1},
		{"hole that touches a corner", gentest.Domain(square, gentest.Ring(0, 0, 30, 60, 60, 30)), -1},
		{"holes that touch", gentest.Domain(square, gentest.Ring(50, 50, 30, 20, 20, 30), gentest.Ring(50, 50, 70, 80, 80, 70)), -1},
		{"ring that touches itself", gentest.Domain(gentest.Ring(0, 0, 100, 0, 50, 50, 100, 100, 0, 100, 50, 50)), 2},
		{"needle", gentest.Domain(gentest.Ring(0, 0, 100000, 1, 50000, 1)), 1},
		{"needle hole", gentest.Domain(gentest.Ring(0, -100, 100000, -100, 100000, 100, 0, 100), gentest.Ring(10, 0, 90000, 1, 90000, 0)), -1},
		{"needles with a unit between them", gentest.Domain(gentest.Ring(0, 0, 1000, 0, 1000, 6, 0, 6), gentest.Ring(1, 1, 999, 2, 999, 1), gentest.Ring(1, 4, 1, 5, 999, 4)), -1},
		{"spiral", gentest.Spiral(3, 10), 12},
		{"comb", gentest.Comb(5, 30, 100), -1},
		{"star", gentest.Star(70, 1000), -1},
		{"star as large as the frame", gentest.Star(9, lattice.MaxCoord), -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := check(t, Generator{}, c.domain, 0)
			if c.cells >= 0 && len(res.Cells) != c.cells {
				t.Errorf("%d cells, want %d: %v", len(res.Cells), c.cells, res.Report.Counts)
			}
		})
	}
}

// TestLaws has chains on the borders of all random worlds, every order, and moved worlds.
func TestLaws(t *testing.T) {
	for order := range LargestRegion + 1 {
		t.Run(order.String(), func(t *testing.T) {
			sum := gentest.Laws(t, "wavefront", Generator{Options{Order: order}}, gentest.Check)
			if sum["triangles"]*10 > sum["cells"] {
				t.Errorf("%d of %d cells are triangles for want of room", sum["triangles"], sum["cells"])
			}
		})
	}
}

// TestTinyWorlds has entirely degenerate worlds.
func TestTinyWorlds(t *testing.T) {
	cells, triangles := 0, 0
	for seed := range uint64(800) {
		rng := rand.New(rand.NewPCG(seed, 0))
		g := Generator{Options{Order: Order(seed % 3), KeepSplit: seed%5 == 0}}
		res := check(t, g, gentest.Tiny(rng, 12, 8, seed%4 > 0), seed)
		cells += len(res.Cells)
		triangles += res.Report.Counts["triangles"]
	}
	t.Logf("%d cells, %d are triangles for want of room", cells, triangles)
	if triangles*50 > cells {
		t.Errorf("%d of %d cells are triangles for want of room", triangles, cells)
	}
}

// TestScatteredWorlds has obstacles of every kind, and blocks with everything on common lines.
func TestScatteredWorlds(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for kind := gentest.Boxes; kind <= gentest.Mixed; kind++ {
			res := check(t, Generator{}, gentest.Scatter(rng, 4, 64, kind), seed)
			big := gentest.Scatter(rng, 4, 1<<15, kind)
			res = check(t, Generator{Options{Order: Random}}, big, seed)
			if float64(res.Report.Lost) > 1e-4*float64(big.Area2()) {
				t.Errorf("kind %d: %d of %d lost", kind, res.Report.Lost, big.Area2())
			}
		}
		check(t, Generator{}, gentest.Blocks(rng, 12, 16, 0.4, seed%2 == 0), seed)
	}
}

// chained makes every third edge of d part of a chain.
func chained(d *plan.Domain) *plan.Domain {
	k := 0
	for r := range d.Edges {
		for i := range d.Edges[r] {
			if k++; k%3 == 0 {
				d.Edges[r][i] = 7
			}
		}
	}
	return d
}

func TestChains(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 2))
		check(t, Generator{}, chained(gentest.Tiny(rng, 12, 8, seed%2 == 0)), seed)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for kind := gentest.Boxes; kind <= gentest.Mixed; kind++ {
		check(t, Generator{}, chained(gentest.Scatter(rng, 4, 4096, kind)), 0)
	}
}

// roomy returns a small world with degenerate contacts and with room for corners.
func roomy(seed uint64) *plan.Domain {
	d := gentest.Tiny(rand.New(rand.NewPCG(seed, 3)), 12, 8, true)
	return gentest.Map(d, func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X * 5040, Y: p.Y * 5040} })
}

// TestSidesAreAxisParallel: a slanted side between two cells is a side of a triangle cell, and worlds with room have none.
func TestSidesAreAxisParallel(t *testing.T) {
	slanted := 0
	for seed := range uint64(900) {
		d, room := roomy(seed/3), true
		if seed%3 > 0 {
			d, room = gentest.Tiny(rand.New(rand.NewPCG(seed, 24)), 24, 18, seed%2 == 0), false
		}
		res := check(t, Generator{Options{KeepSplit: true}}, d, seed)
		if room && res.Report.Counts["triangles"] > 0 {
			t.Fatalf("seed %d: triangle cells in a world with room\n%v", seed, d.Rings)
		}
		corners := map[[2]lattice.Point]int{}
		for _, c := range res.Cells {
			for i, k := range c.Corners {
				corners[[2]lattice.Point{k.Point, c.Corners[(i+1)%len(c.Corners)].Point}] = len(c.Corners)
			}
		}
		for s, n := range corners {
			m := corners[[2]lattice.Point{s[1], s[0]}]
			if s[0].X == s[1].X || s[0].Y == s[1].Y || m == 0 {
				continue
			}
			slanted++
			if room || n > 3 && m > 3 {
				t.Fatalf("seed %d: cells of %d and %d corners meet along the slanted side from %v to %v\n%v", seed, n, m, s[0], s[1], d.Rings)
			}
		}
	}
	if slanted < 100 {
		t.Errorf("only %d slanted sides between cells", slanted)
	}
}

// meeting counts the cells that touch a point, also without a corner there, the slanted lines between two of the cells,
// and the cells with three corners.
type meeting struct{ cells, slanted, triangles int }

func meetingAt(cells []plan.Cell, p lattice.Point) (m meeting) {
	type direction struct{ dx, dy int64 }
	sides := map[direction]int{}
	for _, c := range cells {
		n := len(c.Corners)
		touches := false
		for i, k := range c.Corners {
			q := c.Corners[(i+1)%n].Point
			if !lattice.OnSegment(p, k.Point, q) {
				continue
			}
			touches = true
			for _, end := range [2]lattice.Point{k.Point, q} {
				if dx, dy := end.Sub(p); dx != 0 && dy != 0 {
					g := lattice.GCD(dx, dy)
					sides[direction{dx / g, dy / g}]++
				}
			}
		}
		if touches {
			m.cells++
			if n == 3 {
				m.triangles++
			}
		}
	}
	for _, n := range sides {
		if n > 1 {
			m.slanted++
		}
	}
	return m
}

// TestCellsAtAPoint holds the bound at every corner of every cell, in worlds with room and in worlds of a few units, whose
// cells are triangles where corners have no room.
func TestCellsAtAPoint(t *testing.T) {
	worlds := []struct {
		name  string
		count int
		make  func(seed uint64) *plan.Domain
		// The least number of worlds with triangle cells, and of points on a slanted line between cells.
		triangles, slanted int
	}{
		{"with room", slow.Count(300, 3000), roomy, 0, 0},
		{"of 12 units", slow.Count(1500, 20000), func(seed uint64) *plan.Domain {
			return gentest.Tiny(rand.New(rand.NewPCG(seed, 0)), 12, 8, seed%4 > 0)
		}, 50, 100},
		{"of 24 units", slow.Count(1000, 20000), func(seed uint64) *plan.Domain {
			return gentest.Tiny(rand.New(rand.NewPCG(seed, 24)), 24, 18, seed%2 == 0)
		}, 120, 250},
		{"of narrow gaps", slow.Count(100, 3000), func(seed uint64) *plan.Domain {
			return gentest.Scatter(rand.New(rand.NewPCG(seed, 2)), 4, 64, gentest.Obstacle(seed%6))
		}, 5, 5},
	}
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			withTriangles, onSlanted, over := 0, 0, 0
			for seed := range uint64(w.count) {
				d := w.make(seed)
				g := Generator{Options{Order: Order(seed % 3), KeepSplit: seed%4 == 0}}
				res := decompose(t, g, d, seed)
				if res.Report.Counts["triangles"] > 0 {
					withTriangles++
				}
				wedges := map[lattice.Point]int{}
				for _, r := range d.Rings {
					for _, p := range r {
						wedges[p]++
					}
				}
				seen := map[lattice.Point]bool{}
				for _, c := range res.Cells {
					for _, k := range c.Corners {
						if seen[k.Point] {
							continue
						}
						seen[k.Point] = true
						m := meetingAt(res.Cells, k.Point)
						if m.slanted > 0 {
							onSlanted++
						}
						if !g.KeepSplit && m.cells > 4+wedges[k.Point] {
							over++
						}
						if m.cells > 4+wedges[k.Point]+m.slanted {
							t.Fatalf("seed %d: %+v at %v with %d wedges\n%v", seed, m, k.Point, wedges[k.Point], d.Rings)
						}
						if g.KeepSplit && m.slanted > 2*m.triangles || m.slanted > 0 && res.Report.Counts["triangles"] == 0 {
							t.Fatalf("seed %d: %+v at %v, slanted lines without triangles\n%v", seed, m, k.Point, d.Rings)
						}
					}
				}
			}
			t.Logf("%d worlds, %d with triangle cells; %d points on slanted lines; %d points with more than 4 + m cells after combining",
				w.count, withTriangles, onSlanted, over)
			if withTriangles < w.triangles || onSlanted < w.slanted {
				t.Errorf("%d worlds with triangle cells and %d points on slanted lines, want %d and %d or more",
					withTriangles, onSlanted, w.triangles, w.slanted)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 4, 4096, gentest.Mixed)
	g := Generator{Options{Order: Random}}
	if a, b := decompose(t, g, d, 1), decompose(t, g, d, 1); !reflect.DeepEqual(a, b) {
		t.Error("the same seed gives different cells")
	}
	if a, b := decompose(t, g, d, 1), decompose(t, g, d, 2); reflect.DeepEqual(a, b) {
		t.Error("another seed gives the same cells")
	}
}

func TestTranslation(t *testing.T) {
	for seed := range uint64(50) {
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + 1000003, Y: p.Y - 77777} }
		d := gentest.Scatter(rand.New(rand.NewPCG(seed, 2)), 3, 300, gentest.Mixed)
		want, got := decompose(t, Generator{}, d, 0), decompose(t, Generator{}, gentest.Map(d, move), 0)
		for _, c := range want.Cells {
			for i := range c.Corners {
				c.Corners[i].Point = move(c.Corners[i].Point)
			}
		}
		if !reflect.DeepEqual(got, want) {
			for i := range got.Cells {
				if !reflect.DeepEqual(got.Cells[i], want.Cells[i]) {
					t.Fatalf("seed %d: cell %d is %v after moving the domain, want %v", seed, i, got.Cells[i], want.Cells[i])
				}
			}
			t.Fatalf("seed %d: moving the domain changes %v to %v", seed, want.Report, got.Report)
		}
	}
}

// TestNoCombining: one region grows at a time, so almost nothing is left to combine (W 19.3).
func TestNoCombining(t *testing.T) {
	cells, combined := 0, 0
	for seed := range uint64(4) {
		d := gentest.Scatter(rand.New(rand.NewPCG(seed, 2)), 6, 4096, gentest.Mixed)
		whole, split := check(t, Generator{}, d, 0), check(t, Generator{Options{KeepSplit: true}}, d, 0)
		n := whole.Report.Counts["combined"]
		if len(whole.Cells)+n != len(split.Cells) {
			t.Errorf("%d cells, %d without combining, %d combined", len(whole.Cells), len(split.Cells), n)
		}
		cells += len(whole.Cells)
		combined += n
	}
	if combined*200 > cells {
		t.Errorf("%d cells were combined into %d", combined, cells)
	}
}

// notches counts the notches of d, a sharp one twice: no axis lies behind a sharp notch, so no single axis-parallel
// cut leaves no notch.
func notches(d *plan.Domain) (n int) {
	for _, r := range d.Rings {
		for i, p := range r {
			before, after := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
			if lattice.Orient(before, p, after) >= 0 {
				continue
			}
			n++
			sharp := true
			for _, axis := range []lattice.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
				q := lattice.Point{X: p.X + axis.X, Y: p.Y + axis.Y}
				// The obstacle is to the right of both edges.
				if lattice.Orient(before, p, q) <= 0 && lattice.Orient(p, after, q) <= 0 {
					sharp = false
				}
			}
			if sharp {
				n++
			}
		}
	}
	return n
}

// TestCutsPerNotch: a cut for every notch, two where it is sharp, and nothing is cut without need. Every cut
// adds a region, unless it joins obstacles. No decomposition with axis-parallel sides has fewer regions where
// no two notches are on a common line.
func TestCutsPerNotch(t *testing.T) {
	cells, least := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		for kind := gentest.Boxes; kind <= gentest.Mixed; kind++ {
			d := gentest.Scatter(rng, 3, 1<<15, kind)
			for order := range LargestRegion + 1 {
				cells += len(decompose(t, Generator{Options{Order: order}}, d, seed).Cells)
				least += 1 + notches(d) - (len(d.Rings) - 1)
			}
		}
	}
	t.Logf("%d cells, %d by the notches", cells, least)
	if cells < least-least/200 || cells > least+least/100 {
		t.Errorf("%d cells, want %d", cells, least)
	}
}

type recorder []string

func (r *recorder) Step(name string, segments [][2]lattice.Point) {
	*r = append(*r, name)
	if len(segments) < 3 {
		*r = append(*r, "too few segments")
	}
}

func TestObserver(t *testing.T) {
	var r recorder
	d := gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20))
	if _, err := (Generator{}).Decompose(context.Background(), gen.Input{Domain: d, Watch: &r}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r, " "); got != "region region" {
		t.Errorf("the observer saw %q", got)
	}
}

func TestFaults(t *testing.T) {
	crossing := gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10, 10, 10))
	if _, err := (Generator{}).Decompose(context.Background(), gen.Input{Domain: crossing}); err == nil || !strings.HasPrefix(err.Error(), "wavefront: ") {
		t.Errorf("a domain that crosses itself: %v", err)
	}
	square := gentest.Domain(gentest.Ring(0, 0, 10, 0, 10, 10, 0, 10))
	if _, err := (Generator{Options{Order: 9}}).Decompose(context.Background(), gen.Input{Domain: square}); err == nil || !strings.Contains(err.Error(), "order 9") {
		t.Errorf("an order that does not exist: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Generator{}).Decompose(ctx, gen.Input{Domain: square}); err == nil {
		t.Error("a cancelled context is no error")
	}
}

// TestJustified: the notch that stopped a front still is on the region if the front has it between its ends; for a front
// that retreated to the notch, also at its ends.
func TestJustified(t *testing.T) {
	box := growth.Box{growth.East: 10, growth.North: 5, growth.West: 0, growth.South: 0}
	for _, c := range []struct {
		name  string
		why   reason
		notch lattice.Point
		want  bool
	}{
		{"a notch on the front", cameTo, lattice.Point{X: 10, Y: 2}, true},
		{"a notch at the upper end", cameTo, lattice.Point{X: 10, Y: 5}, false},
		{"a notch at the lower end", cameTo, lattice.Point{X: 10, Y: 0}, false},
		{"a notch above the front", cameTo, lattice.Point{X: 10, Y: 7}, false},
		{"a notch behind the front", cameTo, lattice.Point{X: 9, Y: 2}, false},
		{"a notch ahead of the front", cameTo, lattice.Point{X: 11, Y: 2}, false},
		{"a retreat to the end", retreatedTo, lattice.Point{X: 10, Y: 5}, true},
		{"a retreat to a place above the front", retreatedTo, lattice.Point{X: 10, Y: 7}, false},
		{"a retreat to a place behind the front", retreatedTo, lattice.Point{X: 9, Y: 2}, false},
		{"closed in by walls", closedIn, lattice.Point{X: 10, Y: 2}, false},
	} {
		r := region{box: box}
		r.fronts[growth.East] = front{stopped: true, why: c.why, notch: c.notch}
		if got := r.justified(growth.East); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
