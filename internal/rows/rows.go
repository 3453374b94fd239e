// Package rows keeps many short lists in one array: compressed rows.
//
// Idea: a counting sort. One pass counts the items of every row, the sums of the counts are the starts of the rows, and a
// second pass puts every item into its row.
//
// Guarantees:
//  1. Row i holds the items added to row i, in the order of their adding: TestAgainstLists.
//  2. The zero Rows has no rows.
//
// Cost: time and memory O(rows + items), two calls of the caller's loop, and three allocations.
package rows

import "slices"

// Rows are lists of items. Row i is Items[First[i]:First[i+1]].
type Rows[T any] struct {
	First []int32
	Items []T
}

// New returns n rows with the items that each adds. New calls each twice, and each must add the same items both times.
func New[T any](n int, each func(add func(row int32, item T))) Rows[T] {
	r := Rows[T]{First: make([]int32, n+1)}
	each(func(row int32, _ T) { r.First[row+1]++ })
	for i := range n {
		r.First[i+1] += r.First[i]
	}
	r.Items = make([]T, r.First[n])
	next := slices.Clone(r.First)
	each(func(row int32, item T) {
		r.Items[next[row]] = item
		next[row]++
	})
	return r
}

// Of returns row i.
func (r *Rows[T]) Of(i int32) []T { return r.Items[r.First[i]:r.First[i+1]] }
