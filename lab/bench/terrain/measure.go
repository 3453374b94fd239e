package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/query"
)

// least returns the least time of f in some rounds.
func least(rounds int, f func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for range rounds {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start))
	}
	return best, nil
}

// bytesOf returns the size of a mesh as a file.
func bytesOf(m *meadow.Mesh) (int, error) {
	var b bytes.Buffer
	err := m.Write(&b)
	return b.Len(), err
}

// heapOf returns the memory of f's result, in bytes.
func heapOf[T any](f func() (T, error)) (made T, size int64, err error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	made, err = f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return made, int64(after.HeapAlloc) - int64(before.HeapAlloc), err
}

// ask asks for all paths, and returns how long each takes on average and how many there are.
func (s settings) ask(ctx context.Context, ix *query.Index, pairs [][2]query.Position) (each time.Duration, complete int, err error) {
	q := ix.NewQuery()
	q.Epsilon = s.epsilon
	total, err := least(s.rounds, func() error {
		complete = 0
		for _, pair := range pairs {
			path, err := q.Path(ctx, pair[0].Point, pair[1].Point)
			if err != nil {
				return err
			}
			if path.Complete {
				complete++
			}
		}
		return nil
	})
	return total / time.Duration(max(len(pairs), 1)), complete, err
}

// splitting compares meshes of the same levels with and without kinds of ground.
func (s settings) splitting(ctx context.Context, out io.Writer, worlds []*world) error {
	g, err := catalog.Generator(s.method)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| world | ground | regions | portals | bytes | build s | path µs |\n|---|---|---:|---:|---:|---:|---:|")
	for _, w := range worlds {
		bare := *w.level
		bare.Ground = nil
		t := &traveller{index: w.mesh.Index(), query: w.mesh.NewQuery()}
		pairs := t.pairs(s.paths, s.seed)
		for _, v := range []struct {
			name    string
			lvl     bool
			terrain *meadow.Terrain
		}{{"one", false, nil}, {"divided", true, w.terrain}} {
			lvl := &bare
			if v.lvl {
				lvl = w.level
			}
			var mesh *meadow.Mesh
			took, err := least(s.rounds, func() (err error) {
				mesh, err = meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Terrain: v.terrain, Jobs: 1}, meadow.MeshOptions{Generator: g, Jobs: 1})
				return err
			})
			if err != nil {
				return err
			}
			size, err := bytesOf(mesh)
			if err != nil {
				return err
			}
			each, _, err := s.ask(ctx, mesh.Index(), pairs)
			if err != nil {
				return err
			}
			r := mesh.Report()
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %.3f | %.1f |\n", w.name, v.name, r.Regions, r.Portals, size, took.Seconds(), float64(each.Nanoseconds())/1e3)
		}
	}
	fmt.Fprintln(out)
	return nil
}

// sharing compares one mesh for all methods with a mesh for each, for the same domains.
func (s settings) sharing(ctx context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintln(out, "| world | method | regions of one mesh | of its own | file of its own, bytes | index of its own, bytes | index on the one mesh, bytes | path on the one mesh µs | on its own µs |")
	fmt.Fprintln(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, w := range worlds {
		one, err := bytesOf(w.mesh)
		if err != nil {
			return err
		}
		_, shared, err := heapOf(func() (*query.Index, error) { return query.NewIndex(w.mesh.Mesh), nil })
		if err != nil {
			return err
		}
		files, indexes, filters := 0, int64(0), int64(0)
		for _, m := range w.mesh.Methods {
			t, err := s.traveller(w, m.Name)
			if err != nil {
				return err
			}
			_, filtered, err := heapOf(func() (*query.Index, error) {
				f, err := w.mesh.Index().Method(m.Name)
				if err != nil {
					return nil, err
				}
				return w.mesh.Index().With(f)
			})
			if err != nil {
				return err
			}
			own, err := s.only(ctx, w, t.may)
			if err != nil {
				return err
			}
			size, err := bytesOf(own)
			if err != nil {
				return err
			}
			ix, heap, err := heapOf(func() (*query.Index, error) {
				ix := query.NewIndex(own.Mesh)
				f, err := ix.Method(m.Name)
				if err != nil {
					return nil, err
				}
				return ix.With(f)
			})
			if err != nil {
				return err
			}
			pairs := t.pairs(s.paths, s.seed)
			a, found, err := s.ask(ctx, t.index, pairs)
			if err != nil {
				return err
			}
			b, also, err := s.ask(ctx, ix, pairs)
			if err != nil {
				return err
			}
			if found != also {
				return fmt.Errorf("%s: %s has %d of %d paths on the one mesh, %d on its own", w.name, m.Name, found, len(pairs), also)
			}
			files, indexes, filters = files+size, indexes+heap, filters+filtered
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %.1f | %.1f |\n", w.name, m.Name, w.mesh.RegionCount(), own.RegionCount(),
				size, heap, filtered, float64(a.Nanoseconds())/1e3, float64(b.Nanoseconds())/1e3)
		}
		fmt.Fprintf(out, "| %s | all | %d | | %d for %d | %d | %d + %d | | |\n", w.name, w.mesh.RegionCount(), files, one, indexes, filters, shared)
	}
	fmt.Fprintln(out)
	return nil
}

// only makes a mesh of the ground allowed to a method.
func (s settings) only(ctx context.Context, w *world, may func(area uint8) bool) (*meadow.Mesh, error) {
	p := restricted(w.floor.Plan, may)
	g, err := catalog.Generator(s.method)
	if err != nil {
		return nil, err
	}
	results, err := gen.DecomposePlan(ctx, g, p, 0, 0)
	if err != nil {
		return nil, err
	}
	m, _, err := join.Build(ctx, p, gen.CellsOf(results), join.Options{Methods: w.mesh.Methods, Crossings: w.mesh.Crossings})
	if err != nil {
		return nil, err
	}
	return meadow.Wrap(m), nil
}

// restricted returns a plan with only the domains whose areas may be used.
func restricted(p *plan.Plan, may func(area uint8) bool) *plan.Plan {
	out := *p
	out.Layers, out.Chains, out.Links = nil, nil, nil
	ids := map[plan.DomainID]plan.DomainID{} // looked up only
	for l := range p.Layers {
		layer := plan.Layer{}
		for d, domain := range p.Layers[l].Domains {
			if may(domain.Area) {
				ids[plan.DomainID{Layer: int32(l), Domain: int32(d)}] = plan.DomainID{Layer: int32(len(out.Layers)), Domain: int32(len(layer.Domains))}
				layer.Domains = append(layer.Domains, domain)
			}
		}
		if len(layer.Domains) > 0 {
			layer.Floor = p.Layers[l].Floor
			out.Layers = append(out.Layers, layer)
		}
	}
	number := make([]plan.ChainID, len(p.Chains))
	for i, c := range p.Chains {
		left, ok := ids[c.Left]
		right, also := ids[c.Right]
		if number[i] = plan.Wall; ok && also {
			number[i] = plan.ChainID(len(out.Chains))
			c.Left, c.Right = left, right
			out.Chains = append(out.Chains, c)
		}
	}
	for l := range out.Layers {
		for d := range out.Layers[l].Domains {
			domain := &out.Layers[l].Domains[d]
			domain.Edges = slices.Clone(domain.Edges)
			for r, edges := range domain.Edges {
				domain.Edges[r] = slices.Clone(edges)
				for k, c := range edges {
					if c != plan.Wall {
						domain.Edges[r][k] = number[c]
					}
				}
			}
		}
	}
	return &out
}
