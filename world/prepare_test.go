package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

// TestPreparedWorld compares the paths of a prepared world with those of another world while crates and links come and go, and
// counts the nodes of the searches.
func TestPreparedWorld(t *testing.T) {
	race.Skip(t)
	for i, kind := range []string{"highrise", "random"} {
		l, err := levelgen.Generate(kind, levelgen.Options{Seed: uint64(1 + i)})
		if err != nil {
			t.Fatal(err)
		}
		m := build(t, l, 0.3)
		var worlds [2]*world.World
		for k := range worlds {
			if worlds[k], err = meadow.NewWorld(t.Context(), m, meadow.WorldOptions{Prepare: k == 1}); err != nil {
				t.Fatal(err)
			}
		}
		rng := rand.New(rand.NewPCG(96, uint64(i)))
		base := worlds[0].Now().NewQuery()
		var nodes [2]int
		for step := range 8 {
			at, _ := base.RandomPoint(rng)
			to, _ := base.RandomPoint(rng)
			edits := []world.Edit{world.Put{ID: world.ID(fmt.Sprint(step)), Solid: world.Cylinder{Base: at.Point, Radius: 0.5, Height: 2}}}
			if step == 4 {
				edits = append(edits, world.Connect{ID: "link", From: at.Point, To: to.Point})
			}
			if step >= 3 {
				edits = append(edits, world.Take{ID: world.ID(fmt.Sprint(step - 3))})
			}
			for _, w := range worlds {
				apply(t, w, edits...)
			}
			plain, q := worlds[0].Now().NewQuery(), worlds[1].Now().NewQuery()
			if _, ok := worlds[1].Now().Index().Prepared(); !ok {
				t.Fatalf("%s, step %d: not prepared", kind, step)
			}
			for range 60 {
				from, _ := plain.RandomPoint(rng)
				to, _ := plain.RandomPoint(rng)
				want, err := plain.Path(t.Context(), from.Point, to.Point)
				if err != nil {
					t.Fatal(err)
				}
				got, err := q.Path(t.Context(), from.Point, to.Point)
				if err != nil || got.Complete != want.Complete || math.Abs(got.Cost-want.Cost) > 1e-9*(1+want.Cost) {
					t.Fatalf("%s, step %d: %v to %v: %v at %v, %v, want %v at %v", kind, step, from, to, got.Complete, got.Cost, err, want.Complete, want.Cost)
				}
				nodes[0], nodes[1] = nodes[0]+want.Expanded, nodes[1]+got.Expanded
			}
		}
		// On open ground the corners in sight of both ends count as nodes too, but cost less than the nodes of a search.
		if kind == "highrise" && 10*nodes[1] > 9*nodes[0] {
			t.Errorf("%s: %d nodes, without preparation %d", kind, nodes[1], nodes[0])
		}
	}
}
