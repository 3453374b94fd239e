// Package markers applies a level's marker volumes to its floor: doors and areas become separate parts of the
// floor; ladders, lifts, jumps and drops become links. Any extractor's plan will do.
//
// Source: S. Brand, Efficient obstacle avoidance using autonomously generated navigation meshes, MSc thesis,
// Delft 2009, section 4.4.3: the boundaries of a volume cut the polygons, and the inside gets the meaning of
// the volume; ladders and lifts are crossings with conditions and directions.
//
// Idea: the footprint of a door or an area is cut out of every domain whose floor the volume reaches. Both
// sides of the cut share a chain, so generators still decompose each domain alone. For a volume that links
// floors the package finds the nearby floors, in the order of their heights; links lead from each to the
// next.
//
// Input: a plan without faults, and markers with finite corners. The meaning of each kind is in the table of
// kinds.go and in docs/algorithms/links.md.
//
// Guarantees:
//  1. The domains are valid polygons, cover the same floor as before, and have the same points on both sides
//     of every chain (TestCutPlansAreValid).
//  2. A domain of the new plan lies in a mark or beside it (TestMarksCoverTheirFootprints).
//  3. Links start and end on floors near the marker, and lead in its allowed directions (TestLinks). Links to exits lead from the floor
//     nearest to the marker to the floor nearest to each exit of its name (TestExits).
//  4. Every marker has an outcome, and a marker of known kind that touches no floor has a warning
//     (TestOutcomes).
//  5. The given plan is not changed (TestTheOldPlanIsNotChanged).
//  6. Kinds that are written wrongly are errors (TestCheck). One-way doors are passed in their direction only
//     (TestOneWayDoor in package meadow).
//
// Degenerate cases: markers that are flat, upright planes, lines or points have no footprint to cut, but may
// link. Storeys above or below the volume are left alone. Where a cut would come so near to a chain of the
// plan that the chain's two sides could not have the same points, the marker is left out there, with a
// warning. Volumes of equal footprint make one domain with two marks.
//
// Cost: O((n + k) log n) for each domain with n edges that volumes with k edges reach; links need
// O(n) for each marker and the n edges of the domains around it.
//
// Departures: the thesis cuts before radius and merging, polygon by polygon; here the plan already describes
// the agent's centre, so a door is where the centre is in the door. The cut is exact up to the rounding of
// its corners to the lattice, and chains bend by less than a unit there.
package markers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// Outcome is the effect of one marker.
type Outcome struct {
	Marker     int // in the list that was given
	Name, Kind string
	At         geom.Vec // its middle
	// Domains counts the marker's parts of the floor, Links its ways, each direction for itself.
	Domains, Links int
	// Warning says why the marker had no effect, or only a part of it; empty if all is well.
	Warning string
}

// volume is a marker on the lattice of the plan.
type volume struct {
	marker    int
	meaning   meaning
	footprint lattice.Ring // counter-clockwise, of at least three corners; nil for a flat volume
	points    []lattice.Point
	low, high int32 // heights
	middle    lattice.Vertex
	mark      int32 // in plan.Marks, NoMark before it has one
}

// Apply returns p with the effect of the markers, and in order an outcome for each marker except starts,
// exits and single points of unknown kind. If any marker makes links (see [HaveLinks]), p must have all parts
// of the floor. Apply then drops unchosen parts that no link reaches from chosen parts.
func Apply(ctx context.Context, p *plan.Plan, list []level.Marker, opt floorplan.Options) (*plan.Plan, []Outcome, error) {
	if err := Check(list); err != nil {
		return nil, nil, err
	}
	if len(p.Links) > 0 {
		if i := slices.IndexFunc(list, func(m level.Marker) bool { return read(&m).use != useNone }); i >= 0 {
			return nil, nil, fmt.Errorf("markers: marker %d %.80q would cut a plan with links of its own; build without markers", i, list[i].Name)
		}
		return p, nil, nil
	}
	w := newWork(p)
	for i := range list {
		w.take(i, &list[i])
	}
	if err := w.cut(ctx); err != nil {
		return nil, nil, err
	}
	for i := range w.volumes {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("markers: %w", err)
		}
		if w.volumes[i].meaning.use != useLink {
			continue
		}
		if err := w.link(i); err != nil {
			return nil, nil, err
		}
	}
	w.oneWay()
	if HaveLinks(list) {
		if _, err := w.keep(opt, nil); err != nil {
			return nil, nil, fmt.Errorf("markers: %w", err)
		}
	}
	w.judge()
	return w.plan, w.outcomes, nil
}

// work is a plan in the making.
type work struct {
	old, plan *plan.Plan
	agent     measures
	volumes   []volume
	outcomes  []Outcome // of every volume, in their order, and of markers that are none
	outcome   []int     // of every volume, its place in outcomes
	heights   *divide.Heights
	exits     []exit
	floors    *cutFloors // of a plan of tiles, else nil
}

// exit is where teleporters, and links to exits, of a name lead.
type exit struct {
	name    string
	at      geom.Vec
	volume  volume
	inFrame bool
}

// centre returns the mean of points.
func centre(points []geom.Vec) geom.Vec {
	var sum geom.Vec
	for _, p := range points {
		sum = sum.Add(p)
	}
	return sum.Scale(1 / float64(len(points)))
}

// measures are an agent's in lattice units.
type measures struct{ radius, height, climb float64 }

func unitsOf(a geom.Agent) measures {
	return measures{a.Radius * lattice.UnitsPerMetre, a.Height * lattice.UnitsPerMetre, a.MaxClimb * lattice.UnitsPerMetre}
}

// take reads a marker.
func (w *work) take(i int, m *level.Marker) {
	what := read(m)
	if what.use == useExit && len(m.Hull) > 0 {
		v, inFrame := w.volumeOf(i, m, what)
		w.exits = append(w.exits, exit{text(m.Name), centre(m.Hull), v, inFrame})
	}
	if what.use == useNone || what.use == useExit || what.use == useArea && len(m.Hull) < 3 {
		return
	}
	o := Outcome{Marker: i, Name: text(m.Name), Kind: text(what.kind)}
	if len(m.Hull) > 0 {
		o.At = centre(m.Hull)
	}
	v, inFrame := w.volumeOf(i, m, what)
	switch {
	case !inFrame:
		o.Warning = "it has no corners, or corners that are not finite or far outside the level"
	default:
		v.footprint = lattice.Hull(slices.Clone(v.points))
		if len(v.footprint) < 3 {
			v.footprint = nil
		}
		if v.footprint == nil && what.use != useLink {
			o.Warning = "seen from above it has no area"
		} else {
			w.volumes = append(w.volumes, v)
			w.outcome = append(w.outcome, len(w.outcomes))
		}
	}
	w.outcomes = append(w.outcomes, o)
}

// volumeOf puts a marker on the lattice, without its footprint, and reports whether it has corners and all lie in the frame.
func (w *work) volumeOf(i int, m *level.Marker, what meaning) (v volume, inFrame bool) {
	v = volume{marker: i, meaning: what, mark: plan.NoMark}
	for k, c := range m.Hull {
		p, z, ok := w.old.Frame.FromWorld(c)
		if !ok {
			return v, false
		}
		v.points = append(v.points, p)
		if k == 0 {
			v.low, v.high = z, z
		}
		v.low, v.high = min(v.low, z), max(v.high, z)
	}
	if len(m.Hull) > 0 {
		v.middle.Point, v.middle.Z, inFrame = w.old.Frame.FromWorld(centre(m.Hull))
	}
	return v, inFrame
}

// maxText bounds the bytes of names, far below the limit of a mesh file.
const maxText = 1 << 10

// text returns s without invalid characters.
func text(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), maxText)], "\uFFFD")
}

// warn notes why not all came of a volume. The first reason counts.
func (w *work) warn(volume int, format string, args ...any) {
	o := &w.outcomes[w.outcome[volume]]
	if o.Warning == "" {
		o.Warning = fmt.Sprintf(format, args...)
	}
}

// judge fills the outcomes.
func (w *work) judge() {
	domains := make([]int, len(w.plan.Marks))
	links := make([]int, len(w.plan.Marks))
	for l := range w.plan.Layers {
		for d := range w.plan.Layers[l].Domains {
			for _, k := range w.plan.Layers[l].Domains[d].Marks {
				domains[k]++
			}
		}
	}
	for _, k := range w.plan.Links {
		links[k.Mark]++
	}
	for i := range w.volumes {
		v := &w.volumes[i]
		if v.mark != plan.NoMark {
			o := &w.outcomes[w.outcome[i]]
			o.Domains, o.Links = domains[v.mark], links[v.mark]
			continue
		}
		w.warn(i, "it touches no walkable floor")
	}
}

// markOf returns the mark of a volume, made when first asked for.
func (w *work) markOf(volume int) int32 {
	v := &w.volumes[volume]
	if v.mark == plan.NoMark {
		v.mark = int32(len(w.plan.Marks))
		w.plan.Marks = append(slices.Clip(w.plan.Marks), plan.Mark{
			Name: w.outcomes[w.outcome[volume]].Name, Kind: w.outcomes[w.outcome[volume]].Kind, Door: v.meaning.use == useDoor,
		})
	}
	return v.mark
}
