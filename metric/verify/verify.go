// Package verify judges a navigation mesh, of Meadow or of any other system, by the whole floor of its level; and tells the difference of two
// meshes.
//
// Idea: the floor of the level, by an extractor, is cut exactly against the regions of the mesh. Each piece of the plane is then floor of
// both, of the level only (lost), or of the mesh only (outside). Components are paired by the ground that they share. Paths are asked for
// on the mesh and on the floor between the same places.
//
// Input: a mesh whose regions are polygons, see navmesh.Mesh.Validate; the plan of all parts of the floor for the mesh's agent, and the plan of
// the parts that count as reachable.
//
// Guarantees, each with the test that plants the fault:
//  1. A mesh of the floor itself, by any generator, is judged complete: TestOwnMesh.
//  2. Areas are right up to a lattice unit times the length of the borders: TestLost, TestOutside, TestFloorDifference, TestFloorDifferenceIsSymmetric.
//  3. A component that is missing, invented, split or joined is told: TestComponents.
//  4. Ground that the mesh covers more than once is told: TestOverlap.
//  5. A floor at another height is told with its place: TestHeight.
//  6. A path through a wall is shorter than the optimum, and told: TestShortcut.
//  7. The difference of a mesh with itself is nothing: TestDiffSelf, TestDiff.
//
// Degenerate cases: an empty mesh covers nothing, and all of the floor is lost. Storeys less than half the agent's height apart are taken for one floor.
//
// Cost: an overlay for each pair of a part of the floor and a part of the mesh whose boxes meet; two searches for each pair of places.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Truth is the floor of a level for an agent.
type Truth struct {
	All       *plan.Plan    // every part
	Reachable *plan.Plan    // the parts that a mesh should have
	Mesh      *navmesh.Mesh // of the reachable parts, by any generator: paths on it are optimal
}

// Options bound the work.
type Options struct {
	Pairs int    // pairs of places for paths; 0 means 200, negative none
	Seed  uint64 // of the places
}

// Report is the judgement of a mesh. Areas are in m², lengths in metres.
type Report struct {
	Regions int     `json:"regions"`
	Mesh    float64 `json:"mesh_m2"`  // sum of the regions
	Floor   float64 `json:"floor_m2"` // the reachable floor

	Coverage    float64 `json:"coverage"`       // share of the reachable floor that the mesh covers
	Lost        Pieces  `json:"lost"`           // reachable floor without region
	Outside     Pieces  `json:"outside"`        // mesh without any floor of the level
	Unreachable float64 `json:"unreachable_m2"` // mesh on floor that is not reachable
	Overlap     Pieces  `json:"overlap"`        // ground that the mesh covers more than once

	Components Components            `json:"components"`
	Height     Heights               `json:"height"`
	Border     metric.BorderError    `json:"border"`
	Degenerate metric.NearDegenerate `json:"near_degenerate"`
	Paths      Paths                 `json:"paths"`
}

// Components pairs the parts of the floor with the parts of the mesh that nothing joins. Parts smaller than the disc of the agent, at least 0.1 m², do
// not count, nor does common ground of less.
type Components struct {
	Floor    int     `json:"floor"`    // of the reachable floor
	Mesh     int     `json:"mesh"`     // of the mesh
	Lost     []Piece `json:"lost"`     // parts of the reachable floor of which the mesh has less than half
	Invented []Piece `json:"invented"` // parts of the mesh of which the level has less than half
	Split    []Piece `json:"split"`    // parts of the floor that fall into several parts of the mesh
	Joined   []Piece `json:"joined"`   // parts of the mesh that join several parts of the floor
}

// Paths compares shortest paths on the mesh with those on the floor.
type Paths struct {
	Pairs    int     `json:"pairs"`    // with a path on the floor
	Missing  int     `json:"missing"`  // of these without a path on the mesh
	Mean     float64 `json:"mean"`     // of the length on the mesh over the length on the floor
	Max      float64 `json:"max"`      // of the same
	Min      float64 `json:"min"`      // of the same; below 1 the mesh leads through what is no floor
	Shorter  int     `json:"shorter"`  // pairs that are more than 1 % and 2 cm shorter than the floor allows
	Detour   Pair    `json:"detour"`   // of Max
	Shortcut Pair    `json:"shortcut"` // of Min
	Lost     *Pair   `json:"lost,omitempty"`
}

// Pair is a start and a goal, metres.
type Pair struct {
	From geom.Vec `json:"from"`
	To   geom.Vec `json:"to"`
}

// near returns how far apart two layers of one floor may be in height, in lattice units.
func near(agent geom.Agent) float64 {
	return max(agent.Height/2, agent.MaxClimb) * lattice.UnitsPerMetre
}

// Measure judges m. The errors are a mesh without polygons, floors too far apart, and a context that ends.
func Measure(ctx context.Context, m *navmesh.Mesh, truth Truth, opt Options) (*Report, error) {
	if m == nil || truth.All == nil || truth.Reachable == nil || truth.Mesh == nil {
		return nil, errors.New("verify: mesh and truth must not be nil")
	}
	frame := truth.All.Frame
	mesh, err := floorOfMesh(m, frame)
	if err != nil {
		return nil, err
	}
	all, err := floorOfPlan(truth.All, frame)
	if err != nil {
		return nil, err
	}
	reachable, err := floorOfPlan(truth.Reachable, frame)
	if err != nil {
		return nil, err
	}
	apart := near(truth.All.Agent)
	r := &Report{Regions: m.RegionCount(), Mesh: mesh.area(), Floor: reachable.area()}
	onReachable, err := compare(ctx, reachable, mesh, apart)
	if err != nil {
		return nil, err
	}
	onAll, err := compare(ctx, all, mesh, apart)
	if err != nil {
		return nil, err
	}
	// compare counts the common ground by the parts of the mesh; the rest of the floor is what no region covers.
	r.Lost, r.Outside = onReachable.only[0], onAll.only[1]
	if r.Floor > 0 {
		r.Coverage = 1 - r.Lost.Area/r.Floor
	}
	r.Unreachable = max(0, onReachable.only[1].Area-onAll.only[1].Area)
	if r.Overlap, err = overlaps(mesh); err != nil {
		return nil, err
	}
	r.Overlap.join(onAll.twice)
	r.Height = onAll.height
	r.Components = pairUp(reachable, all, mesh, onReachable, onAll, truth.All.Agent)
	measured, err := metric.Measure(ctx, m, metric.Options{Plan: truth.Reachable})
	if err != nil {
		return nil, err
	}
	r.Border, r.Degenerate = measured.Extras.Border, measured.Extras.NearDegenerate
	r.Paths, err = comparePaths(ctx, m, truth, opt)
	return r, err
}

// overlaps returns the ground that regions of one layer and component cover more than once.
func overlaps(f *floor) (Pieces, error) {
	var p Pieces
	for i := range f.parts {
		twice, err := doubled(f.parts[i].rings)
		if err != nil {
			return p, err
		}
		p.add(f, &f.parts[i], twice)
	}
	p.sort()
	return p, nil
}

func (p *Pieces) join(other Pieces) {
	p.Area += other.Area
	p.Count += other.Count
	p.Polygons = append(p.Polygons, other.Polygons...)
	p.Largest = append(p.Largest, other.Largest...)
	p.sort()
}

// byComponent sums the areas of the parts of a floor, and gives a place of each component.
func byComponent(f *floor) (area []float64, at []geom.Vec) {
	for i := range f.parts {
		for len(area) <= f.parts[i].component {
			area, at = append(area, 0), append(at, geom.Vec{})
		}
		c := f.parts[i].component
		if area[c] == 0 {
			at[c] = f.at(&f.parts[i], f.parts[i].rings[0][0])
		}
		area[c] += lattice.SquareMetres(f.parts[i].area2)
	}
	return area, at
}

// pairUp finds the components that are lost, invented, split and joined.
func pairUp(reachable, all, mesh *floor, onReachable, onAll *overlapOf, agent geom.Agent) Components {
	least := max(0.1, math.Pi*float64(agent.Radius*agent.Radius))
	c := Components{Floor: reachable.components, Mesh: mesh.components, Lost: []Piece{}, Invented: []Piece{}, Split: []Piece{}, Joined: []Piece{}}
	list := func(to *[]Piece, area float64, at geom.Vec) { *to = append(*to, Piece{Area: area, At: at}) }

	area, at := byComponent(reachable)
	covered, parts := shares(onReachable.common, 0, len(area), least)
	for i := range area {
		switch {
		case area[i] < least:
		case covered[i] < area[i]/2:
			list(&c.Lost, area[i], at[i])
		case parts[i] > 1:
			list(&c.Split, area[i], at[i])
		}
	}
	area, at = byComponent(mesh)
	covered, parts = shares(onAll.common, 1, len(area), least)
	for i := range area {
		switch {
		case area[i] < least:
		case covered[i] < area[i]/2:
			list(&c.Invented, area[i], at[i])
		case parts[i] > 1:
			list(&c.Joined, area[i], at[i])
		}
	}
	for _, l := range []*[]Piece{&c.Lost, &c.Invented, &c.Split, &c.Joined} {
		slices.SortStableFunc(*l, func(a, b Piece) int { return cmp.Compare(b.Area, a.Area) })
	}
	return c
}

// shares sums common areas by the components of one side, and counts the components of the other side that share at least least.
func shares(common map[[2]int]float64, side, n int, least float64) (covered []float64, parts []int) {
	covered, parts = make([]float64, n), make([]int, n)
	keys := make([][2]int, 0, len(common))
	for k := range common {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		covered[k[side]] += common[k]
		if common[k] >= least {
			parts[k[side]]++
		}
	}
	return covered, parts
}

// comparePaths asks for paths between places of the reachable floor.
func comparePaths(ctx context.Context, m *navmesh.Mesh, truth Truth, opt Options) (Paths, error) {
	if opt.Pairs == 0 {
		opt.Pairs = 200
	}
	p := Paths{Mean: 1, Max: 1, Min: 1}
	if opt.Pairs < 0 {
		return p, nil
	}
	index, err := query.NewIndexWith(ctx, m)
	if err != nil {
		return p, fmt.Errorf("verify: %w", err)
	}
	optimal, err := query.NewIndexWith(ctx, truth.Mesh)
	if err != nil {
		return p, fmt.Errorf("verify: %w", err)
	}
	mine, best := index.NewQuery(), optimal.NewQuery()
	places := metric.PlacesOn(truth.Reachable, 2*opt.Pairs, opt.Seed)
	sum, found := 0.0, 0
	for i := 0; i+1 < len(places); i += 2 {
		pair := Pair{places[i], places[i+1]}
		want, err := best.Path(ctx, pair.From, pair.To)
		if err != nil && !errors.Is(err, query.ErrOffMesh) {
			return p, fmt.Errorf("verify: %w", err)
		}
		if err != nil || !want.Complete || want.Length < 1 {
			continue
		}
		p.Pairs++
		got, err := mine.Path(ctx, pair.From, pair.To)
		if err != nil && !errors.Is(err, query.ErrOffMesh) {
			return p, fmt.Errorf("verify: %w", err)
		}
		if err != nil || !got.Complete {
			p.Missing++
			if p.Lost == nil {
				p.Lost = &pair
			}
			continue
		}
		// An end beside the mesh has moved onto it: the optimum is asked between the same ends.
		if between, err := best.Path(ctx, got.Points[0], got.Points[len(got.Points)-1]); err == nil && between.Complete && between.Length > 0.5 {
			want = between
		}
		ratio := got.Length / want.Length
		found++
		sum += ratio
		if ratio < 0.99 && want.Length-got.Length > 0.02 {
			p.Shorter++
		}
		if found == 1 || ratio > p.Max {
			p.Max, p.Detour = ratio, pair
		}
		if found == 1 || ratio < p.Min {
			p.Min, p.Shortcut = ratio, pair
		}
	}
	if found > 0 {
		p.Mean = sum / float64(found)
	}
	return p, nil
}
