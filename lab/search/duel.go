package search

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// apart keeps the data of two goroutines off each other's cache lines, which are fetched in pairs.
type apart [128]byte

// flag is an atomic bool on cache lines of its own.
type flag struct {
	_ apart
	atomic.Bool
	_ apart
}

// number is an atomic float64 on cache lines of its own.
type number struct {
	_    apart
	bits atomic.Uint64
	_    apart
}

func (n *number) load() float64   { return math.Float64frombits(n.bits.Load()) }
func (n *number) store(x float64) { n.bits.Store(math.Float64bits(x)) }

// duel is the common state of two sides that search towards each other.
type duel struct {
	best  number // cost of the cheapest path known
	stop  flag
	mutex sync.Mutex // guards meet and the lowering of best
	meet  int32      // node of the cheapest path known, or -1
	ctx   context.Context
	wait  sync.WaitGroup
	path  []int32
}

// begin forgets the last search.
func (s *duel) begin(ctx context.Context) {
	s.ctx, s.meet = ctx, -1
	s.best.store(math.Inf(1))
	s.stop.Store(false)
}

// offer lowers the bound to the cost of a path over node v, unless the other side was faster.
func (s *duel) offer(cost float64, v int32) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if cost < s.best.load() {
		s.best.store(cost)
		s.meet = v
	}
}

// shared is the readable part of a side for the other side.
type shared struct {
	least number          // no open node of this side has a smaller f
	way   []atomic.Uint64 // bits of the cost of the way to a node, valid if its mark is
	mark  []atomic.Uint32 // the number of the search that wrote the way last
}

func newShared(n int) shared {
	return shared{way: make([]atomic.Uint64, n), mark: make([]atomic.Uint32, n)}
}

// begin forgets the marks if the numbers of searches have started again.
func (s *shared) begin(again bool) {
	if again {
		for i := range s.mark {
			s.mark[i].Store(0)
		}
	}
}

// publish lets the other side know the cost of the way to node n; fresh is for the first way of a search.
func (s *shared) publish(n int32, cost float64, search uint32, fresh bool) {
	s.way[n].Store(math.Float64bits(cost))
	if fresh {
		s.mark[n].Store(search)
	}
}

// cost is the cost of the way to node n, which must be marked.
func (s *shared) cost(n int32) float64 { return math.Float64frombits(s.way[n].Load()) }
