package coplanar

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// grid is a level of square cells of two triangles each, in lattice units.
type grid struct {
	cells int // along each side
	size  int32
	// height returns the height of a corner.
	height func(x, y int) int32
	// ground returns the ground of a cell, none for a missing cell.
	ground func(x, y int) int
	// diagonal chooses the diagonal of a cell.
	diagonal func(x, y int) bool
}

func flat(int, int) int32     { return 0 }
func meadow(int, int) int     { return 0 }
func northEast(int, int) bool { return true }
func checkered(x, y int) bool { return (x+y)%2 == 0 }
func (g grid) at(x, y int) geom.Vec {
	return geom.FromGround(float64(int32(x)*g.size)*lattice.Unit, float64(int32(y)*g.size)*lattice.Unit, float64(g.height(x, y))*lattice.Unit)
}

// level returns the level. Cells do not share vertices; the soup merges equal ones.
func (g grid) level() *level.Level {
	lvl := &level.Level{Name: "grid", Ground: &level.Ground{Names: []string{"plain", "sand", "mud"}}}
	for x := range g.cells {
		for y := range g.cells {
			kind := g.ground(x, y)
			if kind == none {
				continue
			}
			k := uint32(len(lvl.Vertices))
			lvl.Vertices = append(lvl.Vertices, g.at(x, y), g.at(x+1, y), g.at(x+1, y+1), g.at(x, y+1))
			corners := [2][3]uint32{{k, k + 1, k + 2}, {k, k + 2, k + 3}}
			if g.diagonal(x, y) {
				corners = [2][3]uint32{{k, k + 1, k + 3}, {k + 1, k + 2, k + 3}}
			}
			for _, c := range corners {
				lvl.Triangles = append(lvl.Triangles, level.Triangle{A: c[0], B: c[1], C: c[2], Material: level.NoMaterial})
				lvl.Ground.Triangles = append(lvl.Ground.Triangles, uint8(kind))
			}
		}
	}
	return lvl
}

var agent = geom.Agent{MaxSlope: geom.Degrees(60)}.WithDefaults()

func read(t *testing.T, lvl *level.Level) *soup.Soup {
	t.Helper()
	s, err := soup.Read(lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomGrid returns a grid of tilted plates with steps between some of them, missing cells, several grounds, and heights that are off by up to
// noise units.
func randomGrid(seed uint64, noise int32) grid {
	rng := rand.New(rand.NewPCG(seed, 5))
	g := grid{cells: 12, size: 64 << rng.IntN(6)}
	const block = 4
	var east, north [5]int32 // by how much a unit of the grid rises
	for k := range east {
		east[k], north[k] = rng.Int32N(3)*g.size/4, rng.Int32N(3)*g.size/4
	}
	heights := map[[2]int]int32{}
	for x := range g.cells + 1 {
		for y := range g.cells + 1 {
			h := int32(0)
			for i := range x {
				h += east[i/block]
			}
			for i := range y {
				h += north[i/block]
			}
			heights[[2]int{x, y}] = h + rng.Int32N(2*noise+1) - noise
		}
	}
	kinds := map[[2]int]int{}
	for x := range g.cells {
		for y := range g.cells {
			kind := (x/6 + 2*(y/6)) % 3
			if rng.IntN(9) == 0 {
				kind = none
			}
			kinds[[2]int{x, y}] = kind
		}
	}
	ways := rng.Uint64()
	g.height = func(x, y int) int32 { return heights[[2]int{x, y}] }
	g.ground = func(x, y int) int { return kinds[[2]int{x, y}] }
	g.diagonal = func(x, y int) bool { return ways>>((5*x+11*y)%64)&1 == 0 }
	return g
}

// soups calls f with soups of random grids, before and after the merge.
func soups(t *testing.T, f func(name string, before, after *soup.Soup)) {
	fewer := 0
	for seed := range uint64(40) {
		for noise := range int32(4) {
			s := read(t, randomGrid(seed, noise).level())
			kept := slices.Clone(s.Triangles)
			merged := Floors(s)
			if !slices.Equal(s.Triangles, kept) {
				t.Fatalf("seed %d: the soup changed", seed)
			}
			if len(merged.Triangles) < len(s.Triangles) {
				fewer++
			}
			for i := range merged.Triangles {
				if c := merged.Triangles[i].ID; c[0] >= c[1] || c[0] >= c[2] || i > 0 && slices.Compare(merged.Triangles[i-1].ID[:], c[:]) >= 0 {
					t.Fatalf("seed %d: triangle %d is not in its place", seed, i)
				}
			}
			f(fmt.Sprintf("seed %d, noise %d", seed, noise), s, merged)
		}
	}
	if fewer < 100 {
		t.Errorf("only %d soups have fewer triangles", fewer)
	}
}

// way is a directed edge between two vertices of a soup.
type way [2]uint32

// edges lists the directed edges of the walkable triangles of a ground, with their number, and the vertices.
func edges(s *soup.Soup, area int) (ways map[way]int, at map[uint32]lattice.Vertex) {
	ways, at = map[way]int{}, map[uint32]lattice.Vertex{}
	for i := range s.Triangles {
		t := &s.Triangles[i]
		if !t.Walkable || area >= 0 && t.Area != uint8(area) {
			continue
		}
		for k := range 3 {
			ways[way{t.ID[k], t.ID[(k+1)%3]}]++
			at[t.ID[k]] = t.V[k]
		}
	}
	return ways, at
}

// borders returns the edges that no edge in the other direction cancels.
func borders(ways map[way]int) map[way]int {
	out := map[way]int{}
	for w, n := range ways {
		if left := n - ways[way{w[1], w[0]}]; left > 0 {
			out[w] = left
		}
	}
	return out
}

// chain returns the edges on the straight way in space from a to b.
func chain(outs map[uint32][]uint32, at map[uint32]lattice.Vertex, a, b uint32) []way {
	var found []way
	for a != b {
		i := slices.IndexFunc(outs[a], func(c uint32) bool {
			if c == b {
				return true
			}
			straight := soup.Normal([3]lattice.Vertex{at[a], at[c], at[b]}) == [3]int64{}
			return straight && lattice.Dot(at[c].Point, at[a].Point, at[b].Point) < 0
		})
		if i < 0 {
			return nil
		}
		found = append(found, way{a, outs[a][i]})
		a = outs[a][i]
	}
	return found
}

// Each ground keeps its area, and each border after the merge is a straight run of borders before the merge; no old border is left
// over. A run with another floor beyond has one edge of another floor beyond after the merge.
func TestFloorsKeepAreasAndBorders(t *testing.T) {
	soups(t, func(name string, before, after *soup.Soup) {
		both, _ := edges(before, -1)
		all, _ := edges(after, -1)
		for area := range 3 {
			sum := func(s *soup.Soup) (total int64) {
				for i := range s.Triangles {
					c := &s.Triangles[i]
					o := lattice.Orient(c.V[0].Point, c.V[1].Point, c.V[2].Point)
					if c.Walkable && o <= 0 {
						t.Errorf("%s: triangle %d faces down", name, i)
					}
					if c.Walkable && c.Area == uint8(area) {
						total += o
					}
				}
				return total
			}
			if b, a := sum(before), sum(after); b != a {
				t.Errorf("%s: ground %d has twice the area %d, had %d", name, area, a, b)
			}
			old, at := edges(before, area)
			now, _ := edges(after, area)
			left := borders(old)
			outs := map[uint32][]uint32{}
			for w := range left {
				outs[w[0]] = append(outs[w[0]], w[1])
			}
			for w, n := range borders(now) {
				run := chain(outs, at, w[0], w[1])
				if run == nil {
					t.Errorf("%s: ground %d: the border from %v to %v is new", name, area, at[w[0]], at[w[1]])
				}
				for _, r := range run {
					left[r] -= n
					if back := (way{r[1], r[0]}); both[r] == 1 && both[back] == 1 && (all[w] != 1 || all[way{w[1], w[0]}] != 1) {
						t.Errorf("%s: ground %d: the edge from %v to %v has no neighbour any more", name, area, at[w[0]], at[w[1]])
					}
				}
			}
			for w, n := range left {
				if n != 0 {
					t.Errorf("%s: ground %d: of the border from %v to %v %d are left over", name, area, at[w[0]], at[w[1]], n)
				}
			}
		}
	})
}

// The surface after the merge passes every old corner within two units: both are within a unit of one plane.
func TestFloorsStayFlat(t *testing.T) {
	off := 0
	soups(t, func(name string, before, after *soup.Soup) {
		for i := range before.Triangles {
			for _, v := range before.Triangles[i].V {
				best := int64(1 << 30)
				for k := range after.Triangles {
					c := &after.Triangles[k].V
					u, w, x := lattice.Orient(c[1].Point, c[2].Point, v.Point), lattice.Orient(c[2].Point, c[0].Point, v.Point), lattice.Orient(c[0].Point, c[1].Point, v.Point)
					if u < 0 || w < 0 || x < 0 {
						continue
					}
					// Twice the distance, up.
					sum := u*int64(c[0].Z) + w*int64(c[1].Z) + x*int64(c[2].Z) - (u+w+x)*int64(v.Z)
					best = min(best, lattice.CeilDiv(2*max(sum, -sum), u+w+x))
				}
				if best > 4 {
					t.Errorf("%s: the corner %v is %g units off the surface", name, v, float64(best)/2)
				}
				if best > 0 {
					off++
				}
			}
		}
	})
	if off < 300 {
		t.Errorf("only %d corners are off the surface at all", off)
	}
}

// A level with its triangles in another order, each beginning at another corner, gives the same floors.
func TestFloorsDoNotDependOnOrder(t *testing.T) {
	for seed := range uint64(6) {
		lvl := randomGrid(seed, 1).level()
		want := Floors(read(t, lvl))
		rng := rand.New(rand.NewPCG(seed, 7))
		rng.Shuffle(len(lvl.Triangles), func(i, j int) {
			lvl.Triangles[i], lvl.Triangles[j] = lvl.Triangles[j], lvl.Triangles[i]
			lvl.Ground.Triangles[i], lvl.Ground.Triangles[j] = lvl.Ground.Triangles[j], lvl.Ground.Triangles[i]
		})
		for i := range lvl.Triangles {
			c := &lvl.Triangles[i]
			c.A, c.B, c.C = c.B, c.C, c.A
		}
		if got := Floors(read(t, lvl)); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: %d triangles, and %d in another order", seed, len(want.Triangles), len(got.Triangles))
		}
	}
}

// Floors whose least number of triangles is known on paper.
func TestFloorsAreFew(t *testing.T) {
	const n = 9
	ramp := func(x, y int) int32 { return int32(40*x + 20*y) }
	for _, c := range []struct {
		name string
		grid grid
		want int
	}{
		{"a square", grid{n, 256, flat, meadow, checkered}, 2},
		{"a ramp", grid{n, 256, ramp, meadow, northEast}, 2},
		{"a square with a hole", grid{n, 256, flat, func(x, y int) int {
			if x == 4 && y == 5 {
				return none
			}
			return 0
		}, checkered}, 8},
		{"an L", grid{n, 256, ramp, func(x, y int) int {
			if x > 4 && y > 4 {
				return none
			}
			return 0
		}, checkered}, 4},
		{"two grounds", grid{n, 256, flat, func(x, _ int) int { return min(x/3, 1) }, checkered}, 4},
		{"three grounds that meet in two corners", grid{n, 256, flat, func(x, y int) int {
			if x < 3 {
				return 0
			}
			return 1 + min(y/4, 1)
		}, checkered}, 7},
		{"a ridge", grid{n, 256, func(x, _ int) int32 { return 30 * int32(min(x, n-x)) }, meadow, checkered}, 2 + 2 + 2}, // the top is level
		{"noise of a unit", grid{n, 4096, func(x, y int) int32 {
			if x%4 == 2 && y%4 == 2 {
				return 1
			}
			return 0
		}, meadow, northEast}, 2},
		{"a corner two units up", grid{n, 4096, func(x, y int) int32 {
			if x == 4 && y == 4 {
				return 2
			}
			return 0
		}, meadow, northEast}, 10 + 6}, // six triangles at the corner, and around their hexagon a square with a hole
	} {
		if got := Floors(read(t, c.grid.level())); len(got.Triangles) != c.want {
			t.Errorf("%s: %d triangles, want %d", c.name, len(got.Triangles), c.want)
		}
	}
}

// Discs that wind around their middle more than once keep the middle, on a border too, and discs of one turn do not.
func TestFloorsThatWindTwice(t *testing.T) {
	around := [8][2]int32{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	for _, c := range []struct {
		name            string
		triangles, sand int // eighths of a turn, and how many of them are sand
		closed          bool
		want            int
	}{
		// Squares have corners in the middle of their sides, which go. Where a turn ends the side is none.
		{"one turn", 8, 0, true, 2},
		{"two turns", 16, 0, true, 10},
		{"half a turn", 4, 0, false, 2},
		{"one and a half", 12, 0, false, 8},
		{"two halves", 8, 4, true, 4},
		{"a half, and one and a half", 16, 4, true, 11},
	} {
		lvl := &level.Level{Name: c.name, Vertices: []geom.Vec{{}}, Ground: &level.Ground{Names: []string{"plain", "sand"}}}
		corners := c.triangles
		if !c.closed {
			corners++
		}
		for k := range corners {
			by := float64(k/8 + 1) // each turn is larger, so that no two triangles are the same
			lvl.Vertices = append(lvl.Vertices, geom.FromGround(by*float64(around[k%8][0]), by*float64(around[k%8][1]), 0))
		}
		for k := range c.triangles {
			kind := uint8(0)
			if k < c.sand {
				kind = 1
			}
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: 0, B: uint32(k + 1), C: uint32((k+1)%corners + 1), Material: level.NoMaterial})
			lvl.Ground.Triangles = append(lvl.Ground.Triangles, kind)
		}
		if got := Floors(read(t, lvl)); len(got.Triangles) != c.want {
			t.Errorf("%s: %d triangles, want %d", c.name, len(got.Triangles), c.want)
		}
	}
}

// Triangles between random corners of a grid, many over each other: as many of a ground lie over a place as before.
func TestFloorsCoverPlaces(t *testing.T) {
	fewer, places := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		lvl := &level.Level{Name: "heap", Ground: &level.Ground{Names: []string{"plain", "sand"}}}
		const wide, size = 5, 512
		for x := range wide {
			for y := range wide {
				lvl.Vertices = append(lvl.Vertices, geom.FromGround(float64(x*size)*lattice.Unit, float64(y*size)*lattice.Unit, 0))
			}
		}
		for range 30 {
			at, dx, dy := rng.Uint32N(wide*wide), uint32(wide), uint32(1)
			if at%wide == wide-1 || at >= wide*(wide-1) {
				continue
			}
			c := [4]uint32{at, at + dx, at + dx + dy, at + dy}
			k := rng.Uint32N(4)
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: c[k], B: c[(k+1)%4], C: c[(k+2)%4], Material: level.NoMaterial})
			lvl.Ground.Triangles = append(lvl.Ground.Triangles, uint8(at/13))
		}
		s := read(t, lvl)
		merged := Floors(s)
		if len(merged.Triangles) < len(s.Triangles) {
			fewer++
		}
		// How many triangles of each ground lie over a place; ok is false on a border.
		over := func(s *soup.Soup, p lattice.Point) (of [2]int, ok bool) {
			for i := range s.Triangles {
				v := &s.Triangles[i].V
				u, w, x := lattice.Orient(v[0].Point, v[1].Point, p), lattice.Orient(v[1].Point, v[2].Point, p), lattice.Orient(v[2].Point, v[0].Point, p)
				switch {
				case u > 0 && w > 0 && x > 0:
					of[s.Triangles[i].Area]++
				case u >= 0 && w >= 0 && x >= 0:
					return of, false
				}
			}
			return of, true
		}
		for range 200 {
			p := lattice.Point{X: rng.Int32N(wide * size), Y: rng.Int32N(wide * size)}
			want, ok := over(s, p)
			got, also := over(merged, p)
			if !ok || !also {
				continue
			}
			if places++; got != want {
				t.Fatalf("seed %d: over %v are %v triangles of each ground, were %v", seed, p, got, want)
			}
		}
	}
	if fewer < 20 || places < 10000 {
		t.Errorf("%d soups have fewer triangles, at %d places", fewer, places)
	}
}

// A corner that another floor touches stays, though its own border goes straight on there.
func TestFloorsKeepContacts(t *testing.T) {
	lvl := grid{2, 4096, flat, meadow, checkered}.level()
	n := uint32(len(lvl.Vertices))
	lvl.Vertices = append(lvl.Vertices, geom.FromGround(1, 0, 0), geom.FromGround(0, -1, 0.2), geom.FromGround(2, -1, 0.2))
	lvl.Triangles = append(lvl.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial})
	lvl.Ground.Triangles = append(lvl.Ground.Triangles, 0)
	if got := Floors(read(t, lvl)); len(got.Triangles) != 3+1 {
		t.Errorf("%d triangles, want 3 of the square and the one that touches it", len(got.Triangles))
	}
}

// Floors that cannot be fewer are the same soup, and solids are in no other result.
func TestFloorsWithoutSolids(t *testing.T) {
	for cells, want := range map[int]int{1: 3, 2: 2} {
		lvl := grid{cells, 4096, flat, meadow, checkered}.level()
		lvl.Vertices = append(lvl.Vertices, geom.Vec{}, geom.Vec{X: 1}, geom.Vec{Y: 2})
		n := uint32(len(lvl.Vertices))
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: n - 3, B: n - 2, C: n - 1, Material: level.NoMaterial})
		lvl.Ground.Triangles = append(lvl.Ground.Triangles, 0)
		s := read(t, lvl)
		if got := Floors(s); len(got.Triangles) != want || (got == s) != (cells == 1) || got.Vertices != s.Vertices {
			t.Errorf("%d cells: %d triangles, want %d", cells, len(got.Triangles), want)
		}
	}
}

// Rough terrain with a small level square stays as it is; with a large square the square is merged.
func TestFloorsOfTerrain(t *testing.T) {
	for size, fewer := range map[int]bool{4: false, 16: true} {
		rng := rand.New(rand.NewPCG(1, 2))
		var heights [25][25]int32
		for x := range heights {
			for y := range heights[x] {
				if x > size || y > size {
					heights[x][y] = rng.Int32N(600)
				}
			}
		}
		s := read(t, grid{24, 1024, func(x, y int) int32 { return heights[x][y] }, meadow, checkered}.level())
		got := Floors(s)
		// Of the square the two triangles to each inner edge stay.
		if want := len(s.Triangles) - 2*(size-1)*(size-1) - 2*(size-1); (got == s) == fewer || fewer && len(got.Triangles) > want {
			t.Errorf("a level square of %d: %d triangles of %d", size, len(got.Triangles), len(s.Triangles))
		}
	}
}
