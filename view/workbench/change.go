package workbench

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/scene"
	"github.com/meadow-nav/meadow/world"
)

var changeRequests = map[string]handler{"change": change, "floor": floor, "doors": doors}

// Thing is an obstacle, or a modifier of the ground, in a level that changes. Lengths are metres.
type Thing struct {
	ID    string    `json:"id"`
	Shape string    `json:"shape"` // box or cylinder
	At    ask.Point `json:"at"`    // middle of the bottom
	Size  ask.Point `json:"size"`  // along x, y (up) and z before the turn; of a cylinder x is the diameter
	Yaw   float64   `json:"yaw"`   // radians, counter-clockwise from above
	// Cost makes the thing a modifier: floor inside costs so much a metre, and a negative cost closes the floor. 0 is an obstacle.
	Cost float64 `json:"cost"`
}

// Changing is the value of the request change: all things that stand in the level from now on, and all marks that are closed, by name
// or else by kind. The same value twice changes nothing.
type Changing struct {
	Things []Thing  `json:"things"`
	Closed []string `json:"closed"`
	// Later leaves the scene out of the reply: the request floor has it, after a path that is more urgent.
	Later bool `json:"later"`
}

// Changed is the answer to change. The bytes of the reply are a scene without the level's triangles.
type Changed struct {
	Microseconds float64      `json:"microseconds"` // of the change of the mesh alone
	Edits        int          `json:"edits"`
	Boxes        [][6]float64 `json:"boxes"` // around the floor that changed: low and high corner
	Fresh        []int        `json:"fresh"` // regions that the change has made
	Regions      int          `json:"regions"`
	Blocked      []string     `json:"blocked"` // marks that are closed
}

// Door is a named place of the level that opens and closes.
type Door struct {
	Name   string    `json:"name"` // or its kind, where it has no name
	Kind   string    `json:"kind"`
	Low    ask.Point `json:"low"`
	High   ask.Point `json:"high"`
	Closed bool      `json:"closed"`
}

// mostThings bounds the things of a request.
const mostThings = 10_000

// changing is the state of a level that changes. The zero changing has no world yet.
type changing struct {
	world  *world.World
	frame  *scene.Frame
	things map[string]Thing
	closed map[string]bool
	mesh   *navmesh.Mesh // of the world's latest snapshot
}

// ready makes the world of the bench's mesh, the first time.
func (b *Bench) ready(ctx context.Context) error {
	switch {
	case b.mesh == nil:
		return errNoMesh
	case b.changing.world != nil:
		return nil
	}
	w, err := meadow.NewWorld(ctx, b.mesh, meadow.WorldOptions{})
	if err != nil {
		return err
	}
	b.changing = changing{
		world: w, frame: scene.NewFrame(scene.Source{Mesh: b.mesh.Mesh, Level: b.level}), mesh: b.mesh.Mesh,
		things: map[string]Thing{}, closed: map[string]bool{},
	}
	return nil
}

// now returns the mesh as it is, with all changes.
func (b *Bench) now() *navmesh.Mesh {
	if b.changing.mesh != nil {
		return b.changing.mesh
	}
	return b.mesh.Mesh
}

// solid returns the shape of a thing. The world looks at the numbers.
func (t Thing) solid() (world.Solid, error) {
	base := geom.Vec{X: t.At[0], Y: t.At[1], Z: t.At[2]}
	switch t.Shape {
	case "box", "":
		return world.Box{Base: base, Size: geom.Vec{X: t.Size[0], Y: t.Size[1], Z: t.Size[2]}, Yaw: t.Yaw}, nil
	case "cylinder":
		return world.Cylinder{Base: base, Radius: t.Size[0] / 2, Height: t.Size[1]}, nil
	}
	return nil, fmt.Errorf("change: thing %q: shape %q, want box or cylinder", t.ID, t.Shape)
}

func (t Thing) brush() world.Brush {
	if t.Cost < 0 {
		return world.Brush{Cost: math.Inf(1)}
	}
	return world.Brush{Cost: t.Cost}
}

// edits returns the edits from the present things to the wanted ones, in an order that is the same for every order of the request.
func (c *changing) edits(to Changing) (edits []world.Edit, things map[string]Thing, closed map[string]bool, err error) {
	things, closed = map[string]Thing{}, map[string]bool{}
	for i, t := range to.Things {
		if _, twice := things[t.ID]; twice {
			return nil, nil, nil, fmt.Errorf("change: two things are called %q", t.ID)
		}
		if i >= mostThings {
			return nil, nil, nil, fmt.Errorf("change: %d things, at most %d fit on a page", len(to.Things), mostThings)
		}
		things[t.ID] = t
	}
	for _, name := range to.Closed {
		closed[name] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.things)) {
		if t, stays := things[id]; !stays || (t.Cost == 0) != (c.things[id].Cost == 0) {
			edits = append(edits, world.Take{ID: world.ID(id)})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(things)) {
		t := things[id]
		old, had := c.things[id]
		if had && old == t {
			continue
		}
		solid, err := t.solid()
		if err != nil {
			return nil, nil, nil, err
		}
		had = had && (old.Cost == 0) == (t.Cost == 0)
		switch {
		case had && t.Cost == 0:
			edits = append(edits, world.Move{ID: world.ID(id), Solid: solid})
		case had:
			edits = append(edits, world.Repaint{ID: world.ID(id), Solid: solid, Brush: t.brush()})
		case t.Cost == 0:
			edits = append(edits, world.Put{ID: world.ID(id), Solid: solid})
		default:
			edits = append(edits, world.Paint{ID: world.ID(id), Solid: solid, Brush: t.brush()})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.closed)) {
		if !closed[name] {
			edits = append(edits, world.Open{Mark: name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(closed)) {
		if !c.closed[name] {
			edits = append(edits, world.Close{Mark: name})
		}
	}
	return edits, things, closed, nil
}

// change makes the level hold the things of the request, and no others.
func change(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var to Changing
	if err := read(r, &to); err != nil {
		return Reply{}, err
	}
	if err := b.ready(ctx); err != nil {
		return Reply{}, err
	}
	c := &b.changing
	edits, things, closed, err := c.edits(to)
	if err != nil {
		return Reply{}, err
	}
	answer := Changed{Edits: len(edits), Boxes: [][6]float64{}, Fresh: []int{}, Blocked: slices.Sorted(maps.Keys(closed))}
	if len(edits) == 0 && c.mesh != b.mesh.Mesh {
		answer.Regions = c.mesh.RegionCount()
		return b.changed(answer, to.Later)
	}
	began := time.Now()
	made, err := c.world.Apply(ctx, edits...)
	took := time.Since(began)
	if err != nil {
		return Reply{}, err
	}
	c.things, c.closed = things, closed
	now := c.world.Now()
	c.mesh = now.Mesh()
	number := numbersOf(now)
	b.asked = ask.On(c.mesh, now.NewQuery(), number)
	changed := made.Boxes
	if len(made.Ends) > 0 {
		changed = nil // a link may shorten ways everywhere
	}
	if err := b.walkOn(changed); err != nil {
		return Reply{}, err
	}
	answer.Microseconds = float64(took) / float64(time.Microsecond)
	answer.Regions = c.mesh.RegionCount()
	for _, box := range made.Boxes {
		answer.Boxes = append(answer.Boxes, [6]float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z})
	}
	for _, ref := range made.Fresh {
		if n := number(ref); n >= 0 {
			answer.Fresh = append(answer.Fresh, n)
		}
	}
	return b.changed(answer, to.Later)
}

// changed is the reply of a change.
func (b *Bench) changed(answer Changed, later bool) (Reply, error) {
	if later {
		return Reply{Answer: answer}, nil
	}
	body, err := b.changing.frame.PackFloor(b.source())
	return Reply{answer, body}, err
}

// floor is the scene of the floor as it is now, without the level's triangles.
func floor(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	if err := read(r, &struct{}{}); err != nil {
		return Reply{}, err
	}
	if err := b.ready(ctx); err != nil {
		return Reply{}, err
	}
	body, err := b.changing.frame.PackFloor(b.source())
	return Reply{Body: body}, err
}

// source is what the scene of the bench shows.
func (b *Bench) source() scene.Source {
	src := scene.Source{Title: b.name, Level: b.level}
	if b.mesh != nil {
		src.Mesh, src.Facts = b.now(), b.facts()
	}
	return src
}

// numbers returns the number of a region of a snapshot in its mesh, -1 for a region that is gone. Time O(n) for n regions.
func numbersOf(s *world.Snapshot) func(navmesh.Ref) int {
	known := map[navmesh.Ref]int{}
	for n, r := range s.Refs() {
		known[r] = n
	}
	return func(r navmesh.Ref) int {
		if n, ok := known[r]; ok {
			return n
		}
		return -1
	}
}

// doors lists the marks of the mesh: doors first, then all others that close.
func doors(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	if err := read(r, &struct{}{}); err != nil {
		return Reply{}, err
	}
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	m := b.mesh.Mesh
	boxes := make([]geom.Box, len(m.Marks))
	for i := range boxes {
		boxes[i] = geom.EmptyBox()
	}
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for _, marked := range t.Marked {
			for _, v := range t.RegionCorners(int(marked.Region)) {
				boxes[marked.Mark] = boxes[marked.Mark].Extend(m.Frame.ToWorld(t.Vertices[v].Point, t.Vertices[v].Z))
			}
		}
	}
	for i := range m.Links {
		l := &m.Links[i]
		if l.Mark == 0 {
			continue
		}
		for _, ref := range []navmesh.Ref{l.From, l.To} {
			if c, ok := m.Center(ref); ok {
				boxes[l.Mark-1] = boxes[l.Mark-1].Extend(c)
			}
		}
	}
	list := []Door{}
	for i, mark := range m.Marks {
		name := mark.Name
		if name == "" {
			name = mark.Kind
		}
		known := slices.IndexFunc(list, func(d Door) bool { return d.Name == name })
		switch box := boxes[i]; {
		case box.IsEmpty():
		case known >= 0:
			d := &list[known]
			for k, v := range []float64{box.Min.X, box.Min.Y, box.Min.Z} {
				d.Low[k] = min(d.Low[k], v)
			}
			for k, v := range []float64{box.Max.X, box.Max.Y, box.Max.Z} {
				d.High[k] = max(d.High[k], v)
			}
		default:
			list = append(list, Door{
				Name: name, Kind: mark.Kind, Low: ask.Point{box.Min.X, box.Min.Y, box.Min.Z}, High: ask.Point{box.Max.X, box.Max.Y, box.Max.Z},
				Closed: b.changing.closed[name],
			})
		}
	}
	slices.SortStableFunc(list, func(a, b Door) int { return doorsFirst(a.Kind) - doorsFirst(b.Kind) })
	return Reply{Answer: list}, nil
}

func doorsFirst(kind string) int {
	if kind == "door" || kind == "gate" {
		return 0
	}
	return 1
}
