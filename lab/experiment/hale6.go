package experiment

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/metric"
)

// The methods as the tables name them, by their names in the catalog.
const (
	sfv         = "sfv"
	pasfv       = "pasfv"
	hm          = "hertelmehlhorn"
	delaunay    = "delaunay"
	trapezoid   = "trapezoid"
	trapezoidH  = "trapezoid-h"
	wavefront   = "wavefront"
	lakesWorlds = 10
)

// table6 is a table of chapter 6: the metrics on the sample world.
type table6 struct {
	name, title string
	measures    []measure
	more        more // nil for most
}

// perLake makes the figures of a table of chapter 6.
func perLake(s, p, h float64) published { return published{sfv: s, pasfv: p, hm: h} }

// kind is the measure of one of the twelve metrics.
func kind(name string, k metric.Kind, paper published, why string) measure {
	sense := -1
	if k.MoreIsBetter() {
		sense = 1
	}
	return measure{name, func(r *metric.Result) metric.Number { return r.Value(k) }, sense, paper, why}
}

// coverage is not a matter of better and worse between complete methods, whose roundings differ by millionths.
func coverage(paper published, why string) measure {
	m := kind("coverage", metric.KindCoverage, paper, why)
	m.sense = 0
	return m
}

// spread is the standard deviation over the regions of a world.
func spread(name string, of func(*metric.Result) *metric.Distribution, paper published, why string) measure {
	return measure{name, func(r *metric.Result) metric.Number { return of(r).SD }, 0, paper, why}
}

// Reasons common to several tables.
const (
	whySample = "the source measures one level, ours are ten worlds of its statistics; its layout is not known"
	whyAngle  = "how regions meet slanted walls decides, and with it the seeds: those beside every edge give PASFV's more right angles than those of a grid"
)

// hale6Tables are tables 6.1 to 6.12. The source's object is a square unit; ours is a disc of the same width.
var hale6Tables = []table6{
	{"hale-6.1", "H table 6.1: number of regions", []measure{
		kind("regions", metric.KindRegions, perLake(31, 35, 41), "the source contradicts itself, see the next row; the notches of the floor decide, see below; "+whySample),
		kind("regions_by_section_3.2", metric.KindRegions, perLake(28, 73, 42), "the same level in section 3.2; SFV's regions go with its spacing, which is not known"),
	}, more61},
	{"hale-6.2", "H table 6.2: share of the floor covered", []measure{
		coverage(perLake(0.75, 1, 1),
			"the table's head names PASFV, ASFV and HM, its text SFV, PASFV and HM; by table 6.3 SFV's regions come to 356 of 367 units², not to 75 %"),
	}, nil},
	{"hale-6.3", "H table 6.3: areas of regions", []measure{
		kind("area_mean", metric.KindAreaSizes, perLake(11.489, 10.60, 8.848), "mean area is floor over regions, whose numbers differ: see table 6.1"),
		spread("area_sd", func(r *metric.Result) *metric.Distribution { return &r.AreaSizes.Distribution }, perLake(9.35, 13.24, 9.53), whySample),
	}, nil},
	{"hale-6.4", "H table 6.4: neighbours of regions", []measure{
		kind("degree_mean", metric.KindDegree, perLake(2.96, 3.43, 2.488), whySample),
		spread("degree_sd", func(r *metric.Result) *metric.Distribution { return &r.Degree.Distribution }, perLake(1.179, 1.53, 0.588), whySample),
	}, nil},
	{"hale-6.5", "H table 6.5: vertices at a place", []measure{
		kind("common_vertices_mean", metric.KindCommonVertices, perLake(1.338, 1.64, 3.05),
			"164 sides of Hertel-Mehlhorn's regions on 62 corners are 2.65 to a corner, not 3.05; "+whySample),
		spread("common_vertices_sd", func(r *metric.Result) *metric.Distribution { return &r.CommonVertices.Distribution }, perLake(0.477, 0.48, 1.42), whySample),
	}, nil},
	{"hale-6.6", "H table 6.6: smallest angles of regions", []measure{
		kind("minimum_angle_mean", metric.KindMinimumAngle, perLake(90, 86.47, 34.864), whyAngle),
		spread("minimum_angle_sd", func(r *metric.Result) *metric.Distribution { return &r.MinimumAngle.Distribution }, perLake(0, 11.77, 23.99), whyAngle),
	}, nil},
	{"hale-6.7", "H table 6.7: objects placed in a region", []measure{
		kind("object_placement_mean", metric.KindPlacement, perLake(13.68, 10.06, 8.79),
			"discs one unit wide: 13.68 do not fit into 11.489 units², and smaller ones alone do not put SFV first on these worlds: see the rows below"),
		spread("object_placement_sd", func(r *metric.Result) *metric.Distribution { return &r.Placement.Distribution }, perLake(6.36, 6.69, 6.88),
			"deviations below those of the areas, 9.35 to 13.24 units², mean that large numbers of objects share a group"),
	}, more67},
	{"hale-6.8", "H table 6.8: decomposition efficiency", []measure{
		kind("efficiency", metric.KindEfficiency, perLake(0.40, 0.373, 0.378), "more regions have more sides: see table 6.1"),
	}, nil},
	{"hale-6.9", "H table 6.9: diameter of the mesh", []measure{
		kind("diameter", metric.KindDiameter, perLake(11, 9, 13), whySample+"; infinite where a method leaves parts that are not joined"),
		{"diameter_within_parts", func(r *metric.Result) metric.Number { return metric.Number(r.Diameter.Within) }, -1, nil, ""},
	}, nil},
	{"hale-6.10", "H table 6.10: bottleneck", []measure{
		kind("bottleneck", metric.KindBottleneck, perLake(1.40, 0.7, 1.6), "start and goal of the source are drawn in its figure 6.1f; ours are the western- and the easternmost corner"),
	}, nil},
	{"hale-6.11", "H table 6.11: maximum total flow", []measure{
		{
			"maximum_flow_published", func(r *metric.Result) metric.Number { return r.Flow.Published }, 1, perLake(3.3, 6.7, 25.5),
			"start and goal are not the source's, see table 6.10",
		},
		kind("maximum_flow", metric.KindFlow, nil, ""),
	}, nil},
	{"hale-6.12", "H table 6.12: points by all twelve metrics", nil, more612},
}

// chapter6 are the options of the metrics in chapter 6.
var chapter6 = metric.Options{ObjectRadius: 0.5, Alpha: 1}

// hale6 makes one table of chapter 6. The last is computed from all the others' metrics.
func hale6(ctx context.Context, t table6, opt Options) (Report, error) {
	n := orDefault(opt.Worlds, lakesWorlds)
	on := onWorlds{jobs: opt.Jobs}
	var err error
	if on.worlds, err = LakesWorlds(n); err != nil {
		return Report{}, err
	}
	if on.list, err = methods([]string{sfv, pasfv, hm}, opt); err != nil {
		return Report{}, err
	}
	if on.trials, err = runTrials(ctx, on.worlds, on.list, opt.Jobs, chapter6); err != nil {
		return Report{}, err
	}
	r := Report{Trials: fmt.Sprintf("%d worlds with 11 obstacles, 58 corners and 367 units² of floor, as the source's one", n)}
	if err := r.show(on.worlds, on.list, on.trials, opt); err != nil {
		return Report{}, err
	}
	measures := t.measures
	if measures == nil {
		nothing := func(*metric.Result) metric.Number { return 0 }
		measures = []measure{{pointsLine, nothing, 1, published{pasfv: 8.5, hm: 3.5}, "points follow the other tables, and most of those follow the number of regions: see hale-6.1"}}
	}
	s := sampleOf(on.list, on.trials, measures)
	if t.measures == nil {
		if s.lines[0].values, err = pointsOf(on.trials); err != nil {
			return Report{}, err
		}
	}
	s.fill(&r)
	if t.more == nil {
		return r, nil
	}
	if on.inLine, err = AlignedWorlds(n); err != nil {
		return Report{}, err
	}
	return r, t.more(ctx, &r, on)
}

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

func (r *Report) claim(text string, holds bool) { r.Claims = append(r.Claims, Claim{text, holds}) }
