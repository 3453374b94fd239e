package workbench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/view/ask"
)

var editRequests = map[string]handler{"edit": edit}

// Item is a thing that is part of the level from now on: an obstacle of triangles, or a marker volume. Each is a box. With To, it is a way from
// place to place, which two markers stand for, see docs/algorithms/links.md. Lengths are metres.
type Item struct {
	ID   string    `json:"id"`
	Kind string    `json:"kind"` // obstacle, or the kind of a marker: door, jump, start, or the name of an area
	Name string    `json:"name"` // of a marker, may be empty
	At   ask.Point `json:"at"`   // middle of the bottom
	Size ask.Point `json:"size"` // along x, y (up) and z before the turn
	Yaw  float64   `json:"yaw"`  // radians, counter-clockwise from above
	// To is where a way ends, nil for no way; OneWay says that it does not lead back. Kind is a kind of link then.
	To     *ask.Point `json:"to"`
	OneWay bool       `json:"oneWay"`
}

// linkKinds are the kinds of items with an end.
var linkKinds = []string{"jump", "drop", "climb", "ladder", "lift", "teleporter"}

// Editing is the value of the request edit: all items that the level has besides its own things. The same value twice changes nothing.
type Editing struct {
	Items []Item `json:"items"`
}

// origin is what is open, before edits.
type origin struct {
	level *level.Level
	items []Item
	files memory // of open, nil for a level that was made
	scale float64
	up    string
}

// obstacle is the kind of items that are triangles.
const obstacle = "obstacle"

// corners returns the corners of the box: four of the bottom, counter-clockwise from above, and four of the top above them.
func (it Item) corners() (list [8]geom.Vec) {
	sin, cos := math.Sincos(it.Yaw)
	for i := range list {
		x, z := it.Size[0]/2, it.Size[2]/2
		if i%4 == 0 || i%4 == 3 {
			x = -x
		}
		if i%4 >= 2 {
			z = -z
		}
		list[i] = geom.Vec{X: it.At[0] + cos*x + sin*z, Y: it.At[1] + float64(i/4)*it.Size[1], Z: it.At[2] - sin*x + cos*z}
	}
	return list
}

// check returns the first fault of an item.
func (it Item) check() error {
	printable := func(text string) bool {
		return len(text) <= 200 && text == strings.TrimSpace(text) && !strings.ContainsFunc(text, unicode.IsControl)
	}
	switch {
	case !printable(it.Name):
		return fmt.Errorf("edit: item %q: name %q, must be at most 200 bytes without control characters, and blanks inside only", it.ID, it.Name)
	case it.To != nil && !slices.Contains(linkKinds, it.Kind):
		return fmt.Errorf("edit: item %q at %v: no way is of kind %q, want one of %s", it.ID, it.At, it.Kind, strings.Join(linkKinds, ", "))
	case it.To == nil && it.OneWay:
		return fmt.Errorf("edit: item %q at %v: one way, and no end", it.ID, it.At)
	case !printable(it.Kind) || it.Kind == "" || strings.Contains(it.Kind, ":"):
		return fmt.Errorf("edit: item %q: kind %q, must be a word without a colon", it.ID, it.Kind)
	}
	for _, v := range it.Size {
		if !(v > 0 && v <= 10_000) {
			return fmt.Errorf("edit: item %q: size %v, must be above 0 and at most 10000 m", it.ID, it.Size)
		}
	}
	corners := it.corners()
	ends := corners[:]
	if it.To != nil {
		end := it
		end.At, end.To = *it.To, nil
		more := end.corners()
		ends = append(ends, more[:]...)
	}
	for _, c := range ends {
		if !c.IsFinite() || math.Abs(c.X)+math.Abs(c.Y)+math.Abs(c.Z) > 1e7 {
			return fmt.Errorf("edit: item %q: a corner is at %v", it.ID, c)
		}
	}
	return nil
}

// way returns the markers of an item with an end: a link, and an exit of its name. The name is one that no marker of the list has.
func (it Item) way(list []level.Marker) []level.Marker {
	stem := cmp.Or(it.Name, it.Kind)
	name := stem
	for n := 2; slices.ContainsFunc(list, func(m level.Marker) bool { return m.Name == name }); n++ {
		name = fmt.Sprintf("%s %d", stem, n)
	}
	kind := it.Kind + " exit"
	if it.OneWay {
		kind += " oneway"
	}
	from := it.corners()
	it.At = *it.To
	to := it.corners()
	return []level.Marker{{Name: name, Kind: kind, Hull: from[:]}, {Name: name, Kind: "exit", Hull: to[:]}}
}

// prism returns the triangles of a prism, counter-clockwise from outside: of n points of the bottom, counter-clockwise from above, and the n
// points above them.
func prism(n int) (faces [][3]uint32) {
	for i := 1; i+1 < n; i++ {
		faces = append(faces, [3]uint32{0, uint32(i + 1), uint32(i)}, [3]uint32{uint32(n), uint32(n + i), uint32(n + i + 1)})
	}
	for i := range n {
		a, b := uint32(i), uint32((i+1)%n)
		faces = append(faces, [3]uint32{a, b, b + uint32(n)}, [3]uint32{a, b + uint32(n), a + uint32(n)})
	}
	return faces
}

// addPrism adds an upright prism to a level, as an object of its own in the material of obstacles. The slices of the level belong to the caller.
func addPrism(l *level.Level, name string, corners []geom.Vec) {
	material := slices.IndexFunc(l.Materials, func(m level.Material) bool { return m.Name == obstacle })
	if material < 0 {
		material = len(l.Materials)
		l.Materials = append(l.Materials, level.Material{Name: obstacle, Color: [4]float32{0.45, 0.31, 0.16, 1}})
	}
	first, faces := uint32(len(l.Vertices)), prism(len(corners)/2)
	l.Objects = append(l.Objects, level.Object{Name: name, First: len(l.Triangles), Count: len(faces)})
	l.Vertices = append(l.Vertices, corners...)
	for _, f := range faces {
		l.Triangles = append(l.Triangles, level.Triangle{A: first + f[0], B: first + f[1], C: first + f[2], Material: int32(material)})
	}
}

// own returns a copy of a level whose slices may be appended to.
func own(l *level.Level) *level.Level {
	out := *l
	out.Markers = slices.Clone(l.Markers)
	out.Vertices, out.Triangles, out.Objects, out.Materials = slices.Clone(l.Vertices), slices.Clone(l.Triangles), slices.Clone(l.Objects), slices.Clone(l.Materials)
	return &out
}

// pad gives new vertices and triangles of a level the colours and grounds of plain ones.
func pad(l *level.Level) {
	if l.Colors != nil {
		l.Colors = level.PadColors(slices.Clone(l.Colors), len(l.Vertices))
	}
	if l.Ground != nil && l.Ground.Triangles != nil {
		ground := *l.Ground
		ground.Triangles = append(slices.Clone(ground.Triangles), make([]uint8, len(l.Triangles)-len(ground.Triangles))...)
		l.Ground = &ground
	}
}

// withThings returns a level with the obstacles of a level that changes, for pictures.
func withThings(l *level.Level, things map[string]Thing) *level.Level {
	out := own(l)
	for _, id := range slices.Sorted(maps.Keys(things)) {
		t := things[id]
		if t.Cost != 0 {
			continue
		}
		corners := Item{At: t.At, Size: t.Size, Yaw: t.Yaw}.corners()
		list := corners[:]
		if t.Shape == "cylinder" {
			const sides = 16
			list = make([]geom.Vec, 2*sides)
			for i := range list {
				sin, cos := math.Sincos(2 * math.Pi * float64(i%sides) / sides)
				list[i] = geom.Vec{X: t.At[0] + cos*t.Size[0]/2, Y: t.At[1] + float64(i/sides)*t.Size[1], Z: t.At[2] - sin*t.Size[0]/2}
			}
		}
		addPrism(out, id, list)
	}
	pad(out)
	return out
}

// edited returns a level with items. The level stays as it is. Time O(n) for n triangles, vertices and items.
func edited(l *level.Level, items []Item) (*level.Level, error) {
	out := own(l)
	seen := map[string]bool{}
	for _, it := range items {
		if seen[it.ID] {
			return nil, fmt.Errorf("edit: two items are called %q", it.ID)
		}
		seen[it.ID] = true
		if err := it.check(); err != nil {
			return nil, err
		}
		corners := it.corners()
		switch {
		case it.To != nil:
			out.Markers = append(out.Markers, it.way(out.Markers)...)
		case it.Kind == obstacle:
			addPrism(out, strings.TrimSpace(obstacle+" "+it.Name), corners[:])
		default:
			out.Markers = append(out.Markers, level.Marker{Name: it.Name, Kind: it.Kind, Hull: corners[:]})
		}
	}
	pad(out)
	return out, out.Validate()
}

// edit gives the open level the items of the request, and no others. The next build makes the mesh of it.
func edit(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	var e Editing
	if err := read(r, &e); err != nil {
		return Reply{}, err
	}
	if b.origin.level == nil {
		if b.plane != nil {
			return Reply{}, errors.New("a 2D map has no place for new things: change the map itself")
		}
		return Reply{}, errNoLevel
	}
	if len(e.Items) > mostThings {
		return Reply{}, fmt.Errorf("edit: %d items, at most %d fit on a page", len(e.Items), mostThings)
	}
	lvl, err := edited(b.origin.level, e.Items)
	if err != nil {
		return Reply{}, err
	}
	if len(e.Items) == 0 {
		lvl = b.origin.level
	}
	b.level, b.origin.items = lvl, e.Items
	return Reply{Answer: map[string]int{"triangles": len(lvl.Triangles), "markers": len(lvl.Markers)}}, nil
}
