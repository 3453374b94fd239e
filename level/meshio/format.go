package meshio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
)

// Format is a kind of level file.
type Format uint8

// The formats. OBJ, GLB, STL and PLY can be written; GLTF is written as GLB.
const (
	Unknown Format = iota
	OBJ
	GLTF
	GLB
	STL
	PLY
	PNG // a height map
	Raw // a height map of raw 16-bit samples
	BSP // a compiled Quake 3 map
	PK3 // an archive with BSP maps
	OFF
	ThreeMF // 3MF
	TIFF    // a height map
	ASC     // a height map as text
	R32     // a height map of raw 32-bit floats
	Brushes // an uncompiled map of Quake, Half-Life and their successors
)

// formats has the name and the extensions of each format, in the order of their constants.
var formats = [...]struct {
	name       string
	extensions []string
}{
	Unknown: {name: "unknown"},
	OBJ:     {"obj", []string{".obj"}},
	GLTF:    {"gltf", []string{".gltf"}},
	GLB:     {"glb", []string{".glb", ".vrm"}},
	STL:     {"stl", []string{".stl"}},
	PLY:     {"ply", []string{".ply"}},
	PNG:     {"png", []string{".png"}},
	Raw:     {"raw", []string{".raw", ".r16"}},
	BSP:     {"bsp", []string{".bsp"}},
	PK3:     {"pk3", []string{".pk3"}},
	OFF:     {"off", []string{".off"}},
	ThreeMF: {"3mf", []string{".3mf"}},
	TIFF:    {"tiff", []string{".tif", ".tiff"}},
	ASC:     {"asc", []string{".asc"}},
	R32:     {"r32", []string{".r32"}},
	Brushes: {"map", []string{".map"}},
}

// String returns the short name of f, as it is given on the command line.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// UnmarshalText reads the output of String; "unknown" and the empty text mean [Unknown].
func (f *Format) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*f = Unknown
		return nil
	}
	for i, known := range formats {
		if strings.EqualFold(known.name, string(text)) {
			*f = Format(i)
			return nil
		}
	}
	return fmt.Errorf("meshio: unknown format %q; supported: %s", text, formatList())
}

// MarshalText returns the short name.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// formatList names all formats, for errors.
func formatList() string {
	var names []string
	for _, f := range formats[1:] {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// Settled reports whether files of a format have an axis that points up, and a unit, by a convention that all programs keep.
func (f Format) Settled() bool {
	switch f {
	case PNG, Raw, TIFF, ASC, R32, ThreeMF, BSP, PK3, Brushes:
		return true
	}
	return false
}

// FormatOf returns the format that the extension of a file name stands for, or Unknown.
func FormatOf(name string) Format {
	ext := strings.ToLower(path.Ext(name))
	for i, f := range formats {
		for _, e := range f.extensions {
			if e == ext {
				return Format(i)
			}
		}
	}
	return Unknown
}

// Sniff returns the format that the content of a file looks like, or Unknown. Raw height maps look
// like nothing.
func Sniff(data []byte) Format {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	starts := func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }
	switch {
	case starts("glTF"):
		return GLB
	case starts("\x89PNG\r\n\x1a\n"):
		return PNG
	case starts("II*\x00"), starts("MM\x00*"):
		return TIFF
	case starts("OFF"), starts("COFF"), starts("NOFF"), starts("CNOFF"), starts("STOFF"):
		return OFF
	case len(text) >= 5 && bytes.EqualFold(text[:5], []byte("ncols")):
		return ASC
	case starts("PK\x03\x04") && bytes.Contains(data[:min(len(data), 1<<16)], []byte("3dmodel.model")):
		return ThreeMF
	case starts("IBSP"):
		return BSP
	case starts("PK\x03\x04"):
		return PK3
	case starts("ply\n"), starts("ply\r"):
		return PLY
	case starts("{") && bytes.Contains(data, []byte(`"asset"`)):
		return GLTF
	case len(text) >= 5 && bytes.EqualFold(text[:5], []byte("solid")):
		return STL
	case isBinarySTL(data):
		return STL
	case looksLikeOBJ(text):
		return OBJ
	}
	return Unknown
}

// isBinarySTL reports whether data has exactly the size that a binary STL file announces.
func isBinarySTL(data []byte) bool {
	const head, record = 84, 50
	return len(data) >= head+record && uint64(len(data)) == head+record*uint64(binary.LittleEndian.Uint32(data[head-4:]))
}

// looksLikeOBJ reports whether the first line other than comments starts with a typical first statement of
// OBJ files.
func looksLikeOBJ(text []byte) bool {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line[:min(len(line), 256)])
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		switch string(fields[0]) {
		case "v", "vn", "vt", "o", "g", "mtllib", "usemtl", "s":
			return len(fields) > 1
		}
		return false
	}
	return false
}

// others are extensions of files that are not read, and the way around.
var others = map[string]string{ // looked up only
	".fbx":   "FBX: export glTF (.glb), or convert it: Blender, FBX2glTF",
	".blend": "Blender: export glTF (.glb)",
	".dae":   "COLLADA: export glTF (.glb), or convert it: Blender, assimp export IN OUT.glb",
	".3ds":   "3D Studio: export glTF (.glb), or convert it: assimp export IN OUT.glb",
	".max":   "3ds Max: export glTF (.glb) or OBJ",
	".ma":    "Maya: export glTF (.glb) or OBJ",
	".mb":    "Maya: export glTF (.glb) or OBJ",
	".c4d":   "Cinema 4D: export glTF (.glb)",
	".skp":   "SketchUp: export glTF (.glb)",
	".usd":   "USD: export glTF (.glb), or convert it: Blender",
	".usda":  "USD: export glTF (.glb), or convert it: Blender",
	".usdc":  "USD: export glTF (.glb), or convert it: Blender",
	".usdz":  "USD: export glTF (.glb), or convert it: Blender",
	".step":  "STEP: export STL, or convert it: FreeCAD",
	".stp":   "STEP: export STL, or convert it: FreeCAD",
	".iges":  "IGES: export STL, or convert it: FreeCAD",
	".igs":   "IGES: export STL, or convert it: FreeCAD",
	".ifc":   "IFC: convert it: IfcConvert IN OUT.glb",
	".dwg":   "DWG: export SVG for a plan, or OBJ",
	".dxf":   "DXF: export SVG for a plan, or OBJ",
	".x3d":   "X3D: convert it: Blender",
	".wrl":   "VRML: convert it: Blender, meshlab",
	".vox":   "MagicaVoxel: export PLY or OBJ",
	".tscn":  "Godot scene: export glTF (.glb) from the editor",
	".unity": "Unity scene: export glTF (.glb) by com.unity.cloud.gltfast",
	".umap":  "Unreal level: export glTF (.glb) from the editor",
	".rbxl":  "Roblox place: export OBJ from Studio",
	".las":   "point cloud: make a surface of it, as PLY or a height map",
	".laz":   "point cloud: make a surface of it, as PLY or a height map",
	".e57":   "point cloud: make a surface of it, as PLY",
	".drc":   "Draco: unpack it: draco_decoder -i IN -o OUT.ply",
	".ctm":   "OpenCTM: convert it: meshlab",
	".amf":   "AMF: export 3MF or STL",
	".hgt":   "SRTM: convert it: gdal_translate -of AAIGrid IN OUT.asc",
	".shp":   "shapefile: convert it: ogr2ogr OUT.geojson IN",
	".gpkg":  "GeoPackage: convert it: ogr2ogr OUT.geojson IN",
	".kml":   "KML: convert it: ogr2ogr OUT.geojson IN",
	".osm":   "OpenStreetMap: convert it: osmtogeojson",
	".pbf":   "OpenStreetMap: convert it: osmium export IN -o OUT.geojson",
	".pdf":   "PDF: export SVG, or convert it: inkscape IN -o OUT.svg",
	".jpg":   "JPEG loses heights: save a grey PNG",
	".jpeg":  "JPEG loses heights: save a grey PNG",
	".exr":   "OpenEXR: save TIFF of 16 bits",
	".vmf":   "Hammer: export .map or OBJ",
	".ldtkl": "a level of an LDtk project: name the project, the .ldtk file",
	".json":  "several formats have this extension: name the file .geojson, .tmj or .gltf",
	".gz":    "packed: unpack it first",
	".zip":   "packed: unpack it first",
	".rar":   "packed: unpack it first",
	".7z":    "packed: unpack it first",
}

// Axis is the upward axis of a file.
type Axis uint8

// The axes. Default is the rule of the format, which is Z for BSP, PK3, maps of brushes and 3MF and Y for all others.
const (
	Default Axis = iota
	X
	Y
	Z
)

var axes = [...]string{"default", "x", "y", "z"}

// String returns the name of the axis in lower case.
func (a Axis) String() string {
	if int(a) < len(axes) {
		return axes[a]
	}
	return fmt.Sprintf("axis %d", uint8(a))
}

// UnmarshalText reads x, y or z in either case; "default" and the empty text mean [Default].
func (a *Axis) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = Default
		return nil
	}
	for i, name := range axes {
		if strings.EqualFold(name, string(text)) {
			*a = Axis(i)
			return nil
		}
	}
	return fmt.Errorf("meshio: unknown up axis %q; want x, y or z", text)
}

// MarshalText returns the name of the axis.
func (a Axis) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// toY turns v from axis a up to Y up. Both turns are by 90°, so nothing is rounded. The subtraction from zero
// makes no minus zero.
func (a Axis) toY(v geom.Vec) geom.Vec {
	switch a {
	case Z: // about X: Y becomes -Z
		return geom.Vec{X: v.X, Y: v.Z, Z: 0 - v.Y}
	case X: // about Z: Y becomes -X
		return geom.Vec{X: 0 - v.Y, Y: v.X, Z: v.Z}
	}
	return v
}
