package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func tower(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("tower", levelgen.Options{Storeys: 6})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		return err
	}
	report := mesh.Report()
	fmt.Fprintf(w, "%d regions in one piece: %v\n", report.Regions, report.Components == 1)
	return nil
}
