package service

import (
	"github.com/meadow-nav/meadow/query"
)

// task is the kind of search in a slot.
type task uint8

const (
	idle task = iota
	alone
	shared // by several requests
)

// stage is how far a task is.
type stage uint8

const (
	beginning stage = iota
	adding          // starts to a shared search
	searching
	laying // the paths of the answers
)

// Units of the steps beside expanded nodes, each the time of a node. Measured on generated cities of 650 to 12,000
// regions, where a node takes 0.25 to 0.4 µs.
const (
	lookupUnits = 4   // finding the floor at an end
	answerUnits = 4   // an answer, besides a unit for each gate
	ruleUnits   = 8   // filtering an Index, for each region
	sliceUnits  = 256 // of a slot in a round
)

// A shared search serves from minSharers to maxSharers requests. Two starts gain nothing by sharing, and four a sixth of
// the nodes. From some two hundred starts on, a start more or less changes little.
const (
	minSharers = 3
	maxSharers = 256
)

// slot is the place of a search in progress.
type slot struct {
	task     task
	stage    stage
	rule     Rule
	base, ix *query.Index // the Index of the Service when the search began, and what the rule made of it
	restarts int

	search  *query.Search
	joint   *query.SharedSearch
	members []Ticket // 0 for a request that has left
	starts  []int    // of the members in joint
	at      int      // the member to add or to answer next
	spent   int      // units of the search
	cut     bool     // the search has reached its limit

	allowed, used int      // units in the round
	answers       []Answer // of the round
	again         []Ticket // members of the round that need a search of their own
	keepers       []*query.Query
	kept          int // keepers of the tick's answers
}

// take fills an idle slot with the members of a task.
func (k *slot) take(s *Service, t task, r Rule, ix *query.Index) {
	k.task, k.rule, k.restarts = t, r, 0
	k.restart(s, ix)
	if k.search == nil {
		k.search, k.joint = ix.NewSearch(), ix.NewSharedSearch()
	}
}

// restart begins the task from the start.
func (k *slot) restart(s *Service, ix *query.Index) {
	k.stage, k.base, k.ix, k.at, k.spent, k.cut = beginning, s.ix, ix, 0, 0, false
}

// leave lets go of a member.
func (k *slot) leave(t Ticket) {
	left := 0
	for i, m := range k.members {
		if m == t {
			k.members[i] = 0
		} else if m != 0 {
			left++
		}
	}
	if left == 0 {
		k.end()
	}
}

// end makes the slot idle.
func (k *slot) end() { k.task, k.members = idle, k.members[:0] }

// need returns the least number of units of the next step.
func (k *slot) need() int {
	switch k.stage {
	case beginning:
		if k.task == alone {
			return 2 * lookupUnits
		}
		return lookupUnits
	case adding:
		return lookupUnits
	case laying:
		return answerUnits + k.gates()
	}
	return 1
}

// gates returns the number of gates on the path of the next answer.
func (k *slot) gates() int {
	switch {
	case k.task == alone:
		return k.search.Gates()
	case k.members[k.at] == 0:
		return 0
	}
	return k.joint.Gates(k.starts[k.at])
}

// run does the steps that the allowed units suffice for. It changes nothing but the slot.
func (k *slot) run(s *Service) {
	k.used, k.answers, k.again = 0, k.answers[:0], k.again[:0]
	for k.task != idle {
		n := k.need()
		if n > k.allowed-k.used {
			return
		}
		switch k.stage {
		case beginning:
			k.used += n
			k.begin(s)
		case adding:
			k.used += n
			start := none
			if t := k.members[k.at]; t != 0 {
				start = k.joint.Add(s.queue.place(t).Start)
			}
			k.starts = append(k.starts, start)
			if k.at++; k.at == len(k.members) {
				k.stage, k.at = searching, 0
			}
		case searching:
			k.look(s)
		case laying:
			k.used += n
			k.lay(s)
		}
	}
}

// begin begins the search.
func (k *slot) begin(s *Service) {
	e := s.queue.place(k.members[0])
	if k.task == shared {
		k.joint.Use(k.ix)
		if err := k.joint.Begin(e.Goal); err != nil {
			// Which end an error names depends on the start.
			k.again = append(k.again, k.members...)
			k.end()
			return
		}
		k.stage, k.starts = adding, k.starts[:0]
		return
	}
	k.search.Epsilon, k.search.Whole = s.opt.Epsilon, !e.Partial
	k.search.Use(k.ix)
	if err := k.search.Begin(e.Start, e.Goal); err != nil {
		k.answer(Answer{Err: err})
		k.end()
		return
	}
	k.stage = searching
}

// look advances the search.
func (k *slot) look(s *Service) {
	units := k.allowed - k.used
	limit := s.opt.Limit
	if k.task == shared {
		limit *= len(k.members)
	}
	if s.opt.Limit > 0 {
		units = min(units, limit-k.spent)
	}
	work, done := 0, false
	if k.task == shared {
		work, done = k.joint.Advance(units)
	} else {
		work = -k.search.Expanded()
		done = k.search.Advance(units)
		work += k.search.Expanded()
	}
	k.used += work
	k.spent += work
	if k.cut = !done && s.opt.Limit > 0 && k.spent >= limit; done || k.cut {
		k.stage = laying
	}
}

// lay answers the next member.
func (k *slot) lay(s *Service) {
	if k.task == alone {
		k.answer(Answer{Path: k.search.PathIn(k.keeper()), Cut: k.cut})
		k.end()
		return
	}
	if t := k.members[k.at]; t != 0 {
		path, err := k.joint.PathIn(k.keeper(), k.starts[k.at])
		if err == nil && !path.Complete && (k.cut || s.queue.place(t).Partial) {
			k.again = append(k.again, t)
		} else {
			k.answer(Answer{Path: path, Err: err, Cut: k.cut && err == nil})
		}
		k.members[k.at] = 0
	}
	if k.at++; k.at == len(k.members) {
		k.end()
	}
}

// answer adds the answer to the next member.
func (k *slot) answer(a Answer) {
	a.Ticket, a.Index, a.Work, a.Sharers = k.members[k.at], k.ix, k.spent, len(k.members)
	k.answers = append(k.answers, a)
}

// keeper returns a Query that keeps the path of an answer until the next tick.
func (k *slot) keeper() *query.Query {
	if k.kept == len(k.keepers) {
		k.keepers = append(k.keepers, k.ix.NewQuery())
	}
	k.kept++
	return k.keepers[k.kept-1]
}
