// Package index holds the geometry of a mesh for searches: regions, portals, walls, links, floors and a box tree.
//
// Searches read an [Index] and keep their memory themselves. An Index never changes: a filter makes another Index that
// shares the geometry of the mesh. A region, a portal or a link has a number that is valid in one Index only.
package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/navmesh"
)

// box is a closed box in lattice units of the mesh's frame: x, y and height.
type box = boxtree.Box[int32]

// Index holds the mesh data that all searches share. The regions and portals of all tiles are in paged arrays, see
// pages.go. Further data: a box tree over the regions, a height sampler for every floor, the connected parts, and the
// identity of corners among portal ends. The data of an Index never change.
type Index struct {
	Mesh  *navmesh.Mesh
	Sound bool // see [navmesh.Mesh.IsSound]
	Most  int  // maximum number of nodes of a search, see limits.go

	regions                  table[regionPage]
	fringes                  table[fringePage]
	portals                  table[portalPage]
	regionLimit, portalLimit int
	base                     uint32 // regions of the mesh have numbers below, pieces of regions have others
	// The same elements without pages, of an Index that is no Editor's work; else nil.
	flatRegions []Region
	flatFringes []fringe
	flatPortals []Portal
	flatRims    []rim    // the borders, region after region
	firstRim    []uint32 // the border of region r is flatRims[firstRim[r]:firstRim[r+1]]
	flatWalls   []Wall   // the rims without portals, once more: searches of walls read nothing else of a border
	firstWall   []uint32 // as firstRim

	Floors []*lattice.Sampler
	Areas  []uint64            // see sumAreas
	tree   boxtree.Tree[int32] // of the regions
	First  []uint32            // the number of the first region of every tile
	Turns  int                 // Portal.LeftTurn and Portal.RightTurn are below turns

	Hops      []Hop
	Shortcuts []int32   // hops cheaper than their length, if not too many
	chains    []float64 // see boundShortcuts
	Scale     float64   // factor of estimates, below 1 with too many shortcuts
	Reach     reachable
	linked    []pair      // regions that Hops join; nil where not known
	Starts    []uint32    // branches of the regions where links start that separations do not know, ascending, see relink.go
	Rough     []RoughSide // see rough.go
	Taken     int         // regions of the base that are split or closed

	alias   []uint32           // of the labels in Region.Part; nil for an Index that is no Editor's work
	Marked  [][]navmesh.Marked // of every region; nil for a mesh without marked regions
	Closed  closing            // see [Index.With]
	Changed bool               // an Editor has made the Index, or an Index that it comes from
	Varied  bool               // regions have different areas
	Ground  *Ground

	// The place in the history of an Editor, see history.go.
	history             *History
	sequence, forgotten uint64
	log                 []logged

	// The agent in lattice units.
	Height, Climb float64
	SnapReach     float64 // see query.Query.Path
}

// Region is a navmesh.Region with numbers valid for the whole mesh.
type Region struct {
	FirstPortal, EndPortal uint32
	Floor                  uint32
	Part                   uint32        // regions of the same part can reach each other through portals
	Low, High              int32         // bounds of the floor's height in this region
	Branch                 uint32        // see findSeparations
	Area                   uint8         // see navmesh.Region.Area
	Split                  bool          // the region has no floor of its own, but pieces, see [Editor]
	Center                 lattice.Point // the mean of the corners
	Core                   lattice.Box   // box inside the region, for a quick test of most points
	Ref                    navmesh.Ref
	Ring                   []lattice.Vertex // the corners, counter-clockwise
}

// Portal is a navmesh.Portal with numbers valid for the whole mesh.
type Portal struct {
	To, Back    uint32
	Left, Right lattice.Point
	// leftTurn and rightTurn number the corners that taut paths bend around. Two portal ends have the same number
	// exactly if they are the same corner of the same free space; floors that only touch in a point, or lie above each
	// other, have separate corners. noTurn: no taut path bends at this end.
	LeftTurn, RightTurn int32
	// The branch numbers of the regions behind are the interval [behind, behind+BehindCount), which may wrap around.
	// See Region.Branch and findSeparations.
	Behind, BehindCount uint32
}

const NoTurn = -1

// ErrOffMesh is query.ErrOffMesh.
var ErrOffMesh = errors.New("query: off the mesh")

// None stands for no portal, no hop, no corner or no region, wherever numbers are signed.
const None = -1

// minReach is the least reach of query.Path for ends beside the mesh, in metres. With minReach, a mesh for agents of
// zero radius and zero climb still finds ends that rounding moved.
const minReach = 0.01

// SamplerReach finds the height of points that rounding put beside their floor, crackReach the height of points in
// cracks between its triangles. In lattice units.
const (
	SamplerReach = 2
	CrackReach   = lattice.UnitsPerMetre / 4
)

// MinJump is the least height difference, in lattice units, that tells two floors apart within samplerReach of each
// other: no walkable slope is as steep.
const MinJump = 64

// New makes the geometry of a mesh.
func New(ctx context.Context, m *navmesh.Mesh) (*Index, error) {
	ix := &Index{
		Mesh:      m,
		Sound:     m.IsSound(),
		Height:    m.Agent.Height * lattice.UnitsPerMetre,
		Climb:     m.Agent.MaxClimb * lattice.UnitsPerMetre,
		SnapReach: max(m.Agent.Radius+m.Agent.MaxClimb, minReach),
		Scale:     1,
		Ground:    evenGround(),
	}
	var b builder
	b.reserve(m)
	for slot := range m.Tiles {
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		ix.addTile(&b, slot, &m.Tiles[slot])
	}
	ix.fill(&b)
	ix.addMarks()
	if err := ix.measure(ctx); err != nil {
		return nil, err
	}
	ix.join(ix.withoutCrossings())
	ix.sumAreas()
	return ix, nil
}

// measure plants the tree and makes the samplers of all floors, side by side.
func (ix *Index) measure(ctx context.Context) error {
	var floors []*lattice.TIN
	for slot := range ix.Mesh.Tiles {
		for i := range ix.Mesh.Tiles[slot].Layers {
			floors = append(floors, &ix.Mesh.Tiles[slot].Layers[i].Floor)
		}
	}
	ix.Floors = make([]*lattice.Sampler, len(floors))
	err := par.For(ctx, 0, len(floors)+1, func(i int) error {
		if i == 0 {
			return ix.plantTree(ctx)
		}
		ix.Floors[i-1] = lattice.NewSampler(floors[i-1])
		return nil
	})
	if err != nil {
		return stopped(ctx)
	}
	return nil
}

// stopped returns the error of a context that ended while an Index was made.
func stopped(ctx context.Context) error { return fmt.Errorf("query: index: %w", ctx.Err()) }

// join computes the properties that depend on regions, portals and open links together.
func (ix *Index) join(open func(link int) bool) {
	ix.findParts()
	ix.numberTurns()
	ix.addHops(open)
	ix.findSeparations()
	ix.findReachable()
	ix.limit()
}

// addTile appends the regions, portals and corners of a tile.
func (ix *Index) addTile(b *builder, slot int, t *navmesh.Tile) {
	firstRegion, firstFloor := len(b.regions), b.floors
	ix.First = append(ix.First, uint32(firstRegion))
	b.addRegions(slot, t)
	corners := make([]lattice.Vertex, len(t.Corners))
	for i, v := range t.Corners {
		corners[i] = t.Vertices[v]
	}
	for i := range t.Regions {
		r := &b.regions[firstRegion+i]
		first, end := t.Regions[i].First, t.Regions[i].First+t.Regions[i].Count
		r.Ring = corners[first:end:end]
		r.Floor = firstFloor + uint32(t.Regions[i].Layer)
		r.Area = t.Regions[i].Area
		ix.Varied = ix.Varied || r.Area != b.regions[0].Area
	}
	b.floors += uint32(len(t.Layers))
}

// addRegions appends the regions of a tile with their portals and walls.
func (b *builder) addRegions(slot int, t *navmesh.Tile) {
	var (
		firstRegion = uint32(len(b.regions))
		firstPortal = uint32(len(b.portals))
	)
	for i := range t.Regions {
		r := &t.Regions[i]
		b.regions = append(b.regions, Region{
			FirstPortal: firstPortal + r.FirstPortal,
			EndPortal:   firstPortal + r.FirstPortal + r.PortalCount,
			Ref:         navmesh.MakeRef(slot, i, t.Generation),
		})
		b.flags = append(b.flags, r.Flags)
		b.addRims(t, i, firstPortal, firstRegion)
	}
	for i := range t.Portals {
		p := &t.Portals[i]
		flat := Portal{
			To:       firstRegion + p.To,
			Back:     firstPortal + p.Back,
			Left:     t.Vertices[p.Left].Point,
			Right:    t.Vertices[p.Right].Point,
			LeftTurn: NoTurn, RightTurn: NoTurn,
		}
		// Any number but noTurn marks a corner until numberTurns has run.
		if p.LeftCorner {
			flat.LeftTurn = 0
		}
		if p.RightCorner {
			flat.RightTurn = 0
		}
		b.portals = append(b.portals, flat)
	}
}

// findParts numbers the parts that portals join. navmesh.Region.Component is unsuitable: Component counts links.
func (ix *Index) findParts() {
	const unknown = math.MaxUint32
	for i := range uint32(ix.RegionLimit()) {
		ix.Region(i).Part = unknown
	}
	var wait []uint32
	part := uint32(0)
	for i := range uint32(ix.RegionLimit()) {
		if ix.Region(i).Part != unknown {
			continue
		}
		ix.Region(i).Part = part
		wait = append(wait[:0], uint32(i))
		for len(wait) > 0 {
			r := ix.Region(wait[len(wait)-1])
			wait = wait[:len(wait)-1]
			for _, p := range ix.PortalsOf(r) {
				if ix.Region(p.To).Part == unknown {
					ix.Region(p.To).Part = part
					wait = append(wait, p.To)
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
func (ix *Index) numberTurns() {
	// same is a forest over the ends whose roots stand for the corners.
	same := make([]uint32, 2*ix.PortalLimit())
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
	for i := range uint32(ix.RegionLimit()) {
		r := ix.Region(i)
		ends = ends[:0]
		for p := r.FirstPortal; p < r.EndPortal; p++ {
			ends = append(ends, end{ix.Portal(p).Left, 2 * p}, end{ix.Portal(p).Right, 2*p + 1})
			unite(2*p, 2*ix.Portal(p).Back+1)
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
		number[i] = NoTurn
	}
	turn := func(e uint32) int32 {
		n := &number[root(e)]
		if *n == NoTurn {
			*n = int32(ix.Turns)
			ix.Turns++
		}
		return *n
	}
	for i := range uint32(ix.PortalLimit()) {
		p := ix.Portal(i)
		if p.LeftTurn != NoTurn {
			p.LeftTurn = turn(uint32(2 * i))
		}
		if p.RightTurn != NoTurn {
			p.RightTurn = turn(uint32(2*i + 1))
		}
	}
}

// plantTree makes the box tree and finds the height bounds of every region: the bounds of its corners and of the floor
// triangles above and below its box.
func (ix *Index) plantTree(ctx context.Context) error {
	boxes := make([]box, ix.RegionLimit())
	for i := range uint32(ix.RegionLimit()) {
		r := ix.Region(i)
		first := r.Ring[0]
		b := box{Low: [3]int32{first.X, first.Y, first.Z}, High: [3]int32{first.X, first.Y, first.Z}}
		var x, y int64
		for _, v := range r.Ring {
			at := [3]int32{v.X, v.Y, v.Z}
			b = b.Union(box{Low: at, High: at})
			x, y = x+int64(v.X), y+int64(v.Y)
		}
		n := int64(len(r.Ring))
		r.Center = lattice.Point{X: int32(x / n), Y: int32(y / n)}
		r.Core = ix.coreOf(uint32(i), b)
		r.Low, r.High = b.Low[2], b.High[2]
		b.Low[2], b.High[2] = math.MinInt32, math.MaxInt32
		boxes[i] = b
	}
	ix.tree = *boxtree.New(boxes, nil)

	floor := uint32(0)
	for slot := range ix.Mesh.Tiles {
		for _, l := range ix.Mesh.Tiles[slot].Layers {
			if err := ix.addHeights(ctx, &l.Floor, floor, boxes); err != nil {
				return err
			}
			floor++
		}
	}
	for i := range uint32(ix.RegionLimit()) {
		boxes[i].Low[2], boxes[i].High[2] = ix.Region(i).Low, ix.Region(i).High
	}
	ix.tree.Fit(boxes)
	return nil
}

// together is the maximum number of nearby triangles that walk the tree of regions as one run. aside is the maximum
// extent of a run, in multiples of its first triangle's extent.
const (
	together = 16
	aside    = 8
)

// addHeights widens the height bounds of a floor's regions by the triangles above and below them.
func (ix *Index) addHeights(ctx context.Context, tin *lattice.TIN, floor uint32, boxes []box) error {
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
		low, high := all.Low[2], all.High[2]
		all.Low[2], all.High[2] = math.MinInt32, math.MaxInt32
		ix.tree.Any(&all, func(i int32) bool {
			r := ix.Region(uint32(i))
			if r.Floor != floor || low >= r.Low && high <= r.High {
				return false
			}
			for k := range run[:n] {
				// A triangle between the known heights adds nothing.
				if b := &run[k]; (b.Low[2] < r.Low || b.High[2] > r.High) && b.Meets(&boxes[i]) {
					low, high := heightsOver(tin, first+k, b, &boxes[i])
					r.Low, r.High = min(r.Low, low), max(r.High, high)
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

// HeightAt returns the height of the floor of region r at (x, y), in lattice units. On the border heightAt takes the
// height inside: on the border a layer may touch itself on another storey, or at the foot of a ledge. Where the floor
// has no height nearby, a fan of the region's own corners gives the height.
func (ix *Index) HeightAt(r uint32, x, y float64) float64 {
	reg := ix.Region(r)
	if reg.Low == reg.High {
		return float64(reg.Low)
	}
	if int(reg.Floor) < len(ix.Floors) {
		floor := ix.Floors[reg.Floor]
		z, ok := heightNear(floor, x, y)
		if jump := floats.Max(ix.Climb, MinJump); ok && float64(reg.High)-float64(reg.Low) > jump && !ix.DeepInside(r, x, y) {
			dx, dy := float64(reg.Center.X)-x, float64(reg.Center.Y)-y
			inwards := floats.Min(1, SamplerReach/floats.Max(Length(dx, dy), 1))
			in, found := floor.Height(x+float64(inwards*dx), y+float64(inwards*dy))
			if found && math.Abs(z-in) > jump {
				z = in
			}
		}
		if ok {
			return z
		}
	}
	ring := reg.Ring
	a := ring[0]
	px, py := x-float64(a.X), y-float64(a.Y)
	for i := 1; i+1 < len(ring); i++ {
		abx, aby := Sub(ring[i].Point, a.Point)
		acx, acy := Sub(ring[i+1].Point, a.Point)
		area2 := float64(abx*acy) - float64(aby*acx)
		b := (float64(px*acy) - float64(py*acx)) / area2
		c := (float64(abx*py) - float64(aby*px)) / area2
		// The last triangle also takes points left over by rounding.
		if area2 > 0 && (c >= 0 && b >= 0 && b+c <= 1 || i+2 == len(ring)) {
			rb, rc := float64(int64(ring[i].Z)-int64(a.Z)), float64(int64(ring[i+1].Z)-int64(a.Z))
			z := float64(a.Z) + float64(b*rb) + float64(c*rc)
			return floats.Min(floats.Max(z, float64(reg.Low)), float64(reg.High))
		}
	}
	return float64(a.Z)
}

// DeepInside reports whether a point is in region r and farther than samplerReach from its border: no other region is
// near.
func (ix *Index) DeepInside(r uint32, x, y float64) bool {
	if ix.inCore(r, x, y, SamplerReach+1) {
		return true
	}
	ring := ix.Ring(r)
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		dx, dy := Sub(b, a)
		// Twice the area of edge and point; the sum of the sides is at least the length of the edge.
		if float64(dx*(y-float64(a.Y)))-float64(dy*(x-float64(a.X))) <= SamplerReach*(math.Abs(dx)+math.Abs(dy)) {
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
	for _, d := range [4][2]float64{{SamplerReach, 0}, {0, SamplerReach}, {-SamplerReach, 0}, {0, -SamplerReach}} {
		if h, found := floor.Height(x+d[0], y+d[1]); found {
			z, ok = floats.Max(z, h), true
		}
	}
	if ok {
		return z, true
	}
	return floor.HeightBelow(x, y, math.Inf(1), CrackReach)
}
