package dasfv

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// link drops the portals to regions that are gone, and finds those of new regions, and the obstacles beside them.
func (u *update) link(standing []*obstacle) {
	gone := map[RegionID]bool{}
	for _, r := range u.gone {
		gone[r.ID] = true
	}
	for _, r := range u.neighbours {
		r.Portals = slices.DeleteFunc(r.Portals, func(p Portal) bool { return gone[p.To] })
	}
	for _, r := range u.kept {
		r.forget(u.freed)
		for _, id := range u.touched[r.ID] {
			r.Obstacles = insert(r.Obstacles, id)
		}
	}
	around := slices.Concat(u.neighbours, u.fresh)
	regions := treeOf(around, func(r *Region) lattice.Box { return r.box })
	obstacles := treeOf(standing, func(o *obstacle) lattice.Box { return widened(o.box, farthest) })
	var found []int32
	for k, r := range u.fresh {
		box := flat(r.box)
		found = regions.IDs(&box, found[:0])
		for _, i := range found {
			// Of two new regions, the later one finds the earlier.
			if int(i) < len(u.neighbours)+k {
				u.Borders++
				join(r, around[i])
			}
		}
		found = obstacles.IDs(&box, found[:0])
		for _, i := range found {
			if r.along(standing[i]) {
				r.Obstacles = insert(r.Obstacles, standing[i].id)
			}
		}
	}
}

// treeOf returns the tree of the boxes of a list.
func treeOf[T any](list []T, box func(T) lattice.Box) *boxtree.Tree[int32] {
	boxes := make([]boxtree.Box[int32], len(list))
	for i, x := range list {
		boxes[i] = flat(box(x))
	}
	return boxtree.New(boxes, nil)
}

func flat(b lattice.Box) boxtree.Box[int32] {
	return boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y, 0}, High: [3]int32{b.Max.X, b.Max.Y, 0}}
}

// join gives two regions portals to each other, where they have a common border.
func join(r, o *Region) {
	if from, to, ok := border(r.ring, o.ring); ok {
		r.addPortal(Portal{To: o.ID, Left: to, Right: from})
		o.addPortal(Portal{To: r.ID, Left: from, Right: to})
	}
}

func (r *Region) addPortal(p Portal) {
	i, found := slices.BinarySearchFunc(r.Portals, p.To, func(q Portal, id RegionID) int { return cmp.Compare(q.To, id) })
	if !found {
		r.Portals = slices.Insert(r.Portals, i, p)
	}
}

// combine unites new regions with regions that stayed where the union is convex, as the last step of PASFV unites all.
// The union is a new region, and may be united again.
func (w *World) combine(u *update) {
	var waiting []RegionID
	for _, r := range u.fresh {
		waiting = append(waiting, r.ID)
	}
	for i := 0; i < len(waiting); i++ {
		r := u.region(waiting[i])
		if r == nil {
			continue
		}
		for _, p := range r.Portals {
			o := u.region(p.To)
			if corners := unite(r, o); corners != nil {
				waiting = append(waiting, w.region)
				w.unite(u, r, o, corners)
				break
			}
		}
	}
}

// unite puts a union in the place of its two parts.
func (w *World) unite(u *update, r, o *Region, corners []Corner) {
	union := newRegion(corners)
	union.ID = w.region
	w.region++
	for _, part := range [2]*Region{r, o} {
		for _, id := range part.Obstacles {
			union.Obstacles = insert(union.Obstacles, id)
		}
		for _, p := range part.Portals {
			n := u.region(p.To)
			n.Portals = slices.DeleteFunc(n.Portals, func(q Portal) bool { return q.To == part.ID })
			if n != r && n != o {
				u.Borders++
				join(union, n)
			}
		}
	}
	u.takeOut(r)
	u.takeOut(o)
	u.fresh = append(u.fresh, union)
	u.Combined++
}

// region returns a region of the world in the making.
func (u *update) region(id RegionID) *Region {
	for _, list := range [2][]*Region{u.kept, u.fresh} {
		if i, found := slices.BinarySearchFunc(list, id, func(r *Region, id RegionID) int { return cmp.Compare(r.ID, id) }); found {
			return list[i]
		}
	}
	return nil
}

// takeOut removes a region that has become a part of another. One that had stayed until now is gone.
func (u *update) takeOut(r *Region) {
	if i := slices.Index(u.fresh, r); i >= 0 {
		u.fresh = slices.Delete(u.fresh, i, i+1)
		return
	}
	i := slices.Index(u.kept, r)
	u.kept = slices.Delete(u.kept, i, i+1)
	u.gone = append(u.gone, r)
}
