package meadow_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestFloorsOfTruths builds every level with a known floor, for a point and for agents with a radius. The test
// judges the mesh, its components, its area and its paths. Chords around corners may take some area and lengthen
// paths. MEADOW_TRUTHS=all tries six radii and six gaps.
func TestFloorsOfTruths(t *testing.T) {
	race.Skip(t)
	for _, truth := range levelgen.Truths() {
		if truth.Floor == nil {
			continue
		}
		lvl, err := levelgen.Generate(truth.Kind, truth.Options)
		if err != nil {
			t.Fatal(err)
		}
		name := truth.Name()
		radii := []float64{0, 0.4}
		switch {
		case os.Getenv("MEADOW_TRUTHS") == "all":
			radii = []float64{0, 0.1, 0.3, 0.4, 0.5, 0.6}
		case truth.Kind == "tower":
			radii = []float64{0, 0.4, 0.6}
		case truth.Options.Far != 0:
			radii = []float64{0.4}
		}
		t.Run(name, func(t *testing.T) {
			for _, agent := range truthAgents(radii) {
				radius := agent.Radius
				floor, known := truth.Floor(radius, agent.MaxGap)
				if !known {
					t.Fatalf("radius %g, gap %g: nothing is known", radius, agent.MaxGap)
				}
				mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent.Literal(), Simplify: -1, KeepAll: true}, meadow.MeshOptions{})
				if err != nil {
					t.Fatal(err)
				}
				judge := func(law string, fault error) {
					t.Helper()
					if fault != nil {
						t.Errorf("radius %g, gap %g: %s: %v", radius, agent.MaxGap, law, fault)
					}
				}
				var faults []error
				for _, f := range mesh.Validate() {
					faults = append(faults, f)
				}
				judge("valid", errors.Join(faults[:min(3, len(faults))]...))
				r := mesh.Report()
				judge("components", differ(float64(r.Components), float64(floor.Components), float64(floor.Components)))
				if len(floor.Storeys) > 0 {
					least, most := 0.0, 0.0
					for _, s := range floor.Storeys {
						least += s.Least(radius, exact.OffsetTolerance)
						most += s.Area
					}
					off := borderTolerance * borderLength(mesh)
					judge("area", differ(r.Area, least-off, most+off))
				}
				if len(floor.Routes) > 0 {
					judge("routes", routes(t, mesh, floor.Routes))
				}
			}
		})
	}
}

// truthAgents returns agents of some radii: points step over cracks, and others over gaps as wide as by default. With
// MEADOW_TRUTHS=all every agent tries six gaps.
func truthAgents(radii []float64) []meadow.Agent {
	var out []meadow.Agent
	for _, radius := range radii {
		agent := meadow.Agent{Radius: radius, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)}
		if radius > 0.5 {
			agent.Height, agent.MaxClimb = 2, 0.9
		}
		agent.MaxGap = max(min(agent.MaxClimb/2, radius), crack)
		out = append(out, agent)
		if os.Getenv("MEADOW_TRUTHS") == "all" {
			out = out[:len(out)-1]
			for _, gap := range []float64{0, crack, 0.2, 0.3, 0.45, 0.7} {
				agent.MaxGap = gap
				out = append(out, agent)
			}
		}
	}
	return out
}

// TestFloorsInPlacings builds every level with a known floor for one of five radii, in the long form for two, each turned, mirrored or scaled in one way. The widest
// gap does not scale with the level, so the truth is asked for the width in the level's own unit. Points keep to
// right angles: elsewhere rounding opens slits between floors that touch. MEADOW_PLACINGS tries all radii in
// as many random placings.
func TestFloorsInPlacings(t *testing.T) {
	race.Skip(t)
	next, level := 0, 0
	for _, truth := range levelgen.Truths() {
		if truth.Floor == nil || truth.Options.Far != 0 {
			continue
		}
		lvl, err := levelgen.Generate(truth.Kind, truth.Options)
		if err != nil {
			t.Fatal(err)
		}
		level++
		t.Run(truth.Name(), func(t *testing.T) {
			for i, radius := range []float64{0, 0.1, 0.3, 0.5, 0.6} {
				if os.Getenv("MEADOW_PLACINGS") == "" && (i+level)%5 >= slow.Count(1, 2) {
					continue
				}
				all := manyPlacings(t)
				if radius == 0 {
					all = slices.DeleteFunc(slices.Clone(all), func(p placing) bool { return math.Mod(p.degrees, 90) != 0 })
				}
				if os.Getenv("MEADOW_PLACINGS") == "" {
					next++
					all = all[next%len(all):][:1]
				}
				for _, p := range all {
					floor, known := truth.Floor(radius, crack/p.scale)
					if !known {
						continue
					}
					agent := p.agent(meadow.Agent{Radius: radius, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)})
					agent.MaxGap = crack
					mesh, err := meadow.BuildWith(t.Context(), p.level(lvl), meadow.FloorOptions{Agent: agent, Simplify: -1, KeepAll: true}, meadow.MeshOptions{})
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range mesh.Validate() {
						t.Errorf("radius %g, %v: %v", radius, p, f)
					}
					r := mesh.Report()
					if err := differ(float64(r.Components), float64(floor.Components), float64(floor.Components)); err != nil {
						t.Errorf("radius %g, %v: components: %v", radius, p, err)
					}
					least, most := 0.0, 0.0
					for _, s := range floor.Storeys {
						least += s.Least(radius, exact.OffsetTolerance/p.scale)
						most += s.Area
					}
					off, square := borderTolerance*borderLength(mesh), p.scale*p.scale
					if err := differ(r.Area, least*square-off, most*square+off); len(floor.Storeys) > 0 && err != nil {
						t.Errorf("radius %g, %v: area: %v", radius, p, err)
					}
				}
			}
		})
	}
}

// crack is the widest gap in metres that the agents of these tests step over.
const crack = 0.05

// borderTolerance is the distance in metres by which straight borders may be off: guarantee 5 of package exact.
const borderTolerance = 0.002

// borderLength returns the length in metres of all edges of regions without the portals.
func borderLength(m *meadow.Mesh) float64 {
	units := 0.0
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			corners := t.RegionCorners(r)
			for k, c := range corners {
				units += t.Vertices[c].Point.Distance(t.Vertices[corners[(k+1)%len(corners)]].Point)
			}
			for _, p := range t.RegionPortals(r) {
				units -= t.Vertices[p.Left].Point.Distance(t.Vertices[p.Right].Point)
			}
		}
	}
	return units * lattice.Unit
}

// differ returns an error if got is not in a range.
func differ(got, least, most float64) error {
	if got >= least && got <= most {
		return nil
	}
	return fmt.Errorf("%g, in truth %g to %g", got, least, most)
}

// routes returns an error about the first of some routes that the mesh does not have, or not of the length that is
// known, and about how many there are.
func routes(t *testing.T, mesh *meadow.Mesh, routes []levelgen.Route) error {
	t.Helper()
	q := mesh.NewQuery()
	var first error
	wrong := 0
	for _, route := range routes {
		path, err := q.Path(t.Context(), route.Start, route.Goal)
		switch {
		case err != nil:
		case !path.Complete:
			err = errors.New("there is no path")
		case path.Length < 0.999*route.Length || path.Length > 1.001*route.Length+exact.OffsetTolerance*route.Turn:
			err = fmt.Errorf("%.4f m, in truth %.4f m", path.Length, route.Length)
		default:
			continue
		}
		if wrong++; first == nil {
			first = fmt.Errorf("%s from %v to %v: %w", route.Name, route.Start, route.Goal, err)
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%d of %d routes: %w", wrong, len(routes), first)
}
