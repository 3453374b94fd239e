package query

import (
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// waiting is a queue of nodes that keeps a best node out of its heap: most nodes that a search expands next have just
// been made, and the extra slot saves their trip through the heap.
type waiting struct {
	heap pq.Heap
	key  float64 // of first
	// first is a node at least as good as all nodes in the heap, or none.
	first int32
}

// reset removes all nodes and keeps the memory.
func (w *waiting) reset() {
	w.heap.Reset()
	w.key, w.first = math.Inf(1), index.None
}

// add adds a node with a finite key.
func (w *waiting) add(key float64, id int32) {
	if key <= w.key {
		key, id, w.key, w.first = w.key, w.first, key, id
		if id == index.None {
			return
		}
	}
	w.heap.Push(key, id)
}

// least returns the least key, +Inf for an empty queue.
func (w *waiting) least() float64 {
	if w.heap.Len() > 0 {
		return min(w.key, w.heap.Min().Key)
	}
	return w.key
}

// take removes a node of the least key, of equals the newest, and returns the node. The queue must not be empty.
func (w *waiting) take() int32 {
	if w.heap.Len() > 0 && (w.first == index.None || w.heap.Min().Key < w.key) {
		return w.heap.Pop().ID
	}
	id := w.first
	w.key, w.first = math.Inf(1), index.None
	return id
}

// drain appends all nodes to a list, in no particular order, and removes them.
func (w *waiting) drain(list []int32) []int32 {
	if w.first != index.None {
		list = append(list, w.first)
	}
	for _, item := range w.heap.Items() {
		list = append(list, item.ID)
	}
	w.reset()
	return list
}
