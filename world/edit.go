package world

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
)

// ID names a thing in a world. The caller chooses it: valid UTF-8 of 1 to [MaxID] bytes without control characters.
// Obstacles, modifiers and links share one space of names.
type ID string

// MaxID is the maximum length of an [ID] in bytes.
const MaxID = 200

// Edit is a change of a world, to be handed to [World.Apply]: [Put], [Move], [Take], [Paint], [Repaint], [Close], [Open]
// or [Connect].
type Edit interface{ edit() }

// Put sets an obstacle into the world. The obstacle takes the floor where it blocks the agent: where the solid meets the
// upright cylinder of the agent's radius from MaxClimb to Height above the floor.
type Put struct {
	ID    ID
	Solid Solid
}

// Move gives an obstacle another solid: the same one in another place, or any other.
type Move struct {
	ID    ID
	Solid Solid
}

// Take takes an obstacle, a modifier or a link out of the world.
type Take struct{ ID ID }

// Paint sets a modifier into the world: floor inside the solid gets another area, other flags or another cost.
// The solid is not grown by the agent's radius. Where modifiers overlap, the one of the highest Priority counts, and
// of equal priorities the one of the smallest ID.
type Paint struct {
	ID    ID
	Solid Solid
	Brush Brush
}

// Repaint gives a modifier another solid and brush.
type Repaint struct {
	ID    ID
	Solid Solid
	Brush Brush
}

// Brush is the effect of a modifier.
type Brush struct {
	// Area is the name of the area that the floor gets: an area of the base, or any other name. Empty keeps the area.
	Area string
	// Cost is the cost of a metre of the painted floor, in metres of plain ground, see query.Filter.AreaCosts. 0 keeps
	// the cost of the area. +Inf closes the floor.
	Cost float64
	// Set and Clear are flags that the floor gets and loses.
	Set, Clear uint32
	Priority   int
}

// Close closes the regions and links of the marks called by a name or kind, such as a door. Closing what is closed
// changes nothing.
type Close struct{ Mark string }

// Open opens the marks again.
type Open struct{ Mark string }

// Connect sets a link into the world: a way between two places without walking.
type Connect struct {
	ID       ID
	From, To geom.Vec // places on the floor of the base, or within the agent's reach of it
	Kind     navmesh.LinkKind
	Cost     float64 // in metres of plain ground; 0 means the distance in space
	BothWays bool
}

func (Put) edit()     {}
func (Move) edit()    {}
func (Take) edit()    {}
func (Paint) edit()   {}
func (Repaint) edit() {}
func (Close) edit()   {}
func (Open) edit()    {}
func (Connect) edit() {}

// Thing is a thing that stands in a world, as [Snapshot.Things] lists it: the Put, Paint or Connect that would set it
// into an empty world.
type Thing interface {
	Edit
	thing() ID
}

func (p Put) thing() ID     { return p.ID }
func (p Paint) thing() ID   { return p.ID }
func (c Connect) thing() ID { return c.ID }
