package metric

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// CommonVertices is metric 6 (section 6.6): at every place with a vertex of a region, the number of regions with a
// vertex. The value is the mean; fewer are better, with a peak at two.
type CommonVertices struct {
	Value        Number       `json:"value"`
	Distribution Distribution `json:"distribution"`
	// Histogram counts the places with 0, 1, 2 … vertices; no place has 0.
	Histogram []int `json:"histogram"`
}

func commonVertices(places [][]cornerRef) CommonVertices {
	counts := make([]int, len(places))
	for i := range places {
		counts[i] = len(places[i])
	}
	c := CommonVertices{Distribution: describe(floats(counts)), Histogram: tally(counts, 1<<30)}
	c.Value = c.Distribution.Mean
	return c
}

// cornerRef identifies a corner of a region.
type cornerRef struct{ region, corner int }

// places groups the corners of all regions at one place: the same point of the lattice, and heights in steps of at most
// the agent's climb. Storeys are separate places; the two sides of a seam are the same place. Places are in the order
// of their points and heights. Time O(n log n).
func (v *view) places() [][]cornerRef {
	var all []cornerRef
	for r, ring := range v.rings {
		for k := range ring {
			all = append(all, cornerRef{r, k})
		}
	}
	vertex := func(c cornerRef) lattice.Vertex { return v.rings[c.region][c.corner] }
	slices.SortStableFunc(all, func(a, b cornerRef) int {
		p, q := vertex(a), vertex(b)
		return cmp.Or(p.Compare(q.Point), cmp.Compare(p.Z, q.Z))
	})
	climb := toUnits(v.mesh.Agent.MaxClimb) + 1 // rounding of both heights
	var out [][]cornerRef
	for i := range all {
		if i > 0 {
			p, q := vertex(all[i-1]), vertex(all[i])
			if p.Point == q.Point && int64(q.Z)-int64(p.Z) <= climb {
				out[len(out)-1] = append(out[len(out)-1], all[i])
				continue
			}
		}
		out = append(out, []cornerRef{all[i]})
	}
	return out
}

// tJunctions counts the vertices where a portal ends in the middle of a straight side: a region ends there and its
// neighbour does not.
func (v *view) tJunctions() int {
	n := 0
	for i := range v.mesh.Tiles {
		t := &v.mesh.Tiles[i]
		in := make([]bool, len(t.Vertices))
		for r := range t.Regions {
			ring := v.rings[v.base[i]+r]
			for _, p := range t.RegionPortals(r) {
				for _, end := range [2]uint32{p.Left, p.Right} {
					if !in[end] && !hasCorner(ring, t.Vertices[end]) {
						in[end] = true
						n++
					}
				}
			}
		}
	}
	return n
}

func hasCorner(ring []lattice.Vertex, p lattice.Vertex) bool {
	return slices.ContainsFunc(ring, func(c lattice.Vertex) bool { return c.Point == p.Point })
}
