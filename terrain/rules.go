package terrain

import (
	"github.com/meadow-nav/meadow/level"
)

// Rules say what the ground of levels is, by the names of its materials, and who may cross it. A file of
// rules is described in docs/formats/terrain.md; [Parse] reads one and [Rules.Write] writes it.
//
// Rules made by hand are checked by [Rules.Validate].
type Rules struct {
	// Plain names the ground that no group takes: that is area 0. It may be one of the Groups, else it is
	// a group of its own. Empty means [DefaultPlain].
	Plain string
	// Guess is the least confidence, above 0 and at most 1, with which a material that no pattern takes goes
	// to the group that its name is nearest to; 0 guesses nothing.
	Guess float64
	// Groups are areas in their order, from 1 on but for the plain one. The first that has a pattern for a
	// material takes it.
	Groups []Group
	// Methods are ways to move.
	Methods []Method
	// Crossings are what happens on the boundaries of groups.
	Crossings []Crossing
	// Paint are pictures and maps that say what the ground is, over the materials; of several that speak of
	// a place the last is right.
	Paint []Paint
}

// DefaultPlain is the name of the ground that no group takes, where the rules have no other.
const DefaultPlain = "ground"

// Place is where something stands in a file, from 1 on; zero for what was not read from one.
type Place struct{ Line, Column int }

// Group is one kind of ground.
type Group struct {
	Name string
	// Patterns are globs for the names of materials and textures, see [Matches].
	Patterns []Pattern
	// Words are words that mean this group, for guesses, besides its name.
	Words []string
	// Colors are those of vertices that mean this group: #rrggbb, or one of the names of [ColorNames].
	Colors []string
	Place  Place
}

// Pattern is a glob and where it stands.
type Pattern struct {
	Glob string
	// Note becomes a comment in files that are written; it is not read.
	Note  string
	Place Place
}

// Method is a way to move: walk, drive, swim.
type Method struct {
	Name string
	// Includes names methods whose ground this one may use as well: who may fly may go where one walks.
	Includes []string
	// Speed is in metres per second where a group has no other, above 0; 0 says nothing of speeds.
	Speed float64
	// Cost is what a metre costs on ground that it has only because it includes others, above 0; 0 is the least
	// of theirs.
	Cost float64
	// On says which groups it may use.
	On    []Use
	Place Place
}

// Use is what a method makes of a group.
type Use struct {
	Group string
	// Cost is what a metre costs, above 0; 0 means as much as follows from the speeds, and 1 without any.
	Cost float64
	// Speed is in metres per second, above 0; 0 means the method's own.
	Speed float64
	Place Place
}

// Crossing is a special way to get from a group to another one on the boundary that they share: a hop
// onto the kerb, a ford. Where a method has a crossing between two groups it goes over their boundaries by
// crossings only, and in their directions; where it has none it goes over freely.
type Crossing struct {
	Name     string
	From, To string   // groups
	Methods  []string // who may; whoever includes them may as well
	Cost     float64  // what it costs, 0 or more, in the unit of Use.Cost times a metre
	OneWay   bool     // only from From to To
	Place    Place
}

// plain returns the name of area 0.
func (r *Rules) plain() string {
	if r.Plain == "" {
		return DefaultPlain
	}
	return r.Plain
}

// Areas returns the names of the areas by number: plain ground first, then the groups in their order.
func (r *Rules) Areas() []string {
	names := []string{r.plain()}
	for i := range r.Groups {
		if n := r.Groups[i].Name; n != names[0] {
			names = append(names, n)
		}
	}
	return names
}

// area returns the number of a group by its name, and false when there is none.
func (r *Rules) area(name string) (uint8, bool) {
	for i, n := range r.Areas() {
		if n == name && i < level.MaxAreas {
			return uint8(i), true
		}
	}
	return 0, false
}

// method returns the number of a method by its name, -1 when there is none.
func (r *Rules) method(name string) int {
	for i := range r.Methods {
		if r.Methods[i].Name == name {
			return i
		}
	}
	return -1
}

// Paint is a picture or a map that says what the ground is. Files are named relative to the rules.
type Paint struct {
	// Mask is a PNG picture whose colours are groups, Splat one whose channels are the weights of groups, and
	// Map a two-dimensional map whose shapes are groups by their names, or a grid by its letters. One of them.
	Mask, Splat, Map string
	// Over is the rectangle of the ground that a picture lies on: the least x and z, the greatest x and z, in
	// metres. Its upper left corner is at the least of both. Nil means the bounds of the level.
	Over *[4]float64
	// Tolerance is how far borders between colours may be moved to be straight, in metres; 0 keeps those of the
	// pixels. Maps have no use for it.
	Tolerance float64
	// Legend says which group a colour, a channel (r, g, b, a), or a shape by a glob of its names is.
	Legend []Legend
	Place  Place
}

// Legend is a line of a legend.
type Legend struct {
	Key, Group string
	Place      Place
}
