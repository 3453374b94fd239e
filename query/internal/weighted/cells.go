package weighted

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// The cells of searches over uneven ground: pieces of gates with bounds. See cheapest.go.

// cell is a piece of a gate. Cells of a gate are consecutive and in order.
type cell struct {
	gate   int32
	lo, hi float64 // range on the gate, 0 at the start of its segments and 1 at their end
	// low bounds the least cost of ways from the root of the round, start or goal, at each end of the cell and linearly
	// between. rest bounds ways from the other end of the path: by the previous round, or in the first round by the
	// straight distance.
	low, rest [2]float64
	// known bounds the same ways as low: by the round before the previous one, or in the second round by the straight
	// distance.
	known    [2]float64
	from     [2]int32 // origin of each low: 2·step, plus 1 for the second end of the step's cell; none for the root
	key      float64  // lower bound of any way through the cell
	least    float64  // queue key
	queued   bool
	held     bool // low is known: the waves of the round are lower
	expanded uint8
}

// step is the expansion of a cell with the origins at that time. A cell's bounds may sink later, from cells behind it; the
// steps of a bound go back in time and never around a circle.
type step struct {
	cell int32
	from [2]int32
}

// Search is the memory of searches over uneven ground, reused from search to search.
type Search struct {
	g     *Gates
	heap  pq.Heap
	cells []cell
	old   []cell // of the previous round
	steps []step // expansions of the round
	past  []step // of the previous round
	spans []span // of each gate
	stamp uint32

	from, to    index.Place
	starts      []uint32 // the regions of the start,
	goals       []uint32 // and of the goal
	toGoal      wave     // the least cost of straight ways from the goal
	backward    bool     // the round goes from the goal to the start
	rounds      int
	Taken       int     // expanded cells of all rounds
	limit       float64 // ways of at least this cost need no search
	reached     float64 // the bound at the other end of the path
	reachedFrom int32
	reachedIn   uint32 // region of the straight way from end to end, if the ends share a region
	proved      float64
	best        float64   // the cost of the best way so far,
	bestIn      uint32    // its first region,
	sequence    []int32   // its gates
	places      []float64 // and where it crosses them
	triedIn     uint32
	tried, last []int32 // the gates of this round's bound, and the gates last pulled tight
	epsilon     float64
	span        float64 // greatest length of a cell in the first round, unless a gate has maxPieces
	share       float64 // greatest error of a cell that is not cut
	floor       float64 // lower bound of the ways left out
	taut        Taut
	aim         aim
}

// span is the range of a gate's cells, from first to before end, valid if made equals the stamp of the round.
type span struct {
	first, end int32
	made       uint32
}

// cellsOf returns the cells of a gate, made on first use: in later rounds from the cells of the previous round.
func (s *Search) cellsOf(gate int32) span {
	at := &s.spans[gate]
	if at.made == s.stamp {
		return *at
	}
	n := int32(len(s.cells))
	if s.rounds > 0 {
		if at.made == s.stamp-1 {
			s.refine(*at)
		}
		*at = span{n, int32(len(s.cells)), s.stamp}
		return *at
	}
	in, out := s.g.sidesOf(gate)
	// Bounds are poor beside a kink of the cost. Near an end of the path, the cost has a kink at the nearest point of
	// the gate.
	cuts := [mostCells + 4]float64{}
	k := 1
	cut := func(at float64) {
		if at > 0.01 && at < 0.99 {
			cuts[k] = at
			k++
		}
	}
	if in.length > 0 {
		pieces := 1
		for long := in.length; pieces < maxPieces && long > s.span; long /= 2 {
			pieces *= 2
		}
		if s.aim.on {
			pieces = max(pieces, int(s.g.bounds.pieces[gate]))
		}
		for i := 1; i < pieces; i++ {
			cut(float64(i) / float64(pieces))
		}
		if slices.Contains(s.starts, s.g.before(gate)) || slices.Contains(s.starts, s.g.after(gate)) {
			cut(in.Place(float64(s.from.At.X), float64(s.from.At.Y)))
		}
		if slices.Contains(s.goals, s.g.before(gate)) || slices.Contains(s.goals, s.g.after(gate)) {
			cut(out.Place(float64(s.to.At.X), float64(s.to.At.Y)))
		}
	}
	cuts[k] = 1
	slices.Sort(cuts[:k+1])
	for i := range k {
		if cuts[i] < cuts[i+1] {
			c := newCell(gate, cuts[i], cuts[i+1])
			if s.aim.on {
				s.raise(&c)
				if both := min(c.known[0]+c.rest[0], c.known[1]+c.rest[1]); both >= s.limit {
					s.floor = min(s.floor, both)
					continue
				}
			} else {
				c.rest = s.straightRest(&c)
			}
			s.cells = append(s.cells, c)
		}
	}
	*at = span{n, int32(len(s.cells)), s.stamp}
	return *at
}

// straightRest returns a bound of the ways from a cell to the goal by the straight distance.
func (s *Search) straightRest(c *cell) (rest [2]float64) {
	if s.toGoal.weight > 0 {
		_, out := s.g.sidesOf(c.gate)
		piece := out.part(c.lo, c.hi)
		rest, _ = s.toGoal.over(&piece)
	}
	return rest
}

// firstSpan is the length of a cell in the first round, as a part of the length of the first way, at an ε of 1. The error
// of a tangent grows with the square of the length.
const firstSpan = 0.1

func newCell(gate int32, lo, hi float64) cell {
	return cell{
		gate: gate, lo: lo, hi: hi, low: [2]float64{math.Inf(1), math.Inf(1)},
		from: [2]int32{index.None, index.None}, key: math.Inf(1),
	}
}

// rounding is the least decrease of a bound that counts; smaller decreases could keep a round going. At each portal the
// bound of the cheapest way may be too high by at most rounding.
const rounding = 1.0 / (1 << 16)

// spreadWave offers the ways of a wave through region r to all cells at other gates of r. The wave comes through gate,
// or from the root if gate is none; skip marks ends of gate whose ways need no attention.
func (s *Search) spreadWave(w *wave, r uint32, gate, from int32, skip [2]bool) {
	ix := s.g.ix
	reg := ix.Region(r)
	for k := reg.FirstPortal; k < reg.EndPortal; k++ {
		p := ix.Portal(k)
		to, turned := int32(k), false
		if s.backward {
			to = int32(p.Back)
			turned = int32(k) == gate
		} else {
			turned = gate >= 0 && int(gate) < ix.PortalLimit() && ix.Portal(uint32(gate)).Back == k
		}
		// Crossing a gate and coming back pays only along cheaper ground.
		if turned && w.weight >= ix.Weight(p.To) {
			continue
		}
		s.offerGate(w, to, s.g.side(int32(to)), 0, from, skip)
	}
	if s.g.links == nil {
		return
	}
	if s.backward {
		for _, l := range s.g.linksTo[r] {
			g := int32(ix.PortalLimit()) + l
			_, out := s.g.sidesOf(g)
			s.offerGate(w, g, out, 0, from, skip)
		}
		return
	}
	for _, l := range s.g.linksFrom[r] {
		g := int32(ix.PortalLimit()) + l
		in, _ := s.g.sidesOf(g)
		s.offerGate(w, g, in, s.g.links[l].cost, from, skip)
	}
}

// offerGate offers the ways of a wave to the cells of a gate, except ways that leave the wave at an end to skip.
func (s *Search) offerGate(w *wave, gate int32, side *Segment, toll float64, from int32, skip [2]bool) {
	at := s.cellsOf(gate)
	lo, hi := 0.0, 1.0
	if skip[0] || skip[1] {
		switch w.beyond {
		case 1:
			if skip[0] {
				return
			}
		case -1:
			if skip[1] {
				return
			}
		default:
			// The place where ways leave w is a linear function along the gate, and so are its distances from either
			// end.
			a, b := w.leaveLine(side.x, side.y), w.leaveLine(side.end())
			if skip[0] {
				lo, hi = clip(lo, hi, a, b)
			}
			if skip[1] {
				lo, hi = clip(lo, hi, w.length-a, w.length-b)
			}
			if lo > hi {
				return
			}
		}
	}
	for c := at.first; c < at.end; c++ {
		to := &s.cells[c]
		if to.hi < lo {
			continue
		}
		if to.lo > hi {
			return
		}
		s.offerCell(w, c, side, toll, from)
	}
}

// clip returns the part of lo to hi where a linear function is not negative; its values are a at 0 and b at 1.
func clip(lo, hi, a, b float64) (float64, float64) {
	switch {
	case a < 0 && b < 0:
		return 1, 0
	case a < 0:
		lo = max(lo, a/(a-b))
	case b < 0:
		hi = min(hi, a/(a-b))
	}
	return lo, hi
}

// offerCell updates the bounds of a cell by the ways of a wave.
func (s *Search) offerCell(w *wave, c int32, side *Segment, toll float64, from int32) {
	to := &s.cells[c]
	// A cheap test first: most cells are known to be nearer, or too far away.
	least := w.floor + toll
	if least >= to.low[0] && least >= to.low[1] {
		return
	}
	if least += min(to.rest[0], to.rest[1]); least >= s.limit {
		s.floor = min(s.floor, least)
		return
	}
	at := side.part(to.lo, to.hi)
	low, nearEnd := w.over(&at)
	low[0], low[1] = low[0]+toll, low[1]+toll
	held := low[0]+low[1] < to.known[0]+to.known[1]
	if held {
		low = to.known
	}
	// The tangent of a wave that nowhere beats the bounds may fall below them at an end.
	if low[0] >= to.low[0] && low[1] >= to.low[1] || low[0]+low[1] >= to.low[0]+to.low[1] && w.above(&at, to.low, toll) {
		return
	}
	better := false
	for e := range 2 {
		if l := low[e]; l < to.low[e]-rounding {
			to.low[e], better = l, true
			to.from[e] = from
			if from != index.None {
				to.from[e] += int32(nearEnd)
			}
		}
	}
	if !better {
		return
	}
	to.held = held
	if to.key = to.through(); to.key < s.limit {
		s.queue(c)
	}
}

// queue queues a cell whose bounds have sunk. Cells leave the queue by their lower bound. No way onwards falls below
// the lower bound, and the lower bound of an expanded cell sinks no more.
func (s *Search) queue(c int32) {
	to := &s.cells[c]
	if least := min(to.low[0], to.low[1]); !to.queued || least < to.least {
		to.queued, to.least = true, least
		s.heap.Push(least, c)
	}
}

// through returns the lower bound of ways through a cell.
func (c *cell) through() float64 { return min(c.low[0]+c.rest[0], c.low[1]+c.rest[1]) }

// maxExpanded is the maximum number of expansions of a cell in a round; then both its bounds take the lower value.
const maxExpanded = 6

// expandCell offers the ways from a cell to the gates behind the cell.
func (s *Search) expandCell(c int32) {
	from := &s.cells[c]
	from.queued = false
	if from.expanded = min(from.expanded+1, 100); from.expanded > maxExpanded {
		// The bounds of the ends sink by turns, but never below the lower bound.
		least := min(from.low[0], from.low[1])
		from.low = [2]float64{least, least}
		from.key = from.through()
	}
	origin := 2 * int32(len(s.steps))
	s.steps = append(s.steps, step{c, from.from})
	w, r := s.waveFrom(from, s.backward)
	ends, goal := s.goals, s.to.At
	if s.backward {
		ends, goal = s.starts, s.from.At
	}
	if slices.Contains(ends, r) {
		x, y := float64(goal.X), float64(goal.Y)
		if cost := w.reach(x, y); cost < s.reached {
			s.reached, s.reachedFrom = cost, origin
			if w.leave(x, y) > 0.5*w.length {
				s.reachedFrom++
			}
		}
	}
	s.spreadWave(&w, r, from.gate, origin, s.coveredEnds(c))
}

// coveredEnds marks the ends of a cell whose ways need no attention: ways of the adjacent cell over the same point cost
// no more.
func (s *Search) coveredEnds(c int32) (covered [2]bool) {
	own := &s.cells[c]
	at := s.spans[own.gate]
	if c > at.first && s.cells[c-1].hi == own.lo {
		covered[0] = s.cells[c-1].low[1] < own.low[0]
	}
	if c+1 < at.end && s.cells[c+1].lo == own.hi {
		covered[1] = s.cells[c+1].low[0] <= own.low[1]
	}
	return covered
}

// waveFrom returns the wave from a cell, and the region ahead of the wave.
func (s *Search) waveFrom(c *cell, backward bool) (w wave, r uint32) {
	in, out := s.g.sidesOf(c.gate)
	if backward {
		r = s.g.before(c.gate)
		toll := s.g.tollOf(c.gate)
		at := in.part(c.lo, c.hi)
		return newWave(&at, c.low[0]+toll, c.low[1]+toll, s.g.ix.Weight(r)), r
	}
	r = s.g.after(c.gate)
	at := out.part(c.lo, c.hi)
	return newWave(&at, c.low[0], c.low[1], s.g.ix.Weight(r)), r
}

// rootWave returns the wave from the start, or backward from the goal, into a region.
func (s *Search) rootWave(r uint32, backward bool) wave {
	at := s.from.At
	if backward {
		at = s.to.At
	}
	root := SegmentBetween(index.Floats(at), index.Floats(at))
	return newWave(&root, 0, 0, s.g.ix.Weight(r))
}

func (s *Search) beginRound() {
	s.heap.Reset()
	s.steps = s.steps[:0]
	s.reached, s.reachedFrom = math.Inf(1), index.None
	roots, ends := s.starts, s.goals
	if s.backward {
		roots, ends = ends, roots
	}
	for _, r := range roots {
		if slices.Contains(ends, r) {
			if cost := float64(index.Distance(s.from.At, s.to.At) * s.g.ix.Weight(r)); cost < s.reached {
				s.reached, s.reachedIn = cost, r
			}
		}
		w := s.rootWave(r, s.backward)
		s.spreadWave(&w, r, index.None, index.None, [2]bool{})
	}
}

// trace fills s.tried with the gates of the round's bound. Coarse cells may lead around a circle of gates; the circle is
// left out.
func (s *Search) trace() {
	s.tried = s.tried[:0]
	for at := s.reachedFrom; at != index.None; {
		made := &s.steps[at/2]
		gate := s.cells[made.cell].gate
		if k := slices.Index(s.tried, gate); k >= 0 {
			s.tried = s.tried[:k]
		}
		s.tried = append(s.tried, gate)
		at = made.from[at%2]
	}
	if !s.backward {
		slices.Reverse(s.tried)
	}
}
