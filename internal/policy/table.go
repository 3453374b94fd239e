// Package policy holds the table of allowed imports, and the test that reads the imports of every package and
// fails with a forbidden edge. Changing the table is a change of design, never a way to repair a build.
package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path that the names in the tables are relative to.
const Module = "github.com/meadow-nav/meadow"

// Imports is the table of allowed imports. A line "a, b < c, d" means that c and d may import a and b and
// whatever a and b may import. A name is a folder of the module, "x/*" every folder directly in x that no
// line names, "." the root package, "cmd/*" the commands. ARCHITECTURE.md prints the same lines, and a test
// compares the two.
const Imports = `
geom < geom/lattice < level, build/plan, navmesh, lab/search     models know no algorithm
geom/lattice < internal/planar < navmesh
geom/lattice < internal/overlay < build/floorplan     many polygons at once
geom/lattice < lab/internal/solid                         planes and what they bound
geom/lattice < geom/detail < build/floorplan      height surfaces of fewer triangles
geom/lattice < internal/shape < metric, build/join, build/internal/mosaic   what a good region is
level < level/levelgen, level/internal/*, level/*   generated levels; codecs know one model
internal/lexicon, level < level/terrain < .   what the ground is, by rules and by names
level/internal/* < level/* < level/meshio
build/plan, internal/overlay, level/internal/* < level/flat   maps without heights enter as plans
navmesh < navmesh/navfile < navmesh/streamfile     whole files, and files read in tiles
level, build/plan < build/floorplan < internal/soup < internal/gaps < build/internal/coplanar, lab/raster, lab/topview   the build side
build/floorplan < build/internal/cut, build/internal/divide
build/internal/coplanar, build/internal/cut, internal/soup < build/exact
build/internal/divide < build/markers
build/exact, build/internal/divide < build/ground   what shows of a floor is known there
build/gen, build/ground, build/markers < build/tiles < .   levels in square pieces
internal/gaps < internal/groundtruth < cmd/*, lab/bench/*   the floor by brute force, place by place
internal/groundtruth, query, internal/footing < internal/levelcheck < cmd/*, lab/bench/*   a mesh compared with its level
geom, level < internal/randlevel < lab/bench/*            levels as people model them
build/floorplan, level < internal/floortest       scenes for tests of extractors
lab/internal/solid, build/exact < lab/brep                solids are united first
build/plan < build/gen < internal/cdt < internal/faces < internal/growth, build/internal/mosaic, build/hertelmehlhorn, lab/internal/cuts, lab/internal/grid, lab/internal/voronoi
build/gen, internal/cdt, internal/faces, build/internal/mosaic, internal/shape < build/anavmg, build/best, build/cleanup
build/anavmg, build/hertelmehlhorn < build/best   the rivals that it asks
internal/growth < build/wavefront, build/pasfv
internal/growth, lab/internal/cuts, lab/internal/grid, lab/internal/voronoi < lab/*   the rivals
internal/growth, internal/overlay < lab/dasfv < lab/experiment   repair beside rebuilding
build/gen < internal/gentest < lab/bench/*
lab/internal/bench < lab/bench/*   flags, limits and state files of the programs
., geom, level, level/*, level/levelgen < lab/internal/scenes < lab/bench/*   levels to measure on
build/anavmg, build/best, build/hertelmehlhorn, build/wavefront, build/pasfv, build/exact, lab/raster, lab/brep, lab/topview, lab/* < lab/catalog < cmd/*, lab/bench/*   all names
geom, lab/chart, draw/svg < lab/internal/standings < lab/bench/*   results of several builders, tables and plots
build/plan, navmesh, internal/planar < build/join
build/join, internal/overlay < navmesh/polyfile < .   other people's meshes
navmesh/navfile < navmesh/gltfmesh < .   meshes inside of glTF
navmesh, internal/planar < internal/polymesh < navmesh/detour, navmesh/engine < .   meshes whose files list neighbours
build/plan, navmesh, internal/overlay, internal/planar < build/erode < .   a mesh for wider agents
navmesh < query/internal/index   the geometry that searches share
query/internal/index < query/internal/route       ways that searches leave
query/internal/route < query/internal/exact, query/internal/prepared < query   shortest paths
query/internal/route < query/internal/weighted < query   the search over uneven ground
navmesh/streamfile, query < query/streamed     paths over files in tiles
query < query/service < cmd/*, examples/*, lab/bench/*     paths under a budget
navmesh/navfile, query, world/internal/journal < world     a mesh that changes, and the log of its changes
navmesh < internal/footing < cmd/*, lab/bench/*   whether paths lie on the floor
geom/lattice < lab/smooth                         ways made into ways to walk
geom, query < agents/steer < lab/experiment, cmd/*   behaviours of travellers, and followers of paths
lab/smooth < lab/footprints < lab/experiment      ways around travellers on divided polygons
world, agents/crowd < agents/density < cmd/*, examples/*, lab/bench/*, lab/experiment   crowded floor costs more
draw < lab/experiment                             pictures of experiments without meshes
geom < agents/internal/* < agents/crowd, agents/density, agents/group   states that are saved and restored
geom, query < agents/crowd < cmd/*, examples/*, lab/bench/*   thousands of agents that avoid each other
world/script, agents/density, agents/group, level/levelgen < agents/scenario < cmd/*, examples/*, lab/bench/*   agents in scenarios, and their judge
query < agents/presence < lab/experiment, cmd/*, examples/*, lab/bench/*   who is where
navmesh < lab/collision < lab/experiment          rivals of presence, and the source's own way
agents/crowd < agents/group < cmd/*, examples/*, lab/bench/*   groups in one corridor
query, lab/smooth, lab/search < lab/navgraph < lab/experiment, cmd/*, lab/bench/*   graphs of points in meshes
build/plan, query, lab/search, lab/* < lab/bent < cmd/*   regions that bend inwards a little, kept and asked
build/plan, query, navmesh/navfile < metric < cmd/*   what the two sides come to, measured
metric, internal/overlay < metric/verify < cmd/*, lab/bench/*   meshes judged by the whole floor
metric, lab/catalog, build/join, lab/brep < lab/experiment < cmd/*   published tables, made again
lab/experiment < lab/experiment/sources < cmd/*   every table and figure of the sources, and its state
build/plan, lab/* < lab/waypoint < lab/experiment, cmd/*, lab/bench/*   graphs of points beside meshes
level, build/plan, build/gen, navmesh < draw < draw/svg, draw/png, lab/chart
internal/overlay, internal/planar < world/internal/footprint, world/internal/repair < world   the floor that solids take, and the cells of the rest
internal/planar, navmesh, query < world < .   a mesh that changes
world < lab/experiment   travellers that are obstacles to each other
level/levelgen < lab/experiment   levels in place of the sources' scenes
world, navmesh/navfile, level/* < world/script < cmd/*, lab/bench/*   commands that change a world, as text
world/script < internal/worldcheck < cmd/*, lab/bench/*   laws of worlds, and random changes
draw, query, navmesh/navfile < view/scene < view, view/workbench   what pages draw of a mesh and its level
view/scene < view < cmd/*   pages that show meshes in a browser
query, navmesh/navfile < view/ask < view/scene, view/wasm   what pages ask of a mesh, and its program in WebAssembly
., level/levelgen, agents/crowd, build/best, build/hertelmehlhorn, build/pasfv, navmesh/detour < view/gallery < view/workbench   the examples of the page, as programs
., lab/catalog, level/levelgen, view/scene, world, metric, metric/verify, lab/*, lab/navgraph, lab/search, lab/smooth, lab/waypoint, lab/dasfv, agents/crowd, draw/svg < view/workbench < view/buildwasm   a level under work on a page, and all of Meadow in WebAssembly
view, view/workbench < view/server < cmd/*   the page from a server on the same machine
level/meshio, level/flat, build/anavmg, build/best, build/cleanup, build/exact, build/ground, build/markers, build/join, navmesh/navfile, query, query/streamed < .
., level/levelgen, draw/svg, draw/png, lab/chart < cmd/*, examples/*, lab/bench/*
metric, lab/experiment, internal/corpus < lab/bench/*   measures may use every yardstick
geom/lattice, level, build/plan < internal/corpus   worlds for tests, in no product
`

// Apart lists pairs that must never meet, whatever the lines above come to: no package on the left
// reaches one on the right, and none on the right reaches one on the left.
const Apart = `
build/plan, build/floorplan, build/anavmg, build/best, build/cleanup, build/hertelmehlhorn, build/pasfv, build/wavefront, build/markers, build/exact, lab/brep, lab/raster, build/ground, internal/groundtruth, build/gen, lab/*, lab/dasfv, lab/catalog, build/join | query, lab/search
level, level/meshio, level/*, level/flat, level/levelgen | navmesh, navmesh/navfile, query, lab/search
lab/*, lab/dasfv | lab/catalog
`

// Everywhere lists the packages that every package may import; they import only each other and the
// standard library.
const Everywhere = `
internal/par, internal/pq, internal/unionfind, internal/graph, internal/invariant, internal/golden, internal/atomicfile, internal/boxtree, internal/excerpt, internal/floats, internal/costtest, internal/policy, internal/race, internal/reallevels, internal/rows, internal/slow, internal/statement, internal/yamltree, internal/project
`

// Modules lists outside modules with the packages that may import them. Any other package imports the
// standard library and Meadow only.
const Modules = `
github.com/qmuntal/gltf           : level/gltf
go.yaml.in/yaml/v4                : level/terrain, level/flat, internal/yamltree, internal/project
golang.org/x/image                : draw/png, level/heightmap
github.com/klauspost/compress     : level/flat
github.com/alecthomas/kong        : cmd/*
github.com/jotaen/kong-completion : cmd/*
github.com/posener/complete       : cmd/*
github.com/schollz/progressbar/v3 : cmd/*
golang.org/x/term                 : cmd/*
`

// ModulesOfTests lists the modules that test files may import besides.
const ModulesOfTests = `
pgregory.net/rapid
github.com/google/go-cmp
github.com/chromedp/chromedp
github.com/chromedp/cdproto
`

// Fenced says which packages of the standard library only some may import: files are opened, and
// anything is printed, at the rim.
const Fenced = `
os, os/exec, os/signal, log, log/slog, flag, syscall : ., cmd/*, examples/*, lab/bench/*, lab/internal/bench, lab/internal/scenes, internal/golden, internal/atomicfile, internal/costtest, internal/reallevels, internal/slow, internal/yamltree, internal/project
net, net/http                                        : cmd/*, view/server
unsafe, C, plugin                                    :
`

// graph is a parsed table: for every name its allowed imports.
type graph struct {
	names   []string            // in order of first mention
	allowed map[string][]string // name to the names on the left of it, closed under <
}

// parse reads lines of "a, b < c < d"; text after two blanks behind the last name is a remark.
func parse(table string) (graph, error) {
	g := graph{allowed: map[string][]string{}}
	direct := map[string][]string{}
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		ranks := strings.Split(line, "<")
		if len(ranks) < 2 {
			return graph{}, fmt.Errorf("policy: %q has no <", line)
		}
		var below []string
		for i, rank := range ranks {
			if i == len(ranks)-1 {
				rank, _, _ = strings.Cut(strings.TrimSpace(rank), "   ")
			}
			here := list(rank)
			for _, name := range here {
				if _, seen := direct[name]; !seen {
					g.names = append(g.names, name)
				}
				direct[name] = append(direct[name], below...)
			}
			below = here
		}
	}
	for _, name := range g.names {
		reached := map[string]bool{}
		var walk func(string)
		walk = func(n string) {
			for _, d := range direct[n] {
				if !reached[d] {
					reached[d] = true
					walk(d)
				}
			}
		}
		walk(name)
		if reached[name] {
			return graph{}, fmt.Errorf("policy: %s stands below itself", name)
		}
		for _, n := range g.names {
			if reached[n] {
				g.allowed[name] = append(g.allowed[name], n)
			}
		}
	}
	return g, nil
}

// list splits "a, b".
func list(s string) []string {
	var out []string
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// match returns the name in names for dir: itself, or the pattern of its parent folder, the longest first. It
// returns "" for a folder without a name.
func match(names []string, dir string) string {
	if slices.Contains(names, dir) {
		return dir
	}
	if i := strings.LastIndexByte(dir, '/'); i >= 0 {
		if p := dir[:i] + "/*"; slices.Contains(names, p) {
			return p
		}
	}
	return ""
}
