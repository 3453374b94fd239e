package terrain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Write writes the rules as a file that [Parse] reads as the same rules, except for their places. Notes of patterns
// become comments. The same rules give the same bytes.
func (r *Rules) Write(w io.Writer) error {
	if r == nil || w == nil {
		return errors.New("terrain: the rules or the writer are nil")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "terrain: %d\n", Version)
	if r.Plain != "" {
		fmt.Fprintf(&b, "plain: %s\n", quoted(r.Plain))
	}
	if r.Guess > 0 {
		fmt.Fprintf(&b, "guess: %s\n", figure(r.Guess))
	}
	section(&b, "groups", len(r.Groups))
	for i := range r.Groups {
		r.Groups[i].write(&b)
	}
	section(&b, "methods", len(r.Methods))
	for i := range r.Methods {
		r.Methods[i].write(&b)
	}
	section(&b, "crossings", len(r.Crossings))
	for i := range r.Crossings {
		r.Crossings[i].write(&b)
	}
	section(&b, "paint", len(r.Paint))
	for i := range r.Paint {
		r.Paint[i].write(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func section(b *bytes.Buffer, name string, n int) {
	if n > 0 {
		fmt.Fprintf(b, "%s:\n", name)
	}
}

func (g *Group) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "  - name: %s\n", quoted(g.Name))
	if len(g.Patterns) > 0 {
		b.WriteString("    patterns:\n")
		for _, p := range g.Patterns {
			fmt.Fprintf(b, "      - %s", quoted(p.Glob))
			if p.Note != "" {
				fmt.Fprintf(b, "  # %s", strings.Join(strings.Fields(p.Note), " "))
			}
			b.WriteByte('\n')
		}
	}
	texts(b, "words", g.Words)
	texts(b, "colors", g.Colors)
}

func (m *Method) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "  - name: %s\n", quoted(m.Name))
	texts(b, "includes", m.Includes)
	number(b, "speed", m.Speed)
	number(b, "cost", m.Cost)
	if len(m.On) > 0 {
		b.WriteString("    on:\n")
	}
	for _, u := range m.On {
		fmt.Fprintf(b, "      %s:", quoted(u.Group))
		switch {
		case u.Speed > 0 && u.Cost > 0:
			fmt.Fprintf(b, " {cost: %s, speed: %s}", figure(u.Cost), figure(u.Speed))
		case u.Speed > 0:
			fmt.Fprintf(b, " {speed: %s}", figure(u.Speed))
		case u.Cost > 0:
			fmt.Fprintf(b, " %s", figure(u.Cost))
		}
		b.WriteByte('\n')
	}
}

func (c *Crossing) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "  - name: %s\n    from: %s\n    to: %s\n", quoted(c.Name), quoted(c.From), quoted(c.To))
	texts(b, "methods", c.Methods)
	number(b, "cost", c.Cost)
	if c.OneWay {
		b.WriteString("    oneway: true\n")
	}
}

func (p *Paint) write(b *bytes.Buffer) {
	for _, k := range [3][2]string{{"mask", p.Mask}, {"splat", p.Splat}, {"map", p.Map}} {
		if k[1] != "" {
			fmt.Fprintf(b, "  - %s: %s\n", k[0], quoted(k[1]))
		}
	}
	if o := p.Over; o != nil {
		fmt.Fprintf(b, "    over: [%s, %s, %s, %s]\n", figure(o[0]), figure(o[1]), figure(o[2]), figure(o[3]))
	}
	number(b, "tolerance", p.Tolerance)
	if len(p.Legend) > 0 {
		b.WriteString("    legend:\n")
	}
	for _, l := range p.Legend {
		fmt.Fprintf(b, "      %s: %s\n", quoted(l.Key), quoted(l.Group))
	}
}

func texts(b *bytes.Buffer, key string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s: [", key)
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoted(s))
	}
	b.WriteString("]\n")
}

func number(b *bytes.Buffer, key string, v float64) {
	if v != 0 {
		fmt.Fprintf(b, "    %s: %s\n", key, figure(v))
	}
}

// figure formats a number for YAML: with or without a point, never as a power of ten without a point, which some
// readers take for text.
func figure(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// reserved are plain words that some version of YAML does not take for text.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// quoted formats a text: bare if safe, else in double quotes.
func quoted(s string) string {
	safe := s != "" && !slices.Contains(reserved, strings.ToLower(s))
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		inside := i > 0 && (r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' || r == '/')
		safe = safe && (letter || inside)
	}
	if safe {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings never fail
	return strings.TrimSuffix(b.String(), "\n")
}
