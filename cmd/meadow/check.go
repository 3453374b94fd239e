package main

import (
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/levelcheck"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// checkCmd validates a mesh.
type checkCmd struct {
	Mesh  string `arg:"" placeholder:"MESH" help:"Mesh file."`
	Level string `placeholder:"LEVEL" help:"Also compare the mesh with its level: room for the agent, borders against walls and ledges, lost floor, storeys, paths."`

	Places   int     `default:"500" placeholder:"N" help:"With --level: random places on the level, and on the mesh; at most so many behind borders (default ${default})." group:"Looks" rare:""`
	Paths    *int    `placeholder:"N" help:"Number of random paths, walked there and back (default: 50 with --level, else 0)." group:"Looks" rare:""`
	Seed     uint64  `placeholder:"N" help:"Seed of the random places and paths (default: 0)." group:"Looks" rare:""`
	Keep     []keep  `sep:"none" placeholder:"PART" help:"With --level: all if the mesh was built with --keep all; floor without a region is a fault then, wherever the floor lies." group:"Looks" rare:""`
	Simplify *number `placeholder:"M" help:"With --level: metres by which the build may straighten borders (default: what the mesh says of its build, its --simplify plus its --convex-distance, and at least 0.04)." group:"Looks" rare:""`
	Near     number  `default:"0.005" placeholder:"M" help:"With --level: how much nearer than the radius a border may be to a wall. Meshes by --extractor raster need a cell, a seventh of the radius (default ${default})." group:"Looks" rare:""`

	levelFlags

	JSON bool `help:"Print the faults as JSON."`
}

// checkReport is the output of --json. A fault of no single region has region -1.
type checkReport struct {
	OK     bool          `json:"ok"`
	Faults []faultReport `json:"faults"`
	// Looks is set with --level or --paths.
	Looks *levelcheck.Coverage `json:"looks,omitempty"`
}

type faultReport struct {
	Kind   string `json:"kind"`
	Region int    `json:"region"`
	At     place  `json:"at"`
	Detail string `json:"detail"`
}

// Run validates and prints. Faults are an answer of no; an invalid mesh file is bad input.
func (c *checkCmd) Run(e *env) error {
	opt, err := c.options()
	if err != nil {
		return err
	}
	mesh, err := meadow.Load(c.Mesh)
	if err != nil {
		return err
	}
	if c.Simplify == nil {
		opt.Simplify = straightened(mesh.Report().Settings)
	}
	var lvl *level.Level
	switch {
	case c.Level != "" && meadow.IsMap(c.Level):
		return fmt.Errorf("%s: is a 2D map, and not a level; meadow verify compares meshes with maps", c.Level)
	case c.Level != "":
		if lvl, err = c.open(c.Level); err != nil {
			return err
		}
	}
	faults := mesh.Validate()
	var looks *levelcheck.Coverage
	if levelcheck.Fit(faults) && (lvl != nil || opt.Paths > 0) {
		more, l, err := levelcheck.Check(e.ctx, mesh.Mesh, lvl, opt)
		if err != nil {
			return err
		}
		faults, looks = append(faults, more...), &l
	}
	r := checkReport{OK: len(faults) == 0, Faults: []faultReport{}, Looks: looks}
	number := regionNumbers(mesh)
	for _, f := range faults {
		region, named := number[f.Region]
		if !named {
			region = -1
		}
		r.Faults = append(r.Faults, faultReport{string(f.Kind), region, placeOf(f.At), f.Detail})
	}
	if c.JSON {
		if err := writeJSON(e.stdout, r); err != nil {
			return err
		}
	} else {
		for i, f := range faults {
			fmt.Fprintf(e.stdout, "%s: region %d at %v: %s\n", f.Kind, r.Faults[i].Region, f.At, f.Detail)
		}
		if looks != nil {
			c.printLooks(e, looks)
		}
	}
	if !r.OK {
		return no("%s: %s", c.Mesh, faultCount(len(faults)))
	}
	if !c.JSON {
		fmt.Fprintf(e.stdout, "%s: no fault in %s\n", c.Mesh, count(mesh.RegionCount(), "region"))
	}
	return nil
}

// options returns the options of the flags.
func (c *checkCmd) options() (levelcheck.Options, error) {
	opt := levelcheck.Options{
		Places: c.Places, Seed: c.Seed, KeepAll: len(c.Keep) > 0,
		Near: float64(c.Near),
	}
	if c.Simplify != nil {
		opt.Simplify = float64(*c.Simplify)
	}
	for _, k := range c.Keep {
		if !k.all {
			return opt, errors.New("--keep: check takes all and no other part")
		}
	}
	switch {
	case c.Paths != nil:
		opt.Paths = *c.Paths
	case c.Level != "":
		opt.Paths = levelcheck.DefaultPaths
	}
	switch {
	case opt.Places < 0 || opt.Paths < 0:
		return opt, fmt.Errorf("--places is %d and --paths %d, must be 0 or more", opt.Places, opt.Paths)
	case !(opt.Simplify >= 0 && opt.Near >= 0):
		return opt, fmt.Errorf("--simplify is %g and --near %g, must be 0 or more metres", opt.Simplify, opt.Near)
	}
	return opt, nil
}

// straightened returns by how many metres a build with these settings may move borders into the floor: at least the default, since a
// mesh of another program tells no settings.
func straightened(s meadow.Settings) float64 {
	return max(levelcheck.DefaultSimplify, max(s.Simplify, 0)+s.ConvexDistance+s.WidenSimplify)
}

// printLooks says how closely the laws looked.
func (c *checkCmd) printLooks(e *env, l *levelcheck.Coverage) {
	if c.Level != "" {
		fmt.Fprintf(e.stdout, "looked at %s, %s on mesh and level, %s by walks through, %.1f m of border, and behind it every %.2f m\n",
			count(l.Regions, "region"), count(l.Places, "place"), count(l.Portals, "portal"), l.Border, l.Spacing)
		if l.LeftOut > 0 {
			fmt.Fprintf(e.stdout, "%d of %s on the level are in parts left out of the mesh\n", l.LeftOut, count(l.Walkable, "walkable place"))
		}
	}
	if l.Paths > 0 {
		fmt.Fprintf(e.stdout, "looked at %s there and back, %.1f m each way, at %s\n", count(l.Paths, "path"), l.PathMetres, count(l.PathPoints, "point"))
	}
}

// faultCount tells the number of faults, and that more may exist.
func faultCount(n int) string {
	if n >= navmesh.MaxFaults {
		return fmt.Sprintf("%d faults or more", n)
	}
	return count(n, "fault")
}
