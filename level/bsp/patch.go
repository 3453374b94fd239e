package bsp

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// maxGrid bounds the columns and rows of a patch; compilers stop at 31.
const maxGrid = 1023

// face makes triangles of one face of a model, if its surface is selected.
func (d *decoder) face(i int, origin geom.Vec) error {
	f := d.faces[i]
	switch f.kind {
	case facePatch:
		if d.opt.Surfaces == Drawn || d.stops(d.textures[f.texture].contents) {
			return d.patch(f, origin)
		}
	case facePolygon, faceMesh:
		if d.opt.Surfaces == Drawn {
			d.drawn(f, origin)
		}
	}
	return nil
}

// drawn makes the triangles of a face stored as triangles. The file has them clockwise.
func (d *decoder) drawn(f face, origin geom.Vec) {
	vertices := d.vertices[f.firstVertex : f.firstVertex+f.vertices]
	corner := func(i int) uint32 { return d.vertex(vertices[d.indices[i]].position.Add(origin)) }
	for i := f.firstIndex; i+2 < f.firstIndex+f.indices; i += 3 {
		d.triangle(corner(i), corner(i+2), corner(i+1), d.material(f.texture))
	}
}

// patch makes triangles of a grid of quadratic Bézier pieces, three by three control points each,
// that share their borders.
//
// All pieces of a column have the same number of steps along the column, and likewise for rows: no gap opens
// between pieces. The control points give the numbers, and every triangle is within the tolerance of the
// surface (TestPatchTolerance).
func (d *decoder) patch(f face, origin geom.Vec) error {
	g := grids{d.vertices[f.firstVertex : f.firstVertex+f.vertices], f.width, f.height}
	columns, rows := g.steps(d.opt.PatchTolerance)
	us, vs := parameters(columns), parameters(rows)
	if d.patched += 2 * (len(us) - 1) * (len(vs) - 1); d.limits.CheckTriangles(d.patched) != nil {
		return fmt.Errorf("curved patches of %w at a tolerance of %g", d.limits.CheckTriangles(d.patched), d.opt.PatchTolerance)
	}
	ids := make([]uint32, 0, len(us)*len(vs))
	for _, v := range vs {
		for _, u := range us {
			ids = append(ids, d.vertex(g.at(u, v).Add(origin)))
		}
	}
	turned := g.turned()
	material := d.material(f.texture)
	for r := range len(vs) - 1 {
		for c := range len(us) - 1 {
			k := r*len(us) + c
			a, b, e, f := ids[k], ids[k+1], ids[k+len(us)], ids[k+len(us)+1]
			if turned {
				b, e = e, b
			}
			d.triangle(a, b, f, material)
			d.triangle(a, f, e, material)
		}
	}
	return nil
}

// grids is the control points of a patch, row by row.
type grids struct {
	points        []vertex
	width, height int
}

func (g grids) point(c, r int) geom.Vec { return g.points[r*g.width+c].position }

// parameter is a place along a row or column: a piece, and a position in the piece from 0 to 1.
type parameter struct {
	piece int
	t     float64
}

// parameters lists all places where a row or column is stepped on, with those between two pieces
// once.
func parameters(steps []int) []parameter {
	out := []parameter{{0, 0}}
	for i, n := range steps {
		for k := range n {
			out = append(out, parameter{i, float64(k+1) / float64(n)})
		}
	}
	return out
}

// basis returns the weights of the three control points at t.
func basis(t float64) [3]float64 {
	s := 1 - t
	return [3]float64{float64(s * s), 2 * s * t, float64(t * t)}
}

// at returns the point of the surface at u along the rows and v along the columns.
func (g grids) at(u, v parameter) geom.Vec {
	var sum geom.Vec
	wu, wv := basis(u.t), basis(v.t)
	for r, y := range wv {
		for c, x := range wu {
			w := float64(x * y)
			p := g.point(2*u.piece+c, 2*v.piece+r)
			sum.X += float64(w * p.X)
			sum.Y += float64(w * p.Y)
			sum.Z += float64(w * p.Z)
		}
	}
	return sum
}

// maxSteps bounds the steps of one piece in one direction: enough for a quarter of a circle of 2048
// units at a tenth of a unit.
const maxSteps = 64

// steps returns how often each piece is divided along the rows and along the columns.
//
// A piece has the second derivatives 2(p0-2p1+p2) along a row and at most 4 times the largest twist
// p00-p10-p01+p11 across. Bilinear cells of n by m steps are farther from it by at most 1/8 of each of the
// former over n² and m²; their two triangles by at most 1/4 of the latter over nm. The non-zero ones of the
// three share the tolerance, less a little for the others.
func (g grids) steps(tolerance float64) (columns, rows []int) {
	columns, rows = make([]int, g.width/2), make([]int, g.height/2)
	bendU, bendV := make([]float64, len(columns)), make([]float64, len(rows))
	var mostU, mostV, mostTwist float64
	for i := range columns {
		for r := range g.height {
			bendU[i] = max(bendU[i], secondDifference(g.point(2*i, r), g.point(2*i+1, r), g.point(2*i+2, r)))
		}
		mostU = max(mostU, bendU[i])
	}
	for i := range rows {
		for c := range g.width {
			bendV[i] = max(bendV[i], secondDifference(g.point(c, 2*i), g.point(c, 2*i+1), g.point(c, 2*i+2)))
		}
		mostV = max(mostV, bendV[i])
		for c := range columns {
			mostTwist = max(mostTwist, g.twist(c, i))
		}
	}
	little, terms := tolerance/100, 0
	for _, e := range [3]float64{mostU / 4, mostV / 4, mostTwist} {
		if e > little {
			terms++
		}
	}
	share := (tolerance - 3*little) / float64(max(1, terms))
	for i, b := range bendU {
		columns[i] = clampSteps(math.Sqrt(b / 4 / share))
	}
	for i, b := range bendV {
		rows[i] = clampSteps(math.Sqrt(b / 4 / share))
	}
	for c := range columns {
		for r := range rows {
			cells := g.twist(c, r) / share
			if have := float64(columns[c] * rows[r]); cells > have {
				// Both by the same factor.
				more := math.Sqrt(cells / have)
				columns[c], rows[r] = clampSteps(float64(columns[c])*more), clampSteps(float64(rows[r])*more)
			}
		}
	}
	return columns, rows
}

// clampSteps rounds up into the range of steps.
func clampSteps(n float64) int { return int(math.Ceil(max(1, min(maxSteps, n)))) }

func secondDifference(a, b, c geom.Vec) float64 { return a.Sub(b).Sub(b.Sub(c)).Norm() }

// twist returns the largest twist of the four control cells of a piece.
func (g grids) twist(column, row int) float64 {
	largest := 0.0
	for r := 2 * row; r < 2*row+2; r++ {
		for c := 2 * column; c < 2*column+2; c++ {
			t := g.point(c, r).Sub(g.point(c+1, r)).Sub(g.point(c, r+1).Sub(g.point(c+1, r+1)))
			largest = max(largest, t.Norm())
		}
	}
	return largest
}

// turned reports whether the triangles of a row-by-row grid have to be turned over to face the way
// that the stored normals point. Without normals the format's rule counts: the front is where the step
// along a row times that along a column points.
func (g grids) turned() bool {
	agree := 0.0
	for r := range g.height - 1 {
		for c := range g.width - 1 {
			across := g.point(c+1, r).Sub(g.point(c, r)).Cross(g.point(c, r+1).Sub(g.point(c, r)))
			agree += float64(across.Dot(g.points[r*g.width+c].normal))
		}
	}
	return agree < 0
}
