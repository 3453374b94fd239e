package query

import (
	"math/rand/v2"
	"testing"
)

// TestOneBend asks where a path of a single point goes through a door. All doors of the path meet in the point.
func TestOneBend(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 9))
	g, _ := patchwork(t, rng, 16)
	q := NewIndex(g.mesh).NewQuery()
	asked := 0
	for _, c := range pairs(rng, g, 30) {
		start, ok := q.Locate(c.start)
		if !ok {
			continue
		}
		var way Corridor
		way.Reset(start)
		if way.Plan(t.Context(), q, c.goal) != nil || way.firstLeg() < 3 {
			continue
		}
		bends, _, _, tautErr := way.taut(q, way.firstLeg())
		if tautErr != nil {
			t.Fatal(tautErr)
		}
		if got, want := way.atDoor(q, bends[:1], 1), q.ix.Number(way.steps[1].region); got.Region != want {
			t.Errorf("%v to %v: region %d, want %d", c.start, c.goal, got.Region, want)
		}
		asked++
	}
	if asked < 5 {
		t.Errorf("%d corridors: too few for a test", asked)
	}
}
