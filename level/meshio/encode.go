package meshio

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/gltf"
	"github.com/meadow-nav/meadow/level/obj"
	"github.com/meadow-nav/meadow/level/ply"
	"github.com/meadow-nav/meadow/level/stl"
)

// Encode writes lvl as one file: OBJ without its material library, GLB, STL or PLY. [Save] also writes the
// library.
//
// OBJ and PLY keep every bit of the coordinates, GLB and STL round them to float32; materials and
// markers survive in OBJ and GLB.
func Encode(w io.Writer, lvl *level.Level, format Format) error {
	switch format {
	case OBJ:
		return obj.Encode(w, lvl, "")
	case GLTF, GLB:
		return gltf.Encode(w, lvl)
	case STL:
		return stl.Encode(w, lvl)
	case PLY:
		return ply.Encode(w, lvl)
	}
	return fmt.Errorf("meshio: cannot write %v files; supported: obj, glb, stl, ply", format)
}

// File is the path of a file, and a function that writes the content.
type File = atomicfile.File

// Save writes lvl in the format of name's extension; for OBJ with materials also the library beside it,
// NAME.mtl. write must create all files of a call or none; internal/atomicfile has an implementation.
func Save(write func(files ...File) error, name string, lvl *level.Level) error {
	if write == nil || lvl == nil {
		return errors.New("meshio: the function that writes or the level is nil")
	}
	format := FormatOf(name)
	switch format {
	case Unknown:
		return fmt.Errorf("meshio: cannot write extension %q of %s; supported: .obj, .glb, .stl, .ply", path.Ext(name), name)
	case GLTF:
		return fmt.Errorf("meshio: %s: glTF is written as .glb only", name)
	}
	if format != OBJ || len(lvl.Materials) == 0 {
		return write(File{Path: name, Fill: func(w io.Writer) error { return Encode(w, lvl, format) }})
	}
	library := strings.TrimSuffix(name, path.Ext(name)) + ".mtl"
	base := library[strings.LastIndexAny(library, `/\`)+1:]
	return write(
		File{Path: library, Fill: func(w io.Writer) error { return obj.EncodeMaterials(w, lvl) }},
		File{Path: name, Fill: func(w io.Writer) error { return obj.Encode(w, lvl, base) }},
	)
}
