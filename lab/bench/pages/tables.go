package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// block matches a table that commands make: a comment with a recipe, the table, and a comment at the end. A recipe has one line
// for each command, and further lines on how the output becomes a table:
//
//	<!-- table
//	for kind in rooms maze
//	meadow gen $kind -o $kind.obj
//	meadow compare $kind.obj --generators anavmg,best --json
//	rows generators
//	column level = $kind
//	column regions = metrics.regions.value
//	column angle = metrics.minimum_angle.value %.1f°
//	inputs 0123456789abcdef
//	-->
//	| level | regions | angle |
//	…
//	<!-- end of table -->
//
// Commands with --json give rows: the objects in the field after rows, or the whole object without such a line. Without
// columns the output of all commands is the table: as it is if it is Markdown, else as a block of text. inputs is the hash of
// the table's inputs, see hash.go.
var block = regexp.MustCompile(`(?ms)^<!-- table\n(.*?)^-->\n(.*?)^<!-- end of table -->$`)

// recipe is the comment above a table.
type recipe struct {
	commands []string
	variable string
	values   []string
	rows     string
	columns  []column
	inputs   string
}

// column is a column of a table: a path into the rows, and a verb of fmt.
type column struct{ title, path, verb string }

// parseRecipe reads the lines of a comment.
func parseRecipe(text string) (recipe, error) {
	var r recipe
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "for":
			name, list, ok := strings.Cut(rest, " in ")
			if r.variable, r.values = "$"+name, strings.Fields(list); !ok || len(r.values) == 0 {
				return r, fmt.Errorf("%q: want for NAME in VALUES", line)
			}
		case "rows":
			r.rows = rest
		case "column":
			title, value, ok := strings.Cut(rest, " = ")
			if !ok {
				return r, fmt.Errorf("%q: want column TITLE = PATH [FORMAT]", line)
			}
			path, verb, _ := strings.Cut(value, " ")
			r.columns = append(r.columns, column{title, path, verb})
		case "inputs":
			r.inputs = rest
		case "meadow", "go":
			r.commands = append(r.commands, line)
		default:
			return r, fmt.Errorf("invalid line of a table %q", line)
		}
	}
	if len(r.commands) == 0 {
		return r, errors.New("a table has no command")
	}
	return r, nil
}

// String returns the lines of the comment.
func (r recipe) String() string {
	var b strings.Builder
	if r.variable != "" {
		fmt.Fprintf(&b, "for %s in %s\n", r.variable[1:], strings.Join(r.values, " "))
	}
	for _, c := range r.commands {
		fmt.Fprintln(&b, c)
	}
	if r.rows != "" {
		fmt.Fprintln(&b, "rows", r.rows)
	}
	for _, c := range r.columns {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("column %s = %s %s", c.title, c.path, c.verb), " "))
	}
	fmt.Fprintln(&b, "inputs", r.inputs)
	return b.String()
}

// writeTables makes the tables of the pages again.
func (w *workplace) writeTables(ctx context.Context, root string, pages []page, out io.Writer) error {
	for _, p := range pages {
		var failed error
		text := block.ReplaceAllStringFunc(p.text, func(old string) string {
			if failed != nil {
				return old
			}
			r, err := parseRecipe(block.FindStringSubmatch(old)[1])
			table := ""
			if err == nil {
				r.inputs, err = inputsOf(root, r)
			}
			if err == nil {
				table, err = w.make(ctx, r)
			}
			if err != nil {
				failed = fmt.Errorf("%s: %w", p.name, err)
				return old
			}
			return fmt.Sprintf("<!-- table\n%s-->\n%s<!-- end of table -->", r, table)
		})
		if failed != nil {
			return failed
		}
		if err := w.tidy(); err != nil {
			return err
		}
		if text != p.text {
			if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(p.name)), []byte(text), 0o666); err != nil {
				return err
			}
			fmt.Fprintln(out, p.name, "rewritten")
		}
	}
	return nil
}

// make runs the commands of a recipe and returns the table.
func (w *workplace) make(ctx context.Context, r recipe) (string, error) {
	values := r.values
	if r.variable == "" {
		values = []string{""}
	}
	var plain strings.Builder
	var rows [][]string
	for _, value := range values {
		for _, line := range r.commands {
			if r.variable != "" {
				line = strings.ReplaceAll(line, r.variable, value)
			}
			out, err := w.run(ctx, line)
			if err != nil {
				return "", fmt.Errorf("%s: %w", line, err)
			}
			switch {
			case len(r.columns) == 0:
				plain.WriteString(out)
			case strings.Contains(line, "--json"):
				more, err := r.read(out, value)
				if err != nil {
					return "", fmt.Errorf("%s: %w", line, err)
				}
				rows = append(rows, more...)
			}
		}
	}
	if len(r.columns) > 0 {
		return r.markdown(rows), nil
	}
	text := strings.Trim(plain.String(), "\n") + "\n"
	if !strings.Contains(text, "\n|---") {
		text = "```text\n" + text + "```\n"
	}
	return text, nil
}

// read returns the cells of the rows in the JSON of a command.
func (r recipe) read(text, value string) ([][]string, error) {
	var all any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	list := []any{all}
	if r.rows != "" {
		found, ok := at(all, r.rows).([]any)
		if !ok {
			return nil, fmt.Errorf("no rows at %s", r.rows)
		}
		list = found
	}
	var rows [][]string
	for _, object := range list {
		var row []string
		for _, c := range r.columns {
			if r.variable != "" && c.path == r.variable {
				row = append(row, value)
				continue
			}
			cell := at(object, c.path)
			if cell == nil {
				return nil, fmt.Errorf("no value at %s", c.path)
			}
			row = append(row, c.format(cell))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// format returns a value in the column's format. The verb may end in %%, which prints a percentage.
func (c column) format(value any) string {
	number, ok := value.(float64)
	switch {
	case !ok:
		return fmt.Sprint(value)
	case c.verb == "":
		return strconv.FormatFloat(number, 'f', -1, 64)
	case strings.HasSuffix(c.verb, "%%"):
		return fmt.Sprintf(c.verb, 100*number)
	}
	return fmt.Sprintf(c.verb, number)
}

// at returns the value at a path such as a.b.0 in decoded JSON, nil where there is none.
func at(value any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// markdown returns the rows as a table of Markdown.
func (r recipe) markdown(rows [][]string) string {
	var titles, rules []string
	for _, c := range r.columns {
		titles, rules = append(titles, c.title), append(rules, "---")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n|%s|\n", strings.Join(titles, " | "), strings.Join(rules, "|"))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}
