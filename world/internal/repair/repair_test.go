package repair

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/planar"
)

// randomRegion returns a convex region of random corners, all sides walls or portals.
func randomRegion(rng *rand.Rand, size int32) Region {
	for {
		var points []lattice.Point
		for range 3 + rng.IntN(9) {
			points = append(points, lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)})
		}
		ring := lattice.Hull(points)
		if len(ring) < 3 || ring.Area2() <= 0 {
			continue
		}
		r := Region{Ring: ring}
		for i := range ring {
			r.Label = append(r.Label, int32(rng.IntN(2)*(i+1))-1)
		}
		return r
	}
}

// randomOutlines returns footprints around a region of the given size: convex, star-shaped or crossing themselves.
func randomOutlines(rng *rand.Rand, size int32, most int) []Outline {
	var list []Outline
	for range rng.IntN(most + 1) {
		at := lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
		wide := 1 + rng.Int32N(1+size/(1+rng.Int32N(20)))
		var points lattice.Ring
		for range 3 + rng.IntN(12) {
			points = append(points, lattice.Point{X: at.X + rng.Int32N(2*wide) - wide, Y: at.Y + rng.Int32N(2*wide) - wide})
		}
		if rng.IntN(4) > 0 {
			points = lattice.Hull(points)
		}
		if len(points) < 3 {
			continue
		}
		list = append(list, Outline{Rings: []lattice.Ring{points}, Kind: int32(rng.IntN(3)) - 1})
	}
	return list
}

// cut returns the cells of a cut that must succeed.
func cut(t *testing.T, c *Cutter, r *Region, outlines []Outline) []Cell {
	t.Helper()
	cells, err := c.Cut(r, outlines)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// checkCells fails the test unless the cells are convex, apart and labelled.
func checkCells(t *testing.T, cells []Cell) {
	t.Helper()
	for i, c := range cells {
		if fault, at := planar.Fault(c.Ring); fault != "" {
			t.Fatalf("cell %d %v: %s at %d", i, c.Ring, fault, at)
		}
		if len(c.Sides) != len(c.Ring) {
			t.Fatalf("cell %d has %d labels for %d points", i, len(c.Sides), len(c.Ring))
		}
		for j := range i {
			if planar.Overlap(c.Ring, cells[j].Ring) {
				t.Fatalf("cells %v and %v overlap", c.Ring, cells[j].Ring)
			}
		}
	}
}

// area2 returns twice the area of cells of a modifier.
func area2(cells []Cell, modifier int32) (sum int64) {
	for _, c := range cells {
		if c.Modifier == modifier {
			sum += lattice.Ring(c.Ring).Area2()
		}
	}
	return sum
}

func TestCells(t *testing.T) {
	var c Cutter
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := int32(4) << rng.IntN(14)
		r := randomRegion(rng, size)
		cells := cut(t, &c, &r, randomOutlines(rng, size, 6))
		checkCells(t, cells)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// The places of each kind are those that the general overlay of polygons finds, up to the rounding of borders.
func TestCellsCoverTheRest(t *testing.T) {
	var c Cutter
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 2))
		size := int32(1 << 12)
		r := randomRegion(rng, size)
		outlines := randomOutlines(rng, size, 5)
		cells := cut(t, &c, &r, outlines)
		inputs := make([][]lattice.Ring, 4)
		inputs[0] = []lattice.Ring{r.Ring}
		length := 0.0
		for _, o := range outlines {
			inputs[2+o.Kind] = append(inputs[2+o.Kind], o.Rings...)
			for _, ring := range o.Rings {
				for i, p := range ring {
					length += p.Distance(ring[(i+1)%len(ring)])
				}
			}
		}
		for i, p := range r.Ring {
			length += p.Distance(r.Ring[(i+1)%len(r.Ring)])
		}
		a, err := overlay.Arrange(inputs...)
		if err != nil {
			t.Fatal(err)
		}
		for modifier := None; modifier < 2; modifier++ {
			want := int64(0)
			for _, p := range a.Polygons(func(w overlay.Winding) bool {
				in := w[0] > 0 && w[1] <= 0
				switch modifier {
				case 0:
					return in && w[2] > 0
				case 1:
					return in && w[2] <= 0 && w[3] > 0
				}
				return in && w[2] <= 0 && w[3] <= 0
			}) {
				want += p.Area2()
			}
			if got := area2(cells, modifier); float64(max(got-want, want-got)) > 4*length+8 {
				t.Fatalf("seed %d, modifier %d: twice the area is %d, want %d; %v %v", seed, modifier, got, want, r, outlines)
			}
		}
	}
}

// Two regions with a common side have the same points on the side.
func TestNeighboursAgree(t *testing.T) {
	var c Cutter
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		size := int32(8) << rng.IntN(12)
		whole := randomRegion(rng, size)
		n := len(whole.Ring)
		if n < 4 {
			continue
		}
		// A chord divides the region.
		i, k := 0, 2+rng.IntN(n-3)
		var a, b Region
		for j := i; j <= k; j++ {
			a.Ring, a.Label = append(a.Ring, whole.Ring[j]), append(a.Label, Wall)
		}
		a.Label[len(a.Label)-1] = 7
		for j := k; j <= n; j++ {
			b.Ring, b.Label = append(b.Ring, whole.Ring[j%n]), append(b.Label, Wall)
		}
		b.Label[len(b.Label)-1] = 7
		sides := func(r *Region) (list [][2]lattice.Point) {
			for j, p := range r.Ring {
				list = append(list, [2]lattice.Point{p, r.Ring[(j+1)%len(r.Ring)]})
			}
			return list
		}
		a.Near, b.Near = sides(&b), sides(&a)
		outlines := randomOutlines(rng, size, 6)
		for j := range outlines {
			outlines[j].Kind = Obstacle
		}
		stretches := func(cells []Cell, flip bool) (list [][2]lattice.Point) {
			for _, cell := range cells {
				for j, label := range cell.Sides {
					if label != 7 {
						continue
					}
					s := [2]lattice.Point{cell.Ring[j], cell.Ring[(j+1)%len(cell.Ring)]}
					if flip {
						s[0], s[1] = s[1], s[0]
					}
					list = append(list, s)
				}
			}
			slices.SortFunc(list, func(x, y [2]lattice.Point) int {
				return cmp.Or(x[0].Compare(y[0]), x[1].Compare(y[1]))
			})
			return list
		}
		cellsA := cut(t, &c, &a, outlines)
		cellsB := cut(t, new(Cutter), &b, outlines)
		// Two stretches on both sides of one place lie on one line. Elsewhere one side may have no floor left.
		from, to := whole.Ring[0], whole.Ring[k]
		for _, x := range stretches(cellsA, false) {
			for _, y := range stretches(cellsB, true) {
				low := max(lattice.Dot(to, from, x[0]), lattice.Dot(to, from, y[0]))
				high := min(lattice.Dot(to, from, x[1]), lattice.Dot(to, from, y[1]))
				if low < high && (lattice.Orient(x[0], x[1], y[0]) != 0 || lattice.Orient(x[0], x[1], y[1]) != 0) {
					t.Errorf("seed %d size %d: one side sees %v, the other %v", seed, size, x, y)
				}
			}
		}
		for _, x := range cellsA {
			for _, y := range cellsB {
				if planar.Overlap(x.Ring, y.Ring) {
					t.Errorf("seed %d size %d: %v and %v overlap", seed, size, x.Ring, y.Ring)
				}
			}
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	var c Cutter
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		size := int32(16) << rng.IntN(10)
		r := randomRegion(rng, size)
		outlines := randomOutlines(rng, size, 6)
		want := cut(t, &c, &r, outlines)
		rng.Shuffle(len(outlines), func(i, k int) { outlines[i], outlines[k] = outlines[k], outlines[i] })
		for i := range outlines {
			for k, ring := range outlines[i].Rings {
				n := rng.IntN(len(ring))
				outlines[i].Rings[k] = slices.Concat(ring[n:], ring[:n])
			}
		}
		got := cut(t, new(Cutter), &r, outlines)
		same := slices.EqualFunc(got, want, func(a, b Cell) bool {
			return a.Modifier == b.Modifier && slices.Equal(a.Ring, b.Ring) && slices.Equal(a.Sides, b.Sides)
		})
		if !same {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// halves lists the smallest halves of a region, and checks the chord of each division.
func halves(t *testing.T, r *Region, list []Region) []Region {
	t.Helper()
	a, b, chord, ok := r.Halve()
	if !ok {
		return append(list, *r)
	}
	on := func(r *Region, p, q lattice.Point) bool {
		for i := range r.Ring {
			if r.Ring[i] == p && r.Ring[(i+1)%len(r.Ring)] == q && r.Label[i] == Inner {
				return true
			}
		}
		return false
	}
	if p, q := chord[0], chord[1]; !on(&a, q, p) || !on(&b, p, q) {
		t.Fatalf("the chord %v is no side of %v or %v", chord, a, b)
	}
	return halves(t, &b, halves(t, &a, list))
}

// Halves are convex and cover their region but for a few units at walls; every side of a half is a part of a portal of the
// region, beside a wall, or has a half behind the side. No half without portals is large.
func TestHalves(t *testing.T) {
	divided, bent := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		r := randomRegion(rng, int32(BlockSize)<<rng.IntN(5))
		if seed%3 == 0 { // sides along the axes
			box := lattice.BoxOf(r.Ring...)
			r.Ring = []lattice.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}}
			r.Label = []int32{Wall, 4, Wall, 9}
		}
		const off = 6 // units; each of nested halves may bend a wall by one more
		blocks := halves(t, &r, nil)
		if len(blocks) == 1 {
			continue
		}
		divided++
		sum := int64(0)
		behind := map[[2]lattice.Point]int{}
		for _, b := range blocks {
			if w, h := lattice.BoxOf(b.Ring...).Size(); max(w, h) > BlockSize && !slices.ContainsFunc(b.Label, func(l int32) bool { return l >= 0 }) {
				t.Fatalf("seed %d: a half of %d by %d units without portals", seed, w, h)
			}
			if fault, at := planar.Fault(b.Ring); fault != "" {
				t.Fatalf("seed %d: half %v: %s at %d", seed, b.Ring, fault, at)
			}
			sum += lattice.Ring(b.Ring).Area2()
			for i, label := range b.Label {
				p, q := b.Ring[i], b.Ring[(i+1)%len(b.Ring)]
				if label == Inner {
					behind[[2]lattice.Point{p, q}]++
					continue
				}
				on := false
				for k, u := range r.Ring {
					v := r.Ring[(k+1)%len(r.Ring)]
					on = r.Label[k] == label && (lattice.OnSegment(p, u, v) && lattice.OnSegment(q, u, v) || label == Wall &&
						lattice.SegmentDistance2(p, u, v).CompareInt(off*off) <= 0 && lattice.SegmentDistance2(q, u, v).CompareInt(off*off) <= 0)
					if on {
						break
					}
				}
				if !on {
					t.Fatalf("seed %d: the side from %v to %v with label %d is on no side of the region", seed, p, q, label)
				}
			}
		}
		lost := lattice.Ring(r.Ring).Area2() - sum
		walls := 0.0
		for i, p := range r.Ring {
			if r.Label[i] == Wall {
				walls += p.Distance(r.Ring[(i+1)%len(r.Ring)])
			}
		}
		if lost < 0 || float64(lost) > 2*off*walls {
			t.Fatalf("seed %d: the halves lack %d of the region, with walls of %g", seed, lost, walls)
		}
		if lost > 0 {
			bent++
		}
		total := map[lattice.Point]int{}
		for s, n := range behind {
			total[s[0]] += n
			total[s[1]] -= n
		}
		for p, n := range total {
			if n != 0 {
				t.Fatalf("seed %d: the chords at %v do not close", seed, p)
			}
		}
	}
	if divided < 220 || bent < 100 {
		t.Fatalf("only %d regions were divided, %d of them with bent walls", divided, bent)
	}
}

// TestPreparedRegions compares the cells of prepared regions with those of a first cut.
func TestPreparedRegions(t *testing.T) {
	const size = 4096
	rng := rand.New(rand.NewPCG(31, 7))
	var c Cutter
	for i := range 500 {
		first := randomRegion(rng, size)
		for range rng.IntN(4) {
			at := lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
			first.Near = append(first.Near, [2]lattice.Point{at, {X: at.X + rng.Int32N(size) - size/2, Y: at.Y + rng.Int32N(size) - size/2}})
		}
		prepared := first
		prepared.Prepare()
		outlines := randomOutlines(rng, size, 4)
		want := fmt.Sprint(cut(t, &c, &first, outlines))
		if got := fmt.Sprint(cut(t, &c, &prepared, outlines)); got != want || prepared.Near != nil {
			t.Fatalf("region %d: %v, want %v", i, got, want)
		}
	}
}
