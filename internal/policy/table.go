// Package policy holds the rule of who may import whom as a table of text, and the test that reads
// the real imports of every package and fails with the edge that offends. Changing the table is a
// change of design, never a way to repair a build.
package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path that the names in the tables are relative to.
const Module = "github.com/meadow-nav/meadow"

// Imports says who may import whom. A line "a, b < c, d" means that c and d may import a and b and
// whatever a and b may import. A name is a folder of the module, "x/*" every folder directly in x
// that no line names, "." the root package, "cmd/*" the commands. ARCHITECTURE.md prints the same
// lines, and a test compares the two.
const Imports = `
geom < lattice < level, plan, navmesh, search     models know no algorithm
lattice < navmesh/internal/* < navmesh
lattice < lattice/overlay < floorplan             many polygons at once
lattice < lattice/solid                           planes and what they bound
lattice < lattice/detail < floorplan              height surfaces of fewer triangles
lattice < lattice/shape < metric, navmesh/build, gen/internal/*   what a good region is
level < levelgen, meshio/internal/*, meshio/*     generated levels; codecs know one model
terrain/lexicon, level < terrain < .               what the ground is, by rules and by names
meshio/internal/* < meshio/* < meshio
plan, meshio/internal/* < meshio/flat             maps without heights enter as plans
navmesh < navmesh/navfile
level, plan < floorplan < floorplan/internal/soup < floorplan/internal/* < floorplan/*, floorplan/exact   the build side
level < floorplan/internal/gaps < floorplan/*, floorplan/judge   gaps that are stepped over
level < floorplan/judge < cmd/*, bench/*           the floor by brute force, place by place
floorplan/judge, query, internal/footing < laws < cmd/*, bench/*     a mesh compared with its level
lattice/solid, floorplan/exact < floorplan/brep   solids are united first
floorplan/exact < floorplan/ground                what shows of a floor is known there
plan < gen < gen/internal/cdt < gen/internal/* < gen/* < gen/catalog
plan, navmesh < navmesh/build
navmesh/build, lattice/overlay < navmesh/polyfile < .   other people's meshes
plan, navmesh, lattice/overlay < navmesh/erode < .   a mesh for wider agents
navmesh, search < query                           the run side
navmesh < internal/footing < cmd/*, bench/*        whether paths lie on the floor
lattice < smooth                                  ways made into ways to walk
geom < follow < cmd/*                             who walks along them
query, smooth < navgraph < experiment, cmd/*, bench/*   graphs of points in meshes
plan, query, navmesh/navfile < metric < cmd/*      what the two sides come to, measured
metric, gen/catalog, navmesh/build, floorplan/brep < experiment < cmd/*   published tables, made again
plan, gen/* < waypoint < experiment, cmd/*, bench/*   graphs of points beside meshes
level, plan, gen, navmesh < draw < draw/svg, draw/raster, draw/chart
meshio, meshio/flat, levelgen, floorplan/*, floorplan/exact, floorplan/brep, floorplan/ground, gen/catalog, navmesh/build, navmesh/navfile, query, draw/svg, draw/raster, draw/chart < .
. < cmd/*, examples/*, bench/*
metric, experiment, internal/corpus < bench/*     what measures may use every yardstick
lattice, level, plan < internal/corpus            worlds for tests, in no product
`

// Apart lists pairs that must never meet, whatever the lines above come to: no package on the left
// reaches one on the right, and none on the right reaches one on the left.
const Apart = `
plan, floorplan, floorplan/*, floorplan/exact, floorplan/brep, floorplan/ground, floorplan/judge, gen, gen/*, gen/catalog, navmesh/build | query, search
level, meshio, meshio/*, meshio/flat, levelgen | navmesh, navmesh/navfile, query, search
gen/* | gen/catalog
`

// Everywhere lists the packages that every package may import; they import only each other and the
// standard library.
const Everywhere = `
internal/par, internal/pq, internal/forest, internal/invariant, internal/golden, internal/atomicfile, internal/brief, internal/harmless, internal/policy, internal/race, internal/reallevels
`

// Modules says which packages may import which module from outside. A package that is not named
// imports the standard library and Meadow only.
const Modules = `
github.com/qmuntal/gltf           : meshio/gltf
go.yaml.in/yaml/v4                : terrain
golang.org/x/image                : draw/raster, meshio/heightmap
github.com/alecthomas/kong        : cmd/*
github.com/schollz/progressbar/v3 : cmd/*
golang.org/x/term                 : cmd/*
`

// ModulesOfTests lists the modules that test files may import besides.
const ModulesOfTests = `
pgregory.net/rapid
github.com/google/go-cmp
`

// Fenced says which packages of the standard library only some may import: files are opened, and
// anything is printed, at the rim.
const Fenced = `
os, os/exec, os/signal, log, log/slog, flag, syscall : ., cmd/*, examples/*, bench/*, internal/golden, internal/atomicfile, internal/reallevels
net, net/http                                        : cmd/*
unsafe, C, plugin                                    :
`

// graph is a parsed table: for every name the names that it may import.
type graph struct {
	names   []string            // in order of first mention
	allowed map[string][]string // name to the names on the left of it, closed under <
}

// parse reads lines of "a, b < c < d"; what follows two blanks after the last name is a remark.
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

// match returns the name in names that dir goes by: itself, or the pattern of its parent folder,
// the longest first. It returns "" for a folder that no name covers.
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
