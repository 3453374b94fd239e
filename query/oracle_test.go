package query

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/query/internal/prepared"
)

// TestStatesAgainstOracle compares costs with an oracle that knows no regions: with and without links, filters, changes and
// preparations, all of them together. MEADOW_WORLDS sets the number of worlds, MEADOW_FIRST the number of the first.
func TestStatesAgainstOracle(t *testing.T) {
	race.Skip(t)
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	first, worlds := number("MEADOW_FIRST", 0), number("MEADOW_WORLDS", slow.Count(200, 1500))
	var c oracleCounts
	for i := range worlds {
		c.judge(t, uint64(first+i))
		if t.Failed() {
			t.Fatalf("repeat with MEADOW_FIRST=%d MEADOW_WORLDS=1", first+i)
		}
	}
	t.Logf("%d worlds, %d paths, %d not in the first state, %d over links, %d without search, %d apart; the largest difference is %.1e", worlds, c.asked, c.later, c.linked, c.found, c.apart, c.worst)
	if worlds >= 200 && (c.later < c.asked/4 || c.linked < c.asked/48 || c.found < c.asked/64 || c.apart < c.asked/100) {
		t.Error("too few of a kind for a test")
	}
}

// oracleCounts counts paths: all, those on changed or filtered Indexes, over links and by a preparation, and pairs of places apart. worst is the
// largest difference, as a part of the cost.
type oracleCounts struct {
	asked, later, linked, found, apart int
	worst                              float64
}

// judge compares the paths of a world in four states: as made, after a change, with a filter, and after another change.
func (c *oracleCounts) judge(t *testing.T, number uint64) {
	const locked = 1 << 9
	rng := rand.New(rand.NewPCG(number, 0x6f7261636c65))
	g := newGrid(t, rng, 4+rng.IntN(8), 4+rng.IntN(8), 0.05+0.2*rng.Float64(), style(rng.IntN(3)/2), lattice.Frame{})
	w := newLinked(t, rng, g, rng.IntN(2)*(1+rng.IntN(8)), rng.IntN(2) == 0)
	mesh, links := *g.mesh, g.mesh.Links
	if rng.IntN(3) == 0 {
		links = nil // those of the mesh are all
	} else {
		mesh.Links = nil // the links come with a change
	}
	tile := &g.mesh.Tiles[0]
	for i := range tile.Regions {
		if rng.IntN(8) == 0 {
			tile.Regions[i].Flags |= locked
		}
	}
	base := c.prepare(t, NewIndex(&mesh), number)
	e := NewEditor(base)
	blocked := slices.Clone(g.blocked)
	closed := make([]bool, len(tile.Regions))
	c.ask(t, w, rng, base, blocked, mesh.Links != nil, func(int) bool { return true })
	for range 2 {
		var change []Replacement
		for range 1 + rng.IntN(2)*rng.IntN(3) {
			r := rng.IntN(max(1, len(closed)))
			if len(closed) == 0 || slices.ContainsFunc(change, func(o Replacement) bool { return o.Base == uint32(r) }) {
				continue
			}
			closed[r] = !closed[r]
			g.block(blocked, r, closed[r])
			change = append(change, Replacement{Base: uint32(r), Whole: !closed[r]})
		}
		now, _, err := e.ApplyLinks(change, links)
		if err != nil {
			t.Fatalf("world %d: %v", number, err)
		}
		c.ask(t, w, rng, now, blocked, true, func(r int) bool { return !closed[r] })
		narrower, err := now.With(Filter{Exclude: locked})
		if err != nil {
			t.Fatalf("world %d: %v", number, err)
		}
		shut := slices.Clone(blocked)
		for r := range tile.Regions {
			if tile.Regions[r].Flags&locked != 0 {
				g.block(shut, r, true)
			}
		}
		c.ask(t, w, rng, narrower, shut, true, func(r int) bool { return !closed[r] && tile.Regions[r].Flags&locked == 0 })
	}
}

// prepare returns an Index with the preparation of a world's number, or without.
func (c *oracleCounts) prepare(t *testing.T, ix *Index, number uint64) *Index {
	var err error
	out := *ix
	switch kind := number % 5; {
	case kind == 4:
		lists, err := ix.prepare(t.Context(), -1, math.MaxInt)
		if err != nil {
			t.Fatalf("world %d: %v", number, err)
		}
		return lists
	case len(ix.geo.Hops) > 0 || kind == 0:
	case kind == 1:
		out.prepared, err = prepared.Prepare(t.Context(), ix.geo, math.MaxInt)
	case kind == 2:
		out.prepared, err = prepared.PrepareLabels(t.Context(), ix.geo, math.MaxInt, math.MaxInt)
	case kind == 3:
		out.prepared, err = prepared.PrepareSteps(t.Context(), ix.geo, math.MaxInt)
	}
	if err != nil {
		t.Fatalf("world %d: %v", number, err)
	}
	return &out
}

// ask compares paths on an Index with the oracle of the free cells. linked says that the Index has the links of the world, and open
// that a region is not closed.
func (c *oracleCounts) ask(t *testing.T, w *linkedWorld, rng *rand.Rand, ix *Index, blocked []bool, linked bool, open func(region int) bool) {
	if !slices.Contains(blocked, false) {
		return
	}
	now := gridOf(t, rng, w.width, w.height, blocked, cells, w.m, lattice.Frame{})
	for _, e := range w.ends {
		if linked && (now.pinched(e[0]) || now.pinched(e[1])) {
			return // where free cells touch only across a corner, the oracle would change sides
		}
	}
	o, q := newOracle(now), ix.NewQuery()
	joined := q.corners.Joined
	for range 10 {
		a, ok := now.draw(rng)
		b, ok2 := now.draw(rng)
		if !ok || !ok2 {
			return
		}
		want := w.least(o, a, b, func(l int) bool {
			return linked && open(w.mesh.Links[l].From.Index()) && open(w.mesh.Links[l].To.Index())
		})
		path, err := q.Path(t.Context(), w.point(a), w.point(b))
		if err != nil || path.Complete != !math.IsInf(want, 1) {
			t.Errorf("%v to %v: complete is %v, %v, the oracle says %v", a, b, path.Complete, err, want)
			return
		}
		c.asked++
		if len(path.Crossings) > 0 {
			c.linked++
		}
		if ix.geo.Changed || ix.geo.Taken > 0 {
			c.later++
		}
		if !path.Complete {
			c.apart++
			continue
		}
		c.worst = max(c.worst, math.Abs(path.Cost-want)/(1+want))
		if math.Abs(path.Cost-want) > 1e-9*(1+want) {
			t.Errorf("%v to %v: cost %v, the oracle says %v", a, b, path.Cost, want)
		}
	}
	c.found += q.corners.Joined - joined
}

// block blocks or frees the cells of a region.
func (w *gridWorld) block(blocked []bool, region int, is bool) {
	ring := lattice.Polygon{Rings: []lattice.Ring{ringOf(w.patches[region])}}
	for c := range blocked {
		x, y := int32(c%w.width)*w.cell+w.cell/2, int32(c/w.width)*w.cell+w.cell/2
		if ring.Contains(w.vertex(x, y).Point) {
			blocked[c] = is
		}
	}
}
