// Package anavmg decomposes a domain by portals from its notches.
//
// Source: Oliva, Automatic generation of near-optimal navigation meshes (ANavMG), master thesis,
// 2012, chapters 4, 4.2 and 4.3; first in Oliva and Pelechano, Automatic generation of suboptimal
// NavMeshes, Motion in Games (2011).
//
// Idea: a cell stops being convex only at a notch, a vertex with more than 180° of free space. Each notch
// gets a portal to the closest thing in its area of interest, the cone between the prolongations of its two
// edges, so both angles beside the portal are convex. A portal with a vertex at its end may mend two notches
// at once, and unnecessary portals go again.
//
// Input: a domain without crossing edges. Rings may touch at single points; see [cdt.FromDomain].
//
// Guarantees:
//  1. every cell is convex, simple, counter-clockwise and of positive area, decided exactly
//     (TestNamedDomains, TestRandomWorlds);
//  2. the cells do not overlap and fill the domain exactly, up to Report.Lost, which is the area
//     between walls and their constructed corners (same tests);
//  3. a constructed corner lies on its edge or in the free space at most two lattice units away, and exactly
//     on an edge of a chain (same tests);
//  4. no T-junction: where two cells meet they share both ends of the portal (TestNoTJunctions);
//  5. every valid domain is decomposed, and any other is an error with its place
//     (TestRandomWorlds, TestFaults);
//  6. the same domain gives the same cells, and a moved domain the moved cells (TestTranslation);
//  7. no cell is thinner than Input.Thin where a merge with one or two neighbours, or another cut between their corners,
//     removes the cell (TestThinCells).
//
// Why it always ends: portals are constrained edges of one triangulation, which always exists. The angles of
// its triangles are below 180°, so two edges at a notch always suffice to make it convex, and the search for
// the closest thing passes such a pair (sight.right, sight.left) on its way. A portal splits the angles at
// its ends and widens none; a wall moved to a constructed corner moves into the free space, which narrows the
// angles at its ends. So every vertex is treated once, and gets at most two portals and at most one
// constructed corner. The corner is convex on both sides of its portal from the start.
//
// Degenerate cases: collinear vertices are no notches; each pass of a ring through a touching point has its
// own angle, and at most one of them is a notch; equal distances prefer a vertex to a constructed point, then
// the thing found first; a constructed corner without room (another corner within a unit or two) gives way to
// the next candidate and in the end to vertices.
//
// Cost: O(n log n) for the triangulation of n points; a notch looks only at triangles nearer than its portal,
// a bounded number except on adversarial levels.
//
// Departures from the thesis: the closest thing is found by walking the triangulation in place of testing all edges
// (or of rendering), the answer is the same. A notch that keeps more than 180° beside a portal of another notch
// searches the cone of the angle that is left. Where the ends of a portal are hidden, the thesis turns to the closest
// edge in front of it; we connect to the hiding vertices, without a constructed corner. Constructed corners are
// lattice points. Convexity relaxation moves walls and keeps cells convex, see [Options]. Dispensable portals leave
// thin cells behind where two portals of one cell are needed together; package mosaic then cuts such a cell and its
// neighbours anew.
package anavmg

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/invariant"
)

// Options say how far the domain may be simplified (section 4.3). The zero value changes nothing.
type Options struct {
	// ConvexDistance is how far, in metres, the border may move into the free space to thin out strings of
	// notches, as round obstacles have them; chains do not move. Cells stay convex; Report.Lost counts the
	// uncovered area. 0, the default, moves nothing.
	ConvexDistance float64
	// Published applies ConvexDistance as the thesis does: the border stays, notches within the distance of a
	// simpler border are ignored, and a portal goes when the remaining concavity is no greater. Cells are then
	// only nearly convex and break the promises of [gen.Generator]: not for meshes, only to compare with the
	// thesis. [gen.DecomposePlan] takes the option, and the builds of the root package refuse it.
	Published bool
}

// Generator is ANavMG. The zero value is ready for use.
type Generator struct{ Options }

var _ gen.Generator = Generator{}

// Name returns "anavmg".
func (Generator) Name() string { return "anavmg" }

// Decompose returns the convex cells of in.Domain. Report.Counts holds
//   - vertices, notches: of the domain;
//   - portals: that stayed; vertex-vertex, vertex-edge and vertex-portal: made, by the closest thing;
//     dispensable: removed again;
//   - passed: notches given up by convexity relaxation; concave: corners left concave by it;
//   - constructed: corners made on edges, crowded: edges without room for a corner;
//   - widened: steps against thin cells;
//   - cells, and bound: a lower bound on the cells of any decomposition.
func (g Generator) Decompose(ctx context.Context, in gen.Input) (gen.Result, error) {
	if err := g.validate(ctx); err != nil {
		return gen.Result{}, err
	}
	dom, err := cdt.FromDomain(in.Domain)
	if err != nil {
		return gen.Result{}, fmt.Errorf("anavmg: %w", err)
	}
	return g.decompose(ctx, in, dom)
}

// DecomposeTriangulated is Decompose with a known triangulation of in.Domain, which is not changed.
func (g Generator) DecomposeTriangulated(ctx context.Context, in gen.Input, dom *cdt.Domain) (gen.Result, error) {
	if err := g.validate(ctx); err != nil {
		return gen.Result{}, err
	}
	return g.decompose(ctx, in, dom.Clone())
}

// decompose decomposes a triangulated domain, and changes the triangulation.
func (g Generator) decompose(ctx context.Context, in gen.Input, dom *cdt.Domain) (gen.Result, error) {
	distance := min(g.ConvexDistance*lattice.UnitsPerMetre, lattice.MaxCoord)
	limit := uint64(distance * distance)
	w := newWork(dom)
	w.trace = gen.TracerOf(in.Watch)
	switch {
	case limit == 0:
	case g.Published:
		w.near = limit
		w.ignore(distance)
	default:
		w.relax(limit)
	}
	if err := w.mendAll(ctx); err != nil {
		return gen.Result{}, err
	}
	if w.near > 0 {
		if err := w.reconnect(ctx); err != nil {
			return gen.Result{}, err
		}
	}
	w.watch(in.Watch, "portals")
	w.dispense()
	w.watch(in.Watch, "kept")
	cells := w.cells()
	if w.near > 0 {
		w.countConcave()
	} else {
		wider, widened, err := widen(ctx, in, cells)
		if err != nil {
			return gen.Result{}, err
		}
		// Every cell less is a portal less.
		w.counts["portals"] -= len(cells) - len(wider)
		w.counts["widened"] = widened
		cells = wider
	}
	res := gen.Result{Cells: cells, Report: gen.Report{Lost: in.Domain.Area2(), Counts: w.counts}}
	for _, c := range cells {
		res.Report.Lost -= area2(c)
	}
	if invariant.On() && w.near == 0 {
		if err := verify(cells); err != nil {
			return gen.Result{}, err
		}
	}
	w.counts["cells"] = len(cells)
	w.counts["bound"] = max(1, (w.counts["notches"]+1)/2+1-(len(in.Domain.Rings)-1))
	return res, nil
}

// validate reports options that are no numbers to work with, and the end of ctx.
func (g Generator) validate(ctx context.Context) error {
	if !(g.ConvexDistance >= 0) || math.IsInf(g.ConvexDistance, 1) {
		return fmt.Errorf("anavmg: the convex distance, %v m, must be finite and not negative", g.ConvexDistance)
	}
	return ctx.Err()
}

// verify is the first of the package's guarantees, for builds that check invariants.
func verify(cells []plan.Cell) error {
	for _, c := range cells {
		n := len(c.Corners)
		for i := range c.Corners {
			p, q, r := c.Corners[i].Point, c.Corners[(i+1)%n].Point, c.Corners[(i+2)%n].Point
			if lattice.Orient(p, q, r) < 0 || p == q {
				return fmt.Errorf("anavmg: the cell at %v is not convex; this is a fault of the program", q)
			}
		}
		if area2(c) <= 0 {
			return fmt.Errorf("anavmg: the cell at %v has no area; this is a fault of the program", c.Corners[0].Point)
		}
	}
	return nil
}

// area2 returns twice the area of c.
func area2(c plan.Cell) int64 {
	var sum int64
	for i := 2; i < len(c.Corners); i++ {
		sum += lattice.Orient(c.Corners[0].Point, c.Corners[i-1].Point, c.Corners[i].Point)
	}
	return sum
}

// work is the state of one decomposition.
type work struct {
	*cdt.Domain
	portals     []portal
	firstNew    int32         // vertices from here on are not points of the domain
	constructed []plan.EdgeID // of vertex firstNew+i
	passed      []bool        // of every point of the domain: it is no notch any more
	added       []int32       // notches that relaxation made
	near        uint64        // the square of how concave cells may be, 0 for convex cells
	search      search
	sites       []site
	counts      map[string]int
	trace       gen.Tracer // nil: nobody looks
}

// portal is a constrained edge with a mark of len(Walls) plus its number.
type portal struct {
	from, to int32
	gone     bool
}

func newWork(dom *cdt.Domain) *work {
	return &work{Domain: dom, firstNew: int32(len(dom.P)), passed: make([]bool, len(dom.P)), counts: map[string]int{
		"vertices": len(dom.Walls), "notches": 0, "portals": 0, "vertex-vertex": 0, "vertex-edge": 0,
		"vertex-portal": 0, "dispensable": 0, "constructed": 0, "crowded": 0,
		"passed": 0, "concave": 0, "widened": 0,
	}}
}

// watch shows the present portals.
func (w *work) watch(o gen.Observer, name string) {
	if o == nil {
		return
	}
	var segments [][2]lattice.Point
	for _, p := range w.portals {
		if !p.gone {
			segments = append(segments, [2]lattice.Point{w.P[p.from], w.P[p.to]})
		}
	}
	o.Step(name, segments)
}

// tell gives the tracer an event at some vertices.
func (w *work) tell(kind gen.EventKind, vertices ...int32) {
	if w.trace == nil {
		return
	}
	e := gen.Event{Kind: kind}
	for _, v := range vertices {
		e.Points = append(e.Points, w.P[v])
	}
	w.trace.Trace(e)
}

// vector is a direction or a difference of two points. Its components are below 2³¹ in magnitude, so cross is
// exact.
type vector struct{ x, y int64 }

func (w *work) vector(from, to int32) vector {
	x, y := w.P[to].Sub(w.P[from])
	return vector{x, y}
}

func (v vector) neg() vector           { return vector{-v.x, -v.y} }
func cross(u, v vector) int64          { return u.x*v.y - u.y*v.x }
func (v vector) float() (x, y float64) { return float64(v.x), float64(v.y) }

// notch returns the two constrained edges between which vertex v has more than 180° of free space,
// counter-clockwise from e1 to e2. A vertex has at most one such pair.
func (w *work) notch(v int32) (e1, e2 int32, ok bool) {
	first := w.Edge[v]
	for w.H[first].Mark == cdt.Free {
		first = w.CCW(first)
	}
	e1, d1 := first, w.vector(v, w.Head(first))
	for e := w.CCW(first); ; e = w.CCW(e) {
		if w.H[e].Mark == cdt.Free {
			continue
		}
		d2 := w.vector(v, w.Head(e))
		if w.Inside[e1/3] && cross(d1, d2) < 0 {
			return e1, e, true
		}
		if e == first {
			return 0, 0, false
		}
		e1, d1 = e, d2
	}
}

// mendAll makes every notch convex.
func (w *work) mendAll(ctx context.Context) error {
	notches := w.notches()
	w.counts["notches"] += len(notches)
	if w.trace != nil {
		for _, v := range notches {
			w.tell(gen.Notched, v)
		}
	}
	for i, v := range notches {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		// One pass does it; the notch may be mended already by a portal from elsewhere.
		for e1, e2, ok := w.notch(v); ok; e1, e2, ok = w.notch(v) {
			if !w.mend(v, e1, e2) {
				return fmt.Errorf("anavmg: the notch at %v found no portal; this is a fault of the program", w.P[v])
			}
		}
	}
	return nil
}

// notches returns the notches of the domain in the order of treatment.
//
// The thesis leaves the order open. Going around the rings is quadratic on a comb: each portal cuts
// off one tooth and passes the edges to all others. Rounds of doubling size, each around the rings,
// cut such a space in halves, and make a few percent fewer cells besides.
func (w *work) notches() []int32 {
	var around []int32
	seen := make([]bool, len(w.P))
	for _, v := range slices.Concat(w.Corner, w.added) {
		if !seen[v] {
			seen[v] = true
			if v < w.firstNew && w.passed[v] {
				continue
			}
			if _, _, ok := w.notch(v); ok {
				around = append(around, v)
			}
		}
	}
	// Round k takes the places whose multiplicative hash has k leading zeros: one in 2^(k+1), evenly spread.
	const golden = 0x9E3779B97F4A7C15
	var rounds [65][]int32
	for i, v := range around {
		k := bits.LeadingZeros64(uint64(i) * golden)
		rounds[k] = append(rounds[k], v)
	}
	slices.Reverse(rounds[:])
	return slices.Concat(rounds[:]...)
}
