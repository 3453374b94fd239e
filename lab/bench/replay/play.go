package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/density"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

const (
	radius = 0.3 // of the mesh, metres
	dt     = 0.05
	// led agents have the forces of package steer, and the members after them walk as a group.
	led, members = 4, 6
	// crateEvery, watchEvery and hashEvery are in steps.
	crateEvery, watchEvery, hashEvery = 37, 20, 25
	crates                            = 6
)

// floor returns rooms with doors.
func floor(ctx context.Context) (*meadow.Mesh, error) {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Size: 30, Seed: 1})
	if err != nil {
		return nil, err
	}
	return meadow.Build(ctx, lvl, geom.Agent{Radius: radius})
}

// play is a crowd on a world, with all that it depends on.
type play struct {
	kind    kind
	world   *world.World
	crowd   *crowd.Crowd
	groups  *group.Groups
	crowded *density.Map
	movers  []steer.Mover
	now     int
	hash    uint64
	// goals and restored count what happened.
	goals, restored int

	feel     []steer.Sample
	mates    []steer.Mate
	whiskers []steer.Whisker
}

// densities are the options of the map.
var densities = density.Options{Cell: 2, Most: 8}

func begin(ctx context.Context, mesh *meadow.Mesh, agents int, k kind) (*play, error) {
	p := &play{kind: k, whiskers: steer.Fan(3, 1, 2)}
	var err error
	if p.world, err = world.New(ctx, mesh.Mesh, world.Options{}); err != nil {
		return nil, err
	}
	if p.crowd, err = crowd.New(crowd.Options{Jobs: k.jobs, Budget: 2000}, p.world.Now().Index()); err != nil {
		return nil, err
	}
	if p.groups, err = group.New(group.Options{}, p.crowd); err != nil {
		return nil, err
	}
	if p.crowded, err = density.New(p.world, densities); err != nil {
		return nil, err
	}
	specs := make([]crowd.Spec, agents)
	for i := range specs {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		specs[i] = crowd.Spec{ID: crowd.ID(i), At: p.place(rng), Radius: 0.2 + float64(0.1*rng.Float64()), Speed: 1 + float64(0.8*rng.Float64()), Priority: int32(i % 9 / 8)}
		if i >= led+members && i%15 == 0 {
			specs[i].TurnRadius = 0.6
		}
	}
	if k.order != 0 {
		rand.New(rand.NewPCG(k.order, 1)).Shuffle(len(specs), func(i, j int) { specs[i], specs[j] = specs[j], specs[i] })
	}
	for _, s := range specs {
		if err := p.crowd.Add(s); err != nil {
			return nil, err
		}
	}
	for id := range crowd.ID(agents) {
		if id < led {
			a, err := p.crowd.Agent(id)
			if err != nil {
				return nil, err
			}
			p.movers = append(p.movers, steer.Mover{ID: uint64(id), At: a.At, Radius: a.Radius, Speed: a.Speed, Push: 8})
		}
		if id >= led+members {
			if err := p.send(id); err != nil {
				return nil, err
			}
		}
	}
	spec := group.Spec{ID: 1, Formation: group.Wedge, Leader: true}
	for id := crowd.ID(led); id < led+members; id++ {
		spec.Members = append(spec.Members, id)
	}
	if err := p.groups.Form(spec); err != nil {
		return nil, err
	}
	return p, p.groups.Goal(1, p.place(rand.New(rand.NewPCG(1, 3))))
}

// place returns a random place.
func (p *play) place(rng *rand.Rand) geom.Vec {
	at, _ := p.world.Now().Index().NewQuery().RandomPoint(rng)
	return at.Point
}

// chance returns random numbers that depend on nothing but the step and a number.
func (p *play) chance(number uint64) *rand.Rand {
	return rand.New(rand.NewPCG(number, uint64(p.now)+1000))
}

// send gives an agent a goal: a place, the nearest of two, or another agent.
func (p *play) send(id crowd.ID) error {
	p.goals++
	rng := p.chance(uint64(id))
	switch rng.IntN(12) {
	case 0:
		return p.crowd.GoalNearest(id, []geom.Vec{p.place(rng), p.place(rng)})
	case 1:
		if other := crowd.ID(rng.IntN(led)); other != id {
			return p.crowd.Follow(id, other, 0.5)
		}
	}
	return p.crowd.Goal(id, p.place(rng))
}

// step makes the changes of a step, moves everybody on, and adds to the hash.
func (p *play) step(ctx context.Context) error {
	if p.now%crateEvery == crateEvery-1 {
		if err := p.moveCrate(ctx); err != nil {
			return err
		}
	}
	if p.now%watchEvery == 0 {
		if _, err := p.crowded.Watch(ctx, p.crowd); err != nil {
			return err
		}
	}
	if p.now%61 == 60 {
		rng := p.chance(7)
		if err := p.crowd.Push(crowd.ID(rng.IntN(p.crowd.Len())), geom.Vec{X: float64(4*rng.Float64()) - 2, Z: float64(4*rng.Float64()) - 2}); err != nil {
			return err
		}
	}
	if err := p.drive(); err != nil {
		return err
	}
	if err := errors.Join(p.groups.Step(dt), p.crowd.Step(dt)); err != nil {
		return err
	}
	for _, e := range p.crowd.Events() {
		if e.ID >= led+members && (e.Kind == crowd.EventArrived || e.Kind == crowd.EventStuck) {
			if err := p.send(e.ID); err != nil {
				return err
			}
		}
	}
	for _, e := range p.groups.Events() {
		if e.Kind == group.EventArrived || e.Kind == group.EventStuck {
			p.goals++
			if err := p.groups.Goal(1, p.place(p.chance(5))); err != nil {
				return err
			}
		}
	}
	p.now++
	if p.now%hashEvery == 0 {
		p.add(p.crowd.Hash())
		p.add(p.groups.Hash())
		p.add(p.crowded.Hash())
		for i := range p.movers {
			p.add(math.Float64bits(p.movers[i].Velocity.X))
			p.add(math.Float64bits(p.movers[i].Velocity.Z))
		}
	}
	if p.kind.restore > 0 && p.now%p.kind.restore == 0 {
		return p.restore()
	}
	return nil
}

func (p *play) add(v uint64) { p.hash = (p.hash ^ v) * 0x100000001b3 }

// moveCrate puts a crate, or takes it away again.
func (p *play) moveCrate(ctx context.Context) error {
	k := p.now / crateEvery
	id := world.ID(fmt.Sprint("crate ", k%crates))
	var edit world.Edit = world.Take{ID: id}
	if k/crates%2 == 0 {
		edit = world.Put{ID: id, Solid: world.Box{Base: p.place(p.chance(3)), Size: geom.Vec{X: 0.8, Y: 1, Z: 0.8}}}
	}
	change, err := p.world.Apply(ctx, edit)
	if err != nil {
		return err
	}
	return p.crowd.Use(change.Boxes, p.world.Now().Index())
}

// drive leads the led agents by forces.
func (p *play) drive() error {
	q := p.world.Now().Index().NewQuery()
	p.mates = p.mates[:0]
	for i := range p.movers {
		m := &p.movers[i]
		a, err := p.crowd.Agent(crowd.ID(i))
		if err != nil {
			return err
		}
		m.At, m.Velocity = a.At, a.Velocity
		p.mates = append(p.mates, steer.Mate{ID: m.ID, At: m.At, Velocity: m.Velocity, Radius: m.Radius, Speed: m.Speed})
	}
	for i := range p.movers {
		m := &p.movers[i]
		// Everybody circles around its own place, and comes back from where others have pushed it.
		goal := steer.Noise(geom.Vec{X: 1}, m.ID, uint64(p.now/80)).Scale(6)
		p.feel = p.feel[:0]
		if pos, ok := q.Locate(m.At); ok {
			p.feel = steer.Feel(p.feel, m, p.whiskers, onMesh(q, pos), nil)
		}
		others := append(append([]steer.Mate(nil), p.mates[:i]...), p.mates[i+1:]...)
		force := steer.Priority(m.Push, steer.Avoid(p.feel, 10), steer.Separation(m, others, 1, 5), steer.Cohesion(m, others, 8, 1), steer.Arrive(m, goal))
		m.Velocity = m.Drive(force, dt)
		if err := p.crowd.Lead(crowd.ID(i), m.Velocity); err != nil {
			return err
		}
	}
	return nil
}

func onMesh(q *query.Query, at query.Position) steer.Walls {
	return &steer.OnMesh{Query: q, At: at}
}

// restore goes on with a crowd, groups and a map that are read from their saved forms.
func (p *play) restore() error {
	var agents, groups, cells bytes.Buffer
	if err := errors.Join(p.crowd.Save(&agents), p.groups.Save(&groups), p.crowded.Save(&cells)); err != nil {
		return err
	}
	var err error
	if p.crowd, err = crowd.New(crowd.Options{Jobs: p.kind.jobs}, p.world.Now().Index()); err != nil {
		return err
	}
	if err := p.crowd.Restore(&agents); err != nil {
		return err
	}
	if p.groups, err = group.New(group.Options{}, p.crowd); err != nil {
		return err
	}
	if p.crowded, err = density.New(p.world, densities); err != nil {
		return err
	}
	p.restored++
	return errors.Join(p.groups.Restore(&groups), p.crowded.Restore(&cells))
}
