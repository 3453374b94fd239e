package navmesh

import (
	"fmt"

	"github.com/meadow-nav/meadow/geom"
)

// FaultKind is the kind of a mesh fault, in stable words.
type FaultKind string

// The kinds of fault.
const (
	BadIndex       FaultKind = "index"           // an index out of range
	BadPosition    FaultKind = "position"        // a coordinate or measure out of range
	BadShape       FaultKind = "shape"           // a region that is not convex, simple, counter-clockwise and of positive area
	Overlapping    FaultKind = "overlap"         // two regions of a layer share a point inside both
	PortalOffEdge  FaultKind = "portal off edge" // a portal is not a stretch of its edge from right to left
	PortalOverlap  FaultKind = "portal overlap"  // portals of an edge overlap or are not in order
	PortalMismatch FaultKind = "portal mismatch" // the two sides of a portal differ
	PortalStep     FaultKind = "portal step"     // the two sides of a portal differ in height by more than a step
	FloorJump      FaultKind = "floor jump"      // the floor of a region has an inner step higher than the agent climbs
	FloorSteep     FaultKind = "steep floor"     // the floor of a region is too steep, over more than a step
	PortalMissing  FaultKind = "portal missing"  // two regions share a stretch of border without a portal
	BadCorner      FaultKind = "corner flag"     // a corner flag is wrong
	BadClearance   FaultKind = "clearance"       // a portal's clearance does not match the walls
	BadPassages    FaultKind = "passages"        // a region's bottleneck tree does not match the walls
	BadComponent   FaultKind = "component"       // component numbers do not match the connected parts
	NoFloor        FaultKind = "floor"           // the layer has no floor under a vertex of a region
	StaleLink      FaultKind = "link"            // a link from or to a missing region
	LinkOffRegion  FaultKind = "link off region" // a link starts or ends outside of its region
	LinkOrder      FaultKind = "link order"      // links are not in the order of their regions
	BadText        FaultKind = "text"            // a name that is too long or not UTF-8
)

// Fault is a fault of a mesh, with its place.
type Fault struct {
	Kind   FaultKind
	Region Ref      // zero for a fault of no single region
	At     geom.Vec // zero for a fault without a place
	Detail string
}

// Error returns the fault as a sentence for people.
func (f Fault) Error() string {
	switch {
	case f.Region == 0 && f.At == geom.Vec{}:
		return fmt.Sprintf("navmesh: %s: %s", f.Kind, f.Detail)
	case f.Region == 0:
		return fmt.Sprintf("navmesh: %s at %v: %s", f.Kind, f.At, f.Detail)
	}
	return fmt.Sprintf("navmesh: %s at %v, region %v: %s", f.Kind, f.At, f.Region, f.Detail)
}

// MaxFaults is the number of faults at which Validate stops.
const MaxFaults = 1000

// errNil is the fault of a mesh that is nil.
var errNil = Fault{Kind: BadIndex, Detail: "the mesh is nil"}
