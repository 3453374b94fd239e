package crowd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestPart puts agents of several radii and speeds on each other, at random places of several levels, half of them with goals: all are apart after
// a second.
func TestPart(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"rooms", "terrain", "random", "pillars", "city"} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(kind, seed), func(t *testing.T) {
				ix := generated(t, kind, levelgen.Options{Seed: seed, Size: 60}, 0.4)
				c, err := crowd.New(crowd.Options{}, ix)
				if err != nil {
					t.Fatal(err)
				}
				q, rng := ix.NewQuery(), rand.New(rand.NewPCG(seed, 7))
				var places []geom.Vec
				for len(places) < 60 {
					p, _ := q.RandomPoint(rng)
					free := true
					for _, o := range places {
						free = free && o.DistXZ(p.Point) > 4
					}
					if free {
						places = append(places, p.Point)
					} else if rng.IntN(200) == 0 {
						break
					}
				}
				id := crowd.ID(0)
				for _, p := range places {
					for range 2 + rng.IntN(2) {
						at := geom.Vec{X: p.X + 0.3*rng.Float64()*float64(rng.IntN(2)), Y: p.Y, Z: p.Z + 0.3*rng.Float64()*float64(rng.IntN(2))}
						if pos, ok := q.Nearest(at, 1); ok {
							at = pos.Point
						}
						if err := c.Add(crowd.Spec{ID: id, At: at, Radius: 0.2 + 0.2*rng.Float64(), Speed: 0.5 + 1.5*rng.Float64()}); err != nil {
							t.Fatal(err)
						}
						if goal, ok := q.RandomPoint(rng); ok && rng.IntN(2) == 0 {
							if err := c.Goal(id, goal.Point); err != nil {
								t.Fatal(err)
							}
						}
						id++
					}
				}
				last, first := 0, 0
				for step := range 100 {
					if err := c.Step(0.05); err != nil {
						t.Fatal(err)
					}
					j := judge{q: q}
					if j.look(c); j.pairs > 0 {
						last = step + 1
					}
					if step == 19 {
						first = j.pairs
					}
				}
				if last > 20 {
					t.Errorf("of %d agents %d pairs overlap after a second, the last until %.2f s", id, first, float64(last)/20)
				}
			})
		}
	}
}

// TestPartInADeadEnd puts an agent on another one at the end of a narrow dead end, behind others who walk into the dead end. The others make room, and both are
// apart after a second.
func TestPartInADeadEnd(t *testing.T) {
	race.Skip(t)
	ix := ofBoxes(t, 0.3, box{0, -1, -0.35, 4, 0, 0.35}, box{3.9, -1, -3, 10, 0, 3})
	for others := range 4 {
		c, err := crowd.New(crowd.Options{}, ix)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range []float64{0.31, 0.4, 1.01, 1.62, 2.23}[:2+others] {
			id := crowd.ID(i)
			if err := c.Add(crowd.Spec{ID: id, At: geom.Vec{X: x}}); err != nil {
				t.Fatal(err)
			}
			if err := c.Goal(id, geom.Vec{X: 0.31}); err != nil {
				t.Fatal(err)
			}
		}
		j := judge{q: ix.NewQuery()}
		for range 20 {
			j.pairs = 0
			if err := c.Step(0.05); err != nil {
				t.Fatal(err)
			}
			j.look(c)
		}
		if j.pairs > 0 {
			t.Errorf("with %d others behind: two overlap after a second", others)
		}
	}
}
