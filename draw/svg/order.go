package svg

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/draw"
)

const (
	// gridSide is the number of sample places along the longer side of a picture of at least as many pixels;
	// smaller pictures have a sample in every pixel.
	gridSide = 960
	// flush is the difference in depth, in metres, below which two surfaces count as equally near:
	// then the later in the list is in front everywhere, whatever rounding says.
	flush = 0.004
	// rounds is how often shapes that hide each other in a circle are cut: up to 4⁵ parts of a triangle.
	rounds = 6
	// moreItems is the number of added items at which cutting ends.
	moreItems = 1 << 16
)

// touch is a meeting of an item with a sample place.
type touch struct {
	place int32
	item  int32
	depth float64
}

// demand says that an item has to be painted before another, and in how many sample places.
type demand struct {
	behind, front int32
	places        int
}

// stray is the number of sample places up to which a demand yields to a stronger opposite demand: two shapes
// that cross a little near their edges are not worth a cut.
const stray = 3

func compareDemands(a, b demand) int {
	return cmp.Or(cmp.Compare(a.behind, b.behind), cmp.Compare(a.front, b.front))
}

// painter finds the order of items.
type painter struct {
	grid    grid
	items   []item
	most    int    // items that may be had by cutting
	gone    []bool // hidden, or replaced by parts
	touches []touch
	demands []demand
}

// arrange returns the visible items in the order of painting. Items that hide each other in a circle are cut into
// smaller ones for some rounds; items hidden in all their sample places are left out.
func arrange(camera *draw.Camera, items []item) []item {
	p := painter{grid: newGrid(camera), items: items, gone: make([]bool, len(items)), most: len(items) + moreItems}
	for i := range items {
		p.touches = p.grid.meet(&p.items[i], int32(i), p.touches)
	}
	for round := 0; ; round++ {
		p.compare()
		number, size := p.circles()
		if round == rounds || !p.cut(func(i int) bool { return size[number[i]] > 1 }) {
			return rejoin(p.sorted(number, len(size)))
		}
	}
}

// rejoin joins consecutive parts of one shape.
func rejoin(items []item) []item {
	var out []item
	for _, it := range items {
		if last := len(out) - 1; last >= 0 && out[last].place == it.place {
			out[last].parts = append(out[last].parts[:len(out[last].parts):len(out[last].parts)], it.parts...)
			continue
		}
		out = append(out, it)
	}
	return out
}

// compare derives the visible items and the demands on their order from the touches.
func (p *painter) compare() {
	p.touches = slices.DeleteFunc(p.touches, func(t touch) bool { return p.gone[t.item] })
	stacks := p.stacks()
	// An item that meets no place is too small to be found hidden.
	met, seen := make([]bool, len(p.items)), make([]bool, len(p.items))
	each := func(f func(stack []touch)) {
		for first := 0; first < len(stacks); {
			last := first + 1
			for last < len(stacks) && stacks[last].place == stacks[first].place {
				last++
			}
			f(stacks[first:last])
			first = last
		}
	}
	each(func(stack []touch) {
		p.settle(stack)
		// Equal depth does not hide: neighbours in one plane share the places along their border.
		nearest := math.Inf(-1)
		for i := len(stack) - 1; i >= 0; i-- {
			it := stack[i].item
			met[it] = true
			seen[it] = seen[it] || nearest < stack[i].depth+flush
			if p.items[it].opaque() {
				nearest = max(nearest, stack[i].depth)
			}
		}
	})
	for i := range p.gone {
		p.gone[i] = p.gone[i] || met[i] && !seen[i]
	}
	p.demands = p.demands[:0]
	each(func(stack []touch) {
		before := int32(-1)
		for i := range stack {
			it := stack[i].item
			if p.gone[it] {
				continue
			}
			if before >= 0 && before != it {
				p.demands = append(p.demands, demand{before, it, 1})
			}
			before = it
		}
	})
	p.weigh()
}

// weigh counts equal demands, and drops demands contradicted by stronger ones.
func (p *painter) weigh() {
	slices.SortFunc(p.demands, compareDemands)
	all := p.demands[:0]
	for _, d := range p.demands {
		if last := len(all) - 1; last >= 0 && compareDemands(all[last], d) == 0 {
			all[last].places++
		} else {
			all = append(all, d)
		}
	}
	p.demands = make([]demand, 0, len(all))
	for _, d := range all {
		if d.places <= stray {
			k, found := slices.BinarySearchFunc(all, demand{behind: d.front, front: d.behind}, compareDemands)
			if found && all[k].places > d.places {
				continue
			}
		}
		p.demands = append(p.demands, d)
	}
}

// stacks returns the touches grouped by place, in a place from back to front.
func (p *painter) stacks() []touch {
	offset := make([]int32, p.grid.columns*p.grid.rows+1)
	for i := range p.touches {
		offset[p.touches[i].place+1]++
	}
	for k := range len(offset) - 1 {
		offset[k+1] += offset[k]
	}
	out := make([]touch, len(p.touches))
	for _, t := range p.touches {
		out[offset[t.place]] = t
		offset[t.place]++
	}
	from := int32(0)
	for _, to := range offset[:len(offset)-1] { // now the end of every group
		slices.SortStableFunc(out[from:to], func(a, b touch) int { return cmp.Compare(a.depth, b.depth) })
		from = to
	}
	return out
}

// settle orders touches of nearly the same depth, which come sorted by depth, by the list.
func (p *painter) settle(stack []touch) {
	for i := 1; i < len(stack); i++ {
		for j := i; j > 0; j-- {
			a, b := &stack[j-1], &stack[j]
			if b.depth-a.depth >= flush || p.items[a.item].place <= p.items[b.item].place {
				break
			}
			*a, *b = *b, *a
		}
	}
}

// circles numbers the items so that two have the same number when each must be painted before the other: the
// strongly connected components of the demands, after R. Tarjan, Depth-First Search and Linear Graph
// Algorithms, SIAM J. Computing 1 (1972), without recursion. A component's number is higher than the numbers of
// all components painted after it. size counts the items of every component.
func (p *painter) circles() (number []int32, size []int32) {
	n := len(p.items)
	first := p.firstDemands()
	number = make([]int32, n)
	order, low := make([]int32, n), make([]int32, n) // order counts from 1, 0 is not visited
	next := slices.Clone(first[:n])
	var path, open []int32
	visited := int32(0)
	for root := range n {
		if order[root] != 0 {
			continue
		}
		path = append(path, int32(root))
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == 0 {
				visited++
				order[v], low[v] = visited, visited
				open = append(open, v)
				number[v] = -1
			}
			if next[v] < first[v+1] {
				w := p.demands[next[v]].front
				next[v]++
				if order[w] == 0 {
					path = append(path, w)
				} else if number[w] < 0 {
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] == order[v] {
				size = append(size, 0)
				for {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					number[w] = int32(len(size) - 1)
					size[number[w]]++
					if w == v {
						break
					}
				}
			}
		}
	}
	return number, size
}

// firstDemands returns where the demands of every item, as the one behind, begin.
func (p *painter) firstDemands() []int32 {
	first := make([]int32, len(p.items)+1)
	for _, d := range p.demands {
		first[d.behind+1]++
	}
	for i := range p.items {
		first[i+1] += first[i]
	}
	return first
}

// cut replaces the items in circles by smaller ones and reports whether any could be cut.
func (p *painter) cut(circular func(i int) bool) bool {
	done := false
	for i := range len(p.items) {
		if p.gone[i] || !circular(i) || len(p.items) >= p.most {
			continue
		}
		for _, part := range p.items[i].split(p.grid.pitch) {
			done = true
			p.gone[i] = true
			p.items = append(p.items, part)
			p.gone = append(p.gone, false)
			last := len(p.items) - 1
			p.touches = p.grid.meet(&p.items[last], int32(last), p.touches)
		}
	}
	return done
}

// sorted is Kahn's algorithm over circles of items, mostly single ones: among the circles without unmet
// demands, the next is the one with the farthest item. Within a circle items are painted by depth.
func (p *painter) sorted(number []int32, circles int) []item {
	members := make([][]int32, circles)
	byDepth := make([]int32, 0, len(p.items))
	for i := range p.items {
		if !p.gone[i] {
			byDepth = append(byDepth, int32(i))
		}
	}
	slices.SortStableFunc(byDepth, func(a, b int32) int { return cmp.Compare(p.items[a].depth, p.items[b].depth) })
	rank, owner := make([]int, circles), make([]int32, len(byDepth)) // by the farthest item, and back
	for r, i := range byDepth {
		c := number[i]
		if len(members[c]) == 0 {
			rank[c], owner[r] = r, c
		}
		members[c] = append(members[c], i)
	}
	waits := make([]int, circles)
	for _, d := range p.demands {
		if a, b := number[d.behind], number[d.front]; a != b {
			waits[b]++
		}
	}
	var ready rankHeap
	for c := range circles {
		if len(members[c]) > 0 && waits[c] == 0 {
			ready = append(ready, rank[c])
		}
	}
	heap.Init(&ready)
	first := p.firstDemands()
	out := make([]item, 0, len(byDepth))
	for len(ready) > 0 {
		c := owner[heap.Pop(&ready).(int)]
		for _, i := range members[c] {
			out = append(out, p.items[i])
			for _, d := range p.demands[first[i]:first[i+1]] {
				b := number[d.front]
				if b == c {
					continue
				}
				if waits[b]--; waits[b] == 0 {
					heap.Push(&ready, rank[b])
				}
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

// grid is the sample places: the middles of squares over the picture.
type grid struct {
	pitch         float64 // hundredths of a pixel
	columns, rows int
}

func newGrid(camera *draw.Camera) grid {
	pitch := 100 * max(1, float64(max(camera.Width, camera.Height))/gridSide)
	return grid{
		pitch:   pitch,
		columns: int(math.Ceil(100 * float64(camera.Width) / pitch)),
		rows:    int(math.Ceil(100 * float64(camera.Height) / pitch)),
	}
}

// meet appends the touches of an item. A part too small or too thin to hold a sample place meets the places
// along its sides instead.
func (g *grid) meet(it *item, number int32, out []touch) []touch {
	for k := range it.parts {
		add := func(x, y int, depth float64) {
			if x >= 0 && y >= 0 && x < g.columns && y < g.rows {
				out = append(out, touch{int32(y*g.columns + x), number, depth})
			}
		}
		if p := &it.parts[k]; !g.inside(p, add) {
			g.along(p, add)
		}
	}
	return out
}

// inside calls add for the sample places inside p and reports whether any exists.
func (g *grid) inside(p *part, add func(x, y int, depth float64)) bool {
	area := float64(p.area2())
	if area <= 0 {
		return false
	}
	lowX, highX := min(p.at[0].x, p.at[1].x, p.at[2].x), max(p.at[0].x, p.at[1].x, p.at[2].x)
	lowY, highY := min(p.at[0].y, p.at[1].y, p.at[2].y), max(p.at[0].y, p.at[1].y, p.at[2].y)
	found := false
	for y := max(int(float64(lowY)/g.pitch-0.5), 0); y <= min(int(float64(highY)/g.pitch+0.5), g.rows-1); y++ {
		for x := max(int(float64(lowX)/g.pitch-0.5), 0); x <= min(int(float64(highX)/g.pitch+0.5), g.columns-1); x++ {
			at := [2]float64{(float64(x) + 0.5) * g.pitch, (float64(y) + 0.5) * g.pitch}
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
func (g *grid) along(p *part, add func(x, y int, depth float64)) {
	for k := range 3 {
		a, b := p.at[k], p.at[(k+1)%3]
		if k > 0 && a == b {
			continue
		}
		dx, dy := float64(b.x)-float64(a.x), float64(b.y)-float64(a.y)
		n := int(math.Min(math.Max(math.Abs(dx), math.Abs(dy))/g.pitch, 1<<14)) + 1
		for i := range n {
			t := (float64(i) + 0.5) / float64(n)
			x, y := float64(a.x)+float64(t*dx), float64(a.y)+float64(t*dy)
			add(int(math.Floor(x/g.pitch)), int(math.Floor(y/g.pitch)), p.depth[k]+float64(t*(p.depth[(k+1)%3]-p.depth[k])))
		}
	}
}
