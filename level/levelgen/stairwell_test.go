package levelgen

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Random stairwells and towers are valid, the same for the same seed, another for another, and the truth is told for
// most of them.
func TestRandomStairwells(t *testing.T) {
	for name, random := range map[string]func(uint64) (*level.Level, Truth){"stairwell": RandomStairwell, "tower": RandomTower} {
		known, parts := 0, 0
		var before *level.Level
		for seed := range uint64(60) {
			lvl, truth := random(seed)
			if err := lvl.Validate(); err != nil {
				t.Fatalf("%s %d: %v", name, seed, err)
			}
			if again, _ := random(seed); !reflect.DeepEqual(lvl, again) {
				t.Errorf("%s %d is another one the second time", name, seed)
			}
			if reflect.DeepEqual(lvl, before) {
				t.Errorf("%s %d is that before", name, seed)
			}
			before = lvl
			if f, ok := truth.Floor(0.3, 0.05); ok {
				known++
				if name == "stairwell" && f.Components > 1 {
					parts++
				}
			}
			if _, ok := truth.Floor(1, 0.05); ok {
				t.Errorf("%s %d: something is told of a radius of 1 m", name, seed)
			}
		}
		if known < 30 || name == "stairwell" && (parts < 3 || parts > known/2) {
			t.Errorf("%s: %d of 60 are known, %d in parts", name, known, parts)
		}
	}
}

// The components of stairwells are those of their pieces when two pieces are joined wherever a sampled place of one
// has a place of the other within the gap and a step.
func TestStairwellsByPieces(t *testing.T) {
	const gap, climb, pitch = 0.05, 0.4, 0.04
	told := 0
	for seed := range uint64(24) {
		lvl, truth := RandomStairwell(seed)
		f, known := truth.Floor(0, gap)
		if !known {
			continue
		}
		told++
		var floors [][3]geom.Vec
		for _, tri := range lvl.Triangles {
			a, b, c := lvl.Vertices[tri.A], lvl.Vertices[tri.B], lvl.Vertices[tri.C]
			if n := b.Sub(a).Cross(c.Sub(a)); n.Y > 0.7*n.Norm() {
				floors = append(floors, [3]geom.Vec{a, b, c})
			}
		}
		part := make([]int, len(floors))
		for i := range part {
			part[i] = i
		}
		parts := len(floors)
		for i := range floors {
			for j := range i {
				if part[i] != part[j] && (meet(floors[i], floors[j], gap, climb, pitch) || meet(floors[j], floors[i], gap, climb, pitch)) {
					from, to := part[i], part[j]
					for k := range part {
						if part[k] == from {
							part[k] = to
						}
					}
					parts--
				}
			}
		}
		if parts != f.Components {
			t.Errorf("stairwell %d: %d components are told, pieces make %d", seed, f.Components, parts)
		}
	}
	if told < 12 {
		t.Errorf("%d of 24 are known", told)
	}
}

// A stairwell without gaps is one component for an agent with a radius, on a sampled floor too.
func TestStairwellsBySamples(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 12; seed++ {
		lvl, _, gaps := randomStairwell(seed)
		_, truth := RandomStairwell(seed)
		f, known := truth.Floor(0.3125, 0.05)
		if !known || slices.Max(gaps) > 0 {
			continue
		}
		tried++
		s := newSamples(lvl, 1.0/32)
		if components, _ := s.parts(s.stand(0.3125), []float64{0}); components != f.Components {
			t.Errorf("stairwell %d: %d components are told, %d sampled", seed, f.Components, components)
		}
	}
}

// meet reports whether a place on the border of p is within a gap and a step of a place of q, in samples.
func meet(p, q [3]geom.Vec, gap, climb, pitch float64) bool {
	near, far := geom.EmptyBox().Extend(p[0]).Extend(p[1]).Extend(p[2]), geom.EmptyBox().Extend(q[0]).Extend(q[1]).Extend(q[2])
	if d := near.Min.Sub(far.Max); max(d.X, d.Z) > gap || d.Y > climb {
		return false
	}
	if d := far.Min.Sub(near.Max); max(d.X, d.Z) > gap || d.Y > climb {
		return false
	}
	for i := range p {
		a, b := p[i], p[(i+1)%3]
		n := math.Ceil(math.Hypot(b.X-a.X, b.Z-a.Z) / pitch)
		for k := 0.0; k <= n; k++ {
			at := a.Add(b.Sub(a).Scale(k / n))
			if h, over := heightOver(at, q[0], q[1], q[2]); over && math.Abs(h-at.Y) <= climb {
				return true
			}
			for j := range q {
				c, d := q[j], q[(j+1)%3].Sub(q[j])
				share := ((at.X-c.X)*d.X + (at.Z-c.Z)*d.Z) / (d.X*d.X + d.Z*d.Z)
				near := c.Add(d.Scale(max(0, min(1, share))))
				if math.Hypot(near.X-at.X, near.Z-at.Z) <= gap && math.Abs(near.Y-at.Y) <= climb {
					return true
				}
			}
		}
	}
	return false
}
