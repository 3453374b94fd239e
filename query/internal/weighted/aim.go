package weighted

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// The measured bounds of the ways to one goal. See bounds.go.

// aim is the memory of the bounds of a goal.
type aim struct {
	on   bool
	goal uint32 // a region of the goal
	// passages are the sources that a way below the limit may pass before the goal, and behind the start. Level l has the
	// passages from ends[l] to ends[l+1].
	passages [2][]passage
	ends     [2][]int32
	doors    [2][]door // into the region of the goal, and out of the region of the start
	rough    [2][]float64
	sifted   []sifted // of a node
	// The least bound of a way from the start to the goal, by a source of the node at a level.
	best   float64
	level  int
	source int32
}

// passage is a source by its number in its node, with a lower bound of the cost between the source and an end of the path.
type passage struct {
	source int32
	cost   float64
}

// sifted is a source with bounds of the costs to the goal and from the start.
type sifted struct {
	source       int32
	rest, before float64
}

// bound returns the bound of the cost from the start, or to the goal.
func (x *sifted) bound(start bool) *float64 {
	if start {
		return &x.before
	}
	return &x.rest
}

// door is a cell of the bounds on a gate of the region of an end of the path.
type door struct {
	at     Segment
	toll   float64
	near   float64 // the least cost between the cell and the end, with the toll
	gate   int32
	cell   int
	levels int // number of the nodes that have both regions of the gate
}

// aimAt finds the least bound of a way from the start to the goal, and the source of this bound.
func (s *Search) aimAt() {
	b, a := s.g.bounds, &s.aim
	if a.on = b != nil && !slices.Contains(s.starts, s.to.Region); !a.on {
		return
	}
	a.goal = s.to.Region
	s.findDoors(false)
	s.findDoors(true)
	a.best = math.Inf(1)
	for level, n := range b.chainOf(a.goal)[:b.shared(s.from.Region, a.goal)] {
		// A way passes a source of the smallest of these nodes that holds all of the way.
		nd := &b.nodes[n]
		if nd.count == 0 {
			continue
		}
		s.roughly(false, level, int(nd.count))
		s.roughly(true, level, int(nd.count))
		// The source of the least rough bound first: most others then need no exact bound.
		nearest := 0
		for x, rest := range a.rough[0] {
			if rest+a.rough[1][x] < a.rough[0][nearest]+a.rough[1][nearest] {
				nearest = x
			}
		}
		s.boundBy(level, nearest)
		for x, rest := range a.rough[0] {
			if rest+a.rough[1][x] < a.best {
				s.boundBy(level, x)
			}
		}
	}
	s.proved = a.best
}

// boundBy lowers the least bound to the bound of the ways past a source of the node at a level.
func (s *Search) boundBy(level, x int) {
	a, b := &s.aim, s.g.bounds
	count := int(b.nodes[b.chainOf(a.goal)[level]].count)
	list := append(a.sifted[:0], sifted{source: int32(x)})
	s.exactly(false, level, count, list)
	s.exactly(true, level, count, list)
	if both := list[0].rest + list[0].before; both < a.best {
		a.best, a.level, a.source = both, level, int32(x)
	}
	a.sifted = list
}

// findPassages finds the sources that ways below the limit may pass.
func (s *Search) findPassages() {
	a := &s.aim
	chain := s.g.bounds.chainOf(a.goal)
	shared, level := s.g.bounds.shared(s.from.Region, a.goal), 0
	for way := range 2 {
		a.passages[way], a.ends[way] = a.passages[way][:0], append(a.ends[way][:0], 0)
	}
	// Ways that leave a node pass a source of a larger node. As long as none of these is a passage, ways below the limit stay
	// inside, and the bounds from both ends hold.
	for ; level < shared && len(a.passages[0]) == 0; level++ {
		s.sift(chain[level], level, true, true)
		s.endLevel(0)
		s.endLevel(1)
	}
	for way, end := range [2]uint32{a.goal, s.from.Region} {
		for k, n := range s.g.bounds.chainOf(end)[level:] {
			s.sift(n, level+k, way == 0, way == 1)
			s.endLevel(way)
		}
	}
}

// endLevel ends the passages of a level.
func (s *Search) endLevel(way int) {
	a := &s.aim
	a.ends[way] = append(a.ends[way], int32(len(a.passages[way])))
}

// sift adds the sources of a node that a way below the limit may pass to the passages before the goal, behind the start,
// or both. Bounds by the measured costs of one end alone take the straight distance for the other end. Rough bounds leave most
// sources out.
func (s *Search) sift(n int32, level int, goal, start bool) {
	a := &s.aim
	nd := &s.g.bounds.nodes[n]
	ends := [2]bool{goal, start}
	for way, measured := range ends {
		if measured {
			s.roughly(way == 1, level, int(nd.count))
		}
	}
	list := a.sifted[:0]
	keep := func(x sifted) {
		if x.rest+x.before < s.limit {
			list = append(list, x)
		} else {
			s.floor = min(s.floor, x.rest+x.before)
		}
	}
	for i := range nd.count {
		x := sifted{source: i}
		for way, measured := range ends {
			if measured {
				*x.bound(way == 1) = a.rough[way][i]
			}
		}
		if x.rest+x.before < s.limit && !(goal && start) {
			*x.bound(goal) = s.straight(&s.g.bounds.sources[nd.first+i], goal)
		}
		keep(x)
	}
	for way, measured := range ends {
		if !measured {
			continue
		}
		s.exactly(way == 1, level, int(nd.count), list)
		all := list
		list = list[:0]
		for _, x := range all {
			keep(x)
		}
	}
	a.sifted = list
	for i := range list {
		for way, measured := range ends {
			if measured {
				a.passages[way] = append(a.passages[way], passage{list[i].source, *list[i].bound(way == 1)})
			}
		}
	}
}

// findDoors fills in the doors of the start or the goal.
func (s *Search) findDoors(start bool) {
	list, r := &s.aim.doors[0], s.to.Region
	if start {
		list, r = &s.aim.doors[1], s.from.Region
	}
	*list = (*list)[:0]
	reg := s.g.ix.Region(r)
	for k := reg.FirstPortal; k < reg.EndPortal; k++ {
		if start {
			s.addDoors(list, int32(k), start)
		} else {
			s.addDoors(list, int32(s.g.ix.Portal(k).Back), start)
		}
	}
	links := s.g.linksTo
	if start {
		links = s.g.linksFrom
	}
	for _, l := range links[r] {
		s.addDoors(list, int32(s.g.ix.PortalLimit())+l, start)
	}
}

// addDoors adds the cells of a gate.
func (s *Search) addDoors(list *[]door, gate int32, start bool) {
	b := s.g.bounds
	in, side := s.g.sidesOf(gate)
	d := door{gate: gate, levels: b.shared(s.g.before(gate), s.g.after(gate))}
	p, r := s.to.At, s.g.after(gate)
	if start {
		p, r, side, d.toll = s.from.At, s.g.before(gate), in, s.g.tollOf(gate)
	}
	x, y := float64(p.X), float64(p.Y)
	pieces := float64(b.pieces[gate])
	for i := range b.pieces[gate] {
		d.cell = int(i)
		d.at = side.part(float64(i)/pieces, float64(i+1)/pieces)
		px, py := d.at.At(d.at.Place(x, y))
		d.near = d.toll + float64(s.g.ix.Weight(r)*index.Length(px-x, py-y))
		*list = append(*list, d)
	}
}

// lowsOf returns the bounds of a door for the sources of a node.
func (s *Search) lowsOf(d *door, start bool, level, count int) [][2]float32 {
	l := &s.g.bounds.from
	if start {
		l = &s.g.bounds.to
	}
	at := l.at[int(l.first[d.gate])+level] + d.cell*count
	return l.list[at : at+count]
}

// roughly fills s.aim.rough with bounds of the costs between the goal, or the start, and all sources of a node.
func (s *Search) roughly(start bool, level, count int) {
	way := 0
	if start {
		way = 1
	}
	list := grown(s.aim.rough[way], count)
	s.aim.rough[way] = list
	for i := range list {
		list[i] = math.Inf(1)
	}
	for k := range s.aim.doors[way] {
		d := &s.aim.doors[way][k]
		if level >= d.levels {
			continue
		}
		lows := s.lowsOf(d, start, level, count)
		for i := range list {
			low := lows[i][0]
			if lows[i][1] < low {
				low = lows[i][1]
			}
			if v := float64(low) + d.near; v < list[i] {
				list[i] = v
			}
		}
	}
}

// exactly replaces the rough bounds between sources of a node and the goal, or the start.
func (s *Search) exactly(start bool, level, count int, list []sifted) {
	way, p := 0, s.to
	if start {
		way, p = 1, s.from
	}
	for i := range list {
		*list[i].bound(start) = math.Inf(1)
	}
	weight := s.g.ix.Weight(p.Region)
	for k := range s.aim.doors[way] {
		d := &s.aim.doors[way][k]
		if level >= d.levels {
			continue
		}
		lows := s.lowsOf(d, start, level, count)
		for i := range list {
			low, least := lows[list[i].source], list[i].bound(start)
			if first := float64(low[0]) + d.near; first >= *least && float64(low[1])+d.near >= *least {
				continue
			}
			w := newWave(&d.at, float64(low[0])+d.toll, float64(low[1])+d.toll, weight)
			*least = min(*least, w.reach(float64(p.At.X), float64(p.At.Y)))
		}
	}
}

// straight returns the bound of the cost between the start, or the goal, and a source by the straight distance.
func (s *Search) straight(x *source, start bool) float64 {
	in, out := s.g.sidesOf(x.gate)
	side, p := out, s.to.At
	if start {
		side, p = in, s.from.At
	}
	at := side.part(x.lo, x.hi)
	fx, fy := float64(p.X), float64(p.Y)
	px, py := at.At(at.Place(fx, fy))
	return float64(s.g.slack * index.Length(px-fx, py-fy))
}

// raise sets the bounds of the ways from the start to a cell of the first round, and from the cell to the goal. The cell
// is part of a cell of the bounds.
func (s *Search) raise(c *cell) {
	b := s.g.bounds
	n := float64(b.pieces[c.gate])
	i := min(math.Floor(0.5*(c.lo+c.hi)*n), n-1)
	// The ends of the cell as parts of the cell of the bounds.
	lo, hi := float64(c.lo*n)-i, float64(c.hi*n)-i
	if r := s.g.before(c.gate); r != s.from.Region {
		c.known = s.passing(1, &b.from, c.gate, r, s.from.Region, int(i), lo, hi)
	}
	switch r := s.g.after(c.gate); {
	case min(c.known[0], c.known[1]) >= s.limit:
	case r == s.aim.goal:
		c.rest = s.straightRest(c)
	default:
		c.rest = s.passing(0, &b.to, c.gate, r, s.aim.goal, int(i), lo, hi)
	}
}

// passing returns the least bounds of ways over a passage between an end of the path, in region end, and two places of a
// gate beside region r, by the places in cell i of the bounds.
func (s *Search) passing(way int, l *lows, gate int32, r, end uint32, i int, lo, hi float64) [2]float64 {
	a, b := &s.aim, s.g.bounds
	best := [2]float64{math.Inf(1), math.Inf(1)}
	chain, at := b.chainOf(r), l.at[l.first[gate]:]
	for level := range b.shared(r, end) {
		list := l.list[at[level]+i*int(b.nodes[chain[level]].count):]
		for _, p := range a.passages[way][a.ends[way][level]:a.ends[way][level+1]] {
			low := list[p.source]
			first := float64(low[0]) + p.cost
			rise := float64(low[1]) - float64(low[0])
			// A source out of reach has infinite bounds, and a rise that is no number.
			if v := first + float64(lo*rise); v < best[0] {
				best[0] = v
			}
			if v := first + float64(hi*rise); v < best[1] {
				best[1] = v
			}
		}
	}
	return best
}
