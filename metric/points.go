package metric

import (
	"fmt"
	"math"
)

// Kind names one of the twelve metrics.
type Kind uint8

// The twelve metrics in the order of the source.
const (
	KindRegions Kind = iota
	KindCoverage
	KindAreaSizes
	KindDegree
	KindHomogeneity
	KindCommonVertices
	KindMinimumAngle
	KindPlacement
	KindEfficiency
	KindDiameter
	KindBottleneck
	KindFlow

	// Kinds is the number of metrics.
	Kinds = 12
)

// kinds describes each metric: its name in JSON, the meaning of its value, and whether more is better.
var kinds = [Kinds]struct {
	name, about string
	more        bool
}{
	{"regions", "number of regions", false},
	{"coverage", "share of the free space covered", true},
	{"area_sizes", "mean area of a region, m²", true},
	{"degree", "mean number of neighbours", true},
	{"homogeneity", "root mean square of width over height less 1, 0 is square", false},
	{"common_vertices", "mean number of regions with a vertex at a place", false},
	{"minimum_angle", "mean smallest angle of a region, degrees", true},
	{"object_placement", "mean number of objects placed in a region", true},
	{"efficiency", "edges of obstructions per edge of a region", true},
	{"diameter", "most portals between any two regions", false},
	{"bottleneck", "narrowest common edge on the shortest path, m", true},
	{"maximum_flow", "width of all ways from start to goal, m", true},
}

// String returns the metric's name in JSON.
func (k Kind) String() string {
	if k < Kinds {
		return kinds[k].name
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// About describes the metric's value in a few words.
func (k Kind) About() string { return kinds[min(k, Kinds-1)].about }

// MoreIsBetter reports whether the larger value wins.
func (k Kind) MoreIsBetter() bool { return kinds[min(k, Kinds-1)].more }

// Value returns the value of one metric.
func (r *Result) Value(k Kind) Number {
	return [Kinds]Number{
		Number(r.Regions.Value), r.Coverage.Value, r.AreaSizes.Value, r.Degree.Value, r.Homogeneity.Value,
		r.CommonVertices.Value, r.MinimumAngle.Value, r.Placement.Value, r.Efficiency.Value,
		r.Diameter.Value, r.Bottleneck.Value, r.Flow.Value,
	}[k]
}

// Scoring controls the comparison of a pool of meshes (section 6.13). The zero value is the source's.
type Scoring struct {
	// Weights are the weights of the metrics, 0 or more; an empty list means 1 for all.
	Weights []float64
	// Similar is the largest difference of tied values, as a share of the larger value. Default 0.01: the source calls
	// 100 % and 100 % a tie, and 0.373 and 0.378 none. Negative means 0.
	Similar float64
	// Coverage is the least coverage of a mesh in the comparison; unknown coverage is accepted. Default 0.95. Negative
	// accepts all meshes.
	Coverage float64
}

// Ranking is the result of comparing a pool.
type Ranking struct {
	// Best is the index in the pool of the mesh with the most points, of several the first; -1 if all are excluded.
	Best int
	// Points has the points of every mesh, 0 for the excluded.
	Points []float64
	// Excluded marks the meshes with too little coverage.
	Excluded []bool
}

// Rank gives the winner of each metric its weight in points, or half the weight to each mesh in a tie for the best.
// Unknown values never win, and infinite values never win where less is better.
func Rank(pool []Result, s Scoring) (Ranking, error) {
	if len(s.Weights) != 0 && len(s.Weights) != Kinds {
		return Ranking{}, fmt.Errorf("metric: %d weights, there are %d metrics", len(s.Weights), Kinds)
	}
	for k, w := range s.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return Ranking{}, fmt.Errorf("metric: the weight of %v is %g, must be 0 or more", Kind(k), w)
		}
	}
	s.Similar, s.Coverage = max(or(s.Similar, 0.01), 0), or(s.Coverage, 0.95)
	rank := Ranking{Best: -1, Points: make([]float64, len(pool)), Excluded: make([]bool, len(pool))}
	for i := range pool {
		c := pool[i].Coverage.Value
		rank.Excluded[i] = c.Known() && float64(c) < s.Coverage
	}
	for k := range Kind(Kinds) {
		weight := 1.0
		if len(s.Weights) > 0 {
			weight = s.Weights[k]
		}
		winners := rank.winners(pool, k, s.Similar)
		if len(winners) > 1 {
			weight /= 2
		}
		for _, i := range winners {
			rank.Points[i] += weight
		}
	}
	for i, p := range rank.Points {
		if !rank.Excluded[i] && (rank.Best < 0 || p > rank.Points[rank.Best]) {
			rank.Best = i
		}
	}
	return rank, nil
}

// winners returns the meshes with the best value of a metric and the meshes tied with them.
func (rank *Ranking) winners(pool []Result, k Kind, similar float64) []int {
	best := unknown
	for i := range pool {
		x := pool[i].Value(k)
		if rank.Excluded[i] || !x.Known() {
			continue
		}
		if !best.Known() || k.MoreIsBetter() && x > best || !k.MoreIsBetter() && x < best {
			best = x
		}
	}
	var out []int
	for i := range pool {
		x := pool[i].Value(k)
		if rank.Excluded[i] || !x.Known() || !best.Known() {
			continue
		}
		a, b := float64(x), float64(best)
		if math.Abs(a-b) <= similar*max(math.Abs(a), math.Abs(b)) {
			out = append(out, i)
		}
	}
	return out
}
