// Package gltf reads glTF 2.0, as JSON (.gltf) or in its binary container (.glb), and writes GLB.
//
// github.com/qmuntal/gltf holds the model of the document and its JSON; see docs/decisions/gltf.md. This
// package reads the container, buffers and accessors itself: every count and offset is checked against the
// actual bytes before any allocation.
//
// docs/formats/levels.md lists the supported features. In short: the default scene with its hierarchy of
// nodes, matrices, instances, triangles in all three modes, sparse and quantized accessors, base colours and
// their texture names, marker volumes.
package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Decode reads a glTF file of either form; the first bytes decide. name is its path in fsys and the level's name;
// buffers and textures are found relative to it. fsys may be nil; then a missing texture is a warning and a missing
// buffer an error. Buffers count against the limits as the file does, triangles as often as instances repeat them.
//
// An error has the kind and index of its element. Time and space O(bytes + triangles made).
func Decode(r io.Reader, fsys fs.FS, name string, limits level.Limits) (*level.Level, error) {
	data, err := input.All(r, limits)
	if err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	base := path.Base(input.Slashed(name))
	d := decoder{
		lvl:      &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))},
		files:    input.Beside(fsys, name, limits, len(data)),
		limit:    limits.WithDefaults().Triangles,
		onDisk:   make(map[string][]byte),
		decoded:  make(map[int][]geom.Vec),
		colors:   make(map[int][][4]float32),
		compiled: make(map[int]*mesh),
		views:    make(map[int]span),
		dracos:   make(map[[2]int]dracoMesh),
		room:     limits.WithDefaults().Bytes,
	}
	if err := d.file(data); err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}

// decoder holds the document and the level in the making.
type decoder struct {
	doc     gltf.Document
	lvl     *level.Level
	files   *input.Files
	binary  []byte            // the binary chunk of a GLB
	buffers [][]byte          // used buffers
	onDisk  map[string][]byte // the files with these buffers
	limit   int               // triangles

	decoded  map[int][]geom.Vec   // positions by accessor
	colors   map[int][][4]float32 // of vertices, by accessor
	colored  int                  // how many colours were
	elements int                  // how many elements were decoded, against the limit
	compiled map[int]*mesh        // meshes in their own space
	remap    []uint32             // scratch of compile: where a vertex went
	stamp    []uint32             // and in which round
	round    uint32

	views   map[int]span // unpacked buffer views
	dracos  map[[2]int]dracoMesh
	room    int64 // bytes that may still be unpacked
	physics []physicsShape

	onPath   []bool // nodes between the root and the one in hand
	visits   int
	marker   *markerInHand
	warnings input.Warnings
}

// maxValues is the largest number of values in the JSON of a document: a node of two bytes takes 400 in memory.
const maxValues = 1 << 20

// file reads the document and its scene.
func (d *decoder) file(data []byte) error {
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	text := data
	if isGLB(data) {
		var err error
		if text, d.binary, err = splitGLB(data); err != nil {
			return err
		}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.TrimRight(text, "\x00 ") // padding; zeros are against the rules but happen
	if n := input.CountJSON(text); n > maxValues {
		return fmt.Errorf("JSON: %d values; the limit is %d", n, maxValues)
	}
	if err := json.Unmarshal(text, &d.doc); err != nil {
		// The tables of version 1.0 are objects.
		var old struct{ Accessors, Meshes map[string]json.RawMessage }
		if json.Unmarshal(text, &old) == nil && len(old.Meshes) > 0 {
			return errors.New("unsupported version 1.0; supported: 2.0; convert it: gltf-pipeline -i IN -o OUT, or assimp export IN OUT.glb")
		}
		return jsonError(err)
	}
	if err := d.checkDocument(text); err != nil {
		return err
	}
	d.buffers = make([][]byte, len(d.doc.Buffers))
	d.onPath = make([]bool, len(d.doc.Nodes))
	d.materials()
	if err := d.shapes(); err != nil {
		return err
	}
	if n := len(d.doc.Animations); n > 0 {
		d.warnings.Addf("gltf: %d animations are not played: nodes stay where they are at rest", n)
	}
	if err := d.scene(); err != nil {
		return err
	}
	if len(d.lvl.Triangles) == 0 {
		return errors.New("no triangle in the scene")
	}
	return nil
}

// jsonError adds the place to an error of encoding/json.
func jsonError(err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Errorf("JSON: byte %d: %w", syntax.Offset, err)
	}
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return fmt.Errorf("JSON: byte %d: %w", kind.Offset, kindError(err))
	}
	return fmt.Errorf("JSON: %w", err)
}

// kindError names the field, the value and the wanted kind in words of JSON. Other errors stay.
func kindError(err error) error {
	e := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &e) {
		return err
	}
	want := e.Type.String()
	switch e.Type.Kind() {
	case reflect.Struct, reflect.Map:
		want = "an object"
	case reflect.Slice, reflect.Array:
		want = "a list"
	case reflect.String:
		want = "a text"
	case reflect.Bool:
		want = "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint32:
		want = "an integer"
	case reflect.Float64:
		want = "a number of 64 bits"
	}
	name := e.Field
	if name == "" {
		name = "the value"
	}
	return fmt.Errorf("%.200s is a JSON %.50s; want %s", name, e.Value, want)
}

// readable are the supported required extensions. Those of materials and lights only change how a surface
// looks; the others are read here.
var readable = []string{
	"EXT_mesh_gpu_instancing",
	"KHR_mesh_quantization",
	"KHR_texture_transform",
	"KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds",
	"KHR_lights_punctual", "EXT_lights_image_based",
	"KHR_animation_pointer",
	"KHR_xmp", "KHR_xmp_json_ld",
	"EXT_meshopt_compression", "KHR_meshopt_compression", dracoExtension,
	"MSFT_lod", // other levels of detail than the finest are not shown
	"OMI_physics_shape", "OMI_physics_body",
	"VRM",
}

// checkDocument refuses unsupported documents: other versions, required extensions, values outside of their
// enumerations. The library turns an unknown component type into float and an unknown mode into triangles, so
// the text is checked once more for both.
func (d *decoder) checkDocument(text []byte) error {
	switch v := d.doc.Asset.Version; {
	case v == "":
		return errors.New("no asset in the document: not a glTF 2.0 file")
	case v != "2" && !strings.HasPrefix(v, "2."):
		return fmt.Errorf("unsupported version %.20q; supported: 2.0", v)
	}
	for _, ext := range d.doc.ExtensionsRequired {
		if !slices.Contains(readable, ext) && !strings.HasPrefix(ext, "KHR_materials_") && !strings.HasPrefix(ext, "VRMC_") {
			return requiredError(ext)
		}
	}
	var raw struct {
		Accessors []struct {
			ComponentType int
			Sparse        *struct{ Indices struct{ ComponentType int } }
		}
		Meshes []struct{ Primitives []struct{ Mode *int } }
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return jsonError(err)
	}
	for i, a := range raw.Accessors {
		if d.doc.Accessors[i] == nil {
			continue
		}
		if !slices.Contains(componentTypes, a.ComponentType) {
			return fmt.Errorf("accessor %d: component type %d", i, a.ComponentType)
		}
		if a.Sparse != nil && !slices.Contains(componentTypes, a.Sparse.Indices.ComponentType) {
			return fmt.Errorf("accessor %d: component type %d of its sparse indices", i, a.Sparse.Indices.ComponentType)
		}
	}
	for i, m := range raw.Meshes {
		for k, p := range m.Primitives {
			if p.Mode != nil && (*p.Mode < 0 || *p.Mode > 6) {
				return fmt.Errorf("mesh %d, primitive %d: mode %d", i, k, *p.Mode)
			}
		}
	}
	return nil
}

// componentTypes are the codes of the specification.
var componentTypes = []int{5120, 5121, 5122, 5123, 5125, 5126}

// requiredError names an extension that is not read.
func requiredError(ext string) error {
	return fmt.Errorf("unsupported required extension %.60s", ext)
}

// at returns the element of a table that a file refers to. Entries may be null in JSON.
func at[T any](table []*T, i int, kind string) (*T, error) {
	if i < 0 || i >= len(table) {
		return nil, fmt.Errorf("%s %d of %d", kind, i, len(table))
	}
	if table[i] == nil {
		return nil, fmt.Errorf("%s %d is null", kind, i)
	}
	return table[i], nil
}
