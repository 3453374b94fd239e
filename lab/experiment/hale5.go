package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/dasfv"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
)

// The maps of H section 5.3: "ten random maps each with increasing amounts of geometric complexity, which represent other
// buildings". Map i has buildings[i] buildings besides the one that comes or goes. The source does not say how many its
// maps have; the first has none, because figure 5.5 is about worlds of one or two regions.
var buildings = [...]int{0, 1, 2, 3, 4, 8, 16, 32, 64, 128}

const (
	drawings       = 3 // of every map
	repairRuns     = 2 // of every change; the best time counts
	mostTrials     = 4 // buildings that come or go, of every drawing
	mostAtFree     = 4 // regions at a free point, by the source
	manyChanges    = 1000
	manyBeside     = 16 // buildings
	simpleRegions  = 2  // the most regions of a "very simple" world
	repaired       = "repair"
	unconnected    = "repair-unconnected"
	rebuilt        = "rebuild"
	neighboursGo   = "neighbours-removed"
	neighboursStay = "neighbours-kept"
	figureRoom     = 15 // metres, the width of the room of figures 5.2 and 5.3
)

// repairs are the methods, in the order of the rows.
var repairs = [...]string{repaired, unconnected, rebuilt}

// the measures of a change, by their names.
var repairMeasures = [...]string{"regions", "regions_anew", "steps", "vertices", "tests", "time_us"}

const (
	regionsOf = iota
	anewOf
	stepsOf
	verticesOf
	testsOf
	timeOf
	measuresOf
)

// repairTrial is what the change of a building took, by method.
type repairTrial struct {
	values [len(repairs)][measuresOf]float64
	// missed counts neighbours of the building that its growth by 0.1 percent does not find; all regions of the map
	// before the change are regions.
	missed, neighbours, regions int
	slanted, most               int // borders between regions that are parallel to no axis; regions at a free point
	unseeded, pieces            int
}

// buildingsMap returns the rings of a map's buildings and its square.
func buildingsMap(others int, seed uint64) (lattice.Box, []lattice.Ring, error) {
	rules := Rules{Side: 64, Obstructed: 0.2, Gap: 0.25}
	for i := range others + 1 {
		kind := [...]Obstacle{{Box, Straight, 1}, {Quad, Any, 1}, {Box, Straight, 1}, {Pentagon, Any, 1}}[i%4]
		rules.Obstacles = append(rules.Obstacles, kind)
	}
	d, err := rules.Make(seed)
	if err != nil {
		return lattice.Box{}, nil, err
	}
	return d.Rings[0].Box(), d.Rings[1:], nil
}

// changeBuilding adds or removes a building of a map by every method.
func changeBuilding(ctx context.Context, floor lattice.Box, rings []lattice.Ring, building int, adds bool) (t repairTrial, err error) {
	before := rings
	if adds {
		before = slices.Delete(slices.Clone(rings), building, building+1)
	}
	var world *dasfv.World
	var known []dasfv.RegionID
	for k, method := range repairs {
		for run := range repairRuns {
			if run == 0 || method != rebuilt {
				if world, err = dasfv.New(ctx, floor, before, dasfv.Options{Unconnected: method == unconnected}); err != nil {
					return t, err
				}
				t.regions = len(world.Regions())
			}
			if run == 0 && !adds {
				near := world.Neighbours(dasfv.ID(building))
				switch method {
				case repaired:
					known, t.neighbours = near, len(near)
				case unconnected:
					t.missed = len(known) - len(common(known, near))
				}
			}
			if run == 0 && method == rebuilt {
				if _, err = changeOne(ctx, world, rings[building], building, adds); err != nil {
					return t, err
				}
			}
			var change dasfv.Change
			start := time.Now()
			if method == rebuilt {
				change, err = world.Rebuild(ctx)
			} else {
				change, err = changeOne(ctx, world, rings[building], building, adds)
			}
			took := float64(time.Since(start).Nanoseconds()) / 1000
			if err != nil {
				return t, err
			}
			if run > 0 {
				t.values[k][timeOf] = min(t.values[k][timeOf], took)
				continue
			}
			t.values[k] = [measuresOf]float64{
				regionsOf:  float64(len(world.Regions())),
				anewOf:     float64(len(change.Added)),
				stepsOf:    float64(change.Steps) * lattice.Unit,
				verticesOf: float64(change.Vertices),
				testsOf:    float64(change.Tests),
				timeOf:     took,
			}
			if method == repaired {
				t.pieces, t.unseeded = change.Pieces, change.Unseeded
				t.slanted, t.most = openSlants(world), mostAtFreePoint(world)
			}
		}
	}
	return t, nil
}

// common returns the elements of a that are in b.
func common(a, b []dasfv.RegionID) []dasfv.RegionID {
	return slices.DeleteFunc(slices.Clone(a), func(id dasfv.RegionID) bool { return !slices.Contains(b, id) })
}

// changeOne adds or removes one building.
func changeOne(ctx context.Context, w *dasfv.World, ring lattice.Ring, building int, adds bool) (dasfv.Change, error) {
	if adds {
		_, c, err := w.Add(ctx, ring)
		return c, err
	}
	return w.Remove(ctx, dasfv.ID(building))
}

// openSlants counts borders between regions that are parallel to no axis.
func openSlants(w *dasfv.World) (slants int) {
	for _, r := range w.Regions() {
		for _, p := range r.Portals {
			if p.To > r.ID && p.Left.X != p.Right.X && p.Left.Y != p.Right.Y {
				slants++
			}
		}
	}
	return slants
}

// mostAtFreePoint returns the largest number of regions that meet at a point away from all obstacles. An end of a portal
// attains it.
func mostAtFreePoint(w *dasfv.World) (most int) {
	for _, r := range w.Regions() {
		for _, c := range r.Corners {
			at := []dasfv.RegionID{r.ID}
			free := c.On == dasfv.NoEdge
			for _, p := range r.Portals {
				// The regions at a corner of r that is not on an obstacle are neighbours of r, or theirs.
				for _, o := range append(portalsOf(w.Region(p.To)), p.To) {
					ring := ringOf(w.Region(o))
					if !slices.Contains(at, o) && ring.Box().Contains(c.Point) && ring.Locate(c.Point) != lattice.Outside {
						at = append(at, o)
					}
				}
			}
			if len(at) <= most || !free {
				continue
			}
			if !slices.ContainsFunc(w.Obstacles(), func(id dasfv.ID) bool { return w.Obstacle(id).Locate(c.Point) != lattice.Outside }) {
				most = len(at)
			}
		}
	}
	return most
}

func portalsOf(r *dasfv.Region) (ids []dasfv.RegionID) {
	for _, p := range r.Portals {
		ids = append(ids, p.To)
	}
	return ids
}

func ringOf(r *dasfv.Region) lattice.Ring {
	ring := make(lattice.Ring, len(r.Corners))
	for i, c := range r.Corners {
		ring[i] = c.Point
	}
	return ring
}

// changes runs the trials of all maps: those of map m are at [m]. Only one runs at a time, whatever Options.Jobs says.
func changes(ctx context.Context, opt Options, adds bool) ([][]repairTrial, error) {
	all := make([][]repairTrial, len(buildings))
	for m, others := range buildings {
		for drawing := 1; drawing <= orDefault(opt.Worlds, drawings); drawing++ {
			floor, rings, err := buildingsMap(others, uint64(drawing))
			if err != nil {
				return nil, fmt.Errorf("%w (map %d, drawing %d)", err, m+1, drawing)
			}
			trials := min(len(rings), mostTrials)
			for i := range trials {
				building := i * len(rings) / trials
				t, err := changeBuilding(ctx, floor, rings, building, adds)
				if err != nil {
					return nil, fmt.Errorf("%w (map %d, drawing %d, building %d)", err, m+1, drawing, building)
				}
				all[m] = append(all[m], t)
			}
		}
	}
	return all, nil
}

// tabulate adds the rows of all measures and maps: medians for times, means for the rest, which the result has by method
// and map.
func (r *Report) tabulate(trials [][]repairTrial) (means [len(repairs)][measuresOf][len(buildings)]float64) {
	for measure, name := range repairMeasures {
		for m, others := range buildings {
			for k, method := range repairs {
				var values []float64
				for _, t := range trials[m] {
					values = append(values, t.values[k][measure])
				}
				mean, sd := meanSD(values)
				if measure == timeOf {
					slices.Sort(values)
					mean = values[len(values)/2]
				}
				means[k][measure][m] = mean
				row := constructed(method, fmt.Sprintf("%s_beside_%d", name, others), mean)
				row.SD = metric.Number(sd)
				r.Rows = append(r.Rows, row)
			}
		}
	}
	return means
}

// total adds up a count over all trials of some maps.
func total(trials [][]repairTrial, of func(*repairTrial) int) (sum int) {
	for m := range trials {
		for i := range trials[m] {
			sum += of(&trials[m][i])
		}
	}
	return sum
}

// most is the largest count of all trials.
func most(trials [][]repairTrial, of func(*repairTrial) int) (most int) {
	for m := range trials {
		for i := range trials[m] {
			most = max(most, of(&trials[m][i]))
		}
	}
	return most
}

// less returns what repair takes over what rebuilding takes, on every map.
func less(means *[len(repairs)][measuresOf][len(buildings)]float64, measure int) (ratios []float64) {
	for m := range buildings {
		ratios = append(ratios, means[0][measure][m]/means[len(repairs)-1][measure][m])
	}
	return ratios
}

// hale54 adds a building to ten maps: "the building collapsing into the plaza".
func hale54(ctx context.Context, opt Options) (Report, error) {
	return hale5(ctx, opt, true, func(r *Report, trials [][]repairTrial, means *[len(repairs)][measuresOf][len(buildings)]float64) error {
		steps, times := less(means, stepsOf), less(means, timeOf)
		r.Reasons = append(r.Reasons, Reason{"no other buildings", fmt.Sprintf(
			"the source has other buildings on every map; without any, the only region goes, and repair takes %.3g of the steps of rebuilding", steps[0])})
		r.claim(fmt.Sprintf("repair takes fewer steps of growth than rebuilding on every map with other buildings (%s of them)", list(steps[1:])), slices.Max(steps[1:]) < 1)
		r.claim(fmt.Sprintf("and less time (%s)", list(times[1:])), slices.Max(times[1:]) < 1)
		r.claim(fmt.Sprintf("the advantage lasts as complexity grows: it is larger on the last map than on the first with others (%.3f of the steps to %.3f)", steps[len(steps)-1], steps[1]), steps[len(steps)-1] < steps[1])
		unseeded, pieces := total(trials, func(t *repairTrial) int { return t.unseeded }), total(trials, func(t *repairTrial) int { return t.pieces })
		r.claim(fmt.Sprintf("seeds of the neighbours come to all of the vacated floor (not to %d of %d pieces, where no neighbour is left)", unseeded, pieces), unseeded == 0)
		return nil
	})
}

// hale55 removes a building from ten maps: "the helicopter taking off".
func hale55(ctx context.Context, opt Options) (Report, error) {
	return hale5(ctx, opt, false, func(r *Report, trials [][]repairTrial, means *[len(repairs)][measuresOf][len(buildings)]float64) error {
		steps, times := less(means, stepsOf), less(means, timeOf)
		simple := 0 // the first maps, which have no other buildings
		for simple < len(buildings) && means[len(repairs)-1][regionsOf][simple] <= simpleRegions {
			simple++
		}
		r.claim(fmt.Sprintf("repair takes fewer steps of growth than rebuilding on all but very simple maps (%s of them)", list(steps[simple:])), slices.Max(steps[simple:]) < 1)
		r.claim(fmt.Sprintf("and less time (%s)", list(times[simple:])), slices.Max(times[simple:]) < 1)
		r.claim(fmt.Sprintf("in worlds of one or two regions repair takes as many steps as rebuilding, or more (%s of them)", list(steps[:simple])), slices.Min(steps[:simple]) >= 1)
		r.claim(fmt.Sprintf("and as much time, or more (%s)", list(times[:simple])), slices.Min(times[:simple]) >= 1)
		gone, regions := total(trials[:simple], func(t *repairTrial) int { return t.neighbours }), total(trials[:simple], func(t *repairTrial) int { return t.regions })
		r.claim(fmt.Sprintf("the reason is that repair discards all regions of such a world, or most (here %d of %d)", gone, regions), 2*gone > regions)
		after, again, err := comeAndGone(ctx)
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, constructed(repaired, "regions_after_changes", float64(after)), constructed(rebuilt, "regions_after_changes", float64(again)))
		r.claim(fmt.Sprintf("repair is always desirable (after %d boxes came and went beside %d buildings: %d regions, rebuilt %d)", manyChanges, manyBeside, after, again), 2*after < 3*again)
		missed, near := total(trials, func(t *repairTrial) int { return t.missed }), total(trials, func(t *repairTrial) int { return t.neighbours })
		r.claim(fmt.Sprintf("an obstacle grown by 0.1 percent meets all of its neighbours (here all but %d of %d)", missed, near), missed == 0)
		return nil
	})
}

// comeAndGone adds and removes boxes one by one, and returns the number of regions that repair leaves and that rebuilding
// makes.
func comeAndGone(ctx context.Context) (after, again int, err error) {
	floor, rings, err := buildingsMap(manyBeside, 1)
	if err != nil {
		return 0, 0, err
	}
	w, err := dasfv.New(ctx, floor, rings, dasfv.Options{})
	if err != nil {
		return 0, 0, err
	}
	rng := rand.New(rand.NewPCG(5, 5))
	width, height := floor.Size()
	for range manyChanges {
		x, y := rng.Int64N(width-lattice.UnitsPerMetre), rng.Int64N(height-lattice.UnitsPerMetre)
		at := lattice.Point{X: floor.Min.X + int32(x), Y: floor.Min.Y + int32(y)}
		to := lattice.Point{X: at.X + lattice.UnitsPerMetre, Y: at.Y + lattice.UnitsPerMetre}
		ids, _, err := w.Add(ctx, lattice.Ring{at, {X: to.X, Y: at.Y}, to, {X: at.X, Y: to.Y}})
		if err == nil {
			_, err = w.Remove(ctx, ids...)
		} else if ctx.Err() == nil {
			continue // on a slanted edge
		}
		if err != nil {
			return 0, 0, err
		}
	}
	after = len(w.Regions())
	_, err = w.Rebuild(ctx)
	return after, len(w.Regions()), err
}

// list prints ratios in the order of the maps.
func list(ratios []float64) string {
	out := ""
	for i, x := range ratios {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%.2g", x)
	}
	return out
}

// hale5 runs an experiment of section 5.3, with the claims that both have in common after its own.
func hale5(ctx context.Context, opt Options, adds bool, claims func(*Report, [][]repairTrial, *[len(repairs)][measuresOf][len(buildings)]float64) error) (Report, error) {
	if opt.Show > len(buildings) {
		return Report{}, fmt.Errorf("experiment: world %d is to be shown, there are %d", opt.Show, len(buildings))
	}
	trials, err := changes(ctx, opt, adds)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Trials: fmt.Sprintf("10 maps with 0 to 128 other buildings, %d drawings of each, up to %d buildings each %s",
			orDefault(opt.Worlds, drawings), mostTrials, map[bool]string{true: "added", false: "removed"}[adds]),
		Reasons: []Reason{
			{"published", "the figures are curves without numbers in the text that is to be had, so that no row has a published figure; the claims are the text's"},
			{"steps", "metres that the fronts of new regions came, which the source's growth goes in unit steps with a collision test each"},
			{"time_us", "medians of the best of two runs on this machine; steps, vertices, tests and regions are the same on every machine"},
		},
	}
	means := r.tabulate(trials)
	if err := claims(&r, trials, &means); err != nil {
		return Report{}, err
	}
	slants := total(trials, func(t *repairTrial) int { return t.slanted })
	r.claim(fmt.Sprintf("all borders in the open are parallel to an axis afterwards (%d are not)", slants), slants == 0)
	at := most(trials, func(t *repairTrial) int { return t.most })
	r.claim(fmt.Sprintf("at most four regions meet at a free point afterwards (here %d)", at), at <= mostAtFree)
	return r, r.showChange(ctx, opt, adds)
}

// showChange keeps the meshes of one map, before and after the change of its first building by every method.
func (r *Report) showChange(ctx context.Context, opt Options, adds bool) error {
	m := max(opt.Show, 1) - 1
	floor, rings, err := buildingsMap(buildings[m], 1)
	if err != nil {
		return err
	}
	before := rings
	if adds {
		before = rings[1:]
	}
	show := func(method string, w *dasfv.World) error {
		return r.showWorld(ctx, fmt.Sprintf("map %d, %d other buildings", m+1, buildings[m]), method, w)
	}
	w, err := dasfv.New(ctx, floor, before, dasfv.Options{})
	if err != nil {
		return err
	}
	if err := show("before", w); err != nil {
		return err
	}
	if _, err := changeOne(ctx, w, rings[0], 0, adds); err != nil {
		return err
	}
	if err := show(repaired, w); err != nil {
		return err
	}
	if _, err := w.Rebuild(ctx); err != nil {
		return err
	}
	return show(rebuilt, w)
}

// showWorld adds the mesh of a world to those that are shown.
func (r *Report) showWorld(ctx context.Context, name, method string, w *dasfv.World) error {
	mesh, world, err := meshOf(ctx, name, w)
	if err != nil {
		return err
	}
	result, err := metric.Measure(ctx, mesh, metric.Options{})
	if err != nil {
		return err
	}
	// The panels share the last world's floor.
	r.Shown.World = world
	r.Shown.Methods = append(r.Shown.Methods, method)
	r.Shown.Meshes = append(r.Shown.Meshes, mesh)
	r.Shown.Results = append(r.Shown.Results, result)
	return nil
}

// meshOf builds the mesh of a world in one piece.
func meshOf(ctx context.Context, name string, w *dasfv.World) (*navmesh.Mesh, World, error) {
	domains, cells, err := w.Domains()
	if err != nil {
		return nil, World{}, err
	}
	if len(domains) != 1 {
		return nil, World{}, fmt.Errorf("experiment: %s has a floor of %d pieces", name, len(domains))
	}
	world := World{Name: name, Domain: &domains[0]}
	mesh, _, err := join.Build(ctx, world.Plan(), [][][]plan.Cell{cells}, join.Options{Jobs: 1})
	return mesh, world, err
}

// hale53 is the example of figures 5.2 and 5.3: a slanted obstacle in a room with a wing goes, with and without its neighbours.
func hale53(ctx context.Context, opt Options) (Report, error) {
	const m = lattice.UnitsPerMetre
	unit := func(x float64) int32 { return int32(math.Floor(x*figureRoom*m/6 + 0.5)) }
	at := func(x, y float64) lattice.Point { return lattice.Point{X: unit(x), Y: unit(y)} }
	rings := []lattice.Ring{
		{at(1, 2), at(2, 1), at(3, 2), at(2, 3)},
		{at(4, 2), at(6, 2), at(6, 4), at(4, 4)},
	}
	if opt.Show > 1 {
		return Report{}, fmt.Errorf("experiment: world %d is to be shown, there is 1", opt.Show)
	}
	r := Report{
		Trials:  "a room with a wing and a diamond, chosen for the source's numbers",
		Reasons: []Reason{{"drawing", "the source's drawing is not in the text that is to be had; a room without the wing comes to one region against six"}},
	}
	var regions, slants [2]int
	for k, keep := range []bool{false, true} {
		w, err := dasfv.New(ctx, lattice.Box{Max: at(6, 4)}, rings, dasfv.Options{KeepNeighbours: keep})
		if err != nil {
			return Report{}, err
		}
		if !keep {
			if err := r.showWorld(ctx, "", "before", w); err != nil {
				return Report{}, err
			}
		}
		if _, err := w.Remove(ctx, 0); err != nil {
			return Report{}, err
		}
		regions[k], slants[k] = len(w.Regions()), openSlants(w)
		if err := r.showWorld(ctx, "a diamond is removed", [...]string{neighboursGo, neighboursStay}[k], w); err != nil {
			return Report{}, err
		}
	}
	for k, method := range []string{neighboursGo, neighboursStay} {
		row := constructed(method, "regions", float64(regions[k]))
		row.Published = [...]metric.Number{2, 5}[k]
		r.Rows = append(r.Rows, row, constructed(method, "slanted_borders", float64(slants[k])))
	}
	r.claim(fmt.Sprintf("two regions are left where the neighbours go too (here %d), all borders parallel to an axis (%d are not)", regions[0], slants[0]), regions[0] == 2 && slants[0] == 0)
	r.claim(fmt.Sprintf("five malformed regions are left where they stay (here %d, with %d slanted borders)", regions[1], slants[1]), regions[1] == 5 && slants[1] > 0)
	return r, nil
}
