package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

const (
	slotsEast  = 56.0
	slotsNorth = 28.0
	slotPitch  = 4.0 // of stations to the east
	slotRow    = 7.0 // of kinds of stations to the north
	slotWidth  = 2.0
	slotHeight = 3.0 // over the ground
)

// slotGaps are the widths of the gaps in centimetres, from west to east.
var slotGaps = [14]float64{1, 2, 3, 4, 6, 8, 11, 15, 18, 22, 28, 35, 48, 60}

// slotGap returns the width of gap i in metres, on the lattice.
func slotGap(i int) float64 { return snap(slotGaps[i] / 100) }

// slotPiece is a plate of a station: its length to the north and its height over the first one, in metres.
type slotPiece struct{ length, rise float64 }

// slotStations lists what lies before and behind the gap of a station, from south to north: slabs of one
// height, slabs with a step between them, a flight of four treads before a landing, a sill.
var slotStations = []struct {
	name         string
	near, beyond []slotPiece
}{
	{"slabs", []slotPiece{{2, 0}}, []slotPiece{{2, 0}}},
	{"step", []slotPiece{{2, 0}}, []slotPiece{{2, 0.25}}},
	{"stairs", []slotPiece{{1.5, 0}, {0.3125, 0.1875}, {0.3125, 0.375}, {0.3125, 0.5625}, {0.3125, 0.75}}, []slotPiece{{2, 0.9375}}},
	{"sill", []slotPiece{{2, 0}, {0.25, 0.125}}, []slotPiece{{2, 0}}},
}

// makeSlots builds plates 2 m wide, 3 m over the ground on posts, with a gap between every two.
//
// Known beforehand with the agent's radius r below 0.75 m and gaps more than a millimetre from the agent's: the
// ground is a component. A station is a component where its gap is stepped over, and then a rectangle whose
// length includes the gap; else its two sides are a component and a rectangle each. From 1 m before the gap
// of slabs to 1 m beyond the way is straight.
// Layers: the plates lie over the ground, 2.
func makeSlots(b *builder, _ Options, _ *rand.Rand) {
	b.object("ground")
	b.box(0, 0, -0.25, slotsEast, slotsNorth, 0, skin{"paving", "dirt"})
	for j, station := range slotStations {
		for i := range slotGaps {
			x, y := slotPitch*float64(i)+1, slotRow*float64(j)+1
			for side, pieces := range [][]slotPiece{station.near, station.beyond} {
				if side == 1 {
					y += slotGap(i)
				}
				b.object("post")
				site{cos: 1}.stack(b, x+0.75, y+0.75, 0, x+1.25, y+1.25, slotHeight+pieces[0].rise-0.25, plain("metal"))
				b.object(station.name)
				for _, p := range pieces {
					top := slotHeight + p.rise
					b.box(x, y, top-0.25, x+slotWidth, y+p.length, top, skin{"concrete_steps", "concrete"})
					y += p.length
				}
			}
		}
	}
}

// slotsFloor is the truth of slots.
func slotsFloor(r, gap float64) (Floor, bool) {
	known := r >= 0 && r < 0.75
	ground := rectangle(slotsEast, slotsNorth).plus(block(0.5, 0.5).times(2 * len(slotGaps) * len(slotStations)))
	f := Floor{Components: 1}
	var plates shape
	for j, station := range slotStations {
		near, beyond := 0.0, 0.0
		for _, p := range station.near {
			near += p.length
		}
		for _, p := range station.beyond {
			beyond += p.length
		}
		for i := range slotGaps {
			width := slotGap(i)
			known = known && math.Abs(width-gap) > 1e-3
			if width > gap {
				f.Components += 2
				plates = plates.plus(rectangle(near, slotWidth)).plus(rectangle(beyond, slotWidth))
				continue
			}
			f.Components++
			plates = plates.plus(rectangle(near+width+beyond, slotWidth))
			if station.name != "slabs" {
				continue
			}
			x, y := slotPitch*float64(i)+2, slotRow*float64(j)+2
			f.Routes = append(f.Routes, Route{
				Name: "over a gap", Radius: r, Start: geom.FromGround(x, y, slotHeight), Goal: geom.FromGround(x, y+2+width, slotHeight), Length: 2 + width,
			})
		}
	}
	f.Storeys = []Storey{ground.storey(0, r), plates.storey(slotHeight, r)}
	return f, known
}
