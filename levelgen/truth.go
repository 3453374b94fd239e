package levelgen

import "github.com/meadow-nav/meadow/geom"

// Truth is what is known of a level beforehand, by geometry on paper and without any of our own
// algorithms. It holds for the kind with its default options.
type Truth struct {
	Kind string
	// Layers is the greatest number of reachable floors above each other. No extractor can do with
	// fewer layers; one that fills layers in some order may need more.
	Layers int
	Routes []Route
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
		{"stairs", 2, []Route{
			{"up", 0.4, at(-4, -2, 0), at(-4, 2, 3), 15.0797},
			{"up", 0.6, at(-4, -2, 0), at(-4, 2, 3), 15.6267},
		}},
		{"spiral", 3, []Route{
			{"up", 0.4, at(5, -3.75, 0), at(1.5, 5, 6), 27.6695},
			{"up", 0.6, at(5, -3.75, 0), at(1.5, 5, 6), 30.0456},
		}},
		{"bridge", 2, []Route{
			{"over", 0.4, at(-30, 0, 0.125), at(30, 0, 0.125), 60},
			{"under", 0.4, at(0, -15, 0), at(0, 15, 0), 30},
			{"up", 0.4, at(-2, -12, 0), at(0, 0, 5), 53.1042},
			{"up", 0.6, at(-2, -12, 0), at(0, 0, 5), 53.6474},
		}},
		{"carpark", 4, []Route{
			{"to the top", 0.4, at(20, 9, 0), at(20, 9, 9), 154.0933},
			{"to the top", 0.6, at(20, 9, 0), at(20, 9, 9), 157.7503},
		}},
		{"arch", 2, []Route{
			{"over", 0.4, at(-20, 0, 0), at(20, 0, 0), 40},
			{"through", 0.4, at(0, -12, 0), at(0, 12, 0), 24},
			{"up", 0.4, at(-2, -10, 0), at(0, 0, 4.5), 33.1502},
			{"up", 0.6, at(-2, -10, 0), at(0, 0, 4.5), 33.6643},
		}},
	}
}
