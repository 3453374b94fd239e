package medialaxis

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// border is the border of a domain, as samples of its walls. A wall is a run of edges between two corners.
type border struct {
	rings []lattice.Ring
	// corners holds the places in each ring between one wall and the next, in order; a ring without corners is a
	// single wall.
	corners [][]int
	// marks holds the samples of every edge of every ring: distances from its start, ascending.
	marks [][][]float64
}

// cosTurn is the cosine of the turn that makes a corner, 50°: a little more than each half of a right angle that was
// cut off.
const cosTurn = 0.6427876096865394

// octaves is how often the samples beside a corner halve their distance to it.
const octaves = 4

// newBorder finds the walls of d, or makes a wall of every ring, and puts the first samples on them.
func newBorder(d *plan.Domain, wholeRings bool) *border {
	b := &border{rings: d.Rings, corners: make([][]int, len(d.Rings)), marks: make([][][]float64, len(d.Rings))}
	for r, ring := range d.Rings {
		b.marks[r] = make([][]float64, len(ring))
		if !wholeRings {
			b.corners[r] = corners(ring)
		}
		for _, c := range b.corners[r] {
			before := (c + len(ring) - 1) % len(ring)
			b.besideCorner(r, before, c)
		}
	}
	return b
}

// corners returns where a ring has turned left by more than 50° since the last corner, or since it was turned right
// most. A ring with a single corner gets another at the notch that is farthest from it around the ring, because both
// sides of the corner have to be different walls.
func corners(ring lattice.Ring) (list []int) {
	n := len(ring)
	start, sharpest := -1, cosTurn
	for i := range ring {
		if c, left := turn(ring, i); left && c < sharpest {
			start, sharpest = i, c
		}
	}
	if start < 0 {
		// No corner alone turns enough: begin at the first that turns left at all.
		for i := range ring {
			if _, left := turn(ring, i); left {
				start = i
				break
			}
		}
		if start < 0 {
			return nil
		}
	}
	list = append(list, start)
	from := edge(ring, start)
	for k := 1; k < n; k++ {
		i := (start + k) % n
		c, left := turn(ring, i)
		to := edge(ring, i)
		switch {
		case left && (c < cosTurn || cosine(from, to) < cosTurn):
			list = append(list, i)
			from = to
		case cross(from, to) < 0:
			from = to
		}
	}
	if len(list) > 1 {
		return list
	}
	return append(list, opposite(ring, start)...)
}

// opposite returns the notch of a ring that is farthest from a point of it, both ways around.
func opposite(ring lattice.Ring, start int) []int {
	n, round := len(ring), 0.0
	for i := range ring {
		round += edge(ring, i).length()
	}
	notch, far, at := -1, 0.0, 0.0
	for k := range n {
		i := (start + k) % n
		if lattice.Orient(ring[(i+n-1)%n], ring[i], ring[(i+1)%n]) < 0 && min(at, round-at) > far {
			notch, far = i, min(at, round-at)
		}
		at += edge(ring, i).length()
	}
	if notch < 0 {
		return nil
	}
	return []int{notch}
}

// vector is a difference of two points.
type vector struct{ x, y float64 }

func between(p, q lattice.Point) vector {
	x, y := q.Sub(p)
	return vector{float64(x), float64(y)}
}

func edge(ring lattice.Ring, i int) vector { return between(ring[i], ring[(i+1)%len(ring)]) }

func (v vector) length() float64 { return math.Sqrt(float64(v.x*v.x) + float64(v.y*v.y)) }
func cross(v, w vector) float64  { return float64(v.x*w.y) - float64(v.y*w.x) }
func cosine(v, w vector) float64 {
	return (float64(v.x*w.x) + float64(v.y*w.y)) / (v.length() * w.length())
}

// turn returns the cosine of how far a ring turns at point i, and whether it turns to the left.
func turn(ring lattice.Ring, i int) (c float64, left bool) {
	n := len(ring)
	p, q, r := ring[(i+n-1)%n], ring[i], ring[(i+1)%n]
	return cosine(between(p, q), between(q, r)), lattice.Orient(p, q, r) > 0
}

// besideCorner puts samples on the edges before and after a corner at equal distances, so the border between
// the two walls begins in the middle.
func (b *border) besideCorner(r, before, after int) {
	ring := b.rings[r]
	l0, l1 := edge(ring, before).length(), edge(ring, after).length()
	far := min(l0, l1) / 2
	for k := range octaves {
		at := far / float64(int(1)<<k)
		if k > 0 && at < 2 {
			break // less than the lattice can tell
		}
		b.mark(r, before, l0-at)
		b.mark(r, after, at)
	}
}

// mark puts a sample on an edge unless one is within half a unit.
func (b *border) mark(r, e int, at float64) {
	list := &b.marks[r][e]
	i, _ := slices.BinarySearch(*list, at)
	if i > 0 && at-(*list)[i-1] < 0.5 || i < len(*list) && (*list)[i]-at < 0.5 {
		return
	}
	*list = slices.Insert(*list, i, at)
}

// sample is a place on the border.
type sample struct {
	ring, wall, edge int32
	at               float64 // from the start of the edge; 0 is a point of the ring
}

// all returns all samples, along all rings, where they are, and the number of the first of every ring.
func (b *border) all() (points []lattice.Point, all []sample, first []int) {
	for r, ring := range b.rings {
		first = append(first, len(all))
		wall, isCorner := b.walls(r)
		for e, p := range ring {
			if !isCorner[e] {
				points = append(points, p)
				all = append(all, sample{int32(r), wall[e], int32(e), 0})
			}
			d := edge(ring, e)
			l := d.length()
			for _, at := range b.marks[r][e] {
				points = append(points, lattice.Point{
					X: p.X + int32(math.Floor(float64(at/l*d.x)+0.5)),
					Y: p.Y + int32(math.Floor(float64(at/l*d.y)+0.5)),
				})
				all = append(all, sample{int32(r), wall[e], int32(e), at})
			}
		}
	}
	return points, all, append(first, len(all))
}

// walls returns for every edge of ring r its wall, and for every point whether it is a corner. Wall k begins at
// corner k.
func (b *border) walls(r int) (wall []int32, isCorner []bool) {
	n := len(b.rings[r])
	wall, isCorner = make([]int32, n), make([]bool, n)
	for _, c := range b.corners[r] {
		isCorner[c] = true
	}
	if len(b.corners[r]) == 0 {
		return wall, isCorner
	}
	for k, c := range b.corners[r] {
		end := b.corners[r][(k+1)%len(b.corners[r])]
		for i := c; ; {
			wall[i] = int32(k)
			if i = (i + 1) % n; i == end {
				break
			}
		}
	}
	return wall, isCorner
}

// common returns the corner where the walls of two samples meet, the one nearer to p if there are two.
func (b *border) common(s, t sample, p lattice.Point) (corner lattice.Point, ok bool) {
	if s.ring != t.ring {
		return corner, false
	}
	list := b.corners[s.ring]
	n := int32(len(list))
	for _, w := range [...][2]int32{{s.wall, t.wall}, {t.wall, s.wall}} {
		if n < 2 || (w[0]+1)%n != w[1] {
			continue
		}
		if c := b.rings[s.ring][list[w[1]]]; !ok || c.Distance2(p) < corner.Distance2(p) {
			corner, ok = c, true
		}
	}
	return corner, ok
}

// tip returns the corner between the edges of two samples.
func (b *border) tip(s, t sample) (corner lattice.Point, ok bool) {
	if s.ring != t.ring {
		return corner, false
	}
	n := int32(len(b.rings[s.ring]))
	for _, e := range [...][2]int32{{s.edge, t.edge}, {t.edge, s.edge}} {
		if (e[0]+1)%n == e[1] && slices.Contains(b.corners[s.ring], int(e[1])) {
			return b.rings[s.ring][e[1]], true
		}
	}
	return corner, false
}

// len returns the number of points.
func (b *border) len() (n int) {
	for _, r := range b.rings {
		n += len(r)
	}
	return n
}
