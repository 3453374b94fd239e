package draw

import (
	"slices"
	"strings"
	"unicode"

	"github.com/meadow-nav/meadow/navmesh"
)

// grounds are colours that one knows what ground is meant by, by words in the names of areas.
var grounds = []struct {
	words []string
	color Color
}{
	{[]string{"shallow", "ford"}, Color{128, 204, 214, 255}},
	{[]string{"water", "river", "lake", "sea", "pool"}, Color{74, 144, 217, 255}},
	{[]string{"grass", "meadow", "lawn", "park", "field"}, Color{98, 190, 135, 255}},
	{[]string{"vegetation", "forest", "wood", "bush", "tree"}, Color{62, 140, 90, 255}},
	{[]string{"crosswalk", "crossing", "zebra"}, Color{247, 197, 95, 255}},
	{[]string{"sidewalk", "pavement"}, Color{214, 190, 160, 255}},
	{[]string{"path", "footpath", "trail"}, Color{190, 160, 110, 255}},
	{[]string{"road", "street", "asphalt", "track"}, Color{128, 134, 148, 255}},
	{[]string{"mud", "dirt", "soil", "earth", "swamp"}, Color{150, 106, 74, 255}},
	{[]string{"sand", "beach", "desert"}, Color{233, 214, 116, 255}},
	{[]string{"gravel", "rock", "stone"}, Color{176, 164, 190, 255}},
	{[]string{"floor", "plank", "tile"}, Color{242, 158, 104, 255}},
	{[]string{"snow", "ice"}, Color{160, 214, 240, 255}},
	{[]string{"lava", "fire"}, Color{232, 90, 70, 255}},
}

// areaColors returns the colours of a mesh's areas: by their names, the first of two of a kind, and the others as they
// come.
func areaColors(m *navmesh.Mesh) [256]Color {
	var colors [256]Color
	taken := make([]bool, len(grounds))
	others := 0
	for a := range colors {
		if a < len(m.Areas) {
			if k := groundOf(m.Areas[a]); k >= 0 && !taken[k] {
				taken[k], colors[a] = true, grounds[k].color
				continue
			}
		}
		colors[a] = hues[others%len(hues)]
		others++
	}
	return colors
}

// groundOf returns which of grounds a name means, -1 for none.
func groundOf(name string) int {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	for k := range grounds {
		for _, w := range words {
			if slices.Contains(grounds[k].words, strings.TrimSuffix(w, "s")) || slices.Contains(grounds[k].words, w) {
				return k
			}
		}
	}
	return -1
}
