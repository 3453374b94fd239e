package service_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/query/service"
)

// built holds the meshes of generated levels by kind and size.
var built sync.Map

// generated returns the mesh of a generated level.
func generated(t testing.TB, kind string, size float64) *meadow.Mesh {
	t.Helper()
	key := fmt.Sprint(kind, size)
	if m, ok := built.Load(key); ok {
		return m.(*meadow.Mesh)
	}
	lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 3, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	built.Store(key, m)
	return m
}

// crowd draws requests: walkers anywhere, a third of them to one of a few goals.
type crowd struct {
	rng   *rand.Rand
	q     *query.Query
	goals []geom.Vec
	rules int
	next  uint64
}

func newCrowd(seed uint64, ix *query.Index, rules int) *crowd {
	c := &crowd{rng: rand.New(rand.NewPCG(seed, 9)), q: ix.NewQuery(), rules: rules}
	for range 3 {
		c.goals = append(c.goals, c.place())
	}
	return c
}

// place draws a place, one in thirty off the mesh.
func (c *crowd) place() geom.Vec {
	p, _ := c.q.RandomPoint(c.rng)
	if c.rng.IntN(30) == 0 {
		return p.Point.Add(geom.Vec{Y: 1e3})
	}
	return p.Point
}

func (c *crowd) request() service.Request {
	c.next++
	r := service.Request{
		Start: c.place(), Goal: c.place(), Partial: c.rng.IntN(3) == 0, Rule: service.Rule(c.rng.IntN(c.rules)),
		HeadStart: c.rng.Int32N(4) - 1, ID: c.next,
	}
	if c.rng.IntN(3) == 0 {
		r.Goal = c.goals[c.rng.IntN(len(c.goals))]
	}
	return r
}

func newService(t testing.TB, ix *query.Index, opt service.Options) *service.Service {
	t.Helper()
	s, err := service.New(ix, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same reports whether two paths are equal to the bit, but for the number of nodes.
func same(a, b query.Path) bool {
	return a.Complete == b.Complete && slices.Equal(a.Points, b.Points) && slices.Equal(a.Regions(), b.Regions()) &&
		slices.Equal(a.Crossings, b.Crossings) && a.Cost == b.Cost && a.Length == b.Length && a.LowerBound == b.LowerBound
}

// filters are rules that every level has.
var filters = []query.Filter{{Radius: 0.8}, {AreaCosts: map[uint8]float64{0: 1.5}}}

// TestAnswersAgainstPath compares every answer with the Query of its Index: unshared ones to the bit.
func TestAnswersAgainstPath(t *testing.T) {
	race.Skip(t)
	var shared, alone, wrong, partial, unreachable int
	for _, kind := range []string{"city", "maze", "halls", "tower"} {
		m := generated(t, kind, 0)
		ix := m.Index()
		s := newService(t, ix, service.Options{Jobs: 2, Slots: 5})
		for _, f := range filters {
			if _, err := s.Allow(f); err != nil {
				t.Fatal(err)
			}
		}
		c := newCrowd(1, ix, 1+len(filters))
		asked := map[service.Ticket]service.Request{}
		queries := map[*query.Index]*query.Query{}
		for tick := 0; tick < 15 || len(asked) > 0; tick++ {
			for i := 0; i < 30 && tick < 15; i++ {
				r := c.request()
				ticket, err := s.Submit(r)
				if err != nil {
					t.Fatal(err)
				}
				asked[ticket] = r
			}
			for _, a := range s.Tick(c.rng.IntN(8000)) {
				r := asked[a.Ticket]
				delete(asked, a.Ticket)
				q := queries[a.Index]
				if q == nil {
					q = a.Index.NewQuery()
					queries[a.Index] = q
				}
				ask := q.Path
				if r.Partial {
					ask = q.PartialPath
				}
				want, err := ask(t.Context(), r.Start, r.Goal)
				if a.ID != r.ID || a.Cut || fmt.Sprint(a.Err) != fmt.Sprint(err) || a.Path.Complete != want.Complete {
					t.Fatalf("%s, request %+v: %+v, want %+v, %v", kind, r, a, want, err)
				}
				switch {
				case err != nil:
					wrong++
				case a.Sharers == 1 && !same(a.Path, want):
					t.Fatalf("%s, request %+v: %+v, want %+v", kind, r, a, want)
				case a.Sharers > 1 && math.Abs(a.Path.Cost-want.Cost) > 1e-12*(1+want.Cost):
					t.Fatalf("%s, request %+v: cost %v, want %v", kind, r, a.Path.Cost, want.Cost)
				case a.Sharers > 1:
					shared++
				default:
					alone++
				}
				if err == nil && !want.Complete {
					if unreachable++; r.Partial {
						partial++
					}
				}
			}
		}
		if st := s.Statistics(); st.Answered != 450 || st.Waiting+st.Running != 0 {
			t.Errorf("%s: %+v", kind, st)
		}
	}
	t.Logf("%d shared, %d alone, %d errors, %d unreachable, %d of them partial", shared, alone, wrong, unreachable, partial)
	if shared < 60 || alone < 300 || wrong < 12 || partial < 3 || unreachable-partial < 3 {
		t.Errorf("%d shared, %d alone, %d errors, %d unreachable, %d of them partial", shared, alone, wrong, unreachable, partial)
	}
}

// session plays a random session and returns a line for each answer: its tick, and all that an answer says.
func session(t *testing.T, opt service.Options, seed uint64) (lines []string, st service.Statistics) {
	t.Helper()
	m := generated(t, "city", 0)
	indexes := []*query.Index{m.Index(), query.NewIndex(m.Mesh), query.NewIndex(m.Mesh)}
	s := newService(t, indexes[0], opt)
	if _, err := s.Allow(filters[0]); err != nil {
		t.Fatal(err)
	}
	c := newCrowd(seed, indexes[0], 2)
	var open []service.Ticket
	cancelled := map[service.Ticket]bool{}
	answered := map[service.Ticket]bool{}
	submitted := 0
	for tick := 0; tick < 120 || len(open) > len(answered)+len(cancelled); tick++ {
		if tick > 5000 {
			t.Fatalf("%d tickets, %d answers, %d cancelled after %d ticks: %+v", len(open), len(answered), len(cancelled), tick, s.Statistics())
		}
		for n := c.rng.IntN(12); n > 0 && tick < 120; n-- {
			switch ticket, err := s.Submit(c.request()); {
			case errors.Is(err, service.ErrFull):
			case err != nil || len(open) > 0 && ticket <= open[len(open)-1]:
				t.Fatalf("ticket %d after %v: %v", ticket, open, err)
			default:
				submitted++
				open = append(open, ticket)
			}
		}
		for range 2 {
			if len(open) > 0 && tick < 120 {
				old := open[max(0, len(open)-1-c.rng.IntN(40))]
				if done := answered[old] || cancelled[old]; s.Cancel(old) == done {
					t.Fatalf("tick %d: cancelling ticket %d, done is %v", tick, old, done)
				} else if !done {
					cancelled[old] = true
				}
			}
		}
		if c.rng.IntN(4) == 0 {
			s.Use(indexes[c.rng.IntN(len(indexes))])
		}
		for _, a := range s.Tick(c.rng.IntN(2500)) {
			if answered[a.Ticket] || cancelled[a.Ticket] {
				t.Fatalf("tick %d: ticket %d is answered, answered before %v, cancelled %v", tick, a.Ticket, answered[a.Ticket], cancelled[a.Ticket])
			}
			answered[a.Ticket] = true
			lines = append(lines, fmt.Sprint(tick, a.Ticket, a.ID, a.Path.Points, a.Path.Cost, a.Path.Expanded, a.Err, a.Cut, a.Work, a.Sharers, a.Ticks))
		}
	}
	st = s.Statistics()
	if st.Submitted != submitted || st.Answered != len(answered) || st.Cancelled != len(cancelled) || st.Waiting+st.Running+st.Oldest != 0 {
		t.Fatalf("%d submitted, %d answered, %d cancelled: %+v", submitted, len(answered), len(cancelled), st)
	}
	return lines, st
}

// TestJobsDoNotMatter plays the same sessions with various numbers of goroutines.
func TestJobsDoNotMatter(t *testing.T) {
	for seed := range uint64(4) {
		opt := service.Options{Slots: 1 + 4*int(seed), Restarts: int(seed % 3), Limit: int(seed%2) * 300}
		var want []string
		for _, jobs := range []int{1, 3} {
			opt.Jobs = jobs
			lines, st := session(t, opt, seed)
			if want == nil {
				want = lines
			}
			if !slices.Equal(lines, want) {
				t.Fatalf("seed %d: %d jobs answer otherwise", seed, jobs)
			}
			if opt.Restarts > 0 && st.Restarted == 0 || st.Shared == 0 || len(lines) < 300 {
				t.Errorf("seed %d: %d answers, %+v", seed, len(lines), st)
			}
		}
	}
}

// TestEveryRequestOnce plays sessions with a small queue: whatever was submitted is answered once, or cancelled and never
// answered.
func TestEveryRequestOnce(t *testing.T) {
	small := newService(t, generated(t, "city", 0).Index(), service.Options{Queue: 3})
	for i := range 5 {
		if _, err := small.Submit(service.Request{}); errors.Is(err, service.ErrFull) != (i >= 3) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	refused, cancelled := 0, 0
	for seed := range uint64(4) {
		_, st := session(t, service.Options{Jobs: 1, Slots: 3, Queue: 40, Alone: seed%2 == 0}, 100+seed)
		refused += st.Refused
		cancelled += st.Cancelled
	}
	if refused < 25 || cancelled < 100 {
		t.Errorf("%d refused, %d cancelled", refused, cancelled)
	}
}

// TestBudgetIsKept: a tick does at most its units and the answer of one path more, and all ticks together too. Without
// shared searches the work of all answers is the work of the service.
func TestBudgetIsKept(t *testing.T) {
	m := generated(t, "city", 0)
	for seed := range uint64(4) {
		s := newService(t, m.Index(), service.Options{Jobs: 2, Slots: 1 + 6*int(seed), Alone: seed%2 == 1})
		c := newCrowd(seed, m.Index(), 1)
		units, longest, used, over, sum := 0, 0, 0, 0, 0
		for tick := 0; tick < 400 || s.Statistics().Waiting+s.Statistics().Running > 0; tick++ {
			for n := c.rng.IntN(8); n > 0 && tick < 400; n-- {
				if _, err := s.Submit(c.request()); err != nil {
					t.Fatal(err)
				}
			}
			budget := c.rng.IntN(1500)
			before := s.Statistics().Work
			for _, a := range s.Tick(budget) {
				longest = max(longest, 4+len(a.Path.Regions()))
				if sum += 8 + a.Work; a.Err == nil {
					sum += 4 + max(len(a.Path.Regions())-1, 0)
				}
			}
			work := s.Statistics().Work - before
			if units += budget; work > budget+longest || s.Statistics().Work > units+longest {
				t.Fatalf("seed %d: %d units of work, the budget is %d, a path has up to %d; %d of %d in all", seed, work, budget, longest, s.Statistics().Work, units)
			}
			if used += work; work > budget {
				over++
			}
			if st := s.Statistics(); work < budget-200 && st.Debt == 0 && st.Waiting > 0 {
				t.Fatalf("seed %d: %d units of work, the budget is %d, %d requests wait", seed, work, budget, st.Waiting)
			}
		}
		if seed%2 == 1 && sum != used {
			t.Errorf("seed %d: %d units of work, the answers took %d", seed, used, sum)
		}
		if over == 0 || used < units/4 {
			t.Errorf("seed %d: %d of %d units used, %d ticks over the budget", seed, used, units, over)
		}
	}
}

// TestNobodyStarves: requests with a head start come faster than they are answered. A request without one is answered
// before all that come more than the head start later, and before everybody where there is none.
func TestNobodyStarves(t *testing.T) {
	m := generated(t, "city", 0)
	for _, head := range []int32{0, 5, 40} {
		s := newService(t, m.Index(), service.Options{Jobs: 1, Slots: 1, Alone: true})
		c := newCrowd(7, m.Index(), 1)
		const late = 10
		var mine service.Ticket
		submitted := map[service.Ticket]int{}
		last, answered := -1, false
		for tick := 0; tick < 400 && !answered; tick++ {
			for i := range 4 {
				r := c.request()
				if r.HeadStart = head; tick == late && i == 2 {
					r.HeadStart = 0
				}
				ticket, err := s.Submit(r)
				if err != nil {
					t.Fatal(err)
				}
				if submitted[ticket] = tick; r.HeadStart == 0 && tick == late && i == 2 {
					mine = ticket
				}
			}
			for _, a := range s.Tick(150) {
				if a.Ticket == mine {
					answered = true
				} else {
					last = max(last, submitted[a.Ticket])
				}
			}
		}
		if want := late + int(head); !answered || last > want+1 || head > 0 && last < want-1 {
			t.Errorf("head start %d: answered is %v, after requests of tick %d, want %d", head, answered, last, want)
		}
		if st := s.Statistics(); st.Waiting < 20 {
			t.Errorf("head start %d: only %d wait", head, st.Waiting)
		}
	}
}

// TestLongSearchesTakeTurns: while one slot searches for long, short requests are answered in others.
func TestLongSearchesTakeTurns(t *testing.T) {
	m := generated(t, "city", 0)
	q := m.NewQuery()
	rng := rand.New(rand.NewPCG(5, 5))
	var far service.Request
	most := 0
	for range 200 {
		a, _ := q.RandomPoint(rng)
		b, _ := q.RandomPoint(rng)
		path, err := q.Path(t.Context(), a.Point, b.Point)
		if err != nil {
			t.Fatal(err)
		}
		if path.Expanded > most {
			most, far = path.Expanded, service.Request{Start: a.Point, Goal: b.Point, ID: 1}
		}
	}
	s := newService(t, m.Index(), service.Options{Slots: 2})
	long, err := s.Submit(far)
	if err != nil {
		t.Fatal(err)
	}
	answers := s.Tick(most / 2)
	path, ok := s.SoFar(long, q)
	if len(answers) > 0 || !ok || len(path.Points) < 2 || path.LowerBound > path.Cost {
		t.Fatalf("%d answers, %v, %v so far", len(answers), path, ok)
	}
	if _, ok := s.SoFar(long+1, q); ok {
		t.Error("a ticket that nobody has is in progress")
	}
	short, err := s.Submit(service.Request{Start: far.Start, Goal: far.Start})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.SoFar(short, q); ok {
		t.Error("a request that waits is in progress")
	}
	if answers := s.Tick(most / 6); len(answers) != 1 || answers[0].Ticket != short || !answers[0].Path.Complete {
		t.Fatalf("%+v", answers)
	}
	if answers := s.Tick(2 * most); len(answers) != 1 || answers[0].Ticket != long || answers[0].Ticks != 3 || answers[0].Work != most {
		t.Fatalf("%+v, want %d units", answers, most)
	}
}

// TestLimit: a request at the limit has the best way so far, within the limit.
func TestLimit(t *testing.T) {
	m := generated(t, "city", 0)
	s := newService(t, m.Index(), service.Options{Limit: 60, Jobs: 2})
	c := newCrowd(8, m.Index(), 1)
	q := m.NewQuery()
	cut, whole, known, more := 0, 0, 0, 0
	asked := map[uint64]service.Request{}
	for range 400 {
		r := c.request()
		asked[r.ID] = r
		if _, err := s.Submit(r); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		for _, a := range s.Tick(2000) {
			r := asked[a.ID]
			if a.Work > 60*a.Sharers {
				t.Fatalf("%d units for %d requests", a.Work, a.Sharers)
			}
			if a.Work > 60 {
				more++
			}
			if a.Err != nil {
				continue
			}
			if whole++; !a.Cut {
				continue
			}
			whole--
			cut++
			want, err := q.PartialPath(t.Context(), r.Start, r.Goal)
			if err != nil || a.Path.LowerBound > want.Cost*(1+1e-9) || len(a.Path.Points) == 0 || a.Path.Complete && a.Path.Cost < want.Cost*(1-1e-9) {
				t.Fatalf("%+v, want %+v, %v", a, want, err)
			}
			if a.Path.Complete {
				known++
			}
		}
	}
	if cut < 50 || whole < 50 || known < 5 || more < 20 {
		t.Errorf("%d cut, %d of them with a way, %d whole, %d with the work of many", cut, known, whole, more)
	}
}

// TestWrongOptions names options out of range.
func TestWrongOptions(t *testing.T) {
	for want, opt := range map[string]service.Options{
		"service: Slots is -1, must be between 0 and 1024":           {Slots: -1},
		"service: Slots is 1025, must be between 0 and 1024":         {Slots: 1025},
		"service: Queue is 16777217, must be between 0 and 16777216": {Queue: service.MaxQueue + 1},
		"service: Epsilon is NaN, must be a finite number from 0":    {Epsilon: math.NaN()},
	} {
		if s, err := service.New(nil, opt); s != nil || err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s := newService(t, nil, service.Options{})
	if _, err := s.Submit(service.Request{Rule: 1}); err == nil || err.Error() != "service: rule 1 of 1" {
		t.Error(err)
	}
	if _, err := s.Allow(query.Filter{Closed: []int{0}}); err == nil {
		t.Error("a mark that the index does not know is allowed")
	}
}

// TestZeroService asks a zero and a nil Service.
func TestZeroService(t *testing.T) {
	var none *service.Service
	for _, s := range []*service.Service{none, {}} {
		if _, err := s.Submit(service.Request{}); err != nil {
			t.Error(err)
		}
		if answers := s.Tick(100); s != nil && (len(answers) != 1 || !errors.Is(answers[0].Err, query.ErrOffMesh)) {
			t.Errorf("%+v", answers)
		}
		if s.Cancel(1) || s.Cancel(0) || s.Statistics().Waiting > 0 {
			t.Error("a request waits")
		}
	}
}

// TestNoAllocations: requests that come again allocate nothing. Memory grows with the longest path of each slot, so one
// slot makes every lap the same.
func TestNoAllocations(t *testing.T) {
	race.Skip(t)
	m := generated(t, "city", 0)
	s := newService(t, m.Index(), service.Options{Jobs: 1, Slots: 1})
	c := newCrowd(4, m.Index(), 1)
	var all []service.Request
	for len(all) < 200 {
		if r := c.request(); r.Start.Y < 500 && r.Goal.Y < 500 {
			all = append(all, r)
		}
	}
	n, answers := 0, 0
	tick := func() {
		for i := range 20 {
			r := all[(20*n+i)%len(all)]
			ticket, err := s.Submit(r)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				s.Cancel(ticket)
			}
		}
		for _, a := range s.Tick(1 << 30) {
			if len(a.Path.Points) > 0 {
				answers++
			}
		}
		n++
	}
	for range 50 {
		tick()
	}
	if got := testing.AllocsPerRun(20, tick); got != 0 || answers < 700 || s.Statistics().Shared < 100 {
		t.Errorf("%v allocations a tick, %d answers, %d shared", got, answers, s.Statistics().Shared)
	}
}

// TestSharersHaveNoWaySoFar: three walkers to one place share a search, which shows no way before its end.
func TestSharersHaveNoWaySoFar(t *testing.T) {
	m := generated(t, "city", 0)
	s := newService(t, m.Index(), service.Options{Slots: 1})
	c := newCrowd(6, m.Index(), 1)
	for _, at := range c.goals {
		if _, err := s.Submit(service.Request{Start: at, Goal: c.goals[0]}); err != nil {
			t.Fatal(err)
		}
	}
	for s.Statistics().Running+s.Statistics().Waiting > 0 {
		if _, ok := s.SoFar(2, m.NewQuery()); ok {
			t.Fatal("a shared search shows a way")
		}
		for _, a := range s.Tick(20) {
			if a.Sharers != 3 {
				t.Errorf("%+v", a)
			}
		}
	}
	if st := s.Statistics(); st.Shared != 3 || st.Ticks < 3 {
		t.Errorf("%+v", st)
	}
}

// TestTickFor: a tick without time answers nothing, and a tick with much time answers everything.
func TestTickFor(t *testing.T) {
	m := generated(t, "city", 0)
	s := newService(t, m.Index(), service.Options{})
	c := newCrowd(6, m.Index(), 1)
	for range 50 {
		if _, err := s.Submit(c.request()); err != nil {
			t.Fatal(err)
		}
	}
	if answers := s.TickFor(-time.Second); len(answers) > 0 {
		t.Errorf("%d answers without time", len(answers))
	}
	answers := s.TickFor(time.Hour)
	for i := range answers {
		if answers[i].Ticket != service.Ticket(i+1) {
			t.Errorf("answer %d is for ticket %d", i, answers[i].Ticket)
		}
	}
	if st := s.Statistics(); len(answers) != 50 || st.Debt != 0 || st.Oldest != 0 {
		t.Errorf("%d answers, %+v", len(answers), st)
	}
}
