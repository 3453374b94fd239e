package workbench_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/view/workbench"
)

// walker is the place and state of a walker in a reply.
type walker struct{ X, Y, Z, State float32 }

func walkers(t *testing.T, body []byte, count int) []walker {
	t.Helper()
	list := make([]walker, count)
	if err := binary.Read(bytes.NewReader(body), binary.LittleEndian, list); err != nil || len(body) != 16*count {
		t.Fatalf("%d bytes for %d walkers: %v", len(body), count, err)
	}
	return list
}

// TestCrowdWalksRound: walkers from a source get through the door to a goal; when the door closes they go another way or wait, none stands in
// a crate that is dropped, and when the door opens they arrive again.
func TestCrowdWalksRound(t *testing.T) {
	b := built(t, "halls")
	west, east, _, _ := levelgen.HallsWalks()
	disc := func(x, y, z float64) []workbench.Disc {
		return []workbench.Disc{{At: [3]float64{x, y, z}, Radius: 2}}
	}
	crowd := workbench.Gathering{Walkers: 30, Sources: disc(west.X, west.Y, west.Z), Goals: disc(east.X, east.Y, east.Z), Seed: 4}
	do(t, b, "crowd", crowd, nil, nil)
	step := func(seconds float64) (workbench.Walked, []walker) {
		var w workbench.Walked
		body := do(t, b, "step crowd", workbench.Walking{Dt: 0.05, Steps: int(seconds / 0.05)}, nil, &w)
		return w, walkers(t, body, crowd.Walkers)
	}
	first, _ := step(30)
	if first.Arrived == 0 || first.Walkers == 0 || first.Microseconds <= 0 {
		t.Fatalf("after 30 s: %+v", first)
	}
	// A crate on the way of all: nobody walks into it.
	var made workbench.Changed
	crate := box("crate", [3]float64{(west.X + east.X) / 2, west.Y, (west.Z + east.Z) / 2})
	var list []workbench.Door
	do(t, b, "doors", nil, nil, &list)
	crate.At = [3]float64{list[0].High[0] + 2, west.Y, (list[0].Low[2] + list[0].High[2]) / 2}
	crate.Size = [3]float64{1, 1.5, 1}
	do(t, b, "change", workbench.Changing{Things: []workbench.Thing{crate}}, nil, &made)
	arrived := first.Arrived
	for range 40 {
		w, all := step(0.5)
		arrived = w.Arrived
		for i, a := range all {
			if a.State >= 0 && math.Abs(float64(a.X)-crate.At[0]) < 0.5 && math.Abs(float64(a.Z)-crate.At[2]) < 0.5 {
				t.Fatalf("walker %d stands in the crate, at %v", i, a)
			}
		}
	}
	if arrived <= first.Arrived {
		t.Error("nobody arrives behind the crate")
	}
	// Without any other way nobody arrives: the door and all links are closed.
	shut := workbench.Changing{Things: []workbench.Thing{crate}}
	for _, d := range list {
		if d.Kind != "carpet" {
			shut.Closed = append(shut.Closed, d.Name)
		}
	}
	do(t, b, "change", shut, nil, &made)
	before, _ := step(40) // those behind the door walk on, and make room for each other around the goal
	after, _ := step(20)
	if after.Arrived != before.Arrived {
		t.Errorf("%d walkers arrive behind closed doors", after.Arrived-before.Arrived)
	}
	do(t, b, "change", workbench.Changing{}, nil, &made)
	if open, _ := step(40); open.Arrived <= after.Arrived {
		t.Errorf("nobody arrives after the door is open again: %+v", open)
	}
	// Other goals, for the same walkers.
	crowd.Keep, crowd.Goals = true, nil
	do(t, b, "crowd", crowd, nil, nil)
	if w, _ := step(5); w.Walkers == 0 {
		t.Error("new goals have ended the crowd")
	}
	do(t, b, "crowd", workbench.Gathering{}, nil, nil)
	if _, err := try(t, b, "step crowd", workbench.Walking{Dt: 0.05, Steps: 1}, nil); err == nil {
		t.Error("a crowd without walkers walks")
	}
}

// TestWrongCrowds: what a page may not ask for is an error, and the crowd walks on.
func TestWrongCrowds(t *testing.T) {
	b := built(t, "arch")
	if _, err := try(t, b, "step crowd", workbench.Walking{Dt: 0.1, Steps: 1}, nil); err == nil || !strings.Contains(err.Error(), "no crowd") {
		t.Errorf("a step without a crowd: %v", err)
	}
	do(t, b, "crowd", workbench.Gathering{Walkers: 5}, nil, nil)
	for _, c := range []struct {
		name, want string
		args       any
	}{
		{"crowd", "walkers", workbench.Gathering{Walkers: -1}},
		{"crowd", "walkers", workbench.Gathering{Walkers: 1_000_000}},
		{"crowd", "radius", workbench.Gathering{Walkers: 1, Goals: []workbench.Disc{{Radius: -1}}}},
		{"crowd", "at most", workbench.Gathering{Walkers: 1, Sources: make([]workbench.Disc, 2000)}},
		{"step crowd", "steps", workbench.Walking{Dt: 0.1, Steps: 1 << 30}},
		{"step crowd", "steps", workbench.Walking{Dt: 0.1}},
		{"step crowd", "a step of -1 s", workbench.Walking{Dt: -1, Steps: 1}},
	} {
		if _, err := try(t, b, c.name, c.args, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: the error is %v, want one with %q", c.name, c.args, err, c.want)
		}
	}
	var w workbench.Walked
	walkers(t, do(t, b, "step crowd", workbench.Walking{Dt: 0.05, Steps: 10}, nil, &w), 5)
	if w.Walkers != 5 {
		t.Errorf("after wrong requests: %+v", w)
	}
}

// BenchmarkCrowd steps walkers in a generated city as a page does, 40 times a second: the time is that of one step of all.
func BenchmarkCrowd(b *testing.B) {
	for _, count := range []int{100, 500, 2000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			bench := workbench.New()
			ask := func(name string, args any) {
				text, err := json.Marshal(args)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bench.Do(b.Context(), workbench.Request{Name: name, Args: text}, nil); err != nil {
					b.Fatal(err)
				}
			}
			ask("generate", map[string]any{"kind": "city"})
			ask("build", map[string]any{})
			ask("crowd", workbench.Gathering{Walkers: count, Seed: 1})
			step := workbench.Walking{Dt: 1.0 / 40, Steps: 1}
			for range 200 { // until all have paths
				ask("step crowd", step)
			}
			b.ResetTimer()
			for range b.N {
				ask("step crowd", step)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*count), "µs/walker")
		})
	}
}
