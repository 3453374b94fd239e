package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
)

// On much of the floor of some levels, the backs of vaults and the tops of walls, no agent finds a place. Cutting this
// floor still costs much, so triangles without any effect are left out first. Each point of a barren triangle is nearer
// than the radius to an obstacle over the triangle, or to a floor's edge along a side. For a small triangle, as of
// ornaments, the obstacles and edges of barren neighbours count as well. A barren triangle with only barren triangles
// within reach has no floor in common with the disc of any place. Away from crossings the search needs only the
// triangle's own layer, which is flat. Near crossings the search follows the steps between layers.
//
// Leaving a triangle out makes the floor smaller, and a smaller floor frees no place. The obstacles over the triangle
// go as well, and free no place either. Places over the triangle have no floor any more. Places on other triangles
// within reach are on barren ones, whose own obstacles stay. Narrow cracks are filled, so a triangle must be barren for
// the radius less a gap.

// leaveOut finds the triangles without any effect on the places of the agent's centre.
func (e *extraction) leaveOut(ctx context.Context, jobs int) error {
	n := len(e.layer)
	barren := make([]bool, n)
	e.left, e.looked = make([]bool, n), make([]int32, n)
	if err := e.block(ctx, jobs, barren); err != nil {
		return err
	}
	const chunk = 256
	chunks := (n + chunk - 1) / chunk
	crossings := e.crossingTree()
	// The bars of barren neighbours make small triangles barren, too.
	own := slices.Clone(barren)
	err := par.For(ctx, jobs, chunks, func(c int) error {
		var bars []bar
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if e.layer[i] != unassigned && !own[i] {
				bars = e.barsBeside(bars[:0], int32(i), own, crossings)
				barren[i] = e.barren(int32(i), bars)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	floods := sync.Pool{New: func() any { return &flood{at: make([]int32, n)} }}
	err = par.For(ctx, jobs, chunks, func(c int) error {
		f := floods.Get().(*flood)
		defer floods.Put(f)
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if barren[i] && e.roomOf(int32(i)) != ample {
				e.left[i] = true
			} else if barren[i] {
				around := e.disc(*e.box(int32(i)), 2)
				e.left[i] = !crossings.Meets(&around) && e.alone(int32(i), barren) || e.secluded(int32(i), barren, f)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.crossings = slices.DeleteFunc(e.crossings, func(l link) bool { return e.left[l.from] && e.left[l.to] })
	return e.complete(ctx, jobs, e.matters)
}

// crossingTree returns a tree of the crossings between layers.
func (e *extraction) crossingTree() *tree {
	boxes := make([]box3, len(e.crossings))
	for i, c := range e.crossings {
		boxes[i] = boxOf(c.a, c.b)
	}
	return boxtree.New(boxes, nil)
}

// disc returns a box with some margins around it, of any height.
func (e *extraction) disc(b box3, margins int32) box3 {
	b = b.Grown(margins * e.margin())
	b.Low[2], b.High[2] = math.MinInt32, math.MaxInt32
	return b
}

// barsBeside appends the bars of barren triangles beside a small one in its layer, and of their barren neighbours. No
// layer lies over itself, so the neighbours' bars are as good as own bars, unless a step on the way leads to another
// layer.
func (e *extraction) barsBeside(bars []bar, i int32, barren []bool, crossings *tree) []bar {
	const most = 12
	if b := e.box(i); float64(max(b.High[0]-b.Low[0], b.High[1]-b.Low[1])) > e.radius {
		return bars
	}
	seen := make([]int32, 1, most)
	seen[0] = i
	for k := 0; k < len(seen); k++ {
		for _, t := range e.linked.Of(seen[k]) {
			if len(seen) < most && barren[t] && e.layer[t] == e.layer[i] && !slices.Contains(seen, t) {
				seen = append(seen, t)
				bars = e.appendBars(bars, t)
			}
		}
	}
	if disc := e.disc(*e.box(i), 1); len(bars) > 0 && crossings.Meets(&disc) {
		return bars[:0]
	}
	return bars
}

// alone reports whether all floor of a triangle's layer within reach of a disc on the triangle is barren.
func (e *extraction) alone(i int32, barren []bool) bool {
	disc := e.disc(*e.box(i), 1)
	return !e.floorsOf(e.layer[i]).Any(&disc, func(t int32) bool { return e.layer[t] == e.layer[i] && !barren[t] })
}

// matters reports whether a triangle is in a layer and not left out.
func (e *extraction) matters(i int32) bool { return e.layer[i] != unassigned && !e.left[i] }

// everywhere erodes the floors of all layers with nothing left out or fused, and returns the floors with their
// extraction. Error messages use the result to tell how wide places are where the agent finds none. All steps run
// again, because their memory was given back.
func (e *extraction) everywhere(ctx context.Context) (*extraction, []eroded, error) {
	again := &extraction{
		soup: e.soup, faces: e.faces, radius: e.radius, height: e.height, climb: e.climb, gap: e.gap, arcs: e.arcs, simplify: e.simplify, jobs: 1,
	}
	again.floors = boxtree.New(boxesOf(again.soup), func(i int) bool { return again.soup.Triangles[i].Walkable })
	again.solids = boxtree.New(again.faceBoxes(), nil)
	// The triangles have the bridges already.
	if err := again.findPlanted(ctx, 1, func(int, string) {}); err != nil {
		return nil, nil, err
	}
	if err := again.complete(ctx, 1, everything); err != nil {
		return nil, nil, err
	}
	clear(again.left)
	ts := again.territories()
	floors := make([]eroded, len(ts))
	for l := range ts {
		var err error
		if floors[l], err = again.inset(ts[l]); err != nil {
			return nil, nil, fmt.Errorf("layer %d: %w", l, err)
		}
	}
	return again, floors, nil
}

// barren reports whether all points of a triangle are nearer to bars than the radius less a gap.
func (e *extraction) barren(i int32, bars []bar) bool {
	if len(bars) == 0 {
		return false
	}
	limit := e.radius - e.gap - 4*touching
	v := &e.soup.Triangles[i].V
	var corners [3]point3
	for k := range v {
		corners[k] = point3{float64(v[k].X), float64(v[k].Y), 0}
	}
	const depth = 3
	return limit > 0 && allNear(&corners, bars, limit*limit, depth)
}

// appendBars appends the known obstacles over a triangle, and the edges of the floor along its sides.
func (e *extraction) appendBars(bars []bar, i int32) []bar {
	x := e.exposed[i]
	for k := range x.walls {
		bars = append(bars, x.walls[k].bar())
	}
	for _, r := range x.blocked {
		bars = appendRing(bars, r)
	}
	return e.appendRimBars(bars, i)
}

func appendRing(bars []bar, r lattice.Ring) []bar {
	for k, a := range r {
		bars = append(bars, barOf(a, r[(k+1)%len(r)]))
	}
	return bars
}

// appendRimBars appends the edges of the floor along the sides of a triangle.
func (e *extraction) appendRimBars(bars []bar, i int32) []bar {
	rims := e.rimsOf(i)
	for k := range rims {
		r := &rims[k]
		// A stretch no longer than a gap may be the end of a crack.
		for _, s := range without([]stretch{{0, 1}}, stretchesOf(r.joined), e.gap/r.a.Distance(r.b.Point)) {
			bars = append(bars, barOf(r.at(s.from).Point, r.at(s.to).Point))
		}
	}
	return bars
}

// bar is a segment seen from above: its start (x, y) and its direction (dx, dy).
type bar struct{ x, y, dx, dy, length2 float64 }

func barOf(a, b lattice.Point) bar {
	dx, dy := b.Sub(a)
	return bar{float64(a.X), float64(a.Y), float64(dx), float64(dy), float64(float64(dx)*float64(dx)) + float64(float64(dy)*float64(dy))}
}

// near reports whether a place is nearer than √limit2.
func (b *bar) near(p *point3, limit2 float64) bool {
	x, y := p.x-b.x, p.y-b.y
	if along := float64(x*b.dx) + float64(y*b.dy); along > 0 {
		t := 1.0
		if along < b.length2 {
			t = along / b.length2
		}
		x, y = x-float64(t*b.dx), y-float64(t*b.dy)
	}
	return float64(x*x)+float64(y*y) < limit2
}

// allNear reports whether all points of a triangle are nearer than √limit2 to bars. The set of places near a bar is
// convex, so a triangle with three near corners is near. Other triangles are cut in four, at most depth times.
func allNear(t *[3]point3, bars []bar, limit2 float64, depth int) bool {
	middle := point3{(t[0].x + t[1].x + t[2].x) / 3, (t[0].y + t[1].y + t[2].y) / 3, 0}
	some := false
	for i := range bars {
		b := &bars[i]
		if !b.near(&middle, limit2) {
			continue
		}
		if some = true; b.near(&t[0], limit2) && b.near(&t[1], limit2) && b.near(&t[2], limit2) {
			return true
		}
	}
	if !some || depth == 0 {
		return false
	}
	half := func(i, j int) point3 { return point3{(t[i].x + t[j].x) / 2, (t[i].y + t[j].y) / 2, 0} }
	a, b, c := half(1, 2), half(2, 0), half(0, 1)
	return allNear(&[3]point3{a, b, c}, bars, limit2, depth-1) && allNear(&[3]point3{t[0], c, b}, bars, limit2, depth-1) &&
		allNear(&[3]point3{c, t[1], a}, bars, limit2, depth-1) && allNear(&[3]point3{b, a, t[2]}, bars, limit2, depth-1)
}

// flood is the scratch of a search along steps: by triangle, the number of the last flood to arrive there.
type flood struct {
	at     []int32
	number int32
	front  []int32
}

// secluded reports whether all floor within steps of a triangle, in whatever layer and within reach of a disc on the
// triangle, is barren. The answer is quick, and false where too many triangles are near.
func (e *extraction) secluded(i int32, barren []bool, f *flood) bool {
	const most = 256
	disc, way := e.disc(*e.box(i), 1), e.disc(*e.box(i), 2)
	f.number++
	f.at[i] = f.number
	f.front = append(f.front[:0], i)
	for k := 0; k < len(f.front); k++ {
		for _, t := range e.linked.Of(f.front[k]) {
			if f.at[t] == f.number || e.layer[t] == unassigned || !way.Meets(e.box(t)) {
				continue
			}
			if !barren[t] && disc.Meets(e.box(t)) || len(f.front) == most {
				return false
			}
			f.at[t] = f.number
			f.front = append(f.front, t)
		}
	}
	return true
}
