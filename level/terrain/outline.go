package terrain

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// The outlines of painted pictures.
//
// Source: contour following as in Pavlidis, "Algorithms for Graphics and Image Processing" (1982), chapter 7, on the
// cracks between pixels; straightened by lattice.Simplify, whose file names its source.
//
// Idea: a walk along the cracks between pixels keeps an area on its left and returns to its start. The cracks between
// the same two areas form one line between junctions, corners where three lines meet. Both areas share the line, which
// is straightened once.
//
// Input: a picture of labels; its rectangle on the ground plane.
//
// Guarantees:
//  1. without tolerance the patches cover exactly the pixels of their area, whose corners are rounded to the lattice:
//     TestOutlinesAgainstPixels;
//  2. with a tolerance no border moves farther than the tolerance, areas with a common border share the new border, and
//     rings still do not cross: TestOutlinesStraightened;
//  3. outer rings run counter-clockwise, holes clockwise: TestOutlinesAgainstPixels;
//  4. a picture and its mirror image give mirrored outlines up to the first corner of each ring; the same picture gives
//     the same outlines: TestOutlinesMirrored.
//
// Degenerate cases: pixels of one area that meet only in a corner are apart. Specks stay, whatever the tolerance.
// Pixels without a label belong to no patch.
//
// Cost: O(pixels) time and memory, plus the cost of simplifying the borders.
//
// Departures: none visible.

// The sides of a pixel, in the order of a walk around the pixel with the pixel on its left. Rows go to the south.
const (
	southSide = iota // eastward
	eastSide         // northward
	northSide        // westward
	westSide         // southward
	sides
)

// ahead is the step of a walk along a side, and leftOf the pixel on its left as seen from the start of the side: the
// pixel (x, y) has its north-western corner at (x, y).
var (
	ahead  = [sides][2]int{{1, 0}, {0, -1}, {-1, 0}, {0, 1}}
	leftOf = [sides][2]int{{0, -1}, {-1, -1}, {-1, 0}, {0, 0}}
)

// rightOf returns the pixel on the right of a walk that leaves corner (x, y) along a side.
func rightOf(x, y, side int) (int, int) {
	d := leftOf[(side+sides-1)%sides]
	return x + d[0], y + d[1]
}

// piece is a part of a ring: a line shared with the area on the right, forward or backward.
type piece struct {
	line     int
	backward bool
}

// outliner walks around the areas of a picture.
type outliner struct {
	*labels
	corner  func(x, y int) lattice.Point
	walked  []uint8 // by pixel, the sides already walked
	lines   []lattice.Line
	known   map[int]int // line by its first crack in order; looked up only
	rings   [][]piece
	area    []uint16 // the label of each ring
	corners [][2]int // of the current line
	first   int      // the least crack of the current line
}

// outlines returns patches for the labels of a picture on a rectangle: least x and z, greatest x and z. Areas come in
// the order of their numbers. tolerance is in metres.
func (l *labels) outlines(over [4]float64, tolerance float64) ([]level.Painted, error) {
	frame, corner, err := l.grid(over)
	if err != nil {
		return nil, err
	}
	if l.borders(maxBorders) > maxBorders {
		return nil, fmt.Errorf("more than %d sides of pixels lie between areas: the picture is noise", maxBorders)
	}
	o := outliner{labels: l, corner: corner, walked: make([]uint8, len(l.at)), known: map[int]int{}}
	for y := range l.height {
		for x := range l.width {
			for side := range sides {
				o.ring(x, y, side)
			}
		}
	}
	if tolerance > 0 {
		for i, s := range lattice.Simplify(o.lines, tolerance*lattice.UnitsPerMetre) {
			o.lines[i].Points = s.Points
		}
	}
	return o.patches(frame), nil
}

// maxBorders is the largest number of sides of pixels between areas. A side takes some 150 bytes of memory.
const maxBorders = 1 << 23

// borders counts the sides of pixels between different labels, and stops soon after most.
func (l *labels) borders(most int) int {
	n := 0
	for y := range l.height {
		for x := range l.width {
			v := l.at[y*l.width+x]
			if x > 0 && l.at[y*l.width+x-1] != v {
				n++
			}
			if y > 0 && l.at[(y-1)*l.width+x] != v {
				n++
			}
		}
		if n > most {
			break
		}
	}
	return n
}

// grid returns the positions of the corners of pixels. Corners at the rim are on the rectangle, rounded to the lattice.
func (l *labels) grid(over [4]float64) (frame lattice.Frame, corner func(x, y int) lattice.Point, err error) {
	snap := func(x, z float64) (east, north int64, ok bool) {
		east, north, _, ok = lattice.Snap(geom.Vec{X: x, Z: z})
		return east, north, ok
	}
	west, south, ok1 := snap(over[0], over[3])
	east, north, ok2 := snap(over[2], over[1])
	if !ok1 || !ok2 || east-west > lattice.MaxCoord || north-south > lattice.MaxCoord {
		return frame, nil, fmt.Errorf("the rectangle from (%g, %g) to (%g, %g) is larger than %.6g m, or too far away",
			over[0], over[1], over[2], over[3], float64(lattice.MaxCoord)*lattice.Unit)
	}
	if east-west < int64(l.width) || north-south < int64(l.height) {
		return frame, nil, fmt.Errorf("%d × %d pixels on %.4g × %.4g m: pixels are finer than %g m", l.width, l.height, over[2]-over[0], over[3]-over[1], lattice.Unit)
	}
	frame = lattice.Frame{East: west, North: south}
	width, height := east-west, north-south
	// Halves are rounded up in whole numbers: pixels differ by a unit at most.
	return frame, func(x, y int) lattice.Point {
		return lattice.Point{
			X: int32((2*int64(x)*width + int64(l.width)) / (2 * int64(l.width))),
			Y: int32(height - (2*int64(y)*height+int64(l.height))/(2*int64(l.height))),
		}
	}, nil
}

// crack numbers the crack between two pixels from a corner along a side; both directions give the same number.
func (o *outliner) crack(x, y, side int) int {
	switch side {
	case northSide: // westward: the crack begins at its eastern end
		x--
	case eastSide: // northward
		y--
	}
	n := 2 * (y*(o.width+1) + x)
	if side == eastSide || side == westSide {
		n++
	}
	return n
}

// isJunction reports whether more than two lines meet in a corner.
func (o *outliner) isJunction(x, y int) bool {
	around := [4]uint16{o.get(x-1, y-1), o.get(x, y-1), o.get(x, y), o.get(x-1, y)}
	changes := 0
	for i := range around {
		if around[i] != around[(i+1)%4] {
			changes++
		}
	}
	return changes > 2
}

// ring walks around an area from a side of a pixel, if the side is a border not walked before.
func (o *outliner) ring(px, py, side int) {
	area := o.get(px, py)
	dx, dy := leftOf[side][0], leftOf[side][1]
	x, y := px-dx, py-dy // the start of the side
	if rx, ry := rightOf(x, y, side); area == unpainted || o.walked[py*o.width+px]&(1<<side) != 0 || o.get(rx, ry) == area {
		return
	}
	// Start at a junction, if any: lines end at junctions.
	sx, sy, sside := x, y, side
	for !o.isJunction(x, y) {
		if x, y, side = o.step(x, y, side, area); x == sx && y == sy && side == sside {
			break
		}
	}
	var ring []piece
	o.begin(x, y)
	sx, sy, sside = x, y, side
	for {
		cx, cy := x+leftOf[side][0], y+leftOf[side][1]
		o.walked[cy*o.width+cx] |= 1 << side
		o.first = min(o.first, o.crack(x, y, side))
		before := side
		x, y, side = o.step(x, y, side, area)
		home := x == sx && y == sy && side == sside
		switch junction := o.isJunction(x, y); {
		case junction:
			o.corners = append(o.corners, [2]int{x, y})
			ring = append(ring, o.end(false))
			o.begin(x, y)
		case home:
			// The first corner belongs to the ring only if the walk turns there.
			if before == side {
				o.corners = o.corners[1:]
			}
			ring = append(ring, o.end(true))
		case before != side:
			o.corners = append(o.corners, [2]int{x, y})
		}
		if home {
			break
		}
	}
	o.rings = append(o.rings, ring)
	o.area = append(o.area, area)
}

// step goes along a side to the next corner and turns: left where the area ends ahead, right where the area continues
// on the right. Hence pixels that meet only in a corner are apart.
func (o *outliner) step(x, y, side int, area uint16) (int, int, int) {
	x, y = x+ahead[side][0], y+ahead[side][1]
	if o.get(x+leftOf[side][0], y+leftOf[side][1]) != area {
		return x, y, (side + 1) % sides
	}
	if rx, ry := rightOf(x, y, side); o.get(rx, ry) == area {
		return x, y, (side + sides - 1) % sides
	}
	return x, y, side
}

func (o *outliner) begin(x, y int) {
	o.corners, o.first = append(o.corners[:0], [2]int{x, y}), math.MaxInt
}

// end makes a line of the corners, or finds the line made by the walk on the other side.
func (o *outliner) end(closed bool) piece {
	if i, ok := o.known[o.first]; ok {
		return piece{i, true}
	}
	line := lattice.Line{Closed: closed}
	for _, c := range o.corners {
		line.Points = append(line.Points, o.corner(c[0], c[1]))
		line.Keep = append(line.Keep, c[0]%o.width == 0 && c[1]%o.height == 0) // a corner of the picture
	}
	if n := len(line.Points); !closed && line.Points[0] == line.Points[n-1] {
		// As a single chord, a loop back to a junction would vanish.
		line.Keep = slices.Repeat([]bool{true}, n)
	}
	o.known[o.first] = len(o.lines)
	o.lines = append(o.lines, line)
	return piece{len(o.lines) - 1, false}
}

// patches reassembles the lines, all rings of an area in one patch.
func (o *outliner) patches(frame lattice.Frame) []level.Painted {
	rings := make([][][][2]float64, level.MaxAreas+1) // by label
	for i, pieces := range o.rings {
		var ring [][2]float64
		for _, p := range pieces {
			line := &o.lines[p.line]
			n := len(line.Points)
			last := n - 1 // the last point is the first of the next line
			if line.Closed {
				last = n
			}
			for k := range last {
				q := line.Points[k]
				if p.backward {
					q = line.Points[n-1-k]
				}
				x, y := geom.Ground(frame.ToWorld(q, 0))
				ring = append(ring, [2]float64{x + 0, y + 0})
			}
		}
		rings[o.area[i]] = append(rings[o.area[i]], ring)
	}
	var out []level.Painted
	for a, list := range rings {
		if list != nil {
			out = append(out, level.Painted{Area: uint8(a - 1), Rings: list})
		}
	}
	return out
}
