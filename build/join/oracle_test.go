package join

import (
	"cmp"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// crossingOf is a portal as the oracle sees it: from region p to region q, over the stretch from its right end to its
// left end.
type crossingOf struct {
	p, q        int
	right, left lattice.Point
}

func (c crossingOf) compare(o crossingOf) int {
	return cmp.Or(cmp.Compare(c.p, o.p), cmp.Compare(c.q, o.q), c.right.Compare(o.right), c.left.Compare(o.left))
}

// rings returns the corners of all regions of the first tile.
func rings(m *navmesh.Mesh) []lattice.Ring {
	t := &m.Tiles[0]
	out := make([]lattice.Ring, len(t.Regions))
	for i := range out {
		for _, c := range t.RegionCorners(i) {
			out[i] = append(out[i], t.Vertices[c].Point)
		}
	}
	return out
}

// bruteForce compares every side of every region with every other: a portal is a common stretch of two collinear sides
// in opposite directions, of regions that may meet.
func bruteForce(regions []lattice.Ring, mayMeet func(p, q int) bool) []crossingOf {
	var out []crossingOf
	for p, r := range regions {
		for q, s := range regions {
			if p == q || !mayMeet(p, q) {
				continue
			}
			for i, a := range r {
				b := r[(i+1)%len(r)]
				for k, c := range s {
					d := s[(k+1)%len(s)]
					if lattice.SegmentContact(a, b, c, d) != lattice.Overlap {
						continue
					}
					// On one line; s runs against r if d comes before c on the way from a to b.
					if (a.Compare(b) < 0) == (c.Compare(d) < 0) {
						continue
					}
					right, left := a, b
					if lattice.OnSegment(d, a, b) {
						right = d
					}
					if lattice.OnSegment(c, a, b) {
						left = c
					}
					out = append(out, crossingOf{p, q, right, left})
				}
			}
		}
	}
	slices.SortFunc(out, crossingOf.compare)
	return out
}

// portals returns the portals of the first tile in the oracle's form.
func portals(m *navmesh.Mesh) []crossingOf {
	t := &m.Tiles[0]
	var out []crossingOf
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			out = append(out, crossingOf{i, int(p.To), t.Vertices[p.Right].Point, t.Vertices[p.Left].Point})
		}
	}
	slices.SortFunc(out, crossingOf.compare)
	return out
}

// checkPortals compares a mesh with the oracle.
func checkPortals(t *testing.T, m *navmesh.Mesh, mayMeet func(p, q int) bool) {
	t.Helper()
	want, got := bruteForce(rings(m), mayMeet), portals(m)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("portal %v, the oracle has %v", got[i], want[i])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d portals, the oracle has %d", len(got), len(want))
	}
}

// checkValid fails the test for every fault of the mesh.
func checkValid(t *testing.T, m *navmesh.Mesh) {
	t.Helper()
	for _, f := range m.Validate() {
		t.Error(f)
	}
}

// area2 returns twice the area of all regions.
func area2(m *navmesh.Mesh) int64 {
	var sum int64
	for _, r := range rings(m) {
		sum += r.Area2()
	}
	return sum
}

// checkCorners compares the corner flags of a mesh of one domain with its polygon: paths bend exactly at the reflex
// vertices of the polygon. Vertices where the border touches itself are left out.
func checkCorners(t *testing.T, m *navmesh.Mesh, p lattice.Polygon) {
	t.Helper()
	reflex := map[lattice.Point]bool{}
	count := map[lattice.Point]int{}
	for _, r := range p.Rings {
		for i, v := range r {
			n := len(r)
			count[v]++
			reflex[v] = reflex[v] || lattice.Orient(r[(i+n-1)%n], v, r[(i+1)%n]) < 0
		}
	}
	tile := &m.Tiles[0]
	for i, q := range tile.Portals {
		for _, end := range []struct {
			v    uint32
			flag bool
		}{{q.Left, q.LeftCorner}, {q.Right, q.RightCorner}} {
			at := tile.Vertices[end.v].Point
			if count[at] < 2 && end.flag != reflex[at] {
				t.Errorf("portal %d: corner at %v is %v, the polygon has a reflex vertex: %v", i, at, end.flag, reflex[at])
			}
		}
	}
}
