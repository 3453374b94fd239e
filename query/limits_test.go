package query

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// mangled returns a grid world in which some portals end at random vertices, on both sides alike: the structure is
// valid, the geometry is not.
func mangled(tb testing.TB, seed uint64) *navmesh.Mesh {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	m := newGrid(tb, rng, 14, 14, 0.15, style(rng.IntN(int(styles))), lattice.Frame{}).mesh
	t := &m.Tiles[0]
	for range 1 + rng.IntN(40) {
		p := &t.Portals[rng.IntN(len(t.Portals))]
		back, v := &t.Portals[p.Back], rng.Uint32N(uint32(len(t.Vertices)))
		if rng.IntN(2) == 0 {
			p.Right, back.Left = v, v
		} else {
			p.Left, back.Right = v, v
		}
	}
	return m
}

// TestSearchesAreBounded asks mangled meshes for paths and for regions. Some searches reach the limit; without a limit
// they would never end.
func TestSearchesAreBounded(t *testing.T) {
	race.Skip(t)
	full, tooLarge := 0, 0
	for seed := range uint64(60) {
		ix := NewIndex(mangled(t, seed))
		if ix.geo.Sound {
			continue
		}
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(seed, 8))
		judge := func(what string) {
			// One node adds at most a view and two roots for each portal of the regions around a corner.
			for _, s := range []*exact.Tree{&q.one.Tree, &q.within.Tree} {
				if n := len(s.Views) + len(s.Roots); n > 2*ix.geo.Most {
					t.Errorf("seed %d: %s: %d nodes, the limit is %d", seed, what, n, ix.geo.Most)
				}
				if s.Over {
					full++
				}
			}
		}
		for range 4 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			path, err := q.PathBetween(t.Context(), a, b)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if q.one.Over && path.Expanded > 0 && path.LowerBound != 0 {
				t.Errorf("seed %d: a search that ended early proves %g", seed, path.LowerBound)
			}
			judge("path")
			if _, err := q.RegionsWithin(t.Context(), a, math.Inf(1)); errors.Is(err, ErrTooLarge) {
				tooLarge++
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			judge("regions")
		}
	}
	if full == 0 || tooLarge == 0 {
		t.Errorf("%d searches were full, %d failed: the limit is never reached", full, tooLarge)
	}
}

// TestUnsoundCellsAreBounded searches over uneven ground with unlimited effort, like a [Search]. On an unsound mesh,
// the limit ends the search.
func TestUnsoundCellsAreBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 4))
	g, costs := patchwork(t, rng, 16)
	ix := withCosts(t, g.mesh, costs)
	ix.geo.Most = 25
	s := ix.NewSearch()
	limited := 0
	for _, c := range pairs(rng, g, 30) {
		ix.geo.Sound = true
		if err := s.Begin(c.start, c.goal); err != nil {
			t.Fatal(err)
		}
		for !s.Advance(10) {
		}
		full, all := s.Path().Complete, s.q.cheap.Taken
		if !full || all <= ix.geo.Most {
			continue
		}
		limited++
		ix.geo.Sound = false
		if err := s.Begin(c.start, c.goal); err != nil {
			t.Fatal(err)
		}
		for !s.Advance(10) {
		}
		if n := s.q.cheap.Taken; n != ix.geo.Most || !s.Path().Complete {
			t.Errorf("%v to %v: %d cells taken up, the limit is %d; complete %v", c.start, c.goal, n, ix.geo.Most, s.Path().Complete)
		}
	}
	if limited < 5 {
		t.Errorf("%d searches reached the limit: too few for a test", limited)
	}
}

// TestRaysAreBounded casts rays on mangled meshes. Some reach the limit.
func TestRaysAreBounded(t *testing.T) {
	limited := 0
	for seed := range uint64(200) {
		ix := NewIndex(mangled(t, seed))
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(seed, 9))
		for range 20 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			ray, err := q.Raycast(a, b.Point)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(ray.Regions); n > ix.geo.RayLimit()+ix.geo.RegionLimit() {
				t.Fatalf("seed %d: a ray through %d of %d regions", seed, n, ix.geo.RegionLimit())
			} else if n >= ix.geo.RayLimit() {
				limited++
			}
			if !(ray.Fraction >= 0 && ray.Fraction <= 1) {
				t.Fatalf("seed %d: a ray that ends at %g", seed, ray.Fraction)
			}
		}
	}
	if limited == 0 {
		t.Error("no ray reaches the limit")
	}
}

// TestFloorWalkIsBounded walks over thousands of triangles through each other. The walk ends after its maximum number
// of comparisons, and the ends of the path are right.
func TestFloorWalkIsBounded(t *testing.T) {
	race.Skip(t)
	const far, stack = 1 << 17, 20000
	p := patch{ring: []lattice.Vertex{{Point: lattice.Point{X: -far}}, {Point: lattice.Point{X: far}}, {Point: lattice.Point{X: far, Y: far}}, {Point: lattice.Point{X: -far, Y: far}}}}
	floor := floorOf([]patch{p}, 0)
	// Tangents of a parabola: each tangent is the highest somewhere.
	for i := range int32(stack) {
		x := float64(far) * (2*float64(i)/stack - 1)
		first := uint32(len(floor.Vertices))
		for _, at := range []lattice.Point{{X: -far}, {X: far}, {X: far, Y: far}} {
			floor.Vertices = append(floor.Vertices, lattice.Vertex{Point: at, Z: int32(x*float64(at.X)/far - x*x/(2*far))})
		}
		floor.Triangles = append(floor.Triangles, [3]uint32{first, first + 1, first + 2})
	}
	m := stitch(t, lattice.Frame{}, testAgent, []patch{p}, []lattice.TIN{floor})
	q := NewIndex(m).NewQuery()
	place := func(x, y int32) geom.Vec {
		return ground(m, lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: int32(q.ix.HeightAt(0, float64(x), float64(y)))})
	}
	a, b := place(40-far, 10), place(far-10, far/2)
	path, err := q.Path(t.Context(), a, b)
	if err != nil || !path.Complete {
		t.Fatalf("complete is %v, %v", path.Complete, err)
	}
	way := path.Surface()
	if q.trail.scratch.profile.left > 0 {
		t.Errorf("%d comparisons are left: the floor is no hard one", q.trail.scratch.profile.left)
	}
	// One step of the walk may compare all spans.
	if q.trail.scratch.profile.left < -2*stack {
		t.Errorf("%d comparisons more than the limit", -q.trail.scratch.profile.left)
	}
	first, last := way[0], way[len(way)-1]
	if first.X != a.X || first.Z != a.Z || last.X != b.X || last.Z != b.Z {
		t.Errorf("from %v to %v, want from %v to %v", first, last, a, b)
	}
}

// TestLimitsAreGenerous measures searches over whole worlds with many obstacles. The limit of unsound meshes, per
// element, is far above the need of sound meshes, and maxNodes still farther.
func TestLimitsAreGenerous(t *testing.T) {
	race.Skip(t)
	const generous = 5
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 10))
		var w world = newGrid(t, rng, 30, 30, 0.05+0.03*float64(seed%6), style(seed%uint64(styles)), lattice.Frame{})
		if seed%4 == 3 {
			w = newSoup(t, rng, 20, 20, 0.25, lattice.Frame{})
		}
		ix := NewIndex(w.theMesh())
		if !ix.geo.Sound || ix.geo.Most != index.MaxNodes {
			t.Fatalf("seed %d: sound is %v, the limit is %d", seed, ix.geo.Sound, ix.geo.Most)
		}
		q := ix.NewQuery()
		at, _ := q.RandomPoint(rng)
		if _, err := q.RegionsWithin(t.Context(), at, math.Inf(1)); err != nil {
			t.Fatal(err)
		}
		n, elements := q.one.Nodes(), ix.geo.RegionLimit()+ix.geo.PortalLimit()
		if n*generous > index.UnsoundNodes+index.UnsoundOver*elements || n*generous*100 > index.MaxNodes {
			t.Errorf("seed %d: %d nodes for %d elements", seed, n, elements)
		}
	}
}

// asked is a context that ends after a number of checks, made by any number of goroutines.
type asked struct {
	context.Context
	left atomic.Int64
}

func askedUpTo(ctx context.Context, n int64) *asked {
	a := &asked{Context: ctx}
	a.left.Store(n)
	return a
}

func (a *asked) Err() error {
	if a.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestIndexIsCancelled ends the making of an Index with landmarks at every check of the context.
func TestIndexIsCancelled(t *testing.T) {
	// Walls from alternating sides make ways much longer than straight lines.
	const side = 48
	blocked := make([]bool, side*side)
	for y := 1; y < side; y += 2 {
		for x := range side {
			blocked[y*side+x] = x != (y/2%2)*(side-1)
		}
	}
	rng := rand.New(rand.NewPCG(1, 11))
	m := gridOf(t, rng, side, side, blocked, cells, maps[0], lattice.Frame{}).mesh
	count := askedUpTo(t.Context(), math.MaxInt64)
	ix, err := NewIndexWith(count, m)
	if err != nil || ix.landmarks.From == nil {
		t.Fatalf("error %v, landmarks %v", err, ix.landmarks.From != nil)
	}
	for n := int64(0); n < math.MaxInt64-count.left.Load(); n += 1 + n/4 {
		if ix, err := NewIndexWith(askedUpTo(t.Context(), n), m); !errors.Is(err, context.Canceled) || ix != nil {
			t.Fatalf("ended at question %d: error %v", n, err)
		}
	}
}
