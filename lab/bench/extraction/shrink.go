package main

import (
	"context"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level"
)

// shrink removes triangles from the level of a fault, in ever smaller groups, as long as a fault of the same sort
// remains: the rest fits on a page. Scenes lose whole boxes. A level with other components than on paper stays as it
// is, because paper knows the whole level.
func (s *settings) shrink(ctx context.Context, v verdict) verdict {
	if law(v.fault) == laws[0].law {
		return v
	}
	unit, fixed := 1, 0
	if v.made.class == scenes {
		unit, fixed = facesOfBox, facesOfFloor
	}
	kind := about(v.fault)
	groups := (len(v.made.level.Triangles) - fixed) / unit
	for size := (groups + 1) / 2; size >= 1; size /= 2 {
		for at := fixed; at < len(v.made.level.Triangles) && ctx.Err() == nil; {
			end := min(at+size*unit, len(v.made.level.Triangles))
			smaller := v.made
			smaller.level = &level.Level{
				Name: v.made.level.Name, Vertices: v.made.level.Vertices,
				Triangles: slices.Concat(v.made.level.Triangles[:at], v.made.level.Triangles[end:]),
			}
			if w := s.limited(ctx, smaller); w.fault != nil && about(w.fault) == kind {
				v = w
			} else {
				at = end
			}
		}
	}
	return v
}

// about is the subject of a fault: the beginning of its text, without figures.
func about(fault error) string {
	words := strings.FieldsFunc(fault.Error(), func(r rune) bool { return r < 'a' || r > 'z' })
	return strings.Join(words[:min(5, len(words))], " ")
}
