package script

import (
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/world"
)

// Script is a list of commands in their order.
type Script []Command

// Command is a command and the number of its line, from 1.
type Command struct {
	Line int
	Do   Action
}

// Action is the work of a command: [Apply], [Radius], [Ask], [Expect] or [Render].
type Action interface{ append(b []byte) []byte }

// Apply is one change: a single edit, or the edits between the lines "batch" and "end".
type Apply struct {
	Edits []world.Edit
	Batch bool
}

// Radius makes the questions and expectations below it ask for agents of a radius in metres, see [world.Snapshot.For].
type Radius struct{ Metres float64 }

// Question is the first word of an [Ask].
type Question string

// The questions, with the fields of [Ask] that they use.
const (
	AskPath     Question = "path"     // Places: start, goal
	AskLocate   Question = "locate"   // Places: one
	AskNearest  Question = "nearest"  // Places: one; Reach
	AskBlocked  Question = "blocked"  // Places: one
	AskOnWay    Question = "onway"    // Places: two and more
	AskFree     Question = "free"     // Places: one; Reach
	AskRaycast  Question = "raycast"  // Places: start, goal
	AskRegions  Question = "regions"  // no field
	AskArea     Question = "area"     // no field
	AskValidate Question = "validate" // no field
	AskThings   Question = "things"   // no field
)

// Ask is a question to the latest snapshot.
type Ask struct {
	Question Question
	Places   []geom.Vec
	Reach    float64 // metres
}

// Claim is the second word of an [Expect].
type Claim string

// The claims, with the fields of [Expect] that they use. The first group is about the last answer, the second about the
// latest snapshot.
const (
	ExpectLength  Claim = "length"  // Value, Tolerance: horizontal length of a path in metres
	ExpectCost    Claim = "cost"    // Value, Tolerance: cost of a path
	ExpectNoPath  Claim = "no path" // no field
	ExpectAt      Claim = "at"      // At, Tolerance: place of locate, nearest, free and raycast
	ExpectNothing Claim = "nothing" // locate, nearest and free have no place; blocked and onway no obstacle
	ExpectBy      Claim = "by"      // Names: the obstacles of blocked and onway
	ExpectHit     Claim = "hit"     // raycast ends at a wall
	ExpectClear   Claim = "clear"   // raycast arrives
	ExpectError   Claim = "error"   // Text: the command above failed with an error that contains Text

	ExpectRegions Claim = "regions" // Value: number of regions
	ExpectArea    Claim = "area"    // Value, Tolerance: square metres
	ExpectFaults  Claim = "faults"  // Value: number of faults by navmesh.Mesh.Validate
	ExpectThings  Claim = "things"  // Names: all things
	ExpectSame    Claim = "same"    // the world equals a world made anew from the base and the things
)

// Expect compares an answer. A difference is a failure of the script, and the script goes on.
type Expect struct {
	Claim            Claim
	Value, Tolerance float64
	At               geom.Vec
	Names            []world.ID
	Text             string
}

// Render asks for a picture of the mesh and of the last change.
type Render struct{ File string }

// DefaultTolerance is the tolerance of an expectation that gives none, in the unit of its value.
const DefaultTolerance = 0.001

// String returns the script as text that [Parse] reads to an equal script: one command a line, files of triangles
// as lists of triangles. Comments and the numbers of lines are lost.
func (s Script) String() string {
	var b []byte
	for _, c := range s {
		b = append(c.Do.append(b), '\n')
	}
	return string(b)
}

func (a Apply) append(b []byte) []byte {
	if !a.Batch && len(a.Edits) == 1 {
		return appendEdit(b, a.Edits[0])
	}
	b = append(b, "batch\n"...)
	for _, e := range a.Edits {
		b = append(appendEdit(append(b, "  "...), e), '\n')
	}
	return append(b, "end"...)
}

func (r Radius) append(b []byte) []byte { return appendNumber(append(b, "radius "...), r.Metres) }

func (r Render) append(b []byte) []byte { return appendWord(append(b, "render "...), r.File) }

func (a Ask) append(b []byte) []byte {
	b = appendPlaces(append(b, a.Question...), a.Places)
	if a.Question == AskNearest || a.Question == AskFree {
		b = appendNumber(append(b, " within "...), a.Reach)
	}
	return b
}

func (e Expect) append(b []byte) []byte {
	b = append(append(b, "expect "...), e.Claim...)
	switch e.Claim {
	case ExpectLength, ExpectCost, ExpectArea:
		b = appendNumber(append(b, ' '), e.Value)
		b = appendNumber(append(b, " ±"...), e.Tolerance)
	case ExpectAt:
		b = appendPlaces(b, []geom.Vec{e.At})
		b = appendNumber(append(b, " ±"...), e.Tolerance)
	case ExpectRegions, ExpectFaults:
		b = strconv.AppendInt(append(b, ' '), int64(e.Value), 10)
	case ExpectBy, ExpectThings:
		for _, n := range e.Names {
			b = appendWord(append(b, ' '), string(n))
		}
	case ExpectError:
		b = appendWord(append(b, ' '), e.Text)
	}
	return b
}

// EditString returns an edit as a line of a script, without the line's end.
func EditString(e world.Edit) string { return string(appendEdit(nil, e)) }

func appendEdit(b []byte, e world.Edit) []byte {
	named := func(verb string, name string) []byte { return appendWord(append(append(b, verb...), ' '), name) }
	switch e := e.(type) {
	case world.Put:
		return appendSolid(named("put", string(e.ID)), e.Solid)
	case world.Move:
		return appendSolid(named("move", string(e.ID)), e.Solid)
	case world.Take:
		return named("take", string(e.ID))
	case world.Paint:
		return appendBrush(appendSolid(named("paint", string(e.ID)), e.Solid), e.Brush)
	case world.Repaint:
		return appendBrush(appendSolid(named("repaint", string(e.ID)), e.Solid), e.Brush)
	case world.Close:
		return named("close", e.Mark)
	case world.Open:
		return named("open", e.Mark)
	case world.Connect:
		b = appendPlaces(named("connect", string(e.ID)), []geom.Vec{e.From, e.To})
		b = append(append(b, ' '), e.Kind.String()...)
		if e.Cost != 0 {
			b = appendNumber(append(b, " cost "...), e.Cost)
		}
		if e.BothWays {
			b = append(b, " both"...)
		}
	}
	return b
}

func appendSolid(b []byte, s world.Solid) []byte {
	switch s := s.(type) {
	case world.Box:
		b = appendPlaces(append(b, " box"...), []geom.Vec{s.Base})
		b = appendPlaces(append(b, " size"...), []geom.Vec{s.Size})
		b = appendYaw(b, s.Yaw)
	case world.Cylinder:
		b = appendPlaces(append(b, " cylinder"...), []geom.Vec{s.Base})
		b = appendNumber(append(b, " radius "...), s.Radius)
		b = appendNumber(append(b, " height "...), s.Height)
	case world.Prism:
		b = append(b, " prism"...)
		for _, p := range s.Outline {
			b = appendNumber(append(b, ' '), p.X)
			b = appendNumber(append(b, ','), p.Z)
		}
		b = appendNumber(append(b, " from "...), s.Bottom)
		b = appendNumber(append(b, " to "...), s.Top)
	case world.TriangleMesh:
		b = appendPlaces(append(b, " mesh of"...), s.Vertices)
		b = append(b, " faces"...)
		for _, t := range s.Triangles {
			for i, v := range t {
				b = strconv.AppendInt(append(b, " ,,"[i]), int64(v), 10)
			}
		}
		if s.At != (geom.Vec{}) {
			b = appendPlaces(append(b, " at"...), []geom.Vec{s.At})
		}
		b = appendYaw(b, s.Yaw)
	}
	return b
}

func appendBrush(b []byte, k world.Brush) []byte {
	if k.Area != "" {
		b = appendWord(append(b, " area "...), k.Area)
	}
	if k.Cost != 0 {
		b = appendNumber(append(b, " cost "...), k.Cost)
	}
	if k.Set != 0 {
		b = strconv.AppendUint(append(b, " set "...), uint64(k.Set), 10)
	}
	if k.Clear != 0 {
		b = strconv.AppendUint(append(b, " clear "...), uint64(k.Clear), 10)
	}
	if k.Priority != 0 {
		b = strconv.AppendInt(append(b, " priority "...), int64(k.Priority), 10)
	}
	return b
}

func appendPlaces(b []byte, places []geom.Vec) []byte {
	for _, p := range places {
		b = appendNumber(append(b, ' '), p.X)
		b = appendNumber(append(b, ','), p.Y)
		b = appendNumber(append(b, ','), p.Z)
	}
	return b
}

// appendYaw writes an angle in degrees if some number of degrees is exactly the angle, and in radians otherwise.
func appendYaw(b []byte, yaw float64) []byte {
	if yaw == 0 {
		return b
	}
	b = append(b, " yaw "...)
	degrees := yaw * (180 / math.Pi)
	for _, d := range [...]float64{math.Round(degrees), degrees, math.Nextafter(degrees, math.Inf(-1)), math.Nextafter(degrees, math.Inf(1))} {
		if geom.Degrees(d) == yaw {
			return appendNumber(b, d)
		}
	}
	return append(appendNumber(b, yaw), "rad"...)
}

// appendNumber writes the shortest number that reads as v.
func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

// appendWord writes a word, in quotes where the plain word would read as another.
func appendWord(b []byte, w string) []byte {
	if w == "" || strings.ContainsAny(w[:1], `#"`) || strings.ContainsFunc(w, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\ufffd' }) {
		return strconv.AppendQuote(b, w)
	}
	return append(b, w...)
}
