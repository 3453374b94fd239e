package groundtruth

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestGapsOfTruths compares bridges with known facts of generated levels: the judge walks over the gaps of slots that the truth
// names and over no other, the acute corners of catwalks are filled as far as the truth says, and other floors have no bridges.
func TestGapsOfTruths(t *testing.T) {
	race.Skip(t)
	agent := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
	for _, truth := range levelgen.Truths() {
		if truth.Floor == nil || truth.Options.Far != 0 {
			continue
		}
		lvl, err := levelgen.Generate(truth.Kind, truth.Options)
		if err != nil {
			t.Fatal(err)
		}
		for _, gap := range []float64{0, geom.LeastGap, 0.2, 0.3, 0.45, 0.7} {
			f, known := truth.Floor(agent.Radius, gap)
			if !known {
				t.Errorf("%s: nothing is known for a gap of %g m", truth.Name(), gap)
				continue
			}
			agent.MaxGap = gap
			j := New(lvl, agent)
			bridges := j.faces[len(lvl.Triangles):]
			switch truth.Kind {
			case "slots":
				all, _ := truth.Floor(agent.Radius, 0.75)
				over := 0
				for _, r := range all.Routes {
					want := slices.ContainsFunc(f.Routes, func(o levelgen.Route) bool { return o.Start == r.Start })
					end := j.Walk(r.Start, r.Goal.X, r.Goal.Z)
					if (end.Cause == None) != want || !want && end.Cause != Ledge && end.Cause != NoFloor || want && math.Abs(end.At.Y-r.Goal.Y) > 1e-3 {
						t.Errorf("gap %g: %s from %v: %+v, in truth %v", gap, r.Name, r.Start, end, want)
					}
					if want {
						over++
					}
				}
				if over != len(f.Routes) || len(all.Routes) != 60 {
					t.Errorf("gap %g: %d of %d ways, in truth %d", gap, over, len(all.Routes), len(f.Routes))
				}
			case "catwalks":
				none, _ := truth.Floor(0, 0)
				filled, _ := truth.Floor(0, gap)
				for k := range filled.Storeys[1:] {
					height, want := filled.Storeys[k+1].Height, filled.Storeys[k+1].Area-none.Storeys[k+1].Area
					// The triangles of both directions lie over each other: count places.
					const pitch = 0.02
					seen := map[[2]int]bool{}
					for i := range bridges {
						b := geom.EmptyBox().Extend(bridges[i].v[0]).Extend(bridges[i].v[1]).Extend(bridges[i].v[2])
						if math.Abs(b.Min.Y-height) > 1e-3 {
							continue
						}
						n := near{floor: true}
						for c, v := range bridges[i].v {
							n.x[c], n.z[c] = v.X, v.Z
						}
						for x := int(b.Min.X/pitch) - 1; float64(x)*pitch < b.Max.X; x++ {
							for z := int(b.Min.Z/pitch) - 1; float64(z)*pitch < b.Max.Z; z++ {
								if _, over := n.heightAt((float64(x)+0.37)*pitch, (float64(z)+0.61)*pitch); over {
									seen[[2]int{x, z}] = true
								}
							}
						}
					}
					if got := float64(len(seen)) * pitch * pitch; math.Abs(got-want) > 0.02*want+0.003 {
						t.Errorf("catwalks at %g m, gap %g: %.4f m² of bridges, in truth %.4f m²", height, gap, got, want)
					}
				}
			default:
				if len(bridges) > 0 {
					t.Errorf("%s, gap %g: %d faces over gaps, in truth there are none: %v", truth.Name(), gap, len(bridges), bridges[0].v)
				}
			}
		}
	}
}
