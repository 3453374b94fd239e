package obj

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// maxLibraries is the number of material libraries that are looked for.
const maxLibraries = 1 << 10

// materialNamed returns the index of the material with this name, and makes a new one if necessary.
func (d *decoder) materialNamed(name string) (int32, error) {
	if m, ok := d.materials[name]; ok {
		return m, nil
	}
	if len(d.lvl.Materials) == level.MaxNames {
		return level.NoMaterial, &level.TooLarge{Kind: "materials", Most: level.MaxNames}
	}
	m := int32(len(d.lvl.Materials))
	d.materials[name] = m
	d.lvl.Materials = append(d.lvl.Materials, level.Material{Name: name, Color: [4]float32{1, 1, 1, 1}})
	d.defined = append(d.defined, false)
	d.usedAt = append(d.usedAt, 0)
	return m, nil
}

// useMaterial makes name the material of the faces to come; no name means none.
func (d *decoder) useMaterial(name string) error {
	if name == "" {
		d.material = level.NoMaterial
		return nil
	}
	m, err := d.materialNamed(name)
	if err != nil {
		return err
	}
	d.material = m
	if d.usedAt[m] == 0 {
		d.usedAt[m] = d.line
	}
	return nil
}

// library reads the material libraries of one mtllib statement. The names are separated by blanks,
// but a name may contain blanks too: the whole is tried first.
func (d *decoder) library(names string) {
	if names == "" {
		d.warnings.Addf("obj: line %d: mtllib without a file name", d.line)
		return
	}
	if len(d.libraries) >= maxLibraries {
		d.warnings.Addf("obj: line %d: more than %d material libraries: %q is left out", d.line, maxLibraries, names)
		return
	}
	list := []string{names}
	if !d.files.Exists(names) {
		if parts := strings.Fields(names); d.files.Exists(parts[0]) {
			list = parts[:min(len(parts), maxLibraries)]
		}
	}
	for _, name := range list {
		if d.libraries[name] {
			continue
		}
		d.libraries[name] = true
		data, err := d.files.Read(name)
		if err == nil {
			data, err = input.UTF8(data)
		}
		if err != nil {
			d.unread++
			d.warnings.Addf("obj: line %d: material library %q: %v", d.line, name, reason(err))
			continue
		}
		d.readLibrary(name, data)
	}
}

// reason shortens the errors of file systems: the name is already next to them.
func reason(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("no such file")
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readLibrary reads an MTL file. A fault in it is a warning: it cannot harm the geometry.
func (d *decoder) readLibrary(name string, data []byte) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	current := int32(level.NoMaterial)
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data = cutLine(data, '\n')
		line = bytes.TrimSpace(line)
		end := input.TokenEnd(line, 0)
		keyword, rest := string(line[:end]), text(line[end:])
		if keyword == "newmtl" {
			m, err := d.materialNamed(rest)
			if err != nil {
				d.warnings.Addf("mtl: %s: line %d: %v: the rest is left out", name, n, err)
				return
			}
			current = m
			d.defined[m] = true
			continue
		}
		if current == level.NoMaterial {
			continue
		}
		m := &d.lvl.Materials[current]
		var err error
		switch keyword {
		case "Kd":
			err = diffuse(m, rest)
		case "d":
			err = opacity(m, strings.TrimSpace(strings.TrimPrefix(rest, "-halo")), false)
		case "Tr":
			err = opacity(m, rest, true)
		case "map_Kd":
			if m.Texture = textureName(rest); m.Texture == "" {
				err = errors.New("no file name in map_Kd")
			} else if !d.files.Exists(m.Texture) {
				err = fmt.Errorf("texture %q of material %q is missing", m.Texture, m.Name)
			}
		}
		if err != nil {
			d.warnings.Addf("mtl: %s: line %d: %v", name, n, err)
		}
	}
}

// diffuse reads Kd, one to three components. The numbers are taken as linear.
func diffuse(m *level.Material, rest string) error {
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return errors.New("no colour in Kd")
	}
	if fields[0] == "spectral" || fields[0] == "xyz" {
		return fmt.Errorf("unsupported colour Kd %s stays white", fields[0])
	}
	var last float32
	for k := range 3 {
		if k < len(fields) {
			v, err := component(fields[k])
			if err != nil {
				return err
			}
			last = v
		}
		m.Color[k] = last // a colour of one component is grey
	}
	return nil
}

// opacity reads d, or its complement Tr.
func opacity(m *level.Material, rest string, complement bool) error {
	v, err := component(rest)
	if err != nil {
		return err
	}
	if complement {
		v = 1 - v
	}
	m.Color[3] = v
	return nil
}

// component reads a number from 0 to 1; values beyond are clamped.
func component(s string) (float32, error) {
	v, next, ok := input.Float([]byte(s), 0)
	if !ok || next != len(s) || v-v != 0 {
		return 0, fmt.Errorf("%.40q is not a colour component", s)
	}
	return float32(max(0, min(1, v))), nil
}

// mapOptions are the options that may stand before the file name of a texture, with the number of values each
// takes at most. An option with several values may have fewer: its values end at the first non-number.
var mapOptions = map[string]int{
	"-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-imfchan": 1, "-type": 1, "-texres": 1, "-bm": 1, "-boost": 1,
	"-mm": 2, "-o": 3, "-s": 3, "-t": 3,
}

// textureName returns the file name of a map statement: the text after its options.
func textureName(rest string) string {
	for {
		option, tail, _ := strings.Cut(rest, " ")
		most, ok := mapOptions[option]
		if !ok {
			return input.Slashed(strings.TrimSpace(rest))
		}
		rest = strings.TrimSpace(tail)
		for k := range most {
			value, tail, _ := strings.Cut(rest, " ")
			if _, _, ok := input.Float([]byte(value), 0); k > 0 && !ok {
				break
			}
			rest = strings.TrimSpace(tail)
		}
	}
}

// checkMaterials warns of used materials without a description in any library, unless a library is missing,
// which explains the lack.
func (d *decoder) checkMaterials() {
	if d.unread > 0 {
		return
	}
	for i, m := range d.lvl.Materials {
		if !d.defined[i] && d.usedAt[i] > 0 {
			d.warnings.Addf("obj: line %d: material %q is not in any library", d.usedAt[i], m.Name)
		}
	}
}
