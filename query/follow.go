package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Corridor is the way of an agent while it walks: the regions from where it stands to its target, which
// stay in order while either of them moves, so that the path need not be looked for again. It holds no
// scratch memory and knows no mesh: each method is given a Query to work with. It belongs to one
// goroutine at a time.
//
//	var c query.Corridor
//	c.Reset(at)                             // where the agent stands
//	err := c.Plan(ctx, q, goal)             // the shortest way
//	for walking {
//		corners, err = c.Corners(q, corners[:0], 3)
//		// steer towards corners[0] by a step
//		err = c.MovePosition(q, step)       // keeps to the mesh
//	}
//
// A Corridor outlives its mesh: positions and regions are kept by their Refs. Given a Query of another
// mesh, [Corridor.Valid] tells whether the next part still stands, and [Corridor.Trim] keeps
// what does. With a Query of an Index by another [Filter] a door that closed is noticed in the same way.
//
// Source: what it does is what M. Mononen's dtPathCorridor does (Detour), but plans are the shortest,
// doors between regions are kept as portals instead of found again by their regions, and links are
// part of the corridor.
//
// After the first few calls nothing is allocated. All errors of stale Refs, or of places that are not on
// the mesh, are [ErrOffMesh]; they leave the Corridor as it was.
type Corridor struct {
	position, target Position
	complete         bool
	steps            []step // the first is that of the position, the last that of the target
	fresh, spare     []step // scratch
}

// step is a region of a corridor and how it is entered from the one before.
type step struct {
	region navmesh.Ref
	door   Gate    // the portal; of a link, where it starts and where it ends
	link   int32   // in Mesh.Links, or none
	t      float64 // the part of the way along the link
}

// Corner is a point that a corridor's shortest path bends at, or the end of it.
type Corner struct {
	Position
	// Link is the place in Mesh.Links of the link that starts here, -1 for none. It is the last corner
	// then: behind the link the path goes on, see [Corridor.TakeLink].
	Link int
	// Target says that this is the target of the corridor.
	Target bool
}

// errEmpty is the error of a Corridor that has not been Reset.
var errEmpty = errors.New("query: corridor: it is empty")

// Reset makes the corridor one of a place only, which is its position and its target.
func (c *Corridor) Reset(at Position) {
	c.position, c.target, c.complete = at, at, true
	c.steps = append(c.steps[:0], step{region: at.Ref, link: none})
}

// Position returns where the agent stands.
func (c *Corridor) Position() Position { return c.position }

// Target returns where the corridor ends.
func (c *Corridor) Target() Position { return c.target }

// Complete reports whether the corridor leads to the goal that it was planned for, as that has been moved
// since.
func (c *Corridor) Complete() bool { return c.complete }

// AppendRegions appends the regions of the corridor to a list, from the position to the target.
func (c *Corridor) AppendRegions(list []navmesh.Ref) []navmesh.Ref {
	for i := range c.steps {
		list = append(list, c.steps[i].region)
	}
	return list
}

// Plan makes the corridor that of the shortest path from the position to a goal, or to the reachable
// place that is nearest to it, see [Query.PartialPath].
func (c *Corridor) Plan(ctx context.Context, q *Query, goal geom.Vec) error {
	from, err := q.ix.stand(c.position)
	if err != nil {
		return err
	}
	to, complete, err := q.goalFrom(from, goal)
	if err != nil {
		return err
	}
	path, err := q.onlyBends(func() (Path, error) { return q.between(ctx, from, to, (*Query).findShortest) })
	if err != nil {
		return err
	}
	if !path.Complete { // the Index did not know it before
		c.Reset(c.position)
		c.complete = false
		return nil
	}
	c.steps = q.appendSteps(c.steps[:0], from)
	c.target, c.complete = Position{c.last().region, path.Points[len(path.Points)-1]}, complete
	return nil
}

// onlyBends asks for a path without the floor between its bends.
func (q *Query) onlyBends(ask func() (Path, error)) (Path, error) {
	only := q.OnlyBends
	q.OnlyBends = true
	path, err := ask()
	q.OnlyBends = only
	return path, err
}

// Take makes the corridor that of what a Search has found, or of the best way that it has so far. The
// search may have begun at the position, or anywhere along the corridor, see [Corridor.Ahead]:
// the part of the corridor up to there stays, and the agent may have moved along it in the meantime. It
// is an error if the two have no region in common, as when the agent was pushed past the place where the
// search began, or if the search has no path.
func (c *Corridor) Take(s *Search) error {
	path := s.Path()
	if len(path.Points) == 0 {
		return errors.New("query: corridor: the search has no path")
	}
	c.fresh = s.q.appendSteps(c.fresh[:0], s.from)
	for i := range c.steps {
		for j, f := range slices.Backward(c.fresh) {
			if f.region != c.steps[i].region {
				continue
			}
			c.steps = append(c.steps[:i+1], c.fresh[j+1:]...)
			c.target = Position{c.last().region, path.Points[len(path.Points)-1]}
			c.complete = path.Complete
			return nil
		}
	}
	return fmt.Errorf("query: corridor: a search from %v does not meet it", s.q.ix.position(s.from).Point)
}

func (c *Corridor) last() *step { return &c.steps[len(c.steps)-1] }

// appendSteps appends the corridor in q.crossed and q.legs, which begins around a place.
func (q *Query) appendSteps(list []step, from place) []step {
	ix := q.ix
	list = append(list, step{region: ix.regions[from.region].ref, link: none})
	if first := q.legs[0].first; first != from.region {
		// The place is on a border: around it, to where the way goes on.
		s := &q.shared
		s.regions, s.from = append(s.regions[:0], first), append(s.from[:0], none)
		for i := 0; i < len(s.regions) && s.regions[i] != from.region; i++ {
			reg := &ix.regions[s.regions[i]]
			for k := reg.firstPortal; k < reg.endPortal; k++ {
				if p := &ix.portals[k]; lattice.OnSegment(from.at, p.left, p.right) && !slices.Contains(s.regions, p.to) {
					s.regions, s.from = append(s.regions, p.to), append(s.from, int32(i))
				}
			}
		}
		for k := int32(slices.Index(s.regions, from.region)); k > 0; k = s.from[k] {
			next, _ := ix.through(s.regions[k], s.regions[s.from[k]], from.at, from.at)
			list = append(list, next)
		}
	}
	for i := range q.legs {
		l := &q.legs[i]
		if l.hop != none {
			h := &l.taken
			list = append(list, step{ix.regions[l.first].ref, Gate{h.start, h.end}, h.link, h.t})
		}
		for _, k := range q.crossed[l.begin:l.end] {
			p := &ix.portals[k]
			list = append(list, step{ix.regions[p.to].ref, Gate{p.left, p.right}, none, 0})
		}
	}
	return list
}

// through returns the step from region a to region b through the portal that is nearest to the way from one
// point to another; ok is false where none leads there.
func (ix *Index) through(a, b uint32, from, to lattice.Point) (out step, ok bool) {
	out = step{region: ix.regions[b].ref, link: none}
	var best lattice.Ratio
	for k := ix.regions[a].firstPortal; k < ix.regions[a].endPortal; k++ {
		p := &ix.portals[k]
		if p.to != b {
			continue
		}
		if d := lattice.SegmentsDistance2(p.left, p.right, from, to); !ok || d.Compare(best) < 0 {
			best, ok, out.door = d, true, Gate{p.left, p.right}
		}
	}
	return out, ok
}

// Valid reports whether the position, and the next regions of the corridor, as many as given, are on the
// mesh of a Query and may be entered one from the other; if these are all, the target too. Time O(m)
// for the m portals of these regions.
func (c *Corridor) Valid(q *Query, regions int) bool {
	if _, err := q.ix.stand(c.position); err != nil {
		return false
	}
	if regions < len(c.steps)-1 {
		return c.holds(q.ix) > regions
	}
	_, err := q.ix.stand(c.target)
	return err == nil && c.holds(q.ix) == len(c.steps)
}

// holds returns how many steps of the corridor still stand.
func (c *Corridor) holds(ix *Index) int {
	for i := range c.steps {
		if _, err := ix.named(c.steps[i].region); err != nil || i > 0 && !ix.open(c.steps[i-1].region, &c.steps[i]) {
			return i
		}
	}
	return len(c.steps)
}

// open reports whether a step still leads from one region, which exists, to its own, which does too.
func (ix *Index) open(from navmesh.Ref, s *step) bool {
	if s.link == none {
		r, to := &ix.regions[ix.number(from)], ix.number(s.region)
		for _, p := range ix.portals[r.firstPortal:r.endPortal] {
			if p.to == to && p.left == s.door.Left && p.right == s.door.Right {
				return true
			}
		}
		return false
	}
	h, ok := ix.taken(s)
	return ok && h.start == s.door.Left && h.end == s.door.Right
}

// taken returns the hop of a step over a link, if that exists and is open.
func (ix *Index) taken(s *step) (hop, bool) {
	if int(s.link) >= len(ix.mesh.Links) {
		return hop{}, false
	}
	l := &ix.mesh.Links[s.link]
	from, err := ix.named(l.From)
	if err != nil || !slices.ContainsFunc(ix.hopsOf(from), func(h int32) bool { return ix.hops[h].link == s.link }) {
		return hop{}, false
	}
	return ix.hopAt(s.link, s.t), true
}

// Trim keeps what still stands of the corridor on the mesh of a Query: the regions up to the first that
// is gone or cannot be entered any more. The target becomes the place of the last one that is nearest to it,
// and the corridor is not Complete, unless nothing was cut off. A position that is gone is looked for as
// the start of [Query.Path] is; the error is [ErrOffMesh] where there is no floor near it.
func (c *Corridor) Trim(q *Query) error {
	if len(c.steps) == 0 {
		return errEmpty
	}
	if _, err := q.ix.stand(c.position); err != nil {
		at, err := q.snap("position", c.position.Point)
		if err != nil {
			return err
		}
		target := c.target.Point
		c.Reset(q.ix.position(at))
		return c.endNear(q, target)
	}
	n := c.holds(q.ix)
	if _, err := q.ix.stand(c.target); n == len(c.steps) && err == nil {
		return nil
	}
	c.steps = c.steps[:n]
	return c.endNear(q, c.target.Point)
}

// endNear makes the place of the last region that is nearest to a point the target.
func (c *Corridor) endNear(q *Query, p geom.Vec) (err error) {
	c.target, err = q.NearestIn(c.last().region, p)
	c.complete = false
	return err
}
