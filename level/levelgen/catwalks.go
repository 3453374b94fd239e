package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

const (
	catwalkRise = 2.5
	catwalkSlab = 0.125
)

// catwalkAngles are the cosines and sines of the angles at which two catwalks of a height cross, by
// height in turn. Pythagorean pairs are the same on every machine.
var catwalkAngles = []pt{{3.0 / 5, 4.0 / 5}, {0, 1}, {12.0 / 13, 5.0 / 13}, {4.0 / 5, 3.0 / 5}, {5.0 / 13, 12.0 / 13}, {-3.0 / 5, 4.0 / 5}}

// catwalk returns the widths of the two catwalks of height k and the angle between them.
func catwalk(k int) (w1, w2 float64, angle pt) {
	return 1.5 + 0.25*float64(k%3), 1.5 + 0.25*float64((k+1)%2), catwalkAngles[k%len(catwalkAngles)]
}

// makeCatwalks builds a square of ground and over it, every 2.5 m, two catwalks that cross at the same
// height: one catwalk is 2 m shorter than the side of the square, the other half as long. Lots turn each pair
// and move its crossing, but for the lowest pair, whose long catwalk leads east over the middle.
//
// Known beforehand with the agent's radius r below 0.7 m: the ground and every pair are a component each. The
// area of a pair is the sum of both catwalks less their shared parallelogram of w₁·w₂/sin φ, for an angle of φ.
// The four corners between the arms turn by 2π together. Bridges over gaps of up to 1 m fill the tips of the two acute
// corners (see notch). From S, 5 m to the west of the lowest crossing, to G, 5 m along the other catwalk, the string bends at
// the corner V between them, which is not acute: a tangent from S, r times the turn, a tangent to G.
// Layers: ground and all pairs.
func makeCatwalks(b *builder, opt Options, r *rand.Rand) {
	half := snap(opt.Size / 2)
	b.object("ground")
	b.box(-half, -half, -0.25, half, half, 0, skin{"paving", "dirt"})
	long := opt.Size - 2
	deck := skin{"metal", "metal"}
	for k := range opt.Storeys {
		w1, w2, angle := catwalk(k)
		main := site{cos: 1}
		crossing := 0.0
		if k > 0 {
			turn := catwalkAngles[r.IntN(len(catwalkAngles))]
			main = site{cos: turn.x, sin: turn.y, mirror: r.IntN(2) == 0}
			crossing = long * (r.Float64() - 0.5) / 3
		}
		cross := site{
			at:  main.place(crossing, 0),
			cos: float64(main.cos*angle.x) - float64(main.sin*angle.y),
			sin: float64(main.sin*angle.x) + float64(main.cos*angle.y),
		}
		h := catwalkRise * float64(k+1)
		b.object("long catwalk")
		main.box(b, -long/2, -w1/2, h-catwalkSlab, long/2, w1/2, h, deck)
		b.object("short catwalk")
		cross.box(b, -long/4, -w2/2, h-catwalkSlab, long/4, w2/2, h, deck)
	}
}

// notch is the difference made by a gap in a corner between two outward borders. For an acute angle the normals of either border
// meet the other one: a right triangle each, as far as the other side is as long as the gap. The two triangles overlap in a kite.
// The border turns as far as before.
func notch(angle pt, gap float64) shape {
	if angle.x <= 0 {
		return shape{}
	}
	along := gap * angle.x / angle.y        // of a border, to the last normal
	half := along * angle.y / (1 + angle.x) // of the last normal, to where the other one crosses it
	return shape{area: along*gap - along*half, border: 2*(gap-half) - 2*gap/angle.y}
}

// catwalksFloor is the truth of the default catwalks.
func catwalksFloor(r, gap float64) (Floor, bool) {
	const size, storeys = 32.0, 6
	f := Floor{Components: 1 + storeys, Storeys: []Storey{rectangle(size, size).storey(0, r)}}
	for k := range storeys {
		w1, w2, angle := catwalk(k)
		pair := rectangle(size-2, w1).plus(rectangle(size/2-1, w2))
		pair = pair.plus(shape{-w1 * w2 / angle.y, -2 * (w1 + w2) / angle.y, 0, 2 * math.Pi})
		pair = pair.plus(notch(pt{math.Abs(angle.x), angle.y}, gap).times(2))
		f.Storeys = append(f.Storeys, pair.storey(catwalkRise*float64(k+1), r))
	}
	w1, w2, angle := catwalk(0)
	s, g := pt{-5, 0}, pt{5 * angle.x, 5 * angle.y}
	v := catwalkCorner(w1, w2, angle)
	to, from := math.Hypot(v.x-s.x, v.y-s.y), math.Hypot(g.x-v.x, g.y-v.y)
	turn := math.Atan2(g.y-v.y, g.x-v.x) + math.Asin(r/from) - math.Atan2(v.y-s.y, v.x-s.x) + math.Asin(r/to)
	f.Routes = []Route{{
		Name: "around a corner", Radius: r, Start: geom.FromGround(s.x, s.y, catwalkRise), Goal: geom.FromGround(g.x, g.y, catwalkRise),
		Length: math.Sqrt(to*to-r*r) + r*turn + math.Sqrt(from*from-r*r), Turn: turn,
	}}
	return f, r >= 0 && r < 0.7 && gap >= 0 && gap < 1
}

// catwalkCorner returns the corner between the western arm of the long catwalk and the short catwalk's northern
// arm: w1/2 north of the first axis and w2/2 to the left of the second.
func catwalkCorner(w1, w2 float64, angle pt) pt {
	return pt{(angle.x*w1/2 - w2/2) / angle.y, w1 / 2}
}
