package brep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// scenes is how many random scenes are tried; MEADOW_SCENES asks for more.
func scenes(t *testing.T, few int) int {
	if n, err := strconv.Atoi(os.Getenv("MEADOW_SCENES")); err == nil {
		return n
	}
	return few
}

func readOuter(t testing.TB, s *scene) (*world, *corners, []region) {
	t.Helper()
	w, err := readWorld(t.Context(), &s.Level, reading{})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.sheets) != 0 || len(w.bodies) != len(s.Solids) {
		t.Fatalf("%d bodies and %d sheets of %d solids", len(w.bodies), len(w.sheets), len(s.Solids))
	}
	pieces, err := w.surface(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	c, regions := w.merged(pieces)
	return w, c, regions
}

// checkClosed verifies that the surface has every stretch of an edge as often one way as the other.
func checkClosed(c *corners, regions []region) error {
	top := newTopology(c, regions)
	for d, uses := range top.uses {
		if back := top.uses[d.turned()]; len(back) != len(uses) {
			return fmt.Errorf("the edge from %v to %v is there %d times, the other way round %d times", c.at[d.from].At, c.at[d.to].At, len(uses), len(back))
		}
	}
	return nil
}

// checkRegions verifies that regions are convex polygons on their planes.
func checkRegions(s *solid.Space, c *corners, regions []region) error {
	for i := range regions {
		r := &regions[i]
		n := len(r.ids)
		for k := range n {
			v := &c.at[r.ids[k]]
			if s.Side(v, r.Plane) != 0 || s.Side(v, r.Edges[k]) != 0 || s.Side(v, r.Edges[(k+n-1)%n]) != 0 {
				return fmt.Errorf("region %d: corner %d is not on its planes", i, k)
			}
			if s.Turn(r.Plane, r.Edges[(k+n-1)%n], r.Edges[k]) <= 0 {
				return fmt.Errorf("region %d: corner %d does not turn left", i, k)
			}
		}
	}
	return nil
}

// volume returns the volume inside a closed surface, in cubic metres, by the divergence theorem.
func volume(regions []region, from [3]float64) float64 {
	sum := 0.0
	for i := range regions {
		p := &regions[i].Polygon
		at := func(k int) [3]float64 { return sub(p.Corners[k].At, from) }
		for k := 1; k+1 < len(p.Corners); k++ {
			sum += dot(at(0), cross(at(k), at(k+1)))
		}
	}
	return sum / 6 * lattice.Unit * lattice.Unit * lattice.Unit
}

func TestSurfaceIsClosed(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 16)) {
		s := scattered(seed, 20+int(seed*7%60))
		w, c, regions := readOuter(t, s)
		if err := checkRegions(w.space, c, regions); err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
		if err := checkClosed(c, regions); err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
	}
}

// The surface encloses the same volume as random places measure, within their accuracy.
func TestVolumeAgainstPlaces(t *testing.T) {
	race.Skip(t)
	const places = 20000
	for seed := range uint64(scenes(t, 5)) {
		s := scattered(seed, 20+int(seed*7%60))
		w, _, regions := readOuter(t, s)
		box := s.Bounds()
		size := box.Max.Sub(box.Min)
		r := rand.New(rand.NewPCG(seed, 5))
		in := 0
		for range places {
			at := box.Min.Add(geom.Vec{X: r.Float64() * size.X, Y: r.Float64() * size.Y, Z: r.Float64() * size.Z})
			for k := range s.Solids {
				if inside(&s.Solids[k], at) > 0 {
					in++
					break
				}
			}
		}
		all := size.X * size.Y * size.Z
		p := float64(in) / places
		got, want := volume(regions, local(w.frame, box.Min)), p*all
		if off := 5 * all * math.Sqrt(p*(1-p)/places); math.Abs(got-want) > off {
			t.Errorf("scene %d: volume %.3f, by places %.3f, within %.3f", seed, got, want, off)
		}
	}
}

// Places on the faces of solids are on the surface once where they are in no other solid, and not where they are.
func TestNoFaceIsLost(t *testing.T) {
	race.Skip(t)
	const near = 4 * lattice.Unit // more than rounding planes moves
	for seed := range uint64(scenes(t, 5)) {
		s := scattered(seed, 20+int(seed*7%60))
		w, _, regions := readOuter(t, s)
		boxes := make([]solid.Box, len(regions))
		for i := range regions {
			boxes[i] = regions[i].Box()
		}
		tree := boxtree.New(boxes, nil)
		r := rand.New(rand.NewPCG(seed, 6))
		free, covered := 0, 0
		for range 4000 {
			tri := s.Triangles[r.IntN(len(s.Triangles))]
			a, b := r.Float64(), r.Float64()
			if a+b > 1 {
				a, b = 1-a, 1-b
			}
			o, u, v := s.Vertices[tri.A], s.Vertices[tri.B], s.Vertices[tri.C]
			at := o.Add(u.Sub(o).Scale(a)).Add(v.Sub(o).Scale(b))
			n := u.Sub(o).Cross(v.Sub(o)).Unit()
			deepest, close := math.Inf(-1), 0
			for k := range s.Solids {
				d := inside(&s.Solids[k], at)
				if math.Abs(d) <= near {
					close++
				}
				deepest = max(deepest, d)
			}
			p := local(w.frame, at)
			found := tree.IDs(&solid.Box{
				Low: [3]float64{p[0] - 8, p[1] - 8, p[2] - 8}, High: [3]float64{p[0] + 8, p[1] + 8, p[2] + 8},
			}, nil)
			x, y := geom.Ground(n)
			on, surely := 0, 0
			for _, i := range found {
				yes, sure := onRegion(w, &regions[i], p, [3]float64{x, y, n.Y})
				if yes {
					on++
				}
				if yes && sure {
					surely++
				}
			}
			switch {
			case deepest > 5*near:
				covered++
				if surely != 0 {
					t.Fatalf("scene %d: %v is %.4f m deep in a solid and on the surface", seed, at, deepest)
				}
			case deepest <= near && close == 1:
				free++
				// Near the border of a region it may be on two.
				if on == 0 {
					t.Fatalf("scene %d: %v, free, is not on the surface", seed, at)
				}
			}
		}
		if free < 1000 || covered < 100 {
			t.Errorf("scene %d: only %d places free and %d covered", seed, free, covered)
		}
	}
}

// onRegion reports whether a place is on a region with direction n, up to four units. Where the region ends at a plane
// nearly parallel to it, nobody can be sure: there rounding moves the border far.
func onRegion(w *world, r *region, at, n [3]float64) (yes, sure bool) {
	plane := w.space.Plane(r.Plane)
	if math.Abs(above(plane, at)) > 4 || dot(n, [3]float64{float64(plane.N[0]), float64(plane.N[1]), float64(plane.N[2])}) < 0.99*solid.NormalScale {
		return false, true
	}
	sure = true
	for _, e := range r.Edges {
		p := w.space.Plane(e)
		// How far beyond the edge along the region, which the plane of the edge may meet at any angle.
		m := [3]float64{float64(p.N[0]), float64(p.N[1]), float64(p.N[2])}
		q := [3]float64{float64(plane.N[0]), float64(plane.N[1]), float64(plane.N[2])}
		along := cross(m, q)
		sin := math.Sqrt(dot(along, along)) / solid.NormalScale / solid.NormalScale
		if sin < 0.01 {
			sure = false
		} else if above(p, at) > 8*sin {
			return false, true
		}
	}
	return true, sure
}
