// Package bsp reads levels of Quake III Arena and its descendants: the compiled map (.bsp, "IBSP" of
// version 46 or 47), alone or inside of an archive (.pk3, which is a ZIP file).
//
// The level is made of surfaces that stop a player, drawn or not: convex brushes and curved patches. Each
// brush is also kept as a convex solid, by its planes. docs/formats/bsp.md lists the parts of the format.
package bsp

import (
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Unit is the usual length of one unit of the format in metres: players are 56 units or 1.75 m high. The
// format has Z up. [Decode] applies neither.
const Unit = 1.0 / 32

// Options select the surfaces of a file that become the level. The zero value selects the surfaces that stop a player.
type Options struct {
	// Map names the level in an archive: "q3dm1", with or without folder and extension, in either case. Default:
	// the only level.
	Map string
	// Surfaces selects the surfaces for the triangles. Default Solid.
	Surfaces Surfaces
	// NoClip leaves out brushes that stop only players.
	NoClip bool
	// Hidden keeps the faces of brushes that border no place inside of the level: faces between brushes, and the
	// outside of the hull. The convex solids always include these faces.
	Hidden bool
	// PatchTolerance is how far triangles may be from the curved surface that they stand for, in
	// units of the file, above 0. Default 2.
	PatchTolerance float64
	// Limits bound the file, or the unpacked file of an archive, and the triangles.
	Limits level.Limits
}

// Surfaces is a choice of surfaces.
type Surfaces uint8

// The choices. Drawn selects all drawn surfaces, solid or not, and the undrawn brushes that stop players.
const (
	Solid Surfaces = iota
	Drawn
)

// Limits on a file's demands.
const (
	maxCoord    = 1 << 17 // the format's worlds end at 2¹⁶
	maxEntities = 1 << 16
	maxText     = 1 << 24 // bytes of the entities
)

// Decode reads a level; name becomes the level's name. Coordinates stay as in the file: Z up, usually in
// units of 1/32 m.
//
// A fault is an error with the lump, the element and the element's offset in the file. Time and space are
// O(bytes + triangles), and the planes of each brush squared.
func Decode(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("bsp: %w", err)
	}
	lvl, err := decode(data, name, opt)
	if err != nil {
		return nil, fmt.Errorf("bsp: %w", err)
	}
	return lvl, nil
}

// decode reads a level from memory.
func decode(data []byte, name string, opt Options) (*level.Level, error) {
	if opt.PatchTolerance == 0 {
		opt.PatchTolerance = 2
	}
	if !(opt.PatchTolerance > 0) || math.IsInf(opt.PatchTolerance, 0) {
		return nil, fmt.Errorf("patch tolerance of %g, must be above 0", opt.PatchTolerance)
	}
	if opt.Surfaces > Drawn {
		return nil, fmt.Errorf("unknown surfaces %d", opt.Surfaces)
	}
	base := path.Base(input.Slashed(name))
	d := decoder{
		opt:  opt,
		lvl:  &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))},
		weld: make(map[geom.Vec]uint32),
	}
	d.limits = opt.Limits
	if err := d.parse(data); err != nil {
		return nil, err
	}
	if err := d.build(); err != nil {
		return nil, err
	}
	if len(d.lvl.Triangles) == 0 {
		return nil, fmt.Errorf("no surface in the file stops a player")
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}

// decoder holds the tables of the file and the level in the making.
type decoder struct {
	file
	opt Options
	lvl *level.Level

	weld      map[geom.Vec]uint32
	materials []int32 // of a texture: its index in lvl.Materials plus 1, 0 for none yet
	hull      huller
	tree      tree
	taken     []bool // models of entities
	unclosed  int    // brushes without volume or without end
	patched   int    // triangles of curved patches
	warnings  input.Warnings
}

// build makes the level: the world, then the models of entities that stay in place, then markers.
func (d *decoder) build() error {
	d.materials = make([]int32, len(d.textures))
	entities, err := parseEntities(d.entities)
	if err != nil {
		return fmt.Errorf("entities at offset %d: %w", d.offsets[lumpEntities], err)
	}
	d.tree = tree{file: &d.file, budget: maxVisits, off: d.opt.Hidden || !d.inhabited()}
	if len(d.models) > 0 {
		if err := d.model(0, geom.Vec{}, "worldspawn"); err != nil {
			return err
		}
	}
	if d.tree.spent() {
		d.warnings.Addf("bsp: too many nodes to look for hidden faces: some are kept")
	}
	d.liquids()
	for i, e := range entities {
		if err := d.entity(i, e); err != nil {
			return err
		}
	}
	if d.unclosed > 0 {
		d.warnings.Addf("bsp: %d brushes are empty or unbounded; left out", d.unclosed)
	}
	return nil
}

// model makes the triangles of one model, shifted by origin.
func (d *decoder) model(i int, origin geom.Vec, name string) error {
	m := d.models[i]
	first := len(d.lvl.Triangles)
	for b := m.firstBrush; b < m.firstBrush+m.brushes; b++ {
		d.brush(b, origin, i == 0)
		if err := d.limits.CheckTriangles(len(d.lvl.Triangles)); err != nil {
			return fmt.Errorf("brush %d at offset %d: %w", b, d.at(lumpBrushes, b), err)
		}
	}
	d.object(name, first)
	first = len(d.lvl.Triangles)
	for f := m.firstFace; f < m.firstFace+m.faces; f++ {
		if err := d.face(f, origin); err != nil {
			return fmt.Errorf("face %d at offset %d: %w", f, d.at(lumpFaces, f), err)
		}
		if err := d.limits.CheckTriangles(len(d.lvl.Triangles)); err != nil {
			return fmt.Errorf("face %d at offset %d: %w", f, d.at(lumpFaces, f), err)
		}
	}
	d.object(name+" surfaces", first)
	return nil
}

// object names the triangles from first on.
func (d *decoder) object(name string, first int) {
	if n := len(d.lvl.Triangles) - first; n > 0 {
		d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: name, First: first, Count: n})
	}
}

// stops reports whether contents stop a player, as the options have it.
func (d *decoder) stops(contents uint32) bool {
	if d.opt.NoClip {
		return contents&contentsSolid != 0
	}
	return contents&(contentsSolid|contentsPlayerClip) != 0
}

// brush makes the solid of one brush, and triangles of its faces within reach. Only the world is part of the
// tree.
func (d *decoder) brush(i int, origin geom.Vec, world bool) {
	b := d.brushes[i]
	contents := d.textures[b.texture].contents
	if !d.stops(contents) {
		return
	}
	polygons := d.hull.polygons(d.brushPlanes(i))
	if len(polygons) == 0 {
		d.unclosed++
		return
	}
	var ladder bool
	solid := level.Solid{Planes: make([]level.Plane, 0, len(polygons))}
	for _, p := range polygons {
		side := d.sides[b.firstSide+p.plane]
		material := d.material(side.texture)
		plane := d.hull.planes[p.plane]
		offset := plane.offset + plane.normal.Dot(origin)
		solid.Planes = append(solid.Planes, level.Plane{Normal: plane.normal, Offset: offset, Material: material})
		ladder = ladder || d.textures[side.texture].flags&surfaceLadder != 0
		if d.opt.Surfaces == Drawn && contents&contentsSolid != 0 || world && !d.tree.meets(p.corners, plane) {
			continue
		}
		d.fan(p.corners, origin, material)
	}
	d.lvl.Solids = append(d.lvl.Solids, solid)
	if ladder {
		d.lvl.Markers = append(d.lvl.Markers, level.Marker{Kind: "ladder", Hull: moved(d.hull.corners, origin)})
	}
}

// brushPlanes returns the planes of brush i, in the order of its sides.
func (d *decoder) brushPlanes(i int) []plane {
	b := d.brushes[i]
	d.hull.planes = d.hull.planes[:0]
	for _, s := range d.sides[b.firstSide : b.firstSide+b.sides] {
		d.hull.planes = append(d.hull.planes, d.planes[s.plane])
	}
	return d.hull.planes
}

// fan makes triangles of a convex polygon. Corners are counter-clockwise seen from the front.
func (d *decoder) fan(corners []geom.Vec, origin geom.Vec, material int32) {
	a := d.vertex(corners[0].Add(origin))
	b := d.vertex(corners[1].Add(origin))
	for _, v := range corners[2:] {
		c := d.vertex(v.Add(origin))
		d.triangle(a, b, c, material)
		b = c
	}
}

// triangle takes a triangle with three different corners.
func (d *decoder) triangle(a, b, c uint32, material int32) {
	if a != b && b != c && c != a {
		d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: a, B: b, C: c, Material: material})
	}
}

// vertex returns the index of v. Zero and minus zero are the same place.
func (d *decoder) vertex(v geom.Vec) uint32 {
	i, ok := d.weld[v]
	if !ok {
		i = uint32(len(d.lvl.Vertices))
		d.weld[v] = i
		d.lvl.Vertices = append(d.lvl.Vertices, v)
	}
	return i
}

// material returns the index in the level of a texture of the file.
func (d *decoder) material(texture int) int32 {
	if d.materials[texture] == 0 {
		d.lvl.Materials = append(d.lvl.Materials, level.Material{Name: d.textures[texture].name, Color: [4]float32{1, 1, 1, 1}})
		d.materials[texture] = int32(len(d.lvl.Materials))
	}
	return d.materials[texture] - 1
}

// moved returns points moved by origin, in memory of their own.
func moved(points []geom.Vec, origin geom.Vec) []geom.Vec {
	out := make([]geom.Vec, len(points))
	for i, p := range points {
		out[i] = p.Add(origin)
	}
	return out
}
