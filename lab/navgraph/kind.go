package navgraph

import (
	"fmt"
	"slices"
)

// Kind is the choice of points for a graph.
type Kind uint8

const (
	// Centroids joins the centroids of neighbours. An edge may leave the two regions.
	Centroids Kind = iota
	// Midpoints joins the middles of the portals of a region with each other.
	Midpoints
	// Both joins the centroid of a region with the middles of its portals: H's navigation map.
	Both
	// Enhanced is Centroids but for large regions, whose portals have nodes of their own, all joined: B's figure 38.
	Enhanced
)

var kindNames = [...]string{"centroids", "midpoints", "both", "enhanced"}

// Kinds lists all kinds, by rising number.
func Kinds() []Kind { return []Kind{Centroids, Midpoints, Both, Enhanced} }

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind of a name.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kindNames[:], name); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("navgraph: unknown kind %q; kinds: %v", name, Kinds())
}

// Options for New.
type Options struct {
	Kind Kind
	// Large is the extent in metres, the largest distance of two corners, from which on Enhanced enhances a
	// region; 0 is [DefaultLarge].
	Large float64
	// Spacing is the most that nodes on a portal are apart in Enhanced, in metres, up to [MostPieces] of
	// them, and [MostNodes] in a region; 0 is [DefaultSpacing].
	Spacing float64
}

// The defaults of Options, in metres.
const (
	DefaultLarge   = 8.0
	DefaultSpacing = 2.0
)

// MostPieces is how many nodes a portal has at most, MostNodes how many all portals of an enhanced region have together at
// most, but for one on each.
const (
	MostPieces = 16
	MostNodes  = 256
)
