package metric

// Degree is metric 4, the distribution of the graph degree (section 6.4): for every region the number of regions that
// share at least Options.EdgeThreshold of edge with it. Links do not count. The value is the mean; more is better.
type Degree struct {
	Value Number `json:"value"`
	// Isolated regions have no neighbour, DeadEnds one.
	Isolated     int          `json:"isolated"`
	DeadEnds     int          `json:"dead_ends"`
	Distribution Distribution `json:"distribution"`
	// Histogram counts the regions with 0, 1, 2 … neighbours.
	Histogram []int `json:"histogram"`
}

func (v *view) degree(opt *Options) Degree {
	counts := v.degrees(opt)
	var d Degree
	for _, n := range counts {
		switch n {
		case 0:
			d.Isolated++
		case 1:
			d.DeadEnds++
		}
	}
	d.Distribution = describe(floats(counts))
	d.Value = d.Distribution.Mean
	d.Histogram = tally(counts, 1<<30)
	return d
}

// degrees are the numbers of neighbours of all regions.
func (v *view) degrees(opt *Options) []int {
	least := toUnits(opt.EdgeThreshold)
	counts := make([]int, len(v.next))
	for r := range v.next {
		for _, a := range v.next[r] {
			if a.width >= least {
				counts[r]++
			}
		}
	}
	return counts
}

// Diameter is metric 10 (section 6.10): the most portals on a way of fewest portals between any two regions. Infinite
// if some regions are unconnected, unknown for no regions; fewer are better.
type Diameter struct {
	Value Number `json:"value"`
	// Within is the largest diameter of a connected part, regardless of other parts.
	Within int `json:"within_parts"`
	Parts  int `json:"parts"`
}

// diameter finds the exact diameter without a search from every region.
//
// Source: F. W. Takes, W. A. Kosters, Determining the diameter of small world networks, CIKM 2011: after a search from
// u, every region v has an eccentricity from max(d, ecc(u)-d) to ecc(u)+d, with d their distance. The searches start in
// turn from the region with the highest upper bound and from the region with the lowest lower bound. They end when no
// upper bound is above the largest eccentricity found. Time O(s·(R+E)) for s searches, at worst one from every region.
func (v *view) diameter() Diameter {
	n := len(v.next)
	d := Diameter{Value: unknown}
	if n == 0 {
		return d
	}
	b := breadth{distance: make([]int32, n)}
	for i := range b.distance {
		b.distance[i] = -1
	}
	seen := make([]bool, n)
	low, high := make([]int32, n), make([]int32, n)
	for r := range n {
		if seen[r] {
			continue
		}
		d.Parts++
		b.search(v, r)
		part := make([]int, len(b.order))
		copy(part, b.order)
		for _, q := range part {
			seen[q] = true
			low[q], high[q] = 0, int32(len(part))
		}
		d.Within = max(d.Within, b.eccentric(v, part, low, high, d.Within))
	}
	d.Value = Number(d.Within)
	if d.Parts > 1 {
		d.Value = infinite
	}
	return d
}

// breadth is a breadth-first search and its memory.
type breadth struct {
	order    []int   // regions in the order of the last search
	distance []int32 // of the regions in order, -1 for all others
}

// search visits all regions connected with start and returns the distance of the last region.
func (b *breadth) search(v *view, start int) int32 {
	for _, r := range b.order {
		b.distance[r] = -1
	}
	b.order = append(b.order[:0], start)
	b.distance[start] = 0
	for i := 0; i < len(b.order); i++ {
		r := b.order[i]
		for _, a := range v.next[r] {
			if b.distance[a.to] < 0 {
				b.distance[a.to] = b.distance[r] + 1
				b.order = append(b.order, a.to)
			}
		}
	}
	return b.distance[b.order[len(b.order)-1]]
}

// eccentric returns the largest eccentricity in a part, but at least least.
func (b *breadth) eccentric(v *view, part []int, low, high []int32, least int) int {
	best := int32(least)
	for turn := 0; ; turn++ {
		pick := -1
		for _, r := range part {
			if high[r] <= best || low[r] == high[r] {
				continue // cannot raise the maximum, or is settled
			}
			if pick < 0 || turn%2 == 0 && high[r] > high[pick] || turn%2 == 1 && low[r] < low[pick] {
				pick = r
			}
		}
		if pick < 0 {
			return int(best)
		}
		e := b.search(v, pick)
		for _, r := range b.order {
			d := b.distance[r]
			low[r] = max(low[r], d, e-d)
			high[r] = min(high[r], e+d)
			best = max(best, low[r])
		}
		low[pick], high[pick] = e, e
	}
}
