package presence_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/geom"
)

// walkers fills a Set with agents at random places.
func walkers(b *testing.B, kind string, n int) (*presence.Set, []geom.Vec) {
	ix := generated(b, kind, 1).Index()
	q := ix.NewQuery()
	rng := rand.New(rand.NewPCG(1, 1))
	s := presence.New(ix)
	places := make([]geom.Vec, n)
	for i := range places {
		at, _ := q.RandomPoint(rng)
		places[i] = at.Point
		if err := s.Add(presence.Object{ID: presence.ID(i), At: at.Point, Radius: 0.3, Height: 1.8, Sight: 20}); err != nil {
			b.Fatal(err)
		}
	}
	return s, places
}

// BenchmarkMove moves agents by a step of 5 cm.
func BenchmarkMove(b *testing.B) {
	for _, kind := range []string{"city", "rooms"} {
		b.Run(kind, func(b *testing.B) {
			s, places := walkers(b, kind, 1000)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				id := i % len(places)
				to := places[id]
				to.X += 0.05 * float64(i/len(places)%2)
				if err := s.Move(presence.ID(id), to); err != nil {
					b.StopTimer()
					to = places[id] // off the floor: stay
					b.StartTimer()
				}
			}
		})
	}
}

// BenchmarkTick publishes a View and finds all collisions, and finds them by all pairs.
func BenchmarkTick(b *testing.B) {
	for _, n := range []int{200, 1000, 5000} {
		s, places := walkers(b, "city", n)
		r := s.Publish().NewReader()
		b.Run(fmt.Sprintf("regions/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			r.Tests = 0
			for range b.N {
				if err := s.Move(0, places[0]); err != nil {
					b.Fatal(err)
				}
				r.Use(s.Publish())
				r.Collisions()
			}
			b.ReportMetric(float64(r.Tests)/float64(b.N), "tests/op")
		})
		b.Run(fmt.Sprintf("all-pairs/%d", n), func(b *testing.B) {
			var objects []presence.Object
			for i := range r.View().Len() {
				o, _ := r.View().At(i)
				objects = append(objects, o)
			}
			for range b.N {
				found := 0
				for i := range objects {
					p := &objects[i]
					for j := range i {
						q := &objects[j]
						dx, dz, reach := p.At.X-q.At.X, p.At.Z-q.At.Z, p.Radius+q.Radius
						if dx*dx+dz*dz <= reach*reach && math.Abs(p.At.Y-q.At.Y) <= 1.8 {
							found++
						}
					}
				}
				if got := len(r.Collisions()); got != found {
					b.Fatalf("%d collisions, all pairs have %d", got, found)
				}
			}
			b.ReportMetric(float64(n*(n-1)/2), "tests/op")
		})
	}
}

// BenchmarkLook finds who is in sight of an agent among 1000.
func BenchmarkLook(b *testing.B) {
	s, _ := walkers(b, "city", 1000)
	r := s.Publish().NewReader()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if _, err := r.Sees(presence.ID(i % 1000)); err != nil {
			b.Fatal(err)
		}
	}
}
