package exact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// crossing is a group of nearby links between layers, with the floor around the links.
type crossing struct {
	links []link
	box   box3 // the floor that matters, seen from above
	// floor lists the triangles within the box that links lead to from the crossing. Some lack parts, so the floor does
	// not lie over itself.
	floor []fraction
}

// fraction is a triangle without the parts over or under some other triangles.
type fraction struct {
	triangle int32
	clip     int32 // the number among clipped fractions, -1 for a whole triangle
	*loss          // nil for a whole triangle, as most are
}

// loss is the parts that other storeys take off a triangle.
type loss struct {
	above, below []int32        // triangles over this one, and under this one, that keep the common place
	without      []lattice.Ring // further parts
}

// whole reports whether no other storey takes a part of the triangle.
func (f *fraction) whole() bool { return f.loss == nil }

// lost returns the parts that other storeys take, to write to.
func (f *fraction) lost() *loss {
	if f.loss == nil {
		f.loss = new(loss)
	}
	return f.loss
}

// aside is how far, in units, another storey is taken off beside the parts over each other. Cracks of the crossing's
// own storey reach as far, and the other storey would show through the cracks.
func (e *extraction) aside() int32 { return int32(e.gap) + 2*touching }

// margin is how far, in units, the erosion around a crossing is trusted beyond the radius.
func (e *extraction) margin() int32 { return int32(e.radius+e.arcs) + 8*touching }

// groupCrossings groups the links between layers, so that the floor around each group lies nowhere over
// itself.
func (e *extraction) groupCrossings(ctx context.Context, jobs int, settlers *sync.Pool) ([]crossing, error) {
	sets := unionfind.New(len(e.crossings))
	order := make([]int32, len(e.crossings))
	boxes := make([]box3, len(e.crossings))
	for i, c := range e.crossings {
		order[i] = int32(i)
		boxes[i] = boxOf(c.a, c.b).Grown(2 * e.margin())
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(cmp.Compare(boxes[i].Low[0], boxes[j].Low[0]), cmp.Compare(i, j)) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			if boxes[j].Low[0] > boxes[i].High[0] {
				break
			}
			if boxes[i].Meets(&boxes[j]) {
				sets.Union(i, j)
			}
		}
	}
	at := map[int32]int{}
	var groups [][]link
	for i, c := range e.crossings {
		root := sets.Find(int32(i))
		g, ok := at[root]
		if !ok {
			g = len(groups)
			at[root] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], c)
	}
	e.over = listed(len(e.exposed), e.storeys)
	e.overlaps, e.storeysBeside = make(overlapTable, len(e.storeys)), make([]atomic.Pointer[[]storeyBeside], len(e.rims))
	return settledBy(ctx, jobs, len(groups), settlers, func(t *settler, i int) []crossing { return t.settle(groups[i], nil) })
}

// settledBy returns the crossings that f makes for the numbers below n, in order.
func settledBy(ctx context.Context, jobs, n int, settlers *sync.Pool, f func(t *settler, i int) []crossing) ([]crossing, error) {
	found := make([][]crossing, n)
	err := par.For(ctx, jobs, n, func(i int) error {
		t := settlers.Get().(*settler)
		defer settlers.Put(t)
		found[i] = f(t, i)
		return nil
	})
	return slices.Concat(found...), err
}

// settler divides links into groups.
type settler struct {
	*extraction
	// place is the index of each triangle in the floor of the group at hand, or -1.
	place []int32
	floor []fraction // scratch for the floor of the group at hand
	grid  grid
}

func (e *extraction) settlers() *sync.Pool {
	return &sync.Pool{New: func() any {
		t := &settler{extraction: e, place: make([]int32, len(e.exposed))}
		for i := range t.place {
			t.place[i] = -1
		}
		return t
	}}
}

// settle appends groups of the links, as large as may be. Links far from each other are divided in the middle between
// the outermost links, along the longest axis. Links that disagree about two floors over each other are divided in the
// same way. A cut at the height where the links part would leave single links, each with all the floor around.
func (e *settler) settle(links []link, out []crossing) []crossing {
	const many = 12 // margins
	ends := boxOf(links[0].a, links[0].b)
	for _, k := range links[1:] {
		ends = ends.Union(boxOf(k.a, k.b))
	}
	c := crossing{links: links, box: ends.Grown(2 * e.margin())}
	c.box.Low[2], c.box.High[2] = math.MinInt32, math.MaxInt32
	axis := 0
	extent := func(k int) int64 { return int64(ends.High[k]) - int64(ends.Low[k]) }
	for k := range 3 {
		if extent(k) > extent(axis) {
			axis = k
		}
	}
	if extent(axis) <= many*int64(e.margin()) {
		short := extent(axis) <= int64(e.margin()) && (len(links) == 1 || extent(2) <= int64(e.climb))
		if e.surround(&c, ends.Low[2], ends.High[2], short) {
			return append(out, c)
		}
	}
	if len(links) == 1 {
		k := links[0]
		middle := lattice.Vertex{Point: lattice.Point{X: k.a.X + (k.b.X-k.a.X)/2, Y: k.a.Y + (k.b.Y-k.a.Y)/2}, Z: k.a.Z + (k.b.Z-k.a.Z)/2}
		first, second := k, k
		first.b, second.a = middle, middle
		return e.settle([]link{second}, e.settle([]link{first}, out))
	}
	middle := func(k *link) int64 {
		b := boxOf(k.a, k.b)
		return int64(b.Low[axis]) + int64(b.High[axis])
	}
	low, high := middle(&links[0]), middle(&links[0])
	for i := range links {
		low, high = min(low, middle(&links[i])), max(high, middle(&links[i]))
	}
	first, second := split(links, func(k *link) bool { return 2*middle(k) < low+high })
	if len(first) == 0 { // all have one middle
		first, second = links[:len(links)/2], links[len(links)/2:]
	}
	return e.settle(second, e.settle(first, out))
}

// split divides links into those with a property and those without.
func split(links []link, has func(k *link) bool) (with, without []link) {
	for i := range links {
		if has(&links[i]) {
			with = append(with, links[i])
		} else {
			without = append(without, links[i])
		}
	}
	return with, without
}

// surround finds the floor around a crossing with links at heights from low to high. Of two floors over each other the
// floor in the layer straight ahead of the nearest link belongs to the crossing, or else the floor nearer in height. If
// the choice depends on the link, surround reports false, unless must is set.
func (e *settler) surround(c *crossing, low, high int32, must bool) bool {
	c.floor = e.floor[:0]
	e.flood(c)
	e.floor = c.floor
	defer func() {
		for _, f := range e.floor {
			e.place[f.triangle] = -1
		}
		clear(e.floor) // no loss stays
	}()
	for i := range c.floor {
		t := c.floor[i].triangle
		for _, pair := range e.over.Of(t) {
			// Floors that cross each other are two pairs, one on either side of the line.
			lower, upper := e.place[e.storeys[pair][0]], e.place[e.storeys[pair][1]]
			if min(lower, upper) < int32(i) {
				continue // not here, or done
			}
			if !e.divide(c, pair, &c.floor[lower], &c.floor[upper], low, high) && !must {
				return false
			}
		}
	}
	c.floor = slices.Clone(e.floor)
	return true
}

// divide decides which floor of a pair keeps the place where one is over the other. The result is false where the middle between the floors
// may be at the height of a link: the links of the crossing are at heights from low to high.
func (e *settler) divide(c *crossing, pair int32, lower, upper *fraction, low, high int32) bool {
	p, part := e.overlapIn(pair, &c.box)
	if part.n == 0 {
		return true
	}
	// Twice the height in the middle between the two floors.
	least, most := math.Inf(1), math.Inf(-1)
	for i := range part.n {
		v := &part.v[i]
		h := v.z + p.height(v.x, v.y)
		least, most = min(least, h), max(most, h)
	}
	isLow, isHigh := most <= 2*float64(low), least >= 2*float64(high)
	ahead := e.layerAt(c, &part)
	switch owns := func(f *fraction) bool { return e.layer[f.triangle] == ahead }; {
	case owns(upper) || isLow && !owns(lower):
		l := lower.lost()
		l.above = append(l.above, upper.triangle)
	case owns(lower) || isHigh:
		l := upper.lost()
		l.below = append(l.below, lower.triangle)
	default:
		middle := halfspace{from: point3{p.first.x, p.first.y, 0}, a: p.slope.x, b: p.slope.y, c: 1, d: float64(low) + float64(high) - p.first.z}
		above := part
		if above.cut(&middle); above.n > 0 {
			l := upper.lost()
			l.without = append(l.without, above.footprint(e.aside()))
		}
		middle = halfspace{from: middle.from, a: -middle.a, b: -middle.b, c: -1, d: -middle.d}
		if part.cut(&middle); part.n > 0 {
			l := lower.lost()
			l.without = append(l.without, part.footprint(e.aside()))
		}
	}
	return isLow || isHigh
}

// layerAt returns the layer of the floor beside the nearest link of a crossing, on the side of the link where a part is
// straight ahead, or unassigned.
func (e *extraction) layerAt(c *crossing, part *piece) int32 {
	m := part.middle()
	p := lattice.Point{X: rounded(m.x), Y: rounded(m.y)}
	layer, least := int32(unassigned), math.Inf(1)
	for i := range c.links {
		k := &c.links[i]
		d := lattice.SegmentDistance2(p, k.a.Point, k.b.Point).Sqrt()
		if d >= least {
			continue
		}
		side := float64(lattice.Orient(k.a.Point, k.b.Point, p)) / k.a.Distance(k.b.Point)
		switch least = d; {
		case k.through || math.Abs(side) < d-touching || k.a.Point == k.b.Point:
			layer = unassigned
		case side > 0:
			layer = e.layer[k.from]
		default:
			layer = e.layer[k.to]
		}
	}
	return layer
}

// flood finds the triangles that links lead to from the links of a crossing, near any link of the crossing.
func (e *settler) flood(c *crossing) {
	boxes := make([]box3, len(c.links))
	for i, k := range c.links {
		boxes[i] = boxOf(k.a, k.b).Grown(2 * e.margin())
		boxes[i].Low[2], boxes[i].High[2] = c.box.Low[2], c.box.High[2]
	}
	reach := func(t int32) {
		if e.place[t] >= 0 || !e.matters(t) || !c.box.Meets(e.box(t)) {
			return
		}
		p := pieceOf(&e.soup.Triangles[t].V)
		for i := range boxes {
			if !boxes[i].Meets(e.box(t)) {
				continue
			}
			if in := p.within(&boxes[i]); in.n > 0 {
				e.place[t] = int32(len(c.floor))
				c.floor = append(c.floor, fraction{triangle: t})
				return
			}
		}
	}
	for _, k := range c.links {
		reach(k.from)
		reach(k.to)
	}
	for i := 0; i < len(c.floor); i++ {
		for _, t := range e.linked.Of(c.floor[i].triangle) {
			reach(t)
		}
	}
}
