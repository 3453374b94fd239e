package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// counts are the events of a time.
type counts struct {
	steps, planned, arrived int
	aside                   int // walkers that a crate or a closed door pushed to the nearest free place
	changes, edits          int
	slowest                 time.Duration // change
}

func (c *counts) add(o counts) {
	c.steps += o.steps
	c.planned += o.planned
	c.arrived += o.arrived
	c.aside += o.aside
	c.changes += o.changes
	c.edits += o.edits
	c.slowest = max(c.slowest, o.slowest)
}

// String returns the counts for a line.
func (c counts) String() string {
	return fmt.Sprintf("%d steps, %d paths planned, %d goals reached, %d stepped aside, %d edits in %d changes, the slowest %v",
		c.steps, c.planned, c.arrived, c.aside, c.edits, c.changes, c.slowest.Round(10*time.Microsecond))
}

// server is the world and who walks in it.
type server struct {
	opt   options
	world *world.World
	floor *query.Index // of the house without things
	doors []string

	mu  sync.Mutex // guards now
	now counts
}

// newServer builds the house, and puts the crates into it.
func newServer(ctx context.Context, opt options) (*server, error) {
	lvl, doors := house()
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		return nil, err
	}
	w, err := meadow.NewWorld(ctx, mesh, meadow.WorldOptions{})
	if err != nil {
		return nil, err
	}
	return &server{opt: opt, world: w, floor: mesh.Index(), doors: doors}, nil
}

// count adds to the counts of the time.
func (s *server) count(c counts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.add(c)
}

// take returns the counts since the last call.
func (s *server) take() counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.now
	s.now = counts{}
	return c
}

// crate is an obstacle that moves.
type crate struct {
	id  world.ID
	at  geom.Vec
	yaw float64
}

func (c *crate) solid() world.Solid {
	return world.Box{Base: c.at, Size: geom.Vec{X: 0.7, Y: 0.8, Z: 0.5}, Yaw: c.yaw}
}

// change is the one writer: in every frame a twentieth of the crates moves, and sometimes a door.
func (s *server) change(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(s.opt.seed, 1))
	floor := s.floor.NewQuery()
	crates := make([]crate, s.opt.crates)
	var edits []world.Edit
	for i := range crates {
		at, _ := floor.RandomPoint(rng)
		crates[i] = crate{world.ID(fmt.Sprintf("crate %d", i)), at.Point, 2 * math.Pi * rng.Float64()}
		edits = append(edits, world.Put{ID: crates[i].id, Solid: crates[i].solid()})
	}
	if err := s.apply(ctx, edits); err != nil {
		return err
	}
	closed := map[string]bool{}
	frames := time.NewTicker(frame)
	defer frames.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-frames.C:
		}
		edits = edits[:0]
		for range len(crates) / 20 {
			c := &crates[rng.IntN(len(crates))]
			sin, cos := math.Sincos(c.yaw)
			if at, ok := floor.Nearest(c.at.Add(geom.Vec{X: 0.5 * cos, Z: -0.5 * sin}), 1); ok {
				c.at = at.Point
			}
			c.yaw += 0.6 * (rng.Float64() - 0.5)
			edits = append(edits, world.Move{ID: c.id, Solid: c.solid()})
		}
		if rng.IntN(4) == 0 {
			door := s.doors[rng.IntN(len(s.doors))]
			if closed[door] = !closed[door]; closed[door] {
				edits = append(edits, world.Close{Mark: door})
			} else {
				edits = append(edits, world.Open{Mark: door})
			}
		}
		if err := s.apply(ctx, edits); err != nil {
			return err
		}
	}
}

// apply makes a change and counts it.
func (s *server) apply(ctx context.Context, edits []world.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	begin := time.Now()
	if _, err := s.world.Apply(ctx, edits...); err != nil {
		if ctx.Err() != nil {
			return nil // the server stops
		}
		return err
	}
	s.count(counts{changes: 1, edits: len(edits), slowest: time.Since(begin)})
	return nil
}

// walker walks from goal to goal.
type walker struct {
	way     query.Corridor
	goal    geom.Vec
	cut     bool // the way ends before the goal, because the world has changed there
	corners []query.Corner
}

// walk moves the walkers of one reader. Every frame takes the latest snapshot; a change in the middle of a frame waits
// for the next.
func (s *server) walk(ctx context.Context, reader int) error {
	rng := rand.New(rand.NewPCG(s.opt.seed, 2+uint64(reader)))
	n := (s.opt.walkers + reader) / s.opt.readers
	walkers := make([]walker, n)
	at := s.world.Now()
	q := at.NewQuery()
	for i := range walkers {
		place, ok := q.RandomPoint(rng)
		if !ok {
			return errors.New("the house has no floor")
		}
		goal, _ := q.RandomPoint(rng)
		walkers[i].way.Reset(place)
		walkers[i].goal = goal.Point
		if err := walkers[i].way.Plan(ctx, q, goal.Point); err != nil {
			return err
		}
	}
	frames := time.NewTicker(frame)
	defer frames.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-frames.C:
		}
		if now := s.world.Now(); now.Sequence() != at.Sequence() {
			at = now
			q.Use(at.Index())
		}
		var c counts
		for i := range walkers {
			if err := walkers[i].step(ctx, at, q, rng, &c); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return err
			}
		}
		s.count(c)
	}
}

// The part of the way ahead that a walker looks at in every frame, and the reach of a step aside.
const (
	ahead = 6   // regions
	reach = 5.0 // metres
)

// step walks for a frame. Where the world has changed under the walker or just ahead, the walker finds the floor below, or
// the nearest free place, and a new way.
func (w *walker) step(ctx context.Context, s *world.Snapshot, q *query.Query, rng *rand.Rand, c *counts) error {
	c.steps++
	if w.way.Valid(q, ahead) {
		err := w.follow(ctx, q, rng, c)
		if !errors.Is(err, query.ErrOffMesh) {
			return err
		}
	}
	at := w.way.Position().Point
	place, ok := q.Locate(at)
	if !ok {
		c.aside++
		if place, ok = s.Free(at, reach); !ok {
			return nil // shut in until something moves
		}
	}
	w.way.Reset(place)
	return w.plan(ctx, q, c)
}

// follow goes a stride towards the next corner, or takes a new goal.
func (w *walker) follow(ctx context.Context, q *query.Query, rng *rand.Rand, c *counts) error {
	var err error
	w.corners, err = w.way.Corners(q, w.corners[:0], 1)
	if errors.Is(err, query.ErrOffMesh) {
		// The world has changed far ahead: the way up to there is still good, and a new way can wait for its end.
		if err = w.way.Trim(q); err == nil {
			w.cut = true
			w.corners, err = w.way.Corners(q, w.corners[:0], 1)
		}
	}
	if err != nil || len(w.corners) == 0 {
		return err
	}
	here, next := w.way.Position().Point, w.corners[0]
	left, stride := here.DistXZ(next.Point), speed*frame.Seconds()
	if !next.Target || left > stride {
		return w.way.MovePosition(q, here.Lerp(next.Point, min(1, stride/left)))
	}
	if w.cut {
		return w.plan(ctx, q, c)
	}
	if w.way.Complete() {
		c.arrived++
	}
	place, ok := q.RandomPoint(rng)
	if !ok {
		return nil
	}
	w.goal = place.Point
	return w.plan(ctx, q, c)
}

// plan finds the way to the goal, or to the place nearest to it where a crate stands on the goal or a door is closed.
func (w *walker) plan(ctx context.Context, q *query.Query, c *counts) error {
	c.planned++
	w.cut = false
	return w.way.Plan(ctx, q, w.goal)
}
