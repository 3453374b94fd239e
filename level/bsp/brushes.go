package bsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// DecodeMap reads an uncompiled map of Quake, Quake 2, Quake 3 or Half-Life (Valve 220): text with brushes, each a solid behind its
// planes. The level is called after name, in units of the file, Z up. Options other than Limits are for compiled maps.
//
// Brushes of the world and of entities that stay in place are solid, brushes that stop players only among them; liquids,
// triggers and hints are left out, and so are moving entities and curved patches, with a warning.
//
// A fault is an error with its line. Time and space O(bytes + n² for a brush of n planes).
func DecodeMap(r io.Reader, name string, opt Options) (*level.Level, error) {
	data, err := input.All(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	base := path.Base(input.Slashed(name))
	m := mapReader{
		decoder: decoder{lvl: &level.Level{Name: strings.TrimSuffix(base, path.Ext(base))}, weld: map[geom.Vec]uint32{}, opt: opt},
		text:    data, line: 1, named: map[string]int32{}, left: map[string]int{},
	}
	m.limits = opt.Limits.WithDefaults()
	if err := m.read(); err != nil {
		return nil, fmt.Errorf("map: line %d: %w", m.line, err)
	}
	if len(m.lvl.Triangles) == 0 {
		return nil, errors.New("map: no brush in the file is solid")
	}
	for _, what := range m.order {
		m.warnings.Addf("map: %d %s left out", m.left[what], what)
	}
	if m.unclosed > 0 {
		m.warnings.Addf("map: %d brushes are empty or unbounded; left out", m.unclosed)
	}
	m.lvl.Warnings = m.warnings.Lines()
	return m.lvl, nil
}

// mapReader reads the tokens of a map.
type mapReader struct {
	decoder
	text  []byte
	line  int
	named map[string]int32 // materials by name
	left  map[string]int   // what is left out
	order []string
	sides []mapSide
}

// mapSide is a plane of a brush, with its texture.
type mapSide struct {
	plane
	texture string
}

// maxBrush bounds the planes of a brush, whose cuts are quadratic in them.
const maxBrush = 256

// next returns the next token, empty at the end; quoted text comes without quotes.
func (m *mapReader) next() (token string, quoted bool) {
	for len(m.text) > 0 {
		switch c := m.text[0]; {
		case c == '\n':
			m.line++
			m.text = m.text[1:]
		case c <= ' ':
			m.text = m.text[1:]
		case bytes.HasPrefix(m.text, []byte("//")):
			end := bytes.IndexByte(m.text, '\n')
			if end < 0 {
				end = len(m.text)
			}
			m.text = m.text[end:]
		case c == '"':
			body, rest, _ := bytes.Cut(m.text[1:], []byte{'"'})
			m.text = rest
			m.line += bytes.Count(body, []byte{'\n'})
			return string(body[:min(len(body), 4096)]), true
		case bytes.IndexByte([]byte("(){}[]"), c) >= 0:
			m.text = m.text[1:]
			return string(c), false
		default:
			end := bytes.IndexFunc(m.text, func(r rune) bool { return r <= ' ' })
			if end < 0 {
				end = len(m.text)
			}
			token = string(m.text[:min(end, 4096)])
			m.text = m.text[end:]
			return token, false
		}
	}
	return "", false
}

// read reads all entities.
func (m *mapReader) read() error {
	for i := 0; ; i++ {
		token, quoted := m.next()
		switch {
		case token == "" && !quoted:
			return nil
		case token != "{" || quoted:
			return fmt.Errorf("%.40q; want the { of an entity", token)
		}
		if err := m.entityOf(i); err != nil {
			return err
		}
	}
}

// entityOf reads an entity to its end. Brushes come behind the keys.
func (m *mapReader) entityOf(i int) error {
	e := entity{}
	first := len(m.lvl.Triangles)
	for {
		token, quoted := m.next()
		switch {
		case quoted:
			value, ok := m.next()
			if !ok {
				return fmt.Errorf("%.40q behind the key %.40q; want a quoted value", value, token)
			}
			if len(e) < 256 {
				e[token] = value
			}
		case token == "{":
			if err := m.brush(e["classname"]); err != nil {
				return err
			}
		case token == "}":
			m.object(e["classname"], first)
			if e["model"] == "" && e["classname"] != "" && len(m.lvl.Triangles) == first {
				return m.entity(i, e)
			}
			return nil
		default:
			return fmt.Errorf("%.40q in an entity; want a key, a brush or }", token)
		}
	}
}

// leave counts something that is left out.
func (m *mapReader) leave(what string) {
	if m.left[what] == 0 {
		m.order = append(m.order, what)
	}
	m.left[what]++
}

// brush reads a brush to its end, behind its {.
func (m *mapReader) brush(class string) error {
	m.sides = m.sides[:0]
	depth := 1
	for {
		token, quoted := m.next()
		switch {
		case token == "" && !quoted:
			return errors.New("the file ends in a brush")
		case strings.HasPrefix(token, "patchDef"), strings.HasPrefix(token, "terrainDef"):
			m.leave("curved patches")
			return m.skip(depth)
		case token == "brushDef", token == "brushDef3" && !quoted:
			if token == "brushDef3" {
				m.leave("brushes of Doom 3")
				return m.skip(depth)
			}
		case token == "{":
			depth++
		case token == "}":
			if depth--; depth == 0 {
				return m.solid(class)
			}
		case token == "(":
			if len(m.sides) >= maxBrush {
				return fmt.Errorf("a brush of more than %d planes", maxBrush)
			}
			side, err := m.side()
			if err != nil {
				return err
			}
			if side.normal != (geom.Vec{}) {
				m.sides = append(m.sides, side)
			}
		}
		// Anything else belongs to the texture of the last plane.
	}
}

// skip reads to the end of the blocks in hand.
func (m *mapReader) skip(depth int) error {
	for depth > 0 {
		token, quoted := m.next()
		switch {
		case token == "" && !quoted:
			return errors.New("the file ends in a brush")
		case token == "{":
			depth++
		case token == "}":
			depth--
		}
	}
	return nil
}

// side reads three points and the name of a texture, behind the first bracket. Points in a line make no plane.
func (m *mapReader) side() (mapSide, error) {
	var p [3]geom.Vec
	for i := range p {
		if i > 0 {
			if token, _ := m.next(); token != "(" {
				return mapSide{}, fmt.Errorf("%.40q; want the ( of a point", token)
			}
		}
		var v [3]float64
		for k := range v {
			token, _ := m.next()
			x, n, ok := input.Float([]byte(token), 0)
			if !ok || n != len(token) || !(x >= -maxCoord && x <= maxCoord) {
				return mapSide{}, fmt.Errorf("coordinate %.40q", token)
			}
			v[k] = x
		}
		p[i] = geom.Vec{X: v[0], Y: v[1], Z: v[2]}
		if token, _ := m.next(); token != ")" {
			return mapSide{}, fmt.Errorf("%.40q; want the ) of a point", token)
		}
	}
	s := mapSide{}
	token, _ := m.next()
	if token == "(" { // the matrix of brushDef: two rows of three numbers in brackets
		for depth := 1; depth > 0; {
			switch token, _ = m.next(); token {
			case "(":
				depth++
			case ")":
				depth--
			case "", "{", "}":
				return s, fmt.Errorf("%.40q in the matrix of a texture", token)
			}
		}
		token, _ = m.next()
	}
	if token == "" || token == "{" || token == "}" {
		return s, fmt.Errorf("%.40q; want the name of a texture", token)
	}
	s.texture = token
	normal := p[0].Sub(p[1]).Cross(p[2].Sub(p[1]))
	if normal == (geom.Vec{}) {
		return s, nil
	}
	s.normal = normal.Unit()
	s.offset = s.normal.Dot(p[0])
	return s, nil
}

// passable are names of textures, without their folder, of brushes that stop nobody.
var passable = []string{"trigger", "aaatrigger", "hint", "hintskip", "skip", "origin", "areaportal", "fog", "donotenter", "lightgrid"}

// loose are the classes of entities whose brushes move or stop nobody.
var loose = []string{"trigger_", "func_illusionary", "func_door", "func_plat", "func_train", "func_button", "func_rotating", "func_water", "func_ladder", "func_dustmotes", "func_areaportal", "func_bobbing", "func_pendulum"}

// solid makes the triangles of the brush in hand.
func (m *mapReader) solid(class string) error {
	for _, prefix := range loose {
		if strings.HasPrefix(class, prefix) {
			m.leave(fmt.Sprintf("brushes of %.40s", class))
			return nil
		}
	}
	planes := m.hull.planes[:0]
	for _, s := range m.sides {
		name := strings.ToLower(path.Base(input.Slashed(s.texture)))
		if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "!") {
			m.leave("brushes of liquids")
			return nil
		}
		for _, p := range passable {
			if name == p {
				m.leave(fmt.Sprintf("brushes of %s", p))
				return nil
			}
		}
		planes = append(planes, s.plane)
	}
	polygons := m.hull.polygons(planes)
	if len(polygons) == 0 {
		m.unclosed++
		return nil
	}
	body := level.Solid{Planes: make([]level.Plane, 0, len(polygons))}
	for _, p := range polygons {
		s := &m.sides[p.plane]
		material, err := m.texture(s.texture)
		if err != nil {
			return err
		}
		body.Planes = append(body.Planes, level.Plane{Normal: s.normal, Offset: s.offset, Material: material})
		m.fan(p.corners, geom.Vec{}, material)
	}
	m.lvl.Solids = append(m.lvl.Solids, body)
	return m.limits.CheckTriangles(len(m.lvl.Triangles))
}

// texture returns the material of a texture.
func (m *mapReader) texture(name string) (int32, error) {
	i, ok := m.named[name]
	if !ok {
		if len(m.lvl.Materials) >= level.MaxNames {
			return 0, fmt.Errorf("more than %d textures", level.MaxNames)
		}
		i = int32(len(m.lvl.Materials))
		m.named[name] = i
		m.lvl.Materials = append(m.lvl.Materials, level.Material{Name: name, Color: [4]float32{1, 1, 1, 1}})
	}
	return i, nil
}
