package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestSlitsAreNotTurnedOver verifies that a floor keeps its turns where smoothing would make the sides of a slit cross.
// Other floors are smoothed.
func TestSlitsAreNotTurnedOver(t *testing.T) {
	slit := ring(
		-5532, 3440, -3277, -1321, -3275, -1326, -3273, -1326, -2026, -3960, -2026, -3962, -1608, -3525, -1315, -3313, -1314, -3312,
		-1205, -3234, -2956, 462, -2956, 464, -2955, 464, -2959, 472, -2958, 472, -2954, 464, -1203, -3233, -1202, -3233, -1168, -3304,
		-591, -2791, 887, -1723, 889, -1723, 2223, -3224, 2223, -3226, 841, -4668, 5952, -4668, 4367, -3350, 3032, -1731, 3032, -1729,
		4553, 193, 4532, 268, 4532, 270, 4534, 270, 4640, 303, 5858, 1843, -3277, 1843, -3277, 1519, -3279, 1519, -3437, 1483,
		-3281, 1154, -3281, 1152, -3283, 1152, -3464, 1535, -3464, 1537, -4574, 3882,
	)
	if err := (lattice.Polygon{Rings: []lattice.Ring{slit}}).Validate(); err != nil {
		t.Fatal(err)
	}
	if hasty := turns(smoothed(slit, false)); turns(slit) != 1 || hasty == 1 {
		t.Fatalf("the slit turns around %d times, hastily smoothed %d times", turns(slit), hasty)
	}
	if careful := smoothed(slit, true); turns(careful) != 1 || len(careful) > len(slit)-10 {
		t.Errorf("carefully smoothed, the slit turns around %d times and has %d of %d corners", turns(careful), len(careful), len(slit))
	}
	e := &extraction{arcs: OffsetTolerance * lattice.UnitsPerMetre}
	in, err := e.movedIn([]lattice.Polygon{{Rings: []lattice.Ring{slit}}}, 0.1*lattice.UnitsPerMetre)
	if err != nil {
		t.Fatal(err)
	}
	held := false
	for _, p := range in {
		held = held || p.Contains(lattice.Point{})
	}
	if !held {
		t.Errorf("no floor remains around a place 0.4 m from the border: %v", in)
	}
	bent := ring(0, 0, 2500, 1, 5000, 0, 5000, 5000, 0, 5000)
	if got := smooth([]lattice.Polygon{{Rings: []lattice.Ring{bent}}}); len(got[0].Rings[0]) != 4 {
		t.Errorf("a bend of a unit stays: %v", got[0].Rings[0])
	}
}

// TestTurns counts the turns of rings with loops and with edges that run back.
func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		ring lattice.Ring
		want int
	}{
		"square":             {ring(0, 0, 9, 0, 9, 9, 0, 9), 1},
		"hole":               {ring(0, 9, 9, 9, 9, 0, 0, 0), -1},
		"eight":              {ring(0, 0, 9, 9, 9, 0, 0, 9), 0},
		"twice":              {ring(0, 0, 9, 0, 9, 9, 0, 9, 1, 1, 8, 1, 8, 8, 1, 8), 2},
		"notch":              {ring(0, 0, 9, 0, 9, 9, 5, 9, 5, 2, 4, 9, 0, 9), 1},
		"diamond":            {ring(0, -5, 5, 0, 0, 5, -5, 0), 1},
		"star that turns in": {ring(0, 0, 9, 1, 10, 10, 8, 2), 1},
	} {
		if got := turns(c.ring); got != c.want {
			t.Errorf("%s: %d turns, want %d", name, got, c.want)
		}
	}
}
