package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// labCmd holds the commands for the parts of the sources that are no way of ours: for comparisons and for pictures.
type labCmd struct {
	Graph   labGraphCmd   `cmd:"" help:"Graphs of points over a mesh: their sizes and the lengths of their paths."`
	Smooth  labSmoothCmd  `cmd:"" help:"Smoothers and curves along the ways of a graph of points."`
	Search  labSearchCmd  `cmd:"" rare:"Agent,Level,Floor" help:"Searches on a graph of points: exact, as published, on several goroutines, by hierarchies."`
	Roadmap labRoadmapCmd `cmd:"" help:"A probabilistic roadmap and automatic path nodes beside the mesh."`
	Passes  labPassesCmd  `cmd:"" help:"A decomposition pass for each ground, as published, beside one pass over divided ground."`
	Bent    labBentCmd    `cmd:"" help:"Regions that bend inwards a little: made, kept, asked and drawn."`
}

// labInput is the mesh of a lab command.
type labInput struct {
	Input string `arg:"" placeholder:"MESH|LEVEL|MAP" help:"Mesh file, or level file: ${formats}; or a 2D map: ${maps}."`
	Out   string `short:"o" placeholder:"FILE" help:"Picture to write: .svg or .png."`
	JSON  bool   `help:"Print the table as JSON."`

	agentFlags
	levelFlags
	floorFlags
}

// mesh reads or builds the mesh. A bad name of a picture is found first.
func (f labInput) mesh(e *env) (*meadow.Mesh, error) {
	if err := picture(f.Out, f.Input); err != nil {
		return nil, err
	}
	return e.meshOf(f.Input, f.agentFlags, f.levelFlags, f.floorFlags)
}

// draw writes the mesh with regions of an opacity, and lists over the mesh.
func (f labInput) draw(e *env, mesh *meadow.Mesh, opacity float64, over ...*draw.List) error {
	if f.Out == "" {
		return nil
	}
	list := draw.Mesh(mesh.Mesh, draw.MeshOptions{Opacity: opacity})
	list.Append(over...)
	write := pictureWriter(f.Out)
	return e.write(f.Out, func(w io.Writer) error { return write(w, &list, draw.View{}) })
}

// The opacities of regions: pale below a graph, and none.
const (
	paleRegions = 0.25
	noRegions   = -1
)

// labPairs chooses random pairs of places.
type labPairs struct {
	Count int    `default:"200" placeholder:"N" help:"Random pairs to ask for (default ${default})." group:"Pairs"`
	Seed  uint64 `default:"1" placeholder:"N" help:"Seed of the random choices (default ${default})." group:"Pairs"`
}

// maxPairs bounds --count.
const maxPairs = 1_000_000

// validate checks the number.
func (f labPairs) validate() error {
	if f.Count < 1 || f.Count > maxPairs {
		return fmt.Errorf("--count is %d, must be 1 to %d", f.Count, maxPairs)
	}
	return nil
}

// pair is two places that a path joins, and the length of the shortest.
type pair struct {
	from, to query.Position
	exact    float64
}

// errNoPairs says that a mesh is too small for random pairs.
var errNoPairs = errors.New("no two random places are joined by a path")

// sample draws pairs of random places that a path joins, uniform by area.
func (f labPairs) sample(e *env, q *query.Query) ([]pair, error) {
	rng := rand.New(rand.NewPCG(f.Seed, 0))
	var pairs []pair
	for tries := 0; len(pairs) < f.Count && tries < 10*f.Count+1000; tries++ {
		from, ok := q.RandomPoint(rng)
		to, also := q.RandomPoint(rng)
		if !ok || !also {
			break
		}
		path, err := q.PathBetween(e.ctx, from, to)
		if err != nil {
			return nil, err
		}
		if path.Complete && path.Cost > 0 {
			pairs = append(pairs, pair{from, to, path.Cost})
		}
	}
	if len(pairs) == 0 {
		return nil, errNoPairs
	}
	return pairs, nil
}

// tableColumn is a column of a table for people.
type tableColumn struct {
	name string
	text func(row int) string
}

// printTable prints rows with their columns aligned, the first to the left.
func printTable(w io.Writer, rows int, columns []tableColumn) {
	cells := make([][]string, rows+1)
	for _, c := range columns {
		cells[0] = append(cells[0], c.name)
		for r := range rows {
			cells[r+1] = append(cells[r+1], c.text(r))
		}
	}
	for _, line := range cells {
		var b strings.Builder
		for k, text := range line {
			width := 0
			for _, other := range cells {
				width = max(width, len([]rune(other[k])))
			}
			pad := strings.Repeat(" ", width-len([]rune(text)))
			switch {
			case k == 0:
				b.WriteString("  " + text + pad)
			default:
				b.WriteString("  " + pad + text)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// percentOver is by how much a sum of lengths is over another, in per cent, without the noise of sums in another order.
func percentOver(a, b float64) float64 { return math.Round(1e9*100*(a/b-1))/1e9 + 0 }

// fixed formats a figure with some digits after the point, "–" for an unknown one.
func fixed(v float64, digits int) string {
	if math.IsNaN(v) {
		return "–"
	}
	scale := math.Pow10(digits)
	return fmt.Sprintf("%.*f", digits, math.Round(v*scale)/scale+0)
}

// lengthOf is the horizontal length along points.
func lengthOf(points []geom.Vec) float64 {
	sum := 0.0
	for i := 1; i < len(points); i++ {
		sum += math.Hypot(points[i].X-points[i-1].X, points[i].Z-points[i-1].Z)
	}
	return sum
}

// lifted returns points a little above the floor, for lines over a mesh.
func lifted(points ...geom.Vec) []geom.Vec {
	const lift = 0.08
	out := make([]geom.Vec, len(points))
	for i, p := range points {
		out[i] = geom.Vec{X: p.X, Y: p.Y + lift, Z: p.Z}
	}
	return out
}

// The colours of graphs, and of ways beside each other.
var (
	edgeColor = draw.Color{R: 90, G: 90, B: 100, A: 150}
	nodeColor = draw.Color{R: 30, G: 60, B: 110, A: 255}
	wayColors = []draw.Color{
		{R: 200, G: 40, B: 30, A: 255},
		{R: 38, G: 84, B: 160, A: 255},
		{R: 20, G: 130, B: 70, A: 255},
		{R: 150, G: 80, B: 170, A: 255},
		{R: 220, G: 140, B: 20, A: 255},
	}
)
