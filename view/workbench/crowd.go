package workbench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/view/ask"
)

var crowdRequests = map[string]handler{"crowd": startCrowd, "step crowd": stepCrowd}

// Gathering is the value of the request crowd: so many walkers, who come out of the sources and walk to the goals. Without sources they begin
// anywhere, and without goals they walk anywhere. 0 walkers end the crowd.
type Gathering struct {
	Walkers int    `json:"walkers"`
	Sources []Disc `json:"sources"`
	Goals   []Disc `json:"goals"`
	Seed    uint64 `json:"seed"`
	// Keep leaves walkers in their places, and gives them new goals.
	Keep bool `json:"keep"`
}

// Disc is a round place on the floor.
type Disc struct {
	At     ask.Point `json:"at"`
	Radius float64   `json:"radius"`
}

// Walking is the value of the request step crowd: Steps steps of Dt seconds. Positions in the reply are counted from Center.
type Walking struct {
	Dt     float64   `json:"dt"`
	Steps  int       `json:"steps"`
	Center ask.Point `json:"center"`
}

// Walked is the answer to step crowd. The bytes of the reply are four little-endian float32 for each walker: x, y, z and the state as a number of
// crowd.State; -1 is a walker who has not come in yet.
type Walked struct {
	Microseconds float64 `json:"microseconds"` // of the steps alone
	Walkers      int     `json:"walkers"`      // on the floor
	Waiting      int     `json:"waiting"`      // for a path
	Stuck        int     `json:"stuck"`
	Arrived      int     `json:"arrived"` // since the beginning
	Radius       float64 `json:"radius"`
	Height       float64 `json:"height"`
}

// Limits of a crowd on a page.
const (
	mostWalkers = 10_000
	mostSteps   = 1000
	mostDiscs   = 1000
)

// walkers are a crowd on the floor of the bench. The zero walkers are none.
type walkers struct {
	crowd   *crowd.Crowd
	query   *query.Query
	rng     *rand.Rand
	sources []Disc
	goals   []Disc
	outside []crowd.ID // who wait to come in
	count   int
	arrived int
	again   []crowd.ID // whose goals are gone
}

var errNoCrowd = errors.New("no crowd walks")

// check returns the first fault of a list of discs.
func checkDiscs(name string, list []Disc) error {
	if len(list) > mostDiscs {
		return fmt.Errorf("crowd: %d %s, at most %d", len(list), name, mostDiscs)
	}
	for i, d := range list {
		at := geom.Vec{X: d.At[0], Y: d.At[1], Z: d.At[2]}
		if !at.IsFinite() || !(d.Radius >= 0 && d.Radius <= 1000) {
			return fmt.Errorf("crowd: %s %d at %v with radius %g, must be finite and 0 to 1000 m wide", name, i, d.At, d.Radius)
		}
	}
	return nil
}

// startCrowd begins a crowd, or gives the walkers other sources and goals.
func startCrowd(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var g Gathering
	if err := read(r, &g); err != nil {
		return Reply{}, err
	}
	if g.Walkers < 0 || g.Walkers > mostWalkers {
		return Reply{}, fmt.Errorf("crowd: %d walkers, must be 0 to %d", g.Walkers, mostWalkers)
	}
	if err := errors.Join(checkDiscs("sources", g.Sources), checkDiscs("goals", g.Goals)); err != nil {
		return Reply{}, err
	}
	if err := b.ready(ctx); err != nil {
		return Reply{}, err
	}
	if g.Walkers == 0 {
		b.walkers = walkers{}
		return Reply{Answer: Walked{}}, nil
	}
	now := b.changing.world.Now()
	old := b.walkers
	w := walkers{query: now.NewQuery(), rng: rand.New(rand.NewPCG(g.Seed, 22)), sources: g.Sources, goals: g.Goals, count: g.Walkers}
	if g.Keep && old.crowd != nil && old.count == g.Walkers {
		w.crowd, w.outside, w.arrived, w.rng = old.crowd, old.outside, old.arrived, old.rng
		for a := range w.crowd.Agents() {
			w.again = append(w.again, a.ID)
		}
	} else {
		c, err := crowd.New(crowd.Options{}, now.Index())
		if err != nil {
			return Reply{}, err
		}
		w.crowd = c
		for i := range g.Walkers {
			w.outside = append(w.outside, crowd.ID(i))
		}
	}
	b.walkers = w
	if err := b.walkers.enter(); err != nil {
		b.walkers = old
		return Reply{}, err
	}
	return Reply{Answer: Walked{Walkers: b.walkers.crowd.Len()}}, nil
}

// place returns a random place in one of the discs, or anywhere without discs.
func (w *walkers) place(discs []Disc) (geom.Vec, bool) {
	if len(discs) == 0 {
		at, ok := w.query.RandomPoint(w.rng)
		return at.Point, ok
	}
	d := discs[w.rng.IntN(len(discs))]
	middle, ok := w.query.Nearest(geom.Vec{X: d.At[0], Y: d.At[1], Z: d.At[2]}, max(1, d.Radius))
	if !ok {
		return geom.Vec{}, false
	}
	if at, err := w.query.RandomPointInCircle(middle, d.Radius, w.rng); err == nil {
		return at.Point, true
	}
	return middle.Point, true
}

// enter lets walkers in. Out of a source only those come who find room: at most as many in a step as tries succeed.
func (w *walkers) enter() error {
	const tries = 40
	type disc struct {
		at     geom.Vec
		radius float64
	}
	var near []disc
	if len(w.sources) > 0 {
		for a := range w.crowd.Agents() {
			near = append(near, disc{a.At, a.Radius})
		}
	}
	for try := 0; len(w.outside) > 0 && (len(w.sources) == 0 || try < tries); try++ {
		if try > 2*mostWalkers {
			break // there is hardly any floor
		}
		at, ok := w.place(w.sources)
		if !ok {
			break
		}
		room := true
		for _, d := range near {
			// The walkers of a page are as wide as each other.
			if math.Hypot(d.at.X-at.X, d.at.Z-at.Z) < 2*d.radius && math.Abs(d.at.Y-at.Y) < 1 {
				room = false
				break
			}
		}
		if !room {
			continue
		}
		id := w.outside[len(w.outside)-1]
		if err := w.crowd.Add(crowd.Spec{ID: id, At: at}); err != nil {
			continue // the place is on the border of what the crowd takes for floor
		}
		w.outside = w.outside[:len(w.outside)-1]
		if len(w.sources) > 0 {
			a, err := w.crowd.Agent(id)
			if err != nil {
				return err
			}
			near = append(near, disc{at, a.Radius})
		}
		w.again = append(w.again, id)
	}
	for _, id := range w.again {
		if goal, ok := w.place(w.goals); ok {
			if err := w.crowd.Goal(id, goal); err != nil && !errors.Is(err, crowd.ErrUnknown) {
				return err
			}
		}
	}
	w.again = w.again[:0]
	return nil
}

// stepCrowd moves the crowd on.
func stepCrowd(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var s Walking
	if err := read(r, &s); err != nil {
		return Reply{}, err
	}
	w := &b.walkers
	if w.crowd == nil {
		return Reply{}, errNoCrowd
	}
	if s.Steps < 1 || s.Steps > mostSteps {
		return Reply{}, fmt.Errorf("step crowd: %d steps, must be 1 to %d", s.Steps, mostSteps)
	}
	var spent time.Duration
	for range s.Steps {
		if err := ctx.Err(); err != nil {
			return Reply{}, err
		}
		began := time.Now()
		if err := w.crowd.Step(s.Dt); err != nil {
			return Reply{}, err
		}
		spent += time.Since(began)
		if err := w.follow(); err != nil {
			return Reply{}, err
		}
	}
	return b.walked(s.Center, float64(spent)/float64(time.Microsecond)), nil
}

// follow gives new goals to those who have arrived or are stuck, and leads those from sources out and in again.
func (w *walkers) follow() error {
	for _, e := range w.crowd.Events() {
		switch e.Kind {
		case crowd.EventArrived:
			w.arrived++
			if len(w.sources) == 0 {
				w.again = append(w.again, e.ID)
				break
			}
			w.outside = append(w.outside, e.ID)
			if err := w.crowd.Remove(e.ID); err != nil {
				return err
			}
		case crowd.EventStuck:
			// Who cannot get to a painted goal asks again now and then, see below.
			if len(w.goals) == 0 {
				w.again = append(w.again, e.ID)
			}
		}
	}
	if w.crowd.Steps()%64 == 0 && len(w.goals) > 0 {
		for a := range w.crowd.Agents() {
			if a.State == crowd.Stuck {
				w.again = append(w.again, a.ID)
			}
		}
	}
	return w.enter()
}

// walked is the reply with everybody's place.
func (b *Bench) walked(center ask.Point, microseconds float64) Reply {
	w := &b.walkers
	answer := Walked{
		Microseconds: microseconds, Walkers: w.crowd.Len(), Arrived: w.arrived, Radius: b.mesh.Agent.Radius, Height: b.mesh.Agent.Height,
	}
	body := make([]byte, 16*w.count)
	put := func(i int, v ...float64) {
		for k, x := range v {
			binary.LittleEndian.PutUint32(body[16*i+4*k:], math.Float32bits(float32(x)))
		}
	}
	for _, id := range w.outside {
		put(int(id), 0, 0, 0, -1)
	}
	for a := range w.crowd.Agents() {
		put(int(a.ID), a.At.X-center[0], a.At.Y-center[1], a.At.Z-center[2], float64(a.State))
		switch a.State {
		case crowd.Waiting:
			answer.Waiting++
		case crowd.Stuck:
			answer.Stuck++
		}
	}
	return Reply{answer, body}
}

// walkOn puts the crowd on the floor that a change of the world has left, and lets those who found no way look again.
func (b *Bench) walkOn(changed []geom.Box) error {
	w := &b.walkers
	if w.crowd == nil {
		return nil
	}
	now := b.changing.world.Now()
	w.query.Use(now.Index())
	if err := w.crowd.Use(changed, now.Index()); err != nil {
		return err
	}
	for a := range w.crowd.Agents() {
		if a.State == crowd.Stuck {
			w.again = append(w.again, a.ID)
		}
	}
	return nil
}
