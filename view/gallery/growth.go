package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func growth(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{}, meadow.MeshOptions{Generator: pasfv.Generator{}})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d regions by %s\n", mesh.RegionCount(), mesh.Report().Generator)
	return nil
}
