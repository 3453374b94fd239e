package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

const (
	slotsEast  = 75.0
	slotsNorth = 49.0
	slotPitch  = 5.0 // of stations to the east
	slotRow    = 7.0 // of kinds of stations to the north
	slotWidth  = 2.0
	slotCorner = 1.5  // of the plates of a station with a corner
	slotTurned = 1.75 // of the plates of a station that is turned
	slotHeight = 3.0  // over the ground
)

// slotGaps are the widths of the gaps in centimetres, from west to east. Agents of height 1.8 and climb 0.4 step over 20 cm by
// default, and those of height 2, climb 0.9 and a radius of 0.3 or 0.6 over 30 and 45 cm: some gap is 2 cm to either side of
// each limit.
var slotGaps = [15]float64{1, 2, 3, 4, 6, 8, 11, 15, 18, 22, 28, 32, 43, 47, 60}

// slotGap returns the width of gap i in metres, on the lattice.
func slotGap(i int) float64 { return snap(slotGaps[i] / 100) }

// slotPiece is a plate of a station: its length to the north and its height over the first plate, in metres.
type slotPiece struct{ length, rise float64 }

// slotStation describes the plates before and behind a gap, from south to north. A station with a corner is a square plate, and
// a plate in the shape of an L to the north and east of the square.
type slotStation struct {
	name         string
	near, beyond []slotPiece
	width        float64
	turn         pt // cosine and sine of the direction of its east, from east
	corner       bool
}

var slotStations = []slotStation{
	{"slabs", []slotPiece{{2, 0}}, []slotPiece{{2, 0}}, slotWidth, pt{1, 0}, false},
	{"step", []slotPiece{{2, 0}}, []slotPiece{{2, 0.25}}, slotWidth, pt{1, 0}, false},
	{
		"stairs",
		[]slotPiece{{1.5, 0}, {0.3125, 0.1875}, {0.3125, 0.375}, {0.3125, 0.5625}, {0.3125, 0.75}},
		[]slotPiece{{2, 0.9375}},
		slotWidth,
		pt{1, 0},
		false,
	},
	{"sill", []slotPiece{{2, 0}, {0.25, 0.125}}, []slotPiece{{2, 0}}, slotWidth, pt{1, 0}, false},
	{"corner", []slotPiece{{slotCorner, 0}}, []slotPiece{{slotCorner, 0}}, slotCorner, pt{1, 0}, true},
	{"turned by 30°", []slotPiece{{slotTurned, 0}}, []slotPiece{{slotTurned, 0.25}}, slotTurned, pt{math.Sqrt(0.75), 0.5}, false},
	{"turned by 45°", []slotPiece{{slotTurned, 0}}, []slotPiece{{slotTurned, -0.25}}, slotTurned, pt{math.Sqrt(0.5), math.Sqrt(0.5)}, false},
}

// site returns the place of the station for gap i of row j: the origin is the south-west corner of its first plate.
func (s *slotStation) site(i, j int) site {
	at := pt{slotPitch*float64(i) + 1, slotRow*float64(j) + 1}
	if s.turn.y != 0 {
		at.x += 2.25
	}
	return site{at: at, cos: s.turn.x, sin: s.turn.y}
}

// slotLength is the length of pieces together.
func slotLength(pieces []slotPiece) float64 {
	sum := 0.0
	for _, p := range pieces {
		sum += p.length
	}
	return sum
}

// slotAside is how far posts of a station stand from the middle of their plates, away from the gap.
func slotAside(turn pt) float64 {
	if turn.y != 0 {
		return 0.375
	}
	return 0
}

// makeSlots builds plates 3 m over the ground on posts, with a gap between every two.
//
// Known beforehand with the agent's radius r below 0.75 m and gaps more than a millimetre from the agent's: the ground is a
// component. Where the agent steps over the gap, a station is one component, a rectangle whose length includes the gap; else
// each side is a component: two rectangles, or a square and an L. Stations are 0.8 m apart. From 1 m before the gap of level
// slabs to 1 m beyond the way is straight, as it is over turned gaps and over the corner of an L. Layers: the plates lie
// over the ground, 2.
func makeSlots(b *builder, _ Options, _ *rand.Rand) {
	b.object("ground")
	b.box(0, 0, -0.25, slotsEast, slotsNorth, 0, skin{"paving", "dirt"})
	for j := range slotStations {
		station := &slotStations[j]
		for i := range slotGaps {
			at, y := station.site(i, j), 0.0
			post := func(x, y, rise float64) {
				b.object("post")
				at.stack(b, x-0.25, y-0.25, 0, x+0.25, y+0.25, slotHeight+rise-0.25, plain("metal"))
			}
			// Posts are 1.5 m apart at least.
			plates := func(pieces []slotPiece, aside float64) {
				post(station.width/2, y+aside, pieces[0].rise)
				b.object(station.name)
				for _, p := range pieces {
					top := slotHeight + p.rise
					at.box(b, 0, y, top-0.25, station.width, y+p.length, top, skin{"concrete_steps", "concrete"})
					y += p.length
				}
			}
			plates(station.near, station.width/2-slotAside(station.turn))
			y += slotGap(i)
			if !station.corner {
				plates(station.beyond, station.width/2+slotAside(station.turn))
				continue
			}
			side := y + slotCorner
			post(side-0.5, side-0.5, 0)
			b.object(station.name)
			b.prism([]pt{
				at.place(y, 0), at.place(side, 0), at.place(side, side), at.place(0, side), at.place(0, y), at.place(y, y),
			}, slotHeight-0.25, slotHeight, skin{"concrete_steps", "concrete"})
		}
	}
}

// slotsFloor is the truth of slots.
func slotsFloor(r, gap float64) (Floor, bool) {
	known := r >= 0 && r < slotCorner/2 && gap >= 0 && gap < 0.8
	ground := rectangle(slotsEast, slotsNorth).plus(block(0.5, 0.5).times(2 * len(slotGaps) * len(slotStations)))
	f := Floor{Components: 1}
	var plates shape
	for j := range slotStations {
		station := &slotStations[j]
		near, beyond := slotLength(station.near), slotLength(station.beyond)
		for i := range slotGaps {
			width := slotGap(i)
			known = known && math.Abs(width-gap) > 1e-3
			all := near + width + beyond
			f.Components++
			switch {
			case width <= gap && station.corner:
				plates = plates.plus(rectangle(all, all))
			case width <= gap:
				plates = plates.plus(rectangle(all, station.width))
			default:
				f.Components++
				plates = plates.plus(rectangle(near, station.width))
				if station.corner {
					// A square of all less the square of near and the gap: five convex corners and a reflex corner.
					plates = plates.plus(shape{all*all - (near+width)*(near+width), 4 * all, 5, math.Pi / 2})
				} else {
					plates = plates.plus(rectangle(beyond, station.width))
				}
			}
			if width <= gap {
				f.Routes = append(f.Routes, station.routes(i, j, r)...)
			}
		}
	}
	f.Storeys = []Storey{ground.storey(0, r), plates.storey(slotHeight-0.25, r)}
	return f, known
}

// routes returns the straight ways over the gap of a station that the floor leaves for all radii that are known.
func (s *slotStation) routes(i, j int, r float64) []Route {
	at, width := s.site(i, j), slotGap(i)
	way := func(name string, x0, y0, x1, y1, rise float64) Route {
		a, b := at.place(x0, y0), at.place(x1, y1)
		a, b = pt{snap(a.x), snap(a.y)}, pt{snap(b.x), snap(b.y)}
		return Route{
			Name: name, Radius: r, Start: geom.FromGround(a.x, a.y, slotHeight), Goal: geom.FromGround(b.x, b.y, slotHeight+rise),
			Length: math.Hypot(b.x-a.x, b.y-a.y),
		}
	}
	switch {
	case s.corner:
		in, out := slotCorner/2, slotCorner*3/2+width
		return []Route{way("over a corner", in, in, out, out, 0)}
	case s.turn.y != 0:
		in := slotTurned / 2
		return []Route{way("over a turned gap", in, in, in, 3*in+width, s.beyond[0].rise)}
	case s.name == "slabs":
		return []Route{way("over a gap", slotWidth/2, 1, slotWidth/2, 3+width, 0)}
	}
	return nil
}
