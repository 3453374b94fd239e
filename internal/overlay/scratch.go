package overlay

import (
	"context"
	"sync"

	"github.com/meadow-nav/meadow/internal/par"
)

// scratch is memory for making an arrangement. Extraction makes thousands of small arrangements and passes
// the memory on; no result keeps a part of it.
type scratch struct {
	segs, united []segment
	order, spare []keyed
	keys         []uint64
	spareKeys    []uint64
	divider      divider
	visits       []visit
	passed       []int32
	begin, next  []int32
	found        []int32
	begun        []begun
	passing      []passing
	pieces       []piece
	first        []int32
	ends, nodeOf []int32
	nodes        []node
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// retained is how many elements a slice may have to be kept: large arrangements are rare, and their memory
// better goes back.
const retained = 1 << 16

// release passes the memory on, except large slices. Most large slices are already gone: see [shed].
func (s *scratch) release() {
	for _, large := range [...]*[]int32{&s.passed, &s.begin, &s.next, &s.found, &s.first, &s.ends, &s.nodeOf} {
		shed(large)
	}
	shed(&s.segs)
	shed(&s.united)
	shed(&s.visits)
	shed(&s.begun)
	shed(&s.passing)
	shed(&s.pieces)
	shed(&s.nodes)
	s.divider.shed()
	scratches.Put(s)
}

// shed drops the memory of a slice that nobody needs any more where the slice is large: the steps of a large arrangement
// need much memory each, and at different times.
func shed[T any](s *[]T) {
	if cap(*s) > retained {
		*s = nil
	}
}

// inParts returns the results of f for the numbers below n, part by part: one part in the given memory for one job, else
// parts with their own memory.
func inParts[T any](jobs, n int, s *scratch, f func(from, to int, s *scratch) []T) [][]T {
	if jobs == 1 {
		return [][]T{f(0, n, s)}
	}
	all := make([][]T, parts)
	_ = par.For(context.Background(), jobs, parts, func(i int) error {
		all[i] = f(n*i/parts, n*(i+1)/parts, new(scratch))
		return nil
	})
	return all
}

// parts is in how many parts several goroutines divide their work.
const parts = 32

// zeros returns a slice of n zero values, in the memory of s where that is enough.
func zeros[T any](s []T, n int) []T {
	s = sized(s, n)
	clear(s)
	return s
}

// sized is zeros, with any values.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, withSpare(n))
	}
	return s[:n]
}

// withSpare returns how many elements a slice of n gets: some more than n, unless the memory will not be kept.
func withSpare(n int) int {
	if n > retained {
		return n
	}
	return n + n/4
}

// arrangements with reusable memory.
var arrangements = sync.Pool{New: func() any { return new(Arrangement) }}

// Release gives the memory of an arrangement to later ones. Do not use the arrangement afterwards; its earlier
// results stay valid. It saves much time for callers with many small arrangements.
func (a *Arrangement) Release() {
	if cap(a.below) <= retained {
		arrangements.Put(a)
	}
}

// borderScratch is the memory for walking a border. The slices side, done and beneath (by edge) and count and place (by vertex)
// are zero between two borders, so a border costs nothing for edges outside of it.
type borderScratch struct {
	side         []int8
	done         []bool
	over         []bool  // whether the rule holds above each edge
	beneath      []int32 // 1 + the edge of the border next beneath; 0 if unknown
	visited      []int32 // edges with an entry in beneath
	count, place []int32
	ring, labels []int32 // by edge
	end          []int32 // by vertex
	all          []int32
	edges, out   []int32
	walk         []int32
	loops        []int32 // the edges of all rings, one after the other
	rings        []loop
	of           []int32
}

// grow makes room for edges edges and points vertices.
func (s *borderScratch) grow(edges, points int) {
	s.side, s.done, s.beneath = longer(s.side, edges), longer(s.done, edges), longer(s.beneath, edges)
	s.count, s.place = longer(s.count, points), longer(s.place, points)
	s.over, s.ring, s.end = sized(s.over, edges), sized(s.ring, edges), sized(s.end, points)
}

// longer returns a slice of n elements or more. All of s is zero, and so is the result.
func longer[T any](s []T, n int) []T {
	if len(s) < n {
		return make([]T, withSpare(n))
	}
	return s
}

// loop is a ring of edges in the list of all.
type loop struct{ first, end int32 }

var borders = sync.Pool{New: func() any { return new(borderScratch) }}

func (s *borderScratch) release() {
	if cap(s.side) <= retained && cap(s.end) <= retained {
		borders.Put(s)
	}
}
