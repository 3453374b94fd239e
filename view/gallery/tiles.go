package gallery

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func tiles(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("terrain", levelgen.Options{Size: 64})
	if err != nil {
		return err
	}
	opt := meadow.FloorOptions{Simplify: -1}
	whole, err := meadow.BuildWith(ctx, lvl, opt, meadow.MeshOptions{})
	if err != nil {
		return err
	}
	joined, err := meadow.BuildTiled(ctx, lvl, 32, opt, meadow.MeshOptions{})
	if err != nil {
		return err
	}
	q := whole.NewQuery()
	from, _ := q.Nearest(whole.Bounds().Min, 100)
	to, _ := q.Nearest(whole.Bounds().Max, 100)
	first, err := q.PartialPath(ctx, from.Point, to.Point)
	if err != nil {
		return err
	}
	second, err := joined.NewQuery().PartialPath(ctx, from.Point, to.Point)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the same floor: %v, the same path: %v\n",
		math.Abs(joined.Area()-whole.Area()) < 1e-3*whole.Area(), math.Abs(first.Length-second.Length) < 1e-3)
	return nil
}
