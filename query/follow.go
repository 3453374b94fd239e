package query

import (
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// Geometry returns the geometry of an Index, for an editor of the mesh. Package world makes changed geometries, and
// programs have no use for them.
func (ix *Index) Geometry() *index.Index { return ix.ready().geo }

// Follow returns the Index of a changed geometry that an editor has made from the geometry of ix. Landmarks and prepared
// corners hold for ix only, and searches on the new Index do without. Time O(1) over even ground.
func (ix *Index) Follow(geo *index.Index) *Index {
	return &Index{geo: geo, gates: weighted.NewGates(geo)}
}

// Use makes q ask another Index, and keeps the memory of q. Results of earlier questions stay valid until the next
// question.
func (q *Query) Use(ix *Index) {
	ix = ix.ready()
	q.own, q.ix = ix, ix.geo
}
