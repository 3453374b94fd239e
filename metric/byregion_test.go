package metric

import (
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestEachRegion: the values of single regions are those behind the distributions and counts of Measure.
func TestEachRegion(t *testing.T) {
	for seed := range uint64(4) {
		_, mesh := world(t, seed, lattice.Frame{})
		opt := Options{ObjectRadius: 0.3, FanRegions: 3, SliverRatio: 2}
		r := measure(t, mesh, opt)
		each, err := EachRegion(mesh, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name      string
			values    []float64
			described Distribution
		}{
			{"area", each.Areas, r.AreaSizes.Distribution},
			{"degree", floats(each.Degrees), r.Degree.Distribution},
			{"ratio", each.Ratios, r.Homogeneity.Distribution},
			{"angle", each.Angles, r.MinimumAngle.Distribution},
			{"objects", floats(each.Objects), r.Placement.Distribution},
		} {
			if got := describe(c.values); !reflect.DeepEqual(got, c.described) {
				t.Errorf("%s: the values are %+v, Measure says %+v", c.name, got, c.described)
			}
		}
		var d NearDegenerate
		for _, is := range each.Troubles {
			if is != 0 {
				d.Regions++
			}
			for kind, count := range map[Trouble]*int{Fan: &d.Fans, Sliver: &d.Slivers, Narrow: &d.Narrow, Disjoint: &d.Disjoint} {
				if is&kind != 0 {
					*count++
				}
			}
		}
		if d != r.Extras.NearDegenerate || d.Slivers == 0 {
			t.Errorf("the troubles are %+v, Measure says %+v; want slivers, too", d, r.Extras.NearDegenerate)
		}
	}
	if _, err := EachRegion(one(t, box(0, 0, 4, 4), box(0, 0, 4, 4)), Options{Categories: 1}); err == nil {
		t.Error("no error for options out of range")
	}
}
