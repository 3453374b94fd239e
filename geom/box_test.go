package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestEmptyBox(t *testing.T) {
	b := EmptyBox()
	if !b.IsEmpty() || b.Size() != (Vec{}) {
		t.Errorf("the empty box has size %v", b.Size())
	}
	if (Box{}).IsEmpty() {
		t.Error("the zero box, a point, is empty")
	}
	for _, b := range []Box{{Min: Vec{X: 1}}, {Min: Vec{Y: 1}}, {Min: Vec{Z: 1}}} {
		if !b.IsEmpty() || b.Size() != (Vec{}) {
			t.Errorf("%v, inside out in one axis, is not empty", b)
		}
	}
	v := Vec{1, 2, 3}
	if got := b.Extend(v); got != (Box{v, v}) || got.IsEmpty() || got.Size() != (Vec{}) || got.Center() != v {
		t.Errorf("extended by one point: %v", got)
	}
}

func TestBoxLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vecs := rapid.SliceOfN(anyVec(), 1, 6).Draw(t, "vecs")
		b := EmptyBox()
		for _, v := range vecs {
			b = b.Extend(v)
		}
		backwards := EmptyBox()
		for i := range vecs {
			backwards = backwards.Extend(vecs[len(vecs)-1-i])
		}
		if b != backwards {
			t.Fatal("the order of the points matters")
		}
		for _, v := range vecs {
			if b.Extend(v) != b {
				t.Fatalf("%v is not in %v", v, b)
			}
			// No point of the box is farther from the centre than half its diagonal.
			d, half := v.Sub(b.Center()), b.Size().Scale(0.5)
			if math.Abs(d.X) > half.X || math.Abs(d.Y) > half.Y || math.Abs(d.Z) > half.Z {
				t.Fatalf("%v is not around its centre %v", b, b.Center())
			}
		}
		if got := b.Min.Add(b.Size()); got != b.Max {
			t.Fatalf("min + size is %v, want %v", got, b.Max)
		}
	})
}
