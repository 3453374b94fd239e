package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// wideLinks draws links between sides or diagonals of regions.
func wideLinks(rng *rand.Rand, ix *index.Index) (list []navmesh.Link) {
	segment := func() (navmesh.Ref, [2]lattice.Vertex) {
		r := rng.Uint32N(uint32(ix.RegionLimit()))
		ring := ix.Ring(r)
		k := rng.IntN(len(ring))
		return ix.Region(r).Ref, [2]lattice.Vertex{ring[k], ring[(k+1+rng.IntN(len(ring)-1))%len(ring)]}
	}
	for range 4 {
		l := navmesh.Link{Kind: navmesh.Drop, Flags: navmesh.DefaultFlags, Clearance: navmesh.Unbounded}
		l.From, l.Start = segment()
		l.To, l.End = segment()
		l.Cost = float32(100 * rng.Float64() * rng.Float64())
		list = append(list, l)
	}
	return list
}

// TestGapsOfWideLinks changes regions under wide links: every hop is at its own place, or else at the nearest place with floor at
// both ends, as found by trying many, and on the lists of the regions around.
func TestGapsOfWideLinks(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 4))
	moved, closed := 0, 0
	for i := range slow.Count(70, 400) {
		m := *editorMesh(t, rng, i)
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		m.Links = wideLinks(rng, NewIndex(&m).geo)
		m.Connect()
		base := NewIndex(&m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		changed := floors{}
		for step := range 12 {
			var change []index.Replacement
			if step < 11 {
				change = drawChange(rng, base.geo, numbers, changed)
			} else { // all regions as in the base again
				for r := range changed {
					change = append(change, index.Replacement{Base: r, Whole: true})
				}
			}
			now, _, err := e.Apply(change)
			if err != nil {
				t.Fatal(err)
			}
			a, b, err := judgeHops(base.geo, now)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			moved, closed = moved+a, closed+b
			if step == 11 && a+b > 0 {
				t.Errorf("world %d: %d hops moved and %d closed, though all floor is back", i, a, b)
			}
		}
	}
	if moved < 50 || closed < 50 {
		t.Errorf("%d hops moved and %d closed are too few", moved, closed)
	}
}

// judgeHops compares the hops of a changed Index with those of the base.
func judgeHops(base, now *index.Index) (moved, closed int, err error) {
	lists := make([][]int32, now.RegionLimit())
	for n := range now.Hops {
		h, own := &now.Hops[n], base.Hops[n].T
		if h.Closed() {
			closed++
		} else {
			for _, r := range now.RegionsAround(nil, index.Place{Region: h.From, At: h.Start}) {
				lists[r] = append(lists[r], int32(n))
			}
			ends := now.RegionsAround(nil, index.Place{Region: h.To, At: h.End})
			if got := slices.Sorted(slices.Values(now.EndsOf(h))); !slices.Equal(got, slices.Sorted(slices.Values(ends))) {
				return 0, 0, fmt.Errorf("hop %d ends in the regions %v, expected %v", n, got, ends)
			}
			if at := now.HopAt(h.Link, h.T); at.Start != h.Start || at.End != h.End || at.From != h.From || at.To != h.To {
				return 0, 0, fmt.Errorf("hop %d is %+v, at its place is %+v", n, *h, at)
			}
		}
		away := math.Abs(h.T - own)
		if at := now.HopAt(h.Link, own); !at.Closed() {
			if h.Closed() || h.T != own {
				return 0, 0, fmt.Errorf("hop %d is %g away from floor at its own place", n, away)
			}
			continue
		}
		if away > h.Step/2 {
			return 0, 0, fmt.Errorf("hop %d moved by %g, the step is %g", n, away, h.Step)
		}
		if away > 0 {
			moved++
		}
		// Rounded ends of gaps may be off the floor, and narrower gaps are lost.
		const tries, narrow = 100, 20
		for _, side := range [2]float64{-1, 1} {
			run := 0
			for k := 1; k < tries; k++ {
				d := h.Step / 2 * float64(k) / tries
				at := own + side*d
				if at < 0 || at > 1 {
					break
				}
				if free := now.HopAt(h.Link, at); free.Closed() {
					run = 0
					continue
				}
				if run++; run == narrow && (h.Closed() || away > d) {
					return 0, 0, fmt.Errorf("hop %d: floor up to %g, %g from its place; the hop is %+v", n, at, d, *h)
				}
			}
		}
	}
	for r := range lists {
		if got := slices.Sorted(slices.Values(now.HopsOf(uint32(r)))); !slices.Equal(got, lists[r]) {
			return 0, 0, fmt.Errorf("region %d has the hops %v, expected %v", r, got, lists[r])
		}
	}
	return moved, closed, nil
}
