package markers

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// cut divides the domains along the footprints of doors and areas.
func (w *work) cut(ctx context.Context) error {
	grounds, any, err := w.sections(ctx)
	if err != nil || !any {
		return err
	}
	job := divide.Job{
		Plan: w.old, Kind: plan.MarkCut,
		Heights: w.heights,
		Left: func(g *divide.Ground) {
			corner := g.Rings[0][0]
			for _, s := range g.Sections {
				w.warn(s.Of, "it was not cut out of the floor around %v: its border comes too near to a layer's border",
					w.old.Frame.ToWorld(corner, w.heightAt(g.Layer, g.Domain, corner)))
			}
		},
		Made: func(d *plan.Domain, _ *divide.Ground, volumes []int) {
			for _, v := range volumes {
				d.Marks = append(d.Marks, int32(len(w.old.Marks)+v)) // its mark has a number when all are known
			}
		},
	}
	divided, err := job.Run(ctx, grounds)
	if err != nil {
		return fmt.Errorf("markers: %w", err)
	}
	w.plan.Layers, w.plan.Chains = divided.Layers, divided.Chains
	w.number()
	return nil
}

// number gives marks to the volumes that domains lie in, in the order of the volumes.
func (w *work) number() {
	meant := make([]bool, len(w.volumes))
	each := func(visit func(mark *int32)) {
		for l := range w.plan.Layers {
			for d := range w.plan.Layers[l].Domains {
				marks := w.plan.Layers[l].Domains[d].Marks
				for i := range marks {
					visit(&marks[i])
				}
			}
		}
	}
	old := int32(len(w.old.Marks))
	each(func(mark *int32) {
		if *mark >= old {
			meant[*mark-old] = true
		}
	})
	for i := range meant {
		if meant[i] {
			w.markOf(i)
		}
	}
	each(func(mark *int32) {
		if *mark >= old {
			*mark = w.markOf(int(*mark - old))
		}
	})
}

// sections finds the part of every domain under each volume.
func (w *work) sections(ctx context.Context) (grounds []divide.Ground, any bool, err error) {
	grounds = divide.Grounds(w.old)
	for i := range w.volumes {
		v := &w.volumes[i]
		if v.footprint == nil || v.meaning.use == useLink {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, false, fmt.Errorf("markers: %w", err)
		}
		box := v.footprint.Box()
		for k := range grounds {
			g := &grounds[k]
			if !g.Box().Overlaps(box) {
				continue
			}
			rings, err := w.covered(v, g)
			if err != nil {
				return nil, false, err
			}
			if len(rings) > 0 {
				g.Sections = append(g.Sections, divide.Section{Of: i, Rings: rings})
				any = true
			}
		}
	}
	return grounds, any, nil
}

// covered returns the parts of a domain in a volume: under its footprint, with at least one corner of the
// floor within its heights.
func (w *work) covered(v *volume, g *divide.Ground) ([]lattice.Ring, error) {
	under, err := overlay.Intersection(overlay.Nearby(g.Rings, v.footprint.Box()), []lattice.Ring{v.footprint})
	if err != nil {
		return nil, fmt.Errorf("markers: marker %d: %w", v.marker, err)
	}
	var rings []lattice.Ring
	for _, p := range under {
		in := g.Heights == nil
		for _, ring := range p.Rings {
			for _, q := range ring {
				in = in || w.holds(v, w.heightAt(g.Layer, g.Domain, q))
			}
		}
		if in {
			rings = append(rings, p.Rings...)
		}
	}
	return rings, nil
}
