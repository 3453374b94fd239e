package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/metric"
)

// brandTraveller is who the map of section 8.2 is made for.
var brandTraveller = geom.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: geom.LeastGap}

// brand8Runs is how often a mesh is made; the fastest counts.
const brand8Runs = 5

// brandSpacing is the distance of the nodes of the uniform grid, in lattice units: half a metre.
const brandSpacing = lattice.UnitsPerMetre / 2

// gridOff keeps the nodes off the lattice lines of typical buildings, in lattice units.
const gridOff = 1237

// uniformGrid is the source's other system: a node every half metre wherever the mesh has ground, a storey at a time.
type uniformGrid struct {
	nodes []gridNode
	graph *search.Graph
}

type gridNode struct {
	column [2]int32
	height float64 // lattice units
	region int32   // of the mesh
}

// newUniformGrid samples a mesh. Nodes lie between the lattice lines of typical buildings, so none is on an edge of two
// regions. Time O(area + n log n).
func newUniformGrid(m *brep.Mesh) (*uniformGrid, error) {
	g := &uniformGrid{}
	for i := range m.Regions {
		corners := m.Regions[i].Corners
		low, high := m.Vertices[corners[0]].Point, m.Vertices[corners[0]].Point
		for _, c := range corners {
			p := m.Vertices[c].Point
			low.X, low.Y, high.X, high.Y = min(low.X, p.X), min(low.Y, p.Y), max(high.X, p.X), max(high.Y, p.Y)
		}
		for a := int32(lattice.CeilDiv(int64(low.X)-gridOff, brandSpacing)); a*brandSpacing+gridOff <= high.X; a++ {
			for b := int32(lattice.CeilDiv(int64(low.Y)-gridOff, brandSpacing)); b*brandSpacing+gridOff <= high.Y; b++ {
				p := lattice.Point{X: a*brandSpacing + gridOff, Y: b*brandSpacing + gridOff}
				if h, ok := heightOn(m, corners, p); ok {
					g.nodes = append(g.nodes, gridNode{[2]int32{a, b}, h, int32(i)})
				}
			}
		}
	}
	slices.SortFunc(g.nodes, func(p, q gridNode) int {
		return cmp.Or(slices.Compare(p.column[:], q.column[:]), cmp.Compare(p.height, q.height))
	})
	first := make(map[[2]int32]int)
	for i := len(g.nodes) - 1; i >= 0; i-- {
		first[g.nodes[i].column] = i
	}
	climb := brandTraveller.MaxClimb*lattice.UnitsPerMetre + 1
	var edges []search.Edge
	for i, n := range g.nodes {
		for _, d := range [8][2]int32{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
			to := [2]int32{n.column[0] + d[0], n.column[1] + d[1]}
			k, ok := first[to]
			for ; ok && k < len(g.nodes) && g.nodes[k].column == to; k++ {
				if math.Abs(g.nodes[k].height-n.height) <= climb {
					edges = append(edges, search.Edge{From: int32(i), To: int32(k), Cost: math.Hypot(float64(d[0]), float64(d[1]))})
				}
			}
		}
	}
	var err error
	g.graph, err = search.NewGraph(len(g.nodes), edges)
	return g, err
}

// heightOn returns the height of a region over a point, if the point is on it.
func heightOn(m *brep.Mesh, corners []int32, p lattice.Point) (float64, bool) {
	for k, c := range corners {
		if lattice.Orient(m.Vertices[c].Point, m.Vertices[corners[(k+1)%len(corners)]].Point, p) < 0 {
			return 0, false
		}
	}
	o := m.Vertices[corners[0]]
	for k := 2; k < len(corners); k++ {
		a, b := m.Vertices[corners[k-1]], m.Vertices[corners[k]]
		whole := lattice.Orient(o.Point, a.Point, b.Point)
		u, v := lattice.Orient(o.Point, p, b.Point), lattice.Orient(o.Point, a.Point, p)
		if whole > 0 && u >= 0 && v >= 0 && u+v <= whole {
			w := float64(whole)
			return float64(o.Z) + float64(float64(u)/w*float64(a.Z-o.Z)) + float64(float64(v)/w*float64(b.Z-o.Z)), true
		}
	}
	return 0, false
}

// meshGraph is the graph of the middles of regions, as the source searches it, in spacings of the grid.
func meshGraph(m *brep.Mesh) (*search.Graph, search.Estimate, error) {
	var edges []search.Edge
	x, y := make([]float64, len(m.Regions)), make([]float64, len(m.Regions))
	for i, r := range m.Regions {
		x[i], y[i] = float64(r.Middle.X)/brandSpacing, float64(r.Middle.Y)/brandSpacing
	}
	for _, l := range m.Links {
		cost := math.Hypot(x[l.A]-x[l.B], y[l.A]-y[l.B])
		edges = append(edges, search.Edge{From: l.A, To: l.B, Cost: cost}, search.Edge{From: l.B, To: l.A, Cost: cost})
	}
	g, err := search.NewGraph(len(m.Regions), edges)
	return g, search.Euclid(x, y), err
}

// brand82 is section 8.2: the mesh of a map of boxes as it is cut and merged, beside a uniform grid.
func brand82(ctx context.Context, opt Options) (Report, error) {
	lvl := brandMap()
	paths := opt.Paths
	if paths == 0 {
		paths = 1000
	}
	r := Report{Trials: fmt.Sprintf("One map of %d boxes, after a picture in the source; %d pairs of places.", len(lvl.Solids), paths)}
	const grid = "uniform grid"
	names := []string{"as cut", "merged", "culled"}
	meshes := make([]*brep.Mesh, len(names))
	seconds := make([]float64, len(names))
	for k, how := range []brep.MeshOptions{{Fractured: true}, {}, {Cull: 0.25}} {
		how.Jobs, how.Largest = opt.Jobs, true
		seconds[k] = math.Inf(1)
		for range brand8Runs {
			start := time.Now()
			m, err := brep.NewMesh(ctx, lvl, brandTraveller, how)
			if err != nil {
				return r, err
			}
			meshes[k], seconds[k] = m, min(seconds[k], time.Since(start).Seconds())
		}
	}
	u, err := newUniformGrid(meshes[0])
	if err != nil {
		return r, err
	}
	add := func(method, name string, published, ours float64) {
		row := constructed(method, name, ours)
		row.Published = metric.Number(published)
		r.Rows = append(r.Rows, row)
	}
	unknown := math.NaN()
	cut := meshes[0]
	add(grid, "nodes", 18750, float64(len(u.nodes)))
	for k, m := range meshes {
		published := unknown
		if k == 0 {
			published = 990
		}
		add(names[k], "nodes", published, float64(len(m.Regions)))
	}
	for k, m := range meshes[1:] {
		add(names[k+1], "fewer_percent", [...]float64{75, unknown}[k], 100*(1-float64(len(m.Regions))/float64(len(cut.Regions))))
	}
	add(grid, "bytes", 21e3, float64(len(u.nodes)))
	for k, m := range meshes {
		add(names[k], "bytes", [...]float64{49e3, unknown, unknown}[k], float64(m.Bytes()))
	}
	corners, ofVertices := 0, 0 // of the mesh as cut
	for k, m := range meshes {
		vertices, regions, links := m.BytesByPart()
		if k == 0 {
			ofVertices = vertices
			for i := range m.Regions {
				corners += len(m.Regions[i].Corners)
			}
		}
		for i, name := range [...]string{"bytes_vertices", "bytes_regions", "bytes_links"} {
			add(names[k], name, unknown, float64([...]int{vertices, regions, links}[i]))
		}
	}
	for k := range meshes {
		add(names[k], "seconds", [...]float64{78, unknown, unknown}[k], seconds[k])
	}
	expanded, err := searchBoth(ctx, u, meshes, paths)
	if err != nil {
		return r, err
	}
	add(grid, "expanded", unknown, expanded[0])
	for k := range meshes {
		add(names[k], "expanded", unknown, expanded[k+1])
	}
	fewer := 100 * (1 - float64(len(meshes[1].Regions))/float64(len(cut.Regions)))
	r.Claims = []Claim{
		{"as cut, the mesh has over 90 % fewer nodes than the grid, the source's almost 95", float64(len(cut.Regions)) <= 0.1*float64(len(u.nodes))},
		{"merging leaves 70 to 80 % fewer polygons", fewer >= 70 && fewer <= 80},
		{"as cut, the mesh takes more bytes than the grid, with far fewer nodes", cut.Bytes() > len(u.nodes)},
		{fmt.Sprintf("as cut, the mesh takes 49 kB within a tenth (here %.1f kB)", float64(cut.Bytes())/1e3), within(float64(cut.Bytes()), 49e3*0.9, 49e3*1.1)},
		{"merged, the mesh takes less than the source's 49 kB", meshes[1].Bytes() < 49e3},
	}
	unnamed := 2*len(cut.Links) + 2*len(cut.Regions) // bytes
	r.Reasons = []Reason{
		{"nodes", "The source's map was not published. Ours has tiles, walls, stairs, pillars and crates on as much ground."},
		{"fewer_percent", "The source expected 70 to 80 and had no merging."},
		{"bytes", fmt.Sprintf("Grid: one byte a node, as the source's. Mesh: vertices, middles, corners and links, with indices of two bytes: %.1f bytes a node, the source's %.1f. The source gives no number of vertices, and no layout.",
			float64(cut.Bytes())/float64(len(cut.Regions)), 49e3/990.)},
		{"bytes_vertices", fmt.Sprintf("Walls, steps and crates cut the tiles: %.2f vertices a node, each the corner of %.1f nodes. A floor of whole square tiles has one a node, the corner of four, which would save %.1f kB.",
			float64(len(cut.Vertices))/float64(len(cut.Regions)), float64(corners)/float64(len(cut.Vertices)), float64(ofVertices-12*len(cut.Regions))/1e3)},
		{"bytes_links", fmt.Sprintf("The source names no kinds of links, and no travellers: %.1f kB here and with the nodes. Without both, and with one vertex a node, the mesh would take %.1f kB.",
			float64(unnamed)/1e3, float64(cut.Bytes()-unnamed-ofVertices+12*len(cut.Regions))/1e3)},
		{"seconds", "The fastest of five runs on this machine; the source names none. Shown, not judged: time belongs to the machine."},
		{"expanded", "Nodes that A* follows, in the mean. The source's figure 83 has times only: a quarter less with the mesh."},
	}
	return r, nil
}

// searchBoth returns how many nodes A* expands in the mean between the same places, on the grid and on each mesh.
func searchBoth(ctx context.Context, u *uniformGrid, meshes []*brep.Mesh, paths int) ([]float64, error) {
	x, y := make([]float64, len(u.nodes)), make([]float64, len(u.nodes))
	for i, n := range u.nodes {
		x[i], y[i] = float64(n.column[0]), float64(n.column[1])
	}
	searches := []search.Search{search.NewAStar(u.graph, search.Euclid(x, y))}
	// Where each node of the grid is on the other meshes, which may have left a small region out.
	places := [][]int32{nil}
	for _, m := range meshes {
		g, e, err := meshGraph(m)
		if err != nil {
			return nil, err
		}
		searches = append(searches, search.NewAStar(g, e))
		at, err := u.on(m)
		if err != nil {
			return nil, err
		}
		places = append(places, at)
	}
	sums := make([]float64, len(searches))
	r := rand.New(rand.NewPCG(8, 3))
	for done, tried := 0, 0; done < paths; tried++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tried >= 1000*paths {
			return nil, fmt.Errorf("experiment: %d of %d pairs of places are joined on all meshes", done, tried)
		}
		from, to := int32(r.IntN(len(u.nodes))), int32(r.IntN(len(u.nodes)))
		found := make([]float64, len(searches))
		all := true
		for k, s := range searches {
			f, t := from, to
			if places[k] != nil {
				f, t = places[k][from], places[k][to]
			}
			if f < 0 || t < 0 {
				all = false
				break
			}
			path, err := s.Path(ctx, f, t)
			if err != nil {
				return nil, err
			}
			if all = path.Found(); !all {
				break
			}
			found[k] = float64(path.Expanded)
		}
		if !all {
			continue // a crate's top, or a corner that nothing reaches
		}
		for k := range sums {
			sums[k] += found[k] / float64(paths)
		}
		done++
	}
	return sums, nil
}

// on returns the region of a mesh under each node of the grid, -1 where the mesh has none.
func (u *uniformGrid) on(m *brep.Mesh) ([]int32, error) {
	other, err := newUniformGrid(m)
	if err != nil {
		return nil, err
	}
	at := make([]int32, len(u.nodes))
	k := 0
	for i, n := range u.nodes {
		at[i] = -1
		for k < len(other.nodes) && cmp.Or(slices.Compare(other.nodes[k].column[:], n.column[:]), cmp.Compare(other.nodes[k].height, n.height-1)) < 0 {
			k++
		}
		if k < len(other.nodes) && other.nodes[k].column == n.column && math.Abs(other.nodes[k].height-n.height) <= 1 {
			at[i] = other.nodes[k].region
		}
	}
	return at, nil
}
