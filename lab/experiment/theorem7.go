package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
)

// constructed is the row of a construction, which has a single world.
func constructed(method, name string, ours float64) Row {
	nan := metric.Number(math.NaN())
	return Row{Method: method, Metric: name, Published: nan, Ours: metric.Number(ours), SD: nan}
}

// atPoint counts the regions of a mesh that a point is on the border of, or inside.
func atPoint(m *navmesh.Mesh, p lattice.Point) int {
	count := 0
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			corners := t.RegionCorners(r)
			outside := false
			for k, c := range corners {
				next := corners[(k+1)%len(corners)]
				outside = outside || lattice.Orient(t.Vertices[c].Point, t.Vertices[next].Point, p) < 0
			}
			if !outside {
				count++
			}
		}
	}
	return count
}

// mostAtPoint returns the largest number of regions that meet at a point. A vertex attains it.
func mostAtPoint(m *navmesh.Mesh) int {
	most := 0
	for i := range m.Tiles {
		for _, v := range m.Tiles[i].Vertices {
			most = max(most, atPoint(m, v.Point))
		}
	}
	return most
}

// mostWavefront is the bound that the sources give for Wavefront's regions at a point.
const mostWavefront = 5

// reach is the size of the constructions in lattice units.
const reach = 1 << 22

// fanWorld is the environment of H figure 7.5 after its edge was divided into n: a sector around the point a at the
// origin, whose n+1 other corners are on a circle around a. A circle through a and two neighbours on it has no
// other corner inside, so the only Delaunay triangulation is the fan from a.
func fanWorld(n int) World {
	ring := lattice.Ring{{}}
	for i := range n + 1 {
		// t is the tangent of half the angle, from 0 to 90 degrees.
		t := float64(i) / float64(n)
		d := 1 + float64(t*t)
		ring = append(ring, lattice.Point{
			X: int32(math.Floor(reach*(1-float64(t*t))/d + 0.5)),
			Y: int32(math.Floor(reach*2*t/d + 0.5)),
		})
	}
	return World{Name: fmt.Sprintf("a fan of %d", n), Domain: domainOf([]lattice.Ring{ring})}
}

// theorem71 builds fans of growing order: n triangles of Delaunay's meet at the point a.
func theorem71(ctx context.Context, opt Options) (Report, error) {
	r := Report{Trials: "sectors whose arc has 8, 16, 32, 64 and 128 edges; the theorem's bound is the number of edges"}
	all := true
	err := construct(ctx, opt, []int{8, 16, 32, 64, 128}, fanWorld, []string{delaunay, wavefront}, &r, func(method string, n int, m *navmesh.Mesh) Row {
		row := constructed(method, fmt.Sprintf("regions_at_the_point_of_%d", n), float64(atPoint(m, lattice.Point{})))
		if method == delaunay {
			row.Published = metric.Number(n)
			all = all && row.Ours == row.Published
		}
		return row
	})
	r.claim("as many of Delaunay's triangles meet at the point as the arc has edges", all)
	return r, err
}

// circleWorld is the environment of H figure 7.6: a square with a convex obstacle of p edges whose corners are on a
// circle around its middle.
func circleWorld(p int) World {
	hole := make(lattice.Ring, p)
	for i := range hole {
		// Corners in the directions of p even steps around a square: no trigonometry.
		s := 8 * float64(i) / float64(p)
		var x, y float64
		switch {
		case s < 2:
			x, y = 1, s-1
		case s < 4:
			x, y = 3-s, 1
		case s < 6:
			x, y = -1, 5-s
		default:
			x, y = s-7, -1
		}
		norm := math.Sqrt(float64(x*x) + float64(y*y))
		hole[p-1-i] = lattice.Point{X: int32(math.Floor(reach*x/norm + 0.5)), Y: int32(math.Floor(reach*y/norm + 0.5))}
	}
	const w = 3 * reach / 2
	return World{
		Name:   fmt.Sprintf("an obstacle of %d edges", p),
		Domain: domainOf([]lattice.Ring{{{X: -w, Y: -w}, {X: w, Y: -w}, {X: w, Y: w}, {X: -w, Y: w}}, hole}),
	}
}

// theorem72 builds obstacles of p = 4n+1 edges: each has its own region, anchored at one of the square's four
// corners, so one of these has n+1 or more.
func theorem72(ctx context.Context, opt Options) (Report, error) {
	r := Report{Trials: "a square with a convex obstacle of 5, 9, 17, 33, 65 and 129 edges; the theorem's bound is ⌈p/4⌉ + 1 regions at a corner"}
	all := true
	err := construct(ctx, opt, []int{5, 9, 17, 33, 65, 129}, circleWorld, []string{hm, wavefront}, &r, func(method string, p int, m *navmesh.Mesh) Row {
		most := 0
		for _, c := range circleWorld(p).Domain.Rings[0] {
			most = max(most, atPoint(m, c))
		}
		row := constructed(method, fmt.Sprintf("regions_at_a_corner_of_%d", p), float64(most))
		if method == hm {
			row.Published = metric.Number((p+3)/4 + 1)
			all = all && most >= (p+3)/4
		}
		return row
	})
	r.claim("⌈p/4⌉ or more of Hertel-Mehlhorn's regions meet at a corner", all)
	return r, err
}

// construct runs methods on a family of worlds and puts two rows for each into the report.
func construct(ctx context.Context, opt Options, sizes []int, world func(int) World, source []string, r *Report, row func(method string, n int, m *navmesh.Mesh) Row) error {
	list, err := methods(source, opt)
	if err != nil {
		return err
	}
	meshes := make([]*navmesh.Mesh, len(sizes)*len(list))
	err = par.For(ctx, opt.Jobs, len(meshes), func(i int) error {
		t, err := runTrial(ctx, list[i%len(list)], world(sizes[i/len(list)]), 1, metric.Options{})
		meshes[i] = t.mesh
		return err
	})
	if err != nil {
		return err
	}
	bounded := true
	for i, m := range meshes {
		method := list[i%len(list)].Name()
		most := constructed(method, fmt.Sprintf("most_at_a_point_of_%d", sizes[i/len(list)]), float64(mostAtPoint(m)))
		if method == wavefront {
			most.Published = mostWavefront
			bounded = bounded && most.Ours <= mostWavefront
		}
		r.Rows = append(r.Rows, row(method, sizes[i/len(list)], m), most)
	}
	r.claim("at most five of Wavefront's regions meet at a point", bounded)
	return nil
}
