package medialaxis

import (
	"math"

	"github.com/meadow-nav/meadow/gen/internal/cuts"
	"github.com/meadow-nav/meadow/gen/internal/voronoi"
	"github.com/meadow-nav/meadow/lattice"
)

const (
	// dense is how far samples may be apart where they face another wall, in distances to it.
	dense = 0.5
	// rounds is how often samples are added, parts into how many pieces a gap is divided at most in a round.
	rounds, parts = 5, 8
)

// limit bounds the number of samples of a border of n points.
func limit(n int) int { return 16*n + 1<<10 }

// axis is the borders between the walls of a domain.
type axis struct {
	*border
	inside  func(lattice.Point) bool
	points  []lattice.Point
	samples []sample
	first   []int // sample of every ring, and the number of samples
	borders []voronoi.Border
}

// newAxis computes the borders between the walls of b in a box. Samples are added as long as some are farther
// apart than they are from the wall that they face.
func newAxis(b *border, box lattice.Box, inside func(lattice.Point) bool) *axis {
	a := &axis{border: b, inside: inside}
	n := 0
	for _, r := range b.rings {
		n += len(r)
	}
	for round := range rounds {
		a.points, a.samples, a.first = b.all()
		a.borders = voronoi.Borders(a.points, box, a.differ)
		if round+1 == rounds || len(a.points) > limit(n) || !a.refine() {
			break
		}
	}
	return a
}

func (a *axis) differ(i, k int32) bool {
	return a.samples[i].ring != a.samples[k].ring || a.samples[i].wall != a.samples[k].wall
}

// refine adds samples to both sides of borders that are nearer to the walls than samples are to each other. It tells
// whether there were any.
func (a *axis) refine() bool {
	pieces := make([]int, len(a.samples)) // into how many the gap after a sample is to be divided
	for _, v := range a.borders {
		clearance, ok := a.clearance(v)
		want := dense * clearance
		if !ok {
			continue
		}
		for _, s := range [...]int32{v.A, v.B} {
			for _, gap := range [...]int{int(s), a.before(int(s))} {
				if l := a.gap(gap); l > want && l > 2 {
					pieces[gap] = max(pieces[gap], int(min(l/max(want, 1)+1, parts)))
				}
			}
		}
	}
	added := false
	for i, n := range pieces {
		s := a.samples[i]
		for k := 1; k < n; k++ {
			a.mark(int(s.ring), int(s.edge), s.at+a.gap(i)*float64(k)/float64(n))
			added = true
		}
	}
	return added
}

// clearance returns how near a border comes to its samples, if that is in the domain, or otherwise at which of its ends
// in the domain it is nearer to them. ok is false for a border that seems to have nothing to do with the domain.
func (a *axis) clearance(v voronoi.Border) (nearest float64, ok bool) {
	p, q := a.points[v.A], a.points[v.B]
	middle := lattice.Point{X: p.X + int32((int64(q.X)-int64(p.X))/2), Y: p.Y + int32((int64(q.Y)-int64(p.Y))/2)}
	if at := lattice.Nearest(middle, v.From, v.To); a.inside(at) {
		return distance(at, p), true
	}
	nearest = math.Inf(1)
	for _, at := range [...]lattice.Point{v.From, v.To} {
		if a.inside(at) {
			nearest, ok = min(nearest, distance(at, p)), true
		}
	}
	return nearest, ok
}

// before and after return the samples beside sample i around its ring.
func (a *axis) before(i int) int {
	if r := a.samples[i].ring; i == a.first[r] {
		return a.first[r+1] - 1
	}
	return i - 1
}

func (a *axis) after(i int) int {
	if r := a.samples[i].ring; i+1 == a.first[r+1] {
		return a.first[r]
	}
	return i + 1
}

// gap returns how far it is from sample i to the next on the same edge, or to the end of the edge, unless there
// is a corner.
func (a *axis) gap(i int) float64 {
	s, next := a.samples[i], a.samples[a.after(i)]
	switch {
	case next.edge == s.edge && next.at > s.at:
		return next.at - s.at
	case next.wall != s.wall || next.at != 0:
		return 0
	}
	return edge(a.rings[s.ring], int(s.edge)).length() - s.at
}

func distance(p, q lattice.Point) float64 { return math.Sqrt(float64(p.Distance2(q))) }

// graph returns the borders in the domain, each branch from the corner that it belongs to, and how far its points
// are from the walls.
func (a *axis) graph() (g *cuts.Graph, clearance []float64) {
	var segments [][2]lattice.Point
	far := map[lattice.Point]float64{}
	ends := map[lattice.Point]bool{}
	for _, v := range a.borders {
		from, to := a.inside(v.From), a.inside(v.To)
		s := [2]lattice.Point{v.From, v.To}
		far[v.From], far[v.To] = distance(v.From, a.points[v.A]), distance(v.To, a.points[v.A])
		if !from && !to {
			continue
		}
		if from != to {
			if to {
				s[0], s[1] = s[1], s[0]
			}
			corner, ok := a.common(a.samples[v.A], a.samples[v.B], s[0])
			if !ok {
				continue
			}
			s[1] = corner
			far[corner] = 0
			ends[corner] = true
		}
		segments = append(segments, s)
	}
	g = cuts.NewGraph(segments, 0)
	g.Prune(func(i int32) bool { return ends[g.Points[i]] })
	clearance = make([]float64, len(g.Points))
	for i, p := range g.Points {
		clearance[i] = far[p]
	}
	return g, clearance
}
