package medialaxis

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
	"github.com/meadow-nav/meadow/lab/internal/voronoi"
)

const (
	// dense is the largest gap between samples that face another wall, in distances to the wall.
	dense = 0.5
	// sparse is where they are too far apart to tell where the axis is.
	sparse = 2
	// rounds is how often samples are added, parts into how many pieces a gap is divided at most in a round.
	rounds, parts = 5, 8
)

// limit bounds the number of samples of a border of n points.
func limit(n int) int { return 24*n + 1<<10 }

// axis is the borders between the walls of a domain.
type axis struct {
	*border
	inside  func(p lattice.Point, near sample) bool
	points  []lattice.Point
	samples []sample
	first   []int // sample of every ring, and the number of samples
	borders []voronoi.Border
}

// newAxis computes the borders between the walls of b in a box. Samples are added until none are farther
// apart than from the wall that they face.
func newAxis(b *border, box lattice.Box, inside func(p lattice.Point, near sample) bool) *axis {
	a := &axis{border: b, inside: inside}
	for round := range rounds {
		a.points, a.samples, a.first = b.all()
		a.borders = voronoi.Borders(a.points, box, a.differ)
		if round+1 == rounds || !a.refine(limit(b.len())) {
			break
		}
	}
	return a
}

func (a *axis) differ(i, k int32) bool {
	return a.samples[i].ring != a.samples[k].ring || a.samples[i].wall != a.samples[k].wall
}

// refine adds samples to both sides of borders nearer to the walls than the samples are to each other, up to a
// limit on all samples. It reports whether any were added.
func (a *axis) refine(limit int) bool {
	need := make([]float64, len(a.samples)) // into how many pieces the gap after a sample is to be divided
	for _, v := range a.borders {
		clearance, ok := a.clearance(v)
		if !ok {
			continue
		}
		for _, gap := range a.gaps(v) {
			if l := a.gap(gap); l > 2 && l > dense*clearance {
				need[gap] = max(need[gap], min(l/(dense*clearance), l))
			}
		}
	}
	// Where not all can be had, long gaps between walls that are close to each other are hopeless.
	var wanted []int
	for i, n := range need {
		if n > 0 {
			wanted = append(wanted, i)
		}
	}
	slices.SortStableFunc(wanted, func(i, k int) int { return cmp.Compare(need[i], need[k]) })
	added := len(a.samples)
	for _, i := range wanted {
		s, pieces := a.samples[i], int(min(need[i]+1, parts))
		if added += pieces - 1; added > limit {
			break
		}
		for k := 1; k < pieces; k++ {
			list := &a.marks[s.ring][s.edge]
			*list = append(*list, s.at+a.gap(i)*float64(k)/float64(pieces))
		}
	}
	for _, ring := range a.marks {
		for _, list := range ring {
			slices.Sort(list)
		}
	}
	return added > len(a.samples)
}

// gaps returns the samples before a gap beside one of the border's two samples.
func (a *axis) gaps(v voronoi.Border) [4]int {
	return [...]int{int(v.A), int(v.B), a.before(int(v.A)), a.before(int(v.B))}
}

// isSparse reports whether the samples of a border are so far from others, relative to each other, that the axis may
// be elsewhere.
func (a *axis) isSparse(v voronoi.Border) bool {
	clearance, _ := a.clearance(v)
	for _, gap := range a.gaps(v) {
		if l := a.gap(gap); l > 4 && l > sparse*clearance {
			return true
		}
	}
	return false
}

// clearance returns the distance of a border from its samples, if the nearest place is in the domain, or else the least
// distance at its ends in the domain. ok is false for a border apparently outside the domain.
func (a *axis) clearance(v voronoi.Border) (nearest float64, ok bool) {
	p, q, near := a.points[v.A], a.points[v.B], a.samples[v.A]
	middle := lattice.Point{X: p.X + int32((int64(q.X)-int64(p.X))/2), Y: p.Y + int32((int64(q.Y)-int64(p.Y))/2)}
	if at := lattice.Nearest(middle, v.From, v.To); a.inside(at, near) {
		return at.Distance(p), true
	}
	nearest = math.Inf(1)
	for _, at := range [...]lattice.Point{v.From, v.To} {
		if a.inside(at, near) {
			nearest, ok = min(nearest, at.Distance(p)), true
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

// graph returns the borders in the domain, each branch from its corner, and the distances of its points from the
// walls.
func (a *axis) graph() (g *cuts.Graph, clearance []float64) {
	var segments [][2]lattice.Point
	far := map[lattice.Point]float64{}
	isCorner := map[lattice.Point]bool{}
	lastOf := map[lattice.Point]voronoi.Border{}
	branch := func(from, corner lattice.Point) {
		segments = append(segments, [2]lattice.Point{from, corner})
		far[corner] = 0
		isCorner[corner] = true
	}
	for _, v := range a.borders {
		near := a.samples[v.A]
		from, to := a.inside(v.From, near), a.inside(v.To, near)
		if !from && !to || a.isSparse(v) {
			continue
		}
		for _, p := range [...]lattice.Point{v.From, v.To} {
			far[p], lastOf[p] = p.Distance(a.points[v.A]), v
		}
		if from && to {
			segments = append(segments, [2]lattice.Point{v.From, v.To})
			continue
		}
		inner := v.From
		if to {
			inner = v.To
		}
		if corner, ok := a.common(a.samples[v.A], a.samples[v.B], inner); ok {
			branch(inner, corner)
		}
	}
	// Samples are too far apart in the tip of a corner, but there the axis is straight.
	g = cuts.NewGraph(segments, 0)
	for i, n := range g.Degrees() {
		p := g.Points[i]
		if v := lastOf[p]; n == 1 && !isCorner[p] {
			corner, ok := a.tip(a.samples[v.A], a.samples[v.B])
			if ok && p.Distance(corner) < max(v.From.Distance(corner), v.To.Distance(corner)) {
				branch(p, corner)
			}
		}
	}
	g = cuts.NewGraph(segments, 0)
	g.Prune(func(i int32) bool { return isCorner[g.Points[i]] })
	clearance = make([]float64, len(g.Points))
	for i, p := range g.Points {
		clearance[i] = far[p]
	}
	return g, clearance
}
