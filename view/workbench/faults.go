package workbench

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/metric/verify"
)

var faultRequests = map[string]handler{"faults": faults, "verify": verified}

// Finding is something that a person should look at.
type Finding struct {
	// Kind is fault, warning, dropped, marker or floor: the last is a finding of the comparison with the whole floor.
	Kind string `json:"kind"`
	Text string `json:"text"`
	// At is the place, null for none. Region is the region, counted tile after tile, or -1. Area is in m², 0 for none.
	At     *[3]float64 `json:"at"`
	Region int         `json:"region"`
	Area   float64     `json:"area"`
}

// Findings is the answer to faults and verify: the list, at most [mostFindings] of each kind, and the number of all.
type Findings struct {
	List  []Finding `json:"list"`
	Count int       `json:"count"`
	// Rows are the figures of the comparison with the floor; empty for faults.
	Rows []Row `json:"rows"`
}

// mostFindings bounds the findings of each kind in an answer.
const mostFindings = 100

// findings gathers a list.
type findings struct {
	Findings
	of map[string]int
}

func newFindings() *findings {
	return &findings{Findings{List: []Finding{}, Rows: []Row{}}, map[string]int{}}
}

func (f *findings) add(n Finding) {
	f.Count++
	if f.of[n.Kind]++; f.of[n.Kind] <= mostFindings {
		f.List = append(f.List, n)
	}
}

func place(v geom.Vec) *[3]float64 {
	if !v.IsFinite() {
		return nil
	}
	return &[3]float64{v.X, v.Y, v.Z}
}

// faults lists what the mesh says of itself: faults, warnings, parts of the floor left out, and what became of markers.
func faults(b *Bench, _ context.Context, _ Request, _ Tell) (Reply, error) {
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	list := newFindings()
	for _, fault := range b.mesh.Validate() {
		n := Finding{Kind: "fault", Text: fault.Error(), Region: -1}
		if region, at := regionOf(b.mesh.Mesh, fault.Region); fault.Region != 0 && region >= 0 {
			n.Region, n.At = region, place(at)
		}
		if fault.At != (geom.Vec{}) {
			n.At = place(fault.At)
		}
		list.add(n)
	}
	report := b.mesh.Report()
	for _, text := range report.Warnings {
		list.add(Finding{Kind: "warning", Text: text, Region: -1})
	}
	for _, m := range report.Markers {
		text := fmt.Sprintf("%s %q: divides %d parts of the floor, makes %d links", m.Kind, m.Name, m.Domains, m.Links)
		if m.Warning != "" {
			text = fmt.Sprintf("%s %q: %s", m.Kind, m.Name, m.Warning)
			list.add(Finding{Kind: "warning", Text: text, At: place(m.At), Region: -1})
			continue
		}
		list.add(Finding{Kind: "marker", Text: text, At: place(m.At), Region: -1})
	}
	for _, d := range report.Dropped {
		list.add(Finding{Kind: "dropped", Text: fmt.Sprintf("%.2f m² of floor left out: %s", d.Area, report.Reason()), At: place(d.At), Region: -1, Area: d.Area})
	}
	return Reply{Answer: list.Findings}, nil
}

// verified compares the mesh, or its rival, with the whole floor of the level.
func verified(b *Bench, ctx context.Context, r Request, tell Tell) (Reply, error) {
	var o struct {
		Rival bool `json:"rival"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	mesh := b.mesh
	if o.Rival {
		mesh = b.judging.rival
	}
	switch {
	case mesh == nil:
		return Reply{}, errNoMesh
	case b.level == nil && b.plane == nil:
		return Reply{}, errors.New("the floor is unknown: open the level of the mesh")
	}
	opt := b.made
	opt.Progress = tell
	if b.floor == nil || o.Rival {
		opt.Agent = mesh.Agent.Literal()
	}
	reachable, err := b.find(ctx, opt)
	if err != nil {
		return Reply{}, err
	}
	opt.Keep, opt.KeepArea, opt.KeepAll = nil, 0, true
	all, err := b.find(ctx, opt)
	if err != nil {
		return Reply{}, err
	}
	optimal, err := reachable.Mesh(ctx, meadow.MeshOptions{Generator: delaunay.Generator{}})
	if err != nil {
		return Reply{}, err
	}
	report, err := verify.Measure(ctx, mesh.Mesh, verify.Truth{All: all.Plan, Reachable: reachable.Plan, Mesh: optimal.Mesh}, verify.Options{Seed: 1})
	if err != nil {
		return Reply{}, err
	}
	return Reply{Answer: judgement(report)}, nil
}

// judgement lists the findings of a comparison with the floor, the most serious first.
func judgement(r *verify.Report) Findings {
	list := newFindings()
	pieces := func(text string, pieces []verify.Piece, least float64) {
		for _, p := range pieces {
			if p.Area < least {
				continue
			}
			at := p.At
			if middle, _, ok := p.Middle(); ok {
				at = middle
			}
			list.add(Finding{Kind: "floor", Text: fmt.Sprintf("%s: %.2f m²", text, p.Area), At: place(at), Region: -1, Area: p.Area})
		}
	}
	c := &r.Components
	pieces("part of the floor that the mesh lacks", c.Lost, 0)
	pieces("part of the mesh that the floor lacks", c.Invented, 0)
	pieces("part of the floor that falls apart in the mesh", c.Split, 0)
	pieces("part of the mesh that joins parts of the floor", c.Joined, 0)
	const small = 0.01 // m²
	pieces("floor without a region", r.Lost.Largest, small)
	pieces("region where the level has no floor", r.Outside.Largest, small)
	pieces("ground with two regions", r.Overlap.Largest, small)
	pair := func(text string, p verify.Pair) {
		list.add(Finding{Kind: "floor", Text: fmt.Sprintf("%s, to %.1f %.1f %.1f", text, p.To.X, p.To.Y, p.To.Z), At: place(p.From), Region: -1})
	}
	if r.Paths.Lost != nil {
		pair("no path on the mesh, and one on the floor", *r.Paths.Lost)
	}
	if r.Paths.Max > 1.01 {
		pair(fmt.Sprintf("path %.3f times as long as the shortest", r.Paths.Max), r.Paths.Detour)
	}
	if r.Paths.Shorter > 0 {
		pair(fmt.Sprintf("path %.3f times as long as the floor allows", r.Paths.Min), r.Paths.Shortcut)
	}
	if r.Height.Max > 0.1 {
		list.add(Finding{Kind: "floor", Text: fmt.Sprintf("heights %.2f m apart", r.Height.Max), At: place(r.Height.At), Region: -1})
	}
	row := func(name, about, text string, bad bool) {
		verdict := "pass"
		if bad {
			verdict = "fail"
		}
		list.Rows = append(list.Rows, Row{Name: name, About: about, Text: text, Verdict: verdict})
	}
	row("coverage", "share of the reachable floor with a region", fmt.Sprintf("%.2f %%", 100*r.Coverage), r.Coverage < 0.95)
	row("lost", "reachable floor without a region", fmt.Sprintf("%.2f m²", r.Lost.Area), len(c.Lost) > 0)
	row("outside", "regions where the level has no floor", fmt.Sprintf("%.2f m²", r.Outside.Area), len(c.Invented) > 0)
	row("overlap", "ground with two regions", fmt.Sprintf("%.2f m²", r.Overlap.Area), r.Overlap.Area > 0.1)
	row("parts", "parts of the mesh, and of the floor", fmt.Sprintf("%d of %d", c.Mesh, c.Floor), len(c.Split)+len(c.Joined) > 0)
	row("paths", "pairs of places without a path on the mesh", fmt.Sprintf("%d of %d missing", r.Paths.Missing, r.Paths.Pairs), r.Paths.Missing > 0)
	row("detour", "mean length of paths over the shortest", fmt.Sprintf("%.4f", r.Paths.Mean), r.Paths.Max > 1.05)
	row("heights", "greatest difference, and that of 95 % of samples", fmt.Sprintf("%.2f m, %.2f m", r.Height.Max, r.Height.Most), r.Height.Max > 0.5)
	return list.Findings
}
