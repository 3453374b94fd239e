package scenario

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

// Limits of a scenario.
const (
	MaxBytes      = 1 << 20 // of the text
	MaxLine       = 1 << 12 // bytes
	MaxAgents     = 200_000 // of all sources together
	MaxNames      = 10_000  // boxes, places, lines, walls, floors and changes, each
	MaxCoordinate = 1e5     // metres from 0
	MaxSeconds    = 86_400.0
	MaxSteps      = 10_000_000
)

// Defaults of a scenario.
const (
	DefaultSeconds = 60.0
	DefaultStep    = 0.05
	DefaultArrive  = 0.5
)

// Scenario is a text that [Parse] has read.
type Scenario struct {
	// Kind and Options name a generated level, File an OBJ or other level file. Both are empty where Floors are the level, or
	// where the level is the caller's.
	Kind    string
	Options levelgen.Options
	File    string
	Floors  []Floor
	Walls   []world.Box

	Seconds float64 // of the run
	Dt      float64 // seconds of a step
	Seed    uint64  // of all random places
	Arrive  float64 // metres between an agent and its goal at arrival, seen from above

	// Density, unless its Every is 0, makes later paths go around jams.
	Density Density

	Boxes   []Box
	Places  []Place
	Lines   []Line
	Sources []Source
	Changes []Change // by rising time
	Expects []Expect
}

// Density tells how the density of the agents becomes cost of the floor, see [density.Map].
type Density struct {
	Every, Cell float64 // seconds between two updates, and the side of a cell in metres
	Most        int     // cells that an update changes, 0 for all
}

// Floor is a level rectangle of floor.
type Floor struct{ Low, High geom.Vec } // corners at the floor's height

// Box is a named rectangle of places, between two heights.
type Box struct {
	Name string
	Area geom.Box
}

// Place is a named place.
type Place struct {
	Name string
	At   geom.Vec
}

// Line is a named line between two places, seen from above, and between two heights. A [Judge] counts who crosses the line.
type Line struct {
	Name      string
	A, B      geom.Vec
	Low, High float64
}

// Length returns the length of the line in metres.
func (l Line) Length() float64 { return geom.Vec{X: l.B.X - l.A.X, Z: l.B.Z - l.A.Z}.Len() }

// Span is a range of numbers, from which each agent draws its own.
type Span struct{ Low, High float64 }

// Entry tells how the agents of a source enter.
type Entry string

// The entries.
const (
	Crowd  Entry = "crowd"  // all at the start
	Group  Entry = "group"  // all at the start, led as a group with one goal
	Stream Entry = "stream" // one after the other
	Circle Entry = "circle" // all at the start, on a circle, each with the opposite place as its goal
)

// Then tells what an agent does at its goal.
type Then string

// The ends of a walk.
const (
	Stay  Then = "stay"  // the agent stands
	Leave Then = "leave" // the agent is taken away
	Again Then = "again" // the agent gets its next goal
)

// Source is a statement that puts agents on the floor.
type Source struct {
	Line  int // of the text
	Entry Entry
	Name  string
	Count int
	// In names a box or a place; "" means anywhere on the largest connected part of the mesh.
	In string
	// Around and Ring are the middle and the radius of a Circle, in metres.
	Around geom.Vec
	Ring   float64
	// To names boxes and places: an agent goes to the nearest by length of the way, or, with Tour, to one after the other. Without
	// names the goals are anywhere on the largest connected part.
	To   []string
	Tour bool
	Then Then
	// Every is the time between two agents of a Stream, and From the time of the first, in seconds.
	Every, From float64

	Radius, Height, Speed, Acceleration Span // metres, seconds
	Priority                            int32
	// Turn is the radius of the turning circle of vehicles in metres, 0 for walkers.
	Turn float64

	// Formation, Leader and Spacing are those of a Group, see [group.Spec].
	Formation group.Formation
	Leader    bool
	Spacing   float64 // metres
}

// reach returns how far beyond Scenario.Arrive a member of a group may be at the goal of the group, in metres.
func (s *Source) reach() float64 {
	if s.Entry != Group {
		return 0
	}
	return s.Formation.Extent(s.Count, s.Radius.High, s.Spacing)
}

// Change is an edit of the world at a time.
type Change struct {
	Line int // of the text
	At   float64
	Edit world.Edit
}

// Claim is the second word of an expectation.
type Claim string

// The claims, with the fields of [Expect] that they use.
const (
	ExpectOverlap Claim = "overlap" // Most: metres by which two agents overlap
	ExpectOffMesh Claim = "offmesh" // Most: agents and steps off the mesh
	ExpectStuck   Claim = "stuck"   // Most: agents without progress on a free way
	ExpectWaiting Claim = "waiting" // Most: share of agents that wait for a path, over all steps
	ExpectArrived Claim = "arrived" // Least: arrivals
	ExpectSpeed   Claim = "speed"   // Least, Most: mean speed of agents with a goal, metres a second
	ExpectFlow    Claim = "flow"    // Name: a line; Least, Most: persons a metre and second
	ExpectLanes   Claim = "lanes"   // Name: a line; Least, Most: order of its lanes, from 0 to 1
	ExpectDone    Claim = "done"    // Most: seconds until the last agent is done
)

// Expect is an expectation, checked by [Scenario.Check].
type Expect struct {
	Line        int
	Claim       Claim
	Name        string
	Least, Most float64
}

// Steps returns the number of steps of the run.
func (s *Scenario) Steps() int { return int(s.Seconds/s.Dt + 0.5) }

// Agent returns the agent to build a mesh for: the widest and tallest of all sources. A scenario without sources has the default
// agent of [geom.Agent].
func (s *Scenario) Agent() geom.Agent {
	var a geom.Agent
	for _, src := range s.Sources {
		a.Radius, a.Height = max(a.Radius, src.Radius.High), max(a.Height, src.Height.High)
	}
	return a
}

// HasLevel reports whether the scenario names or draws its own level.
func (s *Scenario) HasLevel() bool { return s.Kind != "" || s.File != "" || len(s.Floors) > 0 }

// Check compares a report with all expectations, and returns one line for each that fails.
func (s *Scenario) Check(r Report) []string {
	var out []string
	for _, e := range s.Expects {
		got, ok := r.value(e)
		if !ok || !(got >= e.Least && got <= e.Most) {
			out = append(out, fmt.Sprintf("line %d: %s%s is %.6g, want %s", e.Line, e.Claim, named(e.Name), got, e.bounds()))
		}
	}
	return out
}

// bounds tells the numbers that an expectation accepts.
func (e *Expect) bounds() string {
	switch {
	case e.Most == math.MaxFloat64:
		return fmt.Sprintf("at least %g", e.Least)
	case e.Least == 0:
		return fmt.Sprintf("at most %g", e.Most)
	}
	return fmt.Sprintf("%g to %g", e.Least, e.Most)
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return " " + name
}

// value returns the quantity of a claim.
func (r *Report) value(e Expect) (v float64, ok bool) {
	switch e.Claim {
	case ExpectOverlap:
		return r.OverlapMax, true
	case ExpectOffMesh:
		return float64(r.OffMesh), true
	case ExpectStuck:
		return float64(r.Stuck), true
	case ExpectWaiting:
		return r.Waiting, true
	case ExpectArrived:
		return float64(r.Arrived), true
	case ExpectSpeed:
		return r.Speed, true
	case ExpectDone:
		return r.Done, r.Unfinished == 0
	case ExpectFlow, ExpectLanes:
		for _, f := range r.Flows {
			switch {
			case f.Name != e.Name:
			case e.Claim == ExpectFlow:
				return f.PerMetreSecond, true
			default:
				return f.Lanes, true
			}
		}
	}
	return 0, false
}

// Scale changes the numbers of agents to about n in all, in proportion, with at least one for each source that has any.
func (s *Scenario) Scale(n int) {
	total := 0
	for _, src := range s.Sources {
		total += src.Count
	}
	for i := range s.Sources {
		if c := s.Sources[i].Count; c > 0 {
			s.Sources[i].Count = max(1, int((int64(c)*int64(n)+int64(total)/2)/int64(total)))
		}
	}
}
