package repair

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// BlockSize is the extent, in lattice units, above which a region may be halved: 8 m.
const BlockSize = 8 * lattice.UnitsPerMetre

// Halve divides a region larger than [BlockSize] by a chord along an axis, near the middle of its longer extent or else of the
// other, so that a region full of footprints is cut part by part. The chord depends on the region alone, and its sides have the
// label Inner. On portals and chords the chord ends at lattice points exactly on the side. On walls the chord may end up to a
// unit inside, and the halves lack the triangle between; so they cover the region up to a unit at its walls. Where a portal has
// no lattice points near the middle, ok is false. Time O(n) for n points.
func (r *Region) Halve() (a, b Region, chord [2]lattice.Point, ok bool) {
	box := lattice.BoxOf(r.Ring...)
	width, height := box.Size()
	axes := [2]bool{width >= height, width < height} // true: across x
	for _, acrossX := range axes {
		extent, middle := height, int32((int64(box.Min.Y)+int64(box.Max.Y))>>1)
		if acrossX {
			extent, middle = width, int32((int64(box.Min.X)+int64(box.Max.X))>>1)
		}
		if extent <= BlockSize {
			continue
		}
		if a, b, chord, ok = r.halveAt(middle, acrossX, extent/8); ok {
			return a, b, chord, true
		}
	}
	return a, b, chord, false
}

// crossing is where a line along an axis crosses the border of a region.
type crossing struct {
	side int
	at   lattice.Point // on the side, or up to a unit inside
	ok   bool          // a chord may end there
}

// halveAt divides a region by a chord where a coordinate has a value, or by as little beside as portals ask for, at most off.
func (r *Region) halveAt(middle int32, acrossX bool, off int64) (a, b Region, chord [2]lattice.Point, ok bool) {
	ends, ok := r.crossings(middle, acrossX)
	if !ok {
		return a, b, chord, false
	}
	if !ends[0].ok || !ends[1].ok {
		best, found := ends, false
		for _, e := range ends {
			p, q := r.Ring[e.side], r.Ring[(e.side+1)%len(r.Ring)]
			at := nearestOn(p, q, middle, acrossX)
			if d := int64(at) - int64(middle); e.ok || max(d, -d) > off {
				continue
			}
			if other, crosses := r.crossings(at, acrossX); crosses && other[0].ok && other[1].ok && !found {
				best, found = other, true
			}
		}
		if ends = best; !found {
			return a, b, chord, false
		}
	}
	if ends[0].side == ends[1].side || ends[0].at == ends[1].at {
		return a, b, chord, false
	}
	chord = [2]lattice.Point{ends[0].at, ends[1].at}
	a, b = r.between(ends[0].side, chord[0], ends[1].side, chord[1]), r.between(ends[1].side, chord[1], ends[0].side, chord[0])
	fault, _ := planar.Fault(a.Ring)
	other, _ := planar.Fault(b.Ring)
	return a, b, chord, fault == "" && other == ""
}

// crossings returns the two crossings of a border with the line where a coordinate has a value.
func (r *Region) crossings(value int32, acrossX bool) (ends [2]crossing, ok bool) {
	found := 0
	for i := range r.Ring {
		p, q := turned(r.Ring[i], acrossX), turned(r.Ring[(i+1)%len(r.Ring)], acrossX)
		// Each half-open crossing of the line counts once: the border of a convex region crosses twice.
		if (p.X < value) == (q.X < value) {
			continue
		}
		if found == 2 {
			return ends, false
		}
		dx, dy := q.Sub(p)
		// The exact crossing is at p.Y + over/dx.
		over := (int64(value) - int64(p.X)) * dy
		if dx < 0 {
			dx, over = -dx, -over
		}
		y := lattice.FloorDiv(over, dx)
		exact := y*dx == over
		// The region is on the left of its sides: above the line's crossing where the side runs to greater values, if the
		// points are as given, and below if x and y have changed places.
		if !exact && (p.X < q.X) == acrossX {
			y++
		}
		ends[found] = crossing{i, turned(lattice.Point{X: value, Y: int32(int64(p.Y) + y)}, acrossX), exact || r.Label[i] == Wall}
		found++
	}
	return ends, found == 2
}

// turned returns a point with its coordinate across a line first.
func turned(p lattice.Point, acrossX bool) lattice.Point {
	if acrossX {
		return p
	}
	return lattice.Point{X: p.Y, Y: p.X}
}

// nearestOn returns the coordinate, nearest to a value between those of p and q, of a lattice point on the segment from p to
// q.
func nearestOn(p, q lattice.Point, value int32, acrossX bool) int32 {
	p, q = turned(p, acrossX), turned(q, acrossX)
	dx, dy := q.Sub(p)
	g := lattice.GCD(max(dx, -dx), max(dy, -dy))
	step := dx / g
	k := min(max(lattice.FloorDiv(2*(int64(value)-int64(p.X))+abs(step), 2*step), 0), g)
	return int32(int64(p.X) + step*k)
}

func abs(v int64) int64 { return max(v, -v) }

// between returns the block from a point on one side of a region, along the border to a point on another side, and back
// over the chord.
func (r *Region) between(from int, p lattice.Point, to int, q lattice.Point) (out Region) {
	n := len(r.Ring)
	add := func(at lattice.Point, label int32) {
		if k := len(out.Ring); k > 0 && out.Ring[k-1] == at {
			out.Label[k-1] = label
			return
		}
		out.Ring, out.Label = append(out.Ring, at), append(out.Label, label)
	}
	add(p, r.Label[from])
	for i := (from + 1) % n; ; i = (i + 1) % n {
		add(r.Ring[i], r.Label[i])
		if i == to {
			break
		}
	}
	add(q, Inner)
	if k := len(out.Ring) - 1; k > 0 && out.Ring[0] == out.Ring[k] {
		out.Ring, out.Label = out.Ring[:k], out.Label[:k]
	}
	return out
}
