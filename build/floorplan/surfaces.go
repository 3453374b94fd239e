package floorplan

import (
	"context"
	"errors"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/detail"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// DefaultDetail is how far heights may be from the level's, in metres, where the options say nothing.
const DefaultDetail = 0.05

// SimplifyFloors makes the height surfaces of a plan as coarse as the options allow: within Detail of the
// present surfaces, rounded to lattice units, and only under a domain.
func (opt *Options) SimplifyFloors(ctx context.Context, p *plan.Plan) error {
	metres := opt.Detail
	switch {
	case metres < 0:
		return nil
	case metres == 0:
		metres = DefaultDetail
	case math.IsNaN(metres):
		return errors.New("floorplan: the detail is not a number")
	}
	units := int32(math.Floor(min(float64(metres*lattice.UnitsPerMetre)+0.5, detail.MaxError)))
	return par.For(ctx, opt.Jobs, len(p.Layers), func(i int) error {
		l := &p.Layers[i]
		keep := make([]lattice.Polygon, len(l.Domains))
		for d := range l.Domains {
			keep[d] = l.Domains[d].Polygon
		}
		floor, err := detail.Simplify(ctx, &l.Floor, detail.Options{Error: units, Keep: keep, Jobs: opt.Jobs})
		if err != nil {
			return err
		}
		l.Floor = floor
		return nil
	})
}
