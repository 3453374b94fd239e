package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/lab/topview"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// The test maps of O section 8.2 are pictures without numbers. The stand-ins have several layers but for the plainest, and rise in
// complexity; as in the thesis, the third has more floor than the fourth.
var testMaps = []struct{ name, kind string }{
	{"map0_bridge", "bridge"}, {"map1_spiral", "spiral"}, {"map2_carpark", "carpark"}, {"map3_demo", "demo"},
}

// The agent of the test maps, and the edge of a cell where resolutions have to be equal.
var olivaAgent = geom.Agent{}.WithDefaults()

const olivaCell = 0.1 // metres

// oliva39Distances are our values of convexDistance in metres. The axes of the charts have no values in the text.
var oliva39Distances = []float64{0, 0.1, 0.2, 0.4, 0.8}

// Rival is the mesh of a level by a system that is no part of Meadow.
type Rival struct {
	Seconds  []float64 // of each build, from triangles in memory to a mesh
	Polygons int
	Area     float64 // m²
	// Largest and LargestArea are of the component with the largest area.
	Largest     int
	LargestArea float64
}

// BuildRival builds a level for an agent with cells of some metres, on the ground and upwards.
type BuildRival func(ctx context.Context, lvl *level.Level, agent geom.Agent, cell float64) (Rival, error)

// waitsForRecast is the remark of an experiment without Recast.
const waitsForRecast = "not measured: make -C lab/bench/peers/recast builds the program, and --recast names it"

// relaxedMap returns the experiment of figure 39, 40, 41 or 42: cells by convexDistance on a map.
func relaxedMap(number int) func(context.Context, Options) (Report, error) {
	return func(ctx context.Context, opt Options) (Report, error) { return relaxMap(ctx, number, opt) }
}

func relaxMap(ctx context.Context, number int, opt Options) (Report, error) {
	m := testMaps[number]
	if err := noWorlds(opt); err != nil {
		return Report{}, err
	}
	_, p, err := floorOfMap(ctx, m.kind, exact.Extractor{}, opt.Jobs)
	if err != nil {
		return Report{}, err
	}
	r := Report{Trials: fmt.Sprintf("generated level %q in place of testMap%d, exact floor of an agent of %g m; columns are values of convexDistance in metres", m.kind, number, olivaAgent.Radius)}
	var rows [3][]Row
	falls, last := true, math.Inf(1)
	fewest, strict := 0.0, 0.0
	for _, distance := range oliva39Distances {
		x, err := Relax(ctx, p, distance, opt.Jobs)
		if err != nil {
			return Report{}, err
		}
		column := fmt.Sprintf("%g", distance)
		for i, row := range []Row{
			constructed(column, "cells_published_form", float64(x.Published.Cells)),
			constructed(column, "cells_border_moved", float64(x.Moved.Cells)),
			constructed(column, "deepest_published_m", x.Published.Deepest),
		} {
			rows[i] = append(rows[i], row)
		}
		fewest = float64(x.Published.Cells)
		falls = falls && fewest <= last
		if last = fewest; distance == 0 {
			strict = fewest
		}
	}
	r.Rows = slices.Concat(rows[:]...)
	r.claim(fmt.Sprintf("the number of cells falls as the distance grows (here to %.0f %%)", 100*fewest/strict), falls && fewest < strict)
	r.Reasons = append(r.Reasons, Reason{"figure", "The source draws a chart, and its text has no number of cells."})
	return r, nil
}

// noWorlds refuses options that the experiments on test maps do not have.
func noWorlds(opt Options) error {
	if opt.Show > 1 {
		return fmt.Errorf("experiment: world %d is to be shown, there is 1", opt.Show)
	}
	return nil
}

// floorOfMap generates a level and extracts its floor.
func floorOfMap(ctx context.Context, kind string, by floorplan.Extractor, jobs int) (*level.Level, *plan.Plan, error) {
	lvl, err := levelgen.Generate(kind, levelgen.Options{})
	if err != nil {
		return nil, nil, err
	}
	p, err := by.Extract(ctx, lvl, olivaAgent, floorplan.Options{Jobs: jobs})
	return lvl, p, err
}

// timedMap is a map with its floor by an extractor.
type timedMap struct {
	level   *level.Level
	plan    *plan.Plan
	seconds float64
	cells   int
}

// timeMap extracts and decomposes a map on one goroutine, three times where all maps are measured; the shortest run counts. The level is
// generated before.
func timeMap(ctx context.Context, kind string, by floorplan.Extractor, opt Options) (m timedMap, err error) {
	lvl, err := levelgen.Generate(kind, levelgen.Options{})
	if err != nil {
		return m, err
	}
	return timeLevel(ctx, lvl, by, 0, opt)
}

// timeLevel keeps heights within detail metres, see [floorplan.Options].
func timeLevel(ctx context.Context, lvl *level.Level, by floorplan.Extractor, detail float64, opt Options) (m timedMap, err error) {
	m.level = lvl
	runs, jobs := 3, 1
	if mapsOf(opt) < len(testMaps) {
		runs = 1
	}
	best := time.Duration(math.MaxInt64)
	for begin, i := time.Now(), 0; i < runs && (i == 0 || time.Since(begin) < time.Second); i++ {
		start := time.Now()
		if m.plan, err = by.Extract(ctx, m.level, olivaAgent, floorplan.Options{Jobs: jobs, Detail: detail}); err != nil {
			return m, err
		}
		results, err := gen.DecomposePlan(ctx, anavmg.Generator{}, m.plan, 0, jobs)
		if err != nil {
			return m, err
		}
		best = min(best, time.Since(start))
		m.cells = 0
		for _, layer := range results {
			for _, res := range layer {
				m.cells += len(res.Cells)
			}
		}
	}
	m.seconds = best.Seconds()
	return m, nil
}

// extent returns the area and the length of the borders of a plan in metres.
func extent(p *plan.Plan) (area, border float64) {
	for _, l := range p.Layers {
		for d := range l.Domains {
			area += lattice.SquareMetres(l.Domains[d].Area2())
			for _, ring := range l.Domains[d].Rings {
				for i, a := range ring {
					border += a.Distance(ring[(i+1)%len(ring)]) * lattice.Unit
				}
			}
		}
	}
	return area, border
}

// mapsOf is the number of test maps to measure.
func mapsOf(opt Options) int {
	if opt.Worlds > 0 {
		return min(opt.Worlds, len(testMaps))
	}
	return len(testMaps)
}

// plains are floors of growing area with the same nine posts in the middle.
var plains = []struct {
	name string
	side float64 // metres
}{{"plain_20m", 20}, {"plain_40m", 40}, {"plain_80m", 80}}

func plain(side float64) *level.Level {
	h := &hitVolumes{level.Level{Name: "plain"}}
	h.box(0, 0, -0.25, side, side, 0, 0)
	for i := range 9 {
		x, y := side/2+2.5*float64(i%3-1), side/2+2.5*float64(i/3-1)
		h.box(x-0.3, y-0.3, 0, x+0.3, y+0.3, 2, 0)
	}
	return &h.Level
}

// oliva43 is the time of every test map, and of the same posts on more and more floor.
func oliva43(ctx context.Context, opt Options) (Report, error) {
	if err := noWorlds(opt); err != nil {
		return Report{}, err
	}
	r := Report{Trials: fmt.Sprintf("%d generated levels in place of the test maps; raster has cells of %g m; one goroutine, the shortest run", mapsOf(opt), olivaCell)}
	var rows [6][]Row
	areas, cells := map[string]float64{}, map[string]int{}
	for _, m := range testMaps[:mapsOf(opt)] {
		coarse, err := timeMap(ctx, m.kind, raster.Extractor{CellSize: olivaCell}, opt)
		if err != nil {
			return Report{}, err
		}
		sharp, err := timeMap(ctx, m.kind, exact.Extractor{}, opt)
		if err != nil {
			return Report{}, err
		}
		area, border := extent(coarse.plan)
		areas[m.name], cells[m.name] = area, coarse.cells
		for i, row := range []Row{
			constructed(m.name, "walkable_m2", area), constructed(m.name, "border_m", border),
			constructed(m.name, "layers", float64(len(coarse.plan.Layers))), constructed(m.name, "cells", float64(coarse.cells)),
			constructed(m.name, "raster_ms", coarse.seconds*1000), constructed(m.name, "exact_ms", sharp.seconds*1000),
		} {
			rows[i] = append(rows[i], row)
		}
	}
	var byArea []Row
	for _, f := range plains[:len(plains)-(len(testMaps)-mapsOf(opt)+1)/2] {
		lvl := plain(f.side)
		view, err := timeLevel(ctx, lvl, topview.Extractor{CellSize: olivaCell}, -1, opt)
		if err != nil {
			return Report{}, err
		}
		coarse, err := timeLevel(ctx, lvl, raster.Extractor{CellSize: olivaCell}, -1, opt)
		if err != nil {
			return Report{}, err
		}
		area, border := extent(coarse.plan)
		for i, row := range []Row{constructed(f.name, "walkable_m2", area), constructed(f.name, "border_m", border)} {
			rows[i] = append(rows[i], row)
		}
		rows[3] = append(rows[3], constructed(f.name, "cells", float64(coarse.cells)))
		rows[4] = append(rows[4], constructed(f.name, "raster_ms", coarse.seconds*1000))
		byArea = append(byArea, constructed(f.name, "view_from_above_ms", view.seconds*1000))
	}
	r.Rows = append(slices.Concat(rows[:]...), byArea...)
	r.Reasons = append(
		r.Reasons,
		Reason{"raster_ms", "The thesis floods every pixel of a layer, so its time is proportional to the walkable area, and testMap2 takes longer than testMap3. Here only columns with a border have fine cells; all other floor costs a column for 64 of them. The plains have the same posts on more and more floor: the 16-fold area takes less than the 16-fold time, until columns outweigh the border. Heights of maps are simplified, those of plains are not."},
		Reason{"view_from_above_ms", "The thesis's flood of one layer, package topview."},
		Reason{"figure", "The source draws a chart, and its text has no times."},
	)
	if n := len(testMaps); mapsOf(opt) == n {
		a, b := testMaps[n-2].name, testMaps[n-1].name
		r.claim(fmt.Sprintf("%s has more floor and fewer cells than %s, as testMap2 beside testMap3", a, b), areas[a] > areas[b] && cells[a] < cells[b])
	}
	return r, nil
}

// oliva44 is the time beside Recast, with equal cells.
func oliva44(ctx context.Context, opt Options) (Report, error) {
	if err := noWorlds(opt); err != nil {
		return Report{}, err
	}
	const recast = "recast"
	r := Report{Trials: fmt.Sprintf("%d generated levels in place of the test maps; raster and Recast with cells of %g m; one goroutine, the shortest run", mapsOf(opt), olivaCell)}
	extractors := []struct {
		name string
		by   floorplan.Extractor
	}{{"raster", raster.Extractor{CellSize: olivaCell}}, {"exact", exact.Extractor{}}}
	var times, cells []Row
	faster, measured := map[string]int{}, 0
	for _, m := range testMaps[:mapsOf(opt)] {
		seconds := map[string]float64{}
		var lvl *level.Level
		for _, x := range extractors {
			t, err := timeMap(ctx, m.kind, x.by, opt)
			if err != nil {
				return Report{}, err
			}
			lvl, seconds[x.name] = t.level, t.seconds
			times = append(times, constructed(x.name, m.name+"_ms", t.seconds*1000))
			cells = append(cells, constructed(x.name, m.name+"_cells", float64(t.cells)))
		}
		if opt.Recast == nil {
			continue
		}
		rival, err := opt.Recast(ctx, lvl, olivaAgent, olivaCell)
		if err != nil {
			return Report{}, err
		}
		measured++
		least := slices.Min(rival.Seconds)
		times = append(times, constructed(recast, m.name+"_ms", least*1000))
		cells = append(cells, constructed(recast, m.name+"_cells", float64(rival.Polygons)))
		for _, x := range extractors {
			if seconds[x.name] < least {
				faster[x.name]++
			}
		}
	}
	r.Rows = append(times, cells...)
	r.Reasons = append(r.Reasons, Reason{"figure", "The source draws a chart, and its text has no times. Its samples come from a graphics card, ours from the processor."})
	if measured == 0 {
		r.Reasons = append(r.Reasons, Reason{recast, waitsForRecast})
		return r, nil
	}
	for _, x := range extractors {
		r.claim(fmt.Sprintf("%s takes less time than Recast at equal resolution (here on %d of %d maps)", x.name, faster[x.name], measured), faster[x.name] == measured)
	}
	return r, nil
}
