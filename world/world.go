package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/footprint"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// Options of a world. The zero value is usable.
type Options struct {
	// Wider are meshes of the same level for wider agents, in the frame of the base, such as widened from the base. All
	// things and doors of the world act on each.
	Wider []*navmesh.Mesh
	// Generator divides changed floor into convex cells. Nil means the algorithm of Hertel and Mehlhorn, which takes a few
	// microseconds a region.
	Generator Generator
	// Prepare prepares the base and the wider meshes by [query.Index.Prepare]. With a table of corners, paths away from
	// things then need no search while at most one region in 32 is changed; meshes with links or too many corners get lists,
	// which serve the world before its first change only. Saved worlds are not prepared.
	Prepare bool
}

// Generator divides a connected piece of floor into convex cells. It must give the same cells for the same floor, and is
// never called by two goroutines at once.
type Generator = repair.Generator

// Floor and Corner are the floor that a [Generator] divides, and the corners of its cells.
type (
	Floor  = repair.Floor
	Corner = repair.Corner
)

// World is a base mesh and the things that stand in it. Any number of goroutines ask its snapshots without a lock while
// another changes the world; two changes at once wait for each other.
type World struct {
	writing  sync.Mutex
	editors  []*query.Editor // of the sheets
	sheets   []*sheet
	cutter   cutter
	now      atomic.Pointer[Snapshot]
	watchers watchers
	id       identity
	log      *logging // nil for none
	// The memory of a change.
	changed      [][]uint32 // regions, by radius
	touched      []uint32
	replacements []query.Replacement
}

// New returns a world without things over a base mesh, which must pass [navmesh.Mesh.Check]. Time as
// [query.NewIndexWith] for every mesh.
func New(ctx context.Context, base *navmesh.Mesh, opt Options) (*World, error) {
	if ctx == nil {
		return nil, errors.New("world: the context is nil: use context.Background()")
	}
	w := &World{cutter: cutter{Cutter: repair.Cutter{Generator: opt.Generator}}}
	s := &whole{world: w}
	for i, m := range append([]*navmesh.Mesh{base}, opt.Wider...) {
		name := "base"
		if i > 0 {
			name = fmt.Sprintf("Wider[%d]", i-1)
		}
		if m == nil {
			return nil, fmt.Errorf("world: %s is nil", name)
		}
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("world: %s cannot be used: %w", name, err)
		}
		if i > 0 && m.Frame != base.Frame {
			return nil, fmt.Errorf("world: %s has another frame than the base: widen it from the base", name)
		}
		for k := range w.sheets {
			if w.sheets[k].mesh.Agent.Radius == m.Agent.Radius {
				return nil, fmt.Errorf("world: %s has the radius %g m of an earlier mesh", name, m.Agent.Radius)
			}
		}
		ix, err := query.NewIndexWith(ctx, m)
		if err == nil && opt.Prepare {
			ix, err = ix.Prepare(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("world: %w", err)
		}
		w.sheets = append(w.sheets, newSheet(m, ix))
		w.editors = append(w.editors, query.NewEditor(ix))
		s.floors = append(s.floors, floor{index: ix, states: newVector[state](m.RegionCount()), mesh: new(lazyMesh)})
	}
	s.marks = make([]bool, len(base.Marks))
	w.changed = make([][]uint32, len(w.sheets))
	w.now.Store(&Snapshot{whole: s})
	return w, nil
}

// Now returns the latest snapshot, without waiting.
func (w *World) Now() *Snapshot {
	if w.usable() != nil {
		return (*Snapshot)(nil).ready()
	}
	return w.now.Load()
}

// usable returns the error of a world that New did not make.
func (w *World) usable() error {
	if w == nil || w.now.Load() == nil {
		return errors.New("world: the world is empty: use New")
	}
	return nil
}

// Change tells what an Apply changed.
type Change struct {
	Sequence uint64        // of the snapshot that the change made: the number of changes before it plus one
	Boxes    []geom.Box    // bounds of the changed floor, one for each region of a base where floor changed
	Ends     []geom.Box    // bounds of the start and of the end of each link that came, went, opened or closed, of all radii
	Stale    []navmesh.Ref // regions of the first radius that are gone
	Fresh    []navmesh.Ref // and those that are new
}

// Apply makes the edits in their order as one change: all of them, or none if there is an error. The error names the edit.
func (w *World) Apply(ctx context.Context, edits ...Edit) (Change, error) {
	if err := w.usable(); err != nil {
		return Change{}, err
	}
	if ctx == nil {
		return Change{}, errors.New("world: the context is nil: use context.Background()")
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return Change{}, fmt.Errorf("world: %w", err)
	}
	c := w.begin()
	c.edits = edits
	for i, e := range edits {
		if err := c.edit(e); err != nil {
			return Change{}, fmt.Errorf("world: edit %d: %w", i, err)
		}
	}
	next, change, err := c.finish(ctx)
	if err != nil {
		return Change{}, err
	}
	w.now.Store(&Snapshot{whole: next})
	w.watchers.tell(change)
	return change, nil
}

// change is an unfinished change.
type change struct {
	w       *World
	old     *whole
	next    *whole
	edits   []Edit   // for the log
	gone    []*thing // things of the old snapshot that went or moved
	fresh   []*thing // things that came or moved
	doors   []int    // marks that close or open
	hits    [2][]hit // of the radius at work, by region: the hits that go, and those that come
	links   bool     // the links changed
	painted bool     // the numbers of areas changed
}

func (w *World) begin() *change {
	old := w.now.Load().whole
	next := *old
	next.sequence++
	return &change{w: w, old: old, next: &next}
}

// edit makes one edit.
func (c *change) edit(e Edit) error {
	switch e := e.(type) {
	case Put:
		e.Solid = copyOf(e.Solid)
		return c.add(&thing{edit: e, solid: e.Solid})
	case Paint:
		e.Solid = copyOf(e.Solid)
		return c.add(&thing{edit: e, solid: e.Solid, brush: &e.Brush})
	case Move:
		old, err := c.known(e.ID)
		if err != nil {
			return err
		}
		if old.brush != nil || old.solid == nil {
			return fmt.Errorf("%q is no obstacle: Move moves obstacles", e.ID)
		}
		e.Solid = copyOf(e.Solid)
		return c.replace(e.ID, &thing{edit: Put(e), solid: e.Solid})
	case Repaint:
		old, err := c.known(e.ID)
		if err != nil {
			return err
		}
		if old.brush == nil {
			return fmt.Errorf("%q is no modifier: Repaint changes modifiers", e.ID)
		}
		e.Solid = copyOf(e.Solid)
		return c.replace(e.ID, &thing{edit: Paint(e), solid: e.Solid, brush: &e.Brush})
	case Take:
		if _, err := c.known(e.ID); err != nil {
			return err
		}
		c.remove(e.ID)
		return nil
	case Connect:
		return c.connect(e)
	case Close:
		return c.mark(e.Mark, true)
	case Open:
		return c.mark(e.Mark, false)
	case nil:
		return errors.New("the edit is nil")
	}
	return fmt.Errorf("no edit of type %T", e)
}

// known returns the thing of a name.
func (c *change) known(id ID) (*thing, error) {
	t, ok := c.next.things.get(id)
	if !ok {
		return nil, fmt.Errorf("no thing has the id %q", id)
	}
	return t, nil
}

// add puts a new thing into the world.
func (c *change) add(t *thing) error {
	id := t.edit.thing()
	if err := id.check(); err != nil {
		return err
	}
	if _, taken := c.next.things.get(id); taken {
		return fmt.Errorf("the id %q is taken", id)
	}
	if err := c.prepare(id, t); err != nil {
		return err
	}
	c.next.things = c.next.things.set(id, t)
	c.fresh = append(c.fresh, t)
	return nil
}

// replace puts a thing in the place of another.
func (c *change) replace(id ID, t *thing) error {
	if err := c.prepare(id, t); err != nil {
		return err
	}
	c.remove(id)
	c.next.things = c.next.things.set(id, t)
	c.fresh = append(c.fresh, t)
	return nil
}

// remove takes a thing out of the world.
func (c *change) remove(id ID) {
	t, _ := c.next.things.get(id)
	c.next.things = c.next.things.without(id)
	if t.links != nil {
		c.links = true
		c.next.links = slices.DeleteFunc(slices.Clone(c.next.links), func(o *thing) bool { return o == t })
		return
	}
	if k := slices.Index(c.fresh, t); k >= 0 {
		c.fresh = slices.Delete(c.fresh, k, k+1) // it came with this change
		return
	}
	c.gone = append(c.gone, t)
}

// connect puts a link into the world.
func (c *change) connect(e Connect) error {
	if err := e.ID.check(); err != nil {
		return err
	}
	if _, taken := c.next.things.get(e.ID); taken {
		return fmt.Errorf("the id %q is taken", e.ID)
	}
	t := &thing{edit: e, links: make([][]navmesh.Link, len(c.w.sheets)), reached: make([][]hit, len(c.w.sheets))}
	t.prints = make([]*footprint.Footprint, len(c.w.sheets))
	for k, s := range c.w.sheets {
		links, err := s.linksOf(e)
		if err != nil && k == 0 {
			return fmt.Errorf("%q: %w", e.ID, err)
		}
		t.links[k] = links // wider agents may find no floor there
	}
	c.next.things = c.next.things.set(e.ID, t)
	at, _ := slices.BinarySearchFunc(c.next.links, e.ID, func(o *thing, id ID) int { return cmp.Compare(o.edit.thing(), id) })
	c.next.links = slices.Insert(slices.Clone(c.next.links), at, t)
	c.links = true
	return nil
}

// prepare finds the footprints of a thing.
func (c *change) prepare(id ID, t *thing) error {
	if t.solid == nil {
		return fmt.Errorf("%q has no solid", id)
	}
	if t.brush != nil {
		if err := t.brush.check(); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
	}
	shape, err := shapeOf(t.solid, c.w.sheets[0].mesh.Frame)
	if err != nil {
		return fmt.Errorf("%q: %w", id, err)
	}
	for k, s := range c.w.sheets {
		var p *footprint.Footprint
		if t.brush != nil {
			p, err = footprint.Volume(shape)
		} else {
			p, err = footprint.Obstacle(shape, s.mesh.Agent)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		t.prints = append(t.prints, p)
		if k == 0 && !p.Box.IsEmpty() && !p.Box.Overlaps(s.plan) {
			return fmt.Errorf("%q is outside of the base", id)
		}
	}
	t.reached = make([][]hit, len(t.prints))
	return nil
}

// mark closes or opens the marks of a name or kind.
func (c *change) mark(name string, closed bool) error {
	base := c.w.sheets[0].mesh
	called, err := base.MarksCalled(name)
	if err != nil {
		return err
	}
	for _, k := range called {
		c.setMark(k, closed)
	}
	return nil
}

// setMark closes or opens a mark by its number.
func (c *change) setMark(k int, closed bool) {
	if len(c.doors) == 0 {
		c.next.marks = slices.Clone(c.next.marks)
	}
	c.next.marks[k] = closed
	c.doors = append(c.doors, k)
	for _, s := range c.w.sheets {
		c.links = c.links || len(s.ends[k]) > 0
	}
}

// check returns the fault of an id.
func (id ID) check() error {
	switch {
	case id == "":
		return errors.New("the id is empty")
	case len(id) > MaxID:
		return fmt.Errorf("the id %.20q has %d bytes, at most %d", id, len(id), MaxID)
	case strings.ContainsFunc(string(id), func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }):
		return fmt.Errorf("the id %.40q has a control character or bytes that are no UTF-8", id)
	}
	return nil
}
