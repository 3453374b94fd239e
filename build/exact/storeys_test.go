package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestStairwellStoreys extracts stairwells whose flights end over or under the ends of other flights. The floor has as
// many parts as on paper, and both sides of each seam agree in height within a step.
//
// In stairwells 13 and 365 floors of two storeys end within centimetres of each other in the plan. In stairwells 305,
// 514 and 519 a lower storey shows through a crack that an agent steps over. In stairwell 9864 a layer has two storeys
// a millimetre apart in the plan. Their heights differ by less than the agent's height, and one storey has a link to
// another layer. In stairwells 234 and 642 a landing leaves a sliver of a lattice unit of another landing uncovered,
// which is no island.
func TestStairwellStoreys(t *testing.T) {
	race.Skip(t)
	low := geom.Agent{Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	high := geom.Agent{Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	for _, c := range []struct {
		seed   uint64
		radius float64
		agent  geom.Agent
	}{{13, 0.1, low}, {365, 0.6, high}, {305, 0.6, high}, {514, 0.5, high}, {519, 0.4, low}, {9864, 0, low}, {234, 0, low}, {642, 0, low}} {
		t.Run(fmt.Sprintf("stairwell %d", c.seed), func(t *testing.T) {
			lvl, truth := levelgen.RandomStairwell(c.seed)
			c.agent.Radius = c.radius
			p, err := Extract(t.Context(), lvl, c.agent, floorplan.Options{KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			if f, known := truth.Floor(c.radius, c.agent.MaxGap); known && p.Components != f.Components {
				t.Errorf("%d components, on paper %d", p.Components, f.Components)
			}
			if len(p.Chains) == 0 {
				t.Fatal("no seams")
			}
			for i := range p.Chains {
				checkSeamHeights(t, p, &p.Chains[i], c.agent.MaxClimb)
			}
		})
	}
}

// TestWellBetweenFlights builds a landing and two flights of 4 m side by side: a flight up and a flight down. A point steps
// over the well of 3 cm between the flights where their heights differ by at most a step. Farther on the well holds no
// floor.
func TestWellBetweenFlights(t *testing.T) {
	at := geom.FromGround
	s := &floortest.Scene{}
	s.Quad(at(-1, 0, 0), at(0, 0, 0), at(0, 2.03, 0), at(-1, 2.03, 0))
	s.Quad(at(0, 0, 0), at(4, 0, 2), at(4, 1, 2), at(0, 1, 0))
	s.Quad(at(0, 1.03, 0), at(4, 1.03, -2), at(4, 2.03, -2), at(0, 2.03, 0))
	agent := floortest.Agent // MaxClimb is 0.4 m, which the flights differ by at x = 0.4 m
	agent.Radius = 0
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: -1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Components != 1 {
		t.Errorf("%d components", p.Components)
	}
	inside := floortest.Inside(p)
	for x := 0.05; x < 3.95; x += 0.1 {
		switch has := inside(at(x, 1.015, 0), 4); {
		case x < 0.3 && !has:
			t.Errorf("no floor in the well at x = %.2f m, where the flights are a step apart", x)
		case x > 0.5 && has:
			t.Errorf("floor in the well at x = %.2f m, where the flights are %.2f m apart", x, x)
		}
		for _, y := range []float64{0.5, 1.5} {
			if !inside(at(x, y, 0), 4) {
				t.Errorf("no floor at x = %.2f m, y = %g m", x, y)
			}
		}
	}
}

// checkSeamHeights verifies that both domains of a seam agree in height, within a step and rounding, at points that are
// corners of both domains.
func checkSeamHeights(t *testing.T, p *plan.Plan, c *plan.Chain, climb float64) {
	t.Helper()
	const rounding = 0.02 // metres
	for _, at := range c.Points {
		left, right := heightsAt(p, c.Left, at), heightsAt(p, c.Right, at)
		if len(left) == 0 || len(right) == 0 {
			t.Errorf("%v is no corner of both domains", at)
			continue
		}
		for _, z := range left {
			for _, w := range right {
				if d := math.Abs(float64(z)-float64(w)) * lattice.Unit; d > climb+rounding {
					t.Errorf("at %v the sides of a seam are %.3f m apart, more than a step of %g m", p.Frame.ToWorld(at, z), d, climb)
				}
			}
		}
	}
}

// heightsAt returns the heights of the corners of a domain at a point.
func heightsAt(p *plan.Plan, id plan.DomainID, at lattice.Point) []int32 {
	d := &p.Layers[id.Layer].Domains[id.Domain]
	var heights []int32
	for r, ring := range d.Rings {
		if k := slices.Index(ring, at); k >= 0 {
			heights = append(heights, d.Heights[r][k])
		}
	}
	return heights
}

// TestRampFromAboveTheHead has a landing over a floor, exactly as high as the agent is tall. A ramp leads from the
// landing down and around to the floor. At the top of the ramp the floor ends: the ramp comes down into the way. The
// floor and the ramp border on each other in the plan, and must not share a layer.
func TestRampFromAboveTheHead(t *testing.T) {
	s := &floortest.Scene{}
	high := floortest.Agent.Height
	const top, foot = 5.0, 12.2
	s.Floor(0, 0, top, 4, high)
	s.Quad(geom.FromGround(top, 0, high), geom.FromGround(foot, 0, 0), geom.FromGround(foot, 4, 0), geom.FromGround(top, 4, high))
	s.Floor(foot, -2, foot+1, 4, 0)
	s.Floor(0, -2, foot, 0, 0)
	s.Floor(0, 0, 6, 4, 0)
	read, err := soup.Read(&s.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e := layered(t, read, floortest.Agent)
	falls := func(i int) bool { v := e.soup.Triangles[i].V; return v[0].Z != v[1].Z || v[1].Z != v[2].Z }
	apart := map[int]bool{}
	for _, pair := range e.storeys {
		if e.layer[pair[0]] == e.layer[pair[1]] {
			t.Errorf("triangles %v are in one layer", pair)
		}
		apart[int(pair[1])] = true
	}
	ramps := 0
	for i := range e.exposed {
		if e.shows(int32(i)) && falls(i) {
			ramps++
			if !apart[i] {
				t.Errorf("triangle %d of the ramp may be in the layer of the floor before the ramp", i)
			}
		}
	}
	if ramps != 2 {
		t.Errorf("%d triangles of the ramp", ramps)
	}
}

// TestFindStack: a floor lies over another where a search from each triangle finds one, for all floors and for those of even
// numbers. A wide triangle low over the floor is no storey.
func TestFindStack(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(60) {
		s := &floortest.Scene{}
		r := rand.New(rand.NewPCG(seed, 12))
		s.Floor(0, 0, 8, 8, 0)
		for range 1 + r.IntN(3) {
			at := geom.Vec{X: 8 * r.Float64(), Y: 1.6 + 0.5*r.Float64(), Z: -8 * r.Float64()}
			s.Triangle(at, at.Add(geom.Vec{X: r.Float64()}), at.Add(geom.Vec{X: r.Float64(), Y: 0.4*r.Float64() - 0.2, Z: -r.Float64()}))
		}
		agent := floortest.Agent
		agent.Height = 1.8
		read, err := soup.Read(&s.Level, agent)
		if err != nil {
			t.Fatal(err)
		}
		e := newExtraction(read, agent)
		if err := e.plant(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if err := e.expose(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		for _, chosen := range []func(lower, upper int32) bool{nil, func(lower, upper int32) bool { return lower%2 == 0 && upper%2 == 0 }} {
			want := false
			for _, leaf := range e.floors.Leaves() {
				e.eachOver(&leaf, 1, nil, func(lower, upper int32) bool {
					want = want || chosen == nil || chosen(lower, upper)
					return true
				})
			}
			if got := e.findStack(chosen); got != want {
				t.Errorf("seed %d, chosen %t: a floor over another: %t, want %t", seed, chosen != nil, got, want)
			}
			answers[want]++
		}
	}
	if min(answers[false], answers[true]) < 10 {
		t.Errorf("the answers are %v", answers)
	}
}
