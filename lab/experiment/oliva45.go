package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// The tower of figure 45 in boxes: ground, a storey with stairs, and an upper-most storey without.
const (
	oliva45Side = 20.0
	oliva45Roof = 12.0 // the side of the storey that nobody reaches
	oliva45Keep = 5.76 // m²: Recast's default keeps all parts of 64 cells of 0.3 m
)

// storeys is the level.
func storeys() *level.Level {
	h := &hitVolumes{level.Level{Name: "storeys"}}
	h.box(0, 0, -0.25, oliva45Side, oliva45Side, 0, 0)
	h.box(8, 4, 2.75, oliva45Side, 16, 3, 0)
	const steps, tread = 15, 0.4
	for k := range steps {
		x := 8 - tread*float64(steps-k)
		h.box(x, 8, 0, x+tread, 12, 3.0/steps*float64(k+1), 0)
	}
	for _, at := range [][2]float64{{10, 6}, {14, 12}, {17, 8}} {
		h.box(at[0], at[1], 3, at[0]+1, at[1]+1, 4.5, 0)
	}
	low := (oliva45Side - oliva45Roof) / 2
	h.box(low, low, 5.75, low+oliva45Roof, low+oliva45Roof, 6, 0)
	return &h.Level
}

// oliva45 is the storey that nobody reaches.
func oliva45(ctx context.Context, opt Options) (Report, error) {
	if err := noWorlds(opt); err != nil {
		return Report{}, err
	}
	lvl := storeys()
	ground := geom.FromGround(1, 1, 0)
	r := Report{Trials: fmt.Sprintf("ground, a storey with stairs and a storey of %g × %g m without, all of boxes; the kept part is the part of the ground; cells of %g m", oliva45Roof, oliva45Roof, olivaCell)}
	figures := published{"anavmg": 0, "recast": 1}
	row := func(method, name string, ours float64, from string) Row {
		l := line{paper: figures}
		row := constructed(method, name, ours)
		if name == "unreachable_storeys" {
			row.Published = l.figure(from)
		}
		return row
	}
	var storeysRows, areas, cells []Row
	absent, kept := true, 0.0
	var panels []*navmesh.Mesh
	for _, x := range []struct {
		name string
		by   floorplan.Extractor
		floorplan.Options
	}{
		{"raster", raster.Extractor{CellSize: olivaCell}, floorplan.Options{Keep: []geom.Vec{ground}}},
		{"exact", exact.Extractor{}, floorplan.Options{Keep: []geom.Vec{ground}}},
		{"exact_by_area", exact.Extractor{}, floorplan.Options{KeepArea: oliva45Keep}},
	} {
		x.Jobs = opt.Jobs
		p, err := x.by.Extract(ctx, lvl, olivaAgent, x.Options)
		if err != nil {
			return Report{}, err
		}
		mesh, err := meshOfPlan(ctx, p)
		if err != nil {
			return Report{}, err
		}
		out, area, unreachable := beyond(mesh)
		from := "anavmg"
		if x.KeepArea > 0 {
			from = ""
			kept = area
			panels = append(panels, mesh)
		} else {
			absent = absent && out == 0 && len(p.Dropped) > 0
			if x.name == "exact" {
				panels = append(panels, mesh)
			}
		}
		storeysRows = append(storeysRows, row(x.name, "unreachable_storeys", float64(out), from))
		areas = append(areas, constructed(x.name, "unreachable_m2", area))
		cells = append(cells, constructed(x.name, "unreachable_cells", float64(unreachable)))
	}
	r.claim("the storey is absent where the part of a place is kept", absent)
	r.claim("a rule by area keeps the storey", kept > oliva45Keep)
	if opt.Recast != nil {
		rival, err := opt.Recast(ctx, lvl, olivaAgent, olivaCell)
		if err != nil {
			return Report{}, err
		}
		area := rival.Area - rival.LargestArea
		out := 0.0
		if area > oliva45Keep {
			out = 1
		}
		storeysRows = append(storeysRows, row("recast", "unreachable_storeys", out, "recast"))
		areas = append(areas, constructed("recast", "unreachable_m2", area))
		cells = append(cells, constructed("recast", "unreachable_cells", float64(rival.Polygons-rival.Largest)))
		r.claim(fmt.Sprintf("Recast keeps the upper-most layer, which no character reaches (here %.0f m²)", area), out == 1)
	} else {
		r.Reasons = append(r.Reasons, Reason{"recast", waitsForRecast})
	}
	r.Rows = append(append(storeysRows, areas...), cells...)
	r.Drawing = drawing45(panels)
	return r, nil
}

// meshOfPlan decomposes and joins a plan.
func meshOfPlan(ctx context.Context, p *plan.Plan) (*navmesh.Mesh, error) {
	results, err := gen.DecomposePlan(ctx, anavmg.Generator{}, p, 0, 1)
	if err != nil {
		return nil, err
	}
	mesh, _, err := join.Build(ctx, p, gen.CellsOf(results), join.Options{Jobs: 1})
	return mesh, err
}

// beyond counts the components besides the largest that are larger than the smallest part, their area and their regions.
func beyond(m *navmesh.Mesh) (parts int, area float64, regions int) {
	areas, counts := make([]float64, m.Components), make([]int, m.Components)
	for i := range m.Tiles {
		for k := range m.Tiles[i].Regions {
			c := m.Tiles[i].Regions[k].Component
			areas[c] += m.Tiles[i].RegionArea(k)
			counts[c]++
		}
	}
	largest := 0
	for c := range areas {
		if areas[c] > areas[largest] {
			largest = c
		}
	}
	for c := range areas {
		if c != largest && areas[c] > oliva45Keep {
			parts++
			area += areas[c]
			regions += counts[c]
		}
	}
	return parts, area, regions
}

// drawing45 shows meshes side by side from the side; the part of the ground is green, others are red.
func drawing45(meshes []*navmesh.Mesh) *Drawing {
	d := &Drawing{View: draw.View{Width: 2400, Yaw: 0.5, Tilt: 0.95}}
	for i, m := range meshes {
		d.List.Labels = append(d.List.Labels, draw.Label{
			P: geom.FromGround(24*float64(i)+18, 13*float64(i)-9, 0), Text: [...]string{"the part of a place", "all parts above an area"}[i],
			Color: wallColor15, Size: 28, Align: draw.AlignMiddle, Bold: true,
		})
		for t := range m.Tiles {
			tile := &m.Tiles[t]
			for k := range tile.Regions {
				fill := draw.Color{R: 150, G: 200, B: 150, A: 255}
				if tile.Regions[k].Component != 0 {
					fill = draw.Color{R: 220, G: 110, B: 90, A: 255}
				}
				var ring []geom.Vec
				for _, v := range tile.RegionCorners(k) {
					at := tile.Vertices[v]
					p := m.Frame.FromLocal(float64(at.X), float64(at.Y), float64(at.Z))
					ring = append(ring, p.Add(geom.FromGround(24*float64(i), 13*float64(i), 0)))
				}
				for c := 2; c < len(ring); c++ {
					d.List.Triangles = append(d.List.Triangles, draw.Triangle{P: [3]geom.Vec{ring[0], ring[c-1], ring[c]}, Fill: fill})
				}
				d.List.Lines = append(d.List.Lines, draw.Line{P: append(ring, ring[0]), Color: wallColor15, Width: 1.5})
			}
		}
	}
	return d
}
