package groundtruth_test

import "testing"

// TestThinTreads has a slab between an upper floor and a floor more than a step below. The slab sticks out: 5 cm make a tread, and a
// fraction of a millimetre makes none.
func TestThinTreads(t *testing.T) {
	for _, degrees := range []float64{0, 26.6, 205} {
		for _, c := range []struct{ out, least, most float64 }{{3e-4, 0.299, 0.302}, {0.05, 0.6, 2}} {
			s := turnedBy(degrees)
			s.rectangle(-4, -4, 0, 4, 1)
			s.rectangle(-4, -4, c.out, 4, 0.5)
			s.rectangle(-4, -4, 4, 4, 0)
			if v := s.judged(stepper(0.45), -0.3, 0, 1); v.Clearance < c.least || v.Clearance > c.most {
				t.Errorf("turned by %g°, a slab that sticks out by %g m: %+v", degrees, c.out, v)
			}
		}
	}
}

// TestRestsOfEdges has an upper floor, a floor more than a step below, and a floor between both heights beside either. The floor between
// has 1.9 mm of its edge left over beside the lower floor. The normals of the rest run along the edge of the upper floor, and are no way
// down.
func TestRestsOfEdges(t *testing.T) {
	for _, degrees := range []float64{0, 26.6, 205} {
		s := turnedBy(degrees)
		s.plate(1, -5, -5, 5, -5, 5, -0.084, -5, 0.076)
		s.plate(0, -5, 0.081, 0, 0.001, 0, 5, -5, 5)
		s.rectangle(0, -9e-4, 5, 5, 0.625)
		if v := s.judged(stepper(0.45), -0.05, -0.25, 1); v.Clearance > 0.255 {
			t.Errorf("turned by %g°: %+v", degrees, v)
		}
	}
}

// TestHiddenTreads has a floor that ends under the edge of another one, more than a step higher. A slab between both heights ends there as
// well: the upper floor hides the slab, and 5 cm that stick out are a tread.
func TestHiddenTreads(t *testing.T) {
	for _, degrees := range []float64{0, 26.6, 205} {
		for _, c := range []struct{ out, least, most float64 }{{0, 0.299, 0.302}, {0.05, 0.6, 2}} {
			s := turnedBy(degrees)
			s.rectangle(-4, -4, 0, 4, 1)
			s.rectangle(-4, -4, c.out, 4, 0.5)
			s.rectangle(-5e-4, -4, 4, 4, 0)
			if v := s.judged(stepper(0.45), 0.3, 0, 0); v.Clearance < c.least || v.Clearance > c.most {
				t.Errorf("turned by %g°, a slab that sticks out by %g m: %+v", degrees, c.out, v)
			}
		}
	}
}
