package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/geom"
)

func quick(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"-examples", filepath.Join("..", "..", "..", "examples", "crowd"), "-peers=false", "-quick"}, args...), &out, io.Discard)
	return out.String(), err
}

// TestRunGoesOn measures a case, and goes on from the state without a second measurement.
func TestRunGoesOn(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	first, err := quick(t, "-part", "quality", "-only", "squeeze", "-state", state)
	if err != nil || !strings.Contains(first, "| squeeze | 2 of 2, ") {
		t.Fatalf("%s\nerror %v", first, err)
	}
	before, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	again, err := quick(t, "-part", "quality", "-only", "squeeze", "-state", state)
	if err != nil || again != first {
		t.Errorf("the second run prints\n%s\nerror %v", again, err)
	}
	if after, err := os.ReadFile(state); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the second run writes %d bytes, error %v", len(after)-len(before), err)
	}
	if table, err := quick(t, "-part", "quality", "-only", "squeeze", "-table"); err != nil || !strings.Contains(table, "| squeeze | – |") {
		t.Errorf("no state: %s, error %v", table, err)
	}
}

// TestCases lists all cases: each is a scenario, and each name is there once.
func TestCases(t *testing.T) {
	for _, size := range []bool{false, true} {
		s := settings{parts: strings.Join(parts, ","), levels: t.TempDir(), examples: filepath.Join("..", "..", "..", "examples", "crowd"), peers: true, quick: size}
		cases, err := s.cases()
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		safety := 0
		for _, c := range cases {
			if names[c.part+c.name] {
				t.Errorf("two cases of %s are called %s", c.part, c.name)
			}
			names[c.part+c.name] = true
			sc, err := scenario.Parse(strings.NewReader(c.text))
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if c.part == "safety" {
				safety++
			}
			if len(sc.Changes) > 0 && len(c.systems) != 1 {
				t.Errorf("%s changes the world, and other systems take part", c.name)
			}
		}
		if safety != 20 {
			t.Errorf("%d scenarios of safety", safety)
		}
	}
}

// TestBadFlags: faults of flags and of the state.
func TestBadFlags(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(state, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-part joy": `no part "joy"`, "-only nothing": "no case", "-limit 0s": "must be above 0", "more": "more", "-state " + state: state,
	} {
		if _, err := quick(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
}

// peerCast is a cast of two agents for two steps.
func peerCast() *scenario.Cast {
	actor := func(id uint64, x float64, then scenario.Then) scenario.Actor {
		return scenario.Actor{ID: id, At: geom.Vec{X: x}, Goals: []geom.Vec{{X: -x, Y: 0.1}}, Then: then, Radius: 0.3, Height: 1.8, Speed: 1.4, Acceleration: 8}
	}
	return &scenario.Cast{Scenario: &scenario.Scenario{}, Actors: []scenario.Actor{actor(1, 2, scenario.Stay), actor(2, -2, scenario.Again)}, Steps: 2, Dt: 0.05, Arrive: 0.5}
}

// TestProtocol writes a cast, and reads steps as a peer writes them.
func TestProtocol(t *testing.T) {
	c := peerCast()
	var text bytes.Buffer
	if err := writeCast(&text, c); err != nil {
		t.Fatal(err)
	}
	want := "agents 2 steps 2 dt 0.05 arrive 0.5\n0.3 1.8 1.4 8 0 0 2 0 0 1 -2 0.1 0\n0.3 1.8 1.4 8 0 2 -2 0 0 1 2 0.1 0\n"
	if text.String() != want {
		t.Errorf("the cast is\n%s\nwant\n%s", &text, want)
	}

	s, err := scenario.Parse(strings.NewReader("floor -5,-5 5,5\nbox all -4,-4 4,4\ncrowd a 2 in all to all"))
	if err != nil {
		t.Fatal(err)
	}
	st, err := (&settings{}).stage(t.Context(), theCase{text: "floor -5,-5 5,5\nbox all -4,-4 4,4\ncrowd a 2 in all to all"}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c.Scenario = s
	steps := func(states ...uint32) *bytes.Buffer {
		b := bytes.NewBufferString("{}\n")
		for k := 0; k < len(states); k += 2 {
			record := binary.LittleEndian.AppendUint64(nil, math.Float64bits(6))
			for i := range 2 {
				for _, v := range []float32{float32(i), 0.5, 1} {
					record = binary.LittleEndian.AppendUint32(record, math.Float32bits(v))
				}
				record = binary.LittleEndian.AppendUint32(record, states[k+i])
			}
			b.Write(record)
		}
		return b
	}
	m := meter{judge: scenario.NewJudge(c, st.mesh.Index())}
	if err := readSteps(bufio.NewReader(steps(1<<24, 2<<24, 1<<24, 1<<24)), c, &m); err != nil {
		t.Fatal(err)
	}
	r := m.judge.Report()
	if m.steps != 2 || m.spent[0] != 3 || m.path[0] != 6 || r.AgentSteps != 4 || r.Waiting != 0.25 || r.OverlapMax != 0 {
		t.Errorf("%d steps, %v and %v µs, %+v", m.steps, m.spent, m.path, r)
	}
	for name, in := range map[string]*bytes.Buffer{"short": steps(1<<24, 1<<24), "an unknown state": steps(9<<24, 0, 0, 0), "nothing": {}} {
		if err := readSteps(bufio.NewReader(in), c, &meter{judge: scenario.NewJudge(c, st.mesh.Index())}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestTables prints outcomes of every part, with the worst first.
func TestTables(t *testing.T) {
	at := func(part, name, system string, p50, path float64, overlap float64) outcome {
		o := outcome{Part: part, Name: name, System: system, P50: p50, Path: path, Area: 10}
		o.Report.OverlapMax, o.Report.Agents, o.Report.AgentSteps = overlap, 5, 100
		return o
	}
	done := []outcome{
		at("cost", "a", ours, 1, 3, 0), at("cost", "a", dt, 4, 8, 0), at("cost", "b", ours, 2, 2, 0),
		at("safety", "c", ours, 1, 1, 0.001), at("safety", "d", ours, 1, 1, 0.002),
		{Part: "cost", Name: "b", System: dt, Error: "no mesh"},
	}
	var out bytes.Buffer
	if err := tables(&out, []theCase{{part: "cost", name: "a"}, {part: "cost", name: "b"}, {part: "safety", name: "c"}, {part: "safety", name: "d"}}, done); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"| b | 0.50 | 2.00 | 0.00 | failed | 2.00, failed | – | – |", "| a | 0.50 | 1.00 | 0.00 | 4.00 | 3.00, 8.00 | 0.38 | – |", "| d | 100 | 2.0, – |", "\n200 steps of agents in all.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Index(text, "| b |") > strings.Index(text, "| a |") || strings.Index(text, "| d |") > strings.Index(text, "| c |") {
		t.Errorf("the worst is not first:\n%s", text)
	}
}
