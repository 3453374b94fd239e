package exact

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// A layer that islands were fused into has the floor of triangles of several layers, each where its islands are and
// none of the others'.

// origin is what a fused layer has of one of the layers that triangles are in.
type origin struct {
	layer   int32
	islands []island
	edges   [][2]lattice.Point // of the islands
	tree    *tree              // of the edges
}

// originsByLayer lists what each layer has after fusing, by the layer that it is from.
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
			continue // nobody asks whose a place is
		}
		for i := range os {
			o := &os[i]
			var boxes []box3
			for _, p := range o.islands {
				for _, ring := range p.Rings {
					for j, v := range ring {
						w := ring[(j+1)%len(ring)]
						o.edges = append(o.edges, [2]lattice.Point{v, w})
						boxes = append(boxes, boxOf(lattice.Vertex{Point: v}, lattice.Vertex{Point: w}))
					}
				}
			}
			o.tree = newTree(boxes, all)
		}
	}
	return origins
}

// contains reports whether a place is in one of the islands, or on its border: whether the way from there to the right
// crosses borders an odd number of times.
func (o *origin) contains(p lattice.Point) bool {
	way := box3{[3]int32{p.X, p.Y, math.MinInt32}, [3]int32{math.MaxInt32, p.Y, math.MaxInt32}}
	odd := false
	return o.tree.any(&way, func(i int32) bool {
		a, b := o.edges[i][0], o.edges[i][1]
		side := lattice.Orient(a, b, p)
		if side == 0 && lattice.OnSegment(p, a, b) {
			return true
		}
		if a.Y > p.Y != (b.Y > p.Y) && side > 0 == (b.Y > a.Y) {
			odd = !odd
		}
		return false
	}) || odd
}

// originsOf returns the origins of a layer that was fused, nil where each layer has what it had.
func (e *extraction) originsOf(layer int32) []origin {
	if e.origins == nil {
		return nil
	}
	return e.origins[layer]
}

// originAt returns the layer that the triangles at a place of a layer are in.
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

// flooring is what a layer has of the free part of a triangle, and whether that is all of the triangle. Then rings may be nil.
type flooring struct {
	triangle int32
	rings    []lattice.Ring
	whole    bool
}

// flooringsOf lists what a layer has of which triangles, given the triangles of each layer before fusing.
func (e *extraction) flooringsOf(layer int32, members *lists) ([]flooring, error) {
	if len(e.originsOf(layer)) == 0 {
		all := make([]flooring, len(members.of(layer)))
		for i, t := range members.of(layer) {
			if all[i] = (flooring{triangle: t, whole: e.whole(t)}); !all[i].whole {
				all[i].rings = e.rings(t)
			}
		}
		return all, nil
	}
	var out []flooring
	os := e.origins[layer]
	for i := range os {
		for _, t := range members.of(os[i].layer) {
			f, err := e.share(os, i, t)
			if err != nil {
				return nil, err
			}
			if f.rings != nil {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// share returns what a layer has of a triangle of one of its origins, number i, without rings where that is nothing.
func (e *extraction) share(os []origin, i int, t int32) (flooring, error) {
	f := flooring{t, e.rings(t), e.whole(t)}
	b := *e.box(t)
	b.low[2], b.high[2] = math.MinInt32, math.MaxInt32
	if wide := b.grown(reach); !overlaps(os[i].islands, &wide) {
		return flooring{}, nil
	}
	border, covered := false, false
	beside := e.box(t).grown(besideStorey)
	beside.low[2], beside.high[2] = math.MinInt32, math.MaxInt32
	for k := range os {
		border = border || k != i && os[k].tree.any(&beside, all32)
	}
	for k := range os {
		covered = covered || !border && k != i && os[k].contains(f.rings[0][0])
	}
	switch {
	case covered: // no border of the others is near: they have all of it
		return flooring{}, nil
	case !border:
		return f, nil
	}
	var others, along []lattice.Ring
	for k := range os {
		if k != i {
			others = append(others, nearby(ringsIn(os[k].islands), &b)...)
			along = os[k].appendBeside(along, &beside)
		}
	}
	a, err := overlay.Arrange(f.rings, others, along, nearby(ringsIn(os[i].islands), &b))
	if err != nil {
		return flooring{}, err
	}
	defer a.Release()
	left := a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 && (w[2] <= 0 || w[3] > 0) })
	return flooring{t, ringsOf(left), false}, nil
}

// appendBeside appends what is within besideStorey of the borders of the islands near a box. A floor of another origin that
// begins at such a border would be a second height of the border.
func (o *origin) appendBeside(rings []lattice.Ring, b *box3) []lattice.Ring {
	for _, n := range o.tree.search(b, nil) {
		e := o.edges[n.triangle]
		rings = append(rings, around(e[0], e[1], besideStorey))
	}
	return rings
}

// bareOf returns what of the domains of a fused layer is no floor of where they are from.
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

// overlaps reports whether the box of one of several islands overlaps another.
func overlaps(islands []island, b *box3) bool {
	for i := range islands {
		if c := &islands[i].box; b.low[0] <= c.Max.X && c.Min.X <= b.high[0] && b.low[1] <= c.Max.Y && c.Min.Y <= b.high[1] {
			return true
		}
	}
	return false
}

// ringsIn returns the rings of islands.
func ringsIn(islands []island) []lattice.Ring {
	var rings []lattice.Ring
	for i := range islands {
		rings = append(rings, islands[i].Rings...)
	}
	return rings
}
