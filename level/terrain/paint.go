package terrain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/meadow-nav/meadow/level"
)

// Shape is an area of a two-dimensional map.
type Shape struct {
	// Names are given by the author: the shape's own name, its layer's name, its attributes as key=value.
	Names []string
	// Rings bound the shape as in [level.Painted].
	Rings [][][2]float64
}

// Painter applies the paint of rules to levels.
type Painter struct {
	// Files holds the pictures and maps, under the names in the rules.
	Files fs.FS
	// Map reads a two-dimensional map.
	Map func(files fs.FS, name string) ([]Shape, error)
}

// maxPicture is the size of the largest file of a picture, in bytes.
const maxPicture = 1 << 26

// Paint returns the painted areas of a level by valid rules, in the order of the rules; later areas overrule earlier
// ones. Errors name the file; warnings name parts of a picture or a legend without effect.
//
// Time and space are O(pixels) plus the cost of simplifying the borders, for maps O(points × patterns).
func (p Painter) Paint(lvl *level.Level, r *Rules) (painted []level.Painted, warnings []Fault, err error) {
	if lvl == nil || r == nil {
		return nil, nil, errors.New("terrain: the level or the rules are nil")
	}
	for i := range r.Paint {
		t := &r.Paint[i]
		w := Faults{}
		var patches []level.Painted
		var err error
		name := t.Mask + t.Splat + t.Map // exactly one is set
		if t.Map != "" {
			patches, err = p.shapes(r, t, &w)
		} else {
			patches, err = p.picture(lvl, r, t, &w)
		}
		if err != nil {
			// The text already starts with the name.
			if e := (*fs.PathError)(nil); errors.As(err, &e) {
				err = e.Err
			}
			return nil, nil, fmt.Errorf("terrain: paint %q: %w", name, err)
		}
		painted = append(painted, patches...)
		for _, f := range w.warnings() {
			f.Element = fmt.Sprintf("paint %q", name)
			warnings = append(warnings, f)
		}
	}
	return painted, warnings, nil
}

// picture paints with a mask or a splat map.
func (p Painter) picture(lvl *level.Level, r *Rules, t *Paint, w *Faults) ([]level.Painted, error) {
	data, err := p.read(t.Mask + t.Splat)
	if err != nil {
		return nil, err
	}
	picture, err := decodePicture(data)
	if err != nil {
		return nil, err
	}
	over := t.Over
	if over == nil {
		b := lvl.Bounds()
		over = &[4]float64{b.Min.X, b.Min.Z, b.Max.X, b.Max.Z}
	}
	var l *labels
	if t.Splat != "" {
		l = r.splat(t, picture)
	} else {
		var others int
		var other rgb
		if l, others, other = r.mask(t, picture); others > 0 {
			w.add(t.Place, "", "%d of %d pixels have colours that are not in the legend, such as #%02x%02x%02x: they paint nothing",
				others, len(l.at), other[0], other[1], other[2])
		}
	}
	r.warnOfLegend(t, l, w)
	return l.outlines(*over, t.Tolerance)
}

// warnOfLegend warns of areas of the legend missing in a picture.
func (r *Rules) warnOfLegend(t *Paint, l *labels, w *Faults) {
	var has [level.MaxAreas + 1]bool
	for _, v := range l.at {
		has[v] = true
	}
	for _, k := range t.Legend {
		if a, ok := r.area(k.Group); ok && !has[int(a)+1] {
			w.add(k.Place, "", "%q of the legend is nowhere in the picture: it paints no %q", k.Key, k.Group)
		}
	}
}

func (p Painter) read(name string) ([]byte, error) {
	if p.Files == nil {
		return nil, fs.ErrNotExist
	}
	switch info, err := fs.Stat(p.Files, name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := p.Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err == nil && len(data) > maxPicture {
		err = fmt.Errorf("is larger than %d bytes", maxPicture)
	}
	return data, err
}

// shapes paints with the shapes of a map: each goes to the first line of the legend that matches one of its names, in
// the order of the map.
func (p Painter) shapes(r *Rules, t *Paint, w *Faults) ([]level.Painted, error) {
	if p.Map == nil || p.Files == nil {
		return nil, fs.ErrNotExist
	}
	all, err := p.Map(p.Files, t.Map)
	if err != nil {
		return nil, err
	}
	used := make([]bool, len(t.Legend))
	left, first := 0, ""
	var out []level.Painted
	for _, s := range all {
		i := t.line(s.Names)
		if i < 0 {
			if left++; left == 1 && len(s.Names) > 0 {
				first = s.Names[0]
			}
			continue
		}
		used[i] = true
		a, _ := r.area(t.Legend[i].Group)
		out = append(out, level.Painted{Area: a, Rings: s.Rings})
	}
	if left > 0 {
		w.add(t.Place, "", "%d of %d shapes match nothing in the legend, such as %q: they paint nothing", left, len(all), first)
	}
	for i, k := range t.Legend {
		if !used[i] {
			w.add(k.Place, "", "%q of the legend matches no shape: it paints no %q", k.Key, k.Group)
		}
	}
	return out, nil
}

// line returns the line of the legend for a shape, -1 for none.
func (t *Paint) line(names []string) int {
	for i, k := range t.Legend {
		for _, n := range names {
			if Matches(k.Key, n, "") {
				return i
			}
		}
	}
	return -1
}
