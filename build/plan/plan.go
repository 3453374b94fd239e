// Package plan is the hinge between extraction and decomposition: the walkable floor of a level as
// planar domains on the lattice, with everything that ties the domains together.
//
// An extractor (build/exact, or an extractor of lab) makes a Plan, a generator (build/anavmg, or another) decomposes its
// domains one by one, build/join joins the cells to a mesh. Planar maps enter here as one-layer plans.
package plan

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Plan is the walkable floor: the agent's centre may be anywhere inside a domain.
type Plan struct {
	Frame  lattice.Frame
	Agent  geom.Agent
	Layers []Layer
	Chains []Chain
	// Components is the number of separate parts, not joined by any path; Domain.Component is below it.
	Components int
	// Dropped lists the parts that were found walkable and left out, largest first.
	Dropped []Part
	// Areas are the names of areas, indexed by Domain.Area; the first names plain ground, nil where areas are
	// unknown.
	Areas []string
	// Marks are named things of the level, and Links the ways over the floor that are not walked.
	Marks []Mark
	Links []Link
}

// Layer is a set of domains that do not overlap, and the height of their floor.
type Layer struct {
	Domains []Domain
	Floor   lattice.TIN
}

// Domain is a connected planar piece of a layer, all of one area class.
type Domain struct {
	lattice.Polygon
	// Edges says for ring r which chain the edge from point i to point i+1 belongs to:
	// Edges[r][i] is a ChainID, or Wall.
	Edges [][]ChainID
	// Heights gives the floor's height at every point of the rings, in lattice units, to within a step. The
	// heights tell the domain's own floor from others above or below, which the layer's Floor may contain too.
	// Nil for a plan without heights.
	Heights   [][]int32
	Area      uint8 // kind of ground, an index into Plan.Areas; 0 is plain ground
	Component int32
	Marks     []int32 // ascending indices into Plan.Marks
}

// ChainID indexes Plan.Chains.
type ChainID int32

// Wall marks a domain edge with nothing to walk on behind it.
const Wall ChainID = -1

// Walls returns the edges of a domain that has walls all around.
func Walls(p lattice.Polygon) [][]ChainID {
	edges := make([][]ChainID, len(p.Rings))
	for r, ring := range p.Rings {
		edges[r] = slices.Repeat([]ChainID{Wall}, len(ring))
	}
	return edges
}

// ChainKind tells why a chain separates two domains.
type ChainKind uint8

// The kinds of chain.
const (
	Seam    ChainKind = iota // between two layers
	Terrain                  // between two area classes
	TileCut                  // between two tiles; in the plan of a single tile, a domain lies on both sides
	MarkCut                  // between the inside and the outside of a mark
)

// Chain is a polyline with free space on both sides: both domains have exactly the same points along it. A
// cell that needs a vertex inside a chain's edge may use only a lattice point exactly on the edge, because
// the domain behind is decomposed independently.
type Chain struct {
	Kind ChainKind
	// Points run with Left on the left.
	Points      []lattice.Point
	Left, Right DomainID
}

// DomainID is the layer of a domain and its index there.
type DomainID struct{ Layer, Domain int32 }

// Part is a connected part of the walkable floor.
type Part struct {
	Area float64  // square metres, projected
	At   geom.Vec // a point on it
}

// Corner is a vertex of a cell.
type Corner struct {
	lattice.Point
	// On is the edge of the domain on which the corner was constructed, NoEdge for a point of the domain and for
	// inner points.
	On EdgeID
}

// EdgeID names the edge of a domain from point Index of ring Ring to the next.
type EdgeID struct{ Ring, Index int32 }

// NoEdge is the EdgeID of a corner that was not constructed on an edge.
var NoEdge = EdgeID{-1, -1}

// Cell is a convex polygon, counter-clockwise, with positive area. Corners in the middle of a
// straight side are allowed.
type Cell struct{ Corners []Corner }
