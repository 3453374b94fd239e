package levelgen

import (
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// The halls' gallery and tower, in metres above the floor.
const (
	hallsGallery = 3.0
	hallsTower   = 4.0
)

// HallsWalks returns places in the halls: in the western hall, in the eastern one, on the gallery and
// on the tower.
func HallsWalks() (west, east, gallery, tower geom.Vec) {
	return geom.FromGround(-8, 0, 0), geom.FromGround(8, 0, 0), geom.FromGround(0, 6.5, hallsGallery), geom.FromGround(10, -6, hallsTower)
}

// makeHalls builds two halls of 12 m by 16 m with a wall and a door between them, and markers for everything
// that joins their floors: the door; a ladder from the western hall up to a gallery, which runs along the
// northern side of both; the free edge of the gallery, for drops into the eastern hall without a way back;
// and a lift to the top of a tower in the eastern hall. A carpet lies on both sides of the door.
//
// Known beforehand: without door, ladder and lift the gallery and the tower cannot be reached at all, and
// from hall to hall there is only the door. With the door closed one gets from west to east over the
// gallery, and not back.
func makeHalls(b *builder, _ Options, _ *rand.Rand) {
	const thick = 0.25
	floor, wall, rail := skin{"tile_floor", "stone"}, plain("plaster"), plain("metal")
	b.object("floor")
	b.box(-12, -8, -thick, 12, 8, 0, floor)
	b.object("walls")
	b.box(-12, -8, 0, 12, -8+thick, 1, wall)
	b.box(-12, 8-thick, 0, 12, 8, 5, wall)
	b.box(-12, -8+thick, 0, -12+thick, 8-thick, 5, wall)
	b.box(12-thick, -8+thick, 0, 12, 8-thick, 1, wall)
	b.object("wall between the halls")
	b.box(-thick, -8+thick, 0, thick, -1, 2.5, wall)
	b.box(-thick, 1, 0, thick, 5, 2.5, wall)
	b.box(-thick, 5, 0, thick, 8-thick, hallsGallery-thick, wall)
	b.object("gallery")
	b.box(-7, 5, hallsGallery-thick, 7, 8-thick, hallsGallery, skin{"wood_floor", "wood"})
	b.object("gallery railing")
	up := hallsGallery + 1
	b.box(-7, 5, hallsGallery, -5, 5+thick/2, up, rail)
	b.box(-4, 5, hallsGallery, 2, 5+thick/2, up, rail)
	b.box(6, 5, hallsGallery, 7, 5+thick/2, up, rail)
	b.box(-7, 5+thick/2, hallsGallery, -7+thick/2, 8-thick, up, rail)
	b.box(7-thick/2, 5+thick/2, hallsGallery, 7, 8-thick, up, rail)
	b.object("ladder")
	b.box(-4.875, 4.875, 0, -4.8125, 5, hallsGallery, rail)
	b.box(-4.1875, 4.875, 0, -4.125, 5, hallsGallery, rail)
	b.object("tower")
	b.box(8, -8+thick, 0, 12-thick, -4, hallsTower, skin{"concrete_floor", "concrete"})

	b.marker("door", "halls", -thick, -1, 0, thick, 1, 2.25)
	b.marker("carpet", "runner", -3, -0.75, 0, 3, 0.75, 0.0625)
	b.marker("ladder", "gallery ladder", -4.875, 4.75, 0, -4.125, 5, hallsGallery)
	b.marker("drop", "gallery edge", 2, 4, 0, 6, 5.5, hallsGallery)
	b.marker("lift", "tower lift", 6.5, -7, 0, 8, -5, hallsTower+0.5)
}

// marker adds a marker in the shape of an axis-aligned box.
func (b *builder) marker(kind, name string, x0, y0, h0, x1, y1, h1 float64) {
	m := level.Marker{Name: name, Kind: kind}
	for _, h := range [2]float64{h0, h1} {
		for _, p := range rect(x0, y0, x1, y1) {
			m.Hull = append(m.Hull, geom.FromGround(snap(p.x), snap(p.y), snap(h)))
		}
	}
	b.lvl.Markers = append(b.lvl.Markers, m)
}
