package metric

import "github.com/meadow-nav/meadow/navmesh"

// ByRegion has the values behind the distributions of a [Result]: one for each region, tile after tile.
type ByRegion struct {
	Areas    []float64 // m², see [AreaSizes]
	Degrees  []int     // see [Degree]
	Ratios   []float64 // see [Homogeneity]
	Angles   []float64 // degrees, see [MinimumAngle]
	Objects  []int     // see [Placement]
	Troubles []Trouble // see [NearDegenerate]
}

// EachRegion returns the values of all regions of m, as [Measure] counts them. Errors: options out of range, and a mesh that fails
// navmesh.Mesh.Check. Time O(n log n) for n corners and portals, plus the time of Placement.
func EachRegion(m *navmesh.Mesh, opt Options) (ByRegion, error) {
	opt, err := opt.withDefaults(m)
	if err != nil {
		return ByRegion{}, err
	}
	if err := m.Check(); err != nil {
		return ByRegion{}, err
	}
	v := newView(m)
	return ByRegion{v.areas(), v.degrees(&opt), v.ratios(), v.angles(), v.placed(&opt), v.troubles(&opt, v.places())}, nil
}
