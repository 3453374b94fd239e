package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Readers is the paths that goroutines find, with and without a writer beside them. The same obstacles stand in the world all the
// time; the writer moves one after the other. Processor time left is the time of the process, the whole collector included, less the
// time of the writer's thread.
type Readers struct {
	Goroutines int     `json:"goroutines"`
	Things     int     `json:"things"` // obstacles that stand in the world
	Rate       float64 `json:"rate"`   // changes a second that the writer makes; its wish is in the settings
	Alone      float64 `json:"alone"`  // paths per second of processor time, median over windows without a writer
	Beside     float64 `json:"beside"` // and with a writer
	Writer     float64 `json:"writer"` // part of the processor time that the writer takes
}

// Loss is the part of the paths per processor time that readers lose to the writer.
func (r *Readers) Loss() float64 { return 1 - r.Beside/r.Alone }

// span is the figures of a window of time.
type span struct {
	paths, changes int64
	wall           time.Duration
	cpu, writer    time.Duration
}

func (s settings) measureReaders(ctx context.Context, base *navmesh.Mesh, places []place) (*Readers, error) {
	w, err := world.New(ctx, base, world.Options{})
	if err != nil {
		return nil, err
	}
	crates := places[:min(len(places), s.things)]
	for i, p := range crates {
		if _, err := w.Apply(ctx, world.Put{ID: crateID(i), Solid: crate(p.at)}); err != nil {
			return nil, err
		}
	}
	ends, err := drawEnds(w.Now().NewQuery(), 1000)
	if err != nil {
		return nil, err
	}
	r := &Readers{Goroutines: s.readers, Things: len(crates)}
	var alone, beside, writer, rate []float64
	moved := make([]bool, len(crates))
	for round := range 2 * s.rounds {
		writes := round%2 == 1
		runtime.GC()
		v, err := s.watch(ctx, w, ends, func(ctx context.Context) error {
			i := int(w.Now().Sequence()) % len(crates)
			to := crates[i].at
			if moved[i] = !moved[i]; moved[i] {
				to = crates[i].moved
			}
			_, err := w.Apply(ctx, world.Move{ID: crateID(i), Solid: crate(to)})
			return err
		}, writes)
		if err != nil {
			return nil, err
		}
		left := v.cpu - v.writer
		paths := float64(v.paths) / left.Seconds()
		if !writes {
			alone = append(alone, paths)
			continue
		}
		beside = append(beside, paths)
		writer = append(writer, v.writer.Seconds()/v.cpu.Seconds())
		rate = append(rate, float64(v.changes)/v.wall.Seconds())
	}
	r.Alone, r.Beside, r.Writer, r.Rate = median(alone), median(beside), median(writer), median(rate)
	return r, nil
}

func crateID(i int) world.ID { return world.ID(fmt.Sprintf("crate-%d", i)) }

// crate is the obstacle of single changes, at a place on the floor.
func crate(at geom.Vec) world.Solid {
	return world.Cylinder{Base: base(at), Radius: cylinderRadius, Height: cylinderHeight}
}

// drawEnds draws starts and goals uniformly over a mesh.
func drawEnds(q *query.Query, count int) ([][2]geom.Vec, error) {
	rng := rand.New(rand.NewPCG(3, 5))
	all := make([][2]geom.Vec, count)
	for i := range all {
		for k := range all[i] {
			p, ok := q.RandomPoint(rng)
			if !ok {
				return nil, fmt.Errorf("no floor is left between %d obstacles", count)
			}
			all[i][k] = p.Point
		}
	}
	return all, nil
}

// watch lets readers ask, and the writer change the world at the rate of the settings, for a window of time.
func (s settings) watch(ctx context.Context, w *world.World, ends [][2]geom.Vec, change func(context.Context) error, writes bool) (span, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var v span
	var paths atomic.Int64
	var over atomic.Bool
	var group sync.WaitGroup
	begin, cpu := time.Now(), processTime()
	for g := range s.readers {
		group.Go(func() {
			q := w.Now().NewQuery()
			for i := g; !over.Load(); i++ {
				q.Use(w.Now().Index())
				e := ends[i%len(ends)]
				if _, err := q.PartialPath(ctx, e[0], e[1]); err != nil && ctx.Err() != nil {
					return
				}
				paths.Add(1)
				runtime.Gosched() // as a server that waits for the next question
			}
		})
	}
	if writes {
		group.Go(func() {
			runtime.LockOSThread() // for the clock of the thread; the thread ends with the goroutine
			busy := threadTime()
			for next := begin; !over.Load(); next = next.Add(time.Second / time.Duration(s.rate)) {
				time.Sleep(time.Until(next))
				if err := change(ctx); err != nil {
					cancel(err)
					return
				}
				v.changes++
			}
			v.writer = threadTime() - busy
		})
	}
	select {
	case <-time.After(s.window):
	case <-ctx.Done():
	}
	over.Store(true)
	group.Wait()
	v.wall, v.cpu, v.paths = time.Since(begin), processTime()-cpu, paths.Load()
	return v, context.Cause(ctx)
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
