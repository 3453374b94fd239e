package terrain

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/meadow-nav/meadow/level"
)

//go:embed default.yaml
var defaultFile string

var defaults = sync.OnceValues(func() (*Rules, error) { return Parse(strings.NewReader(defaultFile), "default.yaml") })

// Default returns rules for levels without rules of their own: common kinds of ground, found only by the words of
// names, and common ways to move over them.
func Default() *Rules {
	r, err := defaults()
	if err != nil {
		panic(err) // the file is part of the program: TestDefaultIsValid
	}
	c := *r
	c.Groups, c.Methods = slices.Clone(r.Groups), slices.Clone(r.Methods)
	c.Crossings, c.Paint = slices.Clone(r.Crossings), slices.Clone(r.Paint)
	return &c
}

// Settle turns guesses into patterns: the returned rules need no guesses on the level of the given report, which
// [Classify] made with r. Each guessed material becomes a pattern for exactly its name, with a note on the reason. With
// trim, groups absent from the level are left out, with their uses in methods and crossings.
func Settle(r *Rules, report Report, trim bool) *Rules {
	if r == nil {
		return nil
	}
	out := *r
	out.Guess = 0
	out.Groups = slices.Clone(r.Groups)
	names := r.Areas()
	used := make([]bool, len(names))
	used[0] = true
	for _, row := range report.Rows {
		if int(row.Area) >= len(used) {
			continue // of other rules
		}
		used[row.Area] = true
		if row.How != ByWord || row.Material == level.NoMaterial {
			continue
		}
		for i := range out.Groups {
			if g := &out.Groups[i]; g.Name == names[row.Area] {
				name := row.Name
				if name == "" {
					name = row.Texture
				}
				g.Patterns = append(slices.Clone(g.Patterns), Pattern{Glob: literal(name), Note: Because(row)})
			}
		}
	}
	for a := range min(len(used), len(report.Areas)) {
		used[a] = used[a] || report.Areas[a] > 0
	}
	for _, p := range r.Paint {
		for _, l := range p.Legend {
			if a, ok := r.area(l.Group); ok {
				used[a] = true
			}
		}
	}
	if !trim {
		return &out
	}
	gone := func(group string) bool { a, ok := r.area(group); return ok && !used[a] }
	out.Groups = slices.DeleteFunc(out.Groups, func(g Group) bool { return gone(g.Name) })
	out.Methods = slices.Clone(r.Methods)
	for i := range out.Methods {
		m := &out.Methods[i]
		m.On = slices.DeleteFunc(slices.Clone(m.On), func(u Use) bool { return gone(u.Group) })
	}
	out.Crossings = slices.DeleteFunc(slices.Clone(r.Crossings), func(c Crossing) bool { return gone(c.From) || gone(c.To) })
	return &out
}

// Because describes in a few words why a material is in its group.
func Because(row Row) string {
	switch {
	case row.How == ByPattern:
		return fmt.Sprintf("pattern %s", row.Word)
	case row.Word == "":
		return "no known word"
	case row.Concept == "" || row.Concept == row.Word:
		return fmt.Sprintf("%s, %.2f", row.Word, row.Confidence)
	}
	return fmt.Sprintf("%s: %s, %.2f", row.Word, row.Concept, row.Confidence)
}
