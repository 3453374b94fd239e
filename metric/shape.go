package metric

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// Homogeneity is metric 5 (section 6.5): for every region the longer side of its box divided by the shorter side, minus
// one; negative for a region higher, from south to north, than wide. Zero is a region as wide as high. The value is the
// root mean square, which is small if both the mean and the spread are near zero, as the source demands. The source's
// tables have the mean, in which wide and high regions cancel out. The distribution has its box plot.
type Homogeneity struct {
	Value Number `json:"value"` // the root mean square
	Mean  Number `json:"mean"`  // with its sign; nearer to zero is better
	// Longest is the longer side over the shorter side of the most oblong region, 1 or more.
	Longest      Number       `json:"longest"`
	Distribution Distribution `json:"distribution"`
}

func (v *view) homogeneity() Homogeneity {
	ratios := v.ratios()
	square := 0.0
	for _, r := range ratios {
		square += float64(r * r)
	}
	h := Homogeneity{Value: unknown, Longest: unknown, Distribution: describe(ratios)}
	if n := len(ratios); n > 0 {
		h.Value = Number(math.Sqrt(square / float64(n)))
		h.Longest = 1 + max(-h.Distribution.Min, h.Distribution.Max)
	}
	h.Mean = h.Distribution.Mean
	return h
}

// ratios are the values of all regions.
func (v *view) ratios() []float64 {
	ratios := make([]float64, len(v.rings))
	for i, ring := range v.rings {
		box := lattice.EmptyBox()
		for _, c := range ring {
			box = box.Extend(c.Point)
		}
		width, height := box.Size()
		switch w, h := float64(width), float64(height); {
		case len(ring) == 0 || w == h || w == 0 || h == 0:
			ratios[i] = 0 // no shape without an extent; only faulty meshes have such regions
		case w > h:
			ratios[i] = w/h - 1
		default:
			ratios[i] = 1 - h/w
		}
	}
	return ratios
}

// MinimumAngle is metric 7 (section 6.7): of every region its smallest interior angle, in degrees. The value is the
// mean; larger is better.
type MinimumAngle struct {
	Value Number `json:"value"`
	// Acute is the number of regions below 10°, a problem in any number according to the source.
	Acute        int          `json:"below_10_degrees"`
	Distribution Distribution `json:"distribution"`
	// Histogram has groups of Options.AngleStep over (0, 90]; the last group may be narrower. One more group takes
	// larger angles, of regions with many corners, if any exist.
	Histogram []Bin `json:"histogram"`
}

func (v *view) minimumAngle(opt *Options) MinimumAngle {
	a := MinimumAngle{Histogram: []Bin{}}
	for low := 0.0; low < 90; low += opt.AngleStep {
		a.Histogram = append(a.Histogram, Bin{Low: Number(low), High: Number(min(low+opt.AngleStep, 90))})
	}
	angles := v.angles()
	for _, least := range angles {
		if least < 10 {
			a.Acute++
		}
		g := 0
		for g < len(a.Histogram) && least > float64(a.Histogram[g].High) {
			g++
		}
		if g == len(a.Histogram) {
			a.Histogram = append(a.Histogram, Bin{Low: 90, High: 180})
		}
		a.Histogram[g].Count++
	}
	a.Distribution = describe(angles)
	a.Value = a.Distribution.Mean
	return a
}

// angles are the smallest interior angles of all regions.
func (v *view) angles() []float64 {
	angles := make([]float64, len(v.rings))
	for i, ring := range v.rings {
		angles[i] = 180
		for k := range ring {
			angles[i] = min(angles[i], angleAt(ring, k))
		}
	}
	return angles
}

// cornerAt returns the corner of a ring with the given number.
func cornerAt(ring []lattice.Vertex, k int) shape.Corner {
	n := len(ring)
	return shape.At(ring[(k+n-1)%n].Point, ring[k].Point, ring[(k+1)%n].Point)
}

// angleAt returns the interior angle at a corner in degrees, see [shape.Corner.Degrees].
func angleAt(ring []lattice.Vertex, k int) float64 { return cornerAt(ring, k).Degrees() }

// points returns the corners of a ring without their heights.
func points(ring []lattice.Vertex) lattice.Ring {
	r := make(lattice.Ring, len(ring))
	for i := range ring {
		r[i] = ring[i].Point
	}
	return r
}
