package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/meadow-nav/meadow/navmesh"
)

// Save writes the world of the snapshot: the base, the meshes for wider agents, the things, the closed marks and the sequence
// number, for [Read]. Equal worlds give equal bytes. Time O(n) for n bytes.
func (s *Snapshot) Save(w io.Writer) error {
	s = s.ready()
	if w == nil {
		return errors.New("world: the writer is nil")
	}
	data, base, err := s.saved().encode()
	if err != nil {
		return err
	}
	s.world.id.set(base)
	_, err = w.Write(data)
	return err
}

// saved returns the content of the file of a snapshot.
func (s *Snapshot) saved() *saved {
	out := &saved{sequence: s.sequence, closed: s.Closed()}
	for _, sheet := range s.world.sheets {
		out.meshes = append(out.meshes, sheet.mesh)
	}
	for _, t := range s.Things() {
		out.things = append(out.things, t)
	}
	return out
}

// Read reads a world from all of r, as [Snapshot.Save] wrote it. The world has the things, closed marks, meshes and sequence
// number of before. Errors name the part of the file and the place. Time as [New], and as one [World.Apply] of all things.
func Read(ctx context.Context, r io.Reader) (*World, error) {
	if ctx == nil {
		return nil, errors.New("world: the context is nil: use context.Background()")
	}
	s, base, err := readSaved(r)
	if err != nil {
		return nil, err
	}
	w, err := New(ctx, s.meshes[0], Options{Wider: s.meshes[1:]})
	if err != nil {
		return nil, err
	}
	w.id.set(base)
	return w, w.restore(ctx, s)
}

// restore sets the things of a saved world into an empty world.
func (w *World) restore(ctx context.Context, s *saved) error {
	c := w.begin()
	for i, e := range s.things {
		if err := c.edit(e); err != nil {
			return fmt.Errorf("world: thing %d of %d: %w", i+1, len(s.things), err)
		}
	}
	for _, k := range s.closed {
		c.setMark(k, true)
	}
	c.next.sequence = s.sequence
	next, _, err := c.finish(ctx)
	if err != nil {
		return err
	}
	w.now.Store(&Snapshot{whole: next})
	w.watchers.last = s.sequence
	return nil
}

// identity is the number that stands for the meshes of a world in logs. The first to ask computes it.
type identity struct {
	mu     sync.Mutex
	known  bool
	number uint64
}

func (id *identity) set(number uint64) {
	id.mu.Lock()
	defer id.mu.Unlock()
	id.known, id.number = true, number
}

func (id *identity) of(sheets []*sheet) (uint64, error) {
	id.mu.Lock()
	defer id.mu.Unlock()
	if id.known {
		return id.number, nil
	}
	var meshes []*navmesh.Mesh
	for _, s := range sheets {
		meshes = append(meshes, s.mesh)
	}
	_, number, err := (&saved{meshes: meshes}).encode()
	id.known, id.number = err == nil, number
	return number, err
}
