package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func rays(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("maze", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	q := mesh.NewQuery()
	at, ok := q.Nearest(mesh.Bounds().Min, 10)
	if !ok {
		return fmt.Errorf("no floor near the corner")
	}
	ray, err := q.Raycast(at, mesh.Bounds().Max)
	if err != nil {
		return err
	}
	wall, err := q.DistanceToWall(at, 5)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the ray hits: %v; a wall is near: %v\n", ray.Hit, wall.Found)
	return nil
}
