package flat

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
)

// cssRule is a declaration for the elements that a simple selector names.
type cssRule struct {
	element, id string   // empty for any
	classes     []string // all of them
	key, value  string
	weight      int // 100 for an id, 10 for each class, 1 for an element
}

// sheet holds the rules of all <style> elements by ascending weight, and of one weight in the order of the file.
type sheet []cssRule

// maxRules bounds the declarations of the style sheets of a file, each for one selector.
const maxRules = 1 << 12

// cssProperties are the properties that decide about areas.
var cssProperties = []string{"fill", "display", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"}

// addSheet reads the rules of a style sheet with simple selectors: names of elements, classes and ids. skipped reports
// whether other rules were left out.
func (s *sheet) addSheet(text string) (skipped bool) {
	for {
		before, rest, ok := strings.Cut(text, "/*")
		if !ok {
			break
		}
		_, after, _ := strings.Cut(rest, "*/")
		text = before + " " + after
	}
	text = strings.NewReplacer("<!--", " ", "-->", " ").Replace(text)
	for {
		head, rest, ok := strings.Cut(text, "{")
		if !ok {
			break
		}
		if strings.HasPrefix(strings.TrimSpace(head), "@") {
			skipped = true
			text = afterBlock(rest)
			continue
		}
		body, after, _ := strings.Cut(rest, "}")
		text = after
		for _, selector := range strings.Split(head, ",") {
			rule, ok := parseSelector(strings.TrimSpace(selector))
			if !ok {
				skipped = true
				continue
			}
			for _, declaration := range strings.Split(body, ";") {
				key, value, ok := strings.Cut(declaration, ":")
				rule.key = strings.TrimSpace(key)
				rule.value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
				if !ok || !slices.Contains(cssProperties, rule.key) {
					continue
				}
				if len(*s) >= maxRules {
					return true
				}
				*s = append(*s, rule)
			}
		}
	}
	slices.SortStableFunc(*s, func(a, b cssRule) int { return cmp.Compare(a.weight, b.weight) })
	return skipped
}

// afterBlock returns the text behind the bracket that closes a block.
func afterBlock(text string) string {
	for depth := 1; depth > 0; {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			return ""
		}
		if depth--; text[i] == '{' {
			depth += 2
		}
		text = text[i+1:]
	}
	return text
}

// parseSelector reads a selector such as rect.wall#north.
func parseSelector(text string) (cssRule, bool) {
	var r cssRule
	if text == "" || strings.ContainsAny(text, " \t\r\n>+~[]:()\"'") {
		return r, false
	}
	for text != "" {
		kind := text[0]
		name := text
		if kind == '.' || kind == '#' {
			name = text[1:]
		}
		end := strings.IndexAny(name, ".#")
		if end < 0 {
			end = len(name)
		}
		text, name = name[end:], name[:end]
		switch {
		case name == "" || len(r.classes) > 8:
			return r, false
		case kind == '.':
			r.classes = append(r.classes, name)
			r.weight += 10
		case kind == '#':
			r.id = name
			r.weight += 100
		case name != "*":
			r.element = name
			r.weight++
		}
	}
	return r, true
}

// names reports whether the selector of a rule fits an element.
func (r cssRule) names(e xml.StartElement) bool {
	if r.element != "" && r.element != e.Name.Local {
		return false
	}
	id, classes := "", ""
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "id":
			id = a.Value
		case "class":
			classes = a.Value
		}
	}
	if r.id != "" && r.id != id {
		return false
	}
	if len(r.classes) == 0 {
		return true
	}
	fields := strings.Fields(classes[:min(len(classes), 4096)])
	return !slices.ContainsFunc(r.classes, func(c string) bool { return !slices.Contains(fields, c) })
}

// value returns the value that the sheet gives a property of an element, empty for none.
func (s sheet) value(e xml.StartElement, name string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].key == name && s[i].names(e) {
			return s[i].value
		}
	}
	return ""
}
