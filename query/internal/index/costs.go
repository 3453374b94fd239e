package index

// Area costs of a mesh that changes: see editor.go.
//
// Idea: costs belong to areas; hence an Index with costs has the regions and portals of an Index without. Whether the
// ground is uneven follows from the areas in use. An Editor counts the regions of each area from the first costs on.
//
// If all regions cost the same, and not 1, the costs of links are divided by this cost, see [Ground]. Links may then be
// cheaper than their length, unlike those of the base. All hops are found anew, and the separations of the base hold with all
// starts of links for goals, see relink.go.
//
// Guarantees: the answers are those of the costs on a mesh made from scratch (TestEditorCosts).
//
// Cost: O(n) for the first costs on a mesh of n regions; then O(k) for a change that replaces k regions.

import (
	"fmt"
	"math"
)

// SetCosts sets the costs of a metre of areas, as in query.Filter, from the next change on. Areas without an entry cost
// what they cost on the base. Closed areas are errors: give their regions no cells instead.
func (e *Editor) SetCosts(costs map[uint8]float64) error {
	ground, err := e.base.Ground.with(costs)
	if err != nil {
		return err
	}
	for a, c := range costs {
		if math.IsInf(c, 1) {
			return fmt.Errorf("query: editor: area %d costs %g a metre, must be finite", a, c)
		}
	}
	if e.counts == nil && len(costs) > 0 {
		e.counts = new([areas]int)
		for r := range uint32(e.now.RegionLimit()) {
			if reg := e.now.Region(r); !reg.Split && len(reg.Ring) > 0 {
				e.counts[reg.Area]++
			}
		}
	}
	e.ground = ground
	return nil
}

// level counts the areas of the regions that a change takes and brings, and sets the ground of the next Index.
func (w *work) level() {
	e := w.e
	if e.counts == nil {
		return
	}
	for _, r := range w.left.keys {
		e.counts[w.old.Region(r).Area]--
	}
	for _, r := range w.came.keys {
		e.counts[w.next.Region(r).Area]++
	}
	least, most := math.Inf(1), 0.0
	for a, n := range e.counts {
		if n > 0 {
			least, most = min(least, e.ground.Costs[a]), max(most, e.ground.Costs[a])
		}
	}
	g := Ground{Costs: e.ground.Costs}
	if g.settle(least, most); g != *w.old.Ground {
		w.next.Ground = &g
	}
}
