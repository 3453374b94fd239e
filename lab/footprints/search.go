package footprints

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// label is what a search knows of a polygon.
type label struct {
	g      float64
	parent int32
	stamp  uint32 // even: open; odd: closed
}

// search is A* over deepest polygons. The cost of an edge is its length from centroid to centroid, times
// one plus the weight of the polygon behind it. No edge leads to a divided polygon, or to a solid one besides the goal.
func (f *Field) search(ctx context.Context, start, goal int32, way *Way) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("footprints: %w", err)
	}
	if more := len(f.nodes) - len(f.labels); more > 0 {
		f.labels = append(f.labels, make([]label, more)...)
	}
	if f.stamp > math.MaxUint32-4 {
		clear(f.labels)
		f.stamp = 0
	}
	f.stamp += 2
	f.open.Reset()
	f.labels[start] = label{parent: -1, stamp: f.stamp}
	f.open.Push(metres(f.nodes[start].middle, f.nodes[goal].middle), start)
	for f.open.Len() > 0 {
		u := f.open.Pop().ID
		if f.labels[u].stamp != f.stamp {
			continue
		}
		f.labels[u].stamp |= 1
		if u == goal {
			for at := goal; at >= 0; at = f.labels[at].parent {
				way.Nodes = append(way.Nodes, at)
			}
			slices.Reverse(way.Nodes)
			way.Found, way.Cost = true, f.labels[goal].g
			return nil
		}
		if way.Expanded++; way.Expanded%256 == 0 && ctx.Err() != nil {
			return fmt.Errorf("footprints: %w", ctx.Err())
		}
		for _, a := range f.nodes[u].arcs {
			v := &f.nodes[a.to]
			if v.children != nil || v.solid > 0 && a.to != goal {
				continue
			}
			g := f.labels[u].g + float64(metres(f.nodes[u].middle, v.middle)*(1+v.weight))
			l := &f.labels[a.to]
			if l.stamp|1 == f.stamp|1 && (l.stamp&1 == 1 || g >= l.g) {
				continue
			}
			*l = label{g: g, parent: u, stamp: f.stamp}
			f.open.Push(g+metres(v.middle, f.nodes[goal].middle), a.to)
		}
	}
	return nil
}
