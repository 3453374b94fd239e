package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/footprints"
	"github.com/meadow-nav/meadow/lab/smooth"
)

// Drawing is a picture of an experiment that shows no meshes of a world.
type Drawing struct {
	List draw.List
	View draw.View
}

// The colours of figure 84.
var (
	ground84 = draw.Color{R: 226, G: 232, B: 222, A: 255}
	edge84   = draw.Color{R: 110, G: 130, B: 120, A: 255}
	raw84    = draw.Color{R: 120, G: 120, B: 200, A: 255}
	way84    = draw.Color{R: 20, G: 60, B: 190, A: 255}
	disc84   = draw.Color{R: 60, G: 60, B: 60, A: 255}
)

// heat84 is the colour of a weight.
func heat84(weight float64) draw.Color {
	share := min(1, weight/(4*brandStrength))
	return draw.Color{R: 255, G: uint8(190 - 140*share), B: uint8(90 - 70*share), A: 255}
}

// panel84 is a part of the picture: what is near a place, moved to the east.
type panel84 struct {
	list   *draw.List
	middle lattice.Vertex
	east   float64
	half   float64
}

// at returns a vertex in the picture; ok is false off the panel.
func (p *panel84) at(v lattice.Vertex) (at geom.Vec, ok bool) {
	x, y := p.near(v)
	z := float64(v.Z-p.middle.Z) * lattice.Unit
	return geom.FromGround(x+p.east, y, 0), math.Abs(x) <= p.half && math.Abs(y) <= p.half && math.Abs(z) < 1.5
}

// near returns a vertex in metres from the middle of the panel.
func (p *panel84) near(v lattice.Vertex) (x, y float64) {
	return float64(v.X-p.middle.X) * lattice.Unit, float64(v.Y-p.middle.Y) * lattice.Unit
}

// polygon fills the part of a ring on the panel, and draws its border.
func (p *panel84) polygon(ring []lattice.Vertex, fill draw.Color) {
	if low := float64(ring[0].Z-p.middle.Z) * lattice.Unit; math.Abs(low) >= 1.5 {
		return
	}
	var part [][2]float64
	for _, v := range ring {
		x, y := p.near(v)
		part = append(part, [2]float64{x, y})
	}
	for axis := range 2 {
		for _, sign := range [2]float64{1, -1} {
			part = below(part, axis, sign, p.half)
		}
	}
	if len(part) < 3 {
		return
	}
	points := make([]geom.Vec, 0, len(part)+1)
	for _, q := range part {
		points = append(points, geom.FromGround(q[0]+p.east, q[1], 0))
	}
	for k := 2; k < len(points); k++ {
		p.list.Triangles = append(p.list.Triangles, draw.Triangle{P: [3]geom.Vec{points[0], points[k-1], points[k]}, Fill: fill})
	}
	p.list.Lines = append(p.list.Lines, draw.Line{P: append(points, points[0]), Color: edge84, Width: 0.7})
}

// below cuts off the part of a ring where a coordinate times a sign is above a bound.
func below(ring [][2]float64, axis int, sign, bound float64) (part [][2]float64) {
	for k, a := range ring {
		b := ring[(k+1)%len(ring)]
		da, db := float64(sign*a[axis])-bound, float64(sign*b[axis])-bound
		if da <= 0 {
			part = append(part, a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			t := da / (da - db)
			part = append(part, [2]float64{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1]))})
		}
	}
	return part
}

// line draws a way up to the rim of the panel.
func (p *panel84) line(way []lattice.Vertex, c draw.Color, width float64) {
	var points []geom.Vec
	for _, v := range way {
		at, ok := p.at(v)
		if !ok {
			break
		}
		points = append(points, at)
	}
	p.list.Lines = append(p.list.Lines, draw.Line{P: points, Color: c, Width: width, OnTop: true})
}

// circles draws the footprints.
func (p *panel84) circles(volumes []footprints.Volume) {
	for _, v := range volumes {
		at, ok := p.at(v.Center)
		if !ok {
			continue
		}
		var ring []geom.Vec
		for k := range 33 {
			sin, cos := geom.Sincos(2 * math.Pi * float64(k) / 32)
			x, y := geom.Ground(at)
			ring = append(ring, geom.FromGround(x+float64(v.Radius*cos), y+float64(v.Radius*sin), 0))
		}
		p.list.Lines = append(p.list.Lines, draw.Line{P: ring, Color: disc84, Width: 1, OnTop: true})
	}
}

// drawing84 shows a session on the mesh as cut, merged, and in sectors.
func drawing84(ctx context.Context, u *uniformGrid, meshes []*brep.Mesh, trips []session84, show int) (*Drawing, error) {
	if show >= len(trips) {
		return nil, fmt.Errorf("experiment: session %d is to be shown, there are %d", show+1, len(trips))
	}
	s := &trips[show]
	from, to := u.place(s.from), u.place(s.to)
	volumes := volumesOf(u, s.others)
	const half = brandReach + 2
	d := &Drawing{View: draw.View{Width: 2400}}
	for k, m := range meshes {
		p := &panel84{list: &d.List, middle: from, east: 2.1 * half * float64(k), half: half}
		b, err := newFieldDrawer(u, m, 0)
		if err != nil {
			return nil, err
		}
		f := b.field
		if err := f.Begin(0, from, volumes); err != nil {
			return nil, err
		}
		weights := map[int32]float64{}
		f.Weighted(func(id int32, weight float64, _ bool) { weights[id] = weight })
		f.Deepest(func(id int32, ring []lattice.Vertex) {
			fill := ground84
			if w, ok := weights[id]; ok {
				fill = heat84(w)
			}
			p.polygon(ring, fill)
		})
		f.End()
		w, err := b.travellers[0].Find(ctx, 0, from, to, volumes)
		if err != nil {
			return nil, err
		}
		raw := []lattice.Vertex{from}
		for i := 1; i+1 < len(w.Nodes); i++ {
			_, middle := f.Polygon(w.Nodes[i])
			raw = append(raw, middle)
		}
		p.line(raw, raw84, 1.5)
		var way []lattice.Vertex
		for _, at := range b.smoother.Smooth(from, to, w.Edges, smooth.Options{}) {
			way = append(way, lattice.Vertex{Point: lattice.Point{X: int32(at.X), Y: int32(at.Y)}, Z: int32(at.Z)})
		}
		p.line(dense84(way), way84, 3)
		p.circles(volumes)
		p.title([]string{"divided, as cut", "divided, merged"}[k])
	}
	p := &panel84{list: &d.List, middle: from, east: 2.1 * half * 2, half: half}
	rings, links := polygonsOf(meshes[1])
	sectors, err := footprints.NewSectors(rings, links, footprints.SectorOptions{Reach: brandReach + brandFootprint})
	if err != nil {
		return nil, err
	}
	for _, ring := range rings {
		p.polygon(ring, ground84)
	}
	if err := sectors.Begin(0, from, volumes); err != nil {
		return nil, err
	}
	sectors.Fine(func(at lattice.Vertex, weight float64, _ bool) {
		if v, ok := p.at(at); ok {
			c := edge84
			if weight > 0 {
				c = heat84(weight)
			}
			d.List.Points = append(d.List.Points, draw.Point{P: v, Color: c, Radius: 2.5})
		}
	})
	sectors.End()
	_, points, err := sectors.Find(ctx, 0, from, to, volumes)
	if err != nil {
		return nil, err
	}
	p.line(dense84(points), way84, 3)
	p.circles(volumes)
	p.title("sectors of 8 × 8 places")
	return d, nil
}

// dense84 puts points between those of a way, so that the way ends at the rim of a panel.
func dense84(way []lattice.Vertex) (list []lattice.Vertex) {
	for k := 1; k < len(way); k++ {
		const pieces = 64
		for i := range pieces {
			share := func(a, b int32) int32 { return a + int32((int64(b)-int64(a))*int64(i)/pieces) }
			a, b := way[k-1], way[k]
			list = append(list, lattice.Vertex{Point: lattice.Point{X: share(a.X, b.X), Y: share(a.Y, b.Y)}, Z: share(a.Z, b.Z)})
		}
	}
	if len(way) > 0 {
		list = append(list, way[len(way)-1])
	}
	return list
}

// title names a panel.
func (p *panel84) title(text string) {
	p.list.Labels = append(p.list.Labels, draw.Label{P: geom.FromGround(p.east, p.half+1, 0), Text: text, Color: disc84, Size: 26, Align: draw.AlignMiddle, Bold: true})
}
