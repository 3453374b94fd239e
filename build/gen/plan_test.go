package gen

import (
	"context"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// recorder makes no cells and remembers how many goroutines each domain got.
type recorder struct {
	sync.Mutex
	jobs map[int]int // by the number of corners
}

func (r *recorder) Name() string { return "recorder" }

func (r *recorder) Decompose(_ context.Context, in Input) (Result, error) {
	n := len(in.Domain.Rings[0])
	r.Lock()
	defer r.Unlock()
	r.jobs[n] = in.Jobs
	return Result{Report: Report{Lost: int64(n)}}, nil
}

// TestMainDomain: a domain with more than half of all corners gets all goroutines, others get one each. Every result is that of its
// own domain.
func TestMainDomain(t *testing.T) {
	for _, c := range []struct {
		corners [][]int // by layer and domain
		main    int     // the corners of the domain with all goroutines, 0 for none
	}{
		{[][]int{{3, 40, 4}, {5}}, 40},
		{[][]int{{3, 4}, {8}}, 8},
		{[][]int{{3, 4}, {7}}, 0},
		{[][]int{{6}}, 6},
		{nil, 0},
	} {
		p := new(plan.Plan)
		for _, corners := range c.corners {
			var l plan.Layer
			for _, n := range corners {
				l.Domains = append(l.Domains, plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{make(lattice.Ring, n)}}})
			}
			p.Layers = append(p.Layers, l)
		}
		r := recorder{jobs: map[int]int{}}
		results, err := DecomposePlan(t.Context(), &r, p, 0, 3)
		if err != nil {
			t.Fatal(err)
		}
		for l, corners := range c.corners {
			for d, n := range corners {
				want := 1
				if n == c.main {
					want = 3
				}
				if got := r.jobs[n]; got != want || results[l][d].Report.Lost != int64(n) {
					t.Errorf("%v: domain of %d corners: %d jobs, want %d; result of %d corners", c.corners, n, got, want, results[l][d].Report.Lost)
				}
			}
		}
	}
}
