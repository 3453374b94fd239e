package cleanup

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/shape"
	"github.com/meadow-nav/meadow/lab/catalog"
)

// given is a generator that returns a fixed result.
type given struct{ gen.Result }

func (given) Name() string { return "given" }

func (g given) Decompose(context.Context, gen.Input) (gen.Result, error) { return g.Result, nil }

// quality holds counts that cleaning up must not raise, found by comparing all cells with all others.
type quality struct {
	cells, nearDegenerate int
	sharpest              shape.Corner
}

func judge(cells []plan.Cell, limits shape.Limits) quality {
	q := quality{cells: len(cells), sharpest: shape.Straight}
	rings := make([][]lattice.Point, len(cells))
	at := map[lattice.Point]int{}
	for i, c := range cells {
		n := len(c.Corners)
		for k := range c.Corners {
			a, b, d := c.Corners[(k+n-1)%n].Point, c.Corners[k].Point, c.Corners[(k+1)%n].Point
			if lattice.Orient(a, b, d) != 0 {
				rings[i] = append(rings[i], b)
				at[b]++
			}
		}
	}
	for i, r := range rings {
		if k := shape.Sharpest(r); k.Compare(q.sharpest) < 0 {
			q.sharpest = k
		}
		bad := limits.IsSliver(r)
		for k, p := range r {
			bad = bad || limits.IsFan(at[p], shape.At(r[(k+len(r)-1)%len(r)], p, r[(k+1)%len(r)]))
		}
		neighbours, widest := 0, int64(0)
		for j, o := range rings {
			if w, ok := common(r, o); ok && i != j {
				neighbours++
				widest = max(widest, w)
			}
		}
		if bad || limits.IsNarrow(neighbours, widest) || shape.IsDisjoint(neighbours, len(cells)-1) {
			q.nearDegenerate++
		}
	}
	return q
}

// common returns the length of the common edge of two cells without overlap.
func common(a, b []lattice.Point) (width int64, ok bool) {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		for j, r := range b {
			s := b[(j+1)%len(b)]
			if lattice.Orient(p, q, r) != 0 || lattice.Orient(p, q, s) != 0 || lattice.Dot(p, q, r) <= lattice.Dot(p, q, s) {
				continue
			}
			from, to := p, q // the later of p and s, the earlier of q and r
			if lattice.Dot(p, q, s) > 0 {
				from = s
			}
			if lattice.Dot(q, p, r) > 0 {
				to = r
			}
			if from != to && lattice.Dot(p, q, from) < lattice.Dot(p, q, to) {
				return shape.Root(from.Distance2(to)), true
			}
		}
	}
	return 0, false
}

// options draws limits that matter in a domain of any size.
func options(rng *rand.Rand, d *plan.Domain) Options {
	opt := Options{FanRegions: 3 + rng.IntN(4), FanAngle: float64(10 + rng.IntN(50)), SliverRatio: 1.5 + 10*rng.Float64()}
	if rng.IntN(4) > 0 {
		w, h := d.Box().Size()
		opt.NarrowWidth = lattice.Unit * float64(w+h) * 0.2 * rng.Float64() * rng.Float64()
	}
	if rng.IntN(4) == 0 {
		return Options{}
	}
	return opt
}

// TestLaws cleans up the cells of every generator on all random worlds. Of the larger worlds each
// generator has its share only, and none with very many cells: the judge compares all cells with all others.
func TestLaws(t *testing.T) {
	names := catalog.Names()
	turn := 0
	sum := map[string]int{}
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		turn++
		for i, name := range names {
			if (turn+i)%len(names) > 1 || d.Len() > 20 && (turn+i)%len(names) > 0 {
				continue
			}
			of, err := catalog.Generator(name)
			if err != nil {
				t.Fatal(err)
			}
			in := gen.Input{Domain: d, Seed: uint64(turn)}
			raw, err := of.Decompose(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if len(raw.Cells) > 400 {
				continue
			}
			opt := options(rng, d)
			g := Generator{Of: given{raw}, Options: opt}
			res, err := g.Decompose(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			check := gentest.Check
			if check(d, raw) != nil {
				check = gentest.CheckInside // a generator that gives up a part on purpose
			}
			if err := check(d, res); err != nil {
				t.Errorf("%s with %+v: %v", name, opt, err)
				return
			}
			before, after := judge(raw.Cells, opt.Limits()), judge(res.Cells, opt.Limits())
			if after.cells > before.cells || after.nearDegenerate > before.nearDegenerate || after.sharpest.Compare(before.sharpest) < 0 {
				t.Errorf("%s with %+v: %d cells, %d near-degenerate, at least %v° before and %d, %d, %v° after", name, opt,
					before.cells, before.nearDegenerate, before.sharpest.Degrees(), after.cells, after.nearDegenerate, after.sharpest.Degrees())
			}
			sum[name] += after.cells
			sum[name+" before"] += before.cells
			if rng.IntN(4) > 0 {
				continue
			}
			moveTo := lattice.Point{X: lattice.MaxCoord - d.Box().Max.X, Y: -lattice.MaxCoord - d.Box().Min.Y}
			moved := move(res, moveTo)
			got, err := Generator{Of: given{move(raw, moveTo)}, Options: opt}.Decompose(t.Context(), gen.Input{
				Domain: gentest.Map(d, func(p lattice.Point) lattice.Point { return add(p, moveTo) }), Seed: uint64(turn),
			})
			if err != nil || !reflect.DeepEqual(got, moved) {
				t.Errorf("%s: moved by %v it is cleaned up in another way, %v", name, moveTo, err)
			}
		}
	})
	t.Log(sum)
}

func add(p, q lattice.Point) lattice.Point { return lattice.Point{X: p.X + q.X, Y: p.Y + q.Y} }

func move(res gen.Result, by lattice.Point) gen.Result {
	out := res
	out.Cells = nil
	for _, c := range res.Cells {
		var n plan.Cell
		for _, k := range c.Corners {
			n.Corners = append(n.Corners, plan.Corner{Point: add(k.Point, by), On: k.On})
		}
		out.Cells = append(out.Cells, n)
	}
	return out
}

// TestCleanIsClean cleans up twice.
func TestCleanIsClean(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		names := catalog.Names()
		of, err := catalog.Generator(names[rng.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		opt := options(rng, d)
		res, err := Generator{Of: of, Options: opt}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Generator{Of: given{res}, Options: opt}.Decompose(t.Context(), gen.Input{Domain: d})
		if c := again.Report.Counts; err != nil || c["merged"]+c["recut"]+c["turned"] > 0 {
			t.Errorf("%s with %+v: cleaning up again makes %v, %v", of.Name(), opt, c, err)
		}
	})
}

// TestGains has an example for each step, with the cells before and after.
func TestGains(t *testing.T) {
	square := gentest.Domain(gentest.Ring(0, 0, 40, 0, 40, 40, 0, 40))
	notched := gentest.Domain(gentest.Ring(0, 0, 60, 0, 60, 20, 40, 20, 40, 40, 20, 40, 20, 20, 0, 20))
	corridor := gentest.Domain(gentest.Ring(0, 0, 300, 0, 300, 20, 0, 20))
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		opt    Options
		cells  []plan.Cell
		want   string // the step that is made
		left   int
	}{
		{"two triangles are a square", square, Options{}, []plan.Cell{cell(0, 0, 40, 0, 40, 40), cell(0, 0, 40, 40, 0, 40)}, "merged", 1},
		{
			"two cuts between two notches are one", notched,
			Options{},
			[]plan.Cell{cell(0, 0, 20, 0, 20, 20, 0, 20), cell(20, 0, 40, 0, 40, 20, 40, 40, 20, 40, 20, 20), cell(40, 0, 60, 0, 60, 20, 40, 20)},
			"recut", 2,
		},
		{
			"a slanted cut turns", gentest.Domain(gentest.Ring(0, 0, 60, 0, 60, 40, 20, 40, 20, 20, 0, 20)),
			Options{},
			[]plan.Cell{cell(0, 0, 40, 0, 20, 20, 0, 20), cell(40, 0, 60, 0, 60, 40, 20, 40, 20, 20)},
			"turned", 2,
		},
		{
			"no sliver is made", corridor,
			Options{},
			[]plan.Cell{cell(0, 0, 150, 0, 150, 20, 0, 20), cell(150, 0, 300, 0, 300, 20, 150, 20)},
			"merged", 2,
		},
		{
			"unless slivers do not matter", corridor,
			Options{SliverRatio: 1000},
			[]plan.Cell{cell(0, 0, 150, 0, 150, 20, 0, 20), cell(150, 0, 300, 0, 300, 20, 150, 20)},
			"merged", 1,
		},
	} {
		for i := range c.cells {
			for k, p := range c.cells[i].Corners {
				c.cells[i].Corners[k].On = onEdge(c.domain, p.Point)
			}
		}
		raw := gen.Result{Cells: c.cells}
		if err := gentest.Check(c.domain, raw); err != nil {
			t.Errorf("%s: what is given: %v", c.name, err)
		}
		res, err := Generator{Of: given{raw}, Options: c.opt}.Decompose(t.Context(), gen.Input{Domain: c.domain})
		if err != nil || gentest.Check(c.domain, res) != nil {
			t.Errorf("%s: %v, %v", c.name, err, gentest.Check(c.domain, res))
		}
		if len(res.Cells) != c.left || (res.Report.Counts[c.want] > 0) != (c.left < len(c.cells) || c.want == "turned") {
			t.Errorf("%s: left are %d cells, %v", c.name, len(res.Cells), res.Report.Counts)
		}
	}
}

func cell(xy ...int32) plan.Cell {
	var c plan.Cell
	for _, p := range gentest.Ring(xy...) {
		c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	return c
}

// onEdge returns the edge of the domain that p is in the middle of.
func onEdge(d *plan.Domain, p lattice.Point) plan.EdgeID {
	for r, ring := range d.Rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if p != a && p != b && lattice.OnSegment(p, a, b) {
				return plan.EdgeID{Ring: int32(r), Index: int32(i)}
			}
		}
	}
	return plan.NoEdge
}

func TestFaults(t *testing.T) {
	d := gentest.Domain(gentest.Ring(0, 0, 40, 0, 40, 40, 0, 40))
	for _, opt := range []Options{{FanAngle: -1}, {SliverRatio: -1}, {NarrowWidth: -1}, {FanRegions: -1}, {NarrowWidth: math.NaN()}} {
		_, err := Generator{Of: given{}, Options: opt}.Decompose(t.Context(), gen.Input{Domain: d})
		if err == nil || !strings.HasPrefix(err.Error(), "cleanup: ") {
			t.Errorf("%+v: error %v", opt, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	raw := gen.Result{Cells: []plan.Cell{cell(0, 0, 40, 0, 40, 40, 0, 40)}}
	if _, err := (Generator{Of: given{raw}}).Decompose(ctx, gen.Input{Domain: d}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
	of, err := catalog.Generator("delaunay")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Generator{Of: of}).Decompose(t.Context(), gen.Input{Domain: gentest.Domain()}); err == nil || !strings.HasPrefix(err.Error(), "delaunay: ") {
		t.Errorf("a domain with a fault: error %v", err)
	}
}

// BenchmarkClean cleans up triangles, doubling their number.
func BenchmarkClean(b *testing.B) {
	for _, side := range []int{10, 20, 40, 80} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		of, err := catalog.Generator("delaunay")
		if err != nil {
			b.Fatal(err)
		}
		raw, err := of.Decompose(b.Context(), gen.Input{Domain: d})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{Of: given{raw}}, d) })
	}
}

// TestThinCells: after cleaning up, a cell is thin only where no merge with neighbours and no other cut removes it.
func TestThinCells(t *testing.T) {
	for _, name := range []string{"wavefront", "hertelmehlhorn"} {
		of, err := catalog.Generator(name)
		if err != nil {
			t.Fatal(err)
		}
		gentest.ThinLaws(t, Generator{Of: of}, false)
	}
}
