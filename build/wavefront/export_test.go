package wavefront

import (
	"context"

	"github.com/meadow-nav/meadow/build/gen"
)

// Looks decomposes a domain and returns the number of regions and how many edges of triangles they looked at.
func (g Generator) Looks(ctx context.Context, in gen.Input) (regions, looks int, err error) {
	w, err := g.decompose(ctx, in)
	if err != nil {
		return 0, 0, err
	}
	return w.Counts["regions"], w.Looks, nil
}
