package search

import (
	"math"
	"slices"
)

// label is a search's data of a node.
type label struct {
	g      float64 // cost of the best way known
	h      float64 // estimate of the rest
	parent int32   // the node before on the way; the root is its own parent
	stamp  uint32  // generation: even while open, odd when closed
}

// labels are the labels of all nodes. Starting a search makes all of them invalid in O(1): a label
// counts only if its stamp is of the current generation.
type labels struct {
	at  []label
	gen uint32 // even
}

func newLabels(n int) labels { return labels{at: make([]label, n)} }

// begin forgets all labels.
func (l *labels) begin() {
	if l.gen >= math.MaxUint32-1 {
		// Once in two billion searches old stamps could be taken for new ones.
		clear(l.at)
		l.gen = 0
	}
	l.gen += 2
}

// known reports whether node n has been reached in this search.
func (l *labels) known(n int32) bool { return l.at[n].stamp|1 == l.gen|1 }

// closed reports whether node n has been taken up in this search.
func (l *labels) closed(n int32) bool { return l.at[n].stamp == l.gen|1 }

// appendTo appends the nodes from n back to the root of its tree.
func (l *labels) appendTo(path []int32, n int32) []int32 {
	for {
		path = append(path, n)
		p := l.at[n].parent
		if p == n {
			return path
		}
		n = p
	}
}

// path returns the nodes from the root to n in the memory of buf.
func (l *labels) path(buf []int32, n int32) []int32 {
	buf = l.appendTo(buf[:0], n)
	slices.Reverse(buf)
	return buf
}

// join returns the nodes from the root of l over meet to the root of back in the memory of buf.
func (l *labels) join(buf []int32, back *labels, meet int32) []int32 {
	buf = l.path(buf, meet)
	return back.appendTo(buf[:len(buf)-1], meet)
}
