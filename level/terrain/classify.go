package terrain

import (
	"fmt"
	"math"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// How is the reason for a group.
type How uint8

// The reasons.
const (
	Unknown   How = iota // no reason: plain ground
	ByPattern            // a pattern of the rules
	ByWord               // a guess by name
	ByColor              // the colours of vertices
)

// String returns the name of h.
func (h How) String() string {
	return [...]string{"nothing", "pattern", "word", "colour"}[min(h, ByColor)]
}

// Row is the result for a material.
type Row struct {
	Material int32 // index into the level's materials, level.NoMaterial for triangles without a material
	Name     string
	Texture  string
	Area     uint8
	How      How
	// Word is the matching pattern, or the decisive word of the name, also if the word means no ground: a wall, a sky.
	// Concept is the meaning of the word.
	Word, Concept string
	// Confidence is 1 for a pattern, lower for guesses, and 0 for unknown names.
	Confidence float64
	Triangles  int
	// Ground is the area facing up, within 45°, in square metres.
	Ground float64
	// Colored is the part of Ground moved to other groups by vertex colours.
	Colored float64
}

// Report is the result of rules on a level.
type Report struct {
	Rows []Row // by material; last, if present, triangles without a material
	// Areas is the ground of each area by number, in square metres, without painted ground.
	Areas    []float64
	Warnings []Fault
}

// steepest is the maximum slope of ground in reports.
const steepest = 45 // degrees

// Classify returns the ground of a level by valid rules: an area for every triangle. A material belongs to the first
// group with a pattern for its name or texture. Without a pattern the vertex colours decide, if groups have colours,
// else the name, if rules guess. Painted ground is ignored, see [Painter]. The level is not changed. A level with a fault has no ground.
//
// Time O(triangles + materials × patterns).
func Classify(lvl *level.Level, r *Rules) (*level.Ground, Report) {
	if lvl.Validate() != nil {
		lvl = new(level.Level)
	}
	c := newClassifier(r, fmt.Sprintf("level %q", lvl.Name))
	c.lvl = lvl
	c.materials()
	c.learnColors()
	g := &level.Ground{Names: c.names, Triangles: make([]uint8, len(lvl.Triangles))}
	for i := range lvl.Triangles {
		g.Triangles[i] = c.triangle(i)
	}
	if n := len(lvl.Materials); c.report.Rows[n].Triangles == 0 {
		c.report.Rows = c.report.Rows[:n]
	}
	c.warn()
	return g, c.report
}

// classifier finds groups by names.
type classifier struct {
	rules   *Rules
	what    string   // name of the level or map, for messages
	names   []string // of areas
	areas   []uint8  // by group
	guesses *guesser
	lvl     *level.Level // nil for maps
	colors  []sample
	report  Report
	// overlaps counts materials by their two matching patterns, in the order of first occurrence.
	overlaps []overlap
	matched  [][]bool // by group and pattern
}

// overlap is a pair of patterns of different groups that match the same materials.
type overlap struct {
	first, second [2]int // group and pattern
	material      string // the first matching material
	count         int
}

func newClassifier(r *Rules, what string) *classifier {
	if r == nil {
		r = new(Rules)
	}
	c := &classifier{rules: r, what: what, names: r.Areas()}
	for i := range r.Groups {
		a, _ := r.area(r.Groups[i].Name)
		c.areas = append(c.areas, a)
		c.matched = append(c.matched, make([]bool, len(r.Groups[i].Patterns)))
	}
	c.report.Areas = make([]float64, len(c.names))
	c.guesses = newGuesser(r.Groups, c.names[0])
	c.areas = append(c.areas, 0) // plain ground, if not among the groups
	return c
}

func (c *classifier) materials() {
	for i := range c.lvl.Materials {
		m := &c.lvl.Materials[i]
		row := Row{Material: int32(i), Name: m.Name, Texture: m.Texture}
		matches := func(glob string) bool { return Matches(glob, m.Name, m.Texture) }
		c.classify(&row, matches, func() guess { return c.guesses.guess(m.Name, m.Texture) })
		c.report.Rows = append(c.report.Rows, row)
	}
	c.report.Rows = append(c.report.Rows, Row{Material: level.NoMaterial})
}

// classify finds the group of a row by patterns, else by a guess.
func (c *classifier) classify(row *Row, matches func(glob string) bool, guessed func() guess) {
	if group, pattern := c.pattern(row.Name, matches); group >= 0 {
		row.Area, row.How = c.areas[group], ByPattern
		row.Word, row.Confidence = c.rules.Groups[group].Patterns[pattern].Glob, 1
		return
	}
	g := guessed()
	row.Word, row.Concept, row.Confidence = g.word, g.concept, g.confidence
	if g.group >= 0 && c.rules.Guess > 0 && g.confidence >= c.rules.Guess {
		row.Area, row.How = c.areas[g.group], ByWord
	}
}

// pattern returns the first pattern that matches, and records matches of other groups.
func (c *classifier) pattern(name string, matches func(glob string) bool) (group, pattern int) {
	group, pattern = -1, -1
	for i := range c.rules.Groups {
		met := false
		for k, p := range c.rules.Groups[i].Patterns {
			if !matches(p.Glob) {
				continue
			}
			c.matched[i][k] = true
			switch {
			case group < 0:
				group, pattern = i, k
			case i != group && !met:
				c.overlap([2]int{group, pattern}, [2]int{i, k}, name)
			}
			met = true
		}
	}
	return group, pattern
}

func (c *classifier) overlap(first, second [2]int, material string) {
	for i := range c.overlaps {
		if o := &c.overlaps[i]; o.first == first && o.second == second {
			o.count++
			return
		}
	}
	c.overlaps = append(c.overlaps, overlap{first, second, material, 1})
}

// triangle returns the area of a triangle and adds it to the report.
func (c *classifier) triangle(i int) uint8 {
	t := c.lvl.Triangles[i]
	k := int(t.Material)
	if t.Material == level.NoMaterial {
		k = len(c.lvl.Materials)
	}
	row := &c.report.Rows[k]
	row.Triangles++
	area, byColor := row.Area, false
	if row.How != ByPattern {
		if a, ok := c.byColor(t); ok {
			area, byColor = a, true
		}
	}
	va, vb, vc := c.lvl.Vertices[t.A], c.lvl.Vertices[t.B], c.lvl.Vertices[t.C]
	n := vb.Sub(va).Cross(vc.Sub(va))
	if size := n.Norm(); n.Y > 0 && n.Y >= size*math.Cos(geom.Degrees(steepest)) {
		row.Ground += size / 2
		c.report.Areas[area] += size / 2
		if byColor {
			row.Colored += size / 2
		}
	}
	return area
}

// maxTold is the maximum number of names in a warning.
const maxTold = 4

// warn adds warnings for effects of the rules that their author may not expect.
func (c *classifier) warn() {
	w := Faults{}
	for i := range c.rules.Groups {
		g := &c.rules.Groups[i]
		for k, p := range g.Patterns {
			if !c.matched[i][k] {
				w.add(p.Place, named("group", i, g.Name), "pattern %q matches nothing in %s: it has no effect", p.Glob, c.what)
			}
		}
	}
	for _, o := range c.overlaps {
		a, b := &c.rules.Groups[o.first[0]], &c.rules.Groups[o.second[0]]
		p := b.Patterns[o.second[1]]
		more := ""
		if o.count > 1 {
			more = fmt.Sprintf(" and %d more", o.count-1)
		}
		w.add(p.Place, named("group", o.second[0], b.Name), "pattern %q overlaps %q of group %q: %q%s stays with %q, which comes first",
			p.Glob, a.Patterns[o.first[1]].Glob, a.Name, o.material, more, a.Name)
	}
	c.warnOfPlain(&w)
	users := c.rules.Users()
	for a, name := range c.names {
		if a > 0 && users[a] == "" && c.report.Areas[a] > 0 && len(c.rules.Methods) > 0 {
			w.add(c.placeOf(name), fmt.Sprintf("group %q", name), "no method may use its %.1f m²", c.report.Areas[a])
		}
	}
	c.rules.warnOfCrossings(&w)
	_ = w.err() // sorts
	c.report.Warnings = w.warnings()
}

// warnOfPlain warns of ground that no group takes.
func (c *classifier) warnOfPlain(w *Faults) {
	var names []string
	count, ground := 0, 0.0
	for _, row := range c.report.Rows {
		left := row.Ground - row.Colored
		if row.How != Unknown || !(left > 0) {
			continue
		}
		count++
		ground += left
		if len(names) < maxTold {
			names = append(names, told(row))
		}
	}
	if count == 0 {
		return
	}
	if count > len(names) {
		names = append(names, fmt.Sprintf("%d more", count-len(names)))
	}
	users := c.rules.Users()[0]
	if users == "" {
		users = "nobody"
	}
	painted := ""
	if len(c.rules.Paint) > 0 {
		painted = ", except painted ground"
	}
	w.add(Place{}, "", "no group takes %s: %.1f m² are %q%s, which %s may use", strings.Join(names, ", "), ground, c.names[0], painted, users)
}

// told returns the name of a row's material for a message.
func told(row Row) string {
	if row.Name == "" && row.Material == level.NoMaterial {
		return "surfaces without a name"
	}
	return fmt.Sprintf("%q", row.Name)
}

// placeOf returns the place of a group in the file.
func (c *classifier) placeOf(group string) Place {
	for i := range c.rules.Groups {
		if c.rules.Groups[i].Name == group {
			return c.rules.Groups[i].Place
		}
	}
	return Place{}
}
