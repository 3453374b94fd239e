package draw

import (
	"math"

	"github.com/meadow-nav/meadow/level"
)

// LevelOptions say how a level looks. The zero value is plain light grey.
type LevelOptions struct {
	// Color is the colour of all triangles; the zero Color is light grey.
	Color Color
	// Materials paints triangles with a material in the material's colour instead.
	Materials bool
	// Wash mixes the colours of materials with Color, 0 (not at all) to 1 (entirely), so that overlays stand
	// out.
	Wash float64
	// OneSided hides triangles seen from behind, so a view from above goes through ceilings into rooms.
	OneSided bool
}

// stone is the colour of levels: light and warm, for overlays to stand out.
var stone = Color{222, 219, 212, 255}

// Level draws the triangles of lvl, lit. Triangles with a bad index are left out.
func Level(lvl *level.Level, opt LevelOptions) List {
	if lvl == nil {
		return List{}
	}
	plain := opt.Color
	if plain == (Color{}) {
		plain = stone
	}
	fills := make([]Color, len(lvl.Materials))
	for i, m := range lvl.Materials {
		fills[i] = wash(encode(m.Color), plain, opt.Wash)
	}
	var list List
	list.Triangles = make([]Triangle, 0, len(lvl.Triangles))
	n := uint32(len(lvl.Vertices))
	for _, t := range lvl.Triangles {
		if t.A >= n || t.B >= n || t.C >= n {
			continue
		}
		tri := Triangle{Fill: plain, Lit: true, OneSided: opt.OneSided}
		if opt.Materials && t.Material >= 0 && int(t.Material) < len(fills) {
			tri.Fill = fills[t.Material]
		}
		tri.P[0], tri.P[1], tri.P[2] = lvl.Vertices[t.A], lvl.Vertices[t.B], lvl.Vertices[t.C]
		list.Triangles = append(list.Triangles, tri)
	}
	return list
}

// encode turns a linear colour into sRGB. It ignores alpha: glass and water are opaque, because levels are
// drawn for their shape.
func encode(c [4]float32) Color {
	return Color{
		toSRGB(float64(c[0])), toSRGB(float64(c[1])), toSRGB(float64(c[2])),
		255,
	}
}

// wash mixes c with paper, by a share of 0 to 1.
func wash(c, paper Color, share float64) Color {
	share = math.Max(0, math.Min(1, share))
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return Color{mix(c.R, paper.R), mix(c.G, paper.G), mix(c.B, paper.B), c.A}
}
