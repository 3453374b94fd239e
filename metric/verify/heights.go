package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
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

// same returns those pieces of common ground of two parts that are one floor, by most of the samples along their borders, and adds their
// differences. A piece that is both one floor and two falls into the regions of the second part.
func (h *Heights) same(pieces []lattice.Polygon, a, b *floor, p, q *part, near float64) ([]lattice.Polygon, error) {
	var out []lattice.Polygon
	for _, piece := range pieces {
		found := Heights{}
		same, other := found.along(piece, a, b, p.layer, q.layer, near)
		if small := min(same, other); len(q.rings) > 1 && small > (same+other)/mixed {
			for k := range q.rings {
				if !lattice.BoxOf(q.rings[k]...).Overlaps(piece.Box()) {
					continue
				}
				of := *q
				of.rings = q.rings[k : k+1]
				parts, err := overlay.Intersection(piece.Rings, of.rings)
				if err != nil {
					return nil, err
				}
				if parts, err = h.same(parts, a, b, p, &of, near); err != nil {
					return nil, err
				}
				out = append(out, parts...)
			}
			continue
		}
		if same <= other {
			continue
		}
		h.join(&found)
		h.inside(piece, a, b, p.layer, q.layer, near)
		out = append(out, piece)
	}
	return out, nil
}

// mixed is the least share of the places of a piece, one in so many, that makes the piece both the same floor and another.
const mixed = 20

// along compares heights along the border of a common piece: same and other are the numbers of places at which the floors are near each
// other, and apart.
func (h *Heights) along(piece lattice.Polygon, a, b *floor, la, lb int, near float64) (same, other int) {
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
					same++
					h.add(d, a.frame, x, y, za)
				default:
					other++
				}
			}
		}
	}
	return same, other
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
