package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// TestLevels verifies the promises of levels: they are the same every time, and rotations keep lengths.
func TestLevels(t *testing.T) {
	race.Skip(t)
	seen := map[string]int{}
	for _, c := range classes {
		for n := range uint64(40) {
			m := c.make(n)
			seen[m.kind]++
			if err := m.level.Validate(); err != nil {
				t.Errorf("%v: %v", m, err)
			}
			if err := m.agent.WithDefaults().Validate(); err != nil {
				t.Errorf("%v: %v", m, err)
			}
			if boxes := (len(m.level.Triangles) - facesOfFloor) / facesOfBox; c == scenes && (boxes < 20 || boxes > 200) {
				t.Errorf("%v: %d boxes", m, boxes)
			}
			if !reflect.DeepEqual(m, c.make(n)) {
				t.Errorf("%v is another one the second time", m)
			}
		}
	}
	if len(seen) != len(sceneKinds)+len(soupKinds)+len(walkers) {
		t.Errorf("kinds %v", seen)
	}
	for _, q := range []rotation{{1, 0, 0, 0}, {1, 0, 1, 0}, {3, -4, 7, 2}, {-2, 12, 0, 5}} {
		v := meadow.Vec{X: 1, Y: -2, Z: 3}
		if got := q.apply(v); abs(got.Norm()-v.Norm()) > 1e-12 || q == (rotation{1, 0, 0, 0}) && got != v {
			t.Errorf("%v turns %v to %v", q, v, got)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }

// TestBoxesAreClosed verifies that a box has its volume, which proves that all faces point outwards.
func TestBoxesAreClosed(t *testing.T) {
	b := builder{Level: &level.Level{}}
	b.box(meadow.Vec{X: 3, Y: 1, Z: -2}, meadow.Vec{X: 1, Y: 0.5, Z: 2}, rotation{3, 1, -2, 5})
	volume := 0.0
	for _, f := range b.Triangles {
		volume += b.Vertices[f.A].Dot(b.Vertices[f.B].Cross(b.Vertices[f.C])) / 6
	}
	if abs(volume-8) > 1e-9 {
		t.Errorf("a box of 8 m³ has %g", volume)
	}
}

// TestPlanFaultsAreFound spoils a plan of two layers and a seam in every way that is judged.
func TestPlanFaultsAreFound(t *testing.T) {
	good := func() *plan.Plan {
		square := func(x0, x1, component int32, seam int) plan.Domain {
			d := plan.Domain{Component: component}
			d.Rings = []lattice.Ring{{{X: x0}, {X: x1}, {X: x1, Y: 9}, {X: x0, Y: 9}}}
			d.Edges = [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}}
			d.Edges[0][seam] = 0
			return d
		}
		return &plan.Plan{
			Layers:     []plan.Layer{{Domains: []plan.Domain{square(0, 9, 0, 1)}}, {Domains: []plan.Domain{square(9, 20, 0, 3)}}},
			Chains:     []plan.Chain{{Points: []lattice.Point{{X: 9}, {X: 9, Y: 9}}, Left: plan.DomainID{}, Right: plan.DomainID{Layer: 1}}},
			Components: 1,
		}
	}
	if err := checkPlan(good()); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*plan.Plan){
		"layer 0, domain 0: lattice": func(p *plan.Plan) { p.Layers[0].Domains[0].Rings[0][2] = lattice.Point{} },
		"component 5 of 1":           func(p *plan.Plan) { p.Layers[1].Domains[0].Component = 5 },
		"has no domain":              func(p *plan.Plan) { p.Components = 2 },
		"no edge":                    func(p *plan.Plan) { p.Layers[0].Domains[0].Rings[0][2].Y++ },
		"on that side":               func(p *plan.Plan) { p.Chains[0].Left.Layer = 1 },
		"used 0 times":               func(p *plan.Plan) { p.Layers[1].Domains[0].Edges[0][3] = plan.Wall },
		"twice": func(p *plan.Plan) {
			p.Layers[0].Domains = append(p.Layers[0].Domains, p.Layers[1].Domains[0])
			p.Layers[0].Domains[1].Rings = []lattice.Ring{{{X: 5}, {X: 8}, {X: 8, Y: 5}, {X: 5, Y: 5}}}
			p.Layers[0].Domains[1].Edges = [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}}
		},
	} {
		p := good()
		spoil(p)
		if err := checkPlan(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is reported as %v", want, err)
		}
	}
}

// TestRun runs a small campaign on levels that are known to be good, from the command line down.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-first", "4", "-scenes", "2", "-soups", "12"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| scenes | turned about the vertical | 1 | 0 |", "| soups | scattered | 3 | 0 |", "| soups | needles | 3 | 0 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range [][]string{{"-scenes", "-1"}, {"-towers", "-1"}, {"-state", "/"}, {"-extractor", "voxel"}, {"-generator", "voronoy"}, {"x"}, {"-limit", "0s"}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestStateGoesOn stops a campaign in the middle of a line and runs it on: the tables equal those of an
// uninterrupted campaign, except times, and no level is judged twice. A state of other settings is refused.
func TestStateGoesOn(t *testing.T) {
	race.Skip(t)
	path := filepath.Join(t.TempDir(), "state.jsonl")
	args := func(stairwells, towers string) []string {
		return []string{"-first", "2", "-scenes", "0", "-soups", "0", "-stairwells", stairwells, "-towers", towers, "-all", "-dump", t.TempDir(), "-state", path}
	}
	var whole, log strings.Builder
	faults := run(t.Context(), args("4", "2"), &whole, &log)
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != 7 {
		t.Fatalf("%v, state\n%s", err, data)
	}
	cut := strings.LastIndex(strings.TrimSpace(string(data)), "\n") + 5
	if err := os.WriteFile(path, data[:cut], 0o666); err != nil {
		t.Fatal(err)
	}
	log.Reset()
	var again strings.Builder
	if err := run(t.Context(), args("4", "2"), &again, &log); (err == nil) != (faults == nil) {
		t.Errorf("%v, before %v", err, faults)
	}
	if strings.Contains(log.String(), "stairwells") || !strings.Contains(log.String(), "towers 3 to 3") {
		t.Errorf("not only the last tower is judged again:\n%s", log.String())
	}
	// The last columns are times.
	for i, line := range strings.Split(whole.String(), "\n") {
		got := strings.Split(strings.Split(again.String(), "\n")[i], "|")
		if want := strings.Split(line, "|"); len(want) != len(got) || len(want) > 13 && !reflect.DeepEqual(want[:13], got[:13]) {
			t.Errorf("%q, before %q", got, want)
		}
	}
	if err := run(t.Context(), append(args("4", "2"), "-generator", "anavmg"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "another campaign") {
		t.Errorf("the state of another method: %v", err)
	}
}

// TestLawsAreTold finds the law of faults, and the components on paper are judged.
func TestLawsAreTold(t *testing.T) {
	for _, l := range laws {
		if got := law(errors.New("x " + l.text + " y")); got != l.law {
			t.Errorf("%q breaks %q", l.text, got)
		}
	}
	if got := law(errors.New("best: no cell")); got != "the method decomposes the floor" {
		t.Errorf("an error of a method breaks %q", got)
	}
	s, err := parse(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	m := towers.make(3)
	m.components++
	v := judge(t.Context(), m, s.opt)
	if v.fault == nil || law(v.fault) != laws[0].law {
		t.Errorf("a tower with a component more: %v", v.fault)
	}
	var all results
	var out strings.Builder
	all.add(v.record())
	if err := all.markdown(&out); err != nil || !strings.Contains(out.String(), "| towers | radius 0.4 m | components are those on paper | 1 | 100.00 |") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestScenesOnceAtFault runs scenes that versions before were at fault with, each for another reason.
func TestScenesOnceAtFault(t *testing.T) {
	race.Skip(t)
	s, err := parse(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []uint64{110893, 501867, 505851, 906064, 907729, 2004221} {
		if v := judge(t.Context(), scenes.make(n), s.opt); v.fault != nil || v.empty {
			t.Errorf("%v: %v", v.made, v.fault)
		}
	}
}

// TestFirstFaultStops verifies that a fault ends the campaign and leaves its level behind, and that endless
// work is a fault too.
func TestFirstFaultStops(t *testing.T) {
	folder := t.TempDir()
	s, err := parse([]string{"-scenes", "2", "-soups", "0", "-dump", folder, "-limit", "1ns"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if err := s.run(t.Context(), io.Discard, &log); err == nil || !strings.Contains(err.Error(), "-first 0 -scenes 1 -soups 0 -stairwells 0 -towers 0") || !strings.Contains(log.String(), "scene 0 (turned") {
		t.Errorf("error %v after\n%s", err, log.String())
	}
	data, err := os.ReadFile(filepath.Join(folder, "extraction-scene-0.obj"))
	if err != nil || !strings.Contains(string(data), "\nf ") {
		t.Errorf("the level is not kept: %v, %d bytes", err, len(data))
	}
	s.all, s.limit = true, time.Minute
	m := scenes.make(0)
	m.level.Triangles[0].A = 1 << 30
	if v := judge(context.Background(), m, s.opt); v.fault == nil || !strings.Contains(v.fault.Error(), "triangle 0") {
		t.Errorf("a broken level: %v", v.fault)
	}
	// A level without a floor reports so, which is no fault.
	m = scenes.make(0)
	m.agent.Radius = 50
	if v := judge(context.Background(), m, s.opt); v.fault != nil || !v.empty {
		t.Errorf("no room: %+v", v.fault)
	}
}

// TestShrink reduces a level to the boxes behind a fault: here none, because the fault is a limit of time.
func TestShrink(t *testing.T) {
	s, err := parse([]string{"-limit", "1ns"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	m := scenes.make(0)
	v := s.shrink(t.Context(), verdict{made: m, fault: errors.New("not done after 1ns")})
	if n := len(v.made.level.Triangles); n != facesOfFloor {
		t.Errorf("%d triangles are left of %d: %v", n, len(m.level.Triangles), v.fault)
	}
	// A fault of only the whole level is not shrunk.
	s.limit = time.Minute
	whole := verdict{made: scenes.make(4), fault: errors.New("mesh: no such fault")}
	whole.made.level.Triangles = whole.made.level.Triangles[:facesOfFloor+3*facesOfBox]
	if v := s.shrink(t.Context(), whole); len(v.made.level.Triangles) != len(whole.made.level.Triangles) || v.fault != whole.fault {
		t.Errorf("%d triangles are left: %v", len(v.made.level.Triangles), v.fault)
	}
}
