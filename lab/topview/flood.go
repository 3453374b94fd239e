package topview

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// similarParts floods the map: the part of every pixel, connected by similar neighbours (5.2), largest first.
func (v *view) similarParts() []plan.Part {
	return v.parts(func(i, j int32) bool { return v.similar(&v.pixels[i], &v.pixels[j]) }, func(i int32) bool { return v.pixels[i].seen })
}

// whiteParts numbers what is left of the floor, largest first.
func (v *view) whiteParts() []plan.Part {
	white := make([]bool, len(v.part))
	for i, p := range v.part {
		white[i] = p != none
	}
	return v.parts(func(i, j int32) bool { return white[i] && white[j] }, func(i int32) bool { return white[i] })
}

// parts numbers connected pixels in v.part, largest first; pixels that are not in have none.
func (v *view) parts(joined func(i, j int32) bool, in func(i int32) bool) []plan.Part {
	set := unionfind.New(len(v.pixels))
	v.each(func(i int32) {
		for _, j := range [2]int32{i + 1, i + v.wide} {
			if joined(i, j) {
				set.Union(i, j)
			}
		}
	})
	type group struct {
		first int32
		count int
	}
	var groups []group
	place := map[int32]int{}
	v.each(func(i int32) {
		if !in(i) {
			return
		}
		root := set.Find(i)
		g, ok := place[root]
		if !ok {
			g = len(groups)
			place[root] = g
			groups = append(groups, group{first: i})
		}
		groups[g].count++
	})
	order := make([]int, len(groups))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].count, groups[a].count) })
	number := make([]int32, len(groups))
	list := make([]plan.Part, len(groups))
	area := float64(v.cell) * lattice.Unit * float64(v.cell) * lattice.Unit
	for rank, k := range order {
		number[k] = int32(rank)
		first := groups[k].first
		list[rank] = plan.Part{Area: float64(groups[k].count) * area, At: v.frame.ToWorld(v.at(first), v.pixels[first].z)}
	}
	for i := range v.part {
		v.part[i] = none
	}
	v.each(func(i int32) {
		if in(i) {
			v.part[i] = number[place[set.Find(i)]]
		}
	})
	return list
}

// each visits all pixels but those of the margin.
func (v *view) each(visit func(i int32)) {
	for y := int32(1); y < v.high-1; y++ {
		for x := int32(1); x < v.wide-1; x++ {
			visit(y*v.wide + x)
		}
	}
}

// choose selects parts by the options: those at the user's seeds, or the largest.
func (v *view) choose(parts []plan.Part, opt floorplan.Options) (kept []bool, dropped []plan.Part, err error) {
	kept, err = opt.Choose(parts, func(place geom.Vec) (int, error) {
		p, z, ok := v.frame.FromWorld(place)
		x, y := floorDiv(int64(p.X), int64(v.cell))+margin, floorDiv(int64(p.Y), int64(v.cell))+margin
		if !ok || x < 0 || y < 0 || x >= int64(v.wide) || y >= int64(v.high) {
			return 0, fmt.Errorf("place %v is outside of the level", place)
		}
		i := int32(y)*v.wide + int32(x)
		floor := &v.pixels[i]
		switch {
		case !floor.seen || int64(floor.z) > int64(z)+v.step || int64(floor.z) < int64(z)-int64(v.height):
			return 0, fmt.Errorf("place %v has no floor within the agent's height below that the view from above shows", place)
		case v.part[i] == none:
			return 0, fmt.Errorf("place %v is nearer to an obstacle than the agent's radius and three pixels", place)
		}
		return int(v.part[i]), nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("topview: %w", err)
	}
	for k, part := range parts {
		if !kept[k] {
			dropped = append(dropped, part)
		}
	}
	return kept, dropped, nil
}

// keep makes an obstacle of every part that is not kept.
func (v *view) keep(kept []bool) {
	for i, p := range v.part {
		if p != none && !kept[p] {
			v.part[i] = none
		}
	}
}

// around are the steps to the eight neighbours, in a turn.
func (v *view) around() [8]int32 {
	w := v.wide
	return [8]int32{1, 1 + w, w, w - 1, -1, -1 - w, -w, 1 - w}
}

// grow makes the obstacles of steps between walkable pixels, lets all obstacles grow by the radius and by one pixel (5.3), and closes
// corners where two obstacles touch.
func (v *view) grow(ctx context.Context, radius float64) error {
	var black []int32
	v.each(func(i int32) {
		for _, j := range [2]int32{i + 1, i + v.wide} {
			if v.part[i] != none && v.part[j] != none && !v.similar(&v.pixels[i], &v.pixels[j]) {
				black = append(black, i, j)
			}
		}
	})
	for _, i := range black {
		v.part[i] = none
	}
	// An obstacle reaches past the last of its pixels' centres by less than a diagonal.
	reach := float64(radius*lattice.UnitsPerMetre)/float64(v.cell) + math.Sqrt2
	if radius == 0 {
		reach = 0 // as published
	}
	if err := v.widen(ctx, reach); err != nil {
		return err
	}
	for _, i := range v.contour() {
		v.stamp(i)
	}
	for again := true; again; {
		again = false
		for _, i := range v.contour() {
			if v.pinched(i) {
				v.stamp(i)
				again = true
			}
		}
	}
	return nil
}

// widen makes an obstacle of every pixel nearer than reach, in pixels, to one. Time O(p r) for p pixels and a reach of r, memory O(p).
func (v *view) widen(ctx context.Context, reach float64) error {
	far := int32(min(math.Ceil(reach), float64(max(v.wide, v.high))))
	// The distance to the nearest obstacle of the column.
	column := make([]int32, len(v.part))
	for x := range v.wide {
		last := far
		for y := range v.high {
			if last = min(last+1, far); v.part[y*v.wide+x] == none {
				last = 0
			}
			column[y*v.wide+x] = last
		}
		for y := v.high - 1; y >= 0; y-- {
			i := y*v.wide + x
			last = min(last+1, column[i])
			column[i] = last
		}
	}
	limit := reach * reach
	for y := range v.high {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for x := range v.wide {
			near := func(d int32) bool {
				at := x + d
				if at < 0 || at >= v.wide {
					return false
				}
				c := float64(column[y*v.wide+at])
				return float64(c*c)+float64(d*d) < limit
			}
			for d := int32(0); d <= far && v.part[y*v.wide+x] != none; d++ {
				if near(d) || near(-d) {
					v.part[y*v.wide+x] = none
				}
			}
		}
	}
	return nil
}

// stamp makes an obstacle of the eight pixels around pixel i.
func (v *view) stamp(i int32) {
	for _, d := range v.around() {
		v.part[i+d] = none
	}
}

// contour lists the pixels of obstacles beside a walkable pixel: the contour table. The outermost pixels of the map are never walkable and
// have no walkable neighbours but through the margin.
func (v *view) contour() (list []int32) {
	around := v.around()
	v.each(func(i int32) {
		if v.part[i] != none {
			return
		}
		for _, d := range around {
			if v.part[i+d] != none {
				list = append(list, i)
				return
			}
		}
	})
	return list
}

// pinched reports whether walkable pixels touch pixel i from two sides.
func (v *view) pinched(i int32) bool {
	runs := 0
	around := v.around()
	for k, d := range around {
		if v.part[i+d] != none && v.part[i+around[(k+7)%8]] == none {
			runs++
		}
	}
	return runs > 1
}
