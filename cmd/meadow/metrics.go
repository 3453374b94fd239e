package main

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/metric"
)

// metricsCmd measures the quality of a mesh.
type metricsCmd struct {
	Mesh string `arg:"" placeholder:"MESH" help:"Mesh file."`
	JSON bool   `help:"Print everything that was measured as JSON, distributions and histograms too."`
}

// Run measures and prints: the twelve metrics of chapter 6 of Hale's dissertation, and ours.
func (c *metricsCmd) Run(e *env) error {
	mesh, err := meadow.Load(c.Mesh)
	if err != nil {
		return err
	}
	r, err := metric.Measure(e.ctx, mesh.Mesh, metric.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Mesh, err)
	}
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	row := func(name string, value any, about string) {
		fmt.Fprintf(e.stdout, "  %-18s %10v  %s\n", name, value, about)
	}
	fmt.Fprintln(e.stdout, c.Mesh)
	for k := range metric.Kind(metric.Kinds) {
		better := "fewer or smaller is better"
		if k.MoreIsBetter() {
			better = "more is better"
		}
		row(k.String(), measured(r.Value(k)), k.About()+"; "+better)
	}
	x := &r.Extras
	row("near_degenerate", x.NearDegenerate.Regions, fmt.Sprintf("fans %d, slivers %d, narrow %d, disjoint %d",
		x.NearDegenerate.Fans, x.NearDegenerate.Slivers, x.NearDegenerate.Narrow, x.NearDegenerate.Disjoint))
	row("t_junctions", x.TJunctions, "vertices in the middle of a neighbour's side")
	row("regions_per_bound", measured(x.Ratio), fmt.Sprintf("regions over the least that %d notches allow, %d", x.Notches, x.Bound))
	row("bytes_per_m2", measured(x.BytesPerArea), fmt.Sprintf("of the mesh file, %d bytes", x.Bytes))
	return nil
}

// measured returns a number for people: four digits, and a dash for what is not known.
func measured(n metric.Number) string {
	switch v := float64(n); {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0):
		return "infinite"
	default:
		return fmt.Sprintf("%.4g", v)
	}
}
