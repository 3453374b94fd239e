package bsp

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// entity is the keys and values of one entity, as its author wrote them.
type entity map[string]string

// parseEntities reads the text of the entities: each a list of quoted keys and values between
// braces. The last of equal keys counts.
func parseEntities(text []byte) ([]entity, error) {
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("%d characters; the limit is %d", len(text), maxText)
	}
	s := entityScanner{text: text}
	var all []entity
	for {
		switch token, quoted, err := s.next(); {
		case err != nil:
			return nil, err
		case token == "" && !quoted:
			return all, nil
		case token != "{" || quoted:
			return nil, fmt.Errorf("character %d: %.40q; want {", s.start, token)
		}
		if len(all) == maxEntities {
			return nil, fmt.Errorf("character %d: more than %d entities", s.start, maxEntities)
		}
		e := entity{}
		for {
			key, quoted, err := s.next()
			if err != nil {
				return nil, err
			}
			if key == "}" && !quoted {
				break
			}
			if !quoted {
				return nil, fmt.Errorf("character %d: entity %d: %.40q; want a quoted key or }", s.start, len(all), key)
			}
			value, quoted, err := s.next()
			if err != nil {
				return nil, err
			}
			if !quoted {
				return nil, fmt.Errorf("character %d: entity %d: %.40q; want a quoted value", s.start, len(all), value)
			}
			e[strings.ToLower(key)] = value
		}
		all = append(all, e)
	}
}

// entityScanner reads braces and quoted texts.
type entityScanner struct {
	text      []byte
	start, at int // of the token in hand, and behind it
}

// next returns the next token, "" at the end.
func (s *entityScanner) next() (token string, quoted bool, err error) {
	for s.at < len(s.text) && s.text[s.at] <= ' ' {
		s.at++
	}
	s.start = s.at
	if s.at == len(s.text) {
		return "", false, nil
	}
	if s.text[s.at] == '"' {
		end := bytes.IndexByte(s.text[s.at+1:], '"')
		if end < 0 {
			return "", false, fmt.Errorf("character %d: unterminated text", s.start)
		}
		s.at += end + 2
		return clean(string(s.text[s.start+1 : s.at-1])), true, nil
	}
	if c := s.text[s.at]; c == '{' || c == '}' {
		s.at++
		return string(c), false, nil
	}
	for s.at < len(s.text) && s.text[s.at] > ' ' && !bytes.ContainsRune([]byte(`{}"`), rune(s.text[s.at])) {
		s.at++
	}
	return clean(string(s.text[s.start:s.at])), false, nil
}

// origin returns where an entity is.
func (e entity) origin() (v geom.Vec, ok bool) {
	fields := strings.Fields(e["origin"])
	if len(fields) != 3 {
		return v, false
	}
	for i, to := range [3]*float64{&v.X, &v.Y, &v.Z} {
		x, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || !(math.Abs(x) <= maxCoord) {
			return geom.Vec{}, false
		}
		*to = x + 0
	}
	return v, true
}

// kinds maps known classes to marker kinds; any other class is its own kind.
var kinds = map[string]string{
	"func_door":          "door",
	"func_door_rotating": "door",
	"func_plat":          "lift",
	"func_train":         "mover",
	"func_bobbing":       "mover",
	"func_pendulum":      "mover",
	"func_rotating":      "mover",
	"func_button":        "button",
	"trigger_teleport":   "teleporter",
	"trigger_push":       "jumppad",
	"trigger_hurt":       "hurt",

	"info_player_start":      level.KindStart,
	"info_player_deathmatch": level.KindStart,
	"team_ctf_redplayer":     level.KindStart,
	"team_ctf_blueplayer":    level.KindStart,
	"team_ctf_redspawn":      level.KindStart,
	"team_ctf_bluespawn":     level.KindStart,
}

// moves reports whether things of a class leave their place, and so are no part of the level.
func moves(class string) bool {
	switch kinds[class] {
	case "door", "lift", "mover":
		return true
	}
	return false
}

// entity makes a marker of an entity, and triangles of its model if the model stays in place.
func (d *decoder) entity(i int, e entity) error {
	class := e["classname"]
	if class == "worldspawn" || class == "light" || class == "" {
		return nil
	}
	name := e["targetname"]
	if name == "" {
		name = e["target"]
	}
	kind := kinds[strings.ToLower(class)]
	if kind == "" {
		kind = class
	}
	origin, placed := e.origin()
	number, isModel := strings.CutPrefix(e["model"], "*")
	if !isModel {
		if placed {
			d.lvl.Markers = append(d.lvl.Markers, level.Marker{Name: name, Kind: kind, Hull: []geom.Vec{origin}})
		}
		return nil
	}
	m, err := strconv.Atoi(number)
	if err != nil || m < 1 || m >= len(d.models) {
		d.warnings.Addf("bsp: entity %d, %.40s: model %.40q of %d; left out", i, class, e["model"], len(d.models))
		return nil
	}
	if d.taken == nil {
		d.taken = make([]bool, len(d.models))
	}
	if d.taken[m] {
		d.warnings.Addf("bsp: entity %d, %.40s: model %d belongs to another entity; left out", i, class, m)
		return nil
	}
	d.taken[m] = true
	if class != "func_static" && class != "func_group" {
		hull, ok := d.box(m, origin)
		if !ok {
			d.warnings.Addf("bsp: entity %d, %.40s: model %d has no box; left out", i, class, m)
			return nil
		}
		d.lvl.Markers = append(d.lvl.Markers, level.Marker{Name: name, Kind: kind, Hull: hull})
	}
	if moves(class) || strings.HasPrefix(class, "trigger_") {
		return nil
	}
	return d.model(m, origin, class+" "+number)
}

// box returns the corners of the box around a model.
func (d *decoder) box(m int, origin geom.Vec) ([]geom.Vec, bool) {
	low, high := d.models[m].min, d.models[m].max
	if !within(low) || !within(high) || low.X > high.X || low.Y > high.Y || low.Z > high.Z {
		return nil, false
	}
	hull := make([]geom.Vec, 0, 8)
	for k := range 8 {
		v := low
		if k&1 != 0 {
			v.X = high.X
		}
		if k&2 != 0 {
			v.Y = high.Y
		}
		if k&4 != 0 {
			v.Z = high.Z
		}
		hull = append(hull, v.Add(origin))
	}
	return hull, true
}

// liquids makes markers of the brushes of the world that are filled with something to swim in.
func (d *decoder) liquids() {
	if len(d.models) == 0 {
		return
	}
	world := d.models[0]
	for i := world.firstBrush; i < world.firstBrush+world.brushes; i++ {
		kind := ""
		switch contents := d.textures[d.brushes[i].texture].contents; {
		case contents&contentsLava != 0:
			kind = "lava"
		case contents&contentsSlime != 0:
			kind = "slime"
		case contents&contentsWater != 0:
			kind = "water"
		default:
			continue
		}
		if len(d.hull.polygons(d.brushPlanes(i))) == 0 {
			d.unclosed++
			continue
		}
		d.lvl.Markers = append(d.lvl.Markers, level.Marker{Kind: kind, Hull: moved(d.hull.corners, geom.Vec{})})
	}
}
