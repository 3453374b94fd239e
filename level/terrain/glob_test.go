package terrain

import "testing"

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		glob, name, texture string
		want                bool
	}{
		{"grass", "grass", "", true},
		{"grass", "Grass", "", true},
		{"GRASS", "grass", "", true},
		{"grass", "grass01", "", false},
		{"grass*", "grass01", "", true},
		{"*grass*", "lush_grass_01", "", true},
		{"gr?ss", "grass", "", true},
		{"gr?ss", "grss", "", false},
		{"grass", "textures/base/grass", "", true}, // the last element
		{"base/grass", "textures/base/grass", "", false},
		{"*/base/*", "textures/base/grass", "", true},
		{"textures*ss", "textures/base/grass", "", true}, // a star takes slashes
		{"grass", "mat7", "tex/grass.png", true},         // the texture, without its extension
		{"grass.png", "mat7", "tex/grass.png", true},
		{"tex/grass", "mat7", `tex\grass.PNG`, true},
		{"mat7", "mat7", "tex/grass.png", true},
		{"grass", "", "", false},
		{"*", "", "", false},
		{"*", "x", "", true},
		{`a\*`, "a*", "", true},
		{`a\*`, "ab", "", false},
		{`a\?b`, "a?b", "", true},
		{"ü*", "Übergang", "", true},
		{"?", "ü", "", true},
		{"*a*b*c", "xxaxxbxxc", "", true},
		{"*a*b*c", "xxaxxbxx", "", false},
		{"[ab]", "a", "", false}, // brackets are literal
		{"[ab]", "[ab]", "", true},
	} {
		if got := Matches(c.glob, c.name, c.texture); got != c.want {
			t.Errorf("%q, %q with %q: got %v", c.glob, c.name, c.texture, got)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, name := range []string{"grass", "what*?", `a\b`, "[x]", "tex/a.png"} {
		g := literal(name)
		if s := faultOfGlob(g); s != "" {
			t.Errorf("%q: pattern %q %s", name, g, s)
		}
		if !Matches(g, name, "") || Matches(g, name+"x", "") {
			t.Errorf("%q: pattern %q does not match just this", name, g)
		}
	}
}
