package main

import (
	"fmt"

	"github.com/meadow-nav/meadow/level"
)

// convertCmd converts a level, or a mesh.
type convertCmd struct {
	In  string `arg:"" placeholder:"IN" help:"Level file to read: ${formats}; or a mesh file, also of Detour."`
	Out string `arg:"" placeholder:"OUT" help:"Level file to write: ${writes}; or a mesh file: .mset and .bin are Detour's, .glb and .gltf hold Meadow's inside, .mesh is Meadow's."`

	levelFlags

	JSON bool `help:"Print the report as JSON."`
}

// levelReport is the output of --json for a level.
type levelReport struct {
	File      string   `json:"file"`
	Triangles int      `json:"triangles"`
	Vertices  int      `json:"vertices"`
	Materials int      `json:"materials"`
	Objects   int      `json:"objects"`
	Markers   int      `json:"markers"`
	Min       place    `json:"min"`
	Max       place    `json:"max"`
	Warnings  []string `json:"warnings"`
}

// Run reads and writes.
func (c *convertCmd) Run(e *env) error {
	if err := writable(c.Out, c.In); err != nil {
		return err
	}
	isMesh, err := isMeshFile(c.In)
	if err != nil {
		return err
	}
	if isMesh {
		return c.mesh(e)
	}
	lvl, err := c.open(c.In)
	if err != nil {
		return err
	}
	c.guess(c.In, lvl).tell(e.stderr, c.In)
	if err := e.writeLevel(c.Out, lvl); err != nil {
		return err
	}
	tellWarnings(e.stderr, lvl.Warnings)
	return tellLevel(e, c.JSON, c.Out, lvl)
}

// mesh converts a mesh.
func (c *convertCmd) mesh(e *env) error {
	if err := meshFile(c.Out); err != nil {
		return err
	}
	mesh, err := e.loadMesh(c.In)
	if err != nil {
		return err
	}
	size, err := e.writeMesh(c.Out, mesh)
	if err != nil {
		return inFile(c.Out, err)
	}
	if c.JSON {
		return writeJSON(e.stdout, meshReport{File: c.Out, Regions: mesh.RegionCount(), Links: len(mesh.Links), Components: mesh.Components, Area: round4(mesh.Area()), Bytes: size})
	}
	_, err = fmt.Fprintf(e.stdout, "%s: %s, %s, %.1f m², %d bytes\n", c.Out, count(mesh.RegionCount(), "region"), count(len(mesh.Links), "link"), mesh.Area(), size)
	return err
}

// meshReport is the output of --json for a mesh.
type meshReport struct {
	File       string  `json:"file"`
	Regions    int     `json:"regions"`
	Links      int     `json:"links"`
	Components int     `json:"components"`
	Area       float64 `json:"area_m2"`
	Bytes      int64   `json:"bytes"`
}

// tellLevel prints the contents of a level written to file.
func tellLevel(e *env, asJSON bool, file string, lvl *level.Level) error {
	box := lvl.Bounds()
	if asJSON {
		return writeJSON(e.stdout, levelReport{
			File: file, Triangles: len(lvl.Triangles), Vertices: len(lvl.Vertices),
			Materials: len(lvl.Materials), Objects: len(lvl.Objects), Markers: len(lvl.Markers),
			Min: placeOf(box.Min), Max: placeOf(box.Max), Warnings: append([]string{}, lvl.Warnings...),
		})
	}
	s := box.Size()
	_, err := fmt.Fprintf(e.stdout, "%s: %s, %s, %.1f × %.1f × %.1f m\n", file,
		count(len(lvl.Triangles), "triangle"), count(len(lvl.Objects), "object"), s.X, s.Y, s.Z)
	return err
}
