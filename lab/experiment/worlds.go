package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The worlds of the sources were not published; the known facts are in words, and in consequences of their
// tables. A decomposition of a floor with n corners and h holes whose regions have no corners of their own has
// R + h - 1 portals for R regions: so a mean degree d tells h = dR/2 - R + 1, the sides of the regions are n +
// 2dR/2, and the share of obstruction edges in those tells n. Docs/algorithms has the sums.

// make returns worlds 1 to n of rules that may differ from world to world.
func makeWorlds(name string, n int, rules func(i int) Rules) ([]World, error) {
	worlds := make([]World, n)
	for i := range worlds {
		d, err := rules(i).Make(uint64(i) + 1)
		if err != nil {
			return nil, fmt.Errorf("%w (%s %d)", err, name, i+1)
		}
		worlds[i] = World{Name: fmt.Sprintf("%s %d", name, i+1), Domain: d}
	}
	return worlds, nil
}

// some returns n obstacles of a kind.
func some(n int, s Shape, t Turn, weight float64) []Obstacle {
	out := make([]Obstacle, n)
	for i := range out {
		out[i] = Obstacle{s, t, weight}
	}
	return out
}

// LakesWorlds returns n worlds with the statistics of the sample world of H chapter 6, the level Twin Lakes:
// 11 obstacles with 58 corners and 367 square units of free space. Its Hertel-Mehlhorn row (41 regions, mean
// degree 2.488, efficiency 0.378) has a unique solution in integers, 51 portals and 62 edges. PASFV has 26
// sides more than as many rectangles have: about half of the edges are slanted. A unit is a metre.
func LakesWorlds(n int) ([]World, error) {
	return makeWorlds("lakes", n, func(int) Rules {
		return Rules{Side: 21.5, Obstructed: 0.206, Gap: 0.5, Obstacles: slices.Concat(
			some(4, Box, Straight, 1),
			some(2, Ell, Straight, 1.5),
			some(5, Hexagon, Any, 1),
		)}
	})
}

// ScatterWorlds returns n worlds with the statistics of H's five worlds for table 7.1: randomly generated
// obstructions in random positions. A trapezoidal decomposition has 1 + h + v regions for h convex obstacles
// with v corners in general position; its mean of 31.4 gives six obstacles and 24.4 corners on average. A
// unit is a metre.
func ScatterWorlds(n int) ([]World, error) {
	return makeWorlds("scatter", n, func(i int) Rules {
		pentagons := 1 + i%5/3 // 1, 1, 1, 2, 2
		return Rules{Side: 1000, Obstructed: 0.205, Gap: 20, Obstacles: slices.Concat(
			some(1, Triangle, Any, 1),
			some(5-pentagons, Quad, Any, 1),
			some(pentagons, Pentagon, Any, 1),
		)}
	})
}

// PlannerWorlds returns n worlds with the statistics of H's ten worlds for table 7.2, "inspired by the sample
// environments" of LaValle's Planning Algorithms, with "some non-axis-aligned obstructions": five obstacles with
// 19 corners on average, one of them parallel to the axes, in 0.79 million square units of free space.
// Hertel-Mehlhorn's 16.8 regions of degree 2.48 give 4.96 obstacles and 20.8 portals, Delaunay's 31 triangles
// with 4.04 sides to an edge 23 edges with those of the border, Wavefront's 17.8 regions 16 sides more than as
// many rectangles have. A unit is a metre.
func PlannerWorlds(n int) ([]World, error) {
	return makeWorlds("planner", n, func(i int) Rules {
		quads := 2 + [...]int{1, 0, 2, 1, 1, 0, 2, 1, 0, 2}[i%10] // three on average
		return Rules{Side: 1000, Obstructed: 0.205, Gap: 20, Obstacles: slices.Concat(
			some(1, Box, Straight, 1),
			some(1, Triangle, Any, 1),
			some(quads, Quad, Any, 1),
		)}
	})
}

// ArenaWorlds returns n worlds by "a basic set of rules" for floors like those of arena games (W section 19.5
// has 25 and gives no numbers): walls, buildings with and without a wing, pillars and ramps. "No axis-aligned
// restrictions": every world draws a direction that most of its obstacles share, and the others stand at any
// angle. Their number and corners have the means of the only such level that is described in numbers, see
// [LakesWorlds].
func ArenaWorlds(n int) ([]World, error) {
	return makeWorlds("arena", n, func(i int) Rules {
		rng := rand.New(rand.NewPCG(uint64(i), 0x61726e61))
		between := func(least, most int) int { return least + rng.IntN(most-least+1) }
		return Rules{Side: 64, Obstructed: 0.2, Gap: 1, Obstacles: slices.Concat(
			some(between(2, 4), Slab, Along, 0.4),
			some(between(1, 3), Box, Along, 1),
			some(between(1, 3), Ell, Along, 1.5),
			some(between(1, 2), Pillar, Any, 0.3),
			some(between(1, 2), Hexagon, Any, 0.5),
			some(between(1, 2), Triangle, Any, 0.3),
		)}
	})
}

// MapsWorlds returns n worlds for the paths of H table 3.1. The source's five arena maps range "from one map that is
// the interior of a building to another map that shows wide open spaces with general building geometry". Here they
// have twelve obstacles, from eight walls and two buildings to no wall and eight.
func MapsWorlds(n int) ([]World, error) {
	return makeWorlds("map", n, func(i int) Rules {
		open := i % 5
		return Rules{Side: 64, Obstructed: 0.2, Gap: 1, Obstacles: slices.Concat(
			some(8-2*open, Slab, Along, 0.4),
			some(1+open, Box, Along, 1),
			some(1+(open+1)/2, Ell, Along, 1.5),
			some(1+open/2, Hexagon, Any, 0.5),
			some(1, Triangle, Any, 0.3),
		)}
	})
}
