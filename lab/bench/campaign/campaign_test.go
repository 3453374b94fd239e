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

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/delaunay"
)

// TestWorlds verifies the promises of worlds: domains of the promised size, accepted by the exact
// triangulation, the same every time.
func TestWorlds(t *testing.T) {
	race.Skip(t)
	total := map[string]int{}
	for number := range uint64(20 * len(kinds)) {
		w := makeWorld(number)
		if n := w.vertices(); n < fewestVertices || n > 2*mostVertices {
			t.Errorf("%v has another size", w)
		}
		total[w.kind] += w.vertices()
		if again := makeWorld(number); !reflect.DeepEqual(w.plan, again.plan) {
			t.Errorf("%v is another one the second time", w)
		}
		for i := range w.domains() {
			if _, err := (delaunay.Generator{}).Decompose(t.Context(), gen.Input{Domain: &w.domains()[i]}); err != nil {
				t.Errorf("%v, domain %d: %v", w, i, err)
			}
		}
		for i := range w.plan.Chains {
			for k, p := range w.plan.Chains[i].Points[1:] {
				q := w.plan.Chains[i].Points[k]
				if !hasEdge(&w.domains()[0], q, p, plan.ChainID(i)) || !hasEdge(&w.domains()[1], p, q, plan.ChainID(i)) {
					t.Errorf("%v: the chain from %v to %v is no edge of both domains", w, q, p)
				}
			}
		}
	}
	for _, k := range kinds {
		if total[k.name] < 20*fewestVertices {
			t.Errorf("worlds of kind %q have %d vertices together", k.name, total[k.name])
		}
	}
}

func hasEdge(d *plan.Domain, p, q lattice.Point, id plan.ChainID) bool {
	for r, ring := range d.Rings {
		for i := range ring {
			if ring[i] == p && ring[(i+1)%len(ring)] == q && d.Edges[r][i] == id {
				return true
			}
		}
	}
	return false
}

// spoiled is a generator with a broken promise.
type spoiled struct {
	name  string
	spoil func(gen.Input, *gen.Result) error
}

func (s spoiled) Name() string { return s.name }

func (s spoiled) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	res, err := delaunay.Generator{}.Decompose(ctx, in)
	if err == nil {
		err = s.spoil(in, &res)
	}
	return res, err
}

// TestFaultsAreFound has generators that break one promise each; a sound generator has no fault.
func TestFaultsAreFound(t *testing.T) {
	for _, g := range []spoiled{
		{"", func(gen.Input, *gen.Result) error { return nil }},
		{"borders from", func(_ gen.Input, r *gen.Result) error { r.Cells = r.Cells[1:]; return nil }},
		{"overlap", func(_ gen.Input, r *gen.Result) error { r.Cells = append(r.Cells, r.Cells[0]); return nil }},
		{"reflex", func(_ gen.Input, r *gen.Result) error {
			c := r.Cells[0].Corners
			c[0], c[1] = c[1], c[0]
			return nil
		}},
		{"lost, 1 reported", func(_ gen.Input, r *gen.Result) error { r.Report.Lost = 1; return nil }},
		{"in another way", func(in gen.Input, r *gen.Result) error {
			if in.Domain.Rings[0][0].X%2 == 0 {
				r.Cells[0], r.Cells[1] = r.Cells[1], r.Cells[0]
			}
			return nil
		}},
		{"with chains", func(in gen.Input, r *gen.Result) error {
			if in.Domain.Edges[0][0] != plan.Wall {
				r.Cells = nil
			}
			return nil
		}},
		{"no luck", func(gen.Input, *gen.Result) error { return errors.New("no luck") }},
		{"panic: ouch", func(gen.Input, *gen.Result) error { panic("ouch") }},
		{"deadline", func(gen.Input, *gen.Result) error { time.Sleep(time.Hour); return nil }},
	} {
		s := settings{limit: time.Minute, grace: time.Minute}
		if g.name == "deadline" {
			s.limit, s.grace = time.Millisecond, time.Millisecond
		}
		found := 0
		for number := range uint64(4 * len(kinds)) {
			w := makeWorld(number)
			_, err := s.limited(t.Context(), w, g)
			if err == nil {
				continue
			}
			if found++; g.name == "" || !strings.Contains(err.Error(), g.name) {
				t.Fatalf("%v: %q is reported as %v", w, g.name, err)
			}
			if g.name == "deadline" {
				break
			}
		}
		if (found > 0) != (g.name != "") {
			t.Errorf("%q is found on %d worlds", g.name, found)
		}
	}
}

// TestStopped interrupts a campaign between chunks, and in the middle of a line, and goes on.
func TestStopped(t *testing.T) {
	s := settings{worlds: 3 * chunk, methods: []gen.Generator{delaunay.Generator{}}}
	var parts []sums
	for first := uint64(0); first < 3*chunk; first += chunk {
		part := newSums(s.methods, makeWorld(first))
		part.Worlds = chunk
		part.Methods[0].add(verdict{regions: int(first) + 1, minimumAngle: 1 / float64(first+3)}, nil)
		part.compare()
		parts = append(parts, part)
	}
	whole := newJournal(s)
	for _, p := range parts {
		if err := whole.add(p); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "state")
	open := func() *journal {
		j := newJournal(s)
		if err := j.open(path); err != nil {
			t.Fatal(err)
		}
		return j
	}
	j := open()
	for _, p := range []sums{parts[2], parts[0]} {
		if err := j.add(p); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"First":100,"Wor`...), 0o666); err != nil {
		t.Fatal(err)
	}
	j = open()
	if !j.has(0) || j.has(chunk) || !j.has(2*chunk) {
		t.Fatalf("%d chunks are read back", len(j.chunks))
	}
	if err := j.add(parts[1]); err != nil {
		t.Fatal(err)
	}
	j.close()
	j = open()
	defer j.close()
	var want, got strings.Builder
	if err := errors.Join(whole.sums().markdown(&want), j.sums().markdown(&got)); err != nil || want.String() != got.String() {
		t.Errorf("%v\n%s\nwant\n%s", err, got.String(), want.String())
	}
	other := newJournal(settings{first: 1, worlds: 3 * chunk, methods: s.methods})
	if err := other.open(path); err == nil || !strings.Contains(err.Error(), "another campaign") {
		t.Errorf("the state of another campaign: %v", err)
	}
}

// TestRun runs a small campaign from the command line down.
func TestRun(t *testing.T) {
	var out strings.Builder
	args := []string{"-worlds", "12", "-generators", "delaunay,hertelmehlhorn", "-state", filepath.Join(t.TempDir(), "state")}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"12 worlds, 2 methods, 0 faults.", "| `delaunay` | 12 | 0 |", "| `hertelmehlhorn` | 12 | 0 |", "| needle-thin | 1 | 1 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	first := out.String()
	out.Reset()
	if err := run(t.Context(), args, &out, io.Discard); err != nil || out.String() != first {
		t.Errorf("%v: from the state alone it prints\n%s", err, out.String())
	}
	for _, bad := range [][]string{{"-worlds", "0"}, {"-generators", "voronoy"}, {"x"}, {"-limit", "0s"}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestFirstFaultStops verifies that a fault ends the campaign and leaves its world behind.
func TestFirstFaultStops(t *testing.T) {
	folder := t.TempDir()
	bad := spoiled{"bad", func(_ gen.Input, r *gen.Result) error { r.Cells = r.Cells[1:]; return nil }}
	s := settings{worlds: 5, jobs: 2, methods: []gen.Generator{delaunay.Generator{}, bad}, dump: folder, limit: time.Minute}
	var log strings.Builder
	err := s.run(t.Context(), io.Discard, &log)
	if err == nil || !strings.Contains(err.Error(), "-first 0 -worlds 1 -generators bad") || !strings.Contains(log.String(), "world 0 (scattered") {
		t.Errorf("error %v after\n%s", err, log.String())
	}
	data, err := os.ReadFile(filepath.Join(folder, "campaign-0-bad.json"))
	if err != nil || !strings.Contains(string(data), `"Rings"`) {
		t.Errorf("the world is not kept: %v, %s", err, data)
	}
}
