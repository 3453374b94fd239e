package exact

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestSpikesAreCutOff verifies that dead ends too narrow for anything go, and nothing else does.
func TestSpikesAreCutOff(t *testing.T) {
	const seam = 3
	square := lattice.Ring{{X: 0, Y: 0}, {X: 1000, Y: 0}, {X: 1000, Y: 1000}, {X: 0, Y: 1000}}
	with := func(points ...lattice.Point) lattice.Ring { return slices.Concat(square[:2], points, square[2:]) }
	for _, c := range []struct {
		name   string
		ring   lattice.Ring
		hole   lattice.Ring
		seam   int // the seam edge, -1 for none
		expect lattice.Ring
	}{
		{"none", square, nil, -1, square},
		{
			"out of a side", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}), nil, -1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1000, Y: 503}),
		},
		{
			"with a bend", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1400, Y: 500}, lattice.Point{X: 1800, Y: 900}, lattice.Point{X: 1398, Y: 503}, lattice.Point{X: 1000, Y: 503}), nil, -1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1000, Y: 503}),
		},
		{
			"wider", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 510}), nil, -1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 510}),
		},
		{
			"of the wall into the floor", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 100, Y: 501}, lattice.Point{X: 1000, Y: 503}), nil, -1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 100, Y: 501}, lattice.Point{X: 1000, Y: 503}),
		},
		{"a point on a side", with(lattice.Point{X: 1000, Y: 500}), nil, -1, with(lattice.Point{X: 1000, Y: 500})},
		{
			"the end of a seam", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}), nil, 3,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1000, Y: 503}),
		},
		{
			"a seam and a short wall", with(lattice.Point{X: 1880, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}), nil, 3,
			with(lattice.Point{X: 1880, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}),
		},
		{
			"with a hole in it", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 504}),
			lattice.Ring{{X: 1100, Y: 501}, {X: 1100, Y: 502}, {X: 1101, Y: 502}},
			-1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 504}),
		},
		{
			"with a hole that touches the tip", with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}),
			lattice.Ring{{X: 1900, Y: 501}, {X: 300, Y: 501}, {X: 300, Y: 502}},
			-1,
			with(lattice.Point{X: 1000, Y: 500}, lattice.Point{X: 1900, Y: 501}, lattice.Point{X: 1000, Y: 503}),
		},
	} {
		var o overlay.Outline
		for _, r := range []lattice.Ring{c.ring, c.hole} {
			if r == nil {
				continue
			}
			labels := make([]int32, len(r))
			for i := range labels {
				labels[i] = wall
			}
			o.Rings, o.Labels = append(o.Rings, slices.Clone(r)), append(o.Labels, labels)
		}
		if c.seam >= 0 {
			o.Labels[0][c.seam] = seam
		}
		got := withoutSpikes(o)
		if !slices.Equal(got.Rings[0], c.expect) || len(got.Labels[0]) != len(got.Rings[0]) {
			t.Errorf("%s: %v with %d labels, want %v", c.name, got.Rings[0], len(got.Labels[0]), c.expect)
		}
		if cut := len(c.expect) < len(c.ring); c.seam >= 0 && slices.Contains(got.Labels[0], seam) == cut {
			t.Errorf("%s: cut %v, and labels %v", c.name, cut, got.Labels[0])
		}
	}
}

// TestWithoutSpikesStaysValid cuts the spikes off unions of random slivers on a few lattice points, in which rings touch each other
// everywhere: each polygon stays valid and becomes no larger.
func TestWithoutSpikesStaysValid(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(7, 65))
	cut := 0
	for seed := range 1500 {
		at := func() lattice.Point { return lattice.Point{X: 8 * rng.Int32N(12), Y: rng.Int32N(12)} }
		var rings []lattice.Ring
		for range 4 + rng.IntN(12) {
			r := lattice.Ring{at(), at(), at()}
			if lattice.Orient(r[0], r[1], r[2]) < 0 {
				r[1], r[2] = r[2], r[1]
			}
			rings = append(rings, r)
		}
		polygons, err := overlay.Union(rings)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range polygons {
			o := overlay.Outline{}
			corners := 0
			for _, r := range p.Rings {
				labels := make([]int32, len(r))
				for i := range labels {
					labels[i] = wall
				}
				o.Rings, o.Labels = append(o.Rings, slices.Clone(r)), append(o.Labels, labels)
				corners += len(r)
			}
			got := withoutSpikes(o)
			if err := got.Validate(); err != nil {
				t.Fatalf("%d: %v becomes %v: %v", seed, p.Rings, got.Rings, err)
			}
			for _, r := range got.Rings {
				corners -= len(r)
			}
			if got.Area2() > p.Area2() || (corners > 0) != (got.Area2() < p.Area2()) {
				t.Fatalf("%d: %v becomes %v", seed, p.Rings, got.Rings)
			}
			cut += corners
		}
	}
	if cut < 100 {
		t.Errorf("only %d spikes", cut)
	}
}
