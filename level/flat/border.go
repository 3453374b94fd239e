// Card of the walkable area of a map of shapes:
//
// Source: the even-odd rule of vector graphics; faces of a planar subdivision after Muller and
// Preparata (1978), with the nesting of walks found by a segment tree as in de Berg, Cheong, van
// Kreveld, Overmars, Computational Geometry (2008), section 10.3.
//
// Idea: borders that do not cross divide the plane into faces, and every shape covers a face wholly or not at
// all. Counting from the outside finds the shapes over each face: a step across an edge enters or leaves the
// edge's shapes. The border of the walkable area consists of the edges with the area on one side only.
//
// Input: rings in any order and orientation. They may touch, run along each other, repeat points,
// turn back on themselves; unite.go takes maps where two edges cross inside of both.
//
// Guarantees:
//  1. a lattice point is inside of a domain iff it is inside of a free shape, or of several, and of no obstacle, by
//     even-odd on the rings as they are rounded to the lattice (TestAreaAgainstEvenOdd);
//  2. every domain is a valid polygon, no two share more than points, and every connected part of the
//     area is one domain (TestDomainsAreValid);
//  3. the same area is found whatever the order, orientation and first points of rings
//     (TestOrderDoesNotMatter).
//
// Degenerate cases: an edge that a shape has twice, such as a bridge to a hole of a ring, is no border;
// shapes with a common border are united across it; parts that meet in a point are apart; spikes and rings
// without area vanish.
//
// Cost: O(n log² n) for n edges and touches, plus the sum over edges of their shapes.
//
// Departures: none that show.

package flat

import "slices"

// border returns the border of the walkable area from edges that meet in their ends only: arcs with the area
// on their left. of gives the feature of each ring.
func (s *sketch) border(edges []edge, of []int) []arc {
	edges = oddEdges(edges, of)
	if len(edges) == 0 {
		return nil
	}
	var arcs []arc
	for i, e := range edges {
		if i == 0 || e.arc != edges[i-1].arc {
			arcs = append(arcs, e.arc, arc{e.to, e.from})
		}
	}
	c := cover{sketch: s, of: of, edges: edges, walks: trace(arcs)}
	return c.border()
}

// oddEdges directs all edges to the east, upright edges to the north, sorts them, and keeps one copy of each
// edge that a feature has an odd number of times.
func oddEdges(edges []edge, of []int) []edge {
	for i, e := range edges {
		if e.from.Compare(e.to) > 0 {
			edges[i].arc = arc{e.to, e.from}
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if c := compareArcs(a.arc, b.arc); c != 0 {
			return c
		}
		if c := of[a.ring] - of[b.ring]; c != 0 {
			return c
		}
		return int(a.ring - b.ring)
	})
	odd := edges[:0]
	for i := 0; i < len(edges); {
		e, n := edges[i], 0
		for ; i < len(edges) && edges[i].arc == e.arc && of[edges[i].ring] == of[e.ring]; i++ {
			n++
		}
		if n%2 == 1 {
			odd = append(odd, e)
		}
	}
	return odd
}

func compareArcs(a, b arc) int {
	if c := a.from.Compare(b.from); c != 0 {
		return c
	}
	return a.to.Compare(b.to)
}

// cover finds the features over each face.
type cover struct {
	*sketch
	*walks
	of    []int
	edges []edge // sorted by arc

	faceOf   []int32   // the face of each walk; 0 is the unbounded one
	around   [][]int32 // the walks of each face
	on       []bool    // by feature: does it cover the face in hand
	free     int       // how many free features are on
	obstacle int       // how many obstacles are on
	open     []bool    // by face: is it walkable
	seen     []bool    // by face
}

// having returns the edges equal to arc a in either direction, one for each feature.
func (c *cover) having(a arc) []edge {
	if a.from.Compare(a.to) > 0 {
		a = arc{a.to, a.from}
	}
	i, _ := slices.BinarySearchFunc(c.edges, a, func(e edge, a arc) int { return compareArcs(e.arc, a) })
	k := i
	for k < len(c.edges) && c.edges[k].arc == a {
		k++
	}
	return c.edges[i:k]
}

// twin returns the arc that runs against arc i.
func (c *cover) twin(i int32) int32 {
	a := arc{c.arcs[i].to, c.arcs[i].from}
	k, _ := slices.BinarySearchFunc(c.arcs, a, func(b, a arc) int {
		if d := b.from.Compare(a.from); d != 0 {
			return d
		}
		return compareDirections(a.from, b.to, a.to)
	})
	return int32(k)
}

// toggle crosses an arc.
func (c *cover) toggle(a arc) {
	for _, e := range c.having(a) {
		f := c.of[e.ring]
		c.on[f] = !c.on[f]
		step := -1
		if c.on[f] {
			step = 1
		}
		if c.features[f].obstacle {
			c.obstacle += step
		} else {
			c.free += step
		}
	}
}

// border walks over all faces from the unbounded one, depth first, and counts.
func (c *cover) border() []arc {
	c.faceOf = make([]int32, len(c.first))
	c.around = [][]int32{nil}
	for i, outer := range c.outer {
		if outer == int32(i) {
			c.faceOf[i] = int32(len(c.around))
			c.around = append(c.around, nil)
		}
	}
	for i, outer := range c.outer {
		if outer >= 0 {
			c.faceOf[i] = c.faceOf[outer]
		}
		c.around[c.faceOf[i]] = append(c.around[c.faceOf[i]], int32(i))
	}
	c.on = make([]bool, len(c.features))
	c.open = make([]bool, len(c.around))
	c.seen = make([]bool, len(c.around))
	c.count()
	var out []arc
	for i, a := range c.arcs {
		if c.open[c.faceOf[c.walk[i]]] && !c.open[c.faceOf[c.walk[c.twin(int32(i))]]] {
			out = append(out, a)
		}
	}
	return out
}

// step is a face on the way: its entry arc and its next arc.
type step struct {
	entered int32 // the arc that was crossed, -1 at the start
	arcs    []int32
}

// count visits every face. The way is a list and not a recursion, because it may be as long as the number of
// faces.
func (c *cover) count() {
	way := []step{{entered: -1, arcs: c.arcsAround(0)}}
	c.seen[0] = true
	for len(way) > 0 {
		top := &way[len(way)-1]
		if len(top.arcs) == 0 {
			if top.entered >= 0 {
				c.toggle(c.arcs[top.entered])
			}
			way = way[:len(way)-1]
			continue
		}
		i := top.arcs[0]
		top.arcs = top.arcs[1:]
		behind := c.faceOf[c.walk[c.twin(i)]]
		if c.seen[behind] {
			continue
		}
		c.seen[behind] = true
		c.toggle(c.arcs[i])
		c.open[behind] = c.free > 0 && c.obstacle == 0
		way = append(way, step{entered: i, arcs: c.arcsAround(behind)})
	}
}

func (c *cover) arcsAround(face int32) []int32 {
	var arcs []int32
	for _, w := range c.around[face] {
		c.each(w, func(i int32, _ arc) { arcs = append(arcs, i) })
	}
	return arcs
}
