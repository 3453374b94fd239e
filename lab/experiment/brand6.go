package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
)

// Figure 6: the region of a group in its corridor has a constant area, so it stretches at a choke-point, and attractors pull
// harder there. The source draws one corridor and gives no measures; ours is straight, with a choke-point for one member at a
// time.

const (
	member    = 0.35 // radius in metres
	members   = 18
	openHalf  = 4.0  // half the width of the corridor's open parts, for centres
	chokeHalf = 0.2  // and of the choke-point
	chokeFrom = 22.0 // metres along
	chokeTo   = 28.0
	taper     = 5.0 // length of the parts that narrow and widen
	corridor  = 56.0
	longest   = 150 // seconds until a run ends
)

// widthAt returns the width of the corridor for bodies at a place along it.
func widthAt(along float64) float64 {
	half := openHalf
	switch d := max(chokeFrom-along, along-chokeTo); {
	case d <= 0:
		half = chokeHalf
	case d < taper:
		half = chokeHalf + float64((openHalf-chokeHalf)*(d/taper))
	}
	return 2 * (half + member)
}

// march is a run of figure 6.
type march struct {
	*squad
	tail, head float64
	// areas and lengths of the region while all of it is in the corridor.
	leastArea, mostArea, shortest, longest float64
	leastPull, mostPull                    float64
	// before is the mean distance from the axis of members that enter the choke-point, of others in the open.
	entering, open    float64
	enterings, opened int
	// inLine counts moments of the choke-point with members side by side, of all its moments with two members or more.
	abreast, moments int
	passed           float64 // seconds until the last member has left the choke-point
	snapshots        [][]Mark
	times            []float64
}

// march leads the group along the corridor: with a region of constant area and pulls that grow, as the source has it, or with a
// region of constant length and equal pulls.
func newMarch(ctx context.Context, asPublished bool, trial int, r *Report) (*march, error) {
	a := taper
	w, mesh, result, err := floorOf(ctx, "18 members; outlined, the region of the group",
		[][2]float64{
			{0, -openHalf},
			{chokeFrom - a, -openHalf},
			{chokeFrom, -chokeHalf},
			{chokeTo, -chokeHalf},
			{chokeTo + a, -openHalf},
			{corridor, -openHalf},
			{corridor, openHalf},
			{chokeTo + a, openHalf},
			{chokeTo, chokeHalf},
			{chokeFrom, chokeHalf},
			{chokeFrom - a, openHalf},
			{0, openHalf},
		})
	if err != nil {
		return nil, err
	}
	s := squadOn(mesh)
	p := steer.Defaults()
	for i := range members {
		s.enlist(steer.Mover{At: geom.FromGround(2+float64(0.9*float64(i/6)), -2.5+float64(i%6), 0), Facing: geom.Vec{X: 1}, Radius: member, Speed: 1.6 + float64(0.1*float64(i%4)), Push: 8}, trial)
	}
	m := &march{squad: s, leastArea: math.Inf(1), shortest: math.Inf(1), leastPull: math.Inf(1), passed: math.Inf(1)}
	for i := range s.units {
		m.head = max(m.head, s.units[i].At.X)
	}
	// The members side by side, times the magic number.
	area := p.Room * members * 4 * member * member
	straight := area / widthAt(0)
	whiskers := steer.OneAndTwo(1.2, 0.8, math.Pi/4)
	var feel []steer.Sample
	s.look()
	speed := steer.Slowest(&s.units[0].Mover, s.mates)
	shots := []float64{12, chokeFrom + 3, chokeTo + 3, corridor - 6}
	for s.seconds() < longest {
		m.tail = steer.Section(widthAt, m.head, area)
		if !asPublished {
			m.tail = max(m.head-straight, 0)
		}
		last := math.Inf(1)
		for i := range s.units {
			last = min(last, s.units[i].At.X)
		}
		m.measure(area)
		if len(m.snapshots) < len(shots) && m.head >= shots[len(m.snapshots)] {
			m.snapshots = append(m.snapshots, append(s.bodies(), m.outline()))
			m.times = append(m.times, s.seconds())
		}
		if last > chokeTo && !isFinite(m.passed) {
			m.passed = s.seconds()
		}
		if m.head >= corridor-1 && last > m.tail-2 {
			break
		}
		// The region moves on as fast as the slowest member, and does not leave anybody behind.
		if last > m.tail-1 {
			m.head = min(m.head+speed/brandSteps, corridor-1)
		}
		s.look()
		for i := range s.units {
			u := &s.units[i]
			// The attractor of a member runs ahead of it, within the region.
			to := min(max(u.At.X+2, m.tail+0.5), m.head)
			strength := p.Attractor / 2
			if asPublished {
				strength = steer.Pull(widthAt, to, 4, widthAt(0), p.Attractor/2, p.HardestPull)
			}
			harder := (strength/(p.Attractor/2) - 1) / (p.HardestPull - 1)
			m.leastPull, m.mostPull = min(m.leastPull, strength), max(m.mostPull, strength)
			// Across the corridor a member keeps its share of the width. The harder the pull, the nearer the attractor is to the
			// axis.
			share := min(max(u.At.Z/(widthAt(u.At.X)/2-member), -1), 1)
			aim := geom.Vec{X: to, Z: share * (1 - harder) * (widthAt(to)/2 - member)}
			feel = steer.Feel(feel[:0], &u.Mover, whiskers, &steer.OnMesh{Query: s.q, At: u.pos}, nil)
			pull := steer.Attract(&u.Mover, []steer.Attractor{{At: aim, Reach: corridor, Brake: 1, Strength: strength}})
			if u.remedy == steer.Jitter {
				pull = steer.Noise(aim.Sub(u.At), u.ID, uint64(s.seconds()/p.Patience.While)).Scale(strength)
			}
			drag := u.Velocity.Scale(-strength / u.Speed)
			align := steer.Alignment(&u.Mover, s.mates, p.Align)
			if _, err := s.move(u, steer.Sum(u.Push,
				steer.Part{Force: steer.Avoid(feel, p.Whiskers/4), Weight: 1},
				steer.Part{Force: steer.Separation(&u.Mover, s.mates, member, p.Separate/2), Weight: 1},
				steer.Part{Force: align, Weight: 1},
				steer.Part{Force: pull, Weight: 1},
				steer.Part{Force: drag, Weight: 1})); err != nil {
				return nil, err
			}
			if u.trouble, u.remedy = p.Patience.Next(u.trouble, u.blocked && aim.DistXZ(u.At) > 1, 1.0/brandSteps); u.remedy == steer.Replan {
				// The corridor is the only way.
				u.trouble, u.remedy = p.Patience.Planned(u.trouble, true)
			}
		}
		if err := s.part(); err != nil {
			return nil, err
		}
	}
	if asPublished && r != nil {
		r.Shown.World = w
		for k, marks := range m.snapshots {
			r.Shown.Methods = append(r.Shown.Methods, fmt.Sprintf("after %.0f s", m.times[k]))
			r.Shown.Meshes = append(r.Shown.Meshes, mesh)
			r.Shown.Results = append(r.Shown.Results, result)
			r.Shown.Marks = append(r.Shown.Marks, marks)
			r.Shown.Notes = append(r.Shown.Notes, nil)
		}
	}
	return m, nil
}

// measure notes the region and the order of the members.
func (m *march) measure(area float64) {
	if m.tail > 0 {
		sum := 0.0
		const n = 400
		for k := range n {
			sum += float64(widthAt(m.tail+float64((m.head-m.tail)*((float64(k)+0.5)/n))) * ((m.head - m.tail) / n))
		}
		m.leastArea, m.mostArea = min(m.leastArea, sum), max(m.mostArea, sum)
		m.shortest, m.longest = min(m.shortest, m.head-m.tail), max(m.longest, m.head-m.tail)
	}
	inside := 0
	beside := false
	for i := range m.units {
		u := &m.units[i]
		switch x := u.At.X; {
		case x > 6 && x < chokeFrom-taper:
			m.open += math.Abs(u.At.Z)
			m.opened++
		case x > chokeFrom-3 && x < chokeFrom-1:
			m.entering += math.Abs(u.At.Z)
			m.enterings++
		case x >= chokeFrom && x <= chokeTo:
			inside++
			for k := range m.units[:i] {
				beside = beside || math.Abs(m.units[k].At.X-x) < member && m.units[k].At.X >= chokeFrom && m.units[k].At.X <= chokeTo
			}
		}
	}
	if inside > 1 {
		m.moments++
		if beside {
			m.abreast++
		}
	}
}

// outline is the border of the group's region.
func (m *march) outline() Mark {
	o := Mark{Kind: GroupMark}
	const n = 60
	for k := range n + 1 {
		x := m.tail + float64((m.head-m.tail)*(float64(k)/n))
		o.Points = append(o.Points, geom.FromGround(x, -widthAt(x)/2, 0))
	}
	for k := n; k >= 0; k-- {
		x := m.tail + float64((m.head-m.tail)*(float64(k)/n))
		o.Points = append(o.Points, geom.FromGround(x, widthAt(x)/2, 0))
	}
	o.Points = append(o.Points, o.Points[0])
	return o
}

// groupTrials is the number of trials of figures 5 and 6: the first one as drawn, the others with members up to 20 cm beside.
const groupTrials = 6

// brand6 runs figure 6 as published, and with a region of constant length and equal pulls.
func brand6(ctx context.Context, opt Options) (Report, error) {
	trials := orDefault(opt.Worlds, groupTrials)
	r := Report{Trials: fmt.Sprintf("%d trials of %d members of %g m in a corridor %.1f m wide with a choke-point of %.1f m; the source draws one scene and gives no numbers", trials, members, member, widthAt(0), widthAt(chokeFrom))}
	var first [2]*march
	var passed, entering, open, abreast, deepest, pushes [2]float64
	for trial := range trials {
		for k, published := range [2]bool{true, false} {
			var to *Report
			if trial == min(max(opt.Show, 1), trials)-1 {
				to = &r
			}
			m, err := newMarch(ctx, published, trial, to)
			if err != nil {
				return r, err
			}
			if trial == 0 {
				first[k] = m
			}
			n := float64(trials)
			passed[k] += m.passed / n
			entering[k] += m.entering / float64(max(m.enterings, 1)) / n
			open[k] += m.open / float64(max(m.opened, 1)) / n
			abreast[k] += 100 * float64(m.abreast) / float64(max(m.moments, 1)) / n
			deepest[k] = max(deepest[k], m.deepest)
			pushes[k] += float64(m.pushed) / n
		}
	}
	for k, name := range [2]string{"constant_area", "constant_length"} {
		m := first[k]
		r.Rows = append(r.Rows,
			ofGroup(name, "area_least_m2", m.leastArea),
			ofGroup(name, "area_most_m2", m.mostArea),
			ofGroup(name, "length_least_m", m.shortest),
			ofGroup(name, "length_most_m", m.longest),
			ofGroup(name, "pull_least", m.leastPull),
			ofGroup(name, "pull_most", m.mostPull),
			ofGroup(name, "off_axis_open_m", open[k]),
			ofGroup(name, "off_axis_entering_m", entering[k]),
			ofGroup(name, "abreast_percent", abreast[k]),
			ofGroup(name, "passed_s", passed[k]),
			ofGroup(name, "deepest_overlap_m", deepest[k]),
			ofGroup(name, "pushes", pushes[k]))
	}
	m := first[0]
	r.claim("the region of the group keeps its area within 2 %", m.mostArea <= 1.02*m.leastArea)
	r.claim("the region is twice as long at the choke-point as in the open, or longer", m.longest >= 2*m.shortest)
	r.claim("attractors pull harder near the choke-point", m.mostPull > m.leastPull)
	r.claim("members fall in line: before the choke-point they are nearer to the axis than with a region of constant length and equal pulls", entering[0] < entering[1])
	r.claim("all members pass the choke-point", isFinite(passed[0]))
	r.claim("they pass sooner than with a region of constant length and equal pulls", passed[0] < passed[1])
	return r, nil
}
