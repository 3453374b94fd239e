package gallery

import (
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/level/levelgen"
)

func doorway(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		return err
	}
	people, err := crowd.New(crowd.Options{}, mesh.Index())
	if err != nil {
		return err
	}
	for i := range 20 {
		side := float64(1 - 2*(i%2)) // ten from the east, ten from the west
		at := meadow.Vec{X: 6 * side, Z: 3 + 0.7*float64(i/4)}
		at.X += side * 0.8 * float64(i/2%2)
		if err := people.Add(crowd.Spec{ID: crowd.ID(i), At: at, Radius: 0.25}); err != nil {
			return err
		}
		if err := people.Goal(crowd.ID(i), meadow.Vec{X: -6 * side, Z: 5}); err != nil {
			return err
		}
	}
	for range 60 * 20 { // a minute of twenty steps a second
		if err := people.Step(1.0 / 20); err != nil {
			return err
		}
	}
	crossed := 0
	for a := range people.Agents() {
		if (a.At.X > 0) == (a.ID%2 == 1) {
			crossed++
		}
	}
	fmt.Fprintf(w, "%d of %d are on the other side\n", crossed, people.Len())
	return nil
}
