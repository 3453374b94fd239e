package navmesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// soupOf returns random triangles, some over each other.
func soupOf(rng *rand.Rand, n int, size int32) *lattice.TIN {
	tin := &lattice.TIN{}
	for len(tin.Triangles) < n {
		first := uint32(len(tin.Vertices))
		x, y := rng.Int32N(size), rng.Int32N(size)
		var v [3]lattice.Vertex
		for k := range v {
			v[k] = lattice.Vertex{Point: lattice.Point{X: x + rng.Int32N(size/3), Y: y + rng.Int32N(size/3)}, Z: rng.Int32N(size)}
		}
		if lattice.Orient(v[0].Point, v[1].Point, v[2].Point) <= 0 {
			continue
		}
		tin.Vertices = append(tin.Vertices, v[:]...)
		tin.Triangles = append(tin.Triangles, [3]uint32{first, first + 1, first + 2})
	}
	return tin
}

// TestAlongAgainstSampler compares the heights along random lines with the sampler at places of the lines.
func TestAlongAgainstSampler(t *testing.T) {
	compared, bare := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 21))
		tin := soupOf(rng, 1+rng.IntN(40), 3000)
		s, sampler := newSheet(tin), lattice.NewSampler(tin)
		for range 8 {
			coordinate := func(from, to float64) float64 { return from + rng.Float64()*(to-from) }
			l := newLine(coordinate(0, 4000), coordinate(0, 4000), coordinate(-2000, 2000), coordinate(-2000, 2000))
			pieces := s.along(l, 0, l.run, nil)
			for i := 1; i < len(pieces); i++ {
				if pieces[i].from < pieces[i-1].to-tiny {
					t.Fatalf("seed %d: piece %d begins at %g, the one before ends at %g", seed, i, pieces[i].from, pieces[i-1].to)
				}
			}
			for range 40 {
				at := rng.Float64() * l.run
				x, y := l.at(at)
				want, floor := sampler.Height(x, y)
				var p *piece
				near := false // to an end of a piece, where the sampler's rounding decides
				for i := range pieces {
					q := &pieces[i]
					near = near || math.Abs(q.from-at) < 0.01 || math.Abs(q.to-at) < 0.01
					if q.from <= at && at <= q.to {
						p = q
					}
				}
				switch {
				case near:
				case floor != (p != nil):
					t.Fatalf("seed %d: floor at (%g, %g): %v, by the sampler %v", seed, x, y, p != nil, floor)
				case !floor:
					bare++
				case math.Abs(p.at(at)-want) > 0.5:
					t.Fatalf("seed %d: height at (%g, %g) %g, by the sampler %g", seed, x, y, p.at(at), want)
				default:
					compared++
				}
			}
		}
	}
	if compared < 1000 || bare < 2000 {
		t.Errorf("%d heights compared, %d places bare", compared, bare)
	}
}

// TestProfileAgainstDefinition compares beyondSteep with a search for a legal profile: within slack of the stretch, no
// steeper than tangent except for one rise of at most climb.
func TestProfileAgainstDefinition(t *testing.T) {
	const tangent, climb, slack = 1.0, 400.0, 50.0
	legal, illegal := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 22))
		// A stretch that is steep throughout, in pieces of one search step each.
		const n, step = 60, 20.0
		var stretch []piece
		z := 0.0
		excess := [3]float64{0.02, 0.2, 2}[rng.IntN(3)]
		for i := range n {
			rise := step * (tangent + excess*rng.Float64())
			if rng.IntN(30) == 0 {
				rise += 300 * rng.Float64()
			}
			stretch = append(stretch, piece{from: step * float64(i), to: step * float64(i+1), low: z, high: z + rise})
			z += rise
		}
		over := beyondSteep(stretch, tangent, climb, slack)
		least := leastRise(finer(stretch, 8), tangent, slack)
		// The search knows only the ends of pieces, and may miss the best places by a piece on either side. No piece
		// rises by more than an eighth of 360.
		switch {
		case over <= 0 && least > climb+2*360.0/8:
			t.Errorf("seed %d: legal, and the least rise is %g", seed, least)
		case over > 0 && least <= climb:
			t.Errorf("seed %d: too high by %g, and a rise of %g does", seed, over, least)
		case over > 0:
			illegal++
		default:
			legal++
		}
		// Adding the missing climb makes the stretch legal.
		if over > 0 && beyondSteep(stretch, tangent, climb+over, slack) > 1e-6 {
			t.Errorf("seed %d: too high by %g and more", seed, over)
		}
	}
	if legal < 50 || illegal < 50 {
		t.Errorf("%d legal, %d illegal", legal, illegal)
	}
}

// finer divides pieces.
func finer(stretch []piece, parts int) []piece {
	var out []piece
	for _, p := range stretch {
		at := func(k int) float64 { return p.from + (p.to-p.from)*float64(k)/float64(parts) }
		for k := range parts {
			out = append(out, piece{from: at(k), to: at(k + 1), low: p.at(at(k)), high: p.at(at(k + 1))})
		}
	}
	return out
}

// leastRise returns the least height of the single rise of a profile, by trying all pairs of piece ends around the
// rise.
func leastRise(stretch []piece, tangent, slack float64) float64 {
	n := len(stretch) + 1
	u, at := make([]float64, n), make([]float64, n)
	for i := range stretch {
		u[i], at[i] = stretch[i].low-float64(tangent*stretch[i].from), stretch[i].from
		u[i+1], at[i+1] = stretch[i].high-float64(tangent*stretch[i].to), stretch[i].to
	}
	least := math.Inf(1)
	// Left of the rise the profile, less the slope, does not rise: the profile is as high as possible.
	left := math.Inf(1)
	for i := range n {
		if left = min(left, u[i]+slack); left < u[i]-slack {
			break
		}
		right := math.Inf(-1)
		for k := n - 1; k >= i; k-- {
			if right = max(right, u[k]-slack); right > u[k]+slack {
				break
			}
			least = min(least, max(0, right-left)+float64(tangent*(at[k]-at[i])))
		}
	}
	return least
}
