// Package project reads meadow.yaml, the file that says which meshes a folder's levels become. docs/formats/project.md
// specifies the format.
package project

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/meadow-nav/meadow/internal/excerpt"
	"github.com/meadow-nav/meadow/internal/yamltree"
)

// Name is the name of a project file that meadow build looks for.
const Name = "meadow.yaml"

// MaxFile is the maximum size of a project file, in bytes.
const MaxFile = 1 << 20

// MaxMeshes is the maximum number of meshes in a project file.
const MaxMeshes = 1000

// Setting is a key of the file and its values as text. A key is the name of a flag of meadow build without dashes, or level.
type Setting struct {
	Key    string
	Values []string // a list has any number, everything else one
	Line   int      // in the file, from 1
}

// Mesh is a mesh to build: all its settings in the order of keys, with those of its agent and those for all meshes.
type Mesh struct {
	Settings []Setting
	Line     int // of the mesh in the file, from 1
}

// Fault is the first fault of a project file, at a line from 1, or 0 without a place.
type Fault struct {
	File string
	Line int
	Text string
}

// Error returns file, line and text.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s", f.File, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// Parse reads the meshes of a project file; errors call the file name. A mesh's own settings count before those of its agent, and
// these before the settings for all meshes. The error is a [*Fault]. Time is linear in data, times the number of meshes.
func Parse(data []byte, name string) ([]Mesh, error) {
	r := reader{file: name, agents: map[string][]Setting{}}
	if len(data) > MaxFile {
		return nil, r.fault(0, "is larger than %d bytes", MaxFile)
	}
	body, err := yamltree.Read(data)
	if f := (*yamltree.Fault)(nil); errors.As(err, &f) {
		return nil, r.fault(f.Line, "%s", f.Text)
	}
	return r.project(body)
}

// reader is the state of Parse.
type reader struct {
	file   string
	agents map[string][]Setting
}

func (r *reader) fault(line int, format string, a ...any) error {
	return &Fault{excerpt.Text(r.file, 500, false), line, excerpt.Text(fmt.Sprintf(format, a...), 1000, false)}
}

// pair is a key with its value.
type pair struct {
	key   string
	line  int
	value *yaml.Node
}

// pairs returns the pairs of a mapping.
func (r *reader) pairs(n *yaml.Node, of string) ([]pair, error) {
	if n.Kind != yaml.MappingNode {
		return nil, r.fault(n.Line, "%s is no mapping of keys to values", of)
	}
	var list []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode || k.Value == "" {
			return nil, r.fault(k.Line, "%s has a key that is no word", of)
		}
		if slices.ContainsFunc(list, func(p pair) bool { return p.key == k.Value }) {
			return nil, r.fault(k.Line, "%s has %q twice", of, k.Value)
		}
		list = append(list, pair{k.Value, k.Line, n.Content[i+1]})
	}
	return list, nil
}

func (r *reader) project(body *yaml.Node) ([]Mesh, error) {
	top, err := r.pairs(body, "the project")
	if err != nil {
		return nil, err
	}
	var all []Setting
	var meshes *yaml.Node
	for _, p := range top { // agents first: meshes may stand before them
		if p.key == "agents" {
			if err := r.readAgents(p.value); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range top {
		switch p.key {
		case "agents":
		case "meshes":
			meshes = p.value
		default:
			s, err := r.setting(p)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	switch {
	case meshes == nil:
		return nil, r.fault(0, "has no list of meshes")
	case meshes.Kind != yaml.SequenceNode || len(meshes.Content) == 0:
		return nil, r.fault(meshes.Line, "meshes is no list with a mesh for each line")
	case len(meshes.Content) > MaxMeshes:
		return nil, r.fault(meshes.Line, "meshes has %d meshes, more than %d", len(meshes.Content), MaxMeshes)
	}
	var list []Mesh
	for _, n := range meshes.Content {
		m, err := r.mesh(n, all)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func (r *reader) readAgents(n *yaml.Node) error {
	agents, err := r.pairs(n, "agents")
	if err != nil {
		return err
	}
	for _, a := range agents {
		if r.agents[a.key], err = r.settings(a.value, fmt.Sprintf("agent %q", a.key)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) settings(n *yaml.Node, of string) ([]Setting, error) {
	pairs, err := r.pairs(n, of)
	if err != nil {
		return nil, err
	}
	list := []Setting{}
	for _, p := range pairs {
		s, err := r.setting(p)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// setting reads a value or a list of values.
func (r *reader) setting(p pair) (Setting, error) {
	s := Setting{Key: p.key, Line: p.line}
	values := []*yaml.Node{p.value}
	if p.value.Kind == yaml.SequenceNode {
		values = p.value.Content
	}
	for _, v := range values {
		if v.Kind != yaml.ScalarNode || yamltree.IsEmpty(v) {
			return s, r.fault(v.Line, "%s has no value", p.key)
		}
		s.Values = append(s.Values, v.Value)
	}
	return s, nil
}

// mesh joins the settings of a mesh with those of its agent and those for all.
func (r *reader) mesh(n *yaml.Node, all []Setting) (Mesh, error) {
	own, err := r.settings(n, "a mesh")
	if err != nil {
		return Mesh{}, err
	}
	m := Mesh{Line: n.Line}
	take := func(settings []Setting) {
		for _, s := range settings {
			if !slices.ContainsFunc(m.Settings, func(o Setting) bool { return o.Key == s.Key }) {
				m.Settings = append(m.Settings, s)
			}
		}
	}
	take(own)
	for _, layer := range [][]Setting{own, all} {
		at := slices.IndexFunc(layer, func(s Setting) bool { return s.Key == "agent" })
		if at < 0 {
			continue
		}
		agent := layer[at]
		if len(agent.Values) != 1 {
			return Mesh{}, r.fault(agent.Line, "agent is a list, and a mesh has one agent")
		}
		settings, ok := r.agents[agent.Values[0]]
		if !ok {
			return Mesh{}, r.fault(agent.Line, "agent %q is not among the agents", agent.Values[0])
		}
		take(settings)
		break
	}
	take(all)
	m.Settings = slices.DeleteFunc(m.Settings, func(s Setting) bool { return s.Key == "agent" })
	slices.SortStableFunc(m.Settings, func(a, b Setting) int { return cmp.Compare(a.Key, b.Key) })
	return m, nil
}
