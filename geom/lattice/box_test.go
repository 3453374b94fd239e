package lattice

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBox(t *testing.T) {
	const m = MaxCoord
	empty := EmptyBox()
	if !empty.IsEmpty() || empty.Contains(Point{}) || empty.Overlaps(empty) || empty.Overlaps(Box{Point{-m, -m}, Point{m, m}}) {
		t.Error("the empty box holds something")
	}
	if w, h := empty.Size(); w != 0 || h != 0 {
		t.Errorf("size of the empty box: %d, %d", w, h)
	}
	whole := BoxOf(Point{m, -m}, Point{-m, m})
	if w, h := whole.Size(); w != 2*m || h != 2*m {
		t.Errorf("size of the frame: %d, %d", w, h)
	}
	if got := empty.Union(whole); got != whole {
		t.Errorf("union with nothing: %v", got)
	}
	a, b := BoxOf(Point{0, 0}, Point{5, 5}), BoxOf(Point{5, 5}, Point{9, 9})
	if !a.Overlaps(b) || a.Overlaps(BoxOf(Point{6, 0}, Point{7, 5})) || a.Overlaps(BoxOf(Point{0, 6}, Point{5, 7})) {
		t.Error("boxes that share a corner overlap, boxes apart in one axis do not")
	}
}

func TestBoxLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 5)
		b := BoxOf(p[:3]...)
		for _, q := range p[:3] {
			if !b.Contains(q) {
				t.Fatalf("%v does not contain %v", b, q)
			}
		}
		c := BoxOf(p[3:]...)
		u := b.Union(c)
		if u != BoxOf(p...) || u != c.Union(b) {
			t.Fatalf("union of %v and %v: %v", b, c, u)
		}
		if b.Overlaps(c) != c.Overlaps(b) || b.Contains(p[3]) && !b.Overlaps(c) {
			t.Fatalf("overlap of %v and %v", b, c)
		}
	})
}

func TestPolygonBox(t *testing.T) {
	p := Polygon{Rings: []Ring{{{0, 0}, {4, 0}, {4, 4}}, {{-1, 2}, {1, 7}, {1, 1}}}}
	if got, want := p.Box(), (Box{Point{-1, 0}, Point{4, 7}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if !(Polygon{}).Box().IsEmpty() {
		t.Error("a polygon without rings has a box")
	}
}
