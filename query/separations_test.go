package query

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestSeparationsAgainstBruteForce removes every region and floods from each of its portals. The reached regions must
// match the ranges of the portals, for all goals of the same part of the mesh.
func TestSeparationsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 1))
	useless := 0
	for round := range 90 {
		w := newGrid(t, rng, 2+rng.IntN(7), 2+rng.IntN(7), 0.2+0.1*float64(round%3), style(round%int(styles)), lattice.Frame{})
		ix := NewIndex(w.mesh)
		for i := range uint32(ix.geo.RegionLimit()) {
			r := ix.geo.Region(i)
			for k := r.FirstPortal; k < r.EndPortal; k++ {
				p := ix.geo.Portal(k)
				behind := floodWithout(ix, p.To, uint32(i))
				for goal := range uint32(ix.geo.RegionLimit()) {
					if ix.geo.Region(goal).Part != r.Part {
						continue
					}
					got := p.Leads(ix.geo.Region(goal).Branch)
					if got != behind[goal] {
						t.Fatalf("world %d: portal %d of region %d leads to region %d: %v, want %v", round, k, i, goal, got, behind[goal])
					}
					if !got && goal != i {
						useless++
					}
				}
			}
		}
	}
	if useless < 1000 {
		t.Errorf("only %d portals and goals of no use", useless)
	}
}

// floodWithout returns the regions that portals connect to a region without passing another.
func floodWithout(ix *Index, from, without uint32) []bool {
	in := make([]bool, ix.geo.RegionLimit())
	in[from] = true
	wait := []uint32{from}
	for len(wait) > 0 {
		r := ix.geo.Region(wait[len(wait)-1])
		wait = wait[:len(wait)-1]
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			if to := ix.geo.Portal(k).To; to != without && !in[to] {
				in[to] = true
				wait = append(wait, to)
			}
		}
	}
	return in
}

// TestOnlyCorridor checks that a path needs no search exactly if every portal on the way separates start and goal. The
// path must be as long as a searched path.
func TestOnlyCorridor(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 1))
	count := [2]int{}
	for round := range 60 {
		w := newGrid(t, rng, 3+rng.IntN(8), 3+rng.IntN(8), 0.25+0.1*float64(round%3), style(round%int(styles)), lattice.Frame{})
		ix := NewIndex(w.mesh)
		q := ix.NewQuery()
		for range 100 {
			from, to := uint32(rng.IntN(ix.geo.RegionLimit())), uint32(rng.IntN(ix.geo.RegionLimit()))
			a, b := index.Place{Region: from, At: ix.geo.Region(from).Center}, index.Place{Region: to, At: ix.geo.Region(to).Center}
			if from == to || ix.geo.Region(from).Part != ix.geo.Region(to).Part || len(ix.geo.RegionsAround(nil, a)) > 1 {
				continue
			}
			q.way.Direct(from)
			alone := q.one.Begin(q.ix, &q.own.landmarks, &q.way, a, b)
			if !alone {
				count[0]++
				for _, done := q.one.Advance(1 << 30); !done; {
				}
				if q.one.Trace(&q.way); len(ix.geo.RegionsAround(nil, b)) == 1 && mandatory(ix, q.way.Crossed, from, to) {
					t.Fatalf("world %d: regions %d to %d: there is one corridor only, %v", round, from, to, q.way.Crossed)
				}
				continue
			}
			count[1]++
			if !mandatory(ix, q.way.Crossed, from, to) {
				t.Fatalf("world %d: regions %d to %d: there are other corridors than %v", round, from, to, q.way.Crossed)
			}
			got := q.pullTight(a, b, 0).Length
			q.way.Direct(from)
			if _, found, err := q.findByAStar(t.Context(), a, b); !found || err != nil {
				t.Fatal(found, err)
			}
			if want := q.pullTight(a, b, 0).Length; got != want {
				t.Fatalf("world %d: regions %d to %d: %v m, want %v", round, from, to, got, want)
			}
		}
	}
	if min(count[0], count[1]) < 500 {
		t.Errorf("searched and not: %v", count)
	}
}

// mandatory reports whether each of the portals separates two regions.
func mandatory(ix *Index, crossed []uint32, from, to uint32) bool {
	for _, k := range crossed {
		in := make([]bool, ix.geo.RegionLimit())
		in[from] = true
		wait := []uint32{from}
		for len(wait) > 0 {
			r := ix.geo.Region(wait[len(wait)-1])
			wait = wait[:len(wait)-1]
			for o := r.FirstPortal; o < r.EndPortal; o++ {
				if next := ix.geo.Portal(o).To; o != k && o != ix.geo.Portal(k).Back && !in[next] {
					in[next] = true
					wait = append(wait, next)
				}
			}
		}
		if in[to] {
			return false
		}
	}
	return true
}

// TestMoreLinksKeepSeparations adds links to meshes with many dead ends, cheap links among them: paths are as cheap as if every
// portal led everywhere, and searches are smaller.
func TestMoreLinksKeepSeparations(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 3))
	with, without, linked := 0, 0, 0
	for i := range 40 {
		base := NewIndex(newGrid(t, rng, 6+rng.IntN(16), 6+rng.IntN(16), 0.35, style(i%int(styles)), lattice.Frame{}).mesh)
		base.landmarks = exact.Landmarks{}
		links := drawLinks(rng, base)
		now, _, err := NewEditor(base).ApplyLinks(nil, links)
		if err != nil {
			t.Fatal(err)
		}
		geo := *now.geo
		geo.Starts = nil
		for b := range uint32(geo.RegionLimit()) {
			geo.Starts = append(geo.Starts, b)
		}
		q, plain := now.NewQuery(), (&Index{geo: &geo}).NewQuery()
		for range 40 {
			a, ok := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			if !ok {
				break
			}
			got, err := q.PathBetween(t.Context(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			want, err := plain.PathBetween(t.Context(), a, b)
			if err != nil || got.Complete != want.Complete || math.Abs(got.Cost-want.Cost) > 1e-9*(1+want.Cost) {
				t.Fatalf("world %d, %v to %v: %v at %v, want %v at %v, %v", i, a, b, got.Complete, got.Cost, want.Complete, want.Cost, err)
			}
			with, without = with+got.Expanded, without+want.Expanded
			if slices.ContainsFunc(want.Crossings, func(c Crossing) bool { return c.Link >= 0 }) {
				linked++
			}
		}
	}
	if linked < 50 || 10*with > 9*without {
		t.Errorf("%d paths over links; %d nodes, without separations %d", linked, with, without)
	}
}
