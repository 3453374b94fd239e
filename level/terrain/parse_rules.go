package terrain

import (
	"go.yaml.in/yaml/v4"

	"github.com/meadow-nav/meadow/internal/yamltree"
)

// Version is the version of all files written and read.
const Version = 1

// rules reads the top level of a file.
func (p *reader) rules(n *yaml.Node, r *Rules) {
	versioned := false
	for _, f := range p.mapping(n, "") {
		switch f.key {
		case "terrain":
			versioned = true
			if v := p.number(f.value, "terrain"); v != Version {
				p.faults.add(f.at, "terrain", "version %g is not known, there is %d", v, Version)
			}
		case "plain":
			r.Plain = p.text(f.value, "plain")
		case "guess":
			if r.Guess = p.number(f.value, "guess"); !(r.Guess >= 0 && r.Guess <= 1) {
				p.faults.add(placeOf(f.value), "guess", "is %g, must be a confidence from 0 to 1", r.Guess)
				r.Guess = 0
			}
		case "groups":
			for i, e := range p.list(f.value, "groups") {
				r.Groups = append(r.Groups, p.group(e, i))
			}
		case "methods":
			for i, e := range p.list(f.value, "methods") {
				r.Methods = append(r.Methods, p.method(e, i))
			}
		case "crossings":
			for i, e := range p.list(f.value, "crossings") {
				r.Crossings = append(r.Crossings, p.crossing(e, i))
			}
		case "paint":
			for i, e := range p.list(f.value, "paint") {
				r.Paint = append(r.Paint, p.paint(e, i))
			}
		default:
			p.unknown(f, "", "terrain, plain, guess, groups, methods, crossings, paint")
		}
	}
	if !versioned && len(p.faults.List) == 0 {
		p.faults.add(placeOf(n), "", "has no version: terrain: %d", Version)
	}
}

// name reads the name among the fields of element i of a kind first, for use in faults of the other fields.
func (p *reader) name(fields []field, kind string, i int) (name, element string) {
	for _, f := range fields {
		if f.key == "name" {
			name = p.text(f.value, named(kind, i, "")+": name")
		}
	}
	return name, named(kind, i, name)
}

func (p *reader) group(n *yaml.Node, i int) (g Group) {
	fields := p.mapping(n, named("group", i, ""))
	name, e := p.name(fields, "group", i)
	g.Name, g.Place = name, placeOf(n)
	for _, f := range fields {
		switch of := e + ": " + clipped(f.key); f.key {
		case "name":
		case "patterns":
			if s, ok := scalar(f.value); ok {
				g.Patterns = append(g.Patterns, Pattern{Glob: s, Place: placeOf(f.value)})
				break
			}
			for _, v := range p.list(f.value, of) {
				g.Patterns = append(g.Patterns, Pattern{Glob: p.text(v, of), Place: placeOf(v)})
			}
		case "words":
			g.Words = p.texts(f.value, of)
		case "colors":
			g.Colors = p.texts(f.value, of)
		default:
			p.unknown(f, e, "name, patterns, words, colors")
		}
	}
	return g
}

func (p *reader) method(n *yaml.Node, i int) (m Method) {
	fields := p.mapping(n, named("method", i, ""))
	name, e := p.name(fields, "method", i)
	m.Name, m.Place = name, placeOf(n)
	for _, f := range fields {
		switch of := e + ": " + clipped(f.key); f.key {
		case "name":
		case "includes":
			m.Includes = p.texts(f.value, of)
		case "speed":
			m.Speed = p.measure(f.value, of)
		case "cost":
			m.Cost = p.measure(f.value, of)
		case "on":
			m.On = p.uses(f.value, of)
		default:
			p.unknown(f, e, "name, includes, speed, cost, on")
		}
	}
	return m
}

// uses reads the ground of a method: a list of groups, or a mapping of groups to costs, or to cost and speed.
func (p *reader) uses(n *yaml.Node, of string) (on []Use) {
	if n.Kind != yaml.MappingNode {
		if s, ok := scalar(n); ok {
			return []Use{{Group: s, Place: placeOf(n)}}
		}
		for _, e := range p.list(n, of) {
			on = append(on, Use{Group: p.text(e, of), Place: placeOf(e)})
		}
		return on
	}
	for _, f := range p.mapping(n, of) {
		u := Use{Group: f.key, Place: f.at}
		switch {
		case yamltree.IsEmpty(f.value):
		case f.value.Kind == yaml.MappingNode:
			for _, k := range p.mapping(f.value, of+": "+clipped(f.key)) {
				switch k.key {
				case "cost":
					u.Cost = p.measure(k.value, of+": "+clipped(f.key)+": cost")
				case "speed":
					u.Speed = p.measure(k.value, of+": "+clipped(f.key)+": speed")
				default:
					p.unknown(k, of+": "+clipped(f.key), "cost, speed")
				}
			}
		default:
			u.Cost = p.measure(f.value, of+": "+clipped(f.key))
		}
		on = append(on, u)
	}
	return on
}

func (p *reader) crossing(n *yaml.Node, i int) (c Crossing) {
	fields := p.mapping(n, named("crossing", i, ""))
	name, e := p.name(fields, "crossing", i)
	c.Name, c.Place = name, placeOf(n)
	for _, f := range fields {
		switch of := e + ": " + clipped(f.key); f.key {
		case "name":
		case "from":
			c.From = p.text(f.value, of)
		case "to":
			c.To = p.text(f.value, of)
		case "methods":
			c.Methods = p.texts(f.value, of)
		case "cost":
			c.Cost = p.number(f.value, of)
		case "oneway":
			c.OneWay = p.truth(f.value, of)
		default:
			p.unknown(f, e, "name, from, to, methods, cost, oneway")
		}
	}
	return c
}

func (p *reader) paint(n *yaml.Node, i int) (t Paint) {
	e := named("paint", i, "")
	t.Place = placeOf(n)
	for _, f := range p.mapping(n, e) {
		switch of := e + ": " + clipped(f.key); f.key {
		case "mask":
			t.Mask = p.text(f.value, of)
		case "splat":
			t.Splat = p.text(f.value, of)
		case "map":
			t.Map = p.text(f.value, of)
		case "tolerance":
			t.Tolerance = p.number(f.value, of)
		case "over":
			corners := p.list(f.value, of)
			if len(corners) != 4 {
				p.faults.add(f.at, of, "has %d numbers, must have the least x and z and the greatest x and z", len(corners))
				break
			}
			t.Over = &[4]float64{}
			for k, v := range corners {
				t.Over[k] = p.number(v, of)
			}
		case "legend":
			for _, l := range p.mapping(f.value, of) {
				t.Legend = append(t.Legend, Legend{l.key, p.text(l.value, of+": "+clipped(l.key)), l.at})
			}
		default:
			p.unknown(f, e, "mask, splat, map, over, tolerance, legend")
		}
	}
	return t
}
