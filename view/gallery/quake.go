package gallery

import (
	"context"
	"embed"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
)

// room.map is a floor of 512 units and a pillar: two brushes of six planes each.
//
//go:embed room.map
var rooms embed.FS

func quake(ctx context.Context, w io.Writer) error {
	lvl, err := meadow.OpenFS(rooms, "room.map") // or meadow.Open("room.map")
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%.1f m² of floor around the pillar\n", mesh.Area())
	return nil
}
