package chart

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Sheet shows meshes of one floor side by side, all at one scale. Layers without overlap are drawn together;
// storeys above are drawn beside or over the lower ones.
type Sheet struct {
	Title, Subtitle string
	// Footnote stands at the bottom, beside the scale bar.
	Footnote string
	Plan     *plan.Plan
	Panels   []Panel
	// Width of the page in pixels; 0 is 2400.
	Width int
}

// Panel is one mesh on a sheet, with its name and a line or two about it.
type Panel struct {
	Title string
	Notes []string
	Mesh  *navmesh.Mesh
	// Over is drawn over all floors of the mesh, in world coordinates, and the mesh below is pale; nil is nothing.
	Over *draw.List
}

// The measures of a sheet in pixels.
const (
	sheetWidth  = 2400
	sheetRim    = 56
	sheetGap    = 44 // between two panels
	noteHeight  = 29
	panelTitle  = 28
	panelNotes  = 21
	sheetTitle  = 42
	sheetRemark = 25
)

// uncovered is the colour of floor that no region covers.
var uncovered = draw.Color{R: 236, G: 120, B: 112, A: 255}

// Page draws the sheet. It fails for a sheet without panels or without a floor.
func (s Sheet) Page() (*Page, error) {
	if s.Plan == nil || len(s.Panels) == 0 {
		return nil, fmt.Errorf("chart: a sheet of %d panels needs a plan and a panel", len(s.Panels))
	}
	floors := storeys(s.Plan)
	if len(floors) == 0 {
		return nil, fmt.Errorf("chart: the plan has no floor")
	}
	if s.Width == 0 {
		s.Width = sheetWidth
	}
	places := arrange(floors)
	width, height := places.width, places.height
	notes := 0
	var lines []string
	for _, p := range s.Panels {
		notes = max(notes, len(p.Notes))
		lines = append(lines, p.Notes...)
	}
	heading := float64(panelTitle + notes*noteHeight + 14)
	columns := s.columns(width, height, heading)
	rows := (len(s.Panels) + columns - 1) / columns
	panel := (float64(s.Width) - 2*sheetRim - float64((columns-1)*sheetGap)) / float64(columns)
	scale := panel / width
	pitch := heading + height*scale + sheetGap
	top := float64(sheetRim + sheetTitle + 2*sheetRemark + 30)

	page := &Page{Width: s.Width, Height: int(math.Ceil(top + float64(rows)*pitch + sheetRim + 14))}
	page.Heading(sheetRim, s.Title, s.Subtitle)
	noteType := fitting(panelNotes, panel, lines...)
	gaps := gapLists(s.Plan, floors)
	for i, p := range s.Panels {
		x := sheetRim + float64(i%columns)*(panel+sheetGap)
		y := top + float64(i/columns)*pitch
		page.text(x, y+0.8*panelTitle, p.Title, draw.Label{Size: fitting(panelTitle, panel, p.Title), Bold: true, Color: ink})
		for k, note := range p.Notes {
			page.text(x, y+panelTitle+float64(k+1)*noteHeight-6, note, draw.Label{Size: noteType, Color: grey})
		}
		for k := range floors {
			to := place{scale: scale, x: floors[k].west, y: floors[k].north, px: x + places.spots[k][0]*scale, py: y + heading + places.spots[k][1]*scale}
			if p.Mesh.Area() < area(s.Plan)*(1-1e-4) {
				page.put(&gaps[k], to, 1, 1)
			}
			mesh := meshOf(p.Mesh, floors[k].layers)
			if p.Over != nil {
				for i := range mesh.Triangles {
					mesh.Triangles[i].Fill = pale
				}
			}
			page.put(mesh, to, 2, lineWidth(p.Mesh, panel))
			if p.Over != nil {
				page.put(p.Over, to, 3, min(max(panel/700, 0.65), 1.5))
			}
		}
	}
	page.scaleBar(scale, panel)
	page.text(float64(s.Width)-sheetRim, float64(page.Height)-sheetRim+10, s.Footnote, draw.Label{Size: panelNotes, Color: grey, Align: draw.AlignEnd})
	return page, nil
}

// fitting returns the size of type, or one small enough for all lines to fit into a width: letters are about
// half as wide as high.
func fitting(size, width float64, lines ...string) float64 {
	const letter = 0.5
	for _, l := range lines {
		size = min(size, width/(letter*float64(max(utf8.RuneCountInString(l), 1))))
	}
	return size
}

// columns chooses how many panels stand in a row: it brings the page nearest to a width of 1.4 times its height.
func (s *Sheet) columns(width, height, heading float64) int {
	best, off := 1, math.Inf(1)
	for c := 1; c <= len(s.Panels); c++ {
		panel := (float64(s.Width)-2*sheetRim)/float64(c) - sheetGap
		if panel < 200 && c > 1 {
			break
		}
		rows := (len(s.Panels) + c - 1) / c
		tall := float64(rows) * (heading + panel*height/width + sheetGap)
		empty := float64(rows*c-len(s.Panels)) / float64(rows*c)
		if d := math.Abs(math.Log(float64(s.Width)/tall/1.4)) + 2*empty; d < off {
			best, off = c, d
		}
	}
	return best
}

// meshOf draws the regions of some layers flat, in colours light enough for print.
func meshOf(m *navmesh.Mesh, layers []int) *draw.List {
	flat := *m
	flat.Links = nil
	flat.Tiles = slices.Clone(m.Tiles)
	for i := range flat.Tiles {
		flat.Tiles[i].Layers = nil // without a floor to follow, regions are as their corners lie
	}
	list := draw.Mesh(&flat, draw.MeshOptions{Opacity: 1, Layers: layers, Seams: true})
	for i := range list.Triangles {
		list.Triangles[i].Fill = lighter(list.Triangles[i].Fill)
	}
	return &list
}

func lighter(c draw.Color) draw.Color {
	mix := func(v uint8) uint8 { return uint8((7*int(v) + 3*255) / 10) }
	return draw.Color{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 255}
}

// lineWidth is finer for meshes of many regions and on narrow panels, to keep the mesh visible.
func lineWidth(m *navmesh.Mesh, panel float64) float64 {
	return min(max(1.1-0.2*math.Log10(float64(max(m.RegionCount(), 1))), 0.35), 0.8) * min(max(panel/700, 0.65), 1)
}

// gapLists draws the floor of every storey in the colour of uncovered floor.
func gapLists(p *plan.Plan, floors []storey) []draw.List {
	out := make([]draw.List, len(floors))
	for k, f := range floors {
		part := *p
		part.Layers = nil
		for _, l := range f.layers {
			domains := p.Layers[l].Domains
			part.Layers = append(part.Layers, plan.Layer{Domains: domains, Floor: plate(domains)})
		}
		out[k] = draw.Plan(&part, draw.PlanOptions{Opacity: 1})
		out[k].Lines = nil
		for i := range out[k].Triangles {
			out[k].Triangles[i].Fill = uncovered
		}
	}
	return out
}

// plate is a level floor under some domains.
func plate(domains []plan.Domain) lattice.TIN {
	b := lattice.EmptyBox()
	for i := range domains {
		b = b.Union(domains[i].Box())
	}
	if b.IsEmpty() {
		return lattice.TIN{}
	}
	corner := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	return lattice.TIN{
		Vertices:  []lattice.Vertex{corner(b.Min.X, b.Min.Y), corner(b.Max.X, b.Min.Y), corner(b.Max.X, b.Max.Y), corner(b.Min.X, b.Max.Y)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}
}

// area returns the area of a plan in square metres.
func area(p *plan.Plan) float64 {
	var sum float64
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			sum += float64(p.Layers[l].Domains[d].Area2())
		}
	}
	return lattice.SquareMetres(sum)
}

// scaleBar draws a bar of a round length, a fifth to half of a panel, in the lower left corner.
func (p *Page) scaleBar(scale, panel float64) {
	metres := roundStep(0.2 * panel / scale)
	length := metres * scale
	x, y := float64(sheetRim), float64(p.Height)-sheetRim+10
	p.line(ink, 2, x, y-8, x, y, x+length, y, x+length, y-8)
	p.text(x+length+12, y, figures(metres)+" m", draw.Label{Size: panelNotes, Color: ink})
}
