package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/best"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func duel(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{})
	if err != nil {
		return err
	}
	floor, err := meadow.FindFloor(ctx, lvl, meadow.FloorOptions{})
	if err != nil {
		return err
	}
	for _, g := range []gen.Generator{hertelmehlhorn.Generator{}, best.Generator{}} {
		mesh, err := floor.Mesh(ctx, meadow.MeshOptions{Generator: g})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d regions\n", g.Name(), mesh.RegionCount())
	}
	return nil
}
