// Package threemf reads 3MF, the 3D Manufacturing Format: an archive with a model in XML.
//
// The items of the build are read with their objects, components and transforms; coordinates become metres by the model's
// unit, and Z stays up. Materials and colours are ignored. Parts of a model in further files (the production extension), slices
// and beams are left out with a warning.
package threemf

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// units are the lengths of units in metres.
var units = map[string]float64{"": 1e-3, "micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1}

const (
	// maxObjects bounds the objects of a model, and maxDepth how deep components are in each other.
	maxObjects = 1 << 16
	maxDepth   = 32
	// maxPlaced bounds the components that are placed, which repeat each other.
	maxPlaced = 1 << 18
)

// Decode reads a 3MF file; the level is called after name. The unpacked model counts against the limits as the file does.
//
// A fault is an error with the element and its line. Time and space O(bytes + triangles made).
func Decode(r io.Reader, name string, limits level.Limits) (*level.Level, error) {
	base := path.Base(input.Slashed(name))
	d := decoder{
		lvl:    &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))},
		limits: limits.WithDefaults(), objects: map[string]*object{},
	}
	data, err := input.All(r, limits)
	if err == nil {
		err = d.file(data)
	}
	if err != nil {
		return nil, fmt.Errorf("3mf: %w", err)
	}
	d.lvl.Warnings = d.warnings.Lines()
	return d.lvl, nil
}

// object is a mesh, or a list of components.
type object struct {
	name       string
	vertices   []geom.Vec
	triangles  [][3]uint32
	components []item
	open       bool // it is being placed
}

// item places an object.
type item struct {
	id string
	to geom.Affine
}

// decoder holds the model.
type decoder struct {
	lvl      *level.Level
	limits   level.Limits
	scale    float64
	objects  map[string]*object // looked up only
	build    []item
	vertices int
	faces    int
	placed   int
	warnings input.Warnings
}

// file finds the model in the archive and reads it.
func (d *decoder) file(data []byte) error {
	if len(data) == 0 {
		return errors.New("the file is empty")
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("no archive: %w", err)
	}
	var model *zip.File
	models := 0
	for _, f := range archive.File {
		if strings.EqualFold(path.Ext(f.Name), ".model") {
			if models++; model == nil || strings.EqualFold(input.Slashed(f.Name), "3D/3dmodel.model") {
				model = f
			}
		}
	}
	if model == nil {
		return errors.New("no model in the archive")
	}
	if models > 1 {
		d.warnings.Addf("3mf: %d models in further files are left out", models-1)
	}
	text, err := model.Open()
	if err != nil {
		return fmt.Errorf("%.80q: %w", model.Name, err)
	}
	defer text.Close()
	unpacked, err := input.All(io.MultiReader(text), d.limits)
	if err != nil {
		return fmt.Errorf("%.80q: %w", model.Name, err)
	}
	if err := d.model(unpacked); err != nil {
		return err
	}
	for _, it := range d.build {
		if err := d.place(it.id, it.to, 0); err != nil {
			return err
		}
	}
	if len(d.lvl.Triangles) == 0 {
		return errors.New("no triangle in the build")
	}
	return nil
}

// model reads the elements of the model in one pass.
func (d *decoder) model(text []byte) error {
	x := xml.NewDecoder(bytes.NewReader(text))
	var in *object
	root := false
	for {
		line, _ := x.InputPos()
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			if !root {
				return errors.New("no <model> in the file")
			}
			return nil
		}
		if err != nil {
			if fault := (*xml.SyntaxError)(nil); errors.As(err, &fault) {
				return fmt.Errorf("line %d: %s", fault.Line, fault.Msg)
			}
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !root && e.Name.Local != "model" {
				return fmt.Errorf("line %d: root element <%.40s>; want <model>", line, e.Name.Local)
			}
			root = true
			if in, err = d.element(e, in); err != nil {
				return fmt.Errorf("line %d: <%.40s>: %w", line, e.Name.Local, err)
			}
		case xml.EndElement:
			if e.Name.Local == "object" {
				in = nil
			}
		}
	}
}

// element reads an element inside of an object, nil outside of all, and returns the object in hand.
func (d *decoder) element(e xml.StartElement, in *object) (*object, error) {
	switch e.Name.Local {
	case "model":
		unit := attribute(e, "unit")
		scale, ok := units[unit]
		if !ok {
			return nil, fmt.Errorf("unknown unit %.40q", unit)
		}
		d.scale = scale
	case "object":
		if len(d.objects) >= maxObjects {
			return nil, fmt.Errorf("more than %d objects", maxObjects)
		}
		id := attribute(e, "id")
		if d.objects[id] != nil {
			return nil, fmt.Errorf("a second object %.40q", id)
		}
		d.objects[id] = &object{name: attribute(e, "name")}
		return d.objects[id], nil
	case "vertex":
		if in == nil {
			return nil, errors.New("outside of an object")
		}
		var v [3]float64
		for i, name := range []string{"x", "y", "z"} {
			var err error
			if v[i], err = number(attribute(e, name)); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		d.vertices++
		in.vertices = append(in.vertices, geom.Vec{X: v[0], Y: v[1], Z: v[2]})
		return in, d.limits.CheckVertices(d.vertices)
	case "triangle":
		if in == nil {
			return nil, errors.New("outside of an object")
		}
		var t [3]uint32
		for i, name := range []string{"v1", "v2", "v3"} {
			v, err := strconv.ParseUint(attribute(e, name), 10, 32)
			if err != nil || v >= uint64(len(in.vertices)) {
				return nil, fmt.Errorf("%s is %.40q; the object has %d vertices", name, attribute(e, name), len(in.vertices))
			}
			t[i] = uint32(v)
		}
		d.faces++
		in.triangles = append(in.triangles, t)
		return in, d.limits.CheckTriangles(d.faces)
	case "component", "item":
		to, err := transform(attribute(e, "transform"))
		if err != nil {
			return nil, err
		}
		it := item{attribute(e, "objectid"), to}
		switch {
		case attribute(e, "path") != "":
			d.warnings.Addf("3mf: object %.40q of %.80q is left out: it is in a further file", it.id, attribute(e, "path"))
		case len(d.build) >= maxPlaced || in != nil && len(in.components) >= maxPlaced:
			return nil, fmt.Errorf("more than %d of them", maxPlaced)
		case e.Name.Local == "item":
			d.build = append(d.build, it)
		case in == nil:
			return nil, errors.New("outside of an object")
		default:
			in.components = append(in.components, it)
		}
	case "slicestack", "beamlattice":
		d.warnings.Addf("3mf: a <%s> is left out", e.Name.Local)
	}
	return in, nil
}

// place adds an object to the level.
func (d *decoder) place(id string, to geom.Affine, depth int) error {
	o := d.objects[id]
	switch {
	case o == nil:
		return fmt.Errorf("object %.40q does not exist", id)
	case o.open || depth > maxDepth:
		return fmt.Errorf("object %.40q: components in each other more than %d deep", id, maxDepth)
	}
	if d.placed++; d.placed > maxPlaced {
		return fmt.Errorf("object %.40q: more than %d objects are placed", id, maxPlaced)
	}
	o.open = true
	defer func() { o.open = false }()
	if err := d.limits.CheckTriangles(len(d.lvl.Triangles) + len(o.triangles)); err != nil {
		return err
	}
	if err := d.limits.CheckVertices(len(d.lvl.Vertices) + len(o.vertices)); err != nil {
		return err
	}
	base, first := uint32(len(d.lvl.Vertices)), len(d.lvl.Triangles)
	for _, v := range o.vertices {
		w := to.Apply(v).Scale(d.scale)
		if !w.IsFinite() {
			return fmt.Errorf("object %.40q: vertex %v is moved to %v", id, v, w)
		}
		d.lvl.Vertices = append(d.lvl.Vertices, w)
	}
	mirrored := to.Det() < 0
	for _, t := range o.triangles {
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		d.lvl.Triangles = append(d.lvl.Triangles, level.Triangle{A: base + t[0], B: base + t[1], C: base + t[2], Material: level.NoMaterial})
	}
	if n := len(o.triangles); n > 0 {
		name := o.name
		if name == "" {
			name = "object " + id
		}
		d.lvl.Objects = append(d.lvl.Objects, level.Object{Name: name, First: first, Count: n})
	}
	for _, c := range o.components {
		if err := d.place(c.id, to.Mul(c.to), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// transform reads twelve numbers, the rows of a matrix that a row of coordinates is multiplied with.
func transform(text string) (geom.Affine, error) {
	if text == "" {
		return geom.Identity(), nil
	}
	fields := strings.Fields(text)
	if len(fields) != 12 {
		return geom.Affine{}, fmt.Errorf("transform of %d numbers; want 12", len(fields))
	}
	var m [12]float64
	for i, f := range fields {
		var err error
		if m[i], err = number(f); err != nil {
			return geom.Affine{}, fmt.Errorf("transform: %w", err)
		}
	}
	return geom.Affine{
		M: [3][3]float64{{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}},
		T: geom.Vec{X: m[9], Y: m[10], Z: m[11]},
	}, nil
}

// number reads a finite number.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || v-v != 0 {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return v, nil
}

// attribute returns an attribute of an element, empty where there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
