package query

import "github.com/meadow-nav/meadow/navmesh"

// HeightRange returns bounds of the floor's height in a region, in lattice units above the frame; ok is false for a stale
// or foreign Ref. Time O(1).
func (x *Index) HeightRange(r navmesh.Ref) (low, high int32, ok bool) {
	ix := x.ready().geo
	n, err := ix.Named(r)
	if err != nil {
		return 0, 0, false
	}
	return ix.Region(n).Low, ix.Region(n).High, true
}
