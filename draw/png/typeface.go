package png

import "encoding/binary"

// typeface reads the outlines of letters from a TrueType font. The fonts come with golang.org/x/image as
// bytes; its own font reader would need another module.
//
// Source: Apple, TrueType Reference Manual; Microsoft, OpenType specification, tables cmap (format 4), glyf,
// head, hhea, hmtx and loca. Kerning and hinting are left out: labels do not need them.
type typeface struct {
	data                   []byte
	glyf, loca, hmtx, cmap int // offsets
	unitsPerEm             float64
	longLoca               bool
	advances               int // letters with an advance of their own
}

func newTypeface(data []byte) *typeface {
	f := &typeface{data: data}
	tables := map[string]int{}
	for i := range int(f.u16(4)) {
		entry := 12 + 16*i
		tables[string(data[entry:entry+4])] = f.offset(entry + 8)
	}
	f.glyf, f.loca, f.hmtx = tables["glyf"], tables["loca"], tables["hmtx"]
	f.unitsPerEm = float64(f.u16(tables["head"] + 18))
	f.longLoca = f.u16(tables["head"]+50) != 0
	f.advances = int(f.u16(tables["hhea"] + 34))
	for i := range int(f.u16(tables["cmap"] + 2)) {
		sub := tables["cmap"] + f.offset(tables["cmap"]+8+8*i)
		if f.u16(sub) == 4 {
			f.cmap = sub
		}
	}
	return f
}

func (f *typeface) u16(at int) uint16  { return binary.BigEndian.Uint16(f.data[at:]) }
func (f *typeface) i16(at int) float64 { return float64(int16(f.u16(at))) }
func (f *typeface) offset(at int) int  { return int(binary.BigEndian.Uint32(f.data[at:])) }

// letter returns the number of the outline of r, 0 if the font lacks r.
func (f *typeface) letter(r rune) int {
	if r > 0xffff {
		return 0
	}
	segments := int(f.u16(f.cmap+6)) / 2
	ends := f.cmap + 14
	starts := ends + 2*segments + 2
	deltas, ranges := starts+2*segments, starts+4*segments
	for i := range segments {
		if int(f.u16(ends+2*i)) < int(r) {
			continue
		}
		start := int(f.u16(starts + 2*i))
		if start > int(r) {
			return 0
		}
		delta := int(f.u16(deltas + 2*i))
		at := int(f.u16(ranges + 2*i))
		if at == 0 {
			return (int(r) + delta) & 0xffff
		}
		g := int(f.u16(ranges + 2*i + at + 2*(int(r)-start)))
		if g == 0 {
			return 0
		}
		return (g + delta) & 0xffff
	}
	return 0
}

// advance returns how far the next letter is, in parts of the size.
func (f *typeface) advance(letter int) float64 {
	return float64(f.u16(f.hmtx+4*min(letter, f.advances-1))) / f.unitsPerEm
}

// width returns the width of a text in the unit of size.
func (f *typeface) width(text string, size float64) float64 {
	w := 0.0
	for _, r := range text {
		w += f.advance(f.letter(r)) * size
	}
	return w
}

// The steps of an outline: to a first point, straight or around a control point to a next one, and
// back to the first.
const (
	moveTo = iota
	lineTo
	quadTo
	closePath
)

// outline draws a text from (0, 0) along x, with y downwards. A step to a point may have a control point
// before it (quadTo).
func (f *typeface) outline(text string, size float64, step func(op byte, p [4]float64)) {
	x := 0.0
	for _, r := range text {
		g := f.letter(r)
		f.letterOutline(g, x, 0, size/f.unitsPerEm, step, 0)
		x += f.advance(g) * size
	}
}

// maxNesting bounds letters that are made of others, as Ä is.
const maxNesting = 4

func (f *typeface) letterOutline(g int, x, y, scale float64, step func(op byte, p [4]float64), nesting int) {
	from, to := f.place(g), f.place(g+1)
	if from == to || nesting > maxNesting {
		return
	}
	at := f.glyf + from
	contours := int(f.i16(at))
	at += 10
	if contours < 0 {
		f.composite(at, x, y, scale, step, nesting)
		return
	}
	ends := make([]int, contours)
	for i := range ends {
		ends[i] = int(f.u16(at + 2*i))
	}
	at += 2 * contours
	at += 2 + int(f.u16(at)) // hints
	points := f.points(at, ends)
	first := 0
	for _, end := range ends {
		contour(points[first:end+1], x, y, scale, step)
		first = end + 1
	}
}

func (f *typeface) place(g int) int {
	if f.longLoca {
		return f.offset(f.loca + 4*g)
	}
	return 2 * int(f.u16(f.loca+2*g))
}

// composite draws a letter that is made of others, each moved.
func (f *typeface) composite(at int, x, y, scale float64, step func(op byte, p [4]float64), nesting int) {
	const words, offsets, one, more, two, four = 1, 2, 8, 32, 64, 128
	for {
		flags, part := f.u16(at), int(f.u16(at+2))
		at += 4
		var dx, dy float64
		if flags&words != 0 {
			dx, dy = f.i16(at), f.i16(at+2)
			at += 4
		} else {
			dx, dy = float64(int8(f.data[at])), float64(int8(f.data[at+1]))
			at += 2
		}
		if flags&offsets == 0 {
			dx, dy = 0, 0
		}
		switch {
		case flags&one != 0:
			at += 2
		case flags&two != 0:
			at += 4
		case flags&four != 0:
			at += 8
		}
		f.letterOutline(part, x+dx*scale, y-dy*scale, scale, step, nesting+1)
		if flags&more == 0 {
			return
		}
	}
}

// outlinePoint is on the outline, or a control point of it.
type outlinePoint struct {
	x, y float64
	on   bool
}

// points reads the points of a letter: flags with repetitions, then all x, then all y as differences.
func (f *typeface) points(at int, ends []int) []outlinePoint {
	if len(ends) == 0 {
		return nil
	}
	const onCurve, shortX, shortY, repeat, sameX, sameY = 1, 2, 4, 8, 16, 32
	n := ends[len(ends)-1] + 1
	flags := make([]byte, 0, n)
	for len(flags) < n {
		flag := f.data[at]
		at++
		flags = append(flags, flag)
		if flag&repeat != 0 {
			for range f.data[at] {
				flags = append(flags, flag)
			}
			at++
		}
	}
	points := make([]outlinePoint, n)
	read := func(short, same byte, set func(i int, v float64)) {
		v := 0.0
		for i := range n {
			switch {
			case flags[i]&short != 0:
				d := float64(f.data[at])
				if flags[i]&same == 0 {
					d = -d
				}
				v += d
				at++
			case flags[i]&same == 0:
				v += f.i16(at)
				at += 2
			}
			set(i, v)
		}
	}
	read(shortX, sameX, func(i int, v float64) { points[i].x = v })
	read(shortY, sameY, func(i int, v float64) { points[i].y = v })
	for i := range points {
		points[i].on = flags[i]&onCurve != 0
	}
	return points
}

// contour draws one ring: between two control points there is a point of the outline in the middle.
func contour(ring []outlinePoint, x, y, scale float64, step func(op byte, p [4]float64)) {
	n := len(ring)
	if n < 2 {
		return
	}
	middle := func(a, b outlinePoint) outlinePoint { return outlinePoint{(a.x + b.x) / 2, (a.y + b.y) / 2, true} }
	at := func(p outlinePoint) (float64, float64) { return x + p.x*scale, y - p.y*scale }
	start, first := ring[0], 1
	if !start.on {
		if start = ring[n-1]; !start.on {
			start = middle(ring[n-1], ring[0])
		}
		first = 0
	}
	px, py := at(start)
	step(moveTo, [4]float64{px, py})
	for i := range n {
		p, next := ring[(first+i)%n], ring[(first+i+1)%n]
		if i == n-1 {
			next = start
		}
		px, py = at(p)
		switch {
		case p.on:
			step(lineTo, [4]float64{px, py})
		case next.on:
			qx, qy := at(next)
			step(quadTo, [4]float64{px, py, qx, qy})
		default:
			qx, qy := at(middle(p, next))
			step(quadTo, [4]float64{px, py, qx, qy})
		}
	}
	step(closePath, [4]float64{})
}
