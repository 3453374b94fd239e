// Package flat reads two-dimensional maps: grids, also of robots, and shapes as drawing programs, map editors and geographic
// systems write them. A map becomes a plan of one layer with the drawn walkable area, from which no radius is
// taken off yet.
//
// docs/formats/maps.md says which parts of each format are read and count as walkable.
package flat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Options say how to read a map. The zero value is usable.
type Options struct {
	// Scale is the length of a unit of the map in metres, at least 2⁻¹²; for a grid, the length of a cell.
	// Default 1, for a robot's map its resolution; a bare PGM needs a Scale. GeoJSON is in degrees, which a Scale of any value denies: see [Map.Origin].
	Scale float64
	// Tolerance is the largest distance of a curve from its lines, in metres, above 2⁻¹². Default 0.01.
	Tolerance float64
	// Format overrides the name. Default: by the extension.
	Format Format
	// Overgrown makes the tree and water cells of a grid walkable: rules may then say for whom.
	Overgrown bool
	// Shapes reads the shapes by their names as well: see [Map.Shapes].
	Shapes bool
	// Limits bound the file and the points of the map, on a grid its sides between open and blocked cells. The text of
	// a map may have a quarter of Limits.Bytes: decoding needs several times its size in memory.
	Limits level.Limits
	// Agent is recorded in the plan. It changes nothing.
	Agent geom.Agent
	// Level is the level of an LDtk project to read. Default: all levels of one depth of the world.
	Level string
	// Files is the folder of the map and its name in Decode a path in it, for tile sets and levels in files of their own. Nil:
	// such files are not read.
	Files fs.FS
}

// source is what a decoder reads: options with their defaults, and the files beside the map.
type source struct {
	Options
	scaled bool // a scale was given
	beside *input.Files
}

// Map is a decoded map.
type Map struct {
	Name string
	Plan *plan.Plan
	// Shapes are the single shapes of the map, if the options ask for them.
	Shapes []Shape
	// Ground gives the kinds of ground by patches, with nil Triangles; nil when nobody has said.
	Ground *level.Ground
	// Origin is the place of x 0, z 0 on the earth, for GeoJSON in degrees; nil for maps in other units.
	Origin *Geographic
	// Notes are lines about what the decoder takes for granted.
	Notes []string
	// Warnings are lines about omitted parts, with their place.
	Warnings []string
}

// Geographic is a place on the ellipsoid of WGS 84.
type Geographic struct {
	Longitude, Latitude float64 // degrees to the east and to the north
}

// Format is a kind of map file.
type Format uint8

// The formats.
const (
	Unknown Format = iota
	Octile         // Moving AI grids
	Poly           // plain polygons
	GeoJSON
	SVG
	TMX // Tiled, as XML
	TMJ // Tiled, as JSON
	LDtk
	Robot // occupancy grids of robots: a text of ROS and its picture
	PGM   // the picture alone
)

var formats = [...]struct {
	name       string
	extensions []string
	decode     func(data []byte, in source) (drawing, error)
}{
	Unknown: {name: "unknown"},
	Octile:  {"map", []string{".map"}, decodeOctile},
	Poly:    {"poly", []string{".poly"}, decodePoly},
	GeoJSON: {"geojson", []string{".geojson"}, decodeGeoJSON},
	SVG:     {"svg", []string{".svg"}, decodeSVG},
	TMX:     {"tmx", []string{".tmx"}, decodeTMX},
	TMJ:     {"tmj", []string{".tmj"}, decodeTMJ},
	LDtk:    {"ldtk", []string{".ldtk"}, decodeLDtk},
	Robot:   {"robot", []string{".yaml", ".yml"}, decodeRobot},
	PGM:     {"pgm", []string{".pgm"}, decodePGM},
}

// String returns the short name of f.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// FormatOf returns the format that the extension of a file name stands for, or Unknown.
func FormatOf(name string) Format {
	ext := strings.ToLower(path.Ext(input.Slashed(name)))
	for i, f := range formats {
		for _, e := range f.extensions {
			if e == ext {
				return Format(i)
			}
		}
	}
	return Unknown
}

// Holds reports whether a file of this name with this content, or the first 512 bytes of it, is a map. A file with the extension
// .map that begins with a brace or a comment is a level of brushes. A file in YAML is a map if it names an image. Every other file is
// a map by its extension.
func Holds(name string, head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), 512)], []byte("\ufeff")), " \t\r\n")
	switch format := FormatOf(name); format {
	case Octile:
		return !bytes.HasPrefix(head, []byte("{")) && !bytes.HasPrefix(head, []byte("//"))
	case Robot:
		return isRobotText(head)
	default:
		return format != Unknown
	}
}

// Extensions lists the extensions of all formats.
func Extensions() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.extensions...)
	}
	return all
}

// Decode reads a map; name becomes the map's name.
//
// The plan has one layer at height 0. Its domains are valid polygons that share at most points, each a
// component of its own; all edges are walls. The same bytes and options give the same plan.
//
// A fault is an error with the format, the line or the element, and the place, if any, in units of the file.
func Decode(r io.Reader, name string, opt Options) (*Map, error) {
	d, format, opt, err := decodeDrawing(r, name, opt)
	if err != nil {
		return nil, err
	}
	p, err := d.plan()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", format, err)
	}
	p.Agent = opt.Agent
	base := path.Base(input.Slashed(name))
	m := &Map{Name: strings.TrimSuffix(base, path.Ext(base)), Plan: p, Warnings: d.warnings()}
	switch d := d.(type) {
	case *geoJSON:
		m.Origin, m.Notes = d.origin, d.notes
	case *svgReader:
		m.Notes = d.notes
	case *robotMap:
		m.Notes = d.notes
	}
	if opt.Shapes {
		if m.Shapes, err = d.shapes(); err != nil {
			return nil, fmt.Errorf("%v: %w", format, err)
		}
	}
	return m, nil
}

// decodeDrawing reads a file into its decoder's model; the returned options have their defaults.
func decodeDrawing(r io.Reader, name string, opt Options) (drawing, Format, Options, error) {
	if r == nil {
		return nil, Unknown, opt, errors.New("flat: the reader is nil")
	}
	scaled := opt.Scale != 0
	if !scaled {
		opt.Scale = 1
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 0.01
	}
	if !(opt.Scale >= lattice.Unit) || math.IsInf(opt.Scale, 0) {
		return nil, Unknown, opt, fmt.Errorf("flat: scale is %g, must be at least %g metres", opt.Scale, lattice.Unit)
	}
	if !(opt.Tolerance >= lattice.Unit) || math.IsInf(opt.Tolerance, 0) {
		return nil, Unknown, opt, fmt.Errorf("flat: tolerance is %g, must be at least %g metres", opt.Tolerance, lattice.Unit)
	}
	if err := opt.Agent.WithDefaults().Validate(); err != nil {
		return nil, Unknown, opt, fmt.Errorf("flat: %w", err)
	}
	format := opt.Format
	if format == Unknown {
		format = FormatOf(name)
	}
	if format == Unknown || int(format) >= len(formats) {
		return nil, Unknown, opt, fmt.Errorf("flat: unsupported extension %q; supported: %s", path.Ext(name), strings.Join(Extensions(), " "))
	}
	if err := opt.Limits.Validate(); err != nil {
		return nil, format, opt, fmt.Errorf("flat: %w", err)
	}
	opt.Limits = opt.Limits.WithDefaults()
	data, err := input.All(r, level.Limits{Bytes: max(1, opt.Limits.Bytes/4)})
	if err != nil {
		return nil, format, opt, fmt.Errorf("%v: %w", format, err)
	}
	d, err := formats[format].decode(data, source{opt, scaled, input.Beside(opt.Files, name, opt.Limits, len(data))})
	if err != nil {
		return nil, format, opt, fmt.Errorf("%v: %w", format, err)
	}
	return d, format, opt, nil
}

// maxParts is the largest number of objects in the JSON of a tiled map, and of elements in XML: an object of a few
// bytes takes hundreds of them in memory.
const maxParts = 1 << 20

// maxDepth is how deep groups and collections may be in each other.
const maxDepth = 64

// maxLabels is the most names kept of a shape and of its containers, the nearest first.
const maxLabels = 64

// nearest returns the first labels, at most maxLabels.
func nearest(labels []string) []string {
	return labels[:min(len(labels), maxLabels):min(len(labels), maxLabels)]
}

// checkXML bounds the size of XML after decoding.
func checkXML(data []byte) error {
	if n := bytes.Count(data, []byte("<")); n > 2*maxParts {
		return fmt.Errorf("%d tags; the limit is %d", n, 2*maxParts)
	}
	return nil
}

// errEmpty is the error of a file without content.
var errEmpty = errors.New("the file is empty")
