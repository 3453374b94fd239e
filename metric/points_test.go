package metric

import (
	"math"
	"testing"
)

// published has the values of tables 6.1 to 6.11 for the Twin Lakes level. The box plot of figure 6.4 has no numbers;
// according to the text PASFV is the most homogeneous.
func published() (pasfv, hm, sfv Result) {
	of := func(regions int, coverage, area, degree, homogeneity, common, angle, placement, efficiency, diameter, bottleneck, flow Number) Result {
		return Result{
			Regions: Regions{regions}, Coverage: Coverage{Value: coverage}, AreaSizes: AreaSizes{Value: area},
			Degree: Degree{Value: degree}, Homogeneity: Homogeneity{Value: homogeneity}, CommonVertices: CommonVertices{Value: common},
			MinimumAngle: MinimumAngle{Value: angle}, Placement: Placement{Value: placement}, Efficiency: Efficiency{Value: efficiency},
			Diameter: Diameter{Value: diameter}, Bottleneck: Bottleneck{Value: bottleneck}, Flow: Flow{Value: flow},
		}
	}
	return of(35, 1, 10.60, 3.43, 1, 1.64, 86.47, 10.06, 0.373, 9, 0.7, 6.7),
		of(41, 1, 8.848, 2.488, 2, 3.05, 34.864, 8.79, 0.378, 13, 1.6, 25.5),
		of(31, 0.75, 11.489, 2.96, 0.5, 1.338, 90, 13.68, 0.40, 11, 1.4, 3.3)
}

// TestPublishedPoints checks table 6.12: 8.5 points for PASFV, 3.5 for Hertel and Mehlhorn; SFV covers too little to
// take part.
func TestPublishedPoints(t *testing.T) {
	pasfv, hm, sfv := published()
	rank, err := Rank([]Result{sfv, pasfv, hm}, Scoring{})
	if err != nil {
		t.Fatal(err)
	}
	if rank.Best != 1 || rank.Points[0] != 0 || rank.Points[1] != 8.5 || rank.Points[2] != 3.5 {
		t.Errorf("%+v", rank)
	}
	if !rank.Excluded[0] || rank.Excluded[1] || rank.Excluded[2] {
		t.Errorf("excluded %v", rank.Excluded)
	}
}

func TestWeights(t *testing.T) {
	pasfv, hm, _ := published()
	weights := make([]float64, Kinds)
	weights[KindFlow], weights[KindBottleneck], weights[KindRegions] = 2, 1, 1
	rank, err := Rank([]Result{pasfv, hm}, Scoring{Weights: weights})
	if err != nil || rank.Best != 1 || rank.Points[0] != 1 || rank.Points[1] != 3 {
		t.Errorf("%+v, %v", rank, err)
	}
	for _, bad := range [][]float64{{1}, append(make([]float64, Kinds-1), -1), append(make([]float64, Kinds-1), math.NaN())} {
		if _, err := Rank([]Result{pasfv}, Scoring{Weights: bad}); err == nil {
			t.Errorf("weights %v are taken", bad)
		}
	}
}

func TestRankDegenerate(t *testing.T) {
	pasfv, hm, sfv := published()
	if rank, err := Rank(nil, Scoring{}); err != nil || rank.Best != -1 {
		t.Errorf("of none: %+v, %v", rank, err)
	}
	if rank, _ := Rank([]Result{sfv}, Scoring{}); rank.Best != -1 || !rank.Excluded[0] {
		t.Errorf("of one that covers too little: %+v", rank)
	}
	if rank, _ := Rank([]Result{sfv}, Scoring{Coverage: -1}); rank.Best != 0 || rank.Points[0] != Kinds {
		t.Errorf("without a limit: %+v", rank)
	}
	// Equal meshes tie in every metric, and the first mesh is the best.
	if rank, _ := Rank([]Result{hm, hm}, Scoring{}); rank.Best != 0 || rank.Points[0] != Kinds/2 || rank.Points[1] != Kinds/2 {
		t.Errorf("of twins: %+v", rank)
	}
	// Infinite and unknown values win nothing.
	pasfv.Diameter.Value, pasfv.Flow.Value = infinite, unknown
	if rank, _ := Rank([]Result{pasfv, hm}, Scoring{}); rank.Points[0] != 7.5 || rank.Points[1] != 4.5 {
		t.Errorf("with an infinite diameter: %+v", rank)
	}
}

func TestKinds(t *testing.T) {
	for k := range Kind(Kinds) {
		if k.String() == "" || k.About() == "" {
			t.Errorf("metric %d has no name", k)
		}
	}
	if got := Kind(99).String(); got != "Kind(99)" {
		t.Errorf("an unknown kind is %q", got)
	}
}
