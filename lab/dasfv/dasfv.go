// Package dasfv repairs a decomposition by growth where obstacles come and go.
//
// Source: Hale, A growth-based approach to the automatic generation of navigation meshes,
// dissertation, 2011, chapter 5 (Dynamic Adaptive Space Filling Volumes), algorithms 5.1 and 5.2.
//
// Idea: the regions that a new obstacle meets go, their neighbours seed, and PASFV fills the vacated floor. With an
// obstacle that is taken away its neighbours go too, so that no slanted border is left in the open; seeds are put where
// the centroids of obstacles were. Portals of removed regions are dropped, and borders are found for new regions only.
//
// Input: a box of floor, and convex obstacles with lattice corners, anywhere and over each other while all their edges
// are parallel to an axis. A slanted edge keeps more than [Apart] units away from all other obstacles and from the rim.
//
// Guarantees, after every change:
//  1. every region is convex, counter-clockwise and of positive area; no two overlap, and none meets an obstacle, decided
//     exactly (TestLaws);
//  2. the regions are rectangles that cover the free floor to the last unit where all obstacles are boxes, and otherwise
//     up to the floor between slanted edges and their rounded corners, which are at most two units away (TestLaws,
//     TestSlantedLaws);
//  3. all borders between regions are parallel to an axis, and at most four regions meet at a free point, as long as
//     Work.Pockets stays 0 (the same tests);
//  4. portals and neighbours of obstacles are those that a look at all pairs finds (the same tests);
//  5. the same changes in the same order give the same regions (TestTheSameAgain). Without known connectivity, an
//     addition gives the same regions as with it (TestConnectivityDoesNotMatter);
//  6. a change that fails changes nothing (TestErrors).
//
// Order of an update: regions that go, by ID; pieces of vacated floor, by their smallest point; in each, seeds of the
// neighbours along the border of the piece or seeds at centroids in the order of the call; regions in the order of their
// seeds; unions of new regions with old ones, by ID. The outcome depends on the order of changes: see the Limits in
// docs/algorithms.
//
// Degenerate cases: an obstacle outside of the floor or under others takes no floor; an obstacle that touches a region
// meets it no more than an obstacle beside it; a centroid under another obstacle is no seed.
//
// Cost: an update compares the box of every region with those of the obstacles of the call and of the regions that go;
// the rest is local.
//
// Departures from the source: a piece of vacated floor that no neighbour and no centroid can seed gets PASFV's grid of
// seeds, as a world without regions does; Work.Unseeded counts such pieces. With several obstacles in a call, all regions go
// first, then all are seeded. A wall with rounded corners is made straight again when the regions there go. Where regions
// that stay lead a new corner more than two units away from its edge, all regions near the edge go too, or in the end all (Work.Strayed).
// Unions with regions that stay are the last step of PASFV, about which chapter 5 says nothing.
package dasfv

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
)

const (
	// MaxSide bounds the sides of a floor, and MaxReach the coordinates of floors and obstacles.
	MaxSide  = 1 << 26
	MaxReach = 1 << 26
	// MaxCorners bounds the corners of an obstacle.
	MaxCorners = 64
	// Apart is a distance in lattice units, 4 mm. Slanted edges keep farther away from other obstacles, from the rim
	// of the floor, and from the other corners of their obstacle.
	Apart = 16
	// mostRounded is how far a rounded corner may be from its edge, and farthest what is looked at as near an edge.
	mostRounded = 2
	farthest    = 6
)

// Options of a world. The zero value is the source's usual case.
type Options struct {
	// Unconnected means that nobody knows which regions are neighbours: all regions are asked to seed, and the neighbours
	// of an obstacle are the regions that it meets when it is grown by 0.1 percent.
	Unconnected bool
	// KeepNeighbours leaves the neighbours of a removed obstacle where they are: the faulty repair of figure 5.3.
	KeepNeighbours bool
	// Spacing of the grid of seeds of a rebuilding, in lattice units. 0 means one seed for every four vertices.
	Spacing int64
	// Watch hears of the growth in vacated floor, nil for nobody. Regions of a world are numbered through, from 0 for each change.
	Watch gen.Tracer
}

// Work counts what a change took.
type Work struct {
	// Tests counts pairs of a region and an obstacle that were tested for an intersection, Borders pairs of
	// regions that were tested for a common border.
	Tests, Borders int
	// Asked counts regions that were asked to seed.
	Asked int
	// Vertices of the vacated floor; Seeds with room, in Rounds of seeding and growth; Grown regions, before any two
	// were combined.
	Vertices, Seeds, Rounds, Grown int
	// Steps adds up how far the fronts of these regions came, in lattice units: the steps of a unit that succeed in the
	// source's growth.
	Steps int64
	// Strayed counts regions that went because their corners on a slanted edge led new ones too far away from the edge.
	Strayed int
	// Combined counts regions combined with regions that had stayed.
	Combined int
	// Pockets counts triangles beside slanted edges where no seed of a unit had room.
	Pockets int
	// Pieces of vacated floor, and those of them that neither a neighbour nor a centroid seeded.
	Pieces, Unseeded int
}

// Change says what a change did.
type Change struct {
	Work
	// Removed and Added are regions in ascending order.
	Removed, Added []RegionID
}

// World is a floor with obstacles, and its decomposition. It is not safe for concurrent use.
type World struct {
	floor     lattice.Box
	options   Options
	obstacles []*obstacle // ascending
	regions   []*Region   // ascending
	obstacle  ID          // the next
	region    RegionID    // the next
	tracing   *traced     // of the change that runs, nil without a tracer
}

// New returns a floor with obstacles, decomposed by PASFV. The obstacles get the IDs from 0 on, in their order.
func New(ctx context.Context, floor lattice.Box, obstacles []lattice.Ring, opt Options) (*World, error) {
	width, height := floor.Size()
	switch {
	case floor.IsEmpty() || width < 1 || height < 1 || width > MaxSide || height > MaxSide || !reaches(floor):
		return nil, fmt.Errorf("dasfv: the floor from %v to %v needs sides of 1 to %d units, and coordinates within ±%d", floor.Min, floor.Max, MaxSide, MaxReach)
	case opt.Spacing < 0:
		return nil, fmt.Errorf("dasfv: the spacing %d is negative", opt.Spacing)
	}
	w := &World{floor: floor, options: opt}
	fresh, err := w.checked(obstacles)
	if err != nil {
		return nil, err
	}
	w.obstacles, w.obstacle = fresh, ID(len(fresh))
	if _, err := w.Rebuild(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

func reaches(b lattice.Box) bool {
	return min(b.Min.X, b.Min.Y) >= -MaxReach && max(b.Max.X, b.Max.Y) <= MaxReach
}

// Floor returns the box that the world is in.
func (w *World) Floor() lattice.Box { return w.floor }

// Obstacles returns the IDs of the obstacles that stand, ascending.
func (w *World) Obstacles() []ID {
	ids := make([]ID, len(w.obstacles))
	for i, o := range w.obstacles {
		ids[i] = o.id
	}
	return ids
}

// Obstacle returns the corners of an obstacle, counter-clockwise; nil for one that does not stand.
func (w *World) Obstacle(id ID) lattice.Ring {
	if o := find(w.obstacles, id); o != nil {
		return slices.Clone(o.ring)
	}
	return nil
}

// Regions returns the regions in ascending order. They are read only.
func (w *World) Regions() []*Region { return slices.Clone(w.regions) }

// Region returns a region, nil where the region is gone.
func (w *World) Region(id RegionID) *Region {
	if i, found := w.place(id); found {
		return w.regions[i]
	}
	return nil
}

func (w *World) place(id RegionID) (int, bool) {
	return slices.BinarySearchFunc(w.regions, id, func(r *Region, id RegionID) int { return cmp.Compare(r.ID, id) })
}

func find(obstacles []*obstacle, id ID) *obstacle {
	i, found := slices.BinarySearchFunc(obstacles, id, func(o *obstacle, id ID) int { return cmp.Compare(o.id, id) })
	if !found {
		return nil
	}
	return obstacles[i]
}

// Add places obstacles: algorithm 5.1. They get ascending IDs in their order.
//
// Errors name the obstacle, by its place in the call: not convex, out of reach, or with a slanted edge near another. An
// error or the end of ctx leaves the world unchanged. Time O(r·n) for n obstacles and r regions, and PASFV's for the
// vacated floor.
func (w *World) Add(ctx context.Context, obstacles ...lattice.Ring) ([]ID, Change, error) {
	fresh, err := w.checked(obstacles)
	if err != nil {
		return nil, Change{}, err
	}
	standing := slices.Concat(w.obstacles, fresh)
	u := update{touched: map[RegionID][]ID{}}
	for _, r := range w.regions {
		for _, o := range fresh {
			u.Tests++
			if r.box.Overlaps(o.box) && meet(r.ring, o.ring) {
				u.gone = append(u.gone, r)
				break
			}
			if r.along(o) {
				u.touched[r.ID] = append(u.touched[r.ID], o.id)
			}
		}
	}
	if err := w.repair(ctx, &u, standing); err != nil {
		return nil, Change{}, err
	}
	ids := make([]ID, len(fresh))
	for i, o := range fresh {
		ids[i] = o.id
	}
	w.obstacle += ID(len(fresh))
	return ids, w.commit(&u, standing), nil
}

// Remove takes obstacles away: algorithm 5.2. An unknown or repeated ID is an error with the ID. An error or the end of ctx
// leaves the world unchanged. Time as for [World.Add].
func (w *World) Remove(ctx context.Context, ids ...ID) (Change, error) {
	standing := slices.Clone(w.obstacles)
	var freed []*obstacle
	centroids := []lattice.Point{}
	for _, id := range ids {
		i := slices.IndexFunc(standing, func(o *obstacle) bool { return o.id == id })
		if i < 0 {
			return Change{}, fmt.Errorf("dasfv: no obstacle %d stands", id)
		}
		freed = append(freed, standing[i])
		centroids = append(centroids, centroid(standing[i].ring))
		standing = slices.Delete(standing, i, i+1)
	}
	slices.SortFunc(freed, func(a, b *obstacle) int { return cmp.Compare(a.id, b.id) })
	u := update{}
	if !w.options.KeepNeighbours {
		u.gone = w.adjoining(freed, &u.Work)
	}
	u.centroids = centroids
	u.freed = freed
	if err := w.repair(ctx, &u, standing); err != nil {
		return Change{}, err
	}
	return w.commit(&u, standing), nil
}

// Neighbours returns the regions that go with an obstacle, ascending; none for one that does not stand.
func (w *World) Neighbours(id ID) (ids []RegionID) {
	if o := find(w.obstacles, id); o != nil {
		for _, r := range w.adjoining([]*obstacle{o}, new(Work)) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// adjoining returns the neighbours of some obstacles, by the known connectivity or by the growth of the obstacles.
func (w *World) adjoining(obstacles []*obstacle, work *Work) (list []*Region) {
	for _, r := range w.regions {
		if slices.ContainsFunc(obstacles, func(o *obstacle) bool {
			if !w.options.Unconnected {
				_, found := slices.BinarySearch(r.Obstacles, o.id)
				return found
			}
			work.Tests++
			width, height := o.box.Size()
			return r.box.Overlaps(widened(o.box, 1+int32(max(width, height)/grownWhole))) && meetGrown(o.ring, r.ring)
		}) {
			list = append(list, r)
		}
	}
	return list
}

// Rebuild decomposes the whole floor anew, which is what a repair is compared with.
func (w *World) Rebuild(ctx context.Context) (Change, error) {
	u := update{gone: w.regions, grid: true}
	pieces, err := w.pieces([]lattice.Ring{ringOf(w.floor)}, w.obstacles, kept{})
	if err != nil {
		return Change{}, fmt.Errorf("dasfv: %w", err)
	}
	if err := w.fillAll(ctx, &u, pieces); err != nil {
		return Change{}, err
	}
	w.finish(&u, w.obstacles)
	return w.commit(&u, w.obstacles), nil
}

// update is a change in the making.
type update struct {
	Work
	grid       bool
	freed      []*obstacle
	touched    map[RegionID][]ID // kept regions that new obstacles come to lie beside
	centroids  []lattice.Point
	bent       []Edge // edges to make straight
	whole      bool   // whether all regions go
	gone, kept []*Region
	neighbours []*Region // kept regions that may border on vacated floor
	fresh      []*Region
}

// without returns the regions that stay, in order.
func (w *World) without(gone []*Region) []*Region {
	kept := make([]*Region, 0, len(w.regions)-len(gone))
	for _, r := range w.regions {
		if len(gone) > 0 && gone[0] == r {
			gone = gone[1:]
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// asked counts the kept regions that are asked to seed: those with a portal to a region that is gone, or all where nobody
// knows.
func (w *World) asked(gone, kept []*Region) (n int) {
	if w.options.Unconnected {
		return len(kept)
	}
	ids := map[RegionID]bool{}
	for _, r := range gone {
		for _, p := range r.Portals {
			ids[p.To] = true
		}
	}
	for _, r := range kept {
		if ids[r.ID] {
			n++
		}
	}
	return n
}

// near returns the kept regions that may border on vacated floor. A region beside floor that a bent wall had taken has no
// portal to a region that is gone, so that boxes decide.
func (u *update) near() (list []*Region) {
	var boxes []lattice.Box
	for _, r := range u.gone {
		boxes = append(boxes, widened(r.box, farthest))
	}
	for _, o := range u.freed {
		boxes = append(boxes, widened(o.box, farthest))
	}
	for _, r := range u.kept {
		if slices.ContainsFunc(boxes, r.box.Overlaps) {
			list = append(list, r)
		}
	}
	return list
}

// repair fills the floor that an update vacates. Nothing of the world has changed where it fails.
func (w *World) repair(ctx context.Context, u *update, standing []*obstacle) error {
	for {
		u.kept = w.without(u.gone)
		u.neighbours = u.near()
		u.Asked = w.asked(u.gone, u.kept)
		pieces, err := w.vacated(u, standing)
		if u.whole {
			pieces, err = w.pieces([]lattice.Ring{ringOf(w.floor)}, standing, kept{})
		}
		if err != nil {
			return fmt.Errorf("dasfv: %w", err)
		}
		if err := w.fillAll(ctx, u, pieces); err != nil {
			return err
		}
		if u.whole || !u.strayed(standing) {
			w.finish(u, standing)
			return nil
		}
	}
}

// strayed tells whether a new region has a corner too far away from its slanted edge: corners of regions that stay had bent
// the edge. Then all regions near the edge go, and the next try has a straight edge. Where even that does not help, all
// regions go.
func (u *update) strayed(standing []*obstacle) bool {
	before := len(u.bent)
	for _, r := range u.fresh {
		for _, c := range r.Corners {
			if c.On == NoEdge || c.away(standing, c.On).CompareInt(mostRounded*mostRounded) <= 0 {
				continue
			}
			if k := slices.Index(u.bent, c.On); k < 0 {
				u.bent = append(u.bent, c.On)
			} else if k < before {
				u.whole = true
			}
		}
	}
	if len(u.bent) == before && !u.whole {
		return false
	}
	for _, r := range u.kept {
		if u.whole || slices.ContainsFunc(u.bent, func(e Edge) bool { return r.near(standing, e) }) {
			u.gone = append(u.gone, r)
			u.Strayed++
		}
	}
	slices.SortFunc(u.gone, func(r, o *Region) int { return cmp.Compare(r.ID, o.ID) })
	return true
}

// fillAll grows regions in all pieces.
func (w *World) fillAll(ctx context.Context, u *update, pieces []piece) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.Pieces, u.fresh = len(pieces), nil
	for i := range pieces {
		regions, err := w.fill(ctx, &pieces[i], seeding{u.grid, u.centroids}, &u.Work)
		if err != nil {
			return fmt.Errorf("dasfv: %w", err)
		}
		u.fresh = append(u.fresh, regions...)
	}
	return nil
}

// finish numbers the new regions, finds their borders and combines them with regions that stay.
func (w *World) finish(u *update, standing []*obstacle) {
	for _, r := range u.fresh {
		r.ID = w.region
		w.region++
	}
	u.link(standing)
	w.combine(u)
}

// commit makes the outcome of an update the world's.
func (w *World) commit(u *update, standing []*obstacle) Change {
	c := Change{Work: u.Work}
	for _, r := range u.gone {
		c.Removed = append(c.Removed, r.ID)
	}
	for _, r := range u.fresh {
		c.Added = append(c.Added, r.ID)
	}
	slices.Sort(c.Removed)
	w.regions = slices.Concat(u.kept, u.fresh)
	w.obstacles = standing
	return c
}
