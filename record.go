package meadow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/markers"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/excerpt"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// Source: own; docs/decisions/record.md.
//
// Idea: the record of a mesh is the part of the report that the mesh itself does not tell, as JSON. A build makes its report
// from the record, as a load does; so a report is the same before saving and after loading, except for the times.
//
// Input: a report; or the record of a mesh, which may come from anybody.
//
// Guarantees:
//  1. Save and Load keep the report without the times (TestReportSurvivesTheFile).
//  2. Equal reports give equal bytes, whatever the machine and Jobs (TestMeshDoesNotDependOn, `make golden`). A level moved by
//     whole metres has the same record, because places count from the frame.
//  3. A record has at most [navfile.MaxRecord] bytes (TestLongReports).
//  4. A record of this version that is no JSON of its form is an error; other records are ignored (TestForeignRecords).
//
// Degenerate cases: places are rounded to the lattice, places that are not finite become the origin of the frame. Texts are cut
// to maxText bytes, and lists to maxListed entries; Report.Omitted counts the rest.
//
// Cost: O(n) for n bytes, some ten times the memory.

// recordVersion is the version of the record. Later versions of the program may add fields without a new version.
const recordVersion = 1

// ownRecord begins every record of this package. Other records are of other builders.
const ownRecord = `{"meadow":`

const (
	maxText   = 1 << 10
	maxListed = 1 << 16
)

// record is a report as JSON. Areas are in square metres, other lengths of settings in metres.
type record struct {
	Version   int              `json:"meadow"`
	Level     string           `json:"level,omitempty"`
	Triangles int              `json:"triangles,omitempty"`
	Extractor string           `json:"extractor,omitempty"`
	Generator string           `json:"generator,omitempty"`
	Settings  recordedSettings `json:"settings"`
	Seams     int              `json:"seams,omitempty"`
	Lost      float64          `json:"lost,omitempty"`
	Dropped   []recordedPart   `json:"dropped,omitempty"`
	Markers   []recordedMarker `json:"markers,omitempty"`
	Warnings  []string         `json:"warnings,omitempty"`
	Counts    map[string]int   `json:"counts,omitempty"`
	Omitted   int              `json:"omitted,omitempty"`
}

type recordedSettings struct {
	Keep           []recordedPlace `json:"keep,omitempty"`
	KeepAll        bool            `json:"keep_all,omitempty"`
	KeepArea       float64         `json:"keep_area,omitempty"`
	Simplify       float64         `json:"simplify,omitempty"`
	Detail         float64         `json:"detail,omitempty"`
	Terrain        bool            `json:"terrain,omitempty"`
	NoMarkers      bool            `json:"no_markers,omitempty"`
	Extractor      string          `json:"extractor,omitempty"`
	Generator      string          `json:"generator,omitempty"`
	ConvexDistance float64         `json:"convex_distance,omitempty"`
	Cleanup        bool            `json:"cleanup,omitempty"`
	Seed           uint64          `json:"seed,omitempty"`
	TileSize       float64         `json:"tile_size,omitempty"`
	WidenedFrom    float64         `json:"widened_from,omitempty"`
	WidenSimplify  float64         `json:"widen_simplify,omitempty"`
}

// recordedPlace is a place in lattice units from the frame: east, north, up.
type recordedPlace [3]float64

type recordedPart struct {
	Area float64       `json:"area"`
	At   recordedPlace `json:"at"`
}

type recordedMarker struct {
	Marker  int           `json:"marker"`
	Name    string        `json:"name,omitempty"`
	Kind    string        `json:"kind,omitempty"`
	At      recordedPlace `json:"at"`
	Domains int           `json:"domains,omitempty"`
	Links   int           `json:"links,omitempty"`
	Warning string        `json:"warning,omitempty"`
}

// recordOf returns the record of a report, for a mesh with a frame.
func recordOf(r *Report, frame lattice.Frame) ([]byte, error) {
	for most := maxListed; ; most /= 2 {
		b, err := encodeRecord(r, frame, most)
		if err != nil || len(b) <= navfile.MaxRecord {
			return b, err
		}
	}
}

// encodeRecord returns the record of a report with at most most entries in each list.
func encodeRecord(r *Report, frame lattice.Frame, most int) ([]byte, error) {
	s := &r.Settings
	out := record{
		Version: recordVersion, Level: text(r.Level), Triangles: r.Triangles, Extractor: text(r.Extractor), Generator: text(r.Generator),
		Settings: recordedSettings{
			KeepAll: s.KeepAll, KeepArea: s.KeepArea, Simplify: s.Simplify, Detail: s.Detail, Terrain: s.Terrain, NoMarkers: s.NoMarkers,
			Extractor: text(s.Extractor), Generator: text(s.Generator), ConvexDistance: s.ConvexDistance, Cleanup: s.Cleanup, Seed: s.Seed,
			TileSize: s.TileSize, WidenedFrom: s.WidenedFrom, WidenSimplify: s.WidenSimplify,
		},
		Seams: r.Seams, Lost: r.Lost, Omitted: r.Omitted,
	}
	out.Settings.Keep = listed(s.Keep, most, &out.Omitted, func(v Vec) recordedPlace { return placeFrom(v, frame) })
	out.Dropped = listed(r.Dropped, most, &out.Omitted, func(p plan.Part) recordedPart { return recordedPart{p.Area, placeFrom(p.At, frame)} })
	out.Markers = listed(r.Markers, most, &out.Omitted, func(o markers.Outcome) recordedMarker {
		return recordedMarker{o.Marker, text(o.Name), text(o.Kind), placeFrom(o.At, frame), o.Domains, o.Links, text(o.Warning)}
	})
	out.Warnings = listed(r.Warnings, most, &out.Omitted, text)
	var names []string
	for name := range r.Counts {
		names = append(names, name)
	}
	slices.Sort(names)
	out.Counts = map[string]int{}
	for _, name := range listed(names, most, &out.Omitted, func(s string) string { return s }) {
		out.Counts[text(name)] += r.Counts[name]
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeRecord returns the report in a record, for a mesh with a frame. The record of another builder or of another version
// gives the zero Report.
func decodeRecord(b []byte, frame lattice.Frame) (Report, error) {
	if !bytes.HasPrefix(b, []byte(ownRecord)) {
		return Report{}, nil
	}
	var version struct {
		Version int `json:"meadow"`
	}
	if err := json.Unmarshal(b, &version); err != nil {
		return Report{}, fmt.Errorf("record: %s", excerpt.Text(err.Error(), maxText, false))
	}
	if version.Version != recordVersion {
		return Report{}, nil
	}
	var in record
	if err := json.Unmarshal(b, &in); err != nil {
		return Report{}, fmt.Errorf("record: %s", excerpt.Text(err.Error(), maxText, false))
	}
	s := &in.Settings
	r := Report{
		Level: text(in.Level), Triangles: in.Triangles, Extractor: text(in.Extractor), Generator: text(in.Generator),
		Settings: Settings{
			KeepAll: s.KeepAll, KeepArea: s.KeepArea, Simplify: s.Simplify, Detail: s.Detail, Terrain: s.Terrain, NoMarkers: s.NoMarkers,
			Extractor: text(s.Extractor), Generator: text(s.Generator), ConvexDistance: s.ConvexDistance, Cleanup: s.Cleanup, Seed: s.Seed,
			TileSize: s.TileSize, WidenedFrom: s.WidenedFrom, WidenSimplify: s.WidenSimplify,
		},
		Seams: in.Seams, Lost: in.Lost, Omitted: in.Omitted, Counts: map[string]int{},
	}
	all := math.MaxInt
	r.Settings.Keep = listed(s.Keep, all, &r.Omitted, func(p recordedPlace) Vec { return p.in(frame) })
	r.Dropped = listed(in.Dropped, all, &r.Omitted, func(p recordedPart) plan.Part { return plan.Part{Area: p.Area, At: p.At.in(frame)} })
	r.Markers = listed(in.Markers, all, &r.Omitted, func(o recordedMarker) markers.Outcome {
		return markers.Outcome{
			Marker: o.Marker, Name: text(o.Name), Kind: text(o.Kind), At: o.At.in(frame), Domains: o.Domains, Links: o.Links, Warning: text(o.Warning),
		}
	})
	r.Warnings = listed(in.Warnings, all, &r.Omitted, text)
	for name, n := range in.Counts { // the order does not matter: equal names are summed
		r.Counts[text(name)] += n
	}
	return r, nil
}

// noted returns a checked mesh with the report in its record.
func noted(m *navmesh.Mesh) (*Mesh, error) {
	r, err := decodeRecord(m.Record, m.Frame)
	if err != nil {
		return nil, err
	}
	return &Mesh{Mesh: m, report: r, checked: true}, nil
}

// text returns s as a record holds it: one line without control characters.
func text(s string) string { return excerpt.Text(s, maxText, false) }

// listed converts the first entries of a list, at most most, and adds the number of the others to omitted.
func listed[A, B any](list []A, most int, omitted *int, convert func(A) B) []B {
	if len(list) > most {
		*omitted += len(list) - most
		list = list[:most]
	}
	var out []B
	for _, x := range list {
		out = append(out, convert(x))
	}
	return out
}

// placeFrom returns v rounded to the lattice of a frame.
func placeFrom(v Vec, frame lattice.Frame) recordedPlace {
	if !v.IsFinite() {
		return recordedPlace{}
	}
	const far = 1e300 // beyond any place, and finite in lattice units
	x, y, up := frame.Local(geom.Vec{X: max(-far, min(far, v.X)), Y: max(-far, min(far, v.Y)), Z: max(-far, min(far, v.Z))})
	return recordedPlace{math.Round(x) + 0, math.Round(y) + 0, math.Round(up) + 0} // + 0 turns -0 into 0
}

// in returns the place in the world.
func (p recordedPlace) in(frame lattice.Frame) Vec { return frame.FromLocal(p[0], p[1], p[2]) }
