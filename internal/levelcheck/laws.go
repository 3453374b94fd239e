// Package levelcheck compares a navigation mesh with the level below it. The laws need the level, or random paths,
// and stand beside [navmesh.Mesh.Validate], which needs the mesh alone.
//
// Source: the project's own definition of walkable floor (docs/algorithms/exact.md), as internal/groundtruth states it
// for single places.
//
// Idea: the judge walks over the level's triangles, and the laws compare its walks with the mesh. A walk
// through a portal must arrive at the height of the other region. A walk from a border towards any shape nearer than
// the radius must not end. A place behind a border must not be walkable. Chains of neighbouring answers replace a
// count of the level's parts: if every portal can be walked through and no border can, then parts of the mesh and parts
// of the floor correspond.
//
// Input: a mesh that is [Fit], and the triangles of its level.
//
// Guarantees, each with the test that plants the fault:
//  1. A border 2 cm too near to a wall is found anywhere along its length: TestBorderTooNear.
//  2. A region without level below, or without room above, is found: TestOffLevel.
//  3. A region that is taken away is found by the borders around it, and by places if all parts are kept:
//     TestLostFloor.
//  4. Regions of two storeys that share a portal are found: TestStoreysJoined.
//  5. A part that falls apart, because a portal is missing, is found: TestPartSplit.
//  6. A path above its floor is found, and one with other lengths on the way back: TestPathLifted, TestPathLengths.
//  7. Generated levels break no law: TestNoFalseAlarms, TestThinAgents, TestRidge.
//  8. The answer does not depend on the number of goroutines: TestJobsDoNotMatter.
//
// Degenerate cases: floor at the very limit of climb, height, slope or width of a crack is nobody's fault: a second
// judge with eased limits has to agree to a fault. Markers and links change nothing. Of two floors of
// the level within a step of each other, the higher floor counts.
//
// Cost: O(1) walks for each region and portal, for each place and path asked for, and for each spacing of border.
//
// Departures: borders are measured exactly against shapes, but walks, which tell storeys apart, are sampled. Lost
// floor narrower than twice [Options.Far] is not looked for. Parts that the mesh does not have at all are faults only
// under [Options.KeepAll], because a mesh usually has the largest part alone.
package levelcheck

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
)

// The kinds of fault.
const (
	OffLevel   navmesh.FaultKind = "off level"    // no floor of the level near the floor of a region
	Blocked    navmesh.FaultKind = "blocked"      // no room for the agent on the floor of a region
	NearBorder navmesh.FaultKind = "near border"  // a border is nearer than the radius to a wall or ledge
	LostFloor  navmesh.FaultKind = "lost floor"   // walkable floor without a region
	Apart      navmesh.FaultKind = "floors apart" // no walk over the level leads through a region or portal
	Parts      navmesh.FaultKind = "parts"        // a connection of the level missing in the mesh, or the reverse
	PathHeight navmesh.FaultKind = "path height"  // a path leaves the floor
	PathLength navmesh.FaultKind = "path length"  // a path has another length on its way back
)

// The defaults of Options.
const (
	DefaultPlaces   = 500
	DefaultPaths    = 50
	DefaultSimplify = 0.04
	DefaultNear     = 0.005
)

// cornerTolerance is how much farther than the radius a border may be from a corner, in metres, as all extractors
// state; farSlack is added for rounding.
const (
	cornerTolerance = 0.05
	farSlack        = 0.01
)

// Options say how closely to look. The zero value looks at nothing at random.
type Options struct {
	// Places is the number of random places on the level, and of random places on the mesh. It bounds the
	// samples along borders as well. Paths is the number of random paths.
	Places, Paths int
	Seed          uint64
	// KeepAll says that the mesh was made to have all parts of the floor.
	KeepAll bool
	// Near is the distance in metres by which a border may be nearer than the radius to a wall.
	// Simplify is the distance in metres by which borders were allowed to move into the free floor.
	Near, Simplify float64
	Jobs           int // goroutines; one per core for 0
}

// Far returns the distance beyond the radius, in metres, at which a border keeps too far away.
func (o Options) Far() float64 { return cornerTolerance + o.Simplify + farSlack }

// Coverage counts the samples of Check.
type Coverage struct {
	Regions    int     `json:"regions"`     // with walks from their middle to every portal
	Portals    int     `json:"portals"`     // with walks through
	Places     int     `json:"places"`      // random places on mesh and level
	Walkable   int     `json:"walkable"`    // places on the level that are walkable, as the judge says
	LeftOut    int     `json:"left_out"`    // walkable places of parts that the mesh does not have
	Border     float64 `json:"border_m"`    // metres of border measured against walls and ledges
	Behind     int     `json:"behind"`      // places of borders behind which floor was looked for
	Spacing    float64 `json:"spacing_m"`   // of these, in metres; an edge has one at least
	Parts      int     `json:"parts"`       // of the mesh, as far as the judge could walk
	Paths      int     `json:"paths"`       // walked there and back
	PathMetres float64 `json:"path_m"`      // of them, in metres
	PathPoints int     `json:"path_points"` // compared with the floor
}

// Fit reports whether a mesh can be walked over in spite of the faults that [navmesh.Mesh.Validate] found: heights may be
// wrong and regions may overlap, but regions are polygons, and portals lead there and back.
func Fit(faults []navmesh.Fault) bool {
	broken := []navmesh.FaultKind{
		navmesh.BadIndex, navmesh.BadPosition, navmesh.BadShape, navmesh.PortalOffEdge, navmesh.PortalOverlap, navmesh.PortalMismatch,
		navmesh.BadComponent, navmesh.StaleLink, navmesh.LinkOffRegion,
	}
	return !slices.ContainsFunc(faults, func(f navmesh.Fault) bool { return slices.Contains(broken, f.Kind) })
}

// Check looks for faults, at most [navmesh.MaxFaults] of them, and says how closely it looked. Without a level it
// compares paths with the mesh and leaves the other laws out. Faults come in the order of the laws, regions and
// places. The error is the context's.
func Check(ctx context.Context, m *navmesh.Mesh, lvl *level.Level, opt Options) ([]navmesh.Fault, Coverage, error) {
	c := &checker{ctx: ctx, opt: opt, floor: newFloor(m), lvl: lvl, told: map[told]int{}}
	laws := []func() error{c.paths}
	if lvl != nil {
		c.judges()
		laws = []func() error{c.onLevel, c.joined, c.borders, c.lost, c.parts, c.paths}
	}
	for _, law := range laws {
		if err := law(); err != nil {
			return nil, Coverage{}, err
		}
	}
	return c.faults, c.coverage, nil
}

// checker collects faults.
type checker struct {
	ctx      context.Context
	opt      Options
	floor    *floor
	footing  *footing.Floor // of the mesh, for paths
	lvl      *level.Level
	faults   []navmesh.Fault
	coverage Coverage
	told     map[told]int
	sets     unionfind.Forest // regions that walks join

	plain           sync.Pool // of *groundtruth.Judge
	lenient, strict func() [2]*sync.Pool
}

// judges prepares the judges; judges for differences only are made on demand.
func (c *checker) judges() {
	pool := func(j *groundtruth.Judge) *sync.Pool { return &sync.Pool{New: func() any { return j.Fork() }} }
	agent := c.floor.mesh.Agent
	first := groundtruth.New(c.lvl, agent)
	c.plain.New = func() any { return first.Fork() }
	pools := func(js [2]*groundtruth.Judge) [2]*sync.Pool { return [2]*sync.Pool{pool(js[0]), pool(js[1])} }
	c.lenient = sync.OnceValue(func() [2]*sync.Pool { return pools(groundtruth.Lenient(c.lvl, agent)) })
	c.strict = sync.OnceValue(func() [2]*sync.Pool { return pools(groundtruth.Strict(c.lvl, agent)) })
}

// ask calls f with a judge of a pool.
func ask[T any](pool *sync.Pool, f func(*groundtruth.Judge) T) T {
	j := pool.Get().(*groundtruth.Judge)
	defer pool.Put(j)
	return f(j)
}

// look is an answer to one item of a law.
type look struct {
	faults []navmesh.Fault
	Coverage
	join [][2]int // regions that a walk joins
}

func (l *look) fault(kind navmesh.FaultKind, region navmesh.Ref, at geom.Vec, format string, args ...any) {
	l.faults = append(l.faults, navmesh.Fault{Kind: kind, Region: region, At: at, Detail: fmt.Sprintf(format, args...)})
}

// each looks at n items on several goroutines, and adds up the answers in their order.
func (c *checker) each(n int, item func(i int, j *groundtruth.Judge, l *look)) error {
	const chunk = 32
	looks := make([]look, (n+chunk-1)/chunk)
	err := par.For(c.ctx, c.opt.Jobs, len(looks), func(k int) error {
		var j *groundtruth.Judge
		if c.lvl != nil {
			j = c.plain.Get().(*groundtruth.Judge)
			defer c.plain.Put(j)
		}
		for i := k * chunk; i < min(n, (k+1)*chunk); i++ {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			item(i, j, &looks[k])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range looks {
		l := &looks[i]
		for _, f := range l.faults {
			c.add(f)
		}
		for _, pair := range l.join {
			c.sets.Union(int32(pair[0]), int32(pair[1]))
		}
		t := &c.coverage
		t.Regions += l.Regions
		t.Portals += l.Portals
		t.Places += l.Places
		t.Walkable += l.Walkable
		t.LeftOut += l.LeftOut
		t.Border += l.Border
		t.Behind += l.Behind
		t.Paths += l.Paths
		t.PathMetres += l.PathMetres
		t.PathPoints += l.PathPoints
	}
	return nil
}

// most is the number of reported faults of a kind per region, mostUnnamed the number of faults without a region.
const most, mostUnnamed = 3, 20

// add adds a fault, unless there are enough of its kind.
func (c *checker) add(f navmesh.Fault) {
	key := told{f.Kind, f.Region}
	limit := most
	if f.Region == 0 {
		limit = mostUnnamed
	}
	if c.told[key]++; c.told[key] <= limit && len(c.faults) < navmesh.MaxFaults {
		c.faults = append(c.faults, f)
	}
}

type told struct {
	kind   navmesh.FaultKind
	region navmesh.Ref
}

// parts compares the parts of the mesh with the parts joined by walks.
func (c *checker) parts() error {
	m := c.floor.mesh
	for _, l := range m.Links {
		from, to := c.floor.number(l.From), c.floor.number(l.To)
		if from >= 0 && to >= 0 {
			c.sets.Union(int32(from), int32(to))
		}
	}
	c.coverage.Parts = 0
	for i := range c.sets {
		if c.sets.Find(int32(i)) == int32(i) {
			c.coverage.Parts++
		}
	}
	if c.coverage.Parts != m.Components {
		c.add(navmesh.Fault{
			Kind: Parts, Detail: fmt.Sprintf("the mesh has %d components, walks over the level join its regions into %d", m.Components, c.coverage.Parts),
		})
	}
	return nil
}

// areas sums areas up for drawing by area.
type areas []float64

func (a areas) draw(u float64) int {
	i, _ := slices.BinarySearchFunc(a, u*a[len(a)-1], cmp.Compare)
	return min(i, len(a)-1)
}

func (a areas) empty() bool { return len(a) == 0 || !(a[len(a)-1] > 0) || math.IsInf(a[len(a)-1], 0) }
