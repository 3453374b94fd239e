package plan

import "github.com/meadow-nav/meadow/geom/lattice"

// Mark is a named thing of the level that something depends on.
type Mark struct {
	Name string // as its author gave it, may be empty
	Kind string // in one word
	// Door says that the domains in the mark are passed like a door: by those for whom it is open.
	Door bool
}

// LinkKind tells how a link is crossed. The kinds are those of navmesh, in the same order.
type LinkKind uint8

// The kinds of link.
const (
	Jump LinkKind = iota
	Drop
	Climb
	Ladder
	Door
	Lift
	Teleport
)

// Link is a way from one place of the floor to another that is not walked, in one direction.
type Link struct {
	Kind     LinkKind
	From, To DomainID
	// Start is a segment in From, End one in To; where both ends are equal, points. What is taken
	// at some part of the way along Start ends at the same part of the way along End.
	Start, End [2]lattice.Vertex
	Cost       float64 // metres of plain ground
	// Clearance is the radius of the widest disc that fits through, in lattice units, beyond the agent
	// that the plan was made for.
	Clearance int32
	Mark      int32 // place in Plan.Marks, NoMark for none
}

// NoMark is the mark of a link that has none.
const NoMark = -1
