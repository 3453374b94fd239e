package metric

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
	"github.com/meadow-nav/meadow/navmesh"
)

// Options are the parameters of the metrics. The zero value is usable.
type Options struct {
	// Plan is the floor that the mesh should cover. Without Plan the border error is unknown.
	Plan *plan.Plan
	// Free is the free space that the mesh should cover. Default: the free space of Plan, see [FreeOf]; without Plan
	// and Free the coverage is unknown, and the border of the mesh replaces the obstructions.
	Free *Free
	// Bound is the least possible number of convex regions of the floor, see [NotchBound]. Default: the bound of the
	// mesh's own border, which has more notches than the floor if the mesh is incomplete.
	Bound int
	// Places are pairs of a start and a goal for the path efficiency, which is unknown without pairs. [PlacesOn] draws
	// places.
	Places []geom.Vec
	// ObjectRadius is the radius in metres of the discs placed into regions, at least MinObjectRadius. Default: the
	// agent's radius, or 0.5 for agents below MinObjectRadius.
	ObjectRadius float64
	// SquareObjects places squares, twice ObjectRadius wide with sides along the axes, instead of discs.
	SquareObjects bool
	// Alpha is α, the area of an object in square metres, the least area of a useful region. Default: the area of the
	// disc or square.
	Alpha float64
	// Delta is Δ, the width of a group of areas as a multiple of Alpha. Default 1.
	Delta float64
	// Categories is the largest number of groups in a histogram of areas or of placed objects; the last group takes all
	// larger values. 3 or more, default DefaultCategories.
	Categories int
	// AngleStep is the width in degrees of a group of angles, above 0 to 90. Default 10.
	AngleStep float64
	// EdgeThreshold is the least length in metres of the common edge of adjacent regions in the degree metric. Default
	// 0: any length.
	EdgeThreshold float64
	// Start and Goal are the ends for the bottleneck and the flow. Default: the westernmost and the easternmost vertex
	// of the component with the largest area; ties go to the southernmost in the west and the northernmost in the east.
	// All complete meshes of one floor have these two vertices.
	Start, Goal *geom.Vec

	// FanRegions is the least number of regions with a corner at the tip of a fan. 3 or more, default 6, one more than
	// Wavefront makes.
	FanRegions int
	// FanAngle is the angle in degrees below which a corner at the tip belongs to the fan. Default 30.
	FanAngle float64
	// SliverRatio is the least ratio of length to width of a sliver. 1 or more, default 10.
	SliverRatio float64
	// NarrowWidth is the length in metres of a common edge below which an adjacency is narrow. Default: twice
	// ObjectRadius.
	NarrowWidth float64
}

// DefaultCategories replaces 0 in Options.Categories.
const DefaultCategories = 20

// MinObjectRadius is the lower limit of Options.ObjectRadius, in metres: the work of placing objects grows with the
// inverse radius.
const MinObjectRadius = shape.MinObjectRadius

// Validate returns all faults of opt that do not depend on a mesh, one fault a line, as [Measure] does.
func (opt Options) Validate() error {
	_, err := opt.withDefaults(&navmesh.Mesh{})
	return err
}

// withDefaults returns opt with every empty field set, or all faults of opt.
func (opt Options) withDefaults(m *navmesh.Mesh) (Options, error) {
	given := opt
	if opt.ObjectRadius == 0 {
		opt.ObjectRadius = shape.ObjectRadius(m.Agent.Radius)
	}
	shapeArea := math.Pi // area of an object of radius 1
	if opt.SquareObjects {
		shapeArea = 4
	}
	opt.Alpha = or(opt.Alpha, shapeArea*float64(opt.ObjectRadius*opt.ObjectRadius))
	opt.Delta = or(opt.Delta, 1)
	opt.AngleStep = or(opt.AngleStep, 10)
	opt.FanAngle = or(opt.FanAngle, shape.FanAngle)
	opt.SliverRatio = or(opt.SliverRatio, shape.SliverRatio)
	opt.NarrowWidth = or(opt.NarrowWidth, 2*opt.ObjectRadius)
	if opt.Categories == 0 {
		opt.Categories = DefaultCategories
	}
	if opt.FanRegions == 0 {
		opt.FanRegions = shape.FanRegions
	}
	if opt.Free == nil && opt.Plan != nil {
		free := FreeOf(opt.Plan)
		opt.Free = &free
	}
	var faults []error
	within := func(name string, v, least, most float64, unit string) {
		if !(v >= least && v <= most) {
			faults = append(faults, fmt.Errorf("%s is %g, must be %g to %.10g%s", name, v, least, most, unit))
		}
	}
	const far = float64(lattice.MaxCoord) * lattice.Unit
	within("object radius", opt.ObjectRadius, MinObjectRadius, far, " m")
	// Defaults derived from a faulty radius are not reported again.
	sound := len(faults) == 0
	if sound || given.Alpha != 0 {
		within("alpha", opt.Alpha, 1e-6, far*far, " m²")
	}
	if sound || given.NarrowWidth != 0 {
		within("narrow width", opt.NarrowWidth, 0, far, " m")
	}
	within("delta", opt.Delta, 1e-6, 1e9, "")
	within("angle step", opt.AngleStep, 0.1, 90, "°")
	within("edge threshold", opt.EdgeThreshold, 0, far, " m")
	within("fan angle", opt.FanAngle, 0, 180, "°")
	within("sliver ratio", opt.SliverRatio, 1, 1e9, "")
	within("categories", float64(opt.Categories), 3, 1e6, "")
	within("bound", float64(opt.Bound), 0, 1e9, "")
	within("regions of a fan", float64(opt.FanRegions), 3, 1e9, "")
	if f := opt.Free; f != nil && !(f.Area >= 0 && f.Edges >= 0) {
		faults = append(faults, fmt.Errorf("free space of %g m² with %d edges, must not be below 0", f.Area, f.Edges))
	}
	for i, p := range []*geom.Vec{opt.Start, opt.Goal} {
		if p != nil && !p.IsFinite() {
			faults = append(faults, fmt.Errorf("%s %v is not finite", [...]string{"start", "goal"}[i], *p))
		}
	}
	for i, p := range opt.Places {
		if !p.IsFinite() {
			faults = append(faults, fmt.Errorf("place %d at %v is not finite", i, p))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return opt, fmt.Errorf("metric: options: %w", err)
	}
	return opt, nil
}

func or(v, def float64) float64 {
	if v == 0 {
		return def
	}
	return v
}

// toUnits rounds metres to lattice units.
func toUnits(metres float64) int64 { return int64(math.Floor(metres*lattice.UnitsPerMetre + 0.5)) }
