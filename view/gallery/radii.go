package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func radii(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{})
	if err != nil {
		return err
	}
	person, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		return err
	}
	cart, err := person.Widen(ctx, 0.4, meadow.WidenOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the cart has less floor: %v\n", cart.Area() < person.Area())
	return nil
}
