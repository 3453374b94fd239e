package worldcheck

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// Trial is a number of random changes of one world, judged by all laws.
type Trial struct {
	Base    *navmesh.Mesh
	Options world.Options
	Seed    uint64
	Changes int
	// Every is the number of changes between two checks, by default 20. Every tenth check compares with a world made anew.
	Every int
	// Readers is the number of goroutines that ask for paths all the time.
	Readers int
	// Places and Paths are those of [Checker].
	Places, Paths int
	// NoLinks and NoTriangles are those of [Maker].
	NoLinks, NoTriangles bool
	// ShrinkAtMost is the number of worlds that are made to shrink a fault, 0 for none.
	ShrinkAtMost int
}

// Result is the result of a [Trial].
type Result struct {
	Changes, Edits, Refused, Checks int
	Read                            int // paths found by readers
	Regions, Peak                   int // of the base, and the most of a snapshot
	// Faults are the first faults; History are the changes that lead to them, shrunk if the fault comes back in a world
	// that makes the changes again.
	Faults  []Fault
	History [][]world.Edit
	Shrunk  bool
}

// Run makes the changes, until a fault. At the end all things go: the world is its base again.
func (t *Trial) Run(ctx context.Context) (Result, error) {
	r := Result{Regions: t.Base.RegionCount()}
	w, err := world.New(ctx, t.Base, t.Options)
	if err != nil {
		return r, err
	}
	c, err := t.checker(ctx)
	if err != nil {
		return r, err
	}
	m := NewMaker(t.Base, t.Seed)
	m.NoLinks, m.NoTriangles = t.NoLinks, t.NoTriangles
	stop := Watch(ctx, w, t.Readers, t.Seed)
	err = t.run(ctx, w, c, m, &r)
	read, n := stop()
	r.Read = n
	r.Faults = append(r.Faults, read...)
	if err != nil {
		return r, err
	}
	if len(r.Faults) > 0 && t.ShrinkAtMost > 0 {
		t.shrink(ctx, &r)
	}
	return r, ctx.Err()
}

func (t *Trial) checker(ctx context.Context) (*Checker, error) {
	c, err := New(ctx, t.Base, t.Options, t.Seed)
	if err != nil {
		return nil, err
	}
	c.Places, c.Paths = t.Places, t.Paths
	return c, nil
}

// memories is the number of old snapshots that a trial keeps.
const memories = 4

func (t *Trial) run(ctx context.Context, w *world.World, c *Checker, m *Maker, r *Result) error {
	every := t.Every
	if every <= 0 {
		every = 20
	}
	var past []Memory
	check := func(anew bool) error {
		r.Checks++
		s := w.Now()
		faults, err := c.Check(ctx, s, anew)
		r.Faults = append(r.Faults, faults...)
		r.Peak = max(r.Peak, s.Mesh().RegionCount())
		return err
	}
	for i := range t.Changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		edits := m.Next()
		r.History = append(r.History, edits)
		faults, err := c.Apply(ctx, w, edits)
		if err != nil {
			return fmt.Errorf("change %d: %w", i, err)
		}
		r.Changes++
		r.Edits += len(edits)
		if r.Faults = append(r.Faults, faults...); len(r.Faults) > 0 {
			return nil
		}
		if i%every != every-1 {
			continue
		}
		wrong, word := m.Wrong()
		r.Refused++
		if r.Faults = append(r.Faults, c.ApplyWrong(ctx, w, wrong, word)...); len(r.Faults) > 0 {
			r.History, r.Shrunk = [][]world.Edit{wrong}, true
			return nil
		}
		if err := check(i/every%10 == 0); err != nil || len(r.Faults) > 0 {
			return err
		}
		for _, old := range past {
			faults, err := old.Recall(ctx)
			if r.Faults = append(r.Faults, faults...); err != nil || len(r.Faults) > 0 {
				return err
			}
		}
		if k := i / every; k%5 == 0 {
			old, err := c.Remember(ctx, w.Now(), 5)
			if err != nil {
				return err
			}
			if len(past) < memories {
				past = append(past, old)
			} else {
				past[k/5%memories] = old
			}
		}
	}
	if err := check(true); err != nil || len(r.Faults) > 0 {
		return err
	}
	edits := m.TakeAll()
	r.History = append(r.History, edits)
	faults, err := c.Apply(ctx, w, edits)
	if r.Faults = append(r.Faults, faults...); err != nil || len(faults) > 0 {
		return err
	}
	return check(true)
}

// shrink reduces the history of the first fault.
func (t *Trial) shrink(ctx context.Context, r *Result) {
	f := &r.Faults[0]
	fails := func(changes [][]world.Edit) bool {
		got, err := t.replay(ctx, changes, f)
		return err == nil && got != nil
	}
	if r.Shrunk || f.Law == Readers || f.Law == Past || !fails(r.History) {
		return
	}
	r.History, r.Shrunk = Shrink(r.History, t.ShrinkAtMost, fails), true
	if again, err := t.replay(ctx, r.History, f); err == nil && again != nil {
		r.Faults = []Fault{*again}
	}
}

// replay makes changes in a new world, and returns the fault of the same law and place as f, nil for none.
func (t *Trial) replay(ctx context.Context, changes [][]world.Edit, f *Fault) (*Fault, error) {
	w, err := world.New(ctx, t.Base, t.Options)
	if err != nil {
		return nil, err
	}
	c, err := t.checker(ctx)
	if err != nil {
		return nil, err
	}
	c.Places, c.Paths, c.again = 0, 0, f
	for _, edits := range changes {
		faults, err := c.Apply(ctx, w, edits)
		if got := ofLaw(faults, f.Law); got != nil || err != nil {
			return got, err
		}
		if len(faults) > 0 {
			return nil, nil
		}
	}
	faults, err := c.Check(ctx, w.Now(), f.Law == Anew)
	return ofLaw(faults, f.Law), err
}

func ofLaw(faults []Fault, law Law) *Fault {
	for i := range faults {
		if faults[i].Law == law {
			return &faults[i]
		}
	}
	return nil
}
