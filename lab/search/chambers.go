package search

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Chambers is a grid of rooms behind walls, joined by short passages, with single blocked cells
// strewn over all of it. Brand, section 7.3.3, draws his maps in this way, from the top down, to have a graph of
// rooms for each (figure 70).
type Chambers struct {
	Grid
	// Room is the room of each cell, free or not: a cell of a wall or passage has that of the nearest
	// room in its row or column.
	Room []int32
	// Doors are pairs of rooms with a planned passage: blocked cells may close it.
	Doors [][2]int32
	// Centre is the free cell nearest to the middle of each room, or the middle if the room has none.
	Centre []int32
}

// measures are the lengths of chambers, in cells.
type measures struct {
	leastRoom, mostRoom       int
	mostWall                  int
	leastPassage, mostPassage int
}

// strewn is the share of blocked cells: one in so many.
const strewn = 8

// room is a room with its lower corner and its size.
type room struct{ x, y, w, h int }

// chamberPlan is a Chambers under construction.
type chamberPlan struct {
	measures
	r     *rand.Rand
	rooms []room
	walls []wall
}

// wall is the band between the two parts of a room that was divided.
type wall struct {
	room
	upright bool // between left and right
}

// RandomChambers returns chambers on width times height cells. A room is divided by a wall, and its parts likewise. Each wall has
// one passage: all rooms are joined in exactly one way, unless blocked cells close a passage. Of the other pairs of rooms across
// a wall, one in further has a passage too, 0 for none: then several ways exist. The same seed gives the same chambers
// everywhere. Space O(width * height).
func RandomChambers(width, height, further int, seed uint64) (*Chambers, error) {
	// The source gives no measures. Its figures 70 to 75 have rooms of about this size on maps of 100 × 100.
	m := measures{leastRoom: 12, mostRoom: 34, mostWall: 4, leastPassage: 2, mostPassage: 5}
	return randomChambers(m, width, height, further, seed)
}

// RandomClosets returns chambers of half the measures: rooms, walls and passages. Blocked cells close about a third of the
// passages, of which the overview knows nothing. Arguments as for [RandomChambers].
func RandomClosets(width, height, further int, seed uint64) (*Chambers, error) {
	m := measures{leastRoom: 6, mostRoom: 17, mostWall: 2, leastPassage: 1, mostPassage: 2}
	return randomChambers(m, width, height, further, seed)
}

func randomChambers(m measures, width, height, further int, seed uint64) (*Chambers, error) {
	if width < 1 || height < 1 || width > math.MaxInt32/height/16 {
		return nil, fmt.Errorf("search: chambers on %d × %d cells", width, height)
	}
	if further < 0 {
		return nil, fmt.Errorf("search: chambers with one in %d further passages, want 0 or more", further)
	}
	p := chamberPlan{measures: m, r: rand.New(rand.NewPCG(seed, 70))}
	p.divide(room{0, 0, width, height})
	c := &Chambers{Grid: Grid{Width: width, Height: height, Blocked: make([]bool, width*height)}, Room: make([]int32, width*height)}
	for i := range c.Room {
		c.Room[i] = -1
	}
	for k, a := range p.rooms {
		c.fill(a, int32(k))
	}
	for i, k := range c.Room {
		c.Blocked[i] = k < 0
	}
	// Walls are divided later than the walls at their ends, so the last comes first: both sides of a wall then
	// know their rooms.
	for i := len(p.walls) - 1; i >= 0; i-- {
		c.open(&p, p.walls[i], further)
	}
	for i := range c.Blocked {
		c.Blocked[i] = c.Blocked[i] || p.r.IntN(strewn) == 0
	}
	for k, a := range p.rooms {
		c.Centre = append(c.Centre, c.nearest(a, int32(k)))
	}
	return c, nil
}

// divide divides a room until its parts are small enough.
func (p *chamberPlan) divide(a room) {
	upright := a.w > a.h || a.w == a.h && p.r.IntN(2) == 0
	long := a.h
	if upright {
		long = a.w
	}
	thick := 1 + p.r.IntN(p.mostWall)
	spare := long - 2*p.leastRoom - thick
	if long <= p.mostRoom || spare < 0 {
		p.rooms = append(p.rooms, a)
		return
	}
	at := p.leastRoom + p.r.IntN(spare+1)
	b, w := a, wall{a, upright}
	if upright {
		w.x, w.w = a.x+at, thick
		b.x, b.w = w.x+thick, a.w-at-thick
		a.w = at
	} else {
		w.y, w.h = a.y+at, thick
		b.y, b.h = w.y+thick, a.h-at-thick
		a.h = at
	}
	p.walls = append(p.walls, w)
	p.divide(a)
	p.divide(b)
}

// fill gives the cells of a room its number.
func (c *Chambers) fill(a room, k int32) {
	for y := a.y; y < a.y+a.h; y++ {
		for x := a.x; x < a.x+a.w; x++ {
			c.Room[y*c.Width+x] = k
		}
	}
}

// open gives the cells of a wall to the rooms beside it and cuts passages: between one pair of sufficiently
// adjacent rooms, and one in further of the others.
func (c *Chambers) open(p *chamberPlan, w wall, further int) {
	// A cell of the wall by its place along and across.
	long, thick := w.w, w.h
	if w.upright {
		long, thick = w.h, w.w
	}
	cell := func(along, across int) int {
		if w.upright {
			return (w.y+along)*c.Width + w.x + across
		}
		return (w.y+across)*c.Width + w.x + along
	}
	for i := range long {
		left, right := c.Room[cell(i, -1)], c.Room[cell(i, thick)]
		for j := range thick {
			k := left
			if 2*j >= thick {
				k = right
			}
			c.Room[cell(i, j)] = k
		}
	}
	// face reports whether both sides of the wall are room and not the end of another wall.
	face := func(i int) bool { return !c.Blocked[cell(i, -1)] && !c.Blocked[cell(i, thick)] }
	type stretch struct{ from, to int }
	var faces []stretch
	for i := 0; i < long; i++ {
		from, left, right := i, c.Room[cell(i, -1)], c.Room[cell(i, thick)]
		for i < long && face(i) && c.Room[cell(i, -1)] == left && c.Room[cell(i, thick)] == right {
			i++
		}
		if i-from > p.mostPassage {
			faces = append(faces, stretch{from, i})
		}
	}
	if len(faces) == 0 {
		return
	}
	sure := p.r.IntN(len(faces))
	for k, s := range faces {
		if k != sure && (further == 0 || p.r.IntN(further) != further-1) {
			continue
		}
		width := p.leastPassage + p.r.IntN(p.mostPassage-p.leastPassage+1)
		at := s.from + p.r.IntN(s.to-s.from-width+1)
		for i := at; i < at+width; i++ {
			for j := range thick {
				c.Blocked[cell(i, j)] = false
			}
		}
		c.Doors = append(c.Doors, [2]int32{c.Room[cell(at, -1)], c.Room[cell(at, thick)]})
	}
}

// nearest returns the free cell of a room nearest to its middle.
func (c *Chambers) nearest(a room, k int32) int32 {
	mx, my := a.x+a.w/2, a.y+a.h/2
	best, least := my*c.Width+mx, math.MaxInt
	for y := a.y; y < a.y+a.h; y++ {
		for x := a.x; x < a.x+a.w; x++ {
			i := y*c.Width + x
			if d := (x-mx)*(x-mx) + (y-my)*(y-my); !c.Blocked[i] && d < least {
				best, least = i, d
			}
		}
	}
	return int32(best)
}
