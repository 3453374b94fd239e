package crowd

import "math"

// plane is a point or vector of the ground plane, in metres or metres a second: world x and z. All products are rounded
// before they are added, and machines with fused operations get the same bits.
type plane struct{ x, z float64 }

func (a plane) add(b plane) plane     { return plane{a.x + b.x, a.z + b.z} }
func (a plane) sub(b plane) plane     { return plane{a.x - b.x, a.z - b.z} }
func (a plane) scale(f float64) plane { return plane{float64(a.x * f), float64(a.z * f)} }
func (a plane) dot(b plane) float64   { return float64(a.x*b.x) + float64(a.z*b.z) }
func (a plane) det(b plane) float64   { return float64(a.x*b.z) - float64(a.z*b.x) }
func (a plane) norm2() float64        { return float64(a.x*a.x) + float64(a.z*a.z) }
func (a plane) norm() float64         { return math.Sqrt(a.norm2()) }

// unit returns the unit vector along a, and the length of a; the zero vector has no direction and stays.
func (a plane) unit() (plane, float64) {
	l := a.norm()
	if l == 0 {
		return a, 0
	}
	return plane{a.x / l, a.z / l}, l
}

// turned returns a after a turn to the right, by the cosine and sine of the turn.
func (a plane) turned(by plane) plane {
	return plane{float64(a.x*by.x) - float64(a.z*by.z), float64(a.x*by.z) + float64(a.z*by.x)}
}

// upTo returns a, shortened to a length where it is longer.
func (a plane) upTo(length float64) plane {
	if n2 := a.norm2(); n2 > length*length {
		return a.scale(length / math.Sqrt(n2))
	}
	return a
}
