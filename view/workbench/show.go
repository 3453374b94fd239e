package workbench

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/meshio"
)

// Hint is a doubt about how the numbers of a file are meant, in words, with the field of [Opening] that ends the doubt.
type Hint struct {
	Text  string  `json:"text"`
	Up    string  `json:"up,omitempty"`
	Unit  string  `json:"unit,omitempty"`  // mm or cm
	Scale float64 `json:"scale,omitempty"` // of the unit, in metres
}

// slope is the steepest walkable slope of hints, in degrees.
const slope = 45

// doubt is what hints about an open level come from. Its zero value has no hint.
type doubt struct {
	level.Guess
	up, unit bool // the axis, the unit is open
}

// doubtOf looks at a level of a file, where scale is 0 and up is [meshio.Default] if nobody has said them. Time O(n).
func doubtOf(name string, lvl *level.Level, scale float64, up meshio.Axis) doubt {
	if meshio.FormatOf(name).Settled() {
		return doubt{}
	}
	return doubt{lvl.Guess(geom.Degrees(slope)), up == meshio.Default, scale == 0}
}

func (d doubt) hints() []Hint {
	var list []Hint
	if text := d.UpDoubt(); d.up && text != "" {
		list = append(list, Hint{Text: text, Up: string(rune(d.Up()))})
	}
	if text := d.UnitDoubt(); d.unit && text != "" {
		unit := d.Unit()
		metres, _ := level.UnitOf(unit)
		list = append(list, Hint{Text: text, Unit: unit, Scale: metres})
	}
	return list
}

// smallLevel is the size of levels, in metres, in which no agent of a metre finds room.
const smallLevel = 1

// explain adds what may help to the error of a build.
func (d doubt) explain(err error) error {
	switch {
	case d.Triangles == 0:
		return err
	case d.Facing[1] > 0 && d.unit && max(d.Size.X, d.Size.Z) < smallLevel:
		return fmt.Errorf("%w; the level is small: is the unit a larger one?", err)
	case d.Facing[1] == 0 && d.up && d.UpDoubt() != "":
		return fmt.Errorf("%w; %s", err, d.UpDoubt())
	}
	return err
}

// leastShare is the usual share of floor in the area that faces up: levels have less where the agent is too large.
const leastShare = 0.02

// share says in words where the agent finds floor on next to nothing of the triangles that face up, or where the parts left out are
// larger than the others.
func (d doubt) share(r meadow.Report, keeps bool) (notes []string) {
	lost := 0.0
	for _, p := range r.Dropped {
		lost += p.Area
	}
	switch up := d.Area[1]; {
	case r.Area+lost < leastShare*up && !math.IsInf(up, 0):
		return []string{fmt.Sprintf("The floor is %.4g of the %.1f m² that face up: is the agent too large, or the unit another one?", r.Area+lost, up)}
	case lost > r.Area && !keeps:
		return []string{fmt.Sprintf("%.1f m² of the floor are left out, %.1f m² kept: are passages narrower than the agent? Make the radius smaller, or keep all parts.", lost, r.Area)}
	}
	return nil
}

// ShowLevel opens a level that the program has read by itself, from a file of this name. scale is the length of the file's unit in
// metres, and up its axis, as the program's caller gave them: 0 and [meshio.Default] are the format's own. The reply is that of the
// request open. Time O(n log n) for n triangles.
func (b *Bench) ShowLevel(name string, lvl *level.Level, scale float64, up meshio.Axis) (Reply, error) {
	next := b.fresh(name)
	next.level, next.doubt, next.origin = lvl, doubtOf(name, lvl, scale, up), origin{level: lvl}
	var notes []string
	if text := next.doubt.InwardDoubt(); text != "" {
		notes = []string{text + " meadow build --outward turns them."}
	}
	return b.exchange(next, "level", notes, lvl.Warnings)
}

// ShowMap opens a map that the program has read by itself, from a file of this name.
func (b *Bench) ShowMap(name string, m *flat.Map) (Reply, error) {
	next := b.fresh(name)
	next.plane = m
	return b.exchange(next, "map", m.Notes, m.Warnings)
}

// ShowMesh opens a mesh that the program has read by itself, from a file of this name, with its level, or nil without. kind is "mesh", or
// "world" for the mesh of a saved world.
func (b *Bench) ShowMesh(name, kind string, mesh *meadow.Mesh, lvl *level.Level) (Reply, error) {
	next := b.fresh(name)
	next.level = lvl
	next.setMesh(nil, mesh)
	return b.exchange(next, kind, nil, nil)
}

// fresh returns a bench for another file, with the limits of this one.
func (b *Bench) fresh(name string) *Bench {
	next := New()
	next.name, next.Limits = name, b.Limits
	return next
}

// exchange makes the bench the next one, unless its scene fails, and answers with what is open now.
func (b *Bench) exchange(next *Bench, kind string, notes, warnings []string) (Reply, error) {
	answer := Opened{Name: next.name, Kind: kind, Notes: notes, Warnings: warnings, Hints: next.doubt.hints()}
	if next.level != nil {
		answer.Triangles = len(next.level.Triangles)
	}
	body, err := next.pack("")
	if err != nil {
		return Reply{}, err
	}
	*b = *next
	return Reply{answer, body}, nil
}
