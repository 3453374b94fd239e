package crowd

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Passing narrow doors.
//
// Source: ours.
//
// Idea: A portal where two agents cannot pass each other is a door with a direction. Agents take all doors of a narrow passage
// at once, or none, on coming near, and leave each door behind singly; agents share doors with others of the same
// direction, and wait aside while others come. A passage ends where a third way leads aside: agents who meet at a crossing part by the side way.
// A passage across crossings would close half a level. Where two can pass each other no door is taken: agents would wait for others far away. After a while of one direction, those who wait on the other side go next:
// agents who have their turn and are still outside of the passage give it back, and nobody begins a turn while others who could go have waited longer. An agent in
// the way of somebody with a turn gets a turn too. An agent who leaves a door long before the other direction arrives gets a turn, too.
//
// Input: the way of an agent, the portals of its regions.
//
// Guarantees: two streams get through a door one agent wide (TestDoorway), and through a passage of ten metres nobody waits for more than a few turns (TestLongPassage). No two agents who hold a door go
// opposite ways, but for agents who began their way inside.
//
// Degenerate cases: an agent who is inside a passage already holds its doors, whoever else does. A passage of many doors may
// wait for all of them to be free at once; the time of a phase bounds each of the waits, not their sum.
//
// Cost: O(k) for a way of k portals, and a step in four for an agent who holds k doors; O(1) in the other steps.

// doorKey names a portal by its mesh and its regions, the smaller Ref first.
type doorKey struct {
	ground int32
	a, b   navmesh.Ref
}

// door is a portal on a way, and the direction of the way: up from the smaller Ref.
type door struct {
	key doorKey
	up  bool
	// lanes is the number of agents who fit side by side.
	lanes int32
	// at is the length of the way that remains at the door, in metres.
	at float64
	// here is the place of the door on the way, and axis the unit vector through the door, along the way.
	here, axis plane
}

// passage is a part of a way that leads through doors.
type passage struct {
	doors []door
	// before and behind are the remaining lengths of the way at the first and last door, in metres.
	before, behind float64
	// in is the middle of the first door, and axis the unit vector through it, along the way.
	in, axis plane
}

// traffic is the state of a door.
type traffic struct {
	// inside are the numbers of agents who go down, and up; since are the steps that began their phases, and asked the
	// last steps in which somebody waited to, plus one; first are the steps where the longest waits began.
	inside              [2]int32
	since, asked, first [2]uint64
	// kept are the last steps where somebody with a turn made no progress, plus one, and tail the greatest lengths of their ways
	// to the door, in metres.
	kept [2]uint64
	tail [2]float64
	// soon are the times in seconds until the first agent with a turn may come to the door, told in the steps told, plus one.
	soon [2]float64
	told [2]uint64
	// able are the last steps where somebody waited and only the turn of others kept the passage closed, plus one.
	able [2]uint64
}

const (
	// lane is the width of a lane, in radii of an agent.
	lane = 2.3
	// broad is the number of lanes from which on a portal is no door: two agents can pass each other.
	broad = 2
	// approach in metres, or approachBodies in radii where that is more, is how far before a door an agent asks for it, and
	// aside in metres is how far before the door the agent waits. Who asks from far away keeps a door from others for nothing.
	approach, approachBodies, aside = 1.5, 3, 1.0
	// phase in seconds is the time after which a direction ends if others wait.
	phase = 4.0
	// lasting in seconds is how long a wait counts.
	lasting = 0.5
	// longest in phases is the wait after which agents keep a passage free for others who cannot go yet.
	longest = 3
	// tellEvery is a number of steps: once in as many, an agent with a turn tells the doors when to expect the agent.
	tellEvery = 4
	// inPassage is the speed through a passage, as a part of an agent's speed, and spare the time in seconds it takes at the end: somebody who
	// has left a door long before another one comes there is not in its way.
	inPassage, spare = 0.8, 0.5
)

// findDoors lists the passages of a way through regions.
func (w *worker) findDoors(c *Crowd, a *agent, regions []navmesh.Ref) {
	a.passages, a.nextPassage, a.held = a.passages[:0], 0, false
	if len(a.path) < 2 {
		return
	}
	ix := c.grounds[a.ground].rules[a.rule]
	frame := ix.Mesh().Frame
	leg, rest := 0, a.rest
	if a.next == 1 {
		rest += ground2(a.path[1]).sub(ground2(a.path[0])).norm()
	}
	wide, side := true, false // since the last door
	var last geom.Vec
	var lastKey doorKey
	for i := 0; i+1 < len(regions); i++ {
		w.exits = ix.Exits(w.exits[:0], regions[i])
		from, to, found := widest(w.exits, regions[i+1], frame)
		if !found {
			continue
		}
		side = side || leadsAside(w.exits)
		l, r := ground2(from), ground2(to)
		// A slanted portal is longer than its door is wide.
		if r.sub(l).norm() >= 1.5*2*lane*a.radius {
			wide = true
			continue
		}
		// The leg of the way across the portal, and the remaining length there.
		at, t, ok := 0.0, 0.0, false
		k, behind := leg, rest
		for ; k+1 < len(a.path); k++ {
			p, q := ground2(a.path[k]), ground2(a.path[k+1])
			length := q.sub(p).norm()
			if t, ok = crosses(p, q, l, r); ok {
				at = behind - float64(length*t)
				break
			}
			behind -= length
		}
		if !ok {
			continue
		}
		leg, rest = k, behind
		// A short portal may lie on open floor: the room for lanes is what is free across the way.
		here := ground2(a.path[k].Lerp(a.path[k+1], t))
		part := int32(0)
		if length := r.sub(l).norm2(); length > 0 {
			part = int32(min(max(math.Round(parts*here.sub(l).dot(r.sub(l))/length), 0), parts))
		}
		lanes := lanesOf(a, w.width(c, a, placeKey{regions[i], regions[i+1], 0, 0, part}, from.Lerp(to, float64(part)/parts)))
		if lanes >= broad {
			wide = true
			continue
		}
		middle := from.Lerp(to, 0.5)
		axis, _ := plane{r.sub(l).z, -r.sub(l).x}.unit()
		if axis.dot(ground2(a.path[k+1]).sub(ground2(a.path[k]))) < 0 {
			axis = axis.scale(-1)
		}
		d := door{doorKey{a.ground, regions[i], regions[i+1]}, true, lanes, at, here, axis}
		if regions[i+1] < regions[i] {
			d.key, d.up = doorKey{a.ground, regions[i+1], regions[i]}, false
		}
		n := len(a.passages)
		if n > 0 && !wide && !side && (ground2(middle).sub(ground2(last)).norm() < 4*a.radius ||
			lanes == 1 && lanesOf(a, w.width(c, a, placeKey{lastKey.a, lastKey.b, d.key.a, d.key.b, 0}, last.Lerp(middle, 0.5))) == 1) {
			a.passages[n-1].doors = append(a.passages[n-1].doors, d)
			a.passages[n-1].behind = at
		} else {
			a.passages = append(a.passages, passage{[]door{d}, at, at, ground2(middle), axis})
		}
		wide, side, last, lastKey = false, false, middle, d.key
	}
}

// leadsAside reports whether more than two ways lead off a region, by its exits.
func leadsAside(exits []query.Exit) bool {
	var ways [2]navmesh.Ref
	n := 0
	for i := range exits {
		to := exits[i].To
		if exits[i].Link >= 0 || slices.Contains(ways[:n], to) {
			continue
		}
		if n == len(ways) {
			return true
		}
		ways[n], n = to, n+1
	}
	return false
}

// widest returns the ends of the widest portal to a region.
func widest(exits []query.Exit, to navmesh.Ref, frame lattice.Frame) (left, right geom.Vec, ok bool) {
	best := -1.0
	for i := range exits {
		e := &exits[i]
		if e.To != to || e.Link >= 0 {
			continue
		}
		l, r := frame.ToWorld(e.Left.Point, e.Left.Z), frame.ToWorld(e.Right.Point, e.Right.Z)
		if d := ground2(l).sub(ground2(r)).norm2(); d > best {
			left, right, best = l, r, d
		}
	}
	return left, right, best >= 0
}

// lanesOf returns the number of agents who fit side by side in a width, at most broad, which is two.
func lanesOf(a *agent, width float64) int32 {
	if a.radius < thinnest || width < (broad-1)*lane*a.radius {
		return 1
	}
	return broad
}

// parts is the number of parts of a portal, between the places where its width is measured.
const parts = 8

// placeKey names a place where a width is measured: on the portal between two regions, by the part of its length, or half-way between
// two portals.
type placeKey struct {
	a, b, c, d navmesh.Ref
	part       int32
}

// mostWidths bounds the widths a worker keeps.
const mostWidths = 1 << 16

// width returns the width of the floor for an agent's centre at a place: the shortest of a few straight lines from wall to wall, up to
// a lane of the widest agent of the mesh or more. A worker keeps the widths of places: those of a floor never change.
func (w *worker) width(c *Crowd, a *agent, key placeKey, at geom.Vec) float64 {
	kept := &w.widths[a.ground]
	for len(*kept) <= int(a.rule) {
		*kept = append(*kept, map[placeKey]float64{})
	}
	of := (*kept)[a.rule]
	width, ok := of[key]
	if !ok {
		if len(of) >= mostWidths {
			clear(of)
		}
		width = w.measureWidth(c, a, at)
		of[key] = width
	}
	return width
}

// forgetWidths forgets the widths of another floor.
func (w *worker) forgetWidths() {
	for _, kept := range w.widths {
		for _, of := range kept {
			clear(of)
		}
	}
}

func (w *worker) measureWidth(c *Crowd, a *agent, at geom.Vec) float64 {
	q := w.on(c, a)
	pos, ok := q.Locate(at)
	if !ok {
		return math.Inf(1)
	}
	room := (broad - 1) * lane * c.grounds[a.ground].radius
	flat := q.Flat
	q.Flat = true // the heights of the ends do not matter
	defer func() { q.Flat = flat }()
	least := math.Inf(1)
	for _, d := range chords {
		free := 0.0
		for _, side := range [...]float64{room, -room} {
			ray, err := q.Raycast(pos, pos.Point.Add(geom.Vec{X: float64(d.x * side), Z: float64(d.z * side)}))
			if err != nil {
				return math.Inf(1)
			}
			if free += float64(ray.Fraction * room); free >= room {
				break
			}
		}
		least = min(least, free)
	}
	return least
}

// thinnest in metres is a radius: thinner agents go through every opening singly.
const thinnest = 0.01

// chords are the directions in which widths are measured, every 30°.
var chords = [...]plane{{1, 0}, {0.8660254037844386, 0.5}, {0.5, 0.8660254037844386}, {0, 1}, {-0.5, 0.8660254037844386}, {-0.8660254037844386, 0.5}}

// crosses returns the part of the way from p to q at which it meets the segment from l to r.
func crosses(p, q, l, r plane) (float64, bool) {
	d, e := q.sub(p), r.sub(l)
	den := d.det(e)
	if den == 0 {
		return 0, p.sub(l).norm2() == 0 || p.sub(r).norm2() == 0
	}
	t, s := l.sub(p).det(e)/den, l.sub(p).det(d)/den
	// Ways turn at the ends of portals: rounding must not miss them.
	const near = 1e-6
	return min(max(t, 0), 1), t >= -near && t <= 1+near && s >= -near && s <= 1+near
}

// control asks for the doors ahead of an agent, and leaves those behind.
func (c *Crowd) control(a *agent, dt float64) {
	a.held = false
	for a.nextPassage < len(a.passages) {
		p := &a.passages[a.nextPassage]
		remains := a.remains()
		if a.goal.kind == toVelocity {
			remains = a.left
		}
		if a.isBehind(&p.doors[len(p.doors)-1], remains) {
			c.leaveDoors(a)
			a.nextPassage++
			continue
		}
		before := remains - p.before
		if a.holds && a.freed == 0 && before > aside && c.isOver(p, dt) {
			// Others have waited for long, and this agent can still wait aside.
			c.leaveDoors(a)
		}
		if a.holds {
			// Doors behind are free for others.
			for a.freed < len(p.doors) && a.isBehind(&p.doors[a.freed], remains) {
				c.leave(&p.doors[a.freed])
				a.freed++
			}
			if (c.steps+uint64(a.id))%tellEvery == 0 {
				c.tell(a, p.doors[a.freed:], remains, dt)
			}
			if a.since > blockedAfter {
				for _, d := range p.doors[a.freed:] {
					t, way := c.traffic(d.key), index(d.up)
					if t.kept[way] != c.steps+1 || remains-d.at > t.tail[way] {
						t.tail[way] = remains - d.at
					}
					t.kept[way] = c.steps + 1
				}
			}
			return
		}
		if before > max(approach, approachBodies*a.radius) {
			a.heldSince = 0
			return
		}
		if a.heldSince == 0 {
			a.heldSince = c.steps + 1
		}
		if before <= 0 || c.open(a, p, remains, dt) {
			for _, d := range p.doors {
				t, way := c.traffic(d.key), index(d.up)
				if t.inside[way] == 0 {
					t.since[way] = c.steps + 1
				}
				t.inside[way]++
			}
			a.holds, a.freed, a.heldSince = true, 0, 0
			c.tell(a, p.doors, remains, dt)
			return
		}
		a.held = true
		for _, d := range p.doors {
			t, way := c.traffic(d.key), index(d.up)
			if t.asked[way] != c.steps+1 || a.heldSince < t.first[way] {
				t.first[way] = a.heldSince
			}
			t.asked[way] = c.steps + 1
		}
		return
	}
}

// isBehind reports whether an agent has left a door behind, by the length of its way that remains or by its place: the way of an agent
// that others have pushed aside may be longer behind the door than at the door.
func (a *agent) isBehind(d *door, remains float64) bool {
	if remains < d.at-a.radius {
		return true
	}
	from := a.at().sub(d.here)
	return remains < d.at+nearDoor && from.dot(d.axis) > a.radius && from.norm2() < (nearDoor+a.radius)*(nearDoor+a.radius)
}

// nearDoor in metres bounds how far from a door, seen from above and along the way, the place of an agent tells that the door is behind.
const nearDoor = 3.0

func index(up bool) int {
	if up {
		return 1
	}
	return 0
}

func (c *Crowd) traffic(k doorKey) *traffic {
	t := c.doors[k]
	if t == nil {
		t = new(traffic)
		c.doors[k] = t
	}
	return t
}

// open reports whether all doors of a passage admit another agent.
//
// Agents in the way of somebody with a turn get a turn, too: else both would wait for each other.
func (c *Crowd) open(a *agent, p *passage, remains, dt float64) bool {
	for _, d := range p.doors {
		t := c.doors[d.key]
		if t == nil {
			continue
		}
		leaves := (remains-d.at+2*a.radius)/(a.speed*inPassage) + spare
		if way := index(d.up); t.inside[1-way] > 0 && t.inside[0]+t.inside[1] >= d.lanes && c.soon(t, 1-way, dt) < leaves {
			return false
		}
	}
	for _, d := range p.doors {
		c.traffic(d.key).able[index(d.up)] = c.steps + 1
	}
	for _, d := range p.doors {
		t, way := c.traffic(d.key), index(d.up)
		if !c.waits(t, 1-way, dt) {
			continue
		}
		if t.inside[way] > 0 {
			before := t.kept[way] > 0 && c.lasts(t.kept[way], dt) <= lasting && remains-d.at < t.tail[way]
			if c.lasts(t.since[way], dt) > phase && !before {
				return false
			}
		} else if waited := c.lasts(t.first[1-way], dt); t.first[1-way] < a.heldSince && waited > phase && (c.lasts(t.able[1-way], dt) <= lasting || waited > longest*phase) {
			// Those on the other side have waited longer, and go next, unless other doors of their passage are taken.
			return false
		}
	}
	return true
}

// tell has the doors of an agent with a turn know when to expect the agent.
func (c *Crowd) tell(a *agent, doors []door, remains, dt float64) {
	for i := range doors {
		d := &doors[i]
		t, way := c.traffic(d.key), index(d.up)
		comes := max(remains-d.at-a.radius, 0) / a.speed
		if t.told[way] == 0 || t.told[way]+tellEvery <= c.steps+1 || comes < c.soon(t, way, dt) {
			t.soon[way], t.told[way] = comes, c.steps+1
		}
	}
}

// soon returns the time in seconds until somebody with a turn in a direction may come to a door.
func (c *Crowd) soon(t *traffic, way int, dt float64) float64 {
	if t.told[way] == 0 || t.told[way]+2*tellEvery <= c.steps+1 {
		return 0
	}
	return t.soon[way] - c.lasts(t.told[way], dt)
}

// waits reports whether somebody waits to take a door in a direction.
func (c *Crowd) waits(t *traffic, way int, dt float64) bool {
	return t.asked[way] > 0 && c.lasts(t.asked[way], dt) <= lasting
}

// lasts returns the time in seconds since a step.
func (c *Crowd) lasts(step uint64, dt float64) float64 { return float64(c.steps+1-step) * dt }

// isOver reports whether the phase of a passage is over at one of its doors, and others wait.
func (c *Crowd) isOver(p *passage, dt float64) bool {
	for _, d := range p.doors {
		way := index(d.up)
		if t := c.traffic(d.key); c.waits(t, 1-way, dt) && c.lasts(t.since[way], dt) > phase {
			return true
		}
	}
	return false
}

// leaveDoors frees the doors an agent holds.
func (c *Crowd) leaveDoors(a *agent) {
	if !a.holds {
		return
	}
	a.holds = false
	doors := a.passages[a.nextPassage].doors
	for i := a.freed; i < len(doors); i++ {
		c.leave(&doors[i])
	}
}

func (c *Crowd) leave(d *door) {
	if t := c.doors[d.key]; t != nil && t.inside[index(d.up)] > 0 {
		t.inside[index(d.up)]--
	}
}

// waitAside returns the wish of an agent who waits before a door: off the strip in front of the door, for those who come out.
func (a *agent) waitAside() plane {
	p := &a.passages[a.nextPassage]
	from := a.at().sub(p.in)
	right := plane{-p.axis.z, p.axis.x}
	across, along := from.dot(right), from.dot(p.axis)
	side := right
	if across < -strip/2 {
		side = right.scale(-1)
	}
	wish := plane{}
	if across < strip+a.radius && across > -strip-a.radius {
		wish = side
	}
	if along > -aside {
		wish = wish.sub(p.axis)
	}
	wish, _ = wish.unit()
	return wish.scale(a.speed)
}

// strip in metres is half the width of the strip in front of a door, free of waiting agents.
const strip = 0.9
