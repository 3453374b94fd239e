package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// infoCmd shows the content of a mesh file.
type infoCmd struct {
	Mesh string `arg:"" placeholder:"MESH" help:"Mesh file."`
	JSON bool   `help:"Print everything as JSON, with all parts, markers and warnings."`
}

// infoReport is the output of --json. Fields of the build are empty for a mesh without a record: see Record.
type infoReport struct {
	File    string `json:"file"`
	Version int    `json:"version"` // of the format; 0 for a file of another program
	Format  string `json:"format"`  // of another program's file, in words
	Bytes   int    `json:"bytes"`
	// Record is "report", "none", or "unknown" for the notes of another program or version.
	Record     string         `json:"record"`
	Level      string         `json:"level"`
	Triangles  int            `json:"triangles"`
	Extractor  string         `json:"extractor"`
	Generator  string         `json:"generator"`
	Settings   infoSettings   `json:"settings"`
	Agent      agentReport    `json:"agent"`
	Layers     int            `json:"layers"`
	Components int            `json:"components"`
	Regions    int            `json:"regions"`
	Vertices   int            `json:"vertices"`
	Portals    int            `json:"portals"`
	Seams      int            `json:"seams"`
	OffMesh    int            `json:"off_mesh_links"`
	Area       float64        `json:"area_m2"`
	Lost       float64        `json:"lost_m2"`
	Min        place          `json:"min"`
	Max        place          `json:"max"`
	Grounds    []groundShare  `json:"grounds"`
	Kept       []leftOut      `json:"kept"`
	LeftOut    []leftOutWhy   `json:"left_out"`
	Markers    []markerReport `json:"markers"`
	Warnings   []string       `json:"warnings"`
	Counts     map[string]int `json:"counts"`
	Omitted    int            `json:"omitted"`
	Sections   []infoSection  `json:"sections"`
}

// infoSettings are the options of the build: see [meadow.Settings].
type infoSettings struct {
	Keep           []place `json:"keep"`
	KeepAll        bool    `json:"keep_all"`
	KeepArea       float64 `json:"keep_area_m2"`
	Simplify       float64 `json:"simplify"`
	Detail         float64 `json:"detail"`
	Terrain        bool    `json:"terrain"`
	NoMarkers      bool    `json:"no_markers"`
	Extractor      string  `json:"extractor"`
	Generator      string  `json:"generator"`
	ConvexDistance float64 `json:"convex_distance"`
	Cleanup        bool    `json:"cleanup"`
	Seed           uint64  `json:"seed"`
	TileSize       float64 `json:"tile_size"`
	WidenedFrom    float64 `json:"widened_from"`
	WidenSimplify  float64 `json:"widen_simplify"`
}

// leftOutWhy is a part of the floor that the build left out.
type leftOutWhy struct {
	leftOut
	Reason string `json:"reason"`
}

// infoSection is the size of all sections of a name, without directory and padding.
type infoSection struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Bytes int    `json:"bytes"`
}

// Run reads and prints. One pass over the file serves pipes too, and reads no more of an endless file than the decoder does.
func (c *infoCmd) Run(e *env) error {
	f, err := os.Open(c.Mesh)
	if err != nil {
		return err
	}
	defer f.Close()
	var seen bytes.Buffer
	mesh, err := meadow.Read(io.TeeReader(f, &seen))
	if err != nil {
		return fmt.Errorf("%s: %w", c.Mesh, err)
	}
	data := seen.Bytes()
	e.tellFaults(c.Mesh, mesh)
	r := infoOf(mesh)
	r.File, r.Bytes = c.Mesh, len(data)
	if r.Format = meadow.ForeignFormat(data[:min(len(data), 64)]); r.Format == "" {
		var sections []navfile.Section
		if r.Version, sections, err = navfile.Layout(data); err != nil {
			return fmt.Errorf("%s: %w", c.Mesh, err)
		}
		r.Sections = sumSections(sections)
	}
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	r.print(e.stdout, mesh.Report())
	return nil
}

// infoOf returns the report of a mesh, without its file.
func infoOf(mesh *meadow.Mesh) infoReport {
	r, s := mesh.Report(), mesh.Report().Settings
	out := infoReport{
		Record: "report", Level: r.Level, Triangles: r.Triangles, Extractor: named(r.Extractor), Generator: named(r.Generator),
		Settings: infoSettings{
			places(s.Keep), s.KeepAll, s.KeepArea, s.Simplify, s.Detail, s.Terrain, s.NoMarkers, s.Extractor, s.Generator,
			s.ConvexDistance, s.Cleanup, s.Seed, s.TileSize, s.WidenedFrom, s.WidenSimplify,
		},
		Agent: reportAgent(r.Agent), Layers: r.Layers, Components: r.Components, Regions: r.Regions, Vertices: r.Vertices,
		Portals: r.Portals, Seams: r.Seams, OffMesh: r.OffMesh, Area: round4(r.Area), Lost: round4(r.Lost),
		Grounds: []groundShare{}, Kept: keptParts(mesh), LeftOut: []leftOutWhy{}, Markers: reportMarkers(r),
		Warnings: append([]string{}, r.Warnings...), Counts: r.Counts, Omitted: r.Omitted, Sections: []infoSection{},
	}
	if r.Counts == nil {
		out.Record, out.Extractor, out.Generator, out.Counts = "none", "", "", map[string]int{}
		if mesh.Record != nil {
			out.Record = "unknown"
		}
	}
	if r.Regions > 0 {
		box := mesh.Bounds()
		out.Min, out.Max = placeOf(box.Min), placeOf(box.Max)
	}
	for _, g := range r.Grounds {
		out.Grounds = append(out.Grounds, groundShare{g.Name, g.Regions, round4(g.Area)})
	}
	for _, p := range r.Dropped {
		out.LeftOut = append(out.LeftOut, leftOutWhy{leftOut{p.Area, placeOf(p.At)}, r.Reason()})
	}
	return out
}

// named returns the name of a method; a method of a program's own may have none.
func named(name string) string {
	if name == "" {
		return "own"
	}
	return name
}

// keptParts returns area and place of every part of a mesh that no portal or link joins to another, largest first. The place is
// the middle of the part's first region.
func keptParts(mesh *meadow.Mesh) []leftOut {
	parts := make([]leftOut, mesh.Components)
	for _, ref := range mesh.Refs() {
		tile, region, _ := mesh.Region(ref)
		p := &parts[region.Component]
		if p.Area == 0 {
			at, _ := mesh.Center(ref)
			p.At = placeOf(at)
		}
		p.Area += tile.RegionArea(ref.Index())
	}
	slices.SortStableFunc(parts, func(a, b leftOut) int { return cmp.Compare(b.Area, a.Area) })
	return parts
}

// sumSections adds the sizes of the sections of each name, in the order of the file.
func sumSections(sections []navfile.Section) []infoSection {
	var sums []infoSection
	for _, s := range sections {
		i := slices.IndexFunc(sums, func(x infoSection) bool { return x.Name == s.Name })
		if i < 0 {
			i = len(sums)
			sums = append(sums, infoSection{Name: s.Name})
		}
		sums[i].Count++
		sums[i].Bytes += s.Size
	}
	return sums
}

// print prints the report for people.
func (r *infoReport) print(w io.Writer, full meadow.Report) {
	format := r.Format
	if r.Version > 0 {
		format = fmt.Sprintf("mesh file of version %d", r.Version)
	}
	fmt.Fprintf(w, "%s: %s, %s\n", r.File, format, count(r.Bytes, "byte"))
	switch r.Record {
	case "none":
		fmt.Fprintln(w, "  record   none: how the mesh was made is not known")
	case "unknown":
		fmt.Fprintln(w, "  record   of another program or version")
	default:
		r.printBuild(w)
	}
	fmt.Fprintf(w, "  agent    %v\n", r.Agent)
	lost := fmt.Sprintf("%g m² without a region", r.Lost)
	if r.Lost < 0 { // rounding and joined tiles make regions a little larger than the floor
		lost = fmt.Sprintf("%g m² of regions beyond the floor", -r.Lost)
	}
	fmt.Fprintf(w, "  floor    %.1f m², %s, %s, %s; %s\n", r.Area, count(r.Layers, "layer"),
		count(r.Seams+r.OffMesh, "link"), count(r.Components, "component"), lost)
	fmt.Fprintf(w, "  mesh     %s, %s, %s\n", count(r.Regions, "region"), count(r.Portals, "portal"), count(r.Vertices, "vertex"))
	fmt.Fprintf(w, "  bounds   %v to %v\n", r.Min, r.Max)
	printGrounds(w, r.Grounds)
	printList(w, "kept", r.Kept, func(p leftOut) string { return fmt.Sprintf("%.2f m² at %v", p.Area, p.At) })
	printList(w, "left out", r.LeftOut, func(p leftOutWhy) string { return fmt.Sprintf("%.2f m² at %v: %s", p.Area, p.At, p.Reason) })
	printMarkers(w, full)
	printList(w, "warning", r.Warnings, func(s string) string { return s })
	var counts, sizes []string
	for name, n := range r.Counts {
		counts = append(counts, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(counts)
	if len(counts) > 0 {
		fmt.Fprintf(w, "  counts   %s\n", strings.Join(counts, ", "))
	}
	for _, s := range r.Sections {
		if s.Bytes > 0 {
			sizes = append(sizes, fmt.Sprintf("%s %d", s.Name, s.Bytes))
		}
	}
	if len(sizes) > 0 {
		fmt.Fprintf(w, "  bytes    %s\n", strings.Join(sizes, ", "))
	}
}

// printBuild prints the source, the methods and the options of the build.
func (r *infoReport) printBuild(w io.Writer) {
	printSource(w, r.Level, r.Extractor, r.Triangles)
	words := r.Settings.words()
	if len(words) == 0 {
		words = []string{"defaults"}
	}
	fmt.Fprintf(w, "  built    floor by %s, regions by %s\n  options  %s\n", r.Extractor, r.Generator, strings.Join(words, ", "))
}

// words lists the settings other than the defaults.
func (s *infoSettings) words() []string {
	var words []string
	add := func(set bool, format string, args ...any) {
		if set {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(len(s.Keep) > 0, "keep parts at %s", count(len(s.Keep), "place"))
	add(s.KeepAll, "keep all parts")
	add(s.KeepArea > 0, "keep parts above %g m²", s.KeepArea)
	add(s.Simplify != 0, "simplify %g m", s.Simplify)
	add(s.Detail != 0, "detail %g m", s.Detail)
	add(s.Terrain, "terrain rules")
	add(s.NoMarkers, "no markers")
	add(s.Extractor != "", "%s", s.Extractor)
	add(s.Generator != "", "%s", s.Generator)
	add(s.ConvexDistance != 0, "convex distance %g m", s.ConvexDistance)
	add(s.Cleanup, "cleanup")
	add(s.Seed != 0, "seed %d", s.Seed)
	add(s.TileSize != 0, "tiles of %g m", s.TileSize)
	add(s.WidenedFrom != 0, "widened from a radius of %g m", s.WidenedFrom)
	add(s.WidenSimplify != 0, "simplify %g m while widening", s.WidenSimplify)
	return words
}

// printList prints the first entries of a list, and counts the others.
func printList[T any](w io.Writer, label string, list []T, line func(T) string) {
	for i, x := range list {
		if i == maxTold {
			fmt.Fprintf(w, "  %-8s and %d more: see --json\n", label, len(list)-i)
			return
		}
		fmt.Fprintf(w, "  %-8s %s\n", label, line(x))
	}
}
