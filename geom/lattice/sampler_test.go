package lattice

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meadow-nav/meadow/internal/race"
)

// refHeights returns the exact heights at (x, y) of all triangles that hold the point.
func refHeights(t *TIN, x, y float64) []float64 {
	q := bigVec{new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)}
	var heights []float64
	for _, tri := range t.Triangles {
		a, b, c := t.Vertices[tri[0]], t.Vertices[tri[1]], t.Vertices[tri[2]]
		side := func(p, r Vertex) *big.Rat {
			return bigPoint(r.Point).sub(bigPoint(p.Point)).cross(q.sub(bigPoint(p.Point)))
		}
		wa, wb, wc := side(b, c), side(c, a), side(a, b)
		if wa.Sign() < 0 || wb.Sign() < 0 || wc.Sign() < 0 {
			continue
		}
		total := new(big.Rat).Add(wa, new(big.Rat).Add(wb, wc))
		if total.Sign() <= 0 {
			continue
		}
		z := new(big.Rat)
		for _, w := range []struct {
			weight *big.Rat
			z      int32
		}{{wa, a.Z}, {wb, b.Z}, {wc, c.Z}} {
			z.Add(z, new(big.Rat).Mul(w.weight, new(big.Rat).SetInt64(int64(w.z))))
		}
		h, _ := z.Quo(z, total).Float64()
		heights = append(heights, h)
	}
	return heights
}

// randomTIN returns overlapping triangles of very different sizes: most are small, a few cover
// everything.
func randomTIN(r *rand.Rand, n int, size int32) *TIN {
	t := &TIN{}
	for i := range n {
		extent := max(1, size>>r.IntN(20))
		if i%50 == 0 {
			extent = size
		}
		o := Point{r.Int32N(2*(size-extent)+1) - (size - extent), r.Int32N(2*(size-extent)+1) - (size - extent)}
		for range 3 {
			t.Vertices = append(t.Vertices, Vertex{
				Point{o.X + r.Int32N(2*extent+1) - extent, o.Y + r.Int32N(2*extent+1) - extent},
				r.Int32N(20001) - 10000,
			})
		}
		k := uint32(len(t.Vertices))
		t.Triangles = append(t.Triangles, [3]uint32{k - 3, k - 2, k - 1})
	}
	return t
}

func TestHeightEqualsReference(t *testing.T) {
	race.Skip(t)
	for _, size := range []int32{3, 100, 1 << 16, MaxCoord} {
		r := rand.New(rand.NewPCG(uint64(size), 1))
		tin := randomTIN(r, 60, size)
		s := NewSampler(tin)
		hits := 0
		for i := range 600 {
			// Vertices, lattice points, points of a fine grid.
			v := tin.Vertices[r.IntN(len(tin.Vertices))]
			x, y := float64(v.X), float64(v.Y)
			switch i % 3 {
			case 1:
				x, y = float64(r.Int32N(2*size+1)-size), float64(r.Int32N(2*size+1)-size)
			case 2:
				x += float64(r.IntN(1<<17)-1<<16) / (1 << 16)
				y += float64(r.IntN(1<<17)-1<<16) / (1 << 16)
			}
			// Between two integers, where no vertex is.
			limit := float64(r.IntN(20001)-10000) + 0.37
			all, below := math.Inf(-1), math.Inf(-1)
			for _, h := range refHeights(tin, x, y) {
				all = max(all, h)
				if h <= limit {
					below = max(below, h)
				}
			}
			z, ok := s.Height(x, y)
			if ok != !math.IsInf(all, -1) || ok && math.Abs(z-all) > 1e-6 {
				t.Fatalf("size %d: Height(%g, %g) = %g, %v, want %g", size, x, y, z, ok, all)
			}
			if ok {
				hits++
			}
			z, ok = s.HeightBelow(x, y, limit, 0)
			if ok != !math.IsInf(below, -1) || ok && math.Abs(z-below) > 1e-6 {
				t.Fatalf("size %d: HeightBelow(%g, %g, %g) = %g, %v, want %g", size, x, y, limit, z, ok, below)
			}
		}
		if hits < 100 {
			t.Errorf("size %d: only %d of 600 points are on a triangle", size, hits)
		}
	}
}

// A jittered grid of triangles without gaps: no inner point may be lost, least of all on an edge or as near
// to it as float64 can express.
func TestHeightHasNoGapsBetweenTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, pitch = 20, 1000
	tin := &TIN{}
	for y := range int32(n + 1) {
		for x := range int32(n + 1) {
			p := Point{x*pitch - 7777, y*pitch - 3333}
			if x > 0 && x < n && y > 0 && y < n {
				p.X += r.Int32N(601) - 300
				p.Y += r.Int32N(601) - 300
			}
			tin.Vertices = append(tin.Vertices, Vertex{p, r.Int32N(500)})
		}
	}
	for y := range uint32(n) {
		for x := range uint32(n) {
			k := y*(n+1) + x
			tin.Triangles = append(tin.Triangles, [3]uint32{k, k + 1, k + n + 2}, [3]uint32{k, k + n + 2, k + n + 1})
		}
	}
	s := NewSampler(tin)
	for range 20000 {
		tri := tin.Triangles[r.IntN(len(tin.Triangles))]
		a, b := tin.Vertices[tri[0]], tin.Vertices[tri[1]]
		f := r.Float64()
		x := float64(a.X) + f*float64(b.X-a.X)
		y := float64(a.Y) + f*float64(b.Y-a.Y)
		x = min(max(x, -7777), n*pitch-7777)
		y = min(max(y, -3333), n*pitch-3333)
		z, ok := s.Height(x, y)
		want := float64(a.Z) + f*float64(b.Z-a.Z)
		if !ok || math.Abs(z-want) > 0.01 {
			t.Fatalf("on the edge %v-%v at %g: %g, %v, want %g", a, b, f, z, ok, want)
		}
	}
}

// refNearestHeight looks at every edge.
func refNearestHeight(t *TIN, x, y, limit, reach float64) (z float64, ok bool) {
	best := reach * reach
	for _, tri := range t.Triangles {
		for k := range 3 {
			a, b := t.Vertices[tri[k]], t.Vertices[tri[(k+1)%3]]
			dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
			f := ((x-float64(a.X))*dx + (y-float64(a.Y))*dy) / (dx*dx + dy*dy)
			f = min(max(f, 0), 1)
			h := float64(a.Z) + f*float64(b.Z-a.Z)
			d := math.Hypot(x-float64(a.X)-f*dx, y-float64(a.Y)-f*dy)
			if h <= limit && d*d < best {
				best, z, ok = d*d, h, true
			}
		}
	}
	return z, ok
}

func TestHeightWithinReach(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(7, 8))
	fallbacks := 0
	crowded := 0
	for i := range 30 {
		tin := randomTIN(r, 5, 2000)
		if i%3 == 0 {
			tin.Triangles = slices.Repeat(tin.Triangles, 2*maxInCell)
		}
		for i := 0; i < len(tin.Triangles); {
			// Make all counter-clockwise, drop triangles without area.
			v := tin.Triangles[i]
			switch o := Orient(tin.Vertices[v[0]].Point, tin.Vertices[v[1]].Point, tin.Vertices[v[2]].Point); {
			case o < 0:
				tin.Triangles[i] = [3]uint32{v[0], v[2], v[1]}
			case o == 0:
				tin.Triangles = append(tin.Triangles[:i], tin.Triangles[i+1:]...)
				continue
			}
			i++
		}
		s := NewSampler(tin)
		if s.grid != nil {
			crowded++
		}
		for range 200 {
			x, y := float64(r.IntN(6000)-3000), float64(r.IntN(6000)-3000)
			limit, reach := math.Inf(1), float64(r.IntN(1500))
			if r.IntN(2) == 0 {
				limit = float64(r.IntN(20001)-10000) + 0.37
			}
			z, ok := s.HeightBelow(x, y, limit, reach)
			direct, on := s.HeightBelow(x, y, limit, 0)
			if on {
				if !ok || z != direct {
					t.Fatalf("a reach changes the height on a triangle: %g, %g", z, direct)
				}
				continue
			}
			want, wantOK := refNearestHeight(tin, x, y, limit, reach)
			// Equally near edges of two triangles may differ in the last bit of the distance.
			if ok != wantOK || ok && math.Abs(z-want) > 1e-6 {
				t.Fatalf("HeightBelow(%g, %g, %g, %g) = %g, %v, want %g, %v", x, y, limit, reach, z, ok, want, wantOK)
			}
			if ok {
				fallbacks++
			}
		}
	}
	if fallbacks < 500 {
		t.Errorf("only %d answers come from the reach", fallbacks)
	}
	if crowded == 0 || crowded == 30 {
		t.Errorf("%d of 30 surfaces are crowded", crowded)
	}
}

// Two floors end at the same edge: of two equally near ones the upper counts, at or below the limit.
func TestHeightWithinReachPrefersTheUpperFloor(t *testing.T) {
	tin := &TIN{
		Vertices: []Vertex{
			{Point{0, 0}, 0},
			{Point{10, 3}, 0},
			{Point{3, 10}, 0},
			{Point{0, 0}, 50},
			{Point{10, 3}, 50},
			{Point{3, 10}, 50},
		},
		Triangles: [][3]uint32{{4, 5, 3}, {0, 1, 2}},
	}
	s := NewSampler(tin)
	for _, c := range []struct {
		limit, want float64
		ok          bool
	}{{math.Inf(1), 50, true}, {50, 50, true}, {49, 0, true}, {-1, 0, false}} {
		if z, ok := s.HeightBelow(9, 10, c.limit, 5); z != c.want || ok != c.ok {
			t.Errorf("limit %g: %g, %v, want %g, %v", c.limit, z, ok, c.want, c.ok)
		}
	}
	if _, ok := s.HeightBelow(9, 10, math.Inf(1), 3); ok {
		t.Error("found beyond the reach")
	}
}

func TestSamplerOfBadInput(t *testing.T) {
	var empty TIN
	if _, ok := NewSampler(&empty).Height(0, 0); ok {
		t.Error("the empty surface has a height")
	}
	if _, ok := NewSampler(&empty).HeightBelow(0, 0, 0, 1e9); ok {
		t.Error("the empty surface has a nearest point")
	}
	tin := &TIN{
		Vertices: []Vertex{{Point{0, 0}, 1}, {Point{9, 0}, 1}, {Point{9, 9}, 1}, {Point{18, 0}, 1}},
		Triangles: [][3]uint32{
			{0, 2, 1}, // clockwise
			{0, 1, 3}, // collinear
			{1, 1, 1}, // a point
			{0, 1, 7}, // a vertex that does not exist
		},
	}
	if z, ok := NewSampler(tin).HeightBelow(6, 2, math.Inf(1), 100); ok {
		t.Errorf("height %g from unusable triangles", z)
	}
	tin.Triangles = append(tin.Triangles, [3]uint32{0, 1, 2})
	s := NewSampler(tin)
	for _, c := range [][2]float64{
		{math.NaN(), 0}, {0, math.NaN()}, {math.Inf(1), 0}, {0, math.Inf(-1)}, {1e300, 0}, {-1e300, 1e300},
	} {
		if z, ok := s.HeightBelow(c[0], c[1], math.Inf(1), 10); ok {
			t.Errorf("height %g at %v", z, c)
		}
	}
	if _, ok := s.HeightBelow(6, 2, math.NaN(), 10); ok {
		t.Error("a limit that is not a number is met")
	}
	if z, ok := s.HeightBelow(-1e9, 5, math.Inf(1), math.Inf(1)); !ok || z != 1 {
		t.Errorf("with an infinite reach: %g, %v", z, ok)
	}
}

func TestSamplerMemoryIsLinear(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 100, 5000} {
		s := NewSampler(randomTIN(r, n, MaxCoord))
		if got := len(s.cells.items); got > 16*len(s.triangles) {
			t.Errorf("%d triangles: %d entries in cells", len(s.triangles), got)
		}
		if got := len(s.cells.start); got > 4*n+17 {
			t.Errorf("%d triangles: %d cells", len(s.triangles), got)
		}
		if s.grid == nil {
			if n == 5000 {
				t.Errorf("%d triangles of all sizes: no cell is crowded", n)
			}
			continue
		}
		if got := len(s.grid.items); got > maxCells*len(s.triangles) {
			t.Errorf("%d triangles: %d entries", len(s.triangles), got)
		}
		if got := len(s.grid.start); got > 2*maxCells*n+2 {
			t.Errorf("%d triangles: %d buckets", len(s.triangles), got)
		}
	}
}

// TestCellsHaveWhatTouchesThem compares the table of cells with every triangle and every cell.
func TestCellsHaveWhatTouchesThem(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 9))
	for _, size := range []int32{3, 100, 1 << 16, MaxCoord} {
		s := NewSampler(randomTIN(r, 60, size))
		c := &s.cells
		for k := range c.width * c.height {
			x, y := int32(k%c.width)+c.corner.X, int32(k/c.width)+c.corner.Y
			items := c.items[c.start[k]:c.start[k+1]]
			for i := range s.triangles {
				tri := &s.triangles[i]
				box := BoxOf(tri[0].Point, tri[1].Point, tri[2].Point)
				w, h := box.Size()
				part := cellBox(box, c.shift, x, y)
				want := !part.IsEmpty() && x >= box.Min.X>>c.shift && y >= box.Min.Y>>c.shift
				if max(w, h, 1<<c.shift) <= kilometre {
					want = want && touchesTriangle(tri[0].Point, tri[1].Point, tri[2].Point, part)
				}
				if got := slices.Contains(items, uint32(i)); got != want {
					t.Fatalf("size %d: triangle %v in cell %d, %d of 2^%d: %v, want %v", size, *tri, x, y, c.shift, got, want)
				}
			}
		}
	}
}

// TestNear compares the triangles near boxes with all triangles: each that touches the box is there, and none whose box does
// not.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	found := 0
	for _, n := range []int{0, 1, 5, 80, 1000} {
		for _, size := range []int32{6, 500, 1 << 20} {
			tin := randomTIN(r, n, size)
			s := NewSampler(tin)
			for range 200 {
				box := EmptyBox()
				for range r.IntN(3) {
					p := Point{r.Int32N(3*size) - 3*size/2, r.Int32N(3*size) - 3*size/2}
					w := r.Int32N(1 + size>>r.IntN(8))
					box = box.Extend(p).Extend(Point{p.X + w, p.Y + w/2})
				}
				near := s.Near(box, []uint32{7})
				if near[0] != 7 || !slices.IsSorted(near[1:]) {
					t.Fatalf("%d triangles near %v: %v", n, box, near)
				}
				near = near[1:]
				found += len(near)
				for i := range uint32(len(s.triangles)) {
					c := s.Triangle(i)
					own := BoxOf(c[0].Point, c[1].Point, c[2].Point)
					meets := !box.IsEmpty() && own.Overlaps(box)
					touches := meets && touchesTriangle(c[0].Point, c[1].Point, c[2].Point, Box{
						Min: Point{max(own.Min.X, box.Min.X), max(own.Min.Y, box.Min.Y)}, Max: Point{min(own.Max.X, box.Max.X), min(own.Max.Y, box.Max.Y)},
					})
					_, listed := slices.BinarySearch(near, i)
					if touches && !listed || listed && !meets {
						t.Fatalf("%v touches %v: %t, listed %t", c, box, touches, listed)
					}
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d triangles found are too few", found)
	}
}

func TestSamplerDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 9))
	s := NewSampler(randomTIN(r, 500, 1<<20))
	var sum float64
	allocs := testing.AllocsPerRun(100, func() {
		x, y := float64(r.Int32N(1<<21)-1<<20), float64(r.Int32N(1<<21)-1<<20)
		z, _ := s.HeightBelow(x, y, 100, 5000)
		sum += z
	})
	if allocs != 0 || math.IsNaN(sum) {
		t.Errorf("%g allocations", allocs)
	}
}

func TestGridFindsEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		ends := rapid.SliceOfN(anyPoint(), 2*n, 2*n).Draw(t, "ends")
		box := func(i int) Box { return BoxOf(ends[2*i], ends[2*i+1]) }
		for _, touches := range []func(int, Box) bool{
			nil,
			func(i int, cell Box) bool { return touchesSegment(ends[2*i], ends[2*i+1], cell) },
		} {
			found := make(map[[2]int]bool)
			newGrid(n, box, touches).forPairs(box, touches, func(i, k int) bool {
				if found[[2]int{k, i}] {
					t.Fatalf("pair %d, %d in both orders", i, k)
				}
				found[[2]int{i, k}] = true
				return true
			})
			for i := range n {
				for k := range i {
					meet := SegmentContact(ends[2*i], ends[2*i+1], ends[2*k], ends[2*k+1]) != Disjoint
					if meet && !found[[2]int{i, k}] && !found[[2]int{k, i}] {
						t.Fatalf("segments %v-%v and %v-%v meet unseen", ends[2*i], ends[2*i+1], ends[2*k], ends[2*k+1])
					}
				}
			}
		}
	})
}

// TestContactsOfFewEdges compares all pairs of edges with a grid of the edges.
func TestContactsOfFewEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Polygon
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			p.Rings = append(p.Rings, somePoints(t, rapid.IntRange(3, 10).Draw(t, "points")))
		}
		var edges []vertexRef
		for i, r := range p.Rings {
			for k := range r {
				edges = append(edges, vertexRef{i, k})
			}
		}
		pairs, grid := validator{p: p, limit: math.MaxInt}, validator{p: p, limit: math.MaxInt}
		pairs.contactsOfPairs(edges)
		pairs.compact()
		grid.contactsInGrid(edges)
		if !slices.Equal(pairs.faults, grid.faults) {
			t.Fatalf("pairs have %v, a grid has %v", pairs.faults, grid.faults)
		}
	})
}

func TestGridStopsWhenAsked(t *testing.T) {
	box := func(int) Box { return Box{} }
	visits := 0
	newGrid(5, box, nil).forPairs(box, nil, func(int, int) bool { visits++; return visits < 3 })
	if visits != 3 {
		t.Errorf("%d visits, want 3", visits)
	}
}

func TestTouchesCell(t *testing.T) {
	all := gridPoints()
	for _, a := range all {
		for _, b := range all {
			for _, lo := range all {
				for _, hi := range all {
					cell := Box{lo, hi}
					own := BoxOf(a, b)
					if cell.IsEmpty() || !own.Contains(lo) || !own.Contains(hi) {
						continue
					}
					// A segment meets a box if it meets one of the sides or has an end inside.
					c1, c2 := Point{hi.X, lo.Y}, Point{lo.X, hi.Y}
					want := cell.Contains(a) || SegmentContact(a, b, lo, c1) != Disjoint || SegmentContact(a, b, c1, hi) != Disjoint ||
						SegmentContact(a, b, hi, c2) != Disjoint || SegmentContact(a, b, c2, lo) != Disjoint
					if got := touchesSegment(a, b, cell); got != want {
						t.Fatalf("segment %v-%v and %v: %v, want %v", a, b, cell, got, want)
					}
					for _, c := range all {
						if Orient(a, b, c) <= 0 {
							continue
						}
						inside := (Ring{a, b, c}).Locate(lo) != Outside
						want := want || inside
						for _, e := range [][2]Point{{b, c}, {c, a}} {
							want = want || cell.Contains(e[0]) || SegmentContact(e[0], e[1], lo, c1) != Disjoint ||
								SegmentContact(e[0], e[1], c1, hi) != Disjoint || SegmentContact(e[0], e[1], hi, c2) != Disjoint ||
								SegmentContact(e[0], e[1], c2, lo) != Disjoint
						}
						if got := touchesTriangle(a, b, c, cell); got != want {
							t.Fatalf("triangle %v %v %v and %v: %v, want %v", a, b, c, cell, got, want)
						}
					}
				}
			}
		}
	}
}

// terrain returns a jittered grid of 2·n·n triangles with eight more that are slim or as large as
// the whole.
func terrain(n int) *TIN {
	r := rand.New(rand.NewPCG(11, 12))
	const pitch = 1000
	tin := &TIN{}
	for y := range int32(n + 1) {
		for x := range int32(n + 1) {
			p := Point{x*pitch + r.Int32N(601) - 300, y*pitch + r.Int32N(601) - 300}
			tin.Vertices = append(tin.Vertices, Vertex{p, r.Int32N(500)})
		}
	}
	for y := range n {
		for x := range n {
			k, row := uint32(y*(n+1)+x), uint32(n+1)
			tin.Triangles = append(tin.Triangles, [3]uint32{k, k + 1, k + row + 1}, [3]uint32{k, k + row + 1, k + row})
			if (y*n+x)%(n*n/8) == 0 {
				tin.Triangles = append(tin.Triangles, [3]uint32{0, uint32(n), k + row})
			}
		}
	}
	return tin
}

func BenchmarkSampler(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{100, 200, 400} {
		tin := terrain(n)
		name := fmt.Sprintf("triangles=%d/", len(tin.Triangles))
		b.Run(name+"build", func(b *testing.B) {
			var s *Sampler
			for b.Loop() {
				s = NewSampler(tin)
			}
			if len(s.triangles) == 0 {
				b.Error("no triangles")
			}
		})
		s := NewSampler(tin)
		x, y := make([]float64, 1024), make([]float64, 1024)
		for i := range x {
			x[i], y[i] = 1000*(1+float64(n-2)*r.Float64()), 1000*(1+float64(n-2)*r.Float64())
		}
		b.Run(name+"height", func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, ok := s.Height(x[i&1023], y[i&1023]); !ok {
					b.Fatalf("no height at %g, %g", x[i&1023], y[i&1023])
				}
				i++
			}
		})
		b.Run(name+"reach", func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				// West of the terrain.
				if _, ok := s.HeightBelow(-500, y[i&1023], math.Inf(1), 1000); !ok {
					b.Fatalf("no height near -500, %g", y[i&1023])
				}
				i++
			}
		})
	}
}
