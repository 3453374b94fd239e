package crowd

// Walking behind others.
//
// Source: ours. The headway is that of models of car traffic. U. Weidmann, Transporttechnik der Fussgaenger, 1993, and
// A. Seyfried, O. Passon, B. Steffen, M. Boltes, T. Rupprecht, W. Klingsch, New Insights into Pedestrian Flow Through
// Bottlenecks, 2009, have the speeds and flows to compare with.
//
// Idea: Of two walkers of one stream one goes ahead, and all the work of keeping apart is the other's. The walker behind walks
// no faster towards the one ahead than the gap over the headway allows. A stream slows with its density, and walkers before
// a narrow opening form no arch: the first one takes no notice of others, and others make room for a walker who turns
// or walks back. Walkers with one next bend go by their distances to the bend, others of about one direction by their places.
//
// Input: the frozen directions, next bends and velocities of both walkers.
//
// Guarantees: the order of a pair is the same for both walkers (TestAheadIsMutual). A stream passes openings of 0.8 to 2.4 m
// without an arch (TestBottleneck), and slows with its density (TestDensity).
//
// Degenerate cases: exact ties, and walkers of other directions, share the work in halves. An order may have circles
// of three or more; nobody of a circle is pushed, because only walkers who come back push.
//
// Cost: O(1) a neighbour.

const (
	// sameBend in metres is the greatest distance of two next bends that count as one.
	sameBend = 0.6
	// oneStream is the least cosine between the directions of walkers of a stream.
	oneStream = 0.5
	// headway in seconds is the time a walker stays behind another one, and room in metres the gap to stand at.
	headway, room = 0.2, 0.02
	// usual in metres is the distance of the middles of two bodies in contact from which on the headway is as above. For each metre that
	// is missing the headway grows by slimmer times itself, up to three times: people whose discs are drawn slimmer walk no closer.
	usual, slimmer = 0.45, 30.0
	// pitch in metres is the distance between the middles of people who stand in a queue: narrower bodies leave more room, at most a
	// quarter of both.
	pitch = 0.48
	// makesRoom in seconds is the time for a walker to make room when the one ahead comes back.
	makesRoom = 0.1
)

// ahead tells by its sign who of two walkers of a stream goes first: above 0 for the neighbour, below 0 for the agent, and 0 for
// walkers of no common stream. Both walkers of a pair get opposite numbers.
func (a *agent) ahead(n *neighbour) float64 {
	if a.dir == (plane{}) || n.dir == (plane{}) {
		return 0
	}
	cos := a.dir.dot(n.dir)
	// Walkers who come to one bend from two sides, and leave it to two sides, cross each other.
	if n.bend.sub(a.bend).norm2() < sameBend*sameBend && (cos > 0 || a.out == n.out || a.out.dot(n.out) > 0) {
		return a.toBend - n.toBend
	}
	if cos <= oneStream {
		return 0
	}
	return a.dir.add(n.dir).dot(n.rel)
}

// faces reports whether two walkers of opposite directions are in each other's way: their next bends are near each other, and one
// of the walkers comes before the bend of the other.
func (a *agent) faces(n *neighbour) bool {
	there, back := a.dir.dot(n.rel), -n.dir.dot(n.rel)
	return a.dir.dot(n.dir) <= 0 && there > 0 && back > 0 && (there < a.toBend || back < n.toBend)
}

// stayBehind adds the soft half-plane of a walker ahead.
func (s *solver) stayBehind(a *agent, n *neighbour) {
	dir, d := n.rel.unit()
	if d == 0 {
		return
	}
	bodies := a.radius + n.radius
	gap := d - bodies - max(room, min(pitch-bodies, bodies/4))
	most := max(gap, 0) / (headway * (1 + min(float64(slimmer*max(usual-bodies, 0)), 2)))
	if most < a.speed/2 && a.dir.dot(dir) > 0.5 {
		a.queues = true
	}
	if gap = d - bodies - room; gap < 0 {
		// Only a walker ahead that turns or walks back asks others to walk back.
		most = 0
		if n.dir.dot(dir) < 0 || n.vel.dot(dir) < 0 {
			most = gap / makesRoom
		}
	}
	s.halves = append(s.halves, half{dir, most})
}
