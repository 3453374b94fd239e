package plan

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// sound is a plan of two squares beside each other, with a chain between them and a link from one to the other.
func sound() *Plan {
	square := func(x int32, seam int) Domain {
		d := Domain{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: x}, {X: x + 9}, {X: x + 9, Y: 9}, {X: x, Y: 9}}}},
			Edges:   [][]ChainID{{Wall, Wall, Wall, Wall}}, Heights: [][]int32{{0, 0, 0, 0}}, Marks: []int32{0},
		}
		d.Edges[0][seam] = 0
		return d
	}
	return &Plan{
		Layers: []Layer{{
			Domains: []Domain{square(0, 1), square(9, 3)},
			Floor:   lattice.TIN{Vertices: make([]lattice.Vertex, 3), Triangles: [][3]uint32{{0, 1, 2}}},
		}},
		Chains: []Chain{{Left: DomainID{0, 0}, Right: DomainID{0, 1}}},
		Marks:  make([]Mark, 1),
		Links:  []Link{{From: DomainID{0, 0}, To: DomainID{0, 1}, Mark: NoMark}},
	}
}

// TestCheck breaks a sound plan in every way.
func TestCheck(t *testing.T) {
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}
	if err := new(Plan).Check(); err != nil {
		t.Error("an empty plan has a fault:", err)
	}
	for want, spoil := range map[string]func(*Plan, *Domain){
		"no rings":                    func(_ *Plan, d *Domain) { d.Rings = nil },
		"edges of 0":                  func(_ *Plan, d *Domain) { d.Edges = nil },
		"heights of 2":                func(_ *Plan, d *Domain) { d.Heights = make([][]int32, 2) },
		"ring 0 has 2 points":         func(_ *Plan, d *Domain) { d.Rings[0] = d.Rings[0][:2] },
		"4 points and 3 edges":        func(_ *Plan, d *Domain) { d.Edges[0] = d.Edges[0][:3] },
		"4 points and 4 edges":        func(_ *Plan, d *Domain) { d.Heights[0] = nil },
		"point 2 at":                  func(_ *Plan, d *Domain) { d.Rings[0][2].Y = lattice.MaxCoord + 1 },
		"chain 1 of 1":                func(_ *Plan, d *Domain) { d.Edges[0][0] = 1 },
		"chain -2 of 1":               func(_ *Plan, d *Domain) { d.Edges[0][0] = -2 },
		"domain 1: mark 1 of 1":       func(_ *Plan, d *Domain) { d.Marks[0] = 1 },
		"domain 1: mark -1 of 1":      func(_ *Plan, d *Domain) { d.Marks[0] = -1 },
		"vertex 1 at":                 func(p *Plan, _ *Domain) { p.Layers[0].Floor.Vertices[1].Z = -lattice.MaxCoord - 1 },
		"triangle 0 has vertex 3 of":  func(p *Plan, _ *Domain) { p.Layers[0].Floor.Triangles[0][2] = 3 },
		"chain 0 lies between":        func(p *Plan, _ *Domain) { p.Chains[0].Right.Domain = 2 },
		"link 0 leads from":           func(p *Plan, _ *Domain) { p.Links[0].To.Layer = -1 },
		"link 0 has mark 1 of 1":      func(p *Plan, _ *Domain) { p.Links[0].Mark = 1 },
		"link 0 has mark -2 of 1":     func(p *Plan, _ *Domain) { p.Links[0].Mark = -2 },
		"chain 0 lies between the do": func(p *Plan, _ *Domain) { p.Chains[0].Left.Layer = 1 },
	} {
		p := sound()
		spoil(p, &p.Layers[0].Domains[1])
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
