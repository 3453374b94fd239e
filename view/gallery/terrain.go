package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func ground(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("rts", levelgen.Options{Size: 128})
	if err != nil {
		return err
	}
	mesh, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Terrain: meadow.AutoTerrain()}, meadow.MeshOptions{})
	if err != nil {
		return err
	}
	for _, g := range mesh.Report().Grounds {
		fmt.Fprintf(w, "%s: %.0f m²\n", g.Name, g.Area)
	}
	return nil
}
