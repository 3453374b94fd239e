package crowd

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// goalKind tells the kind of a goal.
type goalKind uint8

const (
	toNothing goalKind = iota
	toPlace
	toNearest
	toAgent
	toVelocity // at is the velocity, see Crowd.Lead
)

// goal is where an agent wants to be.
type goal struct {
	kind   goalKind
	at     geom.Vec
	places []geom.Vec
	other  ID
	within float64 // metres between the borders, of toAgent
}

// wall is a wall near an agent, with the floor on the left of the way from a to b.
type wall struct {
	a, b plane
	// out is the unit normal that leads off the floor.
	out    plane
	length float64
}

// agent is all a Crowd knows of an agent. Every field a later step reads is in its saved form, see Crowd.Save.
type agent struct {
	id         ID
	radius     float64
	height     float64
	speed      float64
	push       float64
	priority   int32
	unyielding bool
	paused     bool
	ground     int32
	rule       Rule

	pos   query.Position
	vel   plane // the last move over its time
	want  plane // the preferred velocity, which follows the way within the acceleration
	knock plane // what remains of pushes
	dir   plane // the unit vector along the way, zero for agents without a wish to move
	// bend is the next bend of a way, toBend its distance, and out the way from the bend to the following bend, zero at the last.
	bend, out plane
	toBend    float64
	// queues says whether a walker of the same stream keeps the agent slow, see solver.stayBehind.
	queues bool
	// claim is the right of way the agent has or obeys. Others make room along the unit vector shove. The agent's own
	// claim lasts for insist seconds more. See agent.give.
	claim  claim
	shove  plane
	insist float64

	// parts says whether the agent was on another one in the step before.
	parts bool

	// turn is the radius of a vehicle's turning circle, 0 for walkers; heading is the unit vector along it, zero before its first way,
	// and back the length in metres still to back up, to a side (1 is right) or to the side of the next bend.
	turn       float64
	heading    plane
	back, side float64

	state  State
	reason Reason
	goal   goal
	// asked is the number of the step that asked for a path, plus one; 0 if none is awaited.
	asked uint64

	// path are the bends of the way, the place of the search first; next is the index of the bend the agent walks
	// to, and in its sight when it was chosen. jumps are the links of the way.
	path  []geom.Vec
	next  int
	jumps []jump
	// rest is the length of the way behind the next bend.
	rest float64
	// whole says whether the way leads to the goal, and leg whether the way is a first leg: the agent walks the leg, or has walked to its end, until
	// the path comes.
	whole, leg bool

	// passages are the narrow parts of the way, nextPassage is the one ahead or under way. The agent holds its doors, or is
	// held up before them.
	passages    []passage
	nextPassage int
	holds, held bool
	// heldSince is the step in which the wait before the next passage began, plus one; 0 before.
	heldSince uint64
	// freed is the number of doors of the passage an agent who holds it has left behind.
	freed int
	// left is the length of the way that remains to a led agent, see Crowd.LeadOn.
	left float64
	// bides says whether the agent waits in this step, because another agent rides its link.
	bides bool
	// party is the number of those who are led together, see Crowd.Meet.
	party uint64

	// least is the shortest way that remained so far, since the time of calm, and since is the time without progress.
	least float64
	since float64

	// walls are the walls within wallsReach of wallsAt.
	walls      []wall
	wallsAt    query.Position
	wallsReach float64
	wallsKnown bool
	// crowded is a guess for the next search, see search.guess. It changes no answer and is not saved.
	crowded float64
	// turned is the direction of the fan that the agent chose last, a guess for choose. It changes no answer and is not saved.
	turned int8

	// link is the index of the link under way plus one, and done the part of its time in seconds.
	link int
	done float64
	leap jump

	lost    bool // whether the floor is gone
	event   bool // whether pending holds an event of the step
	pending Event
}

// jump is a link of a way: from the bend at index bend to the next one.
type jump struct {
	bend     int
	link     int
	from, to geom.Vec
}

func (a *agent) at() plane { return plane{a.pos.Point.X, a.pos.Point.Z} }

// stand puts an agent at a position at rest.
func (a *agent) stand(pos query.Position) {
	a.pos = pos
	a.vel, a.want, a.knock = plane{}, plane{}, plane{}
	a.walls, a.wallsKnown = a.walls[:0], false
	a.calm()
}

// calm forgets for how long an agent has made no progress.
func (a *agent) calm() { a.least, a.since = -1, 0 }

// fastest returns the greatest speed of an agent in a step, but for pushes.
func (a *agent) fastest() float64 {
	if a.parts {
		return max(a.speed, partFast)
	}
	return a.speed
}

func (a *agent) tell(kind EventKind, reason Reason, link int) {
	a.event, a.pending = true, Event{a.id, kind, reason, link}
}

// holdsOn reports whether an agent steps aside for nobody: a vehicle cannot.
func (a *agent) holdsOn() bool { return a.unyielding || a.paused || a.turn > 0 }

// waits reports whether an agent waits for its turn, at a door or a link.
func (a *agent) waits() bool { return a.held || a.bides }

// standing reports whether an agent has no wish to move.
func (a *agent) standing() bool { return a.paused || a.state != Walking }

func (a *agent) view() Agent {
	v := Agent{ID: a.id, At: a.pos.Point, Velocity: geom.Vec{X: a.vel.x, Z: a.vel.z}, Radius: a.radius, Speed: a.speed, State: a.state, Reason: a.reason, Remains: a.remains(), Held: a.held, Holds: a.holds, Awaits: a.asked != 0}
	if a.turn > 0 {
		v.Heading = geom.Vec{X: a.heading.x, Z: a.heading.z}
	}
	if a.goal.kind != toNothing && a.goal.kind != toVelocity {
		v.Goal = a.goal.at
	}
	if a.paused && a.state != OnLink {
		v.State = Paused
	}
	return v
}
