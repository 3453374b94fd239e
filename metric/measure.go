package metric

import (
	"context"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
)

// Result holds the measures of a mesh.
type Result struct {
	Regions        Regions        `json:"regions"`
	Coverage       Coverage       `json:"coverage"`
	AreaSizes      AreaSizes      `json:"area_sizes"`
	Degree         Degree         `json:"degree"`
	Homogeneity    Homogeneity    `json:"homogeneity"`
	CommonVertices CommonVertices `json:"common_vertices"`
	MinimumAngle   MinimumAngle   `json:"minimum_angle"`
	Placement      Placement      `json:"object_placement"`
	Efficiency     Efficiency     `json:"efficiency"`
	Diameter       Diameter       `json:"diameter"`
	Bottleneck     Bottleneck     `json:"bottleneck"`
	Flow           Flow           `json:"maximum_flow"`
	Extras         Extras         `json:"extras"`
}

// Measure measures m. Errors: options out of range, a mesh that fails navmesh.Mesh.Check, a start or goal off the mesh
// (query.ErrOffMesh). For a mesh that passes the check but not its validation the result is meaningless.
//
// Time O(n log n) for n corners and portals, plus the times of Diameter, Flow and Placement.
func Measure(ctx context.Context, m *navmesh.Mesh, opt Options) (Result, error) {
	opt, err := opt.withDefaults(m)
	if err != nil {
		return Result{}, err
	}
	if err := m.Check(); err != nil {
		return Result{}, err
	}
	v := newView(m)
	places := v.places()
	border := v.border()
	if opt.Bound > 0 {
		border.bound = opt.Bound
	}
	r := Result{
		Regions:        Regions{Value: len(v.rings)},
		Coverage:       v.coverage(&opt),
		AreaSizes:      v.areaSizes(&opt),
		Degree:         v.degree(&opt),
		Homogeneity:    v.homogeneity(),
		CommonVertices: commonVertices(places),
		MinimumAngle:   v.minimumAngle(&opt),
		Placement:      v.placement(&opt),
		Efficiency:     v.efficiency(&opt, &border),
		Diameter:       v.diameter(),
	}
	ix, err := query.NewIndexWith(ctx, m)
	if err != nil {
		return Result{}, err
	}
	q := ix.NewQuery()
	if r.Bottleneck, r.Flow, err = v.movement(ctx, &opt, q); err != nil {
		return Result{}, err
	}
	r.Extras = Extras{
		NearDegenerate: v.nearDegenerate(&opt, places),
		TJunctions:     v.tJunctions(),
		Notches:        border.notches,
		Bound:          border.bound,
		Ratio:          unknown,
		Components:     m.Components,
		BytesPerArea:   unknown,
		Border:         v.borderError(opt.Plan),
		Thresholds:     []Check{},
	}
	if r.Extras.Paths, err = v.pathEfficiency(ctx, &opt, q); err != nil {
		return Result{}, err
	}
	if border.bound > 0 {
		r.Extras.Ratio = Number(float64(len(v.rings)) / float64(border.bound))
	}
	for i := range m.Tiles {
		r.Extras.Portals += len(m.Tiles[i].Portals) / 2
		r.Extras.Vertices += len(m.Tiles[i].Vertices)
	}
	file, err := navfile.Encode(m.WithoutRecord())
	if err != nil {
		return Result{}, err
	}
	r.Extras.Bytes = len(file)
	if r.Coverage.Area > 0 {
		r.Extras.BytesPerArea = Number(float64(len(file)) / float64(r.Coverage.Area))
	}
	return r, nil
}
