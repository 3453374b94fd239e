package workbench

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/dasfv"
)

// filmChange films DASFV: the floor's box with a box for each hole is decomposed; then an obstacle comes, and goes again.
func (c *camera) filmChange(ctx context.Context, d *plan.Domain) error {
	floor := d.Box()
	var holes []lattice.Ring
	for _, hole := range d.Rings[1:] {
		b := lattice.EmptyBox()
		for _, p := range hole {
			b = b.Extend(p)
		}
		holes = append(holes, ringOf(b))
	}
	c.Note = "DASFV works on a box of floor: that around the largest part, with a box for each of its holes."
	var events recorder
	w, err := dasfv.New(ctx, floor, holes, dasfv.Options{Watch: &events})
	if err != nil {
		return err
	}
	shown := map[dasfv.RegionID]int{} // the film's regions of those that stand
	settle := func(added []dasfv.RegionID, first int, text string, a ...any) {
		c.shot(text, a...)
		for id := first; id < c.Regions; id++ {
			c.change(id, goes)
		}
		for _, id := range added {
			var points []lattice.Point
			for _, corner := range w.Region(id).Corners {
				points = append(points, corner.Point)
			}
			shown[id] = c.Regions
			c.change(c.Regions, becomesShape, float64(c.shape(points)), 0.85)
			c.Regions++
		}
	}
	leave := func(gone []dasfv.RegionID) {
		for _, id := range gone {
			c.change(shown[id], goes)
			delete(shown, id)
		}
	}
	c.filmGrowth(events)
	var all []dasfv.RegionID
	for _, r := range w.Regions() {
		all = append(all, r.ID)
	}
	settle(all, 0, "%d regions cover the floor", len(all))

	// At a corner of the largest region inside of the floor, so that several regions go.
	regions := w.Regions()
	slices.SortStableFunc(regions, func(a, b *dasfv.Region) int { return int(sizeOf(b)/1024 - sizeOf(a)/1024) })
	box := lattice.EmptyBox()
	for _, corner := range regions[0].Corners {
		box = box.Extend(corner.Point)
	}
	width, height := box.Size()
	center := lattice.Point{X: box.Max.X - int32(width/3), Y: box.Max.Y - int32(height/3)}
	half := max(2, int32(min(width, height)/5))
	crate := lattice.Box{Min: lattice.Point{X: center.X - half, Y: center.Y - half}, Max: lattice.Point{X: center.X + half, Y: center.Y + half}}
	events = nil
	ids, change, err := w.Add(ctx, ringOf(crate))
	if err != nil {
		return err
	}
	c.shot("an obstacle comes: %s it meets go", several(len(change.Removed), "region"))
	leave(change.Removed)
	outline := len(c.Strokes)
	for i, p := range ringOf(crate) {
		c.stroke("portal", p, ringOf(crate)[(i+1)%4])
	}
	first := c.Regions
	c.filmGrowth(events)
	settle(change.Added, first, "%s came; the others have not changed", several(len(change.Added), "region"))

	events = nil
	if change, err = w.Remove(ctx, ids...); err != nil {
		return err
	}
	c.shot("the obstacle goes, and %s beside it", several(len(change.Removed), "region"))
	leave(change.Removed)
	for i := outline; i < outline+4; i++ {
		c.Strokes[i].To = c.now()
	}
	first = c.Regions
	c.filmGrowth(events)
	settle(change.Added, first, "%s came in the place of the obstacle and its neighbours", several(len(change.Added), "region"))
	return nil
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func ringOf(b lattice.Box) lattice.Ring {
	return lattice.Ring{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
}

func sizeOf(r *dasfv.Region) int64 {
	var ring lattice.Ring
	for _, c := range r.Corners {
		ring = append(ring, c.Point)
	}
	return ring.Area2()
}

// recorder is a tracer.
var _ gen.Tracer = (*recorder)(nil)
