// Package sources lists the tables, figures and theorems of the five sources with their state here, and the rows of work
// that the sources make. The lists are the answer of meadow reproduce --list, and with a [Record] of results the text of docs/sources.md.
//
// Subjects are in our own words. Numbers and sections are the source's; a source that counts a number twice gives
// two entries of different sections.
package sources

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/lab/experiment"
)

// Source is one of the five texts.
type Source struct {
	Letter string // H, W, T, A or B
	Key    string // the beginning of the names of its experiments
	Title  string
}

// Sources returns the five texts, in the order of their letters' rows.
func Sources() []Source {
	return []Source{
		{"H", "hale", "D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, UNC Charlotte, 2011"},
		{"W", "wavefront", "D. H. Hale and G. M. Youngblood, Creating High-Order Navigation Meshes through Iterative Wavefront Edge Expansions, chapter 19"},
		{"T", "texture", "D. H. Hale and G. M. Youngblood, Generating Texture-Aware Spatial Decompositions, AIIDE workshops, 2011"},
		{"A", "oliva", "R. Oliva, ANavMG: Automatic Generation of Suboptimal NavMeshes for 3D Virtual Environments, MSc thesis, UPC Barcelona, 2012"},
		{"B", "brand", "S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, MSc thesis, TU Delft, 2009"},
	}
}

// State is what became of a table or figure.
type State uint8

// The states.
const (
	Done     State = iota // an experiment repeats the entry and prints published figures above ours
	Drawn                 // a page, a picture or a command shows the same
	Differs               // ours is made in another way, for a reason
	Waits                 // for a row of work
	Explains              // a diagram: nothing to measure
)

// Entry is a table, figure or theorem of a source.
type Entry struct {
	Source  string // its letter
	Number  string // "table 3.1"
	Section string
	Row     string // of work, the mission's: "H1"
	Subject string
	state   State
	// of is the experiment of Done, the file or command of Drawn, the reason of Differs.
	of string
}

// Entries returns all entries, source by source, in the order of the texts.
func Entries() []Entry { return slices.Concat(hale, wavefront, texture, oliva, brand) }

// State returns the state of the entry. An entry whose experiment is not registered waits for its row.
func (e Entry) State() State {
	if e.state == Done && experiment.Title(e.of) == "" {
		return Waits
	}
	return e.state
}

// Experiment returns the name of the experiment that repeats the entry or will repeat it, "" for none.
func (e Entry) Experiment() string {
	if e.state == Done {
		return e.of
	}
	return ""
}

// Place returns the file or the command that shows a drawn entry, "" for other states.
func (e Entry) Place() string {
	if e.state == Drawn {
		return e.of
	}
	return ""
}

// String describes the state: "done: hale-6.1".
func (e Entry) String() string {
	switch e.State() {
	case Done:
		return "done: " + e.of
	case Drawn:
		return "drawn: " + e.of
	case Differs:
		return "differs: " + e.of
	case Waits:
		return "waits for row " + e.Row
	default:
		return "explains only"
	}
}

// Select returns the entries of a source by its key, or of the experiments that a name stands for: hale-6 stands for
// hale-6.1 and all others of the chapter. The error lists the keys.
func Select(name string) ([]Entry, error) {
	var found []Entry
	for _, e := range Entries() {
		id := e.Experiment()
		if name == "all" || e.Key() == name || id != "" && (id == name || strings.HasPrefix(id, name+".")) {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		var keys []string
		for _, s := range Sources() {
			keys = append(keys, s.Key)
		}
		return nil, fmt.Errorf("no source and no experiment is named %q; sources: %s", name, strings.Join(keys, ", "))
	}
	return found, nil
}

// Key returns the key of the entry's source.
func (e Entry) Key() string {
	for _, s := range Sources() {
		if s.Letter == e.Source {
			return s.Key
		}
	}
	return ""
}

// Count says how many entries are in each state.
func Count(entries []Entry) string {
	var n [Explains + 1]int
	for _, e := range entries {
		n[e.State()]++
	}
	return fmt.Sprintf("%d entries: %d done, %d drawn, %d differ, %d wait, %d explain only", len(entries), n[Done], n[Drawn], n[Differs], n[Waits], n[Explains])
}
