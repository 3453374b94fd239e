package footprints

// Footprints on divided polygons.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section 6.2:
// algorithms 11 (SubdividePolygon), 12 (CollectNeighboringSubPolygons), 13 (the session of a path), 14 (BeginFootprintSession),
// 15 and 16 (restructuring inside and outside).
//
// Idea: a footprint is a sphere. A polygon under a footprint is divided from its centroid to the middles of its edges into
// quads, and quads under the footprint again, until the longer side of a quad's box is below a threshold. Quads with centroids
// in the sphere cost more, or are closed. A* searches the deepest polygons. Ways lock their polygons and edges, and divisions
// without locks go after a delay.
//
// Input: convex polygons with lattice corners, counter-clockwise seen from above, and links between stretches of their borders.
//
// Guarantees:
//  1. A division has a quad for each corner: the corner, the middle of the next edge, the centroid, the middle of the edge before. The
//     quads cover the polygon (TestSplit).
//  2. After a session, deepest polygons under a footprint are below the threshold, and polygons off all footprints are not divided
//     (TestDividesUnderFootprints).
//  3. Deepest polygons are joined exactly where their borders overlap, before and after any sessions and clean-ups
//     (TestEdgesAgainstBruteForce).
//  4. Weights add up, fall with the inverse of the distance, and are gone after the session; far travellers have no weight
//     (TestWeights, TestNearTravellersOnly).
//  5. Ways take no divided polygon, cost no more than any way over deepest polygons, and take no solid one between their ends
//     (TestWaysAgainstDijkstra, TestParentsAreIgnored, TestSolid).
//  6. Locks are those of the ways that travellers still have before them (TestLocks). Divisions go if nobody has
//     locked one of their quads for the delay, and never sooner (TestDelayedCleanUp, TestUnusedDivision).
//  7. Smoothed ways stay in the polygons of their ways (TestSmoothedStaysInWay).
//  8. The same calls give the same ways on every machine (TestTheSameAgain).
//
// Degenerate cases: edges of a single lattice unit are not halved, so their polygons stay whole. A way from a polygon to
// the polygon itself has one node.
//
// Cost: a session divides O(A/ST²) quads for footprints of area A; links of a quad cost a walk down the tree of each neighbour.
//
// Departures:
//   - The centroid is the mean of the corners, which is inside and has whole coordinates.
//   - Algorithm 13 finds the nodes of start and goal before the session divides their polygons; the goal could become a
//     divided polygon, to which no edge leads. Here the nodes are found after the session (TestGoalUnderFootprint).
//   - Algorithm 12 has no answer for a polygon that is not divided; here the answer is the polygon itself. Boxes
//     prune the walk, as figure 52 suggests.
//   - Inheritance decides overlaps: every edge knows its line, and its share of the line in whole numbers. Only the two sides of a link are compared by coordinates.
//   - Divided sub-polygons get no edges, because no search takes an edge of a divided polygon.
//   - The inverse of a distance has no bound; a footprint counts distances below a 16th of its radius as a 16th.

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/pq"
)

// Link joins stretches of the borders of two polygons, each stretch in the direction of its polygon's border. The stretches
// are the same seen from above, unless the link leads over a gap.
type Link struct {
	A, B     int32
	At, Over [2]lattice.Vertex // of A, of B
}

// Volume is the footprint of a traveller or an obstacle: a sphere.
type Volume struct {
	Center lattice.Vertex // on the floor
	Radius float64        // metres
	// Solid closes polygons with centroids in the sphere. Else a metre of them costs Strength times Radius over distance
	// more; Strength 0 stands for 1.
	Solid    bool
	Strength float64
}

// Options of a Field. The zero value has the source's threshold.
type Options struct {
	Smallest float64 // metres, the source's ST: polygons with smaller boxes are not divided; 0 stands for 0.5
	Reach    float64 // metres: volumes whose spheres are farther from a traveller draw no footprint; 0 stands for 10
	Delay    int64   // ticks that a division without locks stays
}

// Least and largest values of Options.Smallest in metres, and the largest radius and reach.
const (
	LeastSmallest = 1.0 / 16
	MostMetres    = 1 << 16
	// MaxNodes bounds the nodes of a Field.
	MaxNodes = 1 << 22
)

// ErrTooLarge reports that a session needs more than MaxNodes nodes.
var ErrTooLarge = errors.New("footprints: footprints divide the polygons into too many")

// arc leads to a neighbour. Both directions of an edge have their arcs.
type arc struct {
	to    int32
	link  int32 // an index of Field.links, -1 inside of a polygon
	locks int32
}

// side is an edge's part of a line, in shares of 2⁻³¹ of the line: an edge of an original polygon, or a spoke from a middle to
// a centroid. Spokes are numbered after edges.
type side struct {
	line    int32
	low, to uint32 // to > low
	back    bool   // the ring goes against the line
}

const whole = 1 << 31

// node is a polygon, original or not.
type node struct {
	ring     []lattice.Vertex
	sides    []side // sides[k] from ring[k] to the next
	middle   lattice.Vertex
	low      [3]int32
	high     [3]int32
	root     int32
	parent   int32   // -1 for an original polygon
	children []int32 // nil for a deepest polygon
	arcs     []arc
	linked   bool // the node has its edges inside of the original polygon
	locks    int32
	solid    int32
	weight   float64
}

// original is what a Field knows of an original polygon.
type original struct {
	links    []int32
	next     []int32 // neighbours
	lines    int32   // lines so far: edges, then spokes
	locked   int32   // locks of sub-polygons
	idle     int64   // since when nothing is locked
	inside   bool    // internally dirty
	outside  bool    // externally dirty
	borderOf []int32 // for each of links: the edge of the polygon that has the stretch
}

// Field is a mesh of polygons on which travellers draw footprints. A Field belongs to one goroutine.
type Field struct {
	nodes    []node
	roots    []original
	links    []Link
	tree     *boxtree.Tree[int32]
	free     []int32
	smallest int64 // lattice units
	reach    float64
	delay    int64
	weighted []int32
	dirty    []int32 // originals with a flag
	stats    Stats
	most     int // nodes

	labels []label
	stamp  uint32
	open   pq.Heap
	found  []int32
}

// Stats counts the work of a Field since it was made.
type Stats struct {
	Divided int // polygons divided
	Made    int // nodes made
	Removed int // nodes removed
	Edges   int // edges made, in both directions counted once
	Visited int // polygons visited for neighbours
}

// New returns a Field of polygons and links. Errors name the polygon or link: a ring that is not convex, counter-clockwise and
// within ±2²⁹ lattice units, a link of a missing polygon, or a stretch without extent. Time O(n log n).
func New(polygons [][]lattice.Vertex, links []Link, opt Options) (*Field, error) {
	for _, o := range []struct {
		name        string
		value       *float64
		least, zero float64
	}{{"smallest side", &opt.Smallest, LeastSmallest, 0.5}, {"reach", &opt.Reach, 0, 10}} {
		if *o.value == 0 {
			*o.value = o.zero
		}
		if !(*o.value >= o.least && *o.value <= MostMetres) {
			return nil, fmt.Errorf("footprints: the %s is %g m, must be %g to %d", o.name, *o.value, o.least, MostMetres)
		}
	}
	if opt.Delay < 0 {
		return nil, fmt.Errorf("footprints: the delay is %d ticks, must be 0 or more", opt.Delay)
	}
	if len(polygons) > MaxNodes/2 {
		return nil, fmt.Errorf("footprints: %d polygons, at most %d", len(polygons), MaxNodes/2)
	}
	f := &Field{
		smallest: int64(math.Floor(opt.Smallest * lattice.UnitsPerMetre)), reach: opt.Reach, delay: opt.Delay, most: MaxNodes,
		links: append([]Link(nil), links...), roots: make([]original, len(polygons)),
	}
	boxes := make([]boxtree.Box[int32], len(polygons))
	for i, ring := range polygons {
		if err := checkRing(ring); err != nil {
			return nil, fmt.Errorf("footprints: polygon %d %w", i, err)
		}
		sides := make([]side, len(ring))
		for k := range sides {
			sides[k] = side{line: int32(k), to: whole}
		}
		f.nodes = append(f.nodes, newNode(append([]lattice.Vertex(nil), ring...), sides, int32(i), -1))
		f.roots[i].lines = int32(len(ring))
		boxes[i] = boxtree.Box[int32]{Low: f.nodes[i].low, High: f.nodes[i].high}
	}
	f.tree = boxtree.New(boxes, nil)
	for i := range f.links {
		if err := f.addLink(int32(i)); err != nil {
			return nil, fmt.Errorf("footprints: link %d %w", i, err)
		}
	}
	f.stats = Stats{}
	return f, nil
}

// beyond reports whether a vertex is farther from the origin of the frame than products of coordinates allow.
func beyond(p lattice.Vertex) bool {
	const most = 1 << 29
	return min(p.X, p.Y, p.Z) < -most || max(p.X, p.Y, p.Z) > most
}

// checkRing returns the fault of a ring.
func checkRing(ring []lattice.Vertex) error {
	if len(ring) < 3 || len(ring) > 1<<16 {
		return fmt.Errorf("has %d corners, must be 3 to 65536", len(ring))
	}
	area := int64(0)
	for k, p := range ring {
		if beyond(p) {
			return fmt.Errorf("has corner %d at %v, beyond 2²⁹", k, p)
		}
	}
	for k, p := range ring {
		q, r := ring[(k+1)%len(ring)], ring[(k+2)%len(ring)]
		turn := lattice.Orient(p.Point, q.Point, r.Point)
		if turn < 0 || p.Point == q.Point {
			return fmt.Errorf("is not convex and counter-clockwise at corner %d, %v", (k+1)%len(ring), q)
		}
		area += turn
	}
	if area == 0 {
		return fmt.Errorf("has no area, at %v", ring[0])
	}
	return nil
}

// addLink joins two original polygons.
func (f *Field) addLink(i int32) error {
	l := &f.links[i]
	for _, p := range [2]int32{l.A, l.B} {
		if p < 0 || int(p) >= len(f.roots) {
			return fmt.Errorf("names polygon %d of %d", p, len(f.roots))
		}
	}
	if l.A == l.B || l.At[0].Point == l.At[1].Point || l.Over[0].Point == l.Over[1].Point {
		return fmt.Errorf("between polygons %d and %d at %v leads nowhere", l.A, l.B, l.At[0])
	}
	for _, end := range [2]struct {
		at, other int32
		stretch   [2]lattice.Vertex
	}{{l.A, l.B, l.At}, {l.B, l.A, l.Over}} {
		r := &f.roots[end.at]
		r.links = append(r.links, i)
		r.borderOf = append(r.borderOf, f.border(end.at, end.stretch))
		known := false
		for _, n := range r.next {
			known = known || n == end.other
		}
		if !known {
			r.next = append(r.next, end.other)
		}
	}
	f.join(l.A, l.B, i)
	return nil
}

// border returns the edge of an original polygon nearest to a stretch.
func (f *Field) border(polygon int32, stretch [2]lattice.Vertex) int32 {
	ring := f.nodes[polygon].ring
	best, least := int32(0), math.Inf(1)
	for k, p := range ring {
		q := ring[(k+1)%len(ring)]
		off := lattice.SegmentDistance2(stretch[0].Point, p.Point, q.Point).Float() + lattice.SegmentDistance2(stretch[1].Point, p.Point, q.Point).Float()
		if off < least {
			best, least = int32(k), off
		}
	}
	return best
}

// newNode returns a polygon without children and edges.
func newNode(ring []lattice.Vertex, sides []side, root, parent int32) node {
	n := node{ring: ring, sides: sides, root: root, parent: parent, linked: parent < 0}
	var x, y, z int64
	n.low, n.high = [3]int32{ring[0].X, ring[0].Y, ring[0].Z}, [3]int32{ring[0].X, ring[0].Y, ring[0].Z}
	for _, p := range ring {
		x, y, z = x+int64(p.X), y+int64(p.Y), z+int64(p.Z)
		for a, c := range [3]int32{p.X, p.Y, p.Z} {
			n.low[a], n.high[a] = min(n.low[a], c), max(n.high[a], c)
		}
	}
	count := int64(len(ring))
	n.middle = lattice.Vertex{Point: lattice.Point{X: mean(x, count), Y: mean(y, count)}, Z: mean(z, count)}
	return n
}

// mean returns sum/count rounded to the nearest whole number, halves up.
func mean(sum, count int64) int32 { return int32(lattice.FloorDiv(2*sum+count, 2*count)) }

// half returns the point between two vertices, the same in both directions.
func half(a, b lattice.Vertex) lattice.Vertex {
	return lattice.Vertex{
		Point: lattice.Point{X: mean(int64(a.X)+int64(b.X), 2), Y: mean(int64(a.Y)+int64(b.Y), 2)},
		Z:     mean(int64(a.Z)+int64(b.Z), 2),
	}
}

// Stats returns the counts of work so far.
func (f *Field) Stats() Stats { return f.stats }

// Nodes returns the number of nodes now: original polygons and all their sub-polygons. Edges counts edges in both
// directions once.
func (f *Field) Nodes() (nodes, edges int) {
	for i := range f.nodes {
		edges += len(f.nodes[i].arcs)
	}
	return len(f.nodes) - len(f.free), edges / 2
}

// Bytes returns the size of the nodes now in a plain layout: for each node its middle and its place in the hierarchy (28
// bytes), a weight and a lock (8), its corners (12 each) with their parts of lines (12 each), and 12 for each arc.
func (f *Field) Bytes() int {
	sum := 0
	for i := range f.nodes {
		n := &f.nodes[i]
		if n.ring != nil {
			sum += 28 + 8 + 24*len(n.ring) + 12*len(n.arcs)
		}
	}
	return sum
}

// Deepest calls visit for each polygon that is not divided, original polygon after original polygon.
func (f *Field) Deepest(visit func(id int32, ring []lattice.Vertex)) {
	for i := range f.roots {
		f.leaves(int32(i), func(id int32) { visit(id, f.nodes[id].ring) })
	}
}

// leaves calls visit for the deepest polygons of a polygon.
func (f *Field) leaves(id int32, visit func(id int32)) {
	if f.nodes[id].children == nil {
		visit(id)
		return
	}
	for _, c := range f.nodes[id].children {
		f.leaves(c, visit)
	}
}
