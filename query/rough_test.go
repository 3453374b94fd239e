package query_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/world"
)

// TestEditedWaysAreNoShorter compares ways among obstacles, whose borders are rounded, with ways on the base.
func TestEditedWaysAreNoShorter(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(93, 1))
	compared, longer, rough := 0, 0, 0
	for i, kind := range []string{"random", "halls", "ramps", "terrain", "demo", "spiral"} {
		l, err := levelgen.Generate(kind, levelgen.Options{Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		m, err := meadow.Build(t.Context(), l, meadow.Agent{Radius: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		w, err := world.New(t.Context(), m.Mesh, world.Options{})
		if err != nil {
			t.Fatal(err)
		}
		base := w.Now().NewQuery()
		for step := range 6 {
			var edits []world.Edit
			for n := range 12 {
				at, _ := base.RandomPoint(rng)
				edits = append(edits, world.Put{
					ID:    world.ID(fmt.Sprint(step, " ", n)),
					Solid: world.Cylinder{Base: at.Point, Radius: 0.1 + rng.Float64(), Height: 2},
				})
			}
			if _, err := w.Apply(t.Context(), edits...); err != nil {
				t.Fatal(err)
			}
			now := w.Now().Index()
			q := now.NewQuery()
			n := query.Rough(now)
			rough += min(n, 1)
			loss := float64(n*index.RoughLoss+2*index.PieceLoss) * lattice.Unit
			for range 40 {
				a, ok := q.RandomPoint(rng)
				b, _ := q.RandomPoint(rng)
				if !ok {
					break
				}
				got, err := q.PathBetween(t.Context(), a, b)
				if err != nil || !got.Complete {
					continue
				}
				want, err := base.Path(t.Context(), a.Point, b.Point)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				if !want.Complete || got.Length < want.Length-loss-1e-9*(1+want.Length) {
					t.Fatalf("%s, step %d: %v to %v: %v m, on the base %v %v m", kind, step, a, b, got.Length, want.Complete, want.Length)
				}
				if got.Length > want.Length+1e-3 {
					longer++
				}
			}
		}
	}
	if compared < 1000 || longer < 500 || rough < 10 {
		t.Errorf("%d ways compared, %d longer than on the base, %d worlds with rough portals", compared, longer, rough)
	}
}
