package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/query"
)

// storey is how far above and below a place the level is asked for its ground, in metres.
const storey = 0.9

// places asks random places of the meshes for their ground, and the levels for theirs.
func (s settings) places(_ context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintf(out, "| world | regions | areas | places | within %.1f mm of a border | wrong |\n|---|---:|---:|---:|---:|---:|\n", 1000*ground.Tolerance)
	var faults []error
	for _, w := range worlds {
		q, o := w.mesh.NewQuery(), corpus.NewGround(w.level)
		rng := rand.New(rand.NewPCG(s.seed, 1))
		near, wrong := 0, 0
		seen := map[uint8]bool{} // counted only
		for range s.points {
			at, ok := q.RandomPoint(rng)
			if !ok {
				return fmt.Errorf("%s: no floor", w.name)
			}
			_, r, _ := w.mesh.Region(at.Ref)
			seen[r.Area] = true
			want, ok := o.Sure(at.Point.X, at.Point.Z, at.Point.Y-storey, at.Point.Y+storey, ground.Tolerance)
			switch {
			case !ok:
				near++
			case want != r.Area:
				wrong++
				if wrong == 1 {
					faults = append(faults, fmt.Errorf("%s: %v is %s, the mesh says %s", w.name, at.Point, w.mesh.AreaName(want), w.mesh.AreaName(r.Area)))
				}
			}
		}
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d |\n", w.name, w.mesh.RegionCount(), len(seen), s.points, near, wrong)
	}
	fmt.Fprintln(out)
	return errors.Join(faults...)
}

// traveller asks for paths by a method.
type traveller struct {
	index *query.Index
	query *query.Query
	may   func(area uint8) bool
}

func (s settings) traveller(w *world, method string) (*traveller, error) {
	f, err := w.mesh.Index().Method(method)
	if err != nil {
		return nil, err
	}
	ix, err := w.mesh.Index().With(f)
	if err != nil {
		return nil, err
	}
	may := func(a uint8) bool { return !math.IsInf(f.AreaCosts[a], 1) }
	q := ix.NewQuery()
	q.Epsilon = s.epsilon
	return &traveller{ix, q, may}, nil
}

// pairs draws starts and goals where a method may be.
func (t *traveller) pairs(n int, seed uint64) [][2]query.Position {
	rng := rand.New(rand.NewPCG(seed, 2))
	list := make([][2]query.Position, 0, n)
	for range n {
		from, ok := t.query.RandomPoint(rng)
		to, _ := t.query.RandomPoint(rng)
		if ok {
			list = append(list, [2]query.Position{from, to})
		}
	}
	return list
}

// travels asks whether paths stay where their methods may go.
func (s settings) travels(ctx context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintln(out, "| world | method | paths | that there are | with a crossing | places on them | not allowed |\n|---|---|---:|---:|---:|---:|---:|")
	var faults []error
	for _, w := range worlds {
		o := corpus.NewGround(w.level)
		for _, m := range w.mesh.Methods {
			t, err := s.traveller(w, m.Name)
			if err != nil {
				return err
			}
			complete, crossed, asked, wrong := 0, 0, 0, 0
			for _, pair := range t.pairs(s.paths, s.seed) {
				path, err := t.query.PathBetween(ctx, pair[0], pair[1])
				if err != nil {
					return err
				}
				if !path.Complete {
					continue
				}
				complete++
				if len(path.Crossings) > 0 {
					crossed++
				}
				for _, r := range path.Regions() {
					if _, region, _ := w.mesh.Region(r); !t.may(region.Area) {
						faults = append(faults, fmt.Errorf("%s: a path of %s from %v goes through %s", w.name, m.Name, pair[0].Point, w.mesh.AreaName(region.Area)))
					}
				}
				along(path.Surface(), 0.25, func(p geom.Vec) {
					area, ok := o.Sure(p.X, p.Z, p.Y-storey, p.Y+storey, ground.Tolerance)
					if !ok {
						return
					}
					if asked++; !t.may(area) {
						if wrong++; wrong == 1 {
							faults = append(faults, fmt.Errorf("%s: a path of %s from %v is on %s at %v", w.name, m.Name, pair[0].Point, w.mesh.AreaName(area), p))
						}
					}
				})
			}
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d |\n", w.name, m.Name, s.paths, complete, crossed, asked, wrong)
		}
	}
	fmt.Fprintln(out)
	return errors.Join(faults...)
}

// along calls visit for places on a line, a step apart.
func along(points []geom.Vec, step float64, visit func(geom.Vec)) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		n := math.Ceil(a.Distance(b) / step)
		for k := 0.0; k < n; k++ {
			visit(a.Add(b.Sub(a).Scale((k + 0.5) / n)))
		}
	}
}

// without returns a level without one of its objects.
func without(lvl *level.Level, object int) *level.Level {
	out := *lvl
	o := lvl.Objects[object]
	out.Triangles = slices.Delete(slices.Clone(lvl.Triangles), o.First, o.First+o.Count)
	out.Objects, out.Solids = nil, nil
	g := *lvl.Ground
	g.Triangles = slices.Delete(slices.Clone(g.Triangles), o.First, o.First+o.Count)
	out.Ground = &g
	return &out
}

// bridges removes the first bridge of a world and compares paths: only paths over the bridge may get longer. Some get
// shorter, because an obstacle is gone.
func (s settings) bridges(ctx context.Context, out io.Writer, worlds []*world) error {
	fmt.Fprintln(out, "| world | method | paths | over the bridge | now longer | now none | others now longer |\n|---|---|---:|---:|---:|---:|---:|")
	var faults []error
	for _, w := range worlds {
		object := slices.IndexFunc(w.level.Objects, func(o level.Object) bool { return o.Name == "bridge" })
		if object < 0 {
			continue
		}
		deck := geom.EmptyBox()
		for _, t := range w.level.Triangles[w.level.Objects[object].First:][:w.level.Objects[object].Count] {
			deck = deck.Extend(w.level.Vertices[t.A]).Extend(w.level.Vertices[t.B]).Extend(w.level.Vertices[t.C])
		}
		gone := &world{name: w.name + " without a bridge", level: without(w.level, object), terrain: w.terrain}
		if err := s.build(ctx, gone); err != nil {
			return err
		}
		for _, m := range w.mesh.Methods {
			before, err := s.traveller(w, m.Name)
			if err != nil {
				return err
			}
			after, err := s.traveller(gone, m.Name)
			if err != nil {
				return err
			}
			over, detours, none, others := 0, 0, 0, 0
			for _, pair := range before.pairs(s.paths, s.seed) {
				path, err := before.query.PathBetween(ctx, pair[0], pair[1])
				if err != nil || !path.Complete {
					continue
				}
				used := false
				along(path.Surface(), 0.25, func(p geom.Vec) {
					used = used || p.X >= deck.Min.X && p.X <= deck.Max.X && p.Z >= deck.Min.Z && p.Z <= deck.Max.Z && p.Y > deck.Min.Y-0.5
				})
				now, err := after.query.Path(ctx, pair[0].Point, pair[1].Point)
				switch longer := err != nil || !now.Complete || now.Cost > (1.01+s.epsilon)*path.Cost+0.01; {
				case used:
					over++
					if err != nil || !now.Complete {
						none++
					} else if now.Cost > path.Cost {
						detours++
					}
				case longer:
					if others++; others == 1 {
						faults = append(faults, fmt.Errorf("%s: the path of %s from %v to %v did not need the bridge", w.name, m.Name, pair[0].Point, pair[1].Point))
					}
				}
			}
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d |\n", w.name, m.Name, s.paths, over, detours, none, others)
		}
	}
	fmt.Fprintln(out)
	return errors.Join(faults...)
}
