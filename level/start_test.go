package level

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

func TestStarts(t *testing.T) {
	l := Level{Markers: []Marker{
		{Kind: "door", Hull: []geom.Vec{{X: 9}}},
		{Kind: KindStart, Hull: []geom.Vec{{X: 1, Y: 2, Z: 3}}},
		{Kind: KindStart},
		{Kind: KindStart, Hull: []geom.Vec{{X: 1}, {X: 3}, {X: 1, Y: 4}, {X: 3, Y: 4}}},
	}}
	if got, want := l.Starts(), []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 2, Y: 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
