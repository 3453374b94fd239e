package query

import (
	"context"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Repair mends a corridor on the mesh of a Query after the mesh has changed. Where regions of the corridor are gone or
// closed, Repair first looks for the shortest way from the position to the rest of the corridor behind the change, and
// keeps that rest: a local search. Where no rest leads to the target any more, Repair plans anew, as [Corridor.Plan]. A
// position without floor moves as in [Corridor.Trim]. A mended corridor may be longer than a new plan; Plan finds the
// shortest. Nothing happens to a corridor that is [Corridor.Valid] to its end.
func (c *Corridor) Repair(ctx context.Context, q *Query) error {
	q = q.ready()
	if len(c.steps) == 0 {
		return errEmpty
	}
	if err := begin(ctx, "corridor"); err != nil {
		return err
	}
	if c.Valid(q, len(c.steps)) {
		return nil
	}
	goal, complete := c.target.Point, c.complete
	rest := c.restOf(q.ix)
	from, err := stand(q.ix, c.position)
	if err != nil {
		if from, err = q.snap("position", c.position.Point); err != nil {
			return err
		}
		c.position = position(q.ix, from)
	}
	if len(rest) > 0 && complete {
		mended, err := c.reach(ctx, q, from, rest)
		if err != nil || mended {
			return err
		}
	}
	c.Reset(c.position)
	return c.Plan(ctx, q, goal)
}

// restOf returns the last steps of the corridor that still lead to the target; none where the target is gone.
func (c *Corridor) restOf(ix *index.Index) []step {
	if _, err := stand(ix, c.target); err != nil {
		return nil
	}
	first := len(c.steps) - 1
	for first > 0 {
		if _, err := ix.Named(c.steps[first-1].region); err != nil || !open(ix, c.steps[first-1].region, &c.steps[first]) {
			break
		}
		first--
	}
	return c.steps[first:]
}

// reach joins the shortest way from a place to a rest of the corridor; mended is false without a way.
func (c *Corridor) reach(ctx context.Context, q *Query, from index.Place, rest []step) (mended bool, err error) {
	entrance := c.target
	if len(rest) > 1 && rest[1].link == index.None {
		// The door out of the first region: its middle is on the way.
		d := rest[1].door
		a, b := q.ix.Mesh.Frame.ToWorld(d.Left, 0), q.ix.Mesh.Frame.ToWorld(d.Right, 0)
		middle := geom.Vec{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2, Z: (a.Z + b.Z) / 2}
		if entrance, err = q.NearestIn(rest[0].region, middle); err != nil {
			return false, err
		}
	}
	to, err := stand(q.ix, entrance)
	if err != nil {
		return false, nil // the door is too thin to stand on
	}
	path, err := q.between(ctx, from, to, (*Query).findShortest)
	if err != nil || !path.Complete {
		return false, err
	}
	c.fresh = q.appendSteps(c.fresh[:0], from)
	last := c.fresh[len(c.fresh)-1].region
	if last != rest[0].region {
		return false, nil // the door belongs to several regions, and the way ends in another
	}
	c.spare = append(append(c.spare[:0], c.fresh...), rest[1:]...)
	c.steps, c.spare = c.spare, c.steps
	c.known = known{}
	return true, nil
}
