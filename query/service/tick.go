package service

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/query"
)

// tick runs rounds until the units are used, until nothing waits, or until more says so. It returns the units left.
func (s *Service) tick(units int, more func() bool) (left int) {
	s.stats.Ticks++
	for i := range s.answers {
		s.answers[i] = Answer{}
	}
	s.answers = s.answers[:0]
	for i := range s.slots {
		s.slots[i].kept = 0
	}
	left = units
	left -= s.restart()
	for left > 0 && more() {
		work, ok := s.plan(left)
		if left -= work; !ok {
			break
		}
		s.run()
		left -= s.collect()
	}
	s.stats.Work += units - left
	slices.SortFunc(s.answers, func(a, b Answer) int { return cmp.Compare(a.Ticket, b.Ticket) })
	return left
}

// restart begins searches again where the Index has changed, see [Options].Restarts.
func (s *Service) restart() (work int) {
	for i := range s.slots {
		k := &s.slots[i]
		if k.task == idle || k.base == s.ix || k.restarts >= s.opt.Restarts || k.stage == laying {
			continue
		}
		ix, n, err := s.indexFor(k.rule)
		if work += n; err != nil || k.task == shared && !ix.Shares() {
			s.putBack(k.members)
			k.end()
			continue
		}
		k.restarts++
		s.stats.Restarted++
		k.restart(s, ix)
	}
	return work
}

// indexFor returns the Index for a rule, and the work of making it.
func (s *Service) indexFor(r Rule) (ix *query.Index, work int, err error) {
	if r == 0 {
		return s.ix, 0, nil
	}
	l := &s.rules[r]
	if l.from != s.ix {
		l.from = s.ix
		l.made, l.err = s.ix.With(l.filter)
		for i := range s.ix.Mesh().Tiles {
			work += ruleUnits * len(s.ix.Mesh().Tiles[i].Regions)
		}
	}
	return l.made, work, l.err
}

// putBack makes members of a task wait again, each for a search of its own.
func (s *Service) putBack(members []Ticket) {
	for _, t := range members {
		if t != 0 {
			s.queue.place(t).single = true
			s.queue.wait(t)
		}
	}
}

// plan chooses the slots of a round and their units, at most left together: the slots in turn, idle ones with the
// requests that are due. Only the first slot may take more than is left. ok is false if no slot has anything to do.
func (s *Service) plan(left int) (work int, ok bool) {
	s.round = s.round[:0]
	reserved, last := 0, s.next
	for i := range s.slots {
		n := (s.next + i) % len(s.slots)
		k := &s.slots[n]
		if k.task == idle {
			w, begun := s.fill(n)
			if work += w; !begun {
				continue
			}
		}
		room := left - work - reserved
		need := k.need()
		if need > room && len(s.round) > 0 {
			last = n // and first in the next round
			break
		}
		k.allowed = max(need, min(sliceUnits, room))
		reserved += k.allowed
		s.round, last = append(s.round, n), n+1
		if reserved+work >= left {
			break
		}
	}
	s.next = last % len(s.slots)
	return work, len(s.round) > 0
}

// fill begins the task of the waiting request that is due first, in slot n.
func (s *Service) fill(n int) (work int, begun bool) {
	for {
		t, ok := s.queue.head()
		if !ok {
			return work, false
		}
		e := s.queue.place(t)
		ix, w, err := s.indexFor(e.Rule)
		if work += w; err != nil {
			work++
			s.say(Answer{Ticket: t, Err: err, Index: s.ix, Sharers: 1})
			continue
		}
		k, kind := &s.slots[n], alone
		k.members = append(k.members[:0], t)
		if !s.opt.Alone && !e.single && ix.Shares() {
			if k.members = s.queue.alike(k.members[:0], t, maxSharers); len(k.members) >= minSharers {
				kind = shared
			} else {
				k.members = k.members[:1]
			}
		}
		for _, t := range k.members {
			s.queue.begin(t, n)
		}
		k.take(s, kind, e.Rule, ix)
		return work, true
	}
}

// run runs the slots of the round.
func (s *Service) run() {
	if s.opt.Jobs == 1 || len(s.round) == 1 {
		for _, n := range s.round {
			s.slots[n].run(s)
		}
		return
	}
	// No item fails and the context never ends: a panic is the only way out.
	_ = par.For(context.Background(), s.opt.Jobs, len(s.round), func(i int) error {
		s.slots[s.round[i]].run(s)
		return nil
	})
}

// collect takes the answers of the round.
func (s *Service) collect() (work int) {
	for _, n := range s.round {
		k := &s.slots[n]
		work += k.used
		for i := range k.answers {
			s.say(k.answers[i])
			k.answers[i] = Answer{}
		}
		s.putBack(k.again)
	}
	return work
}

// say gives an answer.
func (s *Service) say(a Answer) {
	e := s.queue.place(a.Ticket)
	a.ID, a.Ticks = e.ID, s.stats.Ticks-e.tick
	s.answers = append(s.answers, a)
	s.stats.Answered++
	if a.Sharers > 1 {
		s.stats.Shared++
	}
	s.queue.remove(a.Ticket)
}
