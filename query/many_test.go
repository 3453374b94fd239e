package query

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// goalsOf draws goals of a world, the start and a goal twice among them.
func goalsOf(rng *rand.Rand, w world, n int) (start geom.Vec, goals []geom.Vec) {
	for i, p := range pairs(rng, w, n) {
		if i == 0 {
			start = p.start
			goals = append(goals, p.start)
		}
		goals = append(goals, p.goal)
	}
	if len(goals) > 1 {
		goals = append(goals, goals[1])
	}
	return start, goals
}

// linkedOrNot makes a random world, every other world with links, some cheaper than their length.
func linkedOrNot(t *testing.T, rng *rand.Rand, i int) world {
	t.Helper()
	if i%2 == 0 {
		return randomWorld(t, rng)
	}
	g := newGrid(t, rng, 2+rng.IntN(11), 2+rng.IntN(11), 0.1+0.4*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
	return newLinked(t, rng, g, 1+rng.IntN(8), i%4 == 1)
}

// checkWay checks a path in a world with or without links.
func checkWay(t *testing.T, q *Query, w world, path Path, start, goal geom.Vec) {
	t.Helper()
	if m := w.theMesh(); len(m.Links) > 0 {
		checkCosts(t, m, path)
	} else {
		checkPath(t, q, path, start, goal)
	}
}

// TestToManyAgainstPath compares costs and paths with a search for each goal.
func TestToManyAgainstPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	reached, missed := 0, 0
	for i := range 160 {
		w := linkedOrNot(t, rng, i)
		ix := NewIndex(w.theMesh())
		q, single := ix.NewQuery(), ix.NewQuery()
		n := 1 + rng.IntN(12)
		if i%8 < 2 {
			n += 60
		}
		start, goals := goalsOf(rng, w, n)
		fan, err := q.ToMany(t.Context(), start, goals)
		if err != nil || len(fan.Costs) != len(goals) {
			t.Fatal(len(fan.Costs), err)
		}
		for k := range goals {
			want, err := single.Path(t.Context(), start, goals[k])
			if err != nil {
				t.Fatal(err)
			}
			path, err := fan.Path(t.Context(), k)
			if err != nil || path.Complete != want.Complete {
				t.Fatalf("world %d, goal %d: complete is %v, alone %v, %v", i, k, path.Complete, want.Complete, err)
			}
			if !want.Complete {
				if missed++; !math.IsInf(fan.Costs[k], 1) || path.Points != nil {
					t.Fatalf("world %d, goal %d: cost %v of %v, but no way leads there", i, k, fan.Costs[k], path.Points)
				}
				continue
			}
			reached++
			if tolerance := 1e-9 * (1 + want.Cost); math.Abs(fan.Costs[k]-want.Cost) > tolerance || math.Abs(path.Cost-want.Cost) > tolerance {
				t.Fatalf("world %d, goal %d: cost %v, path of %v, alone %v", i, k, fan.Costs[k], path.Cost, want.Cost)
			}
			checkWay(t, q, w, path, start, goals[k])
		}
	}
	if reached < 500 || missed < 100 {
		t.Errorf("only %d reached, %d not", reached, missed)
	}
}

// TestToManyAgainstOracle compares costs with visibility graphs.
func TestToManyAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for i := range 40 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		a, ok := w.draw(rng)
		if !ok {
			continue
		}
		var goals []geom.Vec
		var want []float64
		for range 6 {
			b, _ := w.draw(rng)
			goals, want = append(goals, w.point(b)), append(want, w.shortest(a, b))
		}
		fan, err := q.ToMany(t.Context(), w.point(a), goals)
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range fan.Costs {
			if math.IsInf(c, 1) != math.IsInf(want[k], 1) || math.Abs(c-want[k]) > 1e-9*(1+c) {
				t.Fatalf("world %d: from %v to %v: %v, the oracle says %v", i, w.point(a), goals[k], c, want[k])
			}
		}
	}
}

// TestNearestOfAgainstPaths compares with the least of single paths.
func TestNearestOfAgainstPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 1))
	none, work, all := 0, 0, 0
	for i := range 160 {
		w := linkedOrNot(t, rng, i)
		q := NewIndex(w.theMesh()).NewQuery()
		start, goals := goalsOf(rng, w, 1+rng.IntN(9))
		if len(goals) == 0 {
			continue
		}
		goals = goals[1:] // without the start
		least := math.Inf(1)
		for _, g := range goals {
			path, err := q.Path(t.Context(), start, g)
			if err != nil {
				t.Fatal(err)
			}
			if path.Complete {
				least = min(least, path.Cost)
			}
		}
		k, path, err := q.NearestOf(t.Context(), start, goals)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(least, 1) {
			if none++; k != -1 || path.Complete {
				t.Fatalf("world %d: goal %d, %v, but no way leads to any", i, k, path)
			}
			continue
		}
		if k < 0 || math.Abs(path.Cost-least) > 1e-9*(1+least) {
			t.Fatalf("world %d: goal %d at %v, the nearest is at %v", i, k, path.Cost, least)
		}
		checkWay(t, q, w, path, start, goals[k])
		work += path.Expanded
		fan, err := q.ToMany(t.Context(), start, goals)
		if err != nil {
			t.Fatal(err)
		}
		all += fan.Expanded
	}
	if none == 0 || 2*work > all {
		t.Errorf("%d starts without a goal; the nearest goals took %d nodes, all of them %d", none, work, all)
	}
}

// TestToManyErrors covers ends off the mesh, no goals, and a Fan that has outlived its search.
func TestToManyErrors(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	on, off := geom.FromGround(10, 1, 0), geom.FromGround(50, 50, 0)
	ctx := t.Context()
	for _, tt := range []struct {
		name  string
		start geom.Vec
		goals []geom.Vec
		want  string
	}{
		{"start", off, []geom.Vec{on}, "query: off the mesh: start (50.000, 0.000, -50.000) has no floor within 0.80 m"},
		{"goal", on, []geom.Vec{on, off}, "query: off the mesh: goal (50.000, 0.000, -50.000) has no floor within 0.80 m (goal 1 of 2)"},
		{"not a number", on, []geom.Vec{{X: math.NaN()}}, "query: off the mesh: goal (NaN, 0.000, 0.000) has no floor within 0.80 m (goal 0 of 1)"},
	} {
		_, err := q.ToMany(ctx, tt.start, tt.goals)
		_, _, err2 := q.NearestOf(ctx, tt.start, tt.goals)
		if !errors.Is(err, ErrOffMesh) || err.Error() != tt.want || err2 == nil || err2.Error() != tt.want {
			t.Errorf("%s: %v, %v", tt.name, err, err2)
		}
	}
	fan, err := q.ToMany(ctx, on, nil)
	if err != nil || len(fan.Costs) != 0 {
		t.Errorf("no goals: %v, %v", fan, err)
	}
	if _, err := fan.Path(ctx, 0); err == nil || err.Error() != "query: fan: goal 0 of 0" {
		t.Errorf("a path to none: %v", err)
	}
	if k, path, err := q.NearestOf(ctx, on, nil); k != -1 || err != nil || path.Complete {
		t.Errorf("the nearest of none: %d, %v, %v", k, path, err)
	}

	fan, err = q.ToMany(ctx, on, []geom.Vec{geom.FromGround(10, 19, 0)})
	if err != nil {
		t.Fatal(err)
	}
	first, err := fan.Path(ctx, 0)
	if err != nil || !first.Complete {
		t.Fatal(first, err)
	}
	first = first.Clone()
	if again, err := fan.Path(ctx, 0); err != nil || !equal(again, first) {
		t.Errorf("again %v, %v, before %v", again, err, first)
	}
	mustPath(t, q, on, geom.FromGround(10, 19, 0))
	if _, err := fan.Path(ctx, 0); err == nil || !strings.Contains(err.Error(), "the search is gone") {
		t.Errorf("after another search: %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := q.ToMany(done, on, []geom.Vec{geom.FromGround(10, 19, 0)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestToManyWithoutCorners checks goals that only the corridor search finds.
func TestToManyWithoutCorners(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	for i := range m.Tiles[0].Portals {
		p := &m.Tiles[0].Portals[i]
		p.LeftCorner, p.RightCorner = false, false
	}
	q := NewIndex(m).NewQuery()
	start := ground(m, at(10, 10, 3))
	goals := []geom.Vec{ground(m, at(10, 10, 0)), ground(m, at(1, 1, 0)), ground(m, at(19, 10, 0)), start}
	fan, err := q.ToMany(t.Context(), start, goals)
	if err != nil {
		t.Fatal(err)
	}
	for k := range goals {
		path, err := fan.Path(t.Context(), k)
		if err != nil || !path.Complete || math.Abs(path.Cost-fan.Costs[k]) > 1e-9 {
			t.Errorf("goal %d: cost %v, path %v, %v", k, fan.Costs[k], path, err)
		}
	}
	if k, _, err := q.NearestOf(t.Context(), start, goals[:1]); k != 0 || err != nil {
		t.Errorf("nearest is %d, %v", k, err)
	}
}

// TestRegionsWithinAgainstOracle compares distances of regions with the least distance by the oracle of points all
// around them. The oracle's value is too large by at most the spacing of the points.
func TestRegionsWithinAgainstOracle(t *testing.T) {
	const pieces = 8
	rng := rand.New(rand.NewPCG(64, 1))
	for i := range 24 {
		w := newGrid(t, rng, 2+rng.IntN(4), 2+rng.IntN(4), 0.1+0.3*rng.Float64(), style(i%int(styles)), lattice.Frame{})
		q := NewIndex(w.mesh).NewQuery()
		a, ok := w.draw(rng)
		if !ok {
			continue
		}
		from, ok := q.Locate(w.point(a))
		if !ok {
			t.Fatal(a)
		}
		list, err := q.RegionsWithin(t.Context(), from, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		got := map[navmesh.Ref]float64{}
		for _, n := range list {
			got[n.Ref] = n.Distance
		}
		for r, p := range w.patches {
			least, spacing := math.Inf(1), 0.0
			for k, v := range p.ring {
				u := p.ring[(k+1)%len(p.ring)]
				spacing = max(spacing, index.Distance(u.Point, v.Point)/metre/pieces)
				for j := range int32(pieces) {
					at := lattice.Point{X: v.X + (u.X-v.X)*j/pieces, Y: v.Y + (u.Y-v.Y)*j/pieces}
					if p := w.plain(at); !w.pinched(p) { // at a pinched point the side would be ambiguous
						least = min(least, w.shortest(a, p))
					}
				}
			}
			d, ok := got[q.ix.Region(uint32(r)).Ref]
			if ok != !math.IsInf(least, 1) {
				t.Fatalf("world %d, region %d: found is %v at %v, the oracle says %v", i, r, ok, d, least)
			}
			if inside := q.ix.Contains(uint32(r), w.vertex(a.X, a.Y).Point); ok && (d > least+1e-9 || !inside && d < least-2*spacing-1e-9 || inside && d != 0) {
				t.Fatalf("world %d, region %d: %v, the oracle says %v, spacing %v", i, r, d, least, spacing)
			}
		}
	}
}

// plain maps a vertex of the world back to its own plane.
func (w *gridWorld) plain(p lattice.Point) lattice.Point {
	det := int64(w.m[0])*int64(w.m[3]) - int64(w.m[1])*int64(w.m[2])
	x, y := int64(p.X), int64(p.Y)
	return lattice.Point{X: int32((x*int64(w.m[3]) - y*int64(w.m[1])) / det), Y: int32((y*int64(w.m[0]) - x*int64(w.m[2])) / det)}
}

// TestRegionsWithin checks lists on random worlds. Distances rise. Each region is entered from an earlier region
// through a portal or a link. Lists of shorter reach are beginnings of longer lists. No region is farther away than the
// shortest path to a place in the region.
func TestRegionsWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	for i := range 80 {
		w := linkedOrNot(t, rng, i)
		m := w.theMesh()
		q := NewIndex(m).NewQuery()
		a, ok := w.draw(rng)
		if !ok {
			continue
		}
		from, _ := q.Locate(w.point(a))
		list, err := q.RegionsWithin(t.Context(), from, math.Inf(1))
		if err != nil || list[0].Ref != from.Ref || list[0].From != -1 || list[0].Distance != 0 {
			t.Fatalf("world %d: %v, %v", i, list, err)
		}
		all := append([]Nearby(nil), list...)
		for k, n := range all[1:] {
			if n.From < 0 || n.From > k || n.Distance < all[k].Distance || !joins(m, all[n.From].Ref, n.Ref) {
				t.Fatalf("world %d: region %d is %+v, from %v", i, k+1, n, all[n.From].Ref)
			}
			centre, _ := q.own.Center(n.Ref)
			path, err := q.PathBetween(t.Context(), from, centre)
			if err != nil || !path.Complete || path.Cost < n.Distance-1e-9*(1+path.Cost) {
				t.Fatalf("world %d: region %+v, the path to its middle costs %v, %v", i, n, path.Cost, err)
			}
		}
		reach := all[rng.IntN(len(all))].Distance + 1e-6
		short, err := q.RegionsWithin(t.Context(), from, reach)
		if err != nil {
			t.Fatal(err)
		}
		for k := range all {
			if within := all[k].Distance <= reach; within != (k < len(short)) {
				t.Fatalf("world %d: %d regions within %v, number %d is at %v", i, len(short), reach, k, all[k].Distance)
			}
			if k < len(short) && math.Abs(short[k].Distance-all[k].Distance) > 1e-12*(1+reach) {
				t.Fatalf("world %d: %+v within %v, before %+v", i, short[k], reach, all[k])
			}
		}
	}
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	from, _ := q.Locate(geom.FromGround(10, 1, 0))
	for _, reach := range []float64{-1, math.NaN()} {
		if _, err := q.RegionsWithin(t.Context(), from, reach); err == nil || !strings.Contains(err.Error(), "not a length") {
			t.Errorf("within %v: %v", reach, err)
		}
	}
	if _, err := q.RegionsWithin(t.Context(), Position{Ref: navmesh.MakeRef(0, 0, 99), Point: from.Point}, 1); !errors.Is(err, ErrOffMesh) {
		t.Errorf("stale: %v", err)
	}
}

// joins reports whether a portal or a link leads from one region to the other.
func joins(m *navmesh.Mesh, from, to navmesh.Ref) bool {
	for _, l := range m.Links {
		// A link whose ends are on a portal also joins the regions on the other side.
		if l.From != l.To || from == l.From || to == l.To {
			return true
		}
	}
	t, _, _ := m.Region(from)
	for _, p := range t.RegionPortals(from.Index()) {
		if int(p.To) == to.Index() {
			return true
		}
	}
	return false
}
