package script_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// halls makes a runner for the level of two halls with a door.
func halls(t *testing.T) *script.Runner {
	t.Helper()
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return runner(t, lvl)
}

// runner makes a runner for a level.
func runner(t *testing.T, lvl *level.Level) *script.Runner {
	t.Helper()
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(t.Context(), m.Mesh, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &script.Runner{World: w, Base: m.Mesh}
}

func run(t *testing.T, r *script.Runner, text string) (script.Report, error) {
	t.Helper()
	s, err := script.Parse(strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Run(t.Context(), s)
}

// TestExpectations: every expectation that is true holds, and every one that is false is told with its line.
func TestExpectations(t *testing.T) {
	const before = "path -6,0,5 6,0,5\n"
	const shut = "close door\nclose ladder\nclose lift\n"
	const with = "put a box -6,0,4 size 1,1,1\nput b box -6,0,4 size 1,1,1\n"
	for _, c := range []struct{ text, failure string }{
		{before + "expect length 15 ±1", ""},
		{before + "expect length 20 ±0.1", "length is"},
		{before + "expect cost 20", "cost is"},
		{before + "expect no path", "there is a path of"},
		{shut + before + "expect length 3", "there is no path, expected length 3"},
		{shut + before + "expect no path", ""},
		{shut + "open door\n" + before + "expect length 15 ±1", ""},
		{with + "blocked -6,0,4\nexpect by a b", ""},
		{with + "blocked -6,0,4\nexpect by b", "the names are [a b], expected [b]"},
		{with + "blocked -6,0,4\nexpect nothing", "the answer is by a b, expected nothing"},
		{with + "blocked 6,0,4\nexpect nothing", ""},
		{with + "onway -6,0,6 -6,0,4 -6,0,2\nexpect by a b", ""},
		{with + "onway 6,0,6 6,0,4\nexpect by a", "the names are [], expected [a]"},
		{with + "locate -6,0,4\nexpect nothing", ""},
		{with + "locate -6,0,4\nexpect at -6,0,4", "there is no place"},
		{with + "locate -6,0,6\nexpect at -6,0,6", ""},
		{with + "nearest -6,0,6\nexpect at -6,0,5.9", "the place is (-6.000, 0.000, 6.000), 0.1 m from"},
		{with + "nearest -6,9,6 within 1\nexpect nothing", ""},
		{with + "free -6,0,4 within 3\nexpect nothing", "the answer is at"},
		{with + "raycast -6,0,6 -6,0,2\nexpect hit", ""},
		{with + "raycast -6,0,6 -6,0,2\nexpect clear", "the ray ends hit at"},
		{with + "expect things a b", ""},
		{with + "expect things a", "the names are [a b], expected [a]"},
		{with + "expect same\nexpect faults 0", ""},
		{"expect regions 1", "number of regions is"},
		{"expect area 1", "area is"},
		{"expect faults 3", "number of faults is 0, expected 3"},
		{with + "put a box 0,0,0 size 1,1,1\nexpect error taken", ""},
		{with + "put a box 0,0,0 size 1,1,1\nexpect error missing", `is taken", expected "missing"`},
		{with + "expect error taken", `there is no error, expected "taken"`},
	} {
		r, err := run(t, halls(t), c.text)
		switch {
		case err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.failure == "" && len(r.Failures) > 0:
			t.Errorf("%q: %v", c.text, r.Failures)
		case c.failure != "" && (len(r.Failures) != 1 || !strings.Contains(r.Failures[0].String(), c.failure)):
			t.Errorf("%q: failures %v, want %q", c.text, r.Failures, c.failure)
		case c.failure != "" && r.Failures[0].Line != strings.Count(c.text, "\n")+1:
			t.Errorf("%q: failure of line %d", c.text, r.Failures[0].Line)
		}
	}
}

// TestRunErrors: a command that fails ends the run and names its line, and so does an expectation without its question.
func TestRunErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"area\ntake ghost\narea", `line 2: world: edit 0: no thing has the id "ghost"`},
		{"path 500,0,0 0,0,0", "line 1: query: "},
		{"raycast 500,0,0 0,0,0", "line 1: "},
		{"radius 3", "line 1: world: no mesh for the radius 3 m"},
		{"render a.png", "line 1: no pictures can be drawn here"},
		{"area\nexpect length 3", "line 2: expect length: the command above is no question for it"},
		{"put a box 0,0,0 size 1,1,1\nexpect hit", "line 2: expect hit: the command above"},
	} {
		if _, err := run(t, halls(t), c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := (&script.Runner{}).Run(t.Context(), nil); err == nil {
		t.Error("a runner without a world runs")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s := script.Script{{Line: 1, Do: script.Ask{Question: script.AskArea}}}
	if _, err := halls(t).Run(ended, s); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// TestRunCalls: pictures get the snapshots around the last change, After every change, Out every command.
func TestRunCalls(t *testing.T) {
	r := halls(t)
	var out strings.Builder
	var lines []int
	var pictures []string
	r.Out = &out
	r.After = func(line int, s *world.Snapshot) error { lines = append(lines, line); return nil }
	r.Render = func(_ context.Context, file string, p script.Picture) error {
		pictures = append(pictures, file)
		if p.Now.Sequence() != 2 || p.Before.Sequence() != 1 || p.Change.Sequence != 2 || len(p.Change.Boxes) == 0 {
			t.Errorf("a picture of snapshots %d and %d, change %+v", p.Before.Sequence(), p.Now.Sequence(), p.Change)
		}
		return nil
	}
	report, err := run(t, r, "put a box -6,0,4 size 1,1,1\nbatch\n  take a\n  put b box 6,0,4 size 1,1,1\nend\nrender now.svg\nthings\nexpect things b")
	if err != nil || len(report.Failures) > 0 || report.Commands != 5 || report.Changes != 2 || report.Expectations != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if !slices.Equal(lines, []int{1, 2}) || !slices.Equal(pictures, []string{"now.svg"}) {
		t.Errorf("changes of lines %v, pictures %v", lines, pictures)
	}
	for i, want := range []string{"1: change 1: put a box", "2: change 2: 2 edits", "6: picture now.svg", "7: b"} {
		if got := strings.Split(out.String(), "\n")[i]; !strings.HasPrefix(got, want) {
			t.Errorf("line %q, want %q", got, want)
		}
	}
	stop := errors.New("stop")
	r = halls(t)
	r.After = func(int, *world.Snapshot) error { return stop }
	if _, err := run(t, r, "put a box -6,0,4 size 1,1,1"); !errors.Is(err, stop) {
		t.Errorf("an error of After: %v", err)
	}
}

// TestSameFindsDifferences compares a snapshot with a world over another base.
func TestSameFindsDifferences(t *testing.T) {
	r := halls(t)
	if _, err := r.World.Apply(t.Context(), world.Put{ID: "a", Solid: world.Cylinder{Base: geom.Vec{X: -6}, Radius: 1, Height: 1}}); err != nil {
		t.Fatal(err)
	}
	if text, err := script.Same(t.Context(), r.Base, r.Options, r.World.Now()); err != nil || text != "" {
		t.Errorf("a good world: %q, %v", text, err)
	}
	other := *r.Base
	other.Agent.Height = 2.5
	if text, err := script.Same(t.Context(), &other, r.Options, r.World.Now()); err != nil || !strings.Contains(text, "other bytes") {
		t.Errorf("another base: %q, %v", text, err)
	}
}

// TestExamples runs the scripts of examples/world, whose expectations hold.
func TestExamples(t *testing.T) {
	folder := filepath.Join("..", "..", "examples", "world")
	for name, make := range map[string]func(t *testing.T) *script.Runner{
		"halls.txt": halls,
		"drawbridge.txt": func(t *testing.T) *script.Runner {
			lvl, err := meadow.Open(filepath.Join(folder, "drawbridge.obj"))
			if err != nil {
				t.Fatal(err)
			}
			return runner(t, lvl)
		},
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		r := make(t)
		r.Render = func(context.Context, string, script.Picture) error { return nil }
		report, err := run(t, r, string(text))
		if err != nil || len(report.Failures) > 0 || report.Expectations < 4 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}
