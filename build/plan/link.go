package plan

import "github.com/meadow-nav/meadow/geom/lattice"

// Mark is a named thing of the level that something depends on.
type Mark struct {
	Name string // the author's name for it, may be empty
	Kind string // in one word
	// Door marks a part of the floor that agents pass like a door: only agents for whom it is open.
	Door bool
}

// LinkKind is the way of crossing a link. The kinds equal those of navmesh, in order.
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

// Link is a way from one place of the floor to another, in one direction, without walking.
type Link struct {
	Kind     LinkKind
	From, To DomainID
	// Start is a segment in From, End one in To; equal ends make a point. A link from a fraction of the way
	// along Start leads to the same fraction of the way along End.
	Start, End [2]lattice.Vertex
	Cost       float64 // metres of plain ground
	// Clearance is the radius of the widest disc that fits through, in lattice units, beyond the agent
	// that the plan was made for.
	Clearance int32
	Mark      int32 // place in Plan.Marks, NoMark for none
}

// NoMark means no mark.
const NoMark = -1
