package scenario

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/density"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/statement"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
	"github.com/meadow-nav/meadow/world/script"
)

// Parse reads a scenario. The first fault is an error with line and word. Time and space O(bytes).
func Parse(r io.Reader) (*Scenario, error) {
	if r == nil {
		return nil, errors.New("scenario: the reader is nil")
	}
	p := parser{
		s:     Scenario{Seconds: DefaultSeconds, Dt: DefaultStep, Seed: 1, Arrive: DefaultArrive},
		names: map[string]bool{},
		usual: Source{Radius: Span{0.4, 0.4}, Height: Span{1.8, 1.8}, Speed: Span{1.4, 1.4}, Acceleration: Span{8, 8}},
	}
	left := MaxBytes
	lines := bufio.NewScanner(io.LimitReader(r, MaxBytes+1))
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		p.line++
		if left -= len(lines.Bytes()) + 1; left < 0 {
			return nil, fmt.Errorf("scenario: line %d: more than %d bytes", p.line, MaxBytes)
		}
		if err := p.statement(lines.Text()); err != nil {
			return nil, fmt.Errorf("scenario: line %d: %w", p.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("scenario: line %d: more than %d bytes", p.line+1, MaxLine)
	case err != nil:
		return nil, fmt.Errorf("scenario: %w", err)
	case p.s.Seconds/p.s.Dt > MaxSteps:
		return nil, fmt.Errorf("scenario: %g seconds in steps of %g are more than %d steps", p.s.Seconds, p.s.Dt, MaxSteps)
	}
	slices.SortStableFunc(p.s.Changes, func(a, b Change) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	return &p.s, nil
}

// parser is the state between two lines.
type parser struct {
	s      Scenario
	names  map[string]bool // of boxes, places and lines; true for a line
	usual  Source          // the statement "agents"
	line   int
	agents uint64
	count  int // of statements that are bounded by MaxNames
}

// statement reads a line.
func (p *parser) statement(line string) error {
	w := words{statement.Split(line)}
	if len(w.All) == 0 {
		return nil
	}
	const metres = "a length in metres"
	switch verb := w.Next("a statement"); verb {
	case "level":
		p.level(&w)
	case "floor":
		f := Floor{Low: w.corner("a corner x,z"), High: w.corner("the opposite corner x,z")}
		if !(f.High.X > f.Low.X && f.High.Z > f.Low.Z) && w.Err == nil {
			w.Fail("want a corner to the right of and behind the first")
		}
		if w.Skip("at") {
			f.Low.Y = w.within(-MaxCoordinate, MaxCoordinate, "a height in metres")
			f.High.Y = f.Low.Y
		}
		p.s.Floors = append(p.s.Floors, f)
	case "wall":
		b := world.Box{Base: w.place("the middle of the bottom x,y,z")}
		w.Must("size")
		b.Size = w.place("lengths x,y,z")
		if !(b.Size.X > 0 && b.Size.Y > 0 && b.Size.Z > 0) && w.Err == nil {
			w.Fail("want lengths above 0")
		}
		if w.Skip("yaw") {
			b.Yaw = geom.Degrees(w.within(-360, 360, "an angle in degrees"))
		}
		p.s.Walls = append(p.s.Walls, b)
	case "seconds":
		p.s.Seconds = w.within(0.001, MaxSeconds, "a time in seconds")
	case "dt":
		p.s.Dt = w.within(0.001, 1, "a time in seconds")
	case "seed":
		p.s.Seed = w.count(math.MaxUint64, "a seed")
	case "density":
		p.density(&w)
	case "arrive":
		p.s.Arrive = w.within(0.01, 100, metres)
	case "box":
		b := Box{Name: p.name(&w, false), Area: geom.Box{Min: w.corner("a corner x,z"), Max: w.corner("the opposite corner x,z")}}
		if !(b.Area.Max.X >= b.Area.Min.X && b.Area.Max.Z >= b.Area.Min.Z) && w.Err == nil {
			w.Fail("want a corner to the right of and behind the first")
		}
		b.Area.Min.Y, b.Area.Max.Y = w.heights()
		p.s.Boxes = append(p.s.Boxes, b)
	case "place":
		p.s.Places = append(p.s.Places, Place{p.name(&w, false), w.place("a place x,y,z")})
	case "line":
		l := Line{Name: p.name(&w, true), A: w.corner("an end x,z"), B: w.corner("an end x,z")}
		if w.Err == nil && l.A == l.B {
			w.Fail("want another place than the first end")
		}
		l.Low, l.High = w.heights()
		p.s.Lines = append(p.s.Lines, l)
	case "agents":
		for w.More() && w.Err == nil {
			if word := w.Next(""); !p.usual.property(&w, word) {
				w.Fail("want radius, height, speed, acceleration or turn")
			}
		}
	case "crowd", "group", "stream", "circle":
		p.source(&w, Entry(verb))
	case "at":
		p.change(&w, line)
	case "expect":
		p.expect(&w)
	default:
		w.Fail("unknown statement; statements: level, floor, wall, agents, seconds, dt, seed, density, arrive, box, place, line, " +
			"crowd, group, stream, circle, at, expect")
	}
	w.End("statement")
	if p.count++; w.Err == nil && p.count > MaxNames {
		return fmt.Errorf("more than %d statements", MaxNames)
	}
	return w.Err
}

// density reads how density becomes cost.
func (p *parser) density(w *words) {
	if p.s.Density.Every > 0 {
		w.Fail("the scenario has a density")
	}
	p.s.Density = Density{Every: 1, Cell: density.DefaultCell}
	for w.More() {
		switch word := w.Next(""); word {
		case "every":
			p.s.Density.Every = w.within(0.05, 3600, "a time in seconds")
		case "cell":
			p.s.Density.Cell = w.within(density.MinCell, density.MaxCell, "a side in metres")
		case "most":
			p.s.Density.Most = int(w.count(1<<20, "a number of cells"))
		default:
			w.Fail("want every, cell or most")
		}
	}
}

// level reads a generated level or a file.
func (p *parser) level(w *words) {
	if p.s.Kind != "" || p.s.File != "" {
		w.Fail("the scenario has a level")
	}
	kind := w.Next("a kind of level, or file")
	if kind == "file" {
		if p.s.File = w.Next("a file name"); w.Err == nil && !fs.ValidPath(p.s.File) {
			w.Fail("want a file in the folder of the scenario")
		}
		return
	}
	at := slices.IndexFunc(levelgen.Kinds(), func(k levelgen.Kind) bool { return k.Name == kind })
	if at < 0 && w.Err == nil {
		w.Fail("unknown kind of level; meadow gen --help lists them")
	}
	p.s.Kind = kind
	for w.More() {
		switch word := w.Next(""); word {
		case "seed":
			p.s.Options.Seed = w.count(math.MaxUint64, "a seed")
		case "size":
			p.s.Options.Size = w.within(levelgen.Kinds()[at].MinSize, levelgen.Kinds()[at].MaxSize, "a side in metres")
		case "storeys":
			p.s.Options.Storeys = int(w.count(uint64(levelgen.Kinds()[at].MaxStoreys), "a number of storeys"))
		default:
			w.Fail("want seed, size or storeys")
		}
	}
}

// name reads the name of a box, a place or a line; a line and a box may not share a name.
func (p *parser) name(w *words, line bool) string {
	n := w.Next("a name")
	if _, taken := p.names[n]; taken {
		w.Fail("the name is taken")
	}
	p.names[n] = line
	return n
}

// known reads the name of a box or of a place.
func (p *parser) known(w *words) string {
	n := w.Next("the name of a box or place")
	if line, ok := p.names[n]; w.Err == nil && (!ok || line) {
		w.Fail("no box or place above has the name")
	}
	return n
}

// property reads the rest of a word of agents; ok is false for another word.
func (s *Source) property(w *words, word string) (ok bool) {
	switch word {
	case "radius":
		s.Radius = w.span(0.01, 50, "a radius in metres")
	case "height":
		s.Height = w.span(0.01, 100, "a height in metres")
	case "speed":
		s.Speed = w.span(0.01, 100, "a speed in metres a second")
	case "turn":
		s.Turn = w.within(0.1, crowd.MaxTurn, "the radius of a turning circle in metres")
	case "acceleration":
		s.Acceleration = w.span(0.01, 1000, "an acceleration in metres a second squared")
	default:
		return false
	}
	return true
}

// source reads a statement that puts agents on the floor.
func (p *parser) source(w *words, entry Entry) {
	s := p.usual
	s.Line, s.Entry, s.Then = p.line, entry, Stay
	s.Name = w.Next("a name")
	n := w.count(MaxAgents, "a number of agents")
	if p.agents += n; p.agents > MaxAgents {
		w.Fail("more than %d agents", MaxAgents)
	}
	s.Count = int(n)
	from, to := entry == Circle, entry == Circle
	for w.More() {
		switch word := w.Next(""); {
		case s.property(w, word):
		case word == "in" && !from:
			s.In, from = p.known(w), true
		case word == "anywhere" && !from:
			from = true
		case word == "around" && entry == Circle:
			s.Around = w.place("a place x,y,z")
		case word == "ring" && entry == Circle:
			s.Ring = w.within(0.01, MaxCoordinate, "a radius in metres")
		case (word == "to" || word == "tour") && !to:
			to, s.Tour = true, word == "tour"
			if word == "to" && w.Skip("anywhere") {
				break
			}
			for s.To = []string{p.known(w)}; w.More() && p.isPlace(w.All[w.At]); {
				s.To = append(s.To, p.known(w))
			}
		case word == "then":
			s.Then = Then(w.Next("stay, leave or again"))
			if w.Err == nil && s.Then != Stay && s.Then != Leave && s.Then != Again {
				w.Fail("want stay, leave or again")
			}
		case word == "every" && entry == Stream:
			s.Every = w.within(0.001, MaxSeconds, "a time in seconds")
		case word == "from" && entry == Stream:
			s.From = w.within(0, MaxSeconds, "a time in seconds")
		case word == "formation" && entry == Group:
			name := w.Next("loose, line, column, wedge or circle")
			var ok bool
			if s.Formation, ok = group.FormationOf(name); w.Err == nil && (!ok || s.Formation == group.Own) {
				w.Fail("want loose, line, column, wedge or circle")
			}
		case word == "leader" && entry == Group:
			s.Leader = true
		case word == "spacing" && entry == Group:
			s.Spacing = w.within(0.01, 100, "a distance in metres")
		case word == "priority":
			s.Priority = int32(w.within(-1e6, 1e6, "a priority"))
		default:
			w.Fail("the word does not belong to a %s, or is there twice", entry)
		}
	}
	switch {
	case w.Err != nil:
	case entry == Circle && s.Ring == 0:
		w.Err = errors.New(`a circle needs "ring" and a radius`)
	case entry == Stream && s.Every == 0:
		w.Err = errors.New(`a stream needs "every" and a time`)
	case entry == Group && len(s.To) > 1 && !s.Tour:
		w.Err = errors.New(`a group goes to one place, or makes a "tour"`)
	case s.Then == Again && len(s.To) > 1 && !s.Tour:
		w.Err = errors.New(`an agent at the nearest of several places cannot go there again: want "tour"`)
	case !from:
		w.Err = errors.New(`want "in" with a box or place, or "anywhere"`)
	case !to:
		w.Err = errors.New(`want "to" or "tour" with boxes or places, or "to anywhere"`)
	}
	p.s.Sources = append(p.s.Sources, s)
}

// isPlace reports whether a word names a box or a place.
func (p *parser) isPlace(word string) bool {
	line, ok := p.names[word]
	return ok && !line
}

// change reads "at", a time, and an edit in the language of package script.
func (p *parser) change(w *words, line string) {
	c := Change{Line: p.line, At: w.within(0, MaxSeconds, "a time in seconds")}
	if !w.More() {
		w.Next("an edit: put, move, take, paint, repaint, close, open or connect")
		return
	}
	_, rest, _ := strings.Cut(strings.TrimLeft(line, " \t\r"), w.All[1])
	commands, err := script.Parse(strings.NewReader(rest), nil)
	if err != nil {
		w.Err = errors.New(strings.TrimPrefix(err.Error(), "script: line 1: "))
		return
	}
	var do script.Apply
	ok := len(commands) == 1
	if ok {
		do, ok = commands[0].Do.(script.Apply)
	}
	if !ok || len(do.Edits) != 1 {
		w.At = 3
		w.Fail("want an edit: put, move, take, paint, repaint, close, open or connect")
		return
	}
	c.Edit = do.Edits[0]
	p.s.Changes = append(p.s.Changes, c)
	w.At = len(w.All)
}

// expect reads an expectation.
func (p *parser) expect(w *words) {
	e := Expect{Line: p.line, Claim: Claim(w.Next("a claim")), Most: math.MaxFloat64}
	below := func() {
		w.Must("below")
		e.Most = w.within(0, math.MaxFloat64, "a number")
	}
	between := func() {
		e.Least = w.within(0, math.MaxFloat64, "a number")
		w.Must("to")
		e.Most = w.within(e.Least, math.MaxFloat64, "a number")
	}
	switch e.Claim {
	case ExpectOverlap, ExpectWaiting, ExpectDone:
		below()
	case ExpectOffMesh, ExpectStuck:
		e.Most = float64(w.count(math.MaxInt32, "a number"))
	case ExpectArrived:
		e.Least = float64(w.count(math.MaxInt32, "a number"))
	case ExpectSpeed:
		between()
	case ExpectFlow, ExpectLanes:
		e.Name = w.Next("the name of a line")
		if line := p.names[e.Name]; w.Err == nil && !line {
			w.Fail("no line above has the name")
		}
		between()
	default:
		if w.Err == nil {
			w.Fail("unknown claim; claims: overlap, offmesh, stuck, waiting, arrived, speed, flow, lanes, done")
		}
	}
	p.s.Expects = append(p.s.Expects, e)
}
