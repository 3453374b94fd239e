package main

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// crowdTable holds a line per crowd: its level, numbers of agents and steps, and the hash of its state after the steps. It is
// a table of its own, because crowds change more often than meshes.
//
//go:embed crowds.txt
var crowdTable string

// measureCrowds walks crowds: between doors and ladders, around pillars, over terrain and stairs.
func measureCrowds(ctx context.Context) ([]string, error) {
	var lines []string
	for _, kind := range []string{"halls", "pillars", "terrain", "tower"} {
		const agents, steps = 50, 1000
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		mesh, err := meadow.Build(ctx, lvl, geom.Agent{Radius: 0.4})
		if err != nil {
			return nil, err
		}
		hash, err := walk(mesh, agents, steps)
		if err != nil {
			return nil, fmt.Errorf("a crowd on %s: %w", kind, err)
		}
		lines = append(lines, fmt.Sprintf("crowd on %s, %d agents, %d steps: %016x", kind, agents, steps, hash))
	}
	return lines, nil
}

// walk lets agents walk to random goals again and again.
func walk(mesh *meadow.Mesh, agents, steps int) (uint64, error) {
	c, err := crowd.New(crowd.Options{}, mesh.Index())
	if err != nil {
		return 0, err
	}
	q, rng := mesh.NewQuery(), rand.New(rand.NewPCG(1, 2))
	place := func() geom.Vec {
		at, _ := q.RandomPoint(rng)
		return at.Point
	}
	for i := range agents {
		id := crowd.ID(i)
		if err := c.Add(crowd.Spec{ID: id, At: place()}); err != nil {
			return 0, err
		}
		if err := c.Goal(id, place()); err != nil {
			return 0, err
		}
	}
	for range steps {
		if err := c.Step(0.05); err != nil {
			return 0, err
		}
		for _, e := range c.Events() {
			if e.Kind != crowd.EventArrived && e.Kind != crowd.EventStuck {
				continue
			}
			if err := c.Goal(e.ID, place()); err != nil {
				return 0, err
			}
		}
	}
	return c.Hash(), nil
}

func rows(table string) []string { return strings.Split(strings.TrimSpace(table), "\n") }
