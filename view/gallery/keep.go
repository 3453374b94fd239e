package gallery

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/detour"
)

func keep(ctx context.Context, w io.Writer) error {
	lvl, err := levelgen.Generate("bridge", levelgen.Options{})
	if err != nil {
		return err
	}
	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{})
	if err != nil {
		return err
	}
	var file, set bytes.Buffer
	if err := mesh.Write(&file); err != nil { // or mesh.Save("bridge.mesh")
		return err
	}
	if err := detour.Write(&set, mesh.Mesh); err != nil { // RecastDemo opens it
		return err
	}
	again, err := meadow.Read(&file)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d regions, and %d after loading\n", mesh.RegionCount(), again.RegionCount())
	return nil
}
