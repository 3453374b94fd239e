package pq

import (
	"math"

	"github.com/meadow-nav/meadow/internal/floats"
)

// none stands for no node.
const none = -1

// Queue is a queue of nodes that keeps a best node out of its heap: most nodes that a search expands next have just
// been made, and the extra slot saves their trip through the heap.
type Queue struct {
	heap Heap
	key  float64 // of first
	// first is a node at least as good as all nodes in the heap, or none.
	first int32
}

// Reset removes all nodes and keeps the memory.
func (w *Queue) Reset() {
	w.heap.Reset()
	w.key, w.first = math.Inf(1), none
}

// Add adds a node with a finite key.
func (w *Queue) Add(key float64, id int32) {
	if key <= w.key {
		key, id, w.key, w.first = w.key, w.first, key, id
		if id == none {
			return
		}
	}
	w.heap.Push(key, id)
}

// Least returns the least key, +Inf for an empty queue.
func (w *Queue) Least() float64 {
	if w.heap.Len() > 0 {
		return floats.Min(w.key, w.heap.Min().Key)
	}
	return w.key
}

// Take removes a node of the least key, of equals the newest, and returns the node. The queue must not be empty.
func (w *Queue) Take() int32 {
	if w.heap.Len() > 0 && (w.first == none || w.heap.Min().Key < w.key) {
		return w.heap.Pop().ID
	}
	id := w.first
	w.key, w.first = math.Inf(1), none
	return id
}

// Drain appends all nodes to a list, in no particular order, and removes them.
func (w *Queue) Drain(list []int32) []int32 {
	if w.first != none {
		list = append(list, w.first)
	}
	for _, item := range w.heap.Items() {
		list = append(list, item.ID)
	}
	w.Reset()
	return list
}
