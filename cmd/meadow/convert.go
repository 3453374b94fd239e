package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/engine"
)

// convertCmd converts a level, or a mesh.
type convertCmd struct {
	In  string `arg:"" placeholder:"IN" help:"Level file to read: ${formats}; or a mesh file, also of Detour."`
	Out string `arg:"" placeholder:"OUT" help:"Level file to write: ${writes}; or a mesh file: .mset and .bin are Detour's, .glb and .gltf hold Meadow's inside, .mesh is Meadow's."`

	levelFlags

	DetourTiles number `placeholder:"M" help:".mset: cut the mesh into square tiles with sides of M metres (default: the tiles that the mesh came from, or as few as hold it)." group:"Mesh"`
	LeftHanded  bool   `help:"The mesh is the mirror image that Unity's bare numbers are: negate x. Meshes of Unity (.obj) and Godot (.tres) only." group:"Mesh"`

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
	if c.DetourTiles != 0 && strings.ToLower(filepath.Ext(c.Out)) != ".mset" {
		return fmt.Errorf("--detour-tiles is for outputs that end in .mset, not for %s", c.Out)
	}
	// A file of triangles is a level or a mesh: the output tells.
	onlyMesh := slices.Contains([]string{".mesh", ".mset", ".bin"}, strings.ToLower(filepath.Ext(c.Out)))
	if isMesh || onlyMesh && strings.ToLower(filepath.Ext(c.In)) == ".obj" {
		return c.mesh(e)
	}
	if c.LeftHanded {
		return fmt.Errorf("--left-handed is for meshes of Unity and Godot, %s is a level", c.In)
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
	mesh, err := c.load(e)
	if err != nil {
		return err
	}
	size := int64(0)
	if c.DetourTiles != 0 {
		err = e.write(c.Out, func(w io.Writer) error {
			n := &countWriter{w: w}
			err := detour.WriteTiles(n, mesh.Mesh, float64(c.DetourTiles))
			size = n.n
			return err
		})
	} else {
		size, err = e.writeMesh(c.Out, mesh)
	}
	if err != nil {
		return inFile(c.Out, err)
	}
	if c.JSON {
		return writeJSON(e.stdout, meshReport{File: c.Out, Regions: mesh.RegionCount(), Links: len(mesh.Links), Components: mesh.Components, Area: round4(mesh.Area()), Bytes: size})
	}
	_, err = fmt.Fprintf(e.stdout, "%s: %s, %s, %.1f m², %d bytes\n", c.Out, count(mesh.RegionCount(), "region"), count(len(mesh.Links), "link"), mesh.Area(), size)
	return err
}

// load reads the mesh, by the flags for meshes of engines if there are any.
func (c *convertCmd) load(e *env) (*meadow.Mesh, error) {
	scale, err := c.scale()
	if err != nil {
		return nil, err
	}
	if !c.LeftHanded && scale == 0 {
		return e.loadMesh(c.In)
	}
	if ext := strings.ToLower(filepath.Ext(c.In)); ext != ".obj" && ext != ".tres" {
		return nil, fmt.Errorf("%s: --left-handed, --scale and --units are for meshes that end in .obj or .tres", c.In)
	}
	mesh, err := meadow.LoadEngine(c.In, engine.Options{LeftHanded: c.LeftHanded, Scale: scale})
	if err != nil {
		return nil, err
	}
	e.tellFaults(c.In, mesh)
	return mesh, nil
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
