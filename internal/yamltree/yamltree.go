// Package yamltree reads the single document of a YAML file as a tree, without harm by hostile files.
package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxDepth is the maximum nesting of lists and mappings, estimated by brackets and blanks: the parser recurses as
// deeply. Files of people need a dozen; brackets in texts count as well.
const maxDepth = 4000

// Fault is the reason why a file is no tree, at a line and a column from 1, or 0 without a place.
type Fault struct {
	Line, Column int
	Text         string
}

// Error returns the place and the text.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Text
	}
	return fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Text)
}

// Read returns the content of the only document in data. The error is a [*Fault]: for binary data, for nesting beyond 4000,
// for invalid YAML, for an empty file, for a second document. Time and memory are linear in data, up to the library's bounds on aliases.
func Read(data []byte) (body *yaml.Node, err error) {
	if at := strings.IndexFunc(string(data), func(r rune) bool { return r == 0xfffd || r < ' ' && r != '\n' && r != '\r' && r != '\t' }); at >= 0 {
		return nil, &Fault{1 + strings.Count(string(data[:at]), "\n"), at - strings.LastIndex(string(data[:at]), "\n"), "is not text"}
	}
	if at := tooDeep(data); at > 0 {
		return nil, &Fault{at, 1, fmt.Sprintf("is nested deeper than %d", maxDepth)}
	}
	defer func() { // The library is not ours; a file must not end the program.
		if r := recover(); r != nil {
			body, err = nil, &Fault{Text: fmt.Sprintf("is invalid YAML: %.80v", r)}
		}
	}()
	documents := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var d yaml.Node
		switch err := documents.Decode(&d); {
		case errors.Is(err, io.EOF):
			if body == nil {
				return nil, &Fault{Text: "is empty"}
			}
			return body, nil
		case err != nil:
			return nil, syntax(err)
		case len(d.Content) == 0:
		case body != nil:
			return nil, &Fault{d.Content[0].Line, d.Content[0].Column, "a second document begins here, there may be one"}
		case !IsEmpty(d.Content[0]):
			body = d.Content[0]
		}
	}
}

// syntax converts an error of the library.
func syntax(err error) *Fault {
	f := &Fault{Text: err.Error()}
	if e := (*yaml.LoadError)(nil); errors.As(err, &e) {
		f = &Fault{e.Mark.Line, e.Mark.Column, e.Message}
		if e.ContextMark.Line > 0 { // start of the list, mapping or text
			f.Line, f.Column = e.ContextMark.Line, e.ContextMark.Column
		}
	}
	text, _, _ := strings.Cut(f.Text, "\n")
	f.Text = fmt.Sprintf("is invalid YAML: %.200s", text)
	return f
}

// tooDeep returns the first line with more nested brackets, or more leading blanks, than rules can have; 0 for none.
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

// IsBare reports whether a node has neither an anchor nor an explicit tag.
func IsBare(n *yaml.Node) bool { return n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 }

// IsEmpty reports whether a node is null.
func IsEmpty(n *yaml.Node) bool { return n.ShortTag() == "!!null" && IsBare(n) }
