package workbench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/scene"
)

var judgeRequests = map[string]handler{"measure": measure, "rival": rival, "rivalPath": rivalPath, "endRival": endRival}

// judging is the state of the judge.
type judging struct {
	rival *meadow.Mesh // to compare with, nil for none
	asked *ask.Session // on rival
}

// Measured is the answer to measure. The bytes of the reply are, for each chart, a 32-bit float with the value of every region and
// then a byte with its bar, tile after tile; the bytes of a chart are padded to whole words.
type Measured struct {
	Name    string  `json:"name"`
	Regions int     `json:"regions"`
	Rows    []Row   `json:"rows"`
	Charts  []Chart `json:"charts"`
}

// Row is a single number of a mesh.
type Row struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text"` // with its unit, or – for an unknown one
	// Better is 1 where more is better, -1 where less is, 0 where neither is.
	Better int `json:"better"`
	// Value is null for an unknown value.
	Value metric.Number `json:"value"`
	// Verdict is pass, fail, or empty without a limit of the source.
	Verdict string `json:"verdict"`
}

// Chart is a measure of single regions.
type Chart struct {
	Name  string              `json:"name"`
	About string              `json:"about"`
	Unit  string              `json:"unit"`
	Bars  []Bar               `json:"bars"`
	Box   metric.Distribution `json:"box"`
	// Trouble numbers the bars of bad regions, -1 for none: bars up to it are bad.
	Trouble int `json:"trouble"`
}

// Bar is a group of regions with similar values.
type Bar struct {
	Text  string `json:"text"` // of its values
	Count int    `json:"count"`
}

// measure measures the mesh, or its rival, with all values of single regions.
func measure(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var o struct {
		Rival bool `json:"rival"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	mesh := b.mesh
	if o.Rival {
		mesh = b.judging.rival
	}
	if mesh == nil {
		return Reply{}, errNoMesh
	}
	opt := metric.Options{}
	if b.floor != nil && !o.Rival || b.floor != nil && sameAgent(mesh.Agent, b.mesh.Agent) {
		opt.Plan = b.floor.Plan
		opt.Places = metric.PlacesOn(b.floor.Plan, 100, 1)
	}
	result, err := metric.Measure(ctx, mesh.Mesh, opt)
	if err != nil {
		return Reply{}, err
	}
	each, err := metric.EachRegion(mesh.Mesh, opt)
	if err != nil {
		return Reply{}, err
	}
	answer := Measured{Name: mesh.Report().Generator, Regions: mesh.RegionCount(), Rows: rowsOf(&result)}
	var body []byte
	add := func(about, unit string, box metric.Distribution, values, edges []float64, words func(low, high float64) string, trouble int, name string) {
		c := Chart{Name: name, About: about, Unit: unit, Box: box, Trouble: trouble, Bars: []Bar{}}
		for i := range len(edges) - 1 {
			c.Bars = append(c.Bars, Bar{Text: words(edges[i], edges[i+1])})
		}
		bars := make([]byte, len(values))
		for i, v := range values {
			k := barOf(v, edges)
			bars[i] = byte(k)
			c.Bars[k].Count++
			body = binary.LittleEndian.AppendUint32(body, math.Float32bits(float32(v)))
		}
		body = append(body, bars...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
		answer.Charts = append(answer.Charts, c)
	}
	add("size of every region, metric 3", "m²", result.AreaSizes.Distribution, each.Areas, steps125(each.Areas), spanWords, -1, "area")
	add("smallest corner of every region, metric 7; below 10° is trouble", "°", result.MinimumAngle.Distribution, each.Angles,
		[]float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 180}, spanWords, 0, "smallest angle")
	add("neighbours of every region, metric 4; none is trouble", "", result.Degree.Distribution, numbers(each.Degrees), counts(each.Degrees), countWords, 0, "neighbours")
	add("longer side of the box over the shorter, less one, metric 5; negative for a region higher than wide, and zero is best", "", result.Homogeneity.Distribution, each.Ratios,
		[]float64{math.Inf(-1), -16, -8, -4, -2, -1, -0.5, 0.5, 1, 2, 4, 8, 16, math.Inf(1)}, spanWords, -1, "oblong")
	add("discs of the agent that fit into every region, metric 8; none is trouble", "", result.Placement.Distribution, numbers(each.Objects), counts(each.Objects), countWords, 0, "room")
	troubles := make([]int, len(each.Troubles))
	for i, t := range each.Troubles {
		for k, kind := range []metric.Trouble{metric.Disjoint, metric.Narrow, metric.Sliver, metric.Fan} {
			if t&kind != 0 {
				troubles[i] = 4 - k
			}
		}
	}
	kinds := []string{"none", "in a fan", "sliver", "narrow", "disjoint"}
	add("regions that are hard to enter or to leave", "", metric.Distribution{}, numbers(troubles), []float64{-1, 0, 1, 2, 3, 4},
		func(_, high float64) string { return kinds[int(high)] }, -1, "trouble")
	return Reply{answer, body}, nil
}

func sameAgent(a, b geom.Agent) bool { return a.Literal() == b.Literal() }

// rowsOf are the single numbers of a result.
func rowsOf(r *metric.Result) []Row {
	verdicts := map[string]string{}
	for _, c := range r.Check(metric.Thresholds()) {
		verdicts[c.Name] = c.Verdict
	}
	units := map[metric.Kind]string{
		metric.KindAreaSizes: " m²", metric.KindMinimumAngle: "°", metric.KindBottleneck: " m", metric.KindFlow: " m",
	}
	var rows []Row
	for k := metric.Kind(0); k < metric.Kinds; k++ {
		better := -1
		if k.MoreIsBetter() {
			better = 1
		}
		rows = append(rows, Row{k.String(), k.About(), withUnit(r.Value(k), units[k]), better, r.Value(k), verdicts[k.String()]})
	}
	x := &r.Extras
	return append(rows,
		Row{"regions over the bound", "regions for each region that the notches of the floor ask for at least", numberText(x.Ratio), -1, x.Ratio, ""},
		Row{"path efficiency", "shortest path over the path from middle to middle of portals", numberText(x.Paths.Value), 1, x.Paths.Value, ""},
		Row{"border error", "largest distance of the borders of mesh and floor", withUnit(x.Border.Value, " m"), -1, x.Border.Value, ""},
		Row{"T-junctions", "corners in the middle of a neighbour's side", strconv.Itoa(x.TJunctions), -1, metric.Number(x.TJunctions), ""},
		Row{"near-degenerate", "regions that are slivers, narrow, disjoint or in fans", strconv.Itoa(x.NearDegenerate.Regions), -1, metric.Number(x.NearDegenerate.Regions), ""},
		Row{"portals", "crossings between two regions", strconv.Itoa(x.Portals), -1, metric.Number(x.Portals), ""},
		Row{"parts", "parts of the mesh without a path from one to another", strconv.Itoa(x.Components), -1, metric.Number(x.Components), ""},
		Row{"file", "size of the mesh file", fmt.Sprintf("%.1f kB", float64(x.Bytes)/1000), -1, metric.Number(x.Bytes), ""},
	)
}

func withUnit(v metric.Number, unit string) string {
	if !v.Known() {
		unit = ""
	}
	return numberText(v) + unit
}

func numberText(v metric.Number) string {
	switch {
	case math.IsInf(float64(v), 0):
		return "∞"
	case !v.Known():
		return "–"
	}
	return strconv.FormatFloat(float64(v), 'g', 4, 64)
}

// barOf returns the bar of a value: the first with an upper border that is not below the value.
func barOf(v float64, edges []float64) int {
	k := 0
	for k < len(edges)-2 && v > edges[k+1] {
		k++
	}
	return k
}

// steps125 are borders of bars at 1, 2, 5, 10, 20 … around all values, at most twelve bars.
func steps125(values []float64) []float64 {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
		most = max(most, v)
	}
	edges := []float64{0}
	if most == 0 {
		return []float64{0, 1}
	}
	least = max(least, most/2000)
	for e := math.Floor(math.Log10(least)); ; e++ {
		for _, k := range []float64{1, 2, 5} {
			v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%g", k, e), 64)
			if v >= least {
				edges = append(edges, v)
			}
			if v >= most {
				return edges
			}
		}
	}
}

// counts are borders of bars for 0, 1, 2 … 9, 10 to 19, 20 to 49 … as far as the values go.
func counts(values []int) []float64 {
	most := 0
	for _, v := range values {
		most = max(most, v)
	}
	edges := []float64{-1}
	for v := 0; v < 10 && v <= most; v++ {
		edges = append(edges, float64(v))
	}
	for _, v := range []float64{19, 49, 99, 199, 499, 999} {
		if edges[len(edges)-1] < float64(most) {
			edges = append(edges, v)
		}
	}
	if edges[len(edges)-1] < float64(most) {
		edges = append(edges, math.Inf(1))
	}
	return edges
}

func spanWords(low, high float64) string {
	switch {
	case math.IsInf(low, -1):
		return fmt.Sprintf("up to %g", high)
	case math.IsInf(high, 1):
		return fmt.Sprintf("above %g", low)
	}
	return fmt.Sprintf("%g to %g", low, high)
}

func countWords(low, high float64) string {
	switch {
	case math.IsInf(high, 1):
		return fmt.Sprintf("%g or more", low+1)
	case high == low+1:
		return fmt.Sprintf("%g", high)
	}
	return fmt.Sprintf("%g to %g", low+1, high)
}

func numbers(list []int) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// Rival is the answer to rival. The bytes of the reply are the rival's scene, without a level.
type Rival struct {
	Name    string  `json:"name"`
	Regions int     `json:"regions"`
	Portals int     `json:"portals"`
	Area    float64 `json:"area"` // m²
}

// rival makes or reads a second mesh, to stand beside the first: by another generator on the floor of the last build, or from the
// bytes of a mesh file.
func rival(b *Bench, ctx context.Context, r Request, tell Tell) (Reply, error) {
	var o struct {
		Generator string `json:"generator"`
		File      string `json:"file"` // name of the file whose bytes are the body
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	var second *meadow.Mesh
	name := o.File
	switch {
	case o.File != "":
		var err error
		if second, err = readMesh(o.File, r.Body); err != nil {
			return Reply{}, err
		}
	case b.floor == nil:
		return Reply{}, errors.New("the mesh is from a file, and no floor is known for another method: open the level")
	default:
		g, err := catalog.Generator(o.Generator)
		if err != nil {
			return Reply{}, err
		}
		if second, err = b.floor.Mesh(ctx, meadow.MeshOptions{Generator: g, Progress: tell}); err != nil {
			return Reply{}, err
		}
		name = g.Name()
	}
	body, err := scene.Pack(scene.Source{Title: name, Mesh: second.Mesh})
	if err != nil {
		return Reply{}, err
	}
	b.judging.rival, b.judging.asked = second, ask.New(second.Mesh)
	report := second.Report()
	return Reply{Rival{name, report.Regions, report.Portals, report.Area}, body}, nil
}

func rivalPath(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	var p places
	if b.judging.asked == nil {
		return Reply{}, errors.New("no second mesh stands beside the first")
	}
	if err := read(r, &p); err != nil {
		return Reply{}, err
	}
	path, err := b.judging.asked.Path(ctx, p.From, p.To, p.Reach)
	return Reply{Answer: path}, err
}

func endRival(b *Bench, _ context.Context, _ Request, _ Tell) (Reply, error) {
	b.judging.rival, b.judging.asked = nil, nil
	return Reply{}, nil
}

// regionOf returns the number of a region tile after tile, -1 for none, and a place in its middle.
func regionOf(m *navmesh.Mesh, r navmesh.Ref) (number int, at geom.Vec) {
	if _, _, ok := m.Region(r); !ok {
		return -1, geom.Vec{}
	}
	for i := range r.Slot() {
		number += len(m.Tiles[i].Regions)
	}
	at, _ = m.Center(r)
	return number + r.Index(), at
}
