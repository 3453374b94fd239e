package levelgen

import "github.com/meadow-nav/meadow/geom"

// Truth is what is known of a level beforehand, by geometry on paper and without any of our own
// algorithms.
type Truth struct {
	Kind    string
	Options Options // of the level
	// Layers is the greatest number of reachable floors above each other. No extractor can do with
	// fewer layers; one that fills layers in some order may need more.
	Layers int
	Routes []Route // at fixed radii
	// Floor tells the floor for an agent with a radius that steps over gaps up to a width, both in
	// metres. The agent has height 1.8 and climb 0.4, or height 2 and climb 0.9, and slope 45°.
	// The result is false where paper gives no answer: the maker of the kind names the radii. Nil
	// for a level of which only Routes are known.
	Floor func(radius, gap float64) (Floor, bool)
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
	// Area of the places for the agent's centre in m², measured horizontally, with true arcs around
	// corners. Places over gaps that the agent steps over count.
	Area float64
	// Turn is the sum of the angles of these arcs, in radians.
	Turn float64
}

// Least returns the smallest area in m² that a storey has where borders around corners lie in the
// free floor by up to a distance of slack (m) beyond the arcs of the radius (m).
func (s Storey) Least(radius, slack float64) float64 {
	return s.Area - float64(s.Turn*(float64(radius*slack)+slack*slack/2))
}

// Route is a pair of places in the only component of a level, and how far it is between them.
type Route struct {
	Name string
	// Radius of the agent in metres. Height 1.8 and climb 0.4, or height 2 and climb 0.9: nothing
	// in these levels tells them apart. Slope 45°.
	Radius      float64
	Start, Goal geom.Vec
	// Length is that of the shortest path of the agent's centre, measured horizontally, where the
	// border of the free space is a true arc around every corner. In metres, to 0.1 mm.
	Length float64
}

// Truths returns the known truths. How each was derived is told at the function that makes the kind.
func Truths() []Truth {
	at := geom.FromGround
	return []Truth{
		{Kind: "stairs", Layers: 2, Routes: []Route{
			{"up", 0.4, at(-4, -2, 0), at(-4, 2, 3), 15.0797},
			{"up", 0.6, at(-4, -2, 0), at(-4, 2, 3), 15.6267},
		}},
		{Kind: "spiral", Layers: 3, Routes: []Route{
			{"up", 0.4, at(5, -3.75, 0), at(1.5, 5, 6), 27.6695},
			{"up", 0.6, at(5, -3.75, 0), at(1.5, 5, 6), 30.0456},
		}},
		{Kind: "bridge", Layers: 2, Routes: []Route{
			{"over", 0.4, at(-30, 0, 0.125), at(30, 0, 0.125), 60},
			{"under", 0.4, at(0, -15, 0), at(0, 15, 0), 30},
			{"up", 0.4, at(-2, -12, 0), at(0, 0, 5), 53.1042},
			{"up", 0.6, at(-2, -12, 0), at(0, 0, 5), 53.6474},
		}},
		{Kind: "carpark", Layers: 4, Routes: []Route{
			{"to the top", 0.4, at(20, 9, 0), at(20, 9, 9), 154.0933},
			{"to the top", 0.6, at(20, 9, 0), at(20, 9, 9), 157.7503},
		}},
		{Kind: "arch", Layers: 2, Routes: []Route{
			{"over", 0.4, at(-20, 0, 0), at(20, 0, 0), 40},
			{"through", 0.4, at(0, -12, 0), at(0, 12, 0), 24},
			{"up", 0.4, at(-2, -10, 0), at(0, 0, 4.5), 33.1502},
			{"up", 0.6, at(-2, -10, 0), at(0, 0, 4.5), 33.6643},
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
