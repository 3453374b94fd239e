package query

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// MovePosition moves the agent along the floor towards a place, like [Query.MoveAlongSurface], and updates the corridor
// to lead from the new position. The method is meant for the step of a frame. If the agent has left the corridor, the
// regions back to the corridor are put in front.
func (c *Corridor) MovePosition(q *Query, to geom.Vec) error {
	q = q.ready()
	c.changedOn(q.ix)
	move, err := q.MoveAlongSurface(c.position, to)
	if err != nil {
		return err
	}
	from, end := c.onLattice(q, c.position), c.onLattice(q, move.End)
	slices.Reverse(q.ray.Trail)
	c.followTrail(q, from, end)
	added := c.replaceFront()
	c.position = move.End
	c.leaveBehind(q.regionsAt(c.position, end))
	for k := min(added+1, c.firstLeg()-1); k > 1; k-- {
		if c.cutIn(q, k, end) {
			break
		}
	}
	return nil
}

// followTrail sets c.fresh to the steps through the regions of q.ray.trail, along the way between two points.
func (c *Corridor) followTrail(q *Query, from, to lattice.Point) {
	c.fresh = append(c.fresh[:0], step{region: q.ix.Region(q.ray.Trail[0]).Ref, link: index.None})
	for i := 1; i < len(q.ray.Trail); i++ {
		next, _ := through(q.ix, q.ray.Trail[i-1], q.ray.Trail[i], from, to)
		c.fresh = append(c.fresh, next)
	}
}

// leaveBehind also drops the regions before the last region that contains the agent: on a border the agent is in the
// regions on both sides.
func (c *Corridor) leaveBehind(around []navmesh.Ref) {
	for i := c.firstLeg() - 1; i > 0; i-- {
		if slices.Contains(around, c.steps[i].region) {
			c.steps = append(c.steps[:0], c.steps[i:]...)
			c.steps[0] = step{region: c.steps[0].region, link: index.None}
			c.position.Ref = c.steps[0].region
			return
		}
	}
}

// cutIn goes from the first region directly to the region of step k, if a portal leads there and the way becomes
// shorter. The result reports success.
func (c *Corridor) cutIn(q *Query, k int, at lattice.Point) bool {
	from, err := q.ix.Named(c.steps[0].region)
	if err != nil {
		return false
	}
	to, err := q.ix.Named(c.steps[k].region)
	if err != nil {
		return false
	}
	next, ok := through(q.ix, from, to, at, at)
	if !ok {
		return false
	}
	before := c.legLength(q)
	c.spare = append(append(c.spare[:0], c.steps[0], next), c.steps[k+1:]...)
	c.steps, c.spare = c.spare, c.steps
	if c.legLength(q) < before {
		return true
	}
	c.steps, c.spare = c.spare, c.steps
	return false
}

// legLength returns the length of the way to the next link or to the target, in lattice units, or +Inf if the way is
// gone.
func (c *Corridor) legLength(q *Query) (sum float64) {
	bends, _, _, err := c.taut(q, c.firstLeg())
	if err != nil {
		return math.Inf(1)
	}
	for i := 1; i < len(bends); i++ {
		sum += index.Distance(bends[i-1].Point, bends[i].Point)
	}
	return sum
}

// MoveTarget moves the target along the floor towards a place, like [Query.MoveAlongSurface], and extends the corridor
// to the new target. The method is for goals that move by steps. The corridor leads to the target but may not be the
// shortest, and is not Complete where a wall kept the target from the place.
func (c *Corridor) MoveTarget(q *Query, to geom.Vec) error {
	q = q.ready()
	c.changedOn(q.ix)
	move, err := q.MoveAlongSurface(c.target, to)
	if err != nil {
		return err
	}
	from, end := c.onLattice(q, c.target), c.onLattice(q, move.End)
	for i := range c.steps {
		j := slices.Index(move.Regions, c.steps[i].region)
		if j < 0 {
			continue
		}
		c.steps = c.steps[:i+1]
		c.followTrail(q, from, end)
		c.steps = append(c.steps, c.fresh[j+1:]...)
		break
	}
	c.target, c.complete = move.End, c.complete && move.Arrived
	// On a border the target is in the regions on both sides, and the way may end in the first of these regions.
	around := q.regionsAt(c.target, end)
	for i := c.lastLeg(); i < len(c.steps)-1; i++ {
		if slices.Contains(around, c.steps[i].region) {
			c.steps = c.steps[:i+1]
			c.target.Ref = c.last().region
			break
		}
	}
	return nil
}

// regionsAt returns the regions around a position, in memory of the Query.
func (q *Query) regionsAt(p Position, at lattice.Point) []navmesh.Ref {
	q.ray.Shared.Regions = q.ix.RegionsAround(q.ray.Shared.Regions[:0], index.Place{Region: q.ix.Number(p.Ref), At: at})
	return q.refs(q.ray.Shared.Regions)
}

// lastLeg returns the index of the step behind the last link, or 0.
func (c *Corridor) lastLeg() int {
	i := len(c.steps) - 1
	for i > 0 && c.steps[i].link == index.None {
		i--
	}
	return i
}

// onLattice returns the lattice point of a position.
func (c *Corridor) onLattice(q *Query, p Position) lattice.Point {
	at, _, _ := q.ix.Mesh.Frame.FromWorld(p.Point)
	return at
}

// replaceFront replaces the front of the corridor by c.fresh and returns the number of steps used. The front ends at
// the farthest corridor region in c.fresh. Links are not passed over: a link may be cheaper than the walk beside the
// link.
func (c *Corridor) replaceFront() int {
	for i := c.firstLeg() - 1; i >= 0; i-- {
		for j, f := range slices.Backward(c.fresh) {
			if f.region == c.steps[i].region {
				c.spare = append(append(c.spare[:0], c.fresh[:j+1]...), c.steps[i+1:]...)
				c.steps, c.spare = c.spare, c.steps
				return j + 1
			}
		}
	}
	return 0
}

// firstLeg returns the number of steps up to the first link, or to the target.
func (c *Corridor) firstLeg() int {
	for i := 1; i < len(c.steps); i++ {
		if c.steps[i].link != index.None {
			return i
		}
	}
	return len(c.steps)
}

// taut returns the shortest way through the first n steps and its two ends: the position, and the door of the next step
// or the target. All regions on the way must exist.
func (c *Corridor) taut(q *Query, n int) (bends []route.Bend, from, to index.Place, err error) {
	if len(c.steps) == 0 {
		return nil, index.Place{}, index.Place{}, errEmpty
	}
	for i := range c.steps[:n] {
		if _, err := q.ix.Named(c.steps[i].region); err != nil {
			return nil, index.Place{}, index.Place{}, err
		}
	}
	if from, err = stand(q.ix, c.position); err != nil {
		return nil, index.Place{}, index.Place{}, err
	}
	if n < len(c.steps) {
		at := c.steps[n].door.Left // for a link, its start
		r := q.ix.Number(c.steps[n-1].region)
		to = index.Place{Region: r, At: at, Z: q.ix.HeightAt(r, float64(at.X), float64(at.Y))}
	} else if to, err = stand(q.ix, c.target); err != nil {
		return nil, index.Place{}, index.Place{}, err
	}
	q.way.Gates = q.way.Gates[:0]
	for i := range c.steps[1:n] {
		q.way.Gates = append(q.way.Gates, c.steps[i+1].door)
	}
	return q.Funnel(from.At, to.At, q.way.Gates), from, to, nil
}

// Corners appends at most the given number of next corners of the corridor's shortest path to a list: its bends, and
// last the target or the start of a link. Corners exactly at the agent's lattice point are left out, except the last
// corner. Time O(n) for n regions up to the first link.
func (c *Corridor) Corners(q *Query, list []Corner, most int) ([]Corner, error) {
	q = q.ready()
	n := c.firstLeg()
	bends, from, to, err := c.taut(q, n)
	if err != nil {
		return list, err
	}
	come := true // the agent is at all bends so far
	for i, b := range bends {
		last := i+1 == len(bends)
		// A way may come back to the agent's point, in a floor that touches itself there.
		come = come && b.Point == from.At
		if most <= 0 || come && !last {
			continue
		}
		most--
		corner := Corner{Position: position(q.ix, to), Link: index.None}
		switch {
		case !last:
			r := q.ix.Number(c.steps[b.Gate].region)
			corner.Position = Position{c.steps[b.Gate].region, q.ix.OnFloor(r, b.Point)}
		case n < len(c.steps):
			corner.Link = int(c.steps[n].link)
		default:
			corner.Position, corner.Target = c.target, true
		}
		list = append(list, corner)
	}
	return list, nil
}

// Ahead returns the agent's place after the given number of metres, seen from above; at most the start of the next
// link, or the target. A [Search] from Ahead can plan the rest of the way while the agent walks, see [Corridor.Take].
func (c *Corridor) Ahead(q *Query, metres float64) (Position, error) {
	q = q.ready()
	if !(metres >= 0) {
		return Position{}, fmt.Errorf("query: corridor: %v m ahead is no length", metres)
	}
	bends, _, to, err := c.taut(q, c.firstLeg())
	if err != nil {
		return Position{}, err
	}
	left := metres * lattice.UnitsPerMetre
	for i := 1; i < len(bends); i++ {
		a, b := bends[i-1], bends[i]
		long := index.Distance(a.Point, b.Point)
		if long < left {
			left -= long
			continue
		}
		t := left / max(long, 1)
		g := a.Gate + 1
		for ; g < b.Gate && g < len(q.way.Gates); g++ {
			next := min(g+1, len(q.way.Gates)-1)
			if crossedAt(a.Point, b.Point, q.way.Gates[g], q.way.Gates[next], next > g) > t {
				break
			}
		}
		dx, dy := index.Sub(b.Point, a.Point)
		r := q.ix.Number(c.steps[g].region)
		return position(q.ix, q.ix.PlaceNear(r, float64(a.X)+float64(t*dx), float64(a.Y)+float64(t*dy))), nil
	}
	return position(q.ix, to), nil
}

// OptimizeVisibility drops regions that a straight way bypasses. The way leads towards a place, usually a corner
// farther along, and must be free up to the given reach in metres. The call is cheap and worthwhile every few frames
// for an agent that was pushed off its path.
func (c *Corridor) OptimizeVisibility(q *Query, towards geom.Vec, reach float64) error {
	q = q.ready()
	c.changedOn(q.ix)
	if !(reach > 0) {
		return fmt.Errorf("query: corridor: %v m is no reach", reach)
	}
	way := towards.Sub(c.position.Point)
	way.Y = 0
	if l := index.Length(way.X, way.Z); l > reach {
		towards = c.position.Point.Add(way.Scale(reach / l))
	}
	ray, err := q.Raycast(c.position, towards)
	if err != nil || ray.Hit {
		return err
	}
	c.followTrail(q, c.onLattice(q, c.position), c.onLattice(q, ray.End))
	c.shortenFront(q)
	return nil
}

// shortenFront is replaceFront if the way does not become longer.
func (c *Corridor) shortenFront(q *Query) {
	before := c.legLength(q)
	if c.replaceFront(); c.legLength(q) > before {
		c.steps, c.spare = c.spare, c.steps
	}
}

// OptimizeTopology searches for the shortest way to the place where the path leaves the given number of regions. The
// search expands at most budget nodes; a way found within the budget replaces the front of the corridor. The method is
// for agents pushed so far off their path that another way around an obstacle has become shorter. The result reports
// whether a way was found; the path never becomes longer. The corridor behind the next link stays.
func (c *Corridor) OptimizeTopology(q *Query, regions, budget int) (bool, error) {
	q = q.ready()
	c.changedOn(q.ix)
	n := c.firstLeg()
	bends, from, to, err := c.taut(q, n)
	if err != nil {
		return false, err
	}
	if regions = max(regions, 1); regions < n {
		to = c.atDoor(q, bends, regions)
	}
	q.way.Direct(from.Region)
	if q.ix.Ground.Uneven {
		return false, nil // only the shortest-way search runs within a budget
	}
	if !q.one.Begin(q.ix, &q.own.landmarks, &q.way, from, to) {
		if _, done := q.one.Advance(budget); !done || math.IsInf(q.one.Best, 1) {
			return false, nil
		}
		q.one.Trace(&q.way)
		if len(q.way.Legs) > 1 {
			q.way.Settle(q.ix, from.At, to.At)
		}
	}
	c.fresh = q.appendSteps(c.fresh[:0], from)
	if regions < n {
		c.shortenFront(q)
		return true, nil
	}
	c.spare = append(append(c.spare[:0], c.fresh...), c.steps[n:]...)
	if c.steps, c.spare = c.spare, c.steps; n == len(c.spare) {
		c.target.Ref = c.last().region // on a border the region may have changed
	}
	return true, nil
}

// atDoor returns the place where a path goes through the door of a step.
func (c *Corridor) atDoor(q *Query, bends []route.Bend, n int) index.Place {
	r := q.ix.Number(c.steps[n].region)
	if len(bends) == 1 { // all doors on the way meet in one point
		return q.ix.PlaceNear(r, float64(bends[0].Point.X), float64(bends[0].Point.Y))
	}
	i := 1
	for i < len(bends)-1 && bends[i].Gate < n-1 {
		i++
	}
	a, b := bends[i-1].Point, bends[i].Point
	t := 1.0
	if bends[i].Gate > n-1 {
		t = crossedAt(a, b, c.steps[n].door, route.Gate{}, false)
	}
	dx, dy := index.Sub(b, a)
	return q.ix.PlaceNear(r, float64(a.X)+float64(t*dx), float64(a.Y)+float64(t*dy))
}

// TakeLink moves the agent to the end of the next link, from anywhere on the way there, and returns the link and its
// ends. Without a link ahead TakeLink fails; the error is [ErrOffMesh] if the link is gone or closed.
func (c *Corridor) TakeLink(q *Query) (Crossing, error) {
	q = q.ready()
	c.changedOn(q.ix)
	n := c.firstLeg()
	if n >= len(c.steps) {
		return Crossing{}, errors.New("query: corridor: no link is on the way")
	}
	s := &c.steps[n]
	r, err := q.ix.Named(s.region)
	if err != nil {
		return Crossing{}, err
	}
	if !open(q.ix, c.steps[n-1].region, s) {
		return Crossing{}, fmt.Errorf("%w: link %d is gone or closed", ErrOffMesh, s.link)
	}
	h := q.ix.HopAt(s.link, s.t)
	crossing := Crossing{
		Link: int(s.link), Mark: int(q.ix.Mesh.Links[s.link].Mark) - 1,
		From: q.ix.World(h.Start, h.StartZ), To: q.ix.World(h.End, h.EndZ),
	}
	c.position = position(q.ix, index.Place{Region: r, At: h.End, Z: h.EndZ})
	c.steps = append(c.steps[:0], c.steps[n:]...)
	c.steps[0] = step{region: c.position.Ref, link: index.None}
	return crossing, nil
}
