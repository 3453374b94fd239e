package experiment

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Groups of figures 5 and 6, walking by package steer. The floors are places of centres: walls are a radius beside them.

// brandSteps is the number of steps a second.
const brandSteps = 20

// unit is a member of a group.
type unit struct {
	steer.Mover
	pos     query.Position
	trail   steer.Trail
	trouble steer.Trouble
	remedy  steer.Remedy
	before  geom.Vec // the place at the start of the step
	along   float64  // along the corridor, in metres
	track   []geom.Vec
	blocked bool // did not get on in the last step
	exposed bool
	arrived bool
}

// squad is a group on a mesh.
type squad struct {
	q     *query.Query
	units []unit
	mates []steer.Mate
	step  int
	// deepest is the largest overlap of two bodies in metres; pushed the number of pushes.
	deepest float64
	pushed  int
}

// floorOf makes a mesh of rings in metres, the first one the border.
func floorOf(ctx context.Context, name string, rings ...[][2]float64) (World, *navmesh.Mesh, metric.Result, error) {
	var list []lattice.Ring
	for _, ring := range rings {
		var r lattice.Ring
		for _, p := range ring {
			r = append(r, lattice.Point{X: int32(p[0] * lattice.UnitsPerMetre), Y: int32(p[1] * lattice.UnitsPerMetre)})
		}
		list = append(list, r)
	}
	w := World{Name: name, Domain: domainOf(list)}
	if err := w.Domain.Validate(); err != nil {
		return w, nil, metric.Result{}, err
	}
	g, err := methods([]string{hm}, Options{})
	if err != nil {
		return w, nil, metric.Result{}, err
	}
	t, err := runTrial(ctx, g[0], w, 1, metric.Options{})
	return w, t.mesh, t.result, err
}

// squadOn returns a group without members.
func squadOn(m *navmesh.Mesh) *squad { return &squad{q: query.NewIndex(m).NewQuery()} }

// enlist adds a unit at a place, in trials after the first one up to 20 cm beside it.
func (s *squad) enlist(m steer.Mover, trial int) {
	m.ID = uint64(len(s.units) + 1)
	if trial > 0 {
		m.At = m.At.Add(steer.Noise(geom.Vec{X: 1 - float64(2*(trial%2))}, m.ID, uint64(trial)).Scale(0.2))
	}
	pos, ok := s.q.Nearest(m.At, 1)
	if ok {
		m.At = pos.Point
		s.units = append(s.units, unit{Mover: m, pos: pos, track: []geom.Vec{pos.Point}})
	}
}

// look lists the members as mates.
func (s *squad) look() {
	s.mates = s.mates[:0]
	for i := range s.units {
		u := &s.units[i]
		u.before = u.At
		s.mates = append(s.mates, steer.Mate{ID: u.ID, At: u.At, Velocity: u.Velocity, Radius: u.Radius, Speed: u.Speed})
	}
}

// move lets a force act on a unit for a step, and reports whether a wall stopped it.
func (s *squad) move(u *unit, force geom.Vec) (bumped bool, err error) {
	const dt = 1.0 / brandSteps
	u.pos, u.Velocity, bumped, err = steer.Slide(s.q, u.pos, u.Drive(force, dt), dt)
	u.At = u.pos.Point
	if v := u.Velocity.Norm(); v > 0.1*u.Speed {
		u.Facing = u.Velocity.Scale(1 / v)
	}
	return bumped, err
}

// part pushes overlapping bodies apart, in the order of their ids. The velocity of a unit is what is left after the pushes.
func (s *squad) part() error {
	for range 16 {
		for i := range s.units {
			for k := i + 1; k < len(s.units); k++ {
				a, b := &s.units[i], &s.units[k]
				ofA, ofB := steer.Push(&steer.Ball{ID: a.ID, At: a.At, Radius: a.Radius}, &steer.Ball{ID: b.ID, At: b.At, Radius: b.Radius})
				if ofA == (geom.Vec{}) {
					continue
				}
				s.pushed++
				for _, w := range []struct {
					u    *unit
					step geom.Vec
				}{{a, ofA}, {b, ofB}} {
					var err error
					if w.u.pos, _, _, err = steer.Slide(s.q, w.u.pos, w.step, 1); err != nil {
						return err
					}
					w.u.At = w.u.pos.Point
				}
			}
		}
	}
	s.step++
	for i := range s.units {
		u := &s.units[i]
		for k := range s.units[:i] {
			s.deepest = max(s.deepest, u.Radius+s.units[k].Radius-u.At.DistXZ(s.units[k].At))
		}
		u.Velocity = u.At.Sub(u.before).Scale(brandSteps)
		u.blocked = u.Velocity.Norm() < 0.15*u.Speed
		if s.step%4 == 0 {
			u.track = append(u.track, u.At)
		}
	}
	return nil
}

// seconds is the time since the start.
func (s *squad) seconds() float64 { return float64(s.step) / brandSteps }

// others are the forces that keep a unit from its mates.
func (s *squad) others(u *unit, p *steer.Parameters, feel []steer.Sample) (avoid, separate geom.Vec) {
	return steer.Avoid(feel, p.Whiskers), steer.Separation(&u.Mover, s.mates, u.Radius, p.Separate)
}

// MarkKind says how a mark is drawn.
type MarkKind uint8

// The kinds of marks.
const (
	WalkMark   MarkKind = iota // the track of a traveller
	SeenMark                   // the track of a traveller that an enemy saw
	BodyMark                   // discs at the points
	EnemyMark                  // discs at the points
	ThreatMark                 // the outline of the ground that an enemy sees
	GroupMark                  // the outline of the ground of a group
)

// Mark is something drawn over a mesh, in world coordinates.
type Mark struct {
	Kind   MarkKind
	Points []geom.Vec
	Radius float64 // of discs, in metres
}

// bodies are marks of all units where they stand, and of their tracks.
func (s *squad) bodies() []Mark {
	var list []Mark
	body := Mark{Kind: BodyMark}
	for i := range s.units {
		u := &s.units[i]
		kind := WalkMark
		if u.exposed {
			kind = SeenMark
		}
		list = append(list, Mark{Kind: kind, Points: append([]geom.Vec(nil), u.track...)})
		body.Points = append(body.Points, u.At)
		body.Radius = u.Radius
	}
	return append(list, body)
}

// ofGroup is a row of a figure that the source draws without numbers.
func ofGroup(method, name string, ours float64) Row { return constructed(method, name, ours) }

// countOf counts units.
func (s *squad) countOf(is func(*unit) bool) float64 {
	n := 0
	for i := range s.units {
		if is(&s.units[i]) {
			n++
		}
	}
	return float64(n)
}

// isFinite guards the rows of a run that never ended.
func isFinite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }
