package delaunay

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func TestLaws(t *testing.T) {
	sum := gentest.Laws(t, "delaunay", Generator{}, func(d *plan.Domain, res gen.Result) error {
		for i, c := range res.Cells {
			if len(c.Corners) != 3 {
				t.Errorf("cell %d has %d corners", i, len(c.Corners))
			}
			for _, k := range c.Corners {
				if k.On != plan.NoEdge {
					t.Errorf("cell %d: %v is constructed", i, k)
				}
			}
		}
		if res.Report.Lost != 0 || res.Report.Counts["cells"] != len(res.Cells) || res.Report.Counts["vertices"] != d.Len() {
			t.Errorf("%d cells, report %+v", len(res.Cells), res.Report)
		}
		return gentest.Check(d, res)
	})
	if sum["cells"] < sum["vertices"]/2 {
		t.Errorf("%v", sum)
	}
}

func decompose(t *testing.T, d *plan.Domain) []plan.Cell {
	t.Helper()
	res, err := Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
	if err != nil {
		t.Fatal(err)
	}
	return res.Cells
}

// edge is a directed edge of a cell.
type edge struct{ p, q lattice.Point }

// apexes returns the edges of all cells with the corner opposite of each.
func apexes(t *testing.T, d *plan.Domain) map[edge]lattice.Point {
	t.Helper()
	m := map[edge]lattice.Point{}
	for _, c := range decompose(t, d) {
		for i := range 3 {
			e := edge{c.Corners[i].Point, c.Corners[(i+1)%3].Point}
			if _, twice := m[e]; twice {
				t.Errorf("the edge %v is there twice", e)
			}
			m[e] = c.Corners[(i+2)%3].Point
		}
	}
	return m
}

// onBorder tells whether an edge is a part of one of the domain's.
func onBorder(d *plan.Domain, e edge) bool {
	for _, r := range d.Rings {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			if lattice.OnSegment(e.p, p, q) && lattice.OnSegment(e.q, p, q) {
				return true
			}
		}
	}
	return false
}

func TestDelaunay(t *testing.T) {
	inner := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if d.Len() > 500 {
			return
		}
		m := apexes(t, d)
		for e, a := range m {
			b, ok := m[edge{e.q, e.p}]
			if !ok || onBorder(d, e) {
				continue
			}
			inner++
			if lattice.InCircle(e.p, e.q, a, b) > 0 {
				t.Errorf("%v lies in the circle of %v, %v, %v", b, e.p, e.q, a)
			}
		}
	})
	if inner < 5000 { // in short mode
		t.Errorf("only %d edges between cells", inner)
	}
}

func TestVertexToVertex(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if d.Len() > 500 {
			return
		}
		m := apexes(t, d)
		for e := range m {
			if _, ok := m[edge{e.q, e.p}]; !ok && !onBorder(d, e) {
				t.Errorf("nothing is on the other side of %v", e)
			}
		}
	})
}

func TestNumberOfTriangles(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := gentest.Scatter(rng, 5, 1000, gentest.Mixed)
		if got, want := len(decompose(t, d)), d.Len()+2*(len(d.Rings)-1)-2; got != want {
			t.Errorf("%d triangles of %d points and %d holes, want %d", got, d.Len(), len(d.Rings)-1, want)
		}
	}
}
