package polymesh

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// offsets lists the steps by up to two units along both axes, the shortest first; the first step is no step.
var offsets = func() []lattice.Point {
	var out []lattice.Point
	for y := int32(-2); y <= 2; y++ {
		for x := int32(-2); x <= 2; x++ {
			out = append(out, lattice.Point{X: x, Y: y})
		}
	}
	slices.SortStableFunc(out, func(a, b lattice.Point) int { return cmp.Compare(a.X*a.X+a.Y*a.Y, b.X*b.X+b.Y*b.Y) })
	return out
}()

// rounds is the number of times that Repair tries all faulty rings.
const rounds = 4

// Repair moves points so that fewer rings have faults, by up to two steps at a time, and returns how many points moved. A ring
// lists points; fixed names the axes along which points must not move, nil for none. step returns the lengths of a step from a
// point along both axes in units; nil stands for single units. Time O(n) for n corners, and for few faults.
func Repair(points []lattice.Vertex, fixed []Axes, rings [][]uint32, step func(lattice.Point) (x, y int32)) int {
	faults := make([]int, len(rings))
	ring := func(i int) lattice.Ring {
		out := make(lattice.Ring, len(rings[i]))
		for k, p := range rings[i] {
			out[k] = points[p].Point
		}
		return out
	}
	var open []int
	for i := range rings {
		if faults[i] = faultsOf(ring(i)); faults[i] > 0 {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return 0
	}
	around := make([][]int32, len(points))
	for i := range rings {
		for _, p := range rings[i] {
			if of := around[p]; len(of) == 0 || of[len(of)-1] != int32(i) {
				around[p] = append(of, int32(i))
			}
		}
	}
	const most = 64 // rings around a point that may move
	better := func(p uint32) bool {
		if len(around[p]) > most {
			return false
		}
		before := 0
		for _, i := range around[p] {
			before += faults[i]
		}
		was := points[p].Point
		sx, sy := int32(1), int32(1)
		if step != nil {
			sx, sy = step(was)
		}
		for _, o := range offsets[1:] {
			if fixed != nil && (o.X != 0 && fixed[p]&East != 0 || o.Y != 0 && fixed[p]&North != 0) {
				continue
			}
			points[p].Point = lattice.Point{X: was.X + o.X*sx, Y: was.Y + o.Y*sy}
			after := 0
			for _, i := range around[p] {
				after += faultsOf(ring(int(i)))
			}
			if after < before {
				for _, i := range around[p] {
					faults[i] = faultsOf(ring(int(i)))
				}
				return true
			}
		}
		points[p].Point = was
		return false
	}
	moved := map[uint32]bool{}
	for range rounds {
		progress := false
		for _, i := range open {
			for _, p := range rings[i] {
				if faults[i] == 0 {
					break
				}
				if better(p) {
					moved[p], progress = true, true
				}
			}
		}
		open = slices.DeleteFunc(open, func(i int) bool { return faults[i] == 0 })
		if !progress || len(open) == 0 {
			break
		}
	}
	return len(moved)
}

// faultsOf counts the corners where a ring turns right, turns back or repeats a point; 1 for a ring with another fault. A ring of
// two places vanishes and has no fault.
func faultsOf(ring lattice.Ring) int {
	n, count := len(ring), 0
	if other := slices.IndexFunc(ring, func(p lattice.Point) bool { return p != ring[0] }); other < 0 ||
		!slices.ContainsFunc(ring, func(p lattice.Point) bool { return p != ring[0] && p != ring[other] }) {
		return 0
	}
	for i, b := range ring {
		a, c := ring[(i+n-1)%n], ring[(i+1)%n]
		if turn := lattice.Orient(a, b, c); turn < 0 || b == c || turn == 0 && lattice.Dot(b, a, c) > 0 {
			count++
		}
	}
	if count > 0 {
		return count
	}
	if fault, _ := planar.Fault(ring); fault != "" {
		return 1
	}
	return 0
}
