package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Heights is the difference of two floors in height, over their common ground. The largest difference of two piecewise linear floors
// lies at a corner of a triangle of either, or where edges cross: the corners, the borders of pieces and steps along them are looked at.
type Heights struct {
	Mean    float64  `json:"mean_m"`
	Most    float64  `json:"most_m"` // of 95 % of the samples
	Max     float64  `json:"max_m"`
	At      geom.Vec `json:"at"` // of Max, metres
	Samples int      `json:"samples"`
	all     []float64
}

// stride is the distance of samples along borders, in lattice units: half a metre.
const stride = lattice.UnitsPerMetre / 2

// same reports whether two layers have one floor on a piece of ground, by most of the samples along its border, and adds
// the differences if so.
func (h *Heights) same(piece lattice.Polygon, a, b *floor, la, lb int, near float64) bool {
	votes := 0
	found := Heights{}
	for _, ring := range piece.Rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			dx, dy := float64(q.X)-float64(p.X), float64(q.Y)-float64(p.Y)
			steps := int(math.Sqrt(float64(dx*dx)+float64(dy*dy))/stride) + 1
			for k := range min(steps, 1<<12) {
				t := float64(k) / float64(steps)
				x, y := float64(p.X)+float64(t*dx), float64(p.Y)+float64(t*dy)
				za, ina := a.height(la, x, y)
				zb, inb := b.height(lb, x, y)
				switch d := math.Abs(za - zb); {
				case !ina || !inb: // over a crack
				case d <= near:
					votes++
					found.add(d, a.frame, x, y, za)
				default:
					votes--
				}
			}
		}
	}
	if votes <= 0 {
		return false
	}
	h.join(&found)
	h.inside(piece, a, b, la, lb, near)
	return true
}

// inside adds the differences at the corners of the triangles of both layers that lie inside of a common piece.
func (h *Heights) inside(piece lattice.Polygon, a, b *floor, la, lb int, near float64) {
	box := piece.Box()
	for _, corners := range [2][]lattice.Point{a.corners[la], b.corners[lb]} {
		first, _ := slices.BinarySearchFunc(corners, box.Min.X, func(p lattice.Point, x int32) int { return cmp.Compare(p.X, x) })
		for _, p := range corners[first:] {
			if p.X > box.Max.X {
				break
			}
			if p.Y < box.Min.Y || p.Y > box.Max.Y || !piece.Contains(p) {
				continue
			}
			x, y := float64(p.X), float64(p.Y)
			za, ina := a.heights[la].Height(x, y)
			zb, inb := b.heights[lb].Height(x, y)
			if d := math.Abs(za - zb); ina && inb && d <= near {
				h.add(d, a.frame, x, y, za)
			}
		}
	}
}

func (h *Heights) add(d float64, frame lattice.Frame, x, y, z float64) {
	d *= lattice.Unit
	h.all = append(h.all, d)
	if d > h.Max {
		h.Max, h.At = d, frame.FromLocal(x, y, z)
	}
}

func (h *Heights) join(other *Heights) {
	h.all = append(h.all, other.all...)
	if other.Max > h.Max {
		h.Max, h.At = other.Max, other.At
	}
}

// finish sums up the samples.
func (h *Heights) finish() {
	if h.Samples = len(h.all); h.Samples == 0 {
		return
	}
	slices.Sort(h.all)
	sum := 0.0
	for _, d := range h.all {
		sum += d
	}
	h.Mean, h.Most, h.all = sum/float64(h.Samples), h.all[h.Samples*95/100], nil
}
