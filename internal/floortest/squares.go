package floortest

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Squares returns a plan with a level square for each layer: west, south, east, north and height in metres.
func Squares(frame lattice.Frame, squares ...[5]int32) *plan.Plan {
	const m = lattice.UnitsPerMetre
	p := &plan.Plan{Frame: frame, Agent: geom.Agent{Radius: 0.4, Height: 2, MaxClimb: 0.4}, Components: 1}
	for _, s := range squares {
		ring := lattice.Ring{{X: s[0] * m, Y: s[1] * m}, {X: s[2] * m, Y: s[1] * m}, {X: s[2] * m, Y: s[3] * m}, {X: s[0] * m, Y: s[3] * m}}
		l := plan.Layer{Floor: lattice.TIN{Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}}}}
		for i := range ring {
			ring[i].X -= int32(frame.East)
			ring[i].Y -= int32(frame.North)
			l.Floor.Vertices = append(l.Floor.Vertices, lattice.Vertex{Point: ring[i], Z: s[4]*m - int32(frame.Up)})
		}
		d := plan.Domain{Edges: [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}}}
		d.Rings = []lattice.Ring{ring}
		l.Domains = []plan.Domain{d}
		p.Layers = append(p.Layers, l)
	}
	return p
}
