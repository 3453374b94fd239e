package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/footprints"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/metric"
)

// The crowd of figure 84. The source names 15 travellers and no more.
const (
	brandSessions  = 300
	brandReach     = 10.0 // metres: the others are so near
	brandFootprint = 0.8  // metres: two radii of the traveller
	brandStrength  = 4.0
	brandLongest   = 50.0 // metres of a way on the grid
	brandDelay     = 30   // sessions that a division stays without locks
)

// session84 is a traveller who plans a way in a crowd.
type session84 struct {
	from, to int32 // nodes of the grid
	others   []int32
}

// drawn is the result of a session by a method.
type drawn struct {
	found    bool
	around   bool // no polygon or node of the way has a weight
	expanded int
	raw      float64 // metres
	smoothed float64 // metres; the raw way where the method has no smoother
	laid     int     // weights
	made     int     // pieces of memory: nodes and edges, or blocks
	steps    int     // nodes and edges made, nodes looked at, weights laid
	nodes    int     // during the session
	bytes    int
	draw     time.Duration // the footprints alone
	whole    time.Duration // footprints, search, smoother
}

// drawer is a system of footprints.
type drawer interface {
	session(ctx context.Context, now int64, s *session84, footprints bool) (drawn, error)
}

// gridDrawer draws footprints on the uniform grid.
type gridDrawer struct {
	u        *uniformGrid
	low      [2]int32 // the first column
	deep     int32
	first    []int32 // the first node of a column and of all later ones, by column
	weight   []float64
	marked   []int32
	cost     []float64
	parent   []int32
	stamp    []int32
	now      int32
	open     pq.Heap
	way      []int32
	straight []int32
}

func newGridDrawer(u *uniformGrid) *gridDrawer {
	n := len(u.nodes)
	g := &gridDrawer{u: u, weight: make([]float64, n), cost: make([]float64, n), parent: make([]int32, n), stamp: make([]int32, n)}
	low, high := u.nodes[0].column, u.nodes[0].column
	for _, node := range u.nodes {
		for a, c := range node.column {
			low[a], high[a] = min(low[a], c), max(high[a], c)
		}
	}
	g.low, g.deep = low, high[1]-low[1]+1
	at := int32(0)
	for x := low[0]; x <= high[0]; x++ {
		for y := low[1]; y <= high[1]; y++ {
			g.first = append(g.first, at)
			for int(at) < n && u.nodes[at].column == [2]int32{x, y} {
				at++
			}
		}
	}
	g.first = append(g.first, at)
	return g
}

// column returns the nodes of a column, from first to before last.
func (g *gridDrawer) column(x, y int32) (first, last int32) {
	if x, y = x-g.low[0], y-g.low[1]; x < 0 || y < 0 || y >= g.deep || int(x*g.deep+y+1) >= len(g.first) {
		return 0, 0
	}
	return g.first[x*g.deep+y], g.first[x*g.deep+y+1]
}

// draw lays the weights of footprints on the nodes inside, a point against a sphere, and returns the number of nodes looked at.
func (g *gridDrawer) draw(others []int32) (looked int) {
	const cells int32 = 2 // spacings that a radius reaches, or more
	for _, o := range others {
		at := g.u.nodes[o]
		for dx := -cells; dx <= cells; dx++ {
			for dy := -cells; dy <= cells; dy++ {
				k, last := g.column(at.column[0]+dx, at.column[1]+dy)
				for ; k < last; k++ {
					looked++
					x, y, z := float64(dx)*brandSpacing, float64(dy)*brandSpacing, g.u.nodes[k].height-at.height
					away := math.Sqrt(float64(x*x)+float64(y*y)+float64(z*z)) / lattice.UnitsPerMetre
					if away > brandFootprint {
						continue
					}
					if g.weight[k] == 0 {
						g.marked = append(g.marked, k)
					}
					g.weight[k] += float64(brandStrength * (brandFootprint / max(away, brandFootprint/16)))
				}
			}
		}
	}
	return looked
}

func (g *gridDrawer) erase() {
	for _, k := range g.marked {
		g.weight[k] = 0
	}
	g.marked = g.marked[:0]
}

// search is A* with weights on the nodes that edges lead to.
func (g *gridDrawer) search(from, to int32) (expanded int, found bool) {
	g.now += 2
	g.open.Reset()
	rest := func(n int32) float64 {
		a, b := g.u.nodes[n].column, g.u.nodes[to].column
		x, y := float64(a[0]-b[0]), float64(a[1]-b[1])
		return math.Sqrt(float64(x*x) + float64(y*y))
	}
	g.cost[from], g.parent[from], g.stamp[from] = 0, -1, g.now
	g.open.Push(rest(from), from)
	for g.open.Len() > 0 {
		n := g.open.Pop().ID
		if g.stamp[n] != g.now {
			continue
		}
		g.stamp[n] = g.now + 1
		if n == to {
			g.way = g.way[:0]
			for ; n >= 0; n = g.parent[n] {
				g.way = append(g.way, n)
			}
			slices.Reverse(g.way)
			return expanded, true
		}
		expanded++
		targets, costs := g.u.graph.From(n)
		for i, t := range targets {
			c := g.cost[n] + float64(costs[i]*(1+g.weight[t]))
			if g.stamp[t] == g.now+1 || g.stamp[t] == g.now && c >= g.cost[t] {
				continue
			}
			g.cost[t], g.parent[t], g.stamp[t] = c, n, g.now
			g.open.Push(c+rest(t), t)
		}
	}
	return expanded, false
}

func (g *gridDrawer) session(_ context.Context, _ int64, s *session84, footprints bool) (d drawn, err error) {
	start := time.Now()
	if footprints {
		d.steps = g.draw(s.others) + len(g.marked)
		d.laid = len(g.marked)
	}
	d.draw = time.Since(start)
	defer g.erase()
	d.nodes = len(g.u.nodes)
	d.bytes = gameNode * len(g.u.nodes)
	if d.expanded, d.found = g.search(s.from, s.to); !d.found {
		return d, nil
	}
	d.around = !slices.ContainsFunc(g.way, func(n int32) bool { return g.weight[n] > 0 })
	g.straighten()
	d.whole = time.Since(start)
	d.raw, d.smoothed = g.u.length(g.way), g.u.length(g.straight)
	return d, nil
}

// straighten leaves nodes of the way out where the straight line is free and without weights.
func (g *gridDrawer) straighten() {
	g.straight = append(g.straight[:0], g.way[0])
	pivot := g.way[0]
	for k := 1; k < len(g.way); k++ {
		if !g.free(pivot, g.way[k]) {
			pivot = g.way[k-1]
			g.straight = append(g.straight, pivot)
		}
	}
	if len(g.way) > 1 {
		g.straight = append(g.straight, g.way[len(g.way)-1])
	}
}

// free reports whether the straight line between two nodes is free, and passes no node with a weight between them.
func (g *gridDrawer) free(from, to int32) bool {
	if len(g.marked) > 0 {
		a, b := g.u.nodes[from], g.u.nodes[to]
		dx, dy := int(b.column[0]-a.column[0]), int(b.column[1]-a.column[1])
		steps := max(dx, -dx, dy, -dy)
		for k := 1; k < steps; k++ {
			i, last := g.column(a.column[0]+nearest(k*dx, steps), a.column[1]+nearest(k*dy, steps))
			for ; i < last; i++ {
				if g.weight[i] > 0 {
					return false
				}
			}
		}
	}
	return g.u.free(from, to)
}

// volumesOf are the footprints of travellers.
func volumesOf(u *uniformGrid, others []int32) (list []footprints.Volume) {
	for _, o := range others {
		list = append(list, footprints.Volume{Center: u.place(o), Radius: brandFootprint, Strength: brandStrength})
	}
	return list
}

// fieldDrawer divides polygons.
type fieldDrawer struct {
	u          *uniformGrid
	field      *footprints.Field
	travellers []*footprints.Traveller
	smoother   smooth.Smoother
}

func newFieldDrawer(u *uniformGrid, m *brep.Mesh, delay int64) (*fieldDrawer, error) {
	rings, links := polygonsOf(m)
	f, err := footprints.New(rings, links, footprints.Options{Reach: brandReach + brandFootprint, Delay: delay})
	if err != nil {
		return nil, err
	}
	d := &fieldDrawer{u: u, field: f}
	for range brandTravellers {
		d.travellers = append(d.travellers, f.NewTraveller())
	}
	return d, nil
}

// polygonsOf are the regions of a mesh and their links.
func polygonsOf(m *brep.Mesh) (rings [][]lattice.Vertex, links []footprints.Link) {
	for _, r := range m.Regions {
		ring := make([]lattice.Vertex, len(r.Corners))
		for k, c := range r.Corners {
			ring[k] = m.Vertices[c]
		}
		rings = append(rings, ring)
	}
	for _, l := range m.Links {
		v := func(k int32) lattice.Vertex { return m.Vertices[k] }
		if v(l.At[0]).Point == v(l.At[1]).Point || v(l.Over[0]).Point == v(l.Over[1]).Point {
			continue
		}
		links = append(links, footprints.Link{A: l.A, B: l.B, At: [2]lattice.Vertex{v(l.At[0]), v(l.At[1])}, Over: [2]lattice.Vertex{v(l.Over[0]), v(l.Over[1])}})
	}
	return rings, links
}

func (b *fieldDrawer) session(ctx context.Context, now int64, s *session84, with bool) (d drawn, err error) {
	f := b.field
	f.Clean(now)
	var volumes []footprints.Volume
	before := f.Stats()
	if with {
		volumes = volumesOf(b.u, s.others)
	}
	start := time.Now()
	if with {
		if err := f.Begin(now, b.u.place(s.from), volumes); err != nil {
			return d, err
		}
	}
	d.draw = time.Since(start)
	weighted := map[int32]bool{}
	f.Weighted(func(id int32, _ float64, _ bool) { weighted[id] = true })
	f.End()
	after := f.Stats()
	d.laid = len(weighted)
	d.made = after.Made - before.Made + after.Edges - before.Edges
	d.steps = d.made + d.laid + after.Visited - before.Visited
	d.nodes, _ = f.Nodes()
	d.bytes = f.Bytes()
	start = time.Now()
	w, err := b.travellers[now%brandTravellers].Find(ctx, now, b.u.place(s.from), b.u.place(s.to), volumes)
	if err != nil {
		return d, err
	}
	points := b.smoother.Smooth(b.u.place(s.from), b.u.place(s.to), w.Edges, smooth.Options{})
	d.whole = d.draw + time.Since(start)
	d.found, d.expanded, d.raw = w.Found, w.Expanded, w.Length
	if d.smoothed = lengthOf(points); !w.Found {
		d.smoothed = 0
	}
	d.around = !slices.ContainsFunc(w.Nodes, func(id int32) bool { return weighted[id] })
	return d, nil
}

// lengthOf is the length of a smoothed way in metres.
func lengthOf(points []smooth.Waypoint) (sum float64) {
	for k := 1; k < len(points); k++ {
		x, y := points[k].X-points[k-1].X, points[k].Y-points[k-1].Y
		sum += math.Sqrt(float64(x*x) + float64(y*y))
	}
	return sum / lattice.UnitsPerMetre
}

// sectorDrawer switches blocks of the reference grid.
type sectorDrawer struct {
	u       *uniformGrid
	sectors *footprints.Sectors
}

func (b *sectorDrawer) session(ctx context.Context, now int64, s *session84, with bool) (d drawn, err error) {
	b.sectors.Clean(now)
	var volumes []footprints.Volume
	_, before := b.sectors.Nodes()
	if with {
		volumes = volumesOf(b.u, s.others)
	}
	start := time.Now()
	if with {
		if err := b.sectors.Begin(now, b.u.place(s.from), volumes); err != nil {
			return d, err
		}
	}
	d.draw = time.Since(start)
	weighted := map[lattice.Vertex]bool{}
	fine := 0
	b.sectors.Fine(func(at lattice.Vertex, weight float64, _ bool) {
		fine++
		if weight > 0 {
			weighted[at] = true
		}
	})
	b.sectors.End()
	d.laid = len(weighted)
	var opened int
	d.nodes, opened = b.sectors.Nodes()
	d.made = opened - before
	d.steps = 64*d.made + d.laid
	known, pages := b.sectors.Bytes()
	d.bytes = known + pages
	start = time.Now()
	w, points, err := b.sectors.Find(ctx, now, b.u.place(s.from), b.u.place(s.to), volumes)
	if err != nil {
		return d, err
	}
	d.whole = d.draw + time.Since(start)
	d.found, d.expanded, d.raw, d.smoothed = w.Found, w.Expanded, w.Length, w.Length
	d.around = !slices.ContainsFunc(points, func(p lattice.Vertex) bool { return weighted[p] })
	return d, nil
}

// tally84 sums the sessions of a method.
type tally84 struct {
	sessions, found, around                                       float64
	expanded, plain, raw, smoothed, alone                         float64
	laid, made, steps, nodes, bytes, mostNodes, draw, whole, idle float64
}

// brand84 is figure 84: the cost of footprints on the uniform grid and on meshes.
func brand84(ctx context.Context, opt Options) (Report, error) {
	lvl := brandMap()
	count := orDefault(opt.Paths, brandSessions)
	r := Report{Trials: fmt.Sprintf("one map of %d boxes, after a picture in the source; %d sessions of %d travellers in turn, each among the footprints of %d others within %g m; times are of one run",
		len(lvl.Solids), count, brandTravellers, brandTravellers-1, brandReach)}
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
	names := []string{"uniform grid", "as cut", "merged", "not kept", "sectors"}
	const grid, cut, merged, fresh, sectors = 0, 1, 2, 3, 4
	list := []drawer{newGridDrawer(u)}
	for _, c := range []struct {
		mesh  *brep.Mesh
		delay int64
	}{{meshes[0], brandDelay}, {meshes[1], brandDelay}, {meshes[0], 0}} {
		d, err := newFieldDrawer(u, c.mesh, c.delay)
		if err != nil {
			return r, err
		}
		list = append(list, d)
	}
	rings, links := polygonsOf(meshes[1])
	s, err := footprints.NewSectors(rings, links, footprints.SectorOptions{Reach: brandReach + brandFootprint, Delay: brandDelay})
	if err != nil {
		return r, err
	}
	list = append(list, &sectorDrawer{u, s})
	trips, err := sessions84(ctx, u, meshes, count)
	if err != nil {
		return r, err
	}
	sums, err := draw84(ctx, list, trips)
	if err != nil {
		return r, err
	}
	r.rows84(names, sums)
	if r.Drawing, err = drawing84(ctx, u, meshes, trips, max(opt.Show, 1)-1); err != nil {
		return r, err
	}

	each := func(k int, of func(*tally84) float64) float64 { return of(&sums[k]) / sums[k].sessions }
	made := func(t *tally84) float64 { return t.made }
	steps := func(t *tally84) float64 { return t.steps }
	r.claim("footprints on divided polygons are dramatically dearer than on the grid: over ten times the steps",
		each(cut, steps) > 10*each(grid, steps) && each(merged, steps) > 10*each(grid, steps))
	r.claim("the reason is memory: a session makes over 100 nodes and edges, on the grid none", each(cut, made) > 100 && sums[grid].made == 0)
	r.claim("on the grid footprints cost virtually nothing: fewer steps than a tenth of the edges that the search looks at, 8 for a node",
		each(grid, steps) < 0.1*8*each(grid, func(t *tally84) float64 { return t.expanded }))
	nodes := sums[grid].mostNodes
	r.claim("divided, the mesh has far fewer nodes than the grid (under a half, at the most), if divisions go at once", sums[fresh].mostNodes < 0.5*nodes)
	r.claim("divided, the mesh has far fewer nodes than the grid, if divisions stay for 30 sessions", sums[cut].mostNodes < 0.5*nodes)
	r.claim("divided, the mesh takes less memory than the grid", each(fresh, func(t *tally84) float64 { return t.bytes }) < each(grid, func(t *tally84) float64 { return t.bytes }))
	r.claim("larger polygons make divisions cheaper: merged, a session makes fewer nodes and edges", sums[merged].made < sums[cut].made)
	r.claim("travellers share divisions: with the delay a session makes fewer nodes and edges than without", sums[cut].made < sums[fresh].made)
	r.claim("half a metre is enough to route travellers around each other: over 80 % of the ways that the grid leads around all footprints, divided polygons do too",
		sums[cut].around > 0.8*sums[grid].around && sums[merged].around > 0.8*sums[grid].around)
	r.claim("sectors ask for memory a hundredth as often as divided polygons", sums[sectors].made < 0.01*sums[merged].made)
	r.claim("ways around footprints are about as long as on the grid, within 10 %", math.Abs(sums[cut].smoothed-sums[grid].smoothed) < 0.1*sums[grid].smoothed && math.Abs(sums[merged].smoothed-sums[grid].smoothed) < 0.1*sums[grid].smoothed)
	return r, nil
}

// sessions84 draws sessions: a start on all meshes, others near the start, and a goal that a way of at most 50 m leads to.
func sessions84(ctx context.Context, u *uniformGrid, meshes []*brep.Mesh, count int) (list []session84, err error) {
	off := make([]bool, len(u.nodes))
	for _, m := range meshes {
		at, err := u.on(m)
		if err != nil {
			return nil, err
		}
		for i, region := range at {
			off[i] = off[i] || region < 0
		}
	}
	g := newGridDrawer(u)
	rng := rand.New(rand.NewPCG(8, 84))
	for tried := 0; len(list) < count; tried++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tried > 1000*count {
			return nil, errors.New("experiment: no way on the grid is short enough for a session")
		}
		s := session84{from: int32(rng.IntN(len(u.nodes))), to: int32(rng.IntN(len(u.nodes)))}
		crow := u.length([]int32{s.from, s.to})
		if off[s.from] || off[s.to] || crow > brandLongest || crow < brandReach {
			continue
		}
		if _, ok := g.search(s.from, s.to); !ok || u.length(g.way) > brandLongest {
			continue
		}
		var near []int32
		for i := range u.nodes {
			if away := u.length([]int32{s.from, int32(i)}); !off[i] && away <= brandReach && away > 2*brandFootprint && math.Abs(u.nodes[i].height-u.nodes[s.from].height) < lattice.UnitsPerMetre {
				near = append(near, int32(i))
			}
		}
		for range brandTravellers - 1 {
			if len(near) > 0 {
				s.others = append(s.others, near[rng.IntN(len(near))])
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// draw84 runs the sessions by all methods, and each again without footprints.
func draw84(ctx context.Context, list []drawer, trips []session84) ([]tally84, error) {
	sums := make([]tally84, len(list))
	for now := range trips {
		for k, m := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			d, err := m.session(ctx, int64(now), &trips[now], true)
			if err != nil {
				return nil, err
			}
			t := &sums[k]
			t.sessions++
			t.laid += float64(d.laid)
			t.made += float64(d.made)
			t.steps += float64(d.steps)
			t.nodes += float64(d.nodes)
			t.bytes += float64(d.bytes)
			t.mostNodes = max(t.mostNodes, float64(d.nodes))
			t.expanded += float64(d.expanded)
			t.draw += float64(d.draw.Nanoseconds())
			t.whole += float64(d.whole.Nanoseconds())
			if d.found {
				t.found++
				t.raw += d.raw
				t.smoothed += d.smoothed
				if d.around {
					t.around++
				}
			}
			if d, err = m.session(ctx, int64(now), &trips[now], false); err != nil {
				return nil, err
			}
			t.plain += float64(d.expanded)
			t.idle += float64(d.whole.Nanoseconds())
			if d.found {
				t.alone += d.smoothed
			}
		}
	}
	return sums, nil
}

// rows84 adds the rows of figure 84.
func (r *Report) rows84(names []string, sums []tally84) {
	each := func(name string, of func(*tally84) float64) {
		for k := range sums {
			row := constructed(names[k], name, of(&sums[k]))
			row.Published = metric.Number(math.NaN())
			r.Rows = append(r.Rows, row)
		}
	}
	mean := func(name string, of func(*tally84) float64) {
		each(name, func(t *tally84) float64 { return of(t) / t.sessions })
	}
	mean("nodes", func(t *tally84) float64 { return t.nodes })
	each("most_nodes", func(t *tally84) float64 { return t.mostNodes })
	mean("bytes", func(t *tally84) float64 { return t.bytes })
	mean("weights", func(t *tally84) float64 { return t.laid })
	mean("made", func(t *tally84) float64 { return t.made })
	mean("steps", func(t *tally84) float64 { return t.steps })
	mean("expanded", func(t *tally84) float64 { return t.expanded })
	mean("expanded_without", func(t *tally84) float64 { return t.plain })
	each("found_percent", func(t *tally84) float64 { return percent * t.found / t.sessions })
	each("around_percent", func(t *tally84) float64 { return percent * t.around / t.sessions })
	each("raw_m", func(t *tally84) float64 { return t.raw / t.found })
	each("smoothed_m", func(t *tally84) float64 { return t.smoothed / t.found })
	each("longer_percent", func(t *tally84) float64 { return percent * (t.smoothed - t.alone) / t.alone })
	mean("footprints_us", func(t *tally84) float64 { return t.draw / 1000 })
	mean("session_us", func(t *tally84) float64 { return t.whole / 1000 })
	mean("without_us", func(t *tally84) float64 { return t.idle / 1000 })
	r.Reasons = []Reason{
		{"nodes", "mean over all sessions. As cut and merged: polygons and all their divisions, which stay for 30 sessions without a lock; not kept: as cut, and divisions without a lock go before the next session; sectors: on the merged mesh"},
		{"bytes", "grid: 4 bytes a node, the source's count in the game. Divided polygons: a plain layout with corners, lines, edges and locks. Sectors: runs, blocks and pairs beside the mesh, and 264 bytes for each fine block"},
		{"made", "pieces of memory that a session asks for: nodes and edges, or blocks of 64 places"},
		{"steps", "nodes and edges made, nodes looked at for neighbours or for spheres, weights laid"},
		{"around_percent", "ways without a polygon or node that has a weight; some starts and goals are under footprints"},
		{"smoothed_m", "Brand's smoother over divided polygons, straight lines without weights on the grid, no smoother for sectors"},
		{"longer_percent", "beside the same sessions without footprints"},
		{"footprints_us", "algorithm 14 alone; figure 84 is a drawing of times that our copy does not have. Shown, not judged: time belongs to the machine"},
	}
}
