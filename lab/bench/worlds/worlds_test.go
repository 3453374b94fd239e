package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

var agent = meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)}

// hall returns a mesh of a hall with pillars, and the OBJ file of its level.
func hall(t *testing.T, size float64) (*meadow.Mesh, string) {
	t.Helper()
	lvl, err := levelgen.Generate("pillars", levelgen.Options{Seed: 1, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hall.obj")
	if err := meadow.SaveLevel(file, lvl); err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	return mesh, file
}

// TestPlaces checks that obstacles stand on the floor, that the ends of their paths are free places on opposite sides, and
// that the places depend on the seed only.
func TestPlaces(t *testing.T) {
	mesh, _ := hall(t, 0)
	q := mesh.NewQuery()
	places, err := drawPlaces(q, agent.Radius, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	beside, far := 0, 0
	for i, p := range places {
		at, ok := q.Locate(p.at)
		if !ok {
			t.Fatalf("place %d is off the mesh: %v", i, p.at)
		}
		d := flat(p.at, p.moved)
		if _, ok := q.Locate(p.moved); !ok || d > 2*cylinderRadius+0.01 {
			t.Errorf("place %d moves by %v m to %v", i, d, p.moved)
		}
		if d > 2*cylinderRadius-0.02 {
			far++
		}
		for _, end := range []geom.Vec{p.a, p.b} {
			ray, err := q.Raycast(at, end)
			if _, ok := q.Locate(end); !ok || err != nil || ray.Hit || flat(p.at, end) > aside+0.01 {
				t.Errorf("place %d: end %v is %v m away, hit %v, error %v", i, end, flat(p.at, end), ray.Hit, err)
			}
			if p.beside && flat(p.at, end) < cylinderRadius+agent.Radius {
				t.Errorf("place %d: end %v is inside of the grown obstacle", i, end)
			}
		}
		if p.beside {
			beside++
			if sum := flat(p.a, p.b) - flat(p.a, p.at) - flat(p.at, p.b); sum < -0.01 {
				t.Errorf("place %d: the ends are not opposite: %v", i, sum)
			}
		}
	}
	if beside < 150 || far < 120 {
		t.Errorf("only %d of 200 places have free ends, and %d move by a diameter", beside, far)
	}
	again, err := drawPlaces(mesh.NewQuery(), agent.Radius, 200, 1)
	if err != nil || !slices.Equal(again, places) {
		t.Errorf("another draw differs, error %v", err)
	}
	other, err := drawPlaces(q, agent.Radius, 200, 2)
	if err != nil || other[0] == places[0] {
		t.Errorf("another seed gives the same place, error %v", err)
	}
}

// scripted is a contender that keeps a record and gives fixed answers.
type scripted struct {
	label  string
	record *[]string
	err    error
	free   int // the first places are free, and blocked by their obstacle
}

func (s scripted) name() string { return s.label }

func (s scripted) ones(_ context.Context, places []place) ([]one, error) {
	*s.record = append(*s.record, fmt.Sprintf("%s%v", s.label, places[0].at.X))
	all := make([]one, len(places))
	for i, p := range places {
		known := p.at.X < float64(s.free)
		all[i] = one{change: [3]float64{p.at.X, 1, 2}, path: [3]float64{10, 20, 30}, free: known, blocked: known, back: true}
	}
	return all, s.err
}

func (s scripted) batch(_ context.Context, places []place) (Batch, error) {
	*s.record = append(*s.record, fmt.Sprintf("%s:%d", s.label, len(places)))
	return Batch{InUS: float64(len(places)) * places[0].at.X, Lost: 1}, nil
}

// TestTurns checks the order of turns, that the first turn does not count, that a contender that cannot take a level has no
// figures and ends nothing, and that batches hold the obstacles that block their place.
func TestTurns(t *testing.T) {
	var places []place
	for i := range 200 {
		places = append(places, place{at: geom.Vec{X: float64(i)}})
	}
	var record []string
	s := settings{block: 100}
	figures, err := s.measureSingles(t.Context(), []contender{
		scripted{label: "a", record: &record, free: 150}, scripted{label: "b", record: &record, err: unable{errors.New("too large")}}, scripted{label: "c", record: &record},
	}, places, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a0", "b0", "c0", "c0", "a0", "a100", "c100", "a:64", "a:64", "a:150"}
	if !slices.Equal(record, want) {
		t.Errorf("turns %v, want %v", record, want)
	}
	a := figures[0]
	if a.Singles.Obstacles != 200 || a.Singles.In.Change != (Micros{100, 198, 99.5}) || a.Singles.In.Both != (Micros{110, 208, 109.5}) || a.Singles.Free != 150 {
		t.Errorf("singles %+v", a.Singles)
	}
	if len(a.Batches) != 2 || a.Batches[0].Total != 128 || a.Batches[0].Lost != 2 || a.Batches[0].InUS != 64 || a.Batches[1].Size != 150 {
		t.Errorf("batches %+v", a.Batches)
	}
	if figures[1].Failed != "too large" || len(figures[2].Batches) != 0 {
		t.Errorf("others %+v", figures[1:])
	}
	if _, err := s.measureSingles(t.Context(), []contender{scripted{label: "x", record: &record, err: errors.New("broken")}}, places, io.Discard); err == nil || !strings.Contains(err.Error(), "x: broken") {
		t.Errorf("a fault: error %v", err)
	}
}

// TestSummary counts what is lost.
func TestSummary(t *testing.T) {
	s := summarize([]one{
		{free: true, blocked: true, back: true, found: [3]bool{true, true, true}},
		{free: true, blocked: false, back: true, found: [3]bool{true, false, true}},
		{free: true, blocked: true, back: false},
		{free: false, blocked: false, back: false},
	})
	if s.Free != 3 || s.Lost != 1 || s.Ghosts != 1 || s.In.Found != 2 || s.Move.Found != 1 || s.Out.Found != 2 {
		t.Errorf("got %+v", s)
	}
}

// figured is a level on which changes take a time.
func figured(name string, regions int, us float64) Level {
	step := Step{Both: Micros{us, 2 * us, us}, Change: Micros{us, us, us}, Path: Micros{1, 1, 1}}
	return Level{
		Name: name, Regions: regions, WorldMS: 1,
		Contenders: []Contender{
			{Name: "Meadow", Singles: Singles{Obstacles: 1, In: step, Move: step, Out: step}, Batches: []Batch{{Size: 64, InUS: us, EachInUS: 100}}},
			{Name: "tile cache", Failed: "too large"},
		},
		Readers: &Readers{Alone: 100, Beside: 100 - us}, Wear: &Wear{Heap: []float64{1, 2}, Regions: int(us), Anew: 10},
	}
}

// TestTables reads the order of levels and the number of columns.
func TestTables(t *testing.T) {
	res := Results{Agent: agent, Levels: []Level{figured("quick", 10, 20), figured("slow", 40, 80), {Name: "empty", Failed: "no floor"}, figured("fair", 20, 50)}}
	var out strings.Builder
	if err := res.markdown(&out); err != nil {
		t.Fatal(err)
	}
	crowds := Results{Crowds: []Crowd{{Standing: 5, Singles: figured("", 1, 20).Contenders[0].Singles}, {Standing: 9, Singles: figured("", 1, 50).Contenders[0].Singles}}}
	var text strings.Builder
	if err := crowds.markdown(&text); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Split(text.String(), "\n| "); len(rows) != 4 || !strings.HasPrefix(rows[3], "9 |") || !strings.Contains(rows[3], "| 2.50 |") {
		t.Errorf("%d rows:\n%s", len(rows), text.String())
	}
	crowds.Crowds[1].Singles.Ghosts = 2
	if err := crowds.faults(); err == nil || !strings.Contains(err.Error(), "crowd of 9: 2 faults") {
		t.Errorf("error %v", err)
	}
	tables := strings.Split(out.String(), "\n### ")[1:]
	if len(tables) != 6 {
		t.Errorf("%d tables:\n%s", len(tables), out.String())
	}
	for _, text := range tables {
		lines := strings.Split(text, "\n")
		var names []string
		columns := 0
		for _, line := range lines {
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			switch {
			case len(cells) < 2:
			case columns == 0:
				columns = len(cells)
			case len(cells) != columns:
				t.Errorf("%d columns, want %d: %s", len(cells), columns, line)
			default:
				names = append(names, cells[0])
			}
		}
		names = slices.Compact(names)
		if want := []string{"slow", "fair", "quick"}; !slices.Equal(names, want) && !slices.Equal(names, []string{"Meadow", "tile cache"}) {
			t.Errorf("rows %v, want %v:\n%s", names, want, text)
		}
	}
	for _, want := range []string{"Growth from quick, 10 regions, to slow, 40 regions, by medians: Meadow in 4.00 move 4.00 out 4.00;", "empty: no floor.", "slow, tile cache: too large."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestFaultsEndTheRun plants each kind of fault of Meadow; the peer's losses are no faults.
func TestFaultsEndTheRun(t *testing.T) {
	good := figured("good", 1, 1)
	good.Contenders[1].Batches = []Batch{{Lost: 3}}
	res := Results{Levels: []Level{good, {Name: "empty"}}}
	if err := res.faults(); err != nil {
		t.Errorf("no fault: %v", err)
	}
	for name, plant := range map[string]func(*Level){
		"lost":         func(l *Level) { l.Contenders[0].Singles.Lost = 1 },
		"ghost":        func(l *Level) { l.Contenders[0].Singles.Ghosts = 1 },
		"batch lost":   func(l *Level) { l.Contenders[0].Batches[0].Lost = 1 },
		"batch ghosts": func(l *Level) { l.Contenders[0].Batches[0].Ghosts = 1 },
		"wear":         func(l *Level) { l.Wear.Faults = 1 },
	} {
		l := figured("bad", 1, 1)
		plant(&l)
		res := Results{Levels: []Level{l}}
		if err := res.faults(); err == nil || !strings.Contains(err.Error(), "bad: 1 faults") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-parts nothing": `part "nothing"`, "-obstacles 0": "-obstacles 0", "-block 201": "-block 201", "-map-count -1": "-map-count",
		"-window 0s": "-window", "-radius -2": "radius", "-slope 95": "slope", "-more": "-more", "-tilecache none": "make -C",
		"-tilecache= -only nothing": "no levels", "-crowds 3,x": `-crowds "3,x"`, "-crowds 0": `-crowds "0"`, "-crowd-side NaN": "-crowd-side", "-tilecache= -tower x": "not an option with a number",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

// TestRun measures every part on a small hall. A lost obstacle, or a world that differs from a world made anew, is an error of the
// run.
func TestRun(t *testing.T) {
	_, file := hall(t, 20)
	var out strings.Builder
	args := []string{"-tilecache", "", "-obstacles", "70", "-readers", "4", "-rounds", "1", "-window", "20ms", "-changes", "200", "-things", "20", "-crowds", "5,30", "-crowd-side", "40", "-json", file}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var res Results
	if err := json.Unmarshal([]byte(out.String()), &res); err != nil || len(res.Levels) != 1 {
		t.Fatalf("%d levels, error %v", len(res.Levels), err)
	}
	if c := res.Crowds; len(c) != 2 || c[0].Standing != 5 || c[1].Standing != 30 || c[0].Regions < 10 || c[1].Regions < 2*c[0].Regions ||
		c[1].Singles.Obstacles != 70 || c[1].Singles.Free < 20 || c[1].Singles.Free >= c[0].Singles.Free || !(c[1].Singles.Out.Both.P50 > 0) {
		t.Errorf("crowds %+v", c)
	}
	l := res.Levels[0]
	if l.Failed != "" || len(l.Contenders) != 1 || l.Readers == nil || l.Wear == nil || l.Division == nil {
		t.Fatalf("got %+v", l)
	}
	c := l.Contenders[0]
	if c.Singles.Obstacles != 70 || c.Singles.Free != 70 || c.Singles.In.Found > c.Singles.Out.Found || !(c.Singles.In.Change.P50 > 0) {
		t.Errorf("singles %+v", c.Singles)
	}
	if len(c.Batches) != 2 || c.Batches[0].Total != 64 || c.Batches[1].Total != 70 || !(c.Batches[1].EachInUS > 0) {
		t.Errorf("batches %+v", c.Batches)
	}
	if l.Readers.Things != 20 || !(l.Readers.Alone > 0) || !(l.Readers.Beside > 0) || !(l.Readers.Rate > 0) {
		t.Errorf("readers %+v", l.Readers)
	}
	if w := l.Wear; w.Changes != 200 || len(w.Heap) != 10 || !w.Same || w.Regions <= l.Regions || w.Regions != w.Anew || w.Paths != comparedPaths || w.Things == 0 {
		t.Errorf("wear %+v", w)
	}
	// The floor of the base comes out as the generator made it, and obstacles cost regions.
	if d := l.Division; d.Things != 20 || d.Base != l.Regions || d.BaseAnew > d.Base || d.BaseAnew < d.Base*9/10 || d.Regions <= d.Base || d.Best > d.Regions || d.United > d.Best || d.Anew > d.United || d.Anew < d.Base/2 {
		t.Errorf("division %+v", d)
	}
}
