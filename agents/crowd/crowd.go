package crowd

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sort"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// ID is the caller's own number of an agent.
type ID uint64

// Rule is a filter a Crowd knows, see [Crowd.Allow]. Rule 0 allows everything.
type Rule int32

// Defaults and limits of Options and Spec.
const (
	DefaultBudget     = 20_000
	DefaultHorizon    = 1.5
	DefaultNeighbours = 8
	DefaultPatience   = 20.0
	DefaultSpeed      = 1.4
	DefaultPush       = 8.0

	// MaxSpeed bounds speeds in metres a second, MaxRadius radii and MaxStep steps in seconds.
	MaxSpeed  = 100.0
	MaxRadius = 50.0
	MaxStep   = 1.0
	MaxTurn   = 1000.0 // radii of turning circles in metres
)

// Options are the settings of a Crowd. The zero Options are the defaults.
type Options struct {
	// Jobs is the greatest number of goroutines in a step; 0 stands for one per core. Jobs change no bit of the answers.
	Jobs int
	// Budget bounds the work of path searches in a step, in expanded nodes; 0 stands for DefaultBudget. Searches go
	// to their ends, so a step may take one batch of searches more.
	Budget int
	// Horizon is the time in seconds an agent looks ahead for collisions; 0 stands for DefaultHorizon.
	Horizon float64
	// Neighbours is the number of nearest agents an agent plans around; 0 stands for DefaultNeighbours. Agents
	// within reach of the next step are never overlooked, however many.
	Neighbours int
	// Patience is the time in seconds without progress after which an agent gives its goal up; 0 stands for
	// DefaultPatience.
	Patience float64
}

func (o Options) check() (Options, error) {
	switch {
	case o.Jobs < 0:
		return o, fmt.Errorf("crowd: %d jobs, must be 0 or more", o.Jobs)
	case o.Budget < 0:
		return o, fmt.Errorf("crowd: a budget of %d nodes, must be 0 or more", o.Budget)
	case !(o.Horizon >= 0 && o.Horizon <= 60):
		return o, fmt.Errorf("crowd: a horizon of %v s, must be from 0 to 60", o.Horizon)
	case o.Neighbours < 0 || o.Neighbours > 1000:
		return o, fmt.Errorf("crowd: %d neighbours, must be from 0 to 1000", o.Neighbours)
	case !(o.Patience >= 0):
		return o, fmt.Errorf("crowd: a patience of %v s, must be 0 or more", o.Patience)
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Horizon == 0 {
		o.Horizon = DefaultHorizon
	}
	if o.Neighbours == 0 {
		o.Neighbours = DefaultNeighbours
	}
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	return o, nil
}

// Spec tells a new agent.
type Spec struct {
	ID ID
	// At is the place, on the floor of the agent's mesh, or within the agent's radius of it.
	At geom.Vec
	// Radius and Height are in metres; 0 stands for the agent of the narrowest mesh. The agent walks on the mesh of the
	// smallest agent radius that is not below its own.
	Radius, Height float64
	// Speed is the preferred and greatest speed in metres a second; 0 stands for DefaultSpeed.
	Speed float64
	// Acceleration is the greatest change of the preferred velocity in metres a second squared; 0 stands for DefaultPush.
	// Agents stop for others at once.
	Acceleration float64
	// Priority orders agents who meet: the lower one steps aside. Equal ones share the work.
	Priority int32
	// TurnRadius is the radius of the turning circle of a vehicle in metres, at most MaxTurn; 0 stands for walkers, who turn on the spot. A
	// vehicle moves along its heading, forwards or back, brakes by Acceleration, and makes way for nobody. A vehicle has arrived
	// within a quarter of TurnRadius of its goal.
	TurnRadius float64
	// Heading is the direction of a standing vehicle, seen from above; zero stands for the direction of the first way.
	Heading geom.Vec
	// Unyielding agents step aside for nobody, whatever their priority.
	Unyielding bool
	// Rule tells where the agent may walk.
	Rule Rule
}

// State tells how an agent fares.
type State uint8

// The states.
const (
	Idle    State = iota // without a goal
	Waiting              // for a path, at rest
	Walking
	Arrived
	Stuck  // the goal is given up, see Agent.Reason
	OnLink // on a link between regions
	Paused
)

var stateNames = [...]string{"idle", "waiting", "walking", "arrived", "stuck", "on a link", "paused"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Reason tells why an agent is stuck.
type Reason uint8

// The reasons.
const (
	NoReason  Reason = iota
	NoWay            // no path leads to the goal
	OffGoal          // the goal is off the mesh
	Jammed           // others or obstacles kept the agent from any progress for the time of Options.Patience
	GoalGone         // the agent to follow is gone
	FloorGone        // a change of the world took the floor, and none is near
)

var reasonNames = [...]string{"", "no way", "the goal is off the mesh", "jammed", "the goal is gone", "the floor is gone"}

func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Agent is the state of an agent after a step.
type Agent struct {
	ID       ID
	At       geom.Vec // feet, on the floor
	Velocity geom.Vec // horizontal, metres a second: the last step's move over its time
	Radius   float64
	Speed    float64 // the greatest, metres a second
	State    State
	Reason   Reason
	Goal     geom.Vec // zero without a goal, and for a led agent
	// Remains is the length of the way to the goal in metres, seen from above and without links; 0 without a way.
	Remains float64
	Heading geom.Vec // of a vehicle: a horizontal unit vector, or zero before its first way
	// Held says whether the agent waits for its turn at a door, Holds whether the agent has its turn: others may have to wait.
	Held, Holds bool
	// Awaits says whether the agent has asked for a path and has no answer yet. The agent stands, or walks by the old path or straight towards the
	// goal.
	Awaits bool
}

// EventKind tells the kind of an Event.
type EventKind uint8

// The kinds of events.
const (
	EventArrived EventKind = iota
	EventStuck             // with a Reason
	EventLink              // the agent has begun a link
	EventLanded            // the agent has left a link
	EventMoved             // a change of the world took the floor: the agent stands at the nearest free place
)

// Event is something that happened to an agent in a step.
type Event struct {
	ID     ID
	Kind   EventKind
	Reason Reason
	Link   int // in Mesh.Links, of EventLink and EventLanded
}

// ErrUnknown reports an id that no agent has.
var ErrUnknown = errors.New("no such agent")

// ground is the floor for agents of one radius.
type ground struct {
	radius float64
	climb  float64    // the highest step in metres
	opened []geom.Box // of the last change: those where floor may be new
	// rules are the indexes of the rules, the index itself first.
	rules []*query.Index
}

// Crowd is a set of agents on a mesh, or on meshes for agents of several radii. A Crowd belongs to one goroutine at a time,
// and starts goroutines only in a step.
type Crowd struct {
	opt     Options
	grounds []ground // by rising radius
	filters []query.Filter
	agents  []*agent // by rising id
	steps   uint64
	near    near
	workers []worker
	events  []Event
	moved   []*agent  // scratch of Use
	queue   []request // scratch of plan
	left    []int     // the same
	riders  []*agent  // on links, in no order
	doors   map[doorKey]*traffic
}

// New returns an empty Crowd on a floor: indexes of meshes for one agent radius each. The error names an option out of
// range, a missing mesh, or two meshes of one radius.
func New(opt Options, floor ...*query.Index) (*Crowd, error) {
	opt, err := opt.check()
	if err != nil {
		return nil, err
	}
	c := &Crowd{opt: opt, filters: make([]query.Filter, 1), doors: map[doorKey]*traffic{}}
	if c.grounds, err = c.lay(floor); err != nil {
		return nil, err
	}
	jobs := opt.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	c.workers = make([]worker, jobs)
	for i := range c.workers {
		c.workers[i].prepare(c)
	}
	return c, nil
}

// lay orders indexes by radius and makes the indexes of the rules.
func (c *Crowd) lay(floor []*query.Index) ([]ground, error) {
	if len(floor) == 0 {
		return nil, errors.New("crowd: no mesh to stand on")
	}
	var list []ground
	for i, ix := range floor {
		m := ix.Mesh()
		if m == nil {
			return nil, fmt.Errorf("crowd: mesh %d is missing", i)
		}
		g := ground{radius: m.Agent.Radius, climb: m.Agent.MaxClimb}
		for k, f := range c.filters {
			with := ix
			if k > 0 {
				var err error
				if with, err = ix.With(f); err != nil {
					return nil, fmt.Errorf("crowd: rule %d: %w", k, err)
				}
			}
			g.rules = append(g.rules, with)
		}
		list = append(list, g)
	}
	sort.Slice(list, func(i, k int) bool { return list[i].radius < list[k].radius })
	for i := 1; i < len(list); i++ {
		if list[i].radius == list[i-1].radius {
			return nil, fmt.Errorf("crowd: two meshes for agents of radius %v m", list[i].radius)
		}
	}
	return list, nil
}

// Allow makes a filter known to the Crowd, for any number of agents. The error is that of [query.Index.With].
func (c *Crowd) Allow(f query.Filter) (Rule, error) {
	for i := range c.grounds {
		if _, err := c.grounds[i].rules[0].With(f); err != nil {
			return 0, fmt.Errorf("crowd: %w", err)
		}
	}
	c.filters = append(c.filters, f)
	for i := range c.grounds {
		with, _ := c.grounds[i].rules[0].With(f)
		c.grounds[i].rules = append(c.grounds[i].rules, with)
	}
	return Rule(len(c.filters) - 1), nil
}

// find returns the index in c.agents of an id, and whether an agent has it.
func (c *Crowd) find(id ID) (int, bool) {
	return slices.BinarySearchFunc(c.agents, id, func(a *agent, id ID) int {
		switch {
		case a.id < id:
			return -1
		case a.id > id:
			return 1
		}
		return 0
	})
}

func (c *Crowd) agent(id ID) (*agent, error) {
	i, ok := c.find(id)
	if !ok {
		return nil, fmt.Errorf("crowd: agent %d: %w", id, ErrUnknown)
	}
	return c.agents[i], nil
}

// Len returns the number of agents.
func (c *Crowd) Len() int { return len(c.agents) }

// Radii returns the radii of the Crowd's meshes in metres, rising.
func (c *Crowd) Radii() []float64 {
	list := make([]float64, len(c.grounds))
	for i := range c.grounds {
		list[i] = c.grounds[i].radius
	}
	return list
}

// Steps returns the number of steps.
func (c *Crowd) Steps() uint64 { return c.steps }

// Add puts an agent on the floor. The errors name the id: an id that is taken, a place off the mesh, a value that is out of
// range, a radius wider than all meshes.
//
// Agents may be put on each other. Such agents part as soon as the floor around is free.
func (c *Crowd) Add(s Spec) error {
	i, taken := c.find(s.ID)
	if taken {
		return fmt.Errorf("crowd: agent %d: the id is taken", s.ID)
	}
	a := &agent{id: s.ID, priority: s.Priority, unyielding: s.Unyielding, rule: s.Rule, turn: s.TurnRadius}
	if !(s.TurnRadius >= 0 && s.TurnRadius <= MaxTurn) || !s.Heading.IsFinite() {
		return fmt.Errorf("crowd: agent %d: a turning circle of %v m or a heading of %v is out of range", s.ID, s.TurnRadius, s.Heading)
	}
	a.heading, _ = plane{s.Heading.X, s.Heading.Z}.unit()
	narrow := c.grounds[0].rules[0].Mesh().Agent
	a.height = or(s.Height, narrow.Height)
	a.push = or(s.Acceleration, DefaultPush)
	if !(a.height > 0 && a.height < 1000) || !(a.push > 0 && !math.IsInf(a.push, 0)) || s.Rule < 0 || int(s.Rule) >= len(c.filters) {
		return fmt.Errorf("crowd: agent %d: height %v, acceleration %v or rule %d is out of range", s.ID, s.Height, s.Acceleration, s.Rule)
	}
	if err := c.setSpeed(a, or(s.Speed, DefaultSpeed)); err != nil {
		return err
	}
	if err := c.setRadius(a, or(s.Radius, narrow.Radius)); err != nil {
		return err
	}
	if err := c.place(a, s.At); err != nil {
		return err
	}
	c.agents = slices.Insert(c.agents, i, a)
	return nil
}

// or returns v, or the other value where v is zero.
func or(v, zero float64) float64 {
	if v == 0 {
		return zero
	}
	return v
}

func (c *Crowd) setSpeed(a *agent, speed float64) error {
	if !(speed > 0 && speed <= MaxSpeed) {
		return fmt.Errorf("crowd: agent %d: a speed of %v m/s, must be above 0 and at most %g", a.id, speed, MaxSpeed)
	}
	a.speed = speed
	return nil
}

func (c *Crowd) setRadius(a *agent, radius float64) error {
	if !(radius >= 0 && radius <= MaxRadius) {
		return fmt.Errorf("crowd: agent %d: a radius of %v m, must be from 0 to %g", a.id, radius, MaxRadius)
	}
	i := sort.Search(len(c.grounds), func(i int) bool { return c.grounds[i].radius >= radius })
	if i == len(c.grounds) {
		return fmt.Errorf("crowd: agent %d: a radius of %v m, the widest mesh is for %v", a.id, radius, c.grounds[i-1].radius)
	}
	a.radius, a.ground = radius, int32(i)
	return nil
}

// place puts an agent on the floor at, or within its radius of, a point.
func (c *Crowd) place(a *agent, at geom.Vec) error {
	w := &c.workers[0]
	q := w.on(c, a)
	pos, ok := q.Locate(at)
	if !ok {
		pos, ok = q.Nearest(at, max(a.radius, 0.1))
	}
	if !ok {
		return fmt.Errorf("crowd: agent %d: %v is off the mesh for radius %v m", a.id, at, c.grounds[a.ground].radius)
	}
	a.stand(pos)
	return nil
}

// Remove takes an agent away.
func (c *Crowd) Remove(id ID) error {
	i, ok := c.find(id)
	if !ok {
		return fmt.Errorf("crowd: agent %d: %w", id, ErrUnknown)
	}
	c.leaveLink(c.agents[i])
	c.dropWay(c.agents[i])
	c.agents = slices.Delete(c.agents, i, i+1)
	return nil
}

// Pause stops an agent, or lets a paused one go on with its goal. Others walk around a paused agent.
func (c *Crowd) Pause(id ID, paused bool) error {
	a, err := c.agent(id)
	if err == nil {
		a.paused = paused
		a.calm()
	}
	return err
}

// Teleport puts an agent elsewhere. Its goal stays.
func (c *Crowd) Teleport(id ID, at geom.Vec) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	if err := c.place(a, at); err != nil {
		return err
	}
	c.leaveLink(a)
	c.dropWay(a)
	c.replan(a)
	return nil
}

// Push adds a velocity in metres a second to an agent, for a knock-back: the velocity fades with the agent's acceleration.
// The push never leads off the mesh or into others. The vertical part is ignored.
func (c *Crowd) Push(id ID, velocity geom.Vec) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	v := plane{velocity.X, velocity.Z}
	if l := v.norm(); !(l <= MaxSpeed) {
		return fmt.Errorf("crowd: agent %d: a push of %v, must be at most %g m/s", id, velocity, MaxSpeed)
	}
	a.knock = a.knock.add(v)
	if l := a.knock.norm(); l > MaxSpeed {
		a.knock = a.knock.scale(MaxSpeed / l)
	}
	return nil
}

// SetSpeed changes the speed of an agent, in metres a second.
func (c *Crowd) SetSpeed(id ID, speed float64) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	return c.setSpeed(a, speed)
}

// SetRadius changes the radius of an agent, in metres. An agent who grows beyond its mesh moves to the next wider mesh, to
// the nearest place within the difference of the radii; the error names an agent without such a place.
func (c *Crowd) SetRadius(id ID, radius float64) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	was := *a
	if err := c.setRadius(a, radius); err != nil {
		return err
	}
	if a.ground == was.ground {
		return nil
	}
	pos, ok := c.workers[0].on(c, a).Nearest(a.pos.Point, 2*(c.grounds[a.ground].radius+was.radius)+0.1)
	if !ok {
		a.radius, a.ground = was.radius, was.ground
		return fmt.Errorf("crowd: agent %d: no floor for radius %v m near %v", id, radius, a.pos.Point)
	}
	a.stand(pos)
	c.replan(a)
	return nil
}

// SetRule changes the rule of an agent: where it may walk from now on.
func (c *Crowd) SetRule(id ID, r Rule) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	if r < 0 || int(r) >= len(c.filters) {
		return fmt.Errorf("crowd: agent %d: rule %d is not known", id, r)
	}
	a.rule = r
	a.walls = a.walls[:0]
	a.wallsKnown = false
	c.replan(a)
	return nil
}

// Goal sends an agent to a place. A place off the mesh is found out by the search: the agent is then stuck, with OffGoal.
func (c *Crowd) Goal(id ID, at geom.Vec) error { return c.send(id, goal{kind: toPlace, at: at}) }

// GoalNearest sends an agent to the nearest of several places, by the length of the way.
func (c *Crowd) GoalNearest(id ID, places []geom.Vec) error {
	if len(places) == 0 {
		return fmt.Errorf("crowd: agent %d: a choice of no places", id)
	}
	for i, p := range places {
		if !p.IsFinite() {
			return fmt.Errorf("crowd: agent %d: place %d is %v", id, i, p)
		}
	}
	return c.send(id, goal{kind: toNearest, at: places[0], places: slices.Clone(places)})
}

// Follow sends an agent after another, up to a distance in metres between their borders.
func (c *Crowd) Follow(id, other ID, distance float64) error {
	o, err := c.agent(other)
	if err != nil {
		return err
	}
	if id == other || !(distance >= 0) {
		return fmt.Errorf("crowd: agent %d: cannot follow agent %d at %v m", id, other, distance)
	}
	return c.send(id, goal{kind: toAgent, at: o.pos.Point, other: other, within: distance})
}

// Stay takes the goal from an agent.
func (c *Crowd) Stay(id ID) error { return c.send(id, goal{}) }

func (c *Crowd) send(id ID, g goal) error {
	a, err := c.agent(id)
	if err != nil {
		return err
	}
	if !g.at.IsFinite() {
		return fmt.Errorf("crowd: agent %d: the goal %v is not finite", id, g.at)
	}
	a.goal = g
	a.reason = NoReason
	c.dropWay(a)
	a.calm()
	if g.kind == toNothing {
		a.state, a.asked = Idle, 0
		return nil
	}
	c.replan(a)
	return nil
}

// Agent returns the state of an agent.
func (c *Crowd) Agent(id ID) (Agent, error) {
	a, err := c.agent(id)
	if err != nil {
		return Agent{}, err
	}
	return a.view(), nil
}

// Agents returns all agents, by rising id.
func (c *Crowd) Agents() iter.Seq[Agent] {
	return func(yield func(Agent) bool) {
		for _, a := range c.agents {
			if !yield(a.view()) {
				return
			}
		}
	}
}

// Events returns what happened in the last step, by rising id. The list is valid until the next step.
func (c *Crowd) Events() []Event { return c.events }
