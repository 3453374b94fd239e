// Package meshio reads and writes level files. It picks the decoder, and converts a file's units and axes to
// the level's: metres, Y up, right-handed.
//
// The decoders themselves are in the packages below; docs/formats/levels.md lists their features.
package meshio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/bsp"
	"github.com/meadow-nav/meadow/level/gltf"
	"github.com/meadow-nav/meadow/level/heightmap"
	"github.com/meadow-nav/meadow/level/internal/input"
	"github.com/meadow-nav/meadow/level/obj"
	"github.com/meadow-nav/meadow/level/off"
	"github.com/meadow-nav/meadow/level/ply"
	"github.com/meadow-nav/meadow/level/stl"
	"github.com/meadow-nav/meadow/level/threemf"
)

// Options for reading a file. The zero value means metres and Y up, as in glTF, but for Quake 3 maps their
// own convention: 1/32 m, Z up. 3MF states its unit, and Z is up.
type Options struct {
	// Scale is the length of the file's unit in metres, above 0. Default 1, for BSP and PK3 1/32; 0.01
	// for centimetres, 0.0254 for inches. Heights of a height map have their own options.
	Scale float64
	// Up is the upward axis of the file. Default Y, for BSP and PK3 Z. The level is turned, never mirrored. Height
	// maps have no axes; Up does not apply to them.
	Up Axis
	// Format overrides name and content. Default: by the extension, else by the content.
	Format Format
	// Heightmap gives the meaning of a height map's samples.
	Heightmap heightmap.Options
	// Limits bound the size of the file, and of the level. They apply to all formats, in place of the limits in the
	// options of a format.
	Limits level.Limits
	// BSP selects the surfaces of a Quake 3 map, and the map of an archive.
	BSP bsp.Options
}

// Open reads the level file name of fsys, with the files it names: material libraries and buffers are read,
// textures only looked for.
//
// The error starts with the name of the file and gives the fault and its place: a line, an element. The
// level's Warnings list omitted and repaired elements.
func Open(fsys fs.FS, name string, opt Options) (*level.Level, error) {
	if fsys == nil {
		return nil, errors.New("meshio: the file system is nil")
	}
	lvl, err := open(fsys, name, opt)
	if err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == name {
			return nil, err // names the file itself
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lvl, nil
}

func open(fsys fs.FS, name string, opt Options) (*level.Level, error) {
	if !(opt.Scale >= 0) || math.IsInf(opt.Scale, 0) {
		return nil, fmt.Errorf("meshio: scale of %g, must be above 0", opt.Scale)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("meshio: a folder, not a file")
	}
	format, r := opt.Format, io.Reader(file)
	if format == Unknown {
		format = FormatOf(name)
	}
	if format == Unknown {
		data, err := input.All(file, opt.Limits)
		if err != nil {
			return nil, fmt.Errorf("meshio: %w", err)
		}
		if format = Sniff(data); format == Unknown {
			if other := others[strings.ToLower(path.Ext(name))]; other != "" {
				return nil, fmt.Errorf("meshio: not read: %s", other)
			}
			return nil, fmt.Errorf("meshio: unsupported format %q; supported: %s", path.Ext(name), formatList())
		}
		r = bytes.NewReader(data)
	}
	lvl, err := decode(r, fsys, name, format, opt)
	if err != nil {
		return nil, err
	}
	switch format {
	case PNG, Raw, TIFF, ASC, R32:
		opt.Up = Y
	case ThreeMF:
		if opt.Up == Default {
			opt.Up = Z
		}
	case BSP, PK3, Brushes:
		if opt.Up == Default {
			opt.Up = Z
		}
		if opt.Scale == 0 {
			opt.Scale = bsp.Unit
		}
	}
	if err := convert(lvl, opt); err != nil {
		return nil, err
	}
	return lvl, nil
}

// decode calls the decoder of a format.
func decode(r io.Reader, fsys fs.FS, name string, format Format, opt Options) (*level.Level, error) {
	opt.Heightmap.Limits, opt.BSP.Limits = opt.Limits, opt.Limits
	switch format {
	case OBJ:
		return obj.Decode(r, fsys, name, opt.Limits)
	case GLTF, GLB:
		return gltf.Decode(r, fsys, name, opt.Limits)
	case STL:
		return stl.Decode(r, name, opt.Limits)
	case PLY:
		return ply.Decode(r, name, opt.Limits)
	case PNG:
		return heightmap.DecodePNG(r, name, opt.Heightmap)
	case Raw:
		return heightmap.DecodeRaw(r, name, opt.Heightmap)
	case TIFF:
		return heightmap.DecodeTIFF(r, name, opt.Heightmap)
	case ASC:
		return heightmap.DecodeASC(r, name, opt.Heightmap)
	case R32:
		return heightmap.DecodeFloat(r, name, opt.Heightmap)
	case Brushes:
		return bsp.DecodeMap(r, name, opt.BSP)
	case OFF:
		return off.Decode(r, name, opt.Limits)
	case ThreeMF:
		return threemf.Decode(r, name, opt.Limits)
	case BSP:
		return bsp.Decode(r, name, opt.BSP)
	case PK3:
		return bsp.DecodeArchive(r, opt.BSP)
	}
	return nil, fmt.Errorf("meshio: unknown format %d", format)
}

// convert brings a level from the file's unit and axes to metres and Y up. Unchanged coordinates keep every
// bit.
func convert(lvl *level.Level, opt Options) error {
	scale := opt.Scale
	if scale == 0 {
		scale = 1
	}
	if opt.Up > Z {
		return fmt.Errorf("meshio: unknown up axis %d", opt.Up)
	}
	if scale == 1 && (opt.Up == Default || opt.Up == Y) {
		return nil
	}
	move := func(v geom.Vec) geom.Vec { return opt.Up.toY(v).Scale(scale) }
	for i, v := range lvl.Vertices {
		w := move(v)
		if !w.IsFinite() {
			return fmt.Errorf("meshio: vertex %d at %v is not finite after scaling by %g", i, v, scale)
		}
		lvl.Vertices[i] = w
	}
	for i, m := range lvl.Markers {
		for k, v := range m.Hull {
			w := move(v)
			if !w.IsFinite() {
				return fmt.Errorf("meshio: marker %d: corner %d at %v is not finite after scaling by %g", i, k, v, scale)
			}
			m.Hull[k] = w
		}
	}
	for i, s := range lvl.Solids {
		for k, p := range s.Planes {
			s.Planes[k].Normal = opt.Up.toY(p.Normal)
			if s.Planes[k].Offset *= scale; math.IsInf(s.Planes[k].Offset, 0) {
				return fmt.Errorf("meshio: solid %d: plane %d of offset %g is not finite after scaling by %g", i, k, p.Offset, scale)
			}
		}
	}
	return nil
}
