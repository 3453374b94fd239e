package query

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Exit is a way out of a region: a portal, or a place where a link may be taken.
type Exit struct {
	// ID is the number of the exit, which holds for one Index: those that [Index.With] makes have their own.
	ID int32
	// Back is the same portal seen from the other side; -1 for a link, which has none.
	Back     int32
	From, To navmesh.Ref
	// Left and Right are the ends of a portal as someone sees them who goes out, with the height of the region
	// that is left. For a link both are where it starts.
	Left, Right lattice.Vertex
	// Link is the place in Mesh.Links, -1 for a portal. End is where the link leads, Cost what it costs in metres.
	Link int
	End  lattice.Vertex
	Cost float64
}

// Mesh returns the mesh that ix is of.
func (ix *Index) Mesh() *navmesh.Mesh { return ix.mesh }

// Exits appends the exits of a region to a list: its portals in counter-clockwise order, and then the places where
// links start in it, those of a wide link one by one. What the Index leaves out, see [Index.With], is no exit. There
// are none for a stale or foreign Ref. Time O(m) for each of the region's m corners and exits.
func (ix *Index) Exits(list []Exit, r navmesh.Ref) []Exit {
	if _, _, ok := ix.mesh.Region(r); !ok {
		return list
	}
	i := ix.number(r)
	for p := ix.regions[i].firstPortal; p < ix.regions[i].endPortal; p++ {
		o := &ix.portals[p]
		list = append(list, Exit{
			ID: int32(p), Back: int32(o.back), From: r, To: ix.regions[o.to].ref,
			Left: ix.cornerVertex(i, o.left), Right: ix.cornerVertex(i, o.right), Link: none,
		})
	}
	for _, h := range ix.hopsOf(i) {
		o := &ix.hops[h]
		if o.from != i {
			continue // it starts on the border, and belongs to the region beside
		}
		start := lattice.Vertex{Point: o.start, Z: round32(o.startZ)}
		list = append(list, Exit{
			ID: int32(len(ix.portals)) + h, Back: none, From: r, To: ix.regions[o.to].ref,
			Left: start, Right: start, Link: int(o.link),
			End: lattice.Vertex{Point: o.end, Z: round32(o.endZ)}, Cost: o.cost * lattice.Unit,
		})
	}
	return list
}

// cornerVertex returns an end of a portal of region r at the height of the floor there.
func (ix *Index) cornerVertex(r uint32, at lattice.Point) lattice.Vertex {
	return lattice.Vertex{Point: at, Z: round32(ix.cornerHeight(r, at))}
}

func round32(z float64) int32 { return int32(math.Floor(z + 0.5)) }

// Floor returns the point of the floor of a region above or below p, of which only the place seen from above counts; ok is
// false for a stale or foreign Ref. Beside the region the answer is a guess.
func (ix *Index) Floor(r navmesh.Ref, p geom.Vec) (at geom.Vec, ok bool) {
	if _, _, ok := ix.mesh.Region(r); !ok || !p.IsFinite() {
		return geom.Vec{}, false
	}
	x, y, _ := ix.mesh.Frame.Local(p)
	return ix.mesh.Frame.FromLocal(x, y, ix.heightAt(ix.number(r), x, y)), true
}

// Through returns the shortest path from start to goal through a corridor that is given: the exits, by their
// ID, in walking order. Ends and results are as for [Query.PathBetween]; Expanded is 0. Whoever searches by rules of
// their own has the path pulled tight here. A link may be taken from any region that its start is in or on the border of,
// and left into any that its end is. The error says which exit does not lead on from the one before it.
// Time O(n) for n exits, and what following the floor takes.
func (q *Query) Through(start, goal Position, exits []int32) (Path, error) {
	ix := q.ix
	from, err := ix.stand(start)
	if err != nil {
		return Path{}, err
	}
	to, err := ix.stand(goal)
	if err != nil {
		return Path{}, err
	}
	in := from.region
	q.crossed = q.crossed[:0]
	q.legs = append(q.legs[:0], leg{hop: none, first: in})
	// stay goes on in a region that a link that has just been taken ends in, too, if it has to.
	stay := func(fits func(r uint32) bool) bool {
		if fits(in) {
			return true
		}
		l := &q.legs[len(q.legs)-1]
		if l.hop == none || l.begin < len(q.crossed) {
			return false
		}
		for _, r := range ix.endsOf(&ix.hops[l.hop]) {
			if fits(r) {
				in, l.first = r, r
				return true
			}
		}
		return false
	}
	for i, id := range exits {
		h := int32(int(id) - len(ix.portals))
		if id < 0 || int(h) >= len(ix.hops) {
			return Path{}, fmt.Errorf("query: corridor: exit %d is %d, there are %d", i, id, len(ix.portals)+len(ix.hops))
		}
		leads := stay(func(r uint32) bool {
			if h >= 0 {
				return slices.Contains(ix.hopsOf(r), h)
			}
			return r == ix.portals[ix.portals[id].back].to
		})
		if !leads {
			return Path{}, fmt.Errorf("query: corridor: exit %d, %d, does not lead out of region %v, where the way is", i, id, ix.regions[in].ref)
		}
		in = ix.behind(id)
		if h >= 0 {
			q.legs[len(q.legs)-1].end = len(q.crossed)
			q.legs = append(q.legs, leg{hop: h, first: in, begin: len(q.crossed)})
			continue
		}
		q.crossed = append(q.crossed, uint32(id))
	}
	if !stay(func(r uint32) bool { return r == to.region }) {
		return Path{}, fmt.Errorf("query: corridor: it ends in region %v, the goal is in region %v", ix.regions[in].ref, ix.regions[to.region].ref)
	}
	q.legs[len(q.legs)-1].end = len(q.crossed)
	q.proved = 0
	return q.pullTight(from, to, 0), nil
}
