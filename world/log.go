package world

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/meadow-nav/meadow/world/internal/journal"
)

// LogFile is the file of a log, such as an *os.File open for reading and writing.
type LogFile interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// Recovery tells what [World.Follow] found in a log.
type Recovery struct {
	Changes int   // made by the log
	Older   int   // changes of the log that the saved world has already
	Dropped int64 // bytes at the end, of a change that a crash tore
	// Ahead says that the world has changes that the log has lost, as an unsynced log may by a power cut. World.Apply fails
	// until World.Compact has begun a new log.
	Ahead bool
}

// NewLog returns the bytes of a log without changes that begins after the snapshot.
func (s *Snapshot) NewLog() ([]byte, error) {
	s = s.ready()
	base, err := s.world.id.of(s.world.sheets)
	if err != nil {
		return nil, err
	}
	return journal.Header{Base: base, After: s.sequence}.Encode(), nil
}

// Follow makes the changes of a log of size bytes that the world does not have yet. From then on, [World.Apply] appends each
// change to the log before readers see the change; a change that cannot be appended does not happen. With synced set, Apply
// returns when the change is on the medium and survives a power cut; without, a change survives only the end of the process.
//
// A torn change at the end of the log is removed, see [Recovery]. Damage before the end, a log of other meshes, and a log
// that begins after the world are errors that name the place, and leave the log unchanged; the world may then have some of
// the changes.
func (w *World) Follow(ctx context.Context, f LogFile, size int64, synced bool) (Recovery, error) {
	if err := w.usable(); err != nil {
		return Recovery{}, err
	}
	switch {
	case ctx == nil:
		return Recovery{}, errors.New("world: the context is nil: use context.Background()")
	case f == nil:
		return Recovery{}, errors.New("world: the log is nil")
	case w.follows():
		return Recovery{}, errors.New("world: the world has a log already")
	}
	base, err := w.id.of(w.sheets)
	if err != nil {
		return Recovery{}, err
	}
	var out Recovery
	first := w.Now().Sequence()
	begin := func(h journal.Header) error {
		if h.Base != base {
			return errors.New("world: the log belongs to other meshes")
		}
		if h.After > first {
			return fmt.Errorf("world: the log begins after change %d, the world is at change %d", h.After, first)
		}
		return nil
	}
	l, dropped, err := journal.Open(f, size, synced, begin, func(sequence uint64, body []byte) error {
		if sequence <= first {
			out.Older++
			return nil
		}
		edits, err := DecodeEdits(body)
		if err != nil {
			return fmt.Errorf("world: change %d of the log: %w", sequence, err)
		}
		if _, err := w.Apply(ctx, edits...); err != nil {
			return fmt.Errorf("world: change %d of the log: %w", sequence, err)
		}
		out.Changes++
		return nil
	})
	if err != nil {
		return Recovery{}, err
	}
	out.Dropped = dropped
	w.writing.Lock()
	defer w.writing.Unlock()
	if now := w.Now().Sequence(); now != max(first, l.Last()) {
		return Recovery{}, fmt.Errorf("world: the world changed while the log was read: it is at change %d, the log at %d", now, l.Last())
	}
	out.Ahead = first > l.Last()
	w.log = &logging{log: l, file: f, ahead: out.Ahead, synced: synced}
	return out, nil
}

// logging is the log of a world.
type logging struct {
	log    *journal.Log
	file   LogFile
	ahead  bool  // the world is ahead of the log
	broken error // of a log whose file cannot be told
	synced bool
}

func (w *World) follows() bool {
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.log != nil
}

// append appends a change to the log of the world, if there is one.
func (l *logging) append(sequence uint64, edits []Edit) error {
	switch {
	case l == nil:
		return nil
	case l.broken != nil:
		return fmt.Errorf("world: the log takes no changes until Compact succeeds: %w", l.broken)
	case l.ahead:
		return errors.New("world: the world is ahead of its log: Compact begins a new log")
	}
	body, err := EncodeEdits(edits...)
	if err != nil {
		return err
	}
	return l.log.Append(sequence, body)
}

// Compact shortens the log. Save must store the snapshot, in place of the saved world that the log began after; changes may
// go on meanwhile. Then renew must store a log with the given bytes in place of the old log, and open the new log; changes
// wait for renew. Whichever step a crash prevents, the saved world and the log give the last change. After an error of save
// the old log stays in use. After an error of renew, changes fail until a later Compact succeeds.
func (w *World) Compact(save func(s *Snapshot) error, renew func(log []byte) (LogFile, error)) error {
	if err := w.usable(); err != nil {
		return err
	}
	if save == nil || renew == nil {
		return errors.New("world: save or renew is nil")
	}
	w.writing.Lock()
	l, s := w.log, w.Now()
	if l == nil {
		w.writing.Unlock()
		return errors.New("world: the world has no log")
	}
	from := l.log.Size()
	w.writing.Unlock()
	if err := save(s); err != nil {
		return err
	}
	start, err := s.NewLog()
	if err != nil {
		return err
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	return l.renew(start, from, renew)
}

// renew begins a new log with the changes of the old one from an offset on.
func (l *logging) renew(start []byte, from int64, renew func(log []byte) (LogFile, error)) error {
	later := make([]byte, l.log.Size()-from)
	if _, err := l.file.ReadAt(later, from); err != nil && len(later) > 0 {
		return fmt.Errorf("world: reading the log: %w", err)
	}
	data := append(start, later...)
	f, err := renew(data)
	if err == nil && f == nil {
		err = errors.New("the new log is nil")
	}
	if err == nil {
		var next *journal.Log
		if next, _, err = journal.Open(f, int64(len(data)), l.synced, func(journal.Header) error { return nil }, func(uint64, []byte) error { return nil }); err == nil {
			l.log, l.file, l.ahead, l.broken = next, f, false, nil
			return nil
		}
	}
	l.broken = err
	return err
}
