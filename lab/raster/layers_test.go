package raster

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestTouchingLayersClash: of two layers that touch, some patch of the one cannot share a layer with a patch of the other. So merging
// layers that fit into one, as the thesis does, would find none.
func TestTouchingLayersClash(t *testing.T) {
	race.Skip(t)
	touching := 0
	for _, kind := range []string{"arch", "bridge", "spiral", "stairs", "carpark", "catwalks", "random"} {
		for seed := range uint64(3) {
			lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			ps, layers, _, err := Extractor{CellSize: 0.15}.layers(t.Context(), lvl, geom.Agent{}.WithDefaults(), &floorplan.Options{KeepAll: true})
			if err != nil {
				t.Fatal(err)
			}
			type pair struct{ a, b int32 }
			touch, clash := map[pair]bool{}, map[pair]bool{}
			seen := make([]bool, layers)
			for i := range ps.list {
				a := ps.list[i].layer
				if a < 0 || int(a) >= layers {
					t.Fatalf("%s %d: patch %d is in layer %d of %d", kind, seed, i, a, layers)
				}
				seen[a] = true
				ps.contacts(int32(i), func(j int32, _ int) { touch[pair{a, ps.list[j].layer}] = true })
				ps.clashes(int32(i), func(j int32) { clash[pair{a, ps.list[j].layer}] = true })
			}
			for p := range touch {
				if p.a == p.b {
					continue
				}
				touching++
				if !clash[p] && !clash[pair{p.b, p.a}] {
					t.Errorf("%s %d: layers %d and %d touch and would fit into one", kind, seed, p.a, p.b)
				}
			}
			for l, ok := range seen {
				if !ok || clash[pair{int32(l), int32(l)}] {
					t.Errorf("%s %d: layer %d has patches: %v; it clashes with itself: %v", kind, seed, l, ok, ok)
				}
			}
		}
	}
	if touching < 20 {
		t.Errorf("only %d pairs of layers touch", touching)
	}
}

// TestNothingAboveHides: what the cutting shape of the thesis cuts off changes no layer. A roof over everything, a character's height and
// more above the floors, leaves the plan as it is, to the last point.
func TestNothingAboveHides(t *testing.T) {
	race.Skip(t)
	agent := geom.Agent{}.WithDefaults()
	for _, kind := range []string{"bridge", "spiral", "arch"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		bare, err := Extractor{CellSize: 0.15}.Extract(t.Context(), lvl, agent, floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		box := geom.Box{Min: lvl.Vertices[0], Max: lvl.Vertices[0]}
		for _, v := range lvl.Vertices {
			box.Min = geom.Vec{X: math.Min(box.Min.X, v.X), Y: math.Min(box.Min.Y, v.Y), Z: math.Min(box.Min.Z, v.Z)}
			box.Max = geom.Vec{X: math.Max(box.Max.X, v.X), Y: math.Max(box.Max.Y, v.Y), Z: math.Max(box.Max.Z, v.Z)}
		}
		top := box.Max.Y + agent.Height + 0.5
		first := uint32(len(lvl.Vertices))
		lvl.Vertices = append(lvl.Vertices,
			geom.Vec{X: box.Min.X, Y: top, Z: box.Min.Z}, geom.Vec{X: box.Max.X, Y: top, Z: box.Min.Z},
			geom.Vec{X: box.Max.X, Y: top, Z: box.Max.Z}, geom.Vec{X: box.Min.X, Y: top, Z: box.Max.Z})
		lvl.Triangles = append(lvl.Triangles,
			level.Triangle{A: first, B: first + 1, C: first + 2, Material: level.NoMaterial}, level.Triangle{A: first, B: first + 2, C: first + 3, Material: level.NoMaterial})
		roofed, err := Extractor{CellSize: 0.15}.Extract(t.Context(), lvl, agent, floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(roofed.Layers) != len(bare.Layers) {
			t.Errorf("%s: %d layers with a roof, %d without", kind, len(roofed.Layers), len(bare.Layers))
			continue
		}
		for l := range bare.Layers {
			a, b := bare.Layers[l].Domains, roofed.Layers[l].Domains
			if len(a) != len(b) {
				t.Errorf("%s, layer %d: %d domains with a roof, %d without", kind, l, len(b), len(a))
				continue
			}
			for d := range a {
				if x, y := ringsOf(a[d].Polygon), ringsOf(b[d].Polygon); x != y {
					t.Errorf("%s, layer %d, domain %d: %v m² with a roof, %v without", kind, l, d, y, x)
				}
			}
		}
	}
}

// ringsOf tells polygons apart: the number of points and the area.
func ringsOf(p lattice.Polygon) (out struct {
	points int
	area2  int64
},
) {
	for _, r := range p.Rings {
		out.points += len(r)
	}
	out.area2 = p.Area2()
	return out
}
