package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// What an agent has left to reason about, by H sections 1.2 and 8.2: the source has no figures, and says that agents should
// know the objects in their own regions and in those beside.
const (
	reasonWorlds = 10
	reasoners    = 300 // agents of each world
	reasonRadius = 0.4 // metres
)

// reasonMethods decompose the worlds. SFV leaves floor uncovered; agents there know nothing, and do not count.
var reasonMethods = []string{sfv, pasfv, hm, delaunay, trapezoid, wavefront}

// the measures of a mesh, in the order of the rows. The last two are the predictors.
var reasonMeasures = [...]string{"objects_known", "objects_seen", "regions_known", "obstacles_known", "regions_touched", "regions", "degree", "common_vertices"}

const (
	objectsKnown = iota
	objectsSeen
	regionsKnown
	obstaclesKnown
	regionsTouched
	regionsOfMesh
	degreeOfMesh
	commonOfMesh
	reasonsOf
)

// reason measures what agents know on a mesh, on average.
func reason(ctx context.Context, w World, seed int, mesh *navmesh.Mesh, result *metric.Result) (values [reasonsOf]float64, err error) {
	ix, err := query.NewIndexWith(ctx, mesh)
	if err != nil {
		return values, err
	}
	s := presence.New(ix)
	rng := rand.New(rand.NewPCG(uint64(seed), 82))
	box := w.Domain.Rings[0].Box()
	width, height := box.Size()
	// The same places for every method.
	for id := presence.ID(0); id < reasoners; {
		p := lattice.Point{X: box.Min.X + int32(rng.Int64N(width)), Y: box.Min.Y + int32(rng.Int64N(height))}
		if !w.Domain.Contains(p) {
			continue
		}
		id++
		o := presence.Object{ID: id, At: mesh.Frame.ToWorld(p, 0), Radius: reasonRadius, Height: 1, Sight: math.Inf(1)}
		if err := s.Add(o); err != nil && ctx.Err() != nil {
			return values, err
		}
	}
	v := s.Publish()
	r := v.NewReader()
	q := ix.NewQuery()
	obstacles := map[navmesh.Ref][]int{}
	for i := range v.Len() {
		o, _ := v.At(i)
		regions, objects, err := r.Known(o.ID)
		if err != nil {
			return values, err
		}
		values[objectsKnown] += float64(len(objects))
		values[regionsKnown] += float64(len(regions))
		values[regionsTouched] += float64(len(v.Regions(nil, o.ID)))
		var beside []int
		for _, ref := range regions {
			if _, ok := obstacles[ref]; !ok {
				obstacles[ref] = obstaclesOf(w, mesh, q, ref)
			}
			for _, k := range obstacles[ref] {
				if !slices.Contains(beside, k) {
					beside = append(beside, k)
				}
			}
		}
		values[obstaclesKnown] += float64(len(beside))
		seen, err := r.Sees(o.ID)
		if err != nil {
			return values, err
		}
		values[objectsSeen] += float64(len(seen))
	}
	n := float64(max(v.Len(), 1))
	for k := range regionsOfMesh {
		values[k] /= n
	}
	// Shares of the others in percent.
	others := max(n-1, 1) / 100
	values[objectsKnown] /= others
	values[objectsSeen] /= others
	values[regionsOfMesh] = float64(mesh.RegionCount())
	values[degreeOfMesh] = float64(result.Value(metric.KindDegree))
	values[commonOfMesh] = float64(result.Value(metric.KindCommonVertices))
	return values, nil
}

// obstaclesOf lists the obstacles at the walls of a region. The border of the world is none.
func obstaclesOf(w World, mesh *navmesh.Mesh, q *query.Query, ref navmesh.Ref) (list []int) {
	walls, err := q.WallsOf(ref)
	if err != nil {
		return nil
	}
	for _, wall := range walls {
		a, b := beneath(mesh, wall.From), beneath(mesh, wall.To)
		for k, ring := range w.Domain.Rings[1:] {
			// Corners on slanted edges are rounded, by up to two units.
			if ring.Box().Grown(2).Contains(a) && nearRing(ring, a) && nearRing(ring, b) && !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	return list
}

func beneath(mesh *navmesh.Mesh, v geom.Vec) lattice.Point {
	p, _ := mesh.Frame.Beneath(v)
	return p
}

func nearRing(ring lattice.Ring, p lattice.Point) bool {
	for i, a := range ring {
		if lattice.SegmentDistance2(p, a, ring[(i+1)%len(ring)]).CompareInt(4) <= 0 {
			return true
		}
	}
	return false
}

// correlation returns Pearson's coefficient, NaN for fewer than two values or values without spread.
func correlation(x, y []float64) float64 {
	mx, sx := meanSD(x)
	my, sy := meanSD(y)
	sum := 0.0
	for i := range x {
		sum += float64((x[i] - mx) * (y[i] - my))
	}
	return sum / (float64(len(x)-1) * sx * sy)
}

// hale82 measures information compartmentalization.
func hale82(ctx context.Context, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, reasonWorlds)
	list, err := methods(reasonMethods, opt)
	if err != nil {
		return Report{}, err
	}
	worlds, err := LakesWorlds(n)
	if err != nil {
		return Report{}, err
	}
	trials, err := runTrials(ctx, worlds, list, opt.Jobs, metric.Options{})
	if err != nil {
		return Report{}, err
	}
	values := make([][reasonsOf]float64, len(list)*n) // method after method
	err = par.For(ctx, opt.Jobs, len(values), func(i int) error {
		m, w := i/n, i%n
		var err error
		values[i], err = reason(ctx, worlds[w], w+1, trials[m][w].mesh, &trials[m][w].result)
		return err
	})
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Trials: fmt.Sprintf("%d worlds with the statistics of the sample world, %d agents of %g m each at the same places for every method", n, reasoners, reasonRadius),
		Reasons: []Reason{
			{"published", "the source measures nothing here; section 1.2 says that an agent knows its own region and the regions beside"},
			{"objects_known", "percent of all other objects that touch the agent's region or a region beside"},
			{"objects_seen", "percent of all other objects in sight through portals, the same for all complete meshes but for rounding"},
			{"regions_touched", "regions that an agent's disc touches: the cause of figure 1.3"},
		},
	}
	means := make([][reasonsOf]float64, len(list))
	for k, name := range reasonMeasures {
		for m, g := range list {
			column := make([]float64, n)
			for w := range n {
				column[w] = values[m*n+w][k]
			}
			mean, sd := meanSD(column)
			means[m][k] = mean
			row := constructed(g.Name(), name, mean)
			row.SD = metric.Number(sd)
			r.Rows = append(r.Rows, row)
		}
	}
	column := func(k int) (out []float64) {
		for i := range values {
			out = append(out, values[i][k])
		}
		return out
	}
	rho := map[[2]int]float64{}
	for _, predictor := range []int{degreeOfMesh, commonOfMesh, regionsOfMesh} {
		for _, k := range []int{objectsKnown, regionsKnown, obstaclesKnown, regionsTouched} {
			c := correlation(column(predictor), column(k))
			rho[[2]int{predictor, k}] = c
			r.Rows = append(r.Rows, constructed("correlation", reasonMeasures[k]+"~"+reasonMeasures[predictor], c))
		}
	}
	at := func(method string) [reasonsOf]float64 { return means[slices.Index(reasonMethods, method)] }
	most := 0.0
	for m := range list {
		most = max(most, means[m][objectsKnown])
	}
	r.claim(fmt.Sprintf("an agent reasons about a fraction of the objects (at most %.3g percent, by method)", most), most < 50)
	growth, triangles := at(pasfv), at(delaunay)
	r.claim(fmt.Sprintf("agents touch more regions of triangles than of regions by growth (%.3g and %.3g)", triangles[regionsTouched], growth[regionsTouched]), triangles[regionsTouched] > growth[regionsTouched])
	r.claim(fmt.Sprintf("more common vertices, more regions touched (correlation %.2f)", rho[[2]int{commonOfMesh, regionsTouched}]), rho[[2]int{commonOfMesh, regionsTouched}] > 0.5)
	r.claim(fmt.Sprintf("a higher degree leaves more regions to know (correlation %.2f)", rho[[2]int{degreeOfMesh, regionsKnown}]), rho[[2]int{degreeOfMesh, regionsKnown}] > 0.5)
	r.claim(fmt.Sprintf("and more objects (correlation %.2f)", rho[[2]int{degreeOfMesh, objectsKnown}]), rho[[2]int{degreeOfMesh, objectsKnown}] > 0.5)
	return r, r.show(worlds, list, trials, opt)
}
