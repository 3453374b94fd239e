package scenario

// Algorithm: casting the agents of a scenario.
// Source: our own.
// Idea: the seed, the source and the agent's number start the random numbers of an agent, from which come places and sizes. A taken
// place is drawn again.
// Input: a scenario, and the index of a mesh.
// Guarantees:
//  1. the same scenario and mesh give the same cast (TestCastIsRepeatable);
//  2. no two agents that enter at the start overlap, nor two that stay at drawn goals, and every place is on the mesh (TestCastStandsApart);
//  3. an error names the source that has no room, and its line (TestFullBoxes);
//  4. members of a group have the goals of the first member, and enter near each other (TestGroupsAreTogether).
// Degenerate cases: a box off the mesh has no room. A mesh without floor has no largest part.
// Cost: O(n · tries) questions to the mesh for n agents, and O(1) neighbours each.
// Departures: none.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Actor is an agent of a cast.
type Actor struct {
	ID     uint64 // 1 and up, in order of the sources
	Source int    // in Scenario.Sources
	// Enter is the step before which the agent enters at At, or the first later step at which the place is free.
	Enter int
	At    geom.Vec
	// Goals are the goals in their order; after the last, Again begins anew.
	Goals []geom.Vec
	// Choice has all places of a source with several places to go to; Goals then has the nearest.
	Choice []geom.Vec
	Then   Then

	// Reach is how far beyond Cast.Arrive a member of a group may be at its goal, in metres: the goal is that of the group.
	Reach float64

	Radius, Height, Speed, Acceleration float64
	Turn                                float64 // radius of the turning circle of a vehicle, 0 for walkers
	Priority                            int32
}

// Cast is a scenario on a mesh: plain data, the same for every system that is compared.
type Cast struct {
	Scenario *Scenario
	Actors   []Actor
	Steps    int
	Dt       float64
	Arrive   float64
}

// tries is how often a place is drawn before a box counts as full.
const tries = 2000

// maxGoals is the largest number of goals of an agent.
const maxGoals = 32

// Cast puts the agents of the scenario on a mesh. The error names a source without room, or with a place off the mesh.
func (s *Scenario) Cast(ctx context.Context, ix *query.Index) (*Cast, error) {
	c := &caster{s: s, q: ix.NewQuery(), mesh: ix.Mesh(), bounds: ix.Mesh().Bounds()}
	c.findLargest(ix.Mesh())
	widest := 0.0
	for _, src := range s.Sources {
		widest = max(widest, src.Radius.High)
	}
	c.starts, c.goals = newCells(2*widest), newCells(2*widest)
	out := &Cast{Scenario: s, Steps: s.Steps(), Dt: s.Dt, Arrive: s.Arrive}
	for i := range s.Sources {
		for k := range s.Sources[i].Count {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			a, err := c.actor(ctx, i, k)
			if err != nil {
				return nil, fmt.Errorf("scenario: line %d: %s %s, agent %d of %d: %w", s.Sources[i].Line, s.Sources[i].Entry, s.Sources[i].Name, k+1, s.Sources[i].Count, err)
			}
			a.ID = uint64(len(out.Actors) + 1)
			if k == 0 {
				c.first = a
			}
			out.Actors = append(out.Actors, a)
		}
	}
	return out, nil
}

// caster is the state of Cast.
type caster struct {
	s             *Scenario
	q             *query.Query
	mesh          *navmesh.Mesh
	bounds        geom.Box
	largest       uint32 // component of the largest area
	starts, goals *cells // taken places
	first         Actor  // of the source
	parties       []disc // the goals of groups that stay
}

// findLargest finds the connected part of the largest area.
func (c *caster) findLargest(m *navmesh.Mesh) {
	area := make([]float64, m.Components)
	for t := range m.Tiles {
		tile := &m.Tiles[t]
		for _, r := range tile.Regions {
			ring := tile.Corners[r.First : r.First+r.Count]
			a := int64(0)
			o := tile.Vertices[ring[0]]
			for k := 2; k < len(ring); k++ {
				p, q := tile.Vertices[ring[k-1]], tile.Vertices[ring[k]]
				a += int64(p.X-o.X)*int64(q.Y-o.Y) - int64(p.Y-o.Y)*int64(q.X-o.X)
			}
			if int(r.Component) < len(area) {
				area[r.Component] += float64(a)
			}
		}
	}
	for i, a := range area {
		if a > area[c.largest] {
			c.largest = uint32(i)
		}
	}
}

func (s Span) draw(rng *rand.Rand) float64 {
	if s.High == s.Low {
		return s.Low
	}
	return s.Low + float64(rng.Float64()*(s.High-s.Low))
}

// actor casts agent k of source i.
func (c *caster) actor(ctx context.Context, i, k int) (Actor, error) {
	src := &c.s.Sources[i]
	rng := rand.New(rand.NewPCG(c.s.Seed, uint64(i)<<32|uint64(k)))
	a := Actor{
		Source: i, Then: src.Then, Priority: src.Priority, Turn: src.Turn, Reach: src.Turn / 4,
		Radius: src.Radius.draw(rng), Height: src.Height.draw(rng), Speed: src.Speed.draw(rng), Acceleration: src.Acceleration.draw(rng),
	}
	if src.Entry == Circle {
		return a, c.onCircle(&a, src, k)
	}
	taken := c.starts
	if src.Entry == Stream {
		a.Enter = int((src.From+float64(float64(k)*src.Every))/c.s.Dt + 0.5)
		taken = nil // who enters later waits for its place
	}
	var err error
	if src.Entry != Group {
		if a.At, err = c.draw(src.In, taken, &a, rng); err != nil {
			return a, err
		}
		return a, c.aim(ctx, &a, src, rng)
	}
	if src.In == "" && k > 0 {
		a.At, err = c.beside(c.first.At, src, &a, rng)
	} else {
		a.At, err = c.draw(src.In, taken, &a, rng)
	}
	if a.Reach = src.reach(); err != nil {
		return a, err
	}
	if k > 0 {
		a.Goals = c.first.Goals
		return a, nil
	}
	return a, c.aim(ctx, &a, src, rng)
}

// beside draws a free place for another member of a group, in sight of the first member and not far from it.
func (c *caster) beside(first geom.Vec, src *Source, a *Actor, rng *rand.Rand) (geom.Vec, error) {
	from, ok := c.q.Locate(first)
	for try := range tries {
		// Places are drawn in a square that grows, for groups in small rooms.
		side := 2 * src.reach() * (1 + 3*float64(try)/tries)
		to := first.Add(geom.Vec{X: float64(side * (rng.Float64() - 0.5)), Z: float64(side * (rng.Float64() - 0.5))})
		if !ok {
			break
		}
		if ray, err := c.q.Raycast(from, to); err == nil && (!ray.Hit || try > tries/2) && c.starts.take(ray.End.Point, a.Radius, a.Height) {
			return ray.End.Point, nil
		}
	}
	return geom.Vec{}, fmt.Errorf("no room near the first member at %v", first)
}

// onCircle puts agent k on a circle, and its goal opposite.
func (c *caster) onCircle(a *Actor, src *Source, k int) error {
	sin, cos := geom.Sincos(2 * math.Pi * float64(k) / float64(src.Count))
	arm := geom.Vec{X: float64(src.Ring * cos), Z: float64(src.Ring * sin)}
	for i, p := range [2]geom.Vec{src.Around.Add(arm), src.Around.Sub(arm)} {
		at, ok := c.q.NearestWithin(p, a.Radius, a.Height, a.Height)
		if !ok {
			return fmt.Errorf("%v is off the mesh", p)
		}
		if i == 0 {
			a.At = at.Point
		} else {
			a.Goals = []geom.Vec{at.Point}
		}
	}
	if !c.starts.take(a.At, a.Radius, a.Height) || !c.goals.take(a.Goals[0], a.Radius, a.Height) {
		return fmt.Errorf("%v or the place opposite is taken", a.At)
	}
	return nil
}

// aim draws the goals of an agent.
func (c *caster) aim(ctx context.Context, a *Actor, src *Source, rng *rand.Rand) error {
	taken := c.goals
	if src.Then != Stay || src.Entry == Group {
		taken = nil
	}
	switch {
	case src.Tour:
		for _, name := range src.To {
			at, err := c.draw(name, nil, a, rng)
			if err != nil {
				return err
			}
			a.Goals = append(a.Goals, at)
		}
	case len(src.To) > 1:
		for _, name := range src.To {
			at, err := c.draw(name, nil, a, rng)
			if err != nil {
				return err
			}
			a.Choice = append(a.Choice, at)
		}
		nearest, _, err := c.q.NearestOf(ctx, a.At, a.Choice)
		if err != nil {
			return err
		}
		a.Goals = []geom.Vec{a.Choice[max(0, nearest)]}
	default:
		name, n := "", 1
		if len(src.To) == 1 {
			name = src.To[0]
		}
		if src.Then == Again {
			n = int(min(maxGoals, 2+c.s.Seconds*a.Speed/10))
		}
		for range n {
			at, err := c.draw(name, taken, a, rng)
			for try := 0; err == nil && src.Entry == Group && src.Then == Stay && !c.apart(at, a.Reach) && try < tries; try++ {
				at, err = c.draw(name, taken, a, rng)
			}
			if err != nil {
				return err
			}
			a.Goals = append(a.Goals, at)
			c.parties = append(c.parties, disc{at: at, radius: a.Reach})
		}
	}
	return nil
}

// draw returns a place in a box, at a place, or, for the empty name, anywhere on the largest part. Unless taken is nil, the place
// is free of all places in taken, and is taken then.
func (c *caster) draw(name string, taken *cells, a *Actor, rng *rand.Rand) (geom.Vec, error) {
	if i := slices.IndexFunc(c.s.Places, func(p Place) bool { return p.Name == name }); i >= 0 {
		at, ok := c.q.NearestWithin(c.s.Places[i].At, a.Radius, a.Height, a.Height)
		if !ok {
			return geom.Vec{}, fmt.Errorf("place %s, %v, is off the mesh", name, c.s.Places[i].At)
		}
		if taken != nil && taken != c.goals && !taken.take(at.Point, a.Radius, a.Height) {
			return geom.Vec{}, fmt.Errorf("place %s is taken", name)
		}
		return at.Point, nil
	}
	var box geom.Box
	if i := slices.IndexFunc(c.s.Boxes, func(b Box) bool { return b.Name == name }); i >= 0 {
		box = c.s.Boxes[i].Area
	}
	for range tries {
		var at query.Position
		var ok bool
		if name == "" {
			if at, ok = c.q.RandomPoint(rng); ok {
				_, r, found := c.mesh.Region(at.Ref)
				ok = found && r.Component == c.largest
			}
		} else {
			p := geom.Vec{
				X: box.Min.X + float64(rng.Float64()*(box.Max.X-box.Min.X)),
				Y: max(box.Min.Y, c.bounds.Min.Y),
				Z: box.Min.Z + float64(rng.Float64()*(box.Max.Z-box.Min.Z)),
			}
			at, ok = c.q.NearestWithin(p, 0.001, 0.001, max(0, min(box.Max.Y, c.bounds.Max.Y)-p.Y))
		}
		if ok && (taken == nil || taken.take(at.Point, a.Radius, a.Height)) {
			return at.Point, nil
		}
	}
	if name == "" {
		return geom.Vec{}, fmt.Errorf("no room on the largest part of the floor")
	}
	return geom.Vec{}, fmt.Errorf("no room in box %s", name)
}

// apart reports whether a group that stays at a place has room beside the groups before.
func (c *caster) apart(at geom.Vec, reach float64) bool {
	return !slices.ContainsFunc(c.parties, func(d disc) bool { return d.radius > 0 && at.Distance(d.at) < reach+d.radius })
}

// disc is an agent at a place.
type disc struct {
	at             geom.Vec
	radius, height float64
}

// cells is a grid of taken places, seen from above.
type cells struct {
	side float64
	list map[[2]int32][]disc
}

func newCells(side float64) *cells {
	return &cells{side: max(side, 0.01), list: map[[2]int32][]disc{}}
}

func (c *cells) cell(p geom.Vec) [2]int32 {
	return [2]int32{int32(math.Floor(p.X / c.side)), int32(math.Floor(p.Z / c.side))}
}

// take puts a disc into the grid unless one is in its way.
func (c *cells) take(at geom.Vec, radius, height float64) bool {
	mid := c.cell(at)
	for dz := int32(-1); dz <= 1; dz++ {
		for dx := int32(-1); dx <= 1; dx++ {
			for _, d := range c.list[[2]int32{mid[0] + dx, mid[1] + dz}] {
				if at.DistXZ(d.at) < radius+d.radius && math.Abs(at.Y-d.at.Y) < min(height, d.height) {
					return false
				}
			}
		}
	}
	c.list[mid] = append(c.list[mid], disc{at, radius, height})
	return true
}
