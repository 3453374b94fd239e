package brep

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// Cells and solids fill the box: volumes add up, and a random place is in one cell or in a solid.
func TestCellsFillTheBox(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 3)) {
		s := scattered(seed, 8+int(seed%8))
		box := s.Bounds()
		box.Min, box.Max = box.Min.Sub(geom.Vec{X: 1, Y: 1, Z: 1}), box.Max.Add(geom.Vec{X: 1, Y: 1, Z: 1})
		c, err := FreeCells(t.Context(), &s.Level, box, 0)
		if err != nil {
			t.Fatal(err)
		}
		w, _, regions := readOuter(t, s)
		size := box.Max.Sub(box.Min)
		sum := volume(regions, local(w.frame, box.Min))
		for _, cell := range c.Cells {
			sum += cell.Volume
		}
		if want := size.X * size.Y * size.Z; math.Abs(sum-want) > 0.01*math.Cbrt(want) {
			t.Errorf("scene %d: cells and solids have %.4f m³ of %.4f", seed, sum, want)
		}
		r := rand.New(rand.NewPCG(seed, 4))
		for range 500 {
			at := box.Min.Add(geom.Vec{X: r.Float64() * size.X, Y: r.Float64() * size.Y, Z: r.Float64() * size.Z})
			depth := math.Inf(-1)
			for k := range s.Solids {
				depth = max(depth, inside(&s.Solids[k], at))
			}
			in, near := 0, 0
			for i := range c.Cells {
				switch d := c.depth(i, local(c.Frame, at)); {
				case d > 4:
					in++
				case d > -4:
					near++
				}
			}
			const rounding = 4 * lattice.Unit
			if in > 1 || depth > rounding && in > 0 || depth < -rounding && in+near == 0 {
				t.Fatalf("scene %d: %v is in %d cells, near %d, and %.4f m deep in a solid", seed, at, in, near, depth)
			}
		}
		// Both cells of a portal have it on their border.
		for i, p := range c.Portals {
			for _, k := range p.Corners {
				v := c.Vertices[k]
				at := [3]float64{float64(v.X), float64(v.Y), float64(v.Z)}
				if a, b := c.depth(int(p.A), at), c.depth(int(p.B), at); math.Abs(a) > 4 || math.Abs(b) > 4 {
					t.Fatalf("scene %d: portal %d has a corner %.1f and %.1f units deep in its cells", seed, i, a, b)
				}
			}
		}
	}
}

// depth returns how deep a place is in a cell, in units, up to the rounding of its corners.
func (c *Complex) depth(i int, at [3]float64) float64 {
	depth := math.Inf(1)
	low, high := [3]float64{}, [3]float64{}
	for n, f := range c.Cells[i].Faces {
		for m, id := range f {
			p := c.Vertices[id]
			for a, x := range [3]float64{float64(p.X), float64(p.Y), float64(p.Z)} {
				if n == 0 && m == 0 {
					low[a], high[a] = x, x
				}
				low[a], high[a] = min(low[a], x), max(high[a], x)
			}
		}
	}
	for a := range 3 {
		depth = min(depth, at[a]-low[a], high[a]-at[a])
	}
	for _, f := range c.Cells[i].Faces {
		v := func(k int) [3]float64 {
			p := c.Vertices[f[k]]
			return [3]float64{float64(p.X), float64(p.Y), float64(p.Z)}
		}
		// The normal of the whole polygon, which slivers do not spoil.
		var n [3]float64
		for k := 2; k < len(f); k++ {
			m := cross(sub(v(k-1), v(0)), sub(v(k), v(0)))
			for a := range n {
				n[a] += m[a]
			}
		}
		length := math.Sqrt(dot(n, n))
		if length < 1<<16 {
			depth = min(depth, 0) // smaller than a square of 6 cm: rounded corners say little of its plane
			continue
		}
		depth = min(depth, dot(n, sub(v(0), at))/length)
	}
	return depth
}

// A box in a room is gone around on all sides; a door leads through a wall, and with a clearance it may be too narrow.
func TestCellsOfRooms(t *testing.T) {
	s := &scene{level.Level{Name: "rooms"}}
	s.block(0, 0, -1, 10, 4, 0)
	s.block(4.5, 0, 0, 5.5, 1.5, 3)
	s.block(4.5, 2.5, 0, 5.5, 4, 3)
	box := geom.Box{Min: geom.FromGround(0, 4, 0), Max: geom.FromGround(10, 0, 3)}
	for clearance, want := range map[float64]int{0: 1, 0.25: 1, 0.75: 2} {
		c, err := FreeCells(t.Context(), &s.Level, box, clearance)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.parts(); got != want {
			t.Errorf("clearance %g: %d parts of %d cells, want %d", clearance, got, len(c.Cells), want)
		}
	}
}

func (c *Complex) parts() int {
	part := make([]int, len(c.Cells))
	for i := range part {
		part[i] = i
	}
	for range c.Cells {
		for _, p := range c.Portals {
			low := min(part[p.A], part[p.B])
			part[p.A], part[p.B] = low, low
		}
	}
	n := 0
	for i, p := range part {
		if i == p {
			n++
		}
	}
	return n
}

func TestCellsErrors(t *testing.T) {
	s := &scene{level.Level{Name: "one"}}
	s.block(0, 0, 0, 1, 1, 1)
	for _, c := range []struct {
		box       geom.Box
		clearance float64
		want      string
	}{
		{s.Bounds(), -1, "a clearance of -1"},
		{geom.Box{Min: geom.Vec{X: -1e9}, Max: geom.Vec{X: 1}}, 0, "outside of the lattice"},
		{geom.Box{Min: geom.Vec{X: 1}, Max: geom.Vec{X: 1, Y: 1, Z: 1}}, 0, "no volume"},
	} {
		if _, err := FreeCells(t.Context(), &s.Level, c.box, c.clearance); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
