package png

import (
	"image"
	"math"

	"github.com/meadow-nav/meadow/draw"
)

// stroke is one straight piece of a line, in samples. Its ends are round, so pieces join.
type stroke struct {
	x0, y0, z0 float64
	dx, dy, dz float64
	half       float64 // half the width
	bias       float64 // metres
	onTop      bool
	color      draw.Color
	line       int32 // pieces of one line do not cover each other
}

// dot is a disc, in samples.
type dot struct {
	x, y, z float64
	radius  float64
	onTop   bool
	color   draw.Color
}

// touchBias lifts lines and points off the surface under them, in metres.
const touchBias = 0.01

func (s *scene) addLine(l *draw.Line, number int32) {
	if l.Color.A == 0 || !(l.Width > 0) || l.Width > 1e4 {
		return
	}
	n := float64(s.n)
	half := 0.5 * l.Width * n
	bias := l.Bias + touchBias + 0.5*l.Width/s.camera.Scale*s.camera.Slant()
	var last point
	have := false
	for i, p := range l.P {
		x, y, z := s.camera.Pixel(p)
		if !(math.Abs(x) < 1<<20 && math.Abs(y) < 1<<20 && z-z == 0) {
			have = false
			continue
		}
		at := point{x * n, y * n, z}
		if !have && i == len(l.P)-1 {
			last, have = at, true
		}
		if have {
			s.strokes = append(s.strokes, stroke{
				x0: last.x, y0: last.y, z0: last.z, dx: at.x - last.x, dy: at.y - last.y, dz: at.z - last.z,
				half: half, bias: bias, onTop: l.OnTop, color: l.Color, line: number,
			})
		}
		last, have = at, true
	}
}

func (s *scene) addPoint(p *draw.Point) {
	x, y, z := s.camera.Pixel(p.P)
	n := float64(s.n)
	if p.Color.A == 0 || !(p.Radius > 0) || p.Radius > 1e4 || !(math.Abs(x) < 1<<20 && math.Abs(y) < 1<<20 && z-z == 0) {
		return
	}
	s.dots = append(s.dots, dot{
		x: x * n, y: y * n, z: z + p.Bias + touchBias + p.Radius/s.camera.Scale*s.camera.Slant(),
		radius: p.Radius * n, onTop: p.OnTop, color: p.Color,
	})
}

func (k *stroke) rows() (first, last int) {
	low, high := math.Min(k.y0, k.y0+k.dy), math.Max(k.y0, k.y0+k.dy)
	return int(math.Floor(low - k.half - 1)), int(math.Ceil(high + k.half + 1))
}

func (d *dot) rows() (first, last int) {
	return int(math.Floor(d.y - d.radius - 1)), int(math.Ceil(d.y + d.radius + 1))
}

// columns returns the columns that the stroke can cover in a row: those of the round ends, narrowed
// to where the row passes the strip along the stroke.
func (k *stroke) columns(y float64, width int) (first, last int) {
	half := k.half + 1
	low := math.Min(k.x0, k.x0+k.dx) - half
	high := math.Max(k.x0, k.x0+k.dx) + half
	if math.Abs(k.dy) > 1e-9 {
		middle := k.x0 + (y-k.y0)/k.dy*k.dx
		reach := half * math.Hypot(k.dx, k.dy) / math.Abs(k.dy)
		low, high = math.Max(low, middle-reach), math.Min(high, middle+reach)
	}
	return max(int(math.Floor(low)), 0), min(int(math.Ceil(high)), width-1)
}

// strokes blends lines and then points over the band.
func (b *band) strokes() {
	s := b.s
	if pieces := s.strokeBins.Of(int32(b.index)); len(pieces) > 0 {
		b.line = make([]int32, len(b.depth))
		b.share = make([]uint8, len(b.depth))
		for _, i := range pieces {
			b.stroke(&s.strokes[i])
		}
	}
	for _, i := range s.dotBins.Of(int32(b.index)) {
		b.dot(&s.dots[i])
	}
}

func (b *band) stroke(k *stroke) {
	width := b.s.width
	length2 := float64(k.dx*k.dx) + float64(k.dy*k.dy)
	first, last := k.rows()
	for row := max(first, b.top); row <= min(last, b.top+b.rows-1); row++ {
		y := float64(row) + 0.5
		from, to := k.columns(y, width)
		base := (row - b.top) * width
		for x := from; x <= to; x++ {
			// The nearest point of the stroke decides distance and depth.
			px, py := float64(x)+0.5-k.x0, y-k.y0
			t := 0.0
			if length2 > 0 {
				t = math.Max(0, math.Min(1, (float64(px*k.dx)+float64(py*k.dy))/length2))
			}
			px, py = px-float64(t*k.dx), py-float64(t*k.dy)
			cover := k.half + 0.5 - math.Sqrt(float64(px*px)+float64(py*py))
			if cover <= 0 {
				continue
			}
			i := base + x
			if !k.onTop && float32(k.z0+float64(t*k.dz)+k.bias) < b.depth[i] {
				continue
			}
			b.cover(i, k, uint32(math.Min(1, cover)*float64(k.color.A)+0.5))
		}
	}
}

// cover raises the opacity with which a line covers a sample to share. Pieces of one line overlap at their
// ends; each blends only the share that earlier pieces left.
func (b *band) cover(i int, k *stroke, share uint32) {
	before := uint32(0)
	if b.line[i] == k.line {
		before = uint32(b.share[i])
	}
	if share <= before {
		return
	}
	blend(&b.color[i], k.color, 255*(share-before)/(255-before))
	b.line[i], b.share[i] = k.line, uint8(share)
}

func (b *band) dot(d *dot) {
	width := b.s.width
	first, last := d.rows()
	for row := max(first, b.top); row <= min(last, b.top+b.rows-1); row++ {
		py := float64(row) + 0.5 - d.y
		base := (row - b.top) * width
		from := max(int(math.Floor(d.x-d.radius-1)), 0)
		to := min(int(math.Ceil(d.x+d.radius+1)), width-1)
		for x := from; x <= to; x++ {
			px := float64(x) + 0.5 - d.x
			cover := d.radius + 0.5 - math.Sqrt(float64(px*px)+float64(py*py))
			if cover <= 0 || !d.onTop && float32(d.z) < b.depth[base+x] {
				continue
			}
			blend(&b.color[base+x], d.color, uint32(math.Min(1, cover)*float64(d.color.A)+0.5))
		}
	}
}

// resolve averages the samples of every pixel of the band into the picture.
func (b *band) resolve(img *image.RGBA) {
	s := b.s
	count := uint32(s.n * s.n)
	for y := 0; y < b.rows; y += s.n {
		at := img.PixOffset(0, (b.top+y)/s.n)
		for px := range s.camera.Width {
			var sum [3]uint32
			for j := range s.n {
				base := (y+j)*s.width + px*s.n
				for k := base; k < base+s.n; k++ {
					c := &b.color[k]
					sum[0] += uint32(c[0])
					sum[1] += uint32(c[1])
					sum[2] += uint32(c[2])
				}
			}
			img.Pix[at] = uint8((sum[0] + count/2) / count)
			img.Pix[at+1] = uint8((sum[1] + count/2) / count)
			img.Pix[at+2] = uint8((sum[2] + count/2) / count)
			img.Pix[at+3] = 255
			at += 4
		}
	}
}
