package terrain

import (
	"github.com/meadow-nav/meadow/level"
)

// Rules assign the ground of levels by the names of materials, and describe its use by agents. docs/formats/terrain.md
// describes a file of rules; [Parse] reads and [Rules.Write] writes such a file.
//
// [Rules.Validate] checks rules made by hand.
type Rules struct {
	// Plain names the ground that no group takes: area 0. Plain may be one of the Groups, else it is a group of its
	// own. Empty means [DefaultPlain].
	Plain string
	// Guess is the least confidence, above 0 and at most 1, for a guess: a material without a pattern then goes to the
	// group nearest to its name. 0 disables guesses.
	Guess float64
	// Groups are areas in order, from 1 on except the plain one. The first group with a pattern for a material takes
	// the material.
	Groups []Group
	// Methods are ways to move.
	Methods []Method
	// Crossings are special ways over the boundaries of groups.
	Crossings []Crossing
	// Paint are pictures and maps of the ground, which overrule the materials; where several overlap, the last wins.
	Paint []Paint
}

// DefaultPlain is the default name of the ground that no group takes.
const DefaultPlain = "ground"

// Place is a position in a file, from 1 on; zero for elements not read from a file.
type Place struct{ Line, Column int }

// Group is one kind of ground.
type Group struct {
	Name string
	// Patterns are globs for the names of materials and textures, see [Matches].
	Patterns []Pattern
	// Words are further words for this group, for guesses, besides its name.
	Words []string
	// Colors are the vertex colours of this group: #rrggbb, or one of the names of [ColorNames].
	Colors []string
	Place  Place
}

// Pattern is a glob and its place.
type Pattern struct {
	Glob string
	// Note becomes a comment in written files; Parse ignores comments.
	Note  string
	Place Place
}

// Method is a way to move: walk, drive, swim.
type Method struct {
	Name string
	// Includes names methods whose ground this method may use as well: an agent that flies may go wherever an agent
	// walks.
	Includes []string
	// Speed is in metres per second on groups without a speed of their own, above 0; 0 means unknown.
	Speed float64
	// Cost is the cost of a metre on ground available only through included methods, above 0; 0 means the least of
	// their costs.
	Cost float64
	// On lists the usable groups.
	On    []Use
	Place Place
}

// Use is the use of a group by a method.
type Use struct {
	Group string
	// Cost is the cost of a metre, above 0; 0 derives the cost from the speeds, or means 1 without speeds.
	Cost float64
	// Speed is in metres per second, above 0; 0 means the method's own.
	Speed float64
	Place Place
}

// Crossing is a special way from a group to another over their common boundary: a hop onto the kerb, a ford. A method
// with a crossing between two groups passes their boundaries only by crossings, in their directions; a method without
// one passes freely.
type Crossing struct {
	Name     string
	From, To string   // groups
	Methods  []string // methods that may cross, and all methods that include them
	Cost     float64  // 0 or more, in the unit of Use.Cost times a metre
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

// area returns the number of a group by its name; ok is false for an unknown name.
func (r *Rules) area(name string) (uint8, bool) {
	for i, n := range r.Areas() {
		if n == name && i < level.MaxAreas {
			return uint8(i), true
		}
	}
	return 0, false
}

// method returns the number of a method by its name, -1 for an unknown name.
func (r *Rules) method(name string) int {
	for i := range r.Methods {
		if r.Methods[i].Name == name {
			return i
		}
	}
	return -1
}

// Paint is a picture or a map of the ground. Files are named relative to the rules.
type Paint struct {
	// Mask is a PNG picture whose colours are groups, and Splat a picture whose channels are the weights of groups. Map
	// is a two-dimensional map: the names of its shapes, or the letters of its grid, are groups. Exactly one is set.
	Mask, Splat, Map string
	// Over is the rectangle of a picture on the ground: the least x and z, the greatest x and z, in metres. The
	// picture's upper left corner is at the least of both. Nil means the bounds of the level.
	Over *[4]float64
	// Tolerance is the maximum move of borders between colours for straightening, in metres; 0 keeps the borders of the
	// pixels. Maps ignore Tolerance.
	Tolerance float64
	// Legend assigns groups to colours, to channels (r, g, b, a), or to shapes by a glob of their names.
	Legend []Legend
	Place  Place
}

// Legend is a line of a legend.
type Legend struct {
	Key, Group string
	Place      Place
}
