package group

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/internal/state"
)

// Saved groups: the groups by rising id with all that a later step reads. The crowd is saved by itself.

// saved is the form of saved groups.
var saved = state.Form{Magic: "MDWGROUP", Version: 2, Most: 1 << 30, Err: errSaved}

// errSaved reports bytes that are not saved groups.
var errSaved = errors.New("group: not saved groups")

// coder codes the fields of groups.
type coder struct{ *state.Coder }

func (k coder) group(g *group) {
	state.Integer(k.Coder, &g.id)
	state.List(k.Coder, &g.members, 64, func(m *member) {
		state.Integer(k.Coder, &m.id)
		k.Some(&m.along)
		k.Some(&m.away)
		k.Some(&m.way)
		k.Truth(&m.apart)
		k.Vec(&m.sent)
		k.Truth(&m.met)
	})
	k.Truth(&g.leader)
	state.Integer(k.Coder, &g.formation)
	state.List(k.Coder, &g.slots, 16, func(s *Slot) { k.Some(&s.Back); k.Finite(&s.Right) })
	k.Some(&g.spacing)
	state.Integer(k.Coder, &g.kind)
	k.Vec(&g.goal)
	state.Integer(k.Coder, &g.other)
	k.Some(&g.distance)
	state.Integer(k.Coder, &g.state)
	k.Truth(&g.planned)
	state.List(k.Coder, &g.way.points, 24, k.Vec)
	state.List(k.Coder, &g.way.leaps, 8, k.Truth)
	k.Truth(&g.way.whole)
	k.Some(&g.way.bound)
	k.Some(&g.head)
	k.Some(&g.clearance)
	k.Some(&g.loose)
	k.Some(&g.late)
	k.Some(&g.calm)
	k.Some(&g.blocked)
	k.Some(&g.scatter)
	state.Integer(k.Coder, &g.jams)
	k.Some(&g.rest)
	k.Some(&g.stale)
}

func (k coder) groups(s *Groups) {
	state.Integer(k.Coder, &s.steps)
	for _, v := range [...]*float64{&s.opt.Room, &s.opt.Pull, &s.opt.Behind, &s.opt.Reach, &s.opt.Patience} {
		k.Some(v)
	}
	state.List(k.Coder, &s.groups, 200, func(g **group) {
		if *g == nil {
			*g = new(group)
		}
		k.group(*g)
	})
}

// Save writes the state of the groups, without the crowd and the events. Equal groups give equal bytes.
func (s *Groups) Save(out io.Writer) error {
	return saved.Write(out, s.fields)
}

func (s *Groups) fields(k *state.Coder) { coder{k}.groups(s) }

// Restore replaces the groups by saved ones. The crowd has been restored before, and stands on the floor of the saved one:
// then both go on with the bits of the saved ones. After an error the groups are as before.
func (s *Groups) Restore(in io.Reader) error {
	r := &Groups{crowd: s.crowd}
	err := saved.Read(in, r.fields)
	if err != nil {
		return err
	}
	if r.opt, err = r.opt.check(); err != nil {
		return err
	}
	taken := map[crowd.ID]bool{}
	for i, g := range r.groups {
		if i > 0 && r.groups[i-1].id >= g.id {
			return fmt.Errorf("%w: group %d is out of order", errSaved, g.id)
		}
		if err := g.fits(); err != nil {
			return err
		}
		for _, m := range g.members {
			if taken[m.id] {
				return fmt.Errorf("%w: agent %d is in two groups", errSaved, m.id)
			}
			taken[m.id] = true
		}
		g.way.measure()
	}
	s.opt, s.groups, s.steps, s.events = r.opt, r.groups, r.steps, s.events[:0]
	return nil
}

// mostWay bounds the length of a saved corridor in metres.
const mostWay = 2e5

// fits checks the values of a saved group.
func (g *group) fits() error {
	length := 0.0
	for i := 1; i < len(g.way.points); i++ {
		length += g.way.points[i-1].DistXZ(g.way.points[i])
	}
	if int(g.formation) >= len(formationNames) || g.kind > toAgent || int(g.state) >= len(stateNames) ||
		len(g.way.leaps) != len(g.way.points) || g.planned && len(g.way.points) == 0 || !(length <= mostWay) || g.head > mostWay ||
		g.way.bound > mostWay || g.id == math.MaxUint64 {
		return fmt.Errorf("%w: group %d has a value out of range", errSaved, g.id)
	}
	return nil
}

// Hash returns a hash of the state of all groups, to compare two runs with.
func (s *Groups) Hash() uint64 {
	return state.Hash(s.fields)
}
