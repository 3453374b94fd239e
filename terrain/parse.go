package terrain

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxFile is the size of the largest file of rules that is read, in bytes.
const MaxFile = 1 << 20

// maxDepth is how deep lists and mappings may be in each other, as far as brackets and blanks tell: the parser calls itself
// as often. Rules need five; brackets in texts count as well.
const maxDepth = 4000

// Parse reads a file of rules; name is how errors call it. docs/formats/terrain.md says what is in one.
//
// Rules that are wrong are an error of type [*Faults] that tells all that is wrong with line and column; what
// is no YAML, one fault.
func Parse(r io.Reader, name string) (*Rules, error) {
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

// reader reads the tree of a file and gathers what is wrong with it.
type reader struct{ faults Faults }

// document returns the tree, nil when there is none.
func (p *reader) document(data []byte) (body ast.Node) {
	if at := strings.IndexFunc(string(data), func(r rune) bool { return r == 0xfffd || r < ' ' && r != '\n' && r != '\r' && r != '\t' }); at >= 0 {
		p.faults.add(Place{1 + strings.Count(string(data[:at]), "\n"), at - strings.LastIndex(string(data[:at]), "\n")}, "", "is no text")
		return nil
	}
	if at := tooDeep(data); at > 0 {
		p.faults.add(Place{at, 1}, "", "is nested deeper than %d", maxDepth)
		return nil
	}
	defer func() { // The library is not ours; a file must not end the program.
		if r := recover(); r != nil {
			p.faults.add(Place{}, "", "is no YAML: %v", r)
			body = nil
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		at, text := Place{}, err.Error()
		if s := (*yaml.SyntaxError)(nil); errors.As(err, &s) {
			text = s.Message
			if s.Token != nil && s.Token.Position != nil {
				at = Place{s.Token.Position.Line, s.Token.Position.Column}
			}
		}
		text, _, _ = strings.Cut(text, "\n")
		p.faults.add(at, "", "is no YAML: %s", text)
		return nil
	}
	for _, d := range file.Docs {
		switch {
		case d.Body == nil:
		case body == nil:
			body = d.Body
		default:
			p.faults.add(placeOf(d.Body), "", "a second document begins here, there may be one")
			return nil
		}
	}
	if body == nil {
		p.faults.add(Place{}, "", "is empty")
	}
	return body
}

// tooDeep returns the line in which brackets, or blanks at the beginning, are too deep to be of rules; 0 for none.
func tooDeep(data []byte) int {
	line, depth, indent, fresh := 1, 0, 0, true
	for _, c := range data {
		switch {
		case c == '\n':
			line++
			indent, fresh = 0, true
			continue
		case fresh && (c == ' ' || c == '-' || c == '\t' || c == '?'):
			indent++
			if indent > maxDepth {
				return line
			}
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		}
		fresh = false
		if depth > maxDepth {
			return line
		}
	}
	return 0
}

func placeOf(n ast.Node) Place {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return Place{t.Position.Line, t.Position.Column}
	}
	return Place{}
}

// field is a key of a mapping with its value.
type field struct {
	key   string
	at    Place // of the key
	value ast.Node
}

// mapping returns the fields of a node in their order, each key once. of says what the node is.
func (p *reader) mapping(n ast.Node, of string) (fields []field) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		p.faults.add(placeOf(n), of, "is %s, must be a mapping of keys and values", kindOf(n))
		return nil
	}
	seen := map[string]bool{}
	for _, v := range values {
		key, ok := scalar(v.Key)
		at := placeOf(v.Key)
		switch {
		case !ok || v.Key.IsMergeKey():
			p.faults.add(at, of, "has a key that is no text")
		case seen[key]:
			p.faults.add(at, of, "has the key %q twice", key)
		default:
			fields = append(fields, field{key, at, v.Value})
		}
		seen[key] = true
	}
	return fields
}

// place returns where a mapping begins: at its first key.
func place(n ast.Node) Place {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return placeOf(m.Values[0].Key)
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return placeOf(m.Key)
	}
	return placeOf(n)
}

// list returns the elements of a sequence.
func (p *reader) list(n ast.Node, of string) []ast.Node {
	if s, ok := n.(*ast.SequenceNode); ok {
		return s.Values
	}
	if _, ok := n.(*ast.NullNode); !ok {
		p.faults.add(placeOf(n), of, "is %s, must be a list", kindOf(n))
	}
	return nil
}

// scalar returns a text as it is written, whatever YAML would take it for.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return strings.TrimSpace(v.Value.Value), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func (p *reader) text(n ast.Node, of string) string {
	s, ok := scalar(n)
	if !ok {
		p.faults.add(placeOf(n), of, "is %s, must be a text", kindOf(n))
	}
	return s
}

// texts reads a list of texts, or a single one.
func (p *reader) texts(n ast.Node, of string) (list []string) {
	if s, ok := scalar(n); ok {
		return []string{s}
	}
	for _, e := range p.list(n, of) {
		list = append(list, p.text(e, of))
	}
	return list
}

// number reads a number.
func (p *reader) number(n ast.Node, of string) float64 {
	switch v := n.(type) {
	case *ast.IntegerNode:
		switch i := v.Value.(type) {
		case int64:
			return float64(i)
		case uint64:
			return float64(i)
		}
	case *ast.FloatNode:
		return v.Value
	case *ast.InfinityNode:
		return v.Value
	case *ast.NanNode:
		return math.NaN()
	case *ast.StringNode: // 1e6 is a number to YAML, if not to the library
		if f, err := strconv.ParseFloat(v.Value, 64); err == nil && v.Token.Type == token.StringType && strings.ContainsAny(v.Value[:1], "+-.0123456789") {
			return f
		}
	}
	p.faults.add(placeOf(n), of, "is %s, must be a number", kindOf(n))
	return 0
}

// measure reads a number above 0, which a zero field would not tell from none.
func (p *reader) measure(n ast.Node, of string) float64 {
	before := len(p.faults.List)
	v := p.number(n, of)
	if len(p.faults.List) == before && !(v > 0 && !math.IsInf(v, 0)) {
		p.faults.add(placeOf(n), of, "is %g, must be above 0", v)
	}
	return v
}

func (p *reader) truth(n ast.Node, of string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		p.faults.add(placeOf(n), of, "is %s, must be true or false", kindOf(n))
		return false
	}
	return b.Value
}

// unknown tells a key that is not one of those that there are.
func (p *reader) unknown(f field, of string, keys string) {
	p.faults.add(f.at, of, "key %q is not known, there are %s", f.key, keys)
}

// kindOf names what a node is.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or an alias, which rules do not have"
	case *ast.TagNode:
		return "tagged, which rules have no use for"
	}
	return "something else"
}
