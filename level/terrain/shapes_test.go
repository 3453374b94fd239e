package terrain

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/level"
)

func box(x, y, size float64) [][][2]float64 {
	return [][][2]float64{{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}}
}

func TestClassifyShapes(t *testing.T) {
	r := parse(t, `terrain: 1
guess: 0.6
groups:
  - {name: road, patterns: ["highway=*"]}
  - {name: grass}
  - {name: rail, patterns: none}
methods:
  - {name: walk, on: [road, grass]}
`)
	painted, report := ClassifyShapes("town", []Shape{
		{Names: []string{"A1", "highway=primary"}, Rings: box(0, 0, 2)},
		{Names: []string{"park", "Layer 7"}, Rings: box(5, 0, 1)},
		{Names: []string{"xyzzy", "meadow"}, Rings: box(7, 0, 1)},
		{Names: []string{"A1", "highway=primary"}, Rings: box(9, 0, 1)},
		{Names: []string{"house"}, Rings: box(11, 0, 3)},
		{Rings: box(20, 0, 1)},
	}, r)
	want := []level.Painted{
		{Area: 1, Rings: box(0, 0, 2)},
		{Area: 2, Rings: box(7, 0, 1)},
		{Area: 1, Rings: box(9, 0, 1)},
	}
	// "park" has another meaning, and its confidence is too low.
	if d := cmp.Diff(want, painted); d != "" {
		t.Error(d)
	}
	if want := []float64{11, 5, 1, 0}; !slices.Equal(report.Areas, want) {
		t.Errorf("areas %v, want %v", report.Areas, want)
	}
	if len(report.Rows) != 5 || report.Rows[0].Ground != 5 || report.Rows[0].Word != "highway=*" {
		t.Errorf("%+v", report.Rows)
	}
	told := `terrain: f: no group takes "park", "house", surfaces without a name: 11.0 m² are "ground", which nobody may use
terrain: f:6:28: group "rail": pattern "none" matches nothing in map "town": it has no effect
`
	if got := warnings(report); got != told {
		t.Errorf("warnings:\n%swant:\n%s", got, told)
	}
}
