package metric

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query"
)

// Bottleneck is metric 11 (section 6.11): the width in metres of the narrowest common edge on the shortest path from
// start to goal. Wider is better. Unknown if start and goal share a region, if no path joins them, and for no regions.
type Bottleneck struct {
	Value Number `json:"value"`
	// Start and Goal are the ends of the path, in world space.
	Start [3]Number `json:"start"`
	Goal  [3]Number `json:"goal"`
	// Length is the length of the path in metres, Crossed its number of portals.
	Length  Number `json:"path_m"`
	Crossed int    `json:"crossed"`
}

// Flow is metric 12, the maximum total flow (section 6.12), in metres of common edge from all regions at the start to
// all at the goal. More is better. Unknown whenever the bottleneck is unknown.
type Flow struct {
	// Value is the true maximum flow, equal to the narrowest cut.
	Value Number `json:"value"`
	// Published is the result of the source's procedure, never more than Value; Paths is the number of paths found by
	// the procedure.
	Published Number `json:"published"`
	Paths     int    `json:"paths"`
	// Cut is the number of common edges of the narrowest cut nearest to the start.
	Cut int `json:"cut_edges"`
}

// movement measures metrics 11 and 12.
func (v *view) movement(ctx context.Context, opt *Options, q *query.Query) (Bottleneck, Flow, error) {
	b := Bottleneck{Value: unknown, Length: unknown, Start: [3]Number{unknown, unknown, unknown}}
	b.Goal = b.Start
	f := Flow{Value: unknown, Published: unknown}
	if len(v.rings) == 0 {
		return b, f, nil
	}
	start, goal := v.ends(opt, q)
	b.Start, b.Goal = numbers(start), numbers(goal)
	path, err := q.Path(ctx, start, goal)
	if err != nil {
		return b, f, fmt.Errorf("metric: bottleneck: %w", err)
	}
	if !path.Complete {
		return b, f, nil
	}
	b.Length = Number(path.Length)
	route := make([]int, len(path.Regions()))
	for i, r := range path.Regions() {
		route[i] = v.base[r.Slot()] + r.Index()
	}
	least := int64(math.MaxInt64)
	for i := 1; i < len(route); i++ {
		if a, ok := v.adjacent(route[i-1], route[i]); ok {
			least = min(least, a.width)
			b.Crossed++
		}
	}
	sources, sinks := v.around(route[0], start), v.around(route[len(route)-1], goal)
	for r := range sources {
		if sources[r] && sinks[r] {
			return b, f, nil
		}
	}
	if b.Crossed > 0 {
		b.Value = metres(least)
	}
	n := newNetwork(v, sources, sinks)
	published, paths := v.publishedFlow(sources, sinks, start)
	f.Published, f.Paths = metres(published), paths
	f.Value = metres(n.maximum())
	f.Cut = n.cut(v)
	return b, f, nil
}

func metres(units int64) Number { return Number(float64(units) * lattice.Unit) }

func numbers(p geom.Vec) [3]Number {
	return [3]Number{Number(p.X + 0), Number(p.Y + 0), Number(p.Z + 0)}
}

// ends returns start and goal, or their defaults; the mesh must have regions.
func (v *view) ends(opt *Options, q *query.Query) (start, goal geom.Vec) {
	areas := make([]float64, v.mesh.Components)
	for r, a := range v.area2 {
		areas[v.component[r]] += float64(a)
	}
	largest := 0
	for c := range areas {
		if areas[c] > areas[largest] {
			largest = c
		}
	}
	var all []lattice.Vertex
	for r, ring := range v.rings {
		if v.component[r] == uint32(largest) {
			all = append(all, ring...)
		}
	}
	slices.SortStableFunc(all, func(a, b lattice.Vertex) int {
		return cmp.Or(a.Compare(b.Point), cmp.Compare(a.Z, b.Z))
	})
	start = v.standing(q, all)
	slices.Reverse(all)
	goal = v.standing(q, all)
	if opt.Start != nil {
		start = *opt.Start
	}
	if opt.Goal != nil {
		goal = *opt.Goal
	}
	return start, goal
}

// standing returns the first vertex on the floor. Only vertices whose height an extractor could not determine are off
// the floor.
func (v *view) standing(q *query.Query, list []lattice.Vertex) (p geom.Vec) {
	for i := range list {
		p = v.mesh.Frame.ToWorld(list[i].Point, list[i].Z)
		if _, ok := q.Locate(p); ok {
			return p
		}
		if _, ok := q.Nearest(p, beside); ok {
			return p
		}
	}
	return p
}

// beside is the maximum distance of a vertex from the floor in metres: borders end at rounded positions.
const beside = 0.01

// around marks a region and the regions reachable from it through regions that contain the point: all regions around
// the point. The flow leaves through any of these regions; hence the flow does not depend on the region of a corner.
func (v *view) around(region int, p geom.Vec) []bool {
	in := make([]bool, len(v.rings))
	in[region] = true
	at, _, ok := v.mesh.Frame.FromWorld(p)
	for open := []int{region}; ok && len(open) > 0; {
		r := open[len(open)-1]
		open = open[:len(open)-1]
		for _, a := range v.next[r] {
			if !in[a.to] && contains(v.rings[a.to], at) {
				in[a.to] = true
				open = append(open, a.to)
			}
		}
	}
	return in
}

// contains reports whether p is in a convex counter-clockwise ring or on its border.
func contains(ring []lattice.Vertex, p lattice.Point) bool {
	for i := range ring {
		if lattice.Orient(ring[i].Point, ring[(i+1)%len(ring)].Point, p) < 0 {
			return false
		}
	}
	return true
}

// publishedFlow is the procedure of section 6.12. The narrowest connection limits the best path; its width is added to
// the sum, the connection is removed, and all others on the path lose the same width; an exhausted connection is
// removed too. The steps repeat until no path is left. The best path is the path of A* as in most navigation meshes,
// from middle to middle of the common edges, from the start. Time O(k·E log E) for k ≤ E paths.
//
// Departure: the source speaks of the width of the narrowest connection "minus any penalties". Here the narrowest
// connection has the least width after its penalties. Otherwise a path could be charged more than another of its
// connections has left.
func (v *view) publishedFlow(sources, sinks []bool, at geom.Vec) (sum int64, paths int) {
	left := make([]int64, v.edges())
	for r := range v.next {
		for _, a := range v.next[r] {
			left[a.edge] = a.width
		}
	}
	x, y, _ := v.mesh.Frame.Local(at)
	s := routeSearch{v: v, left: left, reached: make([]step, len(v.next))}
	for {
		path := s.find(sources, sinks, x, y)
		if path == nil {
			return sum, paths
		}
		least := int64(math.MaxInt64)
		for _, e := range path {
			least = min(least, left[e])
		}
		for _, e := range path {
			left[e] -= least // 0 for the narrowest connection, which removes it
		}
		sum += least
		paths++
	}
}

// routeSearch finds paths over the connections with remaining width.
type routeSearch struct {
	v       *view
	left    []int64
	reached []step
	round   int
}

// step is the state of a region in a round of the search.
type step struct {
	round    int
	done     bool
	cost     float64
	x, y     float64 // the middle of the common edge at the entry of the region
	from     int     // the previous region
	edge     int
	terminal bool // a source
}

// find returns, backwards, the connections of a shortest path to a sink from the sources, all starting at (x, y); nil
// if no path exists.
func (s *routeSearch) find(sources, sinks []bool, x, y float64) []int {
	s.round++
	var open pq.Heap
	for r, is := range sources {
		if is {
			s.reached[r] = step{round: s.round, x: x, y: y, terminal: true}
			open.Push(0, int32(r))
		}
	}
	for open.Len() > 0 {
		e := open.Pop()
		region := int(e.ID)
		at := &s.reached[region]
		if at.done {
			continue
		}
		at.done = true
		if sinks[region] {
			var path []int
			for r := region; !s.reached[r].terminal; r = s.reached[r].from {
				path = append(path, s.reached[r].edge)
			}
			return path
		}
		for _, a := range s.v.next[region] {
			to := &s.reached[a.to]
			if s.left[a.edge] <= 0 || to.round == s.round && to.done {
				continue
			}
			dx, dy := a.x-at.x, a.y-at.y
			cost := at.cost + math.Sqrt(float64(dx*dx)+float64(dy*dy))
			if to.round != s.round || cost < to.cost {
				*to = step{round: s.round, cost: cost, x: a.x, y: a.y, from: region, edge: a.edge}
				open.Push(cost, int32(a.to))
			}
		}
	}
	return nil
}
