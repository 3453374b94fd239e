package meadow

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/terrain"
	"github.com/meadow-nav/meadow/navmesh"
)

// Terrain is rules that classify the ground, and the folder of the files named in the rules.
type Terrain struct {
	Rules *terrain.Rules
	files fs.FS
}

// OpenTerrain reads a file of rules in the format of docs/formats/terrain.md. Pictures and maps named in the rules must be
// regular files in the folder of the rules or below.
func OpenTerrain(path string) (*Terrain, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rules, err := terrain.Parse(f, path)
	if err != nil {
		return nil, err
	}
	return &Terrain{rules, besides(path)}, nil
}

// AutoTerrain returns the rules of [terrain.Default], which classify the ground by the names of materials.
func AutoTerrain() *Terrain { return &Terrain{Rules: terrain.Default()} }

// check returns an error unless t has rules that hold.
func (t *Terrain) check() error {
	if t == nil || t.Rules == nil {
		return errors.New("no rules: open a file of rules, or use AutoTerrain")
	}
	return t.Rules.Validate()
}

// methods returns the methods and crossings of the rules, for a mesh with areas of these names.
func (t *Terrain) methods(areas []string) ([]navmesh.Method, []navmesh.Crossing, error) {
	if names := t.Rules.Areas(); !slices.Equal(names, areas) {
		return nil, nil, fmt.Errorf("meadow: terrain: the rules know the areas %s, the floor has %s", strings.Join(names, ", "), strings.Join(areas, ", "))
	}
	var methods []navmesh.Method
	var crossings []navmesh.Crossing
	number := map[terrain.Step]uint32{} // looked up only
	for _, m := range t.Rules.Methods {
		w, err := t.Rules.Traverse(m.Name)
		if err != nil {
			return nil, nil, err
		}
		k := navmesh.Method{Name: m.Name}
		for a := range w.Cost {
			cost := float32(w.Cost[a])
			if w.Cost[a] == 0 {
				cost = float32(math.Inf(1))
			}
			k.Costs, k.Speeds = append(k.Costs, cost), append(k.Speeds, float32(w.Speed[a]))
		}
		for _, s := range w.Crossings {
			n, known := number[s]
			if !known {
				n = uint32(len(crossings))
				number[s] = n
				crossings = append(crossings, navmesh.Crossing{Name: t.Rules.Crossings[s.Crossing].Name, From: s.From, To: s.To, Cost: float32(s.Cost)})
			}
			k.Crossings = append(k.Crossings, n)
		}
		slices.Sort(k.Crossings)
		methods = append(methods, k)
	}
	return methods, crossings, nil
}

// ground returns a copy of lvl with the ground by the rules, and the warnings of the rules. The copy shares everything else.
// A level with ground of its own stays as it is.
func (t *Terrain) ground(lvl *level.Level) (*level.Level, []string, error) {
	if lvl.Ground != nil {
		return lvl, nil, nil
	}
	out := *lvl
	report, err := t.Apply(&out)
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	for _, w := range report.Warnings {
		warnings = append(warnings, w.In(""))
	}
	return &out, warnings, nil
}

// Apply classifies the ground of lvl by the rules, and sets lvl.Ground.
func (t *Terrain) Apply(lvl *level.Level) (terrain.Report, error) {
	if err := t.check(); err != nil {
		return terrain.Report{}, fmt.Errorf("meadow: terrain: %w", err)
	}
	if lvl == nil {
		return terrain.Report{}, errNoLevel
	}
	if err := lvl.Validate(); err != nil {
		return terrain.Report{}, err
	}
	ground, report := terrain.Classify(lvl, t.Rules)
	painted, warnings, err := t.painter().Paint(lvl, t.Rules)
	if err != nil {
		return report, err
	}
	ground.Painted, report.Warnings = painted, append(report.Warnings, warnings...)
	lvl.Ground = ground
	if err := lvl.Validate(); err != nil {
		return report, fmt.Errorf("meadow: %w", err)
	}
	return report, nil
}

// ApplyMap classifies the ground of a map by the names of its shapes, and sets m.Ground. The map must be read with
// [flat.Options.Shapes]. Paint of the rules covers the shapes.
func (t *Terrain) ApplyMap(m *flat.Map) (terrain.Report, error) {
	if err := t.check(); err != nil {
		return terrain.Report{}, fmt.Errorf("meadow: terrain: %w", err)
	}
	if m == nil || m.Plan == nil {
		return terrain.Report{}, errNoMap
	}
	painted, report := terrain.ClassifyShapes(m.Name, terrainShapes(m.Shapes), t.Rules)
	over, warnings, err := t.painter().Paint(frameOf(m), t.Rules)
	if err != nil {
		return report, err
	}
	m.Ground = &level.Ground{Names: t.Rules.Areas(), Painted: append(painted, over...)}
	report.Warnings = append(report.Warnings, warnings...)
	return report, nil
}

// frameOf is a level with the bounds of a map.
func frameOf(m *flat.Map) *level.Level {
	l := &level.Level{Name: m.Name}
	for i := range m.Plan.Layers {
		for _, v := range m.Plan.Layers[i].Floor.Vertices {
			n := uint32(len(l.Vertices))
			l.Vertices = append(l.Vertices, m.Plan.Frame.ToWorld(v.Point, v.Z))
			l.Triangles = append(l.Triangles, level.Triangle{A: n, B: n, C: n, Material: level.NoMaterial})
		}
	}
	return l
}

// painter reads what the rules paint with from their folder.
func (t *Terrain) painter() terrain.Painter {
	return terrain.Painter{Files: t.files, Map: func(files fs.FS, name string) ([]terrain.Shape, error) {
		if info, err := fs.Stat(files, name); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			return nil, errors.New("is not a regular file")
		}
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		shapes, err := flat.DecodeShapes(f, name, flat.Options{Scale: 1}) // metres, GeoJSON too
		return terrainShapes(shapes), err
	}}
}

func terrainShapes(shapes []flat.Shape) []terrain.Shape {
	out := make([]terrain.Shape, len(shapes))
	for i, s := range shapes {
		out[i] = terrain.Shape(s)
	}
	return out
}
