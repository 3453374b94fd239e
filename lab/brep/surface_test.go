package brep

import (
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/level"
)

// The plan of a mesh is valid, has a domain for each region and the area of all regions seen from above, and no two
// domains of a layer overlap.
func TestSurfacePlan(t *testing.T) {
	for seed := range uint64(scenes(t, 4)) {
		s := scattered(seed, 30)
		m, err := NewMesh(t.Context(), &s.Level, floortest.Agent, MeshOptions{JumpReach: 1, JumpHeight: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Plan(floortest.Agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		floortest.CheckPlan(t, p)
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		want := 0.0
		for _, r := range m.Regions {
			ring := make(lattice.Ring, len(r.Corners))
			for k, id := range r.Corners {
				ring[k] = m.Vertices[id].Point
			}
			want += float64(ring.Area2()) / 2 * lattice.Unit * lattice.Unit
		}
		if got := floortest.Area(p); math.Abs(got-want) > 1e-3*want {
			t.Errorf("scene %d: %.3f m², want %.3f", seed, got, want)
		}
		domains, shared := 0, 0
		for l := range p.Layers {
			layer := &p.Layers[l]
			domains += len(layer.Domains)
			for i := range layer.Domains {
				for k := range i {
					if overlap(layer.Domains[i].Rings[0], layer.Domains[k].Rings[0]) {
						t.Fatalf("scene %d: domains %d and %d of layer %d overlap", seed, k, i, l)
					}
				}
			}
		}
		for _, l := range m.Links {
			if l.Kind == Shared {
				shared++
			}
		}
		if domains < len(m.Regions)*95/100 || len(p.Chains) < shared*95/100 || len(p.Links) == 0 {
			t.Errorf("scene %d: %d domains of %d regions, %d chains of %d shared stretches, %d links",
				seed, domains, len(m.Regions), len(p.Chains), shared, len(p.Links))
		}
	}
}

// Parts of the plan are the parts of the mesh: the largest alone, all, those above an area, or those at places.
func TestSurfaceComponents(t *testing.T) {
	s := &scene{level.Level{Name: "plates"}}
	s.block(0, 0, -1, 10, 10, 0)
	s.block(11, 0, -1, 16, 10, 0)
	s.block(18, 0, -1, 20, 10, 0)
	agent := floortest.Agent
	for _, c := range []struct {
		how   MeshOptions
		opt   floorplan.Options
		parts int
		area  float64
	}{
		{MeshOptions{}, floorplan.Options{}, 1, 100},
		{MeshOptions{}, floorplan.Options{KeepAll: true}, 3, 170},
		{MeshOptions{}, floorplan.Options{KeepArea: 30}, 2, 150},
		{MeshOptions{}, floorplan.Options{Keep: []geom.Vec{geom.FromGround(19, 5, 0.5)}}, 1, 20},
		{MeshOptions{JumpReach: 1.25}, floorplan.Options{}, 1, 150},
		{MeshOptions{JumpReach: 2.25}, floorplan.Options{}, 1, 170},
	} {
		p, err := Surface{c.how}.Extract(t.Context(), &s.Level, agent, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := floortest.Area(p); p.Components != c.parts || math.Abs(got-c.area) > 0.01 {
			t.Errorf("%+v, %+v: %d components of %.2f m², want %d of %.2f", c.how, c.opt, p.Components, got, c.parts, c.area)
		}
		left := 0.0
		for _, d := range p.Dropped {
			left += d.Area
		}
		if math.Abs(left-(170-c.area)) > 0.01 {
			t.Errorf("%+v, %+v: %.2f m² dropped", c.how, c.opt, left)
		}
	}
	for _, place := range []geom.Vec{geom.FromGround(10.5, 5, 0.5), geom.FromGround(5, 5, 4), geom.FromGround(5, 5, -1), {X: math.NaN()}} {
		_, err := Surface{}.Extract(t.Context(), &s.Level, agent, floorplan.Options{Keep: []geom.Vec{place}})
		if err == nil {
			t.Errorf("no error for a part at %v", place)
		}
	}
	if _, err := (Surface{MeshOptions{JumpReach: -1}}).Extract(t.Context(), &s.Level, agent, floorplan.Options{}); err == nil || !strings.Contains(err.Error(), "-1") {
		t.Errorf("got %v", err)
	}
}

// A jump and a step are links both ways, between places that face each other, with the cost of the way and half of its
// width.
func TestSurfaceJumps(t *testing.T) {
	s := &scene{level.Level{Name: "jump"}}
	s.block(0, 0, -1, 10, 4, 0)
	s.block(11, 1, -1, 20, 5, 0.25)
	p, err := Surface{MeshOptions{JumpReach: 1.5, JumpHeight: 0.5}}.Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Links) != 2 {
		t.Fatalf("%d links", len(p.Links))
	}
	if first := p.Links[0].Start[0]; p.Links[1].End[0] != first {
		t.Errorf("the way back ends at %v, not %v", p.Links[1].End[0], first)
	}
	cost := math.Hypot(1, 0.25)
	for i, k := range p.Links {
		for e := range 2 {
			a, b := p.Frame.ToWorld(k.Start[e].Point, k.Start[e].Z), p.Frame.ToWorld(k.End[e].Point, k.End[e].Z)
			if a.X > b.X {
				a, b = b, a
			}
			if math.Abs(a.X-10) > 0.001 || math.Abs(b.X-11) > 0.001 || math.Abs(a.Z-b.Z) > 0.001 || math.Abs(b.Y-a.Y-0.25) > 0.001 {
				t.Errorf("link %d leads from %v to %v", i, a, b)
			}
		}
		if k.Kind != plan.Jump || math.Abs(k.Cost-cost) > 0.001 || k.Clearance != int32(1.5*lattice.UnitsPerMetre) {
			t.Errorf("link %d: %+v", i, k)
		}
	}
	if p.Links[0].From == p.Links[0].To || p.Links[0].From != p.Links[1].To || p.Links[0].To != p.Links[1].From {
		t.Errorf("%+v", p.Links)
	}
}
