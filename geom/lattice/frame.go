package lattice

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Frame places a patch of the lattice in the world: the world coordinates of its point (0, 0) at
// height 0, in lattice units. East is world X, north is world -Z, up is world Y.
type Frame struct{ East, North, Up int64 }

// maxWorld bounds world coordinates, so a float64 still separates lattice units: 2⁴⁰ m.
const maxWorld = 1 << 40

// Snap returns the world lattice coordinates nearest to v, halves rounded up.
// ok is false when v is not finite or farther than 2⁴⁰ m from the origin.
func Snap(v geom.Vec) (east, north, up int64, ok bool) {
	x, y := geom.Ground(v)
	if !(math.Abs(x) < maxWorld && math.Abs(y) < maxWorld && math.Abs(v.Y) < maxWorld) {
		return 0, 0, 0, false
	}
	return round(x), round(y), round(v.Y), true
}

// round returns ⌊x/q + ½⌋. Scaling by a power of two is exact and so is the floor;
// adding a half is exact for every x that a translation by lattice units keeps exact.
func round(x float64) int64 { return int64(math.Floor(x*UnitsPerMetre + 0.5)) }

// FromWorld returns the point of f nearest to v and its height above the frame.
// ok is false when v is not finite or outside of the frame's ±[MaxCoord].
func (f Frame) FromWorld(v geom.Vec) (p Point, height int32, ok bool) {
	e, n, u, ok := Snap(v)
	if !ok {
		return Point{}, 0, false
	}
	e, n, u = e-f.East, n-f.North, u-f.Up
	if !inFrame(e) || !inFrame(n) || !inFrame(u) {
		return Point{}, 0, false
	}
	return Point{int32(e), int32(n)}, int32(u), true
}

// Beneath returns the point of f that is nearest to v seen from above; ok is false when that is not finite or outside of the frame's
// ±[MaxCoord]. The height of v does not matter.
func (f Frame) Beneath(v geom.Vec) (p Point, ok bool) {
	x, y := geom.Ground(v)
	if !(math.Abs(x) < maxWorld && math.Abs(y) < maxWorld) {
		return Point{}, false
	}
	e, n := round(x)-f.East, round(y)-f.North
	if !inFrame(e) || !inFrame(n) {
		return Point{}, false
	}
	return Point{int32(e), int32(n)}, true
}

func inFrame(c int64) bool { return -MaxCoord <= c && c <= MaxCoord }

// ToWorld returns the world position of the point p at the given height. It is exact as long as
// the world coordinates stay below 2⁴⁰ m.
func (f Frame) ToWorld(p Point, height int32) geom.Vec {
	return geom.FromGround(
		float64(f.East+int64(p.X))*Unit,
		float64(f.North+int64(p.Y))*Unit,
		float64(f.Up+int64(height))*Unit,
	)
}

// Local returns v in frame coordinates measured in lattice units, not rounded.
func (f Frame) Local(v geom.Vec) (x, y, height float64) {
	gx, gy := geom.Ground(v)
	return gx*UnitsPerMetre - float64(f.East), gy*UnitsPerMetre - float64(f.North), v.Y*UnitsPerMetre - float64(f.Up)
}

// FromLocal is the inverse of [Frame.Local].
func (f Frame) FromLocal(x, y, height float64) geom.Vec {
	return geom.FromGround((x+float64(f.East))*Unit, (y+float64(f.North))*Unit, (height+float64(f.Up))*Unit)
}
