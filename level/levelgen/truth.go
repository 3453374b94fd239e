package levelgen

import (
	"fmt"

	"github.com/meadow-nav/meadow/geom"
)

// Truth holds facts about a level known from geometry on paper, without any of our own algorithms.
type Truth struct {
	Kind    string
	Options Options // of the level
	// Layers is the greatest number of reachable floors above each other. No extractor can do with fewer layers;
	// a fixed order of filling layers may need more.
	Layers int
	Routes []Route // at fixed radii
	// Floor returns the floor for an agent with a radius that steps over gaps up to a width, both in metres. The
	// agent has height 1.8 and climb 0.4, or height 2 and climb 0.9, and slope 45°. The result is false where no
	// answer is known on paper: the maker of the kind names the radii. Nil if only Routes are known.
	Floor func(radius, gap float64) (Floor, bool)
}

// Name returns the kind, and the options as `meadow gen` takes them.
func (t Truth) Name() string {
	name := t.Kind
	if t.Options.Storeys != 0 {
		name += fmt.Sprintf(" --storeys %d", t.Options.Storeys)
	}
	if t.Options.Steepness != 0 {
		name += fmt.Sprintf(" --steepness %g", t.Options.Steepness)
	}
	if t.Options.Far != 0 {
		name += fmt.Sprintf(" --far %.0f", t.Options.Far)
	}
	return name
}

// Floor is the walkable floor of a level, reachable or not.
type Floor struct {
	Components int
	Storeys    []Storey // in the order of their heights; none where areas are unknown
	Routes     []Route
}

// Storey is the part of a floor from one height up to the next storey.
type Storey struct {
	Height float64 // of its lowest floor, in metres
	// Area of the places for the agent's centre in m², measured horizontally, with true arcs around corners.
	// Places over gaps within the agent's step count.
	Area float64
	// Turn is the sum of the angles of these arcs, in radians.
	Turn float64
}

// Least returns the smallest possible area in m² of a storey whose borders around corners lie up to slack (m)
// beyond the arcs of the radius (m), in the free floor.
func (s Storey) Least(radius, slack float64) float64 {
	return s.Area - float64(s.Turn*(float64(radius*slack)+slack*slack/2))
}

// Route is a pair of places in the only component of a level, with their distance.
type Route struct {
	Name string
	// Radius of the agent in metres. Height 1.8 and climb 0.4, or height 2 and climb 0.9: no level here
	// distinguishes the two. Slope 45°.
	Radius      float64
	Start, Goal geom.Vec
	// Length is that of the shortest path of the agent's centre, measured horizontally, where the
	// border of the free space is a true arc around every corner. In metres, to 0.1 mm.
	Length float64
	// Turn is the sum of the angles of its arcs in radians; 0 if unknown. A border that lies in the free floor
	// by a distance of slack beyond the arcs makes the path longer by up to slack·Turn.
	Turn float64
}

// Truths returns the known truths. How each was derived is told at the function that makes the kind.
func Truths() []Truth {
	at := geom.FromGround
	return []Truth{
		{Kind: "stairs", Layers: 2, Routes: []Route{
			{Name: "up", Radius: 0.4, Start: at(-4, -2, 0), Goal: at(-4, 2, 3), Length: 15.0797},
			{Name: "up", Radius: 0.6, Start: at(-4, -2, 0), Goal: at(-4, 2, 3), Length: 15.6267},
		}},
		{Kind: "spiral", Layers: 3, Routes: []Route{
			{Name: "up", Radius: 0.4, Start: at(5, -3.75, 0), Goal: at(1.5, 5, 6), Length: 27.6695},
			{Name: "up", Radius: 0.6, Start: at(5, -3.75, 0), Goal: at(1.5, 5, 6), Length: 30.0456},
		}},
		{Kind: "bridge", Layers: 2, Routes: []Route{
			{Name: "over", Radius: 0.4, Start: at(-30, 0, 0.125), Goal: at(30, 0, 0.125), Length: 60},
			{Name: "under", Radius: 0.4, Start: at(0, -15, 0), Goal: at(0, 15, 0), Length: 30},
			{Name: "up", Radius: 0.4, Start: at(-2, -12, 0), Goal: at(0, 0, 5), Length: 53.1042},
			{Name: "up", Radius: 0.6, Start: at(-2, -12, 0), Goal: at(0, 0, 5), Length: 53.6474},
		}},
		{Kind: "carpark", Layers: 4, Routes: []Route{
			{Name: "to the top", Radius: 0.4, Start: at(20, 9, 0), Goal: at(20, 9, 9), Length: 154.0933},
			{Name: "to the top", Radius: 0.6, Start: at(20, 9, 0), Goal: at(20, 9, 9), Length: 157.7503},
		}},
		{Kind: "arch", Layers: 2, Routes: []Route{
			{Name: "over", Radius: 0.4, Start: at(-20, 0, 0), Goal: at(20, 0, 0), Length: 40},
			{Name: "through", Radius: 0.4, Start: at(0, -12, 0), Goal: at(0, 12, 0), Length: 24},
			{Name: "up", Radius: 0.4, Start: at(-2, -10, 0), Goal: at(0, 0, 4.5), Length: 33.1502},
			{Name: "up", Radius: 0.6, Start: at(-2, -10, 0), Goal: at(0, 0, 4.5), Length: 33.6643},
		}},
		{Kind: "tower", Layers: 4, Floor: towerFloor(4)},
		{Kind: "tower", Options: Options{Storeys: 2}, Layers: 2, Floor: towerFloor(2)},
		{Kind: "highrise", Layers: 3, Floor: highriseFloor},
		{Kind: "catwalks", Layers: 7, Floor: catwalksFloor},
		{Kind: "slots", Layers: 2, Floor: slotsFloor},
		{Kind: "ramps", Layers: 1, Floor: rampsFloor(0)},
		{Kind: "ramps", Options: Options{Far: 1e5}, Layers: 1, Floor: rampsFloor(1e5)},
		{Kind: "pillars", Layers: 1, Floor: pillarsFloor},
		{Kind: "rough", Options: Options{Steepness: 40}, Layers: 1, Floor: roughFloor},
	}
}
