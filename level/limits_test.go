package level

import (
	"errors"
	"math"
	"testing"
)

func TestLimits(t *testing.T) {
	zero := Limits{}
	if got := zero.WithDefaults(); got != (Limits{DefaultBytes, DefaultTriangles}) {
		t.Errorf("defaults %+v", got)
	}
	if got := (Limits{Triangles: math.MaxInt}); got.Vertices() > math.MaxUint32 || got.Vertices() < 0 {
		t.Errorf("%d vertices do not fit into their numbers", got.Vertices())
	}
	if err := zero.CheckTriangles(DefaultTriangles); err != nil {
		t.Error(err)
	}
	if 2*1023*1023 > DefaultTriangles {
		t.Error("a height map of 1024 × 1024 samples is refused")
	}
	small := Limits{Triangles: 2}
	for _, c := range []struct {
		err  error
		want string
	}{
		{small.CheckTriangles(3), "more than 2 triangles"},
		{small.CheckVertices(7), "more than 6 vertices"},
		{small.CheckPoints(3), "more than 2 points"},
	} {
		large := (*TooLarge)(nil)
		if !errors.As(c.err, &large) || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
	if err := errors.Join(small.CheckTriangles(2), small.CheckVertices(6), small.CheckPoints(2)); err != nil {
		t.Error(err)
	}
}
