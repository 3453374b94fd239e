package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/experiment"
)

// passes compares the published algorithm, a pass for every area, with one pass over all domains.
func (s settings) passes(ctx context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintln(out, "| world | generator | regions, a pass for each area | one pass | gateways | one pass | boundaries | one pass | boundaries m | one pass | s | one pass |")
	fmt.Fprintln(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var faults []error
	for _, w := range worlds {
		for _, name := range s.generators {
			g, err := catalog.Generator(name)
			if err != nil {
				return err
			}
			var each, one experiment.Textured
			slow, err := least(s.rounds, func() (err error) {
				each, err = experiment.TextureAware(ctx, g, w.floor.Plan, 1)
				return err
			})
			if err != nil {
				return err
			}
			fast, err := least(s.rounds, func() (err error) {
				one, err = experiment.InOnePass(ctx, g, w.floor.Plan, 1)
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %d | %.1f | %.1f | %.3f | %.3f |\n", w.name, name, len(each.Regions), len(one.Regions),
				each.Gateways, one.Gateways, each.Boundaries, one.Boundaries, each.Shared, one.Shared, slow.Seconds(), fast.Seconds())
			faults = append(faults, agree(w.name+": "+name, &each, &one))
		}
	}
	fmt.Fprintln(out)
	return errors.Join(faults...)
}

// agree reports where the two forms differ by more than rounding: in the area covered by each kind, or in the length of
// boundaries.
func agree(what string, each, one *experiment.Textured) error {
	a, b := each.M2(), one.M2()
	for area := range a {
		if math.Abs(a[area]-b[area]) > 0.01+1e-4*a[area] {
			return fmt.Errorf("%s: area %d has %.3f m² in its pass, %.3f m² in one pass", what, area, a[area], b[area])
		}
	}
	if math.Abs(each.Shared-one.Shared) > 0.005*one.Shared {
		return fmt.Errorf("%s: boundaries of %.2f m between passes, %.2f m in one pass", what, each.Shared, one.Shared)
	}
	return nil
}
