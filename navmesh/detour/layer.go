package detour

import (
	"errors"
	"fmt"
)

// Directions of a cell's sides: 0 to lower x, 1 to higher z, 2 to higher x, 3 to lower z.
var directions = [4][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}

// Neighbours that are no region or polygon.
const (
	noNeighbour = -1
	firstPortal = -5 // to -2: the four directions of a border towards another layer
)

// grid is a layer of cells, row by row: x runs within a row, z from row to row.
type grid struct {
	width, depth int
	heights      []uint8
	areas        []uint8 // 0 for no floor
	sides        []uint8 // low bits: the sides with a neighbour in the layer; high bits: the sides with one in another layer
	climb        int     // in cell heights
	regions      []int32 // of each cell, noNeighbour without floor
	regionCount  int
	work         *int // comparisons so far
	mostWork     int
}

// spend counts n comparisons, and fails when the layer or the file has used up its part.
func (g *grid) spend(n int) error {
	if *g.work += n; *g.work > g.mostWork {
		return fmt.Errorf("the cells need more than %d comparisons, or all layers more than %d", layerWork, mostWork)
	}
	return nil
}

// joined reports whether two neighbouring cells can lie in one region.
func (g *grid) joined(a, b int) bool {
	d := int(g.heights[a]) - int(g.heights[b])
	return g.areas[a] == g.areas[b] && -g.climb <= d && d <= g.climb
}

// sweep is a run of joined cells of a row.
type sweep struct {
	above   int32 // the only region of the row before that the run touches, noNeighbour for none or several
	touches int   // cells that touch it
	region  int32
}

// partition gives every cell with floor a region. A run continues the region above if it touches no other and no other run touches
// that region, so that all regions are monotone. Small neighbours unite afterwards.
func (g *grid) partition() error {
	g.regions = make([]int32, len(g.areas))
	var touched []int // of each region, cells of the current row
	for z := range g.depth {
		clear(touched)
		var sweeps []sweep
		for x := range g.width {
			i := z*g.width + x
			g.regions[i] = noNeighbour
			if g.areas[i] == 0 {
				continue
			}
			if x == 0 || !g.joined(i, i-1) {
				sweeps = append(sweeps, sweep{above: noNeighbour})
			}
			s := &sweeps[len(sweeps)-1]
			g.regions[i] = int32(len(sweeps) - 1)
			if z == 0 || !g.joined(i, i-g.width) {
				continue
			}
			r := g.regions[i-g.width]
			if s.touches == 0 {
				s.above = r
			}
			if s.above != r {
				s.above = noNeighbour
				continue
			}
			s.touches++
			touched[r]++
		}
		for k := range sweeps {
			s := &sweeps[k]
			if s.region = s.above; s.above == noNeighbour || touched[s.above] != s.touches {
				s.region = int32(len(touched))
				touched = append(touched, 0)
			}
		}
		if len(touched) > mostRegions {
			return fmt.Errorf("more than %d regions", mostRegions)
		}
		for i := z * g.width; i < (z+1)*g.width; i++ {
			if g.regions[i] != noNeighbour {
				g.regions[i] = sweeps[g.regions[i]].region
			}
		}
	}
	return g.unite(len(touched))
}

// unite joins each region with its largest neighbour of the same area where both have exactly one common border, and numbers regions anew.
func (g *grid) unite(count int) error {
	cells := make([]int, count)
	areas := make([]uint8, count)
	beside := make([][]int32, count) // in the order of contacts; a region that is met twice in a row is listed once
	meet := func(r, other int32) {
		if l := beside[r]; len(l) == 0 || l[len(l)-1] != other {
			beside[r] = append(l, other)
		}
	}
	for i, r := range g.regions {
		if r == noNeighbour {
			continue
		}
		cells[r]++
		areas[r] = g.areas[i]
		if i < g.width || !g.joined(i, i-g.width) {
			continue
		}
		if above := g.regions[i-g.width]; above != r {
			meet(r, above)
			meet(above, r)
		}
	}
	of, members := make([]int32, count), make([][]int32, count)
	for r := range of {
		of[r], members[r] = int32(r), []int32{int32(r)}
	}
	for r := range of {
		most, into := 0, int32(noNeighbour)
		for _, n := range beside[r] {
			if of[r] == of[n] || areas[r] != areas[n] || cells[n] <= most {
				continue
			}
			contacts := 0
			for _, m := range members[of[r]] {
				if err := g.spend(len(beside[m]) + 1); err != nil {
					return err
				}
				for _, k := range beside[m] {
					if of[k] == of[n] {
						contacts++
					}
				}
			}
			if contacts == 1 {
				most, into = cells[n], of[n]
			}
		}
		if into == noNeighbour {
			continue
		}
		old := of[r]
		for _, m := range members[old] {
			of[m] = into
		}
		members[into], members[old] = append(members[into], members[old]...), nil
	}
	number := make([]int32, count)
	for r := range members {
		if len(members[r]) > 0 {
			number[r] = int32(g.regionCount)
			g.regionCount++
		}
	}
	for i, r := range g.regions {
		if r != noNeighbour {
			g.regions[i] = number[of[r]]
		}
	}
	return nil
}

// beyond returns the region beyond a side of cell x, z: noNeighbour at a wall, and a portal towards another layer.
func (g *grid) beyond(x, z, dir int) int32 {
	sides := g.sides[z*g.width+x]
	if sides>>dir&1 == 0 {
		if sides>>(4+dir)&1 != 0 {
			return int32(firstPortal + dir)
		}
		return noNeighbour
	}
	x, z = x+directions[dir][0], z+directions[dir][1]
	if x < 0 || x >= g.width || z < 0 || z >= g.depth {
		return noNeighbour
	}
	return g.regions[z*g.width+x]
}

// corner is a corner of a contour or a polygon, in cells.
type corner struct {
	x, z, height int
	beyond       int32 // behind the edge that ends here
	remove       bool  // a corner on the border between layers, in the middle of a straight stretch
}

// contours returns the simplified outline of each region, starting at its first cell; nil for a region without outline.
func (g *grid) contours(tolerance float32) ([][]corner, error) {
	out := make([][]corner, g.regionCount)
	for z := range g.depth {
		for x := range g.width {
			r := g.regions[z*g.width+x]
			if r == noNeighbour || out[r] != nil {
				continue
			}
			raw, err := g.walk(x, z)
			if err != nil {
				return nil, err
			}
			simple, err := g.simplify(raw, tolerance)
			if err != nil {
				return nil, err
			}
			for i := range simple {
				simple[i].height, simple[i].remove = g.ground(simple[i])
			}
			out[r] = simple
		}
	}
	return out, nil
}

// walk follows the border of a region from a side of its first cell around, with the cells on the right hand.
func (g *grid) walk(x, z int) ([]corner, error) {
	region := g.regions[z*g.width+x]
	dir := 3
	for dir != 2 && g.beyond(x, z, dir) == region {
		dir = (dir + 1) & 3
	}
	if g.beyond(x, z, dir) == region {
		return nil, errors.New("a region has no border at its first cell")
	}
	var out []corner
	startX, startZ, startDir := x, z, dir
	for i := 0; i <= 4*g.width*g.depth; i++ {
		b := g.beyond(x, z, dir)
		nextX, nextZ, nextDir := x, z, (dir+1)&3
		if b != region {
			c := corner{x: x, z: z, height: int(g.heights[z*g.width+x]), beyond: b}
			if dir == 1 || dir == 2 {
				c.x++
			}
			if dir == 0 || dir == 1 {
				c.z++
			}
			out = appendCorner(out, c)
		} else {
			nextX, nextZ, nextDir = x+directions[dir][0], z+directions[dir][1], (dir+3)&3
		}
		if i > 0 && x == startX && z == startZ && dir == startDir {
			break
		}
		x, z, dir = nextX, nextZ, nextDir
	}
	if last := len(out) - 1; last > 0 && out[last].x == out[0].x && out[last].z == out[0].z {
		out = out[:last]
	}
	return out, g.spend(len(out))
}

// appendCorner appends a corner, or moves the last corner forward along a straight edge with the same neighbour.
func appendCorner(list []corner, c corner) []corner {
	if n := len(list); n > 1 {
		a, b := &list[n-2], &list[n-1]
		if b.beyond == c.beyond && (a.x == b.x && b.x == c.x || a.z == b.z && b.z == c.z) {
			b.x, b.z, b.height = c.x, c.z, c.height
			return list
		}
	}
	return append(list, c)
}

// simplify keeps the corners where the neighbour changes, and as many others as the tolerance asks: Douglas and Peucker's rule.
func (g *grid) simplify(raw []corner, tolerance float32) ([]corner, error) {
	n := len(raw)
	var kept []int
	for i := range raw {
		if raw[i].beyond != raw[(i+1)%n].beyond {
			kept = append(kept, i)
		}
	}
	if len(kept) < 2 {
		low, high := 0, 0
		for i, c := range raw {
			if c.x < raw[low].x || c.x == raw[low].x && c.z < raw[low].z {
				low = i
			}
			if c.x > raw[high].x || c.x == raw[high].x && c.z > raw[high].z {
				high = i
			}
		}
		kept = []int{low, high}
	}
	for i := 0; i < len(kept); {
		from, to := kept[i], kept[(i+1)%len(kept)]
		a, b := raw[from], raw[to]
		// Both regions of a border look at its corners in the same order.
		at, step, end := (from+1)%n, 1, to
		if !(b.x > a.x || b.x == a.x && b.z > a.z) {
			at, step, end = (to+n-1)%n, n-1, from
		}
		far, worst := float32(0), -1
		for ; at != end; at = (at + step) % n {
			if d := segmentDistance2(raw[at], a, b); d > far {
				far, worst = d, at
			}
		}
		if err := g.spend(n + len(kept)); err != nil {
			return nil, err
		}
		if worst < 0 || far <= tolerance*tolerance {
			i++
			continue
		}
		kept = append(kept, 0)
		copy(kept[i+2:], kept[i+1:])
		kept[i+1] = worst
	}
	start := 0
	for i, k := range kept {
		if k < kept[start] {
			start = i
		}
	}
	out := make([]corner, len(kept))
	for i := range out {
		out[i] = raw[kept[(start+i)%len(kept)]]
	}
	return out, nil
}

// segmentDistance2 returns the squared distance of c from the segment from a to b in cells, as Detour computes it.
func segmentDistance2(c, a, b corner) float32 {
	abx, abz := float32(b.x-a.x), float32(b.z-a.z)
	dx, dz := float32(c.x-a.x), float32(c.z-a.z)
	t := float32(abx*dx) + float32(abz*dz)
	if d := float32(abx*abx) + float32(abz*abz); d > 0 {
		t /= d
	}
	t = max(0, min(1, t))
	dx, dz = float32(a.x)+float32(t*abx)-float32(c.x), float32(a.z)+float32(t*abz)-float32(c.z)
	return float32(dx*dx) + float32(dz*dz)
}

// ground returns the highest of the cells around a corner within the climb, and whether the corner lies inside of a straight
// border between layers, beside a single region.
func (g *grid) ground(c corner) (height int, remove bool) {
	portals, count, region, same := uint8(0xf), 0, int32(noNeighbour), true
	for z := c.z - 1; z <= c.z; z++ {
		for x := c.x - 1; x <= c.x; x++ {
			if x < 0 || z < 0 || x >= g.width || z >= g.depth {
				continue
			}
			i := z*g.width + x
			h := int(g.heights[i])
			if d := h - c.height; d > g.climb || d < -g.climb || g.areas[i] == 0 {
				continue
			}
			height = max(height, h)
			portals &= g.sides[i] >> 4
			same = same && (region == noNeighbour || region == g.regions[i])
			region = g.regions[i]
			count++
		}
	}
	single := portals != 0 && portals&(portals-1) == 0
	return height, count > 1 && single && same
}
