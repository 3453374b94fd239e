package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// site is a level for worlds.
type site struct {
	name string
	load func(seed uint64) (*level.Level, error)
	note func(seed uint64) string // options of the level, and in a second line the level
}

// made is a base with its options.
type made struct {
	base    *navmesh.Mesh
	options world.Options
	note    string
}

// kinds are the kinds of generated levels with a size for quick changes, 0 for the size of the kind.
var kinds = []struct {
	kind    string
	size    float64
	storeys int
}{
	{"random", 30, 0},
	{"rooms", 16, 0},
	{"maze", 18, 0},
	{"halls", 0, 0},
	{"stairs", 0, 0},
	{"spiral", 0, 2},
	{"bridge", 0, 0},
	{"arch", 0, 0},
	{"carpark", 0, 2},
	{"tower", 0, 2},
	{"catwalks", 16, 3},
	{"pillars", 12, 0},
	{"ramps", 0, 0},
	{"slots", 0, 0},
	{"rough", 16, 0},
	{"terrain", 32, 0},
	{"city", 60, 0},
	{"demo", 0, 0},
	{"urban", 64, 0},
	{"rts", 128, 0},
	{"highrise", 0, 2},
}

// extensions are those of level files in a folder of levels.
var extensions = []string{".obj", ".glb", ".bsp"}

// sitesOf returns the levels: those of the files of a folder, or generated ones.
func sitesOf(folder string) ([]site, error) {
	var list []site
	if folder == "" {
		for _, k := range kinds {
			options := func(seed uint64) levelgen.Options {
				return levelgen.Options{Seed: seed, Size: k.size, Storeys: k.storeys}
			}
			list = append(list, site{
				name: k.kind,
				load: func(seed uint64) (*level.Level, error) { return levelgen.Generate(k.kind, options(seed)) },
				note: func(seed uint64) string {
					text := ""
					if k.storeys > 0 {
						text += fmt.Sprintf(" storeys %d", k.storeys)
					}
					if k.size > 0 {
						text += fmt.Sprintf(" size %g", k.size)
					}
					return text + fmt.Sprintf("\n# folder %s-%d", k.kind, seed)
				},
			})
		}
		return list, nil
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		if !f.IsDir() && slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) {
			list = append(list, site{
				name: f.Name(),
				load: func(uint64) (*level.Level, error) { return meadow.Open(path) },
				note: func(uint64) string { return "\n# level " + f.Name() },
			})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no levels in %s", folder)
	}
	return list, nil
}

// agents are the agents of worlds, with the radii of wider agents beside them. Levels of maps at another scale than metres
// have room for the small ones only.
var agents = []struct {
	agent meadow.Agent
	wider []float64
}{
	{agent: meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4}},
	{agent: meadow.Agent{Radius: 0.2, Height: 1.8, MaxClimb: 0.4}, wider: []float64{0.5}},
	{agent: meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9}},
	{agent: meadow.Agent{Radius: 0.3, Height: 1, MaxClimb: 0.1}, wider: []float64{0.35, 0.45}},
	{agent: meadow.Agent{Radius: meadow.PointRadius, Height: 1.8, MaxClimb: 0.4}},
}

// make builds the base of a level for an agent that the seed chooses. Parts without room for a wider agent are left out.
func (s *site) make(ctx context.Context, seed uint64) (made, error) {
	lvl, err := s.load(seed)
	if err != nil {
		return made{}, err
	}
	a := agents[seed%uint64(len(agents))]
	// As internal/worldcheck reads it.
	m := made{note: fmt.Sprintf("agent radius %g height %g climb %g", max(0, a.agent.Radius), a.agent.Height, a.agent.MaxClimb)}
	for _, radius := range a.wider {
		m.note += fmt.Sprintf(" wider %g", radius)
	}
	m.note += s.note(seed)
	base, err := meadow.BuildWith(ctx, lvl, meadow.FloorOptions{Agent: a.agent, KeepAll: true, Jobs: 1}, meadow.MeshOptions{Jobs: 1})
	if err != nil {
		return m, err
	}
	m.base = base.Mesh
	for _, radius := range a.wider {
		wide, err := base.Widen(ctx, radius, meadow.WidenOptions{Jobs: 1})
		if err != nil {
			return m, err
		}
		m.options.Wider = append(m.options.Wider, wide.Mesh)
	}
	return m, nil
}
