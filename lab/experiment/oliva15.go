package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/metric"
)

// Figure 15 shows one scene of round objects with 33 cells, and 21 with a convexDistance of 0.4. Size, number and corners of the
// objects are not said, so the scenes here are of three kinds. All have 33 cells without relaxation.
const (
	oliva15Distance = 0.4
	oliva15Strict   = 33
	oliva15Relaxed  = 21
	oliva15Scenes   = 10
	oliva15Side     = 20.0 // metres
	oliva15Gap      = 0.5
	oliva15Seeds    = 2000 // for a scene
)

// roundKind says which objects a scene has.
type roundKind struct {
	name           string
	discs, corners int
	least, most    float64 // radius in metres
}

var roundKinds = []roundKind{
	{"6_of_8_corners_0.8_to_2_m", 6, 8, 0.8, 2},
	{"4_of_10_corners_1_to_3_m", 4, 10, 1, 3},
	{"5_of_8_corners_2_to_4_m", 5, 8, 2, 4},
}

// make draws a scene at random, ok is false where a disc finds no room.
func (k roundKind) make(seed uint64) (w World, ok bool) {
	rng := rand.New(rand.NewPCG(seed, 0x6f6c697661))
	side := int32(oliva15Side * lattice.UnitsPerMetre)
	rings := []lattice.Ring{{{}, {X: side}, {X: side, Y: side}, {Y: side}}}
	for range k.discs {
		placed := false
		for try := 0; try < placesTried && !placed; try++ {
			radius := k.least + float64((k.most-k.least)*rng.Float64())
			free := oliva15Side - 2*(radius+oliva15Gap)
			x, y := float64(free*rng.Float64()), float64(free*rng.Float64())
			ring := disc(x+radius+oliva15Gap, y+radius+oliva15Gap, radius, k.corners, 360*rng.Float64())
			if placed = hasRoom(ring, rings, int64(oliva15Gap*lattice.UnitsPerMetre)); placed {
				rings = append(rings, ring)
			}
		}
		if !placed {
			return World{}, false
		}
	}
	return World{Name: k.name, Domain: domainOf(rings)}, true
}

// scenes returns the first n scenes with as many cells as the source's scene, and their relaxations.
func (k roundKind) scenes(ctx context.Context, n int) (worlds []World, all []Relaxation, err error) {
	for seed := uint64(1); len(worlds) < n; seed++ {
		if seed > uint64(oliva15Seeds)*uint64(n) {
			return nil, nil, errNoScene(fmt.Sprintf("%d scenes of kind %s with %d cells", n, k.name, oliva15Strict), oliva15Seeds*n)
		}
		w, ok := k.make(seed)
		if !ok {
			continue
		}
		r, err := Relax(ctx, w.Plan(), oliva15Distance, 1)
		if err != nil {
			return nil, nil, err
		}
		if r.Strict.Cells == oliva15Strict {
			worlds, all = append(worlds, w), append(all, r)
		}
	}
	return worlds, all, nil
}

// oliva15 relaxes scenes of round objects.
func oliva15(ctx context.Context, opt Options) (Report, error) {
	n := opt.Worlds
	if n == 0 {
		n = oliva15Scenes
	}
	show := max(opt.Show, 1) - 1
	if show >= n {
		return Report{}, fmt.Errorf("experiment: world %d is to be shown, there are %d", opt.Show, n)
	}
	r := Report{Trials: fmt.Sprintf("%d scenes of each of three kinds of round objects, drawn until they have %d cells without relaxation, as the source's scene; convexDistance %g",
		n, oliva15Strict, oliva15Distance)}
	worlds := make([][]World, len(roundKinds))
	runs := make([][]Relaxation, len(roundKinds))
	err := par.For(ctx, opt.Jobs, len(roundKinds), func(i int) (err error) {
		worlds[i], runs[i], err = roundKinds[i].scenes(ctx, n)
		return err
	})
	if err != nil {
		return Report{}, err
	}
	forms := []struct {
		name string
		of   func(*Relaxation) *RelaxedCells
	}{
		{strictForm, func(r *Relaxation) *RelaxedCells { return &r.Strict }},
		{publishedForm, func(r *Relaxation) *RelaxedCells { return &r.Published }},
		{movedForm, func(r *Relaxation) *RelaxedCells { return &r.Moved }},
	}
	figures := published{strictForm: oliva15Strict, publishedForm: oliva15Relaxed}
	least, most, fewer := math.Inf(1), 0.0, true
	convex, deepest, lost := true, 0.0, 0.0
	for k, kind := range roundKinds {
		for _, form := range forms {
			values := make([]float64, n)
			for i := range runs[k] {
				values[i] = float64(form.of(&runs[k][i]).Cells)
			}
			mean, sd := meanSD(values)
			l := line{paper: figures}
			r.Rows = append(r.Rows, Row{
				Method: form.name, Metric: "cells_" + kind.name, Published: l.figure(form.name), Ours: metric.Number(mean), SD: metric.Number(sd),
			})
			if form.name == publishedForm {
				least, most = min(least, mean), max(most, mean)
			}
		}
		for i := range runs[k] {
			run := &runs[k][i]
			fewer = fewer && run.Published.Cells < run.Moved.Cells && run.Moved.Cells <= run.Strict.Cells
			convex = convex && run.Strict.Deepest == 0 && run.Moved.Deepest == 0
			deepest, lost = max(deepest, run.Published.Deepest), max(lost, run.Moved.Lost)
		}
	}
	r.Rows = append(
		r.Rows,
		constructed(strictForm, "deepest_concavity_m", 0), constructed(publishedForm, "deepest_concavity_m", deepest),
		constructed(movedForm, "deepest_concavity_m", 0),
		constructed(strictForm, "most_floor_lost_m2", 0), constructed(publishedForm, "most_floor_lost_m2", 0),
		constructed(movedForm, "most_floor_lost_m2", lost),
	)
	r.Reasons = append(r.Reasons, Reason{
		"sizes", "The source names neither scale nor corners of its objects. The share that relaxation saves follows from the corners of an object and from its radius beside the distance.",
	}, Reason{
		"deepest_concavity_m", "The thesis bounds each corner, and names no bound for a cell. Several nearly convex corners in one cell add up.",
	})
	r.claim(fmt.Sprintf("the published 21 cells lie between the kinds (here %.1f to %.1f)", least, most), least <= oliva15Relaxed && oliva15Relaxed <= most)
	r.claim("on every scene the published form has the fewest cells, and borders that move do no harm", fewer)
	r.claim("strict cells and cells behind moved borders are convex", convex)
	r.Drawing = drawing15(&worlds[0][show], &runs[0][show])
	return r, nil
}

// The colours of floors with cells.
var (
	floorColor15  = draw.Color{R: 236, G: 240, B: 232, A: 255}
	solidColor15  = draw.Color{R: 120, G: 120, B: 128, A: 255}
	portalColor15 = draw.Color{R: 200, G: 60, B: 40, A: 255}
	wallColor15   = draw.Color{R: 40, G: 40, B: 48, A: 255}
)

// drawing15 shows one scene by all forms side by side.
func drawing15(w *World, run *Relaxation) *Drawing {
	d := &Drawing{View: draw.View{Width: 2400}}
	for i, panel := range []struct {
		title string
		cells *RelaxedCells
	}{
		{"strict", &run.Strict}, {fmt.Sprintf("published, %g m", run.Distance), &run.Published}, {fmt.Sprintf("border moved, %g m", run.Distance), &run.Moved},
	} {
		at := func(p lattice.Point) geom.Vec {
			return geom.FromGround(float64(p.X)*lattice.Unit+float64(i)*1.1*oliva15Side, float64(p.Y)*lattice.Unit, 0)
		}
		for k, ring := range w.Domain.Rings {
			fill := floorColor15
			if k > 0 {
				fill = solidColor15
			}
			for c := 2; c < len(ring); c++ {
				d.List.Triangles = append(d.List.Triangles, draw.Triangle{P: [3]geom.Vec{at(ring[0]), at(ring[c-1]), at(ring[c])}, Fill: fill})
			}
			outline := make([]geom.Vec, 0, len(ring)+1)
			for c := range len(ring) + 1 {
				outline = append(outline, at(ring[c%len(ring)]))
			}
			d.List.Lines = append(d.List.Lines, draw.Line{P: outline, Color: wallColor15, Width: 2, OnTop: true})
		}
		for _, c := range panel.cells.list {
			for k, a := range c.Corners {
				b := c.Corners[(k+1)%len(c.Corners)]
				d.List.Lines = append(d.List.Lines, draw.Line{P: []geom.Vec{at(a.Point), at(b.Point)}, Color: portalColor15, Width: 1.5, OnTop: true})
			}
		}
		d.List.Labels = append(d.List.Labels, draw.Label{
			P: geom.FromGround((float64(i)*1.1+0.5)*oliva15Side, oliva15Side+0.5, 0), Text: fmt.Sprintf("%s: %d cells", panel.title, panel.cells.Cells),
			Color: wallColor15, Size: 22, Align: draw.AlignMiddle, Bold: true,
		})
	}
	return d
}
