package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Where layers meet, the disc of the agent rests on several. The floor around the steps from layer to layer is put
// together separately. All floor within reach by steps counts, in whatever layer.
//
// The method is right for any number of layers near each other. A place is free iff the disc around the place lies in
// the floor connected to the place, in whatever layers. Only floors over each other are difficult in the plan.
// Crossings of any layers are grouped, therefore, until the floor around each group lies nowhere over itself
// (crossings.go). The erosion of such a floor in the plane is the erosion of the surface. The result is right for every
// place within a margin of the group's links, because the floor is complete for two margins. A place farther than a
// margin from all links rests on a single layer, whose own erosion is right. Overlapping groups agree on every place.
// Where several layers have a floor at the same height, the first layer has the place, in all groups that see the
// place.

// claim is the verdict of a crossing on a layer. The layer has the places in free. Another layer with a floor at the
// same height has the places in yield.
type claim struct{ free, yield []lattice.Ring }

// gathered puts together, by layer, the claims of all crossings.
func (e *extraction) gathered(found [][]claim) []claim {
	all := make([]claim, e.layers)
	for _, cs := range found {
		for l, c := range cs {
			all[l].free = append(all[l].free, c.free...)
			all[l].yield = append(all[l].yield, c.yield...)
		}
	}
	return all
}

// claimsOf erodes the floor around a crossing and divides the result among the layers.
func (e *extraction) claimsOf(c *crossing, parts []clipped) ([]claim, error) {
	whole, floors, err := e.around(c, parts)
	if err != nil {
		return nil, err
	}
	if c.links = e.linksIn(c, &whole); len(c.links) == 0 {
		return nil, nil
	}
	return e.divided(c, whole, floors)
}

// divided is claimsOf with the floor around the crossing.
func (e *extraction) divided(c *crossing, whole territory, floors [][]lattice.Ring) ([]claim, error) {
	// Farther away the radius does not reach the zone: any border there will do.
	floor, err := overlay.Intersection(whole.floor, e.zone(c, 2*e.margin()))
	if err != nil {
		return nil, err
	}
	local, err := e.insetOf(floor, whole)
	if err != nil {
		return nil, err
	}
	if !e.isPoint() {
		if local.free, err = e.withoutHairs(local.free); err != nil {
			return nil, err
		}
	}
	// The layers here, in order: no others are inputs.
	var layers []int32
	inputs := [][]lattice.Ring{e.zone(c, e.margin()), ringsOf(local.free)}
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
	defer a.Release()
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
	cracks := a.Outlines(func(w overlay.Winding) bool { return w[0] > 0 && w[1] > 0 && first(w) < 0 },
		func(_, _ lattice.Point, right overlay.Winding) int32 { return first(right) })
	for i := range cracks {
		if err := e.claimCrack(c, &cracks[i], layers, claims); err != nil {
			return nil, err
		}
	}
	return claims, nil
}

// claimCrack gives a crack to the layer with most of the crack's border, among layers without a floor of another storey
// in the crack. If every layer has such a floor, each part of the crack goes to the first layer without a floor there.
func (e *extraction) claimCrack(c *crossing, crack *overlay.Outline, layers []int32, claims []claim) error {
	var beneath [][]lattice.Polygon
	ks := byBorder(crack, len(layers))
	for _, k := range ks {
		found, err := e.otherStoreys(c, crack, layers[k])
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			claims[layers[k]].free = append(claims[layers[k]].free, crack.Rings...)
			return nil
		}
		beneath = append(beneath, found)
	}
	rest := crack.Rings
	for i, k := range ks {
		free, err := overlay.Difference(rest, ringsOf(beneath[i]))
		if err != nil {
			return err
		}
		claims[layers[k]].free = append(claims[layers[k]].free, ringsOf(free)...)
		both, err := overlay.Intersection(rest, ringsOf(beneath[i]))
		if err != nil {
			return err
		}
		rest = ringsOf(both)
	}
	return nil
}

// otherStoreys returns where a crack of the floor around a crossing lies over or under floor of a layer. The other
// storey is no part of the floor around the crossing, or the crack would not exist.
func (e *extraction) otherStoreys(c *crossing, crack *overlay.Outline, layer int32) ([]lattice.Polygon, error) {
	b := crack.Box()
	box := box3{Low: [3]int32{b.Min.X, b.Min.Y, math.MinInt32}, High: [3]int32{b.Max.X, b.Max.Y, math.MaxInt32}}
	var floor []lattice.Ring
	for _, i := range e.floorsOf(layer).Search(&box, nil) {
		if t := i.ID; !c.whole(t) {
			floor = append(floor, nearby(e.rings(t), &box)...)
		}
	}
	if len(floor) == 0 {
		return nil, nil
	}
	found, err := overlay.Intersection(crack.Rings, floor)
	return slices.DeleteFunc(found, hairline), err
}

// whole reports whether all of a triangle is in the floor around a crossing.
func (c *crossing) whole(t int32) bool {
	return slices.ContainsFunc(c.floor, func(f fraction) bool { return f.triangle == t && f.clip < 0 })
}

// byBorder lists the labels from 0 to n on the border of an outline, the label with the longest part first.
func byBorder(o *overlay.Outline, n int) []int32 {
	length := make([]float64, n)
	for r, ring := range o.Rings {
		for i, p := range ring {
			if k := o.Labels[r][i]; k >= 0 {
				length[k] += p.Distance(ring[(i+1)%len(ring)])
			}
		}
	}
	var labels []int32
	for k, d := range length {
		if d > 0 {
			labels = append(labels, int32(k))
		}
	}
	slices.SortStableFunc(labels, func(k, m int32) int { return cmp.Compare(length[m], length[k]) })
	return labels
}

// zone returns the places within a reach of the links of a crossing. Short links beside each other share a box.
func (e *extraction) zone(c *crossing, reach int32) []lattice.Ring {
	short := e.margin() / 8
	var zone []lattice.Ring
	type cell struct{ x, y int32 }
	at := map[cell]int{} // of boxes
	var boxes []lattice.Box
	for _, k := range c.links {
		b := lattice.BoxOf(k.a.Point, k.b.Point)
		if w, h := b.Size(); max(w, h) > int64(short) {
			zone = append(zone, around(k.a.Point, k.b.Point, reach))
			continue
		}
		in := cell{b.Min.X / short, b.Min.Y / short}
		i, ok := at[in]
		if !ok {
			i = len(boxes)
			at[in] = i
			boxes = append(boxes, b)
		}
		boxes[i] = boxes[i].Union(b)
	}
	for _, b := range boxes {
		low, high := appendAround(nil, b.Min, reach)[0], appendAround(nil, b.Max, reach)[2]
		zone = append(zone, lattice.Ring{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}})
	}
	return outermost(zone, nil)
}

// around returns the floor around a crossing, and the same floor by layer. Farther away the floor is arbitrary.
func (e *extraction) around(c *crossing, parts []clipped) (whole territory, floors [][]lattice.Ring, err error) {
	floors = make([][]lattice.Ring, e.layers)
	here := map[int32]bool{}
	for _, f := range c.floor {
		here[f.triangle] = true
	}
	whole.here = func(t int32) bool { return here[t] }
	var near []item
	follower := followers.Get().(*follower)
	defer followers.Put(follower)
	follower.begin(searches.Add(1))
	for _, f := range c.floor {
		x := e.exposed[f.triangle]
		rings, blocked := e.ringsNear(f.triangle, &c.box), x.blocked
		var without []lattice.Ring
		if f.clip >= 0 {
			k := &parts[f.clip]
			if k.rings == nil {
				continue // the whole triangle is of another storey
			}
			rings, blocked, without = k.rings, k.blocked, k.without
		} else {
			whole.walls = append(whole.walls, wallsNear(x.walls, &c.box)...)
		}
		rings = nearby(rings, &c.box)
		var slits []lattice.Ring
		rims := e.rimsOf(f.triangle)
		for k := range rims {
			r := rims[k]
			r.beyond = e.withStoreys(e.firstRim[f.triangle]+int32(k), whole.here, follower)
			slits, near = e.appendSlits(slits, &r, whole.here, near)
		}
		if slits, err = outsideOf(slits, without); err != nil {
			return whole, nil, err
		}
		whole.floor = append(whole.floor, rings...)
		whole.blocked = append(append(whole.blocked, nearby(blocked, &c.box)...), slits...)
		l := e.layer[f.triangle]
		floors[l] = append(floors[l], rings...)
	}
	return whole, floors, nil
}
