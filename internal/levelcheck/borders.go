package levelcheck

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/groundtruth"
)

func metres(v float64) string { return fmt.Sprintf("%.3f m", v) }

// walkSpacing is the distance in metres of walks from a border towards a shape that is too near.
const walkSpacing = 0.1

// narrow is the least room in metres, beyond the radius and to both sides, of a way behind a border.
const narrow = cornerTolerance + farSlack

// leastSpacing is the least distance of places behind borders, in metres.
const leastSpacing = 0.25

// borders measures all borders, and looks behind them.
func (c *checker) borders() error {
	edges := c.floor.borders()
	total := 0.0
	for _, e := range edges {
		total += e.length()
	}
	c.coverage.Spacing = max(leastSpacing, total/float64(max(1, c.opt.Places)))
	return c.each(len(edges), func(i int, j *groundtruth.Judge, l *look) {
		e := &edges[i]
		l.Border += e.length()
		c.tooNear(e, j, l)
		n := max(1, int(math.Ceil(e.length()/c.coverage.Spacing)))
		for k := range n {
			l.Behind++
			if c.behind(e, (float64(k)+0.5)/float64(n), j, l) {
				return
			}
		}
	})
}

func (e *edge) length() float64 { return math.Hypot(e.b.X-e.a.X, e.b.Z-e.a.Z) }

// over returns the place of an edge over one of its points, at a height between both ends.
func (e *edge) over(x, z float64) geom.Vec {
	n := e.length()
	t := ((x-e.a.X)*(e.b.X-e.a.X) + (z-e.a.Z)*(e.b.Z-e.a.Z)) / (n * n)
	return geom.Vec{X: x, Y: e.a.Y + t*(e.b.Y-e.a.Y), Z: z}
}

// tooNear measures a part of border against all obstacles.
func (c *checker) tooNear(e *edge, j *groundtruth.Judge, l *look) {
	limit := c.floor.mesh.Agent.Radius - c.opt.Near
	floor := func(x, z float64) float64 { return c.floor.height(e.region, e.over(x, z)) }
	look := func(j *groundtruth.Judge) *groundtruth.Contact {
		if found, ok := j.Contact(e.a, e.b, limit, walkSpacing, floor); ok {
			return &found
		}
		return nil
	}
	found := look(j)
	if found == nil {
		return
	}
	for _, lenient := range c.lenient() {
		if found = ask(lenient, look); found == nil {
			return
		}
	}
	l.fault(NearBorder, c.floor.regions[e.region].ref, found.From,
		"the border is %.3f m from a %v at %v, the radius is %g m", found.Distance, found.Cause, found.At, c.floor.mesh.Agent.Radius)
}

// behind looks behind a place of a border, and reports whether it found a fault. The floor may go on for as far as borders
// may be simplified.
func (c *checker) behind(e *edge, t float64, j *groundtruth.Judge, l *look) bool {
	at := e.a.Add(e.b.Sub(e.a).Scale(t))
	at.Y = c.floor.height(e.region, at)
	to, ok := c.outward(e, at, j)
	if !ok {
		return false
	}
	r := &c.floor.regions[e.region]
	other := c.floor.inside(to, c.floor.step)
	switch {
	case other >= 0 && c.floor.regions[other].component == r.component:
		return false // two borders face each other, and the floor goes on between them
	case other < 0 && c.isBeside(to):
		return false
	}
	// The strict judge goes on both sides of the way as well: who stands exactly in line with an edge does not see it.
	const aside = 0.01
	along := e.b.Sub(e.a).Scale(aside / e.length())
	for _, from := range [3]geom.Vec{at, at.Add(along), at.Sub(along)} {
		for _, strict := range c.strict() {
			if !ask(strict, func(j *groundtruth.Judge) bool {
				end, ok := c.outward(e, from, j)
				return ok && c.hasRoom(from, narrow, j) && c.hasRoom(end, 0, j)
			}) {
				return false
			}
		}
	}
	if other >= 0 {
		l.join = append(l.join, [2]int{e.region, other})
		l.fault(Parts, r.ref, at, "the floor goes on to region %d in another component, at %v", other, to)
	} else {
		l.fault(LostFloor, r.ref, at, "the floor goes on behind the border to %v, and no region is there", to)
	}
	return true
}

// isBeside reports whether a place has a region as near as borders may be simplified.
func (c *checker) isBeside(at geom.Vec) bool {
	found := false
	c.floor.near(at, c.opt.Far(), func(k int, _ float64) {
		found = found || math.Abs(c.floor.height(k, at)-at.Y) <= c.floor.step
	})
	return found
}

// outward goes from a place of a border straight out of the region, farther than a simplified border may be from the
// floor's own. It returns the place there, and whether the agent has room on all of the way. Borders around two corners may
// close a passage that is narrow.
func (c *checker) outward(e *edge, at geom.Vec, j *groundtruth.Judge) (geom.Vec, bool) {
	const stride = 0.02
	depth := c.opt.Far() + stride
	// To the right of the edge, seen from above.
	dx, dz := (e.a.Z-e.b.Z)/e.length(), (e.b.X-e.a.X)/e.length()
	// The end of the way is the place where there is no room most often.
	w := j.Walk(at, at.X+depth*dx, at.Z+depth*dz)
	if w.Cause != groundtruth.None || !j.Walkable(w.At.X, w.At.Z, w.At.Y) {
		return at, false
	}
	// Around a walkable place all is walkable within its margin.
	for s, y := 0.0, at.Y; s < depth; {
		v := j.At(at.X+s*dx, at.Z+s*dz, y)
		if v.Margin < narrow {
			return at, false
		}
		y = v.Height
		s += max(v.Margin, stride)
	}
	// At a small angle to a ledge or a step the judge sees no more than a corner. Room to both sides is room for the agent
	// there, too, and the angle is larger from beside.
	aside := e.b.Sub(e.a).Scale(narrow / e.length())
	ok := j.Walkable(w.At.X+aside.X, w.At.Z+aside.Z, w.At.Y) && j.Walkable(w.At.X-aside.X, w.At.Z-aside.Z, w.At.Y)
	return w.At, ok
}
