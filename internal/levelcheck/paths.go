package levelcheck

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/query"
)

// The tolerances of paths. Heights are in metres. Lengths are relative: they are sums of thousands of pieces in another order.
const (
	pathHeight  = query.HeightError
	lengthError = 1e-9
	// pathStride is the distance in metres between places of a piece that are compared with the level.
	pathStride = 0.25
	// bridge is the widest crack in metres that a path crosses without a floor: a filled crack along its diagonal.
	bridge = 0.2
)

// paths draws pairs of places of one component, and walks there and back.
func (c *checker) paths() error {
	if c.opt.Paths <= 0 || len(c.floor.regions) == 0 {
		return nil
	}
	index, err := query.NewIndexWith(c.ctx, c.floor.mesh)
	if err != nil {
		return err
	}
	c.footing = footing.New(c.floor.mesh)
	queries := sync.Pool{New: func() any { return index.NewQuery() }}
	return c.each(c.opt.Paths, func(i int, j *groundtruth.Judge, l *look) {
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
		// A link may lead one way only.
		over := [2]float64{there.SurfaceLength(), there.SurfaceLength()}
		if turnsAlike(there.Points, back.Points) { // else another way is as short
			over[1] = back.SurfaceLength()
		}
		if detail := differ([2]float64{there.Length, back.Length}, over); detail != "" && len(there.Crossings) == 0 && len(back.Crossings) == 0 {
			l.fault(PathLength, start.Ref, start.Point, "%s to %v", detail, goal.Point)
		}
		c.walkPath(there.Surface(), there.Crossings, start, j, l)
	})
}

func (l *look) pathError(err error, from query.Position) {
	if !errors.Is(err, query.ErrOffMesh) {
		return // cancelled, which is told elsewhere
	}
	l.fault(PathHeight, from.Ref, from.Point, "a place of the mesh is not found on it: %v", err)
}

// turnsAlike reports whether a path turns at the places where the way back turns.
func turnsAlike(there, back []geom.Vec) bool {
	if len(there) != len(back) {
		return false
	}
	for i, a := range there {
		if b := back[len(back)-1-i]; a.X != b.X || a.Z != b.Z {
			return false
		}
	}
	return true
}

// differ says how a path and the way back differ in length, or in length over the floor; "" if they do not.
func differ(length, surface [2]float64) string {
	if math.Abs(length[0]-length[1]) > lengthError*(1+length[0]) {
		return fmt.Sprintf("the path is %.6f m long, and %.6f m on the way back,", length[0], length[1])
	}
	if math.Abs(surface[0]-surface[1]) > lengthError*(1+surface[0]) {
		return fmt.Sprintf("the path is %.6f m long over the floor, and %.6f m on the way back,", surface[0], surface[1])
	}
	return ""
}

// walkPath compares a path with the floors of the mesh and of the level. Links lead through the air.
func (c *checker) walkPath(way []geom.Vec, crossings []query.Crossing, start query.Position, j *groundtruth.Judge, l *look) {
	for first := 0; first < len(way); {
		end := first + 1
		for end < len(way) && !linked(way, crossings, end) {
			end++
		}
		l.PathPoints += end - first
		if at, detail := c.offFloor(way[first:end], j, l); detail != "" {
			l.fault(PathHeight, start.Ref, at, "a path from %v to %v: %s", way[0], way[len(way)-1], detail)
			return
		}
		first = end
	}
}

// linked reports whether the piece that ends at point i of a path is a link.
func linked(way []geom.Vec, crossings []query.Crossing, i int) bool {
	return slices.ContainsFunc(crossings, func(x query.Crossing) bool {
		return x.Link >= 0 && x.From == way[i-1] && x.To == way[i]
	})
}

// offFloor says where and how far a way is from the floors of mesh and level, "" if it is on both.
func (c *checker) offFloor(way []geom.Vec, j *groundtruth.Judge, l *look) (at geom.Vec, detail string) {
	r := c.footing.Check(way, pathHeight)
	switch {
	case r.Off > 0:
		return r.OffAt, fmt.Sprintf("it is %.3f m above or below the floor of the mesh", r.Off)
	case r.Bridged > bridge:
		return r.BridgedAt, fmt.Sprintf("it has no floor of the mesh for %.2f m", r.Bridged)
	}
	for _, end := range []geom.Vec{way[0], way[len(way)-1]} {
		if c.footing.Check([]geom.Vec{end}, pathHeight).Bridged > 0 {
			return end, "it ends beside the floor of the mesh"
		}
	}
	if c.lvl == nil {
		return at, ""
	}
	off := pathHeight + c.floor.worst
	for i, p := range way {
		before := way[max(i-1, 0)]
		n := max(1, int(math.Ceil(math.Hypot(p.X-before.X, p.Z-before.Z)/pathStride)))
		l.PathPoints += n
		for k := 1; k <= n; k++ {
			at := before.Add(p.Sub(before).Scale(float64(k) / float64(n)))
			if below, above := bracket(j, at, off); !fits(at.Y, below, above, off, c.floor.mesh.Agent.MaxClimb) {
				return at, "the floor of the level is " + apart(at.Y, below, above)
			}
		}
	}
	return at, ""
}
