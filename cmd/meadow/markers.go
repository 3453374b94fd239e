package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query"
)

// markerReport is the effect of a marker of the level: the number of its parts of the floor, and the number
// of its ways, each direction for itself.
type markerReport struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	At      place  `json:"at"`
	Parts   int    `json:"parts"`
	Links   int    `json:"links"`
	Warning string `json:"warning,omitempty"`
}

// linkReport is a link of the mesh. Start and end are segments, Width is how far apart their ends may be
// used, beyond the agent's own radius.
type linkReport struct {
	Kind  string   `json:"kind"`
	Name  string   `json:"name"`
	From  int      `json:"from"`
	To    int      `json:"to"`
	Start [2]place `json:"start"`
	End   [2]place `json:"end"`
	Cost  float64  `json:"cost"`
	Width float64  `json:"width"`
}

func reportMarkers(r meadow.Report) []markerReport {
	list := []markerReport{}
	for _, o := range r.Markers {
		list = append(list, markerReport{o.Name, o.Kind, placeOf(o.At), o.Domains, o.Links, o.Warning})
	}
	return list
}

func reportLinks(mesh *meadow.Mesh) []linkReport {
	list := []linkReport{}
	number := regionNumbers(mesh)
	for i := range mesh.Links {
		l := &mesh.Links[i]
		at := func(s [2]lattice.Vertex) [2]place {
			return [2]place{placeOf(mesh.Frame.ToWorld(s[0].Point, s[0].Z)), placeOf(mesh.Frame.ToWorld(s[1].Point, s[1].Z))}
		}
		r := linkReport{
			Kind: l.Kind.String(), From: number[l.From], To: number[l.To], Start: at(l.Start), End: at(l.End),
			Cost: round4(float64(l.Cost)), Width: round4(2 * float64(l.Clearance) * lattice.Unit),
		}
		if l.Mark > 0 {
			r.Name = mesh.Marks[l.Mark-1].Name
		}
		list = append(list, r)
	}
	return list
}

// tellMarkers warns of markers without effect, or with a partial effect.
func tellMarkers(w io.Writer, r meadow.Report) {
	var warnings []string
	for _, o := range r.Markers {
		if o.Warning != "" {
			warnings = append(warnings, fmt.Sprintf("marker %d, %s at %v: %s", o.Marker, called(o.Kind, o.Name), o.At, o.Warning))
		}
	}
	tellWarnings(w, warnings)
}

// printMarkers prints a line about the markers, if any.
func printMarkers(w io.Writer, r meadow.Report) {
	made := map[string]int{}
	var kinds []string
	for _, o := range r.Markers {
		if o.Domains+o.Links == 0 {
			continue
		}
		if made[o.Kind] == 0 {
			kinds = append(kinds, o.Kind)
		}
		made[o.Kind]++
	}
	var words []string
	for _, k := range kinds {
		words = append(words, count(made[k], k))
	}
	if len(words) > 0 {
		fmt.Fprintf(w, "  markers  %s: %s off the mesh\n", strings.Join(words, ", "), count(r.OffMesh, "link"))
	}
}

// called names a thing of a kind.
func called(kind, name string) string {
	if name == "" {
		return kind
	}
	return fmt.Sprintf("%s %q", kind, name)
}

// crossingReport is a link or a mark on a path.
type crossingReport struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Link int    `json:"link"` // its number, -1 for a mark
	From place  `json:"from"`
	To   place  `json:"to"`
}

func reportCrossings(mesh *meadow.Mesh, crossings []query.Crossing) []crossingReport {
	var list []crossingReport
	for _, c := range crossings {
		r := crossingReport{Link: c.Link, From: placeOf(c.From), To: placeOf(c.To)}
		if c.Mark >= 0 {
			r.Kind, r.Name = mesh.Marks[c.Mark].Kind, mesh.Marks[c.Mark].Name
		}
		if c.Link >= 0 {
			r.Kind = mesh.Links[c.Link].Kind.String()
		}
		list = append(list, r)
	}
	return list
}
