package detail

import (
	"cmp"
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/par"
)

// blockSize is the number of triangles of a block. A block fits a second-level cache.
const blockSize = 8192

// levels is the number of queues of vertices, by the error of removing them: 0 for none, the others for equal
// parts of the limit.
const levels = 8

// block removes vertices, the cheapest first.
type block struct {
	*mesh
	queues [levels][]uint32
	star   star
}

// reduce removes vertices. Blocks are runs of size triangles; a block removes vertices with all triangles
// inside it, and changes nothing else, so blocks are independent. When all blocks are done, edges between
// blocks find their neighbours again by their vertices. Then the vertices with triangles in several blocks
// follow.
func (m *mesh) reduce(ctx context.Context, size, jobs int) error {
	n := len(m.triangles)
	m.first, m.degrees, m.apexes = make([]int32, len(m.at)), make([]int32, len(m.at)), make([]uint32, len(m.at))
	for i := range m.triangles {
		for k, v := range m.triangles[i].corners {
			h := int32(4*i + k)
			if m.degrees[v] > 0 && int(m.first[v])/(4*size) != i/size {
				m.states[v] |= shared
			}
			m.first[v] = h
			m.degrees[v]++
			if o := m.opposite[h]; o >= 0 && int(o)/(4*size) != i/size {
				m.opposite[h] = foreign
			}
		}
	}
	blocks := (n + size - 1) / size
	err := par.For(ctx, jobs, blocks, func(i int) error {
		b := block{mesh: m}
		for t := i * size; t < min((i+1)*size, n); t++ {
			for k, v := range m.triangles[t].corners {
				if m.states[v]&(fixed|shared) == 0 && int(m.first[v]) == 4*t+k {
					b.enqueue(v, b.level(v))
				}
			}
		}
		b.work()
		return nil
	})
	if err != nil || blocks < 2 {
		return err
	}
	m.meet()
	b := block{mesh: m}
	for v := range m.at {
		if m.states[v]&shared != 0 {
			m.states[v] &^= shared
			if m.states[v]&fixed == 0 {
				b.enqueue(uint32(v), b.level(uint32(v)))
			}
		}
	}
	b.work()
	return ctx.Err()
}

// meet finds the triangles of shared vertices again, and the neighbours of edges between blocks. Such an edge
// has one half in each block, and no other edge between blocks has the same vertices.
func (m *mesh) meet() {
	for v := range m.at {
		if m.states[v]&shared != 0 {
			m.degrees[v] = 0
		}
	}
	var between []int32
	for i := range m.triangles {
		if m.triangles[i].corners == removed {
			continue
		}
		for k, v := range m.triangles[i].corners {
			h := int32(4*i + k)
			if m.states[v]&shared != 0 {
				m.first[v] = h
				m.degrees[v]++
			}
			if m.opposite[h] == foreign {
				between = append(between, h)
			}
		}
	}
	ends := func(h int32) (uint32, uint32) {
		a, b := m.start(h), m.start(next(h))
		return min(a, b), max(a, b)
	}
	slices.SortFunc(between, func(g, h int32) int {
		a, b := ends(g)
		c, d := ends(h)
		return cmp.Or(cmp.Compare(a, c), cmp.Compare(b, d))
	})
	for i := 0; i < len(between); i += 2 {
		g, h := between[i], between[i+1]
		m.opposite[g], m.opposite[h] = h, g
	}
}

// work removes vertices until no removable vertex is left.
func (b *block) work() {
	for level := range levels {
		// The queue grows during the loop.
		for i := 0; i < len(b.queues[level]); i++ {
			v := b.queues[level][i]
			seen := b.states[v]&changed == 0
			b.states[v] &^= changed | waiting
			if seen {
				b.star.again(b.mesh, v)
			} else if own := b.level(v); own > level {
				b.enqueue(v, own)
				continue
			}
			b.star.remove(b.mesh)
			for _, u := range b.star.u[:b.star.k] {
				switch {
				case b.states[u]&(fixed|shared) != 0:
				case b.states[u]&waiting != 0:
					b.states[u] |= changed
				default:
					b.states[u] |= changed
					b.enqueue(u, level)
				}
			}
		}
	}
}

// level finds the best way to fill the hole of a vertex, and the queue for its cost; levels if there is no
// way.
func (b *block) level(v uint32) int {
	cost, ok := b.star.judge(b.mesh, v)
	switch {
	case !ok:
		return levels
	case cost == 0:
		return 0
	}
	return 1 + int(int64(cost-1)*(levels-1)/int64(b.limit))
}

// enqueue puts a vertex into the queue of level, if the level has one.
func (b *block) enqueue(v uint32, level int) {
	if level < levels {
		b.states[v] |= waiting
		b.queues[level] = append(b.queues[level], v)
	}
}
