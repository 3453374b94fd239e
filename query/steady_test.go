package query

import (
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// mover asks the questions of a moving agent: all queries missing in TestNoAllocations, with memory of its own, and
// numbers that represent the answers.
type mover struct {
	q       *Query
	s       *Search
	c       Corridor
	corners []Corner
	goals   []geom.Vec
	answer  []float64
}

// asks are the queries of a mover, by name.
func (m *mover) asks(t *testing.T) map[string]func(p pair) error {
	ctx, q := t.Context(), m.q
	note := func(x ...float64) { m.answer = append(m.answer, x...) }
	at := func(p geom.Vec) Position { pos, _ := q.Locate(p); return pos }
	return map[string]func(p pair) error{
		"PartialPath": func(p pair) error {
			path, err := q.PartialPath(ctx, p.start, p.goal.Add(geom.Vec{X: 30}))
			note(path.Cost, float64(path.Expanded))
			return err
		},
		"Search": func(p pair) error {
			err := m.s.Begin(p.start, p.goal)
			for !m.s.Advance(7) {
				note(m.s.Path().Cost, m.s.Bound())
			}
			note(m.s.Path().Cost)
			return err
		},
		"ToMany": func(p pair) error {
			fan, err := q.ToMany(ctx, p.start, m.goals)
			note(fan.Costs...)
			if err != nil {
				return err
			}
			path, err := fan.Path(ctx, 0)
			note(path.Cost)
			return err
		},
		"NearestOf": func(p pair) error {
			goal, path, err := q.NearestOf(ctx, p.start, m.goals)
			note(float64(goal), path.Cost)
			return err
		},
		"RegionsWithin": func(p pair) error {
			list, err := q.RegionsWithin(ctx, at(p.start), 6)
			for _, n := range list {
				note(n.Distance, float64(n.From))
			}
			return err
		},
		"RegionsInCircle": func(p pair) error {
			list, err := q.RegionsInCircle(at(p.start), 4)
			note(float64(len(list)))
			return err
		},
		"RegionsInShape": func(p pair) error {
			shape := [3]geom.Vec{p.start, p.start.Add(geom.Vec{X: 4}), p.start.Add(geom.Vec{Z: 4})}
			list, err := q.RegionsInShape(at(p.start), shape[:])
			note(float64(len(list)))
			return err
		},
		"Neighbourhood": func(p pair) error {
			list, err := q.Neighbourhood(at(p.start), 4)
			note(float64(len(list)))
			return err
		},
		"RegionsInBox": func(p pair) error {
			note(float64(len(q.RegionsInBox(geom.Box{Min: p.start, Max: p.start.Add(geom.Vec{X: 5, Y: 1, Z: 5})}))))
			return nil
		},
		"WallsAround": func(p pair) error {
			list, err := q.WallsAround(at(p.start), 5)
			for _, w := range list {
				note(w.Distance)
			}
			return err
		},
		"WallsOf": func(p pair) error {
			list, err := q.WallsOf(at(p.start).Ref)
			note(float64(len(list)))
			return err
		},
		"NearestIn": func(p pair) error {
			pos, err := q.NearestIn(at(p.start).Ref, p.goal)
			note(pos.Point.X, pos.Point.Y)
			return err
		},
		"NearestWithin": func(p pair) error {
			pos, _ := q.NearestWithin(p.start.Add(geom.Vec{X: 0.2, Y: 1}), 1, 2, 2)
			note(pos.Point.X, pos.Point.Y)
			return nil
		},
		"Corridor": func(p pair) error {
			m.c.Reset(at(p.start))
			if err := m.c.Plan(ctx, q, p.goal); err != nil {
				return err
			}
			var err error
			for i := range 6 {
				if m.corners, err = m.c.Corners(q, m.corners[:0], 3); err != nil {
					return err
				}
				if err := m.c.MovePosition(q, m.corners[0].Point.Add(geom.Vec{X: 0.1 * float64(i)})); err != nil {
					return err
				}
				if err := m.c.OptimizeVisibility(q, m.corners[len(m.corners)-1].Point, 5); err != nil {
					return err
				}
				if _, err := m.c.OptimizeTopology(q, 8, 100); err != nil {
					return err
				}
				if err := m.c.MoveTarget(q, m.c.Target().Point.Add(geom.Vec{X: -0.3})); err != nil {
					return err
				}
				pos, err := m.c.Ahead(q, 2)
				if err != nil {
					return err
				}
				note(pos.Point.X, m.c.Position().Point.X, float64(len(m.corners)))
			}
			if err := m.s.BeginAt(m.c.Position(), p.start); err != nil {
				return err
			}
			m.s.Advance(math.MaxInt)
			if err := m.c.Take(m.s); err != nil {
				return err
			}
			if m.c.firstLeg() < len(m.c.steps) {
				if _, err := m.c.TakeLink(q); err != nil {
					return err
				}
			}
			if !m.c.Valid(q, 1000) {
				t.Error("a corridor does not hold")
			}
			note(m.c.Position().Point.X, m.c.Target().Point.Z)
			return nil
		},
	}
}

// askers are the names of asks, in order.
var askers = []string{
	"PartialPath", "Search", "ToMany", "NearestOf", "RegionsWithin", "RegionsInCircle", "RegionsInShape",
	"Neighbourhood", "RegionsInBox", "WallsAround", "WallsOf", "NearestIn", "NearestWithin", "Corridor",
}

// steadyWorlds are worlds with and without links, and pairs and goals in them.
func steadyWorlds(t *testing.T) (meshes []*navmesh.Mesh, asked [][]pair, goals [][]geom.Vec) {
	rng := rand.New(rand.NewPCG(95, 1))
	for i := range 2 {
		w := newGrid(t, rng, 16, 16, 0.3, rectangles, lattice.Frame{})
		if i == 1 {
			newLinked(t, rng, w, 8, true)
		}
		meshes = append(meshes, w.mesh)
		asked = append(asked, pairs(rng, w, 12))
		_, g := goalsOf(rng, w, 6)
		goals = append(goals, g)
	}
	return meshes, asked, goals
}

// TestNoAllocationsOfMovers checks that no query allocates after the first answers.
func TestNoAllocationsOfMovers(t *testing.T) {
	meshes, asked, goals := steadyWorlds(t)
	for i := range meshes {
		ix := NewIndex(meshes[i])
		m := mover{q: ix.NewQuery(), s: ix.NewSearch(), goals: goals[i]}
		asks := m.asks(t)
		for _, name := range askers {
			run := func() {
				m.answer = m.answer[:0]
				for _, p := range asked[i] {
					if err := asks[name](p); err != nil {
						t.Fatalf("%s of %v: %v", name, p, err)
					}
				}
			}
			run()
			run()
			if n := testing.AllocsPerRun(5, run); n != 0 {
				t.Errorf("world %d: %s allocates %v times in %d queries", i, name, n, len(asked[i]))
			}
		}
	}
}

// TestMoversAtOnce asks all questions of one Index from sixteen goroutines, in different orders, under the race
// detector. Every goroutine gets the answers of a single mover, which depend neither on other goroutines nor on earlier
// questions.
func TestMoversAtOnce(t *testing.T) {
	meshes, asked, goals := steadyWorlds(t)
	for i := range meshes {
		ix := NewIndex(meshes[i])
		answers := func(turn int) map[string][]float64 {
			m := mover{q: ix.NewQuery(), s: ix.NewSearch(), goals: goals[i]}
			asks, out := m.asks(t), map[string][]float64{}
			for k := range askers {
				name := askers[(k+turn)%len(askers)]
				m.answer = nil
				for _, p := range asked[i] {
					if err := asks[name](p); err != nil {
						t.Error(name, err)
					}
				}
				out[name] = m.answer
			}
			return out
		}
		want := answers(0)
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				if got := answers(g); !reflect.DeepEqual(got, want) {
					t.Errorf("world %d, goroutine %d: other answers", i, g)
				}
			})
		}
		wg.Wait()
	}
}
