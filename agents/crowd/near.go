package crowd

import "math"

// near finds the agents around a place: a grid of square cells, as a hash table in one array.
//
// Idea: The cell of every agent has a slot in a table; a counting sort by slot lays the agents of a cell side by side, each
// with all that its neighbours read. The state is frozen for the step, so any number of goroutines read it.
//
// Input: the places of all agents. Cells of different places may share a slot: entries carry their cell.
//
// Guarantees: around visits each agent within the reach once, in an order that follows from places and ids alone
// (TestNear).
//
// Cost: O(n) to build, and O(k) to ask for k agents in nine cells.
type near struct {
	cell    float64
	entries []entry
	starts  []int32 // by slot: the first entry, and after the last slot their number
	slots   []int32 // by agent
	mask    uint32
	// radius and fast are the greatest radius and speed of all agents, and dt is the time of the step.
	radius, fast, dt float64
}

// entry is what neighbours know of an agent.
type entry struct {
	at, vel, dir   plane
	bend, shove    plane
	toBend         float64
	claim          claim
	y, height      float64
	radius         float64
	speed          float64
	cellX, cellZ   int32
	party          uint64
	index          int32 // in Crowd.agents
	rank           int32
	standing, hold bool
	held           bool
}

func cellOf(v, size float64) int32 {
	f := math.Floor(v / size)
	switch {
	case f > math.MaxInt32-1:
		return math.MaxInt32 - 1
	case f > math.MinInt32+1:
		return int32(f)
	}
	return math.MinInt32 + 1
}

func (n *near) slot(x, z int32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(z)*0x85ebca6b
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return (h ^ h>>13) & n.mask
}

// build freezes the agents that stand on the floor, in cells of a size in metres.
func (n *near) build(agents []*agent, cell float64) {
	size := uint32(1)
	for int(size) < 2*len(agents) {
		size *= 2
	}
	n.cell, n.mask = cell, size-1
	n.slots = grown(n.slots, len(agents))
	n.starts = grown(n.starts, int(size)+1)
	clear(n.starts)
	count := 0
	for i, a := range agents {
		if a.state == OnLink {
			n.slots[i] = -1
			continue
		}
		count++
		s := int32(n.slot(cellOf(a.pos.Point.X, cell), cellOf(a.pos.Point.Z, cell)))
		n.slots[i] = s
		n.starts[s+1]++
	}
	for s := range size {
		n.starts[s+1] += n.starts[s]
	}
	n.entries = grown(n.entries, count)
	for i, a := range agents {
		s := n.slots[i]
		if s < 0 {
			continue
		}
		n.entries[n.starts[s]] = entry{
			at: a.at(), vel: a.vel, dir: a.dir, bend: a.bend, shove: a.shove, toBend: a.toBend, claim: a.claim,
			y: a.pos.Point.Y, height: a.height, radius: a.radius, speed: a.speed,
			cellX: cellOf(a.pos.Point.X, cell), cellZ: cellOf(a.pos.Point.Z, cell),
			party: a.party, index: int32(i), rank: a.rank(), standing: a.standing(), hold: a.holdsOn(), held: a.held,
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

// around appends the entries, but for the one of self, whose centres are within a reach of a place, seen from above, and whose
// bodies are on the storey of a body with feet at y: feet or head of one are between feet and head of the other. The reach is at
// most the size of a cell.
func (n *near) around(list []neighbour, at plane, y, height float64, self int32, reach float64) []neighbour {
	x, z := cellOf(at.x, n.cell), cellOf(at.z, n.cell)
	for cx := x - 1; cx <= x+1; cx++ {
		for cz := z - 1; cz <= z+1; cz++ {
			s := n.slot(cx, cz)
			for k := n.starts[s]; k < n.starts[s+1]; k++ {
				e := &n.entries[k]
				rel := e.at.sub(at)
				d2 := rel.norm2()
				if d2 > reach*reach || e.cellX != cx || e.cellZ != cz || e.index == self ||
					e.y >= y+height || y >= e.y+e.height {
					continue
				}
				list = append(list, neighbour{entry: e, rel: rel, d2: d2})
			}
		}
	}
	return list
}

// neighbour is an agent near another one.
type neighbour struct {
	*entry
	rel plane // from the other one
	d2  float64
	// ahead tells who goes first, see agent.ahead.
	ahead float64
}

func (a neighbour) before(b neighbour) bool {
	return a.d2 < b.d2 || a.d2 == b.d2 && a.index < b.index
}

// nearest moves the k first neighbours by distance, and by id among equally near ones, to the front of a list.
func nearest(list []neighbour, k int) {
	k = min(k, len(list))
	for i := range list {
		if i >= k && (k == 0 || list[i].d2 > list[k-1].d2) {
			continue
		}
		n := list[i]
		j := min(i, k)
		if j == k && !n.before(list[k-1]) {
			continue
		}
		if i >= k {
			// The last of the k leaves its place to n's, and n goes in among them.
			list[i] = list[k-1]
			j = k - 1
		}
		for ; j > 0 && n.before(list[j-1]); j-- {
			list[j] = list[j-1]
		}
		list[j] = n
	}
}
