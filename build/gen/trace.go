package gen

import "github.com/meadow-nav/meadow/geom/lattice"

// Tracer is an [Observer] that hears of single events, too: of growth methods and of the generator anavmg. A generator looks for the
// methods of a Tracer once, and an Observer without them costs nothing more than before.
type Tracer interface {
	Observer
	Trace(Event)
}

// EventKind is the kind of an [Event].
type EventKind uint8

// The kinds of event.
const (
	// Seeded: Region begins to grow, in Box.
	Seeded EventKind = iota
	// Stopped: the front of Region in direction Front (0 west, 1 south, 2 east, 3 north) has gone Time lattice units since the
	// seeding of its round, and stops there.
	Stopped
	// Grown: Region has the fronts of Box now.
	Grown
	// Claimed: Region has become a cell with the corners in Points.
	Claimed
	// Combined: the cell of Region takes in the cell of Other, and has the corners in Points now.
	Combined
	// Notched: the free space has a notch at the only point of Points.
	Notched
	// Cut: a portal leads along Points, from a notch.
	Cut
	// Released: the portal along Points goes again.
	Released
)

// Event is a step of a generator's making.
type Event struct {
	Kind EventKind
	// Region and Other number regions of one domain, in the order of their seeds.
	Region, Other int32
	Front         int
	Time          int64
	Box           lattice.Box
	Points        []lattice.Point
}

// TracerOf returns the Tracer of an Observer, nil for one that hears of no single events.
func TracerOf(o Observer) Tracer {
	t, _ := o.(Tracer)
	return t
}
