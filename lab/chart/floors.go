package chart

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Floors shows floors side by side as they are seen from straight above, all at one scale and over the same
// place: storeys lie over each other, and borders of the lower ones shine through.
type Floors struct {
	Title, Subtitle string
	// Footnote stands at the bottom, beside the scale bar.
	Footnote string
	Panels   []FloorPanel
	// Width of the page in pixels; 0 is 2400.
	Width int
}

// FloorPanel is one floor with its name, a line or two about it, and its marks.
type FloorPanel struct {
	Title string
	Notes []string
	Plan  *plan.Plan
	// Pale draws the floor itself in grey, so the marks stand out.
	Pale  bool
	Marks []Mark
}

// Mark is a part of the ground in a colour of its own, in coordinates of the panel's plan.
type Mark struct {
	Color    draw.Color
	Polygons []lattice.Polygon
}

// Page draws the sheet. It fails without panels, for a panel without a plan, and where no plan has a floor.
func (s Floors) Page() (*Page, error) {
	ground := geom.EmptyBox()
	var lines []string
	notes := 0
	for i, p := range s.Panels {
		if p.Plan == nil {
			return nil, fmt.Errorf("chart: panel %d, %q, has no plan", i, p.Title)
		}
		ground = withGround(ground, p.Plan)
		for _, m := range p.Marks { // a mark may lie beside the floor
			ground = withGround(ground, p.layerOf(m))
		}
		notes = max(notes, len(p.Notes))
		lines = append(lines, p.Notes...)
	}
	if ground.IsEmpty() {
		return nil, fmt.Errorf("chart: none of %d plans has a floor", len(s.Panels))
	}
	if s.Width == 0 {
		s.Width = sheetWidth
	}
	x0, y0 := geom.Ground(ground.Min)
	x1, y1 := geom.Ground(ground.Max)
	west, north := min(x0, x1), max(y0, y1)
	width, height := math.Abs(x1-x0), math.Abs(y1-y0)

	heading := float64(panelTitle + notes*noteHeight + 14)
	layout := Sheet{Width: s.Width, Panels: make([]Panel, len(s.Panels))}
	columns := layout.columns(width, height, heading)
	rows := (len(s.Panels) + columns - 1) / columns
	panel := (float64(s.Width) - 2*sheetRim - float64((columns-1)*sheetGap)) / float64(columns)
	scale := panel / width
	pitch := heading + float64(height*scale) + sheetGap
	top := float64(sheetRim + sheetTitle + 2*sheetRemark + 30)

	page := &Page{Width: s.Width, Height: int(math.Ceil(top + float64(rows)*pitch + sheetRim + 14))}
	page.Heading(sheetRim, s.Title, s.Subtitle)
	noteType := fitting(panelNotes, panel, lines...)
	for i, p := range s.Panels {
		x := sheetRim + float64(i%columns)*(panel+sheetGap)
		y := top + float64(i/columns)*pitch
		page.text(x, y+0.8*panelTitle, p.Title, draw.Label{Size: fitting(panelTitle, panel, p.Title), Bold: true, Color: ink})
		for k, note := range p.Notes {
			page.text(x, y+panelTitle+float64(k+1)*noteHeight-6, note, draw.Label{Size: noteType, Color: grey})
		}
		page.floor(p, place{scale: scale, x: west, y: north, px: x, py: y + heading})
	}
	page.scaleBar(scale, panel)
	page.text(float64(s.Width)-sheetRim, float64(page.Height)-sheetRim+10, s.Footnote, draw.Label{Size: panelNotes, Color: grey, Align: draw.AlignEnd})
	return page, nil
}

// floor draws the layers of a panel, the first ones lowest, their borders above them, and the marks above all.
func (p *Page) floor(panel FloorPanel, to place) {
	const marks, thin = 2, 0.5
	for l := range panel.Plan.Layers {
		domains := panel.Plan.Layers[l].Domains
		part := *panel.Plan
		part.Layers = make([]plan.Layer, l+1) // layers have colours by their number
		part.Layers[l] = plan.Layer{Domains: domains, Floor: plate(domains)}
		list := draw.Plan(&part, draw.PlanOptions{Opacity: 1})
		for i := range list.Triangles {
			if list.Triangles[i].Fill = lighter(list.Triangles[i].Fill); panel.Pale {
				list.Triangles[i].Fill = pale
			}
		}
		for i := range list.Lines {
			if panel.Pale {
				list.Lines[i].Color = grey
			}
		}
		ground := draw.List{Triangles: list.Triangles}
		list.Triangles = nil
		p.put(&ground, to, float64(l)/float64(len(panel.Plan.Layers)), thin)
		p.put(&list, to, 1, thin)
	}
	for _, m := range panel.Marks {
		part := panel.layerOf(m)
		part.Layers[0].Floor = plate(part.Layers[0].Domains)
		list := draw.Plan(part, draw.PlanOptions{Opacity: 1})
		for i := range list.Triangles {
			list.Triangles[i].Fill = m.Color
		}
		for i := range list.Lines {
			list.Lines[i].Color = m.Color // so that slivers are visible
		}
		p.put(&list, to, marks, thin)
	}
}

// layerOf returns a mark as a plan of one layer, without heights.
func (p *FloorPanel) layerOf(m Mark) *plan.Plan {
	part := &plan.Plan{Frame: p.Plan.Frame, Layers: make([]plan.Layer, 1)}
	for _, poly := range m.Polygons {
		part.Layers[0].Domains = append(part.Layers[0].Domains, plan.Domain{Polygon: poly})
	}
	return part
}

// withGround extends a box by a plan's domains, at height 0 of the world.
func withGround(ground geom.Box, p *plan.Plan) geom.Box {
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			b := p.Layers[l].Domains[d].Box()
			for _, q := range [2]lattice.Point{b.Min, b.Max} {
				x, y := geom.Ground(p.Frame.ToWorld(q, 0))
				ground = ground.Extend(geom.FromGround(x, y, 0))
			}
		}
	}
	return ground
}
