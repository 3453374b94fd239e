package main

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"html/template"
	"io"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/scenario"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/geom"
)

// heat are the colours of densities, from the least persons on a square metre.
var heat = []struct {
	from  float64
	text  string
	color draw.Color
}{
	{0.05, "0.05 persons on a m² and more", draw.Color{R: 255, G: 243, B: 196, A: 210}},
	{0.25, "0.25", draw.Color{R: 254, G: 217, B: 118, A: 210}},
	{0.5, "0.5", draw.Color{R: 253, G: 174, B: 72, A: 220}},
	{1, "1", draw.Color{R: 244, G: 109, B: 67, A: 220}},
	{2, "2", draw.Color{R: 201, G: 42, B: 42, A: 230}},
	{4, "4", draw.Color{R: 120, G: 0, B: 60, A: 240}},
}

// trackColors are the colours of tracks, by source.
var trackColors = []draw.Color{
	{R: 38, G: 84, B: 160, A: 110}, {R: 0, G: 128, B: 96, A: 110}, {R: 128, G: 60, B: 160, A: 110}, {R: 70, G: 70, B: 70, A: 110},
}

// ground draws the mesh palely.
func ground(mesh *meadow.Mesh) draw.List {
	return draw.Mesh(mesh.Mesh, draw.MeshOptions{Opacity: 0.12, Seams: true})
}

// picture draws the density, and the tracks over the density.
func (r *crowdRun) picture(mesh *meadow.Mesh) (*draw.List, draw.View, error) {
	list := ground(mesh)
	order, persons, height := r.density()
	for _, at := range order {
		fill := draw.Color{}
		for _, h := range heat {
			if persons[at] >= h.from {
				fill = h.color
			}
		}
		if fill == (draw.Color{}) {
			continue
		}
		x, z, y := float64(at.x)*cellSide, float64(at.z)*cellSide, height[at]+0.1
		corner := [4]geom.Vec{{X: x, Y: y, Z: z + cellSide}, {X: x + cellSide, Y: y, Z: z + cellSide}, {X: x + cellSide, Y: y, Z: z}, {X: x, Y: y, Z: z}}
		list.Triangles = append(list.Triangles,
			draw.Triangle{P: [3]geom.Vec{corner[0], corner[1], corner[2]}, Fill: fill, Bias: 0.3},
			draw.Triangle{P: [3]geom.Vec{corner[0], corner[2], corner[3]}, Fill: fill, Bias: 0.3})
	}
	for i := range r.cast.Actors {
		color := trackColors[r.cast.Actors[i].Source%len(trackColors)]
		var line []geom.Vec
		for k := 0; k <= len(r.frames); k++ {
			if k == len(r.frames) || r.frames[k][i].state == scenario.Absent {
				if len(line) > 1 {
					list.Lines = append(list.Lines, draw.Line{P: line, Color: color, Width: 1.5, OnTop: true})
				}
				line = nil
				continue
			}
			if p := r.frames[k][i].vec().Add(geom.Vec{Y: 0.15}); len(line) == 0 || p.Distance(line[len(line)-1]) > 0.01 {
				line = append(line, p)
			}
		}
	}
	if n := len(r.frames); n > 0 {
		for i, s := range r.frames[n-1] {
			if s.state != scenario.Absent {
				color := trackColors[r.cast.Actors[i].Source%len(trackColors)]
				color.A = 255
				list.Points = append(list.Points, draw.Point{P: s.vec().Add(geom.Vec{Y: 0.2}), Color: color, Radius: 3, OnTop: true})
			}
		}
	}
	var legend []draw.Entry
	for _, h := range heat {
		legend = append(legend, draw.Entry{Color: h.color, Text: h.text})
	}
	for i, src := range r.cast.Scenario.Sources {
		if i < len(trackColors) {
			legend = append(legend, draw.Entry{Color: trackColors[i], Text: "tracks of " + src.Name})
		}
	}
	view := draw.View{Width: pictureWidth, Height: pictureHeight, Focus: below(mesh.Bounds(), len(legend))}
	return &list, view, list.Legend(view, legend)
}

// The size of a picture in pixels, with the height of a line of the legend.
const pictureWidth, pictureHeight, legendLine = 1600, 1200, 24.0

// below returns a box with room for the lines of a legend above the contents, seen from above.
func below(contents geom.Box, lines int) geom.Box {
	room := float64(lines+1) * legendLine
	size := contents.Size()
	scale := min(pictureWidth/max(size.X, 0.01), (pictureHeight-room)/max(size.Z, 0.01)) // pixels a metre
	contents.Min.Z -= room / scale
	return contents
}

//go:embed crowd.html
var crowdPage string

// page writes a page that plays the run: the mesh as a picture, and the places in pixels beside it.
func (r *crowdRun) page(e *env, path string, mesh *meadow.Mesh) error {
	list := ground(mesh)
	view := draw.View{Width: 1400}
	camera, err := draw.NewCamera(&list, view)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := svg.Write(&picture, &list, view); err != nil {
		return err
	}
	// A place is two numbers of 16 bits, in sixteenths of a pixel; the largest number is an absent agent.
	places := make([]byte, 0, 4*len(r.frames)*len(r.cast.Actors))
	for _, frame := range r.frames {
		for _, s := range frame {
			x, y := uint16(math.MaxUint16), uint16(math.MaxUint16)
			if s.state != scenario.Absent {
				px, py, _ := camera.Pixel(s.vec())
				x, y = sixteenths(px), sixteenths(py)
			}
			places = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(places, x), y)
		}
	}
	radii, sources := make([]float64, len(r.cast.Actors)), make([]int, len(r.cast.Actors))
	for i, a := range r.cast.Actors {
		radii[i], sources[i] = math.Round(a.Radius*camera.Scale*100)/100, a.Source
	}
	every := 0.0
	if len(r.times) > 1 {
		every = r.times[1] - r.times[0]
	}
	page, err := template.New("crowd").Parse(crowdPage)
	if err != nil {
		return err
	}
	return e.write(path, func(w io.Writer) error {
		return page.Execute(w, map[string]any{
			"Report": r.report, "Seconds": r.cast.Scenario.Seconds, "Frames": len(r.frames), "Every": every,
			"Picture": template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(picture.Bytes())),
			"Width":   camera.Width, "Height": camera.Height, "Radii": radii, "Sources": sources,
			"Places": base64.StdEncoding.EncodeToString(places), "Changed": r.changed,
		})
	})
}

// sixteenths returns a pixel in sixteenths.
func sixteenths(px float64) uint16 {
	return uint16(max(0, min(math.MaxUint16-1, math.Round(px*16))))
}
