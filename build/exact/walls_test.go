package exact

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
)

// TestUprightPartsJoin joins the stretches of one upright face that several floors report, where the stretches follow
// each other.
func TestUprightPartsJoin(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	face := func(from, to int32) upright { return upright{p(0, 0), p(100, 50), from, to} }
	for name, c := range map[string]struct {
		walls []upright
		want  []lattice.Ring
	}{
		"none":          {nil, nil},
		"a part":        {[]upright{face(10, 20)}, []lattice.Ring{slit(p(10, 5), p(20, 10))}},
		"in any order":  {[]upright{face(50, 100), face(0, 50)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
		"in each other": {[]upright{face(0, 100), face(20, 30), face(60, 100)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
		"apart":         {[]upright{face(0, 40), face(60, 100)}, []lattice.Ring{slit(p(0, 0), p(40, 20)), slit(p(60, 30), p(100, 50))}},
		"two faces":     {[]upright{{p(0, 0), p(0, 90), 0, 90}, {p(0, 0), p(90, 0), 0, 90}}, []lattice.Ring{slit(p(0, 0), p(0, 90)), slit(p(0, 0), p(90, 0))}},
		"falling":       {[]upright{{p(0, 90), p(30, 0), 30, 60}}, []lattice.Ring{slit(p(20, 30), p(10, 60))}},
		"two panels":    {[]upright{{p(40, 20), p(160, 80), 60, 160}, face(0, 70)}, []lattice.Ring{slit(p(0, 0), p(160, 80))}},
		"short panels":  {[]upright{{p(80, 40), p(82, 41), 80, 82}, face(0, 79)}, []lattice.Ring{slit(p(0, 0), p(82, 41))}},
		"side by side":  {[]upright{{p(0, 1), p(100, 51), 0, 100}, face(0, 100)}, []lattice.Ring{slit(p(0, 0), p(100, 50)), slit(p(0, 1), p(100, 51))}},
		"to the north":  {[]upright{{p(0, 10), p(0, 30), 10, 30}, {p(0, 0), p(0, 10), 0, 10}}, []lattice.Ring{slit(p(0, 0), p(0, 30))}},
		"a panel south": {[]upright{{p(10, 60), p(30, 0), 0, 30}, {p(0, 90), p(10, 60), 60, 90}}, []lattice.Ring{slit(p(20, 30), p(30, 0)), slit(p(0, 90), p(10, 60))}},
		"a fork":        {[]upright{{p(0, 0), p(90, 30), 0, 90}, {p(0, 0), p(90, -30), 0, 90}}, []lattice.Ring{slit(p(0, 0), p(90, -30)), slit(p(0, 0), p(90, 30))}},
		"beyond ends":   {[]upright{face(-3, 102)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
	} {
		if diff := cmp.Diff(c.want, joined(c.walls)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestOutermost verifies that the remaining convex rings contain all other rings. No remaining ring lies in another
// one, or in a ring of more. Of equal rings one remains.
func TestOutermost(t *testing.T) {
	left := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 77))
		some := func() []lattice.Ring {
			var rings []lattice.Ring
			for range rng.IntN(30) {
				x, y, size := rng.Int32N(60), rng.Int32N(20), 1+rng.Int32N(20)
				var points []lattice.Point
				for range 3 + rng.IntN(4) {
					points = append(points, lattice.Point{X: x + rng.Int32N(size+1), Y: y + rng.Int32N(size+1)})
				}
				if r := lattice.Hull(points); len(r) >= 3 {
					rings = append(rings, r)
					if rng.IntN(4) == 0 {
						rings = append(rings, slices.Clone(r))
					}
				}
			}
			return rings
		}
		rings, more := some(), some()
		all := append(slices.Clone(rings), more...)
		out := outermost(slices.Clone(rings), more)
		left += len(out)
		for i, r := range all[:len(rings)] {
			kept := append(slices.Clone(out), more...)
			if !slices.ContainsFunc(kept, func(k lattice.Ring) bool { return holds(k, r) }) {
				t.Errorf("seed %d: no remaining ring contains ring %d, %v", seed, i, r)
			}
		}
		for i, r := range out {
			if slices.ContainsFunc(more, func(k lattice.Ring) bool { return holds(k, r) }) {
				t.Errorf("seed %d: %v lies in a ring of more", seed, r)
			}
			for k, o := range out {
				if i != k && holds(o, r) {
					t.Errorf("seed %d: %v lies in %v, and both remain", seed, r, o)
				}
			}
		}
	}
	if left < 200 {
		t.Errorf("only %d rings remain", left)
	}
}

// TestWallsInHairlines has walls in hairlines between two floors. Nobody walks through a wall, wherever in the hairline the wall stands, and
// everybody walks over a hairline beneath a lintel. Without gaps no bridge over a wide hairline knows the wall,
// and a wider one divides the floors.
func TestWallsInHairlines(t *testing.T) {
	gapless := floortest.Agent
	gapless.MaxGap = 0
	for _, agent := range []geom.Agent{floortest.Agent, gapless} {
		for _, low := range []float64{0, 2} { // of the wall
			for tenths := range 24 {
				for _, part := range []float64{0.3, 0.5, 0.9} {
					width := float64(tenths) / 1e4
					s := &floortest.Scene{}
					s.Floor(0, 0, 5, 5, 0)
					s.Floor(5+width, 0, 10, 5, 0.1)
					s.Wall(5+part*width, 0, 5+part*width, 5, low, 3)
					p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true})
					if err != nil {
						t.Fatal(err)
					}
					want := 2
					if open := agent.MaxGap == 0 && width*lattice.UnitsPerMetre > hairs+0.5; low > 0 && !open {
						want = 1
					}
					if p.Components != want {
						t.Errorf("gaps of %g m, a wall from %g m in a hairline of %g mm: %d components, want %d", agent.MaxGap, low, width*1e3, p.Components, want)
					}
				}
			}
		}
	}
}
