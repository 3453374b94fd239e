package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func firstPath(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("arch", levelgen.Options{}) // or meadow.Open("level.glb")
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.4, Height: 1.8})
	if err != nil {
		return err
	}
	path, err := mesh.NewQuery().Path(ctx, meadow.Vec{X: -8, Z: 4}, meadow.Vec{X: 8, Z: -4})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d regions, a path of %.2f m\n", mesh.RegionCount(), path.Length)
	return nil
}
