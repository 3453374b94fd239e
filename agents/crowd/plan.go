package crowd

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Planning under a budget.
//
// Source: ours. Package query/service answers requests of many callers, and leaves searches in progress between two ticks;
// a restored Crowd must go on with equal bits. Searches here end in the step of their beginning.
//
// Idea: Requests are served by priority, then by distance, in batches of fixed size on all goroutines, until the expanded nodes
// of the batches reach the budget. Near goals need short searches, so more agents get their paths early; age makes up for
// distance. Requests for one place are an errand: a single search from the place serves them together. The answers do not
// depend on the number of goroutines. An agent who has to wait walks straight towards its goal, where a ray of a few metres
// is free: its first leg.
//
// Guarantees:
//  1. Every request is served, at least one batch a step (TestBudget), and a far goal does not wait forever (TestFarGoals).
//  2. Ways of a shared search are as long as ways of searches for each agent (TestErrands).
//  3. A first leg never crosses a wall, and ends with the path or in waiting (TestFirstLegs).
//
// Degenerate cases: where the costs of the floor differ nobody walks a first leg, for the way may avoid that floor.
//
// Cost: O(r log r) for r requests, a ray for each, and the searches.

// batch is the number of searches that begin together, whatever the number of goroutines.
const batch = 16

// overhead is the work of a search beside its expanded nodes, in nodes.
const overhead = 8

// replan asks for a path to the goal of an agent. An agent with a path walks on by it until the answer comes.
func (c *Crowd) replan(a *agent) {
	if a.goal.kind == toNothing || a.goal.kind == toVelocity || a.asked != 0 {
		return
	}
	a.asked = c.steps + 1
	if a.state != OnLink && len(a.path) == 0 {
		a.state = Waiting
	}
}

const (
	// perSecond in metres is the distance a second of waiting makes up for, among requests.
	perSecond = 100.0
	// firstLeg in metres is the length of a first leg.
	firstLeg = 6.0
)

// request is an agent who asks for a path.
type request struct {
	priority int32
	index    int32   // in Crowd.agents
	late     float64 // metres to the goal, less those the age makes up for
}

// plan serves the requests for paths.
func (c *Crowd) plan(dt float64) {
	queue := c.queue[:0]
	for i, a := range c.agents {
		if a.asked != 0 && a.state != OnLink && !a.paused {
			age := float64(c.steps+1-a.asked) * dt
			queue = append(queue, request{a.priority, int32(i), a.pos.Point.Dist(a.goal.at) - float64(perSecond*age)})
		}
	}
	if c.queue = queue; len(queue) == 0 {
		return
	}
	slices.SortFunc(queue, func(a, b request) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.late, b.late), cmp.Compare(a.index, b.index))
	})
	errands := c.errands(queue)
	work := make([]int, batch)
	for spent := 0; len(errands) > 0 && spent < c.opt.Budget; {
		now := errands[:min(batch, len(errands))]
		errands = errands[len(now):]
		for _, e := range now {
			for _, i := range e {
				c.leaveDoors(c.agents[i])
			}
		}
		c.each(len(now), 2, func(w *worker, i int) { work[i] = w.run(c, now[i]) })
		for i, e := range now {
			spent += work[i] + overhead*len(e)
		}
	}
	left := c.left[:0]
	for _, e := range errands {
		for _, i := range e {
			if a := c.agents[i]; a.state == Waiting && (a.leg || a.asked >= c.steps) {
				left = append(left, i)
			}
		}
	}
	c.left = left
	c.each(len(left), many, func(w *worker, i int) { w.setOut(c, c.agents[left[i]]) })
}

// setOut has an agent who waits for a path walk its first leg, if the floor straight towards the goal is free.
func (w *worker) setOut(c *Crowd, a *agent) {
	a.leg = false
	ix := c.grounds[a.ground].rules[a.rule]
	dir, d := ground2(a.goal.at).sub(a.at()).unit()
	if d < firstLeg || !ix.IsEven() {
		return
	}
	to := a.pos.Point.Add(geom.Vec{X: float64(firstLeg * dir.x), Z: float64(firstLeg * dir.z)})
	ray, err := w.on(c, a).Raycast(a.pos, to)
	if err != nil || ray.Hit {
		return
	}
	a.take(query.Path{Points: []geom.Vec{a.pos.Point, ray.End.Point}})
	a.leg = true
	w.findDoors(c, a, ray.Regions)
}

const (
	// sharers is the number of requests for one place from which on a shared search pays, and mostSharers bounds the work
	// of an errand.
	sharers, mostSharers = 4, 256
)

// errands groups requests for one place on one floor, in the order of their first requests.
func (c *Crowd) errands(queue []request) [][]int {
	type target struct {
		at     geom.Vec
		ground int32
		rule   Rule
	}
	var list [][]int
	first := map[target]int{}
	for _, r := range queue {
		i := int(r.index)
		a := c.agents[i]
		t := target{a.goal.at, a.ground, a.rule}
		if k, ok := first[t]; ok && a.goal.kind == toPlace && len(list[k]) < mostSharers {
			list[k] = append(list[k], i)
			continue
		}
		if a.goal.kind == toPlace {
			first[t] = len(list)
		}
		list = append(list, []int{i})
	}
	return list
}

// run finds the paths of an errand and returns the number of expanded nodes.
func (w *worker) run(c *Crowd, errand []int) int {
	a := c.agents[errand[0]]
	work := 0
	ix := c.grounds[a.ground].rules[a.rule]
	if len(errand) < sharers || !ix.Shares() {
		for _, i := range errand {
			work += w.search(c, c.agents[i])
		}
		return work
	}
	if w.shared == nil {
		w.shared = ix.NewSharedSearch()
	}
	w.shared.Use(ix)
	begun := w.shared.Begin(a.goal.at) == nil
	if begun {
		for _, i := range errand {
			w.shared.Add(c.agents[i].pos.Point)
		}
		for done := false; !done; {
			_, done = w.shared.Advance(math.MaxInt32)
		}
		work = w.shared.Expanded()
	}
	for k, i := range errand {
		a := c.agents[i]
		if begun {
			if path, err := w.shared.PathIn(w.on(c, a), k); err == nil && path.Complete {
				a.asked = 0
				a.take(path)
				w.findDoors(c, a, path.Regions())
				continue
			}
		}
		work += w.search(c, a)
	}
	return work
}

// search finds the path of an agent and returns the number of expanded nodes.
func (w *worker) search(c *Crowd, a *agent) int {
	q := w.on(c, a)
	a.asked = 0
	var path query.Path
	var err error
	switch a.goal.kind {
	case toNearest:
		var goal int
		goal, path, err = q.NearestOf(background, a.pos.Point, a.goal.places)
		if err == nil && goal >= 0 {
			a.goal.at = a.goal.places[goal]
		}
	default:
		path, err = q.Path(background, a.pos.Point, a.goal.at)
	}
	work := path.Expanded
	if err == nil && !path.Complete {
		path, err = q.PartialPath(background, a.pos.Point, a.goal.at)
		work += path.Expanded
	}
	switch {
	case errors.Is(err, query.ErrOffMesh):
		c.giveUp(a, OffGoal)
		return work
	case err != nil || len(path.Points) == 0:
		c.giveUp(a, NoWay)
		return work
	}
	a.take(path)
	w.findDoors(c, a, path.Regions())
	return work
}

// take makes a path the way of an agent.
func (a *agent) take(path query.Path) {
	a.whole = path.Complete
	a.path = append(a.path[:0], path.Points...)
	a.jumps = a.jumps[:0]
	bend := 0
	for _, x := range path.Crossings {
		if x.Link < 0 {
			continue
		}
		for bend+1 < len(a.path) && (a.path[bend] != x.From || a.path[bend+1] != x.To) {
			bend++
		}
		if bend+1 < len(a.path) {
			a.jumps = append(a.jumps, jump{bend, x.Link, x.From, x.To})
			bend++
		}
	}
	a.leg = false
	a.turnTo(0)
	if len(a.path) > 1 && !a.leapsFrom(0) {
		a.turnTo(1)
	}
	a.measure()
	a.state, a.reason = Walking, NoReason
	if a.remains() > a.least+detour {
		// A longer way: progress counts anew, patience does not.
		a.least = -1
	}
}

// detour in metres is how much longer than the best so far a way is on which progress counts anew.
const detour = 0.3

// dropWay takes its way from an agent.
func (c *Crowd) dropWay(a *agent) {
	c.leaveDoors(a)
	a.party, a.leg = 0, false
	a.path, a.next, a.jumps = a.path[:0], 0, a.jumps[:0]
	a.passages, a.nextPassage, a.held = a.passages[:0], 0, false
}

// Use puts the Crowd on other floor, such as the next snapshot of a world: indexes for the same radii as those of New. The
// boxes bound all that has changed, such as the Boxes of a world's Change without Ends; without boxes everything may have changed.
//
// Agents whose floor is gone move to the nearest floor, and an event tells so. Agents whose way crosses a box look whether
// the way is still free, and ask for another way where a wall is. Agents whose way may be a metre shorter through new floor ask
// for another way, too, unless they have their turn at a door.
func (c *Crowd) Use(changed []geom.Box, floor ...*query.Index) error {
	next, err := c.lay(floor)
	if err != nil {
		return err
	}
	if len(next) != len(c.grounds) {
		return errors.New("crowd: another number of meshes than before")
	}
	for i := range next {
		if next[i].radius != c.grounds[i].radius {
			return errors.New("crowd: meshes for other radii than before")
		}
	}
	c.grounds = next
	for i := range c.workers {
		for g, of := range c.workers[i].queries {
			for r, q := range of {
				if q != nil {
					q.Use(next[g].rules[r])
				}
			}
		}
		c.workers[i].forgetWidths()
	}
	c.findOpened(changed)
	c.each(len(c.agents), many, func(w *worker, i int) { w.look(c, c.agents[i], changed) })
	moved := c.moved[:0]
	for _, a := range c.agents {
		if a.lost {
			a.lost = false
			c.giveUp(a, FloorGone)
		} else if a.event && a.pending.Kind == EventMoved {
			moved = append(moved, a)
		}
	}
	if c.moved = moved; len(moved) > 0 {
		c.near.build(c.agents, c.reach(c.near.dt))
		for i, a := range moved {
			c.makeRoom(a, moved[:i])
		}
	}
	return nil
}

// Rethink makes agents whose way leads through a box ask for another path, because floor there has become more expensive. Agents
// that have their turn at a door, and those within a metre and a half of their goal, keep their way. The searches are within Options.Budget.
func (c *Crowd) Rethink(boxes []geom.Box) {
	if len(boxes) == 0 {
		return
	}
	for _, a := range c.agents {
		if a.state != Walking || a.asked != 0 || a.holds || a.goal.kind == toVelocity || a.remains() < wallReach {
			continue
		}
		from := a.pos.Point
		for _, to := range a.path[a.next:] {
			if crossesBox(boxes, from, to) {
				c.replan(a)
				break
			}
			from = to
		}
	}
}

// crossesBox reports whether the straight way between two places crosses a box, seen from above; whole ways count for the heights.
func crossesBox(boxes []geom.Box, p, q geom.Vec) bool {
	for i := range boxes {
		b := &boxes[i]
		if min(p.Y, q.Y) > b.Max.Y || max(p.Y, q.Y) < b.Min.Y {
			continue
		}
		from, to := 0.0, 1.0
		for _, s := range [...][4]float64{{p.X, q.X, b.Min.X, b.Max.X}, {p.Z, q.Z, b.Min.Z, b.Max.Z}} {
			if s[0] == s[1] {
				if s[0] < s[2] || s[0] > s[3] {
					to = -1
				}
				continue
			}
			u, v := (s[2]-s[0])/(s[1]-s[0]), (s[3]-s[0])/(s[1]-s[0])
			from, to = max(from, min(u, v)), min(to, max(u, v))
		}
		if from <= to {
			return true
		}
	}
	return false
}

// look finds out what a change means for an agent.
func (w *worker) look(c *Crowd, a *agent, changed []geom.Box) {
	if a.state == OnLink {
		return
	}
	q := w.on(c, a)
	// A region may also have changed outside of the boxes, where the floor is newer than they are.
	_, err := q.Raycast(a.pos, a.pos.Point)
	if err != nil || touches(changed, a.pos.Point, a.pos.Point, wallReach+1) {
		a.wallsKnown = false
		// The place may belong to another region now.
		if pos, ok := q.Locate(a.pos.Point); ok && pos.Point == a.pos.Point {
			a.pos = pos
		} else if pos, ok := q.Nearest(a.pos.Point, rescue); ok {
			a.stand(pos)
			a.tell(EventMoved, NoReason, 0)
			c.replan(a)
		} else {
			a.lost = true
			return
		}
	}
	if a.state == Stuck && a.goal.kind != toNothing && a.reason != GoalGone {
		c.replan(a)
		return
	}
	if (a.state == Walking || a.state == Arrived) && a.asked == 0 && w.isFree(c, a, changed) {
		a.calm()
		c.replan(a)
		return
	}
	if a.state != Walking || a.asked != 0 {
		return
	}
	if !w.walkable(c, a, changed) {
		a.calm()
		c.replan(a)
	} else if !a.holds && a.mayShorten(c.grounds[a.ground].opened) {
		c.replan(a)
	}
}

// findOpened keeps the changed boxes whose middles are on the floor: floor there may be new.
func (c *Crowd) findOpened(changed []geom.Box) {
	for i := range c.grounds {
		g := &c.grounds[i]
		q := g.rules[0].NewQuery()
		for _, b := range changed {
			if _, ok := q.Locate(b.Min.Lerp(b.Max, 0.5)); ok {
				g.opened = append(g.opened, b)
			}
		}
	}
}

// shorter in metres is the least gain by another way for a walker to change to.
const shorter = 1.0

// mayShorten reports whether a way through a box may be shorter than the way of an agent.
func (a *agent) mayShorten(boxes []geom.Box) bool {
	if a.goal.kind == toVelocity || a.leg {
		return false
	}
	most := a.remains() - shorter
	for i := range boxes {
		if awayFrom(&boxes[i], a.pos.Point)+awayFrom(&boxes[i], a.goal.at) < most {
			return true
		}
	}
	return false
}

// awayFrom returns the distance of a place from a box, seen from above.
func awayFrom(b *geom.Box, p geom.Vec) float64 {
	return plane{max(b.Min.X-p.X, 0, p.X-b.Max.X), max(b.Min.Z-p.Z, 0, p.Z-b.Max.Z)}.norm()
}

// isFree reports whether a change may have freed the goal of an agent whose way ends beside the goal.
func (w *worker) isFree(c *Crowd, a *agent, changed []geom.Box) bool {
	end := a.pos.Point
	if n := len(a.path); n > 0 {
		end = a.path[n-1]
	}
	if a.goal.kind != toPlace || a.goal.at.DistXZ(end) <= c.within(a) || !touches(changed, a.goal.at, a.goal.at, wallReach+a.radius) {
		return false
	}
	_, ok := w.on(c, a).Locate(a.goal.at)
	return ok
}

// walkable reports whether the way of an agent is still on the floor, after changes in boxes.
func (w *worker) walkable(c *Crowd, a *agent, changed []geom.Box) bool {
	q, from := w.on(c, a), a.pos
	for i := a.next; i < len(a.path); i++ {
		to := a.path[i]
		if leap := i > a.next && a.leapsFrom(i-1); !leap && touches(changed, from.Point, to, 0) {
			ray, err := q.Raycast(from, to)
			if err != nil || ray.Hit {
				return false
			}
			from = ray.End
			continue
		}
		pos, ok := q.Locate(to)
		if !ok {
			return false
		}
		from = pos
	}
	return true
}

// makeRoom moves an agent a change has put upon others to a free place near by, if any. The grid does not have
// the places of agents who were moved before.
func (c *Crowd) makeRoom(a *agent, before []*agent) {
	q := c.workers[0].on(c, a)
	from := a.pos
	for ring := 0; ring <= rings; ring++ {
		for k := range 2 * len(chords) {
			side := chords[k/2].scale(float64(1 - 2*(k%2)))
			at := from
			if ring > 0 {
				by := side.scale(float64(ring) * a.radius)
				var ok bool
				if at, ok = q.Nearest(from.Point.Add(geom.Vec{X: by.x, Z: by.z}), a.radius); !ok {
					continue
				}
			}
			free := len(c.standsNear(a, at)) == 0
			for _, o := range before {
				r := o.radius + a.radius + slack
				free = free && (o.at().sub(ground2(at.Point)).norm2() >= r*r || math.Abs(o.pos.Point.Y-at.Point.Y) >= max(o.height, a.height))
			}
			if free {
				a.stand(at)
				return
			}
			if ring == 0 {
				break
			}
		}
	}
}

// rings is the number of rings of an agent's radius in which makeRoom looks.
const rings = 12

// rescue in metres is how far an agent without floor looks for other floor.
const rescue = 20.0

// touches reports whether the box around two places, wider by a distance, meets a changed box; always, without boxes.
func touches(changed []geom.Box, a, b geom.Vec, wider float64) bool {
	if len(changed) == 0 {
		return true
	}
	for i := range changed {
		c := &changed[i]
		if min(a.X, b.X)-wider <= c.Max.X && max(a.X, b.X)+wider >= c.Min.X && min(a.Z, b.Z)-wider <= c.Max.Z && max(a.Z, b.Z)+wider >= c.Min.Z {
			return true
		}
	}
	return false
}
