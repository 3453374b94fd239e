package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/lexicon"
	"github.com/meadow-nav/meadow/level/terrain"
)

// autoTerrain is the name that stands for rules by the names of materials alone.
const autoTerrain = "auto"

// openTerrain reads a file of rules, or the default rules.
func openTerrain(name string) (*meadow.Terrain, error) {
	if name == autoTerrain {
		return meadow.AutoTerrain(), nil
	}
	return meadow.OpenTerrain(name)
}

// terrainCmd reports the effect of rules on a level, and writes settled rules.
type terrainCmd struct {
	Level   string `arg:"" optional:"" placeholder:"LEVEL" help:"Level file: ${formats}; or a 2D map: ${maps}."`
	Terrain string `default:"auto" placeholder:"FILE" help:"Rules for the ground, or auto for the names of materials (default ${default})."`
	Out     string `short:"o" placeholder:"FILE" help:"Rules to write, with a pattern for every guess."`

	levelFlags

	JSON    bool `help:"Print as JSON."`
	License bool `help:"Print the licence of WordNet, whose words are part of this program, and stop."`
}

// terrainReport is the output of --json.
type terrainReport struct {
	Level     string           `json:"level"`
	Areas     []areaReport     `json:"areas"`
	Materials []materialReport `json:"materials"`
	Methods   []wayReport      `json:"methods"`
	Warnings  []string         `json:"warnings"`
}

type areaReport struct {
	Name   string  `json:"name"`
	Ground float64 `json:"ground_m2"`
	Users  string  `json:"users"` // the methods allowed on it
}

type materialReport struct {
	Name       string  `json:"name"`
	Texture    string  `json:"texture,omitempty"`
	Group      string  `json:"group"`
	How        string  `json:"how"`
	Word       string  `json:"word"`
	Concept    string  `json:"concept"`
	Confidence float64 `json:"confidence"`
	Triangles  int     `json:"triangles"`
	Ground     float64 `json:"ground_m2"`
	Colored    float64 `json:"by_vertex_color_m2"`
}

type wayReport struct {
	Name   string             `json:"name"`
	Ground float64            `json:"ground_m2"`
	Cost   map[string]float64 `json:"cost"` // of a metre, by group
}

// Run classifies, prints and writes.
func (c *terrainCmd) Run(e *env) error {
	if c.License {
		_, err := io.WriteString(e.stdout, lexicon.License)
		return err
	}
	if c.Level == "" {
		return errors.New("missing LEVEL; see meadow terrain --help")
	}
	t, err := openTerrain(c.Terrain)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := writable(c.Out, c.Level); err != nil {
			return err
		}
	}
	in, err := c.openInput(c.Level, true)
	if err != nil {
		return err
	}
	report, painted, err := in.apply(t)
	if err != nil {
		return inFile(c.Level, err)
	}
	r, err := reportTerrain(in.name(), t, report, c.Terrain)
	if err != nil {
		return err
	}
	if c.Out != "" {
		settled := terrain.Settle(t.Rules, report, c.Terrain == autoTerrain)
		if err := e.write(c.Out, func(w io.Writer) error { return settled.Write(w) }); err != nil {
			return err
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(e.stderr, "warning: %s\n", w)
	}
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	printTerrain(e.stdout, c.Level, r, painted)
	return nil
}

// reportTerrain reports the effect of a file's rules.
func reportTerrain(name string, t *meadow.Terrain, report terrain.Report, file string) (terrainReport, error) {
	r := terrainReport{Level: name, Areas: []areaReport{}, Materials: []materialReport{}, Methods: []wayReport{}, Warnings: []string{}}
	names, users := t.Rules.Areas(), t.Rules.Users()
	for a, n := range names {
		r.Areas = append(r.Areas, areaReport{n, round4(report.Areas[a]), users[a]})
	}
	for _, row := range report.Rows {
		r.Materials = append(r.Materials, materialReport{
			Name: row.Name, Texture: row.Texture, Group: names[row.Area], How: row.How.String(), Word: row.Word, Concept: row.Concept,
			Confidence: round4(row.Confidence), Triangles: row.Triangles, Ground: round4(row.Ground), Colored: round4(row.Colored),
		})
	}
	for i := range t.Rules.Methods {
		way, err := t.Rules.Traverse(t.Rules.Methods[i].Name)
		if err != nil {
			return r, err
		}
		m := wayReport{Name: way.Method, Cost: map[string]float64{}}
		for a, cost := range way.Cost {
			if cost > 0 {
				m.Ground += report.Areas[a]
				m.Cost[names[a]] = cost
			}
		}
		m.Ground = round4(m.Ground)
		r.Methods = append(r.Methods, m)
	}
	for _, w := range report.Warnings {
		r.Warnings = append(r.Warnings, w.In(file))
	}
	return r, nil
}

// printTerrain prints the grounds, the largest first within each group, and one line about the rest.
func printTerrain(w io.Writer, path string, r terrainReport, painted int) {
	fmt.Fprintln(w, path)
	total := 0.0
	for _, a := range r.Areas {
		total += a.Ground
	}
	fmt.Fprintf(w, "  ground   %.1f m² that face up within 45°\n", total)
	if painted > 0 {
		fmt.Fprintf(w, "  painted  %s over it, not in the figures\n", count(painted, "area"))
	}
	fmt.Fprintln(w)
	rows := [][]string{{"material", "group", "because of", "ground m²"}}
	rest := 0
	for _, m := range r.Materials {
		if m.Ground == 0 {
			rest++
			continue
		}
		name := m.Name
		if name == "" && m.Triangles > 0 && m.How == terrain.Unknown.String() {
			name = "(none)"
		}
		group := m.Group
		if m.Colored > 0 {
			group = "by colour"
		}
		rows = append(rows, []string{name, group, reason(m), fmt.Sprintf("%.1f", m.Ground)})
	}
	printColumns(w, rows)
	if rest > 0 {
		fmt.Fprintf(w, "  and %s without ground\n", count(rest, "material"))
	}
	fmt.Fprintln(w)
	rows = [][]string{{"group", "ground m²", "who may use it"}}
	for _, a := range r.Areas {
		if a.Ground > 0 {
			rows = append(rows, []string{a.Name, fmt.Sprintf("%.1f", a.Ground), orNobody(a.Users)})
		}
	}
	printColumns(w, rows)
	fmt.Fprintln(w)
	rows = [][]string{{"method", "ground m²", "cost of a metre"}}
	for _, m := range r.Methods {
		var costs []string
		for _, a := range r.Areas {
			if cost, ok := m.Cost[a.Name]; ok && a.Ground > 0 {
				costs = append(costs, fmt.Sprintf("%s %.3g", a.Name, cost))
			}
		}
		rows = append(rows, []string{m.Name, fmt.Sprintf("%.1f", m.Ground), strings.Join(costs, ", ")})
	}
	printColumns(w, rows)
}

// reason returns in a few words why a material is in its group, or its apparent kind if no group took it.
func reason(m materialReport) string {
	word := fmt.Sprintf("%s (%s)", m.Word, m.Concept)
	if m.Concept == "" || m.Concept == m.Word {
		word = m.Word
	}
	switch {
	case m.How == terrain.ByPattern.String():
		return m.Word
	case m.Colored > 0:
		return "vertex colours"
	case m.Word == "":
		return "-"
	case m.How == terrain.Unknown.String():
		return word + ", not taken"
	}
	return fmt.Sprintf("%s %.2f", word, m.Confidence)
}

func orNobody(users string) string {
	if users == "" {
		return "nobody"
	}
	return users
}

// printColumns prints rows in columns, the first row above a line of its own.
func printColumns(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, s := range row {
			width[k] = max(width[k], utf8.RuneCountInString(s))
		}
	}
	for _, row := range rows {
		var b bytes.Buffer
		for k, s := range row {
			fmt.Fprintf(&b, "  %s%s", s, strings.Repeat(" ", width[k]-utf8.RuneCountInString(s)))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
