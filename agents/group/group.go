package group

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// ID is the caller's own number of a group. Groups that split off take the number after the greatest.
type ID uint64

// Defaults and limits of Options.
const (
	DefaultRoom     = 2.5
	DefaultPull     = 1.0
	DefaultBehind   = 15.0
	DefaultReach    = 3.0
	DefaultPatience = 15.0

	// MaxStep bounds steps in seconds.
	MaxStep = crowd.MaxStep
)

// Options are the settings of all groups of a crowd. The zero Options are the defaults.
type Options struct {
	// Room is the area of a section over the area of the squares around its members, at least 1; 0 stands for DefaultRoom.
	Room float64
	// Pull is the velocity in metres a second by which a member walks to its place, for each metre of distance, on open
	// floor; 0 stands for DefaultPull.
	Pull float64
	// Behind is the length of the way in metres behind its place from which on a member is left behind; 0 stands for
	// DefaultBehind.
	Behind float64
	// Reach is the distance in metres between members at which groups of one goal join; 0 stands for DefaultReach.
	Reach float64
	// Patience is the time in seconds for which a group waits for members that do not come near; 0 stands for
	// DefaultPatience.
	Patience float64
}

func (o Options) check() (Options, error) {
	for _, x := range [...]struct {
		name      string
		v         *float64
		zero      float64
		low, high float64
	}{
		{"room", &o.Room, DefaultRoom, 1, 100},
		{"pull", &o.Pull, DefaultPull, 0.01, 100},
		{"distance behind", &o.Behind, DefaultBehind, 0.1, 1e6},
		{"reach", &o.Reach, DefaultReach, 0, 1e3},
		{"patience", &o.Patience, DefaultPatience, 0.1, 1e6},
	} {
		if *x.v == 0 {
			*x.v = x.zero
		}
		if !(*x.v >= x.low && *x.v <= x.high) {
			return o, fmt.Errorf("group: a %s of %v, must be from %g to %g", x.name, *x.v, x.low, x.high)
		}
	}
	return o, nil
}

// Spec tells a new group.
type Spec struct {
	ID ID
	// Members are agents of the crowd, in the order of their slots. No agent is in two groups.
	Members []crowd.ID
	// Leader says that the first member leads: it has the front place, and its part keeps the ID when the group splits.
	Leader    bool
	Formation Formation
	// Slots are the places of members in the formation Own.
	Slots []Slot
	// Spacing is the distance in metres between neighbours in a formation; 0 stands for three radii of the largest member.
	Spacing float64
}

// State tells how a group fares.
type State uint8

// The states.
const (
	Idle State = iota // without a goal
	Walking
	Arrived
	Stuck // no way leads to the goal, or others keep the group from it
)

var stateNames = [...]string{"idle", "walking", "arrived", "stuck"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Group is the state of a group after a step.
type Group struct {
	ID        ID
	State     State
	Members   []crowd.ID
	Formation Formation
	// InFormation says that the members walk in slots; otherwise they walk in rows.
	InFormation bool
	Goal        geom.Vec // zero without a goal
	// Clearance is the radius in metres of agents that could walk the corridor.
	Clearance float64
	// Head and Tail are the ends of the section, in metres along Corridor, which has Length. Area is the area of the section
	// in square metres, between the walls, and Least its narrowest width for bodies in metres.
	Head, Tail, Length float64
	Area, Least        float64
	Speed              float64 // of the slowest member, metres a second
	Corridor           []geom.Vec
}

// Member is the state of a member after a step.
type Member struct {
	ID crowd.ID
	// Slot is the place where the member should be, on the floor.
	Slot geom.Vec
	// Station and Along are the distances of the slot and of the member along the corridor in metres.
	Station, Along float64
	Pull           float64 // the strength of the attractor in 1/s
	Apart          bool    // out of sight of its slot: the member finds its own way
}

// EventKind tells the kind of an Event.
type EventKind uint8

// The kinds of events.
const (
	EventArrived EventKind = iota
	EventStuck
	EventSplit  // members of ID are now in Other
	EventJoined // members of Other are now in ID, and Other is gone
	EventEmpty  // all members are gone, and the group
)

// Event is something that happened to a group in a step.
type Event struct {
	ID    ID
	Kind  EventKind
	Other ID
}

// ErrUnknown reports an id that no group has.
var ErrUnknown = errors.New("no such group")

// goalKind tells the kind of a goal.
type goalKind uint8

const (
	toNothing goalKind = iota
	toPlace
	toAgent
)

// member is what a group knows of a member. A step derives the fields behind the first blank line.
type member struct {
	id    crowd.ID
	along float64
	// away is the time without coming near, in seconds; way is the length of its own way while it is apart.
	away, way float64
	apart     bool
	sent      geom.Vec // the goal of a member that is apart
	met       bool     // whether the member knows the doors of the way

	agent   crowd.Agent
	floor   *floor
	at      query.Position
	beside  float64 // metres to the right of the way
	front   float64 // along, less the distance from the corridor
	station float64
	slot    geom.Vec
	strong  float64
}

// group is all that Groups knows of a group. A step derives the fields behind the first blank line.
type group struct {
	id        ID
	members   []member
	leader    bool
	formation Formation
	slots     []Slot
	spacing   float64
	kind      goalKind
	goal      geom.Vec
	other     crowd.ID
	distance  float64
	state     State
	planned   bool
	way       corridor
	head      float64
	clearance float64
	loose     float64 // seconds for which the formation has to fit before it is taken up again
	late      float64 // seconds since the head is at the end
	calm      float64 // seconds until the group may join another
	blocked   float64 // seconds for which those who are behind make no progress
	scatter   float64 // seconds for which the members go on singly
	// jams is the number of times that the members went on singly and the group came no nearer, and rest the length of the
	// way in metres that was left before.
	jams int
	rest float64
	// stale is the time in seconds since rest became shorter.
	stale float64

	doors                   crowd.Doors // of the way, if known
	known                   bool
	room, pullOpen          float64
	floor                   *floor
	area, slowest, largest  float64
	order, moved            []int
	formed                  bool
	speed                   float64 // of the head
	tailWas, areaWas, least float64
}

// Groups are the groups of a crowd. Groups belong to one goroutine at a time, the one of the crowd.
type Groups struct {
	crowd  *crowd.Crowd
	opt    Options
	groups []*group // by rising id
	steps  uint64
	events []Event
	floors []*floor
	wideOf *query.Index
	wide   []clearance
}

// New returns no groups of a crowd. The error names an option out of range, or a missing crowd.
func New(opt Options, c *crowd.Crowd) (*Groups, error) {
	opt, err := opt.check()
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, errors.New("group: no crowd")
	}
	return &Groups{crowd: c, opt: opt}, nil
}

func (s *Groups) find(id ID) (int, bool) {
	return slices.BinarySearchFunc(s.groups, id, func(g *group, id ID) int { return cmp.Compare(g.id, id) })
}

func (s *Groups) group(id ID) (*group, error) {
	i, ok := s.find(id)
	if !ok {
		return nil, fmt.Errorf("group %d: %w", id, ErrUnknown)
	}
	return s.groups[i], nil
}

// of returns the group of a member, or nil.
func (s *Groups) of(id crowd.ID) *group {
	for _, g := range s.groups {
		for i := range g.members {
			if g.members[i].id == id {
				return g
			}
		}
	}
	return nil
}

// Of returns the group of an agent, and whether the agent is in one. Time O(n) for n members of all groups.
func (s *Groups) Of(agent crowd.ID) (id ID, ok bool) {
	if g := s.of(agent); g != nil {
		return g.id, true
	}
	return 0, false
}

// Form makes a group. The errors name the group: a taken id, no members, a member unknown to the crowd or in another
// group, a value out of range.
func (s *Groups) Form(spec Spec) error {
	i, taken := s.find(spec.ID)
	switch {
	case taken:
		return fmt.Errorf("group %d: the id is taken", spec.ID)
	case spec.ID == math.MaxUint64:
		return fmt.Errorf("group %d: the id is too great", spec.ID)
	case len(spec.Members) == 0:
		return fmt.Errorf("group %d: no members", spec.ID)
	}
	g := &group{id: spec.ID, leader: spec.Leader, spacing: spec.Spacing}
	if !(spec.Spacing >= 0 && spec.Spacing <= 1e3) {
		return fmt.Errorf("group %d: a spacing of %v m, must be from 0 to 1000", spec.ID, spec.Spacing)
	}
	if err := g.setFormation(spec.Formation, spec.Slots); err != nil {
		return err
	}
	for k, id := range spec.Members {
		if _, err := s.crowd.Agent(id); err != nil {
			return fmt.Errorf("group %d: %w", spec.ID, err)
		}
		if o := s.of(id); o != nil {
			return fmt.Errorf("group %d: agent %d is in group %d", spec.ID, id, o.id)
		}
		if slices.Contains(spec.Members[:k], id) {
			return fmt.Errorf("group %d: agent %d is named twice", spec.ID, id)
		}
		g.members = append(g.members, member{id: id})
	}
	s.groups = slices.Insert(s.groups, i, g)
	return nil
}

func (g *group) setFormation(f Formation, slots []Slot) error {
	if int(f) >= len(formationNames) {
		return fmt.Errorf("group %d: unknown %v", g.id, f)
	}
	for i, x := range slots {
		if !(x.Back >= 0 && x.Back <= 1e3) || !(x.Right >= -1e3 && x.Right <= 1e3) {
			return fmt.Errorf("group %d: slot %d at %v, must be up to 1000 m behind the head and to both sides", g.id, i, x)
		}
	}
	g.formation, g.slots, g.loose = f, slices.Clone(slots), 0
	return nil
}

// SetFormation changes the formation of a group. The error is an unknown id, an unknown formation, or a slot out of range.
func (s *Groups) SetFormation(id ID, f Formation, slots ...Slot) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	if err := g.setFormation(f, slots); err != nil {
		return err
	}
	if g.state == Arrived {
		// The members take up their new places.
		g.state, g.late = Walking, 0
	}
	g.planned = false
	return nil
}

// Disband ends a group. Its members stay where they are.
func (s *Groups) Disband(id ID) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	g.halt(s.crowd)
	i, _ := s.find(id)
	s.groups = slices.Delete(s.groups, i, i+1)
	return nil
}

// Leave takes an agent out of its group. The agent stays where it is, and a group without members ends in the next step. The
// error names an agent without a group.
func (s *Groups) Leave(id crowd.ID) error {
	g := s.of(id)
	if g == nil {
		return fmt.Errorf("group: agent %d is in no group", id)
	}
	k := slices.IndexFunc(g.members, func(m member) bool { return m.id == id })
	g.leader = g.leader && k > 0
	g.members = slices.Delete(g.members, k, k+1)
	if err := s.crowd.Stay(id); err != nil {
		return fmt.Errorf("group %d: %w", g.id, err)
	}
	return nil
}

// Enter makes an agent the last member of a group. The error is an unknown id, or an agent that is in a group.
func (s *Groups) Enter(id ID, agent crowd.ID) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	if _, err := s.crowd.Agent(agent); err != nil {
		return fmt.Errorf("group %d: %w", id, err)
	}
	if o := s.of(agent); o != nil {
		return fmt.Errorf("group %d: agent %d is in group %d", id, agent, o.id)
	}
	g.members = append(g.members, member{id: agent})
	g.planned = false
	if g.state == Arrived {
		g.state, g.late = Walking, 0
	}
	return nil
}

// Goal sends a group to a place. A group without a way to the place goes as near as it can, and is stuck there.
func (s *Groups) Goal(id ID, at geom.Vec) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	if !at.IsFinite() {
		return fmt.Errorf("group %d: the goal %v is not finite", id, at)
	}
	g.send(toPlace, at)
	return nil
}

// Follow sends a group after an agent, which is not a member, up to a distance in metres of its way. The group goes on for as
// long as the agent does.
func (s *Groups) Follow(id ID, agent crowd.ID, distance float64) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	a, err := s.crowd.Agent(agent)
	if err != nil {
		return fmt.Errorf("group %d: %w", id, err)
	}
	if s.of(agent) == g || !(distance >= 0 && distance <= 1e6) {
		return fmt.Errorf("group %d: cannot follow agent %d at %v m", id, agent, distance)
	}
	g.send(toAgent, a.At)
	g.other, g.distance = agent, distance
	return nil
}

func (g *group) send(kind goalKind, at geom.Vec) {
	g.kind, g.goal, g.other, g.distance = kind, at, 0, 0
	g.state, g.planned, g.late = Walking, false, 0
	g.blocked, g.scatter, g.jams, g.rest, g.stale = 0, 0, 0, math.MaxFloat64, 0
	for k := range g.members {
		g.members[k].away = 0
	}
}

// Stay takes the goal from a group.
func (s *Groups) Stay(id ID) error {
	g, err := s.group(id)
	if err != nil {
		return err
	}
	g.send(toNothing, geom.Vec{})
	g.state = Idle
	g.halt(s.crowd)
	return nil
}

// halt makes the members stay where they are.
func (g *group) halt(c *crowd.Crowd) {
	for k := range g.members {
		m := &g.members[k]
		m.apart, m.met = false, false
		// An agent that is gone leaves the group in the next step.
		_ = c.Stay(m.id)
	}
}

func (g *group) view() Group {
	v := Group{
		ID: g.id, State: g.state, Formation: g.formation, InFormation: g.formed, Clearance: g.clearance,
		Head: g.head, Tail: g.tailWas, Length: g.way.length(), Area: g.areaWas, Least: g.least, Speed: g.slowest,
		Corridor: slices.Clone(g.way.points),
	}
	if g.kind != toNothing {
		v.Goal = g.goal
	}
	for k := range g.members {
		v.Members = append(v.Members, g.members[k].id)
	}
	return v
}

// Group returns the state of a group.
func (s *Groups) Group(id ID) (Group, error) {
	g, err := s.group(id)
	if err != nil {
		return Group{}, err
	}
	return g.view(), nil
}

// Groups returns all groups, by rising id.
func (s *Groups) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for _, g := range s.groups {
			if !yield(g.view()) {
				return
			}
		}
	}
}

// Members returns the members of a group in the order of their slots. The places are those of the last step.
func (s *Groups) Members(id ID) ([]Member, error) {
	g, err := s.group(id)
	if err != nil {
		return nil, err
	}
	var list []Member
	for k := range g.members {
		m := &g.members[k]
		list = append(list, Member{m.id, m.slot, m.station, m.along, m.strong, m.apart})
	}
	return list, nil
}

// Section returns the cross-sections of a group's section from head to tail, at most every quarter of a metre: pairs of
// places at the left and the right wall. A group that was not led has none.
func (s *Groups) Section(id ID) ([][2]geom.Vec, error) {
	g, err := s.group(id)
	if err != nil || g.floor == nil || !g.planned {
		return nil, err
	}
	var list [][2]geom.Vec
	for at := g.head; ; at -= pitch {
		at = max(at, g.tailWas)
		p := g.way.place(g.floor, at)
		list = append(list, [2]geom.Vec{p.at.Add(p.right.Scale(p.left)), p.at.Add(p.right.Scale(p.wide))})
		if at <= g.tailWas {
			return list, nil
		}
	}
}

// Events returns what happened in the last step, by rising id of the group. The list is valid until the next step.
func (s *Groups) Events() []Event { return s.events }

// Steps returns the number of steps.
func (s *Groups) Steps() uint64 { return s.steps }
