package groundtruth

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/level"
)

// Comparison says how a floor is compared with the judge.
type Comparison struct {
	// Placements is how many places to try; Seed chooses them.
	Placements int
	Seed       uint64
	// Nearer is how much nearer than the radius the border of the floor may be to obstacles, Farther how much
	// farther, in metres.
	Nearer, Farther float64
	// Inside reports whether a place is inside of the floor, at a height that is off by no more than a step.
	// Must be safe for concurrent use.
	Inside func(at geom.Vec, step float64) bool
}

// Tally counts the results of a comparison.
type Tally struct {
	Placements, Walkable int // Walkable as the judge says
	// Near is how many places near a border are not held against anybody: where floor and judge differ,
	// but would not if the radius were a little larger or smaller, or a height or the width of a crack were
	// off by a few millimetres.
	Near          int
	Disagreements []Disagreement
}

// SecondOpinion counts how often another floor agrees with the judge where the first did not, outside and
// inside the first.
func (t Tally) SecondOpinion(inside func(at geom.Vec, step float64) bool, step float64) string {
	var with, all [2]int
	for _, d := range t.Disagreements {
		side := 0
		if d.Inside {
			side = 1
		}
		all[side]++
		if inside(d.At, step) == d.Walkable {
			with[side]++
		}
	}
	return fmt.Sprintf("with the judge in %d of %d outside, %d of %d inside", with[0], all[0], with[1], all[1])
}

// Disagreement is a place away from all borders at which the floor and the judge differ.
type Disagreement struct {
	At     geom.Vec
	Inside bool // the floor's answer
	Verdict
}

func (d Disagreement) String() string {
	said := "outside"
	if d.Inside {
		said = "inside"
	}
	return fmt.Sprintf("(%.3f, %.3f, %.3f) is %s, margin %.3f: %v of triangle %d at %v",
		d.At.X, d.At.Y, d.At.Z, said, d.Margin, d.Cause, d.Triangle, d.Verdict.At)
}

// String is a line for a table and up to ten disagreements.
func (t Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%9d placements %9d walkable %7d near a border %6d disagreements", t.Placements, t.Walkable, t.Near, len(t.Disagreements))
	for _, d := range t.Disagreements[:min(10, len(t.Disagreements))] {
		fmt.Fprintf(&b, "\n    %v", d)
	}
	return b.String()
}

// tolerance is how far heights and the width of cracks may be off without changing a verdict, in metres; radians for
// slopes.
const tolerance = 0.005

// closer is how far apart directions are at their ends in a second look, in metres.
const closer = Spacing / 8

// Compare tries random places on faces where the agent can stand, evenly by area, and compares the floor's
// answers with the judge's. The result does not depend on the number of cores.
func Compare(ctx context.Context, lvl *level.Level, agent geom.Agent, c Comparison) (Tally, error) {
	j := New(lvl, agent)
	area := make([]float64, len(j.faces))
	sum := 0.0
	for i := range j.faces {
		if j.faces[i].stand {
			sum += j.faces[i].normal().Y / 2
		}
		area[i] = sum
	}
	if sum == 0 || c.Placements <= 0 {
		return Tally{}, nil
	}
	// Where there is a difference, a closer look follows, and lenient and strict judges are asked.
	again, lenient, strict := j.Fork(), Lenient(lvl, agent), Strict(lvl, agent)
	again.look(closer)

	const chunk = 512
	parts := make([]Tally, (c.Placements+chunk-1)/chunk)
	err := par.For(ctx, 0, len(parts), func(k int) error {
		r := rand.New(rand.NewPCG(c.Seed, uint64(k)))
		j, again := j.Fork(), again.Fork()
		t := &parts[k]
		for range min(chunk, c.Placements-k*chunk) {
			f := &j.faces[sort.SearchFloat64s(area, sum*r.Float64())]
			a, b := r.Float64(), r.Float64()
			if a+b > 1 {
				a, b = 1-a, 1-b
			}
			at := f.v[0].Add(f.v[1].Sub(f.v[0]).Scale(a)).Add(f.v[2].Sub(f.v[0]).Scale(b))
			v := j.At(at.X, at.Z, at.Y)
			floor := at
			floor.Y = v.Height
			inside := c.Inside(floor, agent.MaxClimb+slack)
			if inside != v.Walkable {
				v = again.At(at.X, at.Z, at.Y)
			}
			at = floor
			t.Placements++
			if v.Walkable {
				t.Walkable++
			}
			if inside == v.Walkable {
				continue
			}
			isNear := func(v Verdict) bool { return inside && v.Margin >= -c.Nearer || !inside && v.Margin <= c.Farther }
			others := strict
			if inside {
				others = lenient
			}
			near := isNear(v)
			for _, other := range others {
				near = near || isNear(other.Fork().At(at.X, at.Z, at.Y))
			}
			if near {
				t.Near++
			} else {
				t.Disagreements = append(t.Disagreements, Disagreement{at, inside, v})
			}
		}
		return nil
	})
	all := Tally{}
	for _, t := range parts {
		all.Placements += t.Placements
		all.Walkable += t.Walkable
		all.Near += t.Near
		all.Disagreements = append(all.Disagreements, t.Disagreements...)
	}
	sort.SliceStable(all.Disagreements, func(a, b int) bool {
		return math.Abs(all.Disagreements[a].Margin) > math.Abs(all.Disagreements[b].Margin)
	})
	return all, err
}
