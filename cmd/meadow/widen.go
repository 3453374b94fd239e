package main

import (
	"fmt"

	"github.com/meadow-nav/meadow"
)

// widenCmd derives a mesh for a wider agent.
type widenCmd struct {
	Mesh     string `arg:"" placeholder:"MESH" help:"Mesh file."`
	Radius   number `required:"" placeholder:"M" help:"Radius of the agent in metres, not below the mesh's."`
	Out      string `short:"o" required:"" placeholder:"FILE" help:"Mesh file to write."`
	Simplify number `placeholder:"M" help:"Straighten borders by up to this many metres, into the free floor only (default: 0.001)."`
	Jobs     int    `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)."`
	JSON     bool   `help:"Print the report as JSON."`
}

// widenReport is the output of --json.
type widenReport struct {
	Agent      agentReport `json:"agent"`
	Regions    int         `json:"regions"`
	Vertices   int         `json:"vertices"`
	Portals    int         `json:"portals"`
	Links      int         `json:"links"` // as in buildReport
	Components int         `json:"components"`
	Area       float64     `json:"area"`
	Seconds    float64     `json:"seconds"`
	Bytes      int64       `json:"bytes"`
}

// Run widens and writes.
func (c *widenCmd) Run(e *env) error {
	if err := meshFile(c.Out, c.Mesh); err != nil {
		return err
	}
	mesh, err := e.loadMesh(c.Mesh)
	if err != nil {
		return err
	}
	wide, err := mesh.Widen(e.ctx, float64(c.Radius), meadow.WidenOptions{Simplify: float64(c.Simplify), Jobs: c.Jobs})
	if err != nil {
		return inFile(c.Mesh, err)
	}
	size, err := e.writeMesh(c.Out, wide)
	if err != nil {
		return err
	}
	made := wide.Report()
	r := widenReport{
		Agent: reportAgent(made.Agent), Regions: made.Regions, Vertices: made.Vertices, Portals: made.Portals,
		Links: made.Seams + made.OffMesh, Components: made.Components, Area: round4(made.Area), Seconds: round4(made.Seconds.Total), Bytes: size,
	}
	if c.JSON {
		return writeJSON(e.stdout, r)
	}
	_, err = fmt.Fprintf(e.stdout, "%s\n  agent    radius %g m\n  floor    %.1f m², %s, %s\n  mesh     %s, %s, %s, %s\n  seconds  %.2f\n", c.Out,
		r.Agent.Radius, r.Area, count(r.Links, "link"), count(r.Components, "component"),
		count(r.Regions, "region"), count(r.Portals, "portal"), count(r.Vertices, "vertex"), count(int(r.Bytes), "byte"), r.Seconds)
	return err
}
