package workbench

import (
	"context"
	"fmt"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/view/scene"
)

var buildRequests = map[string]handler{"build": build, "makers": makers, "save": save}

// Settings say how a mesh is built. Lengths are metres, angles degrees; a missing field is the default, and 0 is zero.
type Settings struct {
	Radius *float64 `json:"radius"`
	Height *float64 `json:"height"`
	Climb  *float64 `json:"climb"`
	Slope  *float64 `json:"slope"`
	Gap    *float64 `json:"gap"`

	Extractor      string   `json:"extractor"`
	Generator      string   `json:"generator"`
	Simplify       *float64 `json:"simplify"`
	Detail         *float64 `json:"detail"`
	KeepAll        bool     `json:"keepAll"`
	KeepArea       float64  `json:"keepArea"`
	ConvexDistance float64  `json:"convexDistance"`
	Cleanup        bool     `json:"cleanup"`
	// Terrain finds the ground of levels by the names of their materials.
	Terrain bool `json:"terrain"`
}

// Building is the value of the request build: the settings, and the name of the level on the page, from the head of its scene.
// The scene of the reply leaves out the triangles of that level.
type Building struct {
	Settings
	Drawn string `json:"drawn"`
}

// Built is the answer to build. The bytes of the reply are a scene.
type Built struct {
	Seconds   Seconds   `json:"seconds"`
	Regions   int       `json:"regions"`
	Portals   int       `json:"portals"`
	Vertices  int       `json:"vertices"`
	Layers    int       `json:"layers"`
	Parts     int       `json:"parts"` // of the mesh, without a path from one to another
	Links     int       `json:"links"`
	Area      float64   `json:"area"` // m²
	Dropped   []Dropped `json:"dropped"`
	Warnings  []string  `json:"warnings"`
	Notes     []string  `json:"notes"`
	Generator string    `json:"generator"`
	Extractor string    `json:"extractor"`
}

// Dropped is a part of the floor that the mesh leaves out.
type Dropped struct {
	Area float64    `json:"area"` // m²
	At   [3]float64 `json:"at"`
}

// Seconds are the times of a build's stages.
type Seconds struct {
	Extract   float64 `json:"extract"`
	Decompose float64 `json:"decompose"`
	Link      float64 `json:"link"`
	Pack      float64 `json:"pack"` // making the scene
}

// mostDropped bounds the list of parts in an answer.
const mostDropped = 100

// Agent returns the agent of the settings.
func (s Settings) Agent() (meadow.Agent, error) {
	var a meadow.Agent
	for _, f := range []struct {
		from  *float64
		to    *float64
		zero  float64 // that says "none", where a zero field is the default
		scale float64
	}{
		{s.Radius, &a.Radius, meadow.PointRadius, 1},
		{s.Height, &a.Height, 0, 1},
		{s.Climb, &a.MaxClimb, geom.NoClimb, 1},
		{s.Slope, &a.MaxSlope, geom.Degrees(1e-9), geom.Degrees(1)},
		{s.Gap, &a.MaxGap, geom.NoGap, 1},
	} {
		switch {
		case f.from == nil:
		case *f.from == 0:
			*f.to = f.zero
		default:
			*f.to = *f.from * f.scale
		}
	}
	return a, a.WithDefaults().Validate()
}

// options are the settings as the library takes them.
func (s Settings) options(tell Tell) (floor meadow.FloorOptions, mesh meadow.MeshOptions, err error) {
	if floor.Agent, err = s.Agent(); err != nil {
		return floor, mesh, err
	}
	if s.Extractor != "" {
		if floor.Extractor, err = catalog.Extractor(s.Extractor, 0); err != nil {
			return floor, mesh, err
		}
	}
	if s.Generator != "" {
		if mesh.Generator, err = catalog.Generator(s.Generator); err != nil {
			return floor, mesh, err
		}
	}
	floor.KeepAll, floor.KeepArea = s.KeepAll, s.KeepArea
	floor.Simplify, floor.Detail = orNone(s.Simplify), orNone(s.Detail)
	if s.Terrain {
		floor.Terrain = meadow.AutoTerrain()
	}
	floor.Progress, mesh.Progress = tell, tell
	mesh.ConvexDistance, mesh.Cleanup = s.ConvexDistance, s.Cleanup
	return floor, mesh, nil
}

// orNone turns a length into the field of an option: there 0 is the default, and a negative one is none.
func orNone(v *float64) float64 {
	switch {
	case v == nil:
		return 0
	case *v == 0:
		return -1
	}
	return *v
}

// build makes the mesh of the open level or map.
func build(b *Bench, ctx context.Context, r Request, tell Tell) (Reply, error) {
	var to Building
	if err := read(r, &to); err != nil {
		return Reply{}, err
	}
	s := to.Settings
	floorOptions, meshOptions, err := s.options(tell)
	if err != nil {
		return Reply{}, err
	}
	var floor *meadow.Floor
	switch {
	case b.plane != nil:
		floor, err = meadow.FloorOfMap(ctx, b.plane, floorOptions)
	case b.level != nil:
		floor, err = meadow.FindFloor(ctx, b.level, floorOptions)
	default:
		err = errNoLevel
	}
	if err != nil {
		return Reply{}, b.doubt.explain(err)
	}
	mesh, err := floor.Mesh(ctx, meshOptions)
	if err != nil {
		return Reply{}, b.doubt.explain(err)
	}
	old := *b
	b.setMesh(floor, mesh)
	b.made = floorOptions
	b.made.Progress = nil
	b.settings = s
	began := time.Now()
	body, err := b.pack(to.Drawn)
	if err != nil {
		*b = old
		return Reply{}, err
	}
	p := mesh.Report()
	answer := Built{
		Seconds: Seconds{p.Seconds.Extract, p.Seconds.Decompose, p.Seconds.Link, time.Since(began).Seconds()},
		Regions: p.Regions, Portals: p.Portals, Vertices: p.Vertices, Layers: p.Layers, Parts: p.Components, Links: len(mesh.Links),
		Area: p.Area, Dropped: []Dropped{}, Warnings: p.Warnings, Notes: b.doubt.share(p, s.KeepAll || s.KeepArea > 0), Generator: p.Generator, Extractor: p.Extractor,
	}
	for _, d := range p.Dropped[:min(len(p.Dropped), mostDropped)] {
		answer.Dropped = append(answer.Dropped, Dropped{d.Area, [3]float64{d.At.X, d.At.Y, d.At.Z}})
	}
	return Reply{answer, body}, nil
}

// facts are a table about the mesh.
func (b *Bench) facts() []scene.Fact {
	m := b.now()
	facts := []scene.Fact{
		{Name: "mesh", Value: fmt.Sprintf("%d regions, %d tiles", m.RegionCount(), len(m.Tiles))},
		{Name: "floor", Value: fmt.Sprintf("%.1f m²", m.Area())},
		{Name: "parts", Value: fmt.Sprint(m.Components)},
		{Name: "links", Value: fmt.Sprint(len(m.Links))},
		{Name: "agent", Value: fmt.Sprintf("radius %v m, height %v m", m.Agent.Radius, m.Agent.Height)},
	}
	if b.level != nil {
		facts = append([]scene.Fact{{Name: "level", Value: fmt.Sprintf("%s, %d triangles", b.name, len(b.level.Triangles))}}, facts...)
	}
	return facts
}

// makers lists generators, extractors and agents to choose from.
func makers(*Bench, context.Context, Request, Tell) (Reply, error) {
	type preset struct {
		Name   string  `json:"name"`
		Radius float64 `json:"radius"`
		Height float64 `json:"height"`
		Climb  float64 `json:"climb"`
		Slope  float64 `json:"slope"`
	}
	return Reply{Answer: map[string]any{
		"generators": catalog.Names(), "generator": catalog.Default,
		"extractors": catalog.Extractors(), "extractor": catalog.DefaultExtractor,
		// The agents of Unity and Unreal are those of their documentation's defaults.
		"agents": []preset{
			{"person", 0.4, 1.8, 0.4, 45},
			{"child", 0.25, 1.2, 0.25, 40},
			{"cart", 0.6, 1.2, 0.1, 15},
			{"Unity", 0.5, 2, 0.4, 45},
			{"Unreal", 0.34, 1.44, 0.35, 44},
			{"Recast", 0.6, 2, 0.9, 45},
		},
	}}, nil
}

// save returns the mesh as a file.
func save(b *Bench, _ context.Context, _ Request, _ Tell) (Reply, error) {
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	var out sink
	if err := b.mesh.Write(&out); err != nil {
		return Reply{}, err
	}
	return Reply{Body: out}, nil
}

// sink gathers what is written.
type sink []byte

func (s *sink) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}
