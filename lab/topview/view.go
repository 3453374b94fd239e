package topview

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// view is the map: pixel (x, y) has its centre at ((x - margin) cell + cell/2, …).
type view struct {
	cell       int32
	wide, high int32
	frame      lattice.Frame
	pixels     []pixel
	part       []int32 // by pixel: the part of the floor, none for obstacles
	range8     int32   // lattice units of the 8 bits of depth
	step       int64   // lattice units
	height     int32   // of the agent, lattice units
	cosine     float64 // of the largest angle between neighbouring normals
}

// none is the part of an obstacle.
const none = -1

// pixel is a fragment: the normal and the depth in 8 bits each, and the exact height in lattice units.
type pixel struct {
	normal [3]int8
	depth  uint8
	seen   bool
	z      int32
}

// at returns the centre of pixel i.
func (v *view) at(i int32) lattice.Point {
	return lattice.Point{X: (i%v.wide-margin)*v.cell + v.cell/2, Y: (i/v.wide-margin)*v.cell + v.cell/2}
}

// look renders the level from above.
func look(ctx context.Context, s *soup.Soup, agent geom.Agent, size float64) (*view, error) {
	v, err := newView(s, agent, size)
	if err != nil {
		return nil, err
	}
	for i := range s.Triangles {
		if err := v.render(ctx, &s.Triangles[i].V); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// render draws a triangle. Upright triangles have no fragment, as on a graphics card.
func (v *view) render(ctx context.Context, t *[3]lattice.Vertex) error {
	area := lattice.Orient(t[0].Point, t[1].Point, t[2].Point)
	if area == 0 {
		return ctx.Err()
	}
	normal := quantized(t)
	low, high := min(t[0].Y, t[1].Y, t[2].Y), max(t[0].Y, t[1].Y, t[2].Y)
	half := v.cell / 2
	for y := max(0, ceilDiv(int64(low-half), int64(v.cell))); y <= floorDiv(int64(high-half), int64(v.cell)); y++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		level := y*int64(v.cell) + int64(half)
		from, to := int64(math.MaxInt64), int64(math.MinInt64)
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			if a.Y > b.Y {
				a, b = b, a
			}
			if level < int64(a.Y) || level > int64(b.Y) {
				continue
			}
			ends := [2][2]int64{{int64(a.X), 1}, {int64(b.X), 1}}
			if a.Y != b.Y {
				dy := int64(b.Y) - int64(a.Y)
				cut := [2]int64{int64(a.X)*dy + (int64(b.X)-int64(a.X))*(level-int64(a.Y)), dy}
				ends = [2][2]int64{cut, cut}
			}
			for _, e := range ends {
				from, to = min(from, ceilDiv(e[0], e[1])), max(to, floorDiv(e[0], e[1]))
			}
		}
		for x := ceilDiv(from-int64(half), int64(v.cell)); x <= floorDiv(to-int64(half), int64(v.cell)); x++ {
			q := lattice.Point{X: int32(x)*v.cell + half, Y: int32(level)}
			v.fragment(q, heightAt(t, q, area), normal)
		}
	}
	return nil
}

// fragment passes the depth test: the higher one stays, of equals the first.
func (v *view) fragment(q lattice.Point, z int32, normal [3]int8) {
	p := &v.pixels[(q.Y/v.cell+margin)*v.wide+q.X/v.cell+margin]
	if p.seen && p.z >= z {
		return
	}
	*p = pixel{normal: normal, seen: true, z: z, depth: uint8((int64(z)*255 + int64(v.range8)/2) / int64(v.range8))}
}

// heightAt is the height of a triangle's plane, rounded.
func heightAt(t *[3]lattice.Vertex, q lattice.Point, area int64) int32 {
	z := 0.0
	for k := range t {
		w := float64(lattice.Orient(t[(k+1)%3].Point, t[(k+2)%3].Point, q)) / float64(area)
		z += float64(w * float64(t[k].Z))
	}
	return int32(math.Floor(z + 0.5))
}

// quantized is the unit normal of a triangle in 8 bits a component.
func quantized(t *[3]lattice.Vertex) (out [3]int8) {
	n := soup.Normal(*t)
	sum := 0.0
	for _, c := range n {
		sum += float64(float64(c) * float64(c))
	}
	length := math.Sqrt(sum)
	for k := range n {
		out[k] = int8(math.Floor(float64(127*(float64(n[k])/length)) + 0.5))
	}
	return out
}

// similar reports whether the agent can overcome the angle between two fragments, and the difference of their depths.
func (v *view) similar(a, b *pixel) bool {
	if !a.seen || !b.seen {
		return false
	}
	rise := int64(a.depth) - int64(b.depth)
	if max(rise, -rise)*int64(v.range8) > 255*v.step {
		return false
	}
	var dot, aa, bb float64
	for k := range a.normal {
		x, y := float64(a.normal[k]), float64(b.normal[k])
		dot, aa, bb = dot+float64(x*y), aa+float64(x*x), bb+float64(y*y)
	}
	return dot >= float64(v.cosine*math.Sqrt(float64(aa*bb)))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
