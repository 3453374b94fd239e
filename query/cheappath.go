package query

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// Ground is a stretch of a path over ground of one area.
type Ground struct {
	Area     uint8 // navmesh.Region.Area
	From, To geom.Vec
	Length   float64 // horizontal, in metres
	Cost     float64 // share of the path's cost
}

// DefaultEpsilon is used for Query.Epsilon 0, DefaultEffort for Query.Effort 0.
const (
	DefaultEpsilon = 0.01
	DefaultEffort  = 1 << 18
)

// findCheapest fills q.way with a corridor. The corridor contains a way of at most 1+ε times the least
// cost, as far as the effort allows; found is false if no way joins the places.
func (q *Query) findCheapest(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	epsilon, effort, err := q.effort()
	if err != nil {
		return 0, false, err
	}
	if !q.cheap.Begin(q.own.gates, from, to, epsilon) {
		expanded, found, err = q.corridor.Find(ctx, q.ix, &q.way, from, to)
		if err != nil || !found {
			return expanded, found, err
		}
		q.cheap.BeginWith(&q.way)
	}
	for done := false; !done && effort > 0; {
		if err := route.Cancelled(ctx); err != nil {
			return expanded, false, err
		}
		var n int
		n, done = q.cheap.Advance(min(route.SliceNodes, effort))
		expanded += n
		effort -= n
	}
	q.proved = q.cheap.Bound()
	q.cheap.Lay(&q.way)
	return expanded, true, nil
}

// effort returns the query's Epsilon and Effort after validation, with defaults filled in.
func (q *Query) effort() (epsilon float64, effort int, err error) {
	epsilon, effort = q.Epsilon, q.Effort
	switch {
	case !(epsilon >= 0) || math.IsInf(epsilon, 1):
		return 0, 0, fmt.Errorf("query: path: an Epsilon of %g", epsilon)
	case effort < 0:
		return 0, 0, fmt.Errorf("query: path: an Effort of %d", effort)
	}
	if epsilon == 0 {
		epsilon = DefaultEpsilon
	}
	if effort == 0 {
		effort = DefaultEffort
	}
	return epsilon, effort, nil
}

// pullCheapest adds the cheapest way through q.way to a path.
func (q *Query) pullCheapest(from, to index.Place, path *Path) {
	gates := q.cheap.Pull(q.own.gates, &q.way, from, to)
	first := 0 // index of the leg's first gate
	for i := range q.way.Legs {
		l := &q.way.Legs[i]
		if l.Hop != index.None {
			q.take(&l.Taken, path)
			from = index.Place{Region: l.First, At: l.Taken.End, Z: l.Taken.EndZ}
		}
		at := to
		if i+1 < len(q.way.Legs) {
			h := &q.way.Legs[i+1].Taken
			at = index.Place{Region: h.From, At: h.Start, Z: h.StartZ}
		}
		q.walkGround(l, gates[first:first+l.End-l.Begin], from, at, path)
		first += l.End - l.Begin + 1
	}
}

// walkGround adds the way over the gates of a leg to a path.
func (q *Query) walkGround(l *route.Leg, gates []weighted.Crossing, from, to index.Place, path *Path) {
	ix, crossed, t := q.ix, q.way.Crossed[l.Begin:l.End], &q.trail
	x, y := float64(from.At.X), float64(from.At.Y)
	gx, gy := float64(to.At.X), float64(to.At.Y)
	walk := func(nx, ny float64, r uint32) {
		d := index.Length(nx-x, ny-y) * lattice.Unit
		path.Length += d
		path.Cost += float64(d * ix.Weight(r))
		x, y = nx, ny
	}
	q.bent = append(q.bent[:0], bent{Bend: route.Bend{Point: from.At, Gate: -1}, x: x, y: y})
	r := l.First
	for i := range gates {
		g := &gates[i]
		nx, ny := g.In.At(g.T)
		t.crossings = append(t.crossings, [2]float64{nx, ny})
		walk(nx, ny, r)
		next := ix.Portal(crossed[i]).To
		q.bend(nx, ny, i, ix.Weight(r) != ix.Weight(next))
		r = next
	}
	walk(gx, gy, r)
	q.bend(gx, gy, len(gates), true)
	q.bent[len(q.bent)-1].Gate = len(gates)
	q.straighten()
	q.addLeg(l, from.Z, to.Z)
}

// bent is a bend of a way over uneven ground. Borders between ground of different costs are bends, too.
type bent struct {
	route.Bend // rounded to the lattice
	x, y       float64
	border     bool
}

// bend adds a bend, unless the previous bend has the same lattice point.
func (q *Query) bend(x, y float64, gate int, border bool) {
	at := lattice.Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
	last := &q.bent[len(q.bent)-1]
	if last.Point != at {
		q.bent = append(q.bent, bent{route.Bend{Point: at, Gate: gate}, x, y, border})
		return
	}
	last.border = last.border || border
	if len(q.bent) > 1 {
		last.Gate = gate
	}
}

// straighten gives the trail the bends without straight ones on ground of one cost, and their exact places.
func (q *Query) straighten() {
	const straight = 1.0 / 64 // lattice units
	t := &q.trail
	for i, b := range q.bent {
		if i > 0 && i+1 < len(q.bent) && !b.border {
			a, c := t.exact[len(t.exact)-1], &q.bent[i+1]
			way := weighted.SegmentBetween(a, [2]float64{c.x, c.y})
			x, y := way.At(way.Place(b.x, b.y))
			if index.Length(b.x-x, b.y-y) < straight {
				continue
			}
		}
		t.bends = append(t.bends, b.Bend)
		t.exact = append(t.exact, [2]float64{b.x, b.y})
	}
}

// grounds gathers the stretches of a path.
type grounds struct {
	list  []Ground
	first int     // index of the leg's first stretch
	begin float64 // start of the leg's last stretch, in lattice units from the start of the leg
}

// enterGround records that the path enters region r at a place. walked is the length walked on the leg, in lattice
// units.
func (q *Query) enterGround(r uint32, at geom.Vec, walked float64) {
	g, area := &q.grounds, q.ix.Region(r).Area
	if n := len(g.list); n > g.first {
		if g.list[n-1].Area == area {
			return
		}
		q.endGround(at, walked)
		if n = len(g.list); n > g.first && g.list[n-1].Area == area {
			g.begin = walked - g.list[n-1].Length*lattice.UnitsPerMetre // the ground between was only touched
			return
		}
	}
	g.list = append(g.list, Ground{Area: area, From: at, To: at})
	g.begin = walked
}

// endGround ends the last stretch, and drops a stretch that the path only touches.
func (q *Query) endGround(at geom.Vec, walked float64) {
	g := &q.grounds
	last := &g.list[len(g.list)-1]
	last.To, last.Length = at, (walked-g.begin)*lattice.Unit
	last.Cost = last.Length * q.ix.Ground.Costs[last.Area]
	if walked <= g.begin {
		g.list = g.list[:len(g.list)-1]
	}
}

// leaveGround ends a leg. A path of zero length stays on its ground.
func (q *Query) leaveGround(at geom.Vec, walked float64) {
	if walked > 0 {
		q.endGround(at, walked)
	}
	q.grounds.first = len(q.grounds.list)
}
