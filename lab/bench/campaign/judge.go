package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// incomplete lists the methods that give up a part of the floor on purpose. They take part only by name, and
// are judged by their own promises.
var incomplete = []string{"quadtree", "sfv"}

// verdict is the result of a method on a world.
type verdict struct {
	domains, cells, regions int
	// lost is the share of the area that no cell covers.
	lost float64
	// Means over the regions and over the places with a vertex, as package metric has them.
	minimumAngle, commonVertices float64
	nearDegenerate, acute        int
	tJunctions                   int
}

// judge decomposes w by g, makes a mesh of it and verifies the six promises:
//  1. every region is convex and simple, counter-clockwise, with positive area;
//  2. no two regions overlap, none leaves its domain, and the domain's border stays within two units;
//  3. the cells have the area of the domain, less the losses in the report, and the mesh has the area of the cells;
//  4. the two sides of a portal are the same points, and no shared border lacks one;
//  5. the same domain elsewhere, and any number of goroutines, give the same;
//  6. of best and anavmg: told of thin cells, they leave none that a merge or another cut removes, with no more cells.
//
// The cells are judged by the oracle of gentest, the mesh by Validate. All faults are returned.
func judge(ctx context.Context, w *world, g gen.Generator) (verdict, error) {
	var v verdict
	results, err := decompose(ctx, w, g)
	if err != nil {
		return v, err
	}
	var faults []error
	cells := make([][]plan.Cell, len(results))
	var whole, lost, covered int64
	for i, res := range results {
		d := &w.domains()[i]
		if err := check(g)(d, res); err != nil {
			faults = append(faults, fmt.Errorf("domain %d: %w", i, err))
		}
		cells[i] = res.Cells
		v.domains++
		v.cells += len(res.Cells)
		whole += d.Area2()
		lost += res.Report.Lost
		covered += area2(res.Cells)
	}
	v.lost = float64(lost) / float64(whole)
	faults = append(faults, moved(ctx, w, g, results)...)
	faults = append(faults, chained(ctx, w, g)...)
	faults = append(faults, widened(ctx, w, g, results)...)
	if len(faults) > 0 {
		return v, errors.Join(faults...) // a mesh of bad cells would only say so again
	}
	mesh, err := same(ctx, w.plan, cells)
	if err != nil {
		return v, err
	}
	for _, f := range mesh.Validate() {
		faults = append(faults, f)
	}
	var regions int64
	for i := range mesh.Tiles {
		t := &mesh.Tiles[i]
		for r := range t.Regions {
			var ring lattice.Ring
			for _, c := range t.RegionCorners(r) {
				ring = append(ring, t.Vertices[c].Point)
			}
			regions += ring.Area2()
		}
		v.regions += len(t.Regions)
	}
	if regions != covered {
		faults = append(faults, fmt.Errorf("twice the area of the regions is %d, of the cells %d", regions, covered))
	}
	if err := errors.Join(faults...); err != nil {
		return v, err
	}
	return v, v.measure(ctx, w, mesh)
}

func check(g gen.Generator) func(*plan.Domain, gen.Result) error {
	if slices.Contains(incomplete, g.Name()) {
		return gentest.CheckInside
	}
	return gentest.Check
}

func area2(cells []plan.Cell) (sum int64) {
	for _, c := range cells {
		for i := 2; i < len(c.Corners); i++ {
			sum += lattice.Orient(c.Corners[0].Point, c.Corners[i-1].Point, c.Corners[i].Point)
		}
	}
	return sum
}

// decompose returns the results of g for every domain.
func decompose(ctx context.Context, w *world, g gen.Generator) ([]gen.Result, error) {
	all, err := gen.DecomposePlan(ctx, g, w.plan, w.number, 1)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// moved verifies that every domain gives the same cells after a move: anywhere in the frame.
func moved(ctx context.Context, w *world, g gen.Generator, results []gen.Result) (faults []error) {
	for i := range w.domains() {
		d := &w.domains()[i]
		box := d.Box()
		to := lattice.Point{
			X: w.draw(lattice.MaxCoord-box.Max.X) - w.draw(lattice.MaxCoord+box.Min.X),
			Y: w.draw(lattice.MaxCoord-box.Max.Y) - w.draw(lattice.MaxCoord+box.Min.Y),
		}
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + to.X, Y: p.Y + to.Y} }
		got, err := g.Decompose(ctx, gen.Input{Domain: gentest.Map(d, move), Seed: w.number})
		if err != nil {
			faults = append(faults, fmt.Errorf("domain %d, moved by %d, %d: %w", i, to.X, to.Y, err))
			continue
		}
		back := gen.Result{Report: got.Report, Cells: make([]plan.Cell, len(got.Cells))}
		for c := range got.Cells {
			for _, k := range got.Cells[c].Corners {
				k.Point = lattice.Point{X: k.X - to.X, Y: k.Y - to.Y}
				back.Cells[c].Corners = append(back.Cells[c].Corners, k)
			}
		}
		if len(results[i].Cells) != len(back.Cells) || len(back.Cells) > 0 && !reflect.DeepEqual(results[i].Cells, back.Cells) ||
			results[i].Report.Lost != back.Report.Lost {
			faults = append(faults, fmt.Errorf("domain %d: moved by %d, %d it is decomposed in another way", i, to.X, to.Y))
		}
	}
	return faults
}

// draw returns a number from 0 to most that depends on the world only.
func (w *world) draw(most int32) int32 {
	if most <= 0 {
		return 0
	}
	return int32((w.number * 0x9E3779B97F4A7C15 >> 20) % uint64(most+1))
}

// chained makes every third edge of a quarter of the worlds a chain, on which corners may only be
// constructed at lattice points, and verifies the cells.
func chained(ctx context.Context, w *world, g gen.Generator) (faults []error) {
	if w.number/uint64(len(kinds))%4 != 0 || len(w.plan.Chains) > 0 {
		return nil
	}
	for i := range w.domains() {
		d := gentest.Domain(w.domains()[i].Rings...)
		for r, edges := range d.Edges {
			for k := range edges {
				if (r+k)%3 == 0 {
					edges[k] = plan.ChainID(k)
				}
			}
		}
		res, err := g.Decompose(ctx, gen.Input{Domain: d, Seed: w.number})
		if err == nil {
			err = check(g)(d, res)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("domain %d with chains: %w", i, err))
		}
	}
	return faults
}

// mostCompared bounds the cells for the search for thin ones, which compares all with all.
const mostCompared = 400

// widened tells the methods that look for thin cells of a width, in a quarter of the worlds, and verifies the cells.
func widened(ctx context.Context, w *world, g gen.Generator, results []gen.Result) (faults []error) {
	if w.number/uint64(len(kinds))%4 != 1 || g.Name() != "best" && g.Name() != "anavmg" {
		return nil
	}
	for i := range w.domains() {
		d := &w.domains()[i]
		dx, dy := d.Box().Size()
		width := 1 + (dx+dy)/int64(20+d.Len())
		res, err := g.Decompose(ctx, gen.Input{Domain: d, Seed: w.number, Thin: width})
		if err == nil {
			err = check(g)(d, res)
		}
		if err == nil && len(res.Cells) <= mostCompared {
			err = gentest.CheckThin(res.Cells, width, true)
		}
		if err == nil && len(res.Cells) > len(results[i].Cells) {
			err = fmt.Errorf("%d cells, %d without a width", len(res.Cells), len(results[i].Cells))
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("domain %d without cells thinner than %d: %w", i, width, err))
		}
	}
	return faults
}

// same builds the mesh on one and on three goroutines and verifies that the bytes are the same.
func same(ctx context.Context, p *plan.Plan, cells [][]plan.Cell) (*navmesh.Mesh, error) {
	var mesh *navmesh.Mesh
	var first []byte
	for _, jobs := range [...]int{1, 3} {
		m, _, err := join.Build(ctx, p, [][][]plan.Cell{cells}, join.Options{Jobs: jobs})
		if err != nil {
			return nil, err
		}
		file, err := navfile.Encode(m)
		if err != nil {
			return nil, err
		}
		if mesh != nil && !bytes.Equal(first, file) {
			return nil, fmt.Errorf("%d goroutines make another mesh than one", jobs)
		}
		mesh, first = m, file
	}
	return mesh, nil
}

// measure takes the metrics. Objects are a tenth as large as the space around vertices, so they are small in
// every world.
func (v *verdict) measure(ctx context.Context, w *world, mesh *navmesh.Mesh) error {
	area := 0.0
	for i := range w.domains() {
		area += lattice.SquareMetres(w.domains()[i].Area2())
	}
	spacing := math.Sqrt(area / float64(w.vertices()))
	m, err := metric.Measure(ctx, mesh, metric.Options{
		ObjectRadius: max(spacing/10, metric.MinObjectRadius),
		NarrowWidth:  spacing / 10,
	})
	if err != nil {
		return err
	}
	v.minimumAngle, v.commonVertices = float64(m.MinimumAngle.Value), float64(m.CommonVertices.Value)
	v.acute, v.nearDegenerate = m.MinimumAngle.Acute, m.Extras.NearDegenerate.Regions
	v.tJunctions = m.Extras.TJunctions
	return nil
}
