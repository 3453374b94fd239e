package raster

import (
	"github.com/meadow-nav/meadow/internal/unionfind"
)

import "context"

// patch is a connected part of an eroded piece, possible ground for the agent's centre. Layers and components
// consist of patches.
type patch struct {
	pieceRef
	mask      uint64
	component int32
	layer     int32
}

// patches are all patches in order of their pieces.
type patches struct {
	surface *surface
	erosion *erosion
	list    []patch
	start   [][]int32 // by block and piece: span of list
}

// findPatches splits the eroded pieces where they have come apart, and numbers the components.
func findPatches(ctx context.Context, e *erosion) (*patches, error) {
	s := e.surface
	ps := &patches{surface: s, erosion: e, start: make([][]int32, len(s.blocks))}
	for i := range s.blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ps.start[i] = make([]int32, len(s.blocks[i].pieces)+1)
		for k := range s.blocks[i].pieces {
			ps.start[i][k] = int32(len(ps.list))
			ps.split(pieceRef{int32(i), int32(k)})
		}
		ps.start[i][len(s.blocks[i].pieces)] = int32(len(ps.list))
	}
	ps.numberComponents()
	return ps, nil
}

// split appends the patches of one piece.
func (ps *patches) split(r pieceRef) {
	s := ps.surface
	left := ps.erosion.inside(r)
	if left == s.piece(r).mask {
		ps.list = append(ps.list, patch{pieceRef: r, mask: left, layer: -1}) // pieces are connected
		return
	}
	for left != 0 {
		part := left & -left
		for frontier := part; frontier != 0; {
			var next uint64
			for cell := range cellsOf(frontier) {
				for d := range 4 {
					if atSide(cell, d) {
						continue
					}
					if q, other, ok := s.neighbour(r, cell, d); ok && q == r && left>>other&1 != 0 {
						next |= 1 << other
					}
				}
			}
			frontier = next &^ part
			part |= next
			if part == left {
				break
			}
		}
		ps.list = append(ps.list, patch{pieceRef: r, mask: part, layer: -1})
		left &^= part
	}
}

// neighbour returns the patch and the cell that continue a patch's cell in direction d.
func (ps *patches) neighbour(i int32, cell, d int) (j int32, other int, ok bool) {
	p := &ps.list[i]
	q, other, ok := ps.surface.neighbour(p.pieceRef, cell, d)
	if !ok {
		return 0, 0, false
	}
	j, ok = ps.covering(q, other)
	return j, other, ok
}

// covering returns the patch of a piece that covers the cell.
func (ps *patches) covering(r pieceRef, cell int) (int32, bool) {
	start := ps.start[r.block]
	for j := start[r.index]; j < start[r.index+1]; j++ {
		if ps.list[j].mask>>cell&1 != 0 {
			return j, true
		}
	}
	return 0, false
}

// whole reports whether a patch covers its whole column.
func (ps *patches) whole(i int32) bool {
	p := &ps.list[i]
	return p.mask == ^uint64(0) && ps.surface.piece(p.pieceRef).samples == noSamples
}

// wholeBeyond returns the patch beyond the side of i in direction d if both are whole, so that every cell of
// the side continues there.
func (ps *patches) wholeBeyond(i int32, d int) (int32, bool) {
	if !ps.whole(i) {
		return 0, false
	}
	for _, n := range ps.surface.nearOf(ps.list[i].pieceRef) {
		if int(n.dir) != d {
			continue
		}
		start := ps.start[n.block]
		if j := start[n.index]; j < start[n.index+1] && ps.whole(j) {
			return j, true
		}
	}
	return 0, false
}

// contacts calls visit for every patch that continues patch i, with the number of connecting cells; a patch
// may be visited more than once.
func (ps *patches) contacts(i int32, visit func(j int32, cells int)) {
	mask := ps.list[i].mask
	for d := range 4 {
		if j, ok := ps.wholeBeyond(i, d); ok {
			visit(j, side)
			continue
		}
		last, count := int32(-1), 0
		for cell := range cellsOf(mask) {
			if !atSide(cell, d) && mask>>(cell+cellStep[d])&1 != 0 {
				continue
			}
			j, _, ok := ps.neighbour(i, cell, d)
			if !ok || j == i {
				continue
			}
			if j != last && count > 0 {
				visit(last, count)
				count = 0
			}
			last = j
			count++
		}
		if count > 0 {
			visit(last, count)
		}
	}
}

// numberComponents numbers the parts of the floor that no way joins, in order of their first patch.
func (ps *patches) numberComponents() {
	set := unionfind.New(len(ps.list))
	for i := range ps.list {
		ps.contacts(int32(i), func(j int32, _ int) { set.Union(int32(i), j) })
	}
	for i := range ps.list {
		ps.list[i].component = set.Find(int32(i))
	}
}
