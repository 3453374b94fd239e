package obj

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Encode writes lvl as OBJ. Numbers are the shortest that read back as the same float64, so decoding gives
// the same vertices and triangles, in the same order. Groups carry the objects and the markers. library,
// unless empty, is the name of the file that [EncodeMaterials] wrote.
func Encode(w io.Writer, lvl *level.Level, library string) error {
	if err := input.Encodable(w, lvl); err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	e := encoder{w: bufio.NewWriterSize(w, 1<<16)}
	if library != "" {
		e.name("mtllib", library)
	}
	for _, v := range lvl.Vertices {
		if !v.IsFinite() {
			v = geom.Vec{} // in no triangle: Validate saw to that
		}
		e.vertex(v)
	}
	names := materialNames(lvl)
	material := int32(level.NoMaterial)
	next := 0 // the next object to start
	end := 0  // where the object in hand ends
	inObject := false
	for i, t := range lvl.Triangles {
		for next < len(lvl.Objects) && lvl.Objects[next].First <= i {
			if o := lvl.Objects[next]; o.First == i && o.Count > 0 {
				e.name("g", objectName(o.Name))
				inObject, end = true, o.First+o.Count
			}
			next++
		}
		if inObject && i >= end {
			e.name("g", "")
			inObject = false
		}
		if t.Material != material {
			material = t.Material
			if material == level.NoMaterial {
				e.name("usemtl", "")
			} else {
				e.name("usemtl", names[material])
			}
		}
		e.face(int(t.A)+1, int(t.B)+1, int(t.C)+1)
	}
	n := len(lvl.Vertices)
	for _, m := range lvl.Markers {
		if len(m.Hull) == 0 {
			continue
		}
		e.name("g", input.MarkerName(m))
		corners := make([]int, 0, len(m.Hull))
		for _, v := range m.Hull {
			e.vertex(v)
			n++
			corners = append(corners, n)
		}
		for len(corners) < 3 {
			corners = append(corners, n)
		}
		e.face(corners...)
	}
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	return nil
}

// EncodeMaterials writes the materials of lvl as a material library (MTL).
func EncodeMaterials(w io.Writer, lvl *level.Level) error {
	if w == nil || lvl == nil {
		return errors.New("obj: the writer or the level is nil")
	}
	e := encoder{w: bufio.NewWriter(w)}
	for i, name := range materialNames(lvl) {
		m := lvl.Materials[i]
		e.name("newmtl", name)
		e.line = append(e.line, "Kd"...)
		for _, c := range m.Color[:3] {
			e.line = strconv.AppendFloat(append(e.line, ' '), float64(c), 'g', -1, 32)
		}
		e.end()
		e.line = append(e.line, "d "...)
		e.line = strconv.AppendFloat(e.line, float64(m.Color[3]), 'g', -1, 32)
		e.end()
		if m.Texture != "" {
			e.name("map_Kd", m.Texture)
		}
	}
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("mtl: %w", err)
	}
	return nil
}

// encoder writes lines; bufio keeps the first error until Flush.
type encoder struct {
	w    *bufio.Writer
	line []byte
}

func (e *encoder) end() {
	e.line = append(e.line, '\n')
	e.w.Write(e.line)
	e.line = e.line[:0]
}

// name writes a statement with a name.
func (e *encoder) name(keyword, name string) {
	e.line = append(e.line, keyword...)
	if name = oneLine(name); name != "" {
		e.line = append(append(e.line, ' '), name...)
	}
	e.end()
}

func (e *encoder) vertex(v geom.Vec) {
	e.line = append(e.line, 'v')
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		e.line = append(e.line, ' ')
		format := byte('f')
		if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e15) {
			format = 'e'
		}
		e.line = strconv.AppendFloat(e.line, x, format, -1, 64)
	}
	e.end()
}

func (e *encoder) face(corners ...int) {
	e.line = append(e.line, 'f')
	for _, c := range corners {
		e.line = strconv.AppendInt(append(e.line, ' '), int64(c), 10)
	}
	e.end()
}

// oneLine makes a name that survives writing and reading: one line, no blanks around it, no final backslash,
// which would continue the line.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
	return strings.TrimRight(strings.TrimSpace(s), `\ `)
}

// objectName returns a name that no reader takes for a marker's: a control character may hide the prefix, and
// [oneLine] takes the character away.
func objectName(name string) string {
	name = oneLine(name)
	if _, _, ok := input.ParseMarker(name); ok {
		return "_" + name
	}
	return name
}

// materialNames returns a distinct, non-empty name for every material: references in OBJ are by
// name.
func materialNames(lvl *level.Level) []string {
	names := make([]string, len(lvl.Materials))
	taken := make(map[string]bool)
	for i, m := range lvl.Materials {
		name := oneLine(m.Name)
		if name == "" {
			name = "material"
		}
		for k, stem := i, name; taken[name]; k++ {
			name = fmt.Sprintf("%s#%d", stem, k)
		}
		taken[name] = true
		names[i] = name
	}
	return names
}
