package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
)

// Figure 32 has ten scenes of 23 to 965 vertices. The source prints no other number of vertices.
const (
	oliva32Scenes = 10
	oliva32First  = 23
	oliva32Last   = 965
	oliva32Runs   = 5
	// oliva32Longest ends the repetitions of a measurement.
	oliva32Longest = 100 * time.Millisecond
)

// oliva32Vertices are the numbers of vertices: geometric between the first and the last scene.
func oliva32Vertices(scene int) int {
	return int(math.Round(oliva32First * math.Pow(float64(oliva32Last)/oliva32First, float64(scene)/(oliva32Scenes-1))))
}

// oliva32World is a square with quads and pentagons that have the wanted number of vertices together.
func oliva32World(scene int) (World, error) {
	corners := oliva32Vertices(scene) - 4
	pentagons := corners % 4
	quads := (corners - 5*pentagons) / 4
	d, err := Rules{
		Side: 10 * math.Sqrt(float64(quads+pentagons)), Obstructed: 0.2, Gap: 0.5,
		Obstacles: slices.Concat(some(quads, Quad, Any, 1), some(pentagons, Pentagon, Any, 1)),
	}.Make(uint64(scene) + 1)
	return World{Name: fmt.Sprintf("scene %d", scene+1), Domain: d}, err
}

// allEdges is the search of the thesis's CPU form (O sections 4 and 4.1): every notch looks at all edges and at all earlier portals, with five
// candidates each, for the closest one in the area of interest.
type allEdges struct {
	walls   [][2]lattice.Point
	notches []notch32
	tests   int
}

// notch32 is a notch with the two directions that bound the area of interest, counter-clockwise from the first.
type notch32 struct {
	at       lattice.Point
	from, to [2]float64
}

func newAllEdges(d *plan.Domain) *allEdges {
	a := &allEdges{}
	for _, ring := range d.Rings {
		n := len(ring)
		for i, p := range ring {
			before, after := ring[(i+n-1)%n], ring[(i+1)%n]
			a.walls = append(a.walls, [2]lattice.Point{p, after})
			if lattice.Orient(before, p, after) < 0 {
				// The prolongations of both edges bound the area of interest.
				a.notches = append(a.notches, notch32{p, towards(before, p), towards(after, p)})
			}
		}
	}
	return a
}

func towards(from, to lattice.Point) [2]float64 {
	x, y := to.Sub(from)
	return [2]float64{float64(x), float64(y)}
}

func cross32(a, b [2]float64) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// closest returns the distance in metres from notch i to the closest element in its area of interest, infinite where it is empty.
func (a *allEdges) closest(i int, portals [][2]lattice.Point) float64 {
	n := &a.notches[i]
	best := math.Inf(1)
	for _, list := range [2][][2]lattice.Point{a.walls, portals} {
		for _, e := range list {
			a.tests++
			best = min(best, n.candidate(e))
		}
	}
	return best * lattice.Unit
}

// candidate returns the distance in lattice units to the best of the five candidates on an edge.
func (n *notch32) candidate(e [2]lattice.Point) float64 {
	p, d := towards(n.at, e[0]), towards(e[0], e[1])
	best := math.Inf(1)
	try := func(t float64) {
		if !(t >= 0 && t <= 1) {
			return
		}
		q := [2]float64{p[0] + float64(t*d[0]), p[1] + float64(t*d[1])}
		// Rounding must not lose a candidate on the side of the area.
		slack := 1e-9 * (math.Abs(q[0]) + math.Abs(q[1]))
		inside := func(side [2]float64) float64 { return slack * (math.Abs(side[0]) + math.Abs(side[1])) }
		if r := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1])); r > 0.5 && r < best && cross32(n.from, q) >= -inside(n.from) && cross32(q, n.to) >= -inside(n.to) {
			best = r
		}
	}
	try(0)
	try(1)
	try(-(float64(p[0]*d[0]) + float64(p[1]*d[1])) / (float64(d[0]*d[0]) + float64(d[1]*d[1])))
	for _, side := range [2][2]float64{n.from, n.to} {
		if c := cross32(side, d); c != 0 {
			try(-cross32(side, p) / c)
		}
	}
	return best
}

// madePortals keeps the portals in the order of their making.
type madePortals struct{ list [][2]lattice.Point }

// Step is of [gen.Observer].
func (p *madePortals) Step(name string, segments [][2]lattice.Point) {
	if name == "portals" {
		p.list = segments
	}
}

// scan searches for all notches, with the portals that were there by then, and returns the sum of distances.
func (a *allEdges) scan(portals [][2]lattice.Point) (sum float64) {
	a.tests = 0
	for i := range a.notches {
		if d := a.closest(i, portals[:len(portals)*i/len(a.notches)]); !math.IsInf(d, 1) {
			sum += d
		}
	}
	return sum
}

// least is the shortest of some runs.
func least(run func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	begin := time.Now()
	for i := 0; i < oliva32Runs && (i == 0 || time.Since(begin) < oliva32Longest); i++ {
		start := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start))
	}
	return best, nil
}

// powerOf is the exponent of a power law, by least squares of logarithms.
func powerOf(x, y []float64) float64 {
	var mx, my, xx, xy float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		dx := math.Log(x[i]) - mx
		xx += float64(dx * dx)
		xy += float64(dx * (math.Log(y[i]) - my))
	}
	return xy / xx
}

// oliva32 is time by the number of vertices.
func oliva32(ctx context.Context, opt Options) (Report, error) {
	scenes := oliva32Scenes
	if opt.Worlds > 0 {
		scenes = min(opt.Worlds, scenes)
	}
	if opt.Show > scenes {
		return Report{}, fmt.Errorf("experiment: world %d is to be shown, there are %d", opt.Show, scenes)
	}
	r := Report{Trials: fmt.Sprintf("%d scenes of quads and pentagons, with 23 to 965 vertices, a constant ratio apart; the shortest of %d runs", scenes, oliva32Runs)}
	var vertices, tests []float64
	worlds := make([]World, scenes)
	var rows [5][]Row
	for scene := range scenes {
		w, err := oliva32World(scene)
		if err != nil {
			return Report{}, err
		}
		worlds[scene] = w
		a := newAllEdges(w.Domain)
		var portals madePortals
		res, err := anavmg.Generator{}.Decompose(ctx, gen.Input{Domain: w.Domain, Watch: &portals})
		if err != nil {
			return Report{}, err
		}
		scan, err := least(func() error { a.scan(portals.list); return ctx.Err() })
		if err != nil {
			return Report{}, err
		}
		whole, err := least(func() error {
			_, err := anavmg.Generator{}.Decompose(ctx, gen.Input{Domain: w.Domain})
			return err
		})
		if err != nil {
			return Report{}, err
		}
		name := fmt.Sprintf("scene_%d", scene+1)
		count := constructed(name, "vertices", float64(w.Domain.Len()))
		switch scene {
		case 0:
			count.Published = oliva32First
		case oliva32Scenes - 1:
			count.Published = oliva32Last
		}
		for i, row := range []Row{
			count,
			constructed(name, "cells", float64(len(res.Cells))),
			constructed(name, "all_edges_tests", float64(a.tests)),
			constructed(name, "all_edges_ms", scan.Seconds()*1000),
			constructed(name, "anavmg_ms", whole.Seconds()*1000),
		} {
			rows[i] = append(rows[i], row)
		}
		vertices, tests = append(vertices, float64(w.Domain.Len())), append(tests, float64(a.tests))
	}
	r.Rows = slices.Concat(rows[:]...)
	if scenes > 1 {
		power := powerOf(vertices, tests)
		r.claim(fmt.Sprintf("the CPU form grows with the square of the number of vertices (here its tests by the power %.2f)", power), math.Abs(power-2) < 0.15)
	}
	r.Reasons = append(
		r.Reasons,
		Reason{"anavmg_ms", "Our walk over the triangulation, with everything besides: triangulation, portals, cells. The line above has the search alone."},
		Reason{"all_edges_ms", "The thesis draws times in a chart without numbers, on a processor of 2007."},
		Reason{"figure 32, GPU half, figures 33 and 34", "The GPU form takes 0.312 s for 965 vertices in the thesis. Texture width and zFar belong to its renders, which wait for row A2."},
	)
	list := []gen.Generator{anavmg.Generator{}}
	show := max(opt.Show, 1) - 1
	t, err := runTrials(ctx, worlds[show:show+1], list, 1, metric.Options{})
	if err != nil {
		return Report{}, err
	}
	return r, r.show(worlds[show:show+1], list, t, Options{})
}
