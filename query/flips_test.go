package query

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestFlipsAgainstScratch closes and opens doors of one to three regions again and again, while other doors and other floor
// change: every Index equals the Index of a mesh made from scratch, old Indexes keep their content, most doors that move alone
// put the pages of their last state back, and some put the borders of their last state back after other changes nearby.
func TestFlipsAgainstScratch(t *testing.T) {
	race.Skip(t)
	seeds := [3]uint64{2, 7, 108}
	var rng *rand.Rand
	back, flips, kept, others := 0, 0, 0, 0
	for i := range 180 {
		if i%60 == 0 {
			rng = rand.New(rand.NewPCG(17, seeds[i/60]))
		}
		m := editorMesh(t, rng, i)
		if m.RegionCount() < 4 || len(m.Tiles) != 1 {
			continue
		}
		if i%4 == 1 {
			withLinks := *m
			withLinks.Links = drawLinks(rng, NewIndex(m))
			withLinks.Connect()
			m = &withLinks
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		var doors [][]uint32
		isDoor := map[uint32]bool{}
		for range 2 + rng.IntN(3) {
			door := []uint32{uint32(rng.IntN(m.RegionCount()))}
			for range rng.IntN(3) {
				if near := base.geo.PortalsOf(base.geo.Region(door[len(door)-1])); len(near) > 0 {
					door = append(door, near[rng.IntN(len(near))].To)
				}
			}
			slices.Sort(door)
			if door = slices.Compact(door); !slices.ContainsFunc(door, func(r uint32) bool { return isDoor[r] }) {
				doors = append(doors, door)
				for _, r := range door {
					isDoor[r] = true
				}
			}
		}
		changed := floors{}
		last := [2]*index.Index{}
		ofDoor := make([][2]*index.Index, len(doors))
		var snapshots []*index.Index
		var want []string
		var links []navmesh.Link
		latest := -1
		for step := range 40 {
			k := rng.IntN(len(doors))
			if rng.IntN(2) == 0 {
				k = 0
			}
			state := 0
			var list []index.Replacement
			for _, r := range doors[k] {
				if _, closed := changed[r]; closed {
					delete(changed, r)
					list = append(list, index.Replacement{Base: r, Whole: true})
				} else {
					changed[r] = nil
					list, state = append(list, index.Replacement{Base: r}), 1
				}
			}
			switch rng.IntN(12) {
			case 0: // floor elsewhere, with the door or alone
				for _, c := range drawChange(rng, base.geo, numbers, floors{}) {
					if !isDoor[c.Base] {
						list = append(list, c)
						changed[c.Base] = c.Cells
						if c.Whole {
							delete(changed, c.Base)
						}
					}
				}
			case 1:
				if i%3 == 1 {
					links = drawLinks(rng, base)
				}
			}
			now, out, err := e.ApplyLinks(list, links)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			if len(out.Boxes) != len(list) {
				t.Fatalf("world %d, step %d: %d boxes for %d regions", i, step, len(out.Boxes), len(list))
			}
			if len(list) == len(doors[k]) && (state == 1 && len(out.Gone) != len(list) || state == 0 && len(out.New) != len(list)) {
				t.Fatalf("world %d, step %d: %d regions change, gone are %v and new %v", i, step, len(list), out.Gone, out.New)
			}
			if k != latest || len(list) != len(doors[k]) {
				last = [2]*index.Index{} // other floor has changed since
			}
			if before := last[state]; before != nil {
				flips++
				if samePages(now, before) {
					back++
				}
			}
			if before := ofDoor[k][state]; before != nil && last[state] == nil && len(list) == len(doors[k]) {
				others++
				if sameBorders(now, before, doors[k]) {
					kept++
				}
			}
			last[state], latest = now, k
			ofDoor[k][state] = now
			snapshots, want = append(snapshots, now), append(want, describe(now))
			mesh, owner := compose(base.geo, changed, links)
			scratch := NewIndex(mesh)
			if err := sameIndex(now, scratch.geo, owner); err != nil {
				t.Fatalf("world %d, step %d: %v\n%+v", i, step, err, list)
			}
			if err := sameAnswers(t, rng, &Index{geo: now}, scratch, 3); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
		}
		for k := range snapshots {
			if describe(snapshots[k]) != want[k] {
				t.Fatalf("world %d: the Index of step %d has changed", i, k)
			}
		}
	}
	if 3*back < flips || back < 100 {
		t.Errorf("%d of %d changes put all pages back", back, flips)
	}
	if 8*kept < others {
		t.Errorf("after other changes, %d of %d put the borders of a door back", kept, others)
	}
}

// samePages reports whether two Indexes share all pages of portals.
func samePages(a, b *index.Index) bool {
	for k := 0; k*index.PortalPage < max(a.PortalLimit(), b.PortalLimit()); k++ {
		if !a.SamePortals(b, k) {
			return false
		}
	}
	return true
}

// sameBorders reports whether two Indexes share the borders of the regions beside a door, at least one region.
func sameBorders(a, b *index.Index, door []uint32) bool {
	some := false
	for _, r := range door {
		portals := a.PortalsOf(a.Region(r))
		if len(portals) == 0 {
			portals = b.PortalsOf(b.Region(r))
		}
		for i := range portals {
			if int(portals[i].To) >= min(a.RegionLimit(), b.RegionLimit()) {
				return false
			}
			x, y := a.RimsOf(portals[i].To), b.RimsOf(portals[i].To)
			if len(x) == 0 || len(y) == 0 || &x[0] != &y[0] {
				return false
			}
			some = true
		}
	}
	return some
}
