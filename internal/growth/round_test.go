package growth

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// vertex makes p a vertex, if it is strictly inside of the unclaimed space.
func (w *World) vertex(p lattice.Point) int32 {
	e, on := w.locate(p, w.Edge[4])
	return w.vertexAt(p, e, on)
}

// seeded returns a round of a world with seeds anywhere, some of them beside walls. The same rng
// gives the same.
func seeded(t *testing.T, d *plan.Domain, rng *rand.Rand, rectangles bool) (*World, *Round) {
	t.Helper()
	w, err := New(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var places []Place
	box := d.Box()
	for range rng.IntN(12) {
		p := lattice.Point{X: box.Min.X + rng.Int32N(box.Max.X-box.Min.X+1), Y: box.Min.Y + rng.Int32N(box.Max.Y-box.Min.Y+1)}
		if v := w.vertex(p); v >= 0 {
			places = append(places, w.At(v, 1))
		}
	}
	for _, s := range w.Stretches(false) {
		if p, ok := w.Middle(s, 1); ok && rng.IntN(3) == 0 {
			places = append(places, p)
		}
	}
	r := w.NewRound(rectangles)
	for _, p := range places {
		r.Add(p)
	}
	return w, r
}

// TestEventsAreUnitSteps compares the fronts on all worlds that are small enough for unit steps.
func TestEventsAreUnitSteps(t *testing.T) {
	regions, ends := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if box := d.Box(); box.Max.X-box.Min.X > 500 {
			t.SkipNow()
		}
		seed, rectangles := rng.Uint64(), rng.IntN(3) == 0
		_, events := seeded(t, d, rand.New(rand.NewPCG(seed, 1)), rectangles)
		_, steps := seeded(t, d, rand.New(rand.NewPCG(seed, 1)), rectangles)
		if err := events.GrowByEvents(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := steps.GrowBySteps(context.Background(), 1, 1); err != nil {
			t.Fatal(err)
		}
		for i := range events.regions {
			regions++
			for f := range 4 {
				got, want := events.regions[i].fronts[f], steps.regions[i].fronts[f]
				if got.stopped {
					ends++
				}
				if got.stopped != want.stopped || got.stopped && got.at != want.at {
					t.Errorf("rectangles %v: region %d at %v: front %d stops at %v, by steps at %v", rectangles, i,
						events.regions[i].place.box, f, got, want)
					return
				}
			}
		}
	})
	t.Logf("%d regions, %d fronts stopped", regions, ends)
}

// TestStepsConverge lets steps become smaller: fronts come nearer to the fronts by events, on average within
// a few steps, because an early stop changes the contacts of others. Unit steps end at the same places.
func TestStepsConverge(t *testing.T) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 3, 1024, gentest.Mixed)
	_, events := seeded(t, d, rand.New(rand.NewPCG(3, 4)), false)
	if err := events.GrowByEvents(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, rate := range []int64{128, 32, 8, 2, 1} {
		_, steps := seeded(t, d, rand.New(rand.NewPCG(3, 4)), false)
		if _, err := steps.GrowBySteps(context.Background(), rate, rate); err != nil {
			t.Fatal(err)
		}
		var away, n int64
		for i := range steps.regions {
			for f := range 4 {
				a, b := steps.regions[i].fronts[f], events.regions[i].fronts[f]
				if a.stopped && b.stopped {
					away += max(a.at-b.at, b.at-a.at)
					n++
				}
			}
		}
		t.Logf("steps of %d: %d fronts are %.1f away", rate, n, float64(away)/float64(n))
		if n < 50 || away > 4*(rate-1)*n {
			t.Errorf("steps of %d: %d fronts are %d away, all together", rate, n, away)
		}
	}
}

// TestRoundsClaimWhatTheyGrew has the oracle judge worlds that are claimed in rounds, whatever the seeds.
func TestRoundsClaimWhatTheyGrew(t *testing.T) {
	claimed, regions := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w, r := seeded(t, d, rng, rng.IntN(3) == 0)
		if err := r.GrowByEvents(context.Background()); err != nil {
			t.Fatal(err)
		}
		regions += r.Len()
		claimed += r.Claim()
		for seeds := w.Exposed(); len(seeds) > 0; seeds = w.Exposed() {
			for _, s := range seeds {
				if e := w.Beside(s); e >= 0 {
					w.ClaimTriangle(e)
				}
			}
		}
		w.Combine()
		if err := gentest.Check(d, w.Result(d)); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d regions, %d claimed", regions, claimed)
	if claimed*100 < regions*85 {
		t.Errorf("of %d regions %d could be claimed", regions, claimed)
	}
}
