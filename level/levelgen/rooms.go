package levelgen

import (
	"math/rand/v2"

	"github.com/meadow-nav/meadow/internal/unionfind"
)

const (
	roomWall   = 0.25 // thickness
	roomHeight = 2.5
	roomLeast  = 4.0 // between the middles of two walls
	roomMost   = 9.0 // a longer room is always divided
	doorWidth  = 1.5
	doorHeight = 2.125
	roomYard   = 3.0 // paving around the house
)

// room is a leaf of the division, bounded by the middle lines of its walls.
type room struct{ x0, y0, x1, y1 float64 }

func (r room) width() float64  { return r.x1 - r.x0 }
func (r room) height() float64 { return r.y1 - r.y0 }

// gap is a doorway in a wall: the span along it.
type gap struct{ from, to float64 }

// partition is a wall on a middle line, with its doorways in order. For a wall from north to south at is its
// x, otherwise its y; from and to bound it along the other axis.
type partition struct {
	upright  bool
	at       float64
	from, to float64
	gaps     []gap
}

// makeRooms divides a house into rooms by walls until all rooms are small, then joins the rooms by doors:
// enough of them to make every room reachable, and every fourth of the others. One door leads out to the
// south. Every partition has a stretch of two metres between some two rooms, because rooms are at least four
// metres long: so every necessary door finds room.
func makeRooms(b *builder, opt Options, r *rand.Rand) {
	side := snap(opt.Size)
	b.object("yard")
	b.box(-roomYard, -roomYard, -0.25, side+roomYard, side+roomYard, 0, skin{"paving", "concrete"})

	rooms, walls := divide(room{0, 0, side, side}, r)
	joinRooms(rooms, walls, r)
	middle := snap(0.25 * (1 + float64(int(2*side))))
	outer := []partition{
		{false, 0, -roomWall / 2, side + roomWall/2, []gap{{middle - doorWidth/2, middle + doorWidth/2}}},
		{false, side, -roomWall / 2, side + roomWall/2, nil},
		{true, 0, roomWall / 2, side - roomWall/2, nil},
		{true, side, roomWall / 2, side - roomWall/2, nil},
	}
	outer[0].gaps[0] = clearGap(outer[0].gaps[0], walls)

	b.object("outer walls")
	for i := range outer {
		b.partition(&outer[i], "plaster")
	}
	b.object("inner walls")
	for i := range walls {
		b.partition(&walls[i], "wall")
	}
	for _, rm := range rooms {
		b.object("furniture")
		furnish(b, rm, r)
	}
}

// divide splits a room into leaves and returns the walls between them.
func divide(all room, r *rand.Rand) (rooms []room, walls []partition) {
	stack := []room{all}
	for len(stack) > 0 {
		rm := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		upright := rm.width() > rm.height()
		length := max(rm.width(), rm.height())
		if length < 2*roomLeast || length <= roomMost && r.IntN(3) == 0 {
			rooms = append(rooms, rm)
			continue
		}
		// The cut is on a grid of half metres, somewhere in the middle half where that leaves both
		// sides long enough.
		slack := max(length/4, roomLeast)
		cut := slack + 0.5*float64(r.IntN(int((length-2*slack)/0.5)+1))
		lower, upper := rm, rm
		wall := partition{upright: upright}
		if upright {
			wall.at, wall.from, wall.to = snap(rm.x0+cut), rm.y0+roomWall/2, rm.y1-roomWall/2
			lower.x1, upper.x0 = wall.at, wall.at
		} else {
			wall.at, wall.from, wall.to = snap(rm.y0+cut), rm.x0+roomWall/2, rm.x1-roomWall/2
			lower.y1, upper.y0 = wall.at, wall.at
		}
		walls = append(walls, wall)
		stack = append(stack, upper, lower)
	}
	return rooms, walls
}

// joinRooms puts doors into walls: a random spanning tree over the rooms that share two metres of
// wall, and some more.
func joinRooms(rooms []room, walls []partition, r *rand.Rand) {
	type contact struct {
		a, b, wall int
		from, to   float64
	}
	var contacts []contact
	for w := range walls {
		p := &walls[w]
		for i, ri := range rooms {
			for j, rj := range rooms {
				c := contact{i, j, w, max(ri.y0, rj.y0, p.from), min(ri.y1, rj.y1, p.to)}
				touch := ri.x1 == p.at && rj.x0 == p.at
				if !p.upright {
					c.from, c.to = max(ri.x0, rj.x0, p.from), min(ri.x1, rj.x1, p.to)
					touch = ri.y1 == p.at && rj.y0 == p.at
				}
				if touch && c.to-c.from >= doorWidth+2*roomWall {
					contacts = append(contacts, c)
				}
			}
		}
	}
	r.Shuffle(len(contacts), func(i, j int) { contacts[i], contacts[j] = contacts[j], contacts[i] })

	joined := unionfind.New(len(rooms))
	for _, c := range contacts {
		if !joined.Union(int32(c.a), int32(c.b)) && r.IntN(4) != 0 {
			continue
		}
		slack := c.to - c.from - doorWidth - 2*roomWall
		from := snap(c.from + roomWall + float64(int(slack*r.Float64()*4))/4)
		p := &walls[c.wall]
		k := 0
		for k < len(p.gaps) && p.gaps[k].from < from {
			k++
		}
		p.gaps = append(p.gaps[:k], append([]gap{{from, from + doorWidth}}, p.gaps[k:]...)...)
	}
}

// clearGap moves a doorway of the southern wall to the east until no wall ends at it.
func clearGap(g gap, walls []partition) gap {
	for moved := true; moved; {
		moved = false
		for _, w := range walls {
			if w.upright && w.from == roomWall/2 && g.from < w.at+roomWall && w.at-roomWall < g.to {
				g = gap{w.at + roomWall, w.at + roomWall + doorWidth}
				moved = true
			}
		}
	}
	return g
}

// partition adds a wall with its doorways and the lintels over them.
func (b *builder) partition(p *partition, material string) {
	piece := func(from, to, low, high float64) {
		if p.upright {
			b.box(p.at-roomWall/2, from, low, p.at+roomWall/2, to, high, plain(material))
		} else {
			b.box(from, p.at-roomWall/2, low, to, p.at+roomWall/2, high, plain(material))
		}
	}
	at := p.from
	for _, g := range p.gaps {
		piece(at, g.from, 0, roomHeight)
		piece(g.from, g.to, doorHeight, roomHeight)
		at = g.to
	}
	piece(at, p.to, 0, roomHeight)
}

// furnish puts up to four pieces into the middle of a room, off the walls by 1.5 m so that every
// door stays clear and the way around the room free.
func furnish(b *builder, rm room, r *rand.Rand) {
	inside := room{rm.x0 + 1.5, rm.y0 + 1.5, rm.x1 - 1.5, rm.y1 - 1.5}
	if inside.width() < 1 || inside.height() < 1 {
		return
	}
	b.box(inside.x0, inside.y0, 0, inside.x1, inside.y1, 0.03125, skin{"paint_red", "wood_dark"})
	x, y := (inside.x0+inside.x1)/2, (inside.y0+inside.y1)/2
	w, d := min(inside.width(), 2.0)/2, min(inside.height(), 2.0)/2
	switch r.IntN(4) {
	case 0: // a table with four legs
		b.box(x-w, y-d, 0.71875, x+w, y+d, 0.78125, plain("wood"))
		for _, c := range rect(x-w+0.125, y-d+0.125, x+w-0.125, y+d-0.125) {
			b.box(c.x-0.0625, c.y-0.0625, 0, c.x+0.0625, c.y+0.0625, 0.71875, plain("wood_dark"))
		}
	case 1: // a bed
		b.box(x-w, y-d, 0, x+w, y+d, 0.25, plain("wood_dark"))
		b.box(x-w+0.0625, y-d+0.0625, 0.25, x+w-0.0625, y+d-0.0625, 0.5, plain("paint_white"))
		b.box(x-w, y-d, 0.25, x-w+0.0625, y+d, 1, plain("wood_dark"))
	case 2: // a round table with a foot
		b.turned(pt{x, y}, 16, []pt{{0.375, 0}, {0.125, 0.125}, {0.125, 0.6875}, {min(w, d), 0.75}, {min(w, d), 0.8125}}, plain("wood_light"))
	default: // crates in a stack
		b.box(x-0.5, y-0.5, 0, x+0.5, y+0.5, 0.875, plain("wood_light"))
		b.slanted(vec{x, y, 1.21875}, vec{0.75, 0.75, 0.6875}, r.Float64(), 0, 0, plain("wood"))
	}
}
