package worldcheck

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Watch lets readers ask the latest snapshot for paths while the world changes. The result stops them, after each has looked at a
// snapshot; it returns their faults and the number of paths. Every reader sees the sequence rise only, every snapshot gives the same answer twice,
// and every bend of a path is floor of its snapshot that no obstacle blocks.
func Watch(ctx context.Context, w *world.World, readers int, seed uint64) (stop func() ([]Fault, int)) {
	var wait sync.WaitGroup
	var over atomic.Bool
	var paths atomic.Int64
	found := make(chan Fault, readers) // each reader stops at its first fault
	for i := range readers {
		wait.Go(func() {
			r := reader{rng: rand.New(rand.NewPCG(seed, uint64(i)))}
			for first := true; first || !over.Load(); first = false {
				n, err := r.look(ctx, w.Now())
				if paths.Add(int64(n)); err != nil {
					if ctx.Err() == nil {
						found <- Fault{Law: Readers, Detail: err.Error()}
					}
					return
				}
			}
		})
	}
	return func() ([]Fault, int) {
		over.Store(true)
		wait.Wait()
		close(found)
		var faults []Fault
		for f := range found {
			faults = append(faults, f)
		}
		return faults, int(paths.Load())
	}
}

// reader is the state of a reader.
type reader struct {
	rng  *rand.Rand
	last uint64
	q    *query.Query
}

// pathsOfSnapshot is the number of paths that a reader asks a snapshot for.
const pathsOfSnapshot = 4

// look asks a snapshot and returns the number of paths found.
func (r *reader) look(ctx context.Context, s *world.Snapshot) (paths int, err error) {
	if s.Sequence() < r.last {
		return 0, fmt.Errorf("snapshot %d follows snapshot %d", s.Sequence(), r.last)
	}
	r.last = s.Sequence()
	// Every other snapshot is asked by a query that has asked others before.
	q := r.q
	if q == nil || s.Sequence()%2 == 0 {
		q = s.NewQuery()
	}
	q.Use(s.Index())
	r.q = q
	for range pathsOfSnapshot {
		from, ok := q.RandomPoint(r.rng)
		to, _ := q.RandomPoint(r.rng)
		if !ok {
			return paths, nil
		}
		first, err := ask(ctx, q, from.Point, to.Point)
		if err != nil {
			return paths, fmt.Errorf("snapshot %d: %w", s.Sequence(), err)
		}
		if !standsOn(q, first.Points) {
			return paths, fmt.Errorf("snapshot %d: the path from %v to %v bends off the floor: %v", s.Sequence(), from.Point, to.Point, first.Points)
		}
		again, err := ask(ctx, q, from.Point, to.Point)
		if err != nil || again.Complete != first.Complete || again.Cost != first.Cost {
			return paths, fmt.Errorf("snapshot %d: from %v to %v cost %v, then %v, %w", s.Sequence(), from.Point, to.Point, first.Cost, again.Cost, err)
		}
		if first.Complete {
			paths++
		}
	}
	return paths, nil
}

// standsOn reports whether all points are on the floor of a query, up to the rounding of the ends of links.
func standsOn(q *query.Query, points []geom.Vec) bool {
	return !slices.ContainsFunc(points, func(at geom.Vec) bool {
		_, ok := q.Locate(at)
		return !ok && !beside(q, at)
	})
}

// ask returns a path that lasts; places that are no floor have no path.
func ask(ctx context.Context, q *query.Query, from, to geom.Vec) (query.Path, error) {
	path, err := q.Path(ctx, from, to)
	if errors.Is(err, query.ErrOffMesh) {
		return query.Path{}, nil
	}
	return path.Clone(), err
}
