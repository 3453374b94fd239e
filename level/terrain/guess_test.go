package terrain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/lexicon"
)

func TestTokens(t *testing.T) {
	for name, want := range map[string]string{
		"":                                 "",
		"0123_45":                          "",
		"grass":                            "grass",
		"tex_grass_01.dds":                 "tex grass",
		"SidewalkConcreteB":                "sidewalk concrete b",
		"base_floor/concrete3":             "base floor concrete",
		"base_floor\\concrete3.TGA":        "base floor concrete",
		"HTMLRoad":                         "html road",
		"roadHTML":                         "road html",
		"e8cretefloor01b":                  "e crete floor b",
		"textures/q3j/e8clangfloorred":     "textures q j e clang floor red",
		"woodceiling1a":                    "wood ceiling a",
		"rocketlauncher":                   "rocket",
		"sandwich":                         "sandwich",
		"surface=paving_stones":            "surface paving stones",
		"Straße.NORMAL":                    "straße normal",
		"木の床":                              "木の床",
		strings.Repeat("x", 100) + "grass": strings.Repeat("x", 100) + "grass",
	} {
		var got []string
		for _, w := range tokens(name) {
			got = append(got, w.word)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: got %q, want %q", name, s, want)
		}
	}
	got := tokens("a/b/c_d")
	if want := []nameWord{{"a", 2}, {"b", 1}, {"c", 0}, {"d", 0}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func groupsOf(names ...string) []Group {
	groups := make([]Group, len(names))
	for i, n := range names {
		groups[i].Name = n
	}
	return groups
}

// taken returns the name of the group that takes a material, empty for none.
func taken(groups []Group, name, texture string) (string, guess) {
	g := newGuesser(groups, DefaultPlain).guess(name, texture)
	if g.group < 0 || g.group == len(groups) {
		return "", g
	}
	return groups[g.group].Name, g
}

func TestGuess(t *testing.T) {
	usual := Default().Groups
	for _, c := range []struct {
		groups              []Group
		name, texture, want string
	}{
		{usual, "asphalt_road", "", "road"},
		{usual, "SidewalkConcreteB", "", "sidewalk"},
		{usual, "base_floor/concrete3", "", "floor"},
		{usual, "concrete_wall", "", ""},
		{usual, "grass_wall", "", ""},
		{usual, "stone_road_03", "", "road"},
		{usual, "wood_floor", "", "floor"},
		{usual, "cross-walk", "", "crosswalk"},
		{usual, "dirt_road", "", "path"},
		{usual, "highway=footway", "", "sidewalk"},
		{usual, "shallow_water", "", "shallow"},
		{usual, "textures/common/clip", "", ""},
		{usual, "textures/skies/earthsky01", "", ""},
		{usual, "billabong", "", "water"}, // from WordNet
		{usual, "Hedgerow", "", "vegetation"},
		{usual, "Material.003", "tex/grass_lush.png", "grass"},
		{usual, "road", "concrete.png", "road"},
		{usual, "wall", "grass.png", "grass"}, // a wall painted with grass is no wall
		{usual, "xyzzy", "", ""},
		{usual, "", "", ""},
		// A concept without a group goes to the next more general concept with a group, or to another word.
		{groupsOf("dirt", "water"), "mud", "", "dirt"},
		{groupsOf("dirt", "mud"), "mud", "", "mud"},
		{groupsOf("wood", "metal"), "wood_floor", "", "wood"},
		{groupsOf("grass"), "grass_wall", "", ""},
		{groupsOf("Deep Water", "Shallow water"), "wading_pool", "", "Shallow water"},
		{groupsOf("Highways"), "tarmac", "", "Highways"},
		{groupsOf("lawn", "grass"), "lawn_02", "", "lawn"},
		{nil, "grass", "", ""},
	} {
		if got, g := taken(c.groups, c.name, c.texture); got != c.want {
			t.Errorf("%q with %q: got %q (%+v), want %q", c.name, c.texture, got, g, c.want)
		}
	}
}

func TestOwnWordsWin(t *testing.T) {
	groups := []Group{{Name: "grass"}, {Name: "no go", Words: []string{"lawn", "kraut und rüben"}}}
	got, g := taken(groups, "mown_lawn", "")
	if got != "no go" || g.confidence != ownConfidence || g.concept != "" {
		t.Errorf("got %q, %+v", got, g)
	}
	_, other := taken(groups, "meadow", "")
	if other.confidence >= g.confidence {
		t.Errorf("a concept is as sure, %g, as an own word, %g", other.confidence, g.confidence)
	}
	if got, _ := taken([]Group{{Name: "x", Words: []string{"xyzzy plugh"}}}, "xyzzy_plugh.png", ""); got != "x" {
		t.Errorf("got %q", got)
	}
}

// TestGuessIsBounded guesses names of random words and letters.
func TestGuessIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	usual := Default().Groups
	g := newGuesser(usual, DefaultPlain)
	pieces := []string{"grass", "wall", "road", "x", "9", "_", "/", "Concrete", "dirty", "é", ".png", "water", "dark", "\\", "", "oak"}
	found := 0
	for range 3000 {
		name := ""
		for range r.IntN(6) {
			name += pieces[r.IntN(len(pieces))]
		}
		x := g.guess(name, "")
		switch {
		case x.group < -1 || x.group > len(usual):
			t.Fatalf("%q: group %d", name, x.group)
		case x.word == "" && (x.confidence != 0 || x.group >= 0):
			t.Fatalf("%q: nothing is found, and %+v", name, x)
		case x.word != "" && !(x.confidence > 0 && x.confidence <= 1):
			t.Fatalf("%q: %+v", name, x)
		}
		if x.group >= 0 {
			found++
		}
	}
	if found < 300 {
		t.Errorf("%d of 3000 names have a group", found)
	}
}

func TestJoinsDoNotMatter(t *testing.T) {
	g := newGuesser(Default().Groups, DefaultPlain)
	want := g.guess("old_park_road", "")
	for _, name := range []string{"OldParkRoad", "old-park-road", "OLD PARK ROAD", "old_park_road_07.dds", "2old3park4road5", "oldParkROAD.PNG"} {
		if got := g.guess(name, ""); got != want {
			t.Errorf("%q: got %+v, want %+v", name, got, want)
		}
	}
}

func TestGuessesAreIndependent(t *testing.T) {
	names := []string{"grass", "asphalt", "mud_wall", "concrete_floor"}
	usual := Default().Groups
	g := newGuesser(usual, DefaultPlain)
	var want []guess
	for _, n := range names {
		want = append(want, newGuesser(usual, DefaultPlain).guess(n, ""))
	}
	for i := range names {
		k := len(names) - 1 - i
		if got := g.guess(names[k], ""); got != want[k] {
			t.Errorf("%q: got %+v, want %+v", names[k], got, want[k])
		}
	}
}

func TestConceptsHaveGroups(t *testing.T) {
	g := newGuesser(Default().Groups, DefaultPlain)
	for _, c := range lexicon.Concepts() {
		group, _ := g.nearest(&c)
		ground := c.Kind == lexicon.Use || c.Kind == lexicon.Cover
		if ground && group < 0 {
			t.Errorf("no usual group has the concept %s", c.Name)
		}
		if c.Kind == lexicon.Other && group >= 0 {
			t.Errorf("%s, which is no ground, is in a group", c.Name)
		}
	}
}
