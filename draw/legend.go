package draw

import (
	"github.com/meadow-nav/meadow/navmesh"
)

// Entry is a line of a legend.
type Entry struct {
	Color Color
	Text  string
}

// Areas returns the meanings of the colours of regions by area, for the areas in use, in their order.
func Areas(m *navmesh.Mesh) []Entry {
	if m == nil {
		return nil
	}
	used, colors := usedAreas(m), areaColors(m)
	var entries []Entry
	for a := range used {
		if used[a] {
			entries = append(entries, Entry{colors[a], m.AreaName(uint8(a))})
		}
	}
	return entries
}

// The measures of a legend, in pixels.
const (
	legendLine = 22
	legendEdge = 12
	legendDot  = 7
)

// Legend adds entries below each other in the upper left corner of the list's picture, as discs with remarks.
// They do not change the extent of the view. Legend fails for a view out of range.
func (l *List) Legend(view View, entries []Entry) error {
	camera, err := NewCamera(l, view)
	if err != nil {
		return err
	}
	origin, lo, hi := camera.extent(l, view)
	for i, e := range entries {
		right := lo.X + legendEdge/camera.Scale
		up := hi.Y - (legendEdge+float64(i*legendLine))/camera.Scale
		at := origin.Add(camera.Right.Scale(min(right, hi.X))).Add(camera.Up.Scale(max(up, lo.Y))).Add(camera.Toward.Scale(hi.Z))
		l.Points = append(l.Points, Point{P: at, Color: e.Color, Radius: legendDot, OnTop: true})
		l.Labels = append(l.Labels, Label{P: at, Text: e.Text, Color: ink})
	}
	return nil
}
