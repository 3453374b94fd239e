package chart

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/png"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

const m = lattice.UnitsPerMetre

func box(x0, y0, x1, y1 int32) lattice.Ring {
	return lattice.Ring{{X: x0 * m, Y: y0 * m}, {X: x1 * m, Y: y0 * m}, {X: x1 * m, Y: y1 * m}, {X: x0 * m, Y: y1 * m}}
}

func layer(height int32, rings ...lattice.Ring) plan.Layer {
	var l plan.Layer
	for _, r := range rings {
		heights := make([]int32, len(r))
		for i := range heights {
			heights[i] = height * m
		}
		l.Domains = append(l.Domains, plan.Domain{Polygon: lattice.Polygon{Rings: []lattice.Ring{r}}, Heights: [][]int32{heights}})
	}
	return l
}

// A page is drawn pixel by pixel: the picture has each thing at its place of the page.
func TestPageIsDrawnPixelByPixel(t *testing.T) {
	for _, size := range [][2]int{{300, 200}, {200, 300}, {64, 64}} {
		p := &Page{Width: size[0], Height: size[1]}
		p.fill(Rect{X: 10, Y: 20, W: 30, H: 8}, accent)
		camera, err := draw.NewCamera(p.List(), p.View())
		if err != nil {
			t.Fatal(err)
		}
		x, y, _ := camera.Pixel(at(10, 20, 0))
		if math.Abs(x-10) > 1e-9 || math.Abs(y-20) > 1e-9 || math.Abs(camera.Scale-1) > 1e-12 {
			t.Errorf("(10, 20) is at (%g, %g), %g pixels per pixel", x, y, camera.Scale)
		}
		img, err := png.Image(p.List(), p.View())
		if err != nil {
			t.Fatal(err)
		}
		for y := range size[1] {
			for x := range size[0] {
				in := x >= 10 && x < 40 && y >= 20 && y < 28
				if red := img.RGBAAt(x, y).G < 200; red != in {
					t.Fatalf("pixel (%d, %d) is painted: %v", x, y, red)
				}
			}
		}
	}
}

// texts lists the texts on a page.
func texts(p *Page) []string {
	var out []string
	for _, l := range p.List().Labels {
		out = append(out, l.Text)
	}
	return out
}

// wellFormed draws a page both ways, and reads the SVG back.
func wellFormed(t *testing.T, p *Page) {
	t.Helper()
	var b bytes.Buffer
	if err := svg.Write(&b, p.List(), p.View()); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := png.Write(io.Discard, p.List(), p.View()); err != nil {
		t.Fatal(err)
	}
	for _, l := range p.List().Lines {
		for _, v := range l.P {
			if !v.IsFinite() {
				t.Fatalf("a line goes through %v", v)
			}
		}
	}
}

func TestHistogram(t *testing.T) {
	p := &Page{Width: 400, Height: 300}
	p.Histogram(Rect{0, 0, 400, 300}, Histogram{Title: "Degree", Groups: "neighbours", Counts: "regions", Bars: []Bar{{"0", 0, true}, {"1", 5, false}, {"2", 10, false}}})
	wellFormed(t, p)
	for _, want := range []string{"Degree", "neighbours", "regions", "0", "1", "2", "5", "10"} {
		if !slices.Contains(texts(p), want) {
			t.Errorf("no %q in %q", want, texts(p))
		}
	}
	// The bar of 10 is twice as high as that of 5, and nothing stands on the axis for 0.
	var heights []float64
	for i := 0; i+1 < len(p.list.Triangles); i += 2 {
		b := geom.EmptyBox()
		for _, v := range p.list.Triangles[i].P {
			b = b.Extend(v)
		}
		heights = append(heights, b.Max.Z-b.Min.Z)
	}
	if len(heights) != 2 || math.Abs(heights[1]-2*heights[0]) > 1e-9 {
		t.Errorf("bars are %v high", heights)
	}
	empty := &Page{Width: 400, Height: 300}
	empty.Histogram(Rect{0, 0, 400, 300}, Histogram{Title: "None"})
	wellFormed(t, empty)
	// Labels of many bars are thinned out, the last one stays.
	many := &Page{Width: 400, Height: 300}
	var bars []Bar
	for range 200 {
		bars = append(bars, Bar{Label: "12345", Count: 1})
	}
	bars[199].Label = "more"
	many.Histogram(Rect{0, 0, 400, 300}, Histogram{Bars: bars})
	if n := len(texts(many)); n > 30 || !slices.Contains(texts(many), "more") {
		t.Errorf("%d texts: %q", n, texts(many))
	}
}

func TestBoxPlot(t *testing.T) {
	nan := math.NaN()
	p := &Page{Width: 500, Height: 300}
	p.BoxPlot(Rect{0, 0, 500, 300}, BoxPlot{Title: "Angles", Values: "degrees", Boxes: []Box{
		{Label: "one", Low: 10, Q1: 20, Median: 30, Q3: 50, High: 80, Mean: 35, Outliers: []float64{120, 120.001}, Extremes: []float64{300}},
		{Label: "none", Low: nan, Q1: nan, Median: nan, Q3: nan, High: nan, Mean: nan},
	}})
	wellFormed(t, p)
	if n := len(p.list.Triangles); n != 2 {
		t.Errorf("%d triangles, want those of one box", n)
	}
	y := newAxis(Linear, 10, 300, 200, 0)
	if got := y.distinct([]float64{120, 120.001, 200}); len(got) != 2 {
		t.Errorf("values on one pixel are %v", got)
	}
	for _, scale := range []Scale{Linear, Log, SignedLog} {
		empty := &Page{Width: 500, Height: 300}
		empty.BoxPlot(Rect{0, 0, 500, 300}, BoxPlot{Scale: scale})
		wellFormed(t, empty)
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		scale     Scale
		low, high float64
		want      string
	}{
		{Linear, 0, 10, "0 5 10"},
		{Linear, 0, 90, "0 20 40 60 80"},
		{Linear, 7, 7, "6.5 7 7.5"},
		{Log, 1, 100, "1 3 10 30 100"},
		{Log, 1e-5, 100, "10⁻⁵ 10⁻⁴ 0.001 0.01 0.1 1 10 100"},
		{SignedLog, -10, 3, "-10 -3 -1 0 1 3"},
	} {
		a := newAxis(test.scale, test.low, test.high, 0, 100)
		var got []string
		for _, v := range a.ticks(5) {
			got = append(got, figures(v))
			if x := a.at(v); x < -1e-6 || x > 100+1e-6 {
				t.Errorf("%v %g to %g: %g is at %g", test.scale, test.low, test.high, v, x)
			}
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%v %g to %g: %s, want %s", test.scale, test.low, test.high, s, test.want)
		}
	}
	if figures(250000) != "250000" || figures(1e8) != "10⁸" || figures(-1e8) != "-10⁸" || figures(1e-15) != "0" {
		t.Errorf("%s %s %s", figures(250000), figures(1e8), figures(-1e8))
	}
}

// Layers beside each other make one storey, layers above each other two, lowest first.
func TestStoreys(t *testing.T) {
	p := &plan.Plan{Layers: []plan.Layer{
		layer(6, box(0, 0, 10, 10)),
		layer(0, box(0, 0, 10, 10), box(12, 0, 14, 2)),
		layer(3, box(10, 0, 12, 10)),
		{},
	}}
	floors := storeys(p)
	if len(floors) != 2 || !slices.Equal(floors[0].layers, []int{1, 2}) || !slices.Equal(floors[1].layers, []int{0}) {
		t.Fatalf("%+v", floors)
	}
	if f := floors[0]; f.west != 0 || f.east != 14 || f.south != 0 || f.north != 10 {
		t.Errorf("box %+v", f)
	}
	if storeys(&plan.Plan{}) != nil {
		t.Error("storeys of nothing")
	}
}

// Storeys do not overlap, are all inside, and lie as their proportions ask for: low storeys above each other,
// high ones side by side, small ones in a column beside a large one.
func TestArrange(t *testing.T) {
	of := func(sizes ...float64) []storey {
		var out []storey
		for i := 0; i+1 < len(sizes); i += 2 {
			out = append(out, storey{west: 5, south: 7, east: 5 + sizes[i], north: 7 + sizes[i+1]})
		}
		return out
	}
	for _, test := range []struct {
		name          string
		floors        []storey
		width, height float64 // 0: any
	}{
		{"one", of(10, 5), 10, 5},
		{"low", of(10, 2, 10, 2, 10, 2), 10, 6 + 2*0.6},
		{"high", of(3, 10, 3, 10, 3, 10), 9 + 2*0.6, 10},
		{"small ones beside a large one", of(100, 100, 20, 30, 20, 20, 20, 20), 126, 100},
		{"many", of(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10), 0, 0},
	} {
		a := arrange(test.floors)
		if test.width > 0 && (math.Abs(a.width-test.width) > 1e-9 || math.Abs(a.height-test.height) > 1e-9) {
			t.Errorf("%s: %g × %g, want %g × %g", test.name, a.width, a.height, test.width, test.height)
		}
		rect := func(i int) Rect {
			f := test.floors[i]
			return Rect{a.spots[i][0], a.spots[i][1], f.east - f.west, f.north - f.south}
		}
		for i := range test.floors {
			r := rect(i)
			if r.X < 0 || r.Y < -1e-9 || r.X+r.W > a.width+1e-9 || r.Y+r.H > a.height+1e-9 {
				t.Errorf("%s: storey %d at %v is not inside", test.name, i, r)
			}
			for k := range i {
				if o := rect(k); r.X < o.X+o.W && o.X < r.X+r.W && r.Y < o.Y+o.H && o.Y < r.Y+r.H {
					t.Errorf("%s: storeys %d and %d overlap", test.name, k, i)
				}
			}
		}
	}
}

// mesh is one region for every domain of a plan, except domain number without.
func mesh(t *testing.T, p *plan.Plan, without int) *navmesh.Mesh {
	t.Helper()
	var cells [][][]plan.Cell
	for l := range p.Layers {
		cells = append(cells, nil)
		for d := range p.Layers[l].Domains {
			var c plan.Cell
			for _, q := range p.Layers[l].Domains[d].Rings[0] {
				c.Corners = append(c.Corners, plan.Corner{Point: q, On: plan.NoEdge})
			}
			list := []plan.Cell{c}
			if d == without {
				list = nil
			}
			cells[l] = append(cells[l], list)
		}
	}
	made, _, err := join.Build(t.Context(), p, cells, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestSheet(t *testing.T) {
	p := &plan.Plan{Layers: []plan.Layer{layer(0, box(0, 0, 10, 10), box(12, 0, 14, 2)), layer(3, box(0, 0, 6, 6))}}
	whole, part := mesh(t, p, -1), mesh(t, p, 1)
	sheet := Sheet{Title: "Floor", Subtitle: "two storeys", Footnote: "end", Plan: p, Width: 600}
	for n := range 7 {
		m := whole
		if n == 3 {
			m = part
		}
		sheet.Panels = append(sheet.Panels, Panel{Title: "method " + string(rune('a'+n)), Notes: []string{"1 region"}, Mesh: m})
		page, err := sheet.Page()
		if err != nil {
			t.Fatal(err)
		}
		if n%3 == 0 {
			wellFormed(t, page)
		}
		red := 0
		for _, tr := range page.list.Triangles {
			if tr.Fill == uncovered {
				red++
			}
			for _, v := range tr.P {
				if v.X < sheetRim-1 || v.X > float64(page.Width)-sheetRim+1 || v.Z < sheetRim || v.Z > float64(page.Height)-sheetRim {
					t.Fatalf("%d panels: a corner at %v is not on the page", n+1, v)
				}
			}
		}
		if (red > 0) != (n >= 3) {
			t.Errorf("%d panels: %d triangles of gaps", n+1, red)
		}
		for _, text := range []string{"Floor", "two storeys", "end", sheet.Panels[n].Title, "1 region"} {
			if !slices.Contains(texts(page), text) {
				t.Errorf("no %q", text)
			}
		}
	}
	for name, s := range map[string]Sheet{"no plan": {Panels: sheet.Panels}, "no panel": {Plan: p}, "no floor": {Plan: &plan.Plan{}, Panels: sheet.Panels}} {
		if _, err := s.Page(); err == nil {
			t.Errorf("%s: there is a page", name)
		}
	}
}

// Floors stand side by side on the page, over the same place, with their marks in colour.
func TestFloors(t *testing.T) {
	low := &plan.Plan{Layers: []plan.Layer{layer(0, box(0, 0, 10, 10), box(12, 0, 14, 2)), layer(3, box(0, 0, 6, 6))}}
	moved := &plan.Plan{Frame: lattice.Frame{East: 20 * m}, Layers: []plan.Layer{layer(0, box(0, 0, 4, 3))}}
	red := draw.Color{R: 255, A: 255}
	s := Floors{Title: "Floors", Subtitle: "two of them", Footnote: "end", Width: 900, Panels: []FloorPanel{
		{Title: "low", Plan: low, Notes: []string{"a note"}},
		{Title: "moved", Plan: moved, Pale: true, Marks: []Mark{{Color: red, Polygons: []lattice.Polygon{{Rings: []lattice.Ring{box(1, 1, 2, 2)}}, {Rings: []lattice.Ring{box(10, 1, 12, 2)}}}}}},
	}}
	page, err := s.Page()
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, page)
	marked, greys := 0, 0
	for _, tr := range page.list.Triangles {
		switch tr.Fill {
		case red:
			marked++
		case pale:
			greys++
		}
		for _, v := range tr.P {
			if v.X < sheetRim-1 || v.X > float64(page.Width)-sheetRim+1 || v.Z < sheetRim || v.Z > float64(page.Height)-sheetRim {
				t.Fatalf("a corner at %v is not on the page", v)
			}
		}
	}
	if marked < 4 || greys != 2 { // one of the marks lies beside all floors
		t.Errorf("%d triangles are marked, %d are pale", marked, greys)
	}
	for _, text := range []string{"Floors", "two of them", "end", "low", "moved", "a note"} {
		if !slices.Contains(texts(page), text) {
			t.Errorf("no %q", text)
		}
	}
	for name, s := range map[string]Floors{
		"no panel": {}, "no plan": {Panels: []FloorPanel{{}}}, "no floor": {Panels: []FloorPanel{{Plan: &plan.Plan{}}}},
	} {
		if _, err := s.Page(); err == nil {
			t.Errorf("%s: there is a page", name)
		}
	}
}
