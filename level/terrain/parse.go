package terrain

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/meadow-nav/meadow/internal/yamltree"
)

// MaxFile is the maximum size of a file of rules, in bytes.
const MaxFile = 1 << 20

// Parse reads a file of rules; errors call the file name. docs/formats/terrain.md specifies the format.
//
// Faulty rules give an error of type [*Faults] with all faults by line and column; invalid YAML gives a single fault.
func Parse(r io.Reader, name string) (*Rules, error) {
	if r == nil {
		return nil, errors.New("terrain: the reader is nil")
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("terrain: %s: %w", name, err)
	}
	p := &reader{faults: Faults{Name: name}}
	if len(data) > MaxFile {
		p.faults.add(Place{}, "", "is larger than %d bytes", MaxFile)
		return nil, &p.faults
	}
	rules := &Rules{}
	if body := p.document(data); body != nil {
		p.rules(body, rules)
	}
	if len(p.faults.List) == 0 {
		rules.validate(&p.faults)
	}
	if err := p.faults.err(); err != nil {
		return nil, err
	}
	return rules, nil
}

// reader reads the tree of a file and gathers its faults.
type reader struct{ faults Faults }

// document returns the tree, nil for an invalid or empty file.
func (p *reader) document(data []byte) *yaml.Node {
	body, err := yamltree.Read(data)
	if f := (*yamltree.Fault)(nil); errors.As(err, &f) {
		p.faults.add(Place{f.Line, f.Column}, "", "%s", f.Text)
	}
	return body
}

// placeOf returns the start of a node; a mapping without braces starts at its first key.
func placeOf(n *yaml.Node) Place { return Place{n.Line, n.Column} }

// field is a key of a mapping with its value.
type field struct {
	key   string
	at    Place // of the key
	value *yaml.Node
}

// mapping returns the fields of a node in order, each key once. of names the node in faults.
func (p *reader) mapping(n *yaml.Node, of string) (fields []field) {
	if n.Kind != yaml.MappingNode || !yamltree.IsBare(n) {
		p.faults.add(placeOf(n), of, "is %s, must be a mapping of keys and values", kindOf(n))
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := scalar(n.Content[i])
		at := placeOf(n.Content[i])
		switch {
		case !ok:
			p.faults.add(at, of, "has a key other than text")
		case seen[key]:
			p.faults.add(at, of, "has the key %.80q twice", key)
		default:
			fields = append(fields, field{key, at, n.Content[i+1]})
		}
		seen[key] = true
	}
	return fields
}

// list returns the elements of a sequence.
func (p *reader) list(n *yaml.Node, of string) []*yaml.Node {
	if n.Kind == yaml.SequenceNode && yamltree.IsBare(n) {
		return n.Content
	}
	if !yamltree.IsEmpty(n) {
		p.faults.add(placeOf(n), of, "is %s, must be a list", kindOf(n))
	}
	return nil
}

// scalar returns a text as written, whatever type YAML would infer.
func scalar(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode || !yamltree.IsBare(n) || yamltree.IsEmpty(n) || n.ShortTag() == "!!merge" {
		return "", false
	}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return strings.TrimSpace(n.Value), true
	}
	return n.Value, true
}

func (p *reader) text(n *yaml.Node, of string) string {
	s, ok := scalar(n)
	if !ok {
		p.faults.add(placeOf(n), of, "is %s, must be a text", kindOf(n))
	}
	return s
}

// texts reads a list of texts, or a single one.
func (p *reader) texts(n *yaml.Node, of string) (list []string) {
	if s, ok := scalar(n); ok {
		return []string{s}
	}
	for _, e := range p.list(n, of) {
		list = append(list, p.text(e, of))
	}
	return list
}

// number reads a number.
func (p *reader) number(n *yaml.Node, of string) float64 {
	if isNumber(n) {
		var v float64
		if err := n.Decode(&v); err == nil {
			return v
		}
	}
	p.faults.add(placeOf(n), of, "is %s, must be a number", kindOf(n))
	return 0
}

// isNumber reports whether YAML infers a number.
func isNumber(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && yamltree.IsBare(n) && (tag == "!!int" || tag == "!!float")
}

// measure reads a number above 0; a zero field means absent.
func (p *reader) measure(n *yaml.Node, of string) float64 {
	before := p.faults.count()
	v := p.number(n, of)
	if p.faults.count() == before && !(v > 0 && !math.IsInf(v, 0)) {
		p.faults.add(placeOf(n), of, "is %g, must be above 0", v)
	}
	return v
}

func (p *reader) truth(n *yaml.Node, of string) (v bool) {
	if n.ShortTag() != "!!bool" || !yamltree.IsBare(n) || n.Decode(&v) != nil {
		p.faults.add(placeOf(n), of, "is %s, must be true or false", kindOf(n))
		return false
	}
	return v
}

// unknown reports an unknown key, with the list of known keys.
func (p *reader) unknown(f field, of string, keys string) {
	p.faults.add(f.at, of, "key %.80q is not known, there are %s", f.key, keys)
}

// kindOf names the kind of a node.
func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return "an anchor or an alias, which rules do not have"
	case n.Style&yaml.TaggedStyle != 0:
		return "tagged, which rules have no use for"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "empty"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	}
	return "a text"
}
