package world

import (
	"cmp"
	"iter"
	"slices"
)

// vector is a persistent array: a changed copy shares all pages but those that changed. A page has a few values, a block
// has pages.
type vector[T any] struct{ blocks []*[blockSize]*[pageSize]T }

const (
	pageBits  = 3
	pageSize  = 1 << pageBits
	blockBits = 5
	blockSize = 1 << blockBits
)

// newVector returns a vector of n zero values.
func newVector[T any](n int) vector[T] {
	v := vector[T]{make([]*[blockSize]*[pageSize]T, (n+pageSize*blockSize-1)/(pageSize*blockSize))}
	page, block := new([pageSize]T), new([blockSize]*[pageSize]T)
	for i := range block {
		block[i] = page
	}
	for i := range v.blocks {
		v.blocks[i] = block
	}
	return v
}

// at returns the value at an index.
func (v *vector[T]) at(i uint32) *T {
	return &v.blocks[i>>(pageBits+blockBits)][i>>pageBits%blockSize][i%pageSize]
}

// editing is a vector that is being changed. Blocks and pages that are not those of the old vector are its own.
type editing[T any] struct {
	vector[T]
	old vector[T]
}

// edit returns a copy of v to change. The first change takes time O(n / (pageSize·blockSize)).
func (v *vector[T]) edit() editing[T] { return editing[T]{*v, *v} }

// set changes the value at an index.
func (e *editing[T]) set(i uint32, value T) {
	if &e.blocks[0] == &e.old.blocks[0] {
		e.blocks = slices.Clone(e.blocks)
	}
	b, p := i>>(pageBits+blockBits), i>>pageBits%blockSize
	if e.blocks[b] == e.old.blocks[b] {
		block := *e.blocks[b]
		e.blocks[b] = &block
	}
	if e.blocks[b][p] == e.old.blocks[b][p] {
		page := *e.blocks[b][p]
		e.blocks[b][p] = &page
	}
	e.blocks[b][p][i%pageSize] = value
}

// treap is a persistent sorted map: a changed copy shares all nodes but O(log n). The shape depends on the keys alone.
type treap[V any] struct{ root *treapNode[V] }

type treapNode[V any] struct {
	key         ID
	rank        uint64 // the greatest rank is on top
	value       V
	left, right *treapNode[V]
	count       int
}

// Source: C. R. Aragon and R. Seidel, Randomized search trees, FOCS 1989; the ranks are hashes of the keys.

// rankOf returns the hash of a key: FNV-1a, mixed once more.
func rankOf(key ID) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

func (n *treapNode[V]) size() int {
	if n == nil {
		return 0
	}
	return n.count
}

// with returns a copy of n with other children.
func (n *treapNode[V]) with(left, right *treapNode[V]) *treapNode[V] {
	c := *n
	c.left, c.right, c.count = left, right, left.size()+right.size()+1
	return &c
}

// len returns the number of keys.
func (t treap[V]) len() int { return t.root.size() }

// get returns the value of a key.
func (t treap[V]) get(key ID) (value V, ok bool) {
	for n := t.root; n != nil; {
		switch c := cmp.Compare(key, n.key); {
		case c < 0:
			n = n.left
		case c > 0:
			n = n.right
		default:
			return n.value, true
		}
	}
	return value, false
}

// set returns t with a value for a key.
func (t treap[V]) set(key ID, value V) treap[V] {
	left, right := t.without(key).root.split(key)
	one := &treapNode[V]{key: key, rank: rankOf(key), value: value, count: 1}
	return treap[V]{meld(meld(left, one), right)}
}

// without returns t without a key.
func (t treap[V]) without(key ID) treap[V] { return treap[V]{t.root.remove(key)} }

func (n *treapNode[V]) remove(key ID) *treapNode[V] {
	if n == nil {
		return nil
	}
	switch c := cmp.Compare(key, n.key); {
	case c < 0:
		if l := n.left.remove(key); l != n.left {
			return n.with(l, n.right)
		}
	case c > 0:
		if r := n.right.remove(key); r != n.right {
			return n.with(n.left, r)
		}
	default:
		return meld(n.left, n.right)
	}
	return n
}

// split parts the keys below key from those above.
func (n *treapNode[V]) split(key ID) (below, above *treapNode[V]) {
	if n == nil {
		return nil, nil
	}
	if n.key < key {
		l, r := n.right.split(key)
		return n.with(n.left, l), r
	}
	l, r := n.left.split(key)
	return l, n.with(r, n.right)
}

// meld returns the nodes of two treaps; all keys of a are below those of b.
func meld[V any](a, b *treapNode[V]) *treapNode[V] {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.rank > b.rank || a.rank == b.rank && a.key < b.key:
		return a.with(a.left, meld(a.right, b))
	}
	return b.with(meld(a, b.left), b.right)
}

// all yields the values in the order of their keys.
func (t treap[V]) all() iter.Seq2[ID, V] {
	return func(yield func(ID, V) bool) { t.root.each(yield) }
}

func (n *treapNode[V]) each(yield func(ID, V) bool) bool {
	return n == nil || n.left.each(yield) && yield(n.key, n.value) && n.right.each(yield)
}
