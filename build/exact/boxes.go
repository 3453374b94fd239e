package exact

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/build/internal/coplanar"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
)

// box3, tree, item and leaf are boxes on the lattice, and parts of trees of such boxes.
type (
	box3 = boxtree.Box[int32]
	tree = boxtree.Tree[int32]
	item = boxtree.Item[int32]
	leaf = boxtree.Leaf[int32]
)

func boxOf(v ...lattice.Vertex) box3 {
	b := box3{Low: [3]int32{v[0].X, v[0].Y, v[0].Z}, High: [3]int32{v[0].X, v[0].Y, v[0].Z}}
	for _, p := range v[1:] {
		b = b.Union(box3{Low: [3]int32{p.X, p.Y, p.Z}, High: [3]int32{p.X, p.Y, p.Z}})
	}
	return b
}

// flatBox returns a box in the plan, at height 0.
func flatBox(b lattice.Box) box3 {
	return box3{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}
}

// boxList tells which of some boxes in the plan overlap a box. Few boxes are compared one by one, many are in a tree.
type boxList struct {
	boxes []lattice.Box
	tree  *tree // nil for few boxes
}

func boxListOf(boxes []lattice.Box) boxList {
	const few = 32
	l := boxList{boxes: boxes}
	if len(boxes) > few {
		flat := make([]box3, len(boxes))
		for i, b := range boxes {
			flat[i] = flatBox(b)
		}
		l.tree = boxtree.New(flat, nil)
	}
	return l
}

// overlapping appends the numbers of the boxes that overlap a box to a list, in ascending order.
func (l *boxList) overlapping(numbers []int32, box lattice.Box) []int32 {
	if l.tree != nil {
		flat := flatBox(box)
		return l.tree.IDs(&flat, numbers)
	}
	for i := range l.boxes {
		if l.boxes[i].Overlaps(box) {
			numbers = append(numbers, int32(i))
		}
	}
	return numbers
}

// any reports whether is holds for the number of some box that overlaps a box.
func (l *boxList) any(box lattice.Box, is func(k int32) bool) bool {
	if l.tree != nil {
		flat := flatBox(box)
		return l.tree.Any(&flat, is)
	}
	for i := range l.boxes {
		if l.boxes[i].Overlaps(box) && is(int32(i)) {
			return true
		}
	}
	return false
}

// pointBox returns the box of a point in the plan, at height 0.
func pointBox(p lattice.Point) box3 { return boxOf(lattice.Vertex{Point: p}) }

func boxesOf(s *soup.Soup) []box3 {
	boxes := make([]box3, len(s.Triangles))
	for i := range s.Triangles {
		boxes[i] = triangleBox(&s.Triangles[i])
	}
	return boxes
}

// triangleBox returns the box of a triangle.
func triangleBox(t *soup.Triangle) box3 {
	u, v, w := &t.V[0], &t.V[1], &t.V[2]
	return box3{
		Low:  [3]int32{min(u.X, v.X, w.X), min(u.Y, v.Y, w.Y), min(u.Z, v.Z, w.Z)},
		High: [3]int32{max(u.X, v.X, w.X), max(u.Y, v.Y, w.Y), max(u.Z, v.Z, w.Z)},
	}
}

// box returns the box of a triangle of the level. Nobody keeps the boxes of all triangles.
func (e *extraction) box(t int32) *box3 {
	b := triangleBox(&e.soup.Triangles[t])
	return &b
}

// nowhere3 is a box that meets no box.
var nowhere3 = box3{Low: [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, High: [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}}

// everything chooses every triangle.
func everything(int32) bool { return true }

// plant merges floors of one plane, makes the faces that may be in the way, and makes the trees of both.
func (e *extraction) plant(ctx context.Context, jobs int) error {
	read, floors := e.soup, (*soup.Soup)(nil)
	err := par.For(ctx, jobs, 2, func(i int) error {
		var err error
		if i == 0 {
			floors = coplanar.Floors(read)
			e.floors, err = boxtree.Grow(ctx, boxesOf(floors), func(i int) bool { return floors.Triangles[i].Walkable }, jobs)
			return err
		}
		e.faces = facesOf(read, func(t *soup.Triangle) bool { return !t.Walkable })
		e.solids, err = boxtree.Grow(ctx, e.faceBoxes(), nil, jobs)
		return err
	})
	e.soup = floors
	return err
}

// faceBoxes returns the boxes of the faces that may be in the way.
func (e *extraction) faceBoxes() []box3 {
	boxes := make([]box3, len(e.faces))
	for i := range e.faces {
		boxes[i] = e.faces[i].box()
	}
	return boxes
}
