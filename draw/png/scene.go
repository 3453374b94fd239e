package png

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/rows"
)

// scene is a display list put before a camera, ready to be drawn band by band.
type scene struct {
	camera *draw.Camera
	n      int // samples along a pixel's side
	width  int // samples of a row
	paper  [3]uint8
	sky    *sky // nil: no shadows

	faces   []face   // opaque, in the order of the list
	glass   []face   // translucent, from back to front
	casters []caster // triangles that throw shadows, also outside the picture
	strokes []stroke
	dots    []dot

	faceBins, glassBins, strokeBins, dotBins rows.Rows[int32]
}

// point is a position in camera directions: metres to the right, up, and towards the viewer.
type point struct{ x, y, z float64 }

func (p point) dot(q point) float64 {
	return float64(p.x*q.x) + float64(p.y*q.y) + float64(p.z*q.z)
}

func (p point) add(q point) point { return point{p.x + q.x, p.y + q.y, p.z + q.z} }

func (p point) cross(q point) point {
	return point{
		float64(p.y*q.z) - float64(p.z*q.y),
		float64(p.z*q.x) - float64(p.x*q.z),
		float64(p.x*q.y) - float64(p.y*q.x),
	}
}

func (p point) scale(s float64) point { return point{p.x * s, p.y * s, p.z * s} }

func newScene(camera *draw.Camera, list *draw.List, view draw.View) *scene {
	s := &scene{camera: camera, n: samplesPerSide(camera), paper: [3]uint8{255, 255, 255}}
	s.width = s.n * camera.Width
	if view.Background != (draw.Color{}) {
		s.paper = [3]uint8{view.Background.R, view.Background.G, view.Background.B}
	}
	s.faces = make([]face, 0, len(list.Triangles))
	var order []int // middle depths of glass are sorted with their places
	var depth []float64
	shape := int32(0)
	for i := range list.Triangles {
		t := &list.Triangles[i]
		if t.Fill.A == 0 {
			continue
		}
		corners := s.place(t)
		if view.Shadows && t.Lit && t.Fill.A == 255 && finite(corners) {
			s.casters = append(s.casters, caster{corners, t.OneSided})
		}
		f, ok := newFace(camera, t, s.n)
		if !ok {
			continue
		}
		f.light = camera.Light(t)
		if t.Fill.A == 255 {
			s.faces = append(s.faces, f)
			continue
		}
		if i == 0 || list.Triangles[i-1].Fill != t.Fill || t.Lit {
			shape++
		}
		f.color, f.shape = f.light.Color(1, 1), shape
		order = append(order, len(s.glass))
		depth = append(depth, corners[0].z+corners[1].z+corners[2].z)
		s.glass = append(s.glass, f)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depth[a], depth[b]) })
	sorted := make([]face, len(order))
	for i, k := range order {
		sorted[i] = s.glass[k]
	}
	s.glass = sorted
	for i := range list.Lines {
		s.addLine(&list.Lines[i], int32(i+1))
	}
	for i := range list.Points {
		s.addPoint(&list.Points[i])
	}
	return s
}

// place returns the corners of t in camera directions.
func (s *scene) place(t *draw.Triangle) (corners [3]point) {
	for k, p := range t.P {
		x, y, z := s.camera.Pixel(p)
		corners[k] = s.metres(x, y, z)
	}
	return corners
}

// finite reports whether no coordinate is NaN or infinite.
func finite(corners [3]point) bool {
	sum := 0.0
	for _, p := range corners {
		sum += p.x - p.x + p.y - p.y + p.z - p.z
	}
	return sum == 0
}

// metres is the position in camera directions of a place in the picture.
func (s *scene) metres(x, y, depth float64) point {
	return point{
		(x - 0.5*float64(s.camera.Width)) / s.camera.Scale,
		(0.5*float64(s.camera.Height) - y) / s.camera.Scale,
		depth,
	}
}

// directions turns a world direction into camera directions.
func (s *scene) directions(v geom.Vec) point {
	return point{v.Dot(s.camera.Right), v.Dot(s.camera.Up), v.Dot(s.camera.Toward)}
}

// newBins lists for each band of the given number of sample rows the items that touch the band, in order. The function
// limits returns the first and the last sample row of an item; an item with last < first touches no band.
func newBins(bands, rowsPerBand, n int, limits func(i int) (first, last int)) rows.Rows[int32] {
	return rows.New(bands, func(add func(band, item int32)) {
		for i := range n {
			first, last := limits(i)
			if last < 0 || first >= bands*rowsPerBand || last < first {
				continue
			}
			for k := max(first, 0) / rowsPerBand; k <= min(last/rowsPerBand, bands-1); k++ {
				add(int32(k), int32(i))
			}
		}
	})
}

func (s *scene) bin(bands int) {
	perBand := bandRows * s.n
	visible := func(faces []face) func(i int) (int, int) {
		return func(i int) (int, int) {
			if left, right := faces[i].columns(); right < 0 || left >= s.width {
				return 0, -1
			}
			return faces[i].rows()
		}
	}
	s.faceBins = newBins(bands, perBand, len(s.faces), visible(s.faces))
	s.glassBins = newBins(bands, perBand, len(s.glass), visible(s.glass))
	s.strokeBins = newBins(bands, perBand, len(s.strokes), func(i int) (int, int) { return s.strokes[i].rows() })
	s.dotBins = newBins(bands, perBand, len(s.dots), func(i int) (int, int) { return s.dots[i].rows() })
}

// band is a strip of rows while it is drawn. Sample (i, j) of it is at j·width + i.
type band struct {
	s     *scene
	index int
	top   int // first row of samples
	rows  int
	depth []float32
	face  []int32 // the opaque face seen, -1 for none
	color [][3]uint8
	line  []int32 // the line that covered the sample last, 0 for none
	share []uint8 // and its coverage
}

func newBand(s *scene, index int) *band {
	b := &band{s: s, index: index, top: index * bandRows * s.n}
	b.rows = min(bandRows*s.n, s.camera.Height*s.n-b.top)
	size := b.rows * s.width
	b.depth = make([]float32, size)
	b.face = make([]int32, size)
	b.color = make([][3]uint8, size)
	far := float32(math.Inf(-1))
	for i := range b.depth {
		b.depth[i] = far
		b.face[i] = -1
	}
	return b
}

// opaque lets the opaque faces compete for the samples.
func (b *band) opaque() {
	width := b.s.width
	for _, i := range b.s.faceBins.Of(int32(b.index)) {
		f := &b.s.faces[i]
		first, last := f.rows()
		for row := max(first, b.top); row <= min(last, b.top+b.rows-1); row++ {
			from, to := f.span(row, width)
			base := (row - b.top) * width
			z := f.z + float64(float64(row)*f.zy)
			for x := from; x <= to; x++ {
				d := float32(z + float64(float64(x)*f.zx))
				if d >= b.depth[base+x] {
					b.depth[base+x] = d
					b.face[base+x] = i
				}
			}
		}
	}
}

// shade turns the faces seen into colours. With shadows, the light is measured once for every face
// in every pixel, at the sample where the face is met first.
func (b *band) shade() {
	s := b.s
	samples := make([]skySample, s.camera.Width/2+1) // one for two by two pixels
	for y := 0; y < b.rows; y += s.n {
		for px := range s.camera.Width {
			near := &samples[px/2]
			near.stale = near.stale || px%2 == 0 && y/s.n%2 == 0
			last, color := int32(-1), s.paper
			for j := range s.n {
				base := (y + j) * s.width
				for k := base + px*s.n; k < base+px*s.n+s.n; k++ {
					if i := b.face[k]; i != last {
						last, color = i, s.paper
						if i >= 0 {
							color = s.shadeSample(near, i, k-base, b.top+y+j, b.depth[k])
						}
					}
					b.color[k] = color
				}
			}
		}
	}
}

// skySample is a measurement of the skylight. It changes slowly, so two by two pixels share a sample if their
// faces have about the same direction and depth.
type skySample struct {
	stale  bool
	part   float64
	normal point
	depth  float64
}

// shadeSample returns the colour of face i at a sample.
func (s *scene) shadeSample(near *skySample, i int32, column, row int, depth float32) [3]uint8 {
	light := &s.faces[i].light
	sun, sky := 1.0, 1.0
	if s.sky != nil && light.Lit {
		at, normal := s.sample(column, row, depth), s.directions(light.Normal)
		sun = s.sky.ofSun(at, normal)
		const pixels = 4
		if near.stale || near.part == 0 || near.normal.dot(normal) < 0.9 || math.Abs(at.z-near.depth)*s.camera.Scale > pixels {
			*near = skySample{part: s.sky.ofSky(at, normal), normal: normal, depth: at.z}
		}
		sky = near.part
	}
	c := light.Color(sun, sky)
	return [3]uint8{c.R, c.G, c.B}
}

// sample is the position in camera directions of the middle of a sample.
func (s *scene) sample(column, row int, depth float32) point {
	n := float64(s.n)
	return s.metres((float64(column)+0.5)/n, (float64(row)+0.5)/n, float64(depth))
}

// translucent blends the translucent faces over their background.
func (b *band) translucent() {
	faces := b.s.glassBins.Of(int32(b.index))
	if len(faces) == 0 {
		return
	}
	width := b.s.width
	shape := make([]int32, len(b.depth)) // blended last
	for _, i := range faces {
		f := &b.s.glass[i]
		first, last := f.rows()
		for row := max(first, b.top); row <= min(last, b.top+b.rows-1); row++ {
			from, to := f.span(row, width)
			base := (row - b.top) * width
			z := f.z + float64(float64(row)*f.zy)
			for x := from; x <= to; x++ {
				if shape[base+x] != f.shape && float32(z+float64(float64(x)*f.zx)) >= b.depth[base+x] {
					shape[base+x] = f.shape
					blend(&b.color[base+x], f.color, uint32(f.color.A))
				}
			}
		}
	}
}

// blend lays c over dst with an opacity of 0 to 255.
func blend(dst *[3]uint8, c draw.Color, opacity uint32) {
	mix := func(under, over uint8) uint8 {
		return uint8((uint32(under)*(255-opacity) + uint32(over)*opacity + 127) / 255)
	}
	dst[0], dst[1], dst[2] = mix(dst[0], c.R), mix(dst[1], c.G), mix(dst[2], c.B)
}
