package svg

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/draw"
)

// gridSide is the number of sample places along the longer side of the picture.
const gridSide = 640

// touch is a meeting of an item with a sample place.
type touch struct {
	place int32
	item  int32
	depth float64
}

// order returns the items in the order in which they are painted.
func order(camera *draw.Camera, items []item) []int {
	touches := meet(camera, items)
	slices.SortStableFunc(touches, func(a, b touch) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.depth, b.depth), cmp.Compare(a.item, b.item))
	})
	type demand struct{ behind, front int32 }
	var demands []demand
	for i := 1; i < len(touches); i++ {
		a, b := &touches[i-1], &touches[i]
		if a.place == b.place && a.item != b.item {
			demands = append(demands, demand{a.item, b.item})
		}
	}
	slices.SortFunc(demands, func(a, b demand) int {
		return cmp.Or(cmp.Compare(a.behind, b.behind), cmp.Compare(a.front, b.front))
	})
	demands = slices.Compact(demands)

	// Kahn's algorithm; among the items that nothing waits for, the farthest is next. When all that are left wait
	// for each other, the farthest of them is painted anyway.
	waits := make([]int, len(items))
	first := make([]int, len(items)+1)
	for _, d := range demands {
		waits[d.front]++
		first[d.behind+1]++
	}
	for i := range items {
		first[i+1] += first[i]
	}
	byDepth := make([]int, len(items))
	for i := range byDepth {
		byDepth[i] = i
	}
	slices.SortStableFunc(byDepth, func(a, b int) int { return cmp.Compare(items[a].depth, items[b].depth) })
	rank := make([]int, len(items))
	for r, i := range byDepth {
		rank[i] = r
	}
	var ready rankHeap
	for i := range items {
		if waits[i] == 0 {
			ready = append(ready, rank[i])
		}
	}
	heap.Init(&ready)
	painted := make([]bool, len(items))
	out := make([]int, 0, len(items))
	next := 0
	for len(out) < len(items) {
		var i int
		if len(ready) > 0 {
			i = byDepth[heap.Pop(&ready).(int)]
		} else {
			for painted[byDepth[next]] {
				next++
			}
			i = byDepth[next]
		}
		if painted[i] {
			continue
		}
		painted[i] = true
		out = append(out, i)
		for _, d := range demands[first[i]:first[i+1]] {
			if waits[d.front]--; waits[d.front] == 0 && !painted[d.front] {
				heap.Push(&ready, rank[d.front])
			}
		}
	}
	return out
}

// rankHeap is a heap of ranks, the smallest first.
type rankHeap []int

func (h rankHeap) Len() int           { return len(h) }
func (h rankHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h rankHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rankHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *rankHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// meet finds which items meet which sample places, and how deep. A part that is too small or too
// thin to hold any meets those along its sides instead.
func meet(camera *draw.Camera, items []item) []touch {
	pitch := 100 * float64(max(camera.Width, camera.Height)) / gridSide
	columns, rows := int(math.Ceil(100*float64(camera.Width)/pitch)), int(math.Ceil(100*float64(camera.Height)/pitch))
	var out []touch
	for i := range items {
		for k := range items[i].parts {
			p := &items[i].parts[k]
			add := func(x, y int, depth float64) {
				if x >= 0 && y >= 0 && x < columns && y < rows {
					out = append(out, touch{int32(y*columns + x), int32(i), depth})
				}
			}
			if !p.inside(pitch, columns, rows, add) {
				p.along(pitch, add)
			}
		}
	}
	return out
}

// inside calls add for the sample places inside of p and reports whether there is one.
func (p *part) inside(pitch float64, columns, rows int, add func(x, y int, depth float64)) bool {
	area := float64(p.area2())
	if area <= 0 {
		return false
	}
	lowX, highX := min(p.at[0].x, p.at[1].x, p.at[2].x), max(p.at[0].x, p.at[1].x, p.at[2].x)
	lowY, highY := min(p.at[0].y, p.at[1].y, p.at[2].y), max(p.at[0].y, p.at[1].y, p.at[2].y)
	found := false
	for y := max(int(float64(lowY)/pitch-0.5), 0); y <= min(int(float64(highY)/pitch+0.5), rows-1); y++ {
		for x := max(int(float64(lowX)/pitch-0.5), 0); x <= min(int(float64(highX)/pitch+0.5), columns-1); x++ {
			at := [2]float64{(float64(x) + 0.5) * pitch, (float64(y) + 0.5) * pitch}
			a, b, c := p.weight(1, 2, at)/area, p.weight(2, 0, at)/area, p.weight(0, 1, at)/area
			if a >= 0 && b >= 0 && c >= 0 {
				found = true
				add(x, y, float64(a*p.depth[0])+float64(b*p.depth[1])+float64(c*p.depth[2]))
			}
		}
	}
	return found
}

// weight is twice the area of the triangle of corners i and j and a place.
func (p *part) weight(i, j int, at [2]float64) float64 {
	ax, ay := float64(p.at[i].x), float64(p.at[i].y)
	bx, by := float64(p.at[j].x), float64(p.at[j].y)
	return float64((bx-ax)*(at[1]-ay)) - float64((by-ay)*(at[0]-ax))
}

// along calls add for the sample places that the sides of p pass.
func (p *part) along(pitch float64, add func(x, y int, depth float64)) {
	for k := range 3 {
		a, b := p.at[k], p.at[(k+1)%3]
		if k > 0 && a == b {
			continue
		}
		dx, dy := float64(b.x)-float64(a.x), float64(b.y)-float64(a.y)
		n := int(math.Min(math.Max(math.Abs(dx), math.Abs(dy))/pitch, 1<<14)) + 1
		for i := range n {
			t := (float64(i) + 0.5) / float64(n)
			x, y := float64(a.x)+float64(t*dx), float64(a.y)+float64(t*dy)
			add(int(math.Floor(x/pitch)), int(math.Floor(y/pitch)), p.depth[k]+float64(t*(p.depth[(k+1)%3]-p.depth[k])))
		}
	}
}
