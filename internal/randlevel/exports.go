package randlevel

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// doubled gives every triangle from a number on a twin that faces the other way.
func (m *maker) doubled(from int) {
	for _, t := range m.lvl.Triangles[from:len(m.lvl.Triangles):len(m.lvl.Triangles)] {
		m.lvl.Triangles = append(m.lvl.Triangles, level.Triangle{A: t.A, B: t.C, C: t.B, Material: level.NoMaterial})
	}
}

// bim: rooms as planning programs for buildings export them: slab, screed and finish in layers, walls of three leaves, doors ajar in frames over thresholds,
// skirting, and a curtain wall of mullions, transoms and panes, with the faces of some parts drawn from both sides.
func (m *maker) bim() {
	some := func(part func()) {
		from := len(m.lvl.Triangles)
		part()
		if m.between(0, 1) < 0.4 {
			m.doubled(from)
		}
	}
	wide, deep := m.between(3.2, 4.2), m.between(3, 4)
	const columns, rows, high = 3, 2, 2.7
	total := [2]float64{wide * columns, deep * rows}
	yaw := of(m, 0, m.angle())
	add := m.placed(at(0, 0, 0), yaw)
	some(func() { add(at(0, -0.25, 0), at(total[0]+0.5, 0.2, total[1]+0.5), lean{}) })
	some(func() { add(at(0, -0.05, 0), at(total[0], 0.05, total[1]), lean{}) })
	// wall adds the three leaves of a wall between two places across the x or the z, with a door or none.
	wall := func(x, z float64, along bool, long float64, door bool) {
		leaf := func(from, to, low, top float64) {
			for _, l := range [3][2]float64{{-0.05, 0.0125}, {0, 0.075}, {0.05, 0.0125}} {
				size, off := at(to-from, top-low, l[1]), at((from+to)/2, low, l[0]*0.875)
				if !along {
					size.X, size.Z = size.Z, size.X
					off.X, off.Z = off.Z, off.X
				}
				add(at(x, 0, z).Add(off), size, lean{})
			}
		}
		if !door {
			some(func() { leaf(-long/2, long/2, 0, high) })
			return
		}
		w, middle := m.between(0.85, 1.2), m.between(-0.2, 0.2)*long
		some(func() {
			leaf(-long/2, middle-w/2, 0, high)
			leaf(middle+w/2, long/2, 0, high)
			leaf(middle-w/2, middle+w/2, 2.05, high)
		})
		put := func(along2, y, off float64, size geom.Vec, by lean) {
			p := at(along2, y, off)
			if !along {
				p.X, p.Z = p.Z, p.X
				by.yaw = math.Pi/2 - by.yaw
			}
			add(at(x, 0, z).Add(p), size, by)
		}
		some(func() { // frame, threshold and the leaf of the door
			put(middle-w/2+0.02, 0, 0, at(0.04, 2.05, 0.14), lean{})
			put(middle+w/2-0.02, 0, 0, at(0.04, 2.05, 0.14), lean{})
			put(middle, of(m, 0, -0.001), 0, at(w-0.08, m.between(0.006, 0.025), m.between(0.08, 0.14)), lean{})
			open := m.between(0.2, 1.7)
			sin, cos := geom.Sincos(open)
			reach := w/2 - 0.045
			put(middle-reach+reach*cos, 0.008, reach*sin, at(2*reach, 2, 0.04), lean{yaw: -open})
		})
		some(func() { // skirting on both sides
			for _, s := range [2]float64{-1, 1} {
				put((middle-w/2-long/2)/2, 0, s*0.056, at(long/2+middle-w/2, 0.08, 0.012), lean{})
				put((middle+w/2+long/2)/2, 0, s*0.056, at(long/2-middle-w/2, 0.08, 0.012), lean{})
			}
		})
	}
	for i := range columns {
		for j := range rows {
			x, z := (float64(i)-1)*wide, (float64(j)-0.5)*deep
			finish := of(m, 0.003, 0.008, 0.012, 0.015)
			some(func() { add(at(x, 0, z), at(wide-0.1, finish, deep-0.1), lean{}) })
			if i > 0 {
				wall(x-wide/2, z, false, deep, m.between(0, 1) < 0.7)
			}
			if j > 0 {
				wall(x, z-deep/2, true, wide, m.between(0, 1) < 0.7)
			}
			for range 2 {
				add(at(x+m.between(-0.3, 0.3)*wide, finish, z+m.between(-0.3, 0.3)*deep), at(m.between(0.4, 1.4), of(m, 0.002, 0.01, 0.45, 0.74), m.between(0.4, 0.8)), lean{yaw: of(m, 0, m.angle())})
			}
		}
	}
	for k := range 2 { // the curtain walls
		z := total[1] / 2 * float64(2*k-1)
		n := int(total[0] / 1.2)
		for i := range n + 1 {
			x := (float64(i)/float64(n) - 0.5) * total[0]
			some(func() { add(at(x, -0.1, z), at(0.05, high, 0.15), lean{}) })
			if i < n && !(k == 1 && i == n/2) {
				some(func() { // a pane without thickness between transoms
					add(at(x+total[0]/float64(n)/2, of(m, 0, 0.05, -0.04), z), at(total[0]/float64(n)-0.05, 0.06, 0.12), lean{})
					add(at(x+total[0]/float64(n)/2, 1, z), at(total[0]/float64(n)-0.05, 0.05, 0.1), lean{})
					place := framed(geom.Vec{}, yaw)
					m.sheet(1, 1, func(u, v float64) geom.Vec { return place(x+u*total[0]/float64(n), high*v, z) })
				})
			}
		}
	}
	for k := range 3 { // steps before the entrance, with a nosing
		add(at(0, -0.14*float64(k+1)-0.06, total[1]/2+0.5+0.33*float64(k)), at(1.8, 0.04, 0.36), lean{})
		add(at(0, -0.6, total[1]/2+0.5+0.33*float64(k)-0.015), at(1.8, 0.6-0.14*float64(k+1)-0.06, 0.33), lean{})
	}
	add(at(0, -0.6, 0), at(total[0]+5, 0.1, total[1]+6), lean{})
}

// nets: spheres and tubes are dug out of rock. The mesh has one vertex for each cell of a grid, the values of the grid are whole sixteenths, and bent quadrangles are
// divided at random.
func (m *maker) nets() {
	const nx, ny, nz = 30, 10, 30
	cell := m.between(0.45, 0.65)
	type tube struct {
		a, b   geom.Vec
		radius float64
	}
	var tubes []tube
	where := at(nx/2*cell, m.between(4, 5)*cell, nz/2*cell)
	for range m.count(10, 16) {
		next := at(m.between(4, nx-4)*cell, max(4*cell, min(where.Y+m.between(-1, 1), (ny-4)*cell)), m.between(4, nz-4)*cell)
		tubes = append(tubes, tube{where, next, m.between(1.4, 2.3)})
		if m.between(0, 1) < 0.7 {
			where = next
		}
	}
	level := m.between(0.7, 1.4) // how far below the middle of a tube its floor is
	value := func(x, y, z int) float64 {
		p := at(float64(x)*cell, float64(y)*cell, float64(z)*cell)
		far := math.Inf(1)
		if x < 2 || y < 2 || z < 2 || x >= nx-1 || y >= ny-1 || z >= nz-1 {
			return 1
		}
		for _, t := range tubes {
			along := t.b.Sub(t.a)
			s := max(0, min(1, p.Sub(t.a).Dot(along)/max(along.Dot(along), 1e-9)))
			d := p.Sub(t.a.Add(along.Scale(s)))
			far = min(far, max(math.Sqrt(d.Dot(d))-t.radius, -d.Y-level))
		}
		return max(-1, min(1, math.Round(far/cell*16)/16+1.0/64)) // positive in rock
	}
	index := func(x, y, z int) int { return (z*ny+y)*nx + x }
	values := make([]float64, nx*ny*nz)
	for z := range nz {
		for y := range ny {
			for x := range nx {
				values[index(x, y, z)] = value(x, y, z)
			}
		}
	}
	number := map[int]int{}
	var vertices []geom.Vec
	vertex := func(x, y, z int) int { // the middle of the places where edges of the cell cross the surface
		key := index(x, y, z)
		if n, ok := number[key]; ok {
			return n
		}
		var sum geom.Vec
		n := 0
		for a := range 8 {
			for axis := range 3 {
				b := a | 1<<axis
				if a == b {
					continue
				}
				p, q := [3]int{x + a&1, y + a>>1&1, z + a>>2&1}, [3]int{x + b&1, y + b>>1&1, z + b>>2&1}
				f, g := values[index(p[0], p[1], p[2])], values[index(q[0], q[1], q[2])]
				if (f < 0) != (g < 0) {
					t := f / (f - g)
					sum = sum.Add(at(float64(p[0])+t*float64(q[0]-p[0]), float64(p[1])+t*float64(q[1]-p[1]), float64(p[2])+t*float64(q[2]-p[2])))
					n++
				}
			}
		}
		number[key] = len(vertices)
		vertices = append(vertices, sum.Scale(cell/float64(n)).Sub(at(nx/2*cell, 0, nz/2*cell)))
		return number[key]
	}
	var faces [][]int
	quad := func(a, b, c, d int, turned bool) {
		if turned {
			b, d = d, b
		}
		if m.between(0, 1) < 0.5 {
			a, b, c, d = b, c, d, a
		}
		faces = append(faces, []int{a, b, c, d})
	}
	for z := 1; z < nz-1; z++ {
		for y := 1; y < ny-1; y++ {
			for x := 1; x < nx-1; x++ {
				f := values[index(x, y, z)] < 0
				if g := values[index(x+1, y, z)] < 0; f != g {
					quad(vertex(x, y-1, z-1), vertex(x, y, z-1), vertex(x, y, z), vertex(x, y-1, z), f)
				}
				if g := values[index(x, y+1, z)] < 0; f != g {
					quad(vertex(x-1, y, z-1), vertex(x-1, y, z), vertex(x, y, z), vertex(x, y, z-1), f)
				}
				if g := values[index(x, y, z+1)] < 0; f != g {
					quad(vertex(x-1, y-1, z), vertex(x, y-1, z), vertex(x, y, z), vertex(x-1, y, z), f)
				}
			}
		}
	}
	m.add(vertices, faces...)
	for range 6 { // planks and boxes
		t := tubes[m.rng.IntN(len(tubes))]
		p := t.a.Sub(at(nx/2*cell, level+m.between(-0.1, 0.2), nz/2*cell))
		m.box(p, at(m.between(0.3, 3), m.between(0.05, 0.6), m.between(0.3, 0.8)), lean{yaw: m.angle(), pitch: m.normal(0.05)})
	}
}

// brushes: a map of brushes on a grid of an inch. The planes of walls cut the floors. Trims, lamps and plates stand a few millimetres out of floors and steps. The
// floor has grilles, columns have eight sides, and corners are clipped.
func (m *maker) brushes() {
	const inch = 0.0254
	grid := of(m, inch, 2*inch, 0.03125)
	snap := func(v float64) float64 { return math.Round(v/grid) * grid }
	proud := func() float64 { return of(m, 0.001, 0.002, 0.003, 0.005) }
	type rect struct{ x0, z0, x1, z1, y float64 }
	// floor adds a rectangle cut along lines, each piece by itself, its corners rounded to an eighth of the grid.
	var lines [][3]float64
	floor := func(r rect) {
		faces := [][][2]float64{{{r.x0, r.z0}, {r.x0, r.z1}, {r.x1, r.z1}, {r.x1, r.z0}}}
		for _, l := range lines {
			var next [][][2]float64
			for _, f := range faces {
				if m.between(0, 1) < 0.3 {
					next = append(next, f)
					continue
				}
				for _, s := range divided(f, l) {
					if len(s) > 2 {
						next = append(next, s)
					}
				}
			}
			faces = next
		}
		for _, f := range faces {
			var top []geom.Vec
			var all []int
			for i, c := range f {
				top, all = append(top, at(math.Round(c[0]/grid*8)*grid/8, r.y, math.Round(c[1]/grid*8)*grid/8)), append(all, i)
			}
			m.add(top, all)
		}
	}
	for range m.count(6, 10) {
		sin, cos := geom.Sincos(of(m, 0, 0, math.Pi/2, math.Pi/2, math.Pi/4, geom.Degrees(26.565), m.angle()))
		lines = append(lines, [3]float64{cos, sin, snap(m.between(-8, 8))})
	}
	floor(rect{-10, -10, 10, 10, 0})
	m.box(at(0, -0.6, 0), at(20, 0.5, 20), lean{})
	for range 5 { // platforms with trims
		x, z, w, d, y := snap(m.between(-7, 7)), snap(m.between(-7, 7)), snap(m.between(1.5, 4)), snap(m.between(1.5, 4)), snap(of(m, 0.2, 0.4, 0.8, 1.2, 2.4))
		m.box(at(x, -0.1, z), at(w, 0.1+y-0.1, d), lean{})
		lines, y = lines[:min(len(lines), 5)], snap(y)
		floor(rect{x - w/2, z - d/2, x + w/2, z + d/2, y})
		for _, s := range [2]float64{-1, 1} {
			m.box(at(x+s*(w/2-0.05), y-0.2, z), at(0.1+2*proud(), 0.2+proud(), d+2*proud()), lean{})
			m.box(at(x, y-0.2, z+s*(d/2-0.05)), at(w+2*proud(), 0.2+proud(), 0.1+2*proud()), lean{})
		}
		n := int(math.Ceil(y / 0.2))
		for k := range n { // steps with a plate along each edge
			high := y * float64(n-k) / float64(n+1)
			if high > 0.05 {
				m.box(at(x+w/2+0.3*float64(k)+0.15, -0.1, z), at(0.3, 0.1+high, min(d, 1.5)), lean{})
				m.box(at(x+w/2+0.3*float64(k)+0.27, high-0.03, z), at(0.06+2*proud(), 0.03+proud(), min(d, 1.5)+0.02), lean{})
			}
		}
	}
	for range 10 { // lamps and plates in the floor
		m.box(at(snap(m.between(-9, 9)), -0.05, snap(m.between(-9, 9))), at(m.between(0.1, 0.6), 0.05+proud(), m.between(0.1, 0.6)), lean{yaw: of(m, 0, 0, math.Pi/4)})
	}
	for range 5 { // columns with a foot
		x, z, r := snap(m.between(-9, 9)), snap(m.between(-9, 9)), snap(m.between(0.15, 0.5))
		m.drum(at(x, 0, z), r, 3, 8, 0)
		m.drum(at(x, -0.05, z), r+0.1, 0.05+of(m, 0.05, 0.15, 0.3), 8, 0)
		m.box(at(x, -0.02, z), at(2*r+0.4, 0.02+proud(), 2*r+0.4), lean{yaw: math.Pi / 4})
	}
	for range 3 { // wedges on the floor, as clipped brushes
		x, z, w, long, y := snap(m.between(-8, 8)), snap(m.between(-8, 8)), snap(m.between(0.8, 2)), snap(m.between(0.5, 3)), snap(m.between(0.2, 1.2))
		place := framed(at(x, 0, z), of(m, 0, math.Pi/2, math.Pi/4))
		m.add([]geom.Vec{place(0, 0, -w), place(0, 0, w), place(long, 0, w), place(long, 0, -w), place(long, y, w), place(long, y, -w)},
			[]int{0, 1, 4, 5}, []int{3, 5, 4, 2}, []int{1, 2, 4}, []int{0, 5, 3}, []int{0, 3, 2, 1})
	}
	for range 4 { // grilles
		x, z := snap(m.between(-8, 8)), snap(m.between(-8, 8))
		for k := range 5 {
			m.box(at(x+0.08*float64(k), -0.04, z), at(0.03, 0.04+proud(), 0.6), lean{})
		}
	}
	for k := range 5 { // walls with baseboards
		x, z, yaw := snap(m.between(-8, 8)), snap(m.between(-8, 8)), math.Pi/2*float64(k%2)
		m.box(at(x, -0.1, z), at(3, 2.9, 0.2), lean{yaw: yaw})
		m.box(at(x, -0.1, z), at(3+2*proud(), 0.2, 0.2+2*proud()), lean{yaw: yaw})
		m.box(at(x, 2.1, z), at(3.2, 0.3, m.between(0.4, 1.6)), lean{yaw: yaw})
	}
}

// machined: plates and bosses as drawing programs for machines triangulate them: holes joined to outlines by long slivers, rounded edges of strips millimetres wide, and neighbours
// whose corners lie on each other's sides, all turned by an odd angle and rounded to a tenth of a millimetre.
func (m *maker) machined() {
	from := len(m.lvl.Vertices)
	// zip joins two rings around one middle, from above, with as few triangles as they have corners.
	zip := func(outer, inner []geom.Vec) {
		vertices := append(append([]geom.Vec{}, outer...), inner...)
		n, k := len(outer), len(inner)
		var faces [][]int
		for i, j := 0, 0; i < n || j < k; {
			a, b := i%n, n+j%k
			if i < n && (j == k || (i+1)*k <= (j+1)*n) {
				faces = append(faces, []int{a, b, (i + 1) % n})
				i++
			} else {
				faces = append(faces, []int{a, b, n + (j+1)%k})
				j++
			}
		}
		m.add(vertices, faces...)
	}
	ring := func(middle geom.Vec, r float64, n int, y float64) []geom.Vec {
		var out []geom.Vec
		for i := range n {
			out = append(out, polar(middle, r, math.Pi/4+2*math.Pi*float64(i)/float64(n), y))
		}
		return out
	}
	m.box(at(0, -1, 0), at(18, 0.4, 18), lean{})
	const side = 3.0
	for i := range 5 {
		for j := range 5 {
			middle := at((float64(i)-2)*side+m.normal(0.0003), of(m, 0, 0, 0, 0.002, 0.05, 0.18, -0.2)+m.normal(0.0002), (float64(j)-2)*side)
			fillet, half, facets := of(m, 0, 0.004, 0.01, 0.03), side/2-of(m, 0, 0, 0.0002, 0.002, 0.015), m.count(2, 4)
			if middle.Y < 0 {
				fillet = 0
			}
			square := func(in, y float64, n int) []geom.Vec { // n points on every side, and the corners
				var out []geom.Vec
				for k := range 4 {
					ax, az := turn(half-in, half-in, math.Pi/2*float64(k))
					bx, bz := turn(half-in, half-in, math.Pi/2*float64(k+1))
					for s := range n + 1 {
						t := float64(s) / float64(n+1)
						out = append(out, middle.Add(at(ax+(bx-ax)*t, y, az+(bz-az)*t)))
					}
				}
				return out
			}
			n := m.count(0, 4)
			switch m.count(0, 3) {
			case 0: // a hole with a sunk edge
				r, c := m.between(0.06, 0.9), m.count(12, 40)
				zip(square(fillet, 0, n), ring(middle, r, c, 0))
				zip(ring(middle, r, c, 0), ring(middle, r*0.9, c, -0.1*r))
				zip(ring(middle, r*0.9, c, -0.1*r), ring(middle, r*0.9-0.0005, c, -0.5))
			case 1: // a boss with a rounded foot and edge
				r, c, high := m.between(0.1, 0.9), m.count(12, 36), of(m, 0.001, 0.01, 0.1, 0.3, 0.5)
				foot := min(high/3, 0.02)
				zip(square(fillet, 0, n), ring(middle, r+foot, c, 0))
				zip(ring(middle, r+foot, c, 0), ring(middle, r, c, foot))
				zip(ring(middle, r, c, foot), ring(middle, r-0.0005, c, high-foot))
				zip(ring(middle, r-0.0005, c, high-foot), ring(middle, r-foot, c, high))
				m.add(append(ring(middle, r-foot, c, high), middle.Add(at(0, high, 0))), func() (faces [][]int) {
					for k := range c {
						faces = append(faces, []int{c, (k + 1) % c, k})
					}
					return
				}()...)
			case 2: // a fan from one corner
				all := square(fillet, 0, 2*n)
				face := make([]int, len(all))
				for k := range face {
					face[k] = len(all) - 1 - k
				}
				m.add(all, face)
			case 3: // a dish of rings
				c := m.count(16, 40)
				zip(square(fillet, 0, n), ring(middle, 1.3, c, 0))
				low := m.between(-0.3, 0.3)
				for k := range 4 {
					s, t := float64(k)/4, float64(k+1)/4
					zip(ring(middle, 1.3-s, c, low*s*s), ring(middle, 1.3-t, c, low*t*t))
				}
				m.drum(middle.Add(at(0, low*0.5, 0)), 0.35, max(0, low*0.5)+0.02, c, 0)
			}
			before, y := 0.0, -fillet
			if fillet > 0 {
				for k := range facets { // the rounded edge
					sin, cos := geom.Sincos(math.Pi / 2 * float64(k+1) / float64(facets))
					in := fillet * (1 - cos)
					_ = in
					next, ny := fillet*(1-cos), fillet*(sin-1)
					zip(square(before, y, n), square(next, ny, n))
					before, y = next, ny
				}
			}
			zip(square(-0.00005, -0.5, n), square(0, -fillet, n))
		}
	}
	for range 5 {
		where := at(m.between(-6, 6), -0.3, m.between(-6, 6))
		m.bevelled(where, at(m.between(0.2, 2), m.between(0.3, 1.5), m.between(0.2, 2)), 0.02, of(m, 0, m.angle()))
	}
	yaw := of(m, 0, m.angle(), m.angle())
	for k := from; k < len(m.lvl.Vertices); k++ {
		v := &m.lvl.Vertices[k]
		x, z := turn(v.X, v.Z, yaw)
		v.X, v.Z = math.Round(x*1e4)/1e4+0, math.Round(z*1e4)/1e4+0
		v.Y = math.Round(v.Y*1e4)/1e4 + 0
	}
}

// instances: parts of a kit under matrices: mirrored, sheared, stretched along one axis, nested, turned by odd angles, and overlapping by millimetres. Mirrored parts have faces
// on both sides, or faces turned back.
func (m *maker) instances() {
	m.box(at(0, -0.6, 0), at(30, 0.5, 30), lean{})
	type matrix [4]geom.Vec // three axes and the origin
	apply := func(t matrix, v geom.Vec) geom.Vec {
		return t[3].Add(t[0].Scale(v.X)).Add(t[1].Scale(v.Y)).Add(t[2].Scale(v.Z))
	}
	under := func(t matrix, part func()) {
		from, faces := len(m.lvl.Vertices), len(m.lvl.Triangles)
		part()
		for i := from; i < len(m.lvl.Vertices); i++ {
			v := apply(t, m.lvl.Vertices[i])
			for _, c := range [3]*float64{&v.X, &v.Y, &v.Z} {
				*c = math.Round(*c*1e6)/1e6 + 0
			}
			m.lvl.Vertices[i] = v
		}
		if t[0].Cross(t[1]).Dot(t[2]) < 0 {
			if m.between(0, 1) < 0.5 {
				m.doubled(faces)
				return
			}
			for i := faces; i < len(m.lvl.Triangles); i++ {
				x := &m.lvl.Triangles[i]
				x.B, x.C = x.C, x.B
			}
		}
	}
	stair := func() {
		for k := range 6 {
			m.box(at(0.3*float64(k)-0.75, 0, 0), at(0.31, 0.2*float64(k+1), 1.2), lean{})
			m.box(at(0.3*float64(k)-0.77, 0.2*float64(k+1)-0.03, 0), at(0.34, 0.032, 1.24), lean{})
		}
		m.box(at(1.65, 0, 0), at(1.6, 1.2, 1.4), lean{})
	}
	slab := func() {
		m.box(at(0, -0.2, 0), at(4, 0.2, 4), lean{})
		for k := range 4 {
			x, z := turn(1.95, 0, math.Pi/2*float64(k))
			m.box(at(x, -0.05, z), at(0.1, 0.05+of(m, 0.003, 0.02, 0.1), 4), lean{yaw: math.Pi / 2 * float64(k)})
		}
		m.drum(at(1, 0, 1), 0.3, 0.9, 9, 0.1)
	}
	arch := func() {
		for _, s := range [2]float64{-1, 1} {
			m.box(at(s*1.2, -0.1, 0), at(0.5, 2.1, 0.4), lean{})
			m.bevelled(at(s*1.2, -0.1, 0), at(0.6, 0.25, 0.5), 0.05, 0)
		}
		for k := range 6 {
			sin, cos := geom.Sincos(math.Pi * (float64(k) + 0.5) / 6)
			m.box(at(1.2*cos, 1.9+0.6*sin, 0), at(0.62, 0.3, 0.4), lean{pitch: math.Atan2(cos*0.5, sin) * -1})
		}
	}
	ramp := func() {
		m.block([4]geom.Vec{at(-1.5, -0.2, 1), at(1.5, -0.2, 1), at(1.5, -0.2, -1), at(-1.5, -0.2, -1)},
			[4]geom.Vec{at(-1.5, 0, 1), at(1.5, 0.8, 1), at(1.5, 0.8, -1), at(-1.5, 0, -1)})
		m.box(at(2, -0.2, 0), at(1.01, 1, 2), lean{})
	}
	draw := func() matrix {
		yaw := of(m, 0, math.Pi/2, m.angle(), m.angle())
		sin, cos := geom.Sincos(yaw)
		t := matrix{at(cos, 0, sin), at(0, 1, 0), at(-sin, 0, cos)}
		t[0] = t[0].Scale(of(m, 1, 1, -1, -1, m.between(0.7, 1.4)))
		t[1] = t[1].Scale(of(m, 1, 1, 1, m.between(0.6, 1.3)))
		t[2] = t[2].Scale(of(m, 1, 1, -1, m.between(0.7, 1.4)))
		if m.between(0, 1) < 0.3 { // sheared
			t[1] = t[1].Add(at(m.normal(0.1), 0, m.normal(0.1)))
			t[0] = t[0].Add(at(0, m.normal(0.08), 0))
		}
		return t
	}
	parts := []func(){stair, slab, slab, arch, ramp}
	for i := range 5 {
		for j := range 5 {
			t := draw()
			t[3] = at(4*(float64(i)-2)+m.normal(0.003), of(m, 0, 0, 0, 0.3, 0.6, -0.1)+m.normal(0.002), 4*(float64(j)-2)+m.normal(0.003))
			under(t, func() {
				slab()
				inner := draw()
				inner[3] = at(m.between(-1, 1), of(m, 0, 0, -0.002, 0.001), m.between(-1, 1))
				under(inner, of(m, parts...))
			})
		}
	}
}

// displaced: bodies that were divided until they were smooth and moved along their normals by a pattern of bricks, cobbles or noise: a floor, steps with round edges, a wall and
// round columns.
func (m *maker) displaced() {
	pattern := func(kind int, u, v float64) float64 { // from 0 to 1
		switch kind {
		case 0: // bricks with joints
			row := math.Floor(v)
			x := u - 0.5*math.Mod(row, 2)
			x -= math.Floor(x)
			y := v - row
			return min(1, 8*min(min(x, 1-x)*1.5, min(y, 1-y)))
		case 1: // cobbles
			s, _ := geom.Sincos(math.Pi * u)
			t, _ := geom.Sincos(math.Pi * v)
			return math.Sqrt(math.Abs(s * t))
		}
		s, _ := geom.Sincos(3.1*u + 1.7*v)
		t, _ := geom.Sincos(2.3*v - 4.4*u + s)
		return 0.5 + 0.25*(s+t)
	}
	kind, deep, size := m.count(0, 2), m.between(0.01, 0.08), m.between(0.35, 0.9)
	const n = 44
	side := m.between(10, 14)
	ripple := m.hills(4, of(m, 0.0, 0.3, 0.8))
	m.sheet(n, n, func(u, v float64) geom.Vec {
		x, z := (u-0.5)*side, (v-0.5)*side
		push := deep * pattern(kind, x/size, z/size)
		return at(x, ripple(x, z)+push, z)
	})
	// pillow adds a box with n pieces to a side, as round as an exponent says, moved outwards by a pattern.
	pillow := func(where, size geom.Vec, yaw, soft float64, n, kind int, deep float64) {
		place := framed(where, yaw)
		for face := range 6 {
			m.sheet(n, n, func(u, v float64) geom.Vec {
				a, b, c := 2*u-1, 2*v-1, 1.0
				var p geom.Vec
				switch face {
				case 0:
					p = at(a, c, b)
				case 1:
					p = at(a, -c, -b)
				case 2:
					p = at(c, -a, b)
				case 3:
					p = at(-c, a, b)
				case 4:
					p = at(a, -b, c)
				case 5:
					p = at(a, b, -c)
				}
				ball := p.Unit()
				q := p.Scale(1 - soft).Add(ball.Scale(soft))
				push := 1 + deep*pattern(kind, 2*p.X+p.Y, 2*p.Z-p.Y)
				return place(q.X*push*size.X/2, (q.Y*push+1)*size.Y/2, q.Z*push*size.Z/2)
			})
		}
	}
	for flight := range 2 {
		yaw, high := m.angle(), m.between(0.16, 0.3)
		origin := at(m.between(-2, 2), 0, 5*float64(flight)-2.5)
		origin.Y = ripple(origin.X, origin.Z)
		place := framed(origin, yaw)
		for k := range 5 {
			pillow(place(0.32*float64(k), -0.2, m.normal(0.02)), at(m.between(0.4, 0.5), 0.25+high*float64(k+1), m.between(1.5, 2)), yaw+m.normal(0.03), m.between(0.02, 0.2), 4, kind, m.between(0, 0.08))
		}
		pillow(place(2.4, -0.2, 0), at(2, 0.25+high*5, 2.4), yaw, m.between(0.02, 0.1), 5, 2, m.between(0, 0.05))
	}
	for range 4 {
		x, z := m.between(-0.4, 0.4)*side, m.between(-0.4, 0.4)*side
		pillow(at(x, ripple(x, z)-0.1, z), at(m.between(0.4, 1.5), m.between(0.2, 1.6), m.between(0.4, 1.5)), m.angle(), m.between(0.1, 1), 4, m.count(0, 2), m.between(0, 0.3))
	}
}
