package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/metric"
)

// The travellers of figure 83. The source names the number of travellers, and the reach of the capped search: 25 to 50 m. The bounds
// of the capped search are ours: with them the search reaches as far.
const (
	brandTravellers = 15
	brandLegs       = 1500 // of all travellers together
	brandOpen       = 64   // nodes of the open list
	brandFlood      = 320  // expanded nodes
	brandNear       = 25.0 // metres
	brandFar        = 50.0
	brandTimings    = 3 // runs of a search and of a smoother; the fastest counts
)

// The bytes of a node of the grid in a file and in the game, by the source, and the bytes of a node and an edge in
// package search: a place in a row and a label; a target and a cost.
const (
	fileNode   = 1
	gameNode   = 4
	searchNode = 4 + 24
	searchEdge = 4 + 8
)

// walked is a leg that a navigator found.
type walked struct {
	found    bool
	expanded int
	items    int     // nodes or edges handed to the smoother
	turns    int     // between start and goal, smoothed
	raw      float64 // metres in plan, as found
	smoothed float64 // metres in plan

	search, smooth time.Duration
}

// navigator finds legs between nodes of the grid.
type navigator interface {
	leg(ctx context.Context, from, to int32) (walked, error)
}

// byGrid walks on the uniform grid. A node of the way is left out where the straight line of nodes misses the node and is
// free.
type byGrid struct {
	grid *uniformGrid
	search.Search
	turns []int32
}

func (b *byGrid) leg(ctx context.Context, from, to int32) (walked, error) {
	start := time.Now()
	r, err := b.Path(ctx, from, to)
	w := walked{found: r.Found(), expanded: r.Expanded, search: time.Since(start)}
	if err != nil || !w.found {
		return w, err
	}
	start = time.Now()
	b.turns = b.grid.straighten(b.turns[:0], r.Nodes)
	w.smooth = time.Since(start)
	w.items, w.turns = len(r.Nodes), max(0, len(b.turns)-2)
	w.raw, w.smoothed = b.grid.length(r.Nodes), b.grid.length(b.turns)
	return w, nil
}

// straighten appends the first node of a way, the nodes where the smoothed way turns, and the last node.
func (u *uniformGrid) straighten(turns, way []int32) []int32 {
	turns = append(turns, way[0])
	pivot := way[0]
	for k := 1; k < len(way); k++ {
		if !u.free(pivot, way[k]) {
			pivot = way[k-1] // a neighbour of way[k]
			turns = append(turns, pivot)
		}
	}
	if len(way) > 1 {
		turns = append(turns, way[len(way)-1])
	}
	return turns
}

// free reports whether the nodes on the straight line between two nodes are joined, each to the next. The line is
// Bresenham's: a node for each step along the longer side, nearest to the line.
func (u *uniformGrid) free(from, to int32) bool {
	a, b := u.nodes[from].column, u.nodes[to].column
	dx, dy := int(b[0])-int(a[0]), int(b[1])-int(a[1])
	steps := max(dx, -dx, dy, -dy)
	at := from
	for k := 1; k <= steps; k++ {
		next := [2]int32{a[0] + nearest(k*dx, steps), a[1] + nearest(k*dy, steps)}
		targets, _ := u.graph.From(at)
		at = -1
		for _, t := range targets {
			if u.nodes[t].column == next {
				at = t
				break
			}
		}
		if at < 0 {
			return false
		}
	}
	return at == to
}

// nearest is a/b rounded to the nearest whole number, halves up; b > 0.
func nearest(a, b int) int32 { return int32(lattice.FloorDiv(int64(2*a+b), int64(2*b))) }

// length is the length of a chain of straight lines in metres.
func (u *uniformGrid) length(way []int32) float64 {
	sum := 0.0
	for k := 1; k < len(way); k++ {
		a, b := u.nodes[way[k-1]].column, u.nodes[way[k]].column
		sum += math.Hypot(float64(b[0]-a[0]), float64(b[1]-a[1]))
	}
	return sum * brandSpacing / lattice.UnitsPerMetre
}

// place is the point of a node.
func (u *uniformGrid) place(n int32) lattice.Vertex {
	c := u.nodes[n].column
	return lattice.Vertex{Point: lattice.Point{X: c[0]*brandSpacing + gridOff, Y: c[1]*brandSpacing + gridOff}, Z: int32(math.Round(u.nodes[n].height))}
}

// byMesh walks on a mesh: A* from middle to middle of its regions, then the source's smoother through the edges between.
type byMesh struct {
	grid *uniformGrid
	mesh *brep.Mesh
	at   []int32 // the region of each node of the grid, -1 for none
	search.Search
	smoother smooth.Smoother
	doors    map[[2]int32]int32 // the longest link between two regions
	edges    []smooth.Edge
}

func newByMesh(u *uniformGrid, m *brep.Mesh) (*byMesh, *search.Graph, error) {
	g, estimate, err := meshGraph(m)
	if err != nil {
		return nil, nil, err
	}
	at, err := u.on(m)
	if err != nil {
		return nil, nil, err
	}
	b := &byMesh{grid: u, mesh: m, at: at, Search: search.NewAStar(g, estimate), doors: map[[2]int32]int32{}}
	long := func(l brep.Link) uint64 { return m.Vertices[l.At[0]].Distance2(m.Vertices[l.At[1]].Point) }
	for k, l := range m.Links {
		between := [2]int32{l.A, l.B}
		if old, ok := b.doors[between]; !ok || long(l) > long(m.Links[old]) {
			b.doors[between] = int32(k)
		}
	}
	return b, g, nil
}

func (b *byMesh) leg(ctx context.Context, from, to int32) (walked, error) {
	start := time.Now()
	r, err := b.Path(ctx, b.at[from], b.at[to])
	w := walked{found: r.Found(), expanded: r.Expanded, search: time.Since(start)}
	if err != nil || !w.found {
		return w, err
	}
	start = time.Now()
	first, last := b.grid.place(from), b.grid.place(to)
	b.edges = b.corridor(b.edges[:0], r.Nodes)
	points := b.smoother.Smooth(first, last, b.edges, smooth.Options{})
	w.smooth = time.Since(start)
	w.items = len(b.edges)
	for k, p := range points {
		if k > 0 {
			w.smoothed += math.Hypot(p.X-points[k-1].X, p.Y-points[k-1].Y) / lattice.UnitsPerMetre
		}
		if p.Corner && k > 0 && k < len(points)-1 {
			w.turns++
		}
	}
	// As found, the way goes by the middles of all regions between those of start and goal.
	before := first.Point
	for k := 1; k < len(r.Nodes); k++ {
		next := last.Point
		if k < len(r.Nodes)-1 {
			next = b.mesh.Regions[r.Nodes[k]].Middle.Point
		}
		w.raw += before.Distance(next)
		before = next
	}
	if len(r.Nodes) == 1 {
		w.raw = before.Distance(last.Point)
	}
	w.raw /= lattice.UnitsPerMetre
	return w, nil
}

// corridor appends the edges to cross on a way through regions. A gap or a step has an edge on either side.
func (b *byMesh) corridor(edges []smooth.Edge, way []int32) []smooth.Edge {
	v := b.mesh.Vertices
	for k := 1; k < len(way); k++ {
		from, to := way[k-1], way[k]
		link := b.mesh.Links[b.doors[[2]int32{min(from, to), max(from, to)}]]
		out, in := link.At, link.Over
		if from > to {
			out, in = in, out
		}
		edges = append(edges, smooth.Edge{Left: v[out[1]], Right: v[out[0]]})
		if link.Kind != brep.Shared {
			edges = append(edges, smooth.Edge{Left: v[in[0]], Right: v[in[1]]})
		}
	}
	return edges
}

// reach83 are the lengths of legs, by the way that A* finds on the grid.
var reach83 = []struct {
	name string
	most float64 // metres
}{{"found_percent_to_25_m", brandNear}, {"found_percent_to_50_m", brandFar}, {"found_percent_beyond", math.Inf(1)}}

// tally83 sums the legs of a navigator.
type tally83 struct {
	found, expanded, items, turns float64
	raw, smoothed, shortest       float64 // of found legs
	common                        float64 // nodes expanded on legs that all navigators find
	search, smooth                time.Duration
	within, legs                  [3]float64 // by reach83: found legs, and all
}

// brand83 is figure 83: travellers on the mesh of a map of boxes and on a uniform grid, by nodes, bytes and time.
func brand83(ctx context.Context, opt Options) (Report, error) {
	lvl := brandMap()
	legs := orDefault(opt.Paths, brandLegs)
	r := Report{Trials: fmt.Sprintf("one map of %d boxes, after a picture in the source; %d travellers walk %d legs between random places; times are the fastest of %d runs", len(lvl.Solids), brandTravellers, legs, brandTimings)}
	names := []string{"uniform grid", "capped grid", "as cut", "merged"}
	const full, capped, cut, merged = 0, 1, 2, 3
	var meshes []*brep.Mesh
	for _, how := range []brep.MeshOptions{{Fractured: true}, {}} {
		how.Jobs, how.Largest = opt.Jobs, true
		m, err := brep.NewMesh(ctx, lvl, brandTraveller, how)
		if err != nil {
			return r, err
		}
		meshes = append(meshes, m)
	}
	u, err := newUniformGrid(meshes[0])
	if err != nil {
		return r, err
	}
	x, y, columns := make([]float64, len(u.nodes)), make([]float64, len(u.nodes)), make([][2]int32, len(u.nodes))
	for i, n := range u.nodes {
		x[i], y[i], columns[i] = float64(n.column[0]), float64(n.column[1]), n.column
	}
	list := []navigator{
		&byGrid{grid: u, Search: search.NewAStar(u.graph, search.Euclid(x, y))},
		&byGrid{grid: u, Search: newBeam(u.graph, columns, brandOpen, brandFlood)},
	}
	graphs := []*search.Graph{u.graph, nil}
	off := make([]bool, len(u.nodes)) // nodes that some mesh has left out
	for _, m := range meshes {
		b, g, err := newByMesh(u, m)
		if err != nil {
			return r, err
		}
		list, graphs = append(list, b), append(graphs, g)
		for i, at := range b.at {
			off[i] = off[i] || at < 0
		}
	}
	var places []int32
	for i := range off {
		if !off[i] {
			places = append(places, int32(i))
		}
	}
	if len(places) == 0 {
		return r, errors.New("experiment: no node of the grid is on all meshes")
	}
	sums, both, err := travel(ctx, list, places, capped, legs)
	if err != nil {
		return r, err
	}
	r.rows83(names, u, meshes, graphs, sums, both, legs)

	grid := r.ours(names[full], "bytes_loaded")
	r.claim("stored, the mesh as cut takes more bytes than the grid", r.ours(names[cut], "bytes_stored") > r.ours(names[full], "bytes_stored"))
	r.claim("loaded, the mesh as cut takes fewer bytes than the grid", r.ours(names[cut], "bytes_loaded") < grid)
	r.claim("loaded, the merged mesh takes fewer bytes than the grid", r.ours(names[merged], "bytes_loaded") < grid)
	r.claim("the mesh leads through the whole map, on legs of any length", sums[cut].found == float64(legs) && sums[merged].found == float64(legs))
	share := func(class int) float64 { return sums[capped].within[class] / max(1, sums[capped].legs[class]) }
	r.claim("the capped search reaches 25 to 50 m: it finds over 90 % of shorter legs, under 10 % of longer legs (the bounds are fitted)",
		share(0) > 0.9 && share(2) < 0.1)
	r.claim("paths of the capped search are not the cheapest, by less than 5 %", sums[capped].raw > sums[capped].shortest && sums[capped].raw < 1.05*sums[capped].shortest)
	if both > 0 {
		r.claim("the search on the mesh as cut is a quarter cheaper than the capped search, in expanded nodes on legs within the cap",
			sums[cut].common <= 0.75*sums[capped].common)
	}
	r.claim("merging makes the search far cheaper (under half the nodes)", sums[merged].expanded < 0.5*sums[cut].expanded)
	near := sums[cut].items / sums[full].items
	r.claim(fmt.Sprintf("smoothing is about the same work on both: the mesh as cut has as many items as the grid within a quarter (here %.2g of them)", near),
		near >= 0.75 && near <= 1.25)
	r.claim("merging leaves less to smooth", sums[merged].items < sums[cut].items)
	return r, nil
}

// travel sends the travellers on their legs between places, of which at least two are joined, and returns the sums of each navigator and the number of legs that all find.
func travel(ctx context.Context, list []navigator, places []int32, capped, legs int) ([]tally83, int, error) {
	sums := make([]tally83, len(list))
	r := rand.New(rand.NewPCG(8, 83))
	random := func() int32 { return places[r.IntN(len(places))] }
	both := 0
	var at [brandTravellers]int32
	for t := range at {
		at[t] = random()
	}
	found := make([]walked, len(list))
	for done := 0; done < legs; {
		from, to := &at[done%brandTravellers], random()
		all := true
		for k, n := range list {
			w, err := fastest(ctx, n, *from, to)
			if err != nil {
				return nil, 0, err
			}
			found[k] = w
			all = all && (w.found || k == capped)
		}
		if !all {
			continue // a crate's top, or a corner that nothing reaches
		}
		*from = to
		done++
		class := 0
		for found[0].raw > reach83[class].most {
			class++
		}
		if found[capped].found {
			both++
		}
		for k := range sums {
			s, w := &sums[k], &found[k]
			s.expanded += float64(w.expanded)
			s.search += w.search
			s.legs[class]++
			if found[capped].found {
				s.common += float64(w.expanded)
			}
			if w.found {
				s.found++
				s.within[class]++
				s.items += float64(w.items)
				s.turns += float64(w.turns)
				s.raw += w.raw
				s.smoothed += w.smoothed
				s.shortest += found[0].raw
				s.smooth += w.smooth
			}
		}
	}
	return sums, both, nil
}

// fastest walks a leg a few times, and returns it with its shortest times.
func fastest(ctx context.Context, n navigator, from, to int32) (walked, error) {
	best := walked{search: math.MaxInt64, smooth: math.MaxInt64}
	for range brandTimings {
		w, err := n.leg(ctx, from, to)
		if err != nil {
			return w, err
		}
		w.search, w.smooth = min(w.search, best.search), min(w.smooth, best.smooth)
		best = w
	}
	return best, nil
}

// rows83 adds the rows of figure 83.
func (r *Report) rows83(names []string, u *uniformGrid, meshes []*brep.Mesh, graphs []*search.Graph, sums []tally83, both, legs int) {
	add := func(k int, name string, published, ours float64) {
		row := constructed(names[k], name, ours)
		row.Published = metric.Number(published)
		r.Rows = append(r.Rows, row)
	}
	unknown := math.NaN()
	const grids = 2 // the first names
	nodes := float64(len(u.nodes))
	add(0, "nodes", 18750, nodes)
	add(1, "nodes", unknown, nodes)
	add(2, "nodes", 990, float64(len(meshes[0].Regions)))
	add(3, "nodes", unknown, float64(len(meshes[1].Regions)))
	add(0, "bytes_stored", 21e3, fileNode*nodes)
	add(2, "bytes_stored", 49e3, float64(meshes[0].Bytes()))
	add(3, "bytes_stored", unknown, float64(meshes[1].Bytes()))
	add(0, "bytes_loaded", gameNode*18750, gameNode*nodes)
	for k, m := range meshes {
		add(grids+k, "bytes_loaded", unknown, float64(m.Bytes()+(gameNode-fileNode)*len(m.Regions)))
	}
	for k, g := range graphs {
		if g != nil {
			add(k, "bytes_of_search", unknown, float64(searchNode*g.Nodes()+searchEdge*g.Edges()))
		}
	}
	for k := range sums {
		add(k, "found_percent", unknown, percent*sums[k].found/float64(legs))
	}
	for c, reach := range reach83 {
		for k := range sums {
			if sums[k].legs[c] > 0 {
				add(k, reach.name, unknown, percent*sums[k].within[c]/sums[k].legs[c])
			}
		}
	}
	each := func(name string, of func(*tally83) (sum, count float64)) {
		for k := range sums {
			if sum, count := of(&sums[k]); count > 0 {
				add(k, name, unknown, sum/count)
			}
		}
	}
	each("expanded", func(t *tally83) (float64, float64) { return t.expanded, float64(legs) })
	each("expanded_within_cap", func(t *tally83) (float64, float64) { return t.common, float64(both) })
	saved := func(name string, published float64, of func(*tally83) float64) {
		if capped := of(&sums[1]); capped > 0 {
			add(grids, name, published, percent*(1-of(&sums[grids])/capped))
			add(grids+1, name, unknown, percent*(1-of(&sums[grids+1])/capped))
		}
	}
	saved("saved_percent", 25, func(t *tally83) float64 { return t.expanded })
	saved("saved_percent_within_cap", 25, func(t *tally83) float64 { return t.common })
	each("smoother_items", func(t *tally83) (float64, float64) { return t.items, t.found })
	each("turns", func(t *tally83) (float64, float64) { return t.turns, t.found })
	each("longer_percent", func(t *tally83) (float64, float64) { return percent * (t.raw - t.shortest), t.shortest })
	each("smoothed_longer_percent", func(t *tally83) (float64, float64) { return percent * (t.smoothed - t.shortest), t.shortest })
	each("search_us", func(t *tally83) (float64, float64) { return float64(t.search.Nanoseconds()) / 1000, float64(legs) })
	each("smoothing_us", func(t *tally83) (float64, float64) { return float64(t.smooth.Nanoseconds()) / 1000, t.found })
	r.Reasons = []Reason{
		{"nodes", "the source's map was not published; ours has as much ground"},
		{"bytes_stored", "grid: one byte a node, as the source's; mesh: plain coordinates and indices of two bytes, where the source does not say how the mesh is counted"},
		{"bytes_loaded", "the source's game takes 4 bytes a node, three of them for links and notes of a search: 75,000 for the source's nodes. A region of the mesh takes the same three. The source gives no figure for the loaded mesh; our mesh as cut takes 29 % more than the source's when stored"},
		{"bytes_of_search", "a graph and the labels of A* in package search, which keeps every edge of the grid"},
		{"found_percent", "the source's search on the grid gives up after a number of nodes that is not told; ours after 320, with an open list of 64"},
		{"saved_percent", "the source has time, a quarter less; nodes that A* follows do not depend on the machine. Searches without a path count too, so this share follows the cap: 15 with a cap of 256, 42 with 400, and no claim stands on the share"},
		{"saved_percent_within_cap", "legs that the capped search finds: 50 with a cap of 256, 58 with 400. The source's share is of time, where pointers of a mesh cost more for each node than a tuned grid"},
		{"smoother_items", "nodes of the way on the grid, edges to cross on the mesh. The source has equal times: an edge costs exact products of coordinates, a node a step on the grid"},
		{"longer_percent", "beside A* on the grid, whose ways turn by 45 degrees; on the mesh, through the middles of regions"},
		{"smoothed_longer_percent", "the smoother stays in the regions that A* chose by their middles; merged regions are large, and their middles far from the shortest way"},
		{"search_us", "shown, not judged: time belongs to the machine"},
	}
}

// ours is the value of a method, not known without a row.
func (r *Report) ours(method, name string) float64 {
	row, ok := r.Row(method, name)
	if !ok {
		return math.NaN()
	}
	return float64(row.Ours)
}
