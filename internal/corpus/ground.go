package corpus

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Ground finds the ground of a level by brute force: the ground of the highest triangle that looks up. It ignores
// painted patches.
type Ground struct {
	lvl   *level.Level
	pitch float64
	cells map[[2]int][]int32
}

// NewGround prepares a level with a Ground.
func NewGround(lvl *level.Level) *Ground {
	o := &Ground{lvl: lvl, pitch: 4, cells: map[[2]int][]int32{}}
	for i, t := range lvl.Triangles {
		b := geom.EmptyBox().Extend(lvl.Vertices[t.A]).Extend(lvl.Vertices[t.B]).Extend(lvl.Vertices[t.C])
		for x := math.Floor(b.Min.X / o.pitch); x <= math.Floor(b.Max.X/o.pitch); x++ {
			for z := math.Floor(b.Min.Z / o.pitch); z <= math.Floor(b.Max.Z/o.pitch); z++ {
				k := [2]int{int(x), int(z)}
				o.cells[k] = append(o.cells[k], int32(i))
			}
		}
	}
	return o
}

// At returns the area of the highest triangle at a place that is not higher than most and not lower than least; ok is
// false where there is none, or where another area is as high within two millimetres and a half.
func (o *Ground) At(x, z, least, most float64) (area uint8, ok bool) {
	best := math.Inf(-1)
	var heights [256]float64 // plus 1e6
	for _, i := range o.cells[[2]int{int(math.Floor(x / o.pitch)), int(math.Floor(z / o.pitch))}] {
		t := o.lvl.Triangles[i]
		a, b, c := o.lvl.Vertices[t.A], o.lvl.Vertices[t.B], o.lvl.Vertices[t.C]
		side := func(p, q geom.Vec) float64 { return (q.X-p.X)*(z-p.Z) - (q.Z-p.Z)*(x-p.X) }
		// Seen from above, along -Y, a counter-clockwise triangle turns the other way in X and Z.
		u, v, w := -side(b, c), -side(c, a), -side(a, b)
		if u < 0 || v < 0 || w < 0 || u+v+w <= 0 {
			continue
		}
		h := (u*a.Y + v*b.Y + w*c.Y) / (u + v + w)
		if h < least || h > most {
			continue
		}
		n := o.lvl.Ground.Of(int(i))
		heights[n] = math.Max(heights[n], h+1e6)
		if h > best {
			best, area, ok = h, n, true
		}
	}
	for n, h := range heights {
		ok = ok && (n == int(area) || h < best+1e6-0.0025)
	}
	return area, ok
}

// Sure is At where all places as far as the tolerance have the same area.
func (o *Ground) Sure(x, z, least, most, tolerance float64) (area uint8, ok bool) {
	area, ok = o.At(x, z, least, most)
	for k := range 16 {
		s, c := math.Sincos(math.Pi * float64(k) / 8)
		a, in := o.At(x+tolerance*c, z+tolerance*s, least, most)
		ok = ok && in && a == area
	}
	return area, ok
}
