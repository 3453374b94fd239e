// Package pq is a priority queue for searches: float64 keys, int32 numbers, no boxing and no
// allocation once it has grown.
package pq

// Item is an item of the queue: a number and its key.
type Item struct {
	Key float64 // not NaN
	ID  int32
}

// Heap is a 4-ary min-heap. The zero Heap is empty and ready for use. A number may wait several
// times with different keys; who lowers a key pushes again and skips the stale item when it comes
// out (this costs less than keeping track of where every number is).
//
// Items come out by rising key and, among equal keys, by falling number: searches number their nodes in the
// order of creation, so the newest of equally good nodes goes on first. The order depends only on the heap's
// contents, not on the order of insertion.
type Heap struct{ items []Item }

// arity 4 keeps the children of an item within one cache line.
const arity = 4

// before is the order of the heap.
func before(a, b Item) bool { return a.Key < b.Key || a.Key == b.Key && a.ID > b.ID }

// Len returns the number of items.
func (h *Heap) Len() int { return len(h.items) }

// Reset removes all items and keeps the memory.
func (h *Heap) Reset() { h.items = h.items[:0] }

// Min returns the first item. The heap must not be empty.
func (h *Heap) Min() Item { return h.items[0] }

// Items returns all items, the first item first and the others in no particular order. They are the heap's own memory,
// valid until the next change.
func (h *Heap) Items() []Item { return h.items }

// Push adds an item. Time O(log n).
func (h *Heap) Push(key float64, id int32) {
	x := Item{key, id}
	h.items = append(h.items, x)
	// The hole moves up until its parent comes before x.
	i := len(h.items) - 1
	for i > 0 {
		up := (i - 1) / arity
		if !before(x, h.items[up]) {
			break
		}
		h.items[i] = h.items[up]
		i = up
	}
	h.items[i] = x
}

// Pop removes and returns the first item. The heap must not be empty. Time O(log n).
func (h *Heap) Pop() Item {
	first := h.items[0]
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	if n == 0 {
		return first
	}
	// The hole moves down along the smallest children until x comes before all of them.
	i := 0
	for {
		child := arity*i + 1
		if child >= n {
			break
		}
		best := child
		for c := child + 1; c < min(child+arity, n); c++ {
			if before(h.items[c], h.items[best]) {
				best = c
			}
		}
		if !before(h.items[best], x) {
			break
		}
		h.items[i] = h.items[best]
		i = best
	}
	h.items[i] = x
	return first
}
