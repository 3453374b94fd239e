package meadow

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/world"
)

// SaveWorld writes a snapshot of a world to the file at path: see [world.Snapshot.Save]. After an error, the file is as before.
// The file of an open [WorldFile] is refused: use [WorldFile.Compact].
func SaveWorld(path string, s *world.Snapshot) error {
	if s == nil {
		return errors.New("meadow: the snapshot is nil")
	}
	if _, err := os.Lstat(logOf(path)); err == nil {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("has a log of changes: OpenWorld and Compact keep the two together")}
	}
	return atomicfile.Write(path, s.Save)
}

// LoadWorld reads the world file at path: see [world.Read]. A log beside the file is not read: see [OpenWorld].
func LoadWorld(ctx context.Context, path string) (*world.World, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := world.Read(ctx, bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// WorldFileOptions say how [CreateWorld] and [OpenWorld] keep a world. The zero value is usable.
type WorldFileOptions struct {
	// Unsynced lets [world.World.Apply] return before a change is on the medium. The end of the process then loses no
	// change, but a power cut may lose the last changes.
	Unsynced bool
}

// WorldFile is a world that outlives its process: a saved world in a file, and the changes since then in a log beside the file,
// with ".log" behind the name. A third file with ".lock" behind the name keeps other processes away, on systems with locks of
// files.
type WorldFile struct {
	// World is the world. Each of its changes is in the log before readers see the change.
	World *world.World
	// Recovery tells what was found in the log.
	Recovery world.Recovery

	path string
	opt  WorldFileOptions
	lock io.Closer
	mu   sync.Mutex // of the fields below
	log  *os.File
}

func logOf(path string) string { return path + ".log" }

// CreateWorld saves a world to a new file at path, and begins the log of its changes. A file or a log that exists is an
// error.
func CreateWorld(path string, w *world.World, opt WorldFileOptions) (*WorldFile, error) {
	if w == nil {
		return nil, errors.New("meadow: the world is nil")
	}
	f, err := lockWorld(path, opt)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{path, logOf(path)} {
		if _, err := os.Lstat(name); err == nil {
			return nil, errors.Join(&fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}, f.lock.Close())
		}
	}
	f.World = w
	if err := atomicfile.Write(path, w.Now().Save); err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	return f.begin(context.Background())
}

// OpenWorld opens a world that [CreateWorld] made, with all its changes. A change that a crash interrupted is there whole or
// not at all. Damage, and a log that does not belong to the file, are errors that name the place, and change no file.
func OpenWorld(ctx context.Context, path string, opt WorldFileOptions) (*WorldFile, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err // before a lock is made
	}
	f, err := lockWorld(path, opt)
	if err != nil {
		return nil, err
	}
	if f.World, err = LoadWorld(ctx, path); err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	return f.begin(ctx)
}

func lockWorld(path string, opt WorldFileOptions) (*WorldFile, error) {
	lock, err := atomicfile.Lock(path + ".lock")
	if err != nil {
		return nil, err
	}
	return &WorldFile{path: path, opt: opt, lock: lock}, nil
}

// begin opens the log of a world that has been read or saved. A crash may have come before the first log.
func (f *WorldFile) begin(ctx context.Context) (*WorldFile, error) {
	err := f.openLog(ctx)
	if err == nil && f.Recovery.Ahead {
		err = f.Compact()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *WorldFile) openLog(ctx context.Context) error {
	name := logOf(f.path)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		log, err := f.World.Now().NewLog()
		if err != nil {
			return fmt.Errorf("meadow: %w", err)
		}
		if err := writeBytes(name, log); err != nil {
			return err
		}
	}
	log, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	f.log = log
	info, err := log.Stat()
	if err != nil {
		return err
	}
	if f.Recovery, err = f.World.Follow(ctx, log, info.Size(), !f.opt.Unsynced); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Compact saves the world of now and shortens the log to the later changes, while changes go on: see [world.World.Compact].
// A crash at any time loses no change. Time and room as [SaveWorld].
func (f *WorldFile) Compact() error {
	if f == nil || f.lock == nil {
		return errors.New("meadow: no world file is open: use OpenWorld or CreateWorld")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.World.Compact(func(s *world.Snapshot) error {
		return atomicfile.Write(f.path, s.Save)
	}, func(log []byte) (world.LogFile, error) {
		// Some systems replace no file that is open.
		if err := f.closeLog(); err != nil {
			return nil, err
		}
		if err := writeBytes(logOf(f.path), log); err != nil {
			return nil, err
		}
		next, err := os.OpenFile(logOf(f.path), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		f.log = next
		return next, nil
	})
}

func (f *WorldFile) closeLog() error {
	if f.log == nil {
		return nil
	}
	err := errors.Join(f.log.Sync(), f.log.Close())
	f.log = nil
	return err
}

// Close puts all changes on the medium and closes the files. Changes of the world fail from then on; snapshots stay usable.
func (f *WorldFile) Close() error {
	if f == nil || f.lock == nil {
		return nil // no file is open
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.closeLog(), f.lock.Close())
}
