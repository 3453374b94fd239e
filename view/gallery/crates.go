package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

func crates(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	hall, err := meadow.NewWorld(ctx, mesh, meadow.WorldOptions{})
	if err != nil {
		return err
	}
	from, to := meadow.Vec{X: -6, Z: 6}, meadow.Vec{X: -6, Z: -6}
	before := hall.Now() // stays as it is
	crate := world.Box{Base: meadow.Vec{X: -6}, Size: meadow.Vec{X: 4, Y: 1, Z: 1}}
	if _, err := hall.Apply(ctx, world.Put{ID: "crate", Solid: crate}); err != nil {
		return err
	}
	straight, err := before.NewQuery().Path(ctx, from, to)
	if err != nil {
		return err
	}
	around, err := hall.Now().NewQuery().Path(ctx, from, to)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%.2f m before the crate, %.2f m around it\n", straight.Length, around.Length)
	return nil
}
