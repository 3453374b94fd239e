package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

func doors(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	door, err := mesh.MarksCalled("door")
	if err != nil {
		return err
	}
	without, err := mesh.Index().With(query.Filter{Closed: door}) // for everybody without the key
	if err != nil {
		return err
	}
	from, to := meadow.Vec{X: -6, Z: 5}, meadow.Vec{X: 6, Z: 5}
	open, err := mesh.NewQuery().Path(ctx, from, to)
	if err != nil {
		return err
	}
	shut, err := without.NewQuery().Path(ctx, from, to)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "with the key %.2f m, without it %.2f m\n", open.Length, shut.Length)
	return nil
}
