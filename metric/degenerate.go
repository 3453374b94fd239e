package metric

import "github.com/meadow-nav/meadow/internal/shape"

// NearDegenerate counts the regions that characters have difficulty to enter or leave. The source (Creating High-Order
// Navigation Meshes, section 19.5) names four kinds in words; the numbers are ours, in Options. A region can be of
// several kinds.
type NearDegenerate struct {
	// Regions are of at least one kind.
	Regions int `json:"regions"`
	// Fans have a corner below FanAngle at a place with corners of at least FanRegions regions.
	Fans int `json:"fans"`
	// Slivers are at least SliverRatio times as long as wide: the largest distance of two corners over the width of the
	// narrowest strip around the region.
	Slivers int `json:"slivers"`
	// Narrow regions have neighbours, but no common edge as long as NarrowWidth.
	Narrow int `json:"narrow"`
	// Disjoint regions have no neighbour although there are other regions.
	Disjoint int `json:"disjoint"`
}

func (v *view) nearDegenerate(opt *Options, places [][]cornerRef) NearDegenerate {
	var d NearDegenerate
	for _, t := range v.troubles(opt, places) {
		if t != 0 {
			d.Regions++
		}
		for k, count := range [...]*int{&d.Fans, &d.Slivers, &d.Narrow, &d.Disjoint} {
			if t&(1<<k) != 0 {
				*count++
			}
		}
	}
	return d
}

// Trouble is a set of kinds of near-degenerate regions, see [NearDegenerate].
type Trouble uint8

// The kinds.
const (
	Fan Trouble = 1 << iota
	Sliver
	Narrow
	Disjoint
)

// troubles are the kinds of all regions.
func (v *view) troubles(opt *Options, places [][]cornerRef) []Trouble {
	limits := shape.Limits{
		FanRegions: opt.FanRegions, FanAngle: opt.FanAngle,
		SliverRatio: opt.SliverRatio, NarrowWidth: toUnits(opt.NarrowWidth),
	}
	fans := make([]bool, len(v.rings))
	for _, place := range places {
		for _, c := range place {
			if len(place) >= limits.FanRegions && limits.IsFan(len(place), cornerAt(v.rings[c.region], c.corner)) {
				fans[c.region] = true
			}
		}
	}
	out := make([]Trouble, len(v.rings))
	for r, ring := range v.rings {
		widest := int64(0)
		for _, a := range v.next[r] {
			widest = max(widest, a.width)
		}
		is := [...]bool{
			fans[r],
			limits.IsSliver(points(ring)),
			limits.IsNarrow(len(v.next[r]), widest),
			shape.IsDisjoint(len(v.next[r]), len(v.rings)-1),
		}
		for k := range is {
			if is[k] {
				out[r] |= 1 << k
			}
		}
	}
	return out
}

// Extras are further measures besides the twelve metrics.
type Extras struct {
	NearDegenerate NearDegenerate `json:"near_degenerate"`
	// TJunctions is the number of vertices in the middle of a straight side of a neighbour.
	TJunctions int `json:"t_junctions"`
	// Notches are the corners of the mesh's border where the floor has more than 180 degrees.
	Notches int `json:"notches"`
	// Bound is the least possible number of convex regions of a floor with this border: ⌈r/2⌉+1 for r notches, one less
	// for every hole, and at least 1, for every component; or Options.Bound. Ratio is the number of regions divided by
	// Bound, at least 1 for complete meshes.
	Bound int    `json:"notch_bound"`
	Ratio Number `json:"regions_per_bound"`
	// Portals counts every crossing between two regions once; Vertices is the number of vertices of the mesh.
	Portals    int `json:"portals"`
	Vertices   int `json:"vertices"`
	Components int `json:"components"`
	// Bytes is the size of the mesh file without the record of the build, BytesPerArea the size per square metre of floor.
	Bytes        int    `json:"bytes"`
	BytesPerArea Number `json:"bytes_per_m2"`
	// Border is the distance of the border from the border of Options.Plan.
	Border BorderError `json:"border_error"`
	// Paths is the quality of unsmoothed paths between Options.Places.
	Paths PathEfficiency `json:"path_efficiency"`
	// Thresholds has room for results of [Result.Check]; Measure leaves it empty.
	Thresholds []Check `json:"thresholds"`
}
