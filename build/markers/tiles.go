package markers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/level"
)

// A level in tiles has its markers in two steps. Each tile is cut along doors and areas, by [Cut], before the tile is decomposed. Links
// lead from tile to tile, and need the joined plan: [Join].

// Cuts reports whether a marker cuts floors, as a door or an area does.
func Cuts(m *level.Marker) bool {
	what := read(m)
	return what.use == useDoor || what.use == useArea && len(m.Hull) >= 3
}

// Cut returns p, a plan without marks, with the doors and areas of the list as marks, and the marker of each mark, ascending. Other markers have no
// effect. Warnings name the markers that are left out somewhere. The plan p stays as it is.
func Cut(ctx context.Context, p *plan.Plan, list []level.Marker) (divided *plan.Plan, markers []int, warnings []string, err error) {
	if len(p.Marks) > 0 {
		return nil, nil, nil, errors.New("markers: the plan has marks already")
	}
	if err := Check(list); err != nil {
		return nil, nil, nil, err
	}
	w := newWork(p)
	for i := range list {
		if read(&list[i]).oneWay {
			return nil, nil, nil, fmt.Errorf("markers: marker %d %.80q is a one-way door: build the level without tiles", i, list[i].Name)
		}
		if Cuts(&list[i]) {
			w.take(i, &list[i])
		}
	}
	if err := w.cut(ctx); err != nil {
		return nil, nil, nil, err
	}
	markers = make([]int, len(w.plan.Marks))
	for i := range w.volumes {
		if v := &w.volumes[i]; v.mark != plan.NoMark {
			markers[v.mark] = v.marker
		}
	}
	for i := range w.volumes {
		if o := &w.outcomes[w.outcome[i]]; o.Warning != "" {
			warnings = append(warnings, fmt.Sprintf("markers: %q of kind %q at %v: %s", o.Name, o.Kind, o.At, o.Warning))
		}
	}
	return w.plan, markers, warnings, nil
}

// Join returns p, a plan joined of tiles that [Cut] made, with the links of the list and with the parts that opt chooses, and outcomes as [Apply] does. The domains of p
// have marks, mark k of p is of the marker markers[k], ascending, and Join names the marks. The result kept tells by component of p which parts
// stay. Components in noise go without being listed. The plan p stays as it is.
func Join(ctx context.Context, p *plan.Plan, list []level.Marker, markers []int, opt floorplan.Options, noise []bool) (left *plan.Plan, outcomes []Outcome, kept []bool, err error) {
	if err := Check(list); err != nil {
		return nil, nil, nil, err
	}
	w := newWork(p)
	for i := range list {
		w.take(i, &list[i])
	}
	w.plan.Marks = nil
	w.floors = newCutFloors(p)
	for _, m := range markers {
		v := slices.IndexFunc(w.volumes, func(v volume) bool { return v.marker == m })
		if v < 0 || w.volumes[v].meaning.use == useLink {
			return nil, nil, nil, fmt.Errorf("markers: a tile has a mark of marker %d, which is no door and no area", m)
		}
		w.markOf(v)
	}
	for i := range w.volumes {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, fmt.Errorf("markers: %w", err)
		}
		if w.volumes[i].meaning.use != useLink {
			continue
		}
		if err := w.link(i); err != nil {
			return nil, nil, nil, err
		}
	}
	if kept, err = w.keep(opt, noise); err != nil {
		return nil, nil, nil, err
	}
	w.judge()
	return w.plan, w.outcomes, kept, nil
}

// newWork begins the work on a copy of a plan.
func newWork(p *plan.Plan) *work {
	out := *p
	return &work{old: p, plan: &out, agent: unitsOf(p.Agent), heights: divide.NewHeights(p)}
}
