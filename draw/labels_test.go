package draw

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// TestLegible: of overlapping labels with a rank the greatest stays, labels without one always stay, and all that stay by rank keep
// clear of each other.
func TestLegible(t *testing.T) {
	list := List{Points: []Point{{P: geom.Vec{}, Radius: 1}, {P: geom.Vec{X: 100, Z: 100}, Radius: 1}}}
	at := func(x float64, rank float64) Label {
		return Label{P: geom.Vec{X: x, Z: 50}, Text: "123", Rank: rank, Align: AlignMiddle}
	}
	list.Labels = []Label{at(50, 1), at(50.5, 3), at(51, 2), at(50.2, 0), at(80, 1), {P: geom.Vec{X: 50, Z: 50}, Text: "sized", Size: 12}}
	camera, err := NewCamera(&list, View{Width: 400, Height: 400})
	if err != nil {
		t.Fatal(err)
	}
	if got := camera.Legible(list.Labels); !slices.Equal(got, []int{1, 3, 4, 5}) {
		t.Errorf("labels %v stay", got)
	}

	var many []Label
	for i := range 1000 {
		many = append(many, Label{P: geom.Vec{X: float64(i * 37 % 101), Z: float64(i * 61 % 97)}, Text: "123"[:1+i%3], Rank: float64(1 + i*7%13)})
	}
	kept := camera.Legible(many)
	for _, i := range kept {
		x, y := camera.Remark(&many[i])
		for _, j := range kept {
			u, v := camera.Remark(&many[j])
			if i < j && x < u+letterWidth*float64(len(many[j].Text)) && u < x+letterWidth*float64(len(many[i].Text)) && max(y-v, v-y) < letterHeight-letterHeight/2 {
				t.Errorf("labels %d and %d overlap", i, j)
			}
		}
	}
	if len(kept) < 50 || len(kept) > 600 {
		t.Errorf("%d of 1000 labels stay", len(kept))
	}
}
