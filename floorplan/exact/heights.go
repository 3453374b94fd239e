package exact

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// reach is how far from the nearest part of a floor, in units, its height is still known: across a crack of GapReach.
const reach = 256

// heightAt returns the height of a layer's floor at a point, from the triangle whose free part the point
// is in, or else is nearest to it; of several the highest. ok is false where there is none within reach.
func (e *extraction) heightAt(layer int32, p lattice.Point, near []item) (z float64, found []item, ok bool) {
	b := box3{[3]int32{p.X, p.Y, math.MinInt32}, [3]int32{p.X, p.Y, math.MaxInt32}}
	for k := range 2 {
		b.low[k] -= reach
		b.high[k] += reach
	}
	near = e.tree.search(&b, near[:0])
	least := math.Inf(1)
	for i := range near {
		t := near[i].triangle
		if e.layer[t] != layer {
			continue
		}
		d := e.exposed[t].distance(p)
		if d > reach || d > least {
			continue
		}
		v := &e.soup.Triangles[t].V
		plane := planeOf(v)
		h := plane.height(float64(p.X), float64(p.Y))
		if d < least || h > z {
			z, least, ok = h, d, true
		}
	}
	return z, near, ok
}

// distance returns how far p is from the free part, 0 inside.
func (x *exposure) distance(p lattice.Point) float64 {
	crossings := 0
	least := math.Inf(1)
	for _, r := range x.rings {
		switch r.Locate(p) {
		case lattice.OnBoundary:
			return 0
		case lattice.Inside:
			crossings++
		}
	}
	if crossings%2 == 1 {
		return 0
	}
	for _, r := range x.rings {
		for i, a := range r {
			least = min(least, lattice.SegmentDistance2(p, a, r[(i+1)%len(r)]).Sqrt())
		}
	}
	return least
}

// roundedHeight returns the height of a layer's floor at a point in whole units, 0 where it has none.
func (e *extraction) roundedHeight(layer int32, p lattice.Point) int32 {
	if e.patches != nil {
		for i := range e.patches[layer] {
			if z, ok := e.patches[layer][i].height(p); ok {
				return rounded(z)
			}
		}
	}
	z, _, _ := e.heightAt(layer, p, nil)
	return rounded(z)
}

// beside returns the point some units to the left of the middle of a segment.
func beside(a, b lattice.Point, left float64) lattice.Point {
	d := direction(a, b)
	return lattice.Point{
		X: rounded((float64(a.X)+float64(b.X))/2 - float64(left*d.y)),
		Y: rounded((float64(a.Y)+float64(b.Y))/2 + float64(left*d.x)),
	}
}

// within returns a point a few units inside of the corner k of a ring: on the border itself, floors of
// other heights are as near.
func within(ring lattice.Ring, k int) lattice.Point {
	n := len(ring)
	v := ring[k]
	in, out := direction(ring[(k+n-1)%n], v), direction(v, ring[(k+1)%n])
	x, y := -in.y-out.y, in.x+out.x
	length := math.Sqrt(float64(x*x) + float64(y*y))
	if length == 0 {
		return v
	}
	return lattice.Point{X: rounded(float64(v.X) + float64(outward*x)/length), Y: rounded(float64(v.Y) + float64(outward*y)/length)}
}

func direction(a, b lattice.Point) point3 {
	dx, dy := b.Sub(a)
	x, y := float64(dx), float64(dy)
	length := math.Sqrt(float64(x*x) + float64(y*y))
	if length == 0 {
		return point3{}
	}
	return point3{x / length, y / length, 0}
}
