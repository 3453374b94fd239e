package levelgen

import (
	"math"
	"math/rand/v2"
)

// makeTerrain builds a height field with samples every metre (every 2 m above 512 m): gentle hills from four
// octaves of value noise, and cliffs of 4 m where a slower noise crosses its middle. Sides and bottom
// complete a solid. The surface is about 85 % walkable at 45°.
func makeTerrain(b *builder, opt Options, r *rand.Rand) {
	step := 1.0
	if opt.Size > 512 {
		step = 2
	}
	n := int(opt.Size / step)
	noise := newNoise(r)
	half := snap(float64(n) * step / 2)

	heights := make([]float64, (n+1)*(n+1))
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := float64(i)*step, float64(j)*step
			hills := 0.0
			for octave, wave := range []float64{48, 24, 12, 6} {
				hills += float64(noise.at(x/wave+float64(17*octave), y/wave) * wave * 0.16)
			}
			// A steep ramp of the slow noise makes plateaus; its steep parts are cliffs.
			shelf := noise.at(x/40+101, y/40) * 40
			shelf = math.Max(-1, math.Min(1, shelf/1.5))
			heights[j*(n+1)+i] = snap(hills + float64(2*shelf))
		}
	}
	b.object("terrain")
	b.heightField(pt{-half, -half}, step, n, n, heights, -16, skin{"grass", "rock"})
}

// heightField adds the closed solid under a grid of (nx+1)·(ny+1) heights, row after row from the
// south-west corner on, with a flat bottom.
func (b *builder) heightField(at pt, step float64, nx, ny int, heights []float64, bottom float64, s skin) {
	row := nx + 1
	var corners []vec
	for j := range ny + 1 {
		for i := range row {
			corners = append(corners, vec{at.x + float64(i)*step, at.y + float64(j)*step, heights[j*row+i]})
		}
	}
	b.sheet(corners, nx, ny, bottom, func(_, _ int, top bool) string {
		if top {
			return s.top
		}
		return s.side
	})
}

// sheet adds the closed solid under a grid of (nx+1)·(ny+1) corners, row after row from the south-west corner on,
// with a flat bottom. Rows run from west to east and columns from south to north, not necessarily straight.
// material is asked for cell (i, j), and for sides and bottom as cell (-1, -1).
func (b *builder) sheet(corners []vec, nx, ny int, bottom float64, material func(i, j int, top bool) string) {
	row := nx + 1
	var faces [][3]int
	for j := range ny {
		for i := range nx {
			sw := j*row + i
			se, nw, ne := sw+1, sw+row, sw+row+1
			// The shorter diagonal, measured by height, keeps ridges and valleys smooth.
			if math.Abs(corners[sw].h-corners[ne].h) <= math.Abs(corners[se].h-corners[nw].h) {
				faces = append(faces, [3]int{sw, se, ne}, [3]int{sw, ne, nw})
			} else {
				faces = append(faces, [3]int{sw, se, nw}, [3]int{se, ne, nw})
			}
		}
	}

	// rim walks the border counter-clockwise; every rim corner has a bottom corner below.
	var rim []int
	for i := range nx {
		rim = append(rim, i)
	}
	for j := range ny {
		rim = append(rim, j*row+nx)
	}
	for i := range nx {
		rim = append(rim, ny*row+nx-i)
	}
	for j := range ny {
		rim = append(rim, (ny-j)*row)
	}
	foot := len(corners)
	for _, c := range rim {
		corners = append(corners, vec{corners[c].x, corners[c].y, bottom})
	}
	middle := len(corners)
	low, high := corners[0], corners[ny*row+nx]
	corners = append(corners, vec{low.x + (high.x-low.x)/2, low.y + (high.y-low.y)/2, bottom})
	for k := range rim {
		next := (k + 1) % len(rim)
		faces = append(faces,
			[3]int{rim[k], foot + k, foot + next}, [3]int{rim[k], foot + next, rim[next]},
			[3]int{foot + next, foot + k, middle})
	}
	b.patchwork(corners, faces, func(face int, top bool) string {
		if cell := face / 2; cell < nx*ny {
			return material(cell%nx, cell/nx, top)
		}
		return material(-1, -1, false)
	})
}

// noise is a smooth random function of the plane, between -1 and 1, with features of size 1.
type noise struct{ seed uint64 }

func newNoise(r *rand.Rand) noise { return noise{r.Uint64()} }

// at blends the values at the four integer points around (x, y) with weights whose first
// derivatives vanish there.
func (n noise) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	i, j := int64(fx), int64(fy)
	u, v := ease(x-fx), ease(y-fy)
	low := mix(n.value(i, j), n.value(i+1, j), u)
	high := mix(n.value(i, j+1), n.value(i+1, j+1), u)
	return mix(low, high, v)
}

func ease(t float64) float64 { return t * t * (3 - float64(2*t)) }

func mix(a, b, t float64) float64 { return a + float64((b-a)*t) }

// value hashes an integer point to [-1, 1): the finaliser of SplitMix64 over both coordinates.
func (n noise) value(i, j int64) float64 {
	z := n.seed + uint64(i)*0x9e3779b97f4a7c15 + uint64(j)*0xc2b2ae3d27d4eb4f
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(z>>11)/(1<<52) - 1
}
