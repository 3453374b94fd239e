package weighted

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// A first way by the bounds of prepared ground, without a search. See bounds.go.
//
// Idea: The source with the least bound of a way from the start to the goal is near the cheapest way. From each end a walk
// leads to the source, from gate to gate as the bounds were measured. Of each gate the walk takes the place with the least sum of its
// distance and its bound.

// walk is a walk from an end of the path to a source.
type walk struct {
	start  bool // from the start; else from the goal, against the direction of ways
	x, y   float64
	region uint32
	lows   *lows
	level  int // of the node of the source,
	number int // the number of the source in the node,
	count  int // and of all its sources
}

// follow fills s.tried with the gates of a way past the source of the least bound; ok is false without such a way.
func (s *Search) follow() (ok bool) {
	a, b := &s.aim, s.g.bounds
	if math.IsInf(a.best, 1) {
		return false
	}
	nd := &b.nodes[b.chainOf(a.goal)[a.level]]
	x := &b.sources[nd.first+a.source]
	s.tried, s.triedIn = s.tried[:0], s.from.Region
	w := walk{level: a.level, number: int(a.source), count: int(nd.count)}
	w.start, w.lows, w.region = true, &b.to, s.from.Region
	w.x, w.y = float64(s.from.At.X), float64(s.from.At.Y)
	if !s.walkTo(&w, x) {
		return false
	}
	half, near := len(s.tried), w.region
	w.start, w.lows, w.region = false, &b.from, s.to.Region
	w.x, w.y = float64(s.to.At.X), float64(s.to.At.Y)
	if !s.walkTo(&w, x) {
		return false
	}
	if near != w.region {
		gate := x.gate
		if near != s.g.before(gate) {
			gate = int32(s.g.ix.Portal(uint32(gate)).Back)
		}
		s.tried = append(s.tried, gate)
	}
	slices.Reverse(s.tried[half:])
	s.tried = withoutCircles(s.tried)
	return true
}

// withoutCircles leaves the circles out of a list of gates: the two walks may pass the same gate.
func withoutCircles(gates []int32) []int32 {
	list := gates[:0]
	for _, g := range gates {
		if k := slices.Index(list, g); k >= 0 {
			list = list[:k]
		}
		list = append(list, g)
	}
	return list
}

// walkTo appends the gates of a walk to a source to s.tried; ok is false where the walk finds no way.
func (s *Search) walkTo(w *walk, x *source) (ok bool) {
	g, first := s.g, len(s.tried)
	best := crossing{cost: s.straightTo(w, x), gate: index.None}
	for n := range uint8(min(g.countAt(w.region, w.start), last)) {
		s.nearest(w, g.numbered(w.region, n, w.start), &best)
	}
	for best.gate != index.None {
		if slices.Contains(s.tried[first:], best.gate) {
			return false
		}
		s.tried = append(s.tried, best.gate)
		s.cross(w, &best)
		if best.next == last {
			break
		}
		gate := g.numbered(w.region, best.next, w.start)
		best = crossing{cost: math.Inf(1), gate: index.None}
		if s.nearest(w, gate, &best); best.gate == index.None {
			return false
		}
	}
	return !math.IsInf(s.straightTo(w, x), 1)
}

// countAt returns the number of gates out of a region, or into the region.
func (g *Gates) countAt(r uint32, out bool) int {
	reg := g.ix.Region(r)
	links := g.linksTo
	if out {
		links = g.linksFrom
	}
	return int(reg.EndPortal-reg.FirstPortal) + len(links[r])
}

// numbered returns a gate out of a region, or into the region, by its number.
func (g *Gates) numbered(r uint32, number uint8, out bool) int32 {
	reg := g.ix.Region(r)
	n := int(number) - int(reg.EndPortal-reg.FirstPortal)
	switch {
	case n < 0 && out:
		return int32(reg.FirstPortal) + int32(number)
	case n < 0:
		return int32(g.ix.Portal(reg.FirstPortal + uint32(number)).Back)
	case out:
		return int32(g.ix.PortalLimit()) + g.linksFrom[r][n]
	}
	return int32(g.ix.PortalLimit()) + g.linksTo[r][n]
}

// straightTo returns the cost of the straight way from a walk to a source beside the region, +Inf for other sources. Walks
// from the start end before a link, walks from the goal behind the link.
func (s *Search) straightTo(w *walk, x *source) float64 {
	g := s.g
	side, far := g.sidesOf(x.gate)
	beside := w.region == g.before(x.gate) || w.region == g.after(x.gate)
	if g.linkOf(x.gate) != nil {
		if beside = w.region == g.before(x.gate); !w.start {
			beside, side = w.region == g.after(x.gate), far
		}
	}
	if !beside {
		return math.Inf(1)
	}
	at := side.part(x.lo, x.hi)
	px, py := at.At(at.Place(w.x, w.y))
	return float64(g.ix.Weight(w.region) * index.Length(px-w.x, py-w.y))
}

// crossing is the cell where a walk crosses a gate, with the least cost of the rest of the walk.
type crossing struct {
	cost float64
	gate int32 // none without a gate
	next uint8
	wave wave
}

// nearest makes best the cell of a gate with the least cost of a walk over the cell, if lower than the cost of best.
func (s *Search) nearest(w *walk, gate int32, best *crossing) {
	g, b := s.g, s.g.bounds
	near, far := g.sidesOf(gate)
	behind, toll := g.after(gate), g.tollOf(gate)
	if !w.start {
		near, behind, toll = far, g.before(gate), 0
	}
	if b.shared(behind, s.aim.goal) <= w.level {
		return // the gate leads out of the node
	}
	weight, pieces := g.ix.Weight(w.region), int(b.pieces[gate])
	part := 1 / float64(pieces)
	for i := range pieces {
		at := w.lows.at[int(w.lows.first[gate])+w.level] + i*w.count + w.number
		low := w.lows.list[at]
		x, y := near.At((float64(i) + 0.5) * part)
		away := index.Length(x-w.x, y-w.y) - float64(0.5*part*near.length)
		if float64(min(low[0], low[1]))+toll+float64(weight*max(away, 0)) >= best.cost {
			continue
		}
		piece := near.part(float64(i)*part, float64(i+1)*part)
		v := newWave(&piece, float64(low[0])+toll, float64(low[1])+toll, weight)
		if cost := v.reach(w.x, w.y); cost < best.cost {
			*best = crossing{cost, gate, w.lows.next[at], v}
		}
	}
}

// cross moves a walk over a gate, to the same place of its other side.
func (s *Search) cross(w *walk, c *crossing) {
	along := c.wave.leave(w.x, w.y)
	x, y := c.wave.x+float64(along*c.wave.ux), c.wave.y+float64(along*c.wave.uy)
	in, out := s.g.sidesOf(c.gate)
	if w.start {
		w.x, w.y = out.At(in.Place(x, y))
		w.region = s.g.after(c.gate)
	} else {
		w.x, w.y = in.At(out.Place(x, y))
		w.region = s.g.before(c.gate)
	}
}
