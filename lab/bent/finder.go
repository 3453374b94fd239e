package bent

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Path is a path over bent regions.
type Path struct {
	// Found says that portals join start and goal. All else but Expanded is empty if not.
	Found bool
	// Regions are the bent regions of the way on the graph, from start to goal.
	Regions []int
	// Points are the start, the places where the path turns, and the goal, on the floor.
	Points []geom.Vec
	// Length is the horizontal length of the path in metres, Raw the length of the way on the graph.
	Length, Raw float64
	// Expanded counts the nodes of the graph that the search took up.
	Expanded int
}

// node is a portal between two bent regions, as the position of its middle on both sides.
type node struct {
	regions [2]int32
	at      [2]query.Position
}

// Finder finds paths. It belongs to one goroutine at a time.
type Finder struct {
	mesh  *Mesh
	index *query.Index // of the whole mesh
	query *query.Query
	inner *query.Query // every portal between two bent regions is closed
	nodes []node
	// byRegion lists the nodes of each bent region.
	byRegion [][]int32
	graph    *search.Graph
	searcher *search.AStar
}

// NewFinder makes the graph of the bent regions. Errors: the context's, and those of queries on a mesh with faults.
func NewFinder(ctx context.Context, m *Mesh) (*Finder, error) {
	ix, err := query.NewIndexWith(ctx, m.Base)
	if err != nil {
		return nil, err
	}
	inner, err := query.NewIndexWith(ctx, m.closed(func(a, b int32) bool { return false }))
	if err != nil {
		return nil, err
	}
	f := &Finder{mesh: m, index: ix, query: ix.NewQuery(), inner: inner.NewQuery(), byRegion: make([][]int32, len(m.Regions))}
	if err := f.portals(); err != nil {
		return nil, err
	}
	if err := f.edges(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// Nodes returns the number of portals between two bent regions.
func (f *Finder) Nodes() int { return f.graph.Nodes() }

// Edges returns the number of directed edges of the graph.
func (f *Finder) Edges() int { return f.graph.Edges() }

// portals makes a node of every portal between two bent regions.
func (f *Finder) portals() error {
	frame := f.mesh.Base.Frame
	var exits []query.Exit
	for t := range f.mesh.Base.Tiles {
		tile := &f.mesh.Base.Tiles[t]
		for r := range tile.Regions {
			exits = f.index.Exits(exits[:0], navmesh.MakeRef(t, r, tile.Generation))
			for _, x := range exits {
				if x.Link >= 0 || x.Back < x.ID {
					continue // each portal once
				}
				a, _ := f.mesh.Of(x.From)
				b, _ := f.mesh.Of(x.To)
				if a == b {
					continue
				}
				middle := frame.FromLocal((float64(x.Left.X)+float64(x.Right.X))/2, (float64(x.Left.Y)+float64(x.Right.Y))/2, (float64(x.Left.Z)+float64(x.Right.Z))/2)
				n := node{regions: [2]int32{int32(a), int32(b)}}
				for k, ref := range [2]navmesh.Ref{x.From, x.To} {
					at, err := f.query.NearestIn(ref, middle)
					if err != nil {
						return err
					}
					n.at[k] = at
					f.byRegion[n.regions[k]] = append(f.byRegion[n.regions[k]], int32(len(f.nodes)))
				}
				f.nodes = append(f.nodes, n)
			}
		}
	}
	return nil
}

// in returns the place of a node in one of its regions.
func (f *Finder) in(n int32, region int32) query.Position {
	if f.nodes[n].regions[0] == region {
		return f.nodes[n].at[0]
	}
	return f.nodes[n].at[1]
}

// edges joins the nodes of every region by the shortest ways inside.
func (f *Finder) edges(ctx context.Context) error {
	var edges []search.Edge
	for region, nodes := range f.byRegion {
		for i, a := range nodes {
			for _, b := range nodes[i+1:] {
				path, err := f.inner.PathBetween(ctx, f.in(a, int32(region)), f.in(b, int32(region)))
				if err != nil {
					return err
				}
				if path.Complete {
					edges = append(edges, search.Edge{From: a, To: b, Cost: path.Length}, search.Edge{From: b, To: a, Cost: path.Length})
				}
			}
		}
	}
	g, err := search.NewGraph(len(f.nodes), edges)
	if err != nil {
		return err
	}
	f.graph, f.searcher = g, search.NewAStar(g, nil)
	return nil
}

// Path finds a path between two places. Errors: [query.ErrOffMesh], the context's.
func (f *Finder) Path(ctx context.Context, start, goal geom.Vec) (Path, error) {
	from, ok := f.query.Locate(start)
	to, also := f.query.Locate(goal)
	if !ok || !also {
		return Path{}, query.ErrOffMesh
	}
	return f.Between(ctx, from, to)
}

// Between finds a path between two positions that queries of the mesh have returned. Errors as for [Finder.Path].
func (f *Finder) Between(ctx context.Context, from, to query.Position) (Path, error) {
	a, ok := f.mesh.Of(from.Ref)
	b, also := f.mesh.Of(to.Ref)
	if !ok || !also {
		return Path{}, query.ErrOffMesh
	}
	if a == b {
		path, err := f.inner.PathBetween(ctx, from, to)
		if err != nil || !path.Complete {
			return Path{}, err
		}
		return Path{Found: true, Regions: []int{a}, Points: slices.Clone(path.Points), Length: path.Length, Raw: path.Length}, nil
	}
	starts, err := f.ends(ctx, int32(a), from)
	if err != nil {
		return Path{}, err
	}
	goals, err := f.ends(ctx, int32(b), to)
	if err != nil {
		return Path{}, err
	}
	way, err := f.searcher.Between(ctx, starts, goals, func(n int32) float64 { return f.rest(n, to.Point) })
	if err != nil || !way.Found() {
		return Path{Expanded: way.Expanded}, err
	}
	out := Path{Found: true, Regions: f.along(int32(a), int32(b), way.Nodes), Raw: way.Cost, Expanded: way.Expanded}
	allowed := make([]bool, len(f.mesh.Regions))
	for _, r := range out.Regions {
		allowed[r] = true
	}
	corridor, err := query.NewIndexWith(ctx, f.mesh.closed(func(a, b int32) bool { return allowed[a] && allowed[b] }))
	if err != nil {
		return Path{}, err
	}
	path, err := corridor.NewQuery().PathBetween(ctx, from, to)
	if err != nil {
		return Path{}, err
	}
	out.Points, out.Length = slices.Clone(path.Points), path.Length
	return out, nil
}

// rest is a lower bound of the way from a node to a place.
func (f *Finder) rest(n int32, to geom.Vec) float64 {
	least := math.Inf(1)
	for _, at := range f.nodes[n].at {
		least = min(least, math.Hypot(at.Point.X-to.X, at.Point.Z-to.Z))
	}
	// The two sides of a portal may be rounded apart.
	const slack = 0.01
	return max(0, least-slack)
}

// ends returns the nodes of a region with the ways to a place inside.
func (f *Finder) ends(ctx context.Context, region int32, at query.Position) ([]search.End, error) {
	var ends []search.End
	for _, n := range f.byRegion[region] {
		path, err := f.inner.PathBetween(ctx, at, f.in(n, region))
		if err != nil {
			return nil, err
		}
		if path.Complete {
			ends = append(ends, search.End{Node: n, Cost: path.Length})
		}
	}
	return ends, nil
}

// along returns the regions of a way over nodes from a region to another. Of two nodes with both regions in common the way
// may have used either, and both are named.
func (f *Finder) along(first, last int32, nodes []int32) []int {
	regions := []int{int(first)}
	add := func(r int32) {
		if regions[len(regions)-1] != int(r) {
			regions = append(regions, int(r))
		}
	}
	for k := 1; k < len(nodes); k++ {
		for _, r := range f.nodes[nodes[k-1]].regions {
			if other := f.nodes[nodes[k]].regions; r == other[0] || r == other[1] {
				add(r)
			}
		}
	}
	add(last)
	return regions
}
