// Package standings holds the results of several mesh builders on many levels: time, size, and quality by the whole floor. It
// prints tables, the worst level first, and draws plots.
package standings

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Level holds the results on a level.
type Level struct {
	Name      string  `json:"level"`
	Settings  string  `json:"settings,omitempty"` // of the run, so that a state file of other settings is told apart
	Triangles int     `json:"triangles"`
	Radius    float64 `json:"radius_m"` // of the agent
	Height    float64 `json:"height_m"` // of the agent
	// Floor is the reachable floor in m², Parts the number of its connected parts. Both are 0 without quality.
	Floor float64 `json:"floor_m2,omitempty"`
	Parts int     `json:"parts,omitempty"`
	// Failed is the reason why nobody could be measured.
	Failed  string  `json:"failed,omitempty"`
	Entries []Entry `json:"entries"` // in the order of the builders
}

// Entry is a builder's result on a level.
type Entry struct {
	Name   string `json:"name"`
	Failed string `json:"failed,omitempty"` // the reason why all other fields are empty
	// MS is the median over turns of the median in a turn, Best the best build, in milliseconds.
	MS      float64 `json:"ms,omitempty"`
	Best    float64 `json:"best_ms,omitempty"`
	Builds  int     `json:"builds,omitempty"`
	Regions int     `json:"regions,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
	// Quality is nil where nobody judged: without that part of the run, and for a mesh that an earlier entry has.
	Quality  *Quality  `json:"quality,omitempty"`
	Unjudged string    `json:"unjudged,omitempty"` // the reason why a mesh has no quality
	Disputes []Dispute `json:"disputes,omitempty"`
}

// Quality is the judgement of a mesh by the whole floor of its level. Areas are in m², lengths in metres.
type Quality struct {
	Coverage    float64 `json:"coverage"`
	Lost        float64 `json:"lost_m2"`
	Outside     float64 `json:"outside_m2"`
	Unreachable float64 `json:"unreachable_m2"`
	Overlap     float64 `json:"overlap_m2"`
	// Parts of the floor that the mesh lacks, and so on.
	LostParts     int `json:"lost_parts"`
	InventedParts int `json:"invented_parts"`
	SplitParts    int `json:"split_parts"`
	JoinedParts   int `json:"joined_parts"`
	// Pairs of places with a path on the floor; of these without one on the mesh, and with one shorter than the floor allows.
	Pairs   int     `json:"pairs"`
	Missing int     `json:"missing_paths"`
	Short   int     `json:"short_paths"`
	Longest float64 `json:"longest_path"`
	Mean    float64 `json:"mean_path"`
	// Border is the greatest distance between the borders of mesh and floor, BorderMean the mean one. Both may be missing.
	Border     *float64 `json:"border_m,omitempty"`
	BorderMean *float64 `json:"border_mean_m,omitempty"`
	// Rise is the greatest difference in height, Rise95 the one that 95 % of the samples keep.
	Rise   float64 `json:"height_m"`
	Rise95 float64 `json:"height_95_m"`
}

// Dispute is a place at which a mesh and the floor of the extractor differ, with the answer of the brute-force judge.
type Dispute struct {
	At   geom.Vec `json:"at"`
	Area float64  `json:"area_m2"` // of the whole piece
	// Lost tells floor without a region from a region without floor.
	Lost bool    `json:"lost"`
	Side Side    `json:"right"`
	By   float64 `json:"margin_m"` // by how much the disc of the agent is free at the place; negative for one that is not
}

// Side says who is right about a place.
type Side string

// The sides.
const (
	Floor Side = "floor" // the extractor
	Mesh  Side = "mesh"
	Open  Side = "open" // within the tolerance of either
	Thin  Side = "thin" // the piece is too narrow to ask
)

// Standings are all results.
type Standings struct {
	// Reference is the builder that times are divided by, Ours the builders named first where they are slow.
	Reference string
	Ours      []string
	Levels    []Level
}

// entry returns a builder's result on a level, nil if it has none.
func (l *Level) entry(name string) *Entry {
	for i := range l.Entries {
		if l.Entries[i].Name == name {
			return &l.Entries[i]
		}
	}
	return nil
}

// ratio returns a number of a builder over the reference's on a level; ok is false where one of them lacks it.
func (s *Standings) ratio(l *Level, name string, of func(*Entry) float64) (v float64, ok bool) {
	a, b := l.entry(name), l.entry(s.Reference)
	if a == nil || b == nil || a.Failed != "" || b.Failed != "" || !(of(a) > 0) || !(of(b) > 0) {
		return 0, false
	}
	return of(a) / of(b), true
}

// Mean is a geometric mean of ratios.
type Mean struct {
	Value  float64 // NaN over no levels
	Levels int     // with a ratio
	Above  int     // levels with a ratio above 1
}

// mean returns the geometric mean of a number over the reference's.
func (s *Standings) mean(name string, of func(*Entry) float64) Mean {
	m := Mean{Value: math.NaN()}
	sum := 0.0
	for i := range s.Levels {
		v, ok := s.ratio(&s.Levels[i], name, of)
		if !ok {
			continue
		}
		sum += math.Log(v)
		m.Levels++
		if v > 1 {
			m.Above++
		}
	}
	if m.Levels > 0 {
		m.Value = math.Exp(sum / float64(m.Levels))
	}
	return m
}

// names returns the names of all builders in the order of the first level that has them all.
func (s *Standings) names() []string {
	var names []string
	for i := range s.Levels {
		for k := range s.Levels[i].Entries {
			if n := s.Levels[i].Entries[k].Name; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// judged returns the names of builders with a quality.
func (s *Standings) judged() []string {
	return slices.DeleteFunc(s.names(), func(name string) bool {
		for i := range s.Levels {
			if e := s.Levels[i].entry(name); e != nil && e.Quality != nil {
				return false
			}
		}
		return true
	})
}

// worst is the sort key of levels: those on which one of ours has no mesh come first, then those with the largest ratio of time.
func (s *Standings) worst(l *Level) float64 {
	most := math.Inf(-1)
	for _, name := range s.Ours {
		if e := l.entry(name); e == nil || e.Failed != "" {
			return math.Inf(1)
		}
		if v, ok := s.ratio(l, name, timeOf); ok {
			most = max(most, v)
		}
	}
	return most
}

// sorted returns the levels, the worst for ours first.
func (s *Standings) sorted() []*Level {
	var all []*Level
	for i := range s.Levels {
		all = append(all, &s.Levels[i])
	}
	slices.SortStableFunc(all, func(a, b *Level) int { return cmp.Compare(s.worst(b), s.worst(a)) })
	return all
}

func timeOf(e *Entry) float64    { return e.MS }
func regionsOf(e *Entry) float64 { return float64(e.Regions) }
func bytesOf(e *Entry) float64   { return float64(e.Bytes) }
