package main

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// pathCmd finds a path on a mesh.
type pathCmd struct {
	Mesh string `arg:"" placeholder:"MESH" help:"Mesh file."`
	From point  `required:"" placeholder:"X,Y,Z" help:"Start of the path."`
	To   *point `required:"" xor:"goal" placeholder:"X,Y,Z" help:"Goal of the path."`
	JSON bool   `help:"Print the path as JSON."`

	Partial bool   `help:"For an unreachable goal, or one beside the mesh: go to the nearest reachable place." group:"Goals"`
	Many    string `required:"" xor:"goal" placeholder:"FILE" help:"Distances to many goals, given in lines of X,Y,Z, by one search." group:"Goals"`
	Nearest bool   `help:"With --many: the path to the goal nearest on foot." group:"Goals"`

	passFlags
	graphFlags
}

// passFlags say which ground an agent may pass.
type passFlags struct {
	Allow  []string `placeholder:"NAME" help:"Pass only doors and links of this name or kind; may be repeated (default: all)." group:"Passing"`
	Deny   []string `placeholder:"NAME" help:"Pass no doors, links and areas of this name or kind; may be repeated." group:"Passing"`
	Method string   `placeholder:"NAME" help:"Move by this method of the mesh's terrain: on its ground, at its costs." group:"Passing"`
	Radius number   `default:"0" placeholder:"M" help:"Radius of the agent in metres, not below the mesh's (default: the mesh's); see meadow widen." group:"Passing"`

	costFlags
}

// widened returns the mesh for the radius that the flags ask for.
func (f passFlags) widened(ctx context.Context, mesh *meadow.Mesh) (*meadow.Mesh, error) {
	if f.Radius == 0 {
		return mesh, nil
	}
	return mesh.Widen(ctx, float64(f.Radius), meadow.WidenOptions{})
}

// query returns a query on a mesh for an agent limited by the flags, and its index.
func (f passFlags) query(ctx context.Context, mesh *meadow.Mesh) (*query.Query, *query.Index, error) {
	ix, err := mesh.IndexWith(ctx)
	if err != nil {
		return nil, nil, err
	}
	if f.Method != "" {
		filter, err := ix.Method(f.Method)
		if err != nil {
			return nil, nil, err
		}
		if ix, err = ix.With(filter); err != nil {
			return nil, nil, err
		}
	}
	filter, err := ix.Names(f.Allow, f.Deny)
	if err != nil {
		return nil, nil, err
	}
	if filter.AreaCosts, err = f.areaCosts(mesh); err != nil {
		return nil, nil, err
	}
	if ix, err = ix.With(filter); err != nil {
		return nil, nil, err
	}
	q := ix.NewQuery()
	q.Epsilon = float64(f.Epsilon)
	return q, ix, nil
}

// pathReport is the output of --json. Length is horizontal; regions are numbered through all tiles.
type pathReport struct {
	Found         bool    `json:"found"`
	Complete      bool    `json:"complete"`
	Length        float64 `json:"length"`
	LengthSurface float64 `json:"length_surface"`
	Points        []place `json:"points"`
	Regions       []int   `json:"regions"`
	// Cost is set only if it differs from the length, Crossings only if there are any.
	Cost      float64          `json:"cost,omitempty"`
	Crossings []crossingReport `json:"crossings,omitempty"`
	// Grounds are set on a mesh of several areas, LowerBound, below all costs, only if it differs from the cost.
	Grounds    []groundReport `json:"grounds,omitempty"`
	LowerBound float64        `json:"lower_bound,omitempty"`
	// Seconds is the duration, set if --method has speeds for all its grounds. It excludes crossings.
	Seconds float64 `json:"seconds,omitempty"`
	// Graph is set for a way along a graph, Exact, the length of the shortest path, only if it differs.
	Graph  *graphReport  `json:"graph,omitempty"`
	Exact  float64       `json:"length_exact,omitempty"`
	Follow *followReport `json:"follow,omitempty"`
}

// groundReport is a stretch of a path over one kind of ground.
type groundReport struct {
	Area   string  `json:"area"`
	From   place   `json:"from"`
	To     place   `json:"to"`
	Length float64 `json:"length"`
	Cost   float64 `json:"cost"`
}

// Run asks and prints. A missing path is an answer of no.
func (c *pathCmd) Run(e *env) error {
	mesh, err := e.loadMesh(c.Mesh)
	if err != nil {
		return err
	}
	if mesh, err = c.widened(e.ctx, mesh); err != nil {
		return inFile(c.Mesh, err)
	}
	q, ix, err := c.query(e.ctx, mesh)
	if err != nil {
		return inFile(c.Mesh, err)
	}
	if err := c.check(); err != nil {
		return err
	}
	var goal geom.Vec
	var path query.Path
	var way otherWay
	switch {
	case c.Many != "" && !c.Nearest:
		return c.printMany(e, q)
	case c.Many != "":
		goal, path, err = c.nearest(e, q)
		way.take(path)
	case c.Partial:
		goal = geom.Vec(*c.To)
		path, err = q.PartialPath(e.ctx, geom.Vec(c.From), goal)
		way.take(path)
	default:
		goal = geom.Vec(*c.To)
		way, err = c.find(e, c.Method, q, ix, geom.Vec(c.From), goal)
	}
	if err != nil {
		return inFile(c.Mesh, err)
	}
	path = way.path
	r := reportPath(mesh, &way)
	r.Seconds = round4(secondsOf(mesh, c.Method, path))
	if !c.plain() {
		r.Graph, r.Exact, r.Follow = way.graph, way.exact.Length, way.follow
	}
	if c.JSON {
		if err := writeJSON(e.stdout, r); err != nil {
			return err
		}
	} else if r.Found {
		fmt.Fprintf(e.stdout, "%.3f m, %.3f m along the floor, %s, %s\n",
			r.Length, r.LengthSurface, count(len(r.Points), "point"), count(len(r.Regions), "region"))
		if !c.plain() {
			way.print(e.stdout)
		}
		for _, p := range way.points {
			fmt.Fprintf(e.stdout, "  %.3f, %.3f, %.3f\n", p.X, p.Y, p.Z)
		}
		if r.Cost > 0 {
			fmt.Fprintf(e.stdout, "  costs %.3f", r.Cost)
			if r.LowerBound > 0 {
				fmt.Fprintf(e.stdout, ", no path less than %.3f", r.LowerBound)
			}
			fmt.Fprintln(e.stdout)
		}
		if r.Seconds > 0 {
			fmt.Fprintf(e.stdout, "  takes %.1f s\n", r.Seconds)
		}
		for _, g := range r.Grounds {
			fmt.Fprintf(e.stdout, "  on %s for %.3f m, cost %.3f, to %v\n", g.Area, g.Length, g.Cost, geom.Vec{X: g.To[0], Y: g.To[1], Z: g.To[2]})
		}
		for _, x := range r.Crossings {
			how := "through"
			if x.Link >= 0 {
				how = "takes"
			}
			fmt.Fprintf(e.stdout, "  %s %s, from %v to %v\n", how, called(x.Kind, x.Name), geom.Vec{X: x.From[0], Y: x.From[1], Z: x.From[2]}, geom.Vec{X: x.To[0], Y: x.To[1], Z: x.To[2]})
		}
	}
	switch {
	case path.Complete:
	case c.Nearest:
		return no("%s: no path from %v: no way leads to any of the goals", c.Mesh, geom.Vec(c.From))
	case !r.Found:
		return no("%s: no path from %v to %v: no way leads from one to the other", c.Mesh, geom.Vec(c.From), goal)
	case !c.JSON:
		fmt.Fprintf(e.stdout, "  ends %.3f m from the goal, which cannot be reached\n", path.Points[len(path.Points)-1].Distance(goal))
	}
	return nil
}

// secondsOf returns how long a path takes by the speeds of a method; 0 where there are none.
func secondsOf(mesh *meadow.Mesh, method string, path query.Path) (sum float64) {
	i, ok := mesh.Method(method)
	if !ok {
		return 0
	}
	for _, g := range path.Grounds {
		speed := mesh.Methods[i].Speeds[g.Area]
		if speed == 0 {
			return 0
		}
		sum += g.Length / float64(speed)
	}
	return sum
}

func reportPath(mesh *meadow.Mesh, way *otherWay) pathReport {
	path := way.path
	r := pathReport{
		Found:         len(way.points) > 0,
		Complete:      path.Complete,
		Length:        path.Length,
		LengthSurface: way.surface,
		Points:        places(way.points),
		Regions:       []int{},
		Crossings:     reportCrossings(mesh, path.Crossings),
	}
	if path.Cost != path.Length {
		r.Cost = path.Cost
	}
	if path.LowerBound < path.Cost {
		r.LowerBound = path.LowerBound
	}
	for _, g := range path.Grounds {
		r.Grounds = append(r.Grounds, groundReport{mesh.AreaName(g.Area), placeOf(g.From), placeOf(g.To), round4(g.Length), round4(g.Cost)})
	}
	number := regionNumbers(mesh)
	for _, ref := range path.Regions() {
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
