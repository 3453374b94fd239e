package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Figure 5: locally optimal paths are not automatically globally optimal. A player orders a group of small tanks to a position E
// beside a big tank. The way by a narrow gate is hidden, the way by the street is in the big tank's cross-hair. The source tells
// the scene and the two reasons in words and gives no measures; the map is ours.

const (
	small     = 0.6  // radius of a small tank in metres
	bigSector = 30.0 // half of the cross-hair in degrees
	bigRange  = 40.0 // metres
	patrol    = 120  // seconds until a run ends
	arrival   = 7.0  // metres from E
)

// ambush is the scene of figure 5.
type ambush struct {
	world World
	mesh  *navmesh.Mesh
	e     geom.Vec
	big   query.Position
	gun   steer.Mover
	view  steer.View
}

func newAmbush(ctx context.Context) (*ambush, Report, error) {
	w, mesh, result, err := floorOf(ctx, "12 small tanks on their way to E, outlined; in red, ground in the cross-hair of the big tank, and tracks of tanks that it saw",
		[][2]float64{{0, 0}, {20, 0}, {20, 8}, {22, 8}, {22, 0}, {60, 0}, {60, 40}, {22, 40}, {22, 33}, {20, 33}, {20, 40}, {0, 40}},
		[][2]float64{{20, 8.5}, {20, 27}, {22, 27}, {22, 18}, {40, 18}, {40, 16}, {22, 16}, {22, 8.5}})
	if err != nil {
		return nil, Report{}, err
	}
	a := &ambush{world: w, mesh: mesh, e: geom.FromGround(48, 8, 0)}
	q := query.NewIndex(mesh).NewQuery()
	var ok bool
	if a.big, ok = q.Nearest(geom.FromGround(52, 32, 0), 1); !ok {
		return nil, Report{}, fmt.Errorf("experiment: no floor for the big tank")
	}
	a.gun = steer.Mover{At: a.big.Point, Facing: geom.Vec{X: -1}}
	a.view = steer.NewView(2*geom.Degrees(bigSector), bigRange)
	r := Report{Shown: Shown{World: w}}
	for range 2 {
		r.Shown.Meshes = append(r.Shown.Meshes, mesh)
		r.Shown.Results = append(r.Shown.Results, result)
	}
	return a, r, nil
}

// squad places the group: most of the tanks near the gate, three apart.
func (a *ambush) squad(trial int) *squad {
	s := squadOn(a.mesh)
	for i := range 9 {
		s.enlist(steer.Mover{At: geom.FromGround(8+float64(1.8*float64(i%3)), 6+float64(1.8*float64(i/3)), 0), Radius: small, Speed: 3, Push: 9}, trial)
	}
	for i := range 3 {
		s.enlist(steer.Mover{At: geom.FromGround(6+float64(2*i), 29+float64(i%2), 0), Radius: small, Speed: 3, Push: 9}, trial)
	}
	return s
}

// sees reports whether the big tank has a place in its cross-hair.
func (a *ambush) sees(q *query.Query, at geom.Vec) bool {
	if !a.view.Sees(&a.gun, at, 0) {
		return false
	}
	ray, err := q.Raycast(a.big, at)
	return err == nil && !ray.Hit
}

// threat is the outline of the ground in the cross-hair.
func (a *ambush) threat(q *query.Query) Mark {
	m := Mark{Kind: ThreatMark, Points: []geom.Vec{a.big.Point}}
	for d := -bigSector; d <= bigSector; d++ {
		sin, cos := geom.SincosDegrees(180 + d)
		ray, err := q.Raycast(a.big, a.big.Point.Add(geom.Vec{X: float64(bigRange * cos), Z: float64(-bigRange * sin)}))
		if err == nil {
			m.Points = append(m.Points, ray.End.Point)
		}
	}
	m.Points = append(m.Points, a.big.Point)
	return m
}

// alone lets each tank find its own path, around those that block it.
func (a *ambush) alone(ctx context.Context, trial int) (s *squad, apart, blocked float64, err error) {
	s = a.squad(trial)
	now, err := world.New(ctx, a.mesh, world.Options{})
	if err != nil {
		return nil, 0, 0, err
	}
	plan := func(u *unit, q *query.Query) (bool, error) {
		path, err := q.Path(ctx, u.At, a.e)
		if err != nil || !path.Complete {
			return false, err
		}
		u.trail = steer.Trail{Bends: append([]geom.Vec(nil), path.Points...)}
		return true, nil
	}
	inSight := func(u *unit) bool {
		for i := 1; i < len(u.trail.Bends); i++ {
			from, to := u.trail.Bends[i-1], u.trail.Bends[i]
			for k := range 21 {
				if a.sees(s.q, from.Lerp(to, float64(k)/20)) {
					return true
				}
			}
		}
		return false
	}
	for i := range s.units {
		if ok, err := plan(&s.units[i], s.q); err != nil || !ok {
			return nil, 0, 0, fmt.Errorf("experiment: no path for tank %d: %w", i+1, err)
		}
	}
	apart = s.countOf(inSight)
	detours := map[uint64]bool{}
	p := steer.Defaults()
	whiskers := steer.Fan(5, math.Pi/2, 2)
	var feel []steer.Sample
	for s.seconds() < patrol && s.countOf(func(u *unit) bool { return !u.arrived }) > 0 {
		s.look()
		for i := range s.units {
			u := &s.units[i]
			if u.arrived = u.arrived || u.At.DistXZ(a.e) < arrival; u.arrived {
				if _, err := s.move(u, a.gather(s, u, p.Separate)); err != nil {
					return nil, 0, 0, err
				}
				continue
			}
			feel = steer.Feel(feel[:0], &u.Mover, whiskers, nil, s.mates)
			avoid, separate := s.others(u, &p, feel)
			aim := u.aim(s.q)
			pull := steer.Seek(&u.Mover, aim)
			if u.remedy == steer.Jitter {
				pull = steer.Noise(aim.Sub(u.At), u.ID, uint64(s.seconds()/p.Patience.While)).Scale(p.Attractor)
			}
			if _, err := s.move(u, steer.Sum(u.Push, steer.Part{Force: avoid, Weight: 1}, steer.Part{Force: separate, Weight: 1}, steer.Part{Force: pull, Weight: 1})); err != nil {
				return nil, 0, 0, err
			}
			u.trouble, u.remedy = p.Patience.Next(u.trouble, u.blocked, 1.0/brandSteps)
			if u.remedy != steer.Replan {
				u.exposed = u.exposed || a.sees(s.q, u.At)
				continue
			}
			// The tanks in front are obstacles now.
			var edits []world.Edit
			for k := range s.units {
				o := &s.units[k]
				if k != i && !o.arrived && o.At.DistXZ(u.At) < 8 && o.At.Sub(u.At).Dot(aim.Sub(u.At)) > 0 {
					edits = append(edits, world.Put{ID: world.ID(fmt.Sprint(k)), Solid: world.Cylinder{Base: o.At, Radius: 2*small - 0.1, Height: 2}})
				}
			}
			found := false
			if len(edits) > 0 {
				if _, err := now.Apply(ctx, edits...); err != nil {
					return nil, 0, 0, err
				}
				if _, ok := now.Now().NewQuery().Locate(u.At); ok {
					if found, err = plan(u, now.Now().NewQuery()); err != nil {
						return nil, 0, 0, err
					}
				}
				for k := range edits {
					edits[k] = world.Take{ID: edits[k].(world.Put).ID}
				}
				if _, err := now.Apply(ctx, edits...); err != nil {
					return nil, 0, 0, err
				}
			}
			if found && inSight(u) && !detours[u.ID] {
				detours[u.ID] = true
				blocked++
			}
			u.trouble, u.remedy = p.Patience.Planned(u.trouble, true)
		}
		if err := s.part(); err != nil {
			return nil, 0, 0, err
		}
	}
	return s, apart, blocked, nil
}

// gather returns the force on a tank that has arrived: it comes to rest near E, beside the others.
func (a *ambush) gather(s *squad, u *unit, separate float64) geom.Vec {
	pull := steer.Attract(&u.Mover, []steer.Attractor{{At: a.e, Reach: 2 * arrival, Brake: arrival, Strength: 4}})
	return pull.Add(steer.Separation(&u.Mover, s.mates, u.Radius, separate)).Sub(u.Velocity.Scale(4))
}

// aim returns the farthest of the next two bends that a unit sees.
func (u *unit) aim(q *query.Query) geom.Vec {
	t := &u.trail
	for t.Next+1 < len(t.Bends) {
		ray, err := q.Raycast(u.pos, t.Bends[t.Next+1])
		if err != nil || ray.Hit {
			break
		}
		t.Next++
	}
	return t.Bends[t.Next]
}

// together leads all tanks along one corridor: the shortest path of the group's middle that keeps out of the cross-hair comes from
// the player's order; each tank is drawn to a place ahead on the corridor.
func (a *ambush) together(ctx context.Context, trial int) (*squad, error) {
	s := a.squad(trial)
	var middle geom.Vec
	for i := range s.units {
		middle = middle.Add(s.units[i].At.Scale(1 / float64(len(s.units))))
	}
	path, err := s.q.Path(ctx, middle, a.e)
	if err != nil {
		return nil, err
	}
	var backbone steer.Route
	if err := backbone.Set(path.Points); err != nil {
		return nil, err
	}
	p := steer.Defaults()
	whiskers := steer.Fan(5, math.Pi/2, 2)
	var feel []steer.Sample
	for s.seconds() < patrol && s.countOf(func(u *unit) bool { return !u.arrived }) > 0 {
		s.look()
		for i := range s.units {
			u := &s.units[i]
			if u.arrived = u.arrived || u.At.DistXZ(a.e) < arrival; u.arrived {
				if _, err := s.move(u, a.gather(s, u, p.Separate)); err != nil {
					return nil, err
				}
				continue
			}
			u.along = backbone.Nearest(u.At, u.along, u.along+4)
			aim := backbone.At(u.along + 2)
			if ray, err := s.q.Raycast(u.pos, aim); err != nil || ray.Hit {
				aim = backbone.At(u.along)
			}
			feel = steer.Feel(feel[:0], &u.Mover, whiskers, nil, s.mates)
			avoid, separate := s.others(u, &p, feel)
			pull := steer.Seek(&u.Mover, aim)
			if u.remedy == steer.Jitter {
				pull = steer.Noise(aim.Sub(u.At), u.ID, uint64(s.seconds()/p.Patience.While)).Scale(p.Attractor)
			}
			if _, err := s.move(u, steer.Sum(u.Push, steer.Part{Force: avoid, Weight: 1}, steer.Part{Force: separate, Weight: 1}, steer.Part{Force: pull, Weight: 1})); err != nil {
				return nil, err
			}
			u.trouble, u.remedy = p.Patience.Next(u.trouble, u.blocked, 1.0/brandSteps)
			if u.remedy == steer.Replan {
				// The corridor stays the group's: who is blocked waits for those in front.
				u.trouble, u.remedy = p.Patience.Planned(u.trouble, true)
			}
			u.exposed = u.exposed || a.sees(s.q, u.At)
		}
		if err := s.part(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// brand5 runs figure 5: each tank by its own path, and all in one corridor.
func brand5(ctx context.Context, opt Options) (Report, error) {
	a, r, err := newAmbush(ctx)
	if err != nil {
		return r, err
	}
	trials := orDefault(opt.Worlds, groupTrials)
	r.Trials = fmt.Sprintf("%d trials of 12 small tanks, 9 beside the gate and 3 apart, on one map; means of tanks; the source draws one scene and gives no numbers", trials)
	exposed, arrived := func(u *unit) bool { return u.exposed }, func(u *unit) bool { return u.arrived }
	names := [2]string{"own_paths", "one_corridor"}
	var planned, replanned float64
	var seen, there, seconds, deepest [2]float64
	for trial := range trials {
		for k := range names {
			var s *squad
			var apart, blocked float64
			if k == 0 {
				s, apart, blocked, err = a.alone(ctx, trial)
			} else {
				s, err = a.together(ctx, trial)
			}
			if err != nil {
				return r, err
			}
			n := float64(trials)
			planned += apart / n
			replanned += blocked / n
			seen[k] += s.countOf(exposed) / n
			there[k] += s.countOf(arrived) / n
			seconds[k] += s.seconds() / n
			deepest[k] = max(deepest[k], s.deepest)
			if trial != min(max(opt.Show, 1), trials)-1 {
				continue
			}
			r.Shown.Methods = append(r.Shown.Methods, names[k])
			r.Shown.Notes = append(r.Shown.Notes, []string{
				fmt.Sprintf("%.0f of %d tanks seen, %.0f at E after %.0f s", s.countOf(exposed), len(s.units), s.countOf(arrived), s.seconds()),
			})
			marks := append([]Mark{a.threat(s.q)}, s.bodies()...)
			goal := Mark{Kind: GroupMark}
			for d := 0.0; d <= 360; d += 5 {
				sin, cos := geom.SincosDegrees(d)
				goal.Points = append(goal.Points, a.e.Add(geom.Vec{X: float64(arrival * cos), Z: float64(-arrival * sin)}))
			}
			r.Shown.Marks = append(r.Shown.Marks, append(marks, goal, Mark{Kind: EnemyMark, Points: []geom.Vec{a.big.Point}, Radius: 1.5}))
		}
	}
	r.Rows = append(r.Rows, ofGroup(names[0], "planned_in_sight", planned), ofGroup(names[0], "replanned_in_sight", replanned))
	for k, name := range names {
		r.Rows = append(r.Rows,
			ofGroup(name, "tanks_seen", seen[k]),
			ofGroup(name, "arrived", there[k]),
			ofGroup(name, "seconds", seconds[k]),
			ofGroup(name, "deepest_overlap_m", deepest[k]))
	}
	r.claim("reason 1: tanks that start apart find paths into the cross-hair", planned >= 1)
	r.claim("reason 2: tanks blocked by others in front find other ways, into the cross-hair", replanned > 0)
	r.claim("in one corridor no tank is seen in any trial", seen[1] == 0)
	r.claim("in one corridor all tanks come to E in every trial", there[1] > 12-1e-9)
	return r, nil
}
