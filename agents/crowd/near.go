package crowd

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// near finds the agents around a place: a grid of cells, as a hash table in one array.
//
// Idea: The floor is divided into square cells, of half the greatest reach where it is crowded, and by height into layers. The cells of a column, sixteen
// side by side, are a stretch; a hash of the stretch tells its place in the table, and the cells of a column lie in one range of the
// table. A counting sort by slot lays the agents of a cell side by side: their places, all a search reads of those near enough, and all
// neighbours read. A search begins with the column of its place and goes outwards. As soon as more than enough agents are found, the
// farthest that matters bounds all further columns. The state is frozen for the step, so any number of goroutines read it.
//
// Input: the places of all agents. Strips may share slots: agents carry the name of their own.
//
// Guarantees: around finds the nearest agents and all that are sure to matter, in an order that follows from distances and ids alone, and
// those close above and below (TestNear).
//
// Cost: O(n) to build; O(k) to ask for k agents on evenly crowded floor, whatever the reach and the number of storeys.
type near struct {
	cell, perCell float64 // side of a cell in metres, and one over it
	low, perLayer float64 // the lowest feet in metres, and one over the height of a layer
	tallest       float64 // the height of the tallest body in metres
	top           int32   // the highest layer
	mask          uint32  // of stretches
	fine          bool    // whether cells are small
	places        []plane // of agents, by slot
	spots         []spot  // of the places
	entries       []entry // of the places
	starts        []int32 // by slot: the first spot, and after the last slot their number
	slots         []int32 // by agent
	// radius and fast are the greatest radius and speed of all agents, and dt is the time of the step.
	radius, fast, dt float64
}

const (
	// fineCells is the number of cells in the greatest reach on crowded floor; elsewhere it is one. Floor counts as crowded from crowdedFrom
	// agents in a wide cell that is not empty, and until sparseFrom in a fine one.
	fineCells               = 2
	crowdedFrom, sparseFrom = 3.0, 1.3
	// bodiesPerLayer is the number of the greatest heights in a layer.
	bodiesPerLayer = 3
	// stretchBits is the binary logarithm of the number of cells in a stretch.
	stretchBits = 4
	// rounding in cells covers the rounding of places to cells.
	rounding = 1e-6
	// shortList is the number of agents up to which a search sorts by rank.
	shortList = 16
	// spares is the number of agents that a search finds, beside a few times k, before the search leaves out agents that do not matter.
	spares = 8
)

// spot is what a search reads of an agent whose place is near enough.
type spot struct {
	y, top  float64 // feet and head
	stretch stretch
	index   int32 // in Crowd.agents
}

// stretch names a stretch of cells: a column, a part of it, and a layer.
type stretch struct{ x, part, layer int32 }

// entry is what neighbours know of an agent.
type entry struct {
	at, vel, dir   plane
	bend, out      plane
	shove          plane
	toBend         float64
	claim          claim
	y, height      float64
	radius         float64
	speed          float64
	party          uint64
	index          int32 // in Crowd.agents
	rank           int32
	standing, hold bool
	held           bool
}

// mostCells bounds the numbers of cells: places beyond share the last one.
const mostCells = 1 << 30

// cellOf returns the cell of a coordinate.
func (n *near) cellOf(v float64) int32 {
	return int32(min(max(math.Floor(v*n.perCell), -mostCells), mostCells))
}

// layerOf returns the layer of a height.
func (n *near) layerOf(y float64) int32 {
	return int32(min(max((y-n.low)*n.perLayer, 0), float64(n.top)))
}

// base returns the slot of the first cell of a stretch.
func (n *near) base(s stretch) int32 {
	h := uint32(s.x)*0x9e3779b1 ^ uint32(s.part)*0x85ebca6b ^ uint32(s.layer)*0xc2b2ae35
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return int32((h^h>>13)&n.mask) << stretchBits
}

// build freezes the agents who stand on the floor, for searches with reaches of up to about a length in metres.
func (n *near) build(agents []*agent, reach float64) {
	stretches := 1
	for stretches<<stretchBits < 2*len(agents) {
		stretches *= 2
	}
	size := stretches << stretchBits
	n.cell, n.mask = reach, uint32(stretches-1)
	if n.fine {
		n.cell = reach / fineCells
	}
	n.perCell = 1 / n.cell
	high := math.Inf(-1)
	n.low, n.tallest = math.Inf(1), 0.1
	for _, a := range agents {
		n.low, high, n.tallest = min(n.low, a.pos.Point.Y), max(high, a.pos.Point.Y), max(n.tallest, a.height)
	}
	n.perLayer, n.top = 1/(bodiesPerLayer*n.tallest), 0
	if len(agents) > 0 {
		n.top = 1 << 20
		n.top = n.layerOf(high)
	}
	n.slots = grown(n.slots, len(agents))
	n.starts = grown(n.starts, size+1)
	clear(n.starts)
	for i, a := range agents {
		z := n.cellOf(a.pos.Point.Z)
		s := n.base(stretch{n.cellOf(a.pos.Point.X), z >> stretchBits, n.layerOf(a.pos.Point.Y)}) + z&(1<<stretchBits-1)
		n.slots[i] = s
		n.starts[s+1]++
	}
	occupied := 0
	for s := range size {
		if n.starts[s+1] > 0 {
			occupied++
		}
		n.starts[s+1] += n.starts[s]
	}
	// For the next step: cells change no answer.
	if each := float64(len(agents)) / float64(max(occupied, 1)); n.fine {
		n.fine = each > sparseFrom
	} else {
		n.fine = each > crowdedFrom
	}
	n.places, n.spots, n.entries = grown(n.places, len(agents)), grown(n.spots, len(agents)), grown(n.entries, len(agents))
	for i, a := range agents {
		s := n.slots[i]
		p := a.pos.Point
		low, top := p.Y, p.Y+a.height
		if a.state == OnLink {
			// Walkers above and below make room before the rider comes.
			reach := float64(a.speed*n.dt) + slack
			low, top = low-reach, top+reach
		}
		n.places[n.starts[s]] = a.at()
		n.spots[n.starts[s]] = spot{
			y: low, top: top,
			stretch: stretch{n.cellOf(p.X), n.cellOf(p.Z) >> stretchBits, n.layerOf(p.Y)}, index: int32(i),
		}
		n.entries[n.starts[s]] = entry{
			at: a.at(), vel: a.vel, dir: a.dir, bend: a.bend, out: a.out, shove: a.shove, toBend: a.toBend, claim: a.claim,
			y: p.Y, height: a.height, radius: a.radius, speed: a.fastest(),
			party: a.party, index: int32(i), rank: a.rank(), standing: a.standing(), hold: a.holdsOn(), held: a.waits(),
		}
		n.starts[s]++
	}
	// Each start has moved on to the start of the next slot.
	copy(n.starts[1:], n.starts[:size])
	n.starts[0] = 0
}

// grown returns a list of a length, in the memory of another where that is large enough.
func grown[T any](list []T, length int) []T {
	if cap(list) < length {
		return make([]T, length, length+length/4)
	}
	return list[:length]
}

// search is a question for the agents around a place, seen from above, whose bodies are on the storey of a body with feet at y: feet or
// head of one are between feet and head of the other.
type search struct {
	at        plane
	y, height float64
	self      int32 // in Crowd.agents: the one who asks, or -1
	// The search finds the k nearest agents with centres within reach, and all agents within the sure reach, at most reach.
	k           int
	reach, sure float64
	// guess is the square of a distance within which the k nearest probably are, 0 without a guess. A wrong guess costs time and changes
	// no answer.
	guess float64

	// climb is the greatest change of height in a step, in metres. Bodies of stacked agents are above or below, nearer than that, and within
	// the sure reach.
	climb   float64
	stacked []int32 // in near.entries

	low, high int32   // the layers of the storey
	limit     float64 // square of the distance beyond which nobody matters
	found     []hit   // the agents so far; at the end those that matter, the nearest first
	sorted    []hit   // scratch of rank
	most      int     // the number of agents to find before the next sift
}

// hit is an agent a search has found.
type hit struct {
	d2          float64
	index, spot int32
}

// around returns the agents a search asks for, in the memory of a list: the k nearest and others within the sure reach. The nearest are
// first, and the lower id is first among equally near ones.
func (n *near) around(list []neighbour, s *search) []neighbour {
	s.low, s.high = n.layerOf(s.y-s.climb-1.01*n.tallest), n.layerOf(s.y+s.height+s.climb)
	far := s.reach * s.reach
	if s.k == 0 {
		far = s.sure * s.sure
	}
	if near := max(s.guess, s.sure*s.sure); s.guess > 0 && near < far {
		if n.sweep(s, near); len(s.found) < s.k {
			n.sweep(s, far)
		}
	} else {
		n.sweep(s, far)
	}
	list = grown(list, len(s.found))
	for i, h := range s.found {
		e := &n.entries[h.spot]
		list[i] = neighbour{entry: e, rel: e.at.sub(s.at), d2: h.d2}
	}
	return list
}

// sweep looks at the columns from that of the place outwards, as far as the square of a distance.
func (n *near) sweep(s *search, limit float64) {
	s.found, s.stacked, s.limit, s.most = s.found[:0], s.stacked[:0], limit, 3*s.k+spares
	x := n.cellOf(s.at.x)
	n.column(s, x, 0)
	for ring, left, right := int32(1), true, true; left || right; ring++ {
		if left = left && x-ring >= -mostCells; left {
			if d := s.at.x - (float64(x-ring+1)+rounding)*n.cell; d > 0 && d*d > s.limit {
				left = false
			} else {
				n.column(s, x-ring, max(d, 0))
			}
		}
		if right = right && x+ring <= mostCells; right {
			if d := (float64(x+ring)-rounding)*n.cell - s.at.x; d > 0 && d*d > s.limit {
				right = false
			} else {
				n.column(s, x+ring, max(d, 0))
			}
		}
	}
	s.sift()
}

// column looks at the cells of a column that are near enough, for a column that is a distance away.
func (n *near) column(s *search, x int32, away float64) {
	const last = 1<<stretchBits - 1
	half := math.Sqrt(max(s.limit-float64(away*away), 0)) + rounding*n.cell
	from, to := n.cellOf(s.at.z-half), n.cellOf(s.at.z+half)
	at, y, head := s.at, s.y, s.y+s.height
	for from <= to {
		part, end := from>>stretchBits, min(to, from|last)
		for layer := s.low; layer <= s.high; layer++ {
			of := stretch{x, part, layer}
			base := n.base(of)
			first, limit := n.starts[base+from&last], s.limit
			places := n.places[first:n.starts[base+end&last+1]]
			if len(places) == 0 {
				continue
			}
			// Processors cannot foretell whether a place is near enough: each is written, and the next one goes over a place too far away.
			m := len(s.found)
			s.found = slices.Grow(s.found, len(places))
			near, count := s.found[m:m+len(places)], uint64(0)
			bound := math.Float64bits(limit)
			for i, p := range places {
				d2 := p.sub(at).norm2()
				near[count] = hit{d2: d2, spot: first + int32(i)}
				_, far := bits.Sub64(bound, math.Float64bits(d2), 0)
				count += 1 - far
			}
			kept := 0
			for i := range near[:count] {
				o := &n.spots[near[i].spot]
				if o.stretch != of || o.index == s.self {
					continue
				}
				if o.y >= head || y >= o.top {
					if o.y < head+s.climb && y < o.top+s.climb && near[i].d2 <= s.sure*s.sure {
						s.stacked = append(s.stacked, near[i].spot)
					}
					continue
				}
				near[kept] = hit{near[i].d2, o.index, near[i].spot}
				kept++
			}
			s.found = s.found[:m+kept]
			if len(s.found) >= s.most {
				s.sift()
			}
		}
		from = end + 1
	}
}

// sift sorts the agents found, leaves out those that do not matter, and bounds the search by the rest.
func (s *search) sift() {
	if len(s.found) <= shortList {
		s.rank()
	} else {
		slices.SortFunc(s.found, func(a, b hit) int { return cmp.Or(cmp.Compare(a.d2, b.d2), cmp.Compare(a.index, b.index)) })
	}
	if s.k <= len(s.found) {
		sure2 := s.sure * s.sure
		keep := s.k
		for keep < len(s.found) && s.found[keep].d2 <= sure2 {
			keep++
		}
		s.found = s.found[:keep]
		if s.k > 0 {
			s.limit = min(s.limit, max(s.found[s.k-1].d2, sure2))
		}
	}
	s.most = 2*len(s.found) + spares
}

// rank sorts at most shortList agents by the number of agents before each. The sum needs no branches: processors cannot foretell the order.
func (s *search) rank() {
	var ranks [shortList]uint64
	found := s.found
	for i := range found {
		d2, rank := math.Float64bits(found[i].d2), uint64(i)
		for j := range found[:i] {
			_, before := bits.Sub64(d2, math.Float64bits(found[j].d2), 0)
			ranks[j&(shortList-1)] += before
			rank -= before
		}
		ranks[i&(shortList-1)] = rank
	}
	s.sorted = grown(s.sorted, len(found))
	for i, h := range found {
		s.sorted[ranks[i&(shortList-1)]] = h
	}
	s.found, s.sorted = s.sorted, found
	// Agents at one distance are in the order of the sweep so far.
	for i := 1; i < len(s.found); i++ {
		for k := i; k > 0 && s.found[k].d2 == s.found[k-1].d2 && s.found[k].index < s.found[k-1].index; k-- {
			s.found[k], s.found[k-1] = s.found[k-1], s.found[k]
		}
	}
}

// neighbour is an agent near another one.
type neighbour struct {
	*entry
	rel plane // from the other one
	d2  float64
	// ahead tells who goes first, see agent.ahead.
	ahead float64
}
