package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/meshio"
)

// guess is evidence that the flags of a level are other ones than given, and what the flags leave open.
type guess struct {
	level.Guess
	up, unit bool // the flags say nothing about the axis, about the unit
}

// guess looks at a level as read from path. Formats with a convention of their own leave no axis and no unit open.
func (f levelFlags) guess(path string, lvl *level.Level) guess {
	g := guess{Guess: lvl.Guess(geom.Degrees(45))}
	if meshio.FormatOf(path).Settled() {
		return g
	}
	g.up, g.unit = f.Up == meshio.Default, f.Scale == nil && f.Units == ""
	return g
}

// upHint returns the flag for another axis, or nothing.
func (g guess) upHint() string {
	text := g.UpDoubt()
	if text == "" || !g.up {
		return ""
	}
	return fmt.Sprintf("%s --up %c", text, g.Up())
}

// unitHint returns the flag for another unit, or nothing.
func (g guess) unitHint() string {
	text := g.UnitDoubt()
	if text == "" || !g.unit {
		return ""
	}
	return fmt.Sprintf("%s --units %s, or another of mm, cm, in, ft", text, g.Unit())
}

// inwardHint returns the flag for faces that look inward, or nothing.
func (g guess) inwardHint() string {
	text := g.InwardDoubt()
	if text == "" {
		return ""
	}
	return text + " --outward turns them"
}

// tell prints a line for each doubt. The error of a level in which nothing faces up has its hint: see explain.
func (g guess) tell(w io.Writer, path string) {
	if up := g.upHint(); up != "" && g.Facing[1] > 0 {
		fmt.Fprintf(w, "note: %s: %s\n", path, up)
	}
	if unit := g.unitHint(); unit != "" {
		fmt.Fprintf(w, "note: %s: %s\n", path, unit)
	}
	if inward := g.inwardHint(); inward != "" {
		fmt.Fprintf(w, "note: %s: %s\n", path, inward)
	}
}

// explain adds the flag that may help to the error of a build.
func (g guess) explain(err error) error {
	switch up := g.upHint(); {
	case g.Triangles == 0 || errors.Is(err, context.Canceled):
		return err
	case g.Facing[1] > 0 && g.unit && max(g.Size.X, g.Size.Z) < smallLevel:
		return fmt.Errorf("%w; the level is small: is the unit a larger one? --scale or --units", err)
	case g.Facing[1] > 0:
		return err
	case up != "":
		return fmt.Errorf("%w; %s", err, up)
	case g.Down > 0:
		return fmt.Errorf("%w; --outward turns the faces of closed solids", err)
	}
	return err
}

// smallLevel is the size of levels, in metres, in which no agent of a metre finds room.
const smallLevel = 1

// tellShare prints a line where the agent finds floor on next to nothing of the triangles that face up, or where the parts
// that no path reaches are larger than the others.
func (g guess) tellShare(w io.Writer, path string, r meadow.Report, keeps bool) {
	lost := 0.0
	for _, p := range r.Dropped {
		lost += p.Area
	}
	switch up := g.Area[1]; {
	case r.Area+lost < leastShare*up && !math.IsInf(up, 0):
		fmt.Fprintf(w, "note: %s: the floor is %.4g of the %.1f m² that face up: is the agent too large (--radius, --height), or the unit another one (--units)?\n", path, r.Area+lost, up)
	case lost > r.Area && !keeps:
		fmt.Fprintf(w, "note: %s: %.1f m² of the floor are left out, %.1f m² kept: are passages narrower than the agent? A smaller --radius, or --keep all\n", path, lost, r.Area)
	}
}

// leastShare is the usual share of floor in the area that faces up: levels have less where the agent is too large.
const leastShare = 0.02
