package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
)

// Row is one figure of a table, a method's value of a metric over all trials.
type Row struct {
	Method    string        `json:"method"`
	Metric    string        `json:"metric"`
	Published metric.Number `json:"published"` // unknown where the source has none
	Ours      metric.Number `json:"ours"`      // not known where a metric is not, infinite where it is on some world

	// SD is the standard deviation over the worlds, estimated; unknown for a single world.
	SD metric.Number `json:"-"`
	// Better means that the value is significantly better than the worst method's (p < 0.05).
	Better bool `json:"-"`
}

// Test is an F-test of a metric over all methods.
type Test struct {
	Metric string
	FTest
}

// Claim is a sentence of the source, and whether it holds here.
type Claim struct {
	Text  string
	Holds bool
}

// Reason explains the difference from the published value of a metric.
type Reason struct{ Metric, Why string }

// Report is the outcome of an experiment.
type Report struct {
	Name, Title string
	// Trials describes the trials and their number.
	Trials string
	// Rows are metric by metric, and in each by method.
	Rows    []Row
	Tests   []Test
	Claims  []Claim
	Reasons []Reason

	// Shown are the meshes of one world, method by method, for pictures like the source's; none for constructions.
	Shown Shown
	// Drawing is the picture of an experiment without such meshes, nil for most.
	Drawing *Drawing
}

// Shown is one world with the decompositions of every method.
type Shown struct {
	World   World
	Methods []string
	Meshes  []*navmesh.Mesh
	Results []metric.Result
	// Notes and Marks are by method, of figures with travellers; empty for others.
	Notes [][]string
	Marks [][]Mark
}

// Methods returns the methods of the rows in order of their first mention.
func (r *Report) Methods() []string { return r.names(func(row *Row) string { return row.Method }) }

// Metrics returns the metrics of the rows in order of their first mention.
func (r *Report) Metrics() []string { return r.names(func(row *Row) string { return row.Metric }) }

func (r *Report) names(of func(*Row) string) []string {
	var names []string
	for i := range r.Rows {
		if name := of(&r.Rows[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Row returns the row of a method and metric.
func (r *Report) Row(method, name string) (Row, bool) {
	for _, row := range r.Rows {
		if row.Method == method && row.Metric == name {
			return row, true
		}
	}
	return Row{}, false
}

// Options say how to run an experiment. The zero value repeats the source's trials, or more.
type Options struct {
	// Worlds is their number, 0 for the experiment's own. Constructions have none.
	Worlds int
	// Paths is the number of paths on each world, 0 for the experiment's own, of experiments whose name begins with brand.
	Paths int
	// Methods are generators to run besides those of the source.
	Methods []string
	// Show is the number of the world whose meshes the report keeps, from 1; 0 is the first.
	Show int
	// Recast builds the meshes of Recast, of the experiments that have them; nil leaves their rows out, and the report says so.
	Recast BuildRival
	// Jobs is the number of goroutines, 0 for one per core. The report is the same for every number.
	Jobs int
}

// experiment is an experiment with a name.
type experiment struct {
	name, title string
	run         func(context.Context, Options) (Report, error)
}

// experiments are in the order of the source.
func experiments() []experiment {
	list := []experiment{
		{"hale-3.1", "H table 3.1: path lengths and turns", hale31},
		{"hale-5.3", "H figures 5.2 and 5.3: an obstacle removed with its neighbours and without", hale53},
		{"hale-5.4", "H figure 5.4: an obstacle added, repair beside rebuilding", hale54},
		{"hale-5.5", "H figure 5.5: an obstacle removed, repair beside rebuilding", hale55},
	}
	for _, t := range hale6Tables {
		list = append(list, experiment{t.name, t.title, func(ctx context.Context, opt Options) (Report, error) { return hale6(ctx, t, opt) }})
	}
	return append(list,
		experiment{"hale-7.1", "H table 7.1: Wavefront beside trapezoidal cells", hale71},
		experiment{"hale-7.2", "H table 7.2: Wavefront beside Delaunay and Hertel-Mehlhorn", hale72},
		experiment{"hale-8.2", "H section 8.2: what an agent has left to reason about, by mesh", hale82},
		experiment{"hale-c1", "H appendix C: growth by a dynamic rate", halec1},
		experiment{"hale-d1", "H figure D.1: neighbours in a mesh and in a k-d tree", haled1},
		experiment{"hale-d3", "H figure D.3: moving objects on the capture-the-flag level", haled3},
		experiment{"hale-d4", "H figure D.4: moving objects on the cityscape", haled4},
		experiment{"hale-d5", "H figure D.5: moving against static objects, capture the flag", haled5},
		experiment{"hale-d6", "H figure D.6: moving against static objects, cityscape", haled6},
		experiment{"wavefront-25", "W section 19.5: 25 worlds like arena levels", wavefront25},
		experiment{"brand-5", "B figure 5: a group by paths of its own, and in one corridor", brand5},
		experiment{"brand-6", "B figure 6: the region of a group stretches at a choke-point", brand6},
		experiment{"brand-57", "B figure 57: fringe search by relaxation", brand57},
		experiment{"brand-69", "B figure 69: distributed fringe search, cyclic reseeding", brand69},
		experiment{"brand-76", "B figure 76: duration of searches by length of path", brand76},
		experiment{"brand-77", "B figure 77: cost of paths by length of path", brand77},
		experiment{"brand-8.2", "B section 8.2: mesh of a map of boxes beside a uniform grid", brand82},
		experiment{"brand-83", "B figure 83: 15 travellers on a mesh and on a uniform grid", brand83},
		experiment{"brand-84", "B figure 84: footprints on a uniform grid and on divided polygons", brand84},
		experiment{"oliva-15", "A figure 15: convexity relaxation among round objects", oliva15},
		experiment{"oliva-32", "A figure 32: time by the number of vertices, CPU half", oliva32},
		experiment{"oliva-39", "A figure 39: cells by convexDistance, testMap0", relaxedMap(0)},
		experiment{"oliva-40", "A figure 40: cells by convexDistance, testMap1", relaxedMap(1)},
		experiment{"oliva-41", "A figure 41: cells by convexDistance, testMap2", relaxedMap(2)},
		experiment{"oliva-42", "A figure 42: cells by convexDistance, testMap3", relaxedMap(3)},
		experiment{"oliva-43", "A figure 43: time of every test map", oliva43},
		experiment{"oliva-44", "A figure 44: time beside Recast at equal resolution", oliva44},
		experiment{"oliva-45", "A figure 45: a storey that nobody reaches", oliva45},
		experiment{"theorem-4.1", "H theorem 4.1 and lemma 4.2: regions and exposed edges", theorem41},
		experiment{"theorem-7.1", "H theorem 7.1: a fan of any number of Delaunay triangles", theorem71},
		experiment{"theorem-7.2", "H theorem 7.2: Hertel-Mehlhorn regions at a corner", theorem72},
	)
}

// Names returns the names of all experiments, in the order of the source.
func Names() []string {
	var names []string
	for _, e := range experiments() {
		names = append(names, e.name)
	}
	return names
}

// Title describes an experiment, "" for an unknown name.
func Title(name string) string {
	for _, e := range experiments() {
		if e.name == name {
			return e.title
		}
	}
	return ""
}

// Draws reports whether the report of an experiment has a picture: the meshes of a world, or a drawing. It is false for an
// unknown name.
func Draws(name string) bool {
	tables := []string{"hale-c1", "oliva-39", "oliva-40", "oliva-41", "oliva-42", "oliva-43", "oliva-44", "brand-57", "brand-69", "brand-76", "brand-77", "brand-8.2", "brand-83", "theorem-4.1", "theorem-7.1", "theorem-7.2"}
	return Title(name) != "" && !slices.Contains(tables, name)
}

// Run runs the experiment of a name. Errors: unknown experiment, unknown method in Options.Methods, options out of
// range, the context's.
func Run(ctx context.Context, name string, opt Options) (Report, error) {
	if opt.Worlds < 0 || opt.Worlds > maxWorlds {
		return Report{}, fmt.Errorf("experiment: %d worlds, must be 1 to %d, or 0 for the experiment's own number", opt.Worlds, maxWorlds)
	}
	if opt.Paths < 0 || opt.Paths > maxWorlds {
		return Report{}, fmt.Errorf("experiment: %d paths, must be 1 to %d, or 0 for the experiment's own number", opt.Paths, maxWorlds)
	}
	if opt.Show < 0 {
		return Report{}, fmt.Errorf("experiment: world %d is to be shown, they are numbered from 1", opt.Show)
	}
	for _, e := range experiments() {
		if e.name != name {
			continue
		}
		r, err := e.run(ctx, opt)
		if err != nil {
			return Report{}, err
		}
		r.Name, r.Title = e.name, e.title
		return r, nil
	}
	return Report{}, fmt.Errorf("experiment: none is named %q, there are %s", name, strings.Join(Names(), ", "))
}

// maxWorlds bounds Options.Worlds and Options.Paths.
const maxWorlds = 100_000
