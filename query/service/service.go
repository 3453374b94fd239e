// Package service answers requests for paths under a budget of work: a game hands in the requests of its walkers, and
// every tick of the game takes the answers that its budget allows.
//
//	s := service.New(mesh.Index(), service.Options{})
//	ticket, err := s.Submit(service.Request{Start: walker.At, Goal: goal, ID: walker.Number})
//	for _, a := range s.Tick(20_000) {
//		walkers[a.ID].follow(a.Path)
//	}
package service

// A service of paths.
//
// Source: our own. Order by a due time is the earliest-deadline-first rule of C. L. Liu and J. W. Layland, Scheduling
// algorithms for multiprogramming in a hard-real-time environment, Journal of the ACM 20 (1973). Searches in progress
// take equal turns, as in round robin.
//
// Idea: Work is counted, never timed, because a count is the same on every machine. A waiting request has a due time: the
// tick of its submission, less its head start. Requests begin in the order of their due times, each in one of a few
// slots. A tick goes in rounds. A round gives slots slices of the tick's units and runs them side by side. A slice
// depends on counts only, so the number of goroutines changes no answer. Waiting requests with equal goals begin as one
// shared search from the goal.
//
// Input: an Index, or one Index after another from a mesh that changes.
//
// Guarantees:
//  1. A path has the cost of Query.Path on the Index of its answer, and is equal to the bit unless the search is shared
//     (TestAnswersAgainstPath). The paths of shared searches have equal costs up to rounding.
//  2. Answers and their order are the same for any Jobs (TestJobsDoNotMatter).
//  3. A tick does at most its units of work and one answer more, or one filtered Index, see [Service.Allow]. The next
//     ticks do as much less (TestBudgetIsKept).
//  4. Every request is answered exactly once, unless it is cancelled; a cancelled request is never answered
//     (TestEveryRequestOnce).
//  5. A request begins before every request submitted later, unless the later one has a head start of more ticks than lie
//     between them. Searches in progress take turns. Hence no request starves (TestNobodyStarves).
//  6. After the first ticks nothing is allocated (TestNoAllocations).
//
// Degenerate cases: a tick without units answers nothing. A goal off the mesh is an answer with an error. A shared search
// that cannot serve a start leaves the start to a search of its own.
//
// Cost: O(log n) for a request among n waiting ones, besides its search. A slot has the memory of a search, some 32 bytes
// for every corner that paths turn around; an answer keeps its path until the next tick.

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// ErrFull reports a request that the queue has no room for, see [Options].Queue.
var ErrFull = errors.New("service: the queue is full")

// Options are the settings of a Service. The zero Options are the defaults.
type Options struct {
	// Jobs is the greatest number of goroutines in a tick; 0 stands for one per core. Jobs change no answer.
	Jobs int
	// Slots is the number of searches in progress, at most MaxSlots; 0 stands for DefaultSlots. More slots keep more
	// goroutines busy, and need more memory.
	Slots int
	// Queue is the greatest number of requests that wait or are in progress, at most MaxQueue; 0 stands for DefaultQueue.
	Queue int
	// Limit is the greatest work on one request in units; 0 is no limit. An answer at the limit has the best way so far,
	// and is Cut.
	Limit int
	// Restarts is the number of times that a search in progress begins again when [Service.Use] brings another Index.
	// After as many, or by default, the search goes on to its end on the Index that it began on.
	Restarts int
	// Alone gives every request a search of its own.
	Alone bool
	// Epsilon is as in [query.Query].
	Epsilon float64
}

// Defaults and limits of [Options].
const (
	DefaultSlots = 16
	MaxSlots     = 1024
	DefaultQueue = 1 << 16
	MaxQueue     = 1 << 24
)

// fill checks options and fills in defaults.
func (o *Options) fill() error {
	for _, n := range []struct {
		name       string
		value, max int
	}{{"Jobs", o.Jobs, math.MaxInt}, {"Slots", o.Slots, MaxSlots}, {"Queue", o.Queue, MaxQueue}, {"Limit", o.Limit, math.MaxInt}, {"Restarts", o.Restarts, math.MaxInt}} {
		if n.value < 0 || n.value > n.max {
			return fmt.Errorf("service: %s is %d, must be between 0 and %d", n.name, n.value, n.max)
		}
	}
	if !(o.Epsilon >= 0) || math.IsInf(o.Epsilon, 1) {
		return fmt.Errorf("service: Epsilon is %g, must be a finite number from 0", o.Epsilon)
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Slots == 0 {
		o.Slots = DefaultSlots
	}
	if o.Queue == 0 {
		o.Queue = DefaultQueue
	}
	return nil
}

// Rule is a filter that a Service knows, see [Service.Allow]. Rule 0 allows everything.
type Rule int32

// Request asks for a path.
type Request struct {
	// Start and Goal are the ends, in world space, as for [query.Query.Path].
	Start, Goal geom.Vec
	// Partial asks for the path to the reachable place nearest to the goal, see [query.Query.PartialPath].
	Partial bool
	// Rule tells who walks.
	Rule Rule
	// HeadStart is the priority in ticks: the request is served as if it had been submitted as many ticks earlier.
	HeadStart int32
	// ID is the caller's own number, which comes back in the answer.
	ID uint64
}

// Ticket names a request of one Service. Later requests have greater tickets. No request has ticket 0.
type Ticket uint64

// Answer is the answer to a request.
type Answer struct {
	Ticket Ticket
	ID     uint64 // of the request
	// Path is valid until the next tick; [query.Path.Clone] makes a lasting copy.
	Path query.Path
	// Err is an end off the mesh, see [query.ErrOffMesh], or a Rule that the Index does not know.
	Err error
	// Cut says that the search has reached the limit, see [Options].Limit. Path is then the best way so far.
	Cut bool
	// Index is the Index of the path, and of the Refs in the path: the Index of the Service when the search began, or the
	// Index that the Rule makes of it.
	Index *query.Index
	// Work is the work of the search in units, and Sharers the number of requests that the search served.
	Work, Sharers int
	// Ticks is the number of ticks since the submission: 1 for an answer in the next tick.
	Ticks int
}

// Statistics counts what a Service did.
type Statistics struct {
	Ticks int
	// Waiting requests have not begun, Running ones have. Oldest is the number of ticks since the oldest of both was
	// submitted.
	Waiting, Running, Oldest int
	// Submitted requests were answered, were cancelled, or are waiting or running. Shared counts the answers of shared
	// searches, Refused the requests that found the queue full, Restarted the searches that began again.
	Submitted, Answered, Shared, Cancelled, Refused, Restarted int
	// Work is all work in units. Debt is the work above the budgets of the last ticks, which the next ticks do less.
	Work, Debt int
}

// Service answers requests for paths. A Service belongs to one goroutine at a time, and starts goroutines only in a tick.
// A zero or nil Service has a mesh without regions.
type Service struct {
	opt   Options
	ix    *query.Index
	rules []rule
	queue queue
	slots []slot
	next  int // the slot whose turn is next
	stats Statistics

	round   []int // slots of the round
	answers []Answer
}

// rule is a filter with the Index that it makes of another one.
type rule struct {
	filter     query.Filter
	from, made *query.Index
	err        error
}

// New returns a Service of an Index. The error names an option out of range.
func New(ix *query.Index, opt Options) (*Service, error) {
	if err := opt.fill(); err != nil {
		return nil, err
	}
	s := &Service{opt: opt}
	s.begin(ix)
	return s, nil
}

// begin makes the slots.
func (s *Service) begin(ix *query.Index) {
	s.ix = ix
	if ix == nil {
		s.ix = query.NewIndex(nil)
	}
	s.rules = append(s.rules, rule{})
	s.slots = make([]slot, s.opt.Slots)
}

// ready returns s, or a Service of a mesh without regions for a zero or nil Service.
func (s *Service) ready() *Service {
	if s == nil {
		s = new(Service)
	}
	if s.ix == nil {
		if err := s.opt.fill(); err != nil {
			s.opt = Options{}
		}
		s.begin(nil)
	}
	return s
}

// Use gives s another Index, such as the next snapshot of a world. Requests that have not begun are answered on the new
// Index. A request in progress is answered on its old one, see [Options].Restarts; [Answer].Index tells which.
func (s *Service) Use(ix *query.Index) {
	s = s.ready()
	if s.ix = ix; ix == nil {
		s.ix = query.NewIndex(nil)
	}
}

// Allow makes a filter known, for any number of requests. The error is the error of [query.Index.With].
//
// All requests of a Rule share one Index, which s makes when the first of them begins, and again after [Service.Use]. The
// making is work of eight units a region.
func (s *Service) Allow(f query.Filter) (Rule, error) {
	s = s.ready()
	made, err := s.ix.With(f)
	if err != nil {
		return 0, err
	}
	s.rules = append(s.rules, rule{filter: f, from: s.ix, made: made})
	return Rule(len(s.rules) - 1), nil
}

// Submit hands in a request. The errors are [ErrFull] and a Rule that [Service.Allow] has not returned.
func (s *Service) Submit(r Request) (Ticket, error) {
	s = s.ready()
	if r.Rule < 0 || int(r.Rule) >= len(s.rules) {
		return 0, fmt.Errorf("service: rule %d of %d", r.Rule, len(s.rules))
	}
	if s.queue.size() >= s.opt.Queue {
		s.stats.Refused++
		return 0, ErrFull
	}
	s.stats.Submitted++
	return s.queue.submit(r, s.stats.Ticks), nil
}

// Cancel takes a request back and reports whether it waited or was in progress. A cancelled request is not answered.
func (s *Service) Cancel(t Ticket) bool {
	s = s.ready()
	e := s.queue.entry(t)
	if e == nil {
		return false
	}
	if e.slot != none {
		s.slots[e.slot].leave(t)
	}
	s.queue.remove(t)
	s.stats.Cancelled++
	return true
}

// SoFar returns the best way so far of a request in progress, in the memory of a Query, see [query.Search.PathIn]; ok is
// false for any other request, and for one in a shared search.
func (s *Service) SoFar(t Ticket, in *query.Query) (path query.Path, ok bool) {
	s = s.ready()
	e := s.queue.entry(t)
	if e == nil || e.slot == none || s.slots[e.slot].task != alone {
		return query.Path{}, false
	}
	return s.slots[e.slot].search.PathIn(in), true
}

// Statistics returns the counts.
func (s *Service) Statistics() Statistics {
	s = s.ready()
	st := s.stats
	st.Waiting, st.Running = s.queue.waiting, s.queue.size()-s.queue.waiting
	if first := s.queue.oldest(); first != nil {
		st.Oldest = st.Ticks - first.tick
	}
	return st
}

// Tick does work of at most the given number of units and returns the answers that are ready, by rising ticket. The
// answers are valid until the next tick. A unit is the time of one expanded node, a quarter to half a microsecond on a
// level of a thousand regions.
//
// A budget of units gives the same answers in the same tick on every machine.
func (s *Service) Tick(units int) []Answer {
	s = s.ready()
	units = max(units, 0) - s.stats.Debt
	s.stats.Debt = max(0, -s.tick(units, func() bool { return true }))
	return s.answers
}

// TickFor is Tick for a time in place of units: no round begins after it. Which requests are answered depends on the
// machine; each answer does not.
func (s *Service) TickFor(d time.Duration) []Answer {
	s = s.ready()
	end := time.Now().Add(d)
	s.tick(math.MaxInt/2, func() bool { return time.Now().Before(end) })
	return s.answers
}
