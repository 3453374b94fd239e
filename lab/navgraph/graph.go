package navgraph

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Graphs of points over a mesh.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, UNC
// Charlotte, 2011, section 3.2 (the navigation map: centres of regions and middles of gateways); S. Brand, Efficient
// Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section 5.1 (centroids, and figure
// 38: large regions of enhanced resolution). Many meshes of games search middles of portals alone.
//
// Idea: A region is either a hub, with all ways through a single node at its centroid, or full: every way between
// two of its portals is an edge. A portal has nodes beside a full region, or where the map requires them; between
// two hubs without such a portal an edge joins the centroids. The choice of hubs makes the four kinds.
//
// Input: an Index, so a mesh without faults by Validate, less the parts closed by a filter.
//
// Guarantees:
//  1. Two places are joined by a path of the graph exactly if they are joined on the mesh (TestLengthsAreInOrder, TestClosedDoors).
//  2. The path is the shortest of the graph between start and goal (TestPathsAgainstBruteForce).
//  3. Its exits lead from the start's region to the goal's. The shortest path through them is not longer than the
//     path along the graph, unless the latter leaves its regions, nor shorter than the shortest on the mesh
//     (TestLengthsAreInOrder).
//  4. There and back is as long, without one-way links, and the same in a frame elsewhere (TestGraphIsSymmetric,
//     TestGraphMovesWithTheFrame).
//
// Degenerate cases: two hubs with several common portals have one edge, through the portal with the shortest way over
// its middle between the centroids. A portal of full regions that is left on the side it was entered from is not
// crossed. Links are nodes at their two ends, which no source has; a wide link has nodes at all its crossing places.
//
// Cost: nodes and edges O(regions + portals) for hubs; a full region of k nodes has up to k·(k-1) edges, of p portals in Enhanced
// k ≤ max(p, MostNodes). Searches cost as in [search.AStar].
//
// Departures: costs are horizontal lengths, as the exact search counts, where B measures in space. Start and goal take the place
// of the centroids of their regions; B walks from centroid to centroid, which is longer. Of figure 38 only the idea is taken:
// nodes are on the portals themselves, evenly spaced, not near them, and an enhanced region has no centroid, as the edge past it
// is never longer. Areas closed by a filter are closed; the costs of other areas do not count here, only when
// [query.Query.Through] pulls the path tight.

// NodeKind is the meaning of a node.
type NodeKind uint8

const (
	AtCentroid  NodeKind = iota // the centroid of a region
	OnPortal                    // a place on a portal
	AtLinkStart                 // where a link may be taken
	AtLinkEnd                   // where that leads
)

// Node is a node of a Graph.
type Node struct {
	Kind   NodeKind
	Point  geom.Vec    // on the floor
	Region navmesh.Ref // of the centroid, of the lower side of a portal, where a link starts, or where it ends
}

// node is a Node in the numbers of the Graph.
type node struct {
	x, y  float64  // lattice units
	at    geom.Vec // the same on the floor of sides[0]
	sides [2]int32 // its regions; equal except for portals
	exits [2]int32 // of a portal: out of sides[0] and out of sides[1]; of a link: both its exit
	kind  NodeKind
}

// Graph is a graph of points over a mesh, a [search.Graph] that knows where its nodes are. It is immutable and safe for
// any number of goroutines; each uses its own [Finder].
type Graph struct {
	ix    *query.Index
	mesh  *navmesh.Mesh
	kind  Kind
	graph *search.Graph
	nodes []node
	scale float64 // of estimates: below 1 where links cost less than they are long

	first     []int32 // of every tile, the number of its first region
	regions   []navmesh.Ref
	exits     []query.Exit // region after region
	firstExit []int32
	byID      []int32   // the places of exits in the list, -1 for none
	hub       []int32   // of every region, the node at its centroid, -1 for full ones
	in, out   [][]int32 // of every region, its entry nodes and its exit nodes
}

// New makes the graph of ix's mesh, less the parts left out by ix. The error names an option out of range. Time
// and space O(n) for n nodes and edges, and the cost of finding portals.
func New(ix *query.Index, opt Options) (*Graph, error) {
	if int(opt.Kind) >= len(kindNames) {
		return nil, fmt.Errorf("navgraph: unknown kind %d", opt.Kind)
	}
	for _, o := range []struct {
		name  string
		value *float64
		zero  float64
	}{{"large", &opt.Large, DefaultLarge}, {"spacing", &opt.Spacing, DefaultSpacing}} {
		if *o.value == 0 {
			*o.value = o.zero
		}
		if !(*o.value > 0) {
			return nil, fmt.Errorf("navgraph: %s is %v m, must be above 0", o.name, *o.value)
		}
	}
	g := &Graph{ix: ix, mesh: ix.Mesh(), kind: opt.Kind, scale: 1}
	g.list()
	g.placeNodes(opt)
	for i := range g.nodes {
		o := &g.nodes[i]
		o.at, _ = ix.Floor(g.regions[o.sides[0]], g.mesh.Frame.FromLocal(o.x, o.y, 0))
	}
	var err error
	g.graph, err = search.NewGraph(len(g.nodes), g.edges())
	return g, err
}

// list numbers regions and exits.
func (g *Graph) list() {
	g.firstExit = []int32{0}
	for slot := range g.mesh.Tiles {
		t := &g.mesh.Tiles[slot]
		g.first = append(g.first, int32(len(g.regions)))
		for i := range t.Regions {
			r := navmesh.MakeRef(slot, i, t.Generation)
			g.regions = append(g.regions, r)
			g.exits = g.ix.Exits(g.exits, r)
			g.firstExit = append(g.firstExit, int32(len(g.exits)))
		}
	}
	last := int32(-1)
	for i := range g.exits {
		last = max(last, g.exits[i].ID)
	}
	g.byID = make([]int32, last+1)
	for i := range g.byID {
		g.byID[i] = -1
	}
	for i := range g.exits {
		g.byID[g.exits[i].ID] = int32(i)
	}
	g.hub = make([]int32, len(g.regions))
	g.in, g.out = make([][]int32, len(g.regions)), make([][]int32, len(g.regions))
}

// number returns the number of a region of the mesh.
func (g *Graph) number(r navmesh.Ref) int32 { return g.first[r.Slot()] + int32(r.Index()) }

// exit returns the exit of an ID.
func (g *Graph) exit(id int32) (e query.Exit, ok bool) {
	if id < 0 || int(id) >= len(g.byID) || g.byID[id] < 0 {
		return e, false
	}
	return g.exits[g.byID[id]], true
}

// exitsOf returns the exits of region r.
func (g *Graph) exitsOf(r int32) []query.Exit { return g.exits[g.firstExit[r]:g.firstExit[r+1]] }

// placeNodes makes the nodes: first the centroids of hubs, then region by region the places on portals and links.
func (g *Graph) placeNodes(opt Options) {
	for r := range g.regions {
		g.hub[r] = -1
		if opt.Kind == Midpoints || opt.Kind == Enhanced && g.extent(r) >= opt.Large {
			continue
		}
		g.hub[r] = int32(len(g.nodes))
		x, y := g.centroid(r)
		g.nodes = append(g.nodes, node{x: x, y: y, sides: [2]int32{int32(r), int32(r)}, exits: [2]int32{-1, -1}})
	}
	for r := range int32(len(g.regions)) {
		for _, e := range g.exitsOf(r) {
			to := g.number(e.To)
			if e.Link >= 0 {
				g.placeLink(r, to, &e)
				continue
			}
			if e.Back < e.ID {
				continue // it was made from the other side
			}
			n := g.pieces(&e, r, to, opt)
			for i := range n {
				t := (float64(i) + 0.5) / float64(n)
				dx, dy := float64(int64(e.Right.X)-int64(e.Left.X)), float64(int64(e.Right.Y)-int64(e.Left.Y))
				id := int32(len(g.nodes))
				g.nodes = append(g.nodes, node{
					x: float64(e.Left.X) + float64(t*dx), y: float64(e.Left.Y) + float64(t*dy),
					sides: [2]int32{r, to}, exits: [2]int32{e.ID, e.Back}, kind: OnPortal,
				})
				for _, side := range [2]int32{r, to} {
					g.in[side], g.out[side] = append(g.in[side], id), append(g.out[side], id)
				}
			}
		}
	}
}

// placeLink makes the two nodes of a link.
func (g *Graph) placeLink(r, to int32, e *query.Exit) {
	id := int32(len(g.nodes))
	exits := [2]int32{e.ID, e.ID}
	start := node{x: float64(e.Left.X), y: float64(e.Left.Y), sides: [2]int32{r, r}, exits: exits, kind: AtLinkStart}
	end := node{x: float64(e.End.X), y: float64(e.End.Y), sides: [2]int32{to, to}, exits: exits, kind: AtLinkEnd}
	g.nodes = append(g.nodes, start, end)
	g.out[r], g.in[to] = append(g.out[r], id), append(g.in[to], id+1)
	if long := between(start.x, start.y, end.x, end.y); e.Cost < long {
		g.scale = min(g.scale, e.Cost/long)
	}
}

// pieces returns how many nodes the portal e between two regions has.
func (g *Graph) pieces(e *query.Exit, r, to int32, opt Options) int {
	switch {
	case opt.Kind == Centroids || opt.Kind == Enhanced && g.hub[r] >= 0 && g.hub[to] >= 0:
		return 0
	case opt.Kind != Enhanced:
		return 1
	}
	long := math.Sqrt(float64(e.Left.Distance2(e.Right.Point))) * lattice.Unit
	most := MostPieces
	for _, side := range [2]int32{r, to} {
		if g.hub[side] < 0 {
			most = min(most, MostNodes/len(g.exitsOf(side)))
		}
	}
	return max(int(min(math.Ceil(long/opt.Spacing), float64(most))), 1)
}

// edges lists the edges region by region, then the links.
func (g *Graph) edges() []search.Edge {
	var list []search.Edge
	join := func(a, b int32) { list = append(list, search.Edge{From: a, To: b, Cost: g.distance(a, b)}) }
	for r := range int32(len(g.regions)) {
		hub := g.hub[r]
		if hub < 0 {
			for _, a := range g.in[r] {
				for _, b := range g.out[r] {
					if !g.samePortal(a, b) {
						join(a, b)
					}
				}
			}
			continue
		}
		for _, b := range g.out[r] {
			join(hub, b)
		}
		for _, a := range g.in[r] {
			join(a, hub)
		}
		for i, e := range g.exitsOf(r) {
			if to := g.number(e.To); g.direct(&e) && g.firstTo(r, i) {
				join(hub, g.hub[to])
			}
		}
	}
	for i := range g.nodes {
		if g.nodes[i].kind == AtLinkStart {
			e := g.exits[g.byID[g.nodes[i].exits[0]]]
			list = append(list, search.Edge{From: int32(i), To: int32(i) + 1, Cost: e.Cost})
		}
	}
	return list
}

// samePortal reports whether two nodes are on the same portal, along which no way leads on.
func (g *Graph) samePortal(a, b int32) bool {
	return g.nodes[a].kind == OnPortal && g.nodes[b].kind == OnPortal && g.nodes[a].exits == g.nodes[b].exits
}

// direct reports whether an exit is a portal without nodes: between two hubs of a graph whose maps have none.
func (g *Graph) direct(e *query.Exit) bool {
	return e.Link < 0 && g.kind != Both && g.hub[g.number(e.From)] >= 0 && g.hub[g.number(e.To)] >= 0
}

// firstTo reports whether no exit of region r before the one numbered i leads to the same neighbour.
func (g *Graph) firstTo(r int32, i int) bool {
	list := g.exitsOf(r)
	return !slices.ContainsFunc(list[:i], func(e query.Exit) bool { return e.Link < 0 && e.To == list[i].To })
}

// distance returns the horizontal distance of two nodes in metres.
func (g *Graph) distance(a, b int32) float64 {
	return between(g.nodes[a].x, g.nodes[a].y, g.nodes[b].x, g.nodes[b].y) * lattice.Unit
}

// between returns the distance of two points.
func between(ax, ay, bx, by float64) float64 {
	return math.Sqrt(float64((ax-bx)*(ax-bx)) + float64((ay-by)*(ay-by)))
}

// extent returns the largest distance of two corners of region r in metres.
func (g *Graph) extent(r int) float64 {
	t, _, _ := g.mesh.Region(g.regions[r])
	corners := t.RegionCorners(g.regions[r].Index())
	most := uint64(0)
	for i, a := range corners {
		for _, b := range corners[:i] {
			most = max(most, t.Vertices[a].Distance2(t.Vertices[b].Point))
		}
	}
	return math.Sqrt(float64(most)) * lattice.Unit
}

// centroid returns the centre of gravity of region r in lattice units.
func (g *Graph) centroid(r int) (x, y float64) {
	t, _, _ := g.mesh.Region(g.regions[r])
	corners := t.RegionCorners(g.regions[r].Index())
	o := t.Vertices[corners[0]].Point
	var sum float64
	for i := 1; i+1 < len(corners); i++ {
		a, b := t.Vertices[corners[i]].Point, t.Vertices[corners[i+1]].Point
		area := float64(lattice.Orient(o, a, b))
		// Relative to the first corner, three times the centroid of the triangle.
		ax, ay := a.Sub(o)
		bx, by := b.Sub(o)
		x += float64(area * float64(ax+bx))
		y += float64(area * float64(ay+by))
		sum += area
	}
	return float64(o.X) + x/(3*sum), float64(o.Y) + y/(3*sum)
}

// Kind returns the kind of points in g.
func (g *Graph) Kind() Kind { return g.kind }

// Search returns the graph for the searchers of package search. Costs are metres.
func (g *Graph) Search() *search.Graph { return g.graph }

// Node returns a node of the graph; ok is false for an invalid number.
func (g *Graph) Node(n int32) (at Node, ok bool) {
	if n < 0 || int(n) >= len(g.nodes) {
		return Node{}, false
	}
	o := &g.nodes[n]
	return Node{Kind: o.kind, Point: o.at, Region: g.regions[o.sides[0]]}, true
}
