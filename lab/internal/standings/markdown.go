package standings

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

const nothing = "—"

// Markdown prints the tables: the sums, then time, then quality level by level, then the places where somebody is wrong.
func (s *Standings) Markdown(w io.Writer) error {
	var b strings.Builder
	s.summary(&b)
	s.times(&b)
	s.qualities(&b)
	s.disputes(&b)
	s.failures(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary prints the first table only.
func (s *Standings) Summary(w io.Writer) error {
	var b strings.Builder
	s.summary(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// table prints a heading and the names of columns. row prints a row.
func table(b *strings.Builder, title string, columns ...string) (row func(cells ...string)) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	row = func(cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }
	row(columns...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat("---|", len(columns)))
	return row
}

// summary prints a column for each builder: means of ratios, and sums over all levels that every judged builder has a mesh of.
func (s *Standings) summary(b *strings.Builder) {
	names := s.names()
	row := table(b, fmt.Sprintf("All %d levels", len(s.Levels)), append([]string{""}, names...)...)
	line := func(title string, cell func(name string) string) {
		cells := []string{title}
		for _, name := range names {
			cells = append(cells, cell(name))
		}
		row(cells...)
	}
	line("levels without a mesh", func(name string) string {
		n := 0
		for i := range s.Levels {
			if e := s.Levels[i].entry(name); e == nil || e.Failed != "" {
				n++
			}
		}
		return fmt.Sprint(n)
	})
	mean := func(of func(*Entry) float64) func(string) string {
		return func(name string) string {
			if m := s.mean(name, of); m.Levels > 0 {
				return fmt.Sprintf("%.2f", m.Value)
			}
			return nothing
		}
	}
	line(fmt.Sprintf("time / %s, geometric mean", s.Reference), mean(timeOf))
	line("levels slower than that", func(name string) string {
		m := s.mean(name, timeOf)
		if name == s.Reference || m.Levels == 0 {
			return nothing
		}
		return fmt.Sprintf("%d of %d", m.Above, m.Levels)
	})
	line("regions, geometric mean of ratios", mean(regionsOf))
	line("bytes, geometric mean of ratios", mean(bytesOf))
	judged := s.judged()
	if len(judged) == 0 {
		return
	}
	all := s.complete(judged)
	sum := func(format string, of func(*Quality) float64) func(string) string {
		return func(name string) string {
			v, found := 0.0, false
			for _, l := range all {
				if e := l.entry(name); e != nil && e.Quality != nil {
					v, found = v+of(e.Quality), true
				}
			}
			if !found {
				return nothing
			}
			return fmt.Sprintf(format, v)
		}
	}
	floor, parts := 0.0, 0
	for _, l := range all {
		floor += l.Floor
		parts += l.Parts
	}
	percent := func(v float64) float64 { return 100 * v / floor }
	fmt.Fprintf(b, "| *%d levels with every mesh: %.0f m², %d parts* |%s\n", len(all), floor, parts, strings.Repeat(" |", len(names)))
	line("floor lost, % of all", sum("%.2f", func(q *Quality) float64 { return percent(q.Lost) }))
	line("floor lost, mean of levels, %", s.meanOf(all, func(_ *Level, q *Quality) float64 { return 100 * (1 - q.Coverage) }))
	line("regions without floor, m²", sum("%.1f", func(q *Quality) float64 { return q.Outside }))
	line("parts lost", sum("%.0f", func(q *Quality) float64 { return float64(q.LostParts) }))
	line("parts invented", sum("%.0f", func(q *Quality) float64 { return float64(q.InventedParts) }))
	line("parts split", sum("%.0f", func(q *Quality) float64 { return float64(q.SplitParts) }))
	line("parts joined", sum("%.0f", func(q *Quality) float64 { return float64(q.JoinedParts) }))
	line("paths missing, %", s.share(all, func(q *Quality) int { return q.Missing }))
	line("paths through what is no floor, %", s.share(all, func(q *Quality) int { return q.Short }))
	line("longest path / optimum, median of levels", s.medianOf(all, "%.3f", func(q *Quality) *float64 { return &q.Longest }))
	line("border off in the mean, cm, median of levels", s.medianOf(all, "%.1f", func(q *Quality) *float64 { return scaled(q.BorderMean, 100) }))
	line("border off at most, m, median of levels", s.medianOf(all, "%.2f", func(q *Quality) *float64 { return q.Border }))
	line("height off for 95 %, cm, median of levels", s.medianOf(all, "%.1f", func(q *Quality) *float64 { return scaled(&q.Rise95, 100) }))
	line("height off at most, cm, median of levels", s.medianOf(all, "%.1f", func(q *Quality) *float64 { return scaled(&q.Rise, 100) }))
}

func scaled(v *float64, by float64) *float64 {
	if v == nil {
		return nil
	}
	w := *v * by
	return &w
}

// complete returns the levels that all builders of a list have a judged mesh of.
func (s *Standings) complete(names []string) []*Level {
	var all []*Level
	for i := range s.Levels {
		l := &s.Levels[i]
		missing := slices.ContainsFunc(names, func(name string) bool { e := l.entry(name); return e == nil || e.Quality == nil })
		if !missing {
			all = append(all, l)
		}
	}
	return all
}

// meanOf returns a cell with the arithmetic mean over levels.
func (s *Standings) meanOf(all []*Level, of func(*Level, *Quality) float64) func(string) string {
	return func(name string) string {
		sum, n := 0.0, 0
		for _, l := range all {
			if e := l.entry(name); e != nil && e.Quality != nil {
				sum, n = sum+of(l, e.Quality), n+1
			}
		}
		if n == 0 {
			return nothing
		}
		return fmt.Sprintf("%.2f", sum/float64(n))
	}
}

// medianOf returns a cell with the median over levels.
func (s *Standings) medianOf(all []*Level, format string, of func(*Quality) *float64) func(string) string {
	return func(name string) string {
		var values []float64
		for _, l := range all {
			if e := l.entry(name); e != nil && e.Quality != nil {
				if v := of(e.Quality); v != nil {
					values = append(values, *v)
				}
			}
		}
		if len(values) == 0 {
			return nothing
		}
		return fmt.Sprintf(format, quantile(values, 0.5))
	}
}

// share returns a cell with a share of all pairs of places.
func (s *Standings) share(all []*Level, of func(*Quality) int) func(string) string {
	return func(name string) string {
		n, pairs := 0, 0
		for _, l := range all {
			if e := l.entry(name); e != nil && e.Quality != nil {
				n, pairs = n+of(e.Quality), pairs+e.Quality.Pairs
			}
		}
		if pairs == 0 {
			return nothing
		}
		return fmt.Sprintf("%.2f", 100*float64(n)/float64(pairs))
	}
}

// quantile returns the value below which a share of the values lies, between neighbours in proportion.
func quantile(values []float64, share float64) float64 {
	v := slices.Sorted(slices.Values(values))
	at := share * float64(len(v)-1)
	i := min(int(at), max(len(v)-2, 0))
	if len(v) == 1 {
		return v[0]
	}
	return v[i] + (v[i+1]-v[i])*(at-float64(i))
}

// times prints milliseconds of the reference and everybody's ratios.
func (s *Standings) times(b *strings.Builder) {
	names := s.names()
	columns := []string{"level", "triangles", s.Reference + ", ms"}
	var others []string
	for _, name := range names {
		if name != s.Reference {
			columns, others = append(columns, name), append(others, name)
		}
	}
	row := table(b, "Time by the time of "+s.Reference+"; the worst for us first", columns...)
	for _, l := range s.sorted() {
		first := nothing
		if e := l.entry(s.Reference); e != nil && e.Failed == "" && e.MS > 0 {
			first = digits(e.MS)
		}
		cells := []string{l.Name, fmt.Sprint(l.Triangles), first}
		for _, name := range others {
			cells = append(cells, s.timeCell(l, name))
		}
		row(cells...)
	}
}

// timeCell is a ratio, or the time where there is none.
func (s *Standings) timeCell(l *Level, name string) string {
	if v, ok := s.ratio(l, name, timeOf); ok {
		return digits(v)
	}
	if e := l.entry(name); e != nil && e.Failed == "" && e.MS > 0 {
		return digits(e.MS) + " ms"
	}
	return nothing
}

// qualities prints a row for each judged mesh. The first rows of the table are of the levels on which ours lose most.
func (s *Standings) qualities(b *strings.Builder) {
	names := s.judged()
	if len(names) == 0 {
		return
	}
	row := table(b, "Quality by the whole floor; the levels with the largest share of floor lost by us first", "level", "mesh", "regions", "bytes",
		"coverage", "lost m²", "outside m²", "parts lost, invented, split, joined", "paths missing, short", "longest, mean path", "border m: most, mean", "height m: most, 95 %")
	all := s.sorted()
	loss := func(l *Level) float64 {
		for _, name := range s.Ours {
			if e := l.entry(name); e != nil && e.Quality != nil {
				return 1 - e.Quality.Coverage
			}
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(all, func(a, b *Level) int { return cmp.Compare(loss(b), loss(a)) })
	for _, l := range all {
		title := l.Name
		for _, name := range names {
			e := l.entry(name)
			if e == nil || e.Quality == nil {
				continue
			}
			q := e.Quality
			row(title, name, fmt.Sprint(e.Regions), fmt.Sprint(e.Bytes), fmt.Sprintf("%.4f", q.Coverage), fmt.Sprintf("%.2f", q.Lost), fmt.Sprintf("%.2f", q.Outside),
				fmt.Sprintf("%d, %d, %d, %d", q.LostParts, q.InventedParts, q.SplitParts, q.JoinedParts), fmt.Sprintf("%d, %d of %d", q.Missing, q.Short, q.Pairs),
				fmt.Sprintf("%.3f, %.3f", q.Longest, q.Mean), metres(q.Border, "%.3f")+", "+metres(q.BorderMean, "%.4f"), fmt.Sprintf("%.3f, %.3f", q.Rise, q.Rise95))
			title = ""
		}
	}
}

func metres(v *float64, format string) string {
	if v == nil {
		return nothing
	}
	return fmt.Sprintf(format, *v)
}

// maxListed bounds the list of places.
const maxListed = 20

// disputes prints how often the judge sides with whom, and the places where the extractor is wrong.
func (s *Standings) disputes(b *strings.Builder) {
	names := s.judged()
	if len(names) == 0 {
		return
	}
	row := table(b, "Who is right where a mesh and the extractor's floor differ, by the brute-force judge", "mesh",
		"lost pieces: floor right", "mesh right", "within tolerance", "too thin", "pieces outside: floor right", "mesh right", "within tolerance", "too thin")
	type place struct {
		level, mesh string
		Dispute
	}
	var wrong []place
	for _, name := range names {
		count := map[bool]map[Side]int{true: {}, false: {}}
		for i := range s.Levels {
			e := s.Levels[i].entry(name)
			if e == nil {
				continue
			}
			for _, d := range e.Disputes {
				count[d.Lost][d.Side]++
				if d.Side == Mesh {
					wrong = append(wrong, place{s.Levels[i].Name, name, d})
				}
			}
		}
		cells := []string{name}
		for _, lost := range []bool{true, false} {
			for _, side := range []Side{Floor, Mesh, Open, Thin} {
				cells = append(cells, fmt.Sprint(count[lost][side]))
			}
		}
		row(cells...)
	}
	slices.SortStableFunc(wrong, func(a, b place) int { return cmp.Compare(b.Area, a.Area) })
	if len(wrong) == 0 {
		return
	}
	row = table(b, fmt.Sprintf("Places where the judge is against the extractor: %d; the largest pieces first", len(wrong)), "level", "mesh", "piece", "m²", "at", "margin of the disc, m")
	for _, p := range wrong[:min(len(wrong), maxListed)] {
		kind := "outside"
		if p.Lost {
			kind = "lost"
		}
		row(p.level, p.mesh, kind, fmt.Sprintf("%.3f", p.Area), fmt.Sprintf("%.3f, %.3f, %.3f", p.At.X, p.At.Y, p.At.Z), fmt.Sprintf("%.3f", p.By))
	}
}

// failures lists the builders that have no mesh of a level, and the meshes that nobody could judge.
func (s *Standings) failures(b *strings.Builder) {
	first := true
	for i := range s.Levels {
		l := &s.Levels[i]
		line := func(name, why string) {
			if first {
				b.WriteString("\n### Without a mesh or a judgement\n\n")
				first = false
			}
			fmt.Fprintf(b, "- %s, %s: %s\n", l.Name, name, why)
		}
		if l.Failed != "" {
			line("all", l.Failed)
		}
		for k := range l.Entries {
			e := &l.Entries[k]
			if e.Failed != "" {
				line(e.Name, e.Failed)
			}
			if e.Unjudged != "" {
				line(e.Name, "not judged: "+e.Unjudged)
			}
		}
	}
}

// digits prints three significant digits, all before the point.
func digits(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
