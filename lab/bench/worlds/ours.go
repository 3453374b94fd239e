package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// ours is a world of Meadow. Changes and paths run on one core, the collector included.
type ours struct {
	w     *world.World
	q     *query.Query
	clock func() time.Duration
}

func newOurs(ctx context.Context, base *navmesh.Mesh, clock func() time.Duration) (*ours, error) {
	w, err := world.New(ctx, base, world.Options{})
	if err != nil {
		return nil, err
	}
	q := w.Now().NewQuery()
	return &ours{w, q, clock}, nil
}

func (o *ours) name() string { return "Meadow" }

// oneCore binds the runtime to one core and returns how to end that.
func oneCore() func() {
	before := runtime.GOMAXPROCS(1)
	return func() { runtime.GOMAXPROCS(before) }
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// free reports whether an agent can stand at the place of an obstacle.
func (o *ours) free(p place) bool {
	_, ok := o.q.Locate(p.at)
	return ok
}

func (o *ours) ones(ctx context.Context, places []place) ([]one, error) {
	defer oneCore()()
	all := make([]one, len(places))
	for i, p := range places {
		id := crateID(i)
		r := &all[i]
		r.free = o.free(p)
		for k, e := range []world.Edit{
			world.Put{ID: id, Solid: crate(p.at)},
			world.Move{ID: id, Solid: crate(p.moved)},
			world.Take{ID: id},
		} {
			begin := o.clock()
			if _, err := o.w.Apply(ctx, e); err != nil {
				return nil, err
			}
			changed := o.clock()
			o.q.Use(o.w.Now().Index())
			path, err := o.q.Path(ctx, p.a, p.b)
			end := o.clock()
			if err != nil && !errors.Is(err, query.ErrOffMesh) {
				return nil, err
			}
			r.change[k], r.path[k], r.found[k] = micros(changed-begin), micros(end-changed), path.Complete
			if k == 0 {
				r.blocked = !o.free(p)
			}
		}
		r.back = o.free(p) == r.free
	}
	return all, nil
}

func (o *ours) batch(ctx context.Context, places []place) (Batch, error) {
	defer oneCore()()
	var b Batch
	var in, out []world.Edit
	for i, p := range places {
		id := crateID(i)
		in = append(in, world.Put{ID: id, Solid: crate(p.at)})
		out = append(out, world.Take{ID: id})
	}
	var err error
	together := func(edits []world.Edit) float64 {
		begin := o.clock()
		if _, e := o.w.Apply(ctx, edits...); e != nil {
			err = e
		}
		return micros(o.clock() - begin)
	}
	each := func(edits []world.Edit) float64 {
		begin := o.clock()
		for _, e := range edits {
			if _, e := o.w.Apply(ctx, e); e != nil {
				err = e
			}
		}
		return micros(o.clock() - begin)
	}
	count := func(free bool) (n int) {
		o.q.Use(o.w.Now().Index())
		for _, p := range places {
			if o.free(p) == free {
				n++
			}
		}
		return n
	}
	b.InUS = together(in)
	b.Lost = count(true)
	b.OutUS = together(out)
	b.Ghosts = count(false)
	b.EachInUS = each(in)
	b.Lost += count(true)
	b.EachOutUS = each(out)
	b.Ghosts += count(false)
	return b, err
}
