package main

import (
	"fmt"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/experiment"
)

// labPassesCmd runs the published texture-aware algorithm beside ours.
type labPassesCmd struct {
	Generators []string `default:"best,wavefront,delaunay" placeholder:"NAME" help:"Generators to run: ${generators} (default ${default})." group:"Making"`
	Jobs       int      `placeholder:"N" help:"Number of workers; the output is the same for any number (default: one per core)." group:"Making"`

	labInput
}

// passesRow is a generator in the table, with a pass for each ground and with one pass.
type passesRow struct {
	Generator string `json:"generator"`
	Each      passes `json:"passes"`
	One       passes `json:"one_pass"`
}

// passes are the counts of a decomposition by ground.
type passes struct {
	Regions    int     `json:"regions"`
	Gateways   int     `json:"gateways"`
	Boundaries int     `json:"boundaries"`
	Shared     float64 `json:"boundaries_m"`
	Seconds    float64 `json:"seconds"`
}

// Run divides the floor in both manners with every generator. The picture has the regions of the first one's passes.
func (c *labPassesCmd) Run(e *env) error {
	if c.Jobs < 0 {
		return fmt.Errorf("--jobs is %d, must be 0 or more", c.Jobs)
	}
	if err := picture(c.Out, c.Input); err != nil {
		return err
	}
	if isMesh, err := isMeshFile(c.Input); err != nil {
		return err
	} else if isMesh {
		return fmt.Errorf("%s: passes need a level or a map; a mesh is decomposed already", c.Input)
	}
	generators := make([]gen.Generator, len(c.Generators))
	for i, name := range c.Generators {
		var err error
		if generators[i], err = catalog.Generator(name); err != nil {
			return err
		}
	}
	if c.Terrain == "" {
		c.Terrain = "auto"
	}
	floor, err := e.floorOf(c.Input, c.agentFlags, c.levelFlags, c.floorFlags)
	if err != nil {
		return err
	}
	var rows []passesRow
	grounds := map[uint8]bool{}
	for i, name := range c.Generators {
		g, begin := generators[i], time.Now()
		each, err := experiment.TextureAware(e.ctx, g, floor.Plan, c.Jobs)
		if err != nil {
			return inFile(c.Input, err)
		}
		middle := time.Now()
		one, err := experiment.InOnePass(e.ctx, g, floor.Plan, c.Jobs)
		if err != nil {
			return inFile(c.Input, err)
		}
		rows = append(rows, passesRow{name, passesOf(&each, middle.Sub(begin)), passesOf(&one, time.Since(middle))})
		for k := range each.Regions {
			grounds[each.Regions[k].Area] = true
		}
		if i == 0 && c.Out != "" {
			mesh, err := floor.Mesh(e.ctx, meadow.MeshOptions{Generator: g, Jobs: c.Jobs})
			if err != nil {
				return inFile(c.Input, err)
			}
			if err := c.draw(e, mesh, noRegions, texturedList(mesh, &each)); err != nil {
				return err
			}
		}
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Grounds    int         `json:"grounds"`
			Generators []passesRow `json:"generators"`
		}{len(grounds), rows})
	}
	fmt.Fprintf(e.stdout, "%s: %s; a pass for each, and one pass over the divided floor\n", c.Input, count(len(grounds), "kind")+" of ground")
	both := func(of func(p passes) string) func(r int) string {
		return func(r int) string { return of(rows[r].Each) + " : " + of(rows[r].One) }
	}
	printTable(e.stdout, len(rows), []tableColumn{
		{"generator", func(r int) string { return rows[r].Generator }},
		{"regions", both(func(p passes) string { return fmt.Sprint(p.Regions) })},
		{"gateways", both(func(p passes) string { return fmt.Sprint(p.Gateways) })},
		{"boundaries", both(func(p passes) string { return fmt.Sprint(p.Boundaries) })},
		{"boundaries, m", both(func(p passes) string { return fixed(p.Shared, 1) })},
		{"s", both(func(p passes) string { return fixed(p.Seconds, 3) })},
	})
	return nil
}

// passesOf returns the counts of a decomposition.
func passesOf(t *experiment.Textured, took time.Duration) passes {
	return passes{len(t.Regions), t.Gateways, t.Boundaries, t.Shared, took.Seconds()}
}

// texturedList draws the regions of passes, in a colour for each ground.
func texturedList(mesh *meadow.Mesh, t *experiment.Textured) *draw.List {
	var l draw.List
	for i := range t.Regions {
		r := &t.Regions[i]
		var ring []geom.Vec
		for _, v := range r.Ring {
			ring = append(ring, mesh.Frame.FromLocal(float64(v.X), float64(v.Y), float64(v.Z)))
		}
		ring = lifted(ring...)
		fill := wayColors[int(r.Area)%len(wayColors)]
		fill.A = 90
		for k := 2; k < len(ring); k++ {
			l.Triangles = append(l.Triangles, draw.Triangle{P: [3]geom.Vec{ring[0], ring[k-1], ring[k]}, Fill: fill, Bias: 1})
		}
		l.Lines = append(l.Lines, draw.Line{P: append(ring, ring[0]), Color: edgeColor, Width: 1.5, OnTop: true})
	}
	return &l
}
