package density

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/internal/state"
	"github.com/meadow-nav/meadow/world"
)

// Update of a crowd's own floor, and saved maps.

// Watch paints the density of a crowd, and puts the crowd on the changed floor: paths that the crowd finds later go around its jams where
// the detour is cheaper. Agents whose way leads through floor that now costs more ask for another path. Agents on links count nowhere. The crowd stands on the world of the Map: on its snapshots for all radii of the
// crowd. Call Watch between two steps, about once a second. The errors are those of [Map.Update] and [crowd.Crowd.Use].
func (m *Map) Watch(ctx context.Context, c *crowd.Crowd) (world.Change, error) {
	m.places = m.places[:0]
	for a := range c.Agents() {
		if a.State != crowd.OnLink && a.Radius > 0 {
			m.places = append(m.places, Place{At: a.At, Radius: min(a.Radius, MaxRadius)})
		}
	}
	change, err := m.Update(ctx, m.places)
	if err != nil || change.Sequence == 0 {
		return change, err
	}
	now := m.w.Now()
	m.floors = m.floors[:0]
	for _, radius := range c.Radii() {
		s, err := now.For(radius)
		if err != nil {
			return change, fmt.Errorf("density: %w", err)
		}
		m.floors = append(m.floors, s.Index())
	}
	if err := c.Use(change.Boxes, m.floors...); err != nil {
		return change, err
	}
	m.raised = m.raised[:0]
	for i := range m.gains {
		if g := &m.gains[i]; g.new.level > g.old.level {
			m.raised = append(m.raised, m.boxOf(&g.new))
		}
	}
	c.Rethink(m.raised)
	return change, nil
}

// saved is the form of saved maps.
var saved = state.Form{Magic: "MDWDENSE", Version: 1, Most: 1 << 30, Err: errSaved}

// errSaved reports bytes that are not a saved map.
var errSaved = errors.New("density: not a saved map")

// fields codes the painted cells.
func (m *Map) fields(k *state.Coder) {
	state.List(k, &m.spots, 56, func(s *spot) {
		state.Integer(k, &s.x)
		state.Integer(k, &s.z)
		k.Finite(&s.low)
		k.Finite(&s.high)
		k.Some(&s.covered)
		state.Integer(k, &s.level)
		state.Integer(k, &s.storey)
	})
}

// Save writes what the Map has painted, without the options and the world. Equal maps give equal bytes.
func (m *Map) Save(out io.Writer) error { return saved.Write(out, m.fields) }

// Restore makes a Map one that has painted the cells of a saved one. The world has the same things as when the other Map was saved, and
// the options are equal: both maps then go on with equal cells. Crowds go on with equal bits where the world has had the same changes,
// as after its log; a world read from one file may divide its floor otherwise. After an error the Map is as before.
func (m *Map) Restore(in io.Reader) error {
	r := Map{opt: m.opt}
	if err := saved.Read(in, r.fields); err != nil {
		return err
	}
	for i := range r.spots {
		s := &r.spots[i]
		if s.level < 1 || s.level > len(m.opt.Levels) || s.storey < 0 || s.high < s.low || i > 0 && r.spots[i-1].compare(s) >= 0 {
			return fmt.Errorf("%w: cell %d is out of range or out of order", errSaved, i)
		}
	}
	m.spots = r.spots
	return nil
}

// Hash returns a hash of what the Map has painted, to compare two runs with.
func (m *Map) Hash() uint64 { return state.Hash(m.fields) }
