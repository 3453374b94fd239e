// Package levelgen makes levels by seed and size: rooms, mazes, cities, terrain, towers, and the small worlds
// whose floors, links and shortest paths are known beforehand (see [Truths]). Tests, benchmarks and `meadow
// gen` use these levels.
//
// Guarantees for every level, each a test:
//  1. all coordinates are multiples of the lattice unit of 2⁻¹² m, so reading and snapping change nothing;
//  2. every object is a union of closed solids with outward faces;
//  3. the same kind, seed and size give the same level;
//  4. every triangle has a material, every triangle belongs to exactly one object;
//  5. where there is no ground of hills, every triangle is on a convex solid of the level, and these are no larger.
//
// Plans are thought of in metres to the east (x), to the north (y) and up (h); see [geom.Ground].
package levelgen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Options give the size and the choice of a level. The zero value asks for the defaults of the kind.
type Options struct {
	// Seed selects a level of a kind. Kinds with a fixed plan look the same for all.
	Seed uint64
	// Size is the side of the level's square in metres, within the range of the kind; 0 is the
	// kind's default.
	Size float64
	// Storeys is the number of floors of a car park or tower, of turns of a spiral stair, or of heights at which
	// catwalks cross; 0 is the kind's default. Kinds with a fixed number of storeys accept only 0 and the fixed
	// number.
	Storeys int
	// Steepness is the angle of the steepest place of rough ground in degrees, reached within 0.05°;
	// 0 is the kind's default. Other kinds accept only 0.
	Steepness float64
	// Far is the distance in metres by which the level is moved to the east and to the south,
	// rounded to the lattice, from -[MostFar] to MostFar.
	Far float64
}

// MostFar is the largest [Options.Far] in metres. At this distance a float64 still holds every lattice point.
const MostFar = 1e6

// Kind is a sort of level and the ranges of its options.
type Kind struct {
	Name        string
	Description string
	// Size is the default side in metres, MinSize to MaxSize the range; both equal the default
	// where the plan is fixed.
	Size, MinSize, MaxSize float64
	// Storeys is the default number, MinStoreys to MaxStoreys the range.
	Storeys, MinStoreys, MaxStoreys int
	// Steepness is the default in degrees, MinSteepness to MaxSteepness the range; all are 0 for kinds without
	// the option.
	Steepness, MinSteepness, MaxSteepness float64

	make func(b *builder, opt Options, r *rand.Rand)
}

// kinds in the order of listings.
var kinds = []Kind{
	vary("rooms", "rooms with doors, thick walls and furniture", 24, 10, 400, makeRooms),
	vary("maze", "a maze of walls on a square", 36, 9, 900, makeMaze),
	vary("city", "streets with kerbs, blocks of buildings with roofs, a park", 150, 60, 2000, makeCity),
	vary("terrain", "hills with cliffs, as a closed height field", 128, 16, 1024, makeTerrain),
	fixed("stairs", "two floors and two flights of stairs around a wall, with a landing", 16, makeStairs),
	{
		Name: "spiral", Description: "a spiral stair around a column, one turn per storey, between two floors",
		Size: 14, MinSize: 14, MaxSize: 14, Storeys: 2, MinStoreys: 1, MaxStoreys: 20, make: makeSpiral,
	},
	fixed("bridge", "a road that passes under a bridge with a ramp at both ends", 64, makeBridge),
	{
		Name: "carpark", Description: "storeys joined by ramps, with columns and parapets",
		Size: 40, MinSize: 40, MaxSize: 40, Storeys: 4, MinStoreys: 2, MaxStoreys: 40, make: makeCarpark,
	},
	fixed("arch", "a humpbacked bridge to walk over and through", 48, makeArch),
	fixed("halls", "two halls with a door, a ladder, a lift and an edge to drop from, as markers", 24, makeHalls),
	fixed("demo", "a walled court by a canal: house, stairs, bridge, arcade, ramp, tower with a spiral stair", 40, makeDemo),
	vary("random", "slanted boxes scattered over a square", 60, 10, 1000, makeRandom),
	vary("rts", "a river between cliffs with bridges and fords, roads, mud and grass", 192, 128, 1024, makeRTS),
	vary("urban", "roads with kerbs and crosswalks, sidewalks, a park, a plaza, houses", 118, 64, 1000, makeUrban),
	{
		Name: "tower", Description: "storeys of rooms around a corridor and a stairwell, in a yard",
		Size: towerSite, MinSize: towerSite, MaxSize: towerSite, Storeys: 4, MinStoreys: 2, MaxStoreys: 60, make: makeTower,
	},
	{
		Name: "highrise", Description: "a district of towers of 2 storeys and more",
		Size: 2 * towerSite, MinSize: 2 * towerSite, MaxSize: 20 * towerSite, Storeys: 3, MinStoreys: 2, MaxStoreys: 60, make: makeHighrise,
	},
	{
		Name: "catwalks", Description: "catwalks that cross over, under and in each other at many heights",
		Size: 32, MinSize: 16, MaxSize: 200, Storeys: 6, MinStoreys: 2, MaxStoreys: 60, make: makeCatwalks,
	},
	fixed("slots", "slabs, steps, stairs, sills and corners before gaps of 1 to 60 cm", slotsEast, makeSlots),
	fixed("ramps", "ramps of 45° and a hair less or more, in 64 directions", rampsSide, makeRamps),
	vary("pillars", "a hall of round pillars of 6 to 64 sides", 24, 8, 400, makePillars),
	{
		Name: "rough", Description: "noise as ground, as steep as asked for",
		Size: 40, MinSize: 8, MaxSize: 512, Storeys: 1, MinStoreys: 1, MaxStoreys: 1,
		Steepness: 70, MinSteepness: 1, MaxSteepness: 80, make: makeRough,
	},
}

// vary describes a kind of one storey with a range of sizes.
func vary(name, description string, size, least, most float64, make func(*builder, Options, *rand.Rand)) Kind {
	return Kind{
		Name: name, Description: description, Size: size, MinSize: least, MaxSize: most,
		Storeys: 1, MinStoreys: 1, MaxStoreys: 1, make: make,
	}
}

// fixed describes a kind that is always the same.
func fixed(name, description string, size float64, make func(*builder, Options, *rand.Rand)) Kind {
	return vary(name, description, size, size, size, make)
}

// Kinds lists the kinds for [Generate].
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// Generate makes the level of the given kind. It fails for an unknown kind, or for options outside the kind's
// ranges, with the allowed values in the error.
func Generate(kind string, opt Options) (*level.Level, error) {
	for i := range kinds {
		k := &kinds[i]
		if k.Name != kind {
			continue
		}
		opt, err := k.complete(opt)
		if err != nil {
			return nil, err
		}
		b := newBuilder(kind)
		// The second word keeps two kinds with the same seed from drawing the same lots.
		k.make(b, opt, rand.New(rand.NewPCG(opt.Seed, uint64(i))))
		lvl := b.finish()
		move(lvl, geom.FromGround(snap(opt.Far), -snap(opt.Far), 0))
		return lvl, nil
	}
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].Name
	}
	return nil, fmt.Errorf("levelgen: unknown kind %q; kinds: %s", kind, strings.Join(names, ", "))
}

// complete fills in the defaults of k and checks the ranges.
func (k *Kind) complete(opt Options) (Options, error) {
	if opt.Size == 0 {
		opt.Size = k.Size
	}
	if opt.Storeys == 0 {
		opt.Storeys = k.Storeys
	}
	if !(opt.Size >= k.MinSize && opt.Size <= k.MaxSize) {
		return opt, fmt.Errorf("levelgen: %s: size is %g m, must be %s", k.Name, opt.Size, span(k.MinSize, k.MaxSize))
	}
	if opt.Storeys < k.MinStoreys || opt.Storeys > k.MaxStoreys {
		return opt, fmt.Errorf("levelgen: %s: %d storeys, must be %s", k.Name, opt.Storeys,
			span(float64(k.MinStoreys), float64(k.MaxStoreys)))
	}
	if opt.Steepness == 0 {
		opt.Steepness = k.Steepness
	}
	if k.MaxSteepness == 0 && opt.Steepness != 0 {
		return opt, fmt.Errorf("levelgen: %s: steepness is %g°, but the kind has none", k.Name, opt.Steepness)
	}
	if !(opt.Steepness >= k.MinSteepness && opt.Steepness <= k.MaxSteepness) {
		return opt, fmt.Errorf("levelgen: %s: steepness is %g°, must be %s", k.Name, opt.Steepness, span(k.MinSteepness, k.MaxSteepness))
	}
	if !(math.Abs(opt.Far) <= MostFar) {
		return opt, fmt.Errorf("levelgen: %s: %g m far from the origin, must be %s", k.Name, opt.Far, span(-MostFar, MostFar))
	}
	return opt, nil
}

// move moves a level by a vector whose coordinates are multiples of the lattice unit.
func move(lvl *level.Level, by geom.Vec) {
	if by == (geom.Vec{}) {
		return
	}
	for i := range lvl.Vertices {
		lvl.Vertices[i] = lvl.Vertices[i].Add(by)
	}
	for i := range lvl.Solids {
		for k := range lvl.Solids[i].Planes {
			p := &lvl.Solids[i].Planes[k]
			p.Offset += p.Normal.Dot(by)
		}
	}
	for i := range lvl.Markers {
		for k := range lvl.Markers[i].Hull {
			lvl.Markers[i].Hull[k] = lvl.Markers[i].Hull[k].Add(by)
		}
	}
}

func span(a, b float64) string {
	if a == b {
		return fmt.Sprintf("%g", a)
	}
	return fmt.Sprintf("%g to %g", a, b)
}
