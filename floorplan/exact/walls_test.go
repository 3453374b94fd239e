package exact

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/lattice"
)

// TestUprightPartsJoin joins what floors say of upright faces: stretches of one face that go on in each other.
func TestUprightPartsJoin(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	face := func(from, to int32) upright { return upright{p(0, 0), p(100, 50), from, to} }
	for name, c := range map[string]struct {
		walls []upright
		want  []lattice.Ring
	}{
		"none":          {nil, nil},
		"a part":        {[]upright{face(10, 20)}, []lattice.Ring{slit(p(10, 5), p(20, 10))}},
		"in any order":  {[]upright{face(50, 100), face(0, 50)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
		"in each other": {[]upright{face(0, 100), face(20, 30), face(60, 100)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
		"apart":         {[]upright{face(0, 40), face(60, 100)}, []lattice.Ring{slit(p(0, 0), p(40, 20)), slit(p(60, 30), p(100, 50))}},
		"two faces":     {[]upright{{p(0, 0), p(0, 90), 0, 90}, {p(0, 0), p(90, 0), 0, 90}}, []lattice.Ring{slit(p(0, 0), p(0, 90)), slit(p(0, 0), p(90, 0))}},
		"falling":       {[]upright{{p(0, 90), p(30, 0), 30, 60}}, []lattice.Ring{slit(p(20, 30), p(10, 60))}},
		"beyond ends":   {[]upright{face(-3, 102)}, []lattice.Ring{slit(p(0, 0), p(100, 50))}},
	} {
		if diff := cmp.Diff(c.want, joined(c.walls)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
