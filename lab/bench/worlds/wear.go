package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Wear is a world after many random changes, beside a world made anew of the same base and the same things.
type Wear struct {
	Changes int    `json:"changes"`
	Things  int    `json:"things"` // that stand in the end
	Change  Micros `json:"change"`
	// Heap is the memory in use, the base included, after each tenth of the changes, in MB.
	Heap    []float64 `json:"heap_mb"`
	Regions int       `json:"regions"`
	Anew    int       `json:"regions_anew"`
	// Same reports whether the file of the mesh equals the file of the mesh made anew.
	Same   bool `json:"same_bytes"`
	Paths  int  `json:"paths"`  // compared with paths of the world made anew
	Faults int  `json:"faults"` // of the mesh, and paths that differ
}

// comparedPaths is the number of paths that a worn world and a world made anew are both asked for.
const comparedPaths = 1000

func (s settings) measureWear(ctx context.Context, base *navmesh.Mesh, log io.Writer) (*Wear, error) {
	w, err := world.New(ctx, base, world.Options{})
	if err != nil {
		return nil, err
	}
	r := &Wear{Changes: s.changes}
	floor := query.NewIndex(base).NewQuery()
	rng := rand.New(rand.NewPCG(7, 11))
	clock := s.clock()
	var standing []world.ID
	times := make([]float64, 0, s.changes)
	for i := range s.changes {
		e, next := randomEdit(rng, floor, standing, i, s.things)
		begin := clock()
		if _, err := w.Apply(ctx, e); err != nil {
			return nil, fmt.Errorf("change %d, %+v: %w", i, e, err)
		}
		times = append(times, micros(clock()-begin))
		standing = next
		if (i+1)%max(1, s.changes/10) == 0 {
			r.Heap = append(r.Heap, heap())
			fmt.Fprintf(log, "  %d changes, %.1f MB\n", i+1, r.Heap[len(r.Heap)-1])
		}
	}
	r.Things, r.Change = len(standing), microsOf(times)
	return r, r.compare(ctx, base, w.Now())
}

// randomEdit returns a change, and the obstacles that stand after it. Up to the number of things, obstacles come more often than
// they go.
func randomEdit(rng *rand.Rand, floor *query.Query, standing []world.ID, i, most int) (world.Edit, []world.ID) {
	at, _ := floor.RandomPoint(rng)
	solid := randomSolid(rng, base(at.Point))
	come := len(standing) == 0 || len(standing) < most && rng.IntN(5) < 2
	if come {
		id := world.ID(fmt.Sprintf("thing-%d", i))
		return world.Put{ID: id, Solid: solid}, append(standing, id)
	}
	k := rng.IntN(len(standing))
	id := standing[k]
	if rng.IntN(3) > 0 {
		return world.Move{ID: id, Solid: solid}, standing
	}
	return world.Take{ID: id}, slices.Delete(standing, k, k+1)
}

// randomSolid returns a box, a cylinder or a prism of 0.3 to 4 m, standing at a place.
func randomSolid(rng *rand.Rand, at geom.Vec) world.Solid {
	size := func() float64 { return 0.3 + 3.7*rng.Float64()*rng.Float64() }
	switch rng.IntN(3) {
	case 0:
		return world.Box{Base: at, Size: geom.Vec{X: size(), Y: cylinderHeight, Z: size()}, Yaw: 2 * math.Pi * rng.Float64()}
	case 1:
		return world.Cylinder{Base: at, Radius: size() / 2, Height: cylinderHeight}
	default:
		// A star around the place: simple, and not always convex.
		n := 3 + rng.IntN(6)
		outline := make([]geom.Vec, n)
		for k := range outline {
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5*rng.Float64()) / float64(n))
			outline[k] = at.Add(geom.Vec{X: cos, Z: sin}.Scale(size() / 2))
		}
		return world.Prism{Outline: outline, Bottom: at.Y, Top: at.Y + cylinderHeight}
	}
}

// compare makes the world anew and counts differences.
func (r *Wear) compare(ctx context.Context, base *navmesh.Mesh, worn *world.Snapshot) error {
	fresh, err := world.New(ctx, base, world.Options{})
	if err != nil {
		return err
	}
	var edits []world.Edit
	for _, t := range worn.Things() {
		edits = append(edits, t)
	}
	if len(edits) != r.Things {
		r.Faults++
	}
	if _, err := fresh.Apply(ctx, edits...); err != nil {
		return err
	}
	var files [2][]byte
	var counts [2]int
	for k, s := range []*world.Snapshot{worn, fresh.Now()} {
		m := s.Mesh()
		r.Faults += len(m.Validate())
		counts[k] = m.RegionCount()
		if files[k], err = navfile.Encode(m.WithoutRecord()); err != nil {
			return err
		}
	}
	r.Regions, r.Anew, r.Same = counts[0], counts[1], bytes.Equal(files[0], files[1])
	a, b := worn.NewQuery(), fresh.Now().NewQuery()
	ends, err := drawEnds(b, comparedPaths)
	if err != nil {
		return err
	}
	for _, e := range ends {
		p, err := a.Path(ctx, e[0], e[1])
		if err != nil {
			return err
		}
		q, err := b.Path(ctx, e[0], e[1])
		if err != nil {
			return err
		}
		r.Paths++
		if p.Complete != q.Complete || math.Abs(p.Length-q.Length) > 1e-9*(1+q.Length) {
			r.Faults++
		}
	}
	return nil
}

// heap returns the memory in use in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}
