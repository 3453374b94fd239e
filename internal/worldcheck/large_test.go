package worldcheck

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/world"
)

// framed returns a level of a square floor around a square hole. The hole may be turned against the floor; all is turned and
// sloped.
func framed(side, hole, twist, yaw, slope float64) *level.Level {
	l := new(level.Level)
	sin, cos := math.Sincos(yaw)
	add := func(half, twist float64) {
		for k := range 4 {
			s, c := math.Sincos(twist + math.Pi/4 + float64(k)*math.Pi/2)
			x, z := float64(half*math.Sqrt2*c), float64(-half*math.Sqrt2*s)
			l.Vertices = append(l.Vertices, geom.Vec{X: float64(x*cos) - float64(z*sin), Y: float64(x * slope), Z: float64(x*sin) + float64(z*cos)})
		}
	}
	add(side/2, 0)
	tri := func(a, b, c uint32) {
		l.Triangles = append(l.Triangles, level.Triangle{A: a, B: b, C: c, Material: level.NoMaterial})
	}
	if hole == 0 {
		tri(0, 1, 2)
		tri(0, 2, 3)
		return l
	}
	add(hole/2, twist)
	for k := range uint32(4) {
		n := (k + 1) % 4
		tri(k, n, 4+k)
		tri(n, 4+n, 4+k)
	}
	return l
}

// TestLargeRegions keeps the laws in worlds of few large regions, where many things stand in each: regions whose sides have no
// lattice points, with walls and with portals between them.
func TestLargeRegions(t *testing.T) {
	race.Skip(t)
	crowded := 0
	for i, l := range []*level.Level{
		framed(60, 0, 0, 0, 0), framed(80, 0, 0, 0.4, 0), framed(50, 0, 0, 1.1, 0.2),
		framed(90, 12, 0.5, 0, 0), framed(100, 5, 0.2, 0.7, 0), framed(70, 20, 0.3, 0.1, 0.15),
	} {
		m, err := meadow.Build(t.Context(), l, meadow.Agent{Radius: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		for seed := uint64(3); seed < uint64(slow.Count(4, 23)); seed++ {
			trial := Trial{Base: m.Mesh, Options: world.Options{}, Seed: 100*uint64(i) + seed, Changes: slow.Count(100, 200), Every: 20, Places: 60, Paths: 12, ShrinkAtMost: 300}
			r, err := trial.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Faults {
				t.Errorf("level %d, seed %d: %v after %d changes, shrunk: %v: %+v", i, seed, f, r.Changes, r.Shrunk, r.History)
			}
			if r.Regions > 12 {
				t.Errorf("level %d: %d regions", i, r.Regions)
			}
			if r.Peak > 150 {
				crowded++
			}
		}
	}
	if crowded < slow.Count(2, 30) {
		t.Errorf("%d worlds became crowded", crowded)
	}
}
