package level

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// box appends a closed box with its faces outward; every triangle has its own vertices.
func (l *Level) box(low, high geom.Vec) {
	at := func(k int) geom.Vec {
		v := low
		if k&1 != 0 {
			v.X = high.X
		}
		if k&2 != 0 {
			v.Y = high.Y
		}
		if k&4 != 0 {
			v.Z = high.Z
		}
		return v
	}
	for _, q := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		for _, t := range [2][3]int{{q[0], q[1], q[2]}, {q[0], q[2], q[3]}} {
			n := uint32(len(l.Vertices))
			l.Vertices = append(l.Vertices, at(t[0]), at(t[1]), at(t[2]))
			l.Triangles = append(l.Triangles, Triangle{n, n + 1, n + 2, NoMaterial})
		}
	}
}

func (l *Level) flip(i int) { l.Triangles[i].B, l.Triangles[i].C = l.Triangles[i].C, l.Triangles[i].B }

func TestTurnOutward(t *testing.T) {
	boxes := func() *Level {
		l := &Level{}
		l.box(geom.Vec{}, geom.Vec{X: 2, Y: 1, Z: 3})
		l.box(geom.Vec{X: 1e6, Y: 5}, geom.Vec{X: 1e6 + 1, Y: 6, Z: 1})
		l.box(geom.Vec{X: 1, Y: -1, Z: 1}, geom.Vec{X: 4, Y: 4, Z: 4}) // through the first
		return l
	}
	want := boxes()
	if n := boxes().TurnOutward(); n != 0 {
		t.Fatalf("%d triangles of boxes that face outward are turned", n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		l := boxes()
		flipped := 0
		for i := range l.Triangles {
			if round == 0 || r.IntN(2) == 0 {
				l.flip(i)
				flipped++
			}
		}
		if n := l.TurnOutward(); n != flipped || !slices.Equal(l.Triangles, want.Triangles) {
			t.Fatalf("round %d: turned %d of %d", round, n, flipped)
		}
	}
}

func TestTurnOutwardLeavesWhatIsOpen(t *testing.T) {
	// An open box keeps the side of most of its area, single triangles keep theirs.
	l := &Level{}
	l.box(geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1})
	l.Triangles = l.Triangles[:10]
	for i := range l.Triangles {
		l.flip(i)
	}
	l.Vertices = append(l.Vertices, geom.Vec{X: 9}, geom.Vec{X: 9, Z: 1}, geom.Vec{X: 8})
	n := uint32(len(l.Vertices))
	l.Triangles = append(l.Triangles, Triangle{n - 3, n - 2, n - 1, NoMaterial}, Triangle{n - 1, n - 1, n - 1, NoMaterial})
	want := slices.Clone(l.Triangles)
	l.flip(3)
	if turned := l.TurnOutward(); turned != 1 || !slices.Equal(l.Triangles, want) {
		t.Errorf("turned %d: %v", turned, l.Triangles)
	}
}

func TestTurnOutwardOfABandWithOneSide(t *testing.T) {
	// A band of Möbius cannot agree with itself; it keeps all its triangles, and the work is finite.
	l := &Level{}
	const n = 12
	for i := range n {
		h := float64(i % 2)
		l.Vertices = append(l.Vertices, geom.Vec{X: float64(i), Y: h}, geom.Vec{X: float64(i), Y: h, Z: 1})
	}
	for i := range uint32(n) {
		a, b, c, d := 2*i, 2*i+1, 2*((i+1)%n), 2*((i+1)%n)+1
		if i == n-1 {
			c, d = d, c
		}
		l.Triangles = append(l.Triangles, Triangle{a, b, c, NoMaterial}, Triangle{b, d, c, NoMaterial})
	}
	if turned := l.TurnOutward(); turned >= 2*n {
		t.Errorf("turned %d", turned)
	}
}
