package overlay

// Reduce replaces the inputs of an arrangement by the areas of rules: input k winds once around the places that rule k
// holds for, and nowhere else. Edges between places for which the same rules hold go. Who has much to ask of many inputs
// asks it of fewer then. Results are as before: TestReduce. Time O(edges × (inputs + rules)).
func (a *Arrangement) Reduce(rules ...Rule) {
	kept := int32(0)
	number := make([]int32, len(a.edges)) // new numbers of kept edges; for a removed edge, the number of the next kept edge beneath, or -1
	below, across := make([]int32, 0, len(rules)*len(a.edges)), make([]int32, 0, len(rules)*len(a.edges))
	holding := func(r Rule, w Winding) int32 {
		if r(w) {
			return 1
		}
		return 0
	}
	above := make(Winding, a.inputs)
	for e := range int32(len(a.edges)) {
		beneath := a.Beneath(e)
		a.above(above, e)
		divides := false
		for _, r := range rules {
			from, to := holding(r, beneath), holding(r, above)
			below, across = append(below, from), append(across, to-from)
			divides = divides || from != to
		}
		under := a.under[e]
		if under >= 0 {
			under = number[under]
		}
		if divides {
			number[e] = kept
			a.edges[kept], a.under[kept] = a.edges[e], under
			kept++
		} else {
			number[e] = under
		}
		below, across = below[:int(kept)*len(rules)], across[:int(kept)*len(rules)]
	}
	a.inputs, a.edges, a.below, a.across, a.under = len(rules), a.edges[:kept], below, across, a.under[:kept]
}

// Each calls f with the winding numbers of the places beside every edge; f must copy the numbers to keep them.
func (a *Arrangement) Each(f func(Winding)) {
	above := make(Winding, a.inputs)
	for e := range int32(len(a.edges)) {
		f(a.Beneath(e))
		a.above(above, e)
		f(above)
	}
}

// above writes the winding numbers above an edge to w.
func (a *Arrangement) above(w Winding, e int32) {
	beneath := a.Beneath(e)
	for k, x := range a.across[int(e)*a.inputs:][:a.inputs] {
		w[k] = beneath[k] + x
	}
}
