package forest

import "testing"

func TestForestRootsAreTheSmallest(t *testing.T) {
	f := New(10)
	for _, p := range [][2]int32{{7, 3}, {9, 7}, {4, 5}, {5, 9}} {
		f.Union(p[0], p[1])
	}
	for _, i := range []int32{3, 4, 5, 7, 9} {
		if f.Find(i) != 3 {
			t.Errorf("the root of %d is %d", i, f.Find(i))
		}
	}
	if f.Find(8) != 8 {
		t.Error("8 was joined to nothing")
	}
}
