package main

import (
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/navmesh"
)

// checkCmd validates a mesh.
type checkCmd struct {
	Mesh  string `arg:"" placeholder:"MESH" help:"Mesh file."`
	Level string `placeholder:"LEVEL" help:"Also check that the mesh lies on the floor of this level, with room above, in the middle of every region."`

	levelFlags

	JSON bool `help:"Print the faults as JSON."`
}

// checkReport is what --json prints. A fault that no region is to blame for has region -1.
type checkReport struct {
	OK     bool          `json:"ok"`
	Faults []faultReport `json:"faults"`
}

type faultReport struct {
	Kind   string `json:"kind"`
	Region int    `json:"region"`
	At     place  `json:"at"`
	Detail string `json:"detail"`
}

// Run validates and prints. Faults are an answer of no; a file that is no mesh is bad input.
func (c *checkCmd) Run(e *env) error {
	mesh, err := meadow.Load(c.Mesh)
	if err != nil {
		return err
	}
	faults := mesh.Validate()
	if c.Level != "" {
		lvl, err := c.open(c.Level)
		if err != nil {
			return err
		}
		// A mesh with bad indices cannot be walked over.
		if len(faults) == 0 {
			faults = onLevel(mesh, lvl)
		}
	}
	r := checkReport{OK: len(faults) == 0, Faults: []faultReport{}}
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
	}
	if !r.OK {
		return no("%s: %s", c.Mesh, faultCount(len(faults)))
	}
	if !c.JSON {
		fmt.Fprintf(e.stdout, "%s: no fault in %s\n", c.Mesh, count(mesh.RegionCount(), "region"))
	}
	return nil
}

// faultCount says how many faults there are, and that there may be more.
func faultCount(n int) string {
	if n >= navmesh.MaxFaults {
		return fmt.Sprintf("%d faults or more", n)
	}
	return count(n, "fault")
}
