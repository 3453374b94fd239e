package index

import (
	"github.com/meadow-nav/meadow/navmesh"
)

// addMarks lists the marks of every region, if any has one.
func (ix *Index) addMarks() {
	any := false
	for i := range ix.Mesh.Tiles {
		any = any || len(ix.Mesh.Tiles[i].Marked) > 0
	}
	if !any {
		return
	}
	ix.Marked = make([][]navmesh.Marked, ix.RegionLimit())
	for slot := range ix.Mesh.Tiles {
		t := &ix.Mesh.Tiles[slot]
		for i := range t.Regions {
			ix.Marked[ix.First[slot]+uint32(i)] = t.MarksOf(i)
		}
	}
}
