package bsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// patches makes grids of several shapes and sizes.
func patches(rng *rand.Rand) grids {
	g := grids{width: 3 + 2*rng.IntN(3), height: 3 + 2*rng.IntN(3)}
	rough := []float64{0, 1, 16, 64}[rng.IntN(4)]
	for r := range g.height {
		for c := range g.width {
			jitter := func() float64 { return rough * rng.NormFloat64() }
			p := geom.Vec{X: 64*float64(c) + jitter(), Y: -64*float64(r) + jitter(), Z: jitter()}
			g.points = append(g.points, vertex{position: p})
		}
	}
	return g
}

// TestPatchTolerance compares points of the triangles with the surface at the same parameters.
func TestPatchTolerance(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	worst := 0.0
	for range 300 {
		g := patches(rng)
		tolerance := []float64{0.5, 1, 4, 16}[rng.IntN(4)]
		columns, rows := g.steps(tolerance)
		us, vs := parameters(columns), parameters(rows)
		for range 200 {
			c, r := rng.IntN(len(us)-1), rng.IntN(len(vs)-1)
			// Both ends in the piece of the cell.
			u0, u1, v0, v1 := us[c], us[c+1], vs[r], vs[r+1]
			if u0.piece != u1.piece {
				u0 = parameter{u1.piece, 0}
			}
			if v0.piece != v1.piece {
				v0 = parameter{v1.piece, 0}
			}
			x, y := rng.Float64(), rng.Float64()
			a, b, e, f := g.at(u0, v0), g.at(u1, v0), g.at(u0, v1), g.at(u1, v1)
			onTriangle := a.Add(b.Sub(a).Scale(x)).Add(f.Sub(b).Scale(y))
			if y > x {
				onTriangle = a.Add(e.Sub(a).Scale(y)).Add(f.Sub(e).Scale(x))
			}
			mix := func(p, q, t float64) float64 { return p + t*(q-p) }
			surface := g.at(parameter{u1.piece, mix(u0.t, u1.t, x)}, parameter{v1.piece, mix(v0.t, v1.t, y)})
			d := surface.Distance(onTriangle) / tolerance
			if worst = max(worst, d); d > 1 {
				t.Fatalf("%g of a tolerance of %g, in %v and %v steps", d, tolerance, columns, rows)
			}
		}
	}
	if worst < 0.3 {
		t.Errorf("no point is farther than %g of the tolerance: far too many triangles", worst)
	}
}

// TestPatchSteps pins shapes with a known number of steps.
func TestPatchSteps(t *testing.T) {
	flat := grids{make([]vertex, 9), 3, 3}
	for i := range flat.points {
		flat.points[i].position = geom.Vec{X: float64(i % 3), Y: float64(i / 3)}
	}
	arc := grids{slices.Clone(flat.points), 3, 3}
	for i := range arc.points {
		arc.points[i].position = geom.Vec{X: 64 * float64(i%3), Y: 64 * float64(i/3), Z: 64 * float64(i%3%2)}
	}
	for _, c := range []struct {
		name          string
		g             grids
		columns, rows []int
	}{
		{"flat", flat, []int{1}, []int{1}},
		{"an arc along the rows", arc, []int{6}, []int{1}}, // sqrt(128 / 4 / 0.97)
	} {
		columns, rows := c.g.steps(1)
		if !slices.Equal(columns, c.columns) || !slices.Equal(rows, c.rows) {
			t.Errorf("%s: %v and %v steps, want %v and %v", c.name, columns, rows, c.columns, c.rows)
		}
	}
	if columns, _ := arc.steps(1e-12); columns[0] != maxSteps {
		t.Errorf("%v steps, at most %d", columns, maxSteps)
	}
}

// TestPatchFront checks that triangles face along the stored normals, whichever way rows and
// columns run, and that a patch meets its neighbour in the same vertices.
func TestPatchFront(t *testing.T) {
	for _, mirrored := range []bool{false, true} {
		b := &builder{entities: "{}"}
		stone := b.texture("stone", 0, contentsSolid)
		b.faces = append(b.faces, face{texture: stone, kind: facePatch, vertices: 15, width: 5, height: 3})
		for r := range 3 {
			for c := range 5 {
				p := geom.Vec{X: 32 * float64(c), Y: 32 * float64(r), Z: 32 * float64(c%2)}
				if mirrored {
					p.X = -p.X
				}
				b.vertices = append(b.vertices, vertex{p, geom.Vec{Z: 1}})
			}
		}
		b.finish(geom.Vec{}, geom.Vec{})
		lvl := read(t, b, Options{PatchTolerance: 1})
		box := lvl.Bounds()
		if z := box.Max.Z; math.Abs(z-16) > 1 {
			t.Errorf("the arcs are %g high", z)
		}
		ground := 0.0
		for _, f := range lvl.Triangles {
			a, b, c := lvl.Vertices[f.A], lvl.Vertices[f.B], lvl.Vertices[f.C]
			n := b.Sub(a).Cross(c.Sub(a))
			if n.Z <= 0 {
				t.Fatalf("a triangle faces along %v", n)
			}
			ground += n.Z / 2
		}
		if math.Abs(ground-128*64) > 1e-6 {
			t.Errorf("the triangles cover %g", ground)
		}
	}
}

func TestTooManyPatches(t *testing.T) {
	var d decoder
	if err := d.parse(room().encode()); err != nil {
		t.Fatal(err)
	}
	d.opt.PatchTolerance = 1
	d.patched, d.limits.Triangles = 99, 100
	const want = "curved patches of more than 100 triangles at a tolerance of 1"
	if err := d.face(0, geom.Vec{}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if len(d.weld) > 0 {
		t.Errorf("%d vertices were made before", len(d.weld))
	}
}
