package wavefront

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/internal/growth"
	"github.com/meadow-nav/meadow/internal/pq"
)

// Order is the order in which seeds are taken from the list of potential seeds.
type Order uint8

// The orders.
const (
	Random        Order = iota // as published: drawn by gen.Input.Seed; the page on Wavefront says why it is the default
	LongestEdge                // beside the longest exposed edge first
	LargestRegion              // the seed first whose region has the largest area; takes twice the time
)

// String returns the order as a word.
func (o Order) String() string {
	switch o {
	case Random:
		return "random"
	case LongestEdge:
		return "longest edge"
	case LargestRegion:
		return "largest region"
	}
	return "unknown order"
}

// sort orders seeds, given in the order of their places.
func (o Order) sort(w *growth.World, seeds []growth.Seed, rng *rand.Rand) {
	switch o {
	case Random:
		shuffle(seeds, rng)
	case LongestEdge:
		type keyed struct {
			growth.Seed
			length2 uint64
		}
		keys := make([]keyed, len(seeds))
		for i, s := range seeds {
			from, to := w.Ends(w.Beside(s))
			keys[i] = keyed{s, from.Distance2(to)}
		}
		slices.SortStableFunc(keys, func(a, b keyed) int { return cmp.Compare(b.length2, a.length2) })
		for i, k := range keys {
			seeds[i] = k.Seed
		}
	}
}

// neighbourhood is the number of seeds drawn before the next are.
const neighbourhood = 64

// shuffle orders seeds at random: first the neighbourhoods, then the seeds of each. More of a region's
// surroundings is then in the cache than with a draw from all seeds: 10⁵ vertices take two thirds of the
// time.
func shuffle(seeds []growth.Seed, rng *rand.Rand) {
	all := slices.Clone(seeds)
	starts := make([]int, 0, len(all)/neighbourhood+1)
	for i := 0; i < len(all); i += neighbourhood {
		starts = append(starts, i)
	}
	rng.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	n := 0
	for _, i := range starts {
		part := all[i:min(i+neighbourhood, len(all))]
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		n += copy(seeds[n:], part)
	}
}

// claimAll grows and claims a region beside every seed whose space has not been claimed, in order. It returns the
// seeds whose regions had no room for their corners.
func claimAll(ctx context.Context, w *growth.World, seeds []growth.Seed) (stuck []growth.Seed, err error) {
	for i, s := range seeds {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e := w.Beside(s); e >= 0 && !w.Claim(e/3, grow(w, e)) {
			stuck = append(stuck, s)
		}
	}
	return stuck, nil
}

// claimTriangles claims a triangle beside every seed whose region has no room, in order. A triangle may make room for
// the region of a later seed.
func claimTriangles(ctx context.Context, w *growth.World, stuck []growth.Seed) error {
	for i, s := range stuck {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if e := w.Beside(s); e >= 0 && !w.Claim(e/3, grow(w, e)) {
			w.ClaimTriangle(w.Beside(s))
		}
	}
	return nil
}

// claimLargest claims the region with the largest area first; of equal regions, the first seed's. It returns the seeds
// whose regions had no room for their corners.
//
// Regions become smaller when others claim from them, as a rule. So old areas bound present areas: a region
// that is still as large as the largest bound is the largest. A region may also grow, because a notch before
// it was claimed; a grown area is found in its turn.
func claimLargest(ctx context.Context, w *growth.World, seeds []growth.Seed) (stuck []growth.Seed, err error) {
	var queue pq.Heap
	for i, s := range seeds {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := w.Beside(s)
		queue.Push(-w.Area(e/3, grow(w, e)), -int32(i))
	}
	for i := 0; queue.Len() > 0; i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		first := queue.Pop()
		s := seeds[-first.ID]
		e := w.Beside(s)
		if e < 0 {
			continue
		}
		b := grow(w, e)
		if key := -w.Area(e/3, b); queue.Len() > 0 && key > queue.Min().Key {
			queue.Push(key, first.ID)
			continue
		}
		if !w.Claim(e/3, b) {
			stuck = append(stuck, s)
		}
	}
	return stuck, nil
}
