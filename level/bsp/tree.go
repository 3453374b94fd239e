package bsp

import "github.com/meadow-nav/meadow/geom"

// tree tells which faces border a place inside of the level. Each leaf of the file's tree that is inside has
// a cluster; solid leaves, and leaves outside the hull, have none.
type tree struct {
	*file
	off    bool // nothing is hidden
	budget int  // corners still to be compared with planes
	depth  int  // of the splits that are open
	free   [][]geom.Vec
}

const (
	// maxVisits bounds the walk through trees that were not made by a compiler, in corners compared with planes;
	// real maps need at most a fiftieth. maxDepth bounds the splits on one way down.
	maxVisits = 1 << 27
	maxDepth  = 1 << 10
	// apart is how far in front of a face is looked for a place, in units.
	apart = 0.25
	// root of the tree.
	root = 0
)

// inhabited reports whether any leaf has a cluster.
func (f *file) inhabited() bool {
	for _, c := range f.clusters {
		if c >= 0 {
			return len(f.nodes) > 0
		}
	}
	return false
}

// spent reports whether the walk was given up.
func (t *tree) spent() bool { return t.budget <= 0 }

// meets reports whether any place right in front of a face, which is on p, is inside of the level.
func (t *tree) meets(corners []geom.Vec, p plane) bool {
	if t.off {
		return true
	}
	lifted := append(t.take(), corners...)
	for i, v := range lifted {
		lifted[i] = v.Add(p.normal.Scale(apart))
	}
	return t.reaches(root, lifted)
}

// reaches hands polygon down to the leaves below child, up to the first that is inside.
func (t *tree) reaches(child int, polygon []geom.Vec) bool {
	t.depth++
	defer func() {
		t.depth--
		t.give(polygon)
	}()
	if t.depth > maxDepth {
		t.budget = 0
	}
	for child >= 0 {
		if t.budget -= len(polygon); t.budget <= 0 {
			return true
		}
		n := t.nodes[child]
		p := t.planes[n.plane]
		var front, behind bool
		for _, v := range polygon {
			d := p.distance(v)
			front = front || d > slack
			behind = behind || d < -slack
		}
		if front && behind {
			if t.reaches(n.children[0], clip(t.take(), polygon, plane{p.normal.Scale(-1), -p.offset})) {
				return true
			}
			if rest := clip(t.take(), polygon, p); t.reaches(n.children[1], rest) {
				return true
			}
			return false
		}
		if front {
			child = n.children[0]
		} else {
			child = n.children[1]
		}
	}
	return t.clusters[-(child+1)] >= 0
}

// take returns an empty polygon, give returns a polygon for reuse.
func (t *tree) take() []geom.Vec {
	if n := len(t.free); n > 0 {
		p := t.free[n-1]
		t.free = t.free[:n-1]
		return p[:0]
	}
	return make([]geom.Vec, 0, 16)
}

func (t *tree) give(p []geom.Vec) { t.free = append(t.free, p) }
