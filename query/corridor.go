package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Corridor is the way of a walking agent: the regions from its position to its target. The regions stay connected while
// agent or target moves, without a new search. A Corridor holds no scratch memory and knows no mesh: each method takes
// a Query to work with. A Corridor belongs to one goroutine at a time.
//
//	var c query.Corridor
//	c.Reset(at)                             // the agent's position
//	err := c.Plan(ctx, q, goal)             // the shortest way
//	for walking {
//		corners, err = c.Corners(q, corners[:0], 3)
//		// steer towards corners[0] by a step
//		err = c.MovePosition(q, step)       // keeps to the mesh
//	}
//
// A Corridor outlives its mesh: positions and regions are kept by their Refs. With a Query of another mesh,
// [Corridor.Valid] tells whether the next regions still exist, and [Corridor.Trim] keeps the valid part. With a Query
// of an Index by another [Filter], closed doors are found in the same way.
//
// Source: the methods do the work of M. Mononen's dtPathCorridor (Detour), with three differences. Plans are the
// shortest paths. Doors between regions are kept as portals, not found again by their regions. Links are part of the
// corridor.
//
// After the first few calls nothing is allocated. Stale Refs, and places off the mesh, give [ErrOffMesh]; the Corridor
// then stays unchanged.
type Corridor struct {
	position, target Position
	complete         bool
	steps            []step // from the region of the position to the region of the target
	fresh, spare     []step // scratch
	known            known
}

// known says when all of a corridor was last found valid, on an Index of an [Editor].
type known struct {
	history   *index.History // nil if nothing is known
	sequence  uint64
	boxed     bool // low and high hold the corridor
	low, high lattice.Point
}

// changedOn notes that a method has changed the corridor with an Index: its new steps are valid there.
func (c *Corridor) changedOn(ix *index.Index) {
	history, sequence := ix.Era()
	if c.known.boxed = false; history != c.known.history {
		c.known.history = nil
	}
	c.known.sequence = min(c.known.sequence, sequence)
}

// box finds the box around the corridor. Every region of the corridor has a point there.
func (c *Corridor) box(frame *lattice.Frame) {
	k := &c.known
	k.boxed = true
	k.low, _ = frame.Beneath(c.position.Point)
	k.high = k.low
	add := func(p lattice.Point) {
		k.low.X, k.low.Y = min(k.low.X, p.X), min(k.low.Y, p.Y)
		k.high.X, k.high.Y = max(k.high.X, p.X), max(k.high.Y, p.Y)
	}
	target, _ := frame.Beneath(c.target.Point)
	add(target)
	for i := 1; i < len(c.steps); i++ {
		add(c.steps[i].door.Left)
		add(c.steps[i].door.Right)
	}
}

// unchanged reports whether all of the corridor is known to be valid on an Index: nothing near has changed since the
// corridor was last found valid.
func (c *Corridor) unchanged(ix *index.Index) bool {
	history, sequence := ix.Era()
	k := &c.known
	if history == nil || history != k.history {
		return false
	}
	if sequence == k.sequence {
		return true
	}
	if !k.boxed {
		c.box(&ix.Mesh.Frame)
	}
	if sequence < k.sequence || ix.ChangedIn(k.sequence, k.low, k.high) {
		return false
	}
	k.sequence = sequence
	return true
}

// step is a region of a corridor and its entrance from the previous region.
type step struct {
	region navmesh.Ref
	door   route.Gate // the portal; for a link, its start and end
	link   int32      // in Mesh.Links, or none
	t      float64    // relative position along the link
}

// Corner is a bend of a corridor's shortest path, or its end.
type Corner struct {
	Position
	// Link is the index in Mesh.Links of the link that starts at the corner, -1 for none. A corner with a link is the
	// last in the list; the path goes on behind the link, see [Corridor.TakeLink].
	Link int
	// Target says that the corner is the target of the corridor.
	Target bool
}

// errEmpty is the error of a Corridor before Reset.
var errEmpty = errors.New("query: corridor: it is empty")

// Reset reduces the corridor to a single place, both position and target.
func (c *Corridor) Reset(at Position) {
	c.position, c.target, c.complete, c.known = at, at, true, known{}
	c.steps = append(c.steps[:0], step{region: at.Ref, link: index.None})
}

// Position returns the agent's position.
func (c *Corridor) Position() Position { return c.position }

// Target returns the end of the corridor.
func (c *Corridor) Target() Position { return c.target }

// Complete reports whether the corridor leads to the planned goal, including later moves of the goal.
func (c *Corridor) Complete() bool { return c.complete }

// AppendRegions appends the regions of the corridor to a list, from the position to the target.
func (c *Corridor) AppendRegions(list []navmesh.Ref) []navmesh.Ref {
	for i := range c.steps {
		list = append(list, c.steps[i].region)
	}
	return list
}

// Plan replaces the corridor by the shortest path from the position to a goal, or to the nearest reachable place, see
// [Query.PartialPath].
func (c *Corridor) Plan(ctx context.Context, q *Query, goal geom.Vec) error {
	q = q.ready()
	if len(c.steps) == 0 {
		return errEmpty
	}
	if err := begin(ctx, "corridor"); err != nil {
		return err
	}
	from, err := stand(q.ix, c.position)
	if err != nil {
		return err
	}
	to, complete, err := q.goalFrom(from, goal)
	if err != nil {
		return err
	}
	path, err := q.between(ctx, from, to, (*Query).findShortest)
	if err != nil {
		return err
	}
	if !path.Complete { // the Index did not know in advance
		c.Reset(c.position)
		c.complete = false
		return nil
	}
	c.steps, c.known = q.appendSteps(c.steps[:0], from), known{}
	c.target, c.complete = Position{c.last().region, path.Points[len(path.Points)-1]}, complete
	return nil
}

// Take replaces the rest of the corridor by the path of a Search, or by its best way so far. The search may have begun
// at the position, or anywhere along the corridor, see [Corridor.Ahead]. The part of the corridor up to the search's
// start stays, and the agent may have moved along this part meanwhile. Take fails if the search has no path. Take also
// fails if corridor and path have no common region, as when the agent was pushed past the search's start.
func (c *Corridor) Take(s *Search) error {
	path := s.Path()
	if len(path.Points) == 0 {
		return errors.New("query: corridor: the search has no path")
	}
	c.fresh, c.known = s.q.appendSteps(c.fresh[:0], s.from), known{}
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
	return fmt.Errorf("query: corridor: a search from %v does not meet it", position(s.q.ix, s.from).Point)
}

func (c *Corridor) last() *step { return &c.steps[len(c.steps)-1] }

// appendSteps appends the corridor in q.way, which begins around a place.
func (q *Query) appendSteps(list []step, from index.Place) []step {
	ix := q.ix
	list = append(list, step{region: ix.Region(from.Region).Ref, link: index.None})
	if first := q.way.Legs[0].First; first != from.Region {
		// The place is on a border: lead around the place to the first region of the way.
		s := &q.ray.Shared
		s.Regions, s.From = append(s.Regions[:0], first), append(s.From[:0], index.None)
		for i := 0; i < len(s.Regions) && s.Regions[i] != from.Region; i++ {
			reg := ix.Region(s.Regions[i])
			for k := reg.FirstPortal; k < reg.EndPortal; k++ {
				if p := ix.Portal(k); lattice.OnSegment(from.At, p.Left, p.Right) && !slices.Contains(s.Regions, p.To) {
					s.Regions, s.From = append(s.Regions, p.To), append(s.From, int32(i))
				}
			}
		}
		for k := int32(slices.Index(s.Regions, from.Region)); k > 0; k = s.From[k] {
			next, _ := through(ix, s.Regions[k], s.Regions[s.From[k]], from.At, from.At)
			list = append(list, next)
		}
	}
	for i := range q.way.Legs {
		l := &q.way.Legs[i]
		if l.Hop != index.None {
			h := &l.Taken
			list = append(list, step{ix.Region(l.First).Ref, route.Gate{Left: h.Start, Right: h.End}, h.Link, h.T})
		}
		for _, k := range q.way.Crossed[l.Begin:l.End] {
			p := ix.Portal(k)
			list = append(list, step{ix.Region(p.To).Ref, route.Gate{Left: p.Left, Right: p.Right}, index.None, 0})
		}
	}
	return list
}

// through returns the step from region a to region b through the portal nearest to the way between two points; ok is
// false without a portal.
func through(ix *index.Index, a, b uint32, from, to lattice.Point) (out step, ok bool) {
	out = step{region: ix.Region(b).Ref, link: index.None}
	var best lattice.Ratio
	for k := ix.Region(a).FirstPortal; k < ix.Region(a).EndPortal; k++ {
		p := ix.Portal(k)
		if p.To != b {
			continue
		}
		if d := lattice.SegmentsDistance2(p.Left, p.Right, from, to); !ok || d.Compare(best) < 0 {
			best, ok, out.door = d, true, route.Gate{Left: p.Left, Right: p.Right}
		}
	}
	return out, ok
}

// Valid reports whether the position and the given number of next regions are on the mesh of a Query, each open to the
// next; if these are all regions, the target too. Time O(m) for the m portals of all regions; on an Index of an [Editor],
// time O(k) for the k changes since the last time that Valid found all of the corridor valid, if they are few and none
// is near the corridor.
func (c *Corridor) Valid(q *Query, regions int) bool {
	q = q.ready()
	if c.unchanged(q.ix) {
		return true
	}
	if _, err := stand(q.ix, c.position); err != nil {
		return false
	}
	holds := c.holds(q.ix)
	_, err := stand(q.ix, c.target)
	if err == nil && holds == len(c.steps) {
		c.known = known{}
		c.known.history, c.known.sequence = q.ix.Era()
		return true
	}
	return regions < len(c.steps)-1 && holds > regions
}

// holds returns the number of leading steps that are still valid.
func (c *Corridor) holds(ix *index.Index) int {
	for i := range c.steps {
		if _, err := ix.Named(c.steps[i].region); err != nil || i > 0 && !open(ix, c.steps[i-1].region, &c.steps[i]) {
			return i
		}
	}
	return len(c.steps)
}

// open reports whether a step still leads from one region to the step's region; both must exist.
func open(ix *index.Index, from navmesh.Ref, s *step) bool {
	if s.link == index.None {
		r, to := ix.Region(ix.Number(from)), ix.Number(s.region)
		for _, p := range ix.PortalsOf(r) {
			if p.To == to && p.Left == s.door.Left && p.Right == s.door.Right {
				return true
			}
		}
		return false
	}
	h, ok := taken(ix, from, s)
	return ok && h.Start == s.door.Left && h.End == s.door.Right && ix.Contains(ix.Number(s.region), h.End)
}

// taken returns the hop of a step over a link from a region, if the link exists and is open there.
func taken(ix *index.Index, region navmesh.Ref, s *step) (index.Hop, bool) {
	if int(s.link) >= len(ix.Mesh.Links) {
		return index.Hop{}, false
	}
	from, err := ix.Named(region)
	if err != nil || !slices.ContainsFunc(ix.HopsOf(from), func(h int32) bool { return ix.Hops[h].Link == s.link }) {
		return index.Hop{}, false
	}
	h := ix.HopAt(s.link, s.t)
	return h, !h.Closed()
}

// Trim keeps the valid part of the corridor on the mesh of a Query: the regions up to the first that is gone or closed.
// The target moves to the place of the last region nearest to the old target; the corridor is then not Complete, unless
// nothing was cut off. If the position is gone, Trim snaps the position to the mesh like the start of [Query.Path]; the
// error is [ErrOffMesh] if no floor is near.
func (c *Corridor) Trim(q *Query) error {
	q = q.ready()
	if len(c.steps) == 0 {
		return errEmpty
	}
	if _, err := stand(q.ix, c.position); err != nil {
		at, err := q.snap("position", c.position.Point)
		if err != nil {
			return err
		}
		target := c.target.Point
		c.Reset(position(q.ix, at))
		return c.endNear(q, target)
	}
	n := c.holds(q.ix)
	c.known = known{}
	if _, err := stand(q.ix, c.target); n == len(c.steps) && err == nil {
		return nil
	}
	c.steps = c.steps[:n]
	return c.endNear(q, c.target.Point)
}

// endNear moves the target to the place of the last region nearest to a point.
func (c *Corridor) endNear(q *Query, p geom.Vec) (err error) {
	c.target, err = q.NearestIn(c.last().region, p)
	c.complete = false
	return err
}
