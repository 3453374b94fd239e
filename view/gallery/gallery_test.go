package gallery_test

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/view/gallery"
)

// printed is what the examples print.
var printed = map[string]string{
	"firstpath": "17 regions, a path of 19.66 m\n",
	"doors":     "with the key 15.05 m, without it 28.44 m\n",
	"crates":    "12.00 m before the crate, 13.03 m around it\n",
	"tower":     "282 regions in one piece: true\n",
	"terrain":   "road: 2707 m²\nfloor: 92 m²\ngrass: 10343 m²\nmud: 1088 m²\ngravel: 84 m²\nwater: 1595 m²\n",
	"radii":     "the cart has less floor: true\n",
	"doorway":   "20 of 20 are on the other side\n",
	"growth":    "41 regions by pasfv\n",
	"duel":      "hertelmehlhorn: 264 regions\nbest: 250 regions\n",
	"quake":     "208.1 m² of floor around the pillar\n",
	"dungeon":   "19 regions, a path of 14.95 m\n",
	"links":     "the way to the gallery takes a ladder\n",
	"tiles":     "the same floor: true, the same path: true\n",
	"rays":      "the ray hits: true; a wall is near: true\n",
	"keep":      "16 regions, and 16 after loading\n",
}

// TestExamples runs every example in Go: each prints what it promises.
func TestExamples(t *testing.T) {
	list := gallery.List()
	if len(list) < 15 {
		t.Errorf("%d examples", len(list))
	}
	for _, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			var out strings.Builder
			if err := e.Run(t.Context(), &out); err != nil {
				t.Fatal(err)
			}
			if want, ok := printed[e.Name]; !ok || out.String() != want {
				t.Errorf("prints %q, want %q", out.String(), want)
			}
			if !strings.Contains(e.Go, "func ") || e.Title == "" || e.Text == "" || len(e.Steps) == 0 {
				t.Errorf("an incomplete example: %+v", e)
			}
		})
	}
}
