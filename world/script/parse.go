package script

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/statement"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/obj"
	"github.com/meadow-nav/meadow/world"
)

// Limits of a script.
const (
	MaxBytes     = 64 << 20 // of the text, and of all files of triangles together
	MaxLine      = 1 << 20  // bytes
	MaxTriangles = 1 << 16  // of a file
	MaxCommands  = 1 << 20  // with the edits of batches
)

// Parse reads a script. Files of triangles are OBJ files in folder, by slash-separated paths without "..", see
// [fs.ValidPath]; a nil folder has no files. The first fault is an error with line and word. Time and space O(bytes).
func Parse(r io.Reader, folder fs.FS) (Script, error) {
	if r == nil {
		return nil, errors.New("script: the reader is nil")
	}
	p := parser{folder: folder, files: map[string]world.TriangleMesh{}, left: MaxBytes}
	lines := bufio.NewScanner(io.LimitReader(r, MaxBytes+1))
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		p.line++
		if p.left -= int64(len(lines.Bytes()) + 1); p.left < 0 {
			return nil, fmt.Errorf("script: line %d: more than %d bytes of text and triangles", p.line, MaxBytes)
		}
		if err := p.command(lines.Text()); err != nil {
			return nil, fmt.Errorf("script: line %d: %w", p.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("script: line %d: more than %d bytes", p.line+1, MaxLine)
	case err != nil:
		return nil, fmt.Errorf("script: %w", err)
	case p.batch != nil:
		return nil, fmt.Errorf("script: line %d: the batch has no end", p.begun)
	}
	return p.script, nil
}

// parser is the state between two lines.
type parser struct {
	folder fs.FS
	files  map[string]world.TriangleMesh
	left   int64 // bytes that may still be read

	line   int
	count  int // commands so far
	script Script
	batch  *Apply // open batch, or nil
	begun  int    // line of the open batch
}

// command reads a line.
func (p *parser) command(line string) error {
	all, err := statement.SplitQuoted(line)
	if err != nil || len(all.All) == 0 {
		return err
	}
	w := words{all}
	if p.count++; p.count > MaxCommands {
		return fmt.Errorf("more than %d commands", MaxCommands)
	}
	verb := w.Next("a command")
	edit := p.edit(&w, verb)
	var do Action
	switch {
	case edit != nil && p.batch != nil:
		p.batch.Edits = append(p.batch.Edits, edit)
	case edit != nil:
		do = Apply{Edits: []world.Edit{edit}}
	case verb == "end" && p.batch != nil:
		p.script = append(p.script, Command{p.begun, *p.batch})
		p.batch = nil
	case p.batch != nil:
		w.Fail("unknown edit in a batch; edits: put, move, take, paint, repaint, close, open, connect, and end")
	case verb == "batch":
		p.batch, p.begun = &Apply{Batch: true}, p.line
	case verb == "radius":
		do = Radius{w.length("a radius in metres")}
	case verb == "expect":
		do = w.expect()
	case verb == "render":
		do = Render{w.Next("a picture's file name")}
	default:
		do = w.ask(Question(verb))
	}
	w.End("command")
	if w.Err == nil && do != nil {
		p.script = append(p.script, Command{p.line, do})
	}
	return w.Err
}

// edit reads the words after the verb of an edit; nil for another verb.
func (p *parser) edit(w *words, verb string) world.Edit {
	const id = "the name of a thing"
	switch verb {
	case "put":
		return world.Put{ID: world.ID(w.Next(id)), Solid: p.solid(w)}
	case "move":
		return world.Move{ID: world.ID(w.Next(id)), Solid: p.solid(w)}
	case "take":
		return world.Take{ID: world.ID(w.Next(id))}
	case "paint":
		return world.Paint{ID: world.ID(w.Next(id)), Solid: p.solid(w), Brush: w.brush()}
	case "repaint":
		return world.Repaint{ID: world.ID(w.Next(id)), Solid: p.solid(w), Brush: w.brush()}
	case "close":
		return world.Close{Mark: w.Next("the name or kind of a mark")}
	case "open":
		return world.Open{Mark: w.Next("the name or kind of a mark")}
	case "connect":
		c := world.Connect{ID: world.ID(w.Next(id)), From: w.place("the start x,y,z"), To: w.place("the end x,y,z"), Kind: w.kind()}
		if w.Skip("cost") {
			c.Cost = w.number("a cost in metres")
		}
		c.BothWays = w.Skip("both")
		return c
	}
	return nil
}

// solid reads a shape and its place.
func (p *parser) solid(w *words) world.Solid {
	const base = "the middle of the bottom x,y,z"
	switch shape := w.Next("a shape: box, cylinder, prism or mesh"); shape {
	case "box":
		b := world.Box{Base: w.place(base)}
		w.Must("size")
		b.Size = w.place("lengths x,y,z")
		if w.Skip("yaw") {
			b.Yaw = w.yaw()
		}
		return b
	case "cylinder":
		c := world.Cylinder{Base: w.place(base)}
		w.Must("radius")
		c.Radius = w.number("a radius in metres")
		w.Must("height")
		c.Height = w.number("a height in metres")
		return c
	case "prism":
		var s world.Prism
		for w.Err == nil && !w.Skip("from") {
			var c [2]float64
			w.coordinates(c[:], "a corner x,z, or from")
			s.Outline = append(s.Outline, geom.Vec{X: c[0], Z: c[1]})
		}
		s.Bottom = w.number("a height in metres")
		w.Must("to")
		s.Top = w.number("a height in metres")
		return s
	case "mesh":
		m := p.triangles(w)
		if w.Skip("at") {
			m.At = w.place("a place x,y,z")
		}
		if w.Skip("yaw") {
			m.Yaw = w.yaw()
		}
		return m
	}
	if w.Err == nil {
		w.Fail("unknown shape; shapes: box, cylinder, prism, mesh")
	}
	return nil
}

// triangles reads a file name, or "of" with a list of triangles.
func (p *parser) triangles(w *words) world.TriangleMesh {
	if !w.Skip("of") {
		name := w.Next(`the name of an OBJ file, or "of"`)
		if w.Err != nil {
			return world.TriangleMesh{}
		}
		m, err := p.file(name)
		if err != nil {
			w.Fail("%v", err)
		}
		return m
	}
	var m world.TriangleMesh
	for w.Err == nil && !w.Skip("faces") {
		m.Vertices = append(m.Vertices, w.place("a vertex x,y,z, or faces"))
	}
	for w.More() && w.All[w.At] != "at" && w.All[w.At] != "yaw" {
		const want = "three numbers of vertices, counted from 0, as in 0,1,2"
		parts := strings.Split(w.Next(want), ",")
		if len(parts) != 3 {
			w.Fail("want %s", want)
			break
		}
		var t [3]int32
		for i, part := range parts {
			n, err := strconv.ParseInt(part, 10, 32)
			if err != nil {
				w.Fail("want %s", want)
			}
			t[i] = int32(n)
		}
		m.Triangles = append(m.Triangles, t)
	}
	return m
}

// file returns the triangles of an OBJ file of the folder. Every file is read once.
func (p *parser) file(name string) (world.TriangleMesh, error) {
	if m, known := p.files[name]; known {
		return m, nil
	}
	if p.folder == nil || !fs.ValidPath(name) {
		return world.TriangleMesh{}, errors.New("the file is not in the folder of the script")
	}
	f, err := p.folder.Open(name)
	if err != nil {
		return world.TriangleMesh{}, err
	}
	defer f.Close()
	in := &io.LimitedReader{R: f, N: p.left + 1}
	lvl, err := obj.Decode(in, nil, name, level.Limits{Bytes: max(1, p.left), Triangles: MaxTriangles})
	p.left = max(0, in.N-1)
	if err != nil {
		return world.TriangleMesh{}, err
	}
	m := world.TriangleMesh{Vertices: lvl.Vertices}
	for _, t := range lvl.Triangles {
		m.Triangles = append(m.Triangles, [3]int32{int32(t.A), int32(t.B), int32(t.C)})
	}
	p.files[name] = m
	return m, nil
}

// brush reads the words behind the shape of a modifier, each at most once and in any order.
func (w *words) brush() (b world.Brush) {
	seen := map[string]bool{}
	for w.More() {
		word := w.Next("area, cost, set, clear or priority")
		if seen[word] {
			w.Fail("the word is there twice")
		}
		seen[word] = true
		switch word {
		case "area":
			b.Area = w.Next("the name of an area")
		case "cost":
			b.Cost = w.number("a cost of a metre")
		case "set":
			b.Set = w.flags()
		case "clear":
			b.Clear = w.flags()
		case "priority":
			n, err := strconv.ParseInt(w.Next("an integer"), 10, 64)
			if b.Priority = int(n); w.Err == nil && (err != nil || int64(b.Priority) != n) {
				w.Fail("want an integer")
			}
		default:
			w.Fail("want area, cost, set, clear or priority")
		}
	}
	return b
}

// ask reads the words after the verb of a question.
func (w *words) ask(q Question) Action {
	a := Ask{Question: q}
	place := func() { a.Places = append(a.Places, w.place("a place x,y,z")) }
	switch q {
	case AskPath, AskRaycast:
		place()
		place()
	case AskLocate, AskBlocked:
		place()
	case AskNearest, AskFree:
		place()
		a.Reach = math.Inf(1)
		if w.Skip("within") {
			if a.Reach = w.number("a distance in metres"); !(a.Reach >= 0) {
				w.Fail("want a distance in metres of 0 or more")
			}
		}
	case AskOnWay:
		place()
		place()
		for w.More() {
			place()
		}
	case AskRegions, AskArea, AskValidate, AskThings:
	case "add", "floor", "bridge":
		w.Fail("no command adds floor: build the base with this floor, and put an obstacle over the floor as long as it is away")
	default:
		w.Fail("unknown command; commands: put, move, take, paint, repaint, close, open, connect, batch, radius, " +
			"path, locate, nearest, blocked, onway, free, raycast, regions, area, validate, things, expect, render")
	}
	return a
}

// expect reads the words after "expect".
func (w *words) expect() Action {
	e := Expect{Claim: Claim(w.Next("a claim"))}
	names := func() {
		for w.More() {
			e.Names = append(e.Names, world.ID(w.Next("a name")))
		}
	}
	switch e.Claim {
	case ExpectLength, ExpectCost, ExpectArea:
		e.Value = w.number("a number")
		e.Tolerance = w.tolerance()
	case "no":
		w.Must("path")
		e.Claim = ExpectNoPath
	case ExpectAt:
		e.At = w.place("a place x,y,z")
		e.Tolerance = w.tolerance()
	case ExpectRegions, ExpectFaults:
		e.Value = w.count("a number of 0 or more")
	case ExpectBy, ExpectThings:
		names()
	case ExpectError:
		parts := []string{w.Next("a part of the error")}
		for w.More() {
			parts = append(parts, w.Next(""))
		}
		e.Text = strings.Join(parts, " ")
	case ExpectNothing, ExpectHit, ExpectClear, ExpectSame:
	default:
		if w.Err == nil {
			w.Fail("unknown claim; claims: length, cost, no path, at, nothing, by, hit, clear, error, regions, area, faults, things, same")
		}
	}
	return e
}

// tolerance reads "±0.01" or "+-0.01", or nothing.
func (w *words) tolerance() float64 {
	if !w.More() {
		return DefaultTolerance
	}
	const want = "a tolerance as in ±0.01"
	word := w.Next(want)
	number, ok := strings.CutPrefix(word, "±")
	if !ok {
		number, ok = strings.CutPrefix(word, "+-")
	}
	if !ok {
		w.Fail("want %s", want)
		return 0
	}
	v := w.parse(number, want)
	if !(v >= 0 && v <= math.MaxFloat64) {
		w.Fail("want %s", want)
	}
	return v
}
