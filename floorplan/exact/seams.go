package exact

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/internal/forest"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// Where two layers meet, the disc of the agent rests on both. The floor around a place where one steps
// from layer to layer is put together on its own, of all that one can step to from there within reach,
// whatever layer it is in; what is eroded there replaces what each layer's own erosion says.

// crossing is a group of links between the same two layers that are near each other.
type crossing struct {
	links []link
	boxes []box3 // what matters to each link
	box   box3   // and to all
}

// claim is what a crossing says of a layer: free is the layer's there, and yield another's, though both
// have a floor at the same height.
type claim struct{ free, yield []lattice.Ring }

// margin is how far, in units, the erosion around a crossing is trusted beyond the radius.
func (e *extraction) margin() int32 { return int32(e.radius+e.arcs) + 8*touching }

// groupCrossings groups the links between layers.
func (e *extraction) groupCrossings() []crossing {
	sets := forest.New(len(e.crossings))
	order := make([]int32, len(e.crossings))
	boxes := make([]box3, len(e.crossings))
	for i, c := range e.crossings {
		order[i] = int32(i)
		boxes[i] = boxOf(c.a, c.b).grown(2 * e.margin())
		// In height no farther than a slope leads and than half of the agent.
		up := int32(min(float64(2*e.margin())+e.climb, 0.5*e.height))
		boxes[i].low[2], boxes[i].high[2] = min(c.a.Z, c.b.Z)-up, max(c.a.Z, c.b.Z)+up
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(cmp.Compare(boxes[i].low[0], boxes[j].low[0]), cmp.Compare(i, j)) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			if boxes[j].low[0] > boxes[i].high[0] {
				break
			}
			if e.layersOf(i) == e.layersOf(j) && boxes[i].meets(&boxes[j]) {
				sets.Union(i, j)
			}
		}
	}
	at := map[int32]int{}
	var groups []crossing
	for i, c := range e.crossings {
		root := sets.Find(int32(i))
		g, ok := at[root]
		if !ok {
			g = len(groups)
			at[root] = g
			groups = append(groups, crossing{box: boxes[i]})
		}
		groups[g].links = append(groups[g].links, c)
		groups[g].boxes = append(groups[g].boxes, boxes[i])
		groups[g].box = groups[g].box.union(boxes[i])
	}
	return groups
}

// layersOf returns the two layers of a link between layers, the lower first.
func (e *extraction) layersOf(crossing int32) [2]int32 {
	c := &e.crossings[crossing]
	a, b := e.layer[c.from], e.layer[c.to]
	return [2]int32{min(a, b), max(a, b)}
}

// matters reports whether a box has a part near a link of the crossing.
func (c *crossing) matters(b *box3) bool {
	if !c.box.meets(b) {
		return false
	}
	for i := range c.boxes {
		if c.boxes[i].meets(b) {
			return true
		}
	}
	return false
}

// claims erodes the floor around every crossing and divides it among the layers.
func (e *extraction) claims(ctx context.Context, jobs int) ([]claim, error) {
	groups := e.groupCrossings()
	found := make([][]claim, len(groups))
	err := par.For(ctx, jobs, len(groups), func(g int) error {
		var err error
		if found[g], err = e.claimsOf(&groups[g]); err != nil {
			return fmt.Errorf("seam %d: %w", g, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := make([]claim, e.layers)
	for _, cs := range found {
		for l, c := range cs {
			all[l].free = append(all[l].free, c.free...)
			all[l].yield = append(all[l].yield, c.yield...)
		}
	}
	return all, nil
}

func (e *extraction) claimsOf(c *crossing) ([]claim, error) {
	whole, floors, err := e.around(c)
	if err != nil {
		return nil, err
	}
	// The floor is known for two margins around the links, and beyond that the radius does not reach
	// the zone: any border there will do.
	low, high := c.box.low, c.box.high
	near := lattice.Ring{{X: clamp(low[0]), Y: clamp(low[1])}, {X: clamp(high[0]), Y: clamp(low[1])}, {X: clamp(high[0]), Y: clamp(high[1])}, {X: clamp(low[0]), Y: clamp(high[1])}}
	floor, err := overlay.Intersection(whole.floor, []lattice.Ring{near})
	if err != nil {
		return nil, err
	}
	whole.floor = ringsOf(floor)
	local, err := e.inset(whole)
	if err != nil {
		return nil, err
	}
	// The layers here, in order, so that only these are inputs.
	var layers []int32
	inputs := [][]lattice.Ring{e.zone(c), ringsOf(local.free)}
	for l := range floors {
		if len(floors[l]) > 0 {
			layers = append(layers, int32(l))
			inputs = append(inputs, floors[l])
		}
	}
	a, err := overlay.Arrange(inputs...)
	if err != nil {
		return nil, err
	}
	// first returns the first layer that has a floor at a place, -1 where none has.
	first := func(w overlay.Winding) int32 {
		for k := range layers {
			if w[2+k] > 0 {
				return int32(k)
			}
		}
		return -1
	}
	claims := make([]claim, e.layers)
	for k, l := range layers {
		k := int32(k)
		claims[l].free = ringsOf(a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] > 0 && first(w) == k }))
		claims[l].yield = ringsOf(a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[2+k] > 0 && first(w) != k }))
	}
	// A crack goes to the layer that it has most of its border in common with.
	cracks := a.Outlines(func(w overlay.Winding) bool { return w[0] > 0 && w[1] > 0 && first(w) < 0 },
		func(_, _ lattice.Point, right overlay.Winding) int32 { return first(right) })
	for i := range cracks {
		if k := mostBorder(&cracks[i], len(layers)); k >= 0 {
			claims[layers[k]].free = append(claims[layers[k]].free, cracks[i].Rings...)
		}
	}
	return claims, nil
}

// mostBorder returns the label from 0 to n that most of the border of an outline has, -1 where none of it has any.
func mostBorder(o *overlay.Outline, n int) int {
	length := make([]float64, n)
	best := -1
	for r, ring := range o.Rings {
		for i, p := range ring {
			k := int(o.Labels[r][i])
			if k < 0 {
				continue
			}
			length[k] += p.Distance(ring[(i+1)%len(ring)])
		}
	}
	for k, d := range length {
		if d > 0 && (best < 0 || d > length[best]) {
			best = k
		}
	}
	return best
}

// zone returns what is within a margin of the links of a crossing, without rings inside of others: links
// of both sides of a seam are much the same.
func (e *extraction) zone(c *crossing) []lattice.Ring {
	var zone []lattice.Ring
	for _, k := range c.links {
		ring := around(k.a.Point, k.b.Point, e.margin())
		in := func(outer lattice.Ring) bool {
			return !slices.ContainsFunc(ring, func(p lattice.Point) bool { return outer.Locate(p) == lattice.Outside })
		}
		if !slices.ContainsFunc(zone, in) {
			zone = append(zone, ring)
		}
	}
	return zone
}

// around returns the floor that links lead to from a crossing, as far as it matters, and by layer.
func (e *extraction) around(c *crossing) (whole territory, floors [][]lattice.Ring, err error) {
	seen := map[int32]bool{}
	var front []int32
	reach := func(t int32) {
		if !seen[t] && e.layer[t] != unassigned && c.matters(&e.tree.boxes[t]) {
			seen[t] = true
			front = append(front, t)
		}
	}
	for _, k := range c.links {
		reach(k.from)
		reach(k.to)
	}
	floors = make([][]lattice.Ring, e.layers)
	for len(front) > 0 {
		t := front[0]
		front = front[1:]
		rings, err := e.floorNear(t, c)
		if err != nil {
			return whole, nil, err
		}
		whole.floor = append(whole.floor, rings...)
		whole.blocked = append(whole.blocked, e.exposed[t].blocked...)
		floors[e.layer[t]] = append(floors[e.layer[t]], rings...)
		for _, n := range e.linked.of(t) {
			reach(n)
		}
		for _, r := range e.rimsOf(t) {
			for _, s := range r.ledges {
				whole.blocked = append(whole.blocked, slit(s[0], s[1]))
			}
		}
	}
	return whole, floors, nil
}

// floorNear returns the part of a triangle's floor that is near a crossing, in height too: large triangles
// reach other storeys.
func (e *extraction) floorNear(t int32, c *crossing) ([]lattice.Ring, error) {
	x := &e.exposed[t]
	b := &e.tree.boxes[t]
	var parts []lattice.Ring
	p := pieceOf(&e.soup.Triangles[t].V)
	for i := range c.boxes {
		near := &c.boxes[i]
		if !near.meets(b) {
			continue
		}
		if near.low[2] <= b.low[2] && b.high[2] <= near.high[2] {
			return x.rings, nil // all of it, seen from above it is cut off anyway
		}
		if in := p.within(near); in.area2() > 0 {
			parts = append(parts, in.footprint(0))
		}
	}
	cut, err := overlay.Intersection(x.rings, parts)
	return ringsOf(cut), err
}

// rimsOf returns the rims of a triangle.
func (e *extraction) rimsOf(t int32) []rim {
	first, _ := slices.BinarySearchFunc(e.rims, t, func(r rim, t int32) int { return cmp.Compare(r.triangle, t) })
	end := first
	for end < len(e.rims) && e.rims[end].triangle == t {
		end++
	}
	return e.rims[first:end]
}
