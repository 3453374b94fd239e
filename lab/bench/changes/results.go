package main

import (
	"fmt"
	"io"
)

// sums are the sums of records.
type sums struct {
	record
	worlds, faults int
}

// results are the sums by level, in the order of the first worlds.
type results struct {
	order []string
	by    map[string]*sums
}

func (r *results) add(x record) {
	if r.by == nil {
		r.by = map[string]*sums{}
	}
	s := r.by[x.Level]
	if s == nil {
		s = &sums{record: record{Level: x.Level}}
		r.by[x.Level] = s
		r.order = append(r.order, x.Level)
	}
	s.add(sums{x, 1, 0})
	if x.Law != "" {
		s.faults++
	}
}

func (s *sums) add(x sums) {
	s.worlds += x.worlds
	s.faults += x.faults
	s.Changes += x.Changes
	s.Edits += x.Edits
	s.Refused += x.Refused
	s.Checks += x.Checks
	s.Read += x.Read
	s.Peak = max(s.Peak, x.Peak)
	s.Seconds += x.Seconds
}

func (r *results) total() sums {
	all := sums{record: record{Level: "all"}}
	for _, s := range r.by {
		all.add(*s)
	}
	return all
}

// markdown prints the table.
func (r *results) markdown(w io.Writer) {
	fmt.Fprintln(w, "| Level | worlds | changes | edits | refused | checks | paths of readers | most regions | seconds | faults |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	row := func(s *sums) {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %d | %.0f | %d |\n", s.Level, s.worlds, s.Changes, s.Edits, s.Refused, s.Checks, s.Read, s.Peak, s.Seconds, s.faults)
	}
	for _, name := range r.order {
		row(r.by[name])
	}
	all := r.total()
	row(&all)
}
