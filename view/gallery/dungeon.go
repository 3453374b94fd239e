package gallery

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/flat"
)

const dungeonMap = `type octile
height 8
width 16
map
@@@@@@@@@@@@@@@@
@....@@....@...@
@....@@....@...@
@..........@...@
@....@@........@
@@.@@@@@.@@@@.@@
@..............@
@@@@@@@@@@@@@@@@
`

func dungeon(ctx context.Context, w io.Writer) error {
	m, err := flat.Decode(strings.NewReader(dungeonMap), "dungeon.map", flat.Options{}) // or meadow.OpenMap, for a file
	if err != nil {
		return err
	}
	mesh, err := meadow.BuildMap(ctx, m, meadow.FloorOptions{}, meadow.MeshOptions{})
	if err != nil {
		return err
	}
	path, err := mesh.NewQuery().Path(ctx, meadow.Vec{X: 1.5, Z: 1.5}, meadow.Vec{X: 14.5, Z: 6.5})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d regions, a path of %.2f m\n", mesh.RegionCount(), path.Length)
	return nil
}
