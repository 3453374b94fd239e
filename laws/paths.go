package laws

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/meadow-nav/meadow/floorplan/judge"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// The tolerances of paths, in metres: of the heights of their points, and of what is between them.
const (
	pointHeight = 0.05
	pieceHeight = query.HeightError + pointHeight
	// pathStride is the distance of the places of a piece that are compared with the floor; stepReach that within which a
	// step is found.
	pathStride = 0.25
	stepReach  = 0.02
)

// paths draws pairs of places of one component, and walks there and back.
func (c *checker) paths() error {
	if c.opt.Paths <= 0 || len(c.floor.regions) == 0 {
		return nil
	}
	index := query.NewIndex(c.floor.mesh)
	queries := sync.Pool{New: func() any { return index.NewQuery() }}
	return c.each(c.opt.Paths, func(i int, j *judge.Judge, l *look) {
		q := queries.Get().(*query.Query)
		defer queries.Put(q)
		rng := rand.New(rand.NewPCG(c.opt.Seed+2, uint64(i)))
		start, ok := q.RandomPoint(rng)
		if !ok {
			return
		}
		component := func(p query.Position) uint32 { return c.floor.regions[c.floor.number(p.Ref)].component }
		const tries = 100
		goal := start
		for range tries {
			if goal, _ = q.RandomPoint(rng); component(goal) == component(start) {
				break
			}
		}
		if component(goal) != component(start) {
			return
		}
		there, err := q.PathBetween(c.ctx, start, goal)
		if err != nil {
			l.pathError(err, start)
			return
		}
		there = there.Clone()
		back, err := q.PathBetween(c.ctx, goal, start)
		if err != nil {
			l.pathError(err, goal)
			return
		}
		if !there.Complete || !back.Complete {
			return // one-way links, or ground that not everybody may enter
		}
		l.Paths++
		l.PathMetres += there.Length
		if detail := differ(there, back); detail != "" && len(there.Crossings) == 0 {
			l.fault(PathLength, start.Ref, start.Point, "%s to %v", detail, goal.Point)
		}
		c.walkPath(there, start, j, l)
	})
}

func (l *look) pathError(err error, from query.Position) {
	if !errors.Is(err, query.ErrOffMesh) {
		return // cancelled, which is told elsewhere
	}
	l.fault(PathHeight, from.Ref, from.Point, "a place of the mesh is not found on it: %v", err)
}

// differ says how a path and the way back differ in length, "" if they do not.
func differ(there, back query.Path) string {
	const digits = 1e-6 // lengths are sums of a few thousand pieces, in another order
	if math.Abs(there.Length-back.Length) > digits*(1+there.Length) {
		return fmt.Sprintf("the path is %.6f m long, and %.6f m on the way back,", there.Length, back.Length)
	}
	if math.Abs(there.SurfaceLength-back.SurfaceLength) > surfaceDigits*(1+there.SurfaceLength) {
		return fmt.Sprintf("the path is %.3f m long over the floor, and %.3f m on the way back,", there.SurfaceLength, back.SurfaceLength)
	}
	return ""
}

// surfaceDigits is the part by which lengths over the floor may differ: both ways drop other points within
// query.HeightError.
const surfaceDigits = 0.01

// walkPath compares a path with the floors of the mesh and of the level. Links lead through the air.
func (c *checker) walkPath(p query.Path, start query.Position, j *judge.Judge, l *look) {
	link := func(a, b geom.Vec) bool {
		for _, x := range p.Crossings {
			if x.Link >= 0 && (x.From == a && x.To == b) {
				return true
			}
		}
		return false
	}
	for i, at := range p.Points {
		l.PathPoints++
		if detail := c.offFloor(at, pointHeight, j); detail != "" {
			l.fault(PathHeight, start.Ref, at, "a path from %v to %v: %s", p.Points[0], p.Points[len(p.Points)-1], detail)
			return
		}
		if i == 0 || link(p.Points[i-1], at) {
			continue
		}
		before := p.Points[i-1]
		run := math.Hypot(at.X-before.X, at.Z-before.Z)
		n := int(math.Ceil(run / pathStride))
		for k := 1; k < n; k++ {
			between := before.Add(at.Sub(before).Scale(float64(k) / float64(n)))
			l.PathPoints++
			if detail := c.offFloor(between, pieceHeight, j); detail != "" {
				l.fault(PathHeight, start.Ref, between, "a path from %v to %v: %s", p.Points[0], p.Points[len(p.Points)-1], detail)
				return
			}
		}
	}
}

// offFloor says how far a place is from the floors of mesh and level, "" if it is on both.
func (c *checker) offFloor(at geom.Vec, off float64, j *judge.Judge) string {
	f := c.floor
	below, above, found := math.Inf(-1), math.Inf(1), false
	f.near(at, stepReach, func(i int, _ float64) {
		found = true
		for _, d := range [5][2]float64{{0, 0}, {stepReach, 0}, {-stepReach, 0}, {0, stepReach}, {0, -stepReach}} {
			there := geom.Vec{X: at.X + d[0], Y: at.Y, Z: at.Z + d[1]}
			h := f.height(i, there)
			if h <= at.Y+off {
				below = max(below, h)
			}
			if h >= at.Y-off {
				above = min(above, h)
			}
		}
	})
	switch {
	case !found:
		return "no region is below"
	case !fits(at.Y, below, above, off, f.mesh.Agent.MaxClimb):
		return "the floor of the mesh is " + apart(at.Y, below, above)
	case c.lvl == nil:
		return ""
	}
	off += f.worst
	if below, above = bracket(j, at, off); !fits(at.Y, below, above, off, f.mesh.Agent.MaxClimb) {
		return "the floor of the level is " + apart(at.Y, below, above)
	}
	return ""
}
