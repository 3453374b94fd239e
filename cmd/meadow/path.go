package main

import (
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// pathCmd finds a path on a mesh.
type pathCmd struct {
	Mesh string `arg:"" placeholder:"MESH" help:"Mesh file."`
	From point  `required:"" placeholder:"X,Y,Z" help:"Where the path starts."`
	To   point  `required:"" placeholder:"X,Y,Z" help:"Where the path ends."`
	JSON bool   `help:"Print the path as JSON."`
}

// pathReport is what --json prints. Length is horizontal; regions are numbered through all tiles.
type pathReport struct {
	Found         bool    `json:"found"`
	Complete      bool    `json:"complete"`
	Length        float64 `json:"length"`
	LengthSurface float64 `json:"length_surface"`
	Points        []place `json:"points"`
	Regions       []int   `json:"regions"`
}

// Run asks and prints. A path that is not there is an answer of no.
func (c *pathCmd) Run(e *env) error {
	mesh, err := meadow.Load(c.Mesh)
	if err != nil {
		return err
	}
	path, err := mesh.NewQuery().Path(e.ctx, geom.Vec(c.From), geom.Vec(c.To))
	if err != nil {
		return inFile(c.Mesh, err)
	}
	r := reportPath(mesh, path)
	if c.JSON {
		if err := writeJSON(e.stdout, r); err != nil {
			return err
		}
	} else if r.Found {
		fmt.Fprintf(e.stdout, "%.3f m, %.3f m along the floor, %s, %s\n",
			r.Length, r.LengthSurface, count(len(r.Points), "point"), count(len(r.Regions), "region"))
		for _, p := range path.Points {
			fmt.Fprintf(e.stdout, "  %.3f, %.3f, %.3f\n", p.X, p.Y, p.Z)
		}
	}
	if !path.Complete {
		return no("%s: no path from %v to %v: nothing joins the two parts of the mesh", c.Mesh, geom.Vec(c.From), geom.Vec(c.To))
	}
	return nil
}

func reportPath(mesh *meadow.Mesh, path query.Path) pathReport {
	r := pathReport{
		Found:         len(path.Points) > 0,
		Complete:      path.Complete,
		Length:        path.Length,
		LengthSurface: path.SurfaceLength,
		Points:        places(path.Points),
		Regions:       []int{},
	}
	number := regionNumbers(mesh)
	for _, ref := range path.Regions {
		r.Regions = append(r.Regions, number[ref])
	}
	return r
}

// regionNumbers numbers the regions through all tiles.
func regionNumbers(mesh *meadow.Mesh) map[navmesh.Ref]int {
	numbers := make(map[navmesh.Ref]int, mesh.RegionCount())
	for i, ref := range mesh.Refs() {
		numbers[ref] = i
	}
	return numbers
}
