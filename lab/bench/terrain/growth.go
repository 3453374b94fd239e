package main

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/lab/chart"
	"github.com/meadow-nav/meadow/lab/experiment"
)

// Growth by the texture under seeds: a grid of seeds every 8 m, steps of a metre, and steps that halve down to a quarter.
const (
	metre       = int64(lattice.UnitsPerMetre)
	seedSpacing = 8 * metre
)

// growth compares three ways to bias PASFV by texture: domains of one area, a pass for every area, and regions that keep
// to the texture under their seed. The first world's meshes are drawn where a picture is wanted.
func (s settings) growth(ctx context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintln(out, "| world | growth | regions | covered | gateways | boundaries | boundaries m |")
	fmt.Fprintln(out, "|---|---|---:|---:|---:|---:|---:|")
	for i, w := range worlds {
		domains, err := experiment.InOnePass(ctx, pasfv.Generator{}, w.floor.Plan, 1)
		if err != nil {
			return err
		}
		passes, err := experiment.TextureAware(ctx, pasfv.Generator{}, w.floor.Plan, 1)
		if err != nil {
			return err
		}
		floor := total(&domains)
		row := func(name string, t *experiment.Textured) {
			fmt.Fprintf(out, "| %s | %s | %d | %.1f %% | %d | %d | %.1f |\n", w.name, name, len(t.Regions), 100*total(t)/floor, t.Gateways, t.Boundaries, t.Shared)
		}
		row("Domains of one area", &domains)
		row("A pass for each area", &passes)
		shown := []gen.Generator{pasfv.Generator{}}
		names := []string{"Domains of one area"}
		for _, x := range []struct {
			name       string
			resolution int64
		}{{"Seeds keep their texture, steps of 1 m", metre}, {"The same, steps of 1 m to 0.25 m", metre / 4}} {
			g, err := experiment.NewTextureGrowth(w.floor.Plan, seedSpacing, metre, x.resolution)
			if err != nil {
				return err
			}
			grown, err := experiment.InOnePass(ctx, g, w.floor.Plan, 1)
			if err != nil {
				return err
			}
			row(x.name, &grown)
			shown, names = append(shown, g), append(names, x.name)
		}
		if i == 0 && s.picture != "" {
			if err := s.drawGrowth(ctx, w, shown[:2], names); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(out)
	return nil
}

// total returns the square metres of all areas.
func total(t *experiment.Textured) (sum float64) {
	for _, m2 := range t.M2() {
		sum += m2
	}
	return sum
}

// drawGrowth writes the meshes of generators side by side; floor without a region is red.
func (s settings) drawGrowth(ctx context.Context, w *world, shown []gen.Generator, names []string) error {
	sheet := chart.Sheet{Title: "Growth biased by texture", Subtitle: w.name, Plan: w.floor.Plan, Width: 1800, Footnote: "floor without a region is red"}
	for i, g := range shown {
		mesh, err := w.floor.Mesh(ctx, meadow.MeshOptions{Generator: g})
		if err != nil {
			return err
		}
		sheet.Panels = append(sheet.Panels, chart.Panel{Title: names[i], Notes: []string{fmt.Sprintf("%d regions", mesh.RegionCount())}, Mesh: mesh.Mesh})
	}
	page, err := sheet.Page()
	if err != nil {
		return err
	}
	return atomicfile.Write(s.picture, func(to io.Writer) error { return png.Write(to, page.List(), page.View()) })
}
