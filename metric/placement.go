package metric

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Placement is metric 8, the distribution of object placement (section 6.8): the number of discs, or squares, of
// Options.ObjectRadius that a tight grid puts into every region, a lower bound of the possible number. The grid begins
// in the south-west corner of the region's box. The value is the mean; more are better.
type Placement struct {
	Value  Number `json:"value"`
	Radius Number `json:"radius_m"`
	// Object is "disc", or "square" with Options.SquareObjects.
	Object string `json:"object"`
	// None is the number of regions without a single object.
	None         int          `json:"none"`
	Distribution Distribution `json:"distribution"`
	// Histogram counts the regions with 0, 1, 2 … objects; the last of Options.Categories groups takes all larger
	// numbers.
	Histogram []int `json:"histogram"`
}

func (v *view) placement(opt *Options) Placement {
	counts := v.placed(opt)
	p := Placement{Radius: Number(opt.ObjectRadius), Object: "disc"}
	if opt.SquareObjects {
		p.Object = "square"
	}
	for _, n := range counts {
		if n == 0 {
			p.None++
		}
	}
	p.Distribution = describe(floats(counts))
	p.Value = p.Distribution.Mean
	p.Histogram = tally(counts, opt.Categories)
	return p
}

// placed are the numbers of objects in all regions.
func (v *view) placed(opt *Options) []int {
	radius := toUnits(opt.ObjectRadius)
	counts := make([]int, len(v.rings))
	for i, ring := range v.rings {
		counts[i] = objects(ring, radius, opt.SquareObjects)
	}
	return counts
}

// objects counts the centres of the grid whose disc, or square with its sides along the axes, is inside a convex
// counter-clockwise ring. A row of centres meets the inset ring in an interval; its ends are estimated and then
// corrected by the exact test. Time O(rows · corners).
func objects(ring []lattice.Vertex, radius int64, square bool) int {
	if len(ring) < 3 {
		return 0
	}
	box := lattice.EmptyBox()
	for _, c := range ring {
		box = box.Extend(c.Point)
	}
	width, height := box.Size()
	step := 2 * radius
	count := int64(0)
	for j := range height / step {
		y := int64(box.Min.Y) + radius + j*step
		x0 := int64(box.Min.X) + radius
		center := func(i int64) lattice.Point { return lattice.Point{X: int32(x0 + i*step), Y: int32(y)} }
		low, high := row(ring, radius, y, square)
		first := max(int64(math.Ceil((low-float64(x0))/float64(step)))-1, 0)
		last := min(int64(math.Floor((high-float64(x0))/float64(step)))+1, width/step-1)
		for first <= last && !hasRoom(ring, radius, center(first), square) {
			first++
		}
		for first <= last && !hasRoom(ring, radius, center(last), square) {
			last--
		}
		count += max(last-first+1, 0)
	}
	return int(count)
}

// row returns the interval of x in which, at the height y, objects are left of all sides of the ring; low is above high
// for an empty interval.
func row(ring []lattice.Vertex, radius, y int64, square bool) (low, high float64) {
	const far = 4 * lattice.MaxCoord
	low, high = -far, far
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		dx, dy := b.Sub(a.Point)
		// Points (x, y) with dx·(y-a.Y) - dy·(x-a.X) = inset form the side moved inwards: by the radius, or for a
		// square until its nearest corner touches.
		inset := float64(radius) * a.Distance(b.Point)
		if square {
			inset = float64(radius * (abs(dx) + abs(dy)))
		}
		free := float64(float64(dx)*float64(y-int64(a.Y))) - inset
		switch {
		case dy > 0:
			high = min(high, float64(a.X)+free/float64(dy))
		case dy < 0:
			low = max(low, float64(a.X)+free/float64(dy))
		}
	}
	return max(low, -far), min(high, far)
}

// hasRoom reports whether the object around p is inside the ring: p is left of every side, by the radius or more.
// Products stay below 2⁶³, since twice the radius is at most an extent of the ring.
func hasRoom(ring []lattice.Vertex, radius int64, p lattice.Point, square bool) bool {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		o := lattice.Orient(a.Point, b.Point, p)
		if square {
			dx, dy := b.Sub(a.Point)
			if o < radius*(abs(dx)+abs(dy)) {
				return false
			}
			continue
		}
		if o <= 0 || lattice.LineDistance2(p, a.Point, b.Point).CompareInt(uint64(radius*radius)) < 0 {
			return false
		}
	}
	return true
}

func abs(n int64) int64 { return max(n, -n) }
