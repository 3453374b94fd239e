package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// View is a field of view: a sector ahead of the mover. The zero View sees nothing.
type View struct {
	// Cos is the cosine of half the angle of the sector: -1 sees all around.
	Cos float64
	// Reach is the look-ahead distance in metres, from the mover's centre to the border of what it sees.
	Reach float64
}

// NewView returns the field of view of an angle in radians, up to a full turn, and of a reach in metres.
func NewView(angle, reach float64) View {
	if !(angle < 2*math.Pi) {
		return View{-1, reach}
	}
	_, cos := geom.Sincos(max(angle, 0) / 2)
	return View{cos, reach}
}

// Sees reports whether the border of a disc is within reach, and its centre within the sector. A mover that faces nothing looks
// all around. Walls do not count.
func (v View) Sees(m *Mover, at geom.Vec, radius float64) bool {
	way := level(at.Sub(m.At))
	d := way.Norm()
	if !(d-radius <= v.Reach) || !(v.Reach > 0) {
		return false
	}
	h := m.Heading()
	return h == (geom.Vec{}) || way.Dot(h) >= float64(v.Cos*d)-float64(sliver*d)
}

// sliver is the rounding of a cosine.
const sliver = 1e-12

// Seen appends the mates in view to a list, without the mover itself.
func (v View) Seen(list []Mate, m *Mover, all []Mate) []Mate {
	for i := range all {
		if all[i].ID != m.ID && v.Sees(m, all[i].At, all[i].Radius) {
			list = append(list, all[i])
		}
	}
	return list
}
