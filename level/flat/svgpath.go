package flat

import (
	"fmt"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// words reads numbers and commands of SVG, where separators are blanks and at most one comma, and may be
// missing where a number cannot go on.
type words struct {
	text string
	at   int
}

func (w *words) skip() {
	for w.at < len(w.text) && (input.IsBlank(w.text[w.at]) || w.text[w.at] == ',') {
		w.at++
	}
}

// more reports whether a number follows.
func (w *words) more() bool {
	w.skip()
	return w.at < len(w.text) && strings.IndexByte("+-.0123456789", w.text[w.at]) >= 0
}

// number reads a number: "1-2" holds two, and so does "1.5.5".
func (w *words) number() (float64, error) {
	w.skip()
	start, i := w.at, w.at
	digits := func() {
		for i < len(w.text) && w.text[i]-'0' <= 9 {
			i++
		}
	}
	sign := func() {
		if i < len(w.text) && (w.text[i] == '+' || w.text[i] == '-') {
			i++
		}
	}
	sign()
	digits()
	if i < len(w.text) && w.text[i] == '.' {
		i++
		digits()
	}
	if i < len(w.text) && w.text[i]|0x20 == 'e' {
		mantissa := i
		i++
		sign()
		if i == len(w.text) || w.text[i]-'0' > 9 {
			i = mantissa // the e of a unit
		}
		digits()
	}
	v, end, ok := input.Float([]byte(w.text[start:i]), 0)
	if !ok || end != i-start {
		return 0, fmt.Errorf("%.20q at character %d is not a number", w.text[start:], start)
	}
	w.at = i
	return v, nil
}

// numbers fills out.
func (w *words) numbers(out ...*float64) error {
	for _, p := range out {
		v, err := w.number()
		if err != nil {
			return err
		}
		*p = v
	}
	return nil
}

// flag reads a 0 or a 1, behind which another number may follow at once.
func (w *words) flag() (bool, error) {
	w.skip()
	if w.at == len(w.text) || w.text[w.at] != '0' && w.text[w.at] != '1' {
		return false, fmt.Errorf("%.20q at character %d is not a flag, 0 or 1", w.text[w.at:], w.at)
	}
	w.at++
	return w.text[w.at-1] == '1', nil
}

// path draws path data: the attribute d.
func (p *pen) path(d string) error {
	w := words{text: d}
	var at, begin point // where the pen is, and where the ring began
	var control point   // the last control point, for the smooth commands
	last := byte('z')   // the command before, in lower case
	closed, drawn := false, false
	for {
		w.skip()
		if w.at == len(d) {
			return nil
		}
		command := d[w.at]
		lower := command | 0x20
		if strings.IndexByte("mlhvcsqtaz", lower) < 0 || command < 'A' {
			return fmt.Errorf("%.20q at character %d is not a command", d[w.at:], w.at)
		}
		if !drawn && lower != 'm' {
			return fmt.Errorf("the path begins with %q; want a move", command)
		}
		w.at++
		if lower == 'z' {
			p.close()
			at, last, closed = begin, lower, true
			continue
		}
		for first := true; first || w.more(); first = false {
			if closed && lower != 'm' { // a command behind z goes on from where the ring began
				p.move(begin)
			}
			closed, drawn = false, true
			// Relative commands count from where the pen is.
			var base point
			if command == lower {
				base = at
			}
			from := at
			get := func(out *point) error {
				if err := w.numbers(&out.x, &out.y); err != nil {
					return err
				}
				out.x, out.y = out.x+base.x, out.y+base.y
				return nil
			}
			// A smooth command mirrors the control point of a previous command of its own kind.
			mirrored := func(kinds string) point {
				if strings.IndexByte(kinds, last) < 0 {
					return from
				}
				return point{from.x + (from.x - control.x), from.y + (from.y - control.y)}
			}
			var err error
			switch lower {
			case 'm':
				if err = get(&at); err == nil && first {
					begin = at
					p.move(at)
				} else if err == nil {
					p.line(at) // more pairs are lines
				}
			case 'l':
				if err = get(&at); err == nil {
					p.line(at)
				}
			case 'h':
				if err = w.numbers(&at.x); err == nil {
					at.x += base.x
					p.line(at)
				}
			case 'v':
				if err = w.numbers(&at.y); err == nil {
					at.y += base.y
					p.line(at)
				}
			case 'c', 's':
				c1 := mirrored("cs")
				if lower == 'c' {
					err = get(&c1)
				}
				for _, out := range []*point{&control, &at} {
					if err == nil {
						err = get(out)
					}
				}
				if err == nil {
					p.cubic(from, c1, control, at)
				}
			case 'q', 't':
				c := mirrored("qt")
				if lower == 'q' {
					err = get(&c)
				}
				if err == nil {
					err = get(&at)
				}
				if control = c; err == nil {
					p.quadratic(from, c, at)
				}
			case 'a':
				err = p.pathArc(&w, from, &at, get)
			}
			if err != nil {
				return err
			}
			last = lower
		}
	}
}

// pathArc reads the numbers of an A command and draws it.
func (p *pen) pathArc(w *words, from point, at *point, get func(*point) error) error {
	var rx, ry, degrees float64
	if err := w.numbers(&rx, &ry, &degrees); err != nil {
		return err
	}
	large, err := w.flag()
	if err != nil {
		return err
	}
	sweep, err := w.flag()
	if err != nil {
		return err
	}
	if err := get(at); err != nil {
		return err
	}
	p.arc(from, rx, ry, degrees, large, sweep, *at)
	return nil
}

// parseTransform reads the attribute transform.
func parseTransform(text string) (affine, error) {
	m := identity
	for rest := strings.TrimLeft(text, " \t\r\n,"); rest != ""; rest = strings.TrimLeft(rest, " \t\r\n,") {
		name, inside, ok := strings.Cut(rest, "(")
		inside, after, closed := strings.Cut(inside, ")")
		if !ok || !closed {
			return m, fmt.Errorf("invalid transform %.40q; want a function with parentheses", rest)
		}
		rest = after
		var v []float64
		for w := (words{text: inside}); ; {
			if w.skip(); w.at == len(inside) {
				break
			}
			x, err := w.number()
			if err != nil {
				return m, fmt.Errorf("transform: %w", err)
			}
			v = append(v, x)
		}
		t, ok := transformOf(strings.TrimSpace(name), v)
		if !ok {
			return m, fmt.Errorf("unknown transform %.20q with %d numbers", strings.TrimSpace(name), len(v))
		}
		m = m.times(t)
	}
	return m, nil
}

// transformOf returns the map of a single transform function.
func transformOf(name string, v []float64) (affine, bool) {
	switch {
	case name == "matrix" && len(v) == 6:
		return affine{v[0], v[1], v[2], v[3], v[4], v[5]}, true
	case name == "translate" && len(v) == 1:
		return affine{1, 0, 0, 1, v[0], 0}, true
	case name == "translate" && len(v) == 2:
		return affine{1, 0, 0, 1, v[0], v[1]}, true
	case name == "scale" && len(v) == 1:
		return affine{a: v[0], d: v[0]}, true
	case name == "scale" && len(v) == 2:
		return affine{a: v[0], d: v[1]}, true
	case name == "rotate" && (len(v) == 1 || len(v) == 3):
		sin, cos := geom.SincosDegrees(v[0])
		turn := affine{a: cos, b: sin, c: -sin, d: cos}
		if len(v) == 1 {
			return turn, true
		}
		return affine{1, 0, 0, 1, v[1], v[2]}.times(turn).times(affine{1, 0, 0, 1, -v[1], -v[2]}), true
	case name == "skewX" && len(v) == 1:
		sin, cos := geom.SincosDegrees(v[0])
		return affine{a: 1, c: sin / cos, d: 1}, true
	case name == "skewY" && len(v) == 1:
		sin, cos := geom.SincosDegrees(v[0])
		return affine{a: 1, b: sin / cos, d: 1}, true
	}
	return affine{}, false
}
