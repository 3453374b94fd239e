package scenario

// Algorithm: the judge of a crowd.
// Source: our own.
// Idea: the judge sees places only, step by step, and knows nothing of the system that made them. All systems are compared by the same
// rules.
// Input: a cast, the index of a mesh, and what every actor did in every step.
// Guarantees:
//  1. overlaps are those of all pairs, by a grid as by brute force (TestOverlapsByBruteForce);
//  2. an agent off the mesh by more than a millimetre is counted in every step (TestJudgeCountsOffMesh);
//  3. agents that hold each other are stuck, and no agent behind a moving agent is, nor an agent that sets off when its way becomes
//     free (TestStuckAndHeld);
//  4. an arrival counts at the goal only (TestArrivalsAtTheGoal);
//  5. a line counts each crossing once, with its direction (TestLinesCountCrossings);
//  6. the order of lanes is 1 where each lane has one direction, and 0 for half and half (TestLanes);
//  7. walkers in a place too narrow for two hold an agent before the place, and so do riders of the link ahead, as far as the narrow part
//     of its way goes (TestNarrowWays);
//  8. an agent at the end of its way to a goal that is covered is not stuck (TestCoveredGoals);
//  9. members of a group that wait for members on the way are no stuck agents (TestGroupsWaitForMembers).
// Degenerate cases: an agent with a place that is not a number counts as off the mesh, and in NaN.
// Cost: O(1) neighbours and a question to the mesh for each agent and step; a path for each agent that stood for five seconds.
// Departures: none.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// State tells what an actor does.
type State uint8

// The states.
const (
	Absent  State = iota // not yet entered, or taken away
	Walking              // on the way to a goal
	Waiting              // for a path
	Done                 // at its last goal
	GivenUp              // the system gave the goal up
	OnLink               // between two places that a link joins
)

// Seen is an actor after a step.
type Seen struct {
	At    geom.Vec
	State State
	Goals int32 // reached so far
}

// Tolerances and times of the judge.
const (
	// Touch is the overlap in metres below which a pair counts as apart.
	Touch = 0.01
	// Edge is the distance in metres from the mesh below which an agent counts as on the mesh.
	Edge = 0.001
	// Patience is how many seconds an agent with a goal may stand within StandReach metres.
	Patience   = 5.0
	StandReach = 0.1
	// grace is the time in seconds in which agents that a change of the world caught may part.
	grace = 1.0
)

// Report is the judgement of a run.
type Report struct {
	Agents     int   `json:"agents"`
	Steps      int   `json:"steps"`
	AgentSteps int64 `json:"agent_steps"` // of agents on the floor

	OverlapMax float64 `json:"overlap_max_m"`           // the deepest overlap of two discs, in metres
	PairsMost  int     `json:"overlapping_pairs"`       // deeper than Touch, in the worst step
	PairsMean  float64 `json:"overlapping_pairs_mean"`  // a step
	CaughtMost int     `json:"overlapping_after_edits"` // pairs in the second after a change of the world that caught one of them

	OffMesh    int64   `json:"off_mesh"`       // agents and steps farther than Edge from the mesh
	OffMeshMax float64 `json:"off_mesh_max_m"` // the farthest, in metres, seen from above
	NaN        int64   `json:"not_a_number"`   // agents and steps without a place

	Stuck    int `json:"stuck"`    // agents that stood for Patience though for a second nobody who moves was in their way
	Standing int `json:"standing"` // agents that stood for Patience, in a jam or stuck
	GivenUp  int `json:"given_up"` // agents whose goal the system gave up, at the end

	Entered    int     `json:"entered"`
	Arrived    int     `json:"arrived"`          // goals reached
	False      int     `json:"false_arrivals"`   // claimed farther from the goal than Scenario.Arrive
	Finished   int     `json:"finished"`         // agents done at the end, those with Again aside
	Unfinished int     `json:"unfinished"`       // the others of these
	Done       float64 `json:"done_s"`           // when the last of the finished agents was done
	DoneMean   float64 `json:"done_mean_s"`      // of the finished agents, from its entry
	Waiting    float64 `json:"waiting_for_path"` // share of agents with a goal, over all steps
	Speed      float64 `json:"speed"`            // mean of agents with a goal, metres a second
	Flows      []Flow  `json:"flows,omitempty"`
	Collisions int     `json:"collisions"` // pairs that began to overlap deeper than Touch
}

// Flow is what a line counted.
type Flow struct {
	Name           string  `json:"name"`
	There          int     `json:"there"` // crossings from right to left of the line from A to B
	Back           int     `json:"back"`
	PerMetreSecond float64 `json:"persons_m_s"` // between the tenth and the ninetieth of a hundred crossings
	// Lanes tells how well lanes part two streams near the line, after Rex and Löwen, Physical Review E 75 (2007) 051402: the mean of
	// ((n-m)/(n+m))², where n others in the lane of an agent walk in its direction and m against it. Lanes is 1 in perfect lanes, and 0
	// for half and half.
	Lanes float64 `json:"lanes"`
}

// Judge judges a run. A Judge belongs to one goroutine.
type Judge struct {
	cast   *Cast
	ix     *query.Index
	q      *query.Query
	report Report

	step    int
	last    []Seen
	doneAt  []int32 // step, -1 before
	entered []int32
	caught  []int32 // step until which overlaps count apart
	past    [][]Seen
	every   int // steps between two entries of past
	stood   []bool
	stuck   []bool
	free    []bool // stood at the last look, and nobody held the actor

	grid     grid
	touching map[[2]int32]bool // pairs deeper than Touch in the step before, never iterated
	touched  map[[2]int32]bool // in the step
	pairs    int64
	wants    int64 // agents and steps with a goal
	waits    int64
	way      float64 // metres of the moves of agents with a goal
	moves    int64
	times    [][]float64 // of crossings, by line
	widest   float64
	lanes    []lanes // by line
}

// lanes sums the order of lanes near a line.
type lanes struct {
	sum   float64
	count int
	here  []walker // memory of order
}

// walker is an agent near a line: its place along the line, and whether it walks to the left side.
type walker struct {
	at, radius float64
	left       bool
}

// NewJudge returns a judge of the cast on a mesh.
func NewJudge(c *Cast, ix *query.Index) *Judge {
	n := len(c.Actors)
	j := &Judge{
		cast: c, last: make([]Seen, n), doneAt: make([]int32, n), entered: make([]int32, n), caught: make([]int32, n),
		stood: make([]bool, n), stuck: make([]bool, n), free: make([]bool, n), every: max(1, int(1/c.Dt)), touching: map[[2]int32]bool{}, touched: map[[2]int32]bool{},
		times: make([][]float64, len(c.Scenario.Lines)), lanes: make([]lanes, len(c.Scenario.Lines)),
	}
	for i := range c.Actors {
		j.doneAt[i] = -1
		j.widest = max(j.widest, c.Actors[i].Radius)
	}
	for _, l := range c.Scenario.Lines {
		j.report.Flows = append(j.report.Flows, Flow{Name: l.Name})
	}
	j.report.Agents = n
	j.Use(ix)
	return j
}

// Use makes the judge compare places with another mesh from now on. Agents that the change of the mesh caught have a second to part.
func (j *Judge) Use(ix *query.Index) {
	j.ix, j.q = ix, ix.NewQuery()
	for i := range j.last {
		if j.last[i].State != Absent && j.off(j.last[i].At) > Edge {
			j.caught[i] = int32(j.step + int(grace/j.cast.Dt) + 1)
		}
	}
}

// off returns the distance of a place from the mesh in metres, seen from above; +Inf far away.
func (j *Judge) off(p geom.Vec) float64 {
	if _, ok := j.q.Locate(p); ok {
		return 0
	}
	at, ok := j.q.Nearest(p, 5)
	if !ok {
		return math.Inf(1)
	}
	return at.Point.DistXZ(p)
}

// Step judges a step. The list has an element for each actor of the cast, in the same order, and is not kept.
func (j *Judge) Step(seen []Seen) {
	j.step++
	j.report.Steps++
	for i := range seen {
		j.one(i, seen[i])
	}
	j.overlaps(seen)
	copy(j.last, seen)
	if j.step%j.every == 0 {
		j.remember()
	}
}

// one judges an actor.
func (j *Judge) one(i int, now Seen) {
	was, a := j.last[i], &j.cast.Actors[i]
	r := &j.report
	if now.Goals > was.Goals {
		r.Arrived += int(now.Goals - was.Goals)
		if goal := a.Goals[int(now.Goals-1)%len(a.Goals)]; !(now.At.DistXZ(goal) <= j.cast.Arrive+a.Reach+Touch) && !j.nearChoice(a, now.At) {
			r.False++
		}
	}
	if j.doneAt[i] < 0 && (now.State == Done || now.State == Absent && was.State != Absent) {
		j.doneAt[i] = int32(j.step)
	}
	if now.State == Absent {
		return
	}
	if was.State == Absent {
		r.Entered++
		j.entered[i] = int32(j.step)
	}
	r.AgentSteps++
	if !now.At.IsFinite() {
		r.NaN++
		r.OffMesh++
		return
	}
	if now.State == OnLink {
		return
	}
	if d := j.off(now.At); d > Edge && int32(j.step) > j.caught[i] {
		r.OffMesh++
		r.OffMeshMax = max(r.OffMeshMax, d)
	}
	if now.State == Walking || now.State == Waiting {
		j.wants++
		if now.State == Waiting {
			j.waits++
		}
		if was.State != Absent && was.At.IsFinite() {
			j.way += now.At.DistXZ(was.At)
			j.moves++
		}
	}
	if was.State != Absent && was.At.IsFinite() {
		j.cross(was.At, now.At)
	}
}

// nearChoice reports whether a place is at one of several goals.
func (j *Judge) nearChoice(a *Actor, p geom.Vec) bool {
	return slices.ContainsFunc(a.Choice, func(g geom.Vec) bool { return p.DistXZ(g) <= j.cast.Arrive+a.Reach+Touch })
}

// side returns twice the area of a triangle seen from above, above 0 for a turn to the left.
func side(a, b, c geom.Vec) float64 {
	return float64((b.Z-a.Z)*(c.X-a.X)) - float64((b.X-a.X)*(c.Z-a.Z))
}

// cross counts the lines between two places.
func (j *Judge) cross(p, q geom.Vec) {
	for i, l := range j.cast.Scenario.Lines {
		if q.Y < l.Low || q.Y > l.High {
			continue
		}
		from, to := side(l.A, l.B, p) >= 0, side(l.A, l.B, q) >= 0
		if from == to || (side(p, q, l.A) >= 0) == (side(p, q, l.B) >= 0) {
			continue
		}
		if to {
			j.report.Flows[i].There++
		} else {
			j.report.Flows[i].Back++
		}
		j.times[i] = append(j.times[i], float64(j.step)*j.cast.Dt)
	}
}

// grid holds the actors of a step, ordered by cells.
type grid struct {
	side  float64
	cells map[[2]int32]int32 // first actor of the cell
	next  []int32
}

func (g *grid) fill(seen []Seen, side float64) {
	g.side = side
	if g.cells == nil {
		g.cells, g.next = map[[2]int32]int32{}, make([]int32, len(seen))
	}
	clear(g.cells)
	for i := range seen {
		if seen[i].State == Absent || !seen[i].At.IsFinite() {
			continue
		}
		cell := g.cell(seen[i].At)
		if first, ok := g.cells[cell]; ok {
			g.next[i] = first
		} else {
			g.next[i] = -1
		}
		g.cells[cell] = int32(i)
	}
}

func (g *grid) cell(p geom.Vec) [2]int32 {
	return [2]int32{int32(math.Floor(p.X / g.side)), int32(math.Floor(p.Z / g.side))}
}

// around calls f for every actor in the nine cells around a place.
func (g *grid) around(p geom.Vec, f func(k int)) {
	mid := g.cell(p)
	for dz := int32(-1); dz <= 1; dz++ {
		for dx := int32(-1); dx <= 1; dx++ {
			k, ok := g.cells[[2]int32{mid[0] + dx, mid[1] + dz}]
			for ; ok && k >= 0; k = g.next[k] {
				f(int(k))
			}
		}
	}
}

// sameStorey reports whether the bodies of two actors meet in height.
func (j *Judge) sameStorey(i, k int, p, q geom.Vec) bool {
	return math.Abs(p.Y-q.Y) < min(j.cast.Actors[i].Height, j.cast.Actors[k].Height)
}

// overlaps counts pairs.
func (j *Judge) overlaps(seen []Seen) {
	j.grid.fill(seen, max(2*j.widest, 0.01))
	pairs, caught := 0, 0
	j.touching, j.touched = j.touched, j.touching
	clear(j.touched)
	for i := range seen {
		if seen[i].State == Absent || !seen[i].At.IsFinite() {
			continue
		}
		j.grid.around(seen[i].At, func(k int) {
			if k >= i || !j.sameStorey(i, k, seen[i].At, seen[k].At) {
				return
			}
			depth := j.cast.Actors[i].Radius + j.cast.Actors[k].Radius - seen[i].At.DistXZ(seen[k].At)
			switch {
			case depth <= 0:
				return
			case int32(j.step) <= max(j.caught[i], j.caught[k]):
				caught++
				return
			}
			j.report.OverlapMax = max(j.report.OverlapMax, depth)
			if depth > Touch {
				pairs++
				pair := [2]int32{int32(k), int32(i)}
				if !j.touching[pair] {
					j.report.Collisions++
				}
				j.touched[pair] = true
			}
		})
	}
	j.pairs += int64(pairs)
	j.report.PairsMost = max(j.report.PairsMost, pairs)
	j.report.CaughtMost = max(j.report.CaughtMost, caught)
}

// remember keeps the places of now, and looks for actors that stood since Patience.
func (j *Judge) remember() {
	if n := len(j.past); n > 0 {
		for i, l := range j.cast.Scenario.Lines {
			j.order(l, &j.lanes[i], j.past[n-1])
		}
	}
	const kept = int(Patience) + 1
	var old []Seen
	if len(j.past) == kept {
		old = j.past[0]
		j.past = append(j.past[:0], j.past[1:]...)
	}
	if old == nil {
		old = make([]Seen, len(j.last))
	}
	copy(old, j.last)
	j.past = append(j.past, old)
	if len(j.past) < kept {
		return
	}
	stands := make([]bool, len(j.last))
	var list []int
	for i := range j.last {
		now := j.last[i]
		stands[i] = (now.State == Walking || now.State == Waiting) && !slices.ContainsFunc(j.past, func(s []Seen) bool {
			return s[i].State == Absent || s[i].State == Done || s[i].Goals != now.Goals || s[i].At.DistXZ(now.At) > StandReach
		})
		if stands[i] {
			list = append(list, i)
			j.stood[i] = true
		}
	}
	j.judgeStanding(list, stands)
}

// nearLine in metres is how far from a line an agent counts for its lanes, and steady how far an agent has walked across in the second before.
const nearLine, steady = 6.0, 0.2

// order adds the order of lanes near a line. The lane of an agent is as wide as two bodies.
func (j *Judge) order(l Line, sum *lanes, before []Seen) {
	length := l.Length()
	along := geom.Vec{X: (l.B.X - l.A.X) / length, Z: (l.B.Z - l.A.Z) / length}
	list := sum.here[:0]
	for i := range j.last {
		now, was := &j.last[i], &before[i]
		if now.State != Walking || was.State != Walking || now.At.Y < l.Low || now.At.Y > l.High || !now.At.IsFinite() || !was.At.IsFinite() {
			continue
		}
		at := float64((now.At.X-l.A.X)*along.X) + float64((now.At.Z-l.A.Z)*along.Z)
		far, walked := side(l.A, l.B, now.At)/length, (side(l.A, l.B, now.At)-side(l.A, l.B, was.At))/length
		if at >= 0 && at <= length && math.Abs(far) <= nearLine && math.Abs(walked) >= steady {
			list = append(list, walker{at, j.cast.Actors[i].Radius, walked > 0})
		}
	}
	slices.SortFunc(list, func(a, b walker) int { return cmp.Compare(a.at, b.at) })
	for i, w := range list {
		like, against := 0, 0
		for _, step := range [2]int{-1, 1} {
			for k := i + step; k >= 0 && k < len(list) && math.Abs(list[k].at-w.at) < 2*w.radius; k += step {
				if list[k].left == w.left {
					like++
				} else {
					against++
				}
			}
		}
		if n := like + against; n > 0 {
			part := float64(like-against) / float64(n)
			sum.sum += part * part
			sum.count++
		}
	}
	sum.here = list
}

// judgeStanding tells the actors in a jam that moves from the stuck: an actor is held by another on the first metres of its way who does
// not stand, or who is held as well. Nobody holds a stuck actor at two looks in a row: whoever sets off when the way becomes free is not stuck.
func (j *Judge) judgeStanding(list []int, stands []bool) {
	if len(list) == 0 {
		clear(j.free)
		return
	}
	j.grid.fill(j.last, 2*j.widest+ahead+gap)
	held := make([]bool, len(stands))
	inWay := map[int][]int{}
	for _, i := range list {
		a, p := &j.cast.Actors[i], j.last[i].At
		path, err := j.q.Path(context.Background(), p, a.Goals[int(j.last[i].Goals)%len(a.Goals)])
		if err != nil || !path.Complete || len(path.Points) < 2 {
			held[i] = true // nobody can go there: not for want of a free way
			continue
		}
		if end := path.Points[len(path.Points)-1]; end.DistXZ(a.Goals[int(j.last[i].Goals)%len(a.Goals)]) > Edge && end.DistXZ(p) <= j.cast.Arrive {
			held[i] = true // the goal is covered, and there is no way on
			continue
		}
		j.grid.around(p, func(k int) {
			if k == i || !j.sameStorey(i, k, p, j.last[k].At) {
				return
			}
			if _, in := onWay(path.Points, j.last[k].At, a.Radius+j.cast.Actors[k].Radius, ahead); !in {
				return
			}
			if !stands[k] && (j.last[k].State == Walking || j.last[k].State == Waiting) {
				held[i] = true
			}
			inWay[i] = append(inWay[i], k)
		})
		if !held[i] {
			held[i] = j.taken(i, path.Points, stands)
		}
		if j.cast.Scenario.Sources[a.Source].Entry != Group {
			continue
		}
		// A group waits for its members.
		for k := range j.last {
			if k == i || j.cast.Actors[k].Source != a.Source || j.last[k].State != Walking && j.last[k].State != Waiting && j.last[k].State != OnLink {
				continue
			}
			held[i] = held[i] || !stands[k]
			inWay[i] = append(inWay[i], k)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, i := range list {
			if !held[i] && slices.ContainsFunc(inWay[i], func(k int) bool { return held[k] }) {
				held[i], changed = true, true
			}
		}
	}
	for i := range held {
		free := stands[i] && !held[i]
		j.stuck[i] = j.stuck[i] || free && j.free[i]
		j.free[i] = free
	}
}

// taken reports whether somebody moves in the narrow part of a way that begins within the first metres, or on a link there, at any
// height of the link.
func (j *Judge) taken(i int, points []geom.Vec, stands []bool) bool {
	length := j.narrowEnd(points, j.cast.Actors[i].Radius)
	before := j.past[len(j.past)-2]
	for k := range j.last {
		now := &j.last[k]
		walks := now.State == Walking && !stands[k] || now.State == OnLink && before[k].At.Dist(now.At) > StandReach
		if k == i || !walks || !now.At.IsFinite() {
			continue
		}
		if on, in := onWay(points, now.At, j.cast.Actors[i].Radius+j.cast.Actors[k].Radius, length); in && (now.State == OnLink || j.sameStorey(i, k, on, now.At)) {
			return true
		}
	}
	return false
}

// narrowEnd returns the length of a way to the end of a narrow part that begins within the first metres, at least that length: the floor
// there has no room for two agents of a radius side by side.
func (j *Judge) narrowEnd(points []geom.Vec, radius float64) float64 {
	end, from := ahead, 0.0
	for i := 1; i < len(points) && from <= end; i++ {
		a, b := points[i-1], points[i]
		length := a.DistXZ(b)
		if length == 0 {
			continue
		}
		across := geom.Vec{X: -(b.Z - a.Z) / length, Z: (b.X - a.X) / length}
		for at := 0.0; at < length && from+at <= end && from+at <= farthest; at += between {
			if j.width(a.Lerp(b, at/length), across, 2*radius) < 2*radius {
				end = max(end, from+at+2*between)
			}
		}
		from += length
	}
	return min(end, farthest)
}

// width returns the width of the floor across a way at a place, at most a width to each side.
func (j *Judge) width(p, across geom.Vec, most float64) float64 {
	pos, ok := j.q.Locate(p)
	if !ok {
		return 2 * most
	}
	sum := 0.0
	for _, side := range [2]float64{most, -most} {
		ray, err := j.q.Raycast(pos, geom.Vec{X: p.X + float64(across.X*side), Y: p.Y, Z: p.Z + float64(across.Z*side)})
		if err != nil {
			return 2 * most
		}
		sum += ray.Fraction * most
	}
	return sum
}

// farthest in metres bounds how far a narrow part of a way is looked along, in steps of between.
const farthest, between = 25.0, 0.5

// ahead is the length in metres of the part of a way that must be free, and gap the free space beside two bodies.
const ahead, gap = 4.0, 0.1

// onWay returns the place of a way that a place is beside, and whether there is one: nearer than the bodies and a gap, on the first metres
// of the way, and not behind its start.
func onWay(points []geom.Vec, p geom.Vec, bodies, left float64) (geom.Vec, bool) {
	for i := 1; i < len(points) && left > 0; i++ {
		a, b := points[i-1], points[i]
		length := a.DistXZ(b)
		if length == 0 {
			continue
		}
		x, z := (b.X-a.X)/length, (b.Z-a.Z)/length
		along := float64((p.X-a.X)*x) + float64((p.Z-a.Z)*z)
		if i == 1 && along <= 0 {
			return a, false
		}
		along = max(0, min(along, length, left))
		if on := a.Lerp(b, along/length); p.DistXZ(on) < bodies+gap {
			return on, true
		}
		left -= length
	}
	return geom.Vec{}, false
}

// Report returns the judgement so far.
func (j *Judge) Report() Report {
	r := j.report
	r.Flows = slices.Clone(r.Flows)
	for i := range j.cast.Actors {
		if j.stood[i] {
			r.Standing++
		}
		if j.stuck[i] {
			r.Stuck++
		}
		if j.last[i].State == GivenUp {
			r.GivenUp++
		}
		if j.cast.Actors[i].Then == Again {
			continue
		}
		if j.doneAt[i] < 0 {
			r.Unfinished++
			continue
		}
		r.Finished++
		r.Done = max(r.Done, math.Round(float64(j.doneAt[i])*j.cast.Dt*1e6)/1e6)
		r.DoneMean += float64(j.doneAt[i]-j.entered[i]) * j.cast.Dt
	}
	if r.Finished > 0 {
		r.DoneMean /= float64(r.Finished)
	}
	if r.Steps > 0 {
		r.PairsMean = float64(j.pairs) / float64(r.Steps)
	}
	if j.wants > 0 {
		r.Waiting = float64(j.waits) / float64(j.wants)
	}
	if j.moves > 0 {
		r.Speed = j.way / (float64(j.moves) * j.cast.Dt)
	}
	for i, times := range j.times {
		if j.lanes[i].count > 0 {
			r.Flows[i].Lanes = j.lanes[i].sum / float64(j.lanes[i].count)
		}
		if n := len(times); n >= 10 {
			first, last := n/10, n-1-n/10
			if span := times[last] - times[first]; span > 0 {
				r.Flows[i].PerMetreSecond = float64(last-first) / span / j.cast.Scenario.Lines[i].Length()
			}
		}
	}
	return r
}
