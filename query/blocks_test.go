package query

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// plot is a part of a region of the base, as tests draw blocks.
type plot struct {
	outline index.Cell
	halves  [2]*plot
	block   *index.Block
}

// drawPlot draws the blocks of a part of a region, and their cells.
func drawPlot(rng *rand.Rand, ix *index.Index, base uint32, outline index.Cell, depth int) *plot {
	p := &plot{outline: outline}
	if rng.IntN(6) < depth {
		if a, b, ok := cut(rng, ix, base, outline); ok {
			p.halves = [2]*plot{drawPlot(rng, ix, base, a, depth-1), drawPlot(rng, ix, base, b, depth-1)}
			p.block = &index.Block{Halves: [2]*index.Block{p.halves[0].block, p.halves[1].block}}
			return p
		}
	}
	cells := []index.Cell{outline}
	for range rng.IntN(4) {
		k := rng.IntN(len(cells))
		if a, b, ok := cut(rng, ix, base, cells[k]); ok {
			cells[k] = a
			cells = append(cells, b)
		}
	}
	p.block = &index.Block{Cells: slices.DeleteFunc(cells, func(index.Cell) bool { return rng.IntN(6) == 0 })}
	return p
}

// redraw returns a plot with other cells in some places, or other halves.
func (p *plot) redraw(rng *rand.Rand, ix *index.Index, base uint32) *plot {
	if p.halves[0] == nil || rng.IntN(8) == 0 {
		return drawPlot(rng, ix, base, p.outline, rng.IntN(4))
	}
	out := &plot{outline: p.outline, halves: p.halves}
	k := rng.IntN(2)
	out.halves[k] = p.halves[k].redraw(rng, ix, base)
	if rng.IntN(8) == 0 {
		out.halves[1-k] = p.halves[1-k].redraw(rng, ix, base)
	}
	out.block = &index.Block{Halves: [2]*index.Block{out.halves[0].block, out.halves[1].block}}
	return out
}

// cellsOf appends the cells of a block, and notes its leaves.
func cellsOf(list []index.Cell, b *index.Block, leaves map[*index.Block]bool) []index.Cell {
	if b.Halves[0] != nil {
		return cellsOf(cellsOf(list, b.Halves[0], leaves), b.Halves[1], leaves)
	}
	leaves[b] = true
	return append(list, b.Cells...)
}

// TestBlocksAgainstScratch replaces blocks of regions, and compares the Indexes with those of meshes made from scratch.
// Regions of blocks that stay keep their Refs.
func TestBlocksAgainstScratch(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 7))
	stayed, untouched, deep := 0, 0, 0
	for i := range 40 {
		m := editorMesh(t, rng, i)
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		if i%2 == 1 {
			withLinks := *m
			withLinks.Links = drawLinks(rng, NewIndex(m))
			withLinks.Connect()
			m = &withLinks
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		changed := floors{}
		plots := map[uint32]*plot{}
		limit := uint32(base.geo.RegionLimit())
		largest := uint32(0) // most changes are there
		for r := range limit {
			if base.geo.TwiceArea(r) > base.geo.TwiceArea(largest) {
				largest = r
			}
		}
		for step := range 24 {
			var change []index.Replacement
			seen := map[uint32]bool{}
			refs := map[*index.Cell]navmesh.Ref{}
			old := e.Now()
			for k := range 1 + rng.IntN(3) {
				r := largest
				if k > 0 {
					r = rng.Uint32N(limit)
				}
				if seen[r] {
					continue
				}
				seen[r] = true
				p := plots[r]
				switch {
				case p == nil:
					outline := cellOf(base.geo, numbers, r)
					outline.Flags = navmesh.DefaultFlags
					p = drawPlot(rng, base.geo, r, outline, 7)
				case rng.IntN(12) == 0:
					delete(plots, r)
					delete(changed, r)
					change = append(change, index.Replacement{Base: r, Whole: true})
					continue
				default:
					was, is := map[*index.Block]bool{}, map[*index.Block]bool{}
					cellsOf(nil, p.block, was)
					p = p.redraw(rng, base.geo, r)
					cellsOf(nil, p.block, is)
					if len(is) > 4 {
						deep++
					}
					for b := range was {
						for c := range b.Cells {
							if is[b] {
								refs[&b.Cells[c]] = refOfCell(t, old, r, &b.Cells[c])
							}
						}
					}
				}
				plots[r] = p
				changed[r] = cellsOf(nil, p.block, map[*index.Block]bool{})
				change = append(change, index.Replacement{Base: r, Block: p.block})
			}
			now, out, err := e.Apply(change)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			for c, ref := range refs {
				n, err := now.Named(ref)
				if err != nil || !slices.Equal(now.Ring(n), c.Ring) || slices.Contains(out.Gone, ref) || slices.Contains(out.New, ref) {
					t.Fatalf("world %d, step %d: %v of a block that stays is gone or another", i, step, ref)
				}
				stayed++
				if far(old, now, n, change, refs) {
					untouched++
					if &old.RimsOf(n)[0] != &now.RimsOf(n)[0] {
						t.Fatalf("world %d, step %d: the border of region %v was made again, far from the change", i, step, ref)
					}
				}
			}
			checkOutcome(t, old, now, &out)
			mesh, owner := compose(base.geo, changed, nil)
			want := NewIndex(mesh)
			if err := sameIndex(now, want.geo, owner); err != nil {
				t.Fatalf("world %d, step %d: %v\n%+v", i, step, err, change)
			}
			if err := sameAnswers(t, rng, &Index{geo: now}, want, 8); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
		}
	}
	if stayed < 800 || untouched < 200 || deep < 50 {
		t.Errorf("%d regions stayed, %d of them far from changes, %d changes of more than four blocks", stayed, untouched, deep)
	}
}

// far reports whether all neighbours of a region, before and after a change, are of regions of the base or blocks that stay.
func far(old, now *index.Index, r uint32, change []index.Replacement, stay map[*index.Cell]navmesh.Ref) bool {
	for _, ix := range [2]*index.Index{old, now} {
		for _, p := range ix.PortalsOf(ix.Region(r)) {
			ref, base := ix.Region(p.To).Ref, ix.Base(p.To)
			if !slices.ContainsFunc(change, func(c index.Replacement) bool { return c.Base == base }) {
				continue
			}
			found := false
			for _, s := range stay {
				found = found || s == ref
			}
			if !found {
				return false
			}
		}
	}
	return true
}

// refOfCell returns the Ref of the region of a cell.
func refOfCell(t *testing.T, ix *index.Index, base uint32, c *index.Cell) navmesh.Ref {
	t.Helper()
	for r := range uint32(ix.RegionLimit()) {
		if ix.Base(r) == base && !ix.Region(r).Split && slices.Equal(ix.Ring(r), c.Ring) {
			return ix.Region(r).Ref
		}
	}
	t.Fatalf("no region for the cell %v", c.Ring)
	return 0
}

// checkOutcome compares an outcome with a look at all regions: their Refs, and the boxes around those that differ.
func checkOutcome(t *testing.T, old, now *index.Index, out *index.Outcome) {
	t.Helper()
	refs := func(ix *index.Index) map[navmesh.Ref][]lattice.Vertex {
		list := map[navmesh.Ref][]lattice.Vertex{}
		for r := range uint32(ix.RegionLimit()) {
			if reg := ix.Region(r); !reg.Split && len(reg.Ring) > 0 {
				list[reg.Ref] = reg.Ring
			}
		}
		return list
	}
	before, after := refs(old), refs(now)
	within := func(ring []lattice.Vertex) bool {
		return slices.ContainsFunc(out.Boxes, func(a index.Area) bool {
			return !slices.ContainsFunc(ring, func(v lattice.Vertex) bool {
				return v.X < a.Low[0] || v.X > a.High[0] || v.Y < a.Low[1] || v.Y > a.High[1]
			})
		})
	}
	for ref, ring := range before {
		if _, stays := after[ref]; stays == slices.Contains(out.Gone, ref) {
			t.Fatalf("region %v stays: %v, gone by the outcome: %v", ref, stays, !stays)
		} else if !stays && !within(ring) {
			t.Fatalf("region %v is gone outside of the boxes", ref)
		}
	}
	for ref, ring := range after {
		if _, was := before[ref]; was == slices.Contains(out.New, ref) {
			t.Fatalf("region %v was there: %v, new by the outcome: %v", ref, was, !was)
		} else if !was && !within(ring) {
			t.Fatalf("region %v is new outside of the boxes", ref)
		}
	}
}

// TestBlockErrors checks that bad blocks are errors that name the region, and change nothing.
func TestBlockErrors(t *testing.T) {
	base := NewIndex(comb(t, 4))
	e := index.NewEditor(base.geo)
	numbers := portalNumbers(base.geo)
	leaf := &index.Block{Cells: []index.Cell{cellOf(base.geo, numbers, 1)}}
	endless := &index.Block{}
	endless.Halves = [2]*index.Block{{}, endless}
	wide := &index.Block{}
	for range 40 {
		wide = &index.Block{Halves: [2]*index.Block{wide, wide}}
	}
	bad := cellOf(base.geo, numbers, 1)
	slices.Reverse(bad.Ring)
	for _, test := range []struct {
		change index.Replacement
		want   string
	}{
		{index.Replacement{Base: 1, Whole: true, Block: leaf}, "region 1 has a block, and is whole or has 0 cells"},
		{index.Replacement{Base: 1, Cells: leaf.Cells, Block: leaf}, "region 1 has a block, and is whole or has 1 cells"},
		{index.Replacement{Base: 1, Block: &index.Block{Halves: [2]*index.Block{leaf, nil}}}, "region 1 has a block with one half"},
		{index.Replacement{Base: 1, Block: &index.Block{Halves: [2]*index.Block{nil, leaf}}}, "region 1 has a block with one half"},
		{index.Replacement{Base: 1, Block: &index.Block{Halves: [2]*index.Block{{}, leaf}, Cells: leaf.Cells}}, "region 1 has a block with halves and 1 cells"},
		{index.Replacement{Base: 1, Block: &index.Block{Halves: [2]*index.Block{leaf, {Cells: []index.Cell{bad}}}}}, "region 1, cell 1: not convex"},
		{index.Replacement{Base: 1, Block: endless}, "blocks within more than 64 others"},
		{index.Replacement{Base: 1, Block: wide}, "more than 4194304 blocks"},
	} {
		_, _, err := e.Apply([]index.Replacement{test.change})
		if err == nil || !strings.HasPrefix(err.Error(), "query: editor: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	if err := sameIndex(e.Now(), base.geo, []uint32{0, 1, 2, 3, 4}); err != nil {
		t.Error(err)
	}
}
