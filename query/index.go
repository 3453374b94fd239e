package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// box is a closed box in lattice units of the mesh's frame: x, y and height.
type box = boxtree.Box[int32]

// geometry holds the mesh data that all searches share. The regions and portals of all tiles are in two flat arrays.
// Further data: a box tree over the regions, a height sampler for every floor, the connected parts, and the identity of
// corners among portal ends. The data of an Index never change.
type geometry struct {
	mesh    *navmesh.Mesh
	sound   bool // see [navmesh.Mesh.IsSound]
	most    int  // maximum number of nodes of a search, see limits.go
	regions []region
	portals []portal
	corners []lattice.Vertex // of the regions, region after region, counter-clockwise
	floors  []*lattice.Sampler
	// The walls of region r are [firstWall[r], firstWall[r+1]).
	walls     []wall
	firstWall []uint32
	// The rims of region r, closed by its first point, are [firstRim[r], firstRim[r+1]).
	rims     []rim
	firstRim []uint32
	areas    []uint64            // see sumAreas
	tree     boxtree.Tree[int32] // of the regions
	first    []uint32            // the number of the first region of every tile
	turns    int                 // portal.leftTurn and portal.rightTurn are below turns

	// The hops from region r are hopsAt[firstHop[r]:firstHop[r+1]]; firstHop is nil without any hops.
	hops      []hop
	hopsAt    []int32
	firstHop  []uint32
	hopEnds   []uint32
	shortcuts []int32   // hops cheaper than their length, if not too many
	chains    []float64 // see boundShortcuts
	scale     float64   // factor of estimates, below 1 with too many shortcuts
	reach     reachable

	marked [][]navmesh.Marked // of every region; nil for a mesh without marked regions
	closed closing            // see [Index.With]
	area   []uint8            // of every region; nil if all regions have the same area
	ground *groundCosts

	// The agent in lattice units.
	height, climb float64
	snapReach     float64 // see [Query.Path]
}

// region is a navmesh.Region with numbers valid for the whole mesh.
type region struct {
	firstCorner, endCorner uint32
	firstPortal, endPortal uint32
	floor                  uint32
	part                   uint32        // regions of the same part can reach each other through portals
	low, high              int32         // bounds of the floor's height in this region
	branch                 uint32        // see findSeparations
	center                 lattice.Point // the mean of the corners
	core                   lattice.Box   // box inside the region, for a quick test of most points
	ref                    navmesh.Ref
}

// portal is a navmesh.Portal with numbers valid for the whole mesh.
type portal struct {
	to, back    uint32
	left, right lattice.Point
	// leftTurn and rightTurn number the corners that taut paths bend around. Two portal ends have the same number
	// exactly if they are the same corner of the same free space; floors that only touch in a point, or lie above each
	// other, have separate corners. noTurn: no taut path bends at this end.
	leftTurn, rightTurn int32
	// The branch numbers of the regions behind are the interval [behind, behind+behindCount), which may wrap around.
	// See region.branch and findSeparations.
	behind, behindCount uint32
}

const noTurn = -1

// errOffMesh is query.ErrOffMesh.
var errOffMesh = errors.New("query: off the mesh")

// none stands for no portal, no hop, no corner or no region, wherever numbers are signed.
const none = -1

// minReach is the least reach of query.Path for ends beside the mesh, in metres. With minReach, a mesh for agents of
// zero radius and zero climb still finds ends that rounding moved.
const minReach = 0.01

// samplerReach finds the height of points that rounding put beside their floor, crackReach the height of points in
// cracks between its triangles. In lattice units.
const (
	samplerReach = 2
	crackReach   = lattice.UnitsPerMetre / 4
)

// minJump is the least height difference, in lattice units, that tells two floors apart within samplerReach of each
// other: no walkable slope is as steep.
const minJump = 64

// newGeometry makes the geometry of a mesh.
func newGeometry(ctx context.Context, m *navmesh.Mesh) (*geometry, error) {
	ix := &geometry{
		mesh:      m,
		sound:     m.IsSound(),
		firstWall: []uint32{0},
		firstRim:  []uint32{0},
		height:    m.Agent.Height * lattice.UnitsPerMetre,
		climb:     m.Agent.MaxClimb * lattice.UnitsPerMetre,
		snapReach: max(m.Agent.Radius+m.Agent.MaxClimb, minReach),
		scale:     1,
		ground:    evenGround(),
	}
	for slot := range m.Tiles {
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		ix.addTile(slot, &m.Tiles[slot])
	}
	ix.addMarks()
	ix.addAreas()
	ix.join(ix.withoutCrossings())
	if err := ix.plantTree(ctx); err != nil {
		return nil, err
	}
	ix.sumAreas()
	return ix, nil
}

// stopped returns the error of a context that ended while an Index was made.
func stopped(ctx context.Context) error { return fmt.Errorf("query: index: %w", ctx.Err()) }

// join computes the properties that depend on regions, portals and open links together.
func (ix *geometry) join(open func(link int) bool) {
	ix.findParts()
	ix.numberTurns()
	ix.addHops(open)
	ix.findSeparations()
	ix.findReachable()
	ix.limit()
}

// addTile appends the regions, portals, corners and floors of a tile.
func (ix *geometry) addTile(slot int, t *navmesh.Tile) {
	firstRegion, firstCorner, firstFloor := len(ix.regions), uint32(len(ix.corners)), uint32(len(ix.floors))
	ix.first = append(ix.first, uint32(firstRegion))
	ix.addRegions(slot, t)
	for i := range t.Regions {
		r := &ix.regions[firstRegion+i]
		r.firstCorner = firstCorner + t.Regions[i].First
		r.endCorner = r.firstCorner + t.Regions[i].Count
		r.floor = firstFloor + uint32(t.Regions[i].Layer)
	}
	for _, v := range t.Corners {
		ix.corners = append(ix.corners, t.Vertices[v])
	}
	for i := range t.Layers {
		ix.floors = append(ix.floors, lattice.NewSampler(&t.Layers[i].Floor))
	}
}

// addRegions appends the regions of a tile with their portals and walls.
func (ix *geometry) addRegions(slot int, t *navmesh.Tile) {
	var (
		firstRegion = uint32(len(ix.regions))
		firstPortal = uint32(len(ix.portals))
	)
	for i := range t.Regions {
		r := &t.Regions[i]
		ix.regions = append(ix.regions, region{
			firstPortal: firstPortal + r.FirstPortal,
			endPortal:   firstPortal + r.FirstPortal + r.PortalCount,
			ref:         navmesh.MakeRef(slot, i, t.Generation),
		})
		ix.addRims(t, i, firstPortal, firstRegion)
	}
	for i := range t.Portals {
		p := &t.Portals[i]
		flat := portal{
			to:       firstRegion + p.To,
			back:     firstPortal + p.Back,
			left:     t.Vertices[p.Left].Point,
			right:    t.Vertices[p.Right].Point,
			leftTurn: noTurn, rightTurn: noTurn,
		}
		// Any number but noTurn marks a corner until numberTurns has run.
		if p.LeftCorner {
			flat.leftTurn = 0
		}
		if p.RightCorner {
			flat.rightTurn = 0
		}
		ix.portals = append(ix.portals, flat)
	}
}

// findParts numbers the parts that portals join. navmesh.Region.Component is unsuitable: Component counts links.
func (ix *geometry) findParts() {
	const unknown = math.MaxUint32
	for i := range ix.regions {
		ix.regions[i].part = unknown
	}
	var wait []uint32
	part := uint32(0)
	for i := range ix.regions {
		if ix.regions[i].part != unknown {
			continue
		}
		ix.regions[i].part = part
		wait = append(wait[:0], uint32(i))
		for len(wait) > 0 {
			r := &ix.regions[wait[len(wait)-1]]
			wait = wait[:len(wait)-1]
			for _, p := range ix.portals[r.firstPortal:r.endPortal] {
				if ix.regions[p.to].part == unknown {
					ix.regions[p.to].part = part
					wait = append(wait, p.to)
				}
			}
		}
		part++
	}
}

// end is an end of a portal: id is 2·portal for the left end, 2·portal+1 for the right end.
type end struct {
	at lattice.Point
	id uint32
}

// numberTurns finds the portal ends that are the same corner. Two ends of a region at the same point are the same
// corner. So are the ends of a portal and of its back portal; all other cases follow.
func (ix *geometry) numberTurns() {
	// same is a forest over the ends whose roots stand for the corners.
	same := make([]uint32, 2*len(ix.portals))
	for i := range same {
		same[i] = uint32(i)
	}
	root := func(e uint32) uint32 {
		for same[e] != e {
			same[e] = same[same[e]]
			e = same[e]
		}
		return e
	}
	unite := func(a, b uint32) { same[root(b)] = root(a) }

	var ends []end
	for i := range ix.regions {
		r := &ix.regions[i]
		ends = ends[:0]
		for p := r.firstPortal; p < r.endPortal; p++ {
			ends = append(ends, end{ix.portals[p].left, 2 * p}, end{ix.portals[p].right, 2*p + 1})
			unite(2*p, 2*ix.portals[p].back+1)
		}
		slices.SortFunc(ends, func(a, b end) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id))
		})
		for j := 1; j < len(ends); j++ {
			if ends[j].at == ends[j-1].at {
				unite(ends[j].id, ends[j-1].id)
			}
		}
	}

	number := make([]int32, len(same))
	for i := range number {
		number[i] = noTurn
	}
	turn := func(e uint32) int32 {
		n := &number[root(e)]
		if *n == noTurn {
			*n = int32(ix.turns)
			ix.turns++
		}
		return *n
	}
	for i := range ix.portals {
		p := &ix.portals[i]
		if p.leftTurn != noTurn {
			p.leftTurn = turn(uint32(2 * i))
		}
		if p.rightTurn != noTurn {
			p.rightTurn = turn(uint32(2*i + 1))
		}
	}
}

// plantTree makes the box tree and finds the height bounds of every region: the bounds of its corners and of the floor
// triangles above and below its box.
func (ix *geometry) plantTree(ctx context.Context) error {
	boxes := make([]box, len(ix.regions))
	for i := range ix.regions {
		r := &ix.regions[i]
		first := ix.corners[r.firstCorner]
		b := box{Low: [3]int32{first.X, first.Y, first.Z}, High: [3]int32{first.X, first.Y, first.Z}}
		var x, y int64
		for _, v := range ix.corners[r.firstCorner:r.endCorner] {
			at := [3]int32{v.X, v.Y, v.Z}
			b = b.Union(box{Low: at, High: at})
			x, y = x+int64(v.X), y+int64(v.Y)
		}
		n := int64(r.endCorner - r.firstCorner)
		r.center = lattice.Point{X: int32(x / n), Y: int32(y / n)}
		r.core = ix.coreOf(uint32(i), b)
		r.low, r.high = b.Low[2], b.High[2]
		b.Low[2], b.High[2] = math.MinInt32, math.MaxInt32
		boxes[i] = b
	}
	ix.tree = *boxtree.New(boxes, nil)

	floor := uint32(0)
	for slot := range ix.mesh.Tiles {
		for _, l := range ix.mesh.Tiles[slot].Layers {
			if err := ix.addHeights(ctx, &l.Floor, floor, boxes); err != nil {
				return err
			}
			floor++
		}
	}
	for i := range ix.regions {
		boxes[i].Low[2], boxes[i].High[2] = ix.regions[i].low, ix.regions[i].high
	}
	ix.tree.Fit(boxes)
	return nil
}

// together is the maximum number of nearby triangles that walk the tree of regions as one run. aside is the maximum
// extent of a run, in multiples of its first triangle's extent.
const (
	together = 32
	aside    = 8
)

// addHeights widens the height bounds of a floor's regions by the triangles above and below them.
func (ix *geometry) addHeights(ctx context.Context, tin *lattice.TIN, floor uint32, boxes []box) error {
	var run [together]box
	for first, runs := 0, 0; first < len(tin.Triangles); runs++ {
		if runs%64 == 0 && ctx.Err() != nil {
			return stopped(ctx)
		}
		n := 0
		var all box // of the run, at any height
		length := int64(0)
		for n < together && first+n < len(tin.Triangles) {
			b := boxOf(tin, first+n)
			both := b
			if n > 0 {
				both = all.Union(b)
			}
			extent := max(int64(both.High[0])-int64(both.Low[0]), int64(both.High[1])-int64(both.Low[1]))
			if n == 0 {
				length = extent
			} else if extent > aside*length {
				break
			}
			run[n], all = b, both
			n++
		}
		all.Low[2], all.High[2] = math.MinInt32, math.MaxInt32
		ix.tree.Any(&all, func(i int32) bool {
			r := &ix.regions[i]
			if r.floor != floor {
				return false
			}
			for k := range run[:n] {
				// A triangle between the known heights adds nothing.
				if b := &run[k]; b.Meets(&boxes[i]) && (b.Low[2] < r.low || b.High[2] > r.high) {
					low, high := heightsOver(tin, first+k, b, &boxes[i])
					r.low, r.high = min(r.low, low), max(r.high, high)
				}
			}
			return false
		})
		first += n
	}
	return nil
}

// boxOf returns the box of a triangle.
func boxOf(tin *lattice.TIN, i int) box {
	c := &tin.Triangles[i]
	u, v, w := &tin.Vertices[c[0]], &tin.Vertices[c[1]], &tin.Vertices[c[2]]
	return box{
		Low:  [3]int32{min(u.X, v.X, w.X), min(u.Y, v.Y, w.Y), min(u.Z, v.Z, w.Z)},
		High: [3]int32{max(u.X, v.X, w.X), max(u.Y, v.Y, w.Y), max(u.Z, v.Z, w.Z)},
	}
}

// heightsOver bounds the heights of triangle i's plane over the intersection of its own box b and the box c. The bounds
// are the triangle's own heights and the plane's heights at the corners of the intersection.
func heightsOver(tin *lattice.TIN, i int, b, c *box) (low, high int32) {
	low, high = b.Low[2], b.High[2]
	if low == high {
		return low, high
	}
	var tri [3]lattice.Vertex
	for k, v := range tin.Triangles[i] {
		tri[k] = tin.Vertices[v]
	}
	abx, aby := tri[1].Sub(tri[0].Point)
	acx, acy := tri[2].Sub(tri[0].Point)
	area2 := float64(lattice.Orient(tri[0].Point, tri[1].Point, tri[2].Point))
	if area2 == 0 {
		return low, high
	}
	rb, rc := float64(int64(tri[1].Z)-int64(tri[0].Z)), float64(int64(tri[2].Z)-int64(tri[0].Z))
	slopeX := (float64(rb*float64(acy)) - float64(rc*float64(aby))) / area2
	slopeY := (float64(rc*float64(abx)) - float64(rb*float64(acx))) / area2
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range [2]int32{max(b.Low[0], c.Low[0]), min(b.High[0], c.High[0])} {
		for _, y := range [2]int32{max(b.Low[1], c.Low[1]), min(b.High[1], c.High[1])} {
			dx, dy := float64(int64(x)-int64(tri[0].X)), float64(int64(y)-int64(tri[0].Y))
			z := float64(tri[0].Z) + float64(slopeX*dx) + float64(slopeY*dy)
			least, most = math.Min(least, z), math.Max(most, z)
		}
	}
	// A unit on either side makes up for rounding.
	if least-1 > float64(low) {
		low = int32(math.Floor(math.Min(least-1, float64(high))))
	}
	if most+1 < float64(high) {
		high = int32(math.Ceil(math.Max(most+1, float64(low))))
	}
	return low, high
}

// heightAt returns the height of the floor of region r at (x, y), in lattice units. On the border heightAt takes the
// height inside: on the border a layer may touch itself on another storey, or at the foot of a ledge. Where the floor
// has no height nearby, a fan of the region's own corners gives the height.
func (ix *geometry) heightAt(r uint32, x, y float64) float64 {
	reg := &ix.regions[r]
	if reg.low == reg.high {
		return float64(reg.low)
	}
	if int(reg.floor) < len(ix.floors) {
		floor := ix.floors[reg.floor]
		z, ok := heightNear(floor, x, y)
		if jump := max(ix.climb, minJump); ok && float64(reg.high)-float64(reg.low) > jump && !ix.deepInside(r, x, y) {
			dx, dy := float64(reg.center.X)-x, float64(reg.center.Y)-y
			inwards := min(1, samplerReach/max(plane.Length(dx, dy), 1))
			in, found := floor.Height(x+float64(inwards*dx), y+float64(inwards*dy))
			if found && math.Abs(z-in) > jump {
				z = in
			}
		}
		if ok {
			return z
		}
	}
	ring := ix.corners[reg.firstCorner:reg.endCorner]
	a := ring[0]
	px, py := x-float64(a.X), y-float64(a.Y)
	for i := 1; i+1 < len(ring); i++ {
		abx, aby := plane.Sub(ring[i].Point, a.Point)
		acx, acy := plane.Sub(ring[i+1].Point, a.Point)
		area2 := float64(abx*acy) - float64(aby*acx)
		b := (float64(px*acy) - float64(py*acx)) / area2
		c := (float64(abx*py) - float64(aby*px)) / area2
		// The last triangle also takes points left over by rounding.
		if area2 > 0 && (c >= 0 && b >= 0 && b+c <= 1 || i+2 == len(ring)) {
			rb, rc := float64(int64(ring[i].Z)-int64(a.Z)), float64(int64(ring[i+1].Z)-int64(a.Z))
			z := float64(a.Z) + float64(b*rb) + float64(c*rc)
			return min(max(z, float64(reg.low)), float64(reg.high))
		}
	}
	return float64(a.Z)
}

// deepInside reports whether a point is in region r and farther than samplerReach from its border: no other region is
// near.
func (ix *geometry) deepInside(r uint32, x, y float64) bool {
	if ix.inCore(r, x, y, samplerReach+1) {
		return true
	}
	ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		dx, dy := plane.Sub(b, a)
		// Twice the area of edge and point; the sum of the sides is at least the length of the edge.
		if float64(dx*(y-float64(a.Y)))-float64(dy*(x-float64(a.X))) <= samplerReach*(math.Abs(dx)+math.Abs(dy)) {
			return false
		}
		a = b
	}
	return true
}

// heightNear returns the height of a floor at (x, y). If rounding put the point beside the floor or in a crack,
// heightNear takes the highest of four points around. Otherwise heightNear takes the nearest point of the floor within
// crackReach.
func heightNear(floor *lattice.Sampler, x, y float64) (z float64, ok bool) {
	if z, ok = floor.Height(x, y); ok {
		return z, true
	}
	z = math.Inf(-1)
	for _, d := range [4][2]float64{{samplerReach, 0}, {0, samplerReach}, {-samplerReach, 0}, {0, -samplerReach}} {
		if h, found := floor.Height(x+d[0], y+d[1]); found {
			z, ok = max(z, h), true
		}
	}
	if ok {
		return z, true
	}
	return floor.HeightBelow(x, y, math.Inf(1), crackReach)
}
