package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Micros are times in microseconds.
type Micros struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Mean float64 `json:"mean"`
}

func microsOf(us []float64) Micros {
	if len(us) == 0 {
		return Micros{}
	}
	us = slices.Sorted(slices.Values(us))
	sum := 0.0
	for _, t := range us {
		sum += t
	}
	n := len(us)
	return Micros{us[n/2], us[min(n-1, n*99/100)], sum / float64(n)}
}

// Step is one kind of change: the change, the first path beside it, and both together.
type Step struct {
	Change Micros `json:"change"`
	Path   Micros `json:"path"`
	Both   Micros `json:"both"`
	Found  int    `json:"found"` // paths that reach the goal
}

// Singles is the times of obstacles that come, move and go singly.
type Singles struct {
	Obstacles int  `json:"obstacles"`
	In        Step `json:"in"`
	Move      Step `json:"move"`
	Out       Step `json:"out"`
	Free      int  `json:"free"`   // places on the mesh before their obstacle comes
	Lost      int  `json:"lost"`   // of these, places still on the mesh with the obstacle
	Ghosts    int  `json:"ghosts"` // and places off the mesh after the obstacle has gone
}

// Batch is obstacles that come together and go together.
type Batch struct {
	Size    int     `json:"size"`    // obstacles in a batch
	Total   int     `json:"total"`   // in all batches
	InUS    float64 `json:"in_us"`   // for an obstacle, median over batches
	OutUS   float64 `json:"out_us"`  // the same
	Refused int     `json:"refused"` // by a full queue, until an update
	Lost    int     `json:"lost"`    // obstacles that take no floor although the system reports that it is up to date
	Ghosts  int     `json:"ghosts"`  // places without floor after all obstacles have gone
	// The same obstacles after each other, in one world, for an obstacle; 0 where nobody measures.
	EachInUS  float64 `json:"each_in_us,omitempty"`
	EachOutUS float64 `json:"each_out_us,omitempty"`
}

// one is the times of an obstacle in microseconds, and the results: come, move, go.
type one struct {
	change, path        [3]float64
	found               [3]bool
	free, blocked, back bool
}

// contender is a system that changes.
type contender interface {
	name() string
	// ones lets obstacles come, move and go singly.
	ones(ctx context.Context, places []place) ([]one, error)
	// batch lets obstacles come together and go together. The figures are for one batch.
	batch(ctx context.Context, places []place) (Batch, error)
}

// smallBatch is the number of requests in the queue of Detour's tile cache.
const smallBatch = 64

// unable tells why a contender cannot take a level: a result like any other.
type unable struct{ error }

// measureSingles gives the contenders turns, in the opposite order every other time, then measures batches of the obstacles that
// block their place when they come alone. The first turn of everybody warms up and does not count.
func (s settings) measureSingles(ctx context.Context, all []contender, places []place, log io.Writer) ([]Contender, error) {
	figures := make([]Contender, len(all))
	ones := make([][]one, len(all))
	for k, c := range all {
		figures[k].Name = c.name()
	}
	turns := slices.Collect(slices.Chunk(places, s.block))
	for i, turn := range append(turns[:1:1], turns...) {
		for k := range all {
			if i%2 == 1 {
				k = len(all) - 1 - k
			}
			if figures[k].Failed != "" {
				continue
			}
			got, err := all[k].ones(ctx, turn)
			if cannot := (unable{}); errors.As(err, &cannot) {
				figures[k].Failed = err.Error()
				fmt.Fprintf(log, "%s: %v\n", all[k].name(), err)
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", all[k].name(), err)
			}
			if i > 0 {
				ones[k] = append(ones[k], got...)
			}
		}
	}
	for k, c := range all {
		if figures[k].Failed != "" {
			continue
		}
		figures[k].Singles = summarize(ones[k])
		var block []place
		for i, o := range ones[k] {
			if o.free && o.blocked {
				block = append(block, places[i])
			}
		}
		for _, size := range []int{smallBatch, len(block)} {
			if len(block) == 0 {
				continue
			}
			b, err := batches(ctx, c, block, size)
			if err != nil {
				return nil, fmt.Errorf("%s: batches of %d: %w", c.name(), size, err)
			}
			figures[k].Batches = append(figures[k].Batches, b)
		}
	}
	return figures, nil
}

// summarize computes medians and counts.
func summarize(all []one) Singles {
	s := Singles{Obstacles: len(all)}
	for k, step := range []*Step{&s.In, &s.Move, &s.Out} {
		var change, path, both []float64
		for _, o := range all {
			change, path, both = append(change, o.change[k]), append(path, o.path[k]), append(both, o.change[k]+o.path[k])
			if o.found[k] {
				step.Found++
			}
		}
		step.Change, step.Path, step.Both = microsOf(change), microsOf(path), microsOf(both)
	}
	for _, o := range all {
		if !o.free {
			continue
		}
		s.Free++
		if !o.blocked {
			s.Lost++
		}
		if !o.back {
			s.Ghosts++
		}
	}
	return s
}

// batches measures as many full batches as there are places for, at least one.
func batches(ctx context.Context, c contender, places []place, size int) (Batch, error) {
	size = min(size, len(places))
	sum := Batch{Size: size}
	var in, out, eachIn, eachOut []float64
	for batch := range slices.Chunk(places, size) {
		if len(batch) < size {
			break
		}
		b, err := c.batch(ctx, batch)
		if err != nil {
			return sum, err
		}
		sum.Total += size
		sum.Refused += b.Refused
		sum.Lost += b.Lost
		sum.Ghosts += b.Ghosts
		in, out = append(in, b.InUS/float64(size)), append(out, b.OutUS/float64(size))
		eachIn, eachOut = append(eachIn, b.EachInUS/float64(size)), append(eachOut, b.EachOutUS/float64(size))
	}
	sum.InUS, sum.OutUS = microsOf(in).P50, microsOf(out).P50
	sum.EachInUS, sum.EachOutUS = microsOf(eachIn).P50, microsOf(eachOut).P50
	return sum, nil
}
