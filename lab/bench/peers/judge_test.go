//go:build peers

package main

import (
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/lab/internal/standings"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/metric/verify"
)

// yard is a floor of 20 m by 20 m, with a pillar of 1 m by 1 m, too narrow to stand in or on, or without.
func yard(pillar bool) *level.Level {
	b := solids{&level.Level{Name: "yard"}}
	b.prism([]point{{0, 0}, {20, 0}, {20, 20}, {0, 20}}, -0.5, 0)
	if pillar {
		b.prism([]point{{9.5, 9.5}, {10.5, 9.5}, {10.5, 10.5}, {9.5, 10.5}}, 0, 3)
	}
	return b.Level
}

// TestReferee: the judge knows who is right about the ground of a pillar, whoever of mesh, floor and level has the pillar.
func TestReferee(t *testing.T) {
	full := agent.WithDefaults()
	for name, c := range map[string]struct {
		level, floor, mesh bool // with the pillar
		lost               bool
		want               standings.Side
	}{
		"the mesh lacks ground":         {mesh: true, lost: true, want: standings.Floor},
		"the mesh has ground too much":  {level: true, floor: true, want: standings.Floor},
		"the floor has ground too much": {level: true, mesh: true, lost: true, want: standings.Mesh},
		"the floor lacks ground":        {floor: true, want: standings.Mesh},
		"neither has it, the level has": {floor: true, mesh: true},
	} {
		truth, err := truthOf(t.Context(), yard(c.floor), full)
		if err != nil {
			t.Fatal(err)
		}
		mesh, err := meadow.BuildWith(t.Context(), yard(c.mesh), meadow.FloorOptions{Agent: full}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := verify.Measure(t.Context(), mesh.Mesh, truth, verify.Options{Pairs: -1})
		if err != nil {
			t.Fatal(err)
		}
		got := newReferee(yard(c.level), truth).disputes(r)
		if c.want == "" {
			if len(got) > 0 {
				t.Errorf("%s: disputes %+v", name, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Side != c.want || got[0].Lost != c.lost || got[0].Area < 4 || got[0].At.X < 9 || got[0].At.X > 11 {
			t.Errorf("%s: got %+v, want %s", name, got, c.want)
		}
	}
}

// TestQuality: the entry of a level has the numbers of the verifier, and a mesh that cannot be read does not stop the others.
func TestQuality(t *testing.T) {
	mesh, err := meadow.BuildWith(t.Context(), yard(true), meadow.FloorOptions{Agent: agent.WithDefaults()}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b := board{settings: settings{agent: agent.WithDefaults()}, pairs: 50}
	out := standings.Level{Entries: []standings.Entry{{Name: "a"}, {Name: "gone"}, {Name: "twin"}}}
	all := []contestant{
		{load: func() (*meadow.Mesh, error) { return mesh, nil }},
		{load: func() (*meadow.Mesh, error) { return meadow.Load(t.TempDir() + "/gone.mset") }},
		{twin: "a"},
	}
	if err := b.judge(t.Context(), yard(false), all, &out); err != nil {
		t.Fatal(err)
	}
	a := &out.Entries[0]
	if q := a.Quality; q == nil || q.Lost < 4 || q.Lost > 5 || q.Coverage > 0.99 || q.LostParts != 0 || q.Pairs < 40 || q.Longest < 1 || q.Border == nil || *q.Border < 1 || len(a.Disputes) != 1 {
		t.Errorf("%+v, disputes %+v", a.Quality, a.Disputes)
	}
	if out.Parts != 1 || out.Floor < 350 || out.Entries[1].Unjudged == "" || out.Entries[2].Quality != nil || out.Entries[2].Unjudged != "" {
		t.Errorf("%+v", out)
	}
}
