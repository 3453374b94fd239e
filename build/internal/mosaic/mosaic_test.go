package mosaic

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/internal/shape"
	"github.com/meadow-nav/meadow/lab/delaunay"
)

// TestBookkeeping compares the counts of faces and vertices with a new count, before and after cleaning up.
func TestBookkeeping(t *testing.T) {
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(5) > 0 {
			return
		}
		var g gen.Generator = delaunay.Generator{}
		if rng.IntN(2) == 0 {
			g = wavefront.Generator{}
		}
		res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		w, h := d.Box().Size()
		m := New(d, res.Cells, shape.Limits{
			FanRegions: 4, FanAngle: 30, SliverRatio: 5, NarrowWidth: int64(0.1 * rng.Float64() * float64(w+h)),
		})
		count(t, m)
		if rng.IntN(2) == 0 {
			m.Thin(int64(0.05*rng.Float64()*float64(w+h)), true)
		}
		if _, err := m.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		count(t, m)
	})
}

// TestThinCellsGo widens thin cells of two generators and makes no other steps. The cells stay valid, do not become more,
// and the counts of vertices and faces stay right.
func TestThinCellsGo(t *testing.T) {
	steps := 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(4) > 0 {
			return
		}
		var g gen.Generator = delaunay.Generator{}
		if rng.IntN(2) == 0 {
			g = wavefront.Generator{}
		}
		res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Cells) > 300 {
			return // the judge compares all cells with all others
		}
		dx, dy := d.Box().Size()
		width := 1 + int64(0.05*rng.Float64()*float64(dx+dy))
		m := New(d, res.Cells, shape.Limits{FanRegions: 6, FanAngle: 30, SliverRatio: 10})
		m.Thin(width, false)
		s, err := m.Widen(t.Context(), rng.IntN(2) == 0)
		if err != nil {
			t.Fatal(err)
		}
		count(t, m)
		after := m.Result()
		if len(after) > len(res.Cells) || s.Merged+s.Recut+s.Turned > 0 {
			t.Errorf("%d cells, %d before, steps %+v", len(after), len(res.Cells), s)
		}
		if err := gentest.Check(d, gen.Result{Cells: after, Report: gen.Report{Lost: res.Report.Lost}}); err != nil {
			t.Error(err)
		}
		if err := gentest.CheckThin(after, width, false); err != nil {
			t.Errorf("width %d: %v", width, err)
		}
		steps += s.Widened
	})
	if steps == 0 && !testing.Short() {
		t.Error("no world has a thin cell that may go")
	}
}

// count checks that halves are linked both ways, that each neighbour appears once, and all counts.
func count(t *testing.T, m *Map) {
	t.Helper()
	corners := make([]int32, len(m.P))
	faces := make([]face, len(m.f))
	met := map[[2]int32]bool{}
	for i := range m.h {
		e := int32(i)
		h := m.h[e]
		if h.face == none {
			continue
		}
		f := &faces[h.face]
		f.size++
		if m.turns(e) {
			corners[h.v]++
		}
		if n := m.h[h.next]; n.prev != e || n.face != h.face {
			t.Errorf("half %d and the next are not linked", e)
		}
		if h.twin == none {
			continue
		}
		f.inner++
		if m.isWide(e) {
			f.wide++
		}
		o := m.h[h.twin]
		if o.twin != e || o.v != m.head(e) || m.head(h.twin) != h.v {
			t.Errorf("half %d and its twin do not match", e)
		}
		if o.face == h.face || met[[2]int32{h.face, o.face}] {
			t.Errorf("faces %d and %d have more than one edge in common", h.face, o.face)
		}
		met[[2]int32{h.face, o.face}] = true
	}
	cells := 0
	for i, f := range m.f {
		if f.first == none {
			continue
		}
		cells++
		if m.h[f.first].face != int32(i) {
			t.Errorf("face %d does not have its first half", i)
		}
		if f.first = faces[i].first; f != faces[i] {
			t.Errorf("face %d knows %v, want %v", i, f, faces[i])
		}
	}
	if cells != m.cells {
		t.Errorf("%d cells counted as %d", cells, m.cells)
	}
	for v := range corners {
		if corners[v] != m.corners[v] {
			t.Errorf("at vertex %d are %d corners, counted as %d", v, corners[v], m.corners[v])
		}
	}
}

// TestFewestFirst: corners get sharper down to the allowed angle and no further, and the number of cells
// falls.
func TestFewestFirst(t *testing.T) {
	floor := shape.Corner{Dot: 2, Cross: 1} // about 27°
	strict, loose, sharper := 0, 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		if rng.IntN(5) > 0 {
			return
		}
		res, err := wavefront.Generator{}.Decompose(t.Context(), gen.Input{Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		limits := shape.Limits{FanRegions: shape.FanRegions, FanAngle: shape.FanAngle, SliverRatio: shape.SliverRatio}
		m := New(d, res.Cells, limits)
		if _, err := m.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		strict += m.Cells()
		before := sharpest(New(d, res.Cells, limits))
		m = New(d, res.Cells, limits)
		m.FewestFirst(floor)
		if _, err := m.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		loose += m.Cells()
		after := sharpest(m)
		if after.Compare(before) < 0 {
			sharper++
			if after.Compare(floor) < 0 {
				t.Errorf("from %v° to %v°", before.Degrees(), after.Degrees())
			}
		}
		if err := gentest.Check(d, gen.Result{Cells: m.Result(), Report: res.Report}); err != nil {
			t.Error(err)
		}
	})
	if !testing.Short() && (loose >= strict || sharper == 0) {
		t.Errorf("%d cells, %d where no corner gets sharper; in %d worlds one did", loose, strict, sharper)
	}
}

func sharpest(m *Map) shape.Corner {
	least := shape.Straight
	for f := range m.f {
		if m.f[f].first != none {
			least = lesser(least, m.sharpest(int32(f)))
		}
	}
	return least
}
