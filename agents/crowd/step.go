package crowd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/query"
)

// worker is the memory of one goroutine of a step.
type worker struct {
	// queries are by ground and rule.
	queries [][]*query.Query
	// widths are those of places, by ground and rule, see worker.width.
	widths  [][]map[placeKey]float64
	solver  solver
	seek    search
	list    []neighbour
	inWay   []inWay
	exits   []query.Exit
	others  []*agent
	shared  *query.SharedSearch
	threads bool // of the agent who chooses, see agent.threads
}

func (w *worker) prepare(c *Crowd) {
	w.queries = make([][]*query.Query, len(c.grounds))
	w.widths = make([][]map[placeKey]float64, len(c.grounds))
}

// on returns the query for the floor of an agent.
func (w *worker) on(c *Crowd, a *agent) *query.Query {
	of := &w.queries[a.ground]
	for len(*of) <= int(a.rule) {
		*of = append(*of, nil)
	}
	q := (*of)[a.rule]
	if q == nil {
		q = c.grounds[a.ground].rules[a.rule].NewQuery()
		(*of)[a.rule] = q
	}
	return q
}

// each calls f for all indexes below n, on the goroutines of the Crowd, with at least so many indexes for a goroutine. f writes
// only what belongs to its index.
func (c *Crowd) each(n, least int, f func(w *worker, i int)) {
	jobs := min(len(c.workers), (n+least-1)/least)
	if jobs <= 1 {
		for i := range n {
			f(&c.workers[0], i)
		}
		return
	}
	var group sync.WaitGroup
	var panicked any
	var once sync.Once
	for j := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() {
				if p := recover(); p != nil {
					once.Do(func() { panicked = p })
				}
			}()
			for i := j * n / jobs; i < (j+1)*n/jobs; i++ {
				f(&c.workers[j], i)
			}
		}()
	}
	group.Wait()
	if panicked != nil {
		panic(panicked)
	}
}

// many is the number of agents below which another goroutine does not pay.
const many = 64

// Step moves all agents on by a time in seconds, above 0 and at most MaxStep. The error is a time out of range; nothing has
// changed then.
//
// Time O(n) for n agents, and the searches of Options.Budget. Nothing is allocated after the first steps, but for new paths.
func (c *Crowd) Step(dt float64) error {
	if !(dt > 0 && dt <= MaxStep) {
		return fmt.Errorf("crowd: a step of %v s, must be above 0 and at most %g", dt, MaxStep)
	}
	c.events = c.events[:0]
	c.plan(dt)
	c.each(len(c.agents), many, func(w *worker, i int) { w.aim(c, i, dt) })
	c.near.build(c.agents, c.reach(dt))
	c.each(len(c.near.spots), many, func(w *worker, i int) { w.avoid(c, int(c.near.spots[i].index), dt) })
	for _, a := range c.agents {
		c.settle(a, dt)
		if a.event {
			c.events = append(c.events, a.pending)
			a.event = false
		}
	}
	c.steps++
	return nil
}

// farthest in metres bounds how far an agent looks for others.
const farthest = 3.0

// farBodies in radii, less lessFar in metres, is how far wide agents look for others.
const farBodies, lessFar = 16.0, 4.1

// far returns how far an agent looks for others, in metres.
func (a *agent) far() float64 { return max(farthest, float64(farBodies*a.radius)-lessFar) }

// reach returns the greatest reach of an agent.
func (c *Crowd) reach(dt float64) float64 {
	reach := 0.1
	c.near.radius, c.near.fast = 0, 0
	for _, a := range c.agents {
		c.near.radius = max(c.near.radius, a.radius)
		c.near.fast = max(c.near.fast, a.fastest(), a.speed+a.knock.norm())
	}
	c.near.dt = dt
	for _, a := range c.agents {
		reach = max(reach, c.reachOf(a))
	}
	return reach
}

// reachOf returns how far an agent looks for others: as far as both may come in the horizon, up to a bound, and no less than
// both may come in a step.
func (c *Crowd) reachOf(a *agent) float64 {
	bodies := a.radius + c.near.radius
	speed := max(a.fastest(), a.knock.norm()) + c.near.fast
	return bodies + slack + max(speed*c.near.dt, min(speed*c.horizon(a), a.far()))
}

// horizon returns the time in seconds an agent looks ahead: the time of the options, or the time for a few of its own
// diameters.
func (c *Crowd) horizon(a *agent) float64 {
	return max(c.opt.Horizon, (float64(farBodies*a.radius)-lessFar)/(2*a.speed))
}

// settle ends the step of an agent: links, arrivals and patience.
func (c *Crowd) settle(a *agent, dt float64) {
	if a.state == OnLink {
		c.ride(a, dt)
		return
	}
	if a.goal.kind == toAgent {
		c.pursue(a)
	}
	if a.state != Walking || a.paused {
		return
	}
	if a.goal.kind == toVelocity {
		c.control(a, dt)
		a.strive(dt)
		return
	}
	if a.next < len(a.path) && a.leapsFrom(a.next) && a.bend.sub(a.at()).norm() <= max(beside, a.radius/4) {
		if c.begin(a) {
			return
		}
	}
	c.control(a, dt)
	remains := a.remains()
	if a.next+1 >= len(a.path) && remains <= c.within(a) {
		if a.leg {
			c.dropWay(a)
			a.state, a.leg = Waiting, true
		} else if a.whole {
			a.state, a.asked = Arrived, 0
			c.dropWay(a)
			a.tell(EventArrived, NoReason, 0)
		} else {
			c.giveUp(a, NoWay)
		}
		return
	}
	// A tenth of the radius is progress: less may be the trembling of a jam.
	if a.least < 0 {
		a.least = remains
	} else if remains < a.least-max(a.radius, 0.1)/10 {
		a.least, a.since = remains, 0
		return
	}
	if a.leg && a.since >= retryEvery {
		// Patience is for ways.
		return
	}
	before := a.since
	if a.queues || a.waits() || a.vel.norm2() > a.speed*a.speed/4 {
		// The walker ahead may lose its patience first, waits before doors end, and a way round others may be long.
		a.since += dt / 4
	} else {
		a.since += dt
	}
	if a.since >= c.opt.Patience {
		c.giveUp(a, Jammed)
	} else if math.Floor(before/retryEvery) != math.Floor(a.since/retryEvery) && a.asked == 0 && !a.waits() {
		c.replan(a)
	}
}

// retryEvery is the time in seconds without progress after which an agent asks for another path.
const retryEvery = 3.0

// within returns the distance from the goal at which an agent has arrived.
func (c *Crowd) within(a *agent) float64 {
	if a.goal.kind == toAgent {
		if i, ok := c.find(a.goal.other); ok {
			return max(a.goal.within+a.radius+c.agents[i].radius+4*slack, beside)
		}
	}
	return max(a.radius/2, 0.05, a.turn/4)
}

func (c *Crowd) giveUp(a *agent, why Reason) {
	a.state, a.reason, a.asked = Stuck, why, 0
	c.dropWay(a)
	a.tell(EventStuck, why, 0)
}

// pursue keeps a follower's way up to date with the agent it follows.
func (c *Crowd) pursue(a *agent) {
	i, ok := c.find(a.goal.other)
	if !ok {
		if a.state != Stuck {
			c.giveUp(a, GoalGone)
		}
		return
	}
	o := c.agents[i]
	moved := ground2(o.pos.Point).sub(ground2(a.goal.at)).norm()
	left := ground2(o.pos.Point).sub(a.at()).norm()
	far := left > c.within(a)+a.radius
	switch {
	case a.state == Arrived && far:
		a.calm()
	case a.state == Walking && a.asked == 0 && moved > max(0.5, left/8):
		// The way grows as the other walks away: an agent who moves has patience.
		if a.least = -1; a.vel.norm() > a.speed/2 {
			a.since = 0
		}
	default:
		return
	}
	a.goal.at = o.pos.Point
	c.replan(a)
}

// standsNear returns the agents an agent would touch at a place, by id. The list is valid until the next call.
//
// The grid has the places of the others before this step: the question reaches a step farther.
func (c *Crowd) standsNear(a *agent, pos query.Position) []*agent {
	w := &c.workers[0]
	at := plane{pos.Point.X, pos.Point.Z}
	q := &w.seek
	q.at, q.y, q.height, q.self = at, pos.Point.Y, a.height, -1
	q.climb = 0
	q.k, q.guess, q.sure = 0, 0, a.radius+c.near.radius+slack+float64(c.near.fast*c.near.dt)
	q.reach = q.sure
	w.list = c.near.around(w.list[:0], q)
	w.others = w.others[:0]
	for i := range w.list {
		o := c.agents[w.list[i].index]
		if r := o.radius + a.radius + slack; o != a && o.state != OnLink && o.at().sub(at).norm2() < r*r {
			w.others = append(w.others, o)
		}
	}
	slices.SortFunc(w.others, func(a, b *agent) int { return cmp.Compare(a.id, b.id) })
	return w.others
}

var background = context.Background()
