package cuts

import (
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/faces"
)

// Finish settles the cuts and returns the pieces of the domain of in, divided by diagonals into convex cells. The
// longest diagonals go first. The observer of in sees the lines of borders under the given name, "cuts" and "diagonals".
// Finish adds to counts: parts, diagonals, cells, constructed and refused, as in the reports of the generators.
func (d *Domain) Finish(in gen.Input, name string, borders *Graph, counts map[string]int) gen.Result {
	_, counts["parts"] = d.Settle()
	m := faces.New(d.Domain)
	diagonals := m.Diagonals()
	LongestFirst(d.Domain, diagonals)
	counts["diagonals"] = m.Dissolve(diagonals)
	cells := m.Cells(d.On)
	counts["cells"], counts["constructed"], counts["refused"] = len(cells), d.Constructed, d.Refused
	if in.Watch != nil {
		in.Watch.Step(name, borders.Lines())
		in.Watch.Step("cuts", d.Cuts())
		in.Watch.Step("diagonals", m.Segments(diagonals))
	}
	return gen.Result{Cells: cells, Report: gen.Report{Lost: d.Lost, Counts: counts}}
}
