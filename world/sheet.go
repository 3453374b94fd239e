package world

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/footprint"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// sheet is the base of one radius: the mesh, and what changes need of its regions. Regions and portals have numbers that
// run through all tiles. A sheet never changes, but for halves of crowded regions that the writer prepares when a change first
// meets them.
type sheet struct {
	mesh        *navmesh.Mesh
	index       *query.Index
	firstRegion []uint32 // of every tile, and the total
	firstPortal []uint32
	firstLayer  []uint32
	refs        []navmesh.Ref
	low, high   []int32 // heights of the floor in every region
	tree        *boxtree.Tree[int32]
	plan        lattice.Box        // around all regions, seen from above
	shapes      []*part            // of every region, as changes need it
	floors      []*footprint.Floor // of every layer; nil for a level floor
	marks       [][]uint32         // regions of every mark
	marked      [][]navmesh.Marked // marks of every region; nil without marks
	ends        [][]geom.Box       // around the starts and the ends of the links of every mark
}

// reach is how far beyond a border lines still change the points of the border, in lattice units.
const reach = 2

// newSheet prepares a base mesh. Time O(n log n) for n corners.
func newSheet(m *navmesh.Mesh, ix *query.Index) *sheet {
	s := &sheet{mesh: m, index: ix}
	var regions, portals, layers uint32
	s.plan = lattice.EmptyBox()
	var boxes []boxtree.Box[int32]
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		s.firstRegion = append(s.firstRegion, regions)
		s.firstPortal = append(s.firstPortal, portals)
		s.firstLayer = append(s.firstLayer, layers)
		for i := range t.Regions {
			ref := navmesh.MakeRef(slot, i, t.Generation)
			low, high, _ := ix.HeightRange(ref)
			s.refs, s.low, s.high = append(s.refs, ref), append(s.low, low), append(s.high, high)
			b := boxtree.Box[int32]{Low: [3]int32{math.MaxInt32, math.MaxInt32, low}, High: [3]int32{math.MinInt32, math.MinInt32, high}}
			for _, v := range t.RegionCorners(i) {
				p := t.Vertices[v].Point
				s.plan = s.plan.Extend(p)
				b.Low[0], b.Low[1] = min(b.Low[0], p.X), min(b.Low[1], p.Y)
				b.High[0], b.High[1] = max(b.High[0], p.X), max(b.High[1], p.Y)
			}
			boxes = append(boxes, b)
			if len(m.Marks) > 0 {
				s.marked = append(s.marked, t.MarksOf(i))
			}
		}
		regions += uint32(len(t.Regions))
		portals += uint32(len(t.Portals))
		layers += uint32(len(t.Layers))
	}
	s.firstRegion, s.firstPortal = append(s.firstRegion, regions), append(s.firstPortal, portals)
	s.tree = boxtree.New(boxes, nil)
	s.marks, s.ends = regionsOfMarks(m), make([][]geom.Box, len(m.Marks))
	for i := range m.Links {
		if l := &m.Links[i]; l.Mark > 0 {
			s.ends[l.Mark-1] = s.appendEnds(s.ends[l.Mark-1], l)
		}
	}
	s.shapes = make([]*part, regions)
	s.floors = make([]*footprint.Floor, layers)
	for r := range regions {
		if s.low[r] != s.high[r] {
			s.floor(s.layer(r)) // else the first change would find the borders of the floor
		}
	}
	for r := range regions {
		s.shapes[r] = s.shapeOf(r)
	}
	for _, p := range s.shapes {
		s.makeReady(p) // else the first change of each region would find the sides near the region
	}
	return s
}

// tile returns the tile of a region and the region's index there.
func (s *sheet) tile(region uint32) (slot int, t *navmesh.Tile, i int) {
	slot, found := slices.BinarySearch(s.firstRegion, region)
	if !found {
		slot--
	}
	// Tiles without regions have the number of the next tile.
	for s.firstRegion[slot+1] == region {
		slot++
	}
	return slot, &s.mesh.Tiles[slot], int(region - s.firstRegion[slot])
}

// baseRegion is a region of the base with its tile.
type baseRegion struct {
	*navmesh.Region
	tile    *navmesh.Tile
	corners []uint32
}

// region returns a region of the base.
func (s *sheet) region(region uint32) baseRegion {
	_, t, i := s.tile(region)
	return baseRegion{&t.Regions[i], t, t.RegionCorners(i)}
}

// layer returns the number of the layer of a region.
func (s *sheet) layer(region uint32) uint32 {
	slot, t, i := s.tile(region)
	return s.firstLayer[slot] + uint32(t.Regions[i].Layer)
}

// shapeOf returns a region as changes need it, without the sides near it.
func (s *sheet) shapeOf(region uint32) *part {
	r := *s.border(region)
	r.Thin = s.mesh.Agent.Radius == 0 // walls are as thick as agents
	return newPart(r)
}

// makeReady finds the sides near a part of a region, and prepares the part for cuts.
func (s *sheet) makeReady(p *part) {
	if !p.ready {
		p.Near = s.near(p)
		p.Prepare()
		p.ready = true
	}
}

// border returns the border of a region, divided at the ends of portals.
func (s *sheet) border(region uint32) *repair.Region {
	slot, t, i := s.tile(region)
	r := new(repair.Region)
	corners := t.RegionCorners(i)
	first := t.Regions[i].FirstPortal
	portals := t.RegionPortals(i)
	add := func(p lattice.Point, label int32) {
		r.Ring, r.Label = append(r.Ring, p), append(r.Label, label)
	}
	k := 0
	for c, v := range corners {
		at, to := t.Vertices[v].Point, t.Vertices[corners[(c+1)%len(corners)]].Point
		begin := k
		for k < len(portals) && int(portals[k].Edge) == c {
			k++
		}
		order := make([]int, 0, k-begin)
		for j := begin; j < k; j++ {
			order = append(order, j)
		}
		right := func(j int) lattice.Point { return t.Vertices[portals[j].Right].Point }
		slices.SortFunc(order, func(x, y int) int {
			return cmp.Compare(lattice.Dot(at, to, right(x)), lattice.Dot(at, to, right(y)))
		})
		add(at, repair.Wall)
		for _, j := range order {
			if right(j) != r.Ring[len(r.Ring)-1] {
				add(right(j), repair.Wall)
			}
			r.Label[len(r.Label)-1] = int32(s.firstPortal[slot] + first + uint32(j))
			if left := t.Vertices[portals[j].Left].Point; left != to {
				add(left, repair.Wall)
			}
		}
	}
	return r
}

// near returns the sides within reach of the border of a part, seen from above, but those of the border itself: sides of
// regions, and lines between parts of regions. Neighbours find the same lines near their common border.
func (s *sheet) near(p *part) (list [][2]lattice.Point) {
	ring := p.Ring
	within := grown(p.box)
	var room [16]lattice.Box
	sides := room[:0] // within reach of each side
	for i, p := range ring {
		sides = append(sides, grown(lattice.BoxOf(p, ring[(i+1)%len(ring)])))
	}
	known := func(p, q lattice.Point) bool {
		for i, u := range ring {
			if v := ring[(i+1)%len(ring)]; p == u && q == v || p == v && q == u {
				return true
			}
		}
		return slices.Contains(list, [2]lattice.Point{p, q}) || slices.Contains(list, [2]lattice.Point{q, p})
	}
	add := func(p, q lattice.Point) {
		box := lattice.BoxOf(p, q)
		if !box.Overlaps(within) || known(p, q) {
			return
		}
		for j, u := range ring {
			v := ring[(j+1)%len(ring)]
			if sides[j].Overlaps(box) && lattice.SegmentsDistance2(p, q, u, v).CompareInt(reach*reach) <= 0 {
				list = append(list, [2]lattice.Point{p, q})
				return
			}
		}
	}
	// All lines between parts count, whether the region is divided there or not.
	var lines func(o *part)
	lines = func(o *part) {
		halves := o.split()
		for _, l := range o.lines {
			add(l[0], l[1])
		}
		for _, half := range halves {
			if half != nil && half.nearBorder(ring) {
				lines(half)
			}
		}
	}
	box := boxtree.Box[int32]{Low: [3]int32{within.Min.X, within.Min.Y, math.MinInt32}, High: [3]int32{within.Max.X, within.Max.Y, math.MaxInt32}}
	s.tree.Any(&box, func(id int32) bool {
		other := s.shapes[id]
		if !other.nearBorder(ring) {
			return false
		}
		for i, p := range other.Ring {
			add(p, other.Ring[(i+1)%len(other.Ring)])
		}
		lines(other)
		return false
	})
	return list
}

// nearBorder reports whether a part may come within reach of a border.
func (p *part) nearBorder(ring []lattice.Point) bool {
	box := grown(p.box)
	var side [1]lattice.Ring
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if lattice.BoxOf(a, b).Overlaps(box) {
			if side[0] = (lattice.Ring{a, b}); meets(p.Ring, side[:]) {
				return true
			}
		}
	}
	return false
}

// around appends the regions whose boxes meet a box within reach, with floor between two heights.
func (s *sheet) around(list []int32, box lattice.Box, low, high int32) []int32 {
	b := boxtree.Box[int32]{
		Low:  [3]int32{box.Min.X - reach, box.Min.Y - reach, low},
		High: [3]int32{box.Max.X + reach, box.Max.Y + reach, high},
	}
	return s.tree.IDs(&b, list)
}

// floor returns the floor of a layer, made ready for footprints.
func (s *sheet) floor(layer uint32) *footprint.Floor {
	if s.floors[layer] == nil {
		slot, found := slices.BinarySearch(s.firstLayer, layer)
		if !found {
			slot--
		}
		for slot+1 < len(s.firstLayer) && s.firstLayer[slot+1] == layer {
			slot++
		}
		tin := &s.mesh.Tiles[slot].Layers[layer-s.firstLayer[slot]].Floor
		s.floors[layer] = footprint.NewFloor(tin, s.index.Surface(int(layer)))
	}
	return s.floors[layer]
}

// height returns the height of the floor of a region at a point of the region.
func (s *sheet) height(region uint32, p lattice.Point) int32 {
	base := s.region(region)
	return s.heightIn(region, &base, p)
}

// heightIn is height for a region that is looked up.
func (s *sheet) heightIn(region uint32, base *baseRegion, p lattice.Point) int32 {
	if s.low[region] == s.high[region] {
		return s.low[region]
	}
	for _, v := range base.corners {
		if base.tile.Vertices[v].Point == p {
			return base.tile.Vertices[v].Z
		}
	}
	at, ok := s.index.Floor(s.refs[region], s.mesh.Frame.ToWorld(p, 0))
	if !ok {
		return s.low[region]
	}
	return int32(math.Floor(at.Y*lattice.UnitsPerMetre - float64(s.mesh.Frame.Up) + 0.5))
}

// contains reports whether a region contains a point, border included.
func (s *sheet) contains(region uint32, p lattice.Point) bool {
	_, t, i := s.tile(region)
	corners := t.RegionCorners(i)
	for k, v := range corners {
		if lattice.Orient(t.Vertices[v].Point, t.Vertices[corners[(k+1)%len(corners)]].Point, p) < 0 {
			return false
		}
	}
	return true
}
