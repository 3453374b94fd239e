package route

// A* over the portals of the mesh.
//
// Source: P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost
// paths, IEEE Transactions on Systems Science and Cybernetics 4 (1968); entry points on portals as in M. Kallmann, Path
// planning in triangulations, IJCAI workshop 2005.
//
// Idea: A node is a portal with an entry point. From the entry every other portal of the region behind is reached in a
// straight line, as the region is convex. The entry point of a portal is the best point on the way from the previous
// entry to the goal. Links are nodes too, entered at their start and left at their end.
//
// Input: a mesh without faults by Validate; start and goal in the same part of the mesh.
//
// Guarantees:
//  1. A corridor is found if any exists (TestEveryReachablePairHasAPath).
//  2. The corridor's path is never shorter than the shortest path, and on the test worlds at most maxCorridorRatio
//     times as long (TestAgainstOracle).
//  3. The answer depends only on mesh, start and goal (TestQueriesDoNotDependOnHistory).
//
// Degenerate cases: crossing the portal of a start or goal on a portal costs nothing. A start on the border of several
// regions belongs to the region that Locate names.
//
// Cost: O(m log m) for the m portals of the regions entered.
//
// Departures: entry points depend on the way that found them. Hence the graph's costs are not fixed and the corridor is
// only the best of this search. The interval search finds provably shortest paths.

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// entry is the A* state of a portal or, after all portals, of a hop.
type entry struct {
	x, y   float64 // crossing point, for a hop its end, in lattice units
	g      float64 // length of the way to the entry
	parent int32   // the previous portal or hop, none at the start
	stamp  uint32  // the search that wrote the entry
	closed bool
}

// AStar is the memory of A*, reused from search to search: entries with another stamp count as empty.
type AStar struct {
	ix      *index.Index
	heap    pq.Heap
	entries []entry
	stamp   uint32
	goal    uint32  // region of the goal
	gx, gy  float64 // position of the goal
}

// reset resets the search.
func (s *AStar) reset(nodes int) {
	s.heap.Reset()
	s.stamp++
	if len(s.entries) < nodes || s.stamp == 0 {
		s.entries = make([]entry, nodes+nodes/16)
		s.stamp = 1
	}
}

// Find fills a way with a corridor between two places; found is false if no way joins the places.
func (s *AStar) Find(ctx context.Context, ix *index.Index, w *Way, from, to index.Place) (expanded int, found bool, err error) {
	if s.Begin(ix, w, from, to) {
		return 0, true, nil
	}
	for {
		if err := Cancelled(ctx); err != nil {
			return expanded, false, err
		}
		n, last, done := s.Advance(SliceNodes)
		expanded += n
		if !done {
			continue
		}
		if last != index.None {
			s.Trace(last, from.Region, w)
		}
		return expanded, last != index.None, nil
	}
}

// Begin starts a search between two places. done means that no search is needed: the way holds the corridor.
func (s *AStar) Begin(ix *index.Index, w *Way, from, to index.Place) (done bool) {
	s.ix = ix
	if from.Region == to.Region {
		w.Direct(from.Region)
		return true
	}
	s.reset(ix.PortalLimit() + len(ix.Hops))
	s.goal, s.gx, s.gy = to.Region, float64(to.At.X), float64(to.At.Y)
	s.enter(from.Region, index.None, float64(from.At.X), float64(from.At.Y), 0, s.gx, s.gy)
	return false
}

// Advance expands at most budget nodes and returns their number. When done, last is the node that leads into
// the goal's region, or none.
func (s *AStar) Advance(budget int) (expanded int, last int32, done bool) {
	ix := s.ix
	for expanded < budget {
		if s.heap.Len() == 0 {
			return expanded, index.None, true
		}
		p := s.heap.Pop().ID
		e := &s.entries[p]
		if e.closed {
			continue
		}
		e.closed = true
		expanded++
		in := ix.Behind(p)
		if in == s.goal {
			return expanded, p, true
		}
		s.enter(in, p, e.x, e.y, e.g, s.gx, s.gy)
	}
	return expanded, index.None, false
}

// enter offers the portals of region r to the search. The way so far has length g and enters r through portal parent at
// (x, y), towards (gx, gy).
func (s *AStar) enter(r uint32, parent int32, x, y, g, gx, gy float64) {
	ix := s.ix
	weight, least, behind := ix.Weight(r), ix.Ground.Least, ix.Weight(s.goal)
	reg := ix.Region(r)
	back := uint32(math.MaxUint32)
	if parent != index.None && int(parent) < ix.PortalLimit() {
		back = ix.Portal(uint32(parent)).Back
	}
	portals := ix.PortalsOf(reg)
	for i := range portals {
		p := reg.FirstPortal + uint32(i)
		if p == back {
			continue
		}
		e := &s.entries[p]
		if e.stamp == s.stamp && e.closed {
			continue
		}
		ex, ey := crossing(&portals[i], x, y, gx, gy)
		eg := g + float64(weight*math.Sqrt(float64((ex-x)*(ex-x))+float64((ey-y)*(ey-y))))
		if e.stamp == s.stamp && e.g <= eg {
			continue
		}
		*e = entry{x: ex, y: ey, g: eg, parent: parent, stamp: s.stamp}
		// The rest of the way is known behind the last portal: without it a way over costly ground may end the search.
		rest := least
		if portals[i].To == s.goal {
			rest = behind
		}
		s.heap.Push(eg+float64(rest*math.Sqrt(float64((gx-ex)*(gx-ex))+float64((gy-ey)*(gy-ey)))), int32(p))
	}
	for _, h := range ix.HopsOf(r) {
		hop := &ix.Hops[h]
		node := int32(ix.PortalLimit()) + h
		e := &s.entries[node]
		if e.stamp == s.stamp && e.closed {
			continue
		}
		eg := g + float64(weight*index.Length(float64(hop.Start.X)-x, float64(hop.Start.Y)-y)) + hop.Cost
		if e.stamp == s.stamp && e.g <= eg {
			continue
		}
		ex, ey := float64(hop.End.X), float64(hop.End.Y)
		*e = entry{x: ex, y: ey, g: eg, parent: parent, stamp: s.stamp}
		rest := least
		if hop.To == s.goal {
			rest = behind
		}
		s.heap.Push(eg+float64(rest*index.Length(gx-ex, gy-ey)), node)
	}
}

// crossing returns the point of p with the least sum of distances to (ax, ay) and (bx, by). The point is the
// intersection of the straight line between both with the line of p, clamped to p; if both are on the same side of p,
// one is mirrored.
func crossing(p *index.Portal, ax, ay, bx, by float64) (x, y float64) {
	rx, ry := float64(p.Right.X), float64(p.Right.Y)
	dx, dy := index.Sub(p.Left, p.Right)
	len2 := float64(dx*dx) + float64(dy*dy)
	if len2 == 0 {
		return rx, ry
	}
	// Distances from the line of p and positions along the line, both in units of p's length.
	ax, ay, bx, by = ax-rx, ay-ry, bx-rx, by-ry
	awayA := math.Abs(float64(ax*dy)-float64(ay*dx)) / len2
	awayB := math.Abs(float64(bx*dy)-float64(by*dx)) / len2
	alongA := (float64(ax*dx) + float64(ay*dy)) / len2
	alongB := (float64(bx*dx) + float64(by*dy)) / len2
	t := alongA
	if away := awayA + awayB; away > 0 {
		t = (float64(alongA*awayB) + float64(alongB*awayA)) / away
	}
	t = floats.Part(t)
	return rx + float64(t*dx), ry + float64(t*dy)
}

// Trace fills w with the way from the start's region to a node.
func (s *AStar) Trace(node int32, start uint32, w *Way) {
	ix := s.ix
	w.Crossed = w.Crossed[:0]
	w.Legs = w.Legs[:0]
	for ; node != index.None; node = s.entries[node].parent {
		if h := int(node) - ix.PortalLimit(); h >= 0 {
			w.Legs = append(w.Legs, Leg{Hop: int32(h), First: ix.Hops[h].To, Begin: len(w.Crossed)})
			continue
		}
		w.Crossed = append(w.Crossed, uint32(node))
	}
	w.Legs = append(w.Legs, Leg{Hop: index.None, First: start, Begin: len(w.Crossed)})
	w.TurnLegs()
}
