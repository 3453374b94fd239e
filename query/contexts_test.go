package query

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestContextsFirst checks that every function with a context looks at the context before any work, also where the answer
// takes no work, and that a nil context is an error.
func TestContextsFirst(t *testing.T) {
	w := newGrid(t, rand.New(rand.NewPCG(1, 1)), 4, 4, 0, cells, lattice.Frame{})
	ix := NewIndex(w.mesh)
	q := ix.NewQuery()
	at := geom.FromGround(0.5, 0.5, 0)
	on, ok := q.Locate(at)
	if !ok {
		t.Fatal("the start is off the mesh")
	}
	fan, err := q.ToMany(t.Context(), at, []geom.Vec{at})
	if err != nil {
		t.Fatal(err)
	}
	var corridor Corridor
	corridor.Reset(on)
	calls := map[string]func(context.Context) error{
		"index":     func(ctx context.Context) error { _, err := NewIndexWith(ctx, w.mesh); return err },
		"prepare":   func(ctx context.Context) error { _, err := ix.Prepare(ctx); return err },
		"fan":       func(ctx context.Context) error { _, err := fan.Path(ctx, 0); return err },
		"path":      func(ctx context.Context) error { _, err := q.Path(ctx, at, at); return err },
		"between":   func(ctx context.Context) error { _, err := q.PathBetween(ctx, on, on); return err },
		"corridor":  func(ctx context.Context) error { _, err := q.AStarPath(ctx, at, at); return err },
		"partial":   func(ctx context.Context) error { _, err := q.PartialPath(ctx, at, at); return err },
		"many":      func(ctx context.Context) error { _, err := q.ToMany(ctx, at, nil); return err },
		"nearest":   func(ctx context.Context) error { _, _, err := q.NearestOf(ctx, at, nil); return err },
		"within":    func(ctx context.Context) error { _, err := q.RegionsWithin(ctx, on, 1); return err },
		"following": func(ctx context.Context) error { return corridor.Plan(ctx, q, at) },
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls {
		var none context.Context
		if err := call(none); err == nil || !strings.Contains(err.Error(), "the context is nil") {
			t.Errorf("%s: nil context: error %v", name, err)
		}
		if err := call(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled context: error %v", name, err)
		}
	}
	// The fan is still the query's last search, because no failed call began one.
	for _, name := range []string{"fan", "index", "prepare", "path", "between", "corridor", "partial", "many", "nearest", "within", "following"} {
		if err := calls[name](t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFilterRadius checks that a radius that is no length is refused, and does not open every door.
func TestFilterRadius(t *testing.T) {
	ix := NewIndex(newGrid(t, rand.New(rand.NewPCG(1, 1)), 4, 4, 0, cells, lattice.Frame{}).mesh)
	for _, r := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := ix.With(Filter{Radius: r}); err == nil || !strings.Contains(err.Error(), "Radius") {
			t.Errorf("radius %g: error %v", r, err)
		}
	}
	if _, err := ix.With(Filter{Radius: 0.1}); err != nil {
		t.Error(err)
	}
}
