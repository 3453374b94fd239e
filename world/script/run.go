package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Runner runs scripts on one world. All fields but the first three are optional.
type Runner struct {
	World   *world.World
	Base    *navmesh.Mesh // of the world
	Options world.Options // of the world
	// Out gets a line for every command but expectations, with the number of the command's line.
	Out io.Writer
	// Render draws a picture to a file. Without the function, a command to render is an error.
	Render func(ctx context.Context, file string, p Picture) error
	// After, unless nil, is called after every change with the line of the change.
	After func(line int, s *world.Snapshot) error
}

// Picture is the content of a picture: the latest snapshot, its last change, and the snapshot before it.
type Picture struct {
	Now, Before *world.Snapshot
	Change      world.Change
}

// Report tells the result of a run.
type Report struct {
	Commands, Changes, Expectations int
	Failures                        []Failure // expectations that do not hold
}

// Failure is an expectation that does not hold.
type Failure struct {
	Line int
	Text string // for instance "length is 12.5, expected 12.3 ±0.01"
}

// String returns the failure as a sentence with its line.
func (f Failure) String() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

// Run runs a script. An error of a command, with its line, ends the run, unless the next command is an expectation of
// the error. Expectations that do not hold are in the report.
func (r *Runner) Run(ctx context.Context, s Script) (Report, error) {
	var report Report
	if r == nil || r.World == nil || r.Base == nil {
		return report, errors.New("script: run: the runner has no world or no base")
	}
	run := runner{Runner: r, radius: r.Base.Agent.Radius, before: r.World.Now()}
	for i, c := range s {
		if err := ctx.Err(); err != nil {
			return report, fmt.Errorf("script: line %d: %w", c.Line, err)
		}
		report.Commands++
		if e, ok := c.Do.(Expect); ok {
			report.Expectations++
			text, err := run.holds(ctx, e)
			if err != nil {
				return report, fmt.Errorf("script: line %d: %w", c.Line, err)
			}
			if text != "" {
				report.Failures = append(report.Failures, Failure{c.Line, text})
			}
			continue
		}
		run.last = answer{}
		err := run.do(ctx, c)
		if err == nil {
			if _, ok := c.Do.(Apply); ok {
				report.Changes++
			}
			run.tell(c.Line, run.last.text)
			continue
		}
		expected := false
		if i+1 < len(s) {
			e, ok := s[i+1].Do.(Expect)
			expected = ok && e.Claim == ExpectError
		}
		if !expected || ctx.Err() != nil {
			return report, fmt.Errorf("script: line %d: %w", c.Line, err)
		}
		run.last = answer{err: err}
		run.tell(c.Line, "error: "+err.Error())
	}
	return report, nil
}

// runner is the state of a run.
type runner struct {
	*Runner
	radius float64
	before *world.Snapshot // before the last change
	change world.Change    // the last one
	last   answer          // of the last command
}

// answer is the answer to a question.
type answer struct {
	question Question // empty for other commands
	text     string
	err      error

	path  query.Path
	at    geom.Vec // of a place
	found bool     // there is a place
	by    []world.ID
	hit   bool
}

func (r *runner) tell(line int, text string) {
	if r.Out != nil {
		fmt.Fprintf(r.Out, "%d: %s\n", line, text)
	}
}

// snapshot returns the latest snapshot for the radius.
func (r *runner) snapshot() (*world.Snapshot, error) { return r.World.Now().For(r.radius) }

// do runs a command that is no expectation.
func (r *runner) do(ctx context.Context, c Command) error {
	switch do := c.Do.(type) {
	case Apply:
		before := r.World.Now()
		change, err := r.World.Apply(ctx, do.Edits...)
		if err != nil {
			return err
		}
		r.before, r.change = before, change
		regions := "regions"
		if len(change.Stale) == 1 {
			regions = "region"
		}
		r.last.text = fmt.Sprintf("change %d: %s, %d %s gone, %d new", change.Sequence, titleOf(do), len(change.Stale), regions, len(change.Fresh))
		if r.After != nil {
			return r.After(c.Line, r.World.Now())
		}
	case Radius:
		if _, err := r.World.Now().For(do.Metres); err != nil {
			return err
		}
		r.radius = do.Metres
		r.last.text = fmt.Sprintf("radius %g m", do.Metres)
	case Ask:
		return r.ask(ctx, do)
	case Render:
		if r.Render == nil {
			return errors.New("no pictures can be drawn here")
		}
		now, err := r.snapshot()
		if err != nil {
			return err
		}
		before, err := r.before.For(r.radius)
		if err != nil {
			return err
		}
		r.last.text = "picture " + do.File
		return r.Render(ctx, do.File, Picture{now, before, r.change})
	}
	return nil
}

// maxTitle is the number of bytes of an edit that a line shows.
const maxTitle = 100

// titleOf returns a change in a few words.
func titleOf(a Apply) string {
	if len(a.Edits) != 1 {
		return fmt.Sprintf("%d edits", len(a.Edits))
	}
	text := EditString(a.Edits[0])
	if len(text) > maxTitle {
		text = strings.ToValidUTF8(text[:maxTitle], "") + " …"
	}
	return text
}

// ask asks a question and keeps the answer.
func (r *runner) ask(ctx context.Context, a Ask) error {
	s, err := r.snapshot()
	if err != nil {
		return err
	}
	last := &r.last
	last.question = a.Question
	switch q := s.NewQuery(); a.Question {
	case AskPath:
		path, err := q.Path(ctx, a.Places[0], a.Places[1])
		if err != nil {
			return err
		}
		last.path, last.text = path.Clone(), "no path"
		if path.Complete {
			last.text = fmt.Sprintf("path of %.3f m, %.3f m along the floor, cost %.3f, %d points", path.Length, path.SurfaceLength(), path.Cost, len(path.Surface()))
		}
	case AskLocate:
		at, ok := q.Locate(a.Places[0])
		last.place(at.Point, ok)
	case AskNearest:
		at, ok := q.Nearest(a.Places[0], a.Reach)
		last.place(at.Point, ok)
	case AskFree:
		at, ok := s.Free(a.Places[0], a.Reach)
		last.place(at.Point, ok)
	case AskBlocked:
		last.obstacles(s.BlockedBy(a.Places[0]))
	case AskOnWay:
		last.obstacles(s.OnWay(a.Places))
	case AskThings:
		if last.text = list(idsOf(s.Things())); last.text == "" {
			last.text = "nothing"
		}
	case AskRaycast:
		from, ok := q.Locate(a.Places[0])
		if !ok {
			return fmt.Errorf("%w: the ray starts at %v", query.ErrOffMesh, a.Places[0])
		}
		ray, err := q.Raycast(from, a.Places[1])
		if err != nil {
			return err
		}
		last.place(ray.End.Point, true)
		if last.hit = ray.Hit; ray.Hit {
			last.text = "hit " + last.text
		}
	default:
		m := s.Mesh()
		switch a.Question {
		case AskRegions:
			last.text = fmt.Sprintf("%d regions", m.RegionCount())
		case AskArea:
			last.text = fmt.Sprintf("%.4f m²", m.Area())
		case AskValidate:
			last.text = navmesh.Summary(m.Validate())
			if last.text == "" {
				last.text = "no faults"
			}
		}
	}
	return nil
}

func (a *answer) place(at geom.Vec, ok bool) {
	a.at, a.found, a.text = at, ok, "nothing"
	if ok {
		a.text = "at " + at.String()
	}
}

func (a *answer) obstacles(ids []world.ID) {
	a.by, a.text = slices.Clone(ids), "nothing"
	if len(ids) > 0 {
		a.text = "by " + list(ids)
	}
}

// maxListed is the number of names that a text lists.
const maxListed = 20

func list(ids []world.ID) string {
	var b []byte
	for i, id := range ids {
		if i == maxListed {
			return fmt.Sprintf("%s … (%d)", b, len(ids))
		}
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendWord(b, string(id))
	}
	return string(b)
}

func idsOf(things []world.Thing) []world.ID {
	ids := make([]world.ID, len(things))
	for i, t := range things {
		ids[i] = IDOf(t)
	}
	return ids
}

// IDOf returns the ID of an edit, empty for edits of marks.
func IDOf(e world.Edit) world.ID {
	switch e := e.(type) {
	case world.Put:
		return e.ID
	case world.Move:
		return e.ID
	case world.Take:
		return e.ID
	case world.Paint:
		return e.ID
	case world.Repaint:
		return e.ID
	case world.Connect:
		return e.ID
	}
	return ""
}

// holds returns the difference between an expectation and the truth, empty for none. An expectation that does not fit to
// the command above is an error.
func (r *runner) holds(ctx context.Context, e Expect) (string, error) {
	if text, ok, err := r.holdsAnswer(e); ok || err != nil {
		return text, err
	}
	s, err := r.snapshot()
	if err != nil {
		return "", err
	}
	switch e.Claim {
	case ExpectThings:
		return differ(idsOf(s.Things()), e.Names), nil
	case ExpectSame:
		return Same(ctx, r.Base, r.Options, s)
	}
	m := s.Mesh()
	switch e.Claim {
	case ExpectRegions:
		return off("number of regions", float64(m.RegionCount()), e.Value, 0), nil
	case ExpectArea:
		return off("area", m.Area(), e.Value, e.Tolerance), nil
	default: // ExpectFaults
		faults := m.Validate()
		text := off("number of faults", float64(len(faults)), e.Value, 0)
		if text != "" && len(faults) > 0 {
			text += ": " + navmesh.Summary(faults)
		}
		return text, nil
	}
}

// holdsAnswer is holds for expectations about the last answer; ok is false for others.
func (r *runner) holdsAnswer(e Expect) (text string, ok bool, err error) {
	a := &r.last
	asked := func(questions ...Question) bool {
		if ok = slices.Contains(questions, a.question); !ok {
			err = fmt.Errorf("expect %s: the command above is no question for it", e.Claim)
		}
		return ok
	}
	switch e.Claim {
	case ExpectLength, ExpectCost:
		if !asked(AskPath) {
			break
		}
		switch {
		case !a.path.Complete:
			text = fmt.Sprintf("there is no path, expected %s %g", e.Claim, e.Value)
		case e.Claim == ExpectLength:
			text = off("length", a.path.Length, e.Value, e.Tolerance)
		default:
			text = off("cost", a.path.Cost, e.Value, e.Tolerance)
		}
	case ExpectNoPath:
		if asked(AskPath) && a.path.Complete {
			text = fmt.Sprintf("there is a %s, expected none", a.text)
		}
	case ExpectAt:
		if !asked(AskLocate, AskNearest, AskFree, AskRaycast) {
			break
		}
		if !a.found {
			text = fmt.Sprintf("there is no place, expected %v", e.At)
		} else if d := a.at.Distance(e.At); !(d <= e.Tolerance) {
			text = fmt.Sprintf("the place is %v, %.6g m from the expected %v ±%g", a.at, d, e.At, e.Tolerance)
		}
	case ExpectNothing:
		if asked(AskLocate, AskNearest, AskFree, AskBlocked, AskOnWay) && (a.found || len(a.by) > 0) {
			text = fmt.Sprintf("the answer is %s, expected nothing", a.text)
		}
	case ExpectBy:
		if asked(AskBlocked, AskOnWay) {
			text = differ(a.by, e.Names)
		}
	case ExpectHit, ExpectClear:
		if asked(AskRaycast) && a.hit != (e.Claim == ExpectHit) {
			text = fmt.Sprintf("the ray ends %s, expected %s", a.text, e.Claim)
		}
	case ExpectError:
		ok = true
		switch {
		case a.err == nil:
			text = fmt.Sprintf("there is no error, expected %q", e.Text)
		case !strings.Contains(a.err.Error(), e.Text):
			text = fmt.Sprintf("the error is %q, expected %q", a.err, e.Text)
		}
	}
	return text, ok, err
}

// off returns the difference of a number, empty within the tolerance.
func off(name string, got, want, tolerance float64) string {
	if math.Abs(got-want) <= tolerance || got == want {
		return ""
	}
	if tolerance == 0 {
		return fmt.Sprintf("%s is %g, expected %g", name, got, want)
	}
	return fmt.Sprintf("%s is %g, expected %g ±%g", name, got, want, tolerance)
}

func differ(got, want []world.ID) string {
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("the names are [%s], expected [%s]", list(got), list(want))
}

// Anew makes a world from its base, and sets the things of a snapshot into it as one change: the world that s would be
// without its history.
func Anew(ctx context.Context, base *navmesh.Mesh, opt world.Options, s *world.Snapshot) (*world.World, error) {
	w, err := world.New(ctx, base, opt)
	if err != nil {
		return nil, err
	}
	var edits []world.Edit
	for _, t := range s.Things() {
		edits = append(edits, t)
	}
	// A name may be shared: first everything called as a closed mark closes, then the open marks open again.
	closed := s.Closed()
	for _, k := range closed {
		edits = append(edits, world.Close{Mark: calledAs(base.Marks[k])})
	}
	for k := range base.Marks {
		if len(closed) > 0 && !slices.Contains(closed, k) {
			edits = append(edits, world.Open{Mark: calledAs(base.Marks[k])})
		}
	}
	if len(edits) > 0 {
		_, err = w.Apply(ctx, edits...)
	}
	if err == nil && !slices.Equal(w.Now().Closed(), closed) {
		err = fmt.Errorf("no names close the marks %v and no others", closed)
	}
	return w, err
}

// calledAs returns the name of a mark, for a mark without a name its kind.
func calledAs(m navmesh.Mark) string {
	if m.Name == "" {
		return m.Kind
	}
	return m.Name
}

// Same compares a snapshot, for every radius of its world, with a world made anew from the base and the things: the bytes
// of their meshes are equal. The text names the difference, and is empty for none.
func Same(ctx context.Context, base *navmesh.Mesh, opt world.Options, s *world.Snapshot) (string, error) {
	w, err := Anew(ctx, base, opt, s)
	if err != nil {
		return "", fmt.Errorf("the world made anew: %w", err)
	}
	radii := []float64{base.Agent.Radius}
	for _, wide := range opt.Wider {
		radii = append(radii, wide.Agent.Radius)
	}
	for _, radius := range radii {
		var files [2]bytes.Buffer
		var meshes [2]*navmesh.Mesh
		for i, snapshot := range [2]*world.Snapshot{s, w.Now()} {
			at, err := snapshot.For(radius)
			if err != nil {
				return "", err
			}
			meshes[i] = at.Mesh()
			if err := navfile.Write(&files[i], meshes[i]); err != nil {
				return "", err
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			return fmt.Sprintf("the mesh for %g m has %d regions on %.6f m² in %d parts, made anew %d on %.6f m² in %d parts, and other bytes", radius,
				meshes[0].RegionCount(), meshes[0].Area(), meshes[0].Components,
				meshes[1].RegionCount(), meshes[1].Area(), meshes[1].Components), nil
		}
	}
	return "", nil
}
