package crowd

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Walking along a way.
//
// Source: ours.
//
// Idea: The way of an agent is the bends of its path. The agent walks straight to the next bend, already seen. Near a bend
// the agent looks for the bend behind, from time to time, and walks there as soon as that bend is in sight: an agent others push aside
// still walks short ways. An agent who is slow looks whether it has lost the bend from sight, and then asks for a new path.
//
// Among others a walker turns to the direction in which it comes farthest towards its bend (Moussaid), keeps right where others
// come the opposite way, and agents who stand let walkers through.
//
// Guarantees: an agent alone arrives, by a way longer than the shortest by at most 1 % and 10 cm (TestOneAgentArrives). Two
// streams part into lanes (TestLanes). Meetings of a few cost less than two seconds (TestSteering).
//
// Degenerate cases: a way of one place is its goal. A bend on another storey is in sight only at its own height.
//
// Cost: O(1) a step, and a walk in a straight line every fourth step near a bend.

const (
	// beside in metres is how near a bend counts as reached.
	beside = 0.02
	// lookAhead in seconds is the time before a bend in which an agent looks behind it.
	lookAhead = 0.6
	// storey in metres is the difference of heights up to which a sight ends on its target's floor.
	storey = 0.5
	// lookEvery is the number of steps between looks.
	lookEvery = 4
)

// aim follows the way of an agent, and sets its preferred velocity.
func (w *worker) aim(c *Crowd, i int, dt float64) {
	a := c.agents[i]
	wish := plane{}
	a.dir, a.bides = plane{}, false
	if a.state == Walking && !a.paused {
		wish = w.wish(c, a, dt)
	}
	if a.knock != (plane{}) {
		l := a.knock.norm()
		a.knock = a.knock.scale(max(l-float64(a.push*dt), 0) / l)
		// What others do to an agent takes no patience of its own.
		a.calm()
	}
	change := wish.sub(a.want)
	a.want = a.want.add(change.upTo(a.push * dt))
}

// wish returns the velocity along the way, without others.
func (w *worker) wish(c *Crowd, a *agent, dt float64) plane {
	if a.goal.kind == toVelocity {
		v := a.led()
		if a.held {
			v = a.waitAside()
		}
		return v
	}
	at := a.at()
	look := (c.steps+uint64(a.id))%lookEvery == 0
	for a.next+1 < len(a.path) && !a.leapsFrom(a.next) {
		d := a.bend.sub(at).norm()
		if d > max(beside, a.speed*dt) && (!look || d > float64(a.speed*lookAhead)+a.radius+a.turn) || !w.sees(c, a, a.path[a.next+1]) {
			break
		}
		a.pass()
	}
	if a.next >= len(a.path) {
		return plane{}
	}
	dir, d := a.bend.sub(at).unit()
	// Something keeps the agent from its way: others, or a wall others have pushed the agent behind.
	// Those who wait for a turn go aside and come back; after a long wait the way round may be shorter.
	waits := a.held && c.lasts(a.heldSince, dt) <= phase
	if slow := a.vel.dot(dir) < a.speed/2; slow && look && !waits && a.asked == 0 && !w.sees(c, a, a.path[a.next]) {
		c.replan(a)
	}
	speed := a.speed
	if a.next+1 == len(a.path) {
		// No faster than the brakes allow.
		speed = min(speed, math.Sqrt(2*a.push*d))
	}
	a.dir, a.toBend = dir, d
	if j, left := a.linkAhead(); j != nil && c.busy(a, j) {
		a.bides = true
		// Whoever is on the link needs room to land.
		if left < 2*a.radius+landing/2 {
			return dir.scale(-a.speed)
		}
		return plane{}
	}
	if a.held {
		return a.waitAside()
	}
	// The bend behind is not in sight: not beyond the next one.
	return dir.scale(min(speed, d/dt))
}

// pass goes on to the bend behind the next one.
func (a *agent) pass() {
	a.rest -= a.out.norm()
	a.turnTo(a.next + 1)
}

// turnTo makes a bend of the way the next one.
func (a *agent) turnTo(next int) {
	a.next = next
	if next < len(a.path) {
		a.bend, a.out = ground2(a.path[next]), plane{}
	}
	if next+1 < len(a.path) {
		a.out = ground2(a.path[next+1]).sub(a.bend)
	}
}

// leapsFrom reports whether a link begins at a bend.
func (a *agent) leapsFrom(bend int) bool { return a.jumpFrom(bend) != nil }

// jumpFrom returns the link that begins at a bend, nil without one.
func (a *agent) jumpFrom(bend int) *jump {
	for i := range a.jumps {
		if a.jumps[i].bend == bend {
			return &a.jumps[i]
		}
	}
	return nil
}

// remains returns the length of the way of an agent to its goal, seen from above, without links.
func (a *agent) remains() float64 {
	if a.next >= len(a.path) {
		return 0
	}
	return a.bend.sub(a.at()).norm() + a.rest
}

// measure sets the length of the way behind the next bend.
func (a *agent) measure() {
	a.rest = 0
	for i := a.next; i+1 < len(a.path); i++ {
		a.rest += ground2(a.path[i+1]).sub(ground2(a.path[i])).norm()
	}
}

func ground2(v geom.Vec) plane { return plane{v.X, v.Z} }

// sees reports whether an agent could walk straight to a place on its floor.
func (w *worker) sees(c *Crowd, a *agent, to geom.Vec) bool {
	ray, err := w.on(c, a).Raycast(a.pos, to)
	return err == nil && !ray.Hit && math.Abs(ray.End.Point.Y-to.Y) <= storey
}

// grows is by how much the square of the distance of the farthest neighbour probably grows in a step at most.
const grows = 1.3

// avoid chooses the velocity of an agent, and moves it.
func (w *worker) avoid(c *Crowd, i int, dt float64) {
	a := c.agents[i]
	if a.state == OnLink {
		return
	}
	want, fastest := a.want.add(a.knock), max(a.fastest(), a.knock.norm())
	if a.paused {
		want = a.knock
	}
	step := fastest * dt
	s := &w.solver
	s.halves, s.touching, s.parts, s.parting = s.halves[:0], s.touching[:0], false, plane{}
	// As far as both may come in this step, whoever the other one is.
	widest := a.radius + c.near.radius + 2*slack + float64((fastest+2*c.near.fast)*dt)
	q := &w.seek
	q.at, q.y, q.height, q.self = a.at(), a.pos.Point.Y, a.height, int32(i)
	q.k, q.reach = c.opt.Neighbours, c.reachOf(a)
	q.sure, q.guess = min(widest, q.reach), a.crowded
	q.climb = c.grounds[a.ground].climb + float64(2*step)
	w.list = c.near.around(w.list[:0], q)
	a.crowded = 0
	if len(w.list) >= q.k {
		a.crowded = grows * w.list[q.k-1].d2
	}
	a.queues, a.parts = false, false
	if len(w.list) == 0 && want == (plane{}) && a.vel == (plane{}) {
		a.vel, a.claim = plane{}, claim{}
		return
	}
	w.lookForWalls(c, a, step)
	at := a.at()
	w.threads = a.threads()
	for k := range a.walls {
		if !w.threads {
			s.wall(at, &a.walls[k], step, dt)
		}
	}
	rank := a.rank()
	for k := range w.list {
		n := &w.list[k]
		if n.d2 > widest*widest {
			continue
		}
		n.ahead = a.ahead(n)
		contact := a.radius + n.radius + slack + float64((fastest+max(n.speed, n.vel.norm()+n.speed))*dt)
		if n.d2 <= contact*contact {
			s.bound(a, rank, n, dt)
		}
	}
	s.hard = len(s.halves)
	if a.turn > 0 {
		a.claim = claim{}
		w.drive(c, a, w.list[:min(c.opt.Neighbours, len(w.list))], dt)
		return
	}
	horizon := c.horizon(a)
	few := w.list[:min(c.opt.Neighbours, len(w.list))]
	for k := range few {
		n := &few[k]
		if n.d2 > widest*widest {
			n.ahead = a.ahead(n) // of those within the reach of a step it is known
		}
		if !a.walled(n) {
			s.turn(a, int32(i), rank, n, horizon, dt)
		}
	}
	if !w.threads {
		want = w.stepAside(a, few, want)
	}
	v := s.solve(a.give(few, want, s.parting, dt), fastest)
	a.parts = s.parts
	w.move(c, a, v, dt)
}

// threads reports whether an agent on its way stands between walls that face each other and are no farther away than steps stay from
// walls. Floor as narrow as that leads nowhere but along the way: the agent keeps to it, and the exact walk to the floor.
func (a *agent) threads() bool {
	if a.state != Walking || a.dir == (plane{}) || a.waits() {
		return false
	}
	at, first := a.at(), (*wall)(nil)
	for i := range a.walls {
		l := &a.walls[i]
		if d := l.a.sub(at).dot(l.out); d > tight || d < -tight {
			continue
		}
		if t := at.sub(l.a).dot(plane{l.out.z, -l.out.x}); t < -tight || t > l.length+tight {
			continue
		}
		if first == nil {
			first = l
		} else if first.out.dot(l.out) < 0 {
			return true
		}
	}
	return false
}

// tight in metres is the greatest distance from both walls for an agent to thread its way.
const tight = 4 * away

// stepAside changes the velocity an agent wants for those who come: walkers keep right, others let walkers through.
func (w *worker) stepAside(a *agent, near []neighbour, want plane) plane {
	if a.state == Walking && !a.waits() {
		// A led agent who stands lets others through, too.
		if a.goal.kind == toVelocity && want.norm2() < a.speed*a.speed/100 {
			if wish := a.letThrough(near); wish != (plane{}) {
				return wish
			}
		}
		return w.choose(a, near, a.keepRight(near, want))
	}
	if wish := a.letThrough(near); wish != (plane{}) {
		return wish
	}
	return want
}

// letThrough returns the velocity by which an agent who stands makes room for walkers, zero without any.
func (a *agent) letThrough(near []neighbour) plane {
	wish, by := plane{}, (*neighbour)(nil)
	if a.holdsOn() {
		return wish
	}
	for k := range near {
		n := &near[k]
		gap := math.Sqrt(n.d2) - a.radius - n.radius
		// Someone walks towards this agent, and is near.
		if n.held || a.together(n) || gap > lettingGap || n.dir.dot(n.rel) > -0.5*math.Sqrt(n.d2) {
			continue
		}
		aside := plane{-n.dir.z, n.dir.x}
		if n.dir.det(n.rel) > 0 {
			aside = aside.scale(-1)
		}
		wish = wish.add(aside.scale(1 - max(gap, 0)/lettingGap))
		if by == nil {
			by = n
		}
	}
	if dir, l := wish.unit(); l > 0 && a.roomTo(dir) < max(a.radius, 0.1)/2 {
		// A wall is aside: the agent goes where walls leave it room, away from the nearest of those who come.
		base, _ := by.dir.scale(0.6).add(dir).unit()
		return a.roomy(base, by).scale(min(l, 1) * 0.7 * a.speed)
	}
	return wish.upTo(1).scale(0.7 * a.speed)
}

// roomTo returns how far walls leave room in a direction, in metres, up to the radius of the agent or a little.
func (a *agent) roomTo(dir plane) float64 {
	free, at := max(a.radius, 0.1), a.at()
	for i := range a.walls {
		free = a.walls[i].freeBefore(at, dir, free)
	}
	return free
}

// lettingGap in metres is the distance between bodies from which on a standing agent lets a walker through.
const lettingGap = 0.8

const (
	// giveWay is the tangent of the turn to the right before an oncoming agent at no distance.
	giveWay = 0.7
	// oncomingReach in metres is the distance between bodies from which on agents turn aside, at least the sight of wide agents.
	oncomingReach = 4.0
)

// keepRight turns the velocity an agent wants to the right where others come the opposite way, so that streams part into
// lanes. The wish of the others counts, not their velocity: in a jam nobody moves.
func (a *agent) keepRight(near []neighbour, want plane) plane {
	dir := a.dir
	hold, rank := a.holdsOn(), a.rank()
	turn, reach := 0.0, max(oncomingReach, float64(sightBodies*a.radius)-lessSight)
	for k := range near {
		n := &near[k]
		if n.dir.dot(dir) > -0.3 || outranks(hold, rank, n) {
			continue
		}
		ahead, right := n.rel.dot(dir), dir.det(n.rel)
		bodies := a.radius + n.radius
		if ahead > 0 && right > -1.5*bodies && right < 3*bodies {
			turn = max(turn, giveWay*(1-(ahead-bodies)/reach))
		}
	}
	if turn == 0 {
		return want
	}
	w, speed := want.unit()
	turned, _ := plane{w.x - float64(w.z*turn), w.z + float64(w.x*turn)}.unit()
	return turned.scale(speed)
}

const (
	// sight in metres is how far ahead an agent chooses its direction.
	sight = 4.0
	// sightBodies in radii, less lessSight in metres, is the same for agents wider than 0.4 m: they turn around others farther away.
	sightBodies, lessSight = 18.0, 3.2
	// leftCost in metres is the disadvantage of a turn to the left, at least a radius: streams part into lanes on the right, and wide
	// agents who meet in one place go around in one direction.
	leftCost = 0.3
)

// fan are the directions a walker chooses from, as the cosine and sine of the turn to the right, straight on first.
var fan = [...]plane{
	{1, 0},
	{0.9659258262890683, 0.25881904510252074},
	{0.9659258262890683, -0.25881904510252074},
	{0.8660254037844386, 0.5},
	{0.8660254037844386, -0.5},
	{0.7071067811865476, 0.7071067811865476},
	{0.7071067811865476, -0.7071067811865476},
	{0.5, 0.8660254037844386},
	{0.5, -0.8660254037844386},
	{0.25881904510252074, 0.9659258262890683},
	{0.25881904510252074, -0.9659258262890683},
	{0, 1},
	{0, -1},
}

// inWay is what choose reads of a neighbour: its place from the walker, its velocity, and the square of the distance less the square of
// both radii.
type inWay struct {
	rel, vel plane
	gap      float64
}

// choose turns the velocity an agent wants. The agent comes nearest to its next bend in the new direction, before
// somebody or a wall is in its way.
//
// Source: M. Moussaid, D. Helbing, G. Theraulaz, How simple rules determine pedestrian behavior and crowd disasters, 2011.
//
// Bounds on the costs save looks and change no choice (TestChoose).
func (w *worker) choose(a *agent, near []neighbour, want plane) plane {
	dir, speed := want.unit()
	if speed == 0 || len(near) == 0 {
		return want
	}
	hold, rank, count := a.holdsOn(), a.rank(), 0
	w.inWay = grown(w.inWay, len(near))
	for k := range near {
		n := &near[k]
		// Walkers who make way are never met.
		if n.standing || !outranks(hold, rank, n) {
			bodies := a.radius + n.radius
			w.inWay[count] = inWay{n.rel, n.vel, n.d2 - float64(bodies*bodies)}
			count++
		}
	}
	w.inWay = w.inWay[:count]
	far := a.sightAt(speed)
	// The direction of the step before often is the best one again. Directions that cost clearly more need no full look.
	last, known := int(a.turned), math.Inf(1)
	if last > 0 {
		known = w.cost(a, last, dir.turned(fan[last]), speed, far, known)
	}
	best, least := 0, math.Inf(1)
	for k := range fan {
		bound := min(least, known+pruned)
		if float64(far*far)*float64(fan[k].z*fan[k].z) >= bound {
			// However far this direction and those behind are free, none is better.
			break
		}
		cost := known
		if k == 0 || k != last {
			cost = w.cost(a, k, dir.turned(fan[k]), speed, far, bound)
		}
		if cost < least {
			best, least = k, cost
		}
	}
	if a.turned = int8(best); least == 0 {
		return want
	}
	return dir.turned(fan[best]).scale(speed)
}

// cost returns the cost of direction k of the fan, the unit vector e, or infinity where the cost is clearly above a bound. The cost is the
// square of the distance between the end of the free way and the place far metres straight on, and more for the left. Straight on, walls
// do not count.
func (w *worker) cost(a *agent, k int, e plane, speed, far, bound float64) float64 {
	far2, cos := float64(far*far), fan[k].x
	extra := 0.0
	if fan[k].z < 0 {
		extra = float64(2 * far * max(leftCost, 2*a.radius-0.5))
	}
	// The cost falls with the free length, as the square of the length that is missing to most. The bound leaves that square some room.
	most := float64(far*cos) - pruned
	room := float64(far2*float64(cos*cos)) - (far2 + extra - bound)
	if room < -pruned {
		return math.Inf(1)
	}
	room = max(room, 0)
	free, v, list := far, e.scale(speed), w.inWay
	for i := range list {
		n := &list[i]
		x, z := v.x-n.vel.x, v.z-n.vel.z
		along := float64(n.rel.x*x) + float64(n.rel.z*z)
		if along <= 0 {
			continue
		}
		if n.gap <= 0 {
			free = 0
		} else {
			v2 := float64(x*x) + float64(z*z)
			root := float64(along*along) - float64(v2*n.gap)
			if root <= 0 {
				continue
			}
			free = min(free, speed*(along-math.Sqrt(root))/v2)
		}
		if missing := most - free; missing >= 0 && float64(missing*missing) >= room {
			return math.Inf(1)
		}
	}
	if k > 0 {
		at := a.at()
		for i := range a.walls {
			free = a.walls[i].freeBefore(at, e, free)
			if missing := most - free; missing >= 0 && float64(missing*missing) >= room {
				return math.Inf(1)
			}
		}
	}
	return far2 + float64(free*free) - float64(2*far*free*cos) + extra
}

// pruned in metres, or its square, is how clearly a direction is worse that choose drops early: far above all rounding.
const pruned = 1e-6

// freeBefore returns the length of the way in a direction before the wall, at most a length.
func (w *wall) freeBefore(at, e plane, most float64) float64 {
	down := e.dot(w.out)
	if down <= 1e-9 {
		return most
	}
	d := w.a.sub(at).dot(w.out)
	t := max(d, 0) / down
	if d < -away || t >= most {
		return most
	}
	hit := at.add(e.scale(t))
	if along := w.b.sub(w.a); hit.sub(w.a).dot(along) < 0 || hit.sub(w.b).dot(along) > 0 {
		return most
	}
	return t
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

// contactGap in metres is the distance between bodies below which no wall stands between both.
const contactGap = 0.1

// walled reports whether a wall stands between an agent and a neighbour.
func (a *agent) walled(n *neighbour) bool {
	// A real wall keeps bodies on its sides apart. Lines between bodies in contact only cut a corner of the mesh.
	if touch := a.radius + n.radius + contactGap; n.d2 < float64(touch*touch) {
		return false
	}
	at := a.at()
	for i := range a.walls {
		l := &a.walls[i]
		from, to := l.a.sub(at), l.b.sub(at)
		// The wall meets the straight line between both, with the agent in front of the wall.
		if l.out.dot(from) >= 0 && l.out.dot(n.rel.sub(from)) > 0 && n.rel.det(from) < 0 != (n.rel.det(to) < 0) {
			return true
		}
	}
	return false
}

// move walks straight by a velocity, to the first wall.
func (w *worker) move(c *Crowd, a *agent, v plane, dt float64) {
	if v == (plane{}) {
		a.vel = v
		return
	}
	q := w.on(c, a)
	from := a.at()
	to := geom.Vec{X: from.x + float64(v.x*dt), Y: a.pos.Point.Y, Z: from.z + float64(v.z*dt)}
	ray, err := q.Raycast(a.pos, to)
	if err != nil {
		a.vel = plane{}
		return
	}
	end := ray.End
	if ray.Hit {
		if slid, err := q.MoveAlongSurface(a.pos, to); err == nil && w.solver.admits(ground2(slid.End.Point).sub(from), dt) {
			end = slid.End
		}
	}
	if !w.solver.apart(ground2(end.Point).sub(from)) || !w.clears(c, a, end.Point, dt) {
		a.vel = plane{}
		return
	}
	a.pos = end
	a.vel = a.at().sub(from).scale(1 / dt)
}

// clears reports whether an agent may go up or down to a place. Its body comes no nearer in height to bodies above and below, or leaves
// walkers height enough to rise or sink in the same step, or ends beside all.
func (w *worker) clears(c *Crowd, a *agent, to geom.Vec, dt float64) bool {
	rise := to.Y - a.pos.Point.Y
	if rise == 0 {
		return true
	}
	for _, i := range w.seek.stacked {
		n := &c.near.entries[i]
		above := n.y > a.pos.Point.Y
		room := to.Y - (n.y + n.height)
		if above {
			room = n.y - (to.Y + a.height)
		}
		if above != (rise > 0) || room >= w.seek.climb || n.standing && room >= 0 {
			continue
		}
		bodies := a.radius + n.radius + slack + float64((n.speed+n.vel.norm())*dt)
		if n.at.sub(ground2(to)).norm2() < float64(bodies*bodies) {
			return false
		}
	}
	return true
}

// apart reports whether bodies in contact come no nearer by a move, not even by the rounding of places.
func (s *solver) apart(move plane) bool {
	for _, n := range s.touching {
		if n.dot(move) > 0 {
			return false
		}
	}
	return true
}

// straight walks straight by a velocity, to the first wall, and slides along none.
func (w *worker) straight(c *Crowd, a *agent, v plane, dt float64) {
	if v == (plane{}) {
		return
	}
	from := a.at()
	to := geom.Vec{X: from.x + float64(v.x*dt), Y: a.pos.Point.Y, Z: from.z + float64(v.z*dt)}
	ray, err := w.on(c, a).Raycast(a.pos, to)
	if err == nil && w.solver.apart(ground2(ray.End.Point).sub(from)) && w.clears(c, a, ray.End.Point, dt) {
		a.pos = ray.End
	}
}

// admits reports whether a move keeps to the hard half-planes of neighbours.
func (s *solver) admits(move plane, dt float64) bool {
	for i := range s.halves[:s.hard] {
		if h := &s.halves[i]; h.n.dot(move) > float64(h.c*dt)+slack/2 {
			return false
		}
	}
	return true
}

// wallReach in metres is how far around an agent walls are looked for.
const wallReach = 1.5

// lookForWalls keeps the walls within a step of an agent known.
func (w *worker) lookForWalls(c *Crowd, a *agent, step float64) {
	reach := max(wallReach, 3*step)
	if a.turn > 0 {
		reach, step = max(reach, a.arcLength()+2), a.arcLength()
	}
	if a.wallsKnown && a.at().sub(ground2(a.wallsAt.Point)).norm()+step+away < a.wallsReach {
		return
	}
	a.wallsAt, a.wallsReach, a.wallsKnown = a.pos, reach, true
	w.gatherWalls(c, a)
}

func (w *worker) gatherWalls(c *Crowd, a *agent) {
	a.walls = a.walls[:0]
	list, err := w.on(c, a).WallsAround(a.wallsAt, a.wallsReach)
	if err != nil {
		return
	}
	for _, l := range list {
		from, to := ground2(l.From), ground2(l.To)
		along, length := to.sub(from).unit()
		// World z runs against the plane's second axis: the floor is on the left seen from above, and out is to the right.
		out := plane{-along.z, along.x}
		if length > 0 {
			a.walls = append(a.walls, wall{from, to, out, length})
		}
	}
}
