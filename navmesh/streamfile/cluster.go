package streamfile

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/navmesh"
)

// Source: own. A greedy clustering of the region graph, as levels of hierarchical path searches use.
//
// Idea: regions wait in the order of a space-filling curve. The first free region becomes a seed, and the regions nearest to
// the seed by way of portals join it until the tile is full. Small clusters, left between full ones, then join the neighbour
// with which they share most portals.
//
// Guarantees: every region is in one tile; a tile has at most 4/3 of the wanted number of regions; only islands, which have no
// portal into another tile, share a tile with regions that no portal joins them to (TestClusters).
//
// Degenerate cases: islands of few regions are gathered along the curve.
//
// Cost: O(n log n) for n regions and portals.

// cluster returns the tile of every region, and the number of tiles, for tiles of about size regions.
func cluster(t *navmesh.Tile, size int) (tile []int32, tiles int) {
	c := clusterer{t: t, size: size, tile: make([]int32, len(t.Regions)), centers: make([][2]float64, len(t.Regions))}
	for i := range t.Regions {
		c.tile[i] = free
		c.centers[i] = center(t, i)
	}
	c.order()
	c.grow()
	c.mergeSmall()
	c.gatherIslands()
	return c.renumber()
}

const free = -1

// clusterer divides the regions of a tile of package navmesh.
type clusterer struct {
	t       *navmesh.Tile
	size    int
	curve   []int32      // regions along the curve
	tile    []int32      // of every region
	sizes   []int        // of every cluster
	centers [][2]float64 // of every region
}

func center(t *navmesh.Tile, region int) (c [2]float64) {
	corners := t.RegionCorners(region)
	for _, v := range corners {
		c[0] += float64(t.Vertices[v].X)
		c[1] += float64(t.Vertices[v].Y)
	}
	return [2]float64{c[0] / float64(len(corners)), c[1] / float64(len(corners))}
}

// order lists the regions along the Z-order curve of their centers.
func (c *clusterer) order() {
	keys := make([]uint64, len(c.centers))
	for i, p := range c.centers {
		keys[i] = lattice.Interleave(uint32(int64(p[0])+1<<31), uint32(int64(p[1])+1<<31))
		c.curve = append(c.curve, int32(i))
	}
	slices.SortFunc(c.curve, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
}

// grow makes clusters of at most size regions.
func (c *clusterer) grow() {
	var queue pq.Heap
	for _, seed := range c.curve {
		if c.tile[seed] != free {
			continue
		}
		number := int32(len(c.sizes))
		n := 0
		queue.Reset()
		queue.Push(0, seed)
		for queue.Len() > 0 && n < c.size {
			next := queue.Pop()
			if c.tile[next.ID] != free {
				continue
			}
			c.tile[next.ID] = number
			n++
			for _, p := range c.t.RegionPortals(int(next.ID)) {
				if c.tile[p.To] == free {
					a, b := c.centers[next.ID], c.centers[p.To]
					queue.Push(next.Key+math.Hypot(b[0]-a[0], b[1]-a[1]), int32(p.To))
				}
			}
		}
		c.sizes = append(c.sizes, n)
	}
}

// mergeSmall joins clusters below a third of the size to neighbours.
func (c *clusterer) mergeSmall() {
	members := make([][]int32, len(c.sizes))
	for _, r := range c.curve {
		members[c.tile[r]] = append(members[c.tile[r]], r)
	}
	shared := map[int32]int{}
	for small := range c.sizes {
		if 3*c.sizes[small] >= c.size {
			continue
		}
		clear(shared)
		for _, r := range members[small] {
			for _, p := range c.t.RegionPortals(int(r)) {
				if to := c.tile[p.To]; to != int32(small) {
					shared[to]++
				}
			}
		}
		best := int32(free)
		for to, n := range shared {
			fits := 3*(c.sizes[to]+c.sizes[small]) <= 4*c.size
			if fits && (best == free || n > shared[best] || n == shared[best] && to < best) {
				best = to
			}
		}
		if best != free {
			for _, r := range members[small] {
				c.tile[r] = best
			}
			members[best] = append(members[best], members[small]...)
			c.sizes[best] += c.sizes[small]
			members[small], c.sizes[small] = nil, 0
		}
	}
}

// gatherIslands joins clusters that have no portal into another cluster, along the curve, while they fit.
func (c *clusterer) gatherIslands() {
	coast := make([]bool, len(c.sizes)) // clusters with a neighbour
	for i := range c.t.Regions {
		for _, p := range c.t.RegionPortals(i) {
			if c.tile[p.To] != c.tile[i] {
				coast[c.tile[i]] = true
			}
		}
	}
	into := make([]int32, len(c.sizes))
	for i := range into {
		into[i] = int32(i)
	}
	last := int32(free)
	for _, r := range c.curve {
		k := c.tile[r]
		if coast[k] || into[k] != k || k == last {
			continue
		}
		if last != free && c.sizes[last]+c.sizes[k] <= c.size {
			into[k] = last
			c.sizes[last] += c.sizes[k]
			continue
		}
		last = k
	}
	for i := range c.tile {
		c.tile[i] = into[c.tile[i]]
	}
}

// renumber numbers the clusters along the curve.
func (c *clusterer) renumber() (tile []int32, tiles int) {
	numbers := make([]int32, len(c.sizes))
	for i := range numbers {
		numbers[i] = free
	}
	for _, r := range c.curve {
		if k := c.tile[r]; numbers[k] == free {
			numbers[k] = int32(tiles)
			tiles++
		}
	}
	for i := range c.tile {
		c.tile[i] = numbers[c.tile[i]]
	}
	return c.tile, tiles
}

// boxOf returns the bounds of a region and of the heights of its corners.
func boxOf(t *navmesh.Tile, region int) (box lattice.Box, low, high int32) {
	box, low, high = lattice.EmptyBox(), math.MaxInt32, math.MinInt32
	for _, v := range t.RegionCorners(region) {
		at := t.Vertices[v]
		box, low, high = box.Extend(at.Point), min(low, at.Z), max(high, at.Z)
	}
	return box, low, high
}
