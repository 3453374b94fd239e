package draw

import (
	"slices"
	"strings"
	"unicode"

	"github.com/meadow-nav/meadow/navmesh"
)

// grounds are familiar colours of grounds, by words in the names of areas.
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

// areaColors returns the colours of the areas that regions of a mesh are of: by their names, the first of two of a kind,
// and for the others one hue after the other that no name has given yet.
func areaColors(m *navmesh.Mesh) [256]Color {
	used := usedAreas(m)
	var colors [256]Color
	var known [256]bool
	taken := map[Color]bool{} // looked up only
	for a, name := range m.Areas[:min(len(m.Areas), len(used))] {
		if k := groundOf(name); used[a] && k >= 0 && !taken[grounds[k].color] {
			colors[a], known[a], taken[grounds[k].color] = grounds[k].color, true, true
		}
	}
	var free []Color // never empty: only some of the hues are a ground's
	for _, h := range hues {
		if !taken[h] {
			free = append(free, h)
		}
	}
	others := 0
	for a := range colors {
		if used[a] && !known[a] {
			colors[a] = free[others%len(free)]
			others++
		}
	}
	return colors
}

// usedAreas tells which areas some region of a mesh is of.
func usedAreas(m *navmesh.Mesh) (used [256]bool) {
	for i := range m.Tiles {
		for k := range m.Tiles[i].Regions {
			used[m.Tiles[i].Regions[k].Area] = true
		}
	}
	return used
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
