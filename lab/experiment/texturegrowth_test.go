package experiment

import (
	"context"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

// twoTextures is a square of 1,024 units with a chain from a place on its lower side to one on its upper side. The part
// to the west has area 1, the part to the east area 2.
func twoTextures(kind plan.ChainKind, lower, upper int32) *plan.Plan {
	const side = 1024
	a, b := lattice.Point{X: lower}, lattice.Point{X: upper, Y: side}
	domain := func(area uint8, ring lattice.Ring) plan.Domain {
		d := plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Area: area, Edges: [][]plan.ChainID{nil}}
		for i, p := range ring {
			edge := plan.Wall
			if q := ring[(i+1)%len(ring)]; p == a && q == b || p == b && q == a {
				edge = 0
			}
			d.Edges[0] = append(d.Edges[0], edge)
		}
		return d
	}
	return &plan.Plan{
		Agent: geom.Agent{Radius: geom.PointRadius, MaxGap: geom.LeastGap}.WithDefaults(),
		Layers: []plan.Layer{{Domains: []plan.Domain{
			domain(1, lattice.Ring{{}, a, b, {Y: side}}),
			domain(2, lattice.Ring{a, {X: side}, {X: side, Y: side}, b}),
		}}},
		Chains: []plan.Chain{{
			Kind: kind, Points: []lattice.Point{a, b},
			Left: plan.DomainID{Layer: 0, Domain: 0}, Right: plan.DomainID{Layer: 0, Domain: 1},
		}},
		Components: 1,
	}
}

// TestTextureGrowth has a border between textures that is slanted, then parallel to an axis; a border of another kind
// is followed, as a wall is.
func TestTextureGrowth(t *testing.T) {
	race.Skip(t) // a test of results
	for _, c := range []struct {
		name         string
		kind         plan.ChainKind
		lower, upper int32
		least, most  float64 // share of the floor
		cells        int     // at most
		slanted      bool
	}{
		{"slanted", plan.Terrain, 300, 700, 0.98, 0.995, 120, false},
		{"parallel, on the grid of steps", plan.Terrain, 512, 512, 1, 1, 2, false},
		{"parallel, beside the grid of steps", plan.Terrain, 509, 509, 0.99, 0.995, 2, false},
		{"a seam", plan.Seam, 300, 700, 0.9, 0.95, 30, true},
	} {
		p := twoTextures(c.kind, c.lower, c.upper)
		g, err := NewTextureGrowth(p, 128, 64, 8)
		if err != nil {
			t.Fatal(err)
		}
		floor, covered, slanted, cells := 0.0, 0.0, false, 0
		for d := range p.Layers[0].Domains {
			domain := &p.Layers[0].Domains[d]
			res, err := g.Decompose(t.Context(), gen.Input{Domain: domain})
			if err != nil {
				t.Fatal(err)
			}
			floor += float64(domain.Area2())
			cells += len(res.Cells)
			covered += float64(domain.Area2() - res.Report.Lost)
			for _, cell := range res.Cells {
				for i, k := range cell.Corners {
					next := cell.Corners[(i+1)%len(cell.Corners)]
					slanted = slanted || k.X != next.X && k.Y != next.Y
					if domain.Rings[0].Locate(k.Point) == lattice.Outside && k.On == plan.NoEdge {
						t.Errorf("%s: a corner at %v, on the other texture", c.name, k.Point)
					}
				}
			}
		}
		if share := covered / floor; share < c.least || share > c.most || slanted != c.slanted || cells > c.cells {
			t.Errorf("%s: %.4f of the floor covered, %d cells, slanted sides: %v", c.name, share, cells, slanted)
		}
	}
}

// TestTextureSeedsAreShared has one grid for all textures: the part without a seed stays empty.
func TestTextureSeedsAreShared(t *testing.T) {
	race.Skip(t)                             // a test of results
	p := twoTextures(plan.Terrain, 800, 800) // the grid has seeds at 150, 450 and 750
	g, err := NewTextureGrowth(p, 300, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for d, grown := range []bool{true, false} {
		res, err := g.Decompose(t.Context(), gen.Input{Domain: &p.Layers[0].Domains[d]})
		if err != nil || len(res.Cells) > 0 != grown {
			t.Errorf("texture %d: %d regions, %v", d+1, len(res.Cells), err)
		}
	}
}

// TestTextureGrowthRefuses lists invalid numbers, and a stopped context.
func TestTextureGrowthRefuses(t *testing.T) {
	race.Skip(t) // a test of results
	p := twoTextures(plan.Terrain, 300, 700)
	for _, c := range [][3]int64{{0, 8, 8}, {8, 0, 8}, {8, 8, 0}, {8, 4, 8}, {8, 24, 8}, {8, 12, 8}} {
		if _, err := NewTextureGrowth(p, c[0], c[1], c[2]); err == nil || !strings.Contains(err.Error(), "growth by texture") {
			t.Errorf("%v: %v", c, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	g, err := NewTextureGrowth(p, 128, 64, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Decompose(ctx, gen.Input{Domain: &p.Layers[0].Domains[0]}); err != context.Canceled {
		t.Errorf("a stopped context: %v", err)
	}
}
