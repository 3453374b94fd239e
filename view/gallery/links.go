package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func links(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	_, _, gallery, _ := levelgen.HallsWalks()
	path, err := mesh.NewQuery().Path(ctx, meadow.Vec{X: -6, Z: 5}, gallery)
	if err != nil {
		return err
	}
	for _, c := range path.Crossings {
		if c.Link >= 0 {
			fmt.Fprintf(w, "the way to the gallery takes a %v\n", mesh.Links[c.Link].Kind)
		}
	}
	return nil
}
