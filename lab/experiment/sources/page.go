package sources

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WritePage writes docs/sources.md from the lists and from a record of whole experiments. Figures without a result in the
// record are left out.
func WritePage(w io.Writer, rec Record) error {
	p := page{rec: rec}
	p.text("# The five sources, row by row")
	p.text("Made by `meadow reproduce --sources --state docs/reproduced.jsonl`; `make sources` runs the experiments again and rewrites the page. `TestSourcesPage` fails\n" +
		"when the page is stale, `TestNamedTestsExist` and `TestPagesNameCommands` when a named test or flag does not exist. Figures have the published value first, then ours.")
	for _, s := range Sources() {
		p.line("- **%s**: %s", s.Letter, s.Title)
	}
	p.text("- **N**: rows that none of the five has")
	p.text("## Rows of work")
	p.line("| row | subject | chapter | command | tests | published: ours | difference or state |")
	p.line("|---|---|---|---|---|---|---|")
	for _, r := range Rows() {
		p.line("| %s | %s | %s | %s | %s | %s | %s |", r.ID, r.Subject, r.Chapter, code(r.Command), codes(r.Tests), p.figures(r.Figures), linked(r.Why))
	}
	p.line("")
	p.text("## Tables, figures and theorems")
	p.text("`meadow reproduce --list` prints the same list. A *done* entry is repeated by an experiment, which prints published figures above ours, with reasons. Some results are\n" +
		"*drawn* by a page, a picture or a command. *Explains only* are diagrams, with nothing to measure.")
	for _, s := range Sources() {
		p.text("### " + s.Letter)
		p.line("| | section | row | subject | state |")
		p.line("|---|---|---|---|---|")
		for _, e := range Entries() {
			if e.Source == s.Letter {
				p.line("| %s | %s | %s | %s | %s |", e.Number, e.Section, e.Row, e.Subject, p.state(e))
			}
		}
		p.line("")
	}
	p.text("## Judged claims")
	p.text("Claims of the sources that an experiment judges, at its own size. `meadow reproduce all` exits with status 1 when a claim fails that no line below excuses.")
	var all Tally
	p.line("| experiment | claims | hold | known differences | fail | published figures | within 5 % |")
	p.line("|---|---:|---:|---:|---:|---:|---:|")
	for i := range rec {
		var t Tally
		t.Add(&rec[i])
		all.Add(&rec[i])
		p.line("| `%s` | %s |", rec[i].Experiment, t.cells())
	}
	p.line("| all | %s |", all.cells())
	p.line("")
	p.line("| experiment | claim that may fail | why |")
	p.line("|---|---|---|")
	for _, d := range Differences() {
		p.line("| `%s` | %s … | %s |", d.Experiment, d.Claim, linked(d.Why))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// cells are the counts in a row of a table.
func (t *Tally) cells() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d", t.Claims, t.Verdicts[Holds], t.Verdicts[Known], t.Verdicts[Fails], t.Published, t.Near)
}

// page collects the text.
type page struct {
	b   strings.Builder
	rec Record
}

// text adds a paragraph.
func (p *page) text(s string) { p.b.WriteString(s + "\n\n") }

// line adds a line.
func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// figures lists figures of experiments that the record has.
func (p *page) figures(list []Figure) string {
	var out []string
	for _, f := range list {
		r, ok := p.rec.Find(f.Experiment)
		if !ok {
			continue
		}
		if row, ok := r.Row(f.Method, f.Metric); ok {
			out = append(out, fmt.Sprintf("%s of %s: %s, %s", strings.ReplaceAll(f.Metric, "_", " "), f.Method, digits(row.Published), digits(row.Ours)))
		}
	}
	return strings.Join(out, "; ")
}

// state is the state of an entry, with a link or as code.
func (p *page) state(e Entry) string {
	switch {
	case e.State() == Done:
		return "done: `meadow reproduce " + e.Experiment() + "`"
	case strings.HasPrefix(e.Place(), "meadow "):
		return "drawn: " + code(e.Place())
	case e.State() == Drawn:
		return "drawn: " + linked(e.Place())
	default:
		return linked(e.String())
	}
}

// digits is a figure with four digits, "–" for an unknown one.
func digits(v *float64) string {
	if v == nil {
		return "–"
	}
	if *v >= 10000 {
		return strconv.FormatFloat(*v, 'f', 0, 64)
	}
	return strconv.FormatFloat(*v, 'g', 4, 64)
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// codes marks each word as code.
func codes(words string) string {
	list := strings.Fields(words)
	for i, w := range list {
		list[i] = code(w)
	}
	return strings.Join(list, ", ")
}

// linked turns names of files in docs, and only these, into links from docs, and commands into code.
func linked(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if path, ok := strings.CutPrefix(w, "docs/"); ok {
			words[i] = "[" + path[strings.LastIndexByte(path, '/')+1:] + "](" + path + ")"
		}
	}
	return strings.Join(words, " ")
}
