package exact

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// A layer with fused islands has floors of triangles of several layers: each island keeps the triangles of its former
// layer, and no others.

// origin is the part of a fused layer whose triangles are in one layer.
type origin struct {
	layer   int32
	islands []island
	*sides  // of the islands; nil for a single origin, which owns all places
}

// originsByLayer lists the origins of each layer after fusing, one for each former layer of its islands.
func originsByLayer(layers int, islands []island) [][]origin {
	origins := make([][]origin, layers)
	for _, p := range islands {
		os := origins[p.to]
		if n := len(os); n == 0 || os[n-1].layer != p.from {
			os = append(os, origin{layer: p.from})
		}
		o := &os[len(os)-1]
		o.islands = append(o.islands, p)
		origins[p.to] = os
	}
	for _, os := range origins {
		if len(os) < 2 {
			continue
		}
		for i := range os {
			os[i].sides = sidesOf(ringsIn(os[i].islands), 0)
		}
	}
	return origins
}

// originsOf returns the origins of a layer, nil if no layer was fused.
func (e *extraction) originsOf(layer int32) []origin {
	if e.origins == nil {
		return nil
	}
	return e.origins[layer]
}

// originAt returns the layer of the triangles at a place of a layer: the origin of the island that contains the place,
// else of the nearest island.
func (e *extraction) originAt(layer int32, p lattice.Point) int32 {
	os := e.originsOf(layer)
	if len(os) == 0 {
		return layer
	}
	best, least := os[0].layer, uint64(math.MaxUint64)
	if len(os) == 1 {
		return best
	}
	for i := range os {
		if os[i].contains(p) {
			return os[i].layer
		}
	}
	for _, o := range os {
		for i := range o.islands {
			if d := o.islands[i].Nearest(p).Distance2(p); d < least {
				best, least = o.layer, d
			}
		}
	}
	return best
}

// flooring is the share of a layer in the free part of a triangle, and whether the share is the whole triangle. The
// rings of a whole triangle may be nil.
type flooring struct {
	triangle int32
	rings    []lattice.Ring
	whole    bool
}

// flooringsOf lists the floorings of a layer on up to jobs goroutines, given the triangles of each layer before fusing.
func (e *extraction) flooringsOf(ctx context.Context, jobs int, layer int32, members *lists) ([]flooring, error) {
	if len(e.originsOf(layer)) == 0 {
		all := make([]flooring, len(members.Of(layer)))
		for i, t := range members.Of(layer) {
			if all[i] = (flooring{triangle: t, whole: e.whole(t)}); !all[i].whole {
				all[i].rings = e.rings(t)
			}
		}
		return all, nil
	}
	os := e.origins[layer]
	var out []flooring
	for i := range os {
		own := members.Of(os[i].layer)
		shares := make([]flooring, len(own))
		const chunk = 32
		err := par.For(ctx, jobs, (len(own)+chunk-1)/chunk, func(c int) error {
			for k := c * chunk; k < min((c+1)*chunk, len(own)); k++ {
				var err error
				if shares[k], err = e.share(os, i, own[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		out = append(out, slices.DeleteFunc(shares, func(f flooring) bool { return f.rings == nil })...)
	}
	return out, nil
}

// share returns the flooring of a triangle of origin number i, without rings if the layer has no share.
func (e *extraction) share(os []origin, i int, t int32) (flooring, error) {
	f := flooring{t, e.rings(t), e.whole(t)}
	b := *e.box(t)
	b.Low[2], b.High[2] = math.MinInt32, math.MaxInt32
	if wide := b.Grown(reach); !overlaps(os[i].islands, &wide) {
		return flooring{}, nil
	}
	border, covered := false, false
	v := &e.soup.Triangles[t].V
	beside := zoneOf(v, besideStorey)
	beside.box.Low[2], beside.box.High[2] = math.MinInt32, math.MaxInt32
	for k := range os {
		if k != i {
			os[k].each(&beside.box, func(_ int32, a, b lattice.Point) { border = border || beside.reachedBy(a, b) })
		}
	}
	for k := range os {
		covered = covered || !border && k != i && os[k].contains(f.rings[0][0])
	}
	switch {
	case covered: // no border of another origin is near, so another origin has the whole triangle
		return flooring{}, nil
	case !border:
		return f, nil
	}
	var others, along []lattice.Ring
	own := zoneOf(v, touching)
	for k := range os {
		if k != i {
			others = append(others, nearTriangle(ringsIn(os[k].islands), &own)...)
			along = os[k].appendBeside(along, &beside)
		}
	}
	a, err := overlay.Arrange(f.rings, others, along, nearTriangle(ringsIn(os[i].islands), &own))
	if err != nil {
		return flooring{}, err
	}
	defer a.Release()
	left := a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 && (w[2] <= 0 || w[3] > 0) })
	return flooring{t, ringsOf(left), false}, nil
}

// appendBeside appends the places within besideStorey of the borders of the islands in a zone. A floor of another
// origin at such a border would give the border a second height.
func (o *origin) appendBeside(rings []lattice.Ring, z *zone) []lattice.Ring {
	o.each(&z.box, func(_ int32, a, b lattice.Point) {
		if z.reachedBy(a, b) {
			rings = append(rings, around(a, b, besideStorey))
		}
	})
	return rings
}

// reachedBy reports whether an edge may reach a zone.
func (z *zone) reachedBy(a, b lattice.Point) bool { return z.outside(a)&z.outside(b) == 0 }

// bareOf returns the parts of a fused layer's domains without a floor of their own origin.
func bareOf(os []origin, domains []lattice.Ring, floors []eroded) ([]lattice.Polygon, error) {
	inputs := [][]lattice.Ring{domains}
	for i := range os {
		var others []lattice.Ring
		for k := range os {
			if k != i {
				others = append(others, ringsIn(os[k].islands)...)
			}
		}
		inputs = append(inputs, ringsOf(floors[os[i].layer].floor), others)
	}
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	return a.Polygons(func(w overlay.Winding) bool {
		if w[0] <= 0 {
			return false
		}
		for i := range os {
			if w[1+2*i] > 0 && w[2+2*i] <= 0 {
				return false
			}
		}
		return true
	}), nil
}

// overlaps reports whether a box overlaps the box of an island.
func overlaps(islands []island, b *box3) bool {
	for i := range islands {
		if c := &islands[i].box; b.Low[0] <= c.Max.X && c.Min.X <= b.High[0] && b.Low[1] <= c.Max.Y && c.Min.Y <= b.High[1] {
			return true
		}
	}
	return false
}

func ringsIn(islands []island) []lattice.Ring {
	var rings []lattice.Ring
	for i := range islands {
		rings = append(rings, islands[i].Rings...)
	}
	return rings
}
