package repair

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestApartIsTheArrangement compares the rings of obstacles apart from each other with those of the arrangement: some obstacles have a
// gap of a few units to a side, a line near the region or each other.
func TestApartIsTheArrangement(t *testing.T) {
	var quick, slow Cutter
	tight, found, several, gone, crossed, bent, through := 0, 0, 0, 0, 0, 0, 0
	for seed := range uint64(60_000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		size := int32(64) << rng.IntN(8)
		r := randomRegion(rng, size)
		if k := rng.IntN(len(r.Ring)); rng.IntN(2) == 0 { // the end of a portal on a side
			p, q := r.Ring[k], r.Ring[(k+1)%len(r.Ring)]
			if d := (p.X - q.X) / 2; 2*d == p.X-q.X && (p.Y-q.Y)%2 == 0 {
				r.Ring = slices.Insert(r.Ring, k+1, lattice.Point{X: q.X + d, Y: q.Y + (p.Y-q.Y)/2})
				r.Label = slices.Insert(r.Label, k+1, 99)
			}
		}
		for range rng.IntN(3) {
			at := lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
			r.Near = append(r.Near, [2]lattice.Point{at, {X: at.X + rng.Int32N(9) - 4, Y: at.Y + rng.Int32N(9) - 4}})
		}
		for i, p := range slices.Clone(r.Ring) { // lines from corners on, as other regions have
			if rng.IntN(4) == 0 {
				before := r.Ring[(i+len(r.Ring)-1)%len(r.Ring)]
				r.Near = append(r.Near, [2]lattice.Point{p, {X: 2*p.X - before.X + rng.Int32N(size), Y: 2*p.Y - before.Y + rng.Int32N(size)}})
			}
		}
		for range rng.IntN(3) { // chords of the region
			y := rng.Int32N(size)
			r.Near = append(r.Near, [2]lattice.Point{{X: rng.Int32N(size), Y: y}, {X: rng.Int32N(size), Y: y + rng.Int32N(2)*rng.Int32N(size)}})
		}
		for i, p := range r.Ring { // the end of a chord of another region, on a side
			if q := r.Ring[(i+1)%len(r.Ring)]; rng.IntN(8) == 0 && (p.X-q.X)%2 == 0 && (p.Y-q.Y)%2 == 0 {
				end := lattice.Point{X: q.X + (p.X-q.X)/2, Y: q.Y + (p.Y-q.Y)/2}
				r.Near = append(r.Near, [2]lattice.Point{end, {X: end.X + (p.Y-q.Y)/4, Y: end.Y - (p.X-q.X)/4}})
			}
		}
		var outlines []Outline
		for range rng.IntN(3) {
			outlines = append(outlines, roundOutline(rng, size))
		}
		for range rng.IntN(3) {
			outlines = append(outlines, randomOutlines(rng, size, 1)...)
			if rng.IntN(3) == 0 { // an obstacle that fits tightly
				var points []lattice.Point
				for i, p := range r.Ring {
					in := r.Ring[(i+1)%len(r.Ring)]
					points = append(points, lattice.Point{X: p.X + (in.X-p.X)/8 + rng.Int32N(5) - 2, Y: p.Y + (in.Y-p.Y)/8 + rng.Int32N(5) - 2})
				}
				outlines = append(outlines, Outline{Rings: []lattice.Ring{lattice.Hull(points)}, Kind: Obstacle})
			}
		}
		for i := range outlines {
			if outlines[i].Kind >= 0 {
				outlines[i].Kind = Obstacle
			}
		}
		rings, ok := quick.apart(&r, outlines)
		if !ok {
			continue
		}
		found++
		if len(quick.crossings) > 0 {
			crossed++
		}
		if len(quick.bends) > 0 {
			bent++
		}
		if slices.ContainsFunc(quick.crossings, func(x meeting) bool { return x.outline == none }) {
			through++
		}
		if len(rings) > 2 {
			several++
		}
		slow.arrange(&r, outlines)
		classes := 0
		slow.classes(func(class int32, want []ring) {
			classes++
			if class != None || len(want) != len(rings) {
				t.Fatalf("seed %d: class %d with %d rings, want %d: %#v", seed, class, len(rings), len(want), outlines)
			}
			for i := range want {
				if !slices.Equal(quick.pointsOf(&rings[i]), slow.pointsOf(&want[i])) || !slices.Equal(rings[i].labels, want[i].labels) {
					t.Fatalf("seed %d: ring %d is %v %v, want %v %v", seed, i, quick.pointsOf(&rings[i]), rings[i].labels, slow.pointsOf(&want[i]), want[i].labels)
				}
			}
		})
		if len(rings) > 0 != (classes > 0) {
			t.Fatalf("seed %d: %d rings, want those of %d classes", seed, len(rings), classes)
		}
		if len(rings) == 0 {
			gone++
			continue
		}
		for _, o := range outlines {
			for _, p := range o.Rings[0] {
				for i, a := range r.Ring {
					if lattice.SegmentDistance2(p, a, r.Ring[(i+1)%len(r.Ring)]).CompareInt(64) < 0 {
						tight++
					}
				}
			}
		}
	}
	if found < 5000 || several < 30 || tight < 80 || gone < 30 || crossed < 5000 || bent < 500 || through < 200 {
		t.Errorf("%d regions with obstacles apart, %d with several rings, %d tight corners, %d without floor, %d with crossings, %d with bends, %d with corners on sides: too few", found, several, tight, gone, crossed, bent, through)
	}
}

// roundOutline returns the outline of a pillar near a region of the given size.
func roundOutline(rng *rand.Rand, size int32) Outline {
	x, y := float64(rng.Int32N(size)), float64(rng.Int32N(size))
	radius := float64(size) * math.Pow(rng.Float64(), 2)
	n, start := 3+rng.IntN(10), rng.Float64()
	var points []lattice.Point
	for k := range n {
		sin, cos := math.Sincos((start + float64(k)) / float64(n) * 2 * math.Pi)
		points = append(points, lattice.Point{X: int32(x + radius*cos), Y: int32(y + radius*sin)})
	}
	return Outline{Rings: []lattice.Ring{lattice.Hull(points)}, Kind: -1 - int32(rng.IntN(5)/4)}
}

func (a *arrangement) pointsOf(r *ring) (list []lattice.Point) {
	for _, v := range r.vertices {
		list = append(list, a.points[v])
	}
	return list
}
