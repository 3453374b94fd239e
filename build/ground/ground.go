// Package ground divides the floor by kind of ground: afterwards every domain has one area, and adjacent
// domains of different areas share a chain. It works on a plan from any extractor.
//
// Source: D. H. Hale and G. M. Youngblood, Generating texture-aware spatial decompositions, AIIDE workshops
// 2011; appendix C of D. H. Hale, A growth-based approach to the automatic generation of navigation meshes,
// PhD thesis, UNC Charlotte 2011. Their demand: no region has two terrains.
//
// Idea: exact extraction (exact.Floors) knows the visible part of every triangle. The borders of all visible
// areas and of painted patches are put into one arrangement with a domain. Each face has one area: the area of
// the last patch over the face, else of the highest floor there in the domain's own storey. Cracks, and faces
// too narrow to be ground of their own, go to the neighbour with the longest border (faces.go). The domain is
// then cut along the borders between areas, in the same way as along marker volumes (build/internal/divide), so
// both sides have the same points.
//
// Input: a plan without faults and without chains between areas, and the plan's level.
//
// Guarantees:
//  1. The domains are valid polygons, cover the same floor as before, and have the same points on both sides
//     of every chain: TestPlansAreValid.
//  2. Farther than [Tolerance] from a border between areas, a place of a domain has the area of the visible
//     floor: TestPlacesAreOfTheirArea, for all extractors.
//  3. The borders follow the triangles on the lattice. They are neither moved in by the agent's radius nor
//     straightened: TestBordersAreThoseOfTheTriangles.
//  4. The result does not depend on the order of the triangles, on the number of jobs, or on where in the
//     world the level lies: TestDoesNotDependOn.
//  5. The given plan is not changed: TestPlansAreValid.
//
// Degenerate cases: of floors at the same height (within 2 mm) the later area shows, as if painted over the
// other. Of equal triangles the later area counts. Storeys above and below do not count. Ground narrower than
// [Narrowest] goes to a neighbour. A border between areas may run so near along a seam of the plan that the
// two sides of the seam could not have the same points. Then the part of the floor stays whole, gets its
// largest area, and causes a warning.
//
// Cost: the first step of exact extraction once more, then O((n + k) log n) for each domain of n edges under k
// edges of triangles between areas. Domains are independent and run in parallel.
//
// Departures: the source makes a mesh for each terrain with all others in the way, and joins the meshes
// (experiment.TextureAware). Here the floor is divided once, before any generator runs: the regions are the same, and
// the regions of two terrains have the same points where they meet.
package ground

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// Narrowest is the least mean width of ground, in metres; narrower ground goes to a neighbour.
const Narrowest = 1.0 / 256

// Tolerance is the distance in metres from a border between two areas beyond which a place is surely on the right side.
const Tolerance = 2 * Narrowest

// Options say how to work. The zero value uses all cores.
type Options struct {
	// Jobs is the number of goroutines, 0 for one per core. The plan is the same for every number.
	Jobs int
}

// Apply returns p with its domains divided by the ground of the level lvl, from which p was built. Without
// lvl.Ground it returns p itself. Warnings name the parts that stayed whole, with their places.
func Apply(ctx context.Context, p *plan.Plan, lvl *level.Level, opt Options) (divided *plan.Plan, warnings []string, err error) {
	if lvl.Ground == nil {
		return p, nil, nil
	}
	if err := lvl.Validate(); err != nil {
		return nil, nil, err
	}
	w := &work{plan: p, heights: divide.NewHeights(p), names: lvl.Ground.Names}
	if slices.ContainsFunc(lvl.Ground.Triangles, func(a uint8) bool { return a != lvl.Ground.Triangles[0] }) {
		frame, floors, err := exact.Floors(ctx, lvl, p.Agent, opt.Jobs)
		if err != nil {
			return nil, nil, fmt.Errorf("ground: %w", err)
		}
		if err := w.takeFloors(frame, floors); err != nil {
			return nil, nil, fmt.Errorf("ground: level %q: %w", lvl.Name, err)
		}
	} else if len(lvl.Triangles) > 0 {
		w.plain = lvl.Ground.Of(0)
	}
	return w.run(ctx, lvl.Ground.Painted, opt)
}

// ApplyTo is [Apply] for the floor p of a part of a level, given the triangles of the part on the lattice and the ground of the
// level. Areas of triangles are with the triangles.
func ApplyTo(ctx context.Context, p *plan.Plan, g *level.Ground, s *soup.Soup, opt Options) (divided *plan.Plan, warnings []string, err error) {
	w := &work{plan: p, heights: divide.NewHeights(p), names: g.Names}
	if slices.ContainsFunc(s.Triangles, func(t soup.Triangle) bool { return t.Area != s.Triangles[0].Area }) {
		floors, err := exact.FloorsOf(ctx, s, p.Agent, opt.Jobs)
		if err != nil {
			return nil, nil, fmt.Errorf("ground: %w", err)
		}
		if err := w.takeFloors(s.Frame, floors); err != nil {
			return nil, nil, fmt.Errorf("ground: %w", err)
		}
	} else if len(s.Triangles) > 0 {
		w.plain = s.Triangles[0].Area
	}
	return w.run(ctx, g.Painted, opt)
}

// Paint returns p with its domains divided by patches alone, for a plan without a level. Floor outside the
// patches keeps its area.
func Paint(ctx context.Context, p *plan.Plan, names []string, patches []level.Painted, opt Options) (divided *plan.Plan, warnings []string, err error) {
	for i, patch := range patches {
		if int(patch.Area) >= len(names) {
			return nil, nil, fmt.Errorf("ground: patch %d: area %d of %d", i, patch.Area, len(names))
		}
	}
	w := &work{plan: p, heights: divide.NewHeights(p), names: names, keep: true}
	return w.run(ctx, patches, opt)
}

// work is a plan in the making.
type work struct {
	plan    *plan.Plan
	names   []string
	heights *divide.Heights
	storey  float64 // how far in height floors of one storey may be from each other, in lattice units
	plain   uint8   // the area of places without any floor
	keep    bool    // instead, domains have their own

	floors []exact.Floor      // in the frame of the plan
	at     [][]uint32         // by area: its floors, ascending
	shows  [][]lattice.Box    // by area: boxes around its visible floors
	tops   []*lattice.Sampler // by area: the heights of its floors, nil for none
	reach  [][2]int32         // by layer: lowest and highest height of its floor
	paint  []patch
}

// patch is a painted patch on the lattice.
type patch struct {
	area  uint8
	rings []lattice.Ring
	box   lattice.Box
}

// takeFloors takes over the floors of a level, into the frame of the plan.
func (w *work) takeFloors(frame lattice.Frame, floors []exact.Floor) error {
	w.floors = floors
	w.storey = w.plan.Agent.Height / 2 * lattice.UnitsPerMetre
	if err := w.move(frame); err != nil {
		return err
	}
	w.at, w.shows = make([][]uint32, len(w.names)), make([][]lattice.Box, len(w.names))
	tins := make([]lattice.TIN, len(w.names))
	for i := range w.floors {
		f := &w.floors[i]
		box := lattice.EmptyBox()
		for _, r := range f.Rings {
			box = box.Union(r.Box())
		}
		w.at[f.Area] = append(w.at[f.Area], uint32(i))
		w.shows[f.Area] = append(w.shows[f.Area], box)
		t := &tins[f.Area]
		n := uint32(len(t.Vertices))
		t.Vertices = append(t.Vertices, f.V[:]...)
		t.Triangles = append(t.Triangles, [3]uint32{n, n + 1, n + 2})
	}
	w.tops = make([]*lattice.Sampler, len(tins))
	for a := range tins {
		if len(tins[a].Triangles) > 0 {
			w.tops[a] = lattice.NewSampler(&tins[a])
		}
	}
	for l := range w.plan.Layers {
		reach := [2]int32{math.MaxInt32, math.MinInt32}
		for _, v := range w.plan.Layers[l].Floor.Vertices {
			reach[0], reach[1] = min(reach[0], v.Z), max(reach[1], v.Z)
		}
		w.reach = append(w.reach, reach)
	}
	return nil
}

// move brings the floors from another frame into the plan's frame.
func (w *work) move(from lattice.Frame) error {
	to := w.plan.Frame
	if from == to {
		return nil
	}
	shift := [3]int64{from.East - to.East, from.North - to.North, from.Up - to.Up}
	moved := func(c int32, axis int) (int32, bool) {
		v := int64(c) + shift[axis]
		return int32(v), v >= -lattice.MaxCoord && v <= lattice.MaxCoord
	}
	out := slices.Clone(w.floors)
	for i := range out {
		f := &out[i]
		fits := true
		point := func(p lattice.Point) lattice.Point {
			x, ok := moved(p.X, 0)
			y, also := moved(p.Y, 1)
			fits = fits && ok && also
			return lattice.Point{X: x, Y: y}
		}
		for k, v := range f.V {
			z, ok := moved(v.Z, 2)
			fits = fits && ok
			f.V[k] = lattice.Vertex{Point: point(v.Point), Z: z}
		}
		rings := make([]lattice.Ring, len(f.Rings))
		for r, ring := range f.Rings {
			for _, p := range ring {
				rings[r] = append(rings[r], point(p))
			}
		}
		f.Rings = rings
		if !fits {
			return errors.New("its floors are outside of the frame of the plan")
		}
	}
	w.floors = out
	return nil
}

// takePatches converts painted patches to the lattice. A point outside the lattice is an error.
func (w *work) takePatches(painted []level.Painted) error {
	for i, from := range painted {
		p := patch{area: from.Area, box: lattice.EmptyBox()}
		for r, ring := range from.Rings {
			var points lattice.Ring
			for k, v := range ring {
				q, _, ok := w.plan.Frame.FromWorld(geom.FromGround(v[0], v[1], w.plan.Frame.ToWorld(lattice.Point{}, 0).Y))
				if !ok {
					return fmt.Errorf("patch %d: ring %d: point %d at (%g, %g) is outside of the lattice", i, r, k, v[0], v[1])
				}
				points = append(points, q)
			}
			p.rings = append(p.rings, points)
			p.box = p.box.Union(points.Box())
		}
		w.paint = append(w.paint, p)
	}
	return nil
}

// run divides the plan.
func (w *work) run(ctx context.Context, painted []level.Painted, opt Options) (*plan.Plan, []string, error) {
	if err := w.takePatches(painted); err != nil {
		return nil, nil, fmt.Errorf("ground: %w", err)
	}
	grounds := divide.Grounds(w.plan)
	most := make([]uint8, len(grounds)) // the area that most of each ground is of
	err := par.For(ctx, opt.Jobs, len(grounds), func(i int) error {
		parts, err := w.divide(&grounds[i])
		if err != nil {
			return fmt.Errorf("ground: layer %d: %w", grounds[i].Layer, err)
		}
		grounds[i].Sections, most[i] = parts.sections()
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	number := make(map[*plan.Domain]int, len(grounds)) // looked up only
	for i := range grounds {
		number[grounds[i].Domain] = i
	}
	job := divide.Job{
		Plan: w.plan, Kind: plan.Terrain, Heights: w.heights,
		Left: func(g *divide.Ground) {
			corner := g.Rings[0][0]
			warnings = append(warnings, fmt.Sprintf("ground: the floor around %v becomes %s as a whole: a border between areas runs too near along a layer's border",
				w.plan.Frame.ToWorld(corner, w.heights.At(g.Layer, g.Domain, corner)), w.name(most[number[g.Domain]])))
		},
		Made: func(d *plan.Domain, of *divide.Ground, areas []int) {
			d.Area = most[number[of.Domain]]
			if len(areas) > 0 {
				d.Area = uint8(areas[0])
			}
		},
	}
	divided, err := job.Run(ctx, grounds)
	if err != nil {
		return nil, nil, fmt.Errorf("ground: %w", err)
	}
	divided.Areas = slices.Clone(w.names)
	return divided, warnings, nil
}

func (w *work) name(area uint8) string {
	if int(area) < len(w.names) {
		return w.names[area]
	}
	return fmt.Sprintf("area %d", area)
}
