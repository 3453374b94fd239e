package query

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Exit is a way out of a region: a portal, or a place to take a link.
type Exit struct {
	// ID is the number of the exit in one Index; an Index derived by [Index.With] has its own numbers.
	ID int32
	// Back is the ID of the same portal from the other side; -1 for a link.
	Back     int32
	From, To navmesh.Ref
	// Left and Right are the ends of a portal as seen on the way out, at floor height in the region From. For a link
	// both are its start.
	Left, Right lattice.Vertex
	// Link is the index in Mesh.Links, -1 for a portal. End is the end of the link, Cost its cost in metres.
	Link int
	End  lattice.Vertex
	Cost float64
}

// Mesh returns the mesh of ix.
func (x *Index) Mesh() *navmesh.Mesh { return x.ready().geo.Mesh }

// Corners appends the corners of a region to a list, counter-clockwise seen from above, at the height of the floor. The
// polygon is convex, with any number of corners. A Ref that is stale, foreign or closed in the Index has no corners.
// Time O(m) for m corners.
func (x *Index) Corners(list []lattice.Vertex, r navmesh.Ref) []lattice.Vertex {
	ix := x.ready().geo
	i, err := ix.Named(r)
	if err != nil {
		return list
	}
	return append(list, ix.Ring(i)...)
}

// Exits appends the exits of a region to a list: its portals in counter-clockwise order, then the starts of links in
// the region, each place of a wide link separately. Portals and links left out of the Index by [Index.With] are no
// exits. A stale or foreign Ref has no exits. Time O(m) for each of the region's m corners and exits.
func (x *Index) Exits(list []Exit, r navmesh.Ref) []Exit {
	ix := x.ready().geo
	i, ok := ix.Find(r)
	if !ok {
		return list
	}
	for p := ix.Region(i).FirstPortal; p < ix.Region(i).EndPortal; p++ {
		o := ix.Portal(p)
		list = append(list, Exit{
			ID: int32(p), Back: int32(o.Back), From: r, To: ix.Region(o.To).Ref,
			Left: cornerVertex(ix, i, o.Left), Right: cornerVertex(ix, i, o.Right), Link: index.None,
		})
	}
	for _, h := range ix.HopsOf(i) {
		o := &ix.Hops[h]
		if o.From != i {
			continue // the hop starts on the border and belongs to the region beside
		}
		start := lattice.Vertex{Point: o.Start, Z: round32(o.StartZ)}
		list = append(list, Exit{
			ID: int32(ix.PortalLimit()) + h, Back: index.None, From: r, To: ix.Region(o.To).Ref,
			Left: start, Right: start, Link: int(o.Link),
			End: lattice.Vertex{Point: o.End, Z: round32(o.EndZ)}, Cost: o.Cost * lattice.Unit,
		})
	}
	return list
}

// cornerVertex returns an end of a portal of region r at the height of the floor there.
func cornerVertex(ix *index.Index, r uint32, at lattice.Point) lattice.Vertex {
	return lattice.Vertex{Point: at, Z: round32(ix.CornerHeight(r, at))}
}

func round32(z float64) int32 { return int32(math.Floor(z + 0.5)) }

// Surface returns the height surface of a layer, by its number counted from 0 tile after tile.
func (x *Index) Surface(layer int) *lattice.Sampler { return x.ready().geo.Floors[layer] }

// Floor returns the floor point of a region above or below p; ok is false for a stale or foreign Ref. Beside the region
// the height is a guess.
func (x *Index) Floor(r navmesh.Ref, p geom.Vec) (at geom.Vec, ok bool) {
	ix := x.ready().geo
	i, ok := ix.Find(r)
	if !ok || !p.IsFinite() {
		return geom.Vec{}, false
	}
	east, north, _ := ix.Mesh.Frame.Local(p)
	return ix.Mesh.Frame.FromLocal(east, north, ix.HeightAt(i, east, north)), true
}

// Through returns the shortest path from start to goal through a given corridor: exits, by their ID, in walking order.
// Ends and results are as for [Query.PathBetween]; Expanded is 0. Callers with search rules of their own can pull their
// paths tight here. A link may be taken from any region that contains its start, border included, and left into any
// region that contains its end. An exit that does not lead on from the previous exit is an error. Time O(n) for n
// exits, plus the time to follow the floor.
func (q *Query) Through(start, goal Position, exits []int32) (Path, error) {
	q = q.ready()
	ix := q.ix
	from, err := stand(ix, start)
	if err != nil {
		return Path{}, err
	}
	to, err := stand(ix, goal)
	if err != nil {
		return Path{}, err
	}
	in := from.Region
	q.way.Crossed = q.way.Crossed[:0]
	q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: in})
	// stay checks the current region; directly after a link, stay may switch to another region around the link's end.
	stay := func(fits func(r uint32) bool) bool {
		if fits(in) {
			return true
		}
		l := &q.way.Legs[len(q.way.Legs)-1]
		if l.Hop == index.None || l.Begin < len(q.way.Crossed) {
			return false
		}
		for _, r := range ix.EndsOf(&ix.Hops[l.Hop]) {
			if fits(r) {
				in, l.First = r, r
				return true
			}
		}
		return false
	}
	for i, id := range exits {
		h := int32(int(id) - ix.PortalLimit())
		if id < 0 || int(h) >= len(ix.Hops) {
			return Path{}, fmt.Errorf("query: corridor: exit %d is %d, there are %d", i, id, ix.PortalLimit()+len(ix.Hops))
		}
		leads := stay(func(r uint32) bool {
			if h >= 0 {
				return slices.Contains(ix.HopsOf(r), h)
			}
			return ix.Region(r).FirstPortal <= uint32(id) && uint32(id) < ix.Region(r).EndPortal
		})
		if !leads {
			return Path{}, fmt.Errorf("query: corridor: exit %d, %d, does not lead out of region %v, where the way is", i, id, ix.Region(in).Ref)
		}
		in = ix.Behind(id)
		if h >= 0 {
			q.way.Legs[len(q.way.Legs)-1].End = len(q.way.Crossed)
			q.way.Legs = append(q.way.Legs, route.Leg{Hop: h, First: in, Begin: len(q.way.Crossed)})
			continue
		}
		q.way.Crossed = append(q.way.Crossed, uint32(id))
	}
	if !stay(func(r uint32) bool { return r == to.Region }) {
		return Path{}, fmt.Errorf("query: corridor: it ends in region %v, the goal is in region %v", ix.Region(in).Ref, ix.Region(to.Region).Ref)
	}
	q.way.Legs[len(q.way.Legs)-1].End = len(q.way.Crossed)
	q.proved = 0
	return q.pullTight(from, to, 0), nil
}
