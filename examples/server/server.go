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
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// counts are the events of a time.
type counts struct {
	steps, arrived, givenUp int
	aside                   int // walkers that a crate or a closed door pushed to the nearest free place
	changes, edits          int
	slowest                 time.Duration // change
}

func (c *counts) add(o counts) {
	c.steps += o.steps
	c.arrived += o.arrived
	c.givenUp += o.givenUp
	c.aside += o.aside
	c.changes += o.changes
	c.edits += o.edits
	c.slowest = max(c.slowest, o.slowest)
}

// String returns the counts for a line.
func (c counts) String() string {
	return fmt.Sprintf("%d steps, %d goals reached, %d given up, %d stepped aside, %d edits in %d changes, the slowest %v",
		c.steps, c.arrived, c.givenUp, c.aside, c.edits, c.changes, c.slowest.Round(10*time.Microsecond))
}

// server is the world and who walks in it.
type server struct {
	opt   options
	world *world.World
	floor *query.Index // of the house without things
	doors []string

	mu    sync.Mutex // guards now and boxes
	now   counts
	boxes []geom.Box // of the floor that has changed since the crowd last took them
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

// takeBoxes returns the boxes of changes since the last call.
func (s *server) takeBoxes() []geom.Box {
	s.mu.Lock()
	defer s.mu.Unlock()
	boxes := s.boxes
	s.boxes = nil
	return boxes
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
	change, err := s.world.Apply(ctx, edits...)
	if err != nil {
		if ctx.Err() != nil {
			return nil // the server stops
		}
		return err
	}
	s.mu.Lock()
	s.boxes = append(s.boxes, change.Boxes...)
	s.mu.Unlock()
	s.count(counts{changes: 1, edits: len(edits), slowest: time.Since(begin)})
	return nil
}

// walk moves the crowd. Every frame takes the latest snapshot; a change in the middle of a frame waits for the next.
func (s *server) walk(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(s.opt.seed, 2))
	at := s.world.Now()
	q := at.NewQuery()
	c, err := crowd.New(crowd.Options{}, at.Index())
	if err != nil {
		return err
	}
	send := func(id crowd.ID) error {
		goal, ok := q.RandomPoint(rng)
		if !ok {
			return errors.New("the house has no floor")
		}
		return c.Goal(id, goal.Point)
	}
	for i := range s.opt.walkers {
		place, _ := q.RandomPoint(rng)
		id := crowd.ID(i)
		if err := errors.Join(c.Add(crowd.Spec{ID: id, At: place.Point, Speed: speed}), send(id)); err != nil {
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
			if err := c.Use(s.takeBoxes(), at.Index()); err != nil {
				return err
			}
		}
		if err := c.Step(frame.Seconds()); err != nil {
			return err
		}
		did := counts{steps: c.Len()}
		for _, e := range c.Events() {
			switch e.Kind {
			case crowd.EventArrived:
				did.arrived++
				err = send(e.ID)
			case crowd.EventStuck:
				did.givenUp++
				err = send(e.ID)
			case crowd.EventMoved:
				did.aside++
			}
			if err != nil {
				return err
			}
		}
		s.count(did)
	}
}
