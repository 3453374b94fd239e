package sweep

import "github.com/meadow-nav/meadow/geom/lattice"

// rect is a rectangle in lattice units from the corner of the grid: how far it reaches to the east, north, west and
// south, the last two as negative numbers turned positive: it spans x from -r[2] to r[0] and y from -r[3] to r[1].
type rect [4]int64

// rects returns the rooms.
func (c *combining) rects() []rect {
	rects := make([]rect, len(c.rooms))
	for i, r := range c.rooms {
		rects[i] = rect{int64(r.x1) * c.Size, int64(r.y1) * c.Size, -int64(r.x0) * c.Size, -int64(r.y0) * c.Size}
	}
	return rects
}

// pushing moves the sides of rooms out by less than a box, up to a parallel wall or room. A side with an end at a
// slanted wall stays: a corner that all but touches a wall makes needles.
type pushing struct {
	*combining
	lines []line
	head  []int32 // of every box: the last of its entries, or -1
	list  []entry
}

// line is a wall, or a side of a room that was pushed.
type line struct {
	ax, ay, bx, by int64
	room           int // -1 for a wall
}

// entry says that a line comes to a box.
type entry struct{ line, before int32 }

// push returns the rooms, pushed in all directions, those of the first rooms first.
func (c *combining) push(walls lattice.Polygon) []rect {
	p := &pushing{combining: c, head: make([]int32, len(c.Open))}
	for k := range p.head {
		p.head[k] = -1
	}
	for _, ring := range walls.Rings {
		for i := range ring {
			ax, ay := ring[i].Sub(c.Min)
			bx, by := ring[(i+1)%len(ring)].Sub(c.Min)
			p.add(line{ax, ay, bx, by, -1})
		}
	}
	rects := c.rects()
	for i := range rects {
		for d := range 4 {
			p.pushSide(&rects[i], i, d)
		}
	}
	return rects
}

// add enters a line into all its boxes, and few more.
func (p *pushing) add(l line) {
	if l.by < l.ay {
		l.ax, l.ay, l.bx, l.by = l.bx, l.by, l.ax, l.ay
	}
	n := int32(len(p.lines))
	p.lines = append(p.lines, l)
	for y := max(lattice.CeilDiv(l.ay, p.Size)-1, 0); y <= min(l.by/p.Size, int64(p.H)-1); y++ {
		x0, x1 := min(l.ax, l.bx), max(l.ax, l.bx)
		if l.ay < l.by {
			lo, hi := max(l.ay, y*p.Size), min(l.by, (y+1)*p.Size)
			u, v := crossing(l.ax, l.ay, l.bx, l.by, lo), crossing(l.ax, l.ay, l.bx, l.by, hi)
			x0, x1 = min(u, v), max(u, v)+1
		}
		for x := max(lattice.CeilDiv(x0, p.Size)-1, 0); x <= min(x1/p.Size, int64(p.W)-1); x++ {
			k := y*int64(p.W) + x
			p.list = append(p.list, entry{n, p.head[k]})
			p.head[k] = int32(len(p.list) - 1)
		}
	}
}

// pushSide moves side d of a room out.
func (p *pushing) pushSide(r *rect, room, d int) {
	side, low, high := r[d], -r[(d+3)%4], r[(d+1)%4]
	strip := *r
	strip[(d+2)%4] = -side
	strip[d] = side + p.Size
	limit, flush := p.Size, false
	x0, x1 := lattice.FloorDiv(-strip[2], p.Size), lattice.CeilDiv(strip[0], p.Size)
	y0, y1 := lattice.FloorDiv(-strip[3], p.Size), lattice.CeilDiv(strip[1], p.Size)
	if x0 < 0 || y0 < 0 || x1 > int64(p.W) || y1 > int64(p.H) {
		return
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			k := y*int64(p.W) + x
			if p.Open[k] {
				return
			}
			for e := p.head[k]; e >= 0; e = p.list[e].before {
				l := p.lines[p.list[e].line].turned(d)
				if far := l.ahead(side, low, high); l.room != room && far <= limit {
					flush = l.ax == l.bx && (flush || far < limit)
					limit = far
				}
			}
		}
	}
	if limit == 0 || !flush {
		return
	}
	r[d] = side + limit
	strip[d] = r[d]
	w, s, e, n := -strip[2], -strip[3], strip[0], strip[1]
	for _, l := range [...]line{{w, s, e, s, room}, {e, s, e, n, room}, {w, n, e, n, room}, {w, s, w, n, room}} {
		p.add(l)
	}
}

// turned returns the line in a frame turned so that direction d points to the east: x is the distance in this
// direction, y runs counter-clockwise from there.
func (l line) turned(d int) line {
	switch d {
	case 1:
		return line{l.ay, -l.ax, l.by, -l.bx, l.room}
	case 2:
		return line{-l.ax, -l.ay, -l.bx, -l.by, l.room}
	case 3:
		return line{-l.ay, l.ax, -l.by, l.bx, l.room}
	}
	return l
}

// ahead returns how far a side at x, between the heights low and high, may move to the east before the line is in its
// way, rounded down.
func (l line) ahead(side, low, high int64) int64 {
	const never = 1 << 40
	ax, ay, bx, by := l.ax, l.ay, l.bx, l.by
	if by < ay {
		ax, ay, bx, by = bx, by, ax, ay
	}
	if by <= low || ay >= high {
		return never
	}
	from, to := ax, bx
	if ay < low {
		from = crossing(ax, ay, bx, by, low)
	}
	if by > high {
		to = crossing(ax, ay, bx, by, high)
	}
	if max(from, to) < side {
		return never
	}
	return max(min(from, to)-side, 0)
}

// crossing returns the x of a segment from ax, ay up to bx, by at height y, rounded down. Differences are below 2³¹, so
// products fit 62 bits.
func crossing(ax, ay, bx, by, y int64) int64 { return ax + lattice.FloorDiv((bx-ax)*(y-ay), by-ay) }

// corners returns the corners of r, counter-clockwise from the lower left.
func (c *combining) corners(r rect) [4]lattice.Point {
	at := func(x, y int64) lattice.Point {
		return lattice.Point{X: int32(int64(c.Min.X) + x), Y: int32(int64(c.Min.Y) + y)}
	}
	return [4]lattice.Point{at(-r[2], -r[3]), at(r[0], -r[3]), at(r[0], r[1]), at(-r[2], r[1])}
}
