package raster

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// side of a cell on a contour: the cell is on the left of someone who walks along it.
type cellSide struct {
	patch int32
	cell  int8
	dir   int8
}

// noLayer is the layer beyond the end of the floor.
const noLayer = -1

// contour is a closed walk along cell sides with one component of one layer on its left.
type contour struct {
	sides  []cellSide
	beyond []int32 // the layer beyond each side, or noLayer
}

// run is a stretch of a ring: part of the floor's border, or one side of a seam. Consecutive runs
// of a ring share their end points.
type run struct {
	points []lattice.Point
	plain  []lattice.Point // a simplified border before its chords were moved out
	chain  plan.ChainID    // plan.Wall for a stretch of border
	// reversed runs go along their chain from its end to its start.
	reversed bool
	closed   bool // the run is the whole ring
}

// ring is a closed border of a domain in runs.
type ring struct {
	runs      []run
	plain     bool // use the plain points of borders
	layer     int32
	domain    int32 // smallest patch of its connected domain
	component int32
}

// seam is a polyline between two layers while contours are made.
type seam struct{ points []lattice.Point }

// outlines are the traced contours of all layers.
type outlines struct {
	rings []ring // in order of their layers
	seams []seam // each bounds two rings
	// height holds for every layer the floor height at every point of its rings.
	height []map[lattice.Point]int32
}

// tracer walks the contours of all layers.
type tracer struct {
	*patches
	outlines
	visited [4][]uint64               // by direction and patch: sides already on a contour
	domain  unionfind.Forest          // patches connected within their layer
	strict  bool                      // keep every border within the cells of its own floor
	seamOf  map[cellSide]plan.ChainID // by the first side of a seam in the walk of its left layer
	pinched map[gridNode]bool         // nodes where seams of one layer pass more than once
}

// gridNode is a corner of cells, in cells.
type gridNode struct{ x, y int32 }

// trace returns the contours of all layers, as rings and seams. A border may pass through cells without floor, and
// there, in one of a thousand crowded levels, meet another border of its layer. A strict trace excludes this, and
// costs up to half a cell of floor.
func (ps *patches) trace(layers int, strict bool) outlines {
	t := &tracer{patches: ps, strict: strict, seamOf: map[cellSide]plan.ChainID{}, domain: unionfind.New(len(ps.list))}
	for d := range t.visited {
		t.visited[d] = make([]uint64, len(ps.list))
	}
	for range layers {
		t.height = append(t.height, map[lattice.Point]int32{})
	}
	var contours []contour
	for i := range ps.list {
		if ps.list[i].layer < 0 {
			continue
		}
		ps.contacts(int32(i), func(j int32, _ int) {
			if ps.list[j].layer == ps.list[i].layer {
				t.domain.Union(int32(i), j)
			}
		})
		contours = t.start(contours, int32(i))
	}
	// Seams are cut from the contours of their lower layer first; the upper layers then find these.
	slices.SortStableFunc(contours, func(a, b contour) int {
		return cmp.Compare(ps.list[a.sides[0].patch].layer, ps.list[b.sides[0].patch].layer)
	})
	t.findPinches(contours)
	t.rings = make([]ring, len(contours))
	for i := range contours {
		t.rings[i] = t.ring(&contours[i])
	}
	return t.outlines
}

// floorAt notes that p, a point of a contour, is at the floor of side s, and returns it.
func (t *tracer) floorAt(s cellSide, p lattice.Point) lattice.Point {
	q := &t.list[s.patch]
	t.height[q.layer][p] = t.surface.height(q.pieceRef, int(s.cell))
	return p
}

// start walks every contour that has an unvisited side at patch i.
func (t *tracer) start(contours []contour, i int32) []contour {
	mask := t.list[i].mask
	for d := range 4 {
		if j, ok := t.wholeBeyond(i, d); ok && t.list[j].layer == t.list[i].layer {
			continue
		}
		for cell := range cellsOf(mask) {
			first := cellSide{i, int8(cell), int8(d)}
			if t.isVisited(first) || !t.isSide(first) {
				continue
			}
			contours = append(contours, t.walk(first))
		}
	}
	return contours
}

func (t *tracer) isVisited(s cellSide) bool { return t.visited[s.dir][s.patch]>>s.cell&1 != 0 }

// beyond returns the layer that continues the floor across s, noLayer for none.
func (t *tracer) beyond(s cellSide) int32 {
	if j, _, ok := t.neighbour(s.patch, int(s.cell), int(s.dir)); ok {
		return t.list[j].layer
	}
	return noLayer
}

// isSide reports whether s is on a contour: its layer does not continue across it.
func (t *tracer) isSide(s cellSide) bool { return t.beyond(s) != t.list[s.patch].layer }

// walk follows the contour from a side until it closes.
func (t *tracer) walk(first cellSide) contour {
	var c contour
	for s := first; ; {
		t.visited[s.dir][s.patch] |= 1 << s.cell
		c.sides = append(c.sides, s)
		c.beyond = append(c.beyond, t.beyond(s))
		if s = t.next(s); s == first {
			return c
		}
	}
}

// next returns the next side after s on its contour: the first side around the node at the end of s, starting
// with the cell's own next side. Cells with only the node in common are not connected, so the walk stays with
// its cell.
func (t *tracer) next(s cellSide) cellSide {
	for turn := int8(1); turn >= -2; turn-- {
		dir := (s.dir + turn + 4) % 4
		try := cellSide{s.patch, s.cell, dir}
		if t.isSide(try) {
			return try
		}
		j, cell, _ := t.neighbour(s.patch, int(s.cell), int(dir))
		s = cellSide{j, int8(cell), s.dir}
	}
	// All four cells around the node continue each other in a circle, although the first side ended there.
	// Continuity is symmetric, so this is impossible.
	panic("raster: contour without a continuation")
}

// opposite returns the side of the cell beyond s that faces s.
func (t *tracer) opposite(s cellSide) cellSide {
	j, cell, _ := t.neighbour(s.patch, int(s.cell), int(s.dir))
	return cellSide{j, int8(cell), (s.dir + 2) % 4}
}

// cellCorner returns the grid coordinates, in cells, of the lower left corner of a cell.
func (t *tracer) cellCorner(patch int32, cell int8) (x, y int32) {
	cx, cy := t.surface.columnOf(t.list[patch].pieceRef)
	return cx*side + int32(cell)%side, cy*side + int32(cell)/side
}

// startNode returns the grid node at which the walk along s starts.
func (t *tracer) startNode(s cellSide) (x, y int32) {
	x, y = t.cellCorner(s.patch, s.cell)
	switch int(s.dir) {
	case east:
		return x + 1, y
	case north:
		return x + 1, y + 1
	case west:
		return x, y + 1
	default:
		return x, y
	}
}

func (t *tracer) endNode(s cellSide) (x, y int32) {
	s.dir = (s.dir + 1) % 4
	return t.startNode(s)
}

// node returns a grid node as a lattice point.
func (t *tracer) node(x, y int32) lattice.Point {
	return lattice.Point{X: x * t.surface.grid.cell, Y: y * t.surface.grid.cell}
}

// crossing returns where the border passes between the centre of s's cell, which is inside, and
// the centre of the cell beyond s, which is not: the distance from the border of the floor is
// interpolated between the two, and is exact along straight borders. Where one of the two given
// layers goes on beyond s without continuing s, the border keeps to this side.
func (t *tracer) crossing(s cellSide, a, b int32) planar {
	g := t.surface.grid
	c := float64(g.cell)
	r := t.list[s.patch].pieceRef
	here := t.erosion.at(r, int(s.cell))
	there := here - c // straight on, beyond the end of the floor
	if q, other, ok := t.surface.neighbour(r, int(s.cell), int(s.dir)); ok {
		there = t.erosion.at(q, other)
	}
	along := 0.5
	if here > there {
		// At least two units, to keep the crossings of a cell's opposite sides apart.
		along = min(1, max(2/c, (here-g.radius)/(here-there)))
	}
	x, y := t.cellCorner(s.patch, s.cell)
	if along >= 0.5 && (t.strict || t.covered(x+stepX[s.dir], y+stepY[s.dir], a, b)) {
		along = 0.5 - 1/c
	}
	return planar{
		float64(x)*c + c/2 + float64(along*c*float64(stepX[s.dir])),
		float64(y)*c + c/2 + float64(along*c*float64(stepY[s.dir])),
	}
}

// covered reports whether one of two layers covers the cell (x, y) of the grid.
func (t *tracer) covered(x, y, a, b int32) bool {
	if x < 0 || y < 0 {
		return false
	}
	first, end := t.inColumn(x/side, y/side)
	for j := first; j < end; j++ {
		if l := t.list[j].layer; (l == a || l == b) && t.list[j].mask>>cellBit(x%side, y%side)&1 != 0 {
			return true
		}
	}
	return false
}

// findPinches notes the nodes where seams of a layer touch: the layer has two cells there with only the node
// in common.
func (t *tracer) findPinches(contours []contour) {
	type visit struct {
		gridNode
		layer int32
	}
	seen := map[visit]bool{}
	t.pinched = map[gridNode]bool{}
	for i := range contours {
		c := &contours[i]
		for k, s := range c.sides {
			if c.beyond[k] == noLayer && c.beyond[(k+1)%len(c.sides)] == noLayer {
				continue
			}
			x, y := t.endNode(s)
			v := visit{gridNode{x, y}, t.list[s.patch].layer}
			if seen[v] {
				t.pinched[v.gridNode] = true
			}
			seen[v] = true
		}
	}
}

// junction returns where a seam ends at the start or at the end of its side s: on the border, if the border
// passes the node there, else at the node. Both layers get the same point because the side of the lower layer
// always determines it. At a pinched node every seam ends a little before the node, so all cells around lose
// the tip of their corner.
func (t *tracer) junction(s cellSide, atEnd bool) lattice.Point {
	o := t.opposite(s)
	if t.list[o.patch].layer < t.list[s.patch].layer {
		s, o, atEnd = o, s, !atEnd
	}
	x, y := t.startNode(s)
	ahead := (s.dir + 3) % 4
	if atEnd {
		x, y = t.endNode(s)
		ahead = (s.dir + 1) % 4
	}
	back := func(by int32) lattice.Point {
		node := t.node(x, y)
		return lattice.Point{X: node.X - stepX[ahead]*by, Y: node.Y - stepY[ahead]*by}
	}
	if t.pinched[gridNode{x, y}] {
		return back(t.surface.grid.cell / 4)
	}
	var sum planar
	n := 0.0
	add := func(side cellSide) {
		p := t.crossing(side, t.list[s.patch].layer, t.list[o.patch].layer)
		sum.x, sum.y, n = sum.x+p.x, sum.y+p.y, n+1
	}
	here, there := cellSide{s.patch, s.cell, ahead}, cellSide{o.patch, o.cell, ahead}
	openHere, openThere := t.beyond(here) == noLayer, t.beyond(there) == noLayer
	if openHere {
		add(here)
	}
	if openThere {
		add(there)
	}
	if openHere != openThere {
		ahead, dir := here, s.dir
		if openHere {
			ahead, dir = there, o.dir
		}
		next := t.opposite(ahead)
		if across := (cellSide{next.patch, next.cell, dir}); t.beyond(across) == noLayer {
			add(across)
		}
	}
	if !openHere && !openThere {
		// The floor may have a crack that ends at the node, ahead of the seam.
		next := t.opposite(here)
		if t.beyond(cellSide{next.patch, next.cell, s.dir}) == noLayer {
			return back(t.surface.grid.cell / 4)
		}
	}
	switch {
	case n == 0:
		return back(0)
	case t.strict: // on the common side of both cells
		return back(1)
	}
	return planar{sum.x / n, sum.y / n}.round()
}

// breaks reports whether a run ends between two consecutive sides of a contour: where the layer
// beyond changes, at pinched nodes, and where the layer beyond does not walk along both sides
// without a break.
func (t *tracer) breaks(c *contour, k int) bool {
	next := (k + 1) % len(c.sides)
	if c.beyond[k] != c.beyond[next] {
		return true
	}
	if c.beyond[k] == noLayer {
		return false
	}
	x, y := t.endNode(c.sides[k])
	return t.pinched[gridNode{x, y}] || t.next(t.opposite(c.sides[next])) != t.opposite(c.sides[k])
}

// ring cuts a contour into runs.
func (t *tracer) ring(c *contour) ring {
	first := t.list[c.sides[0].patch]
	r := ring{layer: first.layer, domain: t.domain.Find(c.sides[0].patch), component: first.component}
	n := len(c.sides)
	var ends []int // sides after which a run ends
	for k := range n {
		if t.breaks(c, k) {
			ends = append(ends, k)
		}
	}
	if len(ends) == 0 {
		r.runs = []run{t.closedRun(c)}
		return r
	}
	from := ends[len(ends)-1] - n + 1
	for _, end := range ends {
		sides := make([]cellSide, 0, end-from+1)
		for k := from; k <= end; k++ {
			sides = append(sides, c.sides[(k+n)%n])
		}
		r.runs = append(r.runs, t.openRun(sides, c.beyond[end]))
		from = end + 1
	}
	// A stretch of border starts and ends with its neighbouring seams. Two seams with different ends have a
	// stretch of border between them.
	joined := make([]run, 0, len(r.runs))
	for k, cur := range r.runs {
		prev, next := &r.runs[(k+len(r.runs)-1)%len(r.runs)], &r.runs[(k+1)%len(r.runs)]
		if cur.chain == plan.Wall {
			cur.points = slices.Concat(last(prev.points), cur.points, next.points[:1])
			joined = append(joined, cur)
			continue
		}
		joined = append(joined, cur)
		if next.chain != plan.Wall && last(cur.points)[0] != next.points[0] {
			joined = append(joined, run{chain: plan.Wall, points: []lattice.Point{last(cur.points)[0], next.points[0]}})
		}
	}
	r.runs = joined
	return r
}

func last(points []lattice.Point) []lattice.Point { return points[len(points)-1:] }

// openRun returns the run along consecutive sides. A border run gets the crossing of every side, without its
// neighbours' ends; a seam gets the nodes between its junctions.
func (t *tracer) openRun(sides []cellSide, beyond int32) run {
	if beyond == noLayer {
		return run{chain: plan.Wall, points: t.crossings(sides, false)}
	}
	points := []lattice.Point{t.floorAt(sides[0], t.junction(sides[0], false))}
	for _, s := range sides[1:] {
		points = append(points, t.floorAt(s, t.node(t.startNode(s))))
	}
	end := sides[len(sides)-1]
	points = append(points, t.floorAt(end, t.junction(end, true)))
	return t.seamRun(sides, points)
}

// closedRun returns the run of a contour without a break: all border, or all one seam, which both layers
// start at its smallest node.
func (t *tracer) closedRun(c *contour) run {
	if c.beyond[0] == noLayer {
		return run{chain: plan.Wall, points: t.crossings(c.sides, true), closed: true}
	}
	start := 0
	for k := range c.sides {
		kx, ky := t.startNode(c.sides[k])
		sx, sy := t.startNode(c.sides[start])
		if kx < sx || kx == sx && ky < sy {
			start = k
		}
	}
	sides := slices.Concat(c.sides[start:], c.sides[:start])
	points := make([]lattice.Point, 0, len(sides)+1)
	for _, s := range sides {
		points = append(points, t.floorAt(s, t.node(t.startNode(s))))
	}
	r := t.seamRun(sides, append(points, points[0]))
	r.closed = true
	return r
}

// seamRun registers a seam, or finds the seam registered by the layer beyond.
func (t *tracer) seamRun(sides []cellSide, points []lattice.Point) run {
	if id, ok := t.seamOf[t.opposite(sides[len(sides)-1])]; ok {
		return run{chain: id, points: points, reversed: true}
	}
	id := plan.ChainID(len(t.seams))
	t.seamOf[sides[0]] = id
	t.seams = append(t.seams, seam{points})
	return run{chain: id, points: points}
}

// crossings returns the border crossings of consecutive sides, with the corners between them.
func (t *tracer) crossings(sides []cellSide, closed bool) []lattice.Point {
	points := make([]lattice.Point, len(sides))
	for i, s := range sides {
		layer := t.list[s.patch].layer
		points[i] = t.floorAt(s, t.crossing(s, layer, layer).round())
	}
	if t.strict {
		return points
	}
	sharp := sharpen(points, closed, t.surface.grid.cell)
	height := t.height[t.list[sides[0].patch].layer]
	// An added corner has the height of the point before it, which may be the last of the ring, and added too.
	last := int32(0)
	for _, p := range slices.Backward(sharp) {
		if h, ok := height[p]; ok {
			last = h
			break
		}
	}
	for _, p := range sharp {
		if h, ok := height[p]; ok {
			last = h
			continue
		}
		height[p] = last
	}
	return sharp
}
