package unionfind

import "testing"

func TestForestRootsAreTheSmallest(t *testing.T) {
	f := New(10)
	for _, p := range [][2]int32{{7, 3}, {9, 7}, {4, 5}, {5, 9}} {
		if !f.Union(p[0], p[1]) {
			t.Errorf("%v were one set", p)
		}
	}
	for _, i := range []int32{3, 4, 5, 7, 9} {
		if f.Find(i) != 3 {
			t.Errorf("the root of %d is %d", i, f.Find(i))
		}
	}
	if f.Union(3, 9) {
		t.Error("3 and 9 were two sets")
	}
	if f.Find(8) != 8 {
		t.Error("8 was joined to nothing")
	}
}

// TestReset checks that nothing of the former sets remains, in smaller and in larger forests.
func TestReset(t *testing.T) {
	f := New(4)
	for _, n := range []int{3, 10, 0} {
		for i := range f {
			f.Union(0, int32(i))
		}
		f = f.Reset(n)
		if len(f) != n {
			t.Fatalf("%d elements, want %d", len(f), n)
		}
		for i := range f {
			if f.Find(int32(i)) != int32(i) {
				t.Errorf("%d elements: %d is in the set of %d", n, i, f.Find(int32(i)))
			}
		}
	}
}
