package presence

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Event is a thing that happens at a place: a shot, a whisper, an explosion.
type Event struct {
	At geom.Vec // on the floor
	// Sound is the length of the longest walk over which ordinary ears hear the event, in metres: 0 for a silent event.
	// The sound goes as agents go, around corners and through doors, and takes links at their cost.
	Sound float64
	// Light is how far the event can be seen beyond the Sight of an agent, in metres. A negative Light is for events
	// that only near agents see; -Inf for events without a look. Blind agents see nothing.
	Light float64
	// Above is the height of the event over its place, in metres, for agents behind the brow of a hill.
	Above float64
}

// Notice says how an agent notices an event.
type Notice struct {
	ID    ID
	Heard bool
	Walk  float64 // metres that the sound went; +Inf if not Heard
	Seen  bool
	// Distance is the horizontal straight distance from the agent to the event in metres.
	Distance float64
}

// Notice returns the agents that hear or see an event, by ID. An agent hears the event where the shortest walk from the
// event is no longer than Sound and the agent's Hearing together. An agent sees the event where the straight line
// to the event is free, no longer than the agent's Sight and Light together, and in the view cone, see [Reader.Look].
//
// The errors are a place in no free space, [ErrNotFree], a number that is NaN, and the errors of ctx. Time as
// [query.Query.ToMany] for the agents in regions within reach, and O(r·m) for the r regions in sight.
func (r *Reader) Notice(ctx context.Context, e Event) ([]Notice, error) {
	if math.IsNaN(e.Sound) || math.IsNaN(e.Light) || math.IsNaN(e.Above) {
		return nil, fmt.Errorf("presence: event at %v: sound %v, light %v, above %v", e.At, e.Sound, e.Light, e.Above)
	}
	from, ok := r.q.Locate(e.At)
	if !ok {
		return nil, fmt.Errorf("%w: event at %v", ErrNotFree, e.At)
	}
	r.notes = r.notes[:0]
	if e.Sound > 0 {
		if err := r.hear(ctx, from, e.Sound); err != nil {
			return nil, err
		}
	}
	r.watch(from, e)
	slices.SortFunc(r.notes, func(a, b Notice) int {
		if a.ID < b.ID {
			return -1
		}
		if a.ID > b.ID {
			return 1
		}
		return 0
	})
	// An agent that hears and sees has two notices.
	n := 0
	for i := range r.notes {
		if a := &r.notes[i]; n > 0 && r.notes[n-1].ID == a.ID {
			b := &r.notes[n-1]
			b.Heard, b.Seen, b.Walk = a.Heard || b.Heard, a.Seen || b.Seen, min(a.Walk, b.Walk)
		} else {
			r.notes[n] = *a
			n++
		}
	}
	return r.notes[:n], nil
}

// hear adds a notice for each agent that hears a sound.
func (r *Reader) hear(ctx context.Context, from query.Position, sound float64) error {
	v := r.v
	// A search may miss a region whose distance equals its reach to the last bit.
	regions, err := r.q.RegionsWithin(ctx, from, float64((sound+max(v.sharp, 0))*(1+1e-9)))
	if err != nil {
		return fmt.Errorf("presence: event at %v: %w", from.Point, err)
	}
	r.goals, r.who = r.goals[:0], r.who[:0]
	for _, n := range regions {
		c, ok := v.of[n.Ref]
		if !ok {
			continue
		}
		for _, e := range v.in(c) {
			if o := &v.objects[e.object]; o.home == c && sound+o.Hearing > 0 {
				r.who, r.goals = append(r.who, e.object), append(r.goals, o.At)
			}
		}
	}
	if len(r.goals) == 0 {
		return nil
	}
	fan, err := r.q.ToMany(ctx, from.Point, r.goals)
	if err != nil {
		return fmt.Errorf("presence: event at %v: %w", from.Point, err)
	}
	for i, walk := range fan.Costs {
		if o := &v.objects[r.who[i]]; walk <= sound+o.Hearing {
			r.notes = append(r.notes, Notice{ID: o.ID, Heard: true, Walk: walk, Distance: from.Point.DistXZ(o.At)})
		}
	}
	return nil
}

// watch adds a notice for each agent that sees an event.
func (r *Reader) watch(from query.Position, e Event) {
	far := 0.0
	for i := range r.v.objects {
		if o := &r.v.objects[i]; o.Sight > 0 {
			far = max(far, o.Sight+e.Light)
		}
	}
	if !(far > 0) {
		return
	}
	l := &r.look
	l.start(r, from, geom.Vec{}, 0, far)
	l.eye = l.eye + float64(e.Above*lattice.UnitsPerMetre)
	l.centres = true
	l.all()
	for _, s := range l.seen {
		o := &r.v.objects[s.object]
		d := s.distance * lattice.Unit
		if !(o.home >= 0 && o.Sight > 0 && d <= o.Sight+e.Light) || !o.faces(l.at) {
			continue
		}
		r.notes = append(r.notes, Notice{ID: o.ID, Walk: math.Inf(1), Seen: true, Distance: d})
	}
}

// faces reports whether a point is in the view cone of an agent, seen from above.
func (o *seen) faces(p lattice.Point) bool {
	cone := coneOf(o.Heading, o.View)
	x, y := p.Sub(o.disc.at)
	d := ray{x, y}
	return d == ray{} || slices.ContainsFunc(cone, func(w wedge) bool { return w.has(d) })
}

// Gaze is a look over the floor.
type Gaze struct {
	At      geom.Vec // where the viewer stands
	Eye     float64  // height of the eyes above At, metres
	Heading geom.Vec // as in [Object]
	View    float64
	Range   float64 // metres; +Inf for any distance
}

// Sighting is an object in sight.
type Sighting struct {
	ID ID
	// Distance is the horizontal distance of the object's centre in metres.
	Distance float64
	// Whole says that the object's centre is in sight; otherwise an edge of the object is.
	Whole bool
}

// Look returns the objects that some point of their discs shows, by ID. Sight goes over the floor of the mesh: from
// region to region through portals, clipped to the view cone by exact signs. The edge of the mesh ends sight, links do not carry sight,
// and a storey above or below is in sight only where the floor leads there. Of a hill that rises between
// eyes and the top of an object, the floor at portals and at every half metre counts.
//
// For centres the answer is that of [query.Query.Raycast], exactly; for discs the distance from the floor in sight is
// measured in float64. The errors are [ErrNotFree] and numbers that are NaN. Time O(r·m) for r regions in sight with m
// portals and objects each.
func (r *Reader) Look(g Gaze) ([]Sighting, error) {
	if err := r.gaze(g); err != nil {
		return nil, err
	}
	r.sights = r.sights[:0]
	for _, s := range r.look.seen {
		r.sights = append(r.sights, Sighting{r.v.objects[s.object].ID, s.distance * lattice.Unit, s.whole})
	}
	slices.SortFunc(r.sights, func(a, b Sighting) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return r.sights, nil
}

// Sees is [Reader.Look] for an agent: with eyes at the top of its cylinder, its Heading, View and Sight. The agent itself
// is not listed. The error is [ErrUnknown]; an agent in no free space sees nothing.
func (r *Reader) Sees(id ID) ([]Sighting, error) {
	i := r.v.find(id)
	if i < 0 {
		return nil, fmt.Errorf("%w: %d", ErrUnknown, id)
	}
	o := &r.v.objects[i]
	if o.home < 0 || !(o.Sight > 0) {
		return nil, nil
	}
	list, err := r.Look(Gaze{At: o.At, Eye: o.Height, Heading: o.Heading, View: o.View, Range: o.Sight})
	return slices.DeleteFunc(list, func(s Sighting) bool { return s.ID == id }), err
}

// Piece is a convex piece of floor in sight: a region clipped to the part of the view cone that a chain of portals lets
// through. The floor beyond the range of the gaze is not clipped off.
type Piece struct {
	Region  navmesh.Ref
	Outline []geom.Vec // counter-clockwise
}

// SeenFloor returns the floor in sight, for maps and pictures. Pieces do not overlap, but for their borders. Errors and time are as for
// [Reader.Look].
func (r *Reader) SeenFloor(g Gaze) ([]Piece, error) {
	r.look.pieces, r.look.draws = nil, true
	err := r.gaze(g)
	r.look.draws = false
	return r.look.pieces, err
}

// gaze finds all that a look shows.
func (r *Reader) gaze(g Gaze) error {
	if math.IsNaN(g.Eye) || math.IsNaN(g.View) || g.View < 0 || !(g.Range >= 0) || !g.Heading.IsFinite() {
		return fmt.Errorf("presence: look from %v: eye %v, heading %v, view %v, range %v", g.At, g.Eye, g.Heading, g.View, g.Range)
	}
	from, ok := r.q.Locate(g.At)
	if !ok {
		return fmt.Errorf("%w: look from %v", ErrNotFree, g.At)
	}
	r.look.start(r, from, g.Heading, g.View, g.Range)
	r.look.eye += float64(g.Eye * lattice.UnitsPerMetre)
	r.look.centres = false
	r.look.all()
	return nil
}
