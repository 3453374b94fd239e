package repair

import (
	"github.com/meadow-nav/meadow/geom/lattice"
)

// BlockSize is the extent, in lattice units, above which a region is divided into blocks: 16 m.
const BlockSize = 16 * lattice.UnitsPerMetre

// Blocks divides a region by chords into convex blocks, so that a region full of footprints is cut block by block. Chords
// end at lattice points exactly on the border; where the border has none near its middle, blocks stay larger. The blocks
// of a region depend on the region alone, and cover the region exactly. A region of one block gives nil. Sides on chords have
// the label Inner. Time O(n·m) for m blocks of a region with n points.
func Blocks(ring []lattice.Point, label []int32) []Region {
	var out []Region
	wait := []Region{{Ring: ring, Label: label}}
	for len(wait) > 0 {
		r := wait[len(wait)-1]
		wait = wait[:len(wait)-1]
		a, b, ok := r.halve()
		if !ok {
			out = append(out, r)
			continue
		}
		wait = append(wait, b, a)
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// halve divides a large region by a chord across its longer axis, or across the other.
func (r *Region) halve() (a, b Region, ok bool) {
	box := lattice.BoxOf(r.Ring...)
	width, height := box.Size()
	if max(width, height) <= BlockSize {
		return a, b, false
	}
	middle := lattice.Point{X: int32((int64(box.Min.X) + int64(box.Max.X)) >> 1), Y: int32((int64(box.Min.Y) + int64(box.Max.Y)) >> 1)}
	axes := [2]bool{width >= height, width < height} // true: across x
	for _, acrossX := range axes {
		extent, at := height, middle.Y
		coord := func(p lattice.Point) int32 { return p.Y }
		if acrossX {
			extent, at = width, middle.X
			coord = func(p lattice.Point) int32 { return p.X }
		}
		if extent <= BlockSize {
			continue
		}
		if a, b, ok = r.chord(at, coord, extent/8); ok {
			return a, b, true
		}
	}
	return a, b, false
}

// chord divides a region near the line where a coordinate has a value; no end of the chord is farther from the line than
// off.
func (r *Region) chord(at int32, coord func(lattice.Point) int32, off int64) (a, b Region, ok bool) {
	n := len(r.Ring)
	type stop struct {
		side int
		p    lattice.Point
	}
	var stops [2]stop
	found := 0
	for i, p := range r.Ring {
		q := r.Ring[(i+1)%n]
		// Each half-open crossing of the line counts once: the border of a convex region crosses twice.
		if (coord(p) < at) == (coord(q) < at) {
			continue
		}
		if found == 2 {
			return a, b, false
		}
		best := nearestOn(p, q, at, coord)
		if d := int64(coord(best)) - int64(at); max(d, -d) > off {
			return a, b, false
		}
		stops[found] = stop{i, best}
		found++
	}
	if found < 2 || stops[0].side == stops[1].side {
		return a, b, false
	}
	a, b = r.between(stops[0].side, stops[0].p, stops[1].side, stops[1].p), r.between(stops[1].side, stops[1].p, stops[0].side, stops[0].p)
	return a, b, lattice.Ring(a.Ring).Area2() > 0 && lattice.Ring(b.Ring).Area2() > 0
}

// nearestOn returns the lattice point on the segment from p to q whose coordinate is nearest to a value between theirs.
func nearestOn(p, q lattice.Point, at int32, coord func(lattice.Point) int32) lattice.Point {
	dx, dy := q.Sub(p)
	g := lattice.GCD(max(dx, -dx), max(dy, -dy))
	step := (int64(coord(q)) - int64(coord(p))) / g
	k := min(max(lattice.FloorDiv(2*(int64(at)-int64(coord(p)))+abs(step), 2*step), 0), g)
	return lattice.Point{X: int32(int64(p.X) + dx/g*k), Y: int32(int64(p.Y) + dy/g*k)}
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

// Chords returns the sides of blocks inside their region, each once.
func Chords(blocks []Region) (list [][2]lattice.Point) {
	for i := range blocks {
		b := &blocks[i]
		for k, label := range b.Label {
			p, q := b.Ring[k], b.Ring[(k+1)%len(b.Ring)]
			if label == Inner && p.Compare(q) < 0 {
				list = append(list, [2]lattice.Point{p, q})
			}
		}
	}
	return list
}
