package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// A corridor that obstacles broke is whole again after Repair exactly if a way is left, and leads to its target; most
// repairs keep the rest of the corridor.
func TestCorridorRepair(t *testing.T) {
	race.Skip(t)
	ctx := context.Background()
	w := worldOf(t, "demo")
	rng := rand.New(rand.NewPCG(1, 9))
	base := w.Now().NewQuery()
	q := w.Now().NewQuery()
	repaired, kept, stuck := 0, 0, 0
	for trial := range 60 {
		a, _ := base.RandomPoint(rng)
		b, _ := base.RandomPoint(rng)
		q.Use(w.Now().Index())
		path, err := q.PathBetween(ctx, a, b)
		if err != nil {
			t.Fatal(err)
		}
		if !path.Complete || path.Length < 5 {
			continue
		}
		points := slices.Clone(path.Surface())
		var c query.Corridor
		c.Reset(a)
		if err := c.Plan(ctx, q, b.Point); err != nil {
			t.Fatal(err)
		}
		before := c.AppendRegions(nil)
		var ids []world.ID
		for k := range 1 + rng.IntN(3) {
			id := world.ID(fmt.Sprint("stone ", trial, " ", k))
			at := points[rng.IntN(len(points))]
			if at.DistXZ(a.Point) < 1.5 || at.DistXZ(b.Point) < 1.5 {
				continue
			}
			apply(t, w, world.Put{ID: id, Solid: world.Cylinder{Base: at, Radius: 0.2 + rng.Float64(), Height: 1}})
			ids = append(ids, id)
		}
		q.Use(w.Now().Index())
		broken := !c.Valid(q, len(before))
		if err := c.Repair(ctx, q); err != nil {
			t.Fatal(err)
		}
		if !c.Valid(q, 1<<20) {
			t.Fatalf("trial %d: the corridor is not valid after its repair", trial)
		}
		now, err := q.Path(ctx, c.Position().Point, b.Point)
		if err != nil {
			t.Fatal(err)
		}
		if c.Complete() != now.Complete {
			t.Fatalf("trial %d: the corridor is complete: %v, a path: %v", trial, c.Complete(), now.Complete)
		}
		switch after := c.AppendRegions(nil); {
		case !now.Complete:
			stuck++
		case c.Target().Point.Distance(b.Point) > 1e-9:
			t.Fatalf("trial %d: the corridor leads to %v, not to %v", trial, c.Target().Point, b.Point)
		case broken:
			repaired++
			if after[len(after)-1] == before[len(before)-1] {
				kept++
			}
		}
		for _, id := range ids {
			apply(t, w, world.Take{ID: id})
		}
	}
	if repaired < 20 || kept < repaired/2 {
		t.Errorf("%d corridors were repaired, %d kept their end, %d have no way left", repaired, kept, stuck)
	}
}
