package raster

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// voxelClass is the content of a rough voxel. Where two classes meet in one voxel, each keeps its interval,
// so nothing is decided too early.
type voxelClass uint8

const (
	negative voxelClass = iota // geometry that cannot be walked on
	positive                   // geometry that can
	rim                        // an edge where walkable geometry may end
)

// voxel is a rough voxel, the part of a column that a triangle or rim edge occupies. The rest of a column is
// empty.
type voxel struct {
	column uint16 // within the block
	class  voxelClass
	source int32 // index of the triangle or the rim edge
	lo, hi int32 // heights
	area   float64
}

// block is 64 × 64 columns with their pieces of accessible floor.
type block struct {
	x, y    int32 // of its first column
	start   []int32
	pieces  []piece
	heights []int32 // 64 for every sampled piece
	floors  []int32 // triangles of the pieces, piece after piece, ascending
	// hidden lists by column the walkable triangles that are no piece's floor there.
	hidden []hiddenSheet
	// voxels lists by column the contents of columns that are not all interior.
	voxels     []columnVoxel
	voxelStart []int32
}

// columnVoxel is a voxel of a sampled column, kept for measuring its borders.
type columnVoxel struct {
	class  voxelClass
	source int32
	lo, hi int32
}

// piece is a connected part of accessible floor in one column: it covers every fine cell at most once. A
// piece without samples covers its column, without a border.
type piece struct {
	mask    uint64
	lo, hi  int32 // extent of its heights
	samples int32 // first of its 64 heights in block.heights, noSamples for none
	column  uint16
	floor   span // in block.floors
}

// hiddenSheet is a walkable triangle in a column without being accessible there.
type hiddenSheet struct {
	column uint16
	tri    int32
}

type span struct{ first, count int32 }

const noSamples = -1

// blockSources lists for one block its possible triangles and rim edges, ascending.
type blockSources struct{ tri, rim []int32 }

// distribute lists the sources of every block.
func distribute(s *soup.Soup, g *grid) []blockSources {
	sources := make([]blockSources, int(g.blocks[0])*int(g.blocks[1]))
	size := g.column * blockSide
	visit := func(lo, hi lattice.Point, add func(b *blockSources)) {
		x0, x1 := max(0, (lo.X-1)/size), min(g.blocks[0]-1, (hi.X+1)/size)
		y0, y1 := max(0, (lo.Y-1)/size), min(g.blocks[1]-1, (hi.Y+1)/size)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				add(&sources[int(y)*int(g.blocks[0])+int(x)])
			}
		}
	}
	for i := range s.Triangles {
		lo, hi := planBox(s.Triangles[i].V[:])
		visit(lo, hi, func(b *blockSources) { b.tri = append(b.tri, int32(i)) })
	}
	for i := range s.Rim {
		lo, hi := planBox([]lattice.Vertex{s.Rim[i].A, s.Rim[i].B})
		visit(lo, hi, func(b *blockSources) { b.rim = append(b.rim, int32(i)) })
	}
	return sources
}

func planBox(v []lattice.Vertex) (lo, hi lattice.Point) {
	lo, hi = v[0].Point, v[0].Point
	for _, p := range v[1:] {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	return lo, hi
}

// voxelize makes the blocks of the level, each on its own.
func voxelize(ctx context.Context, s *soup.Soup, g *grid, jobs int, progress func(done, total int)) ([]block, error) {
	sources := distribute(s, g)
	blocks := make([]block, len(sources))
	err := par.For(ctx, jobs, len(sources), func(i int) error {
		b := &blocks[i]
		b.x = int32(i) % g.blocks[0] * blockSide
		b.y = int32(i) / g.blocks[0] * blockSide
		if len(sources[i].tri) > 0 {
			w := sampler{soup: s, grid: g, block: b, voxels: make([]voxel, 0, 4*len(sources[i].tri))}
			w.run(&sources[i])
		}
		progress(i+1, len(sources))
		return nil
	})
	return blocks, err
}

// sampler makes one block.
type sampler struct {
	soup   *soup.Soup
	grid   *grid
	block  *block
	voxels []voxel

	// Scratch for one column.
	entries   []floorSample
	cellStart [side*side + 1]int32
	occupied  [side * side][]interval
	set       []int32
	masks     []uint64
}

type interval struct{ lo, hi int32 }

// floorSample is a floor height at the centre of a fine cell.
type floorSample struct {
	cell uint8
	z    int32
	tri  int32
}

func (w *sampler) run(src *blockSources) {
	for _, t := range src.tri {
		class := negative
		if w.soup.Triangles[t].Walkable {
			class = positive
		}
		w.rasterize(polygonOf(&w.soup.Triangles[t].V), class, t)
	}
	for _, r := range src.rim {
		e := &w.soup.Rim[r]
		p := polygon{n: 2}
		p.v[0] = point3{float64(e.A.X), float64(e.A.Y), float64(e.A.Z)}
		p.v[1] = point3{float64(e.B.X), float64(e.B.Y), float64(e.B.Z)}
		w.rasterize(p, rim, r)
	}
	w.sortByColumn()
	b := w.block
	b.start = make([]int32, blockSide*blockSide+1)
	b.voxelStart = make([]int32, blockSide*blockSide+1)
	column := 0
	for first := 0; first < len(w.voxels); {
		end := first + 1
		for end < len(w.voxels) && w.voxels[end].column == w.voxels[first].column {
			end++
		}
		for ; column <= int(w.voxels[first].column); column++ {
			b.start[column] = int32(len(b.pieces))
			b.voxelStart[column] = int32(len(b.voxels))
		}
		w.column(w.voxels[first:end])
		first = end
	}
	for ; column < len(b.start); column++ {
		b.start[column] = int32(len(b.pieces))
		b.voxelStart[column] = int32(len(b.voxels))
	}
}

// keepVoxels stores the voxels of a column for the erosion.
func (b *block) keepVoxels(voxels []voxel) {
	for _, v := range voxels {
		b.voxels = append(b.voxels, columnVoxel{v.class, v.source, v.lo, v.hi})
	}
}

// sortByColumn groups the voxels by column and keeps their order within one.
func (w *sampler) sortByColumn() {
	var start [blockSide*blockSide + 1]int32
	for i := range w.voxels {
		start[w.voxels[i].column+1]++
	}
	for i := range blockSide * blockSide {
		start[i+1] += start[i]
	}
	sorted := make([]voxel, len(w.voxels))
	for i := range w.voxels {
		at := &start[w.voxels[i].column]
		sorted[*at] = w.voxels[i]
		*at++
	}
	w.voxels = sorted
}

// rasterize appends the voxels of p, its exact columns within one lattice unit, and its exact extent in each.
// A single pass also finds upright faces.
func (w *sampler) rasterize(p polygon, class voxelClass, source int32) {
	g, b := w.grid, w.block
	size := float64(g.column)
	columns := func(p *polygon, axis int, origin int32) (lo, hi int32) {
		a, z := p.span(axis)
		lo = int32(math.Floor((a-1)/size)) - origin
		hi = int32(math.Floor((z+1)/size)) - origin
		return max(lo, 0), min(hi, blockSide-1, g.columns[axis]-1-origin)
	}
	y0, y1 := columns(&p, 1, b.y)
	for y := y0; y <= y1; y++ {
		top := float64(b.y+y) * size
		row := p
		if y0 < y1 {
			row = p.slab(1, top-1, top+size+1)
		}
		if row.n == 0 {
			continue
		}
		x0, x1 := columns(&row, 0, b.x)
		for x := x0; x <= x1; x++ {
			left := float64(b.x+x) * size
			part := row
			if x0 < x1 {
				part = row.slab(0, left-1, left+size+1)
			}
			if part.n == 0 {
				continue
			}
			v := voxel{column: uint16(y*blockSide + x), class: class, source: source}
			v.lo, v.hi = part.heights()
			if class == positive {
				v.area = part.area()
			}
			w.voxels = append(w.voxels, v)
		}
	}
}

// column makes the pieces of one column, without samples if the rough voxels leave no doubt, by fine cells
// where a border may run.
func (w *sampler) column(voxels []voxel) {
	var sheets []voxel
	for _, v := range voxels {
		if v.class == positive {
			sheets = append(sheets, v)
		}
	}
	b := w.block
	if len(sheets) == 0 {
		b.keepVoxels(voxels)
		return
	}
	slices.SortStableFunc(sheets, func(a, b voxel) int { return cmp.Compare(a.lo, b.lo) })
	if !w.interior(voxels, sheets) {
		b.keepVoxels(voxels)
		first := len(b.pieces)
		w.sample(voxels, sheets)
		w.noteHidden(sheets, b.pieces[first:])
		return
	}
	for _, group := range groupSheets(sheets) {
		p := piece{mask: math.MaxUint64, samples: noSamples, column: voxels[0].column, lo: group[0].lo}
		p.floor = span{int32(len(b.floors)), int32(len(group))}
		for _, v := range group {
			b.floors = append(b.floors, v.source)
			p.hi = max(p.hi, v.hi)
		}
		slices.Sort(b.floors[p.floor.first:])
		b.pieces = append(b.pieces, p)
	}
}

// noteHidden records the sheets of a column that are no piece's floor.
func (w *sampler) noteHidden(sheets []voxel, pieces []piece) {
	b := w.block
sheets:
	for _, v := range sheets {
		for _, p := range pieces {
			if _, ok := slices.BinarySearch(b.floorOf(&p), v.source); ok {
				continue sheets
			}
		}
		b.hidden = append(b.hidden, hiddenSheet{v.column, v.source})
	}
}

// floorOf returns the triangles that make the floor of a piece, ascending.
func (b *block) floorOf(p *piece) []int32 {
	return b.floors[p.floor.first : p.floor.first+p.floor.count]
}

// hiddenIn returns the hidden sheets of a column.
func (b *block) hiddenIn(column uint16) []hiddenSheet {
	first, _ := slices.BinarySearchFunc(b.hidden, column, func(h hiddenSheet, c uint16) int { return cmp.Compare(h.column, c) })
	end := first
	for end < len(b.hidden) && b.hidden[end].column == column {
		end++
	}
	return b.hidden[first:end]
}

// groupSheets splits positive voxels, sorted by their lower ends, where nothing joins them.
func groupSheets(sheets []voxel) [][]voxel {
	var groups [][]voxel
	first, top := 0, sheets[0].hi
	for i, v := range sheets {
		if v.lo > top+1 {
			groups = append(groups, sheets[first:i])
			first = i
		}
		top = max(top, v.hi)
	}
	return append(groups, sheets[first:])
}

// interior reports whether the rough voxels of a column leave no doubt: every walkable sheet covers
// the column exactly once, ends nowhere in it, and has free air above it for the agent.
func (w *sampler) interior(voxels, sheets []voxel) bool {
	extent := float64(w.grid.column) + 2
	full := extent * extent
	for _, group := range groupSheets(sheets) {
		lo, hi, area := group[0].lo, group[0].hi, 0.0
		for _, v := range group {
			hi = max(hi, v.hi)
			area += v.area
		}
		if math.Abs(area-full) > full*1e-6 || hi-lo > w.grid.height/2 {
			return false
		}
		for _, v := range voxels {
			above := v.lo <= hi+w.grid.height && v.hi >= lo-1
			ours := v.class == positive && v.lo >= lo && v.hi <= hi
			if above && !ours {
				return false
			}
		}
	}
	return true
}

// sample makes the pieces of a column cell by cell.
func (w *sampler) sample(voxels, sheets []voxel) {
	w.sampleFloors(sheets)
	if len(w.entries) == 0 {
		return
	}
	w.sampleObstructions(voxels)
	w.keepAccessible()
	w.connect(voxels[0].column)
}

// origin returns the lattice point at the lower left corner of a column.
func (w *sampler) origin(column uint16) (x, y int32) {
	g, b := w.grid, w.block
	return (b.x + int32(column)%blockSide) * g.column, (b.y + int32(column)/blockSide) * g.column
}

// cellRange returns the cells of a column between two coordinates measured from its corner.
func (w *sampler) cellRange(lo, hi float64) (first, last int32) {
	c := float64(w.grid.cell)
	return max(0, int32(math.Floor(lo/c))), min(side-1, int32(math.Floor(hi/c)))
}

// sampleFloors takes the height of every walkable triangle at the centres of the cells, the depth
// map of the column, and sorts the samples by cell, highest first.
func (w *sampler) sampleFloors(sheets []voxel) {
	w.entries = w.entries[:0]
	x0, y0 := w.origin(sheets[0].column)
	c := w.grid.cell
	for _, v := range sheets {
		t := &w.soup.Triangles[v.source].V
		lo, hi := planBox(t[:])
		cx0, cx1 := w.cellRange(float64(lo.X)-float64(x0), float64(hi.X)-float64(x0))
		cy0, cy1 := w.cellRange(float64(lo.Y)-float64(y0), float64(hi.Y)-float64(y0))
		pl := planeOf(t)
		for cy := cy0; cy <= cy1; cy++ {
			for cx := cx0; cx <= cx1; cx++ {
				p := lattice.Point{X: x0 + cx*c + c/2, Y: y0 + cy*c + c/2}
				if covers(t, p) {
					z := int32(math.Floor(pl.at(float64(p.X), float64(p.Y)) + 0.5))
					w.entries = append(w.entries, floorSample{uint8(cellBit(cx, cy)), z, v.source})
				}
			}
		}
	}
	slices.SortFunc(w.entries, func(a, b floorSample) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(b.z, a.z), cmp.Compare(a.tri, b.tri))
	})
}

// sampleObstructions finds the part of every cell that each triangle occupies, as far as it obstructs an
// agent on one of the sampled floors. Cells include their borders, so the thinnest wall closes all cells in
// its way: this is the pass for near-vertical faces.
func (w *sampler) sampleObstructions(voxels []voxel) {
	for i := range w.occupied {
		w.occupied[i] = w.occupied[i][:0]
	}
	lowest, highest := w.entries[0].z, w.entries[0].z
	for _, e := range w.entries {
		lowest, highest = min(lowest, e.z), max(highest, e.z)
	}
	x0, y0 := w.origin(voxels[0].column)
	c := float64(w.grid.cell)
	for _, v := range voxels {
		if v.class == rim || v.hi <= lowest+w.grid.climb || v.lo >= highest+w.grid.height {
			continue
		}
		p := polygonOf(&w.soup.Triangles[v.source].V)
		lo, hi := p.span(1)
		cy0, cy1 := w.cellRange(lo-1-float64(y0), hi+1-float64(y0))
		for cy := cy0; cy <= cy1; cy++ {
			top := float64(y0) + float64(cy)*c
			row := p.slab(1, top-1, top+c+1)
			if row.n == 0 {
				continue
			}
			lo, hi := row.span(0)
			cx0, cx1 := w.cellRange(lo-1-float64(x0), hi+1-float64(x0))
			for cx := cx0; cx <= cx1; cx++ {
				left := float64(x0) + float64(cx)*c
				part := row.slab(0, left-1, left+c+1)
				if part.n == 0 {
					continue
				}
				l, h := part.heights()
				bit := cellBit(cx, cy)
				w.occupied[bit] = append(w.occupied[bit], interval{l, h})
			}
		}
	}
}

// keepAccessible drops samples below a floor within reach of a step, and samples with an obstacle for the
// agent's body, the band from MaxClimb to Height above.
func (w *sampler) keepAccessible() {
	g := w.grid
	kept := w.entries[:0]
	w.cellStart = [side*side + 1]int32{}
	for first := 0; first < len(w.entries); {
		cell := w.entries[first].cell
		above := int32(math.MaxInt32)
		for ; first < len(w.entries) && w.entries[first].cell == cell; first++ {
			e := w.entries[first]
			covered := above != math.MaxInt32 && above-e.z <= g.climb
			above = e.z
			if !covered && !w.obstructed(cell, e.z) {
				kept = append(kept, e)
				w.cellStart[cell+1]++
			}
		}
	}
	for i := range side * side {
		w.cellStart[i+1] += w.cellStart[i]
	}
	w.entries = kept
}

func (w *sampler) obstructed(cell uint8, z int32) bool {
	for _, o := range w.occupied[cell] {
		if o.hi > z+w.grid.climb && o.lo < z+w.grid.height {
			return true
		}
	}
	return false
}

// connect joins neighbouring samples that are within a step of each other to pieces. A union that
// would cover a cell twice is not made: the two pieces meet at a seam instead.
func (w *sampler) connect(column uint16) {
	n := len(w.entries)
	if n == 0 {
		return
	}
	set := unionfind.Forest(w.set[:0])
	masks := w.masks[:0]
	for i, e := range w.entries {
		set = append(set, int32(i))
		masks = append(masks, 1<<e.cell)
	}
	w.set, w.masks = set, masks
	join := func(i int, cell int) {
		for j := w.cellStart[cell]; j < w.cellStart[cell+1]; j++ {
			if abs32(w.entries[i].z-w.entries[j].z) > w.grid.climb {
				continue
			}
			a, b := set.Find(int32(i)), set.Find(j)
			if a != b && masks[a]&masks[b] == 0 {
				m := masks[a] | masks[b]
				set.Union(a, b)
				masks[set.Find(a)] = m
			}
		}
	}
	for i, e := range w.entries {
		if e.cell%side != side-1 {
			join(i, int(e.cell)+1)
		}
		if e.cell/side != side-1 {
			join(i, int(e.cell)+side)
		}
	}
	b := w.block
	for root := range n {
		if set[root] != int32(root) {
			continue
		}
		p := piece{mask: masks[root], samples: int32(len(b.heights)), column: column, lo: math.MaxInt32, hi: math.MinInt32}
		p.floor.first = int32(len(b.floors))
		b.heights = append(b.heights, make([]int32, side*side)...)
		for i, e := range w.entries {
			if set.Find(int32(i)) != int32(root) {
				continue
			}
			b.heights[int(p.samples)+int(e.cell)] = e.z
			b.floors = append(b.floors, e.tri)
			p.lo, p.hi = min(p.lo, e.z), max(p.hi, e.z)
		}
		slices.Sort(b.floors[p.floor.first:])
		distinct := slices.Compact(b.floors[p.floor.first:])
		p.floor.count = int32(len(distinct))
		b.floors = b.floors[:int(p.floor.first)+len(distinct)]
		b.pieces = append(b.pieces, p)
	}
}

func abs32(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}

// cellsOf yields the bit numbers set in a mask, ascending.
func cellsOf(mask uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; mask != 0; mask &= mask - 1 {
			if !yield(bits.TrailingZeros64(mask)) {
				return
			}
		}
	}
}
